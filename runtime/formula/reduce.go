package formula

import (
	"fmt"
	"slices"

	"github.com/arignote/arignote/kernels"
	"github.com/arignote/arignote/runtime/graph"
	"github.com/arignote/arignote/runtime/op"
	"github.com/arignote/arignote/runtime/tensor"
)

// V is a symbolic variable.
type V = *graph.Variable

// A Reducer reduces x along axes, which the result lacks.
type Reducer func(b *graph.Builder, x V, axes tensor.Axes) V

// Reduce is the Reducer of an operation.
func Reduce(kind op.Reduction) Reducer {
	return func(b *graph.Builder, x V, axes tensor.Axes) V { return b.Apply(op.Reduce{Kind: kind, Axes: axes}, x) }
}

// KeepAxes gives a reduction's result the axes back, of the rank that x had, with length 1.
func KeepAxes(b *graph.Builder, v V, axes tensor.Axes, rank int) V {
	if axes.None() {
		return v
	}
	return b.Apply(op.NewDimShuffle(op.Restore(axes, rank)), v)
}

// Deviation is x less its mean along axes.
func Deviation(b *graph.Builder, x V, axes tensor.Axes) V {
	return b.Apply(op.Sub, x, KeepAxes(b, op.Mean(b, x, axes), axes, x.Type.Rank()))
}

// A Variation is a way of computing a variance.
type Variation int

// Corrected takes sum(x - mean)**2 / n off the sum of squares: it would be 0 if the mean were not
// rounded (T. F. Chan, G. H. Golub and R. J. LeVeque, Algorithms for computing the sample variance,
// 1983).
const Corrected Variation = 1

// Spreading is Variance or its like.
type Spreading func(b *graph.Builder, x V, axes tensor.Axes, ddof float64, how ...Variation) V

// Variance is the mean of the squared distance from the mean, sum((x - mean)**2) / max(n - ddof,
// 0), as a float.
func Variance(b *graph.Builder, x V, axes tensor.Axes, ddof float64, how ...Variation) V {
	if !x.Type.DType.IsFloat() {
		x = b.Apply(op.Cast(kernels.Float64), x)
	}
	distance := Deviation(b, x, axes)
	squares := b.Apply(op.Sqr, distance)
	if slices.Contains(how, Corrected) {
		// Each square gives what its share of the sum of distances is.
		rest := b.Apply(op.Sqr, op.Mean(b, distance, axes))
		squares = b.Apply(op.Sub, squares, KeepAxes(b, rest, axes, x.Type.Rank()))
	}
	if ddof == 0 {
		return op.Mean(b, squares, axes)
	}
	sum := b.Apply(op.Reduce{Kind: op.Sum, Axes: axes}, squares)
	n := b.Apply(op.Cast(sum.Type.DType), op.Count(b, x, axes))
	d := sum.Type.DType
	return b.Apply(op.TrueDiv, sum, b.Apply(op.Maximum, b.Apply(op.Sub, n, b.Number(d, ddof)), b.Number(d, 0)))
}

// Std is the square root of the Variance.
func Std(b *graph.Builder, x V, axes tensor.Axes, ddof float64, how ...Variation) V {
	return b.Apply(op.Sqrt, Variance(b, x, axes, ddof, how...))
}

// Ptp is the largest element less the smallest.
func Ptp(b *graph.Builder, x V, axes tensor.Axes) V {
	return b.Apply(op.Sub, b.Apply(op.Reduce{Kind: op.Max, Axes: axes}, x), b.Apply(op.Reduce{Kind: op.Min, Axes: axes}, x))
}

// Truth is whether elements differ from 0.
func Truth(b *graph.Builder, x V) V {
	if x.Type.DType.IsBool() {
		return x
	}
	return b.Apply(op.Neq, x, b.Like(x, 0))
}

// Truths is the Reducer of whether any or all elements differ from 0.
func Truths(kind op.Reduction) Reducer {
	return func(b *graph.Builder, x V, axes tensor.Axes) V { return Reduce(kind)(b, Truth(b, x), axes) }
}

// Norm is the l-th norm: the l-th root of the sum of |x|**l.
func Norm(b *graph.Builder, x V, l float64, axes tensor.Axes) (V, error) {
	if !(l > 0) {
		return nil, fmt.Errorf("for parameter L: got %v, want a positive number", l)
	}
	if l != 1 && !x.Type.DType.IsFloat() {
		x = b.Apply(op.Cast(kernels.Float64), x)
	}
	sum := func(v V) V { return b.Apply(op.Reduce{Kind: op.Sum, Axes: axes}, v) }
	switch l {
	case 1:
		return sum(b.Apply(op.Abs, x)), nil
	case 2:
		return b.Apply(op.Sqrt, sum(b.Apply(op.Sqr, x))), nil
	}
	total := sum(b.Apply(op.Pow, b.Apply(op.Abs, x), b.Like(x, l)))
	return b.Apply(op.Pow, total, b.Like(total, 1/l)), nil
}

// LogSumExp is log(sum(exp(x))) without overflow: the maximum is taken out, and an infinite one not
// subtracted.
func LogSumExp(b *graph.Builder, x V, axes tensor.Axes) V {
	if !x.Type.DType.IsFloat() {
		x = b.Apply(op.Cast(kernels.Float64), x)
	}
	rank := x.Type.Rank()
	largest := b.Apply(op.Reduce{Kind: op.Max, Axes: axes}, x)
	base := b.Apply(op.Switch, b.Apply(op.IsInf, largest), b.Like(largest, 0), largest)
	sum := b.Apply(op.Reduce{Kind: op.Sum, Axes: axes}, b.Apply(op.Exp, b.Apply(op.Sub, x, KeepAxes(b, base, axes, rank))))
	return b.Apply(op.Add, b.Apply(op.Log, sum), base)
}

// Extreme is the position of the largest element along axes, of the smallest if least: among the
// elements along several axes in C order.
func Extreme(b *graph.Builder, x V, axes tensor.Axes, least, keepdims bool) V {
	rank := x.Type.Rank()
	o, v := op.Argmax{Min: least}, x
	if list := axes.List(); len(list) == 1 {
		o.Axis = list[0]
	} else {
		v, _ = lines(b, x, axes)
		o.Axis = v.Type.Rank() - 1
	}
	z := b.Apply(o, v)
	if keepdims {
		z = KeepAxes(b, z, axes, rank)
	}
	return z
}
