package session

import (
	"strings"

	"github.com/arignote/arignote/starlib/code"
	"github.com/arignote/arignote/starlib/compile"
	"github.com/arignote/arignote/starlib/lower"
	"github.com/arignote/arignote/starlib/value"
	"github.com/arignote/arignote/starlib/vm"
	"go.starlark.net/starlark"
	"go.starlark.net/syntax"
)

// A Program is what the tree of a cell or of a file has become, ready to run.
type Program struct{ code *code.Program }

// newProgram makes a program of a lowered tree. cell says that its globals are shared; shared says
// which names it finds that it does not bind.
func (s *Session) newProgram(f *syntax.File, cell bool, shared func(name string) bool) (*Program, error) {
	p, err := compile.File(f, compile.Names{
		Cell:   cell,
		Shared: func(name string) bool { return Hidden(name) || shared(name) },
		Fixed:  s.fixedValue,
	})
	if err != nil {
		return nil, err
	}
	s.lines.add(p)
	return &Program{p}, nil
}

// fixedValue is the value of a $ name that never changes, nil of other names.
func (s *Session) fixedValue(name string) starlark.Value {
	if bounds, ok := strings.CutPrefix(name, lower.Slicer); ok {
		return value.NewFixedSlice(bounds)
	}
	return s.fixed[name]
}

// run runs a program with what it finds, and returns the globals of its own, also those that it had
// when it failed.
func (p *Program) run(thread *starlark.Thread, found *vm.Globals) (starlark.StringDict, error) {
	return vm.Run(thread, p.code, found)
}
