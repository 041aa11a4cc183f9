package sparse

import (
	"errors"
	"fmt"
	"strings"

	"github.com/arignote/arignote/kernels"
	kernel "github.com/arignote/arignote/kernels/sparse"
	"github.com/arignote/arignote/runtime/formula"
	"github.com/arignote/arignote/runtime/graph"
	"github.com/arignote/arignote/runtime/tensor"
	"github.com/arignote/arignote/starlib/np"
	"github.com/arignote/arignote/starlib/value"
	"go.starlark.net/starlark"
	"go.starlark.net/syntax"
)

// A Matrix is a sparse matrix: csr_matrix, csc_matrix or coo_matrix. Its arrays may be changed by
// the user; what computes with them looks whether they are still those of a matrix.
type Matrix struct {
	s                     value.Host
	format                string // "csr", "csc" or "coo"
	data, indices, indptr *tensor.Dense
	// rows of a coo_matrix stand in the place of indptr, and its columns in that of indices.
	shape [2]int
}

var (
	_ value.Tabled         = (*Matrix)(nil)
	_ starlark.HasBinary   = (*Matrix)(nil)
	_ starlark.HasUnary    = (*Matrix)(nil)
	_ starlark.HasSetField = (*Matrix)(nil)
	_ starlark.HasSetKey   = (*Matrix)(nil)
	_ starlark.Comparable  = (*Matrix)(nil)
	_ value.Slicer         = (*Matrix)(nil)
	_ value.Multiplier     = (*Matrix)(nil)
	_ value.Comparer       = (*Matrix)(nil)
	_ value.Strer          = (*Matrix)(nil)
)

// New is a matrix of a format with these arrays, which it keeps: data, indices and indptr, the
// latter two int32. It says what is wrong with them.
func New(s value.Host, csc bool, data, indices, indptr *tensor.Dense, rows, columns int) (*Matrix, error) {
	m := &Matrix{s: s, format: formatOf(csc), data: data, indices: indices, indptr: indptr, shape: [2]int{rows, columns}}
	return m, m.check()
}

func formatOf(csc bool) string {
	if csc {
		return "csc"
	}
	return "csr"
}

// names are how SciPy writes formats.
var names = map[string]string{"csr": "Compressed Sparse Row", "csc": "Compressed Sparse Column", "coo": "COOrdinate"}

// Format is "csr", "csc" or "coo".
func (m *Matrix) Format() string { return m.format }

// DType is the type of the elements.
func (m *Matrix) DType() kernels.DType { return m.data.DType() }

// Shape is the number of rows and of columns.
func (m *Matrix) Shape() [2]int { return m.shape }

// major and minor are the lengths of the axes of a compressed matrix.
func (m *Matrix) lengths() (major, minor int) {
	if m.format == "csc" {
		return m.shape[1], m.shape[0]
	}
	return m.shape[0], m.shape[1]
}

// check says what is wrong with the arrays.
func (m *Matrix) check() error {
	switch {
	case m.data.Rank() != 1 || m.indices.Rank() != 1 || m.indptr.Rank() != 1:
		return fmt.Errorf("got arrays of shapes %s, want vectors", tensor.ShapesOf(m.data, m.indices, m.indptr))
	case m.data.DType().IsBool():
		return fmt.Errorf("got elements of type bool, want numbers: convert them with .astype(\"int8\")")
	case m.data.Dim(0) != m.indices.Dim(0):
		return fmt.Errorf("got %d elements of data and %d indices, want as many of both", m.data.Dim(0), m.indices.Dim(0))
	case max(m.shape[0], m.shape[1]) >= kernel.MaxElements:
		return fmt.Errorf("got shape (%d, %d), want axes shorter than %d", m.shape[0], m.shape[1], kernel.MaxElements)
	}
	if m.format == "coo" {
		poll := pollOf(m.s)
		for axis, places := range []*tensor.Dense{m.indptr, m.indices} {
			for k, i := range ints(places) {
				poll.Ask(1)
				if i < 0 || int(i) >= m.shape[axis] {
					return fmt.Errorf("%s: got %d at position %d, want numbers from 0 to %d", []string{"row", "col"}[axis], i, k, m.shape[axis]-1)
				}
			}
		}
		return nil
	}
	major, _ := m.lengths()
	if n := m.indptr.Dim(0); n != major+1 {
		return fmt.Errorf("indptr: got %d pointers, want %d for shape (%d, %d)", n, major+1, m.shape[0], m.shape[1])
	}
	return m.structure().Check()
}

// structure is that of a compressed matrix; loops over it ask.
func (m *Matrix) structure() kernel.Pattern {
	_, minor := m.lengths()
	return kernel.Pattern{Indices: ints(m.indices), Indptr: ints(m.indptr), Minor: minor, Ask: pollOf(m.s).Ask}
}

// pollOf is how loops over matrices of a session ask.
func pollOf(s value.Host) *tensor.Poll {
	if s == nil {
		return &tensor.Poll{}
	}
	return &tensor.Poll{Stop: s.Stop()}
}

// ints are the elements of an int32 vector.
func ints(a *tensor.Dense) []int32 {
	if !a.IsContiguous() {
		a = a.Copy()
	}
	return tensor.Elements[int32](a)
}

// builder computes what formulas build.
func (m *Matrix) builder() *graph.Builder { return np.Computing(m.s) }

// formula is the matrix as formulas take it, compressed. Its arrays are looked at.
func (m *Matrix) formula() formula.Sparse {
	if m.format == "coo" {
		m = m.compressed()
	}
	if err := m.check(); err != nil {
		panic(&graph.Error{Msg: err.Error()})
	}
	_, minor := m.lengths()
	constant := func(a *tensor.Dense) *graph.Variable { return graph.NewConstant(a, nil) }
	return formula.Sparse{CSC: m.format == "csc", Data: constant(m.data), Indices: constant(m.indices), Indptr: constant(m.indptr),
		Minor: constant(tensor.IntScalar(kernels.Int64, int64(minor)))}
}

// compressed is a coo_matrix as a csr_matrix: what is at one place twice is added up.
func (m *Matrix) compressed() *Matrix {
	rows, columns, n := ints(m.indptr), ints(m.indices), m.data.Dim(0)
	poll := pollOf(m.s)
	// Sorted by rows, as elements of the transpose of a matrix with a row for each element.
	p := kernel.Pattern{Indices: rows, Indptr: make([]int32, n+1), Minor: m.shape[0], Ask: poll.Ask}
	for k := range n {
		poll.Ask(1)
		p.Indptr[k+1] = int32(k + 1)
	}
	q := kernel.Pattern{Indices: make([]int32, n), Indptr: make([]int32, m.shape[0]+1), Minor: n}
	order := make([]int64, n)
	kernel.Transpose(q, order, p)
	for k, element := range order {
		poll.Ask(1)
		q.Indices[k] = columns[element]
	}
	b := m.builder()
	constant := func(a *tensor.Dense) *graph.Variable { return graph.NewConstant(a, nil) }
	x := formula.Sparse{Data: formula.Taken(b, constant(m.data), constant(tensor.From(order, n))), Indices: constant(tensor.From(q.Indices, n)),
		Indptr: constant(tensor.From(q.Indptr, len(q.Indptr))), Minor: formula.Int(b, m.shape[1])}
	return m.made(b, x.Canonical(b))
}

// made is what a formula has computed.
func (m *Matrix) made(b *graph.Builder, x formula.Sparse) *Matrix { return made(m.s, b, x) }

func made(s value.Host, b *graph.Builder, x formula.Sparse) *Matrix {
	rows, columns := x.Shape(b)
	return &Matrix{s: s, format: x.Format(), data: x.Data.Data, indices: x.Indices.Data, indptr: x.Indptr.Data,
		shape: [2]int{int(rows.Data.Ints()[0]), int(columns.Data.Ints()[0])}}
}

// compute calls f, and returns the error of a formula without a place.
func compute[T any](f func() (T, error)) (z T, err error) {
	defer func() {
		var e *graph.Error
		if errors.As(err, &e) {
			err = errors.New(e.Msg)
		}
	}()
	defer graph.Catch(&err)
	return f()
}

// of computes a matrix of this one.
func (m *Matrix) of(f func(b *graph.Builder, x formula.Sparse) (formula.Sparse, error)) (*Matrix, error) {
	return compute(func() (*Matrix, error) {
		b := m.builder()
		z, err := f(b, m.formula())
		if err != nil {
			return nil, err
		}
		return m.made(b, z), nil
	})
}

// array computes an array of this matrix.
func (m *Matrix) array(f func(b *graph.Builder, x formula.Sparse) (*graph.Variable, error)) (starlark.Value, error) {
	return compute(func() (starlark.Value, error) {
		z, err := f(m.builder(), m.formula())
		if err != nil {
			return nil, err
		}
		return np.FromDenseIn(m.s, z.Data), nil
	})
}

// InFormat is the matrix in another format, itself in its own.
func (m *Matrix) InFormat(format string) (*Matrix, error) {
	switch {
	case m.format == format:
		return m, nil
	case format == "coo":
		return m.coordinates()
	case format == "csr" || format == "csc":
		return m.of(func(b *graph.Builder, x formula.Sparse) (formula.Sparse, error) {
			return x.InFormat(b, format == "csc"), nil
		})
	}
	return nil, fmt.Errorf("format: got %q, want \"csr\", \"csc\" or \"coo\"", format)
}

// coordinates is the matrix as a coo_matrix.
func (m *Matrix) coordinates() (*Matrix, error) {
	return compute(func() (*Matrix, error) {
		b, x, poll := m.builder(), m.formula(), pollOf(m.s)
		return &Matrix{s: m.s, format: "coo", data: poll.Copy(m.data), indices: poll.AsType(x.Columns(b).Data, kernels.Int32),
			indptr: poll.AsType(x.Rows(b).Data, kernels.Int32), shape: m.shape}, nil
	})
}

// AsType is the matrix with its elements in another type.
func (m *Matrix) AsType(d kernels.DType) (*Matrix, error) {
	if d.IsBool() {
		return nil, fmt.Errorf("got dtype bool, want numbers, such as int8")
	}
	z := *m
	poll := pollOf(m.s)
	z.data, z.indices, z.indptr = poll.AsType(m.data, d), poll.Copy(m.indices), poll.Copy(m.indptr)
	return &z, nil
}

// Parts are copies of the arrays that a compiled function takes: data, indices, indptr and the
// length of the minor axis. The matrix is compressed.
func (m *Matrix) Parts() ([]*tensor.Dense, error) {
	if err := m.check(); err != nil {
		return nil, err
	}
	_, minor := m.lengths()
	return []*tensor.Dense{m.data, m.indices, m.indptr, tensor.IntScalar(kernels.Int64, int64(minor))}, nil
}

func (m *Matrix) Type() string          { return m.format + "_matrix" }
func (m *Matrix) Freeze()               {}
func (m *Matrix) Hash() (uint32, error) { return 0, fmt.Errorf("unhashable type: %s", m.Type()) }

// Truth has none, as that of an array.
func (m *Matrix) Truth() starlark.Bool {
	if m.s != nil {
		m.s.CancelTruth("the truth value of a sparse matrix is ambiguous; use m.nnz > 0")
	}
	return true
}

// String is SciPy's repr.
func (m *Matrix) String() string {
	return fmt.Sprintf("<%dx%d sparse matrix of type '<class 'numpy.%v'>'\n\twith %d stored elements in %s format>", m.shape[0], m.shape[1], m.DType(), m.data.Dim(0), names[m.format])
}

// maxPrint is how many elements are written.
const maxPrint = 50

// Str writes the elements with their places, as SciPy does.
func (m *Matrix) Str() string {
	c, err := m.InFormat("coo")
	if err != nil {
		return m.String()
	}
	rows, columns := ints(c.indptr), ints(c.indices)
	var lines []string
	data := np.NewArray(m.s, c.data)
	for k := 0; k < len(rows); k++ {
		if n := len(rows); n > maxPrint && k == maxPrint/2 {
			lines = append(lines, "  :\t:")
			k = n - maxPrint/2
		}
		v, _, err := data.Get(starlark.MakeInt(k))
		if err != nil {
			return m.String()
		}
		lines = append(lines, fmt.Sprintf("  (%d, %d)\t%s", rows[k], columns[k], value.Str(v)))
	}
	return strings.Join(lines, "\n")
}

// CompareSameType refuses ==, whose answer would be a matrix.
func (m *Matrix) CompareSameType(op syntax.Token, _ starlark.Value, _ int) (bool, error) {
	return false, m.refuseComparison(op)
}

// CompareBy refuses comparisons with anything but None.
func (m *Matrix) CompareBy(op syntax.Token, y starlark.Value, _ starlark.Side) (starlark.Value, error) {
	if y == starlark.None {
		return nil, nil
	}
	return nil, m.refuseComparison(op)
}

func (m *Matrix) refuseComparison(op syntax.Token) error {
	return fmt.Errorf("%s of a %s would have an answer for each element; compare arrays: np.array_equal(x.toarray(), y.toarray()), or (x - y).nnz == 0", op, m.Type())
}
