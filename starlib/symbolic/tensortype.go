package symbolic

import (
	"fmt"
	"strings"

	"github.com/arignote/arignote/runtime/graph"
	"github.com/arignote/arignote/runtime/op"
	"github.com/arignote/arignote/runtime/tensor"
	"github.com/arignote/arignote/starlib/np"
	"github.com/arignote/arignote/starlib/value"
	"go.starlark.net/starlark"
	"go.starlark.net/syntax"
)

// TensorType is a type of variables as Starlark sees it: x.type, T.dmatrix, T.TensorType("float32",
// (None, 3)). Called, it makes a variable. Types are equal if their variables are of one element
// type and have the same static lengths; names do not count.
type TensorType struct {
	T     graph.Type
	name  string // of the type, "" if it has none
	Maker string // what T calls it: "dmatrix"
}

var (
	_ starlark.Callable   = TensorType{}
	_ starlark.Comparable = TensorType{}
	_ value.Tabled        = TensorType{}
	_ value.Documenter    = TensorType{}
	_ value.Signed        = TensorType{}
	_ value.Interned      = TensorType{}
)

// Name is what errors of its calls begin with.
func (t TensorType) Name() string {
	if t.Maker != "" {
		return t.Maker
	}
	return "TensorType"
}

func (t TensorType) String() string {
	if t.name != "" {
		return t.name
	}
	return TypeName(t.T)
}

func (t TensorType) Type() string          { return "TensorType" }
func (t TensorType) Freeze()               {}
func (t TensorType) Truth() starlark.Bool  { return true }
func (t TensorType) Hash() (uint32, error) { return starlark.String(t.T.String()).Hash() }
func (t TensorType) AttrNames() []string   { return TensorTypeFields.Names() }
func (t TensorType) Table() *value.Methods { return TensorTypeFields }

func (t TensorType) Attr(name string) (starlark.Value, error) { return TensorTypeFields.Attr(t, name) }

// CompareSameType compares what is known of the variables.
func (t TensorType) CompareSameType(token syntax.Token, y starlark.Value, _ int) (bool, error) {
	return equality(token, t.T == y.(TensorType).T, "types")
}

// Same makes x.type is T.dvector an answer, as it is in Theano.
func (t TensorType) Same(y starlark.Value) bool { return t.T == y.(TensorType).T }

func (t TensorType) Doc() string {
	return "The type of variables " + TypeName(t.T) + ". Call it to make one."
}
func (t TensorType) Signature() string    { return t.Name() + "(name=None, *, shape=None)" }
func (t TensorType) ParamNames() []string { return []string{"name", "shape"} }

// typeCall is the parameters of a type that is called.
var typeCall = []value.Param{{Name: "name", Default: "None"}, {Name: "*"}, {Name: "shape", Default: "None"}}

// CallInternal makes a variable, of which shape= may say more than the type does.
func (t TensorType) CallInternal(thread *starlark.Thread, args starlark.Tuple, kwargs []starlark.Tuple) (starlark.Value, error) {
	b := value.Builtin{Name: t.Name(), Params: typeCall}
	v, err := b.Bind(args, kwargs)
	if err != nil {
		return nil, err
	}
	return MakeVariable(thread, b.Name, t.T, v[0], v[2])
}

// MakeVariable makes a variable of type t, of which shape may say more: None or nil adds nothing.
func MakeVariable(thread *starlark.Thread, maker string, t graph.Type, name, shape starlark.Value) (starlark.Value, error) {
	text, err := OptionalString("name", name)
	if err != nil {
		return nil, fmt.Errorf("%s: for parameter %w", maker, err)
	}
	if t, err = narrowed(t, shape); err != nil {
		return nil, fmt.Errorf("%s: shape: %w", maker, err)
	}
	s := SessionOf(thread)
	return s.leaf(graph.NewInput(text, t, s.NodeOrigin(thread)))
}

// narrowed is t with the lengths of shape, which must be of t's kind.
func narrowed(t graph.Type, shape starlark.Value) (graph.Type, error) {
	if shape == nil || shape == starlark.None {
		return t, nil
	}
	dims, err := staticDims(shape)
	if err != nil {
		return t, err
	}
	if len(dims) != t.Rank() {
		return t, fmt.Errorf("got %d lengths, want %d", len(dims), t.Rank())
	}
	if u := graph.TypeOf(t.DType, dims...); !t.Accepts(u) {
		return t, fmt.Errorf("got %s, which does not fit %s", staticShape(u), staticShape(t))
	}
	return graph.TypeOf(t.DType, dims...), nil
}

// staticShape writes the static lengths as a tuple, with None for those that are not known.
func staticShape(t graph.Type) string {
	return strings.ReplaceAll(tensor.ShapeString(t.Dims()), "-1", "None")
}

// TypeName is how Theano writes a type, TensorType(float64, vector), and PyTensor one whose lengths
// say more.
func TypeName(t graph.Type) string {
	if t.State != graph.NoState {
		return t.State.TheanoType()
	}
	for _, k := range Kinds {
		if graph.TypeOf(t.DType, k.Dims...) == t {
			return fmt.Sprintf("TensorType(%v, %s)", t.DType, k.Name)
		}
	}
	return fmt.Sprintf("TensorType(%v, %s)", t.DType, staticShape(t))
}

// staticLengths is the lengths as a value: (None, 3).
func staticLengths(t graph.Type) starlark.Value {
	list := make(starlark.Tuple, t.Rank())
	for axis, n := range t.Dims() {
		list[axis] = starlark.None
		if n != graph.Unknown {
			list[axis] = starlark.MakeInt(n)
		}
	}
	return list
}

// TensorTypeFields are the attributes of types of variables.
var TensorTypeFields = value.NewMethods("TensorType", tensorTypeTable).With(
	value.FieldOf("dtype", "The name of the element type.", `T.fvector("x").type.dtype # "float32"`,
		func(t TensorType) starlark.Value { return starlark.String(t.T.DType.String()) }),
	value.FieldOf("numpy_dtype", "The element type as np has it.", `T.fvector.numpy_dtype.itemsize # 4`,
		func(t TensorType) starlark.Value { return np.DType(t.T.DType) }),
	value.FieldOf("ndim", "The number of axes.", `T.matrix("x").type.ndim # 2`,
		func(t TensorType) starlark.Value { return starlark.MakeInt(t.T.Rank()) }),
	value.FieldOf("shape", "The length of each axis, or None where it is not known.", `T.row("x").type.shape # (1, None)`,
		func(t TensorType) starlark.Value { return staticLengths(t.T) }),
	value.FieldOf("broadcastable", "For each axis, whether its length is known to be 1.",
		`T.row("x").type.broadcastable # (True, False)`, func(t TensorType) starlark.Value { return broadcastable(t.T) }),
	value.FieldOf("name", "What the type was called when it was made, or None.", `T.TensorType("int8", (), name="flag").name # "flag"`,
		func(t TensorType) starlark.Value {
			if t.name == "" {
				return starlark.None
			}
			return starlark.String(t.name)
		}),
)

// tensorTypeTable is the methods of types.
var tensorTypeTable = []value.Builtin{
	{Name: "clone", Params: []value.Param{
		{Name: "dtype", Default: "None", Doc: "another element type"},
		{Name: "shape", Default: "None", Doc: "other lengths, or None for the same"},
		{Name: "broadcastable", Default: "None", Doc: "other lengths, as Theano says them: True for 1, False for one that is not known"},
		{Name: "name", Default: "None", Doc: "another name"},
	}, Doc: "A type that differs from this one in what is given.", Example: `T.dmatrix.clone(dtype="int8", shape=(2, None)) # TensorType(int8, (2, None))`,
		Fn: func(thread *starlark.Thread, b *value.Builtin, args starlark.Tuple, kwargs []starlark.Tuple) (starlark.Value, error) {
			v, err := b.Bind(args, kwargs)
			if err != nil {
				return nil, err
			}
			t := b.Receiver().(TensorType)
			dtype, shape := v[0], v[1]
			if Absent(dtype) {
				dtype = starlark.String(t.T.DType.String())
			}
			if Absent(shape) && Absent(v[2]) {
				shape = staticLengths(t.T)
			}
			z, err := newType(SessionOf(thread), "clone", dtype, shape, v[2], v[3])
			if err == nil && z.name == "" {
				z.name = t.name
			}
			return z, err
		}},
	{Name: "is_super", Params: []value.Param{{Name: "otype", Doc: "a type"}},
		Doc:     "Whether every value of the other type is one of this type: the same element type and lengths, where this type knows them.",
		Example: `T.matrix("x").type.is_super(T.row("y").type) # True`, Fn: typeQuestion(graph.Type.Accepts)},
	{Name: "in_same_class", Params: []value.Param{{Name: "otype", Doc: "a type"}},
		Doc:     "Whether the other type has the same element type and broadcasts along the same axes.",
		Example: `T.matrix("x").type.in_same_class(T.row("y").type) # False`,
		Fn: typeQuestion(func(t, u graph.Type) bool {
			return t.DType == u.DType && t.Rank() == u.Rank() && value.Repr(broadcastable(t)) == value.Repr(broadcastable(u))
		})},
	{Name: "filter_variable", Params: []value.Param{
		{Name: "other", Doc: "a variable, or a value, which is a constant"},
		{Name: "allow_convert", Default: "True", Doc: "let lengths that only this type knows be checked when the function runs"},
	}, Doc: "The variable as one of this type: itself if it is one, else with the lengths that this type knows.",
		Example: `T.TensorType("float64", (2,)).filter_variable(T.dvector("x")) # SpecifyShape.0`, Fn: filterVariable},
}

// filterVariable is t.filter_variable(other).
func filterVariable(thread *starlark.Thread, b *value.Builtin, args starlark.Tuple, kwargs []starlark.Tuple) (starlark.Value, error) {
	v, err := b.Bind(args, kwargs)
	if err != nil {
		return nil, err
	}
	s, t := SessionOf(thread), b.Receiver().(TensorType).T
	g := s.Builder(thread)
	x, err := s.Variable(g, v[0], nil)
	switch {
	case err != nil:
		return nil, fmt.Errorf("filter_variable: %w", err)
	case t.Accepts(x.Type):
		return Symbol{s, x}, nil
	case x.Type.Accepts(t) && (v[1] == nil || bool(v[1].Truth())):
		return s.Apply(g, op.SpecifyShape{Dims: op.DimsOf(t)}, x)
	}
	return nil, fmt.Errorf("filter_variable: got %s, want %v", graph.Mention(x), t)
}

// typeQuestion is the function of a method that asks something of two types.
func typeQuestion(ask func(t, u graph.Type) bool) func(*starlark.Thread, *value.Builtin, starlark.Tuple, []starlark.Tuple) (starlark.Value, error) {
	return func(_ *starlark.Thread, b *value.Builtin, args starlark.Tuple, kwargs []starlark.Tuple) (starlark.Value, error) {
		v, err := b.Bind(args, kwargs)
		if err != nil {
			return nil, err
		}
		u, ok := v[0].(TensorType)
		if !ok {
			return nil, fmt.Errorf("%s: got %s, want a type such as x.type or T.dmatrix", b.Name, v[0].Type())
		}
		return starlark.Bool(ask(b.Receiver().(TensorType).T, u.T)), nil
	}
}

// Absent reports whether an argument was not given.
func Absent(v starlark.Value) bool { return v == nil || v == starlark.None }

// newType makes a type of arguments, of which shape and broadcastable are two ways to say the
// lengths.
func newType(s *Session, fn string, dtype, shape, broadcastable, name starlark.Value) (t TensorType, err error) {
	d, err := s.DtypeArg(dtype)
	if err != nil {
		return t, fmt.Errorf("%s: %w", fn, err)
	}
	what := "shape"
	switch {
	case Absent(shape) && Absent(broadcastable):
		return t, fmt.Errorf("%s: missing argument for shape: () is a scalar, (None,) a vector and (None, 3) a matrix of three columns", fn)
	case !Absent(shape) && !Absent(broadcastable):
		return t, fmt.Errorf("%s: got shape and broadcastable, want one of them", fn)
	case Absent(shape):
		shape, what = broadcastable, "broadcastable"
	}
	dims, err := staticDims(shape)
	if err != nil {
		return t, fmt.Errorf("%s: %s: %w", fn, what, err)
	}
	t.T = graph.TypeOf(d, dims...)
	if t.name, err = OptionalString("name", name); err != nil {
		return t, fmt.Errorf("%s: for parameter %w", fn, err)
	}
	return t, nil
}

// staticDims reads the static lengths of a type: one entry for each axis, or an int for a vector.
func staticDims(v starlark.Value) ([]int, error) {
	if n, ok := value.Plain(v).(starlark.Int); ok {
		v = starlark.Tuple{n}
	}
	seq, ok := value.Indexed(v)
	if _, isText := v.(starlark.String); !ok || isText {
		return nil, fmt.Errorf("got %s, want a tuple", v.Type())
	}
	if seq.Len() > tensor.MaxRank {
		return nil, fmt.Errorf("got %d axes, want at most %d", seq.Len(), tensor.MaxRank)
	}
	dims := make([]int, seq.Len())
	for i := range dims {
		switch d := value.Plain(seq.Index(i)).(type) {
		case starlark.NoneType:
			dims[i] = graph.Unknown
		case starlark.Bool:
			dims[i] = graph.Unknown
			if d {
				dims[i] = 1
			}
		case starlark.Int:
			n, err := starlark.AsInt32(d)
			if err != nil || n < 0 {
				return nil, fmt.Errorf("axis %d: got %s, want a length", i, d)
			}
			dims[i] = n
		default:
			return nil, fmt.Errorf("axis %d: got %s, want a length or None", i, d.Type())
		}
	}
	return dims, nil
}
