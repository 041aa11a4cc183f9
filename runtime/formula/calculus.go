package formula

import (
	"fmt"

	"github.com/arignote/arignote/kernels"
	"github.com/arignote/arignote/runtime/graph"
	"github.com/arignote/arignote/runtime/op"
	"github.com/arignote/arignote/runtime/tensor"
)

// whole is x as numbers: int64 of bools.
func whole(b *graph.Builder, x V) V {
	if x.Type.DType.IsBool() {
		return Cast(b, x, kernels.Int64)
	}
	return x
}

// neighbours are the elements along an axis but the first, and all but the last.
func neighbours(m *Algebra, x Array, axis int) (after, before Array) {
	return m.Part(x, axis, 1, Rest), m.Part(x, axis, 0, -1)
}

// difference is that of neighbours along an axis: of bools, whether they differ.
func difference(m *Algebra, x Array, axis int) Array {
	of := op.Sub
	if x.DType().IsBool() {
		of = op.Neq
	}
	after, before := neighbours(m, x, axis)
	return m.Do(of, after, before)
}

// Trapezoid is the integral of y along an axis by the trapezoidal rule: over the coordinates x, a
// vector or as many as y has, or over steps of dx if x is nil. A
// negative axis counts from the end.
func Trapezoid(m *Algebra, y, x Array, dx float64, at int) (Array, error) {
	axis, err := tensor.NormalizeAxis(at, y.Rank())
	if err != nil {
		return nil, err
	}
	width := any(dx)
	switch {
	case x == nil:
	case x.Rank() == 1:
		width = alongAxis(m, difference(m, x, 0), axis, y.Rank())
	default:
		along, err := tensor.NormalizeAxis(at, x.Rank()) // from its own end
		if err != nil {
			return nil, err
		}
		width = difference(m, x, along)
	}
	after, before := neighbours(m, y, axis)
	area := m.Do(op.TrueDiv, m.Do(op.Mul, width, m.Do(op.Add, after, before)), 2.0)
	if axis, err = tensor.NormalizeAxis(at, area.Rank()); err != nil {
		return nil, err
	}
	return m.Reduce(op.Sum, area, tensor.AxesOf(axis)), nil
}

// Differences are those of neighbours among all elements of x, between what goes before and after
// them, either of which may be nil, and takes the type d.
func Differences(m *Algebra, x, before, after Array, d kernels.DType) Array {
	list := make([]Array, 0, 3)
	next, last := neighbours(m, flat(m, x), 0)
	for _, v := range []Array{before, m.Do(op.Sub, next, last), after} {
		if v == nil {
			continue
		}
		if d != kernels.Invalid {
			v = m.Cast(v, d)
		}
		list = append(list, flat(m, v))
	}
	return m.Join(0, list...)
}

// Vander is the matrix of the powers of a vector: a row for each element, from n-1 down to 0 or, if
// increasing, from 0 up. n is an int64 scalar.
func Vander(b *graph.Builder, x, n V, increasing bool) (V, error) {
	if x.Type.Rank() != 1 {
		return nil, fmt.Errorf("got %s, want a vector", graph.Mention(x))
	}
	k := UpTo(b, n)
	if !increasing {
		k = b.Apply(op.Sub, b.Apply(op.Sub, n, Int(b, 1)), k)
	}
	// Of the power 0 the base does not matter, but in the gradient, where 0 would be divided by.
	base, row := Pad(b, whole(b, x), 1, false), Pad(b, k, 1, true)
	none := b.Apply(op.Eq, row, Int(b, 0))
	if x.Type.DType.IsFloat() {
		row = Cast(b, row, x.Type.DType)
	}
	base = b.Apply(op.Switch, none, b.Like(base, 1), base)
	return b.Apply(op.Pow, base, row), nil
}

// Polynomial is the polynomial with the coefficients p, a vector with the highest power first, at
// x.
func Polynomial(b *graph.Builder, p, x V) (V, error) {
	if p.Type.Rank() != 1 {
		return nil, fmt.Errorf("for parameter p: got %s, want a vector of coefficients", graph.Mention(p))
	}
	d := kernels.Promote(whole(b, p).Type.DType, whole(b, x).Type.DType)
	powers, err := Vander(b, Cast(b, Ravel(b, x), d), op.Lengths(b, p)[0], false)
	if err != nil {
		return nil, err
	}
	terms := b.Apply(op.Mul, powers, Pad(b, Cast(b, p, d), 1, true))
	return Reshape(b, Cast(b, b.Apply(op.Reduce{Kind: op.Sum, Axes: tensor.AxesOf(1)}, terms), d), op.Lengths(b, x)), nil
}

// Cross is the cross product of vectors of 3 elements, or of 2: then the component that stands on
// their plane. They lie along axis i of x and axis j of y, and along axis k of the result.
func Cross(m *Algebra, x, y Array, i, j, k int) (Array, error) {
	n := [2]int{}
	for s, v := range []struct {
		name string
		x    Array
		axis *int
	}{{"a", x, &i}, {"b", y, &j}} {
		axis, err := tensor.NormalizeAxis(*v.axis, v.x.Rank())
		if err != nil {
			return nil, fmt.Errorf("for parameter %s: %w", v.name, err)
		}
		if *v.axis, n[s] = axis, v.x.Dim(axis); n[s] == graph.Unknown {
			return nil, fmt.Errorf("the length of axis %d of %s is not known before the function runs, want 2 or 3; T.specify_shape says it", axis, m.Mention(v.x))
		}
	}
	if min(n[0], n[1]) < 2 || max(n[0], n[1]) > 3 {
		return nil, fmt.Errorf("got vectors of %d and %d elements, want 2 or 3", n[0], n[1])
	}
	product := func(p, q int) Array {
		if p >= n[0] || q >= n[1] { // the third element of a vector of 2
			return nil
		}
		return m.Do(op.Mul, m.At(x, i, p), m.At(y, j, q))
	}
	component := func(p, q int) Array {
		plus, minus := product(p, q), product(q, p)
		switch {
		case plus == nil:
			return m.Do(op.Neg, minus)
		case minus == nil:
			return plus
		}
		return m.Do(op.Sub, plus, minus)
	}
	z := component(0, 1)
	if n == [2]int{2, 2} {
		return z, nil
	}
	rank := z.Rank() + 1
	k, err := tensor.NormalizeAxis(k, rank)
	if err != nil {
		return nil, err
	}
	list := []Array{component(1, 2), component(2, 0), z}
	for i, c := range list {
		list[i] = m.Permute(c, op.Restore(tensor.AxesOf(k), rank)...)
	}
	return m.Join(k, list...), nil
}
