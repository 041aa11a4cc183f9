package np

import (
	"math"
	"strconv"

	"github.com/arignote/arignote/kernels/linalg"
	"github.com/arignote/arignote/runtime/array"
	"github.com/arignote/arignote/runtime/tensor"
	"github.com/arignote/arignote/starlib/functions"
	"github.com/arignote/arignote/starlib/value"
	"go.starlark.net/starlark"
)

// linalgNormTable is norms, ranks and products.
var linalgNormTable = []functions.Function{
	function("np.linalg.norm", "The norm of vectors or matrices.", "norm([3, 4]) # 5.0", norm),
	function("np.linalg.cond", "The condition number of a matrix: how much it can enlarge relative errors.",
		"cond([[2, 0], [0, 1]]) # 2.0", func(e *eval, a *struct {
			X functions.Operand `arg:"x: a matrix, or a stack of them"`
			P starlark.Value    `arg:"p=None: the norm, as ord of norm; 2 if not given"`
		}) starlark.Value {
			m, order := e.matrices(a.X), e.normOrder("p", a.P, "2")
			if e.failed() {
				return nil
			}
			return e.value(e.got(array.Cond(e.interrupted, m, order)))
		}),
	function("np.linalg.matrix_rank", "The rank of a matrix: how many singular values are above tol.",
		"matrix_rank([[1, 2], [2, 4]]) # 1", func(e *eval, a *struct {
			A   functions.Operand `arg:"A: a matrix, or a stack of them"`
			Tol *float64          `arg:"tol=None: the largest singular value times the precision if not given"`
		}) starlark.Value {
			tol := -1.0
			if a.Tol != nil {
				tol = *a.Tol
			}
			return e.value(e.got(array.MatrixRank(e.interrupted, a.A.D, tol)))
		}),
	function("np.linalg.matrix_power", "A matrix to an integer power; of a negative one, powers of the inverse.",
		"matrix_power([[1, 1], [1, 0]], 10) # array([[89, 55],\n       [55, 34]])", func(e *eval, a *struct {
			squareArg
			N int `arg:"n: the power"`
		}) starlark.Value {
			s, d, n := e.squares(a.A), a.A.D, a.N
			if n == math.MinInt {
				e.failFor("n", "got %d, want one above -2**63", n)
			}
			if n < 0 {
				inverse, _ := e.toMatrix(a.A, linalg.Inv).(*Array)
				if e.failed() {
					return nil
				}
				d, n = inverse.d, -n
			}
			if e.failed() || s.Rows == 0 {
				return e.array1(d, nil)
			}
			return e.array1(array.MatrixPowers(e.calculator(), e.interrupted, d, n))
		}),
	function("np.linalg.multi_dot", "The product of several matrices, in the order that takes the fewest multiplications.",
		"multi_dot([[1, 2], [[1, 0], [0, 1]], [3, 4]]) # 11", func(e *eval, a *struct {
			Arrays []functions.Operand `arg:"arrays: at least two matrices; the first and the last may be vectors"`
		}) starlark.Value {
			var list []*tensor.Dense
			for _, x := range a.Arrays {
				list = append(list, x.D)
			}
			if len(list) < 2 {
				e.failFor("arrays", "got 1 array, want at least two")
				return nil
			}
			return e.value(e.got(array.MultiDot(e.calculator(), list)))
		}),
}

// normOrder reads an argument that names a norm of matrices.
func (e *eval) normOrder(param string, v starlark.Value, otherwise linalg.NormOrder) linalg.NormOrder {
	if v == nil {
		return otherwise
	}
	if s, ok := starlark.AsString(v); ok {
		switch s {
		case "f", "fro":
			return linalg.Frobenius
		case "nuc":
			return linalg.NormOrder(s)
		}
		e.failFor(param, "got %q, want \"fro\", \"nuc\" or a number", s)
		return otherwise
	}
	switch x := e.number(param, v); {
	case math.IsInf(x, 1):
		return "inf"
	case math.IsInf(x, -1):
		return "-inf"
	default:
		return linalg.NormOrder(strconv.FormatFloat(x, 'g', -1, 64))
	}
}

// number reads an argument that is a number.
func (e *eval) number(param string, v starlark.Value) float64 {
	x, ok := starlark.AsFloat(value.NumberOf(v))
	if !ok {
		e.failFor(param, "got %s, want a number", v.Type())
	}
	return x
}

func norm(e *eval, a *struct {
	X     functions.Operand `arg:"x: an array"`
	Order starlark.Value    `arg:"ord=None: for vectors a number, for matrices 1, -1, 2, -2, np.inf, -np.inf, \"fro\" or \"nuc\"; the root of the sum of squares if not given"`
	Axes  functions.Axes    `arg:"axis=None: an axis of vectors, or two of matrices"`
	Keep  bool              `arg:"keepdims=False: whether the axes stay, with length 1"`
}) starlark.Value {
	d, axes := a.X.D, a.Axes.List
	switch {
	case a.Axes.Given:
		for i, axis := range axes {
			n, err := tensor.NormalizeAxis(axis, d.Rank())
			if err != nil {
				e.failFor("axis", "%w", err)
			}
			axes[i] = n
		}
	case a.Order == nil:
		return e.value(e.got(array.Norm(e.interrupted, d, nil, nil, a.Keep)))
	default:
		axes = countTo(d.Rank())
	}
	if len(axes) < 1 || len(axes) > 2 || len(axes) == 2 && axes[0] == axes[1] {
		e.fail("got axes %s of shape %s, want one of vectors or two of matrices", tensor.ShapeString(axes),
			tensor.ShapeString(d.Shape()))
	}
	one := e.normOf(len(axes), a.Order)
	if e.failed() {
		return nil
	}
	return e.value(e.got(array.Norm(e.interrupted, d, axes, one, a.Keep)))
}

// normOf returns the norm of vectors or of matrices, by how many axes those have.
func (e *eval) normOf(axes int, order starlark.Value) func(linalg.Matrix) (float64, error) {
	if axes == 2 {
		ord := e.normOrder("ord", order, linalg.Frobenius)
		return func(a linalg.Matrix) (float64, error) { return linalg.MatrixNorm(a, ord) }
	}
	ord := 2.0
	if order != nil {
		ord = e.number("ord", order)
	}
	return func(a linalg.Matrix) (float64, error) { return linalg.VectorNorm(a.Data, ord) }
}
