package np

import (
	"fmt"
	"slices"

	"github.com/arignote/arignote/kernels"
	"github.com/arignote/arignote/runtime/formula"
	"github.com/arignote/arignote/runtime/tensor"
	"github.com/arignote/arignote/starlib/functions"
	"github.com/arignote/arignote/starlib/slot"
	"github.com/arignote/arignote/starlib/value"
	"go.starlark.net/starlark"
)

// moveArgs are the arguments of np.moveaxis.
type moveArgs struct {
	arrayArg
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
	function("np.swapaxes T.swapaxes", "Two axes exchanged: of an array a view.",
		"swapaxes([[1, 2], [3, 4]], 0, 1) # array([[1, 3],\n       [2, 4]])", swapped, functions.Builds(swappedVariable)),
	function("np.moveaxis T.moveaxis", "Axes moved to other places, the rest in their order: of an array a view.",
		"moveaxis([[1, 2], [3, 4]], 0, 1) # array([[1, 3],\n       [2, 4]])", func(e *eval, a *moveArgs) starlark.Value {
			from, to := e.eachAxis("source", a.Source, a.A.D.Rank()), e.eachAxis("destination", a.Destination, a.A.D.Rank())
			if len(from) != len(to) {
				e.fail("got %d axes in source and %d in destination, want as many", len(from), len(to))
			}
			if e.failed() {
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
			return e.viewed(a.A.Value, e.permute(a.A.D, order))
		}, functions.Builds(func(g *functions.Graph, a *moveArgs) (functions.V, error) {
			return formula.MoveAxis(g.Builder, a.A.V, a.Source, a.Destination)
		})),
	function("np.rollaxis", "A view with an axis moved to before another; np.moveaxis is clearer.",
		"rollaxis(np.zeros((2, 3, 4)), 2).shape # (4, 2, 3)", func(e *eval, a *struct {
			arrayArg
			Axis  int `arg:"axis: the axis to move"`
			Start int `arg:"start=0: before which axis it goes"`
		}) starlark.Value {
			axis := e.axisOf(a.Axis, a.A.D.Rank())
			if a.Start < 0 {
				a.Start += a.A.D.Rank()
			}
			if a.Start < 0 || a.Start > a.A.D.Rank() {
				e.failFor("start", "got %d, want an axis of %d, or %d for the end", a.Start, a.A.D.Rank(), a.A.D.Rank())
			}
			if e.failed() {
				return nil
			}
			if axis < a.Start {
				a.Start--
			}
			order := slices.Delete(countTo(a.A.D.Rank()), axis, axis+1)
			return e.viewed(a.A.Value, e.permute(a.A.D, slices.Insert(order, a.Start, axis)))
		}),
	function("np.rot90 T.rot90", "A view turned by 90 degrees k times, from the first of two axes to the second.",
		"rot90([[1, 2], [3, 4]]) # array([[2, 4],\n       [1, 3]])", func(e *eval, a *rot90Args) starlark.Value {
			axes := []int{0, 1}
			if a.Axes != nil {
				axes = e.eachAxis("axes", a.Axes, a.M.D.Rank())
			}
			if len(axes) != 2 || a.M.D.Rank() < 2 {
				e.fail("got %d dimensions and %d axes, want at least 2 and 2", a.M.D.Rank(), len(axes))
			}
			if e.failed() {
				return nil
			}
			order := countTo(a.M.D.Rank())
			order[axes[0]], order[axes[1]] = axes[1], axes[0]
			switch a.K & 3 {
			case 1:
				return e.viewed(a.M.Value, e.permute(e.flip(a.M.D, axes[1]), order))
			case 2:
				return e.viewed(a.M.Value, e.flip(e.flip(a.M.D, axes[0]), axes[1]))
			case 3:
				return e.viewed(a.M.Value, e.flip(e.permute(a.M.D, order), axes[1]))
			}
			return e.viewed(a.M.Value, e.permute(a.M.D, countTo(a.M.D.Rank())))
		}, functions.Builds(func(g *functions.Graph, a *rot90Args) (functions.V, error) {
			axes := a.Axes
			if axes == nil {
				axes = []int{0, 1}
			}
			return formula.Rot90(g.Builder, a.M.V, a.K, axes)
		})),
	atLeastRow(1, "atleast_1d(3.0) # array([3.])", func(e *eval, d *tensor.Dense) *tensor.Dense { return e.leadTo(d, 1) }),
	atLeastRow(2, "atleast_2d([1, 2]) # array([[1, 2]])", func(e *eval, d *tensor.Dense) *tensor.Dense { return e.leadTo(d, 2) }),
	atLeastRow(3, "atleast_3d([1, 2]) # array([[[1],\n        [2]]])", (*eval).atLeast3),
	function("np.broadcast_to T.broadcast_to", "The elements repeated to a shape: of an array a view, which cannot be assigned to.",
		"broadcast_to([1, 2], (2, 2)) # array([[1, 2],\n       [1, 2]])", func(e *eval, a *broadcastArgs) starlark.Value {
			shape := e.newShape("shape", a.Shape.N)
			if e.failed() {
				return nil
			}
			z, ok := a.Array.D.BroadcastTo(shape)
			if !ok {
				e.fail("shape %s does not broadcast to shape %s", tensor.ShapeString(a.Array.D.Shape()), tensor.ShapeString(shape))
			}
			if e.failed() {
				return nil
			}
			v := NewArray(e.session, z)
			v.Freeze()
			return v
		}, functions.Builds(func(g *functions.Graph, a *broadcastArgs) (functions.V, error) {
			return formula.BroadcastTo(g.Builder, a.Array.V, a.Shape.V), nil
		})),
	function("np.broadcast_arrays T.broadcast_arrays", "Arrays repeated to their common shape, as a list: themselves if they have it, else arrays that cannot be assigned to.",
		"broadcast_arrays([1, 2], [[3], [4]])[0] # array([[1, 2],\n       [1, 2]])", func(e *eval, a *spreadArgs) starlark.Value {
			var values []starlark.Value
			for i, d := range e.broadcast(densesOf(a.Args)...) {
				if x, ok := a.Args[i].Value.(*Array); ok && slices.Equal(x.d.Shape(), d.Shape()) {
					values = append(values, x)
					continue
				}
				values = append(values, e.viewed(a.Args[i].Value, d))
			}
			return slot.NewList(values)
		}, functions.BuildsList(func(g *functions.Graph, a *spreadArgs) ([]functions.V, error) {
			return formula.Spread(g.Builder, variablesOf(a.Args))
		})),
	function("np.broadcast_shapes", "The shape that shapes broadcast to together.",
		"broadcast_shapes((3, 1), (4,)) # (3, 4)", func(e *eval, a *struct {
			Args starlark.Tuple `arg:"*args: shapes"`
		}) starlark.Value {
			var list []*tensor.Dense
			for _, v := range a.Args {
				shape, err := value.Ints(v)
				if err == nil {
					err = checkShape(shape)
				}
				if keep(e, shape, err, nil); e.failed() {
					return nil
				}
				one := tensor.Scalar(kernels.Float64, 0)
				list = append(list, one.View(kernels.Float64, shape, make([]int, len(shape)), 0))
			}
			shape, err := tensor.CommonShape(list...)
			return intTuple(keep(e, shape, err, nil))
		}),
}

// repeated returns a view of a, or of a new array if it is nil. If elements repeat it is frozen: a assigned element would be
// several.
func (e *eval) repeated(a *Array, z *tensor.Dense) starlark.Value {
	repeats := false
	for i, stride := range z.Strides() {
		repeats = repeats || stride == 0 && z.Dim(i) > 1
	}
	switch {
	case repeats:
		v := NewArray(e.session, z)
		v.Freeze()
		return v
	case a != nil && tensor.SharesMemory(a.d, z):
		return a.view(z)
	}
	return NewArray(e.session, z)
}

// countTo returns 0, 1, ..., n-1.
func countTo(n int) []int {
	list := make([]int, n)
	for i := range list {
		list[i] = i
	}
	return list
}

// swapped exchanges two axes.
func swapped(e *eval, a *swapArgs) starlark.Value {
	rank := a.A.D.Rank()
	x, y := e.axisOf(a.Axis1, rank), e.axisOf(a.Axis2, rank)
	if e.failed() {
		return nil
	}
	order := countTo(rank)
	order[x], order[y] = y, x
	return e.viewed(a.A.Value, e.permute(a.A.D, order))
}

// flip reverses an axis, as a view.
func (e *eval) flip(a *tensor.Dense, axis int) *tensor.Dense {
	back := -1
	return e.slice(a, axis, nil, nil, &back)
}

// leadTo puts axes of length 1 in front.
func (e *eval) leadTo(a *tensor.Dense, rank int) *tensor.Dense {
	if a.Rank() >= rank {
		return a
	}
	order := countTo(a.Rank())
	for len(order) < rank {
		order = slices.Insert(order, 0, tensor.NewAxis)
	}
	return e.permute(a, order)
}

// atLeast3 makes a vector the middle axis, and gives a matrix a last one.
func (e *eval) atLeast3(a *tensor.Dense) *tensor.Dense {
	a = e.leadTo(a, 2)
	if a.Rank() == 2 {
		a = e.permute(a, []int{0, 1, tensor.NewAxis})
	}
	return a
}

func atLeastRow(rank int, example string, fn func(e *eval, d *tensor.Dense) *tensor.Dense) functions.Function {
	return function(fmt.Sprintf("np.atleast_%dd T.atleast_%[1]dd", rank),
		fmt.Sprintf("At least %d dimensions, new ones of length 1: of an array a view, of several a list.", rank), example,
		func(e *eval, a *manyArgs) starlark.Value {
			var values []starlark.Value
			for _, x := range a.Arys {
				z := fn(e, x.D)
				if e.failed() {
					return nil
				}
				values = append(values, e.itself(x.Value, z))
			}
			if len(values) == 1 {
				return values[0]
			}
			return slot.NewList(values)
		}, functions.BuildsSeveral(func(g *functions.Graph, a *manyArgs) ([]functions.V, error) {
			list := variablesOf(a.Arys)
			for i, v := range list {
				list[i] = formula.AtLeast(g.Builder, v, rank)
			}
			return list, nil
		}))
}
