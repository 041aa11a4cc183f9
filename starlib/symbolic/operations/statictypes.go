package operations

import (
	"fmt"
	"slices"

	"github.com/arignote/arignote/kernels"
	"github.com/arignote/arignote/runtime/formula"
	"github.com/arignote/arignote/runtime/graph"
	"github.com/arignote/arignote/runtime/op"
	"github.com/arignote/arignote/runtime/tensor"
	"github.com/arignote/arignote/starlib/functions"
	"github.com/arignote/arignote/starlib/np"
	"github.com/arignote/arignote/starlib/symbolic"
	"github.com/arignote/arignote/starlib/value"
	"go.starlark.net/starlark"
)

// typedTable is the functions of T that change what is known of a variable, or its element type,
// and make variables of values.
var typedTable = []functions.Function{
	TensorRow("T.specify_shape", "x, whose lengths are said to be these: what is known then, and checked when the function runs.",
		"specify_shape([1.0, 2.0], (2,)) # array([1., 2.])", func(g *functions.Graph, a *struct {
			VariableArg
			Shape starlark.Value `arg:"shape: a length for each axis, which may be symbolic, or None where it is not known"`
		}) (*graph.Variable, error) {
			list, err := lengthsIn(g.Builder, a.Shape)
			if err != nil {
				return nil, fmt.Errorf("shape: %w", err)
			}
			if len(list) != a.X.V.Type.Rank() {
				return nil, fmt.Errorf("shape: got %d lengths, want %d", len(list), a.X.V.Type.Rank())
			}
			lengths, x := symbolic.Open(len(list)), a.X.V
			for axis, v := range list {
				if v == starlark.None {
					continue
				}
				if n, ok := v.(symbolic.Symbol); ok {
					if x, err = ofLength(g.Builder, x, axis, n.V); err != nil {
						return nil, err
					}
					continue
				}
				n, err := value.Int(v)
				if err != nil || n < 0 {
					return nil, fmt.Errorf("shape: axis %d: got %s, want a length or None", axis, value.Repr(v))
				}
				lengths[axis] = n
			}
			return specified(g.Builder, x, "shape: ", lengths)
		}),
	TensorRow("T.specify_broadcastable T.addbroadcast",
		"x, whose axes are said to have length 1, so that they broadcast: checked when the function runs.",
		"specify_broadcastable([[1.0, 2.0]], 0) # array([[1., 2.]])", func(g *functions.Graph, a *axesArgs) (*graph.Variable, error) {
			axes, err := a.axes()
			lengths := symbolic.Open(a.X.V.Type.Rank())
			for _, axis := range axes {
				lengths[axis] = 1
			}
			if err != nil {
				return nil, err
			}
			return specified(g.Builder, a.X.V, "", lengths)
		}),
	TensorRow("T.unbroadcast", "x, of whose axes it is forgotten that they have length 1, so that they do not broadcast.",
		"unbroadcast([[1.0, 2.0]], 0) # array([[1., 2.]])", func(g *functions.Graph, a *axesArgs) (*graph.Variable, error) {
			axes, err := a.axes()
			if err != nil {
				return nil, err
			}
			return unbroadcast(g.Builder, a.X.V, axes), nil
		}),
	TensorRow("T.patternbroadcast", "x, which broadcasts along the axes for which the pattern has True, and along no others.",
		"patternbroadcast([[1.0, 2.0]], (True, False)) # array([[1., 2.]])", func(g *functions.Graph, a *struct {
			VariableArg
			Broadcastable starlark.Value `arg:"broadcastable: for each axis, whether it has length 1 and broadcasts"`
		}) (*graph.Variable, error) {
			list := Elements(a.Broadcastable)
			if len(list) != a.X.V.Type.Rank() {
				return nil, fmt.Errorf("broadcastable: got %d entries, want %d, one for each axis", len(list), a.X.V.Type.Rank())
			}
			lengths, forget := symbolic.Open(len(list)), []int(nil)
			for axis, v := range list {
				switch v.Truth() {
				case true:
					lengths[axis] = 1
				default:
					forget = append(forget, axis)
				}
			}
			x, err := specified(g.Builder, a.X.V, "broadcastable: ", lengths)
			if err != nil {
				return nil, err
			}
			return unbroadcast(g.Builder, x, forget), nil
		}),
	TensorRow("T.cast", "x converted to another element type.", `cast(2.7, "int32") # 2`, func(g *functions.Graph, a *struct {
		VariableArg
		DType starlark.Value `arg:"dtype: name of the element type"`
	}) (*graph.Variable, error) {
		d, err := dtypeFor(g, a.DType)
		if err != nil {
			return nil, err
		}
		return symbolic.CastTo(g.Builder, a.X.V, d), nil
	}),
	TensorRow("T.constant", "A constant: a number, which becomes floatX or an integer, or an array.", "constant(7.0) # 7.0",
		func(g *functions.Graph, a *asTensorArgs) (*graph.Variable, error) {
			if x := a.X.V; !x.IsConstant() {
				return nil, fmt.Errorf("got the variable %s, want a number or an array; as_tensor takes variables too", graph.Mention(x))
			}
			return a.tensor(g)
		}),
	TensorRow("T.as_tensor T.as_tensor_variable", "The variable itself, or a constant of the value; of a list with variables, these put together as stack does.",
		"as_tensor(7.0) # 7.0", func(g *functions.Graph, a *asTensorArgs) (*graph.Variable, error) { return a.tensor(g) }),
	TensorRow("T.as_symbolic", "The variable itself, or a constant of the value.", "as_symbolic(7.0) # 7.0",
		func(g *functions.Graph, a *struct {
			VariableArg
			Name starlark.Value `arg:"name=None: what a constant is called"`
		}) (*graph.Variable, error) {
			return (&asTensorArgs{VariableArg: a.VariableArg, Name: a.Name}).tensor(g)
		}),
}

// axesArgs are a variable and axes of it.
type axesArgs struct {
	VariableArg
	Axes starlark.Tuple `arg:"*axes: axes, which may be negative"`
}

// axes are the axes that are named, from 0 on.
func (a *axesArgs) axes() ([]int, error) {
	var given starlark.Value = a.Axes
	if len(a.Axes) == 1 {
		given = a.Axes[0]
	}
	axes, err := value.Ints(given)
	if err != nil {
		return nil, fmt.Errorf("axes: %w", err)
	}
	for i, axis := range axes {
		if axes[i], err = tensor.NormalizeAxis(axis, a.X.V.Type.Rank()); err != nil {
			return nil, err
		}
	}
	return axes, nil
}

// specified is x with the lengths that are known, checked when the function runs; x itself if its
// type says them. param begins its errors.
func specified(b *graph.Builder, x *graph.Variable, param string, lengths []int) (*graph.Variable, error) {
	dims := x.Type.Dims()
	for axis, n := range lengths {
		if n != graph.Unknown && dims[axis] != graph.Unknown && dims[axis] != n {
			return nil, fmt.Errorf("%saxis %d has length %d, want %d", param, axis, dims[axis], n)
		}
		if n != graph.Unknown {
			dims[axis] = n
		}
	}
	t := graph.TypeOf(x.Type.DType, dims...)
	if t == x.Type {
		return x, nil
	}
	return b.Apply(op.SpecifyShape{Dims: op.DimsOf(t)}, x), nil
}

// lengthsIn are the elements of a shape argument: of a symbolic vector, those that it has.
func lengthsIn(b *graph.Builder, v starlark.Value) ([]starlark.Value, error) {
	x, ok := v.(symbolic.Symbol)
	if !ok || x.V.Type.Rank() != 1 {
		return Elements(v), nil
	}
	parts, err := ElementsOf(b, x.V)
	list := make([]starlark.Value, len(parts))
	for i, part := range parts {
		list[i] = symbolic.Symbol{S: x.S, V: part}
	}
	return list, err
}

// ofLength is x, whose length along an axis is checked when the function runs: that it is n.
func ofLength(b *graph.Builder, x *graph.Variable, axis int, n *graph.Variable) (*graph.Variable, error) {
	if n.Type.Rank() != 0 || !n.Type.DType.IsInteger() {
		return nil, fmt.Errorf("shape: axis %d: got %s, want an integer scalar", axis, graph.Mention(n))
	}
	holds := b.Apply(op.Eq, op.Lengths(b, x)[axis], formula.Cast(b, n, kernels.Int64))
	msg := fmt.Sprintf("specify_shape: axis %d has not the length that shape says", axis)
	return b.Apply(op.Assert{Exc: "AssertionError", Msg: op.Text(msg)}, x, holds), nil
}

// unbroadcast is x, of which it is forgotten that axes have length 1; x itself where nobody knows.
func unbroadcast(b *graph.Builder, x *graph.Variable, axes []int) *graph.Variable {
	axes = slices.DeleteFunc(axes, func(axis int) bool { return !x.Type.Broadcasts(axis) })
	if len(axes) == 0 {
		return x
	}
	return b.Apply(op.Unbroadcast{Axes: tensor.AxesOf(axes...)}, x)
}

// dtypeFor reads an element type, of which "floatX" is one.
func dtypeFor(g *functions.Graph, v starlark.Value) (kernels.DType, error) {
	if v == starlark.String("floatX") {
		return g.FloatX, nil
	}
	d, err := np.DtypeArg(v)
	if _, text := v.(starlark.String); err != nil && text {
		err = fmt.Errorf("for parameter dtype: %w", err)
	}
	return d, err
}

// asTensorArgs are those of as_tensor and constant.
type asTensorArgs struct {
	VariableArg
	Name  starlark.Value `arg:"name=None: what a constant is called; a variable keeps its name"`
	Ndim  *int           `arg:"ndim=None: number of axes: ones are added in front, or taken away there"`
	DType starlark.Value `arg:"dtype=None: name of the element type of a constant"`
}

// tensor is the operand as it is asked for.
func (a *asTensorArgs) tensor(g *functions.Graph) (x *graph.Variable, err error) {
	x = a.X.V
	if !symbolic.Absent(a.DType) {
		d, err := dtypeFor(g, a.DType)
		if err != nil {
			return nil, err
		}
		if n, ok := a.X.Value.(starlark.Int); ok && !symbolic.Fits(n, d) {
			return nil, fmt.Errorf("int %s does not fit %v", n, d)
		}
		if x.IsConstant() {
			x = g.Constant(x.Data.AsType(d))
		} else if d != x.Type.DType {
			return nil, fmt.Errorf("got a variable of type %v, want %v; use T.cast", x.Type, d)
		}
	}
	if a.Ndim != nil {
		if x, err = withRank(g.Builder, x, *a.Ndim); err != nil {
			return nil, err
		}
	}
	name, err := symbolic.OptionalString("name", a.Name)
	if err != nil {
		return nil, fmt.Errorf("for parameter %w", err)
	}
	if name != "" && x.IsConstant() {
		x = symbolic.LikeWeak(x, g.Constant(x.Data)) // somebody else may know x by another name
		x.Name = name
	}
	return x, nil
}

// withRank is x with axes of length 1 added in front, or taken away there.
func withRank(b *graph.Builder, x *graph.Variable, rank int) (*graph.Variable, error) {
	t := x.Type
	surplus := t.Rank() - rank
	switch {
	case rank < 0 || rank > tensor.MaxRank:
		return nil, fmt.Errorf("ndim: got %d, want a number from 0 to %d", rank, tensor.MaxRank)
	case surplus == 0:
		return x, nil
	}
	for axis := range max(surplus, 0) {
		if !t.Broadcasts(axis) {
			return nil, fmt.Errorf("ndim: got %s, want %d dimensions: axis %d is not known to have length 1", symbolic.TypeName(t), rank, axis)
		}
	}
	if x.IsConstant() {
		shape := x.Data.Shape()[max(surplus, 0):]
		data, err := x.Data.Reshape(append(slices.Repeat([]int{1}, max(-surplus, 0)), shape...)...)
		if err != nil {
			return nil, err
		}
		return symbolic.LikeWeak(x, b.Constant(data)), nil
	}
	if surplus < 0 {
		return formula.Pad(b, x, -surplus, true), nil
	}
	kept := make([]int, rank)
	for i := range kept {
		kept[i] = surplus + i
	}
	return formula.Permute(b, x, kept), nil
}
