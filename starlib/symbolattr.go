package starlib

import (
	"fmt"
	"strings"

	"github.com/arignote/arignote/kernels"
	"github.com/arignote/arignote/runtime/graph"
	"github.com/arignote/arignote/runtime/op"
	"github.com/arignote/arignote/runtime/tensor"
	"github.com/arignote/arignote/starlib/np"
	"github.com/arignote/arignote/starlib/value"
	"go.starlark.net/starlark"
)

// symbolFields are the attributes of a symbolic variable that are not methods.
var symbolFields = []struct {
	name string
	get  func(x Symbol) (starlark.Value, error)
}{
	{"name", func(x Symbol) (starlark.Value, error) {
		if x.v.Name == "" {
			return starlark.None, nil
		}
		return starlark.String(x.v.Name), nil
	}},
	{"type", func(x Symbol) (starlark.Value, error) { return tensorType{x.s, x.v.Type}, nil }},
	{"dtype", func(x Symbol) (starlark.Value, error) { return starlark.String(x.v.Type.DType.String()), nil }},
	{"ndim", func(x Symbol) (starlark.Value, error) { return starlark.MakeInt(x.v.Type.Rank()), nil }},
	{"broadcastable", func(x Symbol) (starlark.Value, error) { return broadcastable(x.v.Type), nil }},
	{"T", func(x Symbol) (starlark.Value, error) {
		var out *graph.Variable
		err := catch(func() { out = op.Transpose(x.s.builder(nil), x.v) })
		return Symbol{x.s, out}, err
	}},
	{"shape", func(x Symbol) (starlark.Value, error) {
		var out *graph.Variable
		err := catch(func() { out = op.ShapeOf(x.s.builder(nil), x.v) })
		return Symbol{x.s, out}, err
	}},
	{"size", func(x Symbol) (starlark.Value, error) {
		b := x.s.builder(nil)
		var out *graph.Variable
		err := catch(func() {
			out = b.Apply(op.Reduce{Kind: op.Prod, Axes: tensor.AxesOf(0)}, op.ShapeOf(b, x.v))
		})
		return Symbol{x.s, out}, err
	}},
	{"origin", func(x Symbol) (starlark.Value, error) { return starlark.String(x.v.Origin.Pos().String()), nil }},
}

// catch runs f, which builds nodes, and returns the error it panics with.
func catch(f func()) (err error) {
	defer graph.Catch(&err)
	f()
	return nil
}

func broadcastable(t graph.Type) starlark.Value {
	flags := make(starlark.Tuple, t.Rank())
	for axis := range flags {
		flags[axis] = starlark.Bool(t.Broadcasts(axis))
	}
	return flags
}

func (x Symbol) fieldNames() []string {
	names := make([]string, len(symbolFields))
	for i, f := range symbolFields {
		names[i] = f.name
	}
	return names
}

func (x Symbol) methods() *value.Methods {
	if x.v.Shared != nil {
		return sharedMethods
	}
	return symbolMethods
}

func (x Symbol) Attr(name string) (starlark.Value, error) {
	for _, f := range symbolFields {
		if f.name == name {
			return f.get(x)
		}
	}
	return x.methods().Attr(x, name, x.fieldNames()...)
}

func (x Symbol) AttrNames() []string { return x.methods().Names(x.fieldNames()...) }

// SetField sets the name, the only attribute of a variable that changes.
func (x Symbol) SetField(name string, v starlark.Value) error {
	if name != "name" {
		return fmt.Errorf("%s: cannot assign to .%s; only .name can be set", x.Type(), name)
	}
	text, ok := starlark.AsString(v)
	if !ok && v != starlark.None {
		return fmt.Errorf("%s.name: got %s, want string", x.Type(), v.Type())
	}
	x.v.Name = text
	return nil
}

// tensorType is x.type: it makes further variables of the type when it is called.
type tensorType struct {
	s *Session
	t graph.Type
}

var (
	_ starlark.Callable = tensorType{}
	_ starlark.HasAttrs = tensorType{}
)

func (t tensorType) Name() string          { return "TensorType" }
func (t tensorType) String() string        { return typeName(t.t) }
func (t tensorType) Type() string          { return "TensorType" }
func (t tensorType) Freeze()               {}
func (t tensorType) Truth() starlark.Bool  { return true }
func (t tensorType) Hash() (uint32, error) { return starlark.String(t.t.String()).Hash() }
func (t tensorType) AttrNames() []string   { return []string{"broadcastable", "dtype", "ndim"} }

func (t tensorType) Attr(name string) (starlark.Value, error) {
	switch name {
	case "dtype":
		return starlark.String(t.t.DType.String()), nil
	case "ndim":
		return starlark.MakeInt(t.t.Rank()), nil
	case "broadcastable":
		return broadcastable(t.t), nil
	}
	return nil, value.NoAttr("TensorType", name, t.AttrNames())
}

func (t tensorType) CallInternal(thread *starlark.Thread, args starlark.Tuple, kwargs []starlark.Tuple) (starlark.Value, error) {
	var name string
	if err := starlark.UnpackArgs("TensorType", args, kwargs, "name?", &name); err != nil {
		return nil, err
	}
	return Symbol{t.s, graph.NewInput(name, t.t, t.s.origin(thread))}, nil
}

// symbolMethods are the functions of T that take a variable first, as methods, and those that are methods only. Shared
// variables have more.
var (
	symbolMethods = value.NewMethods("TensorVariable", symbolTable(), laterMethods)
	sharedMethods = value.NewMethods("TensorSharedVariable", append(symbolTable(), sharedTable...), laterMethods)
)

// laterMethods are methods of Theano's variables that are not built.
const laterMethods = `argsort broadcastable choose compress conj copy cumprod cumsum diagonal fill get_parents imag nonzero nonzero_values
	ptp ravel real repeat searchsorted sort squeeze swapaxes take trace trunc zeros_like`

func symbolTable() []value.Builtin {
	var table []value.Builtin
	for _, b := range tensorTable() {
		if len(b.Params) > 0 && b.Params[0].Name == "x" && isMethod[b.Name] {
			table = append(table, asMethod(b))
		}
	}
	return append(table, symbolOnly...)
}

// isMethod lists the functions of T that are methods of variables too, as in Theano.
var isMethod = func() map[string]bool {
	m := make(map[string]bool)
	for _, name := range strings.Fields(`any all sum prod mean var std max min argmax argmin dot reshape dimshuffle flatten transpose
		clip round ceil floor trunc eq neq lt le gt ge norm cast`) {
		m[name] = true
	}
	return m
}()

// asMethod gives a function of T its first argument from the receiver.
func asMethod(b value.Builtin) value.Builtin {
	fn := b.Fn
	inner := b
	b.Params = b.Params[1:]
	b.Fn = func(thread *starlark.Thread, m *value.Builtin, args starlark.Tuple, kwargs []starlark.Tuple) (starlark.Value, error) {
		return fn(thread, &inner, append(starlark.Tuple{m.Receiver()}, args...), kwargs)
	}
	b.Example = ""
	return b
}

var symbolOnly = []value.Builtin{
	{Name: "astype", Params: []value.Param{{Name: "dtype", Doc: "name of an element type"}},
		Doc: "The variable converted to another element type.",
		Fn: func(thread *starlark.Thread, b *value.Builtin, args starlark.Tuple, kwargs []starlark.Tuple) (starlark.Value, error) {
			v, err := b.Bind(args, kwargs)
			if err != nil {
				return nil, err
			}
			return castSymbol(thread, b.Receiver().(Symbol), v[0])
		}},
	{Name: "eval",
		Params: []value.Param{{Name: "inputs_to_values", Default: "None", Doc: "dict from the variables it depends on to values"}},
		Doc:    "Compiles the variable and computes it. The compiled function is not kept: for more than a look, use function().",
		Fn:     evalSymbol},
}

func castSymbol(thread *starlark.Thread, x Symbol, dtype starlark.Value) (starlark.Value, error) {
	d, err := np.DtypeArg(dtype)
	if err != nil {
		return nil, err
	}
	if d == x.v.Type.DType {
		return x, nil
	}
	return x.s.apply(x.s.builder(thread), op.Cast(d), x.v)
}

func evalSymbol(thread *starlark.Thread, b *value.Builtin, args starlark.Tuple, kwargs []starlark.Tuple) (starlark.Value, error) {
	var given *starlark.Dict
	if err := b.Unpack(args, kwargs, &given); err != nil {
		return nil, err
	}
	x := b.Receiver().(Symbol)
	spec := functionSpec{outputs: x, name: "eval", profile: starlark.False}
	var values starlark.Tuple
	if given != nil {
		for _, kv := range given.Items() {
			v, ok := kv[0].(Symbol)
			if !ok {
				return nil, fmt.Errorf("eval: got a key of type %s, want a symbolic variable", kv[0].Type())
			}
			spec.inputs = append(spec.inputs, v.v)
			values = append(values, kv[1])
		}
	}
	f, err := x.s.compileFunction(thread, spec)
	if err != nil {
		return nil, err
	}
	return f.CallInternal(thread, values, nil)
}

// kinds are the shapes of variables that have a name: a static length of 1 broadcasts.
var kinds = []struct {
	name string
	dims []int
}{
	{"scalar", nil},
	{"vector", []int{graph.Unknown}},
	{"row", []int{1, graph.Unknown}},
	{"col", []int{graph.Unknown, 1}},
	{"matrix", []int{graph.Unknown, graph.Unknown}},
	{"tensor3", []int{graph.Unknown, graph.Unknown, graph.Unknown}},
	{"tensor4", []int{graph.Unknown, graph.Unknown, graph.Unknown, graph.Unknown}},
	{"tensor5", []int{graph.Unknown, graph.Unknown, graph.Unknown, graph.Unknown, graph.Unknown}},
}

// prefixes are the letters that choose an element type: T.dmatrix, T.lscalar. The type of no letter is floatX.
var prefixes = []struct {
	letter string
	dtype  kernels.DType
}{
	{"", kernels.Invalid},
	{"b", kernels.Int8}, {"w", kernels.Int16}, {"i", kernels.Int32}, {"l", kernels.Int64},
	{"f", kernels.Float32}, {"d", kernels.Float64},
}
