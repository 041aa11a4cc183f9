package sparse

import (
	"fmt"
	"math"
	"slices"

	"github.com/arignote/arignote/kernels"
	kernel "github.com/arignote/arignote/kernels/sparse"
	"github.com/arignote/arignote/runtime/formula"
	"github.com/arignote/arignote/runtime/graph"
	"github.com/arignote/arignote/runtime/tensor"
	"github.com/arignote/arignote/starlib/np"
	"github.com/arignote/arignote/starlib/np/random"
	"github.com/arignote/arignote/starlib/value"
	"go.starlark.net/starlark"
)

// matrixArgs are those of the constructors.
type matrixArgs struct {
	Of    starlark.Value `arg:"arg1: a matrix, dense or sparse; (data, indices, indptr); (data, (row, col)), where what is at one place is added up; or a shape, of a matrix without elements"`
	Shape starlark.Value `arg:"shape=None: the number of rows and of columns; by default the smallest that holds the elements"`
	DType starlark.Value `arg:"dtype=None: the type of the elements"`
	Copy  bool           `arg:"copy=False: copy arrays that are given, instead of keeping them"`
}

// constructor is csr_matrix or its like.
func constructor(format string) value.Builtin {
	result := `<2x2 sparse matrix of type '<class 'numpy.int64'>'` + "\n\twith 2 stored elements in " + names[format] + " format>"
	b := function(format+"_matrix", "A sparse matrix in "+names[format]+" format.", format+"_matrix([[0, 1], [2, 0]]) # "+result,
		func(s value.Host, a *matrixArgs) (starlark.Value, error) {
			m, err := construct(s, format, a)
			if err != nil {
				return nil, err
			}
			return m, nil
		})
	b.Types = []string{format + "_matrix"}
	return b
}

// lengthPair reads a shape.
func lengthPair(v starlark.Value) (shape [2]int, err error) {
	list, err := value.Ints(v)
	if err != nil || len(list) != 2 || list[0] < 0 || list[1] < 0 {
		return shape, fmt.Errorf("shape: got %s, want two lengths", value.Repr(v))
	}
	return [2]int{list[0], list[1]}, nil
}

// isPair reports whether v is a tuple of two integers.
func isPair(v starlark.Value) bool {
	t, ok := v.(starlark.Tuple)
	if !ok || len(t) != 2 {
		return false
	}
	for _, x := range t {
		if _, ok := value.Plain(x).(starlark.Int); !ok {
			return false
		}
	}
	return true
}

func construct(s value.Host, format string, a *matrixArgs) (*Matrix, error) {
	d := kernels.Invalid
	var err error
	if a.DType != nil && a.DType != starlark.None {
		if d, err = np.DtypeArg(a.DType); err != nil {
			return nil, err
		}
	}
	var shape *[2]int
	if a.Shape != nil && a.Shape != starlark.None {
		given, err := lengthPair(a.Shape)
		if err != nil {
			return nil, err
		}
		shape = &given
	}
	m, err := read(s, format, a, shape)
	if err != nil {
		return nil, err
	}
	if shape != nil && m.shape != *shape {
		return nil, fmt.Errorf("shape: got (%d, %d) for a matrix of shape (%d, %d)", shape[0], shape[1], m.shape[0], m.shape[1])
	}
	if d != kernels.Invalid && d != m.DType() {
		if m, err = m.AsType(d); err != nil {
			return nil, err
		}
	}
	if err := m.check(); err != nil {
		return nil, err
	}
	return m.InFormat(format)
}

// read makes a matrix of what a constructor is given, in its own format if there is one.
func read(s value.Host, format string, a *matrixArgs, shape *[2]int) (*Matrix, error) {
	if m, ok := a.Of.(*Matrix); ok {
		if a.Copy {
			return m.AsType(m.DType())
		}
		z := *m
		return &z, nil
	}
	if isPair(a.Of) {
		lengths, err := lengthPair(a.Of)
		if err != nil {
			return nil, err
		}
		m := &Matrix{s: s, format: "csr", data: tensor.New(kernels.Float64, 0), indices: tensor.New(kernels.Int32, 0), shape: lengths}
		if max(lengths[0], lengths[1]) >= kernel.MaxElements {
			return nil, m.tooLong()
		}
		m.indptr = tensor.New(kernels.Int32, lengths[0]+1)
		return m, nil
	}
	if parts, ok := a.Of.(starlark.Tuple); ok && len(parts) == 3 && format != "coo" {
		return compressedOf(s, format, parts, shape, a.Copy)
	}
	if parts, ok := a.Of.(starlark.Tuple); ok && len(parts) == 2 {
		if places, ok := parts[1].(starlark.Indexable); ok && places.Len() == 2 {
			return coordinatesOf(s, parts[0], places, shape)
		}
	}
	x, err := np.ToDense(a.Of)
	if err != nil {
		return nil, err
	}
	switch x.Rank() {
	case 0, 1: // a number, or a row
		if x, err = x.Reshape(1, x.Size()); err != nil {
			return nil, err
		}
	case 2:
	default:
		return nil, fmt.Errorf("got an array of %d dimensions, want at most 2", x.Rank())
	}
	if x.DType().IsBool() {
		return nil, fmt.Errorf("got an array of bool, want numbers: convert it with .astype(\"int8\")")
	}
	return compute(func() (*Matrix, error) {
		b := np.Computing(s)
		return made(s, b, formula.SparseFromDense(b, graph.NewConstant(x, nil), format == "csc")), nil
	})
}

func (m *Matrix) tooLong() error {
	return fmt.Errorf("got shape (%d, %d), want axes shorter than %d", m.shape[0], m.shape[1], kernel.MaxElements)
}

// indexVector reads a vector of integers.
func indexVector(s value.Host, name string, v starlark.Value) (*tensor.Dense, error) {
	a, err := np.ToDense(v)
	if err != nil {
		return nil, fmt.Errorf("%s: %w", name, err)
	}
	if a.Rank() != 1 || !a.DType().IsInteger() && a.Size() > 0 {
		return nil, fmt.Errorf("%s: got %v, want a vector of integers", name, graph.TypeOfValue(a))
	}
	poll := pollOf(s)
	for k, n := range poll.AsType(a, kernels.Int64).Ints() {
		poll.Ask(1)
		if n != int64(int32(n)) {
			return nil, fmt.Errorf("%s: got %d at position %d, want numbers that fit int32", name, n, k)
		}
	}
	return a, nil
}

// lengthFor is the shortest axis that has the places.
func lengthFor(s value.Host, places *tensor.Dense) int {
	last, poll := int32(-1), pollOf(s)
	for _, i := range ints(places) {
		poll.Ask(1)
		last = max(last, i)
	}
	return int(last) + 1
}

// compressedOf is the matrix of (data, indices, indptr), which it keeps where their types allow it.
func compressedOf(s value.Host, format string, parts starlark.Tuple, shape *[2]int, copied bool) (*Matrix, error) {
	data, err := np.ToDense(parts[0])
	if err != nil {
		return nil, fmt.Errorf("data: %w", err)
	}
	indices, err := indexVector(s, "indices", parts[1])
	if err != nil {
		return nil, err
	}
	indptr, err := indexVector(s, "indptr", parts[2])
	if err != nil {
		return nil, err
	}
	if copied {
		data = pollOf(s).Copy(data)
	}
	as32 := func(a *tensor.Dense) *tensor.Dense {
		if a.DType() == kernels.Int32 && a.IsContiguous() && !copied {
			return a
		}
		return pollOf(s).AsType(a, kernels.Int32)
	}
	m := &Matrix{s: s, format: format, data: data, indices: as32(indices), indptr: as32(indptr)}
	if shape != nil {
		m.shape = *shape
		return m, m.check()
	}
	if m.shape = [2]int{max(m.indptr.Dim(0)-1, 0), lengthFor(s, m.indices)}; format == "csc" {
		slices.Reverse(m.shape[:])
	}
	return m, m.check()
}

// coordinatesOf is the matrix of (data, (row, col)).
func coordinatesOf(s value.Host, data starlark.Value, places starlark.Indexable, shape *[2]int) (*Matrix, error) {
	values, err := np.ToDense(data)
	if err != nil {
		return nil, fmt.Errorf("data: %w", err)
	}
	m := &Matrix{s: s, format: "coo", data: values}
	for axis, name := range []string{"row", "col"} {
		list, err := indexVector(s, name, places.Index(axis))
		if err != nil {
			return nil, err
		}
		list = pollOf(s).AsType(list, kernels.Int32)
		if values.Rank() != 1 || list.Dim(0) != values.Dim(0) {
			return nil, fmt.Errorf("%s: got %d numbers for data of shape %s, want as many of both", name, list.Dim(0), tensor.ShapeString(values.Shape()))
		}
		if axis == 0 {
			m.indptr = list
		} else {
			m.indices = list
		}
		if shape == nil && list.Size() == 0 {
			return nil, fmt.Errorf("cannot tell the shape of a matrix without elements: pass shape=(rows, columns)")
		}
		if shape == nil {
			m.shape[axis] = lengthFor(s, list)
		}
	}
	if shape != nil {
		m.shape = *shape
	}
	return m, m.check()
}

// function is the row of a function of the module.
func function[A any](name, doc, example string, fn func(s value.Host, a *A) (starlark.Value, error)) value.Builtin {
	return value.Function(name, doc, imported+"sp."+example, func(thread *starlark.Thread, a *A) (starlark.Value, error) {
		v, err := fn(value.HostOf(thread), a)
		if err != nil {
			return nil, value.Named("sp.", name, err)
		}
		return v, nil
	})
}

// perMatrix is the work for a matrix or a vector besides that for its elements, in elements that
// are moved.
const perMatrix = 256

// stack is hstack or vstack.
func stack(name string, axis int, doc, example string) value.Builtin {
	return function(name, doc, example, func(s value.Host, a *struct {
		Blocks starlark.Value `arg:"blocks: a list of matrices, sparse or dense"`
		Format starlark.Value `arg:"format=None: \"csr\", \"csc\" or \"coo\"; None is that of the blocks, or coo if they have not all the same"`
		DType  starlark.Value `arg:"dtype=None: the type of the elements"`
	}) (starlark.Value, error) {
		seq, ok := a.Blocks.(starlark.Iterable)
		if !ok {
			return nil, fmt.Errorf("blocks: got %s, want a list of matrices", a.Blocks.Type())
		}
		format, err := formatArg(a.Format)
		if err != nil {
			return nil, err
		}
		var list []*Matrix
		formats := make(map[string]bool)
		poll := pollOf(s)
		for e := range starlark.Elements(seq) {
			poll.Ask(perMatrix)
			if m, ok := e.(*Matrix); ok {
				formats[m.format] = true
			} else {
				formats["coo"] = true
			}
			m, err := construct(s, "csr", &matrixArgs{Of: e, DType: a.DType})
			if err != nil {
				return nil, fmt.Errorf("blocks[%d]: %w", len(list), err)
			}
			list = append(list, m)
		}
		if len(list) == 0 {
			return nil, fmt.Errorf("blocks: got none, want at least one")
		}
		if a.Format == nil || a.Format == starlark.None {
			if format = list[0].format; len(formats) > 1 || formats["coo"] {
				format = "coo"
			} else if formats["csc"] {
				format = "csc"
			}
		}
		z, err := compute(func() (*Matrix, error) {
			b := np.Computing(s)
			blocks := make([]formula.Sparse, len(list))
			for i, m := range list {
				blocks[i] = m.formula()
			}
			z, err := formula.SparseStack(b, blocks, axis, format == "csc")
			if err != nil {
				return nil, err
			}
			return made(s, b, z), nil
		})
		if err != nil {
			return nil, err
		}
		return matrix(z.InFormat(format))
	})
}

// formatArg reads a format; None is csr.
func formatArg(v starlark.Value) (string, error) {
	if v == nil || v == starlark.None {
		return "csr", nil
	}
	format, _ := starlark.AsString(v)
	if names[format] == "" {
		return "", fmt.Errorf("format: got %s, want \"csr\", \"csc\" or \"coo\"", value.Repr(v))
	}
	return format, nil
}

// diagonals is the matrix of vectors on diagonals.
func diagonals(s value.Host, vectors []*tensor.Dense, offsets []int, shape [2]int, d kernels.DType, format string) (*Matrix, error) {
	m := &Matrix{s: s, format: "coo", shape: shape}
	if max(shape[0], shape[1]) >= kernel.MaxElements {
		return nil, m.tooLong()
	}
	var rows, columns []int32
	var values []*tensor.Dense
	poll := pollOf(s)
	for i, v := range vectors {
		poll.Ask(perMatrix)
		k := offsets[i]
		n := min(shape[0]+min(k, 0), shape[1]-max(k, 0))
		if n < 0 {
			return nil, fmt.Errorf("offsets: got %d, which is no diagonal of shape (%d, %d)", k, shape[0], shape[1])
		}
		wide, ok := v.BroadcastTo([]int{n})
		if !ok {
			return nil, fmt.Errorf("diagonal %d: got %d elements, want %d for offset %d of shape (%d, %d)", i, v.Size(), n, k, shape[0], shape[1])
		}
		poll.Each(n, func(first, end int) {
			for j := first; j < end; j++ {
				rows, columns = append(rows, int32(j-min(k, 0))), append(columns, int32(j+max(k, 0)))
			}
		})
		values = append(values, poll.AsType(wide, d))
	}
	all := tensor.Empty(d, len(rows))
	at := 0
	for _, v := range values {
		poll.Ask(perMatrix + v.Size())
		part, err := all.Subscript(tensor.Index{Start: new(at), Stop: new(at + v.Size())})
		if err != nil {
			return nil, err
		}
		tensor.CopyTo(part, v)
		at += v.Size()
	}
	m.data, m.indptr, m.indices = all, tensor.From(rows, len(rows)), tensor.From(columns, len(columns))
	if err := m.check(); err != nil {
		return nil, err
	}
	return m.InFormat(format)
}

// dtypeOr reads a dtype.
func dtypeOr(v starlark.Value, otherwise kernels.DType) (kernels.DType, error) {
	if v == nil || v == starlark.None {
		return otherwise, nil
	}
	d, err := np.DtypeArg(v)
	if err == nil && d.IsBool() {
		err = fmt.Errorf("for parameter dtype: got bool, want numbers, such as int8")
	}
	return d, err
}

type eyeArgs struct {
	M      int            `arg:"m: the number of rows"`
	N      *int           `arg:"n=None: that of columns; as many as rows if not given"`
	K      int            `arg:"k=0: which diagonal; above the main one if positive"`
	DType  starlark.Value `arg:"dtype=\"d\": the type of the elements"`
	Format starlark.Value `arg:"format=None: csr, csc or coo; None is csr"`
}

// eye is the matrix with ones on a diagonal.
func eye(s value.Host, a *eyeArgs) (starlark.Value, error) {
	columns := a.M
	if a.N != nil {
		columns = *a.N
	}
	d, err := dtypeOr(a.DType, kernels.Float64)
	if err != nil {
		return nil, err
	}
	format, err := formatArg(a.Format)
	if err != nil {
		return nil, err
	}
	if a.M < 0 || columns < 0 {
		return nil, fmt.Errorf("got shape (%d, %d), want lengths that are not negative", a.M, columns)
	}
	return matrix(diagonals(s, []*tensor.Dense{tensor.IntScalar(d, 1)}, []int{a.K}, [2]int{a.M, columns}, d, format))
}

// table is the functions of scipy.sparse.
var table = []value.Builtin{
	constructor("csr"), constructor("csc"), constructor("coo"),
	function("eye", "The matrix with ones on a diagonal.", "eye(2).toarray() # array([[1., 0.],\n       [0., 1.]])", eye),
	function("identity", "The square matrix with ones on its diagonal.", "identity(3).nnz # 3", func(s value.Host, a *struct {
		N      int            `arg:"n: the number of rows"`
		DType  starlark.Value `arg:"dtype=\"d\": the type of the elements"`
		Format starlark.Value `arg:"format=None: csr, csc or coo; None is csr"`
	}) (starlark.Value, error) {
		return eye(s, &eyeArgs{M: a.N, DType: a.DType, Format: a.Format})
	}),
	function("diags", "The matrix with vectors on diagonals.", "diags([1, 2]).toarray() # array([[1., 0.],\n       [0., 2.]])", func(s value.Host, a *struct {
		Diagonals starlark.Value `arg:"diagonals: a vector, or a list of one for each offset; a number stands for as many as fit"`
		Offsets   starlark.Value `arg:"offsets=0: which diagonals; above the main one if positive"`
		Shape     starlark.Value `arg:"shape=None: by default the square one that the first diagonal fits"`
		Format    starlark.Value `arg:"format=None: csr, csc or coo; None is csr"`
		DType     starlark.Value `arg:"dtype=None: the type of the elements; that of the diagonals if not given, at least float64"`
	}) (starlark.Value, error) {
		return diagsOf(s, a.Diagonals, a.Offsets, a.Shape, a.Format, a.DType)
	}),
	stack("hstack", 1, "Matrices beside each other.", "hstack([sp.eye(2), sp.eye(2)]).shape # (2, 4)"),
	stack("vstack", 0, "Matrices one below the other.", "vstack([sp.eye(2), sp.eye(2)]).shape # (4, 2)"),
	function("random", "A matrix with random elements at random places: those of SciPy for the same seed.", "random(3, 4, density=0.5, random_state=1).nnz # 6", randomMatrix),
	question("issparse", "Whether x is a sparse matrix.", ""), question("isspmatrix", "Whether x is a sparse matrix.", ""),
	question("isspmatrix_csr", "Whether x is a csr_matrix.", "csr"), question("isspmatrix_csc", "Whether x is a csc_matrix.", "csc"),
	question("isspmatrix_coo", "Whether x is a coo_matrix.", "coo"),
}

func question(name, doc, format string) value.Builtin {
	answer := "True"
	if format == "csc" || format == "coo" {
		answer = "False"
	}
	return function(name, doc, name+"(sp.csr_matrix([[1]])) # "+answer, func(_ value.Host, a *struct {
		X starlark.Value `arg:"x: a value"`
	}) (starlark.Value, error) {
		m, ok := a.X.(*Matrix)
		return starlark.Bool(ok && (format == "" || m.format == format)), nil
	})
}

// diagsOf is diags.
func diagsOf(s value.Host, given, offsets, shape, form, dtype starlark.Value) (starlark.Value, error) {
	list := []starlark.Value{given}
	at, err := []int{0}, error(nil)
	if offsets != nil {
		at, err = value.Ints(offsets)
	}
	if err != nil {
		return nil, fmt.Errorf("offsets: %w", err)
	}
	if seq, ok := given.(starlark.Indexable); ok && seq.Len() > 0 {
		if inner, ok := seq.Index(0).(starlark.Sequence); ok || offsets != nil && isSequence(offsets) {
			_ = inner
			list = nil
			for i := range seq.Len() {
				list = append(list, seq.Index(i))
			}
		}
	}
	if len(list) != len(at) {
		return nil, fmt.Errorf("got %d diagonals and %d offsets, want as many of both", len(list), len(at))
	}
	d := kernels.Float64
	vectors := make([]*tensor.Dense, len(list))
	for i, x := range value.Heard(currentOf(s), list) {
		if vectors[i], err = np.ToDenseIn(s, x); err != nil {
			return nil, fmt.Errorf("diagonals[%d]: %w", i, err)
		}
		if vectors[i].Rank() > 1 {
			return nil, fmt.Errorf("diagonals[%d]: got an array of %d dimensions, want a vector", i, vectors[i].Rank())
		}
	}
	if d, err = dtypeOr(dtype, d); err != nil {
		return nil, err
	}
	var lengths [2]int
	if shape == nil || shape == starlark.None {
		n := vectors[0].Size() + max(at[0], -at[0])
		lengths = [2]int{n, n}
	} else if lengths, err = lengthPair(shape); err != nil {
		return nil, err
	}
	format, err := formatArg(form)
	if err != nil {
		return nil, err
	}
	return matrix(diagonals(s, vectors, at, lengths, d, format))
}

func isSequence(v starlark.Value) bool {
	_, ok := v.(starlark.Sequence)
	return ok
}

type randomArgs struct {
	M       int            `arg:"m: the number of rows"`
	N       int            `arg:"n: the number of columns"`
	Density float64        `arg:"density=0.01: how many of the elements are stored, from 0 to 1"`
	Format  string         `arg:"format=\"coo\": csr, csc or coo"`
	DType   starlark.Value `arg:"dtype=None: float64 if not given"`
	State   starlark.Value `arg:"random_state=None: a seed, a RandomState or a Generator; np.random if not given"`
	Draw    starlark.Value `arg:"data_rvs=None: a function of a number that draws as many elements; uniform between 0 and 1 if not given"`
}

// randomMatrix draws what SciPy does: places by choice, numbered along columns, then the elements.
func randomMatrix(s value.Host, a *randomArgs) (starlark.Value, error) {
	d, err := dtypeOr(a.DType, kernels.Float64)
	if err != nil {
		return nil, err
	}
	switch {
	case !(a.Density >= 0 && a.Density <= 1):
		return nil, fmt.Errorf("density: got %v, want a number from 0 to 1", a.Density)
	case a.M < 0 || a.N < 0 || max(a.M, a.N) >= kernel.MaxElements:
		return nil, fmt.Errorf("got shape (%d, %d), want lengths from 0 to %d", a.M, a.N, kernel.MaxElements-1)
	case names[a.Format] == "":
		return nil, fmt.Errorf("format: got %q, want \"csr\", \"csc\" or \"coo\"", a.Format)
	case d.IsInteger() && a.Draw == starlark.None, d.IsInteger() && a.Draw == nil:
		return nil, fmt.Errorf("dtype: got %v, want floats; pass data_rvs=lambda n: np.random.randint(1, 10, n) to draw integers", d)
	}
	thread := currentOf(s)
	source, err := random.Source(s, a.State)
	if err != nil {
		return nil, err
	}
	call := func(name string, args starlark.Tuple, kwargs ...starlark.Tuple) (*tensor.Dense, error) {
		fn, err := source.Attr(name)
		if err != nil {
			return nil, err
		}
		v, err := value.Call(thread, fn, args, kwargs)
		if err != nil {
			return nil, err
		}
		return np.ToDense(v)
	}
	count := int(math.RoundToEven(a.Density * float64(a.M) * float64(a.N)))
	if count >= kernel.MaxElements {
		return nil, fmt.Errorf("density: got %v, which is %d elements, want fewer than %d", a.Density, count, kernel.MaxElements)
	}
	places := tensor.New(kernels.Int64, 0)
	if a.M*a.N > 0 {
		if places, err = call("choice", starlark.Tuple{starlark.MakeInt(a.M * a.N)}, starlark.Tuple{starlark.String("size"), starlark.MakeInt(count)},
			starlark.Tuple{starlark.String("replace"), starlark.False}); err != nil {
			return nil, err
		}
	}
	rows, columns := tensor.New(kernels.Int32, count), tensor.New(kernels.Int32, count)
	intoRows, intoColumns := tensor.Elements[int32](rows), tensor.Elements[int32](columns)
	for k, at := range value.Heard(thread, places.Ints()) {
		intoColumns[k], intoRows[k] = int32(at/int64(a.M)), int32(at%int64(a.M))
	}
	m := &Matrix{s: s, format: "coo", indices: columns, indptr: rows, shape: [2]int{a.M, a.N}}
	if fn, ok := a.Draw.(starlark.Callable); ok {
		v, err := value.Call(thread, fn, starlark.Tuple{starlark.MakeInt(count)}, nil)
		if err != nil {
			return nil, err
		}
		if m.data, err = np.ToDense(v); err != nil {
			return nil, fmt.Errorf("data_rvs: %w", err)
		}
	} else if m.data, err = call("uniform", starlark.Tuple{starlark.Float(0), starlark.Float(1), starlark.MakeInt(count)}); err != nil {
		return nil, err
	}
	m.data = pollOf(s).AsType(m.data, d)
	if err := m.check(); err != nil {
		return nil, fmt.Errorf("data_rvs: %w", err)
	}
	return matrix(m.InFormat(a.Format))
}

// Module is scipy.sparse, and Scipy what has it.
var (
	Module = value.NewModule("scipy.sparse", "Sparse matrices: what is not stored is 0.", value.Builtins(table)...)
	Scipy  = value.NewModule("scipy", "The part of SciPy that programs of the tensor compiler use: sparse matrices.",
		value.Member{Name: "sparse", Value: Module, Doc: Module.Doc(), Example: imported + "sp.eye(2).nnz # 2"})
)
