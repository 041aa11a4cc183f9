package userops

import (
	"fmt"

	"github.com/arignote/arignote/runtime/graph"
	"github.com/arignote/arignote/starlib/slot"
	"github.com/arignote/arignote/starlib/symbolic"
	"github.com/arignote/arignote/starlib/value"
	"go.starlark.net/starlark"
)

// A functionOp is what as_op makes of a function: an operation that calls it when a compiled
// function runs.
type functionOp struct {
	by       *foreign
	fn       starlark.Callable
	in, out  []graph.Type
	shape    starlark.Callable // infer_shape, nil if there is none
	gradient starlark.Callable // nil if there is none
}

var (
	_ starlark.Callable = (*functionOp)(nil)
	_ value.Tabled      = (*functionOp)(nil)
	_ value.Documenter  = (*functionOp)(nil)
	_ value.Signed      = (*functionOp)(nil)
)

func (f *functionOp) Name() string          { return f.fn.Name() }
func (f *functionOp) String() string        { return f.label() }
func (f *functionOp) Type() string          { return "FromFunctionOp" }
func (f *functionOp) Freeze()               {}
func (f *functionOp) Truth() starlark.Bool  { return true }
func (f *functionOp) Hash() (uint32, error) { return uint32(f.by.serial) * 2654435761, nil }
func (f *functionOp) Table() *value.Methods { return FunctionOpFields }
func (f *functionOp) AttrNames() []string   { return FunctionOpFields.Names() }

func (f *functionOp) Attr(name string) (starlark.Value, error) { return FunctionOpFields.Attr(f, name) }

// Doc is that of the function.
func (f *functionOp) Doc() string {
	if d, ok := f.fn.(interface{ Doc() string }); ok {
		return d.Doc()
	}
	return ""
}

func (f *functionOp) Signature() string {
	if fn, ok := f.fn.(value.Def); ok {
		return value.FunctionSignature(fn)
	}
	return f.Name() + "(...)"
}
func (f *functionOp) ParamNames() []string { return nil }

// CallInternal applies the operation to variables.
func (f *functionOp) CallInternal(thread *starlark.Thread, args starlark.Tuple, kwargs []starlark.Tuple) (starlark.Value, error) {
	args, asList, name, err := callOptions(f.Name(), args, kwargs)
	if err != nil {
		return nil, err
	}
	out, err := f.by.apply(thread, args)
	if err != nil {
		return nil, f.by.s.Locate(err)
	}
	return results(f.by.s, out, asList, name), nil
}

func (f *functionOp) value() starlark.Value { return f }
func (f *functionOp) name() string          { return f.fn.Name() }
func (f *functionOp) label() string         { return "FromFunctionOp{" + f.fn.Name() + "}" }
func (f *functionOp) class() string         { return "compile.ops.FromFunctionOp" }
func (f *functionOp) props() string         { return "" }
func (f *functionOp) pushes() bool          { return false }

func (f *functionOp) makeNode(thread *starlark.Thread, args starlark.Tuple) (*graph.Apply, error) {
	in, err := typedOperands(f.by.s, thread, f.name(), args, f.in)
	if err != nil {
		return nil, err
	}
	return f.by.node(thread, in, typedResults(f.out))
}

// typedOperands turns arguments into operands of these types.
func typedOperands(s *symbolic.Session, thread *starlark.Thread, name string, args starlark.Tuple, types []graph.Type) ([]*graph.Variable, error) {
	if len(args) != len(types) {
		return nil, fmt.Errorf("%s: got %d operands, want %d, as itypes says", name, len(args), len(types))
	}
	b := s.Builder(thread)
	in := make([]*graph.Variable, len(args))
	for i, x := range args {
		var err error
		if in[i], err = s.OperandFor(b, x, types[i], &graph.Variable{Type: types[i]}); err != nil {
			return nil, fmt.Errorf("%s: operand %d: %w", name, i, err)
		}
	}
	return in, nil
}

// typedResults are variables of these types.
func typedResults(types []graph.Type) []*graph.Variable {
	out := make([]*graph.Variable, len(types))
	for i, t := range types {
		out[i] = &graph.Variable{Type: t}
	}
	return out
}

func (f *functionOp) perform(thread *starlark.Thread, node *graph.Apply, in []starlark.Value) ([]starlark.Value, error) {
	v, err := value.Call(thread, f.fn, in, nil)
	if err != nil {
		return nil, err
	}
	list, ok := inList(v)
	switch {
	case !ok:
		return []starlark.Value{v}, nil
	case len(node.Outputs) == 1 && len(list) != 1:
		return []starlark.Value{v}, nil // which is no array
	}
	return list, nil
}

func (f *functionOp) grad(thread *starlark.Thread, _ *graph.Apply, inputs, _, g *slot.List) (starlark.Value, error) {
	return value.Call(thread, f.gradient, starlark.Tuple{inputs, g}, nil)
}

func (f *functionOp) noGrad() string {
	if f.gradient != nil {
		return ""
	}
	return "it is computed by a function, and has no gradient: give one, as_op(itypes, otypes, grad=lambda inputs, g: [...]), with symbolic gradients for its inputs, " +
		"or take the operand for a constant with theano.gradient.disconnected_grad(x)"
}

func (f *functionOp) push(*starlark.Thread, *slot.List, *slot.List) (starlark.Value, error) {
	return nil, nil
}

func (f *functionOp) Lengths(thread *starlark.Thread, node *graph.Apply, shapes *slot.List) (starlark.Value, error) {
	if f.shape == nil {
		return nil, nil
	}
	return callInferShape(thread, f.shape, 0, f.by.s, node, shapes)
}

// callInferShape calls an infer_shape(node, input_shapes), or one of PyTensor's that takes the
// graph before these. own is the number of its parameters that are bound.
func callInferShape(thread *starlark.Thread, fn starlark.Callable, own int, s *symbolic.Session, node *graph.Apply, shapes *slot.List) (starlark.Value, error) {
	args := starlark.Tuple{symbolic.Apply{S: s, Node: node}, shapes}
	if def, ok := fn.(value.Def); ok && def.NumParams()-own == 3 && !def.HasVarargs() {
		args = append(starlark.Tuple{starlark.None}, args...)
	}
	return value.Call(thread, fn, args, nil)
}

func (f *functionOp) connections(*starlark.Thread, *graph.Apply) (starlark.Value, error) {
	return nil, nil
}

func (f *functionOp) flops(*starlark.Thread, starlark.Value, starlark.Value) (starlark.Value, error) {
	return nil, nil
}

type asOpArgs struct {
	In    starlark.Value `arg:"itypes: the types of the operands, as [T.dmatrix, T.dvector]; one by itself need not be in a list"`
	Out   starlark.Value `arg:"otypes: the types of the results"`
	Shape starlark.Value `arg:"infer_shape=None: a function f(node, input_shapes) that returns the shapes of the results, tuples of symbolic lengths, from those of the operands, so that they need not be computed to be measured"`
	Grad  starlark.Value `arg:"grad=None: a function f(inputs, output_gradients) that returns a list of a symbolic gradient for each input; without one there is no gradient"`
}

// asOpRow is as_op under one of its names.
func asOpRow(name string) value.Builtin {
	return value.Function(name, "A decorator that makes a function of arrays an operation: called with variables it makes a node, and the function runs when a compiled function does, with arrays, "+
		"and returns an array of each type of otypes: one by itself, several as a list. The function is taken for one of its operands alone: equal calls become one, and one whose result nobody reads is left out. "+
		"It is as slow as Starlark is; profiles give its type as Starlark.",
		"@theano."+name+"(itypes=[T.dvector], otypes=[T.dvector])\ndef backwards(x):\n    return x[::-1]\n\nbackwards([1.0, 2.0]).eval() # array([2., 1.])",
		func(thread *starlark.Thread, a *asOpArgs) (starlark.Value, error) {
			f := new(functionOp)
			var err error
			if f.in, err = typeList(a.In); err != nil {
				return nil, fmt.Errorf("%s: itypes: %w", name, err)
			}
			if f.out, err = typeList(a.Out); err != nil {
				return nil, fmt.Errorf("%s: otypes: %w", name, err)
			}
			if len(f.out) == 0 {
				return nil, fmt.Errorf("%s: otypes: the list is empty, want the type of a result", name)
			}
			for _, p := range []struct {
				name string
				v    starlark.Value
				to   *starlark.Callable
			}{{"infer_shape", a.Shape, &f.shape}, {"grad", a.Grad, &f.gradient}} {
				if symbolic.Absent(p.v) {
					continue
				}
				fn, ok := p.v.(starlark.Callable)
				if !ok {
					return nil, fmt.Errorf("%s: for parameter %s: got %s, want a function", name, p.name, p.v.Type())
				}
				*p.to = fn
			}
			return asOpDecorator(symbolic.SessionOf(thread), name, f), nil
		})
}

// asOpDecorator is what as_op returns: it takes the function.
func asOpDecorator(s *symbolic.Session, name string, f *functionOp) starlark.Value {
	b := value.Builtin{Name: name, Params: []value.Param{{Name: "fn", Doc: "a function of as many arrays as itypes says"}}, Doc: "An operation of a function.",
		Fn: func(_ *starlark.Thread, b *value.Builtin, args starlark.Tuple, kwargs []starlark.Tuple) (starlark.Value, error) {
			v, err := b.Bind(args, kwargs)
			if err != nil {
				return nil, err
			}
			fn, ok := v[0].(starlark.Callable)
			if _, isSymbol := v[0].(symbolic.Symbol); !ok || isSymbol {
				return nil, fmt.Errorf("%s: got %s, want a function: @%[1]s(...) stands before its def", name, v[0].Type())
			}
			made := *f
			made.fn = fn
			made.by = newForeign(s, &made)
			return &made, nil
		}}
	return b.Value()
}

// typeList reads types, or one by itself.
func typeList(v starlark.Value) (types []graph.Type, err error) {
	for i, x := range symbolic.Items(v) {
		switch x := x.(type) {
		case symbolic.TensorType:
			types = append(types, x.T)
		case symbolic.Symbol:
			return nil, fmt.Errorf("item %d: got the variable %s, want its type: x.type", i, graph.Mention(x.V))
		default:
			return nil, fmt.Errorf("item %d: got %s, want a type, as T.dmatrix", i, x.Type())
		}
	}
	return types, nil
}

const functionOpExample = "@theano.as_op(itypes=[T.dscalar], otypes=[T.dscalar])\ndef half(x):\n    return x / 2\n\nhalf"

// FunctionOpFields are the attributes of operations that as_op makes.
var FunctionOpFields = value.NewMethods("FromFunctionOp", nil).With(
	value.FieldOf("itypes", "The types of its operands: a list.", functionOpExample+`.itypes # [TensorType(float64, scalar)]`,
		func(f *functionOp) starlark.Value { return typeValues(f.in) }),
	value.FieldOf("otypes", "The types of its results: a list.", functionOpExample+`.otypes # [TensorType(float64, scalar)]`,
		func(f *functionOp) starlark.Value { return typeValues(f.out) }),
	value.FieldOf("__name__", "The name of the function.", functionOpExample+`.__name__ # "half"`,
		func(f *functionOp) starlark.Value { return starlark.String(f.fn.Name()) }),
)

func typeValues(types []graph.Type) starlark.Value {
	list := make([]starlark.Value, len(types))
	for i, t := range types {
		list[i] = symbolic.TensorType{T: t}
	}
	return slot.NewList(list)
}

// AsOpTable is as_op.
var AsOpTable = []value.Builtin{asOpRow("as_op"), asOpRow("wrap_py")}
