package sparse

import (
	"fmt"

	"github.com/arignote/arignote/kernels"
	"github.com/arignote/arignote/runtime/formula"
	"github.com/arignote/arignote/runtime/graph"
	"github.com/arignote/arignote/runtime/op"
	"github.com/arignote/arignote/runtime/tensor"
	"github.com/arignote/arignote/starlib/np"
	"github.com/arignote/arignote/starlib/slot"
	"github.com/arignote/arignote/starlib/value"
	"go.starlark.net/starlark"
	"go.starlark.net/syntax"
)

// Binary computes x + y, x - y, x / y, and x * y, which is the matrix product unless y is a number,
// as SciPy's.
func (m *Matrix) Binary(token syntax.Token, y starlark.Value, side starlark.Side) (starlark.Value, error) {
	switch y.(type) {
	case *Matrix, *np.Array, *slot.List, starlark.Tuple:
	default: // others may know what to do
		if !isNumber(y) {
			return nil, nil
		}
	}
	var z starlark.Value
	var err error
	switch token {
	case syntax.PLUS, syntax.MINUS:
		z, err = m.sum(token, y, side == starlark.Right)
	case syntax.STAR:
		if isNumber(y) {
			z, err = m.scaled(op.Mul, y)
		} else {
			z, err = m.product(y, side == starlark.Right)
		}
	case syntax.SLASH:
		if side == starlark.Right || !isNumber(y) {
			return nil, fmt.Errorf("/: got %s and %s, want a sparse matrix divided by a number", m.Type(), y.Type())
		}
		z, err = m.scaled(op.TrueDiv, y)
	default:
		return nil, nil
	}
	if err != nil {
		return nil, fmt.Errorf("%s: %w", token, err)
	}
	return z, nil
}

// isNumber reports whether y is one number.
func isNumber(y starlark.Value) bool {
	switch y := y.(type) {
	case starlark.Int, starlark.Float, starlark.Bool, np.Scalar:
		return true
	case *np.Array:
		return y.Dense().Rank() == 0
	}
	return false
}

// dense is an operand that is no sparse matrix.
func dense(y starlark.Value) (*graph.Variable, error) {
	a, err := np.ToDense(y)
	if err != nil {
		return nil, err
	}
	return graph.NewConstant(a, nil), nil
}

// sum is m + y, or m - y, or the other way round.
func (m *Matrix) sum(token syntax.Token, y starlark.Value, swapped bool) (starlark.Value, error) {
	sign := func(b *graph.Builder, x *graph.Variable, minus bool) *graph.Variable {
		if minus && token == syntax.MINUS {
			return b.Apply(op.Neg, x)
		}
		return x
	}
	if other, ok := y.(*Matrix); ok {
		return m.of(func(b *graph.Builder, x formula.Sparse) (formula.Sparse, error) {
			z := other.formula()
			return formula.SparseAdd(b, x.With(sign(b, x.Data, swapped)), z.With(sign(b, z.Data, !swapped)))
		})
	}
	d, err := dense(y)
	if err != nil {
		return nil, err
	}
	if d.Type.Rank() == 0 {
		if d.Data.Floats()[0] == 0 {
			return m.of(func(b *graph.Builder, x formula.Sparse) (formula.Sparse, error) {
				return x.With(sign(b, x.Data, swapped)), nil
			})
		}
		return nil, fmt.Errorf("got a number that is not 0, which would fill the matrix; add it to m.toarray(), or to m.data")
	}
	return m.array(func(b *graph.Builder, x formula.Sparse) (*graph.Variable, error) {
		if d.Type.Rank() != 2 || d.Data.Dim(0) != m.shape[0] || d.Data.Dim(1) != m.shape[1] {
			return nil, fmt.Errorf("got an array of shape %s, want %s", tensor.ShapeString(d.Data.Shape()), tensor.ShapeString(m.shape[:]))
		}
		left, right := x.Dense(b), d
		if swapped {
			left, right = right, left
		}
		if token == syntax.MINUS {
			return b.Apply(op.Sub, left, right), nil
		}
		return b.Apply(op.Add, left, right), nil
	})
}

// scaled is the matrix with its elements multiplied or divided by a number, which takes part in
// their type as it would beside an array.
func (m *Matrix) scaled(e op.Elemwise, y starlark.Value) (starlark.Value, error) {
	token := syntax.STAR
	if e == op.TrueDiv {
		token = syntax.SLASH
	}
	z, err := np.NewArray(m.s, m.data).Binary(token, y, starlark.Left)
	if err != nil {
		return nil, err
	}
	if z == nil {
		return nil, fmt.Errorf("got %s, want a number", y.Type())
	}
	return m.with(z.(*np.Array).Dense())
}

// with is the matrix with other elements.
func (m *Matrix) with(data *tensor.Dense) (starlark.Value, error) {
	if data.DType().IsBool() {
		return nil, fmt.Errorf("got elements of type bool, want numbers")
	}
	z, poll := *m, pollOf(m.s)
	z.data, z.indices, z.indptr = data, poll.Copy(m.indices), poll.Copy(m.indptr)
	return &z, nil
}

// product is the matrix product of m and y, or of y and m.
func (m *Matrix) product(y starlark.Value, swapped bool) (starlark.Value, error) {
	if other, ok := y.(*Matrix); ok {
		return m.of(func(b *graph.Builder, x formula.Sparse) (formula.Sparse, error) {
			if swapped {
				return formula.SparseProduct(b, other.formula(), x)
			}
			return formula.SparseProduct(b, x, other.formula())
		})
	}
	d, err := dense(y)
	if err != nil {
		return nil, err
	}
	if n := d.Type.Rank(); n != 1 && n != 2 {
		return nil, fmt.Errorf("got an array of %d dimensions, want a matrix or a vector", n)
	}
	return m.array(func(b *graph.Builder, x formula.Sparse) (*graph.Variable, error) {
		have, want := d.Data.Dim(0), m.shape[1]
		if swapped {
			have, want = d.Data.Dim(d.Data.Rank()-1), m.shape[0]
		}
		if have != want {
			return nil, fmt.Errorf("got shapes %s and %s, whose inner lengths are %d and %d", tensor.ShapeString(m.shape[:]), tensor.ShapeString(d.Data.Shape()), want, have)
		}
		if swapped {
			return formula.DotSparse(b, d, x), nil
		}
		return formula.SparseDot(b, x, d), nil
	})
}

// Unary computes -m and +m.
func (m *Matrix) Unary(token syntax.Token) (starlark.Value, error) {
	switch token {
	case syntax.MINUS, syntax.PLUS:
		z, err := np.NewArray(m.s, m.data).Unary(token)
		if err != nil {
			return nil, err
		}
		return m.with(z.(*np.Array).Dense())
	}
	return nil, nil
}

// Multiplies says that m makes its products with arrays.
func (m *Matrix) Multiplies() {}

// CallNumeric answers @, abs and pow, and refuses len.
func (m *Matrix) CallNumeric(thread *starlark.Thread, name string, args starlark.Tuple, kwargs []starlark.Tuple) (starlark.Value, error) {
	switch name {
	case "matmul":
		x, y := args[0], args[1]
		left, ok := x.(*Matrix)
		if isNumber(x) || isNumber(y) {
			return nil, fmt.Errorf("@: got %s and %s, want matrices; x * y multiplies by a number", x.Type(), y.Type())
		}
		z, err := m.product(x, true)
		if ok {
			z, err = left.product(y, false)
		}
		if err != nil {
			return nil, fmt.Errorf("@: %w", err)
		}
		return z, nil
	case "abs":
		if err := m.deduplicate(); err != nil {
			return nil, err
		}
		z, err := np.NewArray(m.s, m.data).CallNumeric(thread, "abs", starlark.Tuple{np.NewArray(m.s, m.data)}, nil)
		if err != nil {
			return nil, err
		}
		return m.with(z.(*np.Array).Dense())
	case "len":
		return nil, fmt.Errorf("len: the length of a sparse matrix is ambiguous; use m.shape[0] or m.nnz")
	}
	return nil, fmt.Errorf("%s: got %s, want a number or an array; m.%[1]s() may be what is meant, or m.toarray()", name, m.Type())
}

// Get is m[i, j], a number; and of slices or lists of rows and columns a matrix.
func (m *Matrix) Get(k starlark.Value) (starlark.Value, bool, error) {
	v, err := m.subscript(k)
	if err != nil {
		return nil, false, fmt.Errorf("%s: %w", m.Type(), err)
	}
	return v, true, nil
}

// SliceBy is m[lo:hi:step], of rows.
func (m *Matrix) SliceBy(lo, hi, step starlark.Value) (starlark.Value, error) {
	v, _, err := m.Get(&value.Slice{Lo: lo, Hi: hi, Step: step})
	return v, err
}

// SetKey refuses m[i, j] = v.
func (m *Matrix) SetKey(k, v starlark.Value) error {
	return fmt.Errorf("%s: cannot assign to elements, which would move all others; change m.data, or make the matrix of (data, (row, col)) anew", m.Type())
}

func (m *Matrix) subscript(k starlark.Value) (starlark.Value, error) {
	parts := starlark.Tuple{k}
	if t, ok := k.(starlark.Tuple); ok {
		parts = t
	}
	if len(parts) > 2 || len(parts) == 0 {
		return nil, fmt.Errorf("got %d subscripts, want a row and a column", len(parts))
	}
	var chosen [2][]int64 // nil: all
	var single [2]bool
	for axis, p := range parts {
		numbers, one, err := positions(pollOf(m.s), p, m.shape[axis])
		if err != nil {
			return nil, fmt.Errorf("axis %d: %w", axis, err)
		}
		chosen[axis], single[axis] = numbers, one
	}
	vector := func(list []int64) *graph.Variable { return graph.NewConstant(tensor.From(list, len(list)), nil) }
	_, listed := parts[0].(starlark.Iterable)
	if listed && len(parts) == 2 {
		_, listed = parts[1].(starlark.Iterable)
	}
	if single[0] && single[1] || listed && len(parts) == 2 {
		if len(chosen[0]) != len(chosen[1]) {
			return nil, fmt.Errorf("got %d rows and %d columns, want as many of both", len(chosen[0]), len(chosen[1]))
		}
		v, err := m.array(func(b *graph.Builder, x formula.Sparse) (*graph.Variable, error) {
			return formula.SparseItems(b, x, vector(chosen[0]), vector(chosen[1])), nil
		})
		if err != nil || listed {
			return v, err
		}
		return first(v)
	}
	return m.of(func(b *graph.Builder, x formula.Sparse) (formula.Sparse, error) {
		if chosen[0] != nil {
			x = formula.SparseTakeRows(b, x, vector(chosen[0]))
		}
		if chosen[1] != nil {
			x = formula.SparseTakeColumns(b, x, vector(chosen[1]))
		}
		return x, nil
	})
}

// first is the only element of a vector.
func first(v starlark.Value) (starlark.Value, error) {
	e, _, err := v.(*np.Array).Get(starlark.MakeInt(0))
	return e, err
}

// positions are the numbers that a subscript of an axis of n says; single that it is one number.
func positions(poll *tensor.Poll, k starlark.Value, n int) (list []int64, single bool, err error) {
	bound := func(v starlark.Value) (*int, error) {
		if v == starlark.None {
			return nil, nil
		}
		i, err := value.Int(v)
		return &i, err
	}
	list = []int64{}
	switch k := k.(type) {
	case *value.Slice:
		lo, err := bound(k.Lo)
		if err != nil {
			return nil, false, err
		}
		hi, err := bound(k.Hi)
		if err != nil {
			return nil, false, err
		}
		step, err := bound(k.Step)
		if err != nil {
			return nil, false, err
		}
		if step != nil && *step == 0 {
			return nil, false, fmt.Errorf("got step 0")
		}
		if lo == nil && hi == nil && step == nil {
			return nil, false, nil
		}
		at, count, by := tensor.SliceBounds(n, lo, hi, step)
		for range count {
			poll.Ask(1)
			list = append(list, int64(at))
			at += by
		}
		return list, false, nil
	case starlark.Iterable:
		a, err := np.ToDense(k)
		if err != nil {
			return nil, false, err
		}
		if a.Rank() != 1 || !a.DType().IsInteger() && a.Size() > 0 {
			return nil, false, fmt.Errorf("got %s, want integers", graph.TypeOfValue(a))
		}
		list = poll.AsType(a, kernels.Int64).Ints()
	default:
		i, err := value.Int(k)
		if err != nil {
			return nil, false, err
		}
		list, single = []int64{int64(i)}, true
	}
	for _, i := range list {
		poll.Ask(1)
		if i < -int64(n) || i >= int64(n) {
			return nil, false, fmt.Errorf("index %d is out of bounds for length %d", i, n)
		}
	}
	return list, single, nil
}
