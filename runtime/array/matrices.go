package array

import (
	"fmt"
	"slices"

	"github.com/arignote/arignote/kernels"
	"github.com/arignote/arignote/kernels/linalg"
	"github.com/arignote/arignote/runtime/op"
	"github.com/arignote/arignote/runtime/tensor"
)

// Matrices is an array of at least two axes: a stack of matrices, in the order of the leading axes,
// as package linalg computes with them.
type Matrices struct {
	Lead       []int
	Rows, Cols int
	DType      kernels.DType  // of results: float32 or float64
	Product    linalg.Product // what they are multiplied with; nil: Gonum's
	data       []float64
}

// FloatType is the type of results for an argument: float32 stays, and all others are float64.
func FloatType(d kernels.DType) kernels.DType {
	if d == kernels.Float32 {
		return d
	}
	return kernels.Float64
}

// Precision is the distance of 1 to the next number of a float type.
func Precision(d kernels.DType) float64 {
	if d == kernels.Float32 {
		return 0x1p-23
	}
	return 0x1p-52
}

// MatricesOf reads an array as matrices.
func MatricesOf(d *tensor.Dense) (Matrices, error) {
	n := d.Rank() - 2
	if n < 0 {
		return Matrices{}, fmt.Errorf("got shape %s, want a matrix", tensor.ShapeString(d.Shape()))
	}
	return Matrices{Lead: d.Shape()[:n], Rows: d.Dim(n), Cols: d.Dim(n + 1), DType: FloatType(d.DType()), data: d.Floats()}, nil
}

// Square returns why the matrices are not square, if so.
func (m Matrices) Square() error {
	if m.Rows != m.Cols {
		return fmt.Errorf("got shape %s, want square matrices", tensor.ShapeString(append(slices.Clone(m.Lead), m.Rows, m.Cols)))
	}
	return nil
}

// Len is how many matrices there are.
func (m Matrices) Len() int { return tensor.Size(m.Lead) }

// At is matrix i.
func (m Matrices) At(i int) linalg.Matrix {
	n := m.Rows * m.Cols
	return linalg.Matrix{Rows: m.Rows, Cols: m.Cols, Data: m.data[i*n : (i+1)*n], Product: m.Product}
}

// Each computes with every matrix. f returns the elements of its results, which have the given
// shapes; they come back as arrays of the leading axes and these. stop is asked before each matrix
// whether to end with an error.
func (m Matrices) Each(stop func() error, f func(i int) ([][]float64, error), shapes ...[]int) ([]*tensor.Dense, error) {
	results := make([]*tensor.Dense, len(shapes))
	for k, shape := range shapes {
		full := slices.Concat(m.Lead, shape)
		if err := checkShape(full); err != nil {
			return nil, err
		}
		results[k] = tensor.Empty(kernels.Float64, full...)
	}
	for i := range m.Len() {
		if err := stop(); err != nil {
			return nil, err
		}
		parts, err := f(i)
		if err != nil {
			return nil, err
		}
		for k, part := range parts {
			n := tensor.Size(shapes[k])
			copy(tensor.Elements[float64](results[k])[i*n:(i+1)*n], part)
		}
	}
	for k, z := range results {
		if m.DType != kernels.Float64 {
			results[k] = z.AsType(m.DType)
		}
	}
	return results, nil
}

// each is Each with one result for each matrix, a number. An interrupt ends it between two of them
// and, if f is cubic as decompositions are, in the middle of one.
func (m Matrices) each(c Calculator, cubic bool, f func(linalg.Matrix) (float64, error)) (*tensor.Dense, error) {
	flops := 4 * float64(m.Rows) * float64(m.Cols) * float64(min(m.Rows, m.Cols))
	z, err := m.Each(c.stopped, func(i int) ([][]float64, error) {
		a := m.At(i)
		if !cubic {
			x, err := f(a)
			return [][]float64{{x}}, err
		}
		a.Data = slices.Clone(a.Data) // a routine that is left behind must not read others' memory
		x := make([]float64, 1)
		err := op.Interruptible(c.Stop, flops, func() (err error) {
			x[0], err = f(a)
			return err
		})
		return [][]float64{x}, err
	}, []int{})
	if err != nil {
		return nil, err
	}
	return z[0], nil
}

// Norm scales squares that are too large or too small, which formula.VectorNorm does not. It is the
// norms of vectors along an axis, or of matrices along two, of which the first is that
// of rows. Without axes it is the root of the sum of the squares of all elements. The axes are
// dropped, or stay with length 1 if keep. cubic says that norm decomposes matrices.
func Norm(c Calculator, d *tensor.Dense, axes []int, norm func(linalg.Matrix) (float64, error), cubic, keep bool) (*tensor.Dense, error) {
	var z *tensor.Dense
	if len(axes) == 0 {
		x, err := linalg.VectorNorm(d.Floats(), 2, nil)
		if err != nil {
			return nil, err
		}
		z = tensor.Scalar(kernels.Float64, x).AsType(FloatType(d.DType()))
	} else {
		order := append(Without(d.Rank(), axes), axes...)
		if len(axes) == 1 {
			order = append(order, tensor.NewAxis)
		}
		moved, err := d.DimShuffle(order)
		if err != nil {
			return nil, err
		}
		m, err := MatricesOf(moved)
		if err != nil {
			return nil, err
		}
		if z, err = m.each(c, cubic, norm); err != nil {
			return nil, err
		}
	}
	if keep {
		return keepAxes(z, d.Shape(), axes)
	}
	return z, nil
}

// keepAxes is z with length 1 along the axes that an array of a shape lost, all of them where axes
// is empty.
func keepAxes(z *tensor.Dense, shape, axes []int) (*tensor.Dense, error) {
	shape = slices.Clone(shape)
	for axis := range shape {
		if len(axes) == 0 || slices.Contains(axes, axis) {
			shape[axis] = 1
		}
	}
	return z.Reshape(shape...)
}

// Cond is the condition numbers of matrices.
func Cond(c Calculator, m Matrices, norm linalg.NormOrder) (*tensor.Dense, error) {
	return m.each(c, true, func(a linalg.Matrix) (float64, error) { return linalg.Cond(a, norm) })
}

// MatrixRank is how many singular values are above tol; if that is negative, above the largest
// times the precision of the type. Of a vector it is whether it is not zero.
func MatrixRank(c Calculator, d *tensor.Dense, tol float64, product linalg.Product) (*tensor.Dense, error) {
	if d.Rank() < 2 {
		n, err := tensor.CountNonZero(d)
		return tensor.IntScalar(kernels.Int64, int64(min(n, 1))), err
	}
	m, err := MatricesOf(d)
	if err != nil {
		return nil, err
	}
	m.Product = product
	z, err := m.each(c, true, func(a linalg.Matrix) (float64, error) {
		limit := tol
		if limit < 0 && m.DType == kernels.Float32 {
			values, err := linalg.SVDVals(a)
			if err != nil {
				return 0, err
			}
			if len(values) > 0 {
				limit = values[0] * float64(max(m.Rows, m.Cols)) * Precision(m.DType)
			}
		}
		n, err := linalg.MatrixRank(a, limit)
		return float64(n), err
	})
	if err != nil {
		return nil, err
	}
	return z.AsType(kernels.Int64), nil
}
