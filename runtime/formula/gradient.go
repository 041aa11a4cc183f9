package formula

import (
	"fmt"
	"math"

	"github.com/arignote/arignote/kernels"
	"github.com/arignote/arignote/runtime/op"
	"github.com/arignote/arignote/runtime/tensor"
)

// Gradient is the slopes at each element along axes, by differences of its neighbours, and at the
// ends by edge+1 elements. steps are the distances of elements, or their coordinates: one for all
// axes, or one for each; none if all are 1 apart.
func Gradient(m *Algebra, x Array, steps []Array, axes []int, edge int) ([]Array, error) {
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
	x = floats(m, x)
	var list []Array
	for i, axis := range axes {
		n, step := x.Dim(axis), any(1.0)
		if n < edge+1 {
			return nil, fmt.Errorf("got %d elements along axis %d, want at least %d", n, axis, edge+1)
		}
		slope := slopes{m, x, axis, n}
		var at Array // coordinates
		if len(steps) > 0 {
			if at = steps[min(i, len(steps)-1)]; at.Rank() == 0 {
				step, at = floats(m, at), nil
			}
		}
		var z Array
		switch {
		case at == nil:
			z = slope.even(step, edge)
		case at.Rank() != 1 || at.Dim(0) != n:
			return nil, fmt.Errorf("for parameter varargs: got %s, want a coordinate for each of %d elements", m.Mention(at), n)
		default:
			z = slope.uneven(difference(m, floats(m, at), 0), edge)
		}
		list = append(list, m.Cast(z, x.DType()))
	}
	return list, nil
}

// slopes are those of x along an axis of n elements.
type slopes struct {
	*Algebra
	x       Array
	axis, n int
}

// at is the elements at a place of the axis.
func (s slopes) at(i int) Array { return s.Part(s.x, s.axis, i, i+1) }

// over is the difference of the elements at two places by a distance.
func (s slopes) over(i, j int, h any) Array {
	return s.Do(op.TrueDiv, s.Do(op.Sub, s.at(i), s.at(j)), h)
}

// weighted is a sum of arrays, each multiplied by its weight.
func (s slopes) weighted(weights [3]Array, x, y, z Array) Array {
	return s.Do(op.Add, s.Do(op.Add, s.Do(op.Mul, weights[0], x), s.Do(op.Mul, weights[1], y)), s.Do(op.Mul, weights[2], z))
}

// first and last are weighted sums of the elements at the ends.
func (s slopes) first(weights [3]Array) Array { return s.weighted(weights, s.at(0), s.at(1), s.at(2)) }

func (s slopes) last(weights [3]Array) Array {
	return s.weighted(weights, s.at(s.n-3), s.at(s.n-2), s.at(s.n-1))
}

// even is the slopes of elements that are h apart.
func (s slopes) even(h any, edge int) Array {
	n := s.n
	twice := number(s.Algebra, op.Mul, 2.0, h)
	inner := s.Do(op.TrueDiv, s.Do(op.Sub, s.Part(s.x, s.axis, 2, n), s.Part(s.x, s.axis, 0, n-2)), twice)
	if edge == 1 {
		return s.Join(s.axis, s.over(1, 0, h), inner, s.over(n-1, n-2, h))
	}
	weights := func(list ...float64) (w [3]Array) {
		for i, x := range list {
			w[i] = s.Do(op.TrueDiv, x, h)
		}
		return w
	}
	return s.Join(s.axis, s.first(weights(-1.5, 2, -0.5)), inner, s.last(weights(0.5, -2, 1.5)))
}

// uneven is the slopes of elements between which there are widths.
func (s slopes) uneven(widths Array, edge int) Array {
	n := s.n
	width := func(i int) Array { return s.At(widths, 0, i) }
	inner := s.Part(s.x, s.axis, 0, n-2)
	if n > 2 {
		h1, h2 := alongAxis(s.Algebra, s.Part(widths, 0, 0, n-2), s.axis, s.x.Rank()), alongAxis(s.Algebra, s.Part(widths, 0, 1, n-1), s.axis, s.x.Rank())
		both := s.Do(op.Add, h1, h2)
		inner = s.weighted([3]Array{
			s.Do(op.TrueDiv, s.Do(op.Neg, h2), s.Do(op.Mul, h1, both)),
			s.Do(op.TrueDiv, s.Do(op.Sub, h2, h1), s.Do(op.Mul, h1, h2)),
			s.Do(op.TrueDiv, h1, s.Do(op.Mul, h2, both)),
		}, inner, s.Part(s.x, s.axis, 1, n-1), s.Part(s.x, s.axis, 2, n))
	}
	if edge == 1 {
		return s.Join(s.axis, s.over(1, 0, width(0)), inner, s.over(n-1, n-2, width(n-2)))
	}
	start, end := s.ends(width(0), width(1)), s.ends(width(n-2), width(n-3))
	end[0], end[2] = end[2], end[0]
	return s.Join(s.axis, s.first(start), inner, s.Do(op.Neg, s.last(end)))
}

// ends are the weights of three elements for the slope at an end, from which the distances are h1
// and then h2.
func (s slopes) ends(h1, h2 Array) [3]Array {
	both := s.Do(op.Add, h1, h2)
	twice := s.Do(op.Add, s.Do(op.Mul, 2.0, h1), h2)
	return [3]Array{
		s.Do(op.TrueDiv, s.Do(op.Neg, twice), s.Do(op.Mul, h1, both)),
		s.Do(op.TrueDiv, both, s.Do(op.Mul, h1, h2)),
		s.Do(op.TrueDiv, s.Do(op.Neg, h1), s.Do(op.Mul, h2, both)),
	}
}

// Unwrap adds multiples of a period to angles along an axis, so that neighbours differ by at most
// half of it. Jumps below limit stay. The result is of the type d; if these are integers the period
// is one, too.
func Unwrap(m *Algebra, x *tensor.Dense, d kernels.DType, limit, period float64, axis int) (Array, error) {
	if x.Dim(axis) < 2 {
		return x.AsType(d), nil
	}
	wide, half, scalar := d, period/2, func(v float64) any { return v }
	least := max(limit, half)
	if d.IsInteger() { // wide enough for multiples of the period
		wide, half, scalar = kernels.Int64, math.Floor(half), func(v float64) any { return int(v) }
	}
	step := Array(done(tensor.Diff(x, 1, axis))) // in the type of x, in which it may wrap
	jump := m.Cast(step, wide)
	rest := m.Do(op.Sub, m.Do(op.Mod, m.Do(op.Add, jump, scalar(half)), scalar(period)), scalar(half))
	if 2*half == period { // a jump of half a period stays
		rest = m.Do(op.Switch, m.Do(op.And, m.Do(op.Eq, rest, scalar(-half)), m.Do(op.Gt, jump, 0)), tensor.Scalar(wide, half), rest)
	}
	if !step.DType().IsBool() {
		step = m.Do(op.Abs, step)
	}
	add := m.Do(op.Switch, m.Do(op.Lt, step, least), tensor.Scalar(wide, 0), m.Do(op.Sub, rest, jump))
	sums := done(tensor.Scan("sum", add.(*tensor.Dense), axis, wide, m.Stop))
	return m.Join(axis, m.Cast(m.Part(x, axis, 0, 1), d), m.Cast(m.Do(op.Add, m.Part(x, axis, 1, Rest), sums), d)), nil
}
