package formula

import (
	"fmt"

	"github.com/arignote/arignote/runtime/graph"
	"github.com/arignote/arignote/runtime/op"
	"github.com/arignote/arignote/runtime/tensor"
)

// span is where diagonal k of an n by m matrix lies among its elements in a row: start, stop and
// step for a slice.
func span(b *graph.Builder, n, m V, k int) (start, stop, step V) {
	above, below := Int(b, max(k, 0)), Int(b, max(-k, 0))
	length := count(b, op.Minimum, count(b, op.Sub, n, below), count(b, op.Sub, m, above))
	length = count(b, op.Maximum, length, Int(b, 0))
	step = count(b, op.Add, m, Int(b, 1))
	start = count(b, op.Add, count(b, op.Mul, below, m), above)
	return start, count(b, op.Add, start, count(b, op.Mul, length, step)), step
}

// count is o of two int64 scalars; of constants it is one, so that what is made with it has a known
// length.
func count(b *graph.Builder, o op.Elemwise, x, y V) V {
	if !x.IsConstant() || !y.IsConstant() {
		return b.Apply(o, x, y)
	}
	m, n := int(x.Data.Ints()[0]), int(y.Data.Ints()[0])
	switch o {
	case op.Add:
		return Int(b, m+n)
	case op.Sub:
		return Int(b, m-n)
	case op.Mul:
		return Int(b, m*n)
	case op.Minimum:
		return Int(b, min(m, n))
	case op.Maximum:
		return Int(b, max(m, n))
	}
	return b.Apply(o, x, y)
}

// Diagonal is diagonal k of the axes i and j, as the last axis.
func Diagonal(b *graph.Builder, x V, k, i, j int) (V, error) {
	rank := x.Type.Rank()
	if rank < 2 {
		return nil, fmt.Errorf("got %d dimensions, want at least 2", rank)
	}
	i, err := tensor.NormalizeAxis(i, rank)
	if err != nil {
		return nil, err
	}
	if j, err = tensor.NormalizeAxis(j, rank); err != nil {
		return nil, err
	}
	if i == j {
		return nil, fmt.Errorf("got axis %d twice, want two axes", i)
	}
	var order []int
	for axis := range rank {
		if axis != i && axis != j {
			order = append(order, axis)
		}
	}
	x = Permute(b, x, append(order, i, j))
	lengths := op.Lengths(b, x)
	n, m := lengths[rank-2], lengths[rank-1]
	start, stop, step := span(b, n, m, k)
	flat := Reshape(b, x, append(lengths[:rank-2:rank-2], op.Product(b, lengths[rank-2:])))
	return Slice(b, flat, rank-2, start, stop, step), nil
}

// OnDiagonal is the square matrix with the vector v on diagonal k, and zeros elsewhere.
func OnDiagonal(b *graph.Builder, v V, k int) V {
	n := count(b, op.Add, op.Lengths(b, v)[0], Int(b, max(k, -k)))
	return setDiagonal(b, BroadcastTo(b, b.Number(v.Type.DType, 0), []V{n, n}), v, k)
}

// Diag is OnDiagonal of a vector and Diagonal of a matrix.
func Diag(b *graph.Builder, x V, k int) (V, error) {
	switch x.Type.Rank() {
	case 1:
		return OnDiagonal(b, x, k), nil
	case 2:
		return Diagonal(b, x, k, 0, 1)
	}
	return nil, fmt.Errorf("got %d dimensions, want a vector or a matrix", x.Type.Rank())
}

// FillDiagonal is a matrix with the scalar value on diagonal k.
func FillDiagonal(b *graph.Builder, x, value V, k int) (V, error) {
	if x.Type.Rank() != 2 || value.Type.Rank() != 0 {
		return nil, fmt.Errorf("got %v and %v, want a matrix and a scalar", x.Type, value.Type)
	}
	return setDiagonal(b, x, Cast(b, value, x.Type.DType), k), nil
}

// setDiagonal is the matrix x with y on diagonal k.
func setDiagonal(b *graph.Builder, x, y V, k int) V {
	lengths := op.Lengths(b, x)
	start, stop, step := span(b, lengths[0], lengths[1], k)
	return Reshape(b, SetSlice(b, Ravel(b, x), y, 0, start, stop, step), lengths)
}
