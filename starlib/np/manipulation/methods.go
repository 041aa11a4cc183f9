package manipulation

import (
	"cmp"
	"slices"

	"github.com/arignote/arignote/kernels"
	"github.com/arignote/arignote/runtime/formula"
	"github.com/arignote/arignote/runtime/op"
	"github.com/arignote/arignote/runtime/tensor"
	"github.com/arignote/arignote/starlib/functions"
	"github.com/arignote/arignote/starlib/np"
	"github.com/arignote/arignote/starlib/value"
	"go.starlark.net/starlark"
)

// sharedMethods are the methods that np has as functions, too, with other examples.
var sharedMethods = []functions.Function{
	np.Function("ndarray.squeeze", "A view without axes of length 1: the given ones, or all.",
		"np.zeros((1, 3)).squeeze().shape # (3,)", squeezed),
	swapRow("ndarray.swapaxes", "A view with two axes exchanged.", "np.zeros((2, 3)).swapaxes(0, 1).shape # (3, 2)"),
	np.Function("ndarray.trace", "The sum along a diagonal.", "np.eye(3).trace() # 3.0", Traced),
	np.Function("ndarray.diagonal", "A view of a diagonal, as the last axis.", "np.eye(2).diagonal() # array([1., 1.])", diagonal),
	np.Function("ndarray.conj", "The complex conjugate: of real numbers, themselves.", "np.eye(1).conj() # array([[1.]])",
		func(e *np.Eval, a *np.ArrayArg) starlark.Value {
			return e.Viewed(a.A.Value, e.Permute(a.A.D, np.CountTo(a.A.D.Rank())))
		}),
	np.Function("ndarray.choose", "For each element, a number of a choice, the element of that choice.",
		"np.array([1, 0]).choose([[1, 2], [10, 20]]) # array([10,  2])", chosen),
	np.Function("ndarray.view", "A view of the array.", "np.arange(2).view() # array([0, 1])", func(e *np.Eval, a *struct {
		np.ArrayArg
		DType kernels.DType `arg:"dtype=None: another type to see the same bytes as"`
	}) starlark.Value {
		return e.Viewed(a.A.Value, seenAs(e, a.A.D, cmp.Or(a.DType, a.A.D.DType())))
	}),
	np.Function("ndarray.tobytes", "The elements in C order as bytes.",
		"np.array([1, 2], dtype=\"uint8\").tobytes() # b\"\\x01\\x02\"", func(e *np.Eval, a *np.ArrayArg) starlark.Value {
			d := a.A.D.Copy()
			return starlark.Bytes(tensor.Elements[uint8](d.View(kernels.Uint8, []int{d.NBytes()}, []int{1}, d.Offset())))
		}),
	np.Function("ndarray.itemset", "Sets an element: the only one, or that of a position or an index.",
		"np.zeros(2).itemset(1, 5)", itemSet),
}

// resizeMethod is a.resize.
var resizeMethod = np.ArrayMethod("resize", "Gives the array another shape: with fewer elements, or with zeros at the end.",
	"np.arange(3).resize(2)", func(e *np.Eval, self *np.Array, a *struct {
		NewShape starlark.Tuple `arg:"*new_shape: the lengths, or one tuple of them"`
		Refcheck bool           `arg:"refcheck=True: accepted: views keep the memory as it was"`
	}) starlark.Value {
		shape, err := np.IntsArgs(a.NewShape)
		if err == nil {
			err = np.CheckShape(shape)
		}
		if err == nil {
			err = self.Writable()
		}
		if np.Keep(e, shape, err, nil); e.Failed() {
			return nil
		}
		z := tensor.New(self.D.DType(), shape...)
		n := min(z.Size(), self.D.Size())
		tensor.CopyTo(e.Part(e.Flat(z), 0, 0, n), e.Part(e.Flat(self.D), 0, 0, n))
		self.Renew(z)
		return starlark.None
	})

// diagonalArgs are the arguments of np.diagonal.
type diagonalArgs struct {
	A      functions.Operand `arg:"a|x|X: an array"`
	Offset int               `arg:"offset=0: the diagonal; above the main one if positive"`
	Axis1  int               `arg:"axis1=0: the rows"`
	Axis2  int               `arg:"axis2=1: the columns"`
}

// traceArgs are the arguments of np.trace.
type traceArgs struct {
	diagonalArgs
	DType kernels.DType `arg:"dtype=None: the type to add in"`
	np.OutArg
}

// diagonalFor is the diagonal that arguments name.
func diagonalFor(e *np.Eval, a *diagonalArgs) *tensor.Dense {
	rank := a.A.D.Rank()
	return e.DiagonalOf(a.A.D, a.Offset, e.AxisOf(a.Axis1, rank), e.AxisOf(a.Axis2, rank))
}

func diagonal(e *np.Eval, a *diagonalArgs) starlark.Value {
	return e.Viewed(a.A.Value, diagonalFor(e, a))
}

// diagonalVariable is the symbolic half of diagonal.
func diagonalVariable(g *functions.Graph, a *diagonalArgs) (functions.V, error) {
	return formula.Diagonal(g.Builder, a.A.V, a.Offset, a.Axis1, a.Axis2)
}

// Traced is the sum along a diagonal.
func Traced(e *np.Eval, a *traceArgs) starlark.Value {
	if a.A.D.Rank() < 2 {
		e.Fail("got %d dimensions, want at least 2", a.A.D.Rank())
		return nil
	}
	d := e.As(a.DType, diagonalFor(e, &a.diagonalArgs))
	if e.Failed() {
		return nil
	}
	return e.Result(e.As(a.DType, e.Reduce("sum", d, tensor.AxesOf(d.Rank()-1))))
}

// TracedVariable is the symbolic half of traced.
func TracedVariable(g *functions.Graph, a *traceArgs) (functions.V, error) {
	d, err := diagonalVariable(g, &a.diagonalArgs)
	if err != nil {
		return nil, err
	}
	d = formula.Cast(g.Builder, d, a.DType)
	return formula.Cast(g.Builder, g.Apply(op.Reduce{Kind: op.Sum, Axes: tensor.AxesOf(d.Type.Rank() - 1)}, d), a.DType), nil
}

// seenAs is a view of the same bytes as another type.
func seenAs(e *np.Eval, d *tensor.Dense, to kernels.DType) *tensor.Dense {
	if to == d.DType() {
		return e.Permute(d, np.CountTo(d.Rank()))
	}
	last, have, want := d.Rank()-1, d.DType().Size(), to.Size()
	if have != want && (last < 0 || d.Strides()[last] != have || d.Dim(last)*have%want != 0) {
		e.Fail("elements of %d bytes cannot be seen as %v along the last axis", have, to)
	}
	if to.IsBool() { // any byte but 0 and 1 is no bool
		e.Fail("bytes cannot be seen as bool; use a != 0")
	}
	if e.Failed() {
		return nil
	}
	shape, strides := slices.Clone(d.Shape()), slices.Clone(d.Strides())
	if have != want {
		shape[last], strides[last] = shape[last]*have/want, want
	}
	return d.View(to, shape, strides, d.Offset())
}

type itemSetArgs struct {
	np.ArrayArg
	Args starlark.Tuple `arg:"*args: an index and a number"`
}

func itemSet(e *np.Eval, a *itemSetArgs) starlark.Value {
	self, args := a.A.Value.(*np.Array), a.Args
	if len(args) == 0 || len(args) > 1+self.D.Rank() {
		e.Fail("got %d arguments, want an index and a number", len(args))
		return nil
	}
	index, v := starlark.Value(args[:len(args)-1]), args[len(args)-1]
	if len(args) == 2 {
		position, ok := np.AsInt(args[0])
		n := self.D.Size()
		switch t, isTuple := args[0].(starlark.Tuple); {
		case isTuple:
			index = t
		case !ok || position < -n || position >= n:
			e.Fail("got %s, want a position of %d elements", value.Repr(args[0]), n)
			return nil
		default:
			at := make(starlark.Tuple, self.D.Rank())
			rest := np.Modulo(position, n)
			for axis := len(at) - 1; axis >= 0; axis-- {
				at[axis] = starlark.MakeInt(rest % self.D.Dim(axis))
				rest /= self.D.Dim(axis)
			}
			index = at
		}
	}
	if err := self.SetKey(index, v); err != nil {
		e.Fail("%w", err)
	}
	return starlark.None
}

// shapeMethods are the methods whose arguments are other than those of the function of their name.
var shapeMethods = []value.Builtin{
	np.ArrayMethod("reshape", "The elements in another shape: a view where that can be. One length may be -1.",
		"np.arange(4).reshape(2, 2) # array([[0, 1],\n       [2, 3]])", func(e *np.Eval, self *np.Array, a *struct {
			Shape starlark.Tuple `arg:"*shape: the lengths, or one tuple of them"`
			np.LayoutArg
		}) starlark.Value {
			shape, err := np.IntsArgs(a.Shape)
			if np.Keep(e, shape, err, nil); e.Failed() {
				return nil
			}
			return e.ViewOf(self, e.Got(reshapeIn(self.D, shape, a.Order.Fortran(self.D))))
		}),
	np.ArrayMethod("ravel", "The elements as a vector: a view where that can be.",
		"np.eye(2).ravel() # array([1., 0., 0., 1.])", func(e *np.Eval, self *np.Array, a *np.LayoutArg) starlark.Value {
			return e.ViewOf(self, e.Got(raveled(self.D, a.Order)))
		}),
	np.ArrayMethod("flatten", "A copy of the elements as a vector.",
		"np.array([[1, 2], [3, 4]]).flatten(\"F\") # array([1, 3, 2, 4])", func(e *np.Eval, self *np.Array, a *np.LayoutArg) starlark.Value {
			d := e.Got(raveled(self.D, a.Order))
			poll := e.Poll()
			return e.Array1(poll.Copy(d), nil)
		}),
	np.ArrayMethod("transpose", "A view with the axes in another order, reversed if none is given.",
		"np.zeros((2, 3)).transpose().shape # (3, 2)", func(e *np.Eval, self *np.Array, a *struct {
			Axes starlark.Tuple `arg:"*axes: all axes, or one tuple of them"`
		}) starlark.Value {
			order, err := np.IntsArgs(a.Axes)
			if np.Keep(e, order, err, nil); e.Failed() {
				return nil
			}
			if len(order) == 0 && self.D.Rank() > 0 {
				order = nil
			}
			return e.ViewOf(self, e.Got(transposed(self.D, order)))
		}),
	resizeMethod,
	np.ArrayMethod("clip", "The elements limited to a range.",
		"np.arange(4).clip(1, 2) # array([1, 1, 2, 2])", func(e *np.Eval, self *np.Array, a *struct {
			Min starlark.Value `arg:"min=None: the least value"`
			Max starlark.Value `arg:"max=None: the greatest value"`
			Out starlark.Value `arg:"out=None: an array for the result"`
		}) starlark.Value {
			return clipped(e, self, a.Min, a.Max, a.Out)
		}),
	np.ArrayMethod("compress", "The slices along axis for which a condition holds; the elements if there is no axis.",
		"np.array([1, 2, 3]).compress([False, True, True]) # array([2, 3])", func(e *np.Eval, self *np.Array, a *struct {
			Condition *tensor.Dense `arg:"condition: bools"`
			np.FlatAxisArg
			np.OutArg
		}) starlark.Value {
			return e.Into(a.Out, func() starlark.Value { return e.Result(compressed(e, a.Condition, self.D, a.Axis)) })
		}),
}
