package array

import (
	"math"

	"github.com/arignote/arignote/kernels"
	"github.com/arignote/arignote/kernels/linalg"
	"github.com/arignote/arignote/runtime/op"
	"github.com/arignote/arignote/runtime/tensor"
)

// Euclidean is Norm of the second order for vectors along an axis, or for all elements where there
// are none, by the kernels for products and sums. Where squares may have been too large or too
// small for that it is Norm, which scales them.
func Euclidean(c Calculator, d *tensor.Dense, axes []int, keep bool) (*tensor.Dense, error) {
	z, ok, err := c.rootOfSquares(d, axes)
	if err != nil {
		return nil, err
	}
	if !ok {
		two := func(m linalg.Matrix) (float64, error) { return linalg.VectorNorm(m.Data, 2, nil) }
		return Norm(c, d, axes, two, false, keep)
	}
	if keep {
		return keepAxes(z, d.Shape(), axes)
	}
	return z, nil
}

// Magnitudes are the orders of norms of vectors that are one reduction of the absolute elements.
var Magnitudes = map[float64]op.Reduction{1: op.Sum, math.Inf(1): op.Max, math.Inf(-1): op.Min}

// MagnitudeNorm is the norms of vectors along an axis that kind makes of the absolute elements.
func MagnitudeNorm(c Calculator, d *tensor.Dense, axis int, kind op.Reduction, keep bool) (*tensor.Dense, error) {
	absolute, err := c.Elementwise(op.Abs, AsReal(d))
	if err != nil {
		return nil, err
	}
	z, err := c.Reduce(kind, absolute, tensor.AxesOf(axis))
	absolute.Release()
	if err == nil && keep {
		return keepAxes(z, d.Shape(), []int{axis})
	}
	return z, err
}

// rootOfSquares is the root of the sums of squares, and whether no square may have overflowed, or
// vanished although it counts.
func (c Calculator) rootOfSquares(d *tensor.Dense, axes []int) (z *tensor.Dense, ok bool, err error) {
	if !d.DType().IsFloat() {
		d = d.AsType(kernels.Float64)
	}
	if len(axes) == 0 {
		flat, err := d.Reshape(-1)
		if err != nil {
			return nil, false, err
		}
		z, err = c.Dot(flat, flat)
		if err != nil {
			return nil, false, err
		}
	} else {
		squares, err := c.Elementwise(op.Sqr, d)
		if err != nil {
			return nil, false, err
		}
		z, err = c.Sum(squares, tensor.AxesOf(axes...))
		if squares.Release(); err != nil {
			return nil, false, err
		}
	}
	least, most := 0x1p-900, 0x1p1000
	if d.DType() == kernels.Float32 {
		least, most = 0x1p-90, 0x1p120
	}
	for _, sum := range z.Floats() {
		if !(sum > least && sum < most) {
			return nil, false, nil
		}
	}
	z, err = c.Elementwise(op.Sqrt, z)
	return z, err == nil, err
}
