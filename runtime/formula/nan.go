package formula

import (
	"fmt"
	"math"

	"github.com/arignote/arignote/runtime/graph"
	"github.com/arignote/arignote/runtime/op"
	"github.com/arignote/arignote/runtime/tensor"
)

// WithoutNaN is x with another number in the place of nan.
func WithoutNaN(b *graph.Builder, x V, other float64) V {
	if !x.Type.DType.IsFloat() {
		return x
	}
	return b.Apply(op.Switch, b.Apply(op.IsNaN, x), b.Like(x, other), x)
}

// numbers is how many elements along axes are not nan, in x's type; x is of floats.
func numbers(b *graph.Builder, x V, axes tensor.Axes) V {
	return b.Apply(op.Reduce{Kind: op.Sum, Axes: axes}, b.Apply(op.Cast(x.Type.DType), b.Apply(op.Invert, b.Apply(op.IsNaN, x))))
}

// NaNFold is the Reducer of a sum or product that nan does not change.
func NaNFold(kind op.Reduction) Reducer {
	return func(b *graph.Builder, x V, axes tensor.Axes) V {
		neutral, _ := kind.Identity()
		return Reduce(kind)(b, WithoutNaN(b, x, float64(neutral)), axes)
	}
}

// NaNMean is the mean of what is not nan; nan where nothing is.
func NaNMean(b *graph.Builder, x V, axes tensor.Axes) V {
	if !x.Type.DType.IsFloat() {
		return op.Mean(b, x, axes)
	}
	return b.Apply(op.TrueDiv, NaNFold(op.Sum)(b, x, axes), numbers(b, x, axes))
}

// NaNVariance is the Variance of what is not nan; nan where no more than ddof elements are not.
func NaNVariance(b *graph.Builder, x V, axes tensor.Axes, ddof float64, _ ...Variation) V {
	if !x.Type.DType.IsFloat() {
		return Variance(b, x, axes, ddof)
	}
	squares := b.Apply(op.Sqr, b.Apply(op.Sub, x, KeepAxes(b, NaNMean(b, x, axes), axes, x.Type.Rank())))
	// That of an infinity, which is nan, counts.
	squares = b.Apply(op.Switch, b.Apply(op.IsNaN, x), b.Like(x, 0), squares)
	n := numbers(b, x, axes)
	z := b.Apply(op.TrueDiv, Reduce(op.Sum)(b, squares, axes), b.Apply(op.Sub, n, b.Like(n, ddof)))
	return b.Apply(op.Switch, b.Apply(op.Gt, n, b.Like(n, ddof)), z, b.Like(z, math.NaN()))
}

// NaNStd is the square root of the NaNVariance.
func NaNStd(b *graph.Builder, x V, axes tensor.Axes, ddof float64, _ ...Variation) V {
	return b.Apply(op.Sqrt, NaNVariance(b, x, axes, ddof))
}

// beyond is what no element exceeds in the sense of a maximum, or of a minimum if least.
func beyond(least bool) float64 {
	if least {
		return math.Inf(1)
	}
	return math.Inf(-1)
}

// NaNExtreme is the Reducer of the largest or smallest element that is not nan; nan where all are.
func NaNExtreme(kind op.Reduction) Reducer {
	return func(b *graph.Builder, x V, axes tensor.Axes) V {
		z := Reduce(kind)(b, WithoutNaN(b, x, beyond(kind == op.Min)), axes)
		if !x.Type.DType.IsFloat() {
			return z
		}
		none := b.Apply(op.Reduce{Kind: op.All, Axes: axes}, b.Apply(op.IsNaN, x))
		return b.Apply(op.Switch, none, b.Like(z, math.NaN()), z)
	}
}

// NaNAt is Extreme of what is not nan. That a slice has nothing else is an error when it is
// computed.
func NaNAt(b *graph.Builder, x V, axes tensor.Axes, least, keepdims bool) V {
	if x.Type.DType.IsFloat() {
		some := b.Apply(op.Invert, b.Apply(op.Reduce{Kind: op.All, Axes: axes}, b.Apply(op.IsNaN, x)))
		name := map[bool]string{false: "nanargmax", true: "nanargmin"}[least]
		x = checked(b, WithoutNaN(b, x, beyond(least)), some, "ValueError", fmt.Sprintf("%s: got a slice of nan alone along %s", name, axesText(axes)))
	}
	return Extreme(b, x, axes, least, keepdims)
}

// axesText names axes in a message.
func axesText(axes tensor.Axes) string {
	switch list := axes.List(); len(list) {
	case 1:
		return fmt.Sprintf("axis %d", list[0])
	default:
		return fmt.Sprintf("axes %v", list)
	}
}

// NaNCumulate is Cumulate of what is not nan.
func NaNCumulate(b *graph.Builder, x V, kind op.Reduction, axis *int) (V, error) {
	neutral, _ := kind.Identity()
	return Cumulate(b, WithoutNaN(b, x, float64(neutral)), kind, axis)
}
