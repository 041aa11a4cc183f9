package symbolic

import (
	"fmt"

	"github.com/arignote/arignote/runtime/formula"
	"github.com/arignote/arignote/runtime/graph"
	"go.starlark.net/starlark"
)

// structuredDot is the matrix product: sparse of two sparse matrices, dense beside a dense matrix
// or vector.
func (s *Session) structuredDot(b *graph.Builder, x, y starlark.Value) (starlark.Value, error) {
	return s.sparseDot(b, x, y, formula.SparseDot, formula.DotSparse)
}

// regularDot is structuredDot whose gradient has all places of a dense matrix that a sparse operand
// was made of.
func (s *Session) regularDot(b *graph.Builder, x, y starlark.Value) (starlark.Value, error) {
	return s.sparseDot(b, x, y, formula.RegularDot, formula.RegularDotSparse)
}

func (s *Session) sparseDot(b *graph.Builder, x, y starlark.Value, ofLeft func(*graph.Builder, ASparse, V) V, ofRight func(*graph.Builder, V, ASparse) V) (starlark.Value, error) {
	left, right, dense, err := s.bothOf(b, x, y)
	if err != nil {
		return nil, err
	}
	if dense == nil {
		return s.buildSparse(func() (ASparse, error) { return formula.SparseProduct(b, *left, *right) })
	}
	if n := dense.Type.Rank(); n != 1 && n != 2 {
		return nil, fmt.Errorf("got %v beside a sparse matrix, want a matrix or a vector; x * y multiplies by a scalar", dense.Type)
	}
	return s.buildDense(func() (V, error) {
		if left != nil {
			return ofLeft(b, *left, dense), nil
		}
		return ofRight(b, dense, *right), nil
	})
}
