package vm

import (
	"iter"
	"maps"
	"slices"

	"github.com/arignote/arignote/starlib/slot"
	"go.starlark.net/starlark"
)

// Globals are global variables that programs share, such as those of a notebook: a program sees
// what another assigns, since both have the same Var. The zero Globals has none.
type Globals struct{ vars map[string]*Var }

// A Var is a global variable. It stays when the variable is deleted, without a value.
type Var struct {
	name     string
	v        slot.Slot
	assigned bool // by a program
}

// NewGlobals returns variables with the values of a dict.
func NewGlobals(values starlark.StringDict) *Globals {
	g := &Globals{}
	for name, v := range values {
		g.Set(name, v)
	}
	return g
}

// Var returns the variable of a name, which has no value if it is new.
func (g *Globals) Var(name string) *Var {
	v, ok := g.vars[name]
	if !ok {
		if g.vars == nil {
			g.vars = map[string]*Var{}
		}
		v = &Var{name: name}
		g.vars[name] = v
	}
	return v
}

// Lookup returns the value of a variable, if it has one.
func (g *Globals) Lookup(name string) (starlark.Value, bool) {
	if v, ok := g.vars[name]; ok && v.v.IsSet() {
		return v.v.Value(), true
	}
	return nil, false
}

// Get is the value of a variable, nil if it has none.
func (g *Globals) Get(name string) starlark.Value {
	v, _ := g.Lookup(name)
	return v
}

// Has reports whether a variable has a value.
func (g *Globals) Has(name string) bool {
	v, ok := g.vars[name]
	return ok && v.v.IsSet()
}

// Set gives a variable a value as the program's surroundings do; nil takes it.
func (g *Globals) Set(name string, v starlark.Value) { g.Var(name).v = slot.Of(v) }

// Assign gives a variable a value as a program does.
func (g *Globals) Assign(name string, v starlark.Value) {
	to := g.Var(name)
	to.v, to.assigned = slot.Of(v), true
}

// Delete takes a variable's value, and forgets that a program assigned it.
func (g *Globals) Delete(name string) {
	if v, ok := g.vars[name]; ok {
		v.v, v.assigned = slot.Slot{}, false
	}
}

// IsAssigned reports whether a program has assigned a variable.
func (g *Globals) IsAssigned(name string) bool {
	v, ok := g.vars[name]
	return ok && v.assigned
}

// Assigned are the variables that programs have assigned, sorted.
func (g *Globals) Assigned() []string {
	var names []string
	for name, v := range g.vars {
		if v.assigned {
			names = append(names, name)
		}
	}
	slices.Sort(names)
	return names
}

// All are the variables that have values, in no order.
func (g *Globals) All() iter.Seq2[string, starlark.Value] {
	return func(yield func(string, starlark.Value) bool) {
		for name, v := range g.vars {
			if v.v.IsSet() && !yield(name, v.v.Value()) {
				return
			}
		}
	}
}

// Names are the names of those that have values, sorted.
func (g *Globals) Names() []string {
	return slices.Sorted(func(yield func(string) bool) {
		for name := range g.All() {
			if !yield(name) {
				return
			}
		}
	})
}

// Dict is a copy as a StringDict.
func (g *Globals) Dict() starlark.StringDict { return maps.Collect(g.All()) }
