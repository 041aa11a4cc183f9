package symbolic

import (
	"cmp"
	"fmt"
	"slices"
	"sync"

	"github.com/arignote/arignote/runtime/formula"
	"github.com/arignote/arignote/runtime/graph"
	"github.com/arignote/arignote/runtime/op"
	"github.com/arignote/arignote/runtime/tensor"
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

// Attr is an attribute of variables, or one that the program gave x.
func (x Symbol) Attr(name string) (starlark.Value, error) {
	return x.own().after(name, func(name string) (starlark.Value, error) { return x.Table().Attr(x, name) })
}

// AttrNames are those of variables, and those that the program gave x.
func (x Symbol) AttrNames() []string { return x.own().names(x.Table().Names()) }

// SetField sets the name, the only attribute of all variables that changes, or an attribute of the
// program's own; what a tag holds is the tag's.
func (x Symbol) SetField(name string, v starlark.Value) error {
	switch {
	case name == defaultUpdateField.Name && x.V.Shared != nil:
		return x.setDefault(v)
	case name == "tag":
		return fmt.Errorf("%s: cannot assign to .tag; assign to an attribute of it, as x.tag.test_value = v", x.Type())
	case name != "name" && slices.Contains(x.Table().Names(), name):
		return fmt.Errorf("%s: cannot assign to .%s; only .name, what .tag holds and attributes of your own can be set", x.Type(), name)
	case name == testField || name == defaultUpdateField.Name: // which would do nothing
		return fmt.Errorf("%s: cannot assign to .%s; .tag keeps test values, x.tag.test_value = v, and shared variables have a default_update", x.Type(), name)
	case name != "name":
		TagOf(x).own.set(name, v)
		return nil
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
	SymbolMethods = sync.OnceValue(func() *value.Methods {
		return value.NewMethods("TensorVariable", symbolTable()).With(symbolFields...).With(addedFields...)
	})
	SharedMethods = sync.OnceValue(func() *value.Methods {
		return value.NewMethods("TensorSharedVariable", slices.Concat(symbolTable(), sharedTable)).With(symbolFields...).With(addedFields...).
			With(defaultUpdateField).With(addedSharedFields...).Extending("TensorVariable")
	})
	ConstantMethods = sync.OnceValue(func() *value.Methods {
		return value.NewMethods(constantType, symbolTable()).With(symbolFields...).With(addedFields...).With(constantFields...).Extending("TensorVariable")
	})
)

func init() {
	value.NameTypes("TensorVariable", "TensorSharedVariable", constantType, "RandomGeneratorVariable", "RandomGeneratorSharedVariable", "DrawnVariable")
}

// Attributes of variables, and of shared ones, that the rooms above have.
var addedFields, addedSharedFields []value.Field

// AddFields gives variables attributes of a room above, when the program starts.
func AddFields(rows ...value.Field) bool {
	addedFields = append(addedFields, rows...)
	return true
}

// AddSharedFields is AddFields for shared variables alone.
func AddSharedFields(rows ...value.Field) bool {
	addedSharedFields = append(addedSharedFields, rows...)
	return true
}

// AddMethods gives variables methods of a room above, when the program starts.
func AddMethods(rows ...value.Builtin) bool {
	symbolOnly = append(symbolOnly, rows...)
	return true
}

// addedTables make methods that variables have of the rooms above.
var addedTables []func() []value.Builtin

// AddMethodTable is AddMethods for rows that are made when the first variable is asked. Attributes
// and methods that have their names come before them.
func AddMethodTable(rows func() []value.Builtin) bool {
	addedTables = append(addedTables, rows)
	return true
}

// symbolTable is the methods of all variables.
var symbolTable = sync.OnceValue(func() []value.Builtin {
	var table []value.Builtin
	for _, more := range addedTables {
		table = append(table, more()...)
	}
	table = slices.DeleteFunc(table, func(b value.Builtin) bool {
		return slices.ContainsFunc(slices.Concat(symbolFields, addedFields), func(f value.Field) bool { return f.Name == b.Name }) ||
			slices.ContainsFunc(symbolOnly, func(m value.Builtin) bool { return m.Name == b.Name })
	})
	return append(table, symbolOnly...)
})

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
	{Name: "astype", Params: []value.Param{{Name: "dtype", Doc: "name of an element type"}},
		Doc: "The variable converted to another element type.", Example: `T.constant(2.7).astype("int32").eval() # 2`,
		Fn: func(thread *starlark.Thread, b *value.Builtin, args starlark.Tuple, kwargs []starlark.Tuple) (starlark.Value, error) {
			v, err := b.Bind(args, kwargs)
			if err != nil {
				return nil, err
			}
			return castSymbol(thread, b.Receiver().(Symbol), v[0])
		}},
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

func castSymbol(thread *starlark.Thread, x Symbol, dtype starlark.Value) (starlark.Value, error) {
	d, err := x.S.DtypeArg(dtype)
	if err != nil {
		return nil, fmt.Errorf("astype: %w", err)
	}
	return Symbol{x.S, CastTo(x.S.Builder(thread), x.V, d)}, nil
}
