package np

import (
	"slices"

	"github.com/arignote/arignote/kernels"
	"github.com/arignote/arignote/runtime/tensor"
	"github.com/arignote/arignote/starlib/value"
	"go.starlark.net/starlark"
)

// axesTable is the functions that move, add and repeat axes. Their results are views.
var axesTable = []value.Builtin{
	viewRow("swapaxes", "A view with two axes exchanged.", "np.swapaxes(np.zeros((2, 3, 4)), 0, 2).shape # (4, 3, 2)",
		func(e *eval) *tensor.Dense { return e.swapped(e.array(0), 1) },
		arrayParam, "axis1: an axis", "axis2: the axis to exchange it with"),
	viewRow("moveaxis", "A view with axes moved to other places; the rest keep their order.",
		"np.moveaxis(np.zeros((2, 3, 4)), 0, -1).shape # (3, 4, 2)", func(e *eval) *tensor.Dense {
			a := e.array(0)
			from, to := e.axisList(1, a.Rank()), e.axisList(2, a.Rank())
			if len(from) != len(to) {
				e.fail("got %d axes in source and %d in destination, want as many", len(from), len(to))
			}
			if e.failed() {
				return nil
			}
			order := slices.Repeat([]int{-1}, a.Rank())
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
			return e.permute(a, order)
		}, arrayParam, "source: an axis or several", "destination: where each is to be"),
	viewRow("rollaxis", "A view with an axis moved to before another; np.moveaxis is clearer.",
		"np.rollaxis(np.zeros((2, 3, 4)), 2).shape # (4, 2, 3)", func(e *eval) *tensor.Dense {
			a := e.array(0)
			axis, start := e.axis(1, 0, a.Rank()), e.int(2, 0)
			if start < 0 {
				start += a.Rank()
			}
			if start < 0 || start > a.Rank() {
				e.failAt(2, "got %d, want an axis of %d, or %d for the end", start, a.Rank(), a.Rank())
			}
			if e.failed() {
				return nil
			}
			if axis < start {
				start--
			}
			order := slices.Delete(countTo(a.Rank()), axis, axis+1)
			return e.permute(a, slices.Insert(order, start, axis))
		}, arrayParam, "axis: the axis to move", "start=0: before which axis it goes"),
	viewRow("rot90", "A view turned by 90 degrees k times, from the first of two axes to the second.",
		"np.rot90([[1, 2], [3, 4]]) # array([[2, 4],\n       [1, 3]])", func(e *eval) *tensor.Dense {
			a, k := e.array(0), e.int(1, 1)
			axes := []int{0, 1}
			if e.given(2) {
				axes = e.axisList(2, a.Rank())
			}
			if len(axes) != 2 || a.Rank() < 2 {
				e.fail("got %d dimensions and %d axes, want at least 2 and 2", a.Rank(), len(axes))
			}
			if e.failed() {
				return nil
			}
			order := countTo(a.Rank())
			order[axes[0]], order[axes[1]] = axes[1], axes[0]
			switch k & 3 {
			case 1:
				return e.permute(e.flip(a, axes[1]), order)
			case 2:
				return e.flip(e.flip(a, axes[0]), axes[1])
			case 3:
				return e.flip(e.permute(a, order), axes[1])
			}
			return e.permute(a, countTo(a.Rank()))
		}, "m: an array of at least 2 dimensions", "k=1: how often", "axes=(0, 1): the two axes"),
	atLeastRow(1, "np.atleast_1d(3) # array([3])", func(e *eval, a *tensor.Dense) *tensor.Dense { return e.leadTo(a, 1) }),
	atLeastRow(2, "np.atleast_2d([1, 2]) # array([[1, 2]])", func(e *eval, a *tensor.Dense) *tensor.Dense { return e.leadTo(a, 2) }),
	atLeastRow(3, "np.atleast_3d([1, 2]).shape # (1, 2, 1)", (*eval).atLeast3),
	viewRow("broadcast_to", "The elements repeated to a shape, without a copy. The result cannot be assigned to.",
		"np.broadcast_to([1, 2], (2, 2)) # array([[1, 2],\n       [1, 2]])", func(e *eval) *tensor.Dense {
			a, shape := e.array(0), e.shape(1)
			if e.failed() {
				return nil
			}
			z, ok := a.BroadcastTo(shape)
			if !ok {
				e.fail("shape %s does not broadcast to shape %s", tensor.ShapeString(a.Shape()), tensor.ShapeString(shape))
			}
			return z
		}, "array: an array", "shape: an int or a tuple of ints"),
	evalRow("np.", "broadcast_arrays", "Arrays repeated to their common shape, as a list of arrays that cannot be assigned to.",
		"np.broadcast_arrays([1, 2], [[3], [4]])[0] # array([[1, 2],\n       [1, 2]])", func(e *eval) starlark.Value {
			args := e.v[0].(starlark.Tuple)
			list := make([]*tensor.Dense, len(args))
			for i, v := range args {
				d, err := ToDense(v)
				list[i] = e.got(d, err)
			}
			var values []starlark.Value
			for i, d := range e.broadcast(list...) {
				v, _ := args[i].(*Array)
				values = append(values, e.repeated(v, d))
			}
			return starlark.NewList(values)
		}, "*args: arrays"),
	evalRow("np.", "broadcast_shapes", "The shape that shapes broadcast to together.",
		"np.broadcast_shapes((3, 1), (4,)) # (3, 4)", func(e *eval) starlark.Value {
			var list []*tensor.Dense
			for _, v := range e.v[0].(starlark.Tuple) {
				shape, err := intsOf(v)
				if err == nil {
					err = checkShape(shape)
				}
				if keep(e, shape, err, nil); e.failed() {
					return nil
				}
				one := tensor.Scalar(kernels.Float64, 0)
				list = append(list, one.View(kernels.Float64, shape, make([]int, len(shape)), 0))
			}
			shape, err := broadcastShapes(list)
			return intTuple(keep(e, shape, err, nil))
		}, "*args: shapes"),
}

// viewRow is npRow for a view of its first argument. One that repeats elements cannot be assigned to.
func viewRow(name, doc, example string, fn func(e *eval) *tensor.Dense, params ...string) value.Builtin {
	return evalRow("np.", name, doc, example, func(e *eval) starlark.Value {
		z := fn(e)
		if e.failed() {
			return nil
		}
		a, _ := e.v[0].(*Array)
		return e.repeated(a, z)
	}, params...)
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

// swapped exchanges the axes that are arguments i and i+1.
func (e *eval) swapped(a *tensor.Dense, i int) *tensor.Dense {
	x, y := e.axis(i, 0, a.Rank()), e.axis(i+1, 0, a.Rank())
	if e.failed() {
		return nil
	}
	order := countTo(a.Rank())
	order[x], order[y] = y, x
	return e.permute(a, order)
}

// flip reverses an axis, as a view.
func (e *eval) flip(a *tensor.Dense, axis int) *tensor.Dense {
	back := -1
	return e.slice(a, axis, nil, nil, &back)
}

// leadTo puts axes of length 1 in front.
func (e *eval) leadTo(a *tensor.Dense, rank int) *tensor.Dense {
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

func atLeastRow(n int, example string, fn func(e *eval, a *tensor.Dense) *tensor.Dense) value.Builtin {
	name := "atleast_" + string(rune('0'+n)) + "d"
	return evalRow("np.", name, "A view of at least "+string(rune('0'+n))+" dimensions; of several arrays a list.", example,
		func(e *eval) starlark.Value {
			var values []starlark.Value
			for _, v := range e.v[0].(starlark.Tuple) {
				d, err := ToDense(v)
				z := fn(e, e.got(d, err))
				if e.failed() {
					return nil
				}
				a, _ := v.(*Array)
				values = append(values, e.repeated(a, z))
			}
			if len(values) == 1 {
				return values[0]
			}
			return starlark.NewList(values)
		}, "*arys: arrays or numbers")
}
