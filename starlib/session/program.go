package session

import (
	"github.com/arignote/arignote/starlib/code"
	"github.com/arignote/arignote/starlib/compile"
	"github.com/arignote/arignote/starlib/value"
	"github.com/arignote/arignote/starlib/vm"
	"go.starlark.net/starlark"
	"go.starlark.net/syntax"
)

// A Program is what the tree of a cell or of a file has become, ready to run.
type Program struct{ code *code.Program }

// newProgram makes a program of a tree whose names are checked. cell says that its globals are
// shared; shared says which names it finds that it does not bind.
func (s *Session) newProgram(f *syntax.File, cell bool, shared func(name string) bool) (*Program, error) {
	p, err := compile.File(f, compile.Names{
		Cell:   cell,
		Shared: func(name string) bool { return Hidden(name) || shared(name) },
		Fixed:  func(name string) starlark.Value { return s.fixed[name] },
		Slice:  func(lo, hi, step starlark.Value) starlark.Value { return &value.Slice{Lo: lo, Hi: hi, Step: step} },
		Method: value.IsOwnMethod,
	})
	if err != nil {
		return nil, err
	}
	s.lines.add(p)
	return &Program{p}, nil
}

// Names are the global variables that it names.
func (p *Program) Names() []string { return p.code.Vars }

// run runs a program with what it finds, and returns the globals of its own, also those that it had
// when it failed.
func (p *Program) run(thread *starlark.Thread, found *vm.Globals) (starlark.StringDict, error) {
	return vm.Run(thread, p.code, found)
}
