package array

import (
	"slices"

	"github.com/arignote/arignote/kernels"
	"github.com/arignote/arignote/runtime/op"
	"github.com/arignote/arignote/runtime/tensor"
)

// checkShape returns why no array can have a shape, if so. The element type is not known yet: the
// widest counts.
func checkShape(shape []int) error { return tensor.CheckSize(8, shape) }

// upTo returns 0, 1, ..., n-1.
func upTo(n int) []int {
	list := make([]int, n)
	for i := range list {
		list[i] = i
	}
	return list
}

// Without returns the axes of an array of a rank that are not in a list.
func Without(rank int, list []int) []int {
	return slices.DeleteFunc(upTo(rank), func(axis int) bool { return slices.Contains(list, axis) })
}

// Lengths returns the lengths of axes.
func Lengths(a *tensor.Dense, axes []int) []int {
	lengths := make([]int, len(axes))
	for i, axis := range axes {
		lengths[i] = a.Dim(axis)
	}
	return lengths
}

// Matmul is the products of stacks of matrices, the last two axes, whose other axes broadcast.
func (c Calculator) Matmul(a, b *tensor.Dense) (*tensor.Dense, error) {
	la, lb := a.Rank()-2, b.Rank()-2
	if i, j := a.Dim(la+1), b.Dim(lb); i != j {
		return nil, tensor.ShapeErrorf("shapes %s do not fit: axis %d of the first is %d and axis %d of the second is %d", tensor.ShapesOf(a, b), la+1, i, lb, j)
	}
	lead, err := tensor.CommonShape(leading(a), leading(b))
	if err != nil {
		return nil, err
	}
	shape := append(slices.Clone(lead), a.Dim(la), b.Dim(lb+1))
	if err := checkShape(shape); err != nil {
		return nil, err
	}
	to := kernels.Promote(a.DType(), b.DType())
	bools := to.IsBool()
	if bools { // wide enough to count in
		to = kernels.Int64
	}
	return c.product(op.Matmul{}, bools, ofRank(a, len(shape)).As(to), ofRank(b, len(shape)).As(to))
}

// ofRank is a view of an array with axes of length 1 before its own.
func ofRank(a *tensor.Dense, rank int) *tensor.Dense {
	ones := slices.Repeat([]int{1}, rank-a.Rank())
	a, _ = a.BroadcastTo(append(ones, a.Shape()...))
	return a
}

// leading is the first element of each matrix of a stack.
func leading(a *tensor.Dense) *tensor.Dense {
	n := a.Rank() - 2
	return a.View(a.DType(), a.Shape()[:n], a.Strides()[:n], a.Offset())
}

// matrix is matrix i of a stack with one leading axis, as a view.
func matrix(x *tensor.Dense, i int) *tensor.Dense {
	return x.View(x.DType(), x.Shape()[1:], x.Strides()[1:], x.Offset()+i*x.Strides()[0])
}

// MatrixPowers is the n-th powers of square matrices, the last two axes, in their own type, so that
// integers stay exact. n is not negative.
func MatrixPowers(c Calculator, stop func() error, d *tensor.Dense, n int) (*tensor.Dense, error) {
	shape := d.Shape()
	k := shape[len(shape)-1]
	stack, err := d.Reshape(tensor.Size(shape[:len(shape)-2]), k, k)
	if err != nil {
		return nil, err
	}
	z := tensor.Empty(d.DType(), stack.Shape()...)
	for i := range stack.Dim(0) {
		if err := stop(); err != nil {
			return nil, err
		}
		power, err := powerOf(c, matrix(stack, i), n)
		if err != nil {
			return nil, err
		}
		tensor.CopyTo(matrix(z, i), power)
	}
	return z.Reshape(shape...)
}

// powerOf multiplies squares of a matrix.
func powerOf(c Calculator, square *tensor.Dense, n int) (power *tensor.Dense, err error) {
	if n == 0 {
		one := tensor.New(square.DType(), square.Shape()...)
		diagonal, err := tensor.Diagonal(one, 0, 0, 1)
		if err == nil {
			diagonal.Fill(1)
		}
		return one, err
	}
	for ; ; n >>= 1 {
		if n&1 != 0 && power == nil {
			power = square
		} else if n&1 != 0 {
			if power, err = c.Dot(power, square); err != nil {
				return nil, err
			}
		}
		if n == 1 {
			return power, nil
		}
		if square, err = c.Dot(square, square); err != nil {
			return nil, err
		}
	}
}
