package symbolic

import (
	"fmt"
	"slices"
	"strings"

	"github.com/arignote/arignote/kernels"
	"github.com/arignote/arignote/runtime/graph"
	"github.com/arignote/arignote/starlib/np"
	"github.com/arignote/arignote/starlib/slot"
	"github.com/arignote/arignote/starlib/value"
	"go.starlark.net/starlark"
)

// Kinds are the shapes of variables that have a name: a static length of 1 broadcasts.
var Kinds = []struct {
	Name string
	Dims []int
}{
	{"scalar", nil},
	{"vector", []int{graph.Unknown}},
	{"row", []int{1, graph.Unknown}},
	{"col", []int{graph.Unknown, 1}},
	{"matrix", Open(2)}, {"tensor3", Open(3)}, {"tensor4", Open(4)}, {"tensor5", Open(5)}, {"tensor6", Open(6)}, {"tensor7", Open(7)},
}

// Open is the lengths of a type that knows none.
func Open(rank int) []int { return slices.Repeat([]int{graph.Unknown}, rank) }

// Prefixes are the letters that choose an element type: T.dmatrix, T.lscalar. The type of no letter
// is floatX. Unsigned ones are of scalars alone, as in PyTensor.
var Prefixes = []struct {
	Letter string
	Dtype  kernels.DType
}{
	{"", kernels.Invalid},
	{"b", kernels.Int8}, {"w", kernels.Int16}, {"i", kernels.Int32}, {"l", kernels.Int64},
	{"ub", kernels.Uint8}, {"uw", kernels.Uint16}, {"ui", kernels.Uint32}, {"ul", kernels.Uint64},
	{"f", kernels.Float32}, {"d", kernels.Float64},
}

// Constructors are T.vector, T.dmatrices, ...: every prefix with every kind, one variable or
// several. One with a prefix is a type.
func Constructors() []value.Member {
	var list []value.Member
	for _, p := range Prefixes {
		for _, k := range Kinds {
			unsigned := len(p.Letter) == 2
			if unsigned && k.Name != "scalar" {
				continue
			}
			b := floatXMaker(k.Name, k.Dims)
			if p.Letter != "" {
				t := TensorType{T: graph.TypeOf(p.Dtype, k.Dims...), Maker: p.Letter + k.Name}
				list = append(list, value.Member{Name: t.Maker, Value: t, Doc: "A " + p.Dtype.String() + " " + k.Name + ", as a symbolic variable.",
					Example: `T.` + t.Maker + `("x") # x`})
				b = value.Builtin{Doc: list[len(list)-1].Doc, Fn: func(thread *starlark.Thread, _ *value.Builtin, args starlark.Tuple, kwargs []starlark.Tuple) (starlark.Value, error) {
					return t.CallInternal(thread, args, kwargs)
				}}
			} else {
				list = append(list, value.Builtins([]value.Builtin{b})...)
			}
			if !unsigned {
				list = append(list, value.Builtins([]value.Builtin{several(p.Letter+Plural(k.Name), b)})...)
			}
		}
	}
	return append(list, value.Builtins(typeTable)...)
}

// floatXMaker is the constructor of a kind without prefix, whose element type may be said.
func floatXMaker(kind string, dims []int) value.Builtin {
	return value.Builtin{Name: kind, Params: []value.Param{
		{Name: "name", Default: "None", Doc: "what it is called in errors and profiles"},
		{Name: "dtype", Default: "None", Doc: "name of another element type"},
		{Name: "shape", Default: "None", Doc: "a length for each axis, or None where it is not known"},
	}, Doc: "A " + kind + " of type floatX, as a symbolic variable.", Example: `T.` + kind + `("x") # x`,
		Fn: func(thread *starlark.Thread, b *value.Builtin, args starlark.Tuple, kwargs []starlark.Tuple) (starlark.Value, error) {
			v, err := b.Bind(args, kwargs)
			if err != nil {
				return nil, err
			}
			d, err := SessionOf(thread).DtypeArg(v[1])
			if err != nil {
				return nil, fmt.Errorf("%s: %w", b.Name, err)
			}
			return MakeVariable(thread, b.Name, graph.TypeOf(d, dims...), v[0], v[2])
		}}
}

// Plural is the name of the constructor of several.
func Plural(kind string) string {
	if kind == "matrix" {
		return "matrices"
	}
	return kind + "s"
}

// several is the constructor of several variables that make1 makes one of.
func several(name string, make1 value.Builtin) value.Builtin {
	return value.Builtin{Name: name,
		Params: []value.Param{{Name: "*names", Doc: `a name each, a list of them, one string of one-letter names: "xyz", or how many`}},
		Doc:    "Several symbolic variables at once: a list. " + make1.Doc, Example: `T.` + name + `("xy") # [x, y]`,
		Fn: func(thread *starlark.Thread, b *value.Builtin, args starlark.Tuple, kwargs []starlark.Tuple) (starlark.Value, error) {
			var names starlark.Tuple
			if err := b.Unpack(args, kwargs, &names); err != nil {
				return nil, err
			}
			if len(names) == 1 {
				if text, ok := starlark.AsString(names[0]); ok {
					names = names[:0:0]
					for _, r := range text {
						names = append(names, starlark.String(r))
					}
				} else if list, ok := names[0].(starlark.Sequence); ok {
					names = slices.Collect(starlark.Elements(list))
				} else if n, err := starlark.AsInt32(value.Plain(names[0])); err == nil {
					names = slices.Repeat(starlark.Tuple{starlark.None}, max(n, 0))
				}
			}
			list := make([]starlark.Value, len(names))
			for i, name := range names {
				v, err := make1.Fn(thread, &make1, starlark.Tuple{name}, nil)
				if err != nil {
					return nil, fmt.Errorf("%s: %w", b.Name, err)
				}
				list[i] = v
			}
			return slot.NewList(list), nil
		}}
}

// typeParams are the ways to say what is known of variables.
var typeParams = []value.Param{
	{Name: "dtype", Doc: `name of the element type; "floatX" is config.floatX`},
	{Name: "shape", Default: "None",
		Doc: "one entry for each axis: a length, or None where it is not known; True and False mean 1 and not known"},
	{Name: "name", Default: "None", Doc: "what the type is called when it is printed"},
	{Name: "broadcastable", Default: "None", Doc: "shape under Theano's name: True for a length of 1, False for one that is not known"},
}

// typeTable is the functions that make types, and variables of any type.
var typeTable = []value.Builtin{
	{Name: "TensorType", Types: []string{"TensorType"}, Params: typeParams, Doc: "A type of variables. Call it to make one.", Example: `T.TensorType("float32", (None, 3))("x") # x`,
		Fn: func(thread *starlark.Thread, b *value.Builtin, args starlark.Tuple, kwargs []starlark.Tuple) (starlark.Value, error) {
			v, err := b.Bind(args, kwargs)
			if err != nil {
				return nil, err
			}
			return newType(SessionOf(thread), b.Name, v[0], v[1], v[3], v[2])
		}},
	{Name: "tensor", Params: []value.Param{
		{Name: "*name_or_type", Doc: "a name, as PyTensor has it, or an element type and lengths, as Theano has it"},
		{Name: "name", Default: "None", Doc: "what it is called in errors and profiles"},
		{Name: "dtype", Default: "None", Doc: "name of the element type, if not floatX"},
		{Name: "shape", Default: "None", Doc: "one entry for each axis: a length, or None where it is not known"},
		{Name: "broadcastable", Default: "None", Doc: "shape under Theano's name"},
	}, Doc: `A variable of any type: T.tensor("x", dtype="int8", shape=(None, 3)) or T.tensor("int8", (False, True), name="x").`,
		Example: `T.tensor("x", shape=(None, 3)).type # TensorType(float64, (None, 3))`, Fn: tensorVariable},
}

// tensorVariable is T.tensor. One text is a name, as PyTensor's, or an element type, as Theano's.
func tensorVariable(thread *starlark.Thread, b *value.Builtin, args starlark.Tuple, kwargs []starlark.Tuple) (starlark.Value, error) {
	v, err := b.Bind(args, kwargs)
	if err != nil {
		return nil, err
	}
	given, name, dtype, shape, flags := v[0].(starlark.Tuple), v[1], v[2], v[3], v[4]
	put := func(param string, at *starlark.Value, x starlark.Value) {
		if !Absent(*at) && err == nil {
			err = fmt.Errorf("%s: got multiple values for parameter %s", b.Name, param)
		}
		*at = x
	}
	typed := func(x starlark.Value) bool { // one letter or two may well be a name
		text, ok := starlark.AsString(x)
		return ok && len(text) > 2 && isDType(text)
	}
	switch {
	case len(given) > 3:
		return nil, fmt.Errorf("%s: got %d arguments, want at most 3: an element type, lengths and a name", b.Name, len(given))
	case len(given) == 1 && Absent(dtype) && (!Absent(flags) || !Absent(name) || !Absent(shape) && typed(given[0])):
		put("dtype", &dtype, given[0])
	case len(given) == 1:
		put("name", &name, given[0])
		if typed(given[0]) {
			return nil, fmt.Errorf("%s: got %s for the name, which is an element type: write %[1]s(dtype=%[2]s, shape=...) or %[1]s(%[2]s, shape)", b.Name, given[0])
		}
	case len(given) > 1:
		put("dtype", &dtype, given[0])
		put("shape", &shape, given[1])
		if len(given) == 3 {
			put("name", &name, given[2])
		}
	}
	if err != nil {
		return nil, err
	}
	t, err := newType(SessionOf(thread), b.Name, dtype, shape, flags, nil)
	if err != nil {
		return nil, err
	}
	return MakeVariable(thread, b.Name, t.T, name, nil)
}

// isDType reports whether text names an element type, of Arignote's or of NumPy's.
func isDType(text string) bool {
	_, err := np.DtypeArg(starlark.String(text))
	return text == "floatX" || err == nil || !strings.HasPrefix(err.Error(), "unknown dtype")
}

// DtypeArg reads an element type; none, and "floatX", is floatX.
func (s *Session) DtypeArg(v starlark.Value) (kernels.DType, error) {
	if Absent(v) || v == starlark.String("floatX") {
		return s.FloatX(), nil
	}
	return np.DtypeArg(v)
}

// IsConstructor reports whether a member of T makes variables of one type.
func IsConstructor(name string) bool {
	return slices.ContainsFunc(Constructors(), func(m value.Member) bool { return m.Name == name }) &&
		!slices.ContainsFunc(typeTable, func(b value.Builtin) bool { return b.Name == name })
}
