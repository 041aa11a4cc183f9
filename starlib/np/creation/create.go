package creation

import (
	"cmp"

	"github.com/arignote/arignote/kernels"
	"github.com/arignote/arignote/runtime/formula"
	"github.com/arignote/arignote/runtime/op"
	"github.com/arignote/arignote/runtime/tensor"
	"github.com/arignote/arignote/starlib/functions"
	"github.com/arignote/arignote/starlib/np"
	"go.starlark.net/starlark"
)

// convertArgs are the arguments of np.asarray and its like.
type convertArgs struct {
	X starlark.Value `arg:"x: what to convert"`
	np.TypeArg
	np.MemoryArg
}

// newArgs are the arguments of np.zeros and its like.
type newArgs struct {
	Shape functions.Lengths `arg:"shape: an int or a tuple of ints"`
	np.FloatTypeArg
	np.MemoryArg
}

// likeArgs are the arguments of np.zeros_like and its like.
type likeArgs struct {
	A functions.Operand `arg:"a|x|model|prototype: an array"`
	np.TypeArg
	otherShapeArg
	np.KeywordOnly
	np.MemoryArg
}

type otherShapeArg struct {
	Shape functions.Lengths `arg:"shape=None: another shape than that of a"`
}

// createTable is the functions that make arrays.
var createTable = []functions.Function{
	np.Function("np.array", "A new array of the elements of x: a number, nested lists of them, or an array.",
		"array([[1, 2], [3, 4.5]]) # array([[1. , 2. ],\n       [3. , 4.5]])", func(e *np.Eval, a *struct {
			X starlark.Value `arg:"x: what to convert"`
			np.TypeArg
			Copy  bool `arg:"copy=True: False to return an array as it is where that can be"`
			Ndmin int  `arg:"ndmin=0: the least number of dimensions"`
			np.KeywordOnly
			np.MemoryArg
		}) starlark.Value {
			return inOrder(e, a.Order, arrayOf(e, a.X, a.DType, a.Copy, a.Ndmin))
		}),
	np.Function("np.asarray", "x as an array: itself if it is one of that type.",
		"asarray([1, 2], dtype=\"float32\") # array([1., 2.], dtype=float32)", asArray),
	np.Function("np.asanyarray", "x as an array: itself if it is one of that type.",
		"asanyarray([1, 2]) # array([1, 2])", asArray),
	np.Function("np.ascontiguousarray", "x as an array of at least 1 dimension whose elements lie in C order: itself if they do.",
		"ascontiguousarray(np.eye(2).T).strides # (16, 8)", func(e *np.Eval, a *struct {
			X starlark.Value `arg:"x: what to convert"`
			np.TypeArg
		}) starlark.Value {
			v := arrayOf(e, a.X, a.DType, false, 1)
			if x, ok := v.(*np.Array); ok && !x.D.IsContiguous() {
				return np.NewArray(e.Session, x.D.Copy())
			}
			return v
		}),
	np.Function("np.asfarray", "x as an array of float64, or of the floats that dtype says: itself if it is one.",
		"asfarray([1, 2]) # array([1., 2.])", func(e *np.Eval, a *struct {
			A     functions.Operand `arg:"a: what to convert"`
			DType kernels.DType     `arg:"dtype=float: the elements' type"`
		}) starlark.Value {
			x, to := a.A.D, kernels.Float64
			if a.DType.IsFloat() {
				to = a.DType
			}
			if to != x.DType() {
				x = e.As(to, x)
			}
			return e.Itself(a.A.Value, x)
		}),
	np.Function("np.copyto", "Writes the elements of src, which broadcasts, into dst; those only where a mask is true.",
		"copyto(np.zeros(2), [1, 2])", func(e *np.Eval, a *struct {
			Dst     starlark.Value    `arg:"dst: the array to write to"`
			Src     functions.Operand `arg:"src: an array or number"`
			Casting string            `arg:"casting=\"same_kind\": unsafe to convert floats to integers"`
			Where   starlark.Value    `arg:"where=True: bools: which elements to write"`
		}) starlark.Value {
			dst, ok := a.Dst.(*np.Array)
			if !ok {
				e.WrongType("dst", a.Dst, "ndarray")
				return nil
			}
			if a.Where == starlark.True {
				a.Where = nil
			}
			src := a.Src.D
			if e.Word("casting", a.Casting, "no", "equiv", "safe", "same_kind", "unsafe") == "unsafe" {
				src = e.As(dst.D.DType(), src)
			} else if _, isArray := a.Src.Value.(*np.Array); !isArray && src.Rank() == 0 && !src.DType().IsFloat() {
				src = e.Got(np.ToDenseAs(a.Src.Value, dst.D.DType()))
			}
			e.Out(dst, src, a.Where)
			return starlark.None
		}),
	np.Function("np.zeros T.zeros", "An array of zeros.", "zeros((2, 2)) # array([[0., 0.],\n       [0., 0.]])", filled(0), fills(0)),
	np.Function("np.ones T.ones", "An array of ones.", "ones(3, dtype=\"int64\") # array([1, 1, 1])", filled(1), fills(1)),
	np.Function("np.empty T.empty", "An array whose elements are to be assigned; they are zeros until then.", "empty((2, 0)).size # 0",
		filled(0), fills(0)),
	np.Function("np.full T.full", "An array of copies of a value, which broadcasts.",
		"full(2, 7.0) # array([7., 7.])", func(e *np.Eval, a *fullArgs) starlark.Value {
			return inOrder(e, a.Order, fullOf(e, e.NewShape("shape", a.Shape.N), a.FillValue, cmp.Or(a.DType, a.FillValue.D.DType())))
		}, functions.Builds(func(g *functions.Graph, a *fullArgs) (functions.V, error) {
			return formula.Full(g.Builder, a.FillValue.V, a.Shape.V, a.DType), nil
		})),
	np.Function("np.zeros_like T.zeros_like", "An array of zeros with the shape and type of a.", "zeros_like([1, 2]) # array([0, 0])",
		filledLike(0), fillsLike(0)),
	np.Function("np.ones_like T.ones_like", "An array of ones with the shape and type of a.", "ones_like([1.5, 2]) # array([1., 1.])",
		filledLike(1), fillsLike(1)),
	np.Function("np.empty_like T.empty_like", "An array with the shape and type of a whose elements are to be assigned.",
		"empty_like([1, 2]).size # 2", filledLike(0), fillsLike(0)),
	np.Function("np.full_like T.full_like", "An array with the shape and type of a, of copies of a value.",
		"full_like([1.5, 2], 7) # array([7., 7.])", func(e *np.Eval, a *fullLikeArgs) starlark.Value {
			return inOrder(e, a.Order, fullOf(e, likeShape(e, a.Shape, a.A.D), a.FillValue, cmp.Or(a.DType, a.A.D.DType())))
		}, functions.Builds(func(g *functions.Graph, a *fullLikeArgs) (functions.V, error) {
			if a.Shape.Given() {
				return formula.Full(g.Builder, a.FillValue.V, a.Shape.V, cmp.Or(a.DType, a.A.V.Type.DType)), nil
			}
			return formula.FullLike(g.Builder, a.A.V, a.FillValue.V, a.DType), nil
		})),
	np.Function("np.arange T.arange", "The numbers from start up to stop, by step.", "arange(2, 8, 3) # array([2, 5])", arange,
		functions.Builds(func(g *functions.Graph, a *arangeArgs) (functions.V, error) {
			start, stop, step := a.Start.V, a.Stop.V, a.Step.V
			if stop == nil {
				start, stop = formula.Int(g.Builder, 0), start
			}
			if step == nil {
				step = formula.Int(g.Builder, 1)
			}
			return formula.ARange(g.Builder, start, stop, step, a.DType), nil
		})),
	np.Function("np.linspace T.linspace", "num numbers at equal distances from start to stop.",
		"linspace(0, 1, 5) # array([0.  , 0.25, 0.5 , 0.75, 1.  ])", linspace,
		functions.Builds(func(g *functions.Graph, a *linspaceArgs) (functions.V, error) {
			return formula.Linspace(g.Builder, a.Start.V, a.Stop.V, int(a.Num), a.Endpoint, cmp.Or(a.DType, g.FloatX))
		})),
	np.Function("np.eye T.eye", "The matrix with ones on a diagonal and zeros elsewhere.",
		"eye(2, dtype=\"int64\") # array([[1, 0],\n       [0, 1]])", func(e *np.Eval, a *eyeArgs) starlark.Value {
			return inOrder(e, a.Order, e.Array1(eye(e, a.N.N, a.Columns(), a.K.N, a.DType)))
		}, functions.Builds(func(g *functions.Graph, a *eyeArgs) (functions.V, error) {
			n, m, k := a.Variables(g)
			return formula.Eye(g.Builder, n, m, k, cmp.Or(a.DType, g.FloatX))
		})),
	np.Function("np.identity T.identity", "The square matrix with ones on the diagonal and zeros elsewhere.",
		"identity(2) # array([[1., 0.],\n       [0., 1.]])", func(e *np.Eval, a *identityArgs) starlark.Value {
			return e.Array1(eye(e, a.N.N, a.N.N, 0, a.DType))
		}, functions.Builds(func(g *functions.Graph, a *identityArgs) (functions.V, error) {
			return formula.Eye(g.Builder, a.N.V, a.N.V, formula.Int(g.Builder, 0), cmp.Or(a.DType, g.FloatX))
		})),
}

// fullArgs are the arguments of np.full.
type fullArgs struct {
	Shape     functions.Lengths `arg:"shape: an int or a tuple of ints"`
	FillValue functions.Operand `arg:"fill_value: the value"`
	np.TypeArg
	np.MemoryArg
}

// fullLikeArgs are the arguments of np.full_like.
type fullLikeArgs struct {
	np.ArrayArg
	FillValue functions.Operand `arg:"fill_value: the value"`
	np.TypeArg
	otherShapeArg
	np.KeywordOnly
	np.MemoryArg
}

// eyeArgs are the arguments of np.eye.
type eyeArgs struct {
	np.DiagonalArg
	np.FloatTypeArg
	np.MemoryArg
}

// identityArgs are the arguments of np.identity.
type identityArgs struct {
	N functions.Integer `arg:"n: the number of rows"`
	np.FloatTypeArg
}

// fills is the symbolic half of np.zeros and its like.
func fills(value float64) functions.Half[newArgs] {
	return functions.Builds(func(g *functions.Graph, a *newArgs) (functions.V, error) {
		return formula.BroadcastTo(g.Builder, g.Number(cmp.Or(a.DType, g.FloatX), value), a.Shape.V), nil
	})
}

// fillsLike is the symbolic half of np.zeros_like and its like.
func fillsLike(value float64) functions.Half[likeArgs] {
	return functions.Builds(func(g *functions.Graph, a *likeArgs) (functions.V, error) {
		x, element := a.A.V, g.Like(a.A.V, value)
		if a.DType != kernels.Invalid {
			element = g.Number(a.DType, value)
		}
		if a.Shape.Given() {
			return formula.BroadcastTo(g.Builder, element, a.Shape.V), nil
		}
		return g.Apply(op.Second, x, element), nil
	})
}

func asArray(e *np.Eval, a *convertArgs) starlark.Value {
	return inOrder(e, a.Order, arrayOf(e, a.X, a.DType, false, 0))
}

// arrayOf is np.array and np.asarray.
func arrayOf(e *np.Eval, v starlark.Value, dtype kernels.DType, copied bool, least int) starlark.Value {
	d, err := np.ToDenseIn(e.Session, v)
	if err != nil {
		e.FailFor("x", "%w", err)
		return nil
	}
	a, isArray := v.(*np.Array)
	switch {
	case dtype != kernels.Invalid && dtype != d.DType():
		d = e.Got(np.ToDenseAsIn(e.Session, v, dtype))
	case isArray && !copied && d.Rank() >= least:
		return a
	case isArray && copied:
		d = d.Copy()
	}
	if least > tensor.MaxRank {
		e.FailFor("ndmin", "got %d, want at most %d", least, tensor.MaxRank)
		return nil
	}
	return e.ViewOf(v, e.LeadTo(d, least))
}

// inOrder gives the array v the order in memory that is asked for.
func inOrder(e *np.Eval, o np.Order, v starlark.Value) starlark.Value {
	a, ok := v.(*np.Array)
	if !ok || o == 0 || o == 'A' || o == 'K' {
		return v
	}
	if o == 'F' && a.D.Transpose().IsContiguous() || o == 'C' && a.D.IsContiguous() {
		return a
	}
	return np.NewArray(e.Session, e.CopyIn(a.D, o == 'F'))
}

func filled(value float64) func(e *np.Eval, a *newArgs) starlark.Value {
	return func(e *np.Eval, a *newArgs) starlark.Value {
		shape := e.NewShape("shape", a.Shape.N)
		if e.Failed() {
			return nil
		}
		return inOrder(e, a.Order, np.NewArray(e.Session, e.Constant(cmp.Or(a.DType, kernels.Float64), shape, value)))
	}
}

func filledLike(value float64) func(e *np.Eval, a *likeArgs) starlark.Value {
	return func(e *np.Eval, a *likeArgs) starlark.Value {
		shape := likeShape(e, a.Shape, a.A.D)
		if e.Failed() {
			return nil
		}
		return inOrder(e, a.Order, np.NewArray(e.Session, e.Constant(cmp.Or(a.DType, a.A.D.DType()), shape, value)))
	}
}

// likeShape is the shape of d, or the one that is given instead.
func likeShape(e *np.Eval, shape functions.Lengths, d *tensor.Dense) []int {
	if !shape.Given() {
		return d.Shape()
	}
	return e.NewShape("shape", shape.N)
}

// fullOf makes an array of copies of a value.
func fullOf(e *np.Eval, shape []int, value functions.Operand, dtype kernels.DType) starlark.Value {
	src := e.Got(np.ToDenseAs(value.Value, dtype))
	if e.Failed() {
		return nil
	}
	if src = e.Got(np.FitShape(src, shape)); e.Failed() {
		return nil
	}
	z, poll := tensor.Empty(dtype, shape...), e.Poll()
	poll.CopyTo(z, src)
	return np.NewArray(e.Session, z)
}

func eye(e *np.Eval, n, m, k int, dtype kernels.DType) (*tensor.Dense, error) {
	if err := np.CheckShape([]int{n, m}); err != nil {
		return nil, err
	}
	z := tensor.New(cmp.Or(dtype, kernels.Float64), n, m)
	ones, err := tensor.Diagonal(z, k, 0, 1)
	if err != nil {
		return nil, err
	}
	poll := e.Poll()
	poll.Ask(n)
	poll.Fill(ones, 1)
	return z, nil
}
