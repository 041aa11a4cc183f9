package session

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/arignote/arignote/runtime/files"
	"github.com/arignote/arignote/starlib/slot"
	"go.starlark.net/starlark"
)

// A ScriptCell is one piece of a .star file that is also a notebook.
type ScriptCell struct {
	Code     string // without the "# %%" line
	Line     int    // line of the file that Code begins on
	Title    string // the rest of the "# %%" line
	Markdown bool
}

// SplitScript splits a file at its "# %%" lines; "# %% [markdown]" begins a cell of text.
// What stands before the first such line is a cell too, unless it is blank. A line
// "# %%name", without space, is a magic of the cell that it is in.
func SplitScript(text string) []ScriptCell {
	var cells []ScriptCell
	cell := ScriptCell{Line: 1}
	var code []string
	flush := func() {
		cell.Code = strings.TrimRight(strings.Join(code, "\n"), "\n")
		if strings.TrimSpace(cell.Code) != "" {
			cells = append(cells, cell)
		}
		code = nil
	}
	for i, line := range strings.Split(strings.TrimSuffix(text, "\n"), "\n") {
		title, ok := cellTitle(line)
		if !ok {
			code = append(code, line)
			continue
		}
		flush()
		cell = ScriptCell{Line: i + 2, Title: title}
		if rest, ok := strings.CutPrefix(title, "[markdown]"); ok {
			cell.Markdown, cell.Title = true, strings.TrimSpace(rest)
		}
	}
	flush()
	return cells
}

// cellTitle reports whether a line begins a cell, and returns what follows the mark.
func cellTitle(line string) (string, bool) {
	rest, ok := strings.CutPrefix(strings.TrimRight(line, " \t\r"), "#")
	if !ok {
		return "", false
	}
	rest, ok = strings.CutPrefix(strings.TrimLeft(rest, " "), "%%")
	if !ok || rest != "" && rest[0] != ' ' {
		return "", false
	}
	return strings.TrimSpace(rest), true
}

// A reader reads files: files.Door.Read, or ReadStream for those that the user names to the
// program, not a cell.
type reader func(path string, most int64) ([]byte, error)

// readCode returns the text of a file without the mark that some editors put before it.
func readCode(read reader, path string) (string, error) {
	text, err := read(path, files.MaxText)
	return strings.TrimPrefix(string(text), "\ufeff"), err
}

// Arguments is sys.argv: the script that runs, "" of cells, and its arguments.
func (s *Session) Arguments() *slot.List { return s.argv }

// SetArguments makes the texts sys.argv.
func (s *Session) SetArguments(argv []string) {
	s.argv.Clear()
	for _, a := range argv {
		s.argv.Append(starlark.String(a))
	}
}

// RunFile runs the cells of a file, one after the other, in the session, and stops at the first
// error. The value of a cell's last expression is displayed, but for .py, as Python does it. Lines
// are numbered as in the file, and load() looks beside it.
func (s *Session) RunFile(ctx context.Context, path string, out Output) error {
	s.mu.Lock()
	defer s.mu.Unlock()
	abs, err := filepath.Abs(path)
	if err != nil {
		return fmt.Errorf("run: %w", err)
	}
	return s.runFile(ctx, files.Open().ReadStream, path, abs, out) // the user names it, not a program
}

// runFile is RunFile with s.mu held. path is what errors call the file; a nil out is the running
// cell's.
func (s *Session) runFile(ctx context.Context, read reader, path, abs string, out Output) error {
	text, err := readCode(read, abs)
	if err != nil {
		var at *os.PathError
		if errors.As(err, &at) {
			at.Path = path
		}
		return fmt.Errorf("run: %w", err)
	}
	if out == nil {
		out = s.out
	}
	defer func(dir string) { s.dir = dir }(s.dir)
	s.dir = filepath.Dir(abs)
	s.scripts = append(s.scripts, abs)
	defer func() { s.scripts = s.scripts[:len(s.scripts)-1] }()
	defer s.named(abs, scriptDoc(text))()
	s.sources[path] = Source{}.with(1, text)
	for i, sc := range SplitScript(text) {
		if sc.Markdown {
			continue
		}
		cell := &Cell{Name: path, Count: i + 1, Code: sc.Code, Line: sc.Line}
		data, metadata, err := s.run(ctx, cell, out)
		if exit := (interface{ ExitStatus() int })(nil); errors.As(err, &exit) && exit.ExitStatus() == 0 {
			return nil
		}
		if err != nil {
			return err
		}
		if data != nil && filepath.Ext(abs) != ".py" { // Python shows no value that nobody prints
			out.Display(data, metadata, "", false)
		}
	}
	return nil
}

// scriptDoc is the text that a script begins with, None if it begins with something else.
func scriptDoc(text string) starlark.Value {
	for _, cell := range SplitScript(text) {
		if cell.Markdown {
			continue
		}
		if f, err := ParseText("", cell.Code, 1, 1); err == nil { // an error is told when the cell runs
			return docString(f)
		}
		break
	}
	return starlark.None
}

// named makes __file__ the script that runs, and __doc__ its documentation, until it is over.
func (s *Session) named(abs string, doc starlark.Value) (over func()) {
	outer, outerDoc := s.env.Get("__file__"), s.env.Get("__doc__")
	s.env.Set("__file__", starlark.String(abs))
	s.env.Set("__doc__", doc)
	return func() {
		s.env.Set("__doc__", outerDoc)
		s.env.Set("__file__", outer)
	}
}

// RunInside runs a file where a line of the running cell says so.
func (s *Session) RunInside(path, abs string) error {
	err := s.runFile(s.ctx, s.Files().Read, path, abs, nil)
	var inFile *Error
	if errors.As(err, &inFile) {
		return insideError{inFile.cause}
	}
	return err
}

// An insideError is the cause of a file's error, whose frames come after those of the cell that
// runs the file.
type insideError struct{ cause error }

func (e insideError) Error() string { return e.cause.Error() }
func (e insideError) Unwrap() error { return e.cause }

// Runs reports whether a file is being run.
func (s *Session) Runs(abs string) bool { return slices.Contains(s.scripts, abs) }
