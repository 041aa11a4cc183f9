package linalg

import (
	"github.com/arignote/arignote/kernels"
	"github.com/arignote/arignote/runtime/array"
	"github.com/arignote/arignote/runtime/formula"
	"github.com/arignote/arignote/runtime/graph"
	"github.com/arignote/arignote/runtime/op"
	"github.com/arignote/arignote/runtime/tensor"
	"github.com/arignote/arignote/starlib/functions"
	"github.com/arignote/arignote/starlib/np"
	"go.starlark.net/starlark"
)

// PairArgs are the arguments of functions of two arrays.
type PairArgs struct {
	A functions.Operand `arg:"a|x|x1|l: an array"`
	B functions.Operand `arg:"b|y|x2|r: an array"`
}

// productArgs are the arguments of np.dot and np.outer.
type productArgs struct {
	PairArgs
	np.OutArg
}

// matmulArgs are the arguments of np.matmul.
type matmulArgs struct {
	productArgs
	DType kernels.DType `arg:"dtype=None: the type to compute in"`
}

func (a *PairArgs) pair() *PairArgs { return a }

// Multiplies is the symbolic half of a product.
func Multiplies[A any, P interface {
	*A
	pair() *PairArgs
}](build func(b *graph.Builder, x, y functions.V) (functions.V, error)) functions.Half[A] {
	return functions.Builds(func(g *functions.Graph, a *A) (functions.V, error) {
		x := P(a).pair()
		return build(g.Builder, x.A.V, x.B.V)
	})
}

// linearTable is the products of vectors and matrices.
var linearTable = []functions.Function{
	np.Function("np.dot ndarray.dot T.dot",
		"The product of vectors and matrices: over the last axis of a and the last but one of b, or its only one. A number multiplies.",
		"dot([[1, 2], [3, 4]], [1, 1]) # array([3, 7])", func(e *np.Eval, a *productArgs) starlark.Value {
			return e.Result(dotOf(e, a.A, a.B))
		}, Multiplies[productArgs](formula.Dot)),
	np.Function("np.matmul T.matmul",
		"The product of vectors and matrices, as the @ operator: dot without numbers. Of more dimensions, the last two are "+
			"matrices, and those before broadcast.", "matmul([[1, 2], [3, 4]], [[0, 1], [1, 0]]) # array([[2, 1],\n       [4, 3]])",
		func(e *np.Eval, a *matmulArgs) starlark.Value {
			for _, x := range []functions.Operand{a.A, a.B} {
				if x.D.Rank() == 0 {
					e.FailFor(x.Param, "got a number (%s), want a vector or matrix; use *", x.Value.Type())
				}
			}
			if a.DType != kernels.Invalid {
				a.A.D, a.B.D = a.A.D.AsType(a.DType), a.B.D.AsType(a.DType)
			}
			switch {
			case e.Failed():
				return nil
			case a.A.D.Rank() <= 2 && a.B.D.Rank() <= 2:
				return e.Result(Dot(e, a.A.D, a.B.D))
			}
			return e.Result(e.Got(array.MatMul(e.Calculator(), a.A.D, a.B.D)))
		}, functions.Builds(func(g *functions.Graph, a *matmulArgs) (functions.V, error) {
			x, y := a.A.V, a.B.V
			if a.DType != kernels.Invalid {
				x, y = g.Apply(op.Cast(a.DType), x), g.Apply(op.Cast(a.DType), y)
			}
			return formula.Matmul(g.Builder, x, y)
		})),
	np.Function("np.inner T.inner", "The sums of products over the last axes of both.",
		"inner([1, 2], [3, 4]) # 11", func(e *np.Eval, x *PairArgs) starlark.Value {
			a, b := x.A.D, x.B.D
			if a.Rank() == 0 || b.Rank() == 0 {
				return e.Result(e.Do("multiply", x.A.Value, x.B.Value))
			}
			return e.Result(Tensordot(e, a, b, []int{a.Rank() - 1}, []int{b.Rank() - 1}))
		}, Multiplies[PairArgs](formula.Inner)),
	np.Function("np.outer T.outer", "The products of every element of a with every element of b, as a matrix.",
		"outer([1, 2], [3, 4]) # array([[3, 4],\n       [6, 8]])", func(e *np.Eval, x *productArgs) starlark.Value {
			return e.Result(e.Do("multiply", e.Reshape(x.A.D, x.A.D.Size(), 1), e.Reshape(x.B.D, 1, x.B.D.Size())))
		}, Multiplies[productArgs](formula.Outer)),
}

// dotOf is np.dot.
func dotOf(e *np.Eval, x, y functions.Operand) *tensor.Dense {
	if x.D.Rank() == 0 || y.D.Rank() == 0 {
		return e.Do("multiply", x.Value, y.Value)
	}
	return e.Got(array.Dot(e.Calculator(), x.D, y.D))
}

// Dot is np.dot of vectors and matrices.
func Dot(e *np.Eval, x, y *tensor.Dense) *tensor.Dense {
	return e.Compute(func(c array.Calculator) (*tensor.Dense, error) { return c.Dot(x, y) })
}

// Tensordot is np.tensordot of axes that are listed.
func Tensordot(e *np.Eval, a, b *tensor.Dense, overA, overB []int) *tensor.Dense {
	if e.Failed() {
		return np.Meaningless()
	}
	return e.Got(array.TensorDot(e.Calculator(), a, b, overA, overB))
}
