package pylib

import (
	"fmt"
	"slices"
	"strings"

	"github.com/arignote/arignote/starlib/config"
	"github.com/arignote/arignote/starlib/session"
	"github.com/arignote/arignote/starlib/slot"
	"github.com/arignote/arignote/starlib/value"
	"go.starlark.net/starlark"
	"go.starlark.net/syntax"
)

// A tupleType is what namedtuple returns: a function that makes tuples.
type tupleType struct {
	class
	fields   []string
	defaults []starlark.Value // of the last fields
}

// newTupleType checks the names.
func newTupleType(thread *starlark.Thread, name string, fields, defaults starlark.Value) (starlark.Value, error) {
	names, err := fieldNames(thread, fields)
	if err != nil {
		return nil, err
	}
	for i, n := range names {
		if n == "" || n[0] == '_' || strings.ContainsFunc(n, func(r rune) bool {
			return !(r == '_' || r >= '0' && r <= '9' || r >= 'a' && r <= 'z' || r >= 'A' && r <= 'Z')
		}) {
			return nil, failure("ValueError", "namedtuple: got the name %q, want an identifier that does not begin with _", n)
		}
		if slices.Contains(names[:i], n) {
			return nil, failure("ValueError", "namedtuple: the name %s is there twice", n)
		}
	}
	t := &tupleType{class: class(name), fields: names}
	if defaults != nil && defaults != starlark.None {
		if t.defaults, err = elements(thread, defaults); err != nil {
			return nil, fmt.Errorf("namedtuple: for parameter defaults: %w", err)
		}
		if len(t.defaults) > len(names) {
			return nil, failure("TypeError", "namedtuple: got %d defaults for %d names", len(t.defaults), len(names))
		}
	}
	return t, nil
}

var (
	_ value.Signed = (*tupleType)(nil)
	_ value.Types  = (*tupleType)(nil)

	_ starlark.HasAttrs = (*tupleType)(nil)
)

func (t *tupleType) Name() string          { return string(t.class) }
func (t *tupleType) Type() string          { return "builtin_function_or_method" }
func (t *tupleType) String() string        { return "<class " + string(t.class) + ">" }
func (t *tupleType) Hash() (uint32, error) { return starlark.String(t.class).Hash() }
func (t *tupleType) TypeNames() []string   { return []string{string(t.class)} }
func (t *tupleType) ParamNames() []string  { return t.fields }
func (t *tupleType) Signature() string {
	return string(t.class) + "(" + strings.Join(t.fields, ", ") + ")"
}

func (t *tupleType) AttrNames() []string { return []string{"_fields", "_make"} }

// Attr is what the function knows of its tuples: the names, and a maker of one from an iterable.
func (t *tupleType) Attr(name string) (starlark.Value, error) {
	switch name {
	case "__name__":
		return starlark.String(t.class), nil
	case "_fields":
		return starlark.Tuple(elementsOf(nil, list(t.fields))), nil
	case "_make":
		return starlark.NewBuiltin("_make", func(thread *starlark.Thread, _ *starlark.Builtin, args starlark.Tuple, _ []starlark.Tuple) (starlark.Value, error) {
			if len(args) != 1 {
				return nil, failure("TypeError", "_make: got %d arguments, want an iterable of the elements", len(args))
			}
			items, err := elements(thread, args[0])
			if err != nil {
				return nil, fmt.Errorf("_make: %w", err)
			}
			return t.CallInternal(thread, items, nil)
		}), nil
	}
	return nil, nil
}

// DerivedFrom makes a class of the same tuples, as typing.NamedTuple does: see object.Derivable.
func (t *tupleType) DerivedFrom(thread *starlark.Thread) (starlark.Value, error) {
	typing, err := session.Of(thread).Import("typing")
	if err != nil {
		return nil, err
	}
	make, err := value.Attr(typing, "_named_tuple")
	if err != nil {
		return nil, err
	}
	defaults := new(slot.Dict)
	for i, v := range t.defaults {
		if err := defaults.SetKey(starlark.String(t.fields[len(t.fields)-len(t.defaults)+i]), v); err != nil {
			return nil, err
		}
	}
	return value.Call(thread, make, starlark.Tuple{starlark.String(t.class), list(t.fields), defaults, new(slot.Dict)}, nil)
}

func (t *tupleType) CallInternal(_ *starlark.Thread, args starlark.Tuple, kwargs []starlark.Tuple) (starlark.Value, error) {
	if len(args) > len(t.fields) {
		return nil, failure("TypeError", "%s: got %d arguments, want at most %d: %s", string(t.class), len(args), len(t.fields), t.Signature())
	}
	items := make(starlark.Tuple, len(t.fields))
	copy(items, args)
	if err := t.set(items, kwargs, len(args)); err != nil {
		return nil, err
	}
	for i, f := range t.fields {
		if d := i - len(t.fields) + len(t.defaults); items[i] == nil && d >= 0 {
			items[i] = t.defaults[d]
		}
		if items[i] == nil {
			return nil, failure("TypeError", "%s: missing argument for %s: %s", string(t.class), f, t.Signature())
		}
	}
	return &namedTuple{items, t}, nil
}

// set puts named values into items, of which the first are given already.
func (t *tupleType) set(items starlark.Tuple, kwargs []starlark.Tuple, given int) error {
	for _, kv := range kwargs {
		name := string(kv[0].(starlark.String))
		i := slices.Index(t.fields, name)
		if i < 0 {
			if n := config.Closest(name, t.fields); n != "" {
				return failure("TypeError", "%s: unexpected keyword argument %s (did you mean %s?)", string(t.class), name, n)
			}
			return failure("TypeError", "%s: unexpected keyword argument %s: %s", string(t.class), name, t.Signature())
		}
		if i < given {
			return failure("TypeError", "%s: got multiple values for parameter %s", string(t.class), name)
		}
		items[i] = kv[1]
	}
	return nil
}

// A namedTuple is a tuple whose elements have names.
type namedTuple struct {
	starlark.Tuple
	of *tupleType
}

var (
	_ value.Comparer     = (*namedTuple)(nil)
	_ value.Tupled       = (*namedTuple)(nil)
	_ starlark.HasBinary = (*namedTuple)(nil)
)

func (t *namedTuple) Type() string          { return string(t.of.class) }
func (t *namedTuple) Table() *value.Methods { return namedTupleMethods }
func (t *namedTuple) AttrNames() []string   { return namedTupleMethods.Names(t.of.fields...) }
func (t *namedTuple) String() string {
	parts := make([]string, len(t.Tuple))
	for i, x := range t.Tuple {
		parts[i] = t.of.fields[i] + "=" + value.Repr(x)
	}
	return string(t.of.class) + "(" + strings.Join(parts, ", ") + ")"
}

func (t *namedTuple) Attr(name string) (starlark.Value, error) {
	if i := slices.Index(t.of.fields, name); i >= 0 {
		return t.Tuple[i], nil
	}
	if b := namedTupleMethods.Rows[name]; b != nil {
		return b.Method(t), nil
	}
	if f := namedTupleMethods.Field(name); f != nil {
		return f.Get(t)
	}
	if x, err := value.Attr(t.Tuple, name); err == nil {
		return x, nil
	}
	return nil, value.NoAttr(string(t.of.class), name, t.AttrNames())
}

// AsTuple is the tuple without names.
func (t *namedTuple) AsTuple() starlark.Tuple { return t.Tuple }

// Binary adds tuples, named or not, and repeats the elements; the names are lost, as in Python.
func (t *namedTuple) Binary(op syntax.Token, y starlark.Value, side starlark.Side) (starlark.Value, error) {
	if op != syntax.PLUS && op != syntax.STAR {
		return nil, nil
	}
	if n, ok := y.(*namedTuple); ok {
		y = n.Tuple
	}
	switch y.(type) {
	case starlark.Tuple, starlark.Int:
	default:
		return nil, nil
	}
	if side == starlark.Left {
		return starlark.Binary(op, t.Tuple, y)
	}
	return starlark.Binary(op, y, t.Tuple)
}

// CompareBy compares with tuples, named or not.
func (t *namedTuple) CompareBy(op syntax.Token, y starlark.Value, side starlark.Side) (starlark.Value, error) {
	if n, ok := y.(*namedTuple); ok {
		y = n.Tuple
	}
	other, ok := y.(starlark.Tuple)
	if !ok {
		return nil, nil
	}
	a, b := starlark.Value(t.Tuple), starlark.Value(other)
	if side == starlark.Right {
		a, b = b, a
	}
	return value.Compare(op, a, b)
}

// CompareSameType compares two that are elements of others.
func (t *namedTuple) CompareSameType(op syntax.Token, y starlark.Value, depth int) (bool, error) {
	return starlark.CompareDepth(op, t.Tuple, y.(*namedTuple).Tuple, depth)
}

var namedTupleMethods = value.NewMethods("namedtuple", []value.Builtin{
	method("_asdict", "A dict of the elements by name.", `import collections; collections.namedtuple("P", "x y")(1, 2)._asdict() # {"x": 1, "y": 2}`,
		func(_ *starlark.Thread, t *namedTuple, _ *none) (starlark.Value, error) {
			d := new(slot.Dict)
			for i, f := range t.of.fields {
				d.SetKey(starlark.String(f), t.Tuple[i])
			}
			return d, nil
		}),
	{Name: "_replace", Doc: "The tuple with other elements.", Params: []value.Param{{Name: "**kwargs", Doc: "elements by name"}},
		Example: `import collections; collections.namedtuple("P", "x y")(1, 2)._replace(x=3).x # 3`,
		Fn: func(_ *starlark.Thread, b *value.Builtin, args starlark.Tuple, kwargs []starlark.Tuple) (starlark.Value, error) {
			t := b.Receiver().(*namedTuple)
			if len(args) > 0 {
				return nil, failure("TypeError", "_replace: got %d positional arguments, want none", len(args))
			}
			items := slices.Clone(t.Tuple)
			return &namedTuple{items, t.of}, t.of.set(items, kwargs, 0)
		}},
}).With(value.FieldOf("_fields", "The names.", `import collections; collections.namedtuple("P", "x y")(1, 2)._fields # ("x", "y")`,
	func(t *namedTuple) starlark.Value {
		return starlark.Tuple(elementsOf(nil, list(t.of.fields)))
	}))
