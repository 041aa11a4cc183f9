package formula

import (
	"github.com/arignote/arignote/kernels"
	"github.com/arignote/arignote/runtime/graph"
	"github.com/arignote/arignote/runtime/op"
	"github.com/arignote/arignote/runtime/tensor"
)

// regular computes a function of x, and notes in the graph that its gradient with respect to x has
// places where nothing is stored.
func regular(b *graph.Builder, x Sparse, kind int, compute func(Sparse) V, factors ...V) V {
	if x.Whole != nil || !x.DType().IsFloat() { // a whole has its own gradient
		return compute(x)
	}
	elements := x.elements()
	x.Data = b.Apply(op.SparseStored{}, x.Data)
	in := append([]V{compute(x), x.Data, elements}, factors...)
	return b.Apply(op.SparseRegular{Kind: kind, Turned: x.turned}, in...)
}

// RegularSum is SparseSum with a gradient for all places.
func RegularSum(b *graph.Builder, x Sparse, axis *int) V {
	kind := op.RegularSum
	if axis != nil {
		kind = []int{op.RegularColumns, op.RegularRows}[*axis]
	}
	return regular(b, x, kind, func(x Sparse) V { return SparseSum(b, x, axis) })
}

// RegularDiagonal is SparseDiagonal with a gradient for all of the diagonal.
func RegularDiagonal(b *graph.Builder, x Sparse) V {
	return regular(b, x, op.RegularDiagonal, func(x Sparse) V { return SparseDiagonal(b, x) })
}

// RegularDot is SparseDot with the gradient of a dense product.
func RegularDot(b *graph.Builder, x Sparse, y V) V {
	if x.Whole != nil {
		dot := op.SparseDot{Transposed: x.CSC, Whole: true}
		return b.Apply(dot, append(x.Parts(), y, x.Whole)...)
	}
	return regular(b, x, op.RegularProduct, func(x Sparse) V { return SparseDot(b, x, y) }, y)
}

// RegularGrad is the gradient with respect to x of what node, a SparseRegular of the elements of x,
// notes, given that with respect to its result.
func RegularGrad(b *graph.Builder, x Sparse, node *graph.Apply, g V) Sparse {
	r := node.Op.(op.SparseRegular)
	if r.Turned != x.turned {
		return RegularGrad(b, x.Transposed(), node, g).Transposed()
	}
	if r.Kind == op.RegularDiagonal {
		return diagonalLike(b, x, g)
	}
	rows, columns := x.Shape(b)
	row, column := []int{tensor.NewAxis, 0}, []int{0, tensor.NewAxis}
	switch r.Kind {
	case op.RegularColumns:
		g = b.Apply(op.NewDimShuffle(row), g)
	case op.RegularRows:
		g = b.Apply(op.NewDimShuffle(column), g)
	case op.RegularProduct:
		if y := node.Inputs[3]; y.Type.Rank() == 1 {
			g = b.Apply(op.NewDimShuffle(column), g)
			g = b.Apply(op.Mul, g, b.Apply(op.NewDimShuffle(row), y))
		} else {
			g = b.Apply(op.Dot{}, g, transpose(b, y))
		}
	}
	return SparseFromDense(b, Cast(b, b.Apply(op.Alloc{}, g, rows, columns), x.DType()), x.CSC)
}

// diagonalLike has a vector on its diagonal, the shape of x and its format.
func diagonalLike(b *graph.Builder, x Sparse, d V) Sparse {
	n, major := op.Lengths(b, d)[0], x.Major(b)
	all, last := UpTo(b, count(b, op.Add, major, Int(b, 1))), b.Apply(op.NewDimShuffle([]int{tensor.NewAxis}), n)
	return Sparse{CSC: x.CSC, Data: d, Minor: x.Minor, Indices: Cast(b, UpTo(b, n), kernels.Int32),
		Indptr: Cast(b, b.Apply(op.Minimum, all, last), kernels.Int32)}
}
