package symbolic

import (
	"slices"
	"sync"

	"github.com/arignote/arignote/kernels"
	"github.com/arignote/arignote/runtime/graph"
	"github.com/arignote/arignote/runtime/op"
	"github.com/arignote/arignote/runtime/tensor"
	"github.com/arignote/arignote/starlib/value"
	"go.starlark.net/starlark"
)

// sparseMethod is the row of a method of symbolic sparse matrices.
func sparseMethod[A any](name, doc, example string, fn func(v *SparseVariable, b *graph.Builder, a *A) (starlark.Value, error)) value.Builtin {
	arguments := value.NewArguments[A]()
	return value.Builtin{Name: name, Doc: doc, Example: methodSample(example), Params: arguments.Params(),
		Fn: func(thread *starlark.Thread, b *value.Builtin, args starlark.Tuple, kwargs []starlark.Tuple) (starlark.Value, error) {
			s := SessionOf(thread)
			a, err := arguments.Read(s, b, args, kwargs)
			if err != nil {
				return nil, err
			}
			z, err := fn(b.Receiver().(*SparseVariable), s.Builder(thread), a.(*A))
			if err != nil {
				return nil, value.Named("", name, err)
			}
			return z, nil
		}}
}

func methodSample(example string) string {
	return `x = theano.sparse.csr_matrix("x"); x.` + example
}

type nothingElse struct{}

func sparseField(name, doc, example string, get func(v *SparseVariable) starlark.Value) value.Field {
	return value.FieldOf(name, doc, methodSample(example), get)
}

// builtField is a field that builds.
func builtField(name, doc, example string, build func(b *graph.Builder, x ASparse) V) value.Field {
	return value.Field{Name: name, Doc: doc, Example: methodSample(example), Get: func(recv starlark.Value) (starlark.Value, error) {
		v := recv.(*SparseVariable)
		b := v.S.Builder(nil)
		return v.S.buildDense(func() (V, error) { return build(b, v.X), nil })
	}}
}

func sparseMethodTable() []value.Builtin {
	toDense := func(name string) value.Builtin {
		return sparseMethod(name, "The matrix written out: dense_from_sparse(x).", name+"().ndim # 2", func(v *SparseVariable, b *graph.Builder, _ *nothingElse) (starlark.Value, error) {
			return v.S.buildDense(func() (V, error) { return v.X.Dense(b), nil })
		})
	}
	return []value.Builtin{toDense("toarray"), toDense("todense"),
		sparseMethod("transpose", "The transpose, of the other format.", `transpose().format # "csc"`, func(v *SparseVariable, _ *graph.Builder, _ *nothingElse) (starlark.Value, error) {
			return v.S.NewSparse(v.X.Transposed()), nil
		}),
		sparseMethod("astype", "The matrix with its elements in another type.", `astype("float32").dtype # "float32"`, func(v *SparseVariable, b *graph.Builder, a *struct {
			DType starlark.Value `arg:"dtype: the type"`
		}) (starlark.Value, error) {
			return sparseCast(v.S, b, &castArgs{v, a.DType})
		}),
		sparseMethod("dot", "The matrix product: structured_dot(x, y).", `dot(T.matrix("w")).ndim # 2`, func(v *SparseVariable, b *graph.Builder, a *struct {
			Other starlark.Value `arg:"other: a matrix, sparse or dense, or a dense vector"`
		}) (starlark.Value, error) {
			return v.S.structuredDot(b, v, a.Other)
		}),
		sparseMethod("sum", "The sum of all elements, or along an axis: sp_sum(x, axis).", `sum(axis=0).ndim # 1`, func(v *SparseVariable, b *graph.Builder, a *struct {
			Axis *int `arg:"axis=None: 0 sums columns, 1 rows; None all"`
			Grad bool `arg:"sparse_grad=False: for Theano's sake"`
		}) (starlark.Value, error) {
			return sparseSumOf(v.S, b, &sumArgs{X: v, Axis: a.Axis})
		}),
		sparseMethod("zeros_like", "A matrix of the same shape in which nothing is stored.", `zeros_like().format # "csr"`, func(v *SparseVariable, b *graph.Builder, _ *nothingElse) (starlark.Value, error) {
			row := sparseFunction("sp_zeros_like")
			return row.Fn(v.S.Current(), &row, starlark.Tuple{v}, nil)
		}),
	}
}

// addedSparse are methods of symbolic sparse matrices that the rooms above have.
var addedSparse []value.Builtin

// AddSparseMethods gives symbolic sparse matrices methods of a room above, when the program starts.
func AddSparseMethods(rows ...value.Builtin) bool {
	addedSparse = append(addedSparse, rows...)
	return true
}

// sparseFunction is a row of the table.
func sparseFunction(name string) value.Builtin {
	table := sparseTable()
	return table[slices.IndexFunc(table, func(b value.Builtin) bool { return b.Name == name })]
}

func sparseFields() []value.Field {
	return []value.Field{
		sparseField("name", "What it is called in errors and profiles, or None. It can be set.", `name # "x"`, func(v *SparseVariable) starlark.Value { return NameOrNone(v.Name) }),
		sparseField("type", "Its type, which makes further variables when it is called.", `type # Sparse[float64, csr]`, func(v *SparseVariable) starlark.Value {
			return sparseTypeValue{v.X.CSC, v.X.DType()}
		}),
		sparseField("format", "\"csr\" or \"csc\".", `format # "csr"`, func(v *SparseVariable) starlark.Value { return starlark.String(v.X.Format()) }),
		sparseField("dtype", "The name of its element type.", `dtype # "float64"`, func(v *SparseVariable) starlark.Value { return starlark.String(v.X.DType().String()) }),
		sparseField("ndim", "2.", `ndim # 2`, func(*SparseVariable) starlark.Value { return starlark.MakeInt(2) }),
		sparseField("T", "The transpose, of the other format.", `T.format # "csc"`, func(v *SparseVariable) starlark.Value { return v.S.NewSparse(v.X.Transposed()) }),
		sparseField("owner", "The node that made its data, or None.", `owner == None # True`, func(v *SparseVariable) starlark.Value {
			if v.X.Data.Owner == nil {
				return starlark.None
			}
			return Apply{v.S, v.X.Data.Owner}
		}),
		sparseField("origin", "The file, line and column that made it.", `origin # "In[1]:1:29"`, func(v *SparseVariable) starlark.Value { return starlark.String(v.X.Data.Origin.Pos().String()) }),
		builtField("shape", "The number of rows and of columns: a symbolic vector of int64.", `shape.ndim # 1`, func(b *graph.Builder, x ASparse) V { return shapeVector(b, x, kernels.Int64) }),
		builtField("size", "The number of stored elements, as a symbolic int64.", `size.ndim # 0`, func(b *graph.Builder, x ASparse) V { return op.Lengths(b, x.Data)[0] }),
		builtField("nnz", "The number of stored elements, as a symbolic int64.", `nnz.ndim # 0`, func(b *graph.Builder, x ASparse) V { return op.Lengths(b, x.Data)[0] }),
	}
}

// sharedSparseTable is the methods that shared variables have besides.
func sharedSparseTable() []value.Builtin {
	sample := func(b value.Builtin, example string) value.Builtin {
		b.Example = `import scipy.sparse as sp; x = theano.sparse.shared(sp.eye(2)); ` + example
		return b
	}
	return []value.Builtin{
		sample(sparseMethod("get_value", "The current value, a sparse matrix.", "", func(v *SparseVariable, _ *graph.Builder, a *struct {
			Borrow bool `arg:"borrow=False: return its arrays themselves, which nobody may change, instead of copies"`
		}) (starlark.Value, error) {
			var parts []*tensor.Dense
			for _, p := range v.X.Parts() {
				d := p.Shared.Get()
				if !a.Borrow {
					d = d.Copy()
				}
				parts = append(parts, d)
			}
			return v.matrix(parts)
		}), "x.get_value().nnz # 2"),
		sample(sparseMethod("set_value", "Replaces the value.", "", func(v *SparseVariable, _ *graph.Builder, a *struct {
			Value  starlark.Value `arg:"new_value: a sparse matrix; its shape and places may be others"`
			Borrow bool           `arg:"borrow=False: for Theano's sake: the arrays are copied"`
		}) (starlark.Value, error) {
			parts, err := v.accept(accepting{}, a.Value)
			if err != nil {
				return nil, err
			}
			for i, p := range v.X.Parts() {
				p.Shared.Set(parts[i].Copy())
			}
			v.S.Observing.Changed("set_value changes", v.Mention())
			return starlark.None, nil
		}), "x.set_value(sp.eye(3)) == None # True"),
	}
}

// SparseMethods are the attributes of symbolic sparse matrices, and SharedSparseMethods those of
// shared ones.
var (
	SparseMethods = sync.OnceValue(func() *value.Methods {
		return value.NewMethods(sparseType, slices.Concat(sparseMethodTable(), addedSparse)).With(sparseFields()...)
	})
	SharedSparseMethods = sync.OnceValue(func() *value.Methods {
		return value.NewMethods(sparseSharedType, slices.Concat(sparseMethodTable(), addedSparse, sharedSparseTable())).With(sparseFields()...).Extending(sparseType)
	})
)

func init() { value.NameTypes(sparseType, sparseSharedType) }

// SparseModule is theano.sparse, which has itself under the name basic, as Theano's functions lie
// in theano.sparse.basic.
var SparseModule = func() *value.Module {
	const doc = "Symbolic sparse matrices."
	members := func() []value.Member { return append(value.Builtins(sparseTable()), sparseMakers()...) }
	basic := value.NewLazyModule("theano.sparse.basic", doc, members)
	return value.NewLazyModule("theano.sparse", doc, func() []value.Member {
		return append(members(), value.Member{Name: "basic", Value: basic, Doc: doc, Example: "theano.sparse.basic.all_dtypes == theano.sparse.all_dtypes # True"})
	})
}()

// dotOfAny is dot of theano: that of T, and for sparse matrices structured_dot.
func dotOfAny(dense *value.Builtin) value.Builtin {
	b := *dense
	inner := dense.Fn
	b.Fn = func(thread *starlark.Thread, own *value.Builtin, args starlark.Tuple, kwargs []starlark.Tuple) (starlark.Value, error) {
		if len(args) == 2 && len(kwargs) == 0 && (IsSparse(args[0]) || IsSparse(args[1])) {
			s := SessionOf(thread)
			z, err := s.structuredDot(s.Builder(thread), args[0], args[1])
			if err != nil {
				return nil, value.Named("", "dot", err)
			}
			return z, nil
		}
		return inner(thread, own, args, kwargs)
	}
	return b
}

// TheanoDot is theano.dot for the dot of T.
func TheanoDot(dot starlark.Value) starlark.Value {
	b := dotOfAny(value.AsBuiltin(dot))
	return b.Value()
}
