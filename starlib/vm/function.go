package vm

import (
	"github.com/arignote/arignote/starlib/slot"
	"github.com/arignote/arignote/starlib/value"
	"go.starlark.net/starlark"
	"go.starlark.net/syntax"
)

// A Function is a function of a program.
type Function struct {
	signature
	module *module
	free   []*cell
	attrs  value.Attrs
}

// A cell is a variable that functions share.
type cell struct{ v slot.Slot }

var _ value.Def = (*Function)(nil)

func (f *Function) Name() string              { return f.code.Name }
func (f *Function) Qualified() string         { return f.code.Qual }
func (f *Function) Doc() string               { return f.code.Doc }
func (f *Function) Position() syntax.Position { return f.code.Pos }
func (f *Function) String() string            { return "<function " + f.code.Name + ">" }
func (f *Function) Type() string              { return "function" }
func (f *Function) Truth() starlark.Bool      { return true }
func (f *Function) Hash() (uint32, error)     { return starlark.String(f.code.Name).Hash() }
func (f *Function) Attrs() *value.Attrs       { return &f.attrs }

// Freeze freezes the default values, and what the function shares with those around it.
func (f *Function) Freeze() {
	for _, d := range f.defaults {
		freeze(d)
	}
	for _, c := range f.free {
		freeze(c.v)
	}
}

func freeze(s slot.Slot) {
	if s.IsSet() {
		s.Ref().Freeze()
	}
}

// CallInternal calls the function from Go.
func (f *Function) CallInternal(thread *starlark.Thread, args starlark.Tuple, kwargs []starlark.Tuple) (
	starlark.Value, error) {
	return MachineOf(thread).Call(f, args, kwargs)
}
