package rows

import (
	"slices"
	"strings"

	"github.com/arignote/arignote/starlib/value"
	"go.starlark.net/starlark"
)

// A Type is a class of a module in Go: a function that makes its values, with what the class has.
// isinstance knows it, type(x) returns it of values that are value.Classed.
type Type struct {
	value.Callable
	name    string // with its module, as in datetime.date
	types   []string
	methods func() *value.Methods
	own     []value.Member
}

var (
	_ value.Types       = (*Type)(nil)
	_ starlark.HasAttrs = (*Type)(nil)
)

// NewType is the class of the values of which Type returns name, or one of also. make is its row,
// whose example begins with the import then;
// methods are what its values have, of which those that are OfType are functions of the class; own
// are its constants, which stand in methods too: see Fields.
func NewType(name string, make value.Builtin, methods func() *value.Methods, own []value.Member, also ...string) *Type {
	b := make
	module, _, _ := strings.Cut(name, ".")
	b.Example = "import " + module + "; " + b.Example
	b.Types = append([]string{name}, also...)
	return &Type{value.Callable{Builtin: &b}, name, b.Types, methods, own}
}

// Member is the row of the class in its module.
func (t *Type) Member() value.Member { return value.Member{Name: t.Builtin.Name, Value: t} }

func (t *Type) String() string        { return "<class '" + t.name + "'>" }
func (t *Type) Type() string          { return "type" }
func (t *Type) TypeNames() []string   { return t.types }
func (t *Type) Hash() (uint32, error) { return starlark.String(t.name).Hash() }

// AttrNames are the names of what the class has.
func (t *Type) AttrNames() []string { return t.methods().Names() }

// Attr is a function of the class, a constant, or a method that takes the value first.
func (t *Type) Attr(name string) (starlark.Value, error) {
	switch name {
	case "__name__", "__qualname__":
		return starlark.String(t.name[strings.LastIndexByte(t.name, '.')+1:]), nil
	case "__module__":
		module, _, _ := strings.Cut(t.name, ".")
		return starlark.String(module), nil
	case "__doc__":
		return starlark.String(t.Builtin.Doc), nil
	}
	for _, m := range t.own {
		if m.Name == name {
			return m.Value, nil
		}
	}
	row := t.methods().Rows[name]
	switch {
	case row == nil:
		return nil, value.NoAttr("type "+t.Builtin.Name, name, t.AttrNames())
	case row.OfType:
		return Of(row, t).Value(), nil
	}
	return t.unbound(row), nil
}

// Of is a row of a function of a class, which is called of the class: b.Receiver() is that.
func Of(row *value.Builtin, t *Type) *value.Builtin { return row.Method(t).(value.Callable).Builtin }

// unbound is a method as an attribute of its class.
func (t *Type) unbound(method *value.Builtin) starlark.Value {
	b := *method
	b.Params = append([]value.Param{{Name: "self", Doc: "a " + t.Builtin.Name}}, b.Params...)
	b.Fn = func(thread *starlark.Thread, _ *value.Builtin, args starlark.Tuple, kwargs []starlark.Tuple) (starlark.Value, error) {
		if len(args) == 0 || !slices.Contains(t.types, args[0].Type()) {
			got := "nothing"
			if len(args) > 0 {
				got = "'" + value.TypeName(args[0]) + "'"
			}
			return nil, value.Failure("TypeError", "descriptor '%s' for '%s' objects doesn't apply to %s", method.Name, t.name, got)
		}
		return value.Call(thread, method.Method(args[0]), args[1:], kwargs)
	}
	return b.Value()
}

// Fields are the constants of a class as attributes of its values.
func Fields(class string, own []value.Member) []value.Field {
	module, _, _ := strings.Cut(class, ".")
	out := make([]value.Field, len(own))
	for i, m := range own {
		out[i] = value.Field{Name: m.Name, Doc: m.Doc, Example: "import " + module + "; " + class + "." + m.Name + " # " + value.Repr(m.Value),
			Get: func(starlark.Value) (starlark.Value, error) { return m.Value, nil }}
	}
	return out
}
