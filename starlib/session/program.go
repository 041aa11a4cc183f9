package session

import (
	"go.starlark.net/starlark"
	"go.starlark.net/syntax"
)

// A Program is what the tree of a cell or of a file has become, ready to run.
type Program struct{ code *starlark.Program }

// newProgram makes a program of a lowered tree. predeclared says which names it finds that it does
// not bind.
func newProgram(f *syntax.File, predeclared func(name string) bool) (*Program, error) {
	code, err := starlark.FileProgram(f, predeclared)
	if err != nil {
		return nil, err
	}
	return &Program{code}, nil
}

// run runs a program with what it finds, and returns the globals of its own, also those that it had
// when it failed.
func (p *Program) run(thread *starlark.Thread, found starlark.StringDict) (
	starlark.StringDict, error) {
	return p.code.Init(thread, found)
}
