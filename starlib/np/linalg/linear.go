package linalg

import (
	"github.com/arignote/arignote/kernels"
	"github.com/arignote/arignote/runtime/array"
	"github.com/arignote/arignote/runtime/formula"
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

// paired is arguments that begin with two arrays.
type paired[A any] interface {
	*A
	pair() *PairArgs
}

// Product makes a row of a product of two arrays; value makes the result of its array.
func Product[A any, P paired[A]](names, doc, example string, f formula.Pairing, value func(e *np.Eval, z *tensor.Dense) starlark.Value) functions.Function {
	return np.Formula(names, doc, example, func(m *formula.Algebra, a *A) (formula.Array, error) {
		x := P(a).pair()
		return f(m, x.A.Array(), x.B.Array())
	}, value)
}

// NumberProduct is Product for those of which a number multiplies, as * does: a number of Starlark
// is weak. NumPy 1.24 makes it an int64 or float64 in dot and inner, and not in kron and einsum.
func NumberProduct[A any, P paired[A]](names, doc, example string, f formula.Pairing) functions.Function {
	return np.Function(names, doc, example, func(e *np.Eval, a *A) starlark.Value {
		x := P(a).pair()
		if x.A.D.Rank() == 0 || x.B.D.Rank() == 0 {
			return e.Result(e.Do("multiply", x.A.Value, x.B.Value))
		}
		return e.Result(e.Apply(func(m *formula.Algebra) (formula.Array, error) { return f(m, x.A.D, x.B.D) }))
	}, functions.Builds(func(g *functions.Graph, a *A) (functions.V, error) {
		x := P(a).pair()
		return f.Of(g.Builder, x.A.V, x.B.V)
	}))
}

// linearTable is the products of vectors and matrices.
var linearTable = []functions.Function{
	NumberProduct[productArgs]("np.dot ndarray.dot T.dot",
		"The product of vectors and matrices: over the last axis of a and the last but one of b, or its only one. A number multiplies.",
		"dot([[1, 2], [3, 4]], [1, 1]) # array([3, 7])", formula.Dot),
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
			return e.Result(e.Apply(func(m *formula.Algebra) (formula.Array, error) { return formula.Matmul(m, a.A.D, a.B.D) }))
		}, functions.Builds(func(g *functions.Graph, a *matmulArgs) (functions.V, error) {
			x, y := a.A.V, a.B.V
			if a.DType != kernels.Invalid {
				x, y = g.Apply(op.Cast(a.DType), x), g.Apply(op.Cast(a.DType), y)
			}
			return formula.Pairing(formula.Matmul).Of(g.Builder, x, y)
		})),
	NumberProduct[PairArgs]("np.inner T.inner", "The sums of products over the last axes of both.", "inner([1, 2], [3, 4]) # 11", formula.Inner),
	Product[productArgs]("np.outer T.outer", "The products of every element of a with every element of b, as a matrix.",
		"outer([1, 2], [3, 4]) # array([[3, 4],\n       [6, 8]])", formula.Outer, (*np.Eval).Result),
}

// Dot is np.dot of vectors and matrices.
func Dot(e *np.Eval, x, y *tensor.Dense) *tensor.Dense {
	return e.Compute(func(c array.Calculator) (*tensor.Dense, error) { return c.Dot(x, y) })
}
