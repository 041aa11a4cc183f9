package symbolic

import (
	"fmt"
	"slices"

	"github.com/arignote/arignote/kernels"
	"github.com/arignote/arignote/runtime/formula"
	"github.com/arignote/arignote/runtime/graph"
	"github.com/arignote/arignote/runtime/op"
	"github.com/arignote/arignote/runtime/tensor"
	"github.com/arignote/arignote/starlib/slot"
	"github.com/arignote/arignote/starlib/sparse"
	"github.com/arignote/arignote/starlib/value"
	"go.starlark.net/starlark"
	"go.starlark.net/syntax"
)

// A SparseVariable is a symbolic sparse matrix: four variables of the graph under one name
// (formula.Sparse). A function that takes one has four inputs for it, one that returns one four
// outputs, and a shared one is four shared variables; what is computed with it are ordinary
// operations, elementwise ones among them. It is compared by identity, as variables are.
type SparseVariable struct {
	S    *Session
	X    formula.Sparse
	Name string
	own  ownAttrs
}

var (
	_ starlark.HasBinary   = (*SparseVariable)(nil)
	_ starlark.HasUnary    = (*SparseVariable)(nil)
	_ starlark.HasSetField = (*SparseVariable)(nil)
	_ starlark.Comparable  = (*SparseVariable)(nil)
	_ starlark.Mapping     = (*SparseVariable)(nil)
	_ value.Slicer         = (*SparseVariable)(nil)
	_ value.Comparer       = (*SparseVariable)(nil)
	_ value.Multiplier     = (*SparseVariable)(nil)
	_ value.Tabled         = (*SparseVariable)(nil)
	_ value.Documenter     = (*SparseVariable)(nil)
)

// The types of symbolic sparse matrices, as users see them.
const (
	sparseType         = "SparseVariable"
	sparseSharedType   = "SparseTensorSharedVariable"
	sparseConstantType = "SparseConstant"
)

func (v *SparseVariable) Type() string {
	switch {
	case v.isShared():
		return sparseSharedType
	case v.X.Data.IsConstant() && v.X.Indices.IsConstant():
		return sparseConstantType
	}
	return sparseType
}

func (v *SparseVariable) isShared() bool { return v.X.Data.Shared != nil && v.X.Indices.Shared != nil }

// isInput reports whether v is a free variable, and no part of it a result.
func (v *SparseVariable) isInput() bool {
	return !slices.ContainsFunc(v.X.Parts(), func(p *graph.Variable) bool { return !p.IsInput() })
}

// String is what Theano prints.
func (v *SparseVariable) String() string {
	return fmt.Sprintf("%s{%s,%v}", v.Type(), v.X.Format(), v.X.DType())
}

// Mention is v in errors.
func (v *SparseVariable) Mention() string {
	if v.Name != "" {
		return v.Name
	}
	return v.String()
}

func (v *SparseVariable) Freeze()               {}
func (v *SparseVariable) Truth() starlark.Bool  { return true }
func (v *SparseVariable) Hash() (uint32, error) { return hashOf(v.X.Data), nil }

// Doc is what v? shows.
func (v *SparseVariable) Doc() string {
	text := sparseTypeValue{v.X.CSC, v.X.DType()}.String()
	if pos := v.X.Data.Origin.Pos(); pos.IsValid() {
		text += "\nat " + pos.String()
	}
	return text
}

// setName names the parts too, which debugprint and profiles show.
func (v *SparseVariable) setName(name string) {
	v.Name = name
	if v.X.Data.Owner != nil || v.X.Data.IsConstant() {
		return
	}
	parts := [4]string{"data", "indices", "indptr", "columns"}
	if v.X.CSC {
		parts[3] = "rows"
	}
	for i, p := range v.X.Parts() {
		if p.Name = ""; name != "" {
			p.Name = name + "." + parts[i]
		}
	}
}

// NewSparse is a value for a matrix that was built.
func (s *Session) NewSparse(x formula.Sparse) *SparseVariable { return &SparseVariable{S: s, X: x} }

// sparseInput is a free variable.
func (s *Session) sparseInput(thread *starlark.Thread, csc bool, d kernels.DType, name string) *SparseVariable {
	origin := s.NodeOrigin(thread)
	in := func(t graph.Type) *graph.Variable { return graph.NewInput("", t, origin) }
	v := s.NewSparse(formula.Sparse{CSC: csc, Data: in(graph.AnyShape(d, 1)), Indices: in(graph.AnyShape(kernels.Int32, 1)), Indptr: in(graph.AnyShape(kernels.Int32, 1)),
		Minor: in(graph.TypeOf(kernels.Int64))})
	v.setName(name)
	return v
}

// sparseOf makes what holds the parts of a matrix of each of them.
func (s *Session) sparseOf(m *sparse.Matrix, hold func(t graph.Type, a *tensor.Dense) *graph.Variable) (*SparseVariable, error) {
	if m.Format() == "coo" {
		var err error
		if m, err = m.InFormat("csr"); err != nil {
			return nil, err
		}
	}
	parts, err := m.Parts()
	if err != nil {
		return nil, err
	}
	held := make([]*graph.Variable, len(parts))
	for i, a := range parts {
		held[i] = hold(graph.AnyShape(a.DType(), a.Rank()), a.Copy())
	}
	return s.NewSparse(formula.Sparse{CSC: m.Format() == "csc", Data: held[0], Indices: held[1], Indptr: held[2], Minor: held[3]}), nil
}

// sparseConstant is a matrix as a constant.
func (s *Session) sparseConstant(b *graph.Builder, m *sparse.Matrix) (*SparseVariable, error) {
	return s.sparseOf(m, func(_ graph.Type, a *tensor.Dense) *graph.Variable { return b.Constant(a) })
}

// sparseShared is a shared variable that holds a matrix.
func (s *Session) sparseShared(thread *starlark.Thread, m *sparse.Matrix, name string) (*SparseVariable, error) {
	origin := s.NodeOrigin(thread)
	v, err := s.sparseOf(m, func(t graph.Type, a *tensor.Dense) *graph.Variable { return graph.NewShared("", t, a, origin) })
	if err == nil {
		v.setName(name)
	}
	return v, err
}

// matrix makes a value of the arrays that a function has computed for v, or that it holds.
func (v *SparseVariable) matrix(parts []*tensor.Dense) (starlark.Value, error) {
	major, minor := parts[2].Dim(0)-1, int(parts[3].Ints()[0])
	rows, columns := major, minor
	if v.X.CSC {
		rows, columns = minor, major
	}
	return sparse.New(v.S, v.X.CSC, parts[0], parts[1], parts[2], rows, columns)
}

// accept turns an argument into the arrays of a matrix of v's type.
func (v *SparseVariable) accept(takes accepting, x starlark.Value) ([]*tensor.Dense, error) {
	m, ok := x.(*sparse.Matrix)
	want := sparseTypeValue{v.X.CSC, v.X.DType()}
	switch {
	case !ok && x.Type() == "ndarray":
		return nil, tensor.TypeErrorf("got an array, want a sparse matrix (%v): sp.%s_matrix(x) makes one of it", want, v.X.Format())
	case !ok:
		return nil, tensor.TypeErrorf("got %s, want a sparse matrix (%v)", x.Type(), want)
	case takes.strict && (m.Format() != v.X.Format() || m.DType() != v.X.DType()):
		return nil, tensor.TypeErrorf("got a %s of %v, want %v: it is strict", m.Type(), m.DType(), want)
	}
	if d := m.DType(); d != v.X.DType() {
		if takes.downcast != downcastAlways && kernels.Promote(d, v.X.DType()) != v.X.DType() {
			return nil, tensor.TypeErrorf("got a %s of %v, want %v, and the conversion may lose precision; convert it with .astype(\"%v\")", m.Type(), d, want, v.X.DType())
		}
		var err error
		if m, err = m.AsType(v.X.DType()); err != nil {
			return nil, err
		}
	}
	m, err := m.InFormat(v.X.Format())
	if err != nil {
		return nil, err
	}
	return m.Parts()
}

// IsSparse reports whether x is a sparse matrix, symbolic or not.
func IsSparse(x starlark.Value) bool {
	switch x.(type) {
	case *SparseVariable, *sparse.Matrix:
		return true
	}
	return false
}

// sparseOperand reads a symbolic sparse matrix, or one that becomes a constant.
func (s *Session) sparseOperand(b *graph.Builder, x starlark.Value) (formula.Sparse, error) {
	switch x := x.(type) {
	case *SparseVariable:
		return x.X, nil
	case *sparse.Matrix:
		v, err := s.sparseConstant(b, x)
		if err != nil {
			return formula.Sparse{}, err
		}
		return v.X, nil
	case Symbol:
		return formula.Sparse{}, fmt.Errorf("got the dense variable %s, want a sparse matrix; csr_from_dense(x) makes one of it", x)
	}
	return formula.Sparse{}, fmt.Errorf("got %s, want a sparse matrix", x.Type())
}

// build calls f, whose panics are those of a builder, and places its errors.
func (s *Session) buildSparse(f func() (formula.Sparse, error)) (starlark.Value, error) {
	v, err := caught(s, f)
	if err != nil {
		return nil, err
	}
	return s.NewSparse(v), nil
}

func (s *Session) buildDense(f func() (*graph.Variable, error)) (starlark.Value, error) {
	v, err := caught(s, f)
	if err != nil {
		return nil, err
	}
	return Symbol{s, v}, nil
}

func caught[T any](s *Session, f func() (T, error)) (z T, err error) {
	defer func() {
		if err != nil {
			err = s.Locate(err)
		}
	}()
	defer graph.Catch(&err)
	return f()
}

// CompareSameType is identity for == and !=.
func (v *SparseVariable) CompareSameType(token syntax.Token, y starlark.Value, _ int) (bool, error) {
	switch token {
	case syntax.EQL:
		return v == y.(*SparseVariable), nil
	case syntax.NEQ:
		return v != y.(*SparseVariable), nil
	}
	return false, fmt.Errorf("%s of symbolic sparse matrices has no value before the function runs", token)
}

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
	return v.S.sparseCompare(v.S.Builder(nil), e, x, y)
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
	b := v.S.Builder(nil)
	switch token {
	case syntax.PLUS:
		z, err = v.S.sparseSum(b, x, y, false)
	case syntax.MINUS:
		z, err = v.S.sparseSum(b, x, y, true)
	case syntax.STAR:
		z, err = v.S.sparseMul(b, x, y)
	default:
		return nil, fmt.Errorf("%s: not defined for sparse matrices; compute with csm_data(x), or with dense_from_sparse(x)", token)
	}
	if err != nil {
		return nil, fmt.Errorf("%s: %w", token, err)
	}
	return z, nil
}

// Unary makes -x and +x.
func (v *SparseVariable) Unary(token syntax.Token) (starlark.Value, error) {
	switch token {
	case syntax.PLUS:
		return v, nil
	case syntax.MINUS:
		b := v.S.Builder(nil)
		return v.S.buildSparse(func() (formula.Sparse, error) { return v.X.With(b.Apply(op.Neg, v.X.Data)), nil })
	}
	return nil, nil
}

// Multiplies says that v makes its products with arrays and dense variables.
func (v *SparseVariable) Multiplies() {}

// CallNumeric answers @ and abs.
func (v *SparseVariable) CallNumeric(thread *starlark.Thread, name string, args starlark.Tuple, _ []starlark.Tuple) (starlark.Value, error) {
	b := v.S.Builder(thread)
	switch name {
	case "matmul":
		z, err := v.S.structuredDot(b, args[0], args[1])
		if err != nil {
			return nil, fmt.Errorf("@: %w", err)
		}
		return z, nil
	case "abs":
		return v.S.buildSparse(func() (formula.Sparse, error) { return v.X.With(b.Apply(op.Abs, v.X.Data)), nil })
	case "len":
		return nil, tensor.TypeErrorf("len: the length of %s is not known before the function runs; use x.shape[0]", v.Mention())
	}
	return nil, fmt.Errorf("%s: got %s, want a number; sparse.sp_sum(x) adds the elements up", name, v.Type())
}

// Get is x[i, j], a scalar, and x[a:b, c:d], a sparse matrix.
func (v *SparseVariable) Get(k starlark.Value) (starlark.Value, bool, error) {
	z, err := v.subscript(v.S.Builder(nil), k)
	return z, err == nil, err
}

// SliceBy is x[a:b].
func (v *SparseVariable) SliceBy(lo, hi, step starlark.Value) (starlark.Value, error) {
	return v.subscript(v.S.Builder(nil), &value.Slice{Lo: lo, Hi: hi, Step: step})
}

// subscript selects rows and columns: by slices, by two scalars, or by lists of numbers.
func (v *SparseVariable) subscript(b *graph.Builder, k starlark.Value) (starlark.Value, error) {
	parts := starlark.Tuple{k}
	if t, ok := k.(starlark.Tuple); ok {
		parts = t
	}
	if len(parts) == 0 || len(parts) > 2 {
		return nil, fmt.Errorf("%s: got %d subscripts, want those of rows and columns", v.Mention(), len(parts))
	}
	rows, columns := v.X.Shape(b)
	kinds, chosen := make([]byte, len(parts)), make([]*graph.Variable, len(parts))
	for axis, p := range parts {
		n := []*graph.Variable{rows, columns}[axis]
		var err error
		if kinds[axis], chosen[axis], err = v.chosen(b, p, n); err != nil {
			return nil, fmt.Errorf("%s: axis %d: %w", v.Mention(), axis, err)
		}
	}
	switch string(kinds) {
	case "ii":
		return v.S.buildDense(func() (*graph.Variable, error) {
			one := func(x *graph.Variable) *graph.Variable { return b.Apply(op.NewDimShuffle([]int{tensor.NewAxis}), x) }
			return formula.At(b, formula.SparseItems(b, v.X, one(chosen[0]), one(chosen[1])), 0, 0), nil
		})
	case "vv":
		return v.S.buildDense(func() (*graph.Variable, error) { return formula.SparseItems(b, v.X, chosen[0], chosen[1]), nil })
	case "i", "is", "si", "iv", "vi":
		return nil, fmt.Errorf("%s: there are no sparse vectors; take a matrix of one row or column, x[i:i+1, :], or an element, x[i, j]", v.Mention())
	}
	return v.S.buildSparse(func() (formula.Sparse, error) {
		x := v.X
		if chosen[0] != nil {
			x = formula.SparseTakeRows(b, x, chosen[0])
		}
		if len(chosen) > 1 && chosen[1] != nil {
			x = formula.SparseTakeColumns(b, x, chosen[1])
		}
		return x, nil
	})
}

// chosen are the numbers that a subscript of an axis of length n says, and its kind: i of one, v of
// several, s of a slice. They are nil for all of them.
func (v *SparseVariable) chosen(b *graph.Builder, k starlark.Value, n *graph.Variable) (kind byte, numbers *graph.Variable, err error) {
	defer graph.Catch(&err)
	bound := func(x starlark.Value) *graph.Variable {
		if x == nil || x == starlark.None || err != nil {
			return nil
		}
		var i *graph.Variable
		if i, err = v.S.Variable(b, x, nil); err == nil {
			i, err = formula.AsInt(b, i, "bound")
		}
		return i
	}
	if slice, ok := k.(*value.Slice); ok {
		lo, hi, step := bound(slice.Lo), bound(slice.Hi), bound(slice.Step)
		if err != nil || lo == nil && hi == nil && step == nil {
			return 's', nil, err
		}
		return 's', formula.Slice(b, formula.UpTo(b, n), 0, lo, hi, step), nil
	}
	i, err := v.S.Variable(b, k, nil)
	switch {
	case err != nil:
		return 0, nil, err
	case !i.Type.DType.IsInteger() || i.Type.Rank() > 1:
		return 0, nil, fmt.Errorf("got %v, want a slice, an integer or a vector of integers", i.Type)
	}
	if i = formula.Cast(b, i, kernels.Int64); i.Type.Rank() == 1 {
		return 'v', i, nil
	}
	return 'i', i, nil
}

func (v *SparseVariable) Table() *value.Methods {
	if v.isShared() {
		return SharedSparseMethods()
	}
	return SparseMethods()
}
func (v *SparseVariable) AttrNames() []string { return v.own.names(v.Table().Names()) }

// Attr is an attribute of sparse variables, or one that the program gave v.
func (v *SparseVariable) Attr(name string) (starlark.Value, error) {
	return v.own.after(name, func(name string) (starlark.Value, error) { return v.Table().Attr(v, name) })
}

// SetField sets the name, or an attribute of the program's own.
func (v *SparseVariable) SetField(name string, x starlark.Value) error {
	switch {
	case name != "name" && slices.Contains(v.Table().Names(), name):
		return fmt.Errorf("%s: cannot assign to .%s; only .name and attributes of your own can be set", v.Type(), name)
	case name != "name":
		v.own.set(name, x)
		return nil
	}
	text, err := OptionalString("name", x)
	if err == nil {
		v.setName(text)
	}
	return err
}
