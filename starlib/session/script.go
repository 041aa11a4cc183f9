package session

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/arignote/arignote/notebook"
	"github.com/arignote/arignote/runtime/files"
	"github.com/arignote/arignote/starlib/slot"
	"go.starlark.net/starlark"
)

// A reader reads files: files.Door.Read, or ReadStream for those that the user names to the
// program, not a cell.
type reader func(path string, most int64) ([]byte, error)

// readCode returns the text of a file without the mark that some editors put before it, and of a
// notebook the script that it is.
func readCode(read reader, path string) (string, error) {
	if isNotebook(path) {
		nb, err := readNotebook(read, path)
		if err != nil {
			return "", err
		}
		return nb.ToScript(), nil
	}
	text, err := read(path, files.MaxText)
	return strings.TrimPrefix(string(text), "\ufeff"), err
}

func isNotebook(path string) bool { return filepath.Ext(path) == ".ipynb" }

func readNotebook(read reader, path string) (*notebook.Notebook, error) {
	text, err := read(path, notebook.MaxSize)
	if err != nil {
		return nil, err
	}
	nb, err := notebook.Read(text)
	if err != nil {
		return nil, fmt.Errorf("%s: %w", filepath.Base(path), err)
	}
	return nb, nil
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
// are numbered as in the file, and load() looks beside it. Cells of a notebook are numbered, and
// have In and Out.
func (s *Session) RunFile(ctx context.Context, path string, out Output) error {
	s.mu.Lock()
	defer s.mu.Unlock()
	abs, err := filepath.Abs(path)
	if err != nil {
		return fmt.Errorf("run: %w", err)
	}
	run := s.runFile
	if isNotebook(path) {
		run = s.runNotebook
	}
	return run(ctx, files.Open().ReadStream, path, abs, out) // the user names it, not a program
}

// runNotebook is RunFile of a notebook with s.mu held.
func (s *Session) runNotebook(ctx context.Context, read reader, path, abs string, out Output) error {
	nb, err := readNotebook(read, abs)
	if err != nil {
		return notRead(path, err)
	}
	defer s.enterFile(abs, starlark.None)()
	count := 0
	for _, c := range nb.Cells {
		if !c.Runs() {
			continue
		}
		count++
		data, metadata, err := s.execute(ctx, count, c.Source, out)
		if over, err := ended(err); over {
			return err
		}
		if data != nil {
			out.Display(data, metadata, "", false)
		}
	}
	return nil
}

// notRead is why a file cannot be run, under the name that it was given.
func notRead(path string, err error) error {
	var at *os.PathError
	if errors.As(err, &at) {
		at.Path = path
	}
	return fmt.Errorf("run: %w", err)
}

// ended reports whether an error ends a file, and how: a program that exits with 0 has done well.
func ended(err error) (bool, error) {
	if exit := (interface{ ExitStatus() int })(nil); errors.As(err, &exit) && exit.ExitStatus() == 0 {
		return true, nil
	}
	return err != nil, err
}

// enterFile has load() look beside a file that runs, until over is called, and the file be known as
// the one that runs.
func (s *Session) enterFile(abs string, doc starlark.Value) (over func()) {
	dir, leave := s.dir, s.named(abs, doc)
	s.dir = filepath.Dir(abs)
	s.scripts = append(s.scripts, abs)
	return func() {
		leave()
		s.scripts = s.scripts[:len(s.scripts)-1]
		s.dir = dir
	}
}

// runFile is RunFile with s.mu held. path is what errors call the file; a nil out is the running
// cell's.
func (s *Session) runFile(ctx context.Context, read reader, path, abs string, out Output) error {
	text, err := readCode(read, abs)
	if err != nil {
		return notRead(path, err)
	}
	if out == nil {
		out = s.out
	}
	defer s.enterFile(abs, scriptDoc(text))()
	s.sources[path] = Source{}.with(1, text)
	for i, sc := range notebook.Split(text) {
		if sc.Kind != notebook.Code {
			continue
		}
		cell := &Cell{Name: path, Count: i + 1, Code: sc.Code, Line: sc.Line}
		data, metadata, err := s.run(ctx, cell, out)
		if over, err := ended(err); over {
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
	for _, cell := range notebook.Split(text) {
		if cell.Kind != notebook.Code {
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
