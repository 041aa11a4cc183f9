package sparse

import (
	"fmt"
	"slices"
	"sync"

	"github.com/arignote/arignote/kernels"
	kernel "github.com/arignote/arignote/kernels/sparse"
	"github.com/arignote/arignote/runtime/formula"
	"github.com/arignote/arignote/runtime/graph"
	"github.com/arignote/arignote/runtime/op"
	"github.com/arignote/arignote/runtime/tensor"
	"github.com/arignote/arignote/starlib/np"
	"github.com/arignote/arignote/starlib/slot"
	"github.com/arignote/arignote/starlib/value"
	"go.starlark.net/starlark"
)

// method is the row of a method, with its arguments in an A.
func method[A any](name, doc, example string, fn func(m *Matrix, a *A) (starlark.Value, error)) value.Builtin {
	arguments := value.NewArguments[A]()
	return value.Builtin{Name: name, Doc: doc, Example: imported + example, Params: arguments.Params(),
		Fn: func(thread *starlark.Thread, b *value.Builtin, args starlark.Tuple, kwargs []starlark.Tuple) (starlark.Value, error) {
			a, err := arguments.Read(value.HostOf(thread), b, args, kwargs)
			if err != nil {
				return nil, err
			}
			v, err := fn(b.Receiver().(*Matrix), a.(*A))
			if err != nil {
				return nil, value.Named("", name, err)
			}
			return v, nil
		}}
}

// imported begins the examples.
const imported = "import scipy.sparse as sp; "

// example is a matrix of the examples.
const example = "sp.csr_matrix([[1, 0, 2], [0, 0, 3]])"

type none struct{}

type copyArgs struct {
	Copy bool `arg:"copy=False: a copy, even where none is needed"`
}

type axisArgs struct {
	Axis *int `arg:"axis=None: 0 or -2 sums columns, 1 or -1 rows; None all"`
}

// axis is 0 or 1, nil for all.
func (a axisArgs) axis() (*int, error) {
	if a.Axis == nil {
		return nil, nil
	}
	axis, err := tensor.NormalizeAxis(*a.Axis, 2)
	return &axis, err
}

// summed is the sum over an axis, as a matrix of one row or one column.
func (m *Matrix) summed(a axisArgs, mean bool) (starlark.Value, error) {
	axis, err := a.axis()
	if err != nil {
		return nil, err
	}
	return m.array(func(b *graph.Builder, x formula.Sparse) (*graph.Variable, error) {
		d := x.DType()
		switch { // NumPy's: sums of short integers are long
		case mean && !d.IsFloat():
			d = kernels.Float64
		case d.IsSigned():
			d = kernels.Int64
		case d.IsInteger():
			d = kernels.Uint64
		}
		x = x.With(formula.Cast(b, x.Data, d))
		z := formula.SparseSum(b, x, axis)
		n := m.shape[0] * m.shape[1]
		if axis != nil {
			z = formula.Permute(b, z, [][]int{{tensor.NewAxis, 0}, {0, tensor.NewAxis}}[*axis])
			n = m.shape[*axis]
		}
		if mean {
			z = b.Apply(op.TrueDiv, z, b.Constant(tensor.Scalar(d, float64(n))))
		}
		return z, nil
	})
}

// elementwise are functions of the elements that leave 0 what it is.
var elementwise = []struct {
	name string
	op   op.Elemwise
}{{"sqrt", op.Sqrt}, {"sin", op.Sin}, {"tan", op.Tan}, {"arcsin", op.Arcsin}, {"arctan", op.Arctan}, {"sinh", op.Sinh}, {"arcsinh", op.Arcsinh}, {"tanh", op.Tanh},
	{"arctanh", op.Arctanh}, {"expm1", op.Expm1}, {"log1p", op.Log1p}, {"ceil", op.Ceil}, {"floor", op.Floor}, {"trunc", op.Trunc}, {"rint", op.Round},
	{"sign", op.Sgn}, {"deg2rad", op.Deg2rad}, {"rad2deg", op.Rad2deg}}

func (m *Matrix) into(z *Matrix, err error) (starlark.Value, error) {
	if err != nil {
		return nil, err
	}
	*m = *z
	return starlark.None, nil
}

// matrix is z as a value.
func matrix(z *Matrix, err error) (starlark.Value, error) {
	if err != nil {
		return nil, err
	}
	return z, nil
}

// converted is the matrix in a format, a copy if it is asked for.
func (m *Matrix) converted(format string, copied bool) (starlark.Value, error) {
	if format == m.format && copied {
		return matrix(m.AsType(m.DType()))
	}
	return matrix(m.InFormat(format))
}

func conversion(format string) value.Builtin {
	return method("to"+format, "The matrix in "+names[format]+" format; itself if it has that.", example+".to"+format+"().format # \""+format+"\"",
		func(m *Matrix, a *copyArgs) (starlark.Value, error) { return m.converted(format, a.Copy) })
}

// deduplicate adds up what is stored at one place, in place, before a function of the elements, as
// SciPy does.
func (m *Matrix) deduplicate() error {
	if p, ok := m.pattern(); ok && p.IsCanonical() {
		return nil
	}
	format := m.format
	z, err := m.of(func(b *graph.Builder, x formula.Sparse) (formula.Sparse, error) { return x.Canonical(b), nil })
	if err == nil {
		z, err = z.InFormat(format)
	}
	if err == nil {
		*m = *z
	}
	return err
}

// written is the matrix written out.
func written(name string) value.Builtin {
	return method(name, "The matrix as an array, zeros and all.", example+"."+name+"() # array([[1, 0, 2],\n       [0, 0, 3]])",
		func(m *Matrix, _ *none) (starlark.Value, error) {
			return m.array(func(b *graph.Builder, x formula.Sparse) (*graph.Variable, error) { return x.Dense(b), nil })
		})
}

// transposed is the transpose, of the other format.
func (m *Matrix) transposed() *Matrix {
	z := *m
	z.shape = [2]int{m.shape[1], m.shape[0]}
	switch m.format {
	case "coo":
		z.indices, z.indptr = m.indptr, m.indices
	default:
		z.format = formatOf(m.format == "csr")
	}
	return &z
}

// Methods are the attributes of sparse matrices, by format.
var Methods = sync.OnceValue(func() map[string]*value.Methods {
	all := make(map[string]*value.Methods)
	for format := range names {
		all[format] = methodsOf(format)
	}
	return all
})

func init() { value.NameTypes("csr_matrix", "csc_matrix", "coo_matrix") }

// methodsOf are the attributes of matrices of a format.
func methodsOf(format string) *value.Methods {
	table := []value.Builtin{written("toarray"), written("todense"), conversion("csr"), conversion("csc"), conversion("coo"),
		method("asformat", "The matrix in a format: \"csr\", \"csc\" or \"coo\".", example+".asformat(\"csc\").format # \"csc\"",
			func(m *Matrix, a *struct {
				Format string `arg:"format: csr, csc or coo"`
				Copy   bool   `arg:"copy=False: a copy, even where none is needed"`
			}) (starlark.Value, error) {
				return m.converted(a.Format, a.Copy)
			}),
		method("astype", "The matrix with its elements in another type.", example+".astype(\"float32\").dtype # \"float32\"",
			func(m *Matrix, a *struct {
				DType starlark.Value `arg:"dtype: the type"`
			}) (starlark.Value, error) {
				d, err := np.DtypeArg(a.DType)
				if err == nil {
					err = m.deduplicate()
				}
				if err != nil {
					return nil, err
				}
				return matrix(m.AsType(d))
			}),
		method("copy", "A copy.", example+".copy().nnz # 3", func(m *Matrix, _ *none) (starlark.Value, error) { return matrix(m.AsType(m.DType())) }),
		method("transpose", "The transpose: of a csr_matrix a csc_matrix over the same arrays, and the other way round.", example+".transpose().shape # (3, 2)",
			func(m *Matrix, _ *none) (starlark.Value, error) { return m.transposed(), nil }),
		method("dot", "The matrix product, with a sparse matrix, an array or a vector.", example+".dot([1, 2, 3]) # array([7, 9])",
			func(m *Matrix, a *struct {
				Other starlark.Value `arg:"other: a sparse matrix, an array or a number"`
			}) (starlark.Value, error) {
				if isNumber(a.Other) {
					return m.scaled(op.Mul, a.Other)
				}
				return m.product(a.Other, false)
			}),
		method("multiply", "The elementwise product with a sparse matrix, an array of the same shape, a row, a column or a number.", example+".multiply(2).data # array([2, 4, 6])",
			func(m *Matrix, a *struct {
				Other starlark.Value `arg:"other: a sparse matrix, an array or a number"`
			}) (starlark.Value, error) {
				return m.multiplied(a.Other)
			}),
		method("power", "The elements to a power.", example+".power(2).data # array([1, 4, 9])", func(m *Matrix, a *struct {
			N starlark.Value `arg:"n: the power, a number that is not 0"`
		}) (starlark.Value, error) {
			if n, ok := starlark.AsFloat(value.Plain(a.N)); !ok || n == 0 {
				return nil, fmt.Errorf("got %s, want a number that is not 0, to which 0 is 1", value.Repr(a.N))
			}
			if err := m.deduplicate(); err != nil {
				return nil, err
			}
			data := np.NewArray(m.s, m.data)
			z, err := data.CallNumeric(currentOf(m.s), "pow", starlark.Tuple{data, a.N}, nil)
			if err != nil {
				return nil, err
			}
			return m.with(z.(*np.Array).Dense())
		}),
		method("sum", "The sum of all elements or, along an axis, a matrix of one row or one column.", example+".sum(axis=0) # array([[1, 0, 5]])",
			func(m *Matrix, a *axisArgs) (starlark.Value, error) { return m.summed(*a, false) }),
		method("mean", "The mean of all elements, zeros too or, along an axis, a matrix of one row or one column.", example+".mean() # 1.0",
			func(m *Matrix, a *axisArgs) (starlark.Value, error) { return m.summed(*a, true) }),
		method("diagonal", "The main diagonal.", example+".diagonal() # array([1, 0])", func(m *Matrix, _ *none) (starlark.Value, error) {
			return m.array(func(b *graph.Builder, x formula.Sparse) (*graph.Variable, error) {
				return formula.SparseDiagonal(b, x), nil
			})
		}),
		method("getnnz", "The number of stored elements.", example+".getnnz() # 3", func(m *Matrix, _ *none) (starlark.Value, error) { return starlark.MakeInt(m.data.Dim(0)), nil }),
		method("count_nonzero", "The number of stored elements that are not 0.", example+".count_nonzero() # 3", func(m *Matrix, _ *none) (starlark.Value, error) {
			if err := m.deduplicate(); err != nil {
				return nil, err
			}
			n, err := tensor.CountNonZero(m.data)
			return starlark.MakeInt(n), err
		}),
		method("nonzero", "The rows and the columns of the elements that are not 0.", example+".nonzero() # (array([0, 0, 1], dtype=int32), array([0, 2, 2], dtype=int32))",
			func(m *Matrix, _ *none) (starlark.Value, error) {
				z, err := m.of(func(b *graph.Builder, x formula.Sparse) (formula.Sparse, error) { return x.WithoutZeros(b), nil })
				if err != nil {
					return nil, err
				}
				c, err := z.coordinates()
				if err != nil {
					return nil, err
				}
				return starlark.Tuple{np.NewArray(m.s, c.indptr), np.NewArray(m.s, c.indices)}, nil
			}),
		method("getrow", "Row i, a matrix of one row.", example+".getrow(1).toarray() # array([[0, 0, 3]])", func(m *Matrix, a *struct {
			I int `arg:"i: its number"`
		}) (starlark.Value, error) {
			row, err := m.subscript(slot.NewList([]starlark.Value{starlark.MakeInt(a.I)}))
			if err != nil {
				return nil, err
			}
			return matrix(row.(*Matrix).InFormat("csr"))
		}),
		method("getcol", "Column j, a matrix of one column.", example+".getcol(2).toarray() # array([[2],\n       [3]])", func(m *Matrix, a *struct {
			J int `arg:"j: its number"`
		}) (starlark.Value, error) {
			none := &value.Slice{Lo: starlark.None, Hi: starlark.None, Step: starlark.None}
			return m.subscript(starlark.Tuple{none, slot.NewList([]starlark.Value{starlark.MakeInt(a.J)})})
		}),
		method("sort_indices", "Sorts the elements of each row, or column, in place.", example+".sort_indices() == None # True", func(m *Matrix, _ *none) (starlark.Value, error) {
			return m.into(m.of(func(b *graph.Builder, x formula.Sparse) (formula.Sparse, error) { return x.Sorted(b), nil }))
		}),
		method("sorted_indices", "A copy, with the elements of each row, or column, sorted.", example+".sorted_indices().indices # array([0, 2, 2], dtype=int32)",
			func(m *Matrix, _ *none) (starlark.Value, error) {
				return matrix(m.of(func(b *graph.Builder, x formula.Sparse) (formula.Sparse, error) { return x.Sorted(b), nil }))
			}),
		method("sum_duplicates", "Adds up what is stored at one place, in place, and sorts.", example+".sum_duplicates() == None # True", func(m *Matrix, _ *none) (starlark.Value, error) {
			return m.into(m.of(func(b *graph.Builder, x formula.Sparse) (formula.Sparse, error) { return x.Canonical(b), nil }))
		}),
		method("eliminate_zeros", "Drops elements that are 0, in place.", example+".eliminate_zeros() == None # True", func(m *Matrix, _ *none) (starlark.Value, error) {
			return m.into(m.of(func(b *graph.Builder, x formula.Sparse) (formula.Sparse, error) { return x.WithoutZeros(b), nil }))
		}),
	}
	for _, e := range elementwise {
		table = append(table, method(e.name, "The elements' "+e.name+", as np."+e.name+" has it.", example+"."+e.name+"().nnz # 3", func(m *Matrix, _ *none) (starlark.Value, error) {
			if err := m.deduplicate(); err != nil {
				return nil, err
			}
			data, err := np.Elementwise(m.s, e.op, m.data)
			if err != nil {
				return nil, err
			}
			return m.with(data)
		}))
	}
	fields := []value.Field{
		field("shape", "The number of rows and of columns.", "shape # (2, 3)", func(m *Matrix) starlark.Value {
			return starlark.Tuple{starlark.MakeInt(m.shape[0]), starlark.MakeInt(m.shape[1])}
		}),
		field("nnz", "The number of stored elements, zeros among them.", "nnz # 3", func(m *Matrix) starlark.Value { return starlark.MakeInt(m.data.Dim(0)) }),
		field("size", "The number of stored elements.", "size # 3", func(m *Matrix) starlark.Value { return starlark.MakeInt(m.data.Dim(0)) }),
		field("ndim", "2.", "ndim # 2", func(m *Matrix) starlark.Value { return starlark.MakeInt(2) }),
		field("dtype", "The type of the elements.", "dtype # \"int64\"", func(m *Matrix) starlark.Value { return np.DType(m.DType()) }),
		field("format", "\"csr\", \"csc\" or \"coo\".", "format # \"csr\"", func(m *Matrix) starlark.Value { return starlark.String(m.format) }),
		field("data", "The stored elements. They can be assigned, and changed in place.", "data # array([1, 2, 3])", func(m *Matrix) starlark.Value { return np.NewArray(m.s, m.data) }),
		structureField("indices", "Where each element lies in its row (csr) or column (csc), int32.", "indices # array([0, 2, 2], dtype=int32)", false, func(m *Matrix) *tensor.Dense { return m.indices }),
		structureField("indptr", "Where the elements of each row (csr) or column (csc) begin among the data, and where those of the last one end, int32.", "indptr # array([0, 2, 3], dtype=int32)", false, func(m *Matrix) *tensor.Dense { return m.indptr }),
		structureField("row", "Of a coo_matrix, the row of each element.", "tocoo().row # array([0, 0, 1], dtype=int32)", true, func(m *Matrix) *tensor.Dense { return m.indptr }),
		structureField("col", "Of a coo_matrix, the column of each element.", "tocoo().col # array([0, 2, 2], dtype=int32)", true, func(m *Matrix) *tensor.Dense { return m.indices }),
		field("T", "The transpose.", "T.shape # (3, 2)", func(m *Matrix) starlark.Value { return m.transposed() }),
		value.Field{Name: "A", Doc: "The matrix as an array.", Example: imported + example + ".A # array([[1, 0, 2],\n       [0, 0, 3]])", Get: func(recv starlark.Value) (starlark.Value, error) {
			return recv.(*Matrix).array(func(b *graph.Builder, x formula.Sparse) (*graph.Variable, error) { return x.Dense(b), nil })
		}},
		field("has_sorted_indices", "Whether the elements of each row, or column, are sorted.", "has_sorted_indices # True", func(m *Matrix) starlark.Value {
			p, ok := m.pattern()
			return starlark.Bool(ok && p.IsSorted())
		}),
		field("has_canonical_format", "Whether they are sorted and nothing is stored twice.", "has_canonical_format # True", func(m *Matrix) starlark.Value {
			p, ok := m.pattern()
			return starlark.Bool(ok && p.IsCanonical())
		}),
	}
	if format == "coo" {
		fields = slices.DeleteFunc(fields, func(f value.Field) bool { return f.Name == "indices" || f.Name == "indptr" })
	} else {
		fields = slices.DeleteFunc(fields, func(f value.Field) bool { return f.Name == "row" || f.Name == "col" })
	}
	return value.NewMethods(format+"_matrix", table).With(fields...)
}

func field(name, doc, call string, get func(m *Matrix) starlark.Value) value.Field {
	return value.FieldOf(name, doc, imported+example+"."+call, get)
}

// structureField is a field that compressed matrices have, or coordinate ones.
func structureField(name, doc, call string, coo bool, get func(m *Matrix) *tensor.Dense) value.Field {
	return value.Field{Name: name, Doc: doc, Example: imported + example + "." + call, Get: func(recv starlark.Value) (starlark.Value, error) {
		m := recv.(*Matrix)
		if (m.format == "coo") != coo {
			return nil, fmt.Errorf("%s has no .%s: convert it with .to%s()", m.Type(), name, map[bool]string{true: "coo", false: "csr"}[coo])
		}
		return np.NewArray(m.s, get(m)), nil
	}}
}

// pattern is the structure of a compressed matrix, if it is one.
func (m *Matrix) pattern() (kernel.Pattern, bool) {
	if m.format == "coo" || m.check() != nil {
		return kernel.Pattern{}, false
	}
	return m.structure(), true
}

// currentOf is the thread that runs.
func currentOf(s value.Host) *starlark.Thread {
	if s == nil {
		return nil
	}
	return s.Current()
}

// multiplied is the elementwise product.
func (m *Matrix) multiplied(y starlark.Value) (starlark.Value, error) {
	if isNumber(y) {
		return m.scaled(op.Mul, y)
	}
	if other, ok := y.(*Matrix); ok {
		return matrix(m.of(func(b *graph.Builder, x formula.Sparse) (formula.Sparse, error) {
			return formula.SparseMul(b, x, other.formula())
		}))
	}
	d, err := np.ToDense(y)
	if err != nil {
		return nil, err
	}
	wide, ok := d.BroadcastTo(m.shape[:])
	if !ok {
		return nil, fmt.Errorf("got an array of shape %s, want one that broadcasts to %s", tensor.ShapeString(d.Shape()), tensor.ShapeString(m.shape[:]))
	}
	return matrix(m.of(func(b *graph.Builder, x formula.Sparse) (formula.Sparse, error) {
		at, err := x.AtPlaces(b, graph.NewConstant(wide, nil))
		if err != nil {
			return x, err
		}
		return x.With(b.Apply(op.Mul, x.Data, at)), nil
	}))
}

func (m *Matrix) Table() *value.Methods { return Methods()[m.format] }

func (m *Matrix) AttrNames() []string { return m.Table().Names() }

func (m *Matrix) Attr(name string) (starlark.Value, error) { return m.Table().Attr(m, name) }

// SetField assigns data, or the structure.
func (m *Matrix) SetField(name string, v starlark.Value) error {
	at := map[string]**tensor.Dense{"data": &m.data, "indices": &m.indices, "indptr": &m.indptr}[name]
	if at == nil || m.format == "coo" {
		return fmt.Errorf("%s: cannot assign .%s: data, indices and indptr can be", m.Type(), name)
	}
	a, err := np.ToDense(v)
	if err != nil {
		return fmt.Errorf("%s.%s: %w", m.Type(), name, err)
	}
	if name != "data" {
		a = a.AsType(kernels.Int32)
	}
	was := *at
	if a.Rank() != 1 || a.Dim(0) != was.Dim(0) {
		return fmt.Errorf("%s.%s: got an array of shape %s, want %s", m.Type(), name, tensor.ShapeString(a.Shape()), tensor.ShapeString(was.Shape()))
	}
	*at = a
	if err := m.check(); err != nil {
		*at = was
		return fmt.Errorf("%s.%s: %w", m.Type(), name, err)
	}
	return nil
}
