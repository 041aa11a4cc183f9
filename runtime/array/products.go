package array

import (
	"fmt"
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

// Dot is np.dot of arrays with axes: sums of products over the last axis of a and the last but one
// of b, or its only one.
func Dot(c Calculator, a, b *tensor.Dense) (*tensor.Dense, error) {
	if b.Rank() > 2 {
		return TensorDot(c, a, b, []int{a.Rank() - 1}, []int{b.Rank() - 2})
	}
	lead, k := a.Shape()[:a.Rank()-1], a.Dim(a.Rank()-1)
	if k != b.Dim(0) {
		return nil, unfit(a, b, a.Rank()-1, 0)
	}
	shape := slices.Concat(lead, b.Shape()[1:])
	if err := checkShape(shape); err != nil {
		return nil, err
	}
	if len(lead) <= 1 {
		return c.Dot(a, b)
	}
	a, err := a.Reshape(tensor.Size(lead), k)
	if err != nil {
		return nil, err
	}
	z, err := c.Dot(a, b)
	if err != nil {
		return nil, err
	}
	return z.Reshape(shape...)
}

// unfit says that an axis of a and one of b, over which products are summed, differ in length.
func unfit(a, b *tensor.Dense, i, j int) error {
	return tensor.ShapeErrorf("shapes %s do not fit: axis %d of the first is %d and axis %d of the second is %d",
		tensor.ShapesOf(a, b), i, a.Dim(i), j, b.Dim(j))
}

// TensorDot is the sums of products over axes of a and as many of b.
func TensorDot(c Calculator, a, b *tensor.Dense, overA, overB []int) (*tensor.Dense, error) {
	if len(overA) != len(overB) {
		return nil, fmt.Errorf("got %d axes of a and %d of b, want as many", len(overA), len(overB))
	}
	k := 1
	for i, axis := range overA {
		if a.Dim(axis) != b.Dim(overB[i]) {
			return nil, unfit(a, b, axis, overB[i])
		}
		k *= a.Dim(axis)
	}
	freeA, freeB := Without(a.Rank(), overA), Without(b.Rank(), overB)
	shape := append(Lengths(a, freeA), Lengths(b, freeB)...)
	if err := checkShape(shape); err != nil {
		return nil, err
	}
	m, n := tensor.Size(Lengths(a, freeA)), tensor.Size(Lengths(b, freeB))
	left, err := arranged(a, append(freeA, overA...), m, k)
	if err != nil {
		return nil, err
	}
	right, err := arranged(b, append(slices.Clone(overB), freeB...), k, n)
	if err != nil {
		return nil, err
	}
	z, err := c.Dot(left, right)
	if err != nil {
		return nil, err
	}
	return z.Reshape(shape...)
}

// arranged is a with its axes in another order, reshaped.
func arranged(a *tensor.Dense, order []int, shape ...int) (*tensor.Dense, error) {
	a, err := a.DimShuffle(order)
	if err != nil {
		return nil, err
	}
	return a.Reshape(shape...)
}

// MatMul is the products of stacks of matrices, the last two axes, whose other axes broadcast. A
// vector on the left is a row, and on the right a column, which the result has not.
func MatMul(c Calculator, a, b *tensor.Dense) (*tensor.Dense, error) {
	var err error
	row, column := a.Rank() == 1, b.Rank() == 1
	if row {
		a, err = a.DimShuffle([]int{tensor.NewAxis, 0})
	}
	if column && err == nil {
		b, err = b.DimShuffle([]int{0, tensor.NewAxis})
	}
	if err != nil {
		return nil, err
	}
	la, lb := a.Rank()-2, b.Rank()-2
	m, k, n := a.Dim(la), a.Dim(la+1), b.Dim(lb+1)
	if k != b.Dim(lb) {
		return nil, unfit(a, b, la+1, lb)
	}
	lead, err := tensor.CommonShape(leading(a), leading(b))
	if err != nil {
		return nil, err
	}
	rank := len(lead) + 2
	z, err := matMuls(c, ofRank(a, rank), ofRank(b, rank))
	if err != nil {
		return nil, err
	}
	shape := slices.Clone(lead)
	if !row {
		shape = append(shape, m)
	}
	if !column {
		shape = append(shape, n)
	}
	return z.Reshape(shape...)
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

// matMuls is the products of two stacks of matrices, [..., m, k] and [..., k, n], of one rank, in
// their common type: see op.Matmul.
func matMuls(c Calculator, a, b *tensor.Dense) (*tensor.Dense, error) {
	to := kernels.Promote(a.DType(), b.DType())
	bools := to.IsBool()
	if bools { // wide enough to count in
		to = kernels.Int64
	}
	a, b = a.As(to), b.As(to)
	return c.product(op.Matmul{}, bools, a, b)
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

// MultiDot is the product of at least two matrices, of which the first and the last may be vectors,
// in the order that takes the fewest multiplications: dynamic programming over the parts of the
// chain finds it.
func MultiDot(c Calculator, list []*tensor.Dense) (*tensor.Dense, error) {
	lengths, err := chain(list)
	if err != nil {
		return nil, err
	}
	split := cheapest(lengths)
	var multiply func(i, j int) (*tensor.Dense, error)
	multiply = func(i, j int) (*tensor.Dense, error) {
		if i == j {
			return list[i], nil
		}
		a, err := multiply(i, split[i][j])
		if err != nil {
			return nil, err
		}
		b, err := multiply(split[i][j]+1, j)
		if err != nil {
			return nil, err
		}
		return Dot(c, a, b)
	}
	return multiply(0, len(list)-1)
}

// chain is the lengths of the axes of a chain of matrices: those of matrix i are lengths[i] and
// lengths[i+1].
func chain(list []*tensor.Dense) ([]int, error) {
	var lengths []int
	for i, d := range list {
		rank := 2
		if (i == 0 || i == len(list)-1) && d.Rank() == 1 {
			rank = 1
		}
		if d.Rank() != rank {
			return nil, fmt.Errorf("for parameter arrays: got shape %s at %d, want a matrix", tensor.ShapeString(d.Shape()), i)
		}
		switch {
		case i == 0 && rank == 1:
			lengths = append(lengths, 1, d.Dim(0))
		case i == 0:
			lengths = append(lengths, d.Shape()...)
		case d.Dim(0) != lengths[i]:
			return nil, fmt.Errorf("for parameter arrays: got shapes %s at %d, want axes that fit", tensor.ShapesOf(list[i-1:i+1]...), i-1)
		case rank == 1:
			lengths = append(lengths, 1)
		default:
			lengths = append(lengths, d.Dim(1))
		}
	}
	return lengths, nil
}

// cheapest says where the product of the matrices from i to j of a chain is to be split: after
// matrix split[i][j].
func cheapest(lengths []int) (split [][]int) {
	n := len(lengths) - 1
	cost := make([][]float64, n)
	for i := range n {
		cost[i] = make([]float64, n)
		split = append(split, make([]int, n))
	}
	for span := 1; span < n; span++ {
		for i := 0; i+span < n; i++ {
			j := i + span
			for k := i; k < j; k++ {
				total := cost[i][k] + cost[k+1][j] + float64(lengths[i])*float64(lengths[k+1])*float64(lengths[j+1])
				if k == i || total < cost[i][j] {
					cost[i][j], split[i][j] = total, k
				}
			}
		}
	}
	return split
}
