package formula

import (
	"fmt"

	"github.com/arignote/arignote/kernels"
	"github.com/arignote/arignote/runtime/graph"
	"github.com/arignote/arignote/runtime/op"
	"github.com/arignote/arignote/runtime/tensor"
)

// Observations is variables whose rows, or columns, are their values, one below the other: a
// float64 matrix.
func Observations(b *graph.Builder, list []V, columns bool) (V, error) {
	rows := make([]V, len(list))
	for i, v := range list {
		if v.Type.Rank() > 2 {
			return nil, fmt.Errorf("got %s, want at most 2 dimensions", graph.Mention(v))
		}
		vector := v.Type.Rank() < 2
		rows[i] = Cast(b, AtLeast(b, v, 2), kernels.Float64)
		if columns && !vector && v.Type.Dim(0) != 1 {
			rows[i] = op.Transpose(b, rows[i])
		}
	}
	return Join(b, 0, rows)
}

// Weights are those of observations; each is nil or a vector.
type Weights struct {
	Frequencies V // how often each counts
	Importances V
}

// Covariance is that of the rows of x, [k,n]: the sums of products of distances from the means, by
// the number of observations less ddof. It is [k,k], or a scalar if k is known to be 1. Weights are
// those of numpy.cov.
func Covariance(b *graph.Builder, x V, ddof float64, weights Weights) (V, error) {
	var w V
	for _, p := range []struct {
		name string
		v    V
	}{{"fweights", weights.Frequencies}, {"aweights", weights.Importances}} {
		switch {
		case p.v == nil:
			continue
		case p.v.Type.Rank() != 1:
			return nil, fmt.Errorf("for parameter %s: got %s, want a weight for each observation", p.name, graph.Mention(p.v))
		case w == nil:
			w = double(b, p.v)
		default:
			w = b.Apply(op.Mul, w, double(b, p.v))
		}
	}
	along := tensor.AxesOf(1)
	total := double(b, op.Lengths(b, x)[1])
	centre, sum := op.Mean(b, x, along), func(v V) V { return b.Apply(op.Reduce{Kind: op.Sum, Axes: tensor.AxesOf(0)}, v) }
	var row V
	if w != nil {
		total, row = sum(w), Pad(b, w, 1, true)
		centre = b.Apply(op.TrueDiv, b.Apply(op.Reduce{Kind: op.Sum, Axes: along}, b.Apply(op.Mul, x, row)), total)
	}
	taken := b.Number(kernels.Float64, ddof)
	if weights.Importances != nil && ddof != 0 {
		taken = b.Apply(op.TrueDiv, b.Apply(op.Mul, taken, sum(b.Apply(op.Mul, w, double(b, weights.Importances)))), total)
	}
	factor := b.Apply(op.Maximum, b.Apply(op.Sub, total, taken), b.Number(kernels.Float64, 0))
	x = b.Apply(op.Sub, x, KeepAxes(b, centre, along, 2))
	weighted := x
	if w != nil {
		weighted = b.Apply(op.Mul, x, row)
	}
	z, err := Dot(b, x, op.Transpose(b, weighted))
	if err != nil {
		return nil, err
	}
	if z = b.Apply(op.TrueDiv, z, factor); z.Type.Dim(0) == 1 {
		z = Reshape(b, z, nil)
	}
	return z, nil
}

// Correlation is that of the rows of x: covariances by the standard deviations, from -1 to 1.
func Correlation(b *graph.Builder, x V) (V, error) {
	z, err := Covariance(b, x, 1, Weights{})
	if err != nil {
		return nil, err
	}
	if z.Type.Rank() == 0 {
		return b.Apply(op.TrueDiv, z, z), nil
	}
	variance, err := Diagonal(b, z, 0, 0, 1)
	if err != nil {
		return nil, err
	}
	deviation := b.Apply(op.Sqrt, variance)
	z = b.Apply(op.TrueDiv, b.Apply(op.TrueDiv, z, KeepAxes(b, deviation, tensor.AxesOf(1), 2)), Pad(b, deviation, 1, true))
	return b.Apply(op.Maximum, b.Apply(op.Minimum, z, b.Like(z, 1)), b.Like(z, -1)), nil
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

// Average is the mean of x along axes, each element counted by its weight, and the sum of the
// weights, which are of x's shape, or a vector along the one axis.
func Average(b *graph.Builder, x, weights V, axes tensor.Axes) (mean, total V, err error) {
	if !x.Type.DType.IsFloat() {
		x = double(b, x)
	}
	if weights == nil {
		mean = op.Mean(b, x, axes)
		return mean, b.Apply(op.Second, mean, b.Apply(op.Cast(mean.Type.DType), op.Count(b, x, axes))), nil
	}
	rank := x.Type.Rank()
	if list := axes.List(); weights.Type.Rank() == 1 && rank > 1 && len(list) == 1 {
		weights = KeepAxes(b, weights, tensor.AllAxes(rank).Without(axes), rank)
	}
	if weights.Type.Rank() != rank {
		return nil, nil, fmt.Errorf("for parameter weights: got %s, want the shape of %s, or a vector along one axis", graph.Mention(weights), graph.Mention(x))
	}
	weights = b.Apply(op.Second, x, Cast(b, weights, kernels.Promote(weights.Type.DType, x.Type.DType)))
	total = b.Apply(op.Reduce{Kind: op.Sum, Axes: axes}, weights)
	return b.Apply(op.TrueDiv, b.Apply(op.Reduce{Kind: op.Sum, Axes: axes}, b.Apply(op.Mul, x, weights)), total), total, nil
}
