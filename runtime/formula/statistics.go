package formula

import (
	"fmt"
	"strings"

	"github.com/arignote/arignote/kernels"
	"github.com/arignote/arignote/runtime/graph"
	"github.com/arignote/arignote/runtime/op"
	"github.com/arignote/arignote/runtime/tensor"
)

// Observations is variables whose rows, or columns, are their values, one below the other: a
// float64 matrix.
func Observations(m *Algebra, list []Array, columns bool) (Array, error) {
	rows := make([]Array, len(list))
	for i, x := range list {
		if x.Rank() > 2 {
			return nil, fmt.Errorf("got %s, want at most 2 dimensions", m.Mention(x))
		}
		turned := columns && x.Rank() == 2 && x.Dim(0) != 1
		if x = m.Cast(led(m, x, 2), kernels.Float64); turned {
			x = m.Permute(x, 1, 0)
		}
		rows[i] = x
	}
	if len(rows) == 1 {
		return rows[0], nil
	}
	return m.Join(0, rows...), nil
}

// Weights are those of observations; each is nil or a vector.
type Weights struct {
	Frequencies Array // how often each counts
	Importances Array
}

// product of the weights, nil if there are none, for n observations.
func (w *Weights) product(m *Algebra, n int) (product Array, err error) {
	each := "each observation"
	if n != graph.Unknown {
		each = fmt.Sprintf("each of %d observations", n)
	}
	for _, p := range []struct {
		name string
		x    *Array
	}{{"fweights", &w.Frequencies}, {"aweights", &w.Importances}} {
		x := *p.x
		if x == nil {
			continue
		}
		if x.Rank() != 1 || n != graph.Unknown && x.Dim(0) != graph.Unknown && x.Dim(0) != n {
			return nil, fmt.Errorf("for parameter %s: got %s, want a weight for %s", p.name, m.Mention(x), each)
		}
		x = m.Cast(x, kernels.Float64)
		if *p.x = x; product == nil {
			product = x
		} else {
			product = m.Do(op.Mul, product, x)
		}
	}
	return product, nil
}

// Covariance is that of the rows of x, [k,n]: the sums of products of distances from the means, by
// the number of observations less ddof. It is [k,k], or a scalar if k is known to be 1. Weights are
// those of numpy.cov.
func Covariance(m *Algebra, x Array, ddof float64, weights Weights) (Array, error) {
	w, err := weights.product(m, x.Dim(1))
	if err != nil {
		return nil, err
	}
	along := tensor.AxesOf(1)
	total, taken := m.Number(m.Length(x, 1)), any(ddof)
	var centre Array
	if w == nil {
		centre = m.Do(op.TrueDiv, m.Reduce(op.Sum, x, along), total)
	} else {
		sum := func(x Array) any { return m.Item(m.Reduce(op.Sum, x, tensor.AxesOf(0))) }
		total = sum(w)
		centre = m.Do(op.TrueDiv, m.Reduce(op.Sum, m.Do(op.Mul, x, w), along), total)
		if weights.Importances != nil && ddof != 0 {
			taken = number(m, op.TrueDiv, number(m, op.Mul, ddof, sum(m.Do(op.Mul, w, weights.Importances))), total)
		}
	}
	factor := number(m, op.TrueDiv, 1.0, number(m, op.Maximum, number(m, op.Sub, total, taken), 0.0))
	x = m.Do(op.Sub, x, m.Permute(centre, 0, tensor.NewAxis))
	weighted := x
	if w != nil {
		weighted = m.Do(op.Mul, x, w)
	}
	z := m.Do(op.Mul, m.Dot(x, m.Permute(weighted, 1, 0)), factor)
	if z.Dim(0) == 1 {
		z = m.Reshape(z)
	}
	return z, nil
}

// number is a function of numbers and of arrays without axes, a number if both are.
func number(m *Algebra, e op.Elemwise, x, y any) any {
	a, known := x.(float64)
	b, both := y.(float64)
	if !known || !both {
		return m.Do(e, x, y)
	}
	switch e {
	case op.Sub:
		return a - b
	case op.Mul:
		return a * b
	case op.TrueDiv:
		return a / b
	}
	return max(a, b)
}

// Correlation is that of the rows of x: covariances by the standard deviations, from -1 to 1.
func Correlation(m *Algebra, x Array) (Array, error) {
	z, err := Covariance(m, x, 1, Weights{})
	if err != nil {
		return nil, err
	}
	if z.Rank() == 0 {
		return m.Do(op.TrueDiv, z, z), nil
	}
	deviation := m.Do(op.Sqrt, m.Diagonal(z, 0, 1))
	z = m.Do(op.TrueDiv, m.Do(op.TrueDiv, z, m.Permute(deviation, 0, tensor.NewAxis)), deviation)
	return m.Do(op.Minimum, m.Do(op.Maximum, z, -1.0), 1.0), nil
}

// Interp is the values at x of the lines between points (xp, fp), two vectors of which the first
// ascends; left before the first point, and right after the last one, or the values there if these
// are nil. The result is float64 in x's shape.
func Interp(b *graph.Builder, x, xp, fp, left, right V) (V, error) {
	if xp.Type.Rank() != 1 || fp.Type.Rank() != 1 {
		return nil, fmt.Errorf("got points %s and %s, want two vectors of one length", graph.Mention(xp), graph.Mention(fp))
	}
	x, xp, fp = double(b, x), double(b, xp), double(b, fp)
	n := op.Lengths(b, xp)[0]
	same := b.Apply(op.And, b.Apply(op.Eq, n, op.Lengths(b, fp)[0]), b.Apply(op.Gt, n, Int(b, 0)))
	fp = checked(b, fp, same, "ValueError", "interp: got points xp and fp of different lengths, or none")
	last := b.Apply(op.Sub, n, Int(b, 1))
	at := func(v, places V) V {
		if places.Type.Rank() == 1 {
			return b.Apply(op.Take{}, v, places)
		}
		return Reshape(b, b.Apply(op.Take{}, v, Ravel(b, places)), op.Lengths(b, places))
	}
	above := b.Apply(op.SearchSorted{Right: true}, xp, x)
	i := limited(b, b.Apply(op.Sub, above, Int(b, 1)), n)
	j := b.Apply(op.Minimum, b.Apply(op.Add, i, Int(b, 1)), last)
	x0, y0, x1, y1 := at(xp, i), at(fp, i), at(xp, j), at(fp, j)
	run := b.Apply(op.Sub, x1, x0)
	flat := b.Apply(op.Eq, run, b.Like(run, 0)) // at the last point, or beyond
	slope := b.Apply(op.TrueDiv, b.Apply(op.Sub, y1, y0), b.Apply(op.Switch, flat, b.Like(run, 1), run))
	z := b.Apply(op.Add, b.Apply(op.Mul, slope, b.Apply(op.Sub, x, x0)), y0)
	z = b.Apply(op.Switch, b.Apply(op.Or, flat, b.Apply(op.Eq, x, x0)), y0, z)
	end := func(v V, i int) V {
		if v != nil {
			return double(b, v)
		}
		return At(b, fp, 0, i)
	}
	z = b.Apply(op.Switch, b.Apply(op.Eq, above, Int(b, 0)), end(left, 0), z)
	z = b.Apply(op.Switch, b.Apply(op.Gt, x, At(b, xp, 0, -1)), end(right, -1), z)
	return b.Apply(op.Switch, b.Apply(op.IsNaN, x), x, z), nil
}

// Average is the mean of x along axes, each element counted by its weight, and the sums of the
// weights, which are of x's shape, or a vector along the one axis. Without weights the sums are nil
// unless they are wanted.
func Average(m *Algebra, x, weights Array, axes tensor.Axes, wanted bool) (mean, total Array, err error) {
	x = floats(m, x)
	if weights == nil {
		if mean = meanOf(m, x, axes); wanted {
			total = m.Cast(m.Do(op.Second, mean, countOf(m, x, axes, mean.DType())), mean.DType())
		}
		return mean, total, nil
	}
	rank := x.Rank()
	fits := weights.Rank() == rank
	for axis := 0; fits && axis < rank; axis++ {
		fits = maySame(weights.Dim(axis), x.Dim(axis))
	}
	if weights.Rank() == 1 && rank > 1 {
		if list := axes.List(); len(list) == 1 && maySame(weights.Dim(0), x.Dim(list[0])) {
			weights, fits = alongAxis(m, weights, list[0], rank), true
		}
	}
	if !fits {
		return nil, nil, fmt.Errorf("for parameter weights: got %s, want that of a, %s, or a vector along axis", m.Mention(weights),
			strings.TrimPrefix(m.Mention(x), "shape "))
	}
	weights = m.BroadcastTo(m.Cast(weights, kernels.Promote(weights.DType(), x.DType())), x)
	total = m.Reduce(op.Sum, weights, axes)
	return m.Do(op.TrueDiv, m.Reduce(op.Sum, m.Do(op.Mul, x, weights), axes), total), total, nil
}
