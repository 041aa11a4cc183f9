package array

import (
	"fmt"
	"slices"

	"github.com/arignote/arignote/kernels"
	"github.com/arignote/arignote/kernels/linalg"
	"github.com/arignote/arignote/runtime/tensor"
)

// Matrices is an array of at least two axes: a stack of matrices, in the order of the leading axes, as package linalg computes with them.
type Matrices struct {
	Lead       []int
	Rows, Cols int
	DType      kernels.DType // of results: float32 or float64
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
	return Matrices{d.Shape()[:n], d.Dim(n), d.Dim(n + 1), FloatType(d.DType()), d.Floats()}, nil
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
	return linalg.Matrix{Rows: m.Rows, Cols: m.Cols, Data: m.data[i*n : (i+1)*n]}
}

// Each computes with every matrix. f returns the elements of its results, which have the given shapes; they come back as arrays of the
// leading axes and these. stop is asked before each matrix whether to end with an error.
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

// each is Each with one result for each matrix, a number.
func (m Matrices) each(stop func() error, f func(linalg.Matrix) (float64, error)) (*tensor.Dense, error) {
	z, err := m.Each(stop, func(i int) ([][]float64, error) {
		x, err := f(m.At(i))
		return [][]float64{{x}}, err
	}, []int{})
	if err != nil {
		return nil, err
	}
	return z[0], nil
}

// together broadcasts the leading axes of two arrays of matrices.
func together(x, y *tensor.Dense) (a, b Matrices, err error) {
	lead, err := tensor.CommonShape(leading(x), leading(y))
	if err != nil {
		return a, b, fmt.Errorf("got shapes %s, want leading axes that broadcast", tensor.ShapesOf(x, y))
	}
	stacks := [2]Matrices{}
	for i, d := range []*tensor.Dense{x, y} {
		shape := slices.Concat(lead, d.Shape()[d.Rank()-2:])
		if err := checkShape(shape); err != nil {
			return a, b, err
		}
		d, _ = d.BroadcastTo(shape)
		if stacks[i], err = MatricesOf(d); err != nil {
			return a, b, err
		}
		stacks[i].DType = FloatType(kernels.Promote(FloatType(x.DType()), FloatType(y.DType())))
	}
	return stacks[0], stacks[1], nil
}

// Solve returns the solutions x of a x = b. b has matrices of columns or, with one axis less than a, vectors.
func Solve(stop func() error, x, y *tensor.Dense) (*tensor.Dense, error) {
	a, err := MatricesOf(x)
	if err != nil {
		return nil, fmt.Errorf("for parameter a: %w", err)
	}
	if err := a.Square(); err != nil {
		return nil, err
	}
	shape := y.Shape()
	isVector := y.Rank() == x.Rank()-1
	if isVector {
		if y, err = y.Reshape(append(slices.Clone(shape), 1)...); err != nil {
			return nil, err
		}
	}
	switch {
	case y.Rank() < 2:
		return nil, fmt.Errorf("for parameter b: got shape %s, want a vector or matrix", tensor.ShapeString(shape))
	case y.Dim(y.Rank()-2) != a.Rows:
		return nil, fmt.Errorf("for parameter b: got shape %s, want %d rows as a has", tensor.ShapeString(shape), a.Rows)
	}
	a, b, err := together(x, y)
	if err != nil {
		return nil, err
	}
	z, err := a.Each(stop, func(i int) ([][]float64, error) {
		z, err := linalg.Solve(a.At(i), b.At(i))
		return [][]float64{z.Data}, err
	}, []int{b.Rows, b.Cols})
	switch {
	case err != nil:
		return nil, err
	case isVector:
		return z[0].Reshape(z[0].Shape()[:z[0].Rank()-1]...)
	}
	return z[0], nil
}

// LeastSquares is what np.linalg.lstsq returns: |b - a x| is least.
type LeastSquares struct {
	X, Residuals, SingularValues *tensor.Dense
	Rank                         int
}

// Lstsq solves a x = b as well as can be. Singular values below rcond times the largest count as 0; if it is nil, that is the precision
// of the type times the longer side of a, and if it is negative, the precision.
func Lstsq(x, y *tensor.Dense, rcond *float64) (LeastSquares, error) {
	a, err := MatricesOf(x)
	shape := y.Shape()
	switch {
	case err != nil:
		return LeastSquares{}, fmt.Errorf("for parameter a: %w", err)
	case len(a.Lead) > 0:
		return LeastSquares{}, fmt.Errorf("for parameter a: got %d axes, want a matrix", x.Rank())
	case y.Rank() < 1 || y.Rank() > 2 || y.Dim(0) != a.Rows:
		return LeastSquares{}, fmt.Errorf("for parameter b: got shape %s, want %d rows as a has", tensor.ShapeString(shape), a.Rows)
	}
	dtype := FloatType(kernels.Promote(a.DType, FloatType(y.DType())))
	b := linalg.Matrix{Rows: a.Rows, Cols: tensor.Size(shape[1:]), Data: y.Floats()}
	limit := Precision(dtype)
	switch {
	case rcond == nil:
		limit *= float64(max(a.Rows, a.Cols))
	case !(*rcond < 0):
		limit = *rcond
	}
	z, err := linalg.Lstsq(a.At(0), b, limit)
	if err != nil {
		return LeastSquares{}, err
	}
	array := func(data []float64, shape ...int) *tensor.Dense { return tensor.From(data, shape...).AsType(dtype) }
	return LeastSquares{array(z.X.Data, append([]int{a.Cols}, shape[1:]...)...), array(z.Residuals, len(z.Residuals)),
		array(z.SingularValues, len(z.SingularValues)), z.Rank}, nil
}

// Norm is the norms of vectors along an axis, or of matrices along two, of which the first is that of rows. Without axes it is the root of
// the sum of the squares of all elements. The axes are dropped, or stay with length 1 if keep.
func Norm(stop func() error, d *tensor.Dense, axes []int, norm func(linalg.Matrix) (float64, error), keep bool) (*tensor.Dense, error) {
	shape := slices.Clone(d.Shape())
	for _, axis := range axes {
		shape[axis] = 1
	}
	var z *tensor.Dense
	if len(axes) == 0 {
		x, err := linalg.VectorNorm(d.Floats(), 2)
		if err != nil {
			return nil, err
		}
		z = tensor.Scalar(kernels.Float64, x).AsType(FloatType(d.DType()))
		shape = slices.Repeat([]int{1}, d.Rank())
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
		if z, err = m.each(stop, norm); err != nil {
			return nil, err
		}
	}
	if keep {
		return z.Reshape(shape...)
	}
	return z, nil
}

// Cond is the condition numbers of matrices.
func Cond(stop func() error, m Matrices, norm linalg.NormOrder) (*tensor.Dense, error) {
	return m.each(stop, func(a linalg.Matrix) (float64, error) { return linalg.Cond(a, norm) })
}

// MatrixRank is how many singular values are above tol; if that is negative, above the largest times the precision of the type. Of a
// vector it is whether it is not zero.
func MatrixRank(stop func() error, d *tensor.Dense, tol float64) (*tensor.Dense, error) {
	if d.Rank() < 2 {
		n, err := tensor.CountNonZero(d)
		return tensor.IntScalar(kernels.Int64, int64(min(n, 1))), err
	}
	m, err := MatricesOf(d)
	if err != nil {
		return nil, err
	}
	z, err := m.each(stop, func(a linalg.Matrix) (float64, error) {
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
