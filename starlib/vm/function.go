package vm

import (
	"fmt"
	"slices"
	"strings"

	"github.com/arignote/arignote/starlib/code"
	"github.com/arignote/arignote/starlib/slot"
	"github.com/arignote/arignote/starlib/value"
	"go.starlark.net/starlark"
	"go.starlark.net/syntax"
)

// A Function is a function of a program.
type Function struct {
	code     *code.Func
	module   *module
	free     []*cell
	defaults []slot.Slot // of the parameters code.Defaults
	attrs    value.Attrs
}

// A cell is a variable that functions share.
type cell struct{ v slot.Slot }

var _ value.Def = (*Function)(nil)

func (f *Function) Name() string              { return f.code.Name }
func (f *Function) Doc() string               { return f.code.Doc }
func (f *Function) Position() syntax.Position { return f.code.Pos }
func (f *Function) String() string            { return "<function " + f.code.Name + ">" }
func (f *Function) Type() string              { return "function" }
func (f *Function) Truth() starlark.Bool      { return true }
func (f *Function) Hash() (uint32, error)     { return starlark.String(f.code.Name).Hash() }
func (f *Function) NumParams() int            { return len(f.code.Params) }
func (f *Function) NumKwonlyParams() int      { return f.code.KwOnly }
func (f *Function) HasVarargs() bool          { return f.code.HasVarargs }
func (f *Function) HasKwargs() bool           { return f.code.HasKwargs }
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

// Param is a parameter, 0 <= i < NumParams().
func (f *Function) Param(i int) (string, syntax.Position) {
	p := f.code.Params[i]
	return p.Name, p.Pos
}

// ParamDefault is the default value of a parameter, nil if it has none.
func (f *Function) ParamDefault(i int) starlark.Value {
	if at := slices.Index(f.code.Defaults, i); at >= 0 {
		return f.defaults[at].Value()
	}
	return nil
}

// CallInternal calls the function from Go.
func (f *Function) CallInternal(thread *starlark.Thread, args starlark.Tuple, kwargs []starlark.Tuple) (
	starlark.Value, error) {
	return MachineOf(thread).Call(f, args, kwargs)
}

// named are how many parameters can be given by name: all but *args and **kwargs.
func (f *Function) named() int {
	n := len(f.code.Params)
	if f.code.HasVarargs {
		n--
	}
	if f.code.HasKwargs {
		n--
	}
	return n
}

// given are the arguments of a call, in registers.
type given struct {
	args   []slot.Slot
	names  []string // of values
	values []slot.Slot
}

// bindTo makes the parameters of a call of arguments that stand in registers, with self before them
// if it is not nil.
func (f *Function) bindTo(fr *frame, self starlark.Value, g given) error {
	params := fr.regs[:len(f.code.Params)]
	if f.bindsPlainly(params, self, g) {
		return nil
	}
	clear(params)
	if self != nil {
		g.args = append([]slot.Slot{slot.Of(self)}, g.args...)
	}
	return f.bind(params, g.args, g.names, g.values)
}

// bindsPlainly is bindTo of a function without *args and **kwargs and of arguments that fit.
func (f *Function) bindsPlainly(params []slot.Slot, self starlark.Value, g given) bool {
	n := 0
	if self != nil {
		n = 1
	}
	if !f.plainly() || n+len(g.args) > len(params)-f.code.KwOnly {
		return false
	}
	if self != nil {
		params[0].SetRef(self)
	}
	n += copy(params[n:], g.args)
	for i, name := range g.names {
		at := n
		for at < len(params) && f.code.Params[at].Name != name {
			at++
		}
		if at == len(params) || params[at].IsSet() {
			return false
		}
		params[at] = g.values[i]
	}
	for at, i := range f.code.Defaults {
		if !params[i].IsSet() {
			params[i] = f.defaults[at]
		}
	}
	for i := n; i < len(params); i++ {
		if !params[i].IsSet() {
			return false
		}
	}
	return true
}

// plainly reports whether all parameters stand for themselves.
func (f *Function) plainly() bool { return !f.code.HasVarargs && !f.code.HasKwargs }

// bind makes parameters of arguments. The registers of params are empty; kwargs are pairs of a name
// and a value.
func (f *Function) bind(params []slot.Slot, args []slot.Slot, names []string, values []slot.Slot) error {
	c := f.code
	if len(c.Params) == 0 {
		if n := len(args) + len(names); n > 0 {
			return fmt.Errorf("function %s accepts no arguments (%d given)", c.Name, n)
		}
		return nil
	}
	named := f.named()
	positional := named - c.KwOnly
	n := min(len(args), positional)
	if len(args) > positional && !c.HasVarargs {
		return fmt.Errorf("function %s accepts %s%d positional argument%s (%d given)", c.Name,
			f.atMost(), positional, plural(positional), len(args))
	}
	copy(params, args[:n])
	at := named
	if c.HasVarargs {
		rest := make(starlark.Tuple, len(args)-n)
		for i, a := range args[n:] {
			rest[i] = a.Value()
		}
		params[at] = slot.Ref(rest)
		at++
	}
	var others *slot.Dict
	if c.HasKwargs {
		others = new(slot.Dict)
		params[at] = slot.Ref(others)
	}
	for i, name := range names {
		if err := f.bindName(params[:named], others, name, values[i]); err != nil {
			return err
		}
	}
	return f.bindDefaults(params[:named])
}

// atMost says of a count of positional arguments that fewer will do.
func (f *Function) atMost() string {
	for _, i := range f.code.Defaults {
		if i < f.named()-f.code.KwOnly {
			return "at most "
		}
	}
	return ""
}

func plural(n int) string {
	if n == 1 {
		return ""
	}
	return "s"
}

// bindName binds a keyword argument.
func (f *Function) bindName(params []slot.Slot, others *slot.Dict, name string, v slot.Slot) error {
	for i := range params {
		if f.code.Params[i].Name != name {
			continue
		}
		if params[i].IsSet() {
			return fmt.Errorf("function %s got multiple values for parameter %q", f.code.Name, name)
		}
		params[i] = v
		return nil
	}
	if others == nil {
		return fmt.Errorf("function %s got an unexpected keyword argument %q", f.code.Name, name)
	}
	before := others.Len()
	if err := others.SetKey(starlark.String(name), v.Value()); err != nil {
		return err
	}
	if others.Len() == before {
		return fmt.Errorf("function %s got multiple values for parameter %q", f.code.Name, name)
	}
	return nil
}

// bindDefaults gives parameters without an argument their default values.
func (f *Function) bindDefaults(params []slot.Slot) error {
	for at, i := range f.code.Defaults {
		if !params[i].IsSet() {
			params[i] = f.defaults[at]
		}
	}
	var missing []string
	for i := range params {
		if !params[i].IsSet() {
			missing = append(missing, f.code.Params[i].Name)
		}
	}
	if missing != nil {
		return fmt.Errorf("function %s missing %d argument%s (%s)", f.code.Name, len(missing),
			plural(len(missing)), strings.Join(missing, ", "))
	}
	return nil
}
