package array

import (
	"fmt"
	"math"

	"github.com/arignote/arignote/kernels"
	"github.com/arignote/arignote/runtime/op"
	"github.com/arignote/arignote/runtime/tensor"
)

// difference of neighbours along an axis.
func (f *formula) difference(x *tensor.Dense, axis int) *tensor.Dense {
	if f.failed() {
		return x
	}
	n, of := x.Dim(axis), op.Sub
	if x.DType().IsBool() {
		of = op.Neq
	}
	return f.do(of, f.part(x, axis, min(1, n), n), f.part(x, axis, 0, max(n-1, 0)))
}

// Trapezoid is the integral of y along an axis by the trapezoidal rule. x is the coordinates, a
// vector or an array that has the axis; if it is nil, the elements are dx apart.
func Trapezoid(c Calculator, y, x *tensor.Dense, dx float64, axis int) (*tensor.Dense, error) {
	f := &formula{Calculator: c}
	n := y.Dim(axis)
	var width any = dx
	if x != nil && x.Rank() == 1 {
		width = f.along(f.difference(x, 0), axis, y.Rank())
	} else if x != nil {
		along, err := tensor.NormalizeAxis(axis, x.Rank())
		if err != nil {
			return nil, err
		}
		width = f.difference(x, along)
	}
	pair := f.do(op.Add, f.part(y, axis, min(1, n), n), f.part(y, axis, 0, max(n-1, 0)))
	area := f.do(op.TrueDiv, f.do(op.Mul, width, pair), 2.0)
	return f.reduce(op.Sum, area, tensor.AxesOf(axis)), f.err
}

// Differences is the differences of neighbours in a vector, between what goes before and after
// them, both of which may be nil.
func Differences(c Calculator, x, before, after *tensor.Dense) (*tensor.Dense, error) {
	f := &formula{Calculator: c}
	z := f.part(x, 0, 0, 0)
	if n := x.Size(); n > 1 {
		z = f.do(op.Sub, f.part(x, 0, 1, n), f.part(x, 0, 0, n-1))
	}
	list := []*tensor.Dense{z}
	if before != nil {
		list = []*tensor.Dense{f.reshape(before, before.Size()).As(x.DType()), z}
	}
	if after != nil {
		list = append(list, f.reshape(after, after.Size()).As(x.DType()))
	}
	return f.concatenate(0, list...), f.err
}

// Gradient is the slopes at each element along axes, by differences of its neighbours, and at the
// ends by edge+1 elements. steps are the distances of elements, or their coordinates: one for all
// axes, or one for each; none if all are 1 apart.
func Gradient(c Calculator, x *tensor.Dense, steps []*tensor.Dense, axes []int, edge int) ([]*tensor.Dense, error) {
	switch {
	case x.DType().IsBool():
		return nil, fmt.Errorf("for parameter f: got bool, want numbers; use f.astype(%q)", "int64")
	case edge != 1 && edge != 2:
		return nil, fmt.Errorf("for parameter edge_order: got %d, want 1 or 2", edge)
	case len(steps) > 1 && len(steps) != len(axes):
		return nil, fmt.Errorf("for parameter varargs: got %d distances for %d axes, want one for all or one for each", len(steps), len(axes))
	case x.Rank() == 0:
		return nil, fmt.Errorf("got a number, want an array")
	}
	x = AsReal(x)
	f := &formula{Calculator: c}
	var list []*tensor.Dense
	for i, axis := range axes {
		n, step := x.Dim(axis), tensor.IntScalar(kernels.Int64, 1)
		if n < edge+1 {
			return nil, fmt.Errorf("got %d elements along axis %d, want at least %d", n, axis, edge+1)
		}
		if len(steps) > 0 {
			step = steps[min(i, len(steps)-1)]
		}
		var z *tensor.Dense
		switch {
		case step.Rank() == 0:
			z = f.evenSlope(x, axis, AsReal(step), edge)
		case step.Rank() != 1 || step.Size() != n:
			return nil, fmt.Errorf("for parameter varargs: got shape %s, want a coordinate for each of %d elements",
				tensor.ShapeString(step.Shape()), n)
		default:
			z = f.unevenSlope(x, axis, AsReal(f.difference(step, 0)), edge)
		}
		list = append(list, z.As(x.DType()))
	}
	return list, f.err
}

// weighted is a sum of arrays, each multiplied by its weight.
func (f *formula) weighted(weights [3]*tensor.Dense, x, y, z *tensor.Dense) *tensor.Dense {
	return f.do(op.Add, f.do(op.Add, f.do(op.Mul, weights[0], x), f.do(op.Mul, weights[1], y)), f.do(op.Mul, weights[2], z))
}

// evenSlope is the slopes of elements that are h apart.
func (f *formula) evenSlope(x *tensor.Dense, axis int, h *tensor.Dense, edge int) *tensor.Dense {
	n := x.Dim(axis)
	at := func(i int) *tensor.Dense { return f.part(x, axis, i, i+1) }
	inner := f.do(op.TrueDiv, f.do(op.Sub, f.part(x, axis, 2, n), f.part(x, axis, 0, n-2)), f.do(op.Mul, 2.0, h))
	if edge == 1 {
		head := f.do(op.TrueDiv, f.do(op.Sub, at(1), at(0)), h)
		tail := f.do(op.TrueDiv, f.do(op.Sub, at(n-1), at(n-2)), h)
		return f.concatenate(axis, head, inner, tail)
	}
	weights := func(a, b, c float64) [3]*tensor.Dense {
		return [3]*tensor.Dense{f.do(op.TrueDiv, a, h), f.do(op.TrueDiv, b, h), f.do(op.TrueDiv, c, h)}
	}
	head := f.weighted(weights(-1.5, 2, -0.5), at(0), at(1), at(2))
	tail := f.weighted(weights(0.5, -2, 1.5), at(n-3), at(n-2), at(n-1))
	return f.concatenate(axis, head, inner, tail)
}

// unevenSlope is the slopes of elements between which there are widths.
func (f *formula) unevenSlope(x *tensor.Dense, axis int, widths *tensor.Dense, edge int) *tensor.Dense {
	n := x.Dim(axis)
	at := func(i int) *tensor.Dense { return f.part(x, axis, i, i+1) }
	width := func(i int) *tensor.Dense { return f.reshape(f.part(widths, 0, i, i+1)) }
	inner := f.part(x, axis, 0, n-2)
	if n > 2 {
		h1, h2 := f.along(f.part(widths, 0, 0, n-2), axis, x.Rank()), f.along(f.part(widths, 0, 1, n-1), axis, x.Rank())
		both := f.do(op.Add, h1, h2)
		inner = f.weighted([3]*tensor.Dense{
			f.do(op.TrueDiv, f.do(op.Neg, h2), f.do(op.Mul, h1, both)),
			f.do(op.TrueDiv, f.do(op.Sub, h2, h1), f.do(op.Mul, h1, h2)),
			f.do(op.TrueDiv, h1, f.do(op.Mul, h2, both)),
		}, inner, f.part(x, axis, 1, n-1), f.part(x, axis, 2, n))
	}
	if edge == 1 {
		head := f.do(op.TrueDiv, f.do(op.Sub, at(1), at(0)), width(0))
		tail := f.do(op.TrueDiv, f.do(op.Sub, at(n-1), at(n-2)), width(n-2))
		return f.concatenate(axis, head, inner, tail)
	}
	start, end := f.endWeights(width(0), width(1)), f.endWeights(width(n-2), width(n-3))
	end[0], end[2] = end[2], end[0]
	return f.concatenate(axis, f.weighted(start, at(0), at(1), at(2)), inner, f.do(op.Neg, f.weighted(end, at(n-3), at(n-2), at(n-1))))
}

// endWeights are those of three elements for the slope at an end, from which the distances are h1
// and then h2.
func (f *formula) endWeights(h1, h2 *tensor.Dense) [3]*tensor.Dense {
	both := f.do(op.Add, h1, h2)
	twice := f.do(op.Add, f.do(op.Mul, 2.0, h1), h2)
	return [3]*tensor.Dense{
		f.do(op.TrueDiv, f.do(op.Neg, twice), f.do(op.Mul, h1, both)),
		f.do(op.TrueDiv, both, f.do(op.Mul, h1, h2)),
		f.do(op.TrueDiv, f.do(op.Neg, h1), f.do(op.Mul, h2, both)),
	}
}

// Unwrap adds multiples of a period to angles along an axis, so that neighbours differ by at most
// half of it. Jumps below limit stay.
func Unwrap(c Calculator, x *tensor.Dense, limit, period float64, axis int) (*tensor.Dense, error) {
	if period == 2*math.Pi || !x.DType().IsInteger() {
		x = AsReal(x)
	}
	f := &formula{Calculator: c}
	half := period / 2
	step := f.keep(tensor.Diff(x, 1, axis))
	d := f.do(op.Sub, f.do(op.Mod, f.do(op.Add, step, half), period), half)
	d = f.do(op.Switch, f.do(op.And, f.do(op.Eq, d, -half), f.do(op.Gt, step, 0)), tensor.Scalar(d.DType(), half), d)
	add := f.do(op.Sub, d, step)
	add = f.do(op.Switch, f.do(op.Lt, f.do(op.Abs, step), max(limit, half)), tensor.Scalar(add.DType(), 0), add)
	n := x.Dim(axis)
	if f.failed() || n < 2 {
		return x.AsType(add.DType()), f.err
	}
	sums := f.keep(tensor.Scan("sum", add, axis, add.DType(), c.Stop))
	return f.concatenate(axis, f.part(x, axis, 0, 1).As(sums.DType()), f.do(op.Add, f.part(x, axis, 1, n), sums)), f.err
}
