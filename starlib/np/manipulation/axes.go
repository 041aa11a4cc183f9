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
	np.Function("np.swapaxes T.swapaxes", "Two axes exchanged: of an array a view.",
		"swapaxes([[1, 2], [3, 4]], 0, 1) # array([[1, 3],\n       [2, 4]])", swapped, functions.Builds(swappedVariable)),
	np.Function("np.moveaxis T.moveaxis", "Axes moved to other places, the rest in their order: of an array a view.",
		"moveaxis([[1, 2], [3, 4]], 0, 1) # array([[1, 3],\n       [2, 4]])", func(e *np.Eval, a *moveArgs) starlark.Value {
			from, to := e.EachAxis("source", a.Source, a.A.D.Rank()), e.EachAxis("destination", a.Destination, a.A.D.Rank())
			if len(from) != len(to) {
				e.Fail("got %d axes in source and %d in destination, want as many", len(from), len(to))
			}
			if e.Failed() {
				return nil
			}
			order := slices.Repeat([]int{-1}, a.A.D.Rank())
			for i, axis := range to {
				order[axis] = from[i]
			}
			rest := 0
			for i := range order {
				if order[i] >= 0 {
					continue
				}
				for slices.Contains(from, rest) {
					rest++
				}
				order[i] = rest
				rest++
			}
			return e.Viewed(a.A.Value, e.Permute(a.A.D, order))
		}, functions.Builds(func(g *functions.Graph, a *moveArgs) (functions.V, error) {
			return formula.MoveAxis(g.Builder, a.A.V, a.Source, a.Destination)
		})),
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
	np.Function("np.rot90 T.rot90", "A view turned by 90 degrees k times, from the first of two axes to the second.",
		"rot90([[1, 2], [3, 4]]) # array([[2, 4],\n       [1, 3]])", func(e *np.Eval, a *rot90Args) starlark.Value {
			axes := []int{0, 1}
			if a.Axes != nil {
				axes = e.EachAxis("axes", a.Axes, a.M.D.Rank())
			}
			if len(axes) != 2 || a.M.D.Rank() < 2 {
				e.Fail("got %d dimensions and %d axes, want at least 2 and 2", a.M.D.Rank(), len(axes))
			}
			if e.Failed() {
				return nil
			}
			order := np.CountTo(a.M.D.Rank())
			order[axes[0]], order[axes[1]] = axes[1], axes[0]
			switch a.K & 3 {
			case 1:
				return e.Viewed(a.M.Value, e.Permute(e.Flip(a.M.D, axes[1]), order))
			case 2:
				return e.Viewed(a.M.Value, e.Flip(e.Flip(a.M.D, axes[0]), axes[1]))
			case 3:
				return e.Viewed(a.M.Value, e.Flip(e.Permute(a.M.D, order), axes[1]))
			}
			return e.Viewed(a.M.Value, e.Permute(a.M.D, np.CountTo(a.M.D.Rank())))
		}, functions.Builds(func(g *functions.Graph, a *rot90Args) (functions.V, error) {
			axes := a.Axes
			if axes == nil {
				axes = []int{0, 1}
			}
			return formula.Rot90(g.Builder, a.M.V, a.K, axes)
		})),
	atLeastRow(1, "atleast_1d(3.0) # array([3.])", func(e *np.Eval, d *tensor.Dense) *tensor.Dense { return e.LeadTo(d, 1) }),
	atLeastRow(2, "atleast_2d([1, 2]) # array([[1, 2]])", func(e *np.Eval, d *tensor.Dense) *tensor.Dense { return e.LeadTo(d, 2) }),
	atLeastRow(3, "atleast_3d([1, 2]) # array([[[1],\n        [2]]])", AtLeast3),
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

// swapped exchanges two axes.
func swapped(e *np.Eval, a *swapArgs) starlark.Value {
	rank := a.A.D.Rank()
	x, y := e.AxisOf(a.Axis1, rank), e.AxisOf(a.Axis2, rank)
	if e.Failed() {
		return nil
	}
	order := np.CountTo(rank)
	order[x], order[y] = y, x
	return e.Viewed(a.A.Value, e.Permute(a.A.D, order))
}

// AtLeast3 makes a vector the middle axis, and gives a matrix a last one.
func AtLeast3(e *np.Eval, a *tensor.Dense) *tensor.Dense {
	a = e.LeadTo(a, 2)
	if a.Rank() == 2 {
		a = e.Permute(a, []int{0, 1, tensor.NewAxis})
	}
	return a
}

func atLeastRow(rank int, example string, fn func(e *np.Eval, d *tensor.Dense) *tensor.Dense) functions.Function {
	return np.Function(fmt.Sprintf("np.atleast_%dd T.atleast_%[1]dd", rank),
		fmt.Sprintf("At least %d dimensions, new ones of length 1: of an array a view, of several a list.", rank), example,
		func(e *np.Eval, a *manyArgs) starlark.Value {
			var values []starlark.Value
			for _, x := range a.Arys {
				z := fn(e, x.D)
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
			list := np.VariablesOf(a.Arys)
			for i, v := range list {
				list[i] = formula.AtLeast(g.Builder, v, rank)
			}
			return list, nil
		}))
}

// swapArgs are the arguments of np.swapaxes.
type swapArgs struct {
	A     functions.Operand `arg:"a|x|y: an array"`
	Axis1 int               `arg:"axis1: an axis"`
	Axis2 int               `arg:"axis2: the axis to exchange it with"`
}

// swappedVariable is the symbolic half of swapped.
func swappedVariable(g *functions.Graph, a *swapArgs) (functions.V, error) {
	return formula.SwapAxes(g.Builder, a.A.V, a.Axis1, a.Axis2)
}
