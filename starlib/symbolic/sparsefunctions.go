package symbolic

import (
	"fmt"
	"slices"

	"github.com/arignote/arignote/kernels"
	"github.com/arignote/arignote/runtime/formula"
	"github.com/arignote/arignote/runtime/graph"
	"github.com/arignote/arignote/runtime/op"
	"github.com/arignote/arignote/runtime/tensor"
	"github.com/arignote/arignote/starlib/np"
	"github.com/arignote/arignote/starlib/sparse"
	"github.com/arignote/arignote/starlib/value"
	"go.starlark.net/starlark"
)

// The functions of theano.sparse. Most build a formula of package formula.

type (
	V       = *graph.Variable
	ASparse = formula.Sparse
)

// sparseRow is the row of a function. In its example, {} stands for a constant matrix.
func sparseRow[A any](name, doc, example string, fn func(s *Session, b *graph.Builder, a *A) (starlark.Value, error)) value.Builtin {
	return value.Function(name, doc, sparseSample(name, example), func(thread *starlark.Thread, a *A) (starlark.Value, error) {
		s := SessionOf(thread)
		v, err := fn(s, s.Builder(thread), a)
		if err != nil {
			return nil, value.Named("", name, err)
		}
		return v, nil
	})
}

// sparseSample is an example, with its imports.
func sparseSample(name, example string) string {
	const x = "sp.csr_matrix([[1.0, 0.0, 2.0], [0.0, 3.0, 0.0]])"
	out := "import scipy.sparse as sp; theano.sparse." + name
	for i := 0; i < len(example); i++ {
		if i+1 < len(example) && example[i:i+2] == "{}" {
			out += x
			i++
			continue
		}
		out += example[i : i+1]
	}
	return out
}

type oneSparse struct {
	X starlark.Value `arg:"x: a sparse matrix"`
}

type twoMatrices struct {
	X starlark.Value `arg:"x: a matrix, sparse or dense"`
	Y starlark.Value `arg:"y: a matrix, sparse or dense; one of them is sparse"`
}

// ofSparse is a function of one sparse matrix.
func ofSparse(name, doc, example string, f func(b *graph.Builder, x ASparse) (ASparse, error)) value.Builtin {
	return sparseRow(name, doc, example, func(s *Session, b *graph.Builder, a *oneSparse) (starlark.Value, error) {
		x, err := s.sparseOperand(b, a.X)
		if err != nil {
			return nil, err
		}
		return s.buildSparse(func() (ASparse, error) { return f(b, x) })
	})
}

// denseOf is one with a dense result.
func denseOf(name, doc, example string, f func(b *graph.Builder, x ASparse) (V, error)) value.Builtin {
	return sparseRow(name, doc, example, func(s *Session, b *graph.Builder, a *oneSparse) (starlark.Value, error) {
		x, err := s.sparseOperand(b, a.X)
		if err != nil {
			return nil, err
		}
		return s.buildDense(func() (V, error) { return f(b, x) })
	})
}

// denseOperand reads what is no sparse matrix.
func (s *Session) denseOperand(b *graph.Builder, x starlark.Value, like V) (V, error) {
	return s.Variable(b, x, like)
}

// bothOf reads two matrices of which one is sparse; dense is the other, nil if both are sparse.
func (s *Session) bothOf(b *graph.Builder, x, y starlark.Value) (left, right *ASparse, dense V, err error) {
	read := func(v starlark.Value) *ASparse {
		z, e := s.sparseOperand(b, v)
		if err == nil {
			err = e
		}
		return &z
	}
	switch {
	case IsSparse(x) && IsSparse(y):
		left, right = read(x), read(y)
	case IsSparse(x):
		if left = read(x); err == nil {
			dense, err = s.denseOperand(b, y, left.Data)
		}
	case IsSparse(y):
		if right = read(y); err == nil {
			dense, err = s.denseOperand(b, x, right.Data)
		}
	default:
		err = fmt.Errorf("got %s and %s, want a sparse matrix among them; T has what is dense", x.Type(), y.Type())
	}
	return left, right, dense, err
}

// sparseSum is x + y, or x - y: sparse of two sparse matrices, dense beside a dense one.
func (s *Session) sparseSum(b *graph.Builder, x, y starlark.Value, minus bool) (starlark.Value, error) {
	left, right, dense, err := s.bothOf(b, x, y)
	if err != nil {
		return nil, err
	}
	if dense == nil {
		return s.buildSparse(func() (ASparse, error) {
			z := *right
			if minus {
				z = z.With(b.Apply(op.Neg, z.Data))
			}
			return formula.SparseAdd(b, *left, z)
		})
	}
	if dense.Type.Rank() != 2 {
		return nil, fmt.Errorf("got %v beside a sparse matrix, want a matrix; structured_add(x, y) adds a scalar to what is stored, and dense_from_sparse(x) + y to all", dense.Type)
	}
	return s.buildDense(func() (V, error) {
		in := []V{dense, dense}
		if left != nil {
			in[0] = left.Dense(b)
		} else {
			in[1] = right.Dense(b)
		}
		if minus {
			return b.Apply(op.Sub, in...), nil
		}
		return b.Apply(op.Add, in...), nil
	})
}

// sparseMul is the elementwise product, which is sparse.
func (s *Session) sparseMul(b *graph.Builder, x, y starlark.Value) (starlark.Value, error) {
	left, right, dense, err := s.bothOf(b, x, y)
	if err != nil {
		return nil, err
	}
	return s.buildSparse(func() (ASparse, error) {
		if dense == nil {
			return formula.SparseMul(b, *left, *right)
		}
		if left == nil {
			left = right
		}
		at, err := left.AtPlaces(b, dense)
		if err != nil {
			return *left, err
		}
		return left.With(b.Apply(op.Mul, left.Data, at)), nil
	})
}

// sparseCompare compares elementwise: a sparse uint8 matrix of two sparse ones, and a dense one
// beside a dense matrix. It has no gradient.
func (s *Session) sparseCompare(b *graph.Builder, e op.Elemwise, x, y starlark.Value) (starlark.Value, error) {
	left, right, dense, err := s.bothOf(b, x, y)
	if err != nil {
		return nil, err
	}
	compared := func() V {
		in := []V{dense, dense}
		if left != nil {
			in[0] = left.Dense(b)
		}
		if right != nil {
			in[1] = right.Dense(b)
		}
		return formula.Cast(b, b.Apply(e, in...), kernels.Uint8)
	}
	if dense != nil {
		return s.buildDense(func() (V, error) { return compared(), nil })
	}
	return s.buildSparse(func() (ASparse, error) { return formula.SparseFromDense(b, compared(), left.CSC), nil })
}

func comparison(name string, e op.Elemwise, example string) value.Builtin {
	return sparseRow(name, "Compares elementwise: 1 where x "+e.Name()+" y, else 0, of type uint8. Of two sparse matrices the result is sparse, though both are written out for it.", example,
		func(s *Session, b *graph.Builder, a *twoMatrices) (starlark.Value, error) {
			return s.sparseCompare(b, e, a.X, a.Y)
		})
}

// fromDense is csr_from_dense and its like.
func fromDense(csc bool) value.Builtin {
	format := sparseTypeValue{csc: csc}.format()
	return sparseRow(format+"_from_dense", "What of a dense matrix is not 0, in the format "+format+". The gradient is structured: 0 where the matrix is.",
		"(T.as_tensor([[0.0, 2.0]])).eval().data # array([2.])", func(s *Session, b *graph.Builder, a *struct {
			X starlark.Value `arg:"x: a dense matrix"`
		}) (starlark.Value, error) {
			if IsSparse(a.X) {
				return nil, fmt.Errorf("got a sparse matrix, want a dense one")
			}
			x, err := s.Variable(b, a.X, nil)
			if err != nil {
				return nil, err
			}
			return s.buildSparse(func() (ASparse, error) { return formula.SparseFromDense(b, x, csc), nil })
		})
}

type propertyArgs struct {
	Data    starlark.Value `arg:"data: a vector with the stored elements"`
	Indices starlark.Value `arg:"indices: a vector of integers: where each element lies in its row or column"`
	Indptr  starlark.Value `arg:"indptr: a vector of integers: where the elements of each row or column begin, and where those of the last one end"`
	Shape   starlark.Value `arg:"shape: the number of rows and of columns: a vector, or a pair"`
}

// fromProperties is CSR or CSC.
func fromProperties(s *Session, b *graph.Builder, csc bool, a *propertyArgs) (starlark.Value, error) {
	data, err := s.Variable(b, a.Data, nil)
	if err != nil {
		return nil, fmt.Errorf("data: %w", err)
	}
	if data.Type.Rank() != 1 || data.Type.DType.IsBool() {
		return nil, fmt.Errorf("data: got %v, want a vector of numbers", data.Type)
	}
	var structure [2]V
	for i, x := range []starlark.Value{a.Indices, a.Indptr} {
		name := []string{"indices", "indptr"}[i]
		v, err := s.Variable(b, x, nil)
		if err != nil {
			return nil, fmt.Errorf("%s: %w", name, err)
		}
		if v.Type.Rank() != 1 || !v.Type.DType.IsInteger() {
			return nil, fmt.Errorf("%s: got %v, want a vector of integers", name, v.Type)
		}
		structure[i] = v
	}
	shape, err := s.Variable(b, a.Shape, nil)
	if err != nil {
		return nil, fmt.Errorf("shape: %w", err)
	}
	if shape.Type.Rank() != 1 || !shape.Type.DType.IsInteger() || shape.Type.Dim(0) != 2 && shape.Type.Dim(0) != graph.Unknown {
		return nil, fmt.Errorf("shape: got %v, want two integers", shape.Type)
	}
	return s.buildSparse(func() (ASparse, error) {
		as32 := func(v V) V {
			if v.IsConstant() {
				return b.Constant(v.Data.AsType(kernels.Int32))
			}
			return formula.Cast(b, v, kernels.Int32)
		}
		lengths := [2]V{}
		for i := range lengths {
			if shape.IsConstant() {
				lengths[i] = formula.Int(b, int(shape.Data.Ints()[i]))
			} else {
				lengths[i] = formula.Cast(b, formula.At(b, shape, 0, i), kernels.Int64)
			}
		}
		major, minor := lengths[0], lengths[1]
		if csc {
			major, minor = minor, major
		}
		x := ASparse{CSC: csc, Data: data, Indices: as32(structure[0]), Indptr: as32(structure[1]), Minor: minor}
		return x, x.CheckMajor(b, major)
	})
}

func propertiesRow(name string, csc bool) value.Builtin {
	axis := []string{"columns", "rows"}
	if csc {
		slices.Reverse(axis)
	}
	return sparseRow(name, "The sparse matrix of its data, indices, pointers and shape, compressed along its "+axis[1]+". The gradient is regular.",
		"([1.0, 2.0], [1, 0], [0, 1, 2], (2, 2)).eval().nnz # 2", func(s *Session, b *graph.Builder, a *propertyArgs) (starlark.Value, error) {
			return fromProperties(s, b, csc, a)
		})
}

// shapeVector is the shape as Theano has it, a vector of int32.
func shapeVector(b *graph.Builder, x ASparse, d kernels.DType) V {
	rows, columns := x.Shape(b)
	return formula.Cast(b, formula.ShapeVector(b, []V{rows, columns}), d)
}

// sparseStack is hstack or vstack.
func sparseStack(name string, axis int, doc, example string) value.Builtin {
	return sparseRow(name, doc, example, func(s *Session, b *graph.Builder, a *struct {
		Blocks starlark.Value `arg:"blocks: a list of sparse matrices"`
		Format starlark.Value `arg:"format=None: csr or csc; None is csc"`
		DType  starlark.Value `arg:"dtype=None: the type of the elements; the common one if not given"`
	}) (starlark.Value, error) {
		csc := true
		var err error
		if !Absent(a.Format) {
			if csc, err = readFormat(a.Format); err != nil {
				return nil, err
			}
		}
		seq, ok := a.Blocks.(starlark.Iterable)
		if !ok || IsSparse(a.Blocks) {
			return nil, fmt.Errorf("blocks: got %s, want a list of sparse matrices", a.Blocks.Type())
		}
		var blocks []ASparse
		for e := range starlark.Elements(seq) {
			x, err := s.sparseOperand(b, e)
			if err != nil {
				return nil, fmt.Errorf("blocks[%d]: %w", len(blocks), err)
			}
			blocks = append(blocks, x)
		}
		if len(blocks) == 0 {
			return nil, fmt.Errorf("blocks: got none, want at least one")
		}
		return s.buildSparse(func() (ASparse, error) {
			z, err := formula.SparseStack(b, blocks, axis, csc)
			if err != nil || Absent(a.DType) {
				return z, err
			}
			d, err := s.sparseDType(a.DType)
			return z.With(formula.Cast(b, z.Data, d)), err
		})
	})
}

// scaling is col_scale or row_scale.
func scaling(name, of string, places func(b *graph.Builder, x ASparse) V, example string) value.Builtin {
	return sparseRow(name, "The matrix with each "+of+" multiplied by an element of a vector. The gradient is structured.", example, func(s *Session, b *graph.Builder, a *struct {
		X starlark.Value `arg:"x: a sparse matrix"`
		S starlark.Value `arg:"s: a dense vector"`
	}) (starlark.Value, error) {
		x, err := s.sparseOperand(b, a.X)
		if err != nil {
			return nil, err
		}
		v, err := s.Variable(b, a.S, x.Data)
		if err != nil {
			return nil, err
		}
		if v.Type.Rank() != 1 {
			return nil, fmt.Errorf("for parameter s: got %v, want a vector", v.Type)
		}
		return s.buildSparse(func() (ASparse, error) {
			return x.With(b.Apply(op.Mul, x.Data, formula.Taken(b, v, places(b, x)))), nil
		})
	})
}

type castArgs struct {
	X     starlark.Value `arg:"x: a sparse matrix"`
	DType starlark.Value `arg:"dtype: the type of the elements"`
}

func sparseCast(s *Session, b *graph.Builder, a *castArgs) (starlark.Value, error) {
	x, err := s.sparseOperand(b, a.X)
	if err != nil {
		return nil, err
	}
	d, err := s.sparseDType(a.DType)
	if err != nil {
		return nil, err
	}
	return s.buildSparse(func() (ASparse, error) { return x.With(formula.Cast(b, x.Data, d)), nil })
}

// castTable is cast and its short names.
func castTable() []value.Builtin {
	table := []value.Builtin{sparseRow("cast", "The matrix with its elements in another type.", `({}, "float32").dtype # "float32"`, sparseCast)}
	for _, c := range [][2]string{{"bcast", "int8"}, {"wcast", "int16"}, {"icast", "int32"}, {"lcast", "int64"}, {"fcast", "float32"}, {"dcast", "float64"}} {
		table = append(table, sparseRow(c[0], "The matrix with its elements as "+c[1]+".", `({}).dtype # "`+c[1]+`"`, func(s *Session, b *graph.Builder, a *oneSparse) (starlark.Value, error) {
			return sparseCast(s, b, &castArgs{a.X, starlark.String(c[1])})
		}))
	}
	return table
}

type sumArgs struct {
	X    starlark.Value `arg:"x: a sparse matrix"`
	Axis *int           `arg:"axis=None: 0 sums columns, 1 rows; None all"`
	Grad bool           `arg:"sparse_grad=False: whether the gradient is structured, and not regular"`
}

func sparseSumOf(s *Session, b *graph.Builder, a *sumArgs) (starlark.Value, error) {
	x, err := s.sparseOperand(b, a.X)
	if err != nil {
		return nil, err
	}
	axis := a.Axis
	if axis != nil {
		n, err := tensor.NormalizeAxis(*axis, 2)
		if err != nil {
			return nil, err
		}
		axis = &n
	}
	return s.buildDense(func() (V, error) {
		if a.Grad {
			x.Whole = nil
			return formula.SparseSum(b, x, axis), nil
		}
		return formula.RegularSum(b, x, axis), nil
	})
}

// sparseTable is the functions of theano.sparse.
func sparseTable() []value.Builtin {
	asSparse := func(name string) value.Builtin {
		return sparseRow(name, "x itself if it is a symbolic sparse matrix, or a constant of a value.", "({}).dtype # \"float64\"", func(s *Session, b *graph.Builder, a *struct {
			X    starlark.Value `arg:"x: a sparse matrix, symbolic or not"`
			Name starlark.Value `arg:"name=None: what a constant is called"`
		}) (starlark.Value, error) {
			if v, ok := a.X.(*SparseVariable); ok {
				return v, nil
			}
			x, err := s.sparseOperand(b, a.X)
			if err != nil {
				return nil, err
			}
			v := s.NewSparse(x)
			v.Name, err = OptionalString("name", a.Name)
			return v, err
		})
	}
	table := []value.Builtin{
		asSparse("as_sparse_variable"), asSparse("as_sparse"), asSparse("constant"),
		sparseRow("as_sparse_or_tensor_variable", "x as a symbolic sparse matrix if it is sparse, else as a dense variable.", "([1.0, 2.0]).ndim # 1", func(s *Session, b *graph.Builder, a *struct {
			X    starlark.Value `arg:"x: a matrix, sparse or dense"`
			Name starlark.Value `arg:"name=None: for Theano's sake"`
		}) (starlark.Value, error) {
			if v, ok := a.X.(*SparseVariable); ok {
				return v, nil
			}
			if IsSparse(a.X) {
				x, err := s.sparseOperand(b, a.X)
				return s.NewSparse(x), err
			}
			v, err := s.Variable(b, a.X, nil)
			return Symbol{s, v}, err
		}),
		propertiesRow("CSR", false), propertiesRow("CSC", true),
		sparseRow("csm_properties", "The parts of a sparse matrix: its data, indices, pointers and shape, dense vectors. The gradient is regular.", "({})[0].eval() # array([1., 2., 3.])",
			func(s *Session, b *graph.Builder, a *oneSparse) (starlark.Value, error) {
				x, err := s.sparseOperand(b, a.X)
				if err != nil {
					return nil, err
				}
				shape, err := s.buildDense(func() (V, error) { return shapeVector(b, x, kernels.Int32), nil })
				if err != nil {
					return nil, err
				}
				return starlark.Tuple{Symbol{s, x.Data}, Symbol{s, x.Indices}, Symbol{s, x.Indptr}, shape}, nil
			}),
		denseOf("csm_data", "The stored elements, a vector.", "({}).eval() # array([1., 2., 3.])", func(_ *graph.Builder, x ASparse) (V, error) { return x.Data, nil }),
		denseOf("csm_indices", "Where each element lies in its row or column, a vector of int32.", "({}).eval() # array([0, 2, 1], dtype=int32)", func(_ *graph.Builder, x ASparse) (V, error) { return x.Indices, nil }),
		denseOf("csm_indptr", "Where the elements of each row or column begin, a vector of int32.", "({}).eval() # array([0, 2, 3], dtype=int32)", func(_ *graph.Builder, x ASparse) (V, error) { return x.Indptr, nil }),
		denseOf("csm_shape", "The number of rows and of columns, a vector of int32.", "({}).eval() # array([2, 3], dtype=int32)",
			func(b *graph.Builder, x ASparse) (V, error) { return shapeVector(b, x, kernels.Int32), nil }),
		denseOf("dense_from_sparse", "The matrix written out. The gradient is structured: that of the stored elements.", "({}).eval() # array([[1., 0., 2.],\n       [0., 3., 0.]])",
			func(b *graph.Builder, x ASparse) (V, error) { return x.Dense(b), nil }),
		fromDense(false), fromDense(true),
		sparseRow("add", "x + y: sparse of two sparse matrices, dense beside a dense one.", "({}, {}).eval().data # array([2., 4., 6.])", func(s *Session, b *graph.Builder, a *twoMatrices) (starlark.Value, error) {
			return s.sparseSum(b, a.X, a.Y, false)
		}),
		sparseRow("sub", "x - y: sparse of two sparse matrices, dense beside a dense one.", "({}, {}).eval().data # array([], dtype=float64)", func(s *Session, b *graph.Builder, a *twoMatrices) (starlark.Value, error) {
			return s.sparseSum(b, a.X, a.Y, true)
		}),
		sparseRow("mul", "The elementwise product, sparse: of two sparse matrices, or with a dense matrix, a vector that multiplies columns, or a scalar.", "({}, {}).eval().data # array([1., 4., 9.])",
			func(s *Session, b *graph.Builder, a *twoMatrices) (starlark.Value, error) {
				return s.sparseMul(b, a.X, a.Y)
			}),
		sparseRow("mul_s_v", "The matrix with each column multiplied by an element of a vector.", "({}, [1.0, 2.0, 3.0]).eval().data # array([1., 6., 6.])", func(s *Session, b *graph.Builder, a *twoMatrices) (starlark.Value, error) {
			return s.sparseMul(b, a.X, a.Y)
		}),
		sparseRow("structured_add_s_v", "The matrix with an element of a vector added to what is stored in each column.", "({}, [1.0, 2.0, 3.0]).eval().data # array([2., 5., 5.])",
			func(s *Session, b *graph.Builder, a *twoMatrices) (starlark.Value, error) {
				x, err := s.sparseOperand(b, a.X)
				if err != nil {
					return nil, err
				}
				y, err := s.Variable(b, a.Y, x.Data)
				if err != nil {
					return nil, err
				}
				if y.Type.Rank() != 1 {
					return nil, fmt.Errorf("for parameter y: got %v, want a vector", y.Type)
				}
				return s.buildSparse(func() (ASparse, error) {
					return x.With(b.Apply(op.Add, x.Data, formula.Taken(b, y, x.Columns(b)))), nil
				})
			}),
		comparison("eq", op.Eq, "({}, {}).eval().nnz # 6"), comparison("neq", op.Neq, "({}, {}).eval().nnz # 0"), comparison("lt", op.Lt, "({}, {}).eval().nnz # 0"),
		comparison("le", op.Le, "({}, {}).eval().nnz # 6"), comparison("gt", op.Gt, "({}, {}).eval().nnz # 0"), comparison("ge", op.Ge, "({}, {}).eval().nnz # 6"),
		sparseRow("dot", "The matrix product of two matrices, one of them sparse, or of a matrix and a vector: dense. The gradient is regular: it has places where a sparse operand stores nothing.", "({}, [1.0, 2.0, 3.0]).eval() # array([7., 6.])",
			func(s *Session, b *graph.Builder, a *twoMatrices) (starlark.Value, error) {
				z, err := s.regularDot(b, a.X, a.Y)
				if v, ok := z.(*SparseVariable); ok && err == nil {
					return s.buildDense(func() (V, error) { return v.X.Dense(b), nil })
				}
				return z, err
			}),
		sparseRow("structured_dot", "The matrix product: sparse of two sparse matrices, dense beside a dense matrix or vector. The gradient of a sparse operand is structured.", "({}, [1.0, 2.0, 3.0]).eval() # array([7., 6.])",
			func(s *Session, b *graph.Builder, a *twoMatrices) (starlark.Value, error) {
				return s.structuredDot(b, a.X, a.Y)
			}),
		sparseRow("true_dot", "The matrix product, sparse even beside a dense matrix.", "({}, sp.csc_matrix([[1.0], [0.0], [1.0]])).eval().toarray() # array([[3.],\n       [0.]])", func(s *Session, b *graph.Builder, a *struct {
			twoMatrices
			Preserves bool `arg:"grad_preserves_dense=True: for Theano's sake: the gradient of a dense operand is dense"`
		}) (starlark.Value, error) {
			z, err := s.regularDot(b, a.X, a.Y)
			if v, ok := z.(Symbol); ok && err == nil {
				csc := false
				if x, ok := a.X.(*SparseVariable); ok {
					csc = x.X.CSC
				}
				return s.buildSparse(func() (ASparse, error) { return formula.SparseFromDense(b, v.V, csc), nil })
			}
			return z, err
		}),
		sparseRow("sampling_dot", "p times the product of x and the transpose of y, computed at the places of p only.", "([[1.0], [2.0]], [[1.0], [2.0], [3.0]], {}).eval().data # array([ 1.,  6., 12.])",
			func(s *Session, b *graph.Builder, a *struct {
				X starlark.Value `arg:"x: a dense matrix of [n, k]"`
				Y starlark.Value `arg:"y: a dense matrix of [m, k]"`
				P starlark.Value `arg:"p: a sparse matrix of [n, m]"`
			}) (starlark.Value, error) {
				p, err := s.sparseOperand(b, a.P)
				if err != nil {
					return nil, fmt.Errorf("for parameter p: %w", err)
				}
				var dense [2]V
				for i, x := range []starlark.Value{a.X, a.Y} {
					if dense[i], err = s.Variable(b, x, nil); err != nil {
						return nil, err
					}
					if dense[i].Type.Rank() != 2 {
						return nil, fmt.Errorf("for parameter %s: got %v, want a matrix", []string{"x", "y"}[i], dense[i].Type)
					}
				}
				return s.buildSparse(func() (ASparse, error) { return formula.SampledDot(b, dense[0], dense[1], p), nil })
			}),
		sparseRow("usmm", "alpha times the product of x and y, plus z: dense.", "(2.0, {}, T.as_tensor([[1.0], [2.0], [3.0]]), T.as_tensor([[1.0], [1.0]])).eval() # array([[15.],\n       [13.]])",
			func(s *Session, b *graph.Builder, a *struct {
				Alpha starlark.Value `arg:"alpha: a scalar"`
				X     starlark.Value `arg:"x: a matrix, sparse or dense"`
				Y     starlark.Value `arg:"y: a matrix, sparse or dense; one of them is sparse"`
				Z     starlark.Value `arg:"z: a dense matrix"`
			}) (starlark.Value, error) {
				xy, err := s.structuredDot(b, a.X, a.Y)
				if err != nil {
					return nil, err
				}
				dot, ok := xy.(Symbol)
				if !ok {
					return nil, fmt.Errorf("got two sparse matrices, want a dense one among x and y")
				}
				alpha, err := s.Variable(b, a.Alpha, dot.V)
				if err != nil {
					return nil, err
				}
				z, err := s.Variable(b, a.Z, dot.V)
				if err != nil {
					return nil, err
				}
				return s.buildDense(func() (V, error) { return b.Apply(op.Add, b.Apply(op.Mul, alpha, dot.V), z), nil })
			}),
		ofSparse("transpose", "The transpose, of the other format.", "({}).format # \"csc\"", func(_ *graph.Builder, x ASparse) (ASparse, error) { return x.Transposed(), nil }),
		ofSparse("neg", "The matrix with the signs of its elements changed.", "({}).eval().data # array([-1., -2., -3.])", func(b *graph.Builder, x ASparse) (ASparse, error) { return x.With(b.Apply(op.Neg, x.Data)), nil }),
		sparseRow("sp_sum", "The sum of all elements, a scalar, or along an axis, a dense vector.", "({}, axis=0).eval() # array([1., 3., 2.])", sparseSumOf),
		ofSparse("sp_ones_like", "Ones in the places of the stored elements.", "({}).eval().data # array([1., 1., 1.])",
			func(b *graph.Builder, x ASparse) (ASparse, error) {
				return x.With(b.Apply(op.Second, x.Data, b.Like(x.Data, 1))), nil
			}),
		ofSparse("sp_zeros_like", "A matrix of the same shape in which nothing is stored.", "({}).eval().nnz # 0", func(b *graph.Builder, x ASparse) (ASparse, error) {
			x.Data, x.Indices = b.Constant(tensor.New(x.DType(), 0)), b.Constant(tensor.New(kernels.Int32, 0))
			x.Indptr = b.Apply(op.Second, x.Indptr, b.Like(x.Indptr, 0))
			return x, nil
		}),
		denseOf("diag", "The main diagonal of a square matrix, a dense vector.", "(sp.eye(2)).eval() # array([1., 1.])", func(b *graph.Builder, x ASparse) (V, error) {
			rows, columns := x.Shape(b)
			square, err := formula.Alike(b, "columns as rows", columns, rows)
			if err != nil {
				return nil, err
			}
			if x.CSC {
				return formula.RegularDiagonal(b, x), nil
			}
			x.Minor = square
			return formula.RegularDiagonal(b, x), nil
		}),
		sparseRow("square_diagonal", "The square matrix with a vector on its diagonal, in the format csc.", "([1.0, 2.0]).eval().toarray() # array([[1., 0.],\n       [0., 2.]])", func(s *Session, b *graph.Builder, a *struct {
			Diag starlark.Value `arg:"diag: a dense vector"`
		}) (starlark.Value, error) {
			x, err := s.Variable(b, a.Diag, nil)
			if err != nil {
				return nil, err
			}
			if x.Type.Rank() != 1 || x.Type.DType.IsBool() {
				return nil, fmt.Errorf("got %v, want a vector of numbers", x.Type)
			}
			return s.buildSparse(func() (ASparse, error) { return formula.SquareDiagonal(b, x, true), nil })
		}),
		ofSparse("ensure_sorted_indices", "The matrix with the elements of each row, or column, sorted.", "({}).eval().has_sorted_indices # True", func(b *graph.Builder, x ASparse) (ASparse, error) { return x.Sorted(b), nil }),
		ofSparse("remove0", "The matrix without stored zeros.", "({}).eval().nnz # 3", func(b *graph.Builder, x ASparse) (ASparse, error) { return x.WithoutZeros(b), nil }),
		ofSparse("clean", "The matrix without stored zeros, and sorted.", "({}).eval().nnz # 3", func(b *graph.Builder, x ASparse) (ASparse, error) { return x.WithoutZeros(b).Sorted(b), nil }),
		scaling("col_scale", "column", func(b *graph.Builder, x ASparse) V { return x.Columns(b) }, "({}, [1.0, 2.0, 3.0]).eval().data # array([1., 6., 6.])"),
		scaling("row_scale", "row", func(b *graph.Builder, x ASparse) V { return x.Rows(b) }, "({}, [1.0, 2.0]).eval().data # array([1., 2., 6.])"),
		sparseStack("hstack", 1, "Matrices beside each other.", "([{}, {}]).eval().shape # (2, 6)"),
		sparseStack("vstack", 0, "Matrices one below the other.", "([{}, {}]).eval().shape # (4, 3)"),
		sparseRow("get_item_2d", "x[index], of slices of rows and columns: a sparse matrix.", "({}, slice(0, 1)).eval().toarray() # array([[1., 0., 2.]])", getItem),
		sparseRow("get_item_scalar", "x[i, j], a dense scalar.", "({}, (0, 2)).eval() # 2.0", getItem),
		sparseRow("get_item_list", "Rows by their numbers: a sparse matrix.", "({}, [1, 0]).eval().toarray() # array([[0., 3., 0.],\n       [1., 0., 2.]])", getItem),
		sparseRow("get_item_2lists", "Elements by the numbers of their rows and columns: a dense vector.", "({}, [1, 0], [1, 2]).eval() # array([3., 2.])", func(s *Session, b *graph.Builder, a *struct {
			X       starlark.Value `arg:"x: a sparse matrix"`
			Rows    starlark.Value `arg:"ind1: the numbers of rows"`
			Columns starlark.Value `arg:"ind2: the numbers of columns"`
		}) (starlark.Value, error) {
			return getItem(s, b, &itemArgs{a.X, starlark.Tuple{a.Rows, a.Columns}})
		}),
		value.Function("shared", "A shared variable that holds a sparse matrix.", "import scipy.sparse as sp; theano.sparse.shared(sp.eye(2)).get_value().nnz # 2", func(thread *starlark.Thread, a *struct {
			Value    starlark.Value `arg:"value: a sparse matrix"`
			Name     starlark.Value `arg:"name=None: what it is called in errors and profiles"`
			Strict   bool           `arg:"strict=False: for Theano's sake"`
			Downcast starlark.Value `arg:"allow_downcast=None: for Theano's sake"`
			Borrow   bool           `arg:"borrow=False: for Theano's sake: the arrays are copied"`
			Format   starlark.Value `arg:"format=None: csr or csc, if not the value's"`
		}) (starlark.Value, error) {
			v, err := SessionOf(thread).newSparseShared(thread, a.Value, a.Name, a.Format)
			if err != nil {
				return nil, value.Named("", "shared", err)
			}
			return v, nil
		}),
	}
	return slices.Concat(table, castTable(), structuredTable())
}

type itemArgs struct {
	X     starlark.Value `arg:"x: a sparse matrix"`
	Index starlark.Value `arg:"index: what would stand between the brackets"`
}

func getItem(s *Session, b *graph.Builder, a *itemArgs) (starlark.Value, error) {
	x, err := s.sparseOperand(b, a.X)
	if err != nil {
		return nil, err
	}
	return s.NewSparse(x).subscript(b, a.Index)
}

// newSparseShared makes a shared variable of a value.
func (s *Session) newSparseShared(thread *starlark.Thread, x, name, format starlark.Value) (starlark.Value, error) {
	m, ok := x.(*sparse.Matrix)
	if !ok {
		if _, err := np.ToDense(x); err == nil {
			return nil, fmt.Errorf("got %s, want a sparse matrix: sp.csr_matrix(x) makes one of an array", x.Type())
		}
		return nil, fmt.Errorf("got %s, want a sparse matrix", x.Type())
	}
	if !Absent(format) {
		csc, err := readFormat(format)
		if err != nil {
			return nil, err
		}
		if m, err = m.InFormat(sparseTypeValue{csc: csc}.format()); err != nil {
			return nil, err
		}
	}
	text, err := OptionalString("name", name)
	if err != nil {
		return nil, fmt.Errorf("for parameter %w", err)
	}
	v, err := s.sparseShared(thread, m, text)
	if err != nil {
		return nil, err
	}
	return v, nil
}
