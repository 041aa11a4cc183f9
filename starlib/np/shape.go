package np

import (
	"fmt"
	"math"

	"github.com/arignote/arignote/kernels"
	"github.com/arignote/arignote/runtime/tensor"
	"github.com/arignote/arignote/starlib/value"
	"go.starlark.net/starlark"
)

const arrayParam = "a: an array"

// shapeTable is the functions that look at or change shapes, and a few of elements that
// are not rows of op.Rows.
var shapeTable = []value.Builtin{
	numpyRow("np.", "reshape", "The elements in another shape: a view where that can be. One length may be -1.",
		"np.reshape([1, 2, 3, 4], (2, 2)) # array([[1, 2],\n       [3, 4]])", func(c *call) (starlark.Value, error) {
			a, err := c.array(0)
			if err != nil {
				return nil, err
			}
			shape, err := c.shape(1)
			if err != nil {
				return nil, err
			}
			fortran, err := c.fortran(2, a)
			if err != nil {
				return nil, err
			}
			z, err := reshapeIn(a, shape, fortran)
			return c.viewOf(0, z, err)
		}, arrayParam, "newshape: an int or a tuple of ints", layoutParam),
	numpyRow("np.", "ravel", "The elements as a vector: a view where that can be.",
		"np.ravel([[1, 2], [3, 4]]) # array([1, 2, 3, 4])", func(c *call) (starlark.Value, error) {
			a, err := c.array(0)
			if err != nil {
				return nil, err
			}
			z, err := c.raveled(1, a)
			return c.viewOf(0, z, err)
		}, arrayParam, layoutParam),
	numpyRow("np.", "transpose", "A view with the axes in another order, reversed if none is given.",
		"np.transpose([[1, 2], [3, 4]]) # array([[1, 3],\n       [2, 4]])", func(c *call) (starlark.Value, error) {
			a, err := c.array(0)
			if err != nil {
				return nil, err
			}
			var order []int
			if c.v[1] != nil {
				if order, err = c.shape(1); err != nil {
					return nil, err
				}
			}
			z, err := transposed(a, order)
			return c.viewOf(0, z, err)
		}, arrayParam, "axes=None: a tuple of all axes"),
	numpyRow("np.", "squeeze", "A view without axes of length 1: the given ones, or all.",
		"np.squeeze([[[1, 2]]]) # array([1, 2])", func(c *call) (starlark.Value, error) {
			a, err := c.array(0)
			if err != nil {
				return nil, err
			}
			return squeezed(c, 0, a, 1)
		}, arrayParam, "axis=None: an axis or several"),
	numpyRow("np.", "expand_dims", "A view with new axes of length 1.",
		"np.expand_dims([1, 2], 1) # array([[1],\n       [2]])", func(c *call) (starlark.Value, error) {
			a, err := c.array(0)
			if err != nil {
				return nil, err
			}
			list, err := c.shape(1)
			if err != nil {
				return nil, err
			}
			var axes tensor.Axes
			for _, axis := range list {
				if axis, err = tensor.NormalizeAxis(axis, a.Rank()+len(list)); err != nil {
					return nil, err
				}
				if axes.Has(axis) {
					return nil, fmt.Errorf("axis %d is there twice", axis)
				}
				axes |= tensor.AxesOf(axis)
			}
			if n := a.Rank() + len(list); n > tensor.MaxRank {
				return nil, fmt.Errorf("got %d dimensions, want at most %d", n, tensor.MaxRank)
			}
			z, err := a.DimShuffle(restored(axes, a.Rank()+len(list)))
			return c.viewOf(0, z, err)
		}, arrayParam, "axis: where the new axis is to be, or several"),
	numpyRow("np.", "shape", "The lengths of the axes.", "np.shape([[1, 2]]) # (1, 2)",
		about(func(d *tensor.Dense) starlark.Value { return intTuple(d.Shape()) }), arrayParam),
	numpyRow("np.", "ndim", "The number of axes.", "np.ndim([[1, 2]]) # 2",
		about(func(d *tensor.Dense) starlark.Value { return starlark.MakeInt(d.Rank()) }), arrayParam),
	evalRow("np.", "size", "The number of elements, or the length of an axis.", "np.size([[1, 2]]) # 2",
		func(e *eval) starlark.Value {
			a := e.array(0)
			n := a.Size()
			if e.given(1) {
				if axis := e.axis(1, 0, a.Rank()); !e.failed() {
					n = a.Dim(axis)
				}
			}
			return starlark.MakeInt(n)
		}, arrayParam, "axis=None: the axis; all elements if not given"),
	numpyRow("np.", "copy", "A copy of an array.", "np.copy([1, 2]) # array([1, 2])", func(c *call) (starlark.Value, error) {
		a, err := c.array(0)
		if err != nil {
			return nil, err
		}
		fortran, err := c.fortran(1, a)
		return c.made(copyIn(a, fortran), err)
	}, arrayParam, memoryParam),
	numpyRow("np.", "clip", "The elements limited to a range.", "np.clip([1, 5, 9], 2, 6) # array([2, 5, 6])",
		func(c *call) (starlark.Value, error) {
			return clipped(c, c.v[0], 1)
		}, arrayParam, "a_min=None: the least value; an array or number", "a_max=None: the greatest value",
		"out=None: an array for the result"),
	numpyRow("np.", "round", "The elements rounded to decimals digits after the point, halves to the even digit.",
		"np.round([0.125, 2.5], 2) # array([0.12, 2.5 ])", roundFunction, arrayParam,
		"decimals=0: digits after the point; negative to round whole digits"),
	numpyRow("np.", "around", "The elements rounded to decimals digits after the point, halves to the even digit.",
		"np.around(2.5) # 2.0", roundFunction, arrayParam, "decimals=0: digits after the point; negative to round whole digits"),
	numpyRow("np.", "round_", "The elements rounded to decimals digits after the point, halves to the even digit.",
		"np.round_(2.5) # 2.0", roundFunction, arrayParam, "decimals=0: digits after the point; negative to round whole digits"),
	numpyRow("np.", "isfinite", "Whether x is a number and not infinite.", "np.isfinite([1.0, np.inf]) # array([ True, False])",
		func(c *call) (starlark.Value, error) {
			a, err := c.array(0)
			if err != nil {
				return nil, err
			}
			if !a.DType().IsFloat() {
				return c.result(constant(kernels.Bool, a.Shape(), 1), nil)
			}
			// The difference of x and itself is nan exactly where x is not finite.
			d, err := ufuncs["subtract"].on(c.session, a, a)
			if err != nil {
				return nil, err
			}
			return c.result(ufuncs["equal"].on(c.session, d, tensor.Scalar(a.DType(), 0)))
		}, "x: a number or array"),
}

func about(f func(*tensor.Dense) starlark.Value) npFunc {
	return func(c *call) (starlark.Value, error) {
		a, err := c.array(0)
		if err != nil {
			return nil, err
		}
		return f(a), nil
	}
}

// reshape is a.Reshape for shapes that users give.
func reshape(a *tensor.Dense, shape []int) (*tensor.Dense, error) {
	z, err := a.Reshape(shape...)
	if err == nil {
		err = checkShape(z.Shape())
	}
	return z, err
}

func transposed(a *tensor.Dense, order []int) (*tensor.Dense, error) {
	if order == nil {
		return a.Transpose(), nil
	}
	var seen tensor.Axes
	for i, axis := range order {
		n, err := tensor.NormalizeAxis(axis, a.Rank())
		if err != nil {
			return nil, err
		}
		order[i] = n
		seen |= tensor.AxesOf(n)
	}
	if len(order) != a.Rank() || seen != tensor.AllAxes(a.Rank()) {
		return nil, fmt.Errorf("axes %s are not each of the %d axes once", tensor.ShapeString(order), a.Rank())
	}
	return a.DimShuffle(order)
}

// squeezed drops the axes of argument i, or those of length 1, from a, which is
// argument arg or a method's receiver.
func squeezed(c *call, arg int, a *tensor.Dense, i int) (starlark.Value, error) {
	axes, err := c.reducedAxes(i, a.Rank())
	if err != nil {
		return nil, err
	}
	var pattern []int
	for axis, n := range a.Shape() {
		if !axes.Has(axis) || c.v[i] == nil && n != 1 {
			pattern = append(pattern, axis)
		}
	}
	z, err := a.DimShuffle(pattern)
	return c.viewOf(arg, z, err)
}

// clipped limits a by arguments i and i+1; argument i+2 is out.
func clipped(c *call, a starlark.Value, i int) (starlark.Value, error) {
	low, high := c.v[i], c.v[i+1]
	if low == nil && high == nil {
		return nil, fmt.Errorf("got no limits, want a_min or a_max")
	}
	var err error
	if low != nil {
		if a, err = ufuncs["maximum"].call(c.session, []starlark.Value{a, low}); err != nil {
			return nil, err
		}
	}
	if high != nil {
		if a, err = ufuncs["minimum"].call(c.session, []starlark.Value{a, high}); err != nil {
			return nil, err
		}
	}
	if c.v[i+2] == nil {
		return a, nil
	}
	z, err := ToDense(a)
	if err != nil {
		return nil, err
	}
	return c.store(i+2, z, nil)
}

func roundFunction(c *call) (starlark.Value, error) {
	a, err := c.array(0)
	if err != nil {
		return nil, err
	}
	decimals, err := c.int(1, 0)
	if err != nil {
		return nil, err
	}
	return c.result(rounded(c.session, a, decimals))
}

// rounded scales, rounds to whole numbers and scales back, as NumPy does.
func rounded(s value.Host, a *tensor.Dense, decimals int) (*tensor.Dense, error) {
	d := a.DType()
	if !d.IsFloat() && decimals >= 0 {
		return a.Copy(), nil
	}
	if decimals == 0 {
		return ufuncs["rint"].on(s, a)
	}
	if !d.IsFloat() {
		a = a.AsType(kernels.Float64)
	}
	up, down := "multiply", "divide"
	if decimals < 0 {
		up, down = down, up
	}
	scale := tensor.Scalar(a.DType(), math.Pow10(max(decimals, -decimals)))
	x, err := ufuncs[up].on(s, a, scale)
	if err != nil {
		return nil, err
	}
	if x, err = ufuncs["rint"].on(s, x); err != nil {
		return nil, err
	}
	if x, err = ufuncs[down].on(s, x, scale); err != nil || d.IsFloat() {
		return x, err
	}
	return x.AsType(d), nil
}
