package symbolic

import (
	"fmt"

	"github.com/arignote/arignote/runtime/formula"
	"github.com/arignote/arignote/runtime/op"
	"github.com/arignote/arignote/starlib/slot"
	"go.starlark.net/starlark"
	"go.starlark.net/syntax"
)

// Operators of symbolic sparse matrices.

// CompareBy makes the symbolic comparison of x < y and its like.
func (v *SparseVariable) CompareBy(token syntax.Token, y starlark.Value, side starlark.Side) (starlark.Value, error) {
	e, ok := orderOps[token]
	if !ok {
		return nil, nil
	}
	x := starlark.Value(v)
	if side == starlark.Right {
		x, y = y, x
	}
	return v.s.sparseCompare(v.s.Builder(nil), e, x, y)
}

// Binary makes x + y, x - y and x * y, elementwise.
func (v *SparseVariable) Binary(token syntax.Token, y starlark.Value, side starlark.Side) (starlark.Value, error) {
	switch y.(type) {
	case starlark.String, starlark.NoneType, *slot.Dict, starlark.Callable:
		return nil, fmt.Errorf("%s: got %s and %s, want symbolic variables, matrices or numbers", token, v.Type(), y.Type())
	}
	x := starlark.Value(v)
	if side == starlark.Right {
		x, y = y, x
	}
	var z starlark.Value
	var err error
	b := v.s.Builder(nil)
	switch token {
	case syntax.PLUS:
		z, err = v.s.sparseSum(b, x, y, false)
	case syntax.MINUS:
		z, err = v.s.sparseSum(b, x, y, true)
	case syntax.STAR:
		z, err = v.s.sparseMul(b, x, y)
	default:
		return nil, fmt.Errorf("%s: not defined for sparse matrices; compute with csm_data(x), or with dense_from_sparse(x)", token)
	}
	if err != nil {
		return nil, fmt.Errorf("%s: %w", token, err)
	}
	return z, nil
}

// CallNumeric answers @ and abs.
func (v *SparseVariable) CallNumeric(thread *starlark.Thread, name string, args starlark.Tuple, _ []starlark.Tuple) (starlark.Value, error) {
	b := v.s.Builder(thread)
	switch name {
	case "matmul":
		z, err := v.s.structuredDot(b, args[0], args[1])
		if err != nil {
			return nil, fmt.Errorf("@: %w", err)
		}
		return z, nil
	case "abs":
		return v.s.buildSparse(func() (formula.Sparse, error) { return v.X.With(b.Apply(op.Abs, v.X.Data)), nil })
	case "len":
		return nil, fmt.Errorf("len: the length of %s is not known before the function runs; use x.shape[0]", v.Mention())
	}
	return nil, fmt.Errorf("%s: got %s, want a number; sparse.sp_sum(x) adds the elements up", name, v.Type())
}
