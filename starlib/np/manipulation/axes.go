package manipulation

import (
	"fmt"
	"slices"

	"github.com/arignote/arignote/kernels"
	"github.com/arignote/arignote/runtime/formula"
	"github.com/arignote/arignote/runtime/tensor"
	"github.com/arignote/arignote/starlib/functions"
	"github.com/arignote/arignote/starlib/np"
	"github.com/arignote/arignote/starlib/slot"
	"github.com/arignote/arignote/starlib/value"
	"go.starlark.net/starlark"
)

// moveArgs are the arguments of np.moveaxis.
type moveArgs struct {
	np.ArrayArg
	Source      []int `arg:"source: an axis or several"`
	Destination []int `arg:"destination: where each is to be"`
}

// broadcastArgs are the arguments of np.broadcast_to.
type broadcastArgs struct {
	Array functions.Operand `arg:"array|x: an array"`
	Shape functions.Lengths `arg:"shape: a length or a tuple of lengths"`
}

// spreadArgs are the arguments of np.broadcast_arrays.
type spreadArgs struct {
	Args []functions.Operand `arg:"*args: arrays"`
}

// manyArgs are the arguments of np.atleast_1d and its like.
type manyArgs struct {
	Arys []functions.Operand `arg:"*arys: arrays or numbers"`
}

// rot90Args are the arguments of np.rot90.
type rot90Args struct {
	M    functions.Operand `arg:"m: an array of at least 2 dimensions"`
	K    int               `arg:"k=1: how often"`
	Axes []int             `arg:"axes=(0, 1): the two axes"`
}

// axesTable is the functions that move, add and repeat axes. Their results are views.
var axesTable = []functions.Function{
	swapRow("np.swapaxes T.swapaxes", "Two axes exchanged: of an array a view.", "swapaxes([[1, 2], [3, 4]], 0, 1) # array([[1, 3],\n       [2, 4]])"),
	np.View("np.moveaxis T.moveaxis", "Axes moved to other places, the rest in their order: of an array a view.",
		"moveaxis([[1, 2], [3, 4]], 0, 1) # array([[1, 3],\n       [2, 4]])", func(a *moveArgs) functions.Operand { return a.A },
		func(m *formula.Algebra, a *moveArgs) (formula.Array, error) {
			return formula.MoveAxis(m, a.A.Array(), a.Source, a.Destination)
		}, (*np.Eval).Viewed),
	np.Function("np.rollaxis", "A view with an axis moved to before another; np.moveaxis is clearer.",
		"rollaxis(np.zeros((2, 3, 4)), 2).shape # (4, 2, 3)", func(e *np.Eval, a *struct {
			np.ArrayArg
			Axis  int `arg:"axis: the axis to move"`
			Start int `arg:"start=0: before which axis it goes"`
		}) starlark.Value {
			axis := e.AxisOf(a.Axis, a.A.D.Rank())
			if a.Start < 0 {
				a.Start += a.A.D.Rank()
			}
			if a.Start < 0 || a.Start > a.A.D.Rank() {
				e.FailFor("start", "got %d, want an axis of %d, or %d for the end", a.Start, a.A.D.Rank(), a.A.D.Rank())
			}
			if e.Failed() {
				return nil
			}
			if axis < a.Start {
				a.Start--
			}
			order := slices.Delete(np.CountTo(a.A.D.Rank()), axis, axis+1)
			return e.Viewed(a.A.Value, e.Permute(a.A.D, slices.Insert(order, a.Start, axis)))
		}),
	np.View("np.rot90 T.rot90", "A view turned by 90 degrees k times, from the first of two axes to the second.",
		"rot90([[1, 2], [3, 4]]) # array([[2, 4],\n       [1, 3]])", func(a *rot90Args) functions.Operand { return a.M },
		func(m *formula.Algebra, a *rot90Args) (formula.Array, error) {
			axes := a.Axes
			if axes == nil {
				axes = []int{0, 1}
			}
			return formula.Rot90(m, a.M.Array(), a.K, axes)
		}, (*np.Eval).Viewed),
	atLeastRow(1, "atleast_1d(3.0) # array([3.])"),
	atLeastRow(2, "atleast_2d([1, 2]) # array([[1, 2]])"),
	atLeastRow(3, "atleast_3d([1, 2]) # array([[[1],\n        [2]]])"),
	np.Function("np.broadcast_to T.broadcast_to", "The elements repeated to a shape: of an array a view, which cannot be assigned to.",
		"broadcast_to([1, 2], (2, 2)) # array([[1, 2],\n       [1, 2]])", func(e *np.Eval, a *broadcastArgs) starlark.Value {
			shape := e.NewShape("shape", a.Shape.N)
			if e.Failed() {
				return nil
			}
			z, ok := a.Array.D.BroadcastTo(shape)
			if !ok {
				e.Fail("shape %s does not broadcast to shape %s", tensor.ShapeString(a.Array.D.Shape()), tensor.ShapeString(shape))
			}
			if e.Failed() {
				return nil
			}
			v := np.NewArray(e.Session, z)
			v.Freeze()
			return v
		}, functions.Builds(func(g *functions.Graph, a *broadcastArgs) (functions.V, error) {
			return formula.BroadcastTo(g.Builder, a.Array.V, a.Shape.V), nil
		})),
	np.Function("np.broadcast_arrays T.broadcast_arrays", "Arrays repeated to their common shape, as a list: themselves if they have it, else arrays that cannot be assigned to.",
		"broadcast_arrays([1, 2], [[3], [4]])[0] # array([[1, 2],\n       [1, 2]])", func(e *np.Eval, a *spreadArgs) starlark.Value {
			var values []starlark.Value
			for i, d := range e.Broadcast(np.DensesOf(a.Args)...) {
				if x, ok := a.Args[i].Value.(*np.Array); ok && slices.Equal(x.D.Shape(), d.Shape()) {
					values = append(values, x)
					continue
				}
				values = append(values, e.Viewed(a.Args[i].Value, d))
			}
			return slot.NewList(values)
		}, functions.BuildsList(func(g *functions.Graph, a *spreadArgs) ([]functions.V, error) {
			return formula.Spread(g.Builder, np.VariablesOf(a.Args))
		})),
	np.Function("np.broadcast_shapes", "The shape that shapes broadcast to together.",
		"broadcast_shapes((3, 1), (4,)) # (3, 4)", func(e *np.Eval, a *struct {
			Args starlark.Tuple `arg:"*args: shapes"`
		}) starlark.Value {
			var list []*tensor.Dense
			for _, v := range a.Args {
				shape, err := value.Ints(v)
				if err == nil {
					err = np.CheckShape(shape)
				}
				if np.Keep(e, shape, err, nil); e.Failed() {
					return nil
				}
				one := tensor.Scalar(kernels.Float64, 0)
				list = append(list, one.View(kernels.Float64, shape, make([]int, len(shape)), 0))
			}
			shape, err := tensor.CommonShape(list...)
			return np.IntTuple(np.Keep(e, shape, err, nil))
		}),
}

// atLeast is d with at least as many axes.
func atLeast(e *np.Eval, d *tensor.Dense, rank int) *tensor.Dense {
	return e.Apply(func(m *formula.Algebra) (formula.Array, error) { return formula.AtLeast(m, d, rank), nil })
}

// AtLeast3 makes a vector the middle axis, and gives a matrix a last one.
func AtLeast3(e *np.Eval, d *tensor.Dense) *tensor.Dense { return atLeast(e, d, 3) }

func atLeastRow(rank int, example string) functions.Function {
	return np.Function(fmt.Sprintf("np.atleast_%dd T.atleast_%[1]dd", rank),
		fmt.Sprintf("At least %d dimensions, new ones of length 1: of an array a view, of several a list.", rank), example,
		func(e *np.Eval, a *manyArgs) starlark.Value {
			var values []starlark.Value
			for _, x := range a.Arys {
				z := atLeast(e, x.D, rank)
				if e.Failed() {
					return nil
				}
				values = append(values, e.Itself(x.Value, z))
			}
			if len(values) == 1 {
				return values[0]
			}
			return slot.NewList(values)
		}, functions.BuildsSeveral(func(g *functions.Graph, a *manyArgs) ([]functions.V, error) {
			list := functions.Arrays(a.Arys)
			for i, x := range list {
				list[i] = formula.AtLeast(formula.Symbolic(g.Builder), x, rank)
			}
			return formula.Variables(list), nil
		}))
}

// swapArgs are the arguments of np.swapaxes.
type swapArgs struct {
	A     functions.Operand `arg:"a|x|y: an array"`
	Axis1 int               `arg:"axis1: an axis"`
	Axis2 int               `arg:"axis2: the axis to exchange it with"`
}

// swapRow is a row of swapaxes.
func swapRow(names, doc, example string) functions.Function {
	return np.View(names, doc, example, func(a *swapArgs) functions.Operand { return a.A }, func(m *formula.Algebra, a *swapArgs) (formula.Array, error) {
		return formula.SwapAxes(m, a.A.Array(), a.Axis1, a.Axis2)
	}, (*np.Eval).Viewed)
}
