package np

import (
	"math"
	"slices"

	"github.com/arignote/arignote/kernels"
	"github.com/arignote/arignote/runtime/tensor"
	"github.com/arignote/arignote/starlib/value"
	"go.starlark.net/starlark"
)

var closeParams = []string{"a: an array", "b: an array; the tolerance is relative to it", "rtol=1e-05: tolerance relative to b",
	"atol=1e-08: absolute tolerance", "equal_nan=False: whether nan is close to nan"}

// compareTable is the functions that compare whole arrays.
var compareTable = []value.Builtin{
	numpyRow("np.", "isclose", "Whether elements are equal within a tolerance: |a - b| <= atol + rtol * |b|.",
		"np.isclose([1, 2], [1, 2.1]) # array([ True, False])", func(c *call) (starlark.Value, error) {
			return c.result(isClose(c))
		}, closeParams...),
	numpyRow("np.", "allclose", "Whether all elements are equal within a tolerance: |a - b| <= atol + rtol * |b|.",
		"np.allclose([1, 2], [1, 2 + 1e-9]) # True", func(c *call) (starlark.Value, error) {
			near, err := isClose(c)
			if err != nil {
				return nil, err
			}
			return starlark.Bool(!slices.Contains(tensor.Elements[uint8](near), 0)), nil
		}, closeParams...),
	evalRow("np.", "array_equiv", "Whether two arrays broadcast together and all elements are equal then.",
		"np.array_equiv([1, 1], [[1, 1], [1, 1]]) # True", func(e *eval) starlark.Value {
			a, b := e.array(0), e.array(1)
			if e.failed() {
				return nil
			}
			if _, err := broadcastShapes([]*tensor.Dense{a, b}); err != nil {
				return starlark.False
			}
			same := e.do("equal", a, b)
			return e.value(e.reduce("all", same, tensor.AllAxes(same.Rank())))
		}, "a1: an array", "a2: an array"),
	numpyRow("np.", "array_equal", "Whether two arrays have the same shape and elements.",
		"np.array_equal([1, 2], [1.0, 2.0]) # True", func(c *call) (starlark.Value, error) {
			a, err := c.array(0)
			if err != nil {
				return nil, err
			}
			b, err := c.array(1)
			if err != nil {
				return nil, err
			}
			if !slices.Equal(a.Shape(), b.Shape()) {
				return starlark.False, nil
			}
			nan, err := c.bool(2, false)
			if err != nil {
				return nil, err
			}
			same, err := ufuncs["equal"].on(c.session, a, b)
			if err != nil {
				return nil, err
			}
			for i, ok := range tensor.Elements[uint8](same) {
				if ok == 0 && !(nan && math.IsNaN(floatAt(a, i)) && math.IsNaN(floatAt(b, i))) {
					return starlark.False, nil
				}
			}
			return starlark.True, nil
		}, "a: an array", "b: an array", "equal_nan=False: whether nan equals nan"),
}

// floatAt returns element i in C order.
func floatAt(d *tensor.Dense, i int) float64 {
	index := make([]tensor.Index, d.Rank())
	for axis := d.Rank() - 1; axis >= 0; axis-- {
		at := i % d.Dim(axis)
		i /= d.Dim(axis)
		index[axis] = tensor.Index{At: &at}
	}
	e, err := d.Subscript(index...)
	if err != nil {
		panic("BUG: " + err.Error())
	}
	return e.Floats()[0]
}

// isClose compares as float64: integers beyond 2**53 lose their last digits.
func isClose(c *call) (*tensor.Dense, error) {
	a, err := c.array(0)
	if err != nil {
		return nil, err
	}
	b, err := c.array(1)
	if err != nil {
		return nil, err
	}
	rtol, err := c.float(2, 1e-5)
	if err != nil {
		return nil, err
	}
	atol, err := c.float(3, 1e-8)
	if err != nil {
		return nil, err
	}
	equalNaN, err := c.bool(4, false)
	if err != nil {
		return nil, err
	}
	shape, err := broadcastShapes([]*tensor.Dense{a, b})
	if err != nil {
		return nil, err
	}
	a, _ = a.BroadcastTo(shape)
	b, _ = b.BroadcastTo(shape)
	z := tensor.New(kernels.Bool, shape...)
	near := tensor.Elements[uint8](z)
	y := b.Floats()
	for i, x := range a.Floats() {
		y := y[i]
		ok := x == y
		switch {
		case math.IsNaN(x) && math.IsNaN(y):
			ok = equalNaN
		case !math.IsInf(x, 0) && !math.IsInf(y, 0):
			ok = math.Abs(x-y) <= atol+rtol*math.Abs(y)
		}
		near[i] = truth(starlark.Bool(ok))
	}
	return z, nil
}
