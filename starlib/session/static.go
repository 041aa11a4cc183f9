package session

import (
	"fmt"
	"slices"
	"strings"

	"github.com/arignote/arignote/notebook"
	"github.com/arignote/arignote/runtime/files"
	"github.com/arignote/arignote/starlib/parse"
	"github.com/arignote/arignote/starlib/scope"
	"go.starlark.net/starlark"
	"go.starlark.net/syntax"
)

// What package check asks about a program that is not to run.

// Ours returns what "from module import name" binds, or with no name "import module", of a module
// that is no file of the user's; ok is false if there is none of the name.
func (s *Session) Ours(module, name string) (v starlark.Value, ok bool, err error) {
	if strings.HasPrefix(module, ".") || s.ours(strings.SplitN(module, ".", 2)[0]) == nil {
		return nil, false, nil
	}
	v, err = s.imported(nil, module, name)
	return v, true, err
}

// StarNames are the names that "from module import *" binds, of a module of ours.
func (s *Session) StarNames(module starlark.Value) []string {
	if m, ok := module.(starlark.HasAttrs); ok {
		return s.publicNames(m)
	}
	return nil
}

// A SourceFile is where a file that may be imported is.
type SourceFile struct {
	Path string // of the file; "" of a folder of files that has none of its own
	Dir  string // where the modules of a package are; "" of a file
}

// ImportPath are the folders where imports of files look: those of sys.path, and those of the flag.
func (s *Session) ImportPath() []string { return s.searched() }

// FindModule looks in folders for a file of the user's by the dotted name that imports give it.
// What it is in comes before it.
func (s *Session) FindModule(dirs []string, full string) (found []SourceFile, err error) {
	for part := range strings.SplitSeq(full, ".") {
		path, dir, ok := s.findIn(dirs, part)
		if !ok {
			return nil, s.noModule(full, part, dirs)
		}
		found = append(found, SourceFile{path, dir})
		if dirs = nil; dir != "" {
			dirs = []string{dir}
		}
	}
	return found, nil
}

// Undefined is the message for a name that does not exist, where others do.
func (s *Session) Undefined(name string, known []string) string {
	known = append(s.AllNames(), known...)
	slices.Sort(known)
	return undefined(name, slices.Compact(known))
}

// A Draft is a file as far as it can be parsed.
type Draft struct {
	Text     string
	Tree     *syntax.File
	Mistakes []*parse.Error
	Faults   []*scope.Error // what else is refused before a cell runs
	Magics   []error        // what is wrong with magics
}

// Draft reads a file, that a user names, cell by cell, and runs nothing.
func (s *Session) Draft(path string) (*Draft, error) {
	text, err := readCode(files.Open().ReadStream, path)
	if _, ok := s.inLibrary(path); ok {
		text, err = s.readText(path)
	}
	if err != nil {
		return nil, fmt.Errorf("check: %w", err)
	}
	d := &Draft{Text: text, Tree: &syntax.File{Path: path, Options: dialect}}
	for i, sc := range notebook.Split(text) {
		if sc.Kind != notebook.Code {
			continue
		}
		plan, err := s.rooms.Read(s, &Cell{Name: path, Count: i + 1, Code: sc.Code, Line: sc.Line})
		if err != nil {
			d.Magics = append(d.Magics, err)
			continue
		}
		if plan.Instead != nil || plan.Apart {
			continue
		}
		f, mistakes := parse.All(path, plan.Text, parse.Options{Dialect: dialect, FirstLine: sc.Line})
		extend(f)
		d.Mistakes = append(d.Mistakes, mistakes...)
		d.Faults = append(d.Faults, scope.Faults(f)...)
		d.Tree.Stmts = append(d.Tree.Stmts, f.Stmts...)
	}
	return d, nil
}

// Tree has the statements of a file that was run. Magics are left out, and what cannot be parsed.
func (s *Session) Tree(file string) *syntax.File {
	text, _ := s.Source(file).Text()
	lines := strings.Split(text, "\n")
	for i, line := range lines {
		if t := strings.TrimSpace(line); strings.HasPrefix(t, "%") || strings.HasPrefix(t, "!") {
			lines[i] = ""
		}
	}
	f, _ := parse.All(file, strings.Join(lines, "\n"), parse.Options{Dialect: dialect})
	return f
}

// IsPower reports whether a call of a tree is x ** y.
func IsPower(call *syntax.CallExpr) bool {
	fn, ok := call.Fn.(*syntax.Ident)
	return ok && fn.Name == parse.NamePow
}
