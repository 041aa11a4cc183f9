package vm

import (
	"slices"

	"github.com/arignote/arignote/starlib/code"
	"github.com/arignote/arignote/starlib/slot"
	"go.starlark.net/starlark"
)

// A module is a program that runs or has run: its functions find its globals here.
type module struct {
	program *code.Program
	vars    []*Var      // of program.Vars
	globals []slot.Slot // of program.Globals
	sites   []*site     // of program.Sites
	quick   []*quickSite
}

// Run runs a program, whose shared globals are those that are found. It returns the globals of its
// own, also those that it had when it failed.
func Run(thread *starlark.Thread, p *code.Program, found *Globals) (starlark.StringDict, error) {
	m := &module{program: p, globals: make([]slot.Slot, len(p.Globals)),
		sites: slices.Repeat([]*site{nothing}, len(p.Sites)), quick: quickSites(p.Sites)}
	for _, name := range p.Vars {
		m.vars = append(m.vars, found.Var(name))
	}
	_, err := MachineOf(thread).Call(&Function{signature: signature{code: p.Main}, module: m}, nil, nil)
	return m.dict(), err
}

// dict is the module's own globals that have values.
func (m *module) dict() starlark.StringDict {
	d := make(starlark.StringDict, len(m.globals))
	for i, g := range m.globals {
		if g.IsSet() {
			d[m.program.Globals[i]] = g.Value()
		}
	}
	return d
}
