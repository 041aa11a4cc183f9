package symbolic

import (
	"cmp"
	"fmt"
	"slices"
	"strings"
	"sync"

	"github.com/arignote/arignote/runtime/formula"
	"github.com/arignote/arignote/runtime/graph"
	"github.com/arignote/arignote/runtime/op"
	"github.com/arignote/arignote/runtime/tensor"
	"github.com/arignote/arignote/starlib/names"
	"github.com/arignote/arignote/starlib/np"
	"github.com/arignote/arignote/starlib/slot"
	"github.com/arignote/arignote/starlib/value"
	"go.starlark.net/starlark"
)

// symbolFields are the attributes of a symbolic variable that are not methods.
var symbolFields = append(ownerFields,
	value.FieldOf("name", "What it is called in errors and profiles, or None. It can be set.", `T.vector("x").name # "x"`,
		func(x Symbol) starlark.Value {
			if x.V.Name == "" {
				return starlark.None
			}
			return starlark.String(x.V.Name)
		}),
	value.FieldOf("type", "Its type, which makes further variables when it is called.",
		`T.vector("x").type # TensorType(float64, vector)`, func(x Symbol) starlark.Value { return TensorType{T: x.V.Type} }),
	value.FieldOf("dtype", "The name of its element type.", `T.fvector("x").dtype # "float32"`,
		func(x Symbol) starlark.Value { return starlark.String(x.V.Type.DType.String()) }),
	value.FieldOf("ndim", "The number of its axes.", `T.matrix("x").ndim # 2`,
		func(x Symbol) starlark.Value { return starlark.MakeInt(x.V.Type.Rank()) }),
	value.FieldOf("broadcastable", "For each axis, whether its length is known to be 1, so that it broadcasts.",
		`T.row("x").broadcastable # (True, False)`, func(x Symbol) starlark.Value { return broadcastable(x.V.Type) }),
	value.FieldOf("tag", "What is noted at it: its test value, and whatever you assign to attributes of this.",
		`T.vector("x").tag # scratchpad()`, func(x Symbol) starlark.Value { return TagOf(x) }),
	symbolField("T", "The variable with its axes reversed.", `T.as_tensor([[1.0, 2.0]]).T.eval() # array([[1.],`+"\n       [2.]])",
		func(b *graph.Builder, x *graph.Variable) *graph.Variable { return op.Transpose(b, x) }),
	symbolField("mT", "The variable with its last two axes exchanged.", `T.as_tensor([[1.0, 2.0]]).mT.eval() # array([[1.],`+"\n       [2.]])",
		func(b *graph.Builder, x *graph.Variable) *graph.Variable {
			if x.Type.Rank() < 2 {
				panic(&graph.Error{Op: "mT", Msg: fmt.Sprintf("got %v, want a matrix or a stack of matrices", x.Type)})
			}
			return formula.Transposed(b, x)
		}),
	symbolField("shape", "The lengths of its axes: a symbolic vector of int64.",
		`T.as_tensor([[1.0, 2.0]]).shape.eval() # array([1, 2])`,
		func(b *graph.Builder, x *graph.Variable) *graph.Variable { return op.AskedShape(b, x) }),
	symbolField("size", "The number of its elements, as a symbolic int64.", `T.as_tensor([[1.0, 2.0]]).size.eval() # 2`,
		func(b *graph.Builder, x *graph.Variable) *graph.Variable {
			return b.Apply(op.Reduce{Kind: op.Prod, Axes: tensor.AxesOf(0)}, op.AskedShape(b, x))
		}),
	value.FieldOf("real", "The variable itself: there are no complex numbers.", `T.constant(2.0).real.eval() # 2.0`, func(x Symbol) starlark.Value { return x }),
	symbolField("imag", "Zeros of its shape: there are no complex numbers.", `T.constant(2.0).imag.eval() # 0.0`,
		func(b *graph.Builder, x *graph.Variable) *graph.Variable { return b.Apply(op.Second, x, b.Like(x, 0)) }),
	clientsField,
	value.FieldOf("origin", "The file, line and column that made it.", `T.vector("x").origin # "In[1]:1:9"`,
		func(x Symbol) starlark.Value { return starlark.String(x.V.Origin.Pos().String()) }),
)

// symbolField is the row of an attribute that is computed.
func symbolField(name, doc, example string, build func(b *graph.Builder, x *graph.Variable) *graph.Variable) value.Field {
	return value.Field{Name: name, Doc: doc, Example: example, Get: func(recv starlark.Value) (starlark.Value, error) {
		x := recv.(Symbol)
		var out *graph.Variable
		err := Catch(func() { out = build(x.S.Builder(nil), x.V) })
		return Symbol{x.S, out}, err
	}}
}

// constantFields are the attributes that constants have besides those of all variables. The value
// is copied, since rewriting relies on it.
var constantFields = []value.Field{
	value.FieldOf("data", "Its value: an array that is yours to change.", `T.constant([1.0, 2.0]).data # array([1., 2.])`, constantData),
	value.FieldOf("value", "Its value, as .data.", `(T.vector("x") * 2).owner.inputs[1].value # array([2.])`, constantData),
}

func constantData(x Symbol) starlark.Value { return np.FromDenseIn(x.S, x.V.Data.Copy()) }

// Catch runs f, which builds nodes, and returns the error it panics with.
func Catch(f func()) (err error) {
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

// Table is the attributes of x; shared variables and constants have more.
func (x Symbol) Table() *value.Methods {
	switch {
	case x.V.Type.State != graph.NoState && x.V.Shared != nil:
		return SharedStateMethods()
	case x.V.Type.State != graph.NoState:
		return StateMethods()
	case x.V.Shared != nil:
		return SharedMethods()
	case x.V.IsConstant():
		return ConstantMethods()
	}
	if x.V.Owner != nil && x.V.Index == 1 {
		switch x.V.Owner.Op.(type) {
		case op.Draw, op.MRGUniform:
			return DrawnMethods()
		}
	}
	return SymbolMethods()
}

func (x Symbol) Attr(name string) (starlark.Value, error) { return x.Table().Attr(x, name) }
func (x Symbol) AttrNames() []string                      { return x.Table().Names() }

// SetField sets the name, the only attribute of a variable that changes; what a tag holds is the
// tag's.
func (x Symbol) SetField(name string, v starlark.Value) error {
	switch {
	case name == defaultUpdateField.Name && x.V.Shared != nil:
		return x.setDefault(v)
	case name == "tag":
		return fmt.Errorf("%s: cannot assign to .tag; assign to an attribute of it, as x.tag.test_value = v", x.Type())
	case name != "name" && slices.Contains(x.AttrNames(), name):
		return fmt.Errorf("%s: cannot assign to .%s; only .name and what .tag holds can be set", x.Type(), name)
	case name != "name":
		return fmt.Errorf("%s: cannot assign to .%s; only .name can be set, and .tag keeps what is yours: x.tag.%s = v", x.Type(), name, name)
	}
	text, ok := starlark.AsString(v)
	if !ok && v != starlark.None {
		return fmt.Errorf("%s.name: got %s, want string", x.Type(), v.Type())
	}
	x.V.Name = text
	return nil
}

// SymbolMethods are the functions of T that take a variable first, as methods, and those that are
// methods only. Shared variables and constants have more. Like those of states and draws they are
// made when the first variable is asked: sessions that have none need not wait.
var (
	SymbolMethods = sync.OnceValue(func() *value.Methods { return value.NewMethods("TensorVariable", symbolTable()).With(symbolFields...) })
	SharedMethods = sync.OnceValue(func() *value.Methods {
		return value.NewMethods("TensorSharedVariable", slices.Concat(symbolTable(), sharedTable)).With(symbolFields...).
			With(containerField, defaultUpdateField).Extending("TensorVariable")
	})
	ConstantMethods = sync.OnceValue(func() *value.Methods {
		return value.NewMethods(constantType, symbolTable()).With(symbolFields...).With(constantFields...).Extending("TensorVariable")
	})
)

func init() {
	value.NameTypes("TensorVariable", "TensorSharedVariable", constantType, "RandomGeneratorVariable", "RandomGeneratorSharedVariable", "DrawnVariable")
}

// moreMethods are functions of T that are methods of variables here, and not in Theano.
const moreMethods = "abs cast eq ge gt invert le lt neq"

// symbolTable is the methods: what T has as a function of a variable x is one if it is an attribute
// in Theano or PyTensor, and no field.
var symbolTable = sync.OnceValue(func() []value.Builtin {
	methods := append(names.Of("TensorVariable"), strings.Fields(moreMethods)...)
	methods = slices.DeleteFunc(methods, func(name string) bool {
		return slices.ContainsFunc(symbolFields, func(f value.Field) bool { return f.Name == name }) ||
			slices.ContainsFunc(symbolOnly, func(b value.Builtin) bool { return b.Name == name })
	})
	var table []value.Builtin
	for _, b := range TensorTable() {
		if len(b.Params) > 0 && takesX(b.Params[0]) && slices.Contains(methods, b.Name) {
			table = append(table, asSpread(asMethod(b)))
		}
		for _, m := range intoMethods {
			if b.Name == m.of {
				b = asMethod(b)
				b.Name, b.Example = m.name, m.example
				table = append(table, b)
			}
		}
	}
	return append(table, symbolOnly...)
})

// intoMethods are functions of T that are methods of subscripted variables under another name, as
// in PyTensor.
var intoMethods = []struct{ of, name, example string }{
	{"set_subtensor", "set", "T.zeros(3)[1:].set(5.0).eval() # array([0., 5., 5.])"},
	{"inc_subtensor", "inc", "T.ones(3)[[0, 0]].inc(5.0).eval() # array([11.,  1.,  1.])"},
	{"choose", "choose", "T.as_tensor([1, 0]).choose([[5, 6], [7, 8]]).eval() # array([7, 6])"},
	{"compress", "compress", "T.as_tensor([0, 1]).compress([5, 6]).eval() # array([6])"},
	{"tensor_copy", "copy", "T.as_tensor([1.0, 2.0]).copy().eval() # array([1., 2.])"},
}

// takesX reports whether a parameter is the variable that a method of T is called on.
func takesX(p value.Param) bool { return p.Name == "x" || slices.Contains(p.Also, "x") }

// asMethod gives a function of T its first argument from the receiver.
func asMethod(b value.Builtin) value.Builtin {
	fn := b.Fn
	inner := b
	b.Params = b.Params[1:]
	b.Fn = func(thread *starlark.Thread, m *value.Builtin, args starlark.Tuple, kwargs []starlark.Tuple) (starlark.Value, error) {
		return fn(thread, &inner, append(starlark.Tuple{m.Receiver()}, args...), kwargs)
	}
	b.Example = methodExample(b.Name, b.Example)
	return b
}

// spreadParams are the first parameters of methods whose list may also be written as arguments, as
// in NumPy: x.reshape(2, 3).
var spreadParams = map[string]value.Param{
	"reshape":   {Name: "*shape", Doc: "lengths, which may be symbolic, or one tuple or symbolic vector of them"},
	"transpose": {Name: "*axes", Doc: "all axes, or one tuple of them; reversed if not given"},
}

// asSpread lets users write the list that a method takes first as arguments.
func asSpread(b value.Builtin) value.Builtin {
	first, ok := spreadParams[b.Name]
	if !ok {
		return b
	}
	fn := b.Fn
	b.Params = append([]value.Param{first}, b.Params[1:]...)
	b.Fn = func(thread *starlark.Thread, m *value.Builtin, args starlark.Tuple, kwargs []starlark.Tuple) (starlark.Value, error) {
		if len(args) > 1 && isNumber(args[0]) {
			args = starlark.Tuple{args}
		}
		return fn(thread, m, args, kwargs)
	}
	return b
}

// isNumber reports whether v is a number, symbolic or not.
func isNumber(v starlark.Value) bool {
	x, symbolic := v.(Symbol)
	_, whole := value.NumberOf(v).(starlark.Int)
	return whole || symbolic && x.V.Type.Rank() == 0
}

// methodExample turns the example of a function, T.sum([1.0, 2.0]).eval(), into that of the method:
// T.as_tensor([1.0, 2.0]).sum().eval(). The first argument ends at the first comma or parenthesis
// that is outside its brackets.
func methodExample(name, example string) string {
	before, args, ok := strings.Cut(example, "T."+name+"(")
	if !ok {
		panic("BUG: the example of T." + name + " does not call it")
	}
	depth, end := 0, 0
	for ; end < len(args) && (depth > 0 || args[end] != ',' && args[end] != ')'); end++ {
		switch args[end] {
		case '[', '(':
			depth++
		case ']', ')':
			depth--
		}
	}
	return before + "T.as_tensor(" + args[:end] + ")." + name + "(" + strings.TrimPrefix(args[end:], ", ")
}

// AddMethods gives variables methods of a room above, when the program starts.
func AddMethods(rows ...value.Builtin) bool {
	symbolOnly = append(symbolOnly, rows...)
	return true
}

// symbolOnly are the methods of variables that are no functions of T.
var symbolOnly = []value.Builtin{
	{Name: "clone", Params: []value.Param{{Name: "name", Default: "None", Doc: "the name of the new variable; that of the old one if not given"}},
		Doc: "Another variable of the type: a free one, or a shared variable that holds the value of this one, which both change.", Example: `T.scalar("x").clone() # x`,
		Fn: cloneSymbol},
	conjugate("conj"), conjugate("conjugate"),
	{Name: "transfer", Params: []value.Param{{Name: "target", Doc: "where to: \"cpu\""}}, Doc: "The variable itself: there is no GPU.", Example: `T.constant(2.0).transfer("cpu").eval() # 2.0`,
		Fn: func(_ *starlark.Thread, b *value.Builtin, args starlark.Tuple, kwargs []starlark.Tuple) (starlark.Value, error) {
			var target string
			if err := b.Unpack(args, kwargs, &target); err != nil {
				return nil, err
			}
			if target != "cpu" {
				return nil, fmt.Errorf("transfer: target: got %q, want \"cpu\": there is no GPU", target)
			}
			return b.Receiver(), nil
		}},
	{Name: "get_parents", Doc: "A list of the node that computes it; an empty one for inputs, constants and shared variables.", Example: `T.scalar("x").get_parents() # []`,
		Fn: func(_ *starlark.Thread, b *value.Builtin, args starlark.Tuple, kwargs []starlark.Tuple) (starlark.Value, error) {
			x := b.Receiver().(Symbol)
			if x.V.Owner == nil {
				return slot.NewList(nil), b.Unpack(args, kwargs)
			}
			return slot.NewList([]starlark.Value{Apply{x.S, x.V.Owner}}), b.Unpack(args, kwargs)
		}},
	{Name: "get_scalar_constant_value", Doc: "The number that it is, if it is made of constants only and has one element.", Example: `(T.constant(2.0) * 3).get_scalar_constant_value() # 6.0`,
		Fn: constantValue},
	{Name: "astype", Params: []value.Param{{Name: "dtype", Doc: "name of an element type"}},
		Doc: "The variable converted to another element type.", Example: `T.constant(2.7).astype("int32").eval() # 2`,
		Fn: func(thread *starlark.Thread, b *value.Builtin, args starlark.Tuple, kwargs []starlark.Tuple) (starlark.Value, error) {
			v, err := b.Bind(args, kwargs)
			if err != nil {
				return nil, err
			}
			return castSymbol(thread, b.Receiver().(Symbol), v[0])
		}},
	{Name: "eval",
		Params:  []value.Param{{Name: "inputs_to_values", Default: "None", Doc: "dict from the variables it depends on to values"}},
		Doc:     "Compiles the variable and computes it. The compiled function is not kept: for more than a look, use function().",
		Example: "(T.constant(2.0) * 3).eval() # 6.0", Fn: evalSymbol},
}

// conjugate is the row of a method of that name.
func conjugate(name string) value.Builtin {
	return value.Builtin{Name: name, Doc: "The variable itself: there are no complex numbers.", Example: `T.constant(2.0).` + name + `().eval() # 2.0`,
		Fn: func(_ *starlark.Thread, b *value.Builtin, args starlark.Tuple, kwargs []starlark.Tuple) (starlark.Value, error) {
			return b.Receiver(), b.Unpack(args, kwargs)
		}}
}

func cloneSymbol(thread *starlark.Thread, b *value.Builtin, args starlark.Tuple, kwargs []starlark.Tuple) (starlark.Value, error) {
	var name string
	if err := b.Unpack(args, kwargs, &name); err != nil {
		return nil, err
	}
	x := b.Receiver().(Symbol)
	v := x.V.CloneRoot()
	v.Origin, v.Weak, v.Name = x.S.NodeOrigin(thread), false, cmp.Or(name, x.V.Name)
	return Symbol{x.S, v}, nil
}

// constantValue computes what depends on nothing.
func constantValue(thread *starlark.Thread, b *value.Builtin, args starlark.Tuple, kwargs []starlark.Tuple) (starlark.Value, error) {
	if err := b.Unpack(args, kwargs); err != nil {
		return nil, err
	}
	x := b.Receiver().(Symbol)
	for _, v := range Roots([]*graph.Variable{x.V}, nil) {
		if !v.IsConstant() {
			return nil, fmt.Errorf("get_scalar_constant_value: %s depends on %s, which is no constant; x.eval({...}) computes it", x, graph.Mention(v))
		}
	}
	f, err := x.S.CompileFunction(thread, FunctionSpec{Outputs: x, Name: "get_scalar_constant_value", Profile: starlark.False})
	if err != nil {
		return nil, err
	}
	out, err := f.Compute(thread, nil, nil)
	switch {
	case err != nil:
		return nil, err
	case out[0].Size() != 1:
		return nil, fmt.Errorf("get_scalar_constant_value: %s has %d elements, want 1", x, out[0].Size())
	}
	a, err := out[0].Reshape()
	return np.FromDenseIn(x.S, a), err
}

func castSymbol(thread *starlark.Thread, x Symbol, dtype starlark.Value) (starlark.Value, error) {
	d, err := x.S.DtypeArg(dtype)
	if err != nil {
		return nil, fmt.Errorf("astype: %w", err)
	}
	return Symbol{x.S, CastTo(x.S.Builder(thread), x.V, d)}, nil
}

func evalSymbol(thread *starlark.Thread, b *value.Builtin, args starlark.Tuple, kwargs []starlark.Tuple) (starlark.Value, error) {
	var given *slot.Dict
	if err := b.Unpack(args, kwargs, &given); err != nil {
		return nil, err
	}
	x := b.Receiver().(Symbol)
	spec := FunctionSpec{Outputs: x, Name: "eval", Profile: starlark.False}
	var values starlark.Tuple
	if given != nil {
		for _, kv := range given.Items() {
			v, err := x.inputFor(kv[0])
			if err != nil {
				return nil, fmt.Errorf("eval: %w", err)
			}
			spec.Inputs = append(spec.Inputs, inputSpec{V: v})
			values = append(values, kv[1])
		}
	}
	f, err := x.S.CompileFunction(thread, spec)
	if err != nil {
		return nil, err
	}
	return f.CallInternal(thread, values, nil)
}

// inputFor is the variable that a key of eval's dict stands for: itself, or the input of x of that
// name.
func (x Symbol) inputFor(key starlark.Value) (*graph.Variable, error) {
	if v, ok := key.(Symbol); ok {
		return v.V, nil
	}
	name, ok := starlark.AsString(key)
	if !ok {
		return nil, fmt.Errorf("got a key of type %s, want a symbolic variable or the name of one", key.Type())
	}
	var found []*graph.Variable
	var known []string
	for v := range (&graph.FunctionGraph{Outputs: []*graph.Variable{x.V}}).Roots() {
		if !v.IsInput() {
			continue
		}
		if known = append(known, v.Name); v.Name == name {
			found = append(found, v)
		}
	}
	switch len(found) {
	case 1:
		return found[0], nil
	case 0:
		return nil, fmt.Errorf("%s is made of no input named %q: there are %q", x, name, known)
	}
	return nil, fmt.Errorf("%s is made of %d inputs named %q: take the variable itself as the key", x, len(found), name)
}
