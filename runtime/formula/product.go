package formula

import (
	"fmt"

	"github.com/arignote/arignote/runtime/graph"
	"github.com/arignote/arignote/runtime/op"
	"github.com/arignote/arignote/runtime/tensor"
)

// Outer is the products of all pairs of elements of two vectors: what has other ranks is flattened.
func Outer(b *graph.Builder, x, y V) (V, error) {
	if x.Type.Rank() != 1 {
		x = Ravel(b, x)
	}
	if y.Type.Rank() != 1 {
		y = Ravel(b, y)
	}
	return b.Apply(op.Mul, Permute(b, x, []int{0, tensor.NewAxis}), Permute(b, y, []int{tensor.NewAxis, 0})), nil
}

// Dot is NumPy's: the sum of products over the last axis of x and the last but one of y, or its
// only one. A scalar multiplies.
func Dot(b *graph.Builder, x, y V) (V, error) {
	m, n := x.Type.Rank(), y.Type.Rank()
	switch {
	case m == 0 || n == 0:
		return b.Apply(op.Mul, x, y), nil
	case m <= 2 && n <= 2:
		return b.Apply(op.Dot{}, x, y), nil
	}
	return TensorDot(b, x, y, []int{m - 1}, []int{max(n-2, 0)})
}

// VDot is the sum of the products of all elements.
func VDot(b *graph.Builder, x, y V) (V, error) { return Dot(b, Ravel(b, x), Ravel(b, y)) }

// TensorDot is the sum of products over the axes left of x and right of y, in pairs: one product of
// matrices.
func TensorDot(b *graph.Builder, x, y V, left, right []int) (V, error) {
	if len(left) != len(right) {
		return nil, fmt.Errorf("axes: got %d of the first and %d of the second, want as many", len(left), len(right))
	}
	summed, err := both(left, x.Type.Rank())
	if err != nil {
		return nil, err
	}
	with, err := both(right, y.Type.Rank())
	if err != nil {
		return nil, err
	}
	for i := range summed.dropped {
		if m, n := x.Type.Dim(summed.dropped[i]), y.Type.Dim(with.dropped[i]); m != n && m != graph.Unknown && n != graph.Unknown {
			return nil, fmt.Errorf("axes: axis %d of the first has length %d and axis %d of the second %d", summed.dropped[i], m, with.dropped[i], n)
		}
	}
	lx, ly := op.Lengths(b, x), op.Lengths(b, y)
	rows, columns := lengthsOf(lx, summed.kept), lengthsOf(ly, with.kept)
	inner := op.Product(b, lengthsOf(lx, summed.dropped))
	left2 := Reshape(b, Permute(b, x, append(append([]int(nil), summed.kept...), summed.dropped...)), []V{op.Product(b, rows), inner})
	right2 := Reshape(b, Permute(b, y, append(append([]int(nil), with.dropped...), with.kept...)), []V{op.Product(b, lengthsOf(ly, with.dropped)), op.Product(b, columns)})
	return Reshape(b, b.Apply(op.Dot{}, left2, right2), append(rows, columns...)), nil
}

// parted is the axes of an array, those of a list and the others.
type parted struct{ dropped, kept []int }

func both(list []int, rank int) (parted, error) {
	var p parted
	var seen tensor.Axes
	for _, axis := range list {
		n, err := tensor.NormalizeAxis(axis, rank)
		if err != nil {
			return p, fmt.Errorf("axes: %w", err)
		}
		if seen.Has(n) {
			return p, fmt.Errorf("axes: axis %d is there twice", n)
		}
		seen = seen.With(tensor.AxesOf(n))
		p.dropped = append(p.dropped, n)
	}
	for axis := range rank {
		if !seen.Has(axis) {
			p.kept = append(p.kept, axis)
		}
	}
	return p, nil
}

// Matmul is the product of matrices in the last two axes, for each place of those before, which
// broadcast. A vector on the left is a row and one on the right a column, whose axis the result
// lacks.
func Matmul(b *graph.Builder, x, y V) (V, error) {
	m, n := x.Type.Rank(), y.Type.Rank()
	switch {
	case m == 0 || n == 0:
		return nil, fmt.Errorf("got a scalar, want arrays of at least 1 dimension; use * to multiply by a scalar")
	case m <= 2 && n <= 2:
		return b.Apply(op.Dot{}, x, y), nil
	case m == 1:
		z := b.Apply(op.Matmul{}, Pad(b, x, 1, true), y)
		return drop(b, z, z.Type.Rank()-2), nil
	case n == 1:
		z := b.Apply(op.Matmul{}, x, Pad(b, y, 1, false))
		return drop(b, z, z.Type.Rank()-1), nil
	}
	return b.Apply(op.Matmul{}, x, y), nil
}

// drop is x without an axis of length 1.
func drop(b *graph.Builder, x V, axis int) V { return At(b, x, axis, 0) }

// BatchedDot is the product of matrices, vectors or numbers for each place of the first axis, which
// both have.
func BatchedDot(b *graph.Builder, x, y V) (V, error) {
	m, n := x.Type.Rank(), y.Type.Rank()
	if m == 0 || n == 0 || m > 3 || n > 3 {
		return nil, fmt.Errorf("got %d and %d dimensions, want 1 to 3", m, n)
	}
	if m == 1 || n == 1 {
		if m < n {
			x = Pad(b, x, n-m, false)
		} else {
			y = Pad(b, y, m-n, false)
		}
		return b.Apply(op.Mul, x, y), nil
	}
	if m == 2 {
		x = Permute(b, x, []int{0, tensor.NewAxis, 1})
	}
	if n == 2 {
		y = Permute(b, y, []int{0, 1, tensor.NewAxis})
	}
	z := b.Apply(op.Matmul{}, x, y)
	if n == 2 {
		z = drop(b, z, 2)
	}
	if m == 2 {
		z = drop(b, z, 1)
	}
	return z, nil
}

// Inner is the sum of products over the last axes.
func Inner(b *graph.Builder, x, y V) (V, error) {
	m, n := x.Type.Rank(), y.Type.Rank()
	if m == 0 || n == 0 {
		return b.Apply(op.Mul, x, y), nil
	}
	return TensorDot(b, x, y, []int{m - 1}, []int{n - 1})
}

// Kron is the Kronecker product: each element of x by all of y, in blocks.
func Kron(b *graph.Builder, x, y V) (V, error) {
	rank := max(x.Type.Rank(), y.Type.Rank())
	x, y = Pad(b, x, rank-x.Type.Rank(), true), Pad(b, y, rank-y.Type.Rank(), true)
	var left, right []int
	var shape []V
	lx, ly := op.Lengths(b, x), op.Lengths(b, y)
	for axis := range rank {
		left, right = append(left, axis, tensor.NewAxis), append(right, tensor.NewAxis, axis)
		shape = append(shape, count(b, op.Mul, lx[axis], ly[axis]))
	}
	return Reshape(b, b.Apply(op.Mul, Permute(b, x, left), Permute(b, y, right)), shape), nil
}

// VecDot is the sums of products of vectors along the last axis, for each place of those before,
// which broadcast.
func VecDot(b *graph.Builder, x, y V) (V, error) {
	if x.Type.Rank() == 0 || y.Type.Rank() == 0 {
		return nil, fmt.Errorf("got a scalar, want vectors along the last axis")
	}
	z := b.Apply(op.Matmul{}, newAxis(b, x, -2), newAxis(b, y, -1))
	return drop(b, drop(b, z, z.Type.Rank()-1), z.Type.Rank()-2), nil
}

// MatVec is the product of matrices in the last two axes of x with vectors along the last one of y,
// for each place of those before, which broadcast.
func MatVec(b *graph.Builder, x, y V) (V, error) {
	if x.Type.Rank() < 2 || y.Type.Rank() == 0 {
		return nil, fmt.Errorf("got %d and %d dimensions, want matrices and vectors", x.Type.Rank(), y.Type.Rank())
	}
	z := b.Apply(op.Matmul{}, x, newAxis(b, y, -1))
	return drop(b, z, z.Type.Rank()-1), nil
}

// VecMat is the product of vectors along the last axis of x with matrices in the last two of y.
func VecMat(b *graph.Builder, x, y V) (V, error) {
	if x.Type.Rank() == 0 || y.Type.Rank() < 2 {
		return nil, fmt.Errorf("got %d and %d dimensions, want vectors and matrices", x.Type.Rank(), y.Type.Rank())
	}
	z := b.Apply(op.Matmul{}, newAxis(b, x, -2), y)
	return drop(b, z, z.Type.Rank()-2), nil
}

// newAxis is x with a new axis of length 1 at the end, or before the last one.
func newAxis(b *graph.Builder, x V, at int) V {
	order := axes(x.Type.Rank())
	i := len(order) + 1 + at
	return Permute(b, x, append(append(append([]int(nil), order[:i]...), tensor.NewAxis), order[i:]...))
}

// BatchedTensorDot is TensorDot for each place of the first axis, which both have; the other axes
// keep their numbers.
func BatchedTensorDot(b *graph.Builder, x, y V, left, right []int) (V, error) {
	if len(left) != len(right) {
		return nil, fmt.Errorf("axes: got %d of the first and %d of the second, want as many", len(left), len(right))
	}
	if x.Type.Rank() == 0 || y.Type.Rank() == 0 {
		return nil, fmt.Errorf("got a scalar, want a first axis that counts the products")
	}
	var parts [2]parted
	for i, v := range []V{x, y} {
		p, err := both([][]int{left, right}[i], v.Type.Rank())
		if err != nil {
			return nil, err
		}
		if len(p.kept) == 0 || p.kept[0] != 0 {
			return nil, fmt.Errorf("axes: axis 0 counts the products and cannot be summed over; numbers of axes begin at 1 here")
		}
		p.kept = p.kept[1:]
		parts[i] = p
	}
	lx, ly := op.Lengths(b, x), op.Lengths(b, y)
	rows, columns := lengthsOf(lx, parts[0].kept), lengthsOf(ly, parts[1].kept)
	batch := lx[0]
	if x.Type.Broadcasts(0) {
		batch = ly[0]
	}
	order := func(lists ...[]int) []int {
		all := []int{0}
		for _, l := range lists {
			all = append(all, l...)
		}
		return all
	}
	p := Reshape(b, Permute(b, x, order(parts[0].kept, parts[0].dropped)), []V{lx[0], op.Product(b, rows), op.Product(b, lengthsOf(lx, parts[0].dropped))})
	q := Reshape(b, Permute(b, y, order(parts[1].dropped, parts[1].kept)), []V{ly[0], op.Product(b, lengthsOf(ly, parts[1].dropped)), op.Product(b, columns)})
	return Reshape(b, b.Apply(op.Matmul{}, p, q), append(append([]V{batch}, rows...), columns...)), nil
}

// lengthsOf are the lengths of some axes.
func lengthsOf(lengths []V, order []int) []V {
	var list []V
	for _, axis := range order {
		list = append(list, lengths[axis])
	}
	return list
}
