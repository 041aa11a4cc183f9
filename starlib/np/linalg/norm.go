package linalg

import (
	"fmt"
	"math"
	"slices"
	"strconv"
	"strings"

	"github.com/arignote/arignote/kernels/linalg"
	"github.com/arignote/arignote/runtime/array"
	"github.com/arignote/arignote/runtime/formula"
	"github.com/arignote/arignote/runtime/op"
	"github.com/arignote/arignote/runtime/tensor"
	"github.com/arignote/arignote/starlib/functions"
	"github.com/arignote/arignote/starlib/np"
	"go.starlark.net/starlark"
)

type (
	matrixPowerArgs struct {
		A functions.Operand `arg:"a|x|M: a square matrix, or a stack of them"`
		N int               `arg:"n: the power"`
	}
	normArgs struct {
		X     functions.Operand `arg:"x: an array"`
		Order starlark.Value    `arg:"ord=None: for vectors a number, for matrices 1, -1, 2, -2, np.inf, -np.inf, \"fro\" or \"nuc\"; the root of the sum of squares if not given"`
		Axes  functions.Axes    `arg:"axis=None: an axis of vectors, or two of matrices"`
		Keep  bool              `arg:"keepdims=False: whether the axes stay, with length 1"`
	}
)

// linalgNormTable is norms, ranks and products.
var linalgNormTable = []functions.Function{
	np.Function("np.linalg.norm T.nlinalg.norm", "The norm of vectors or matrices.", "norm([3, 4]) # 5.0", norm, functions.Builds(normVariable)),
	np.Function("np.linalg.cond", "The condition number of a matrix: how much it can enlarge relative errors.",
		"cond([[2, 0], [0, 1]]) # 2.0", func(e *np.Eval, a *struct {
			X functions.Operand `arg:"x: a matrix, or a stack of them"`
			P starlark.Value    `arg:"p=None: the norm, as ord of norm; 2 if not given"`
		}) starlark.Value {
			m, order := matrices(e, a.X), normOrder(e, "p", a.P, "2")
			if e.Failed() {
				return nil
			}
			return e.Result(e.Got(array.Cond(e.Calculator(), m, order)))
		}),
	np.Function("np.linalg.matrix_rank", "The rank of a matrix: how many singular values are above tol.",
		"matrix_rank([[1, 2], [2, 4]]) # 1", func(e *np.Eval, a *struct {
			A   functions.Operand `arg:"A: a matrix, or a stack of them"`
			Tol *float64          `arg:"tol=None: the largest singular value times the precision if not given"`
		}) starlark.Value {
			tol := -1.0
			if a.Tol != nil {
				tol = *a.Tol
			}
			return e.Result(e.Got(array.MatrixRank(e.Calculator(), a.A.D, tol, np.Product())))
		}),
	np.Function("np.linalg.matrix_power T.nlinalg.matrix_power", "A matrix to an integer power; of a negative one, powers of the inverse.",
		"matrix_power([[1, 1], [1, 0]], 10) # array([[89, 55],\n       [55, 34]])", func(e *np.Eval, a *matrixPowerArgs) starlark.Value {
			s, d, n := squares(e, a.A), a.A.D, a.N
			if n == math.MinInt {
				e.FailFor("n", "got %d, want one above -2**63", n)
			}
			if n < 0 && !e.Failed() {
				d, n = e.Got(np.Evaluator().Eval1(op.Inv{}, np.StopOf(e.Session), d.AsType(array.FloatType(d.DType())))), -n
			}
			if e.Failed() || s.Rows == 0 {
				return e.Array1(d, nil)
			}
			return e.Array1(array.MatrixPowers(e.Calculator(), e.Interrupted, d, n))
		}, functions.Builds(func(g *functions.Graph, a *matrixPowerArgs) (functions.V, error) {
			return formula.MatrixPower(g.Builder, a.A.V, a.N)
		})),
	np.Function("np.linalg.multi_dot", "The product of several matrices, in the order that takes the fewest multiplications.",
		"multi_dot([[1, 2], [[1, 0], [0, 1]], [3, 4]]) # 11", func(e *np.Eval, a *struct {
			Arrays []functions.Operand `arg:"arrays: at least two matrices; the first and the last may be vectors"`
			np.KeywordOnly
			np.OutArg
		}) starlark.Value {
			if len(a.Arrays) < 2 {
				e.FailFor("arrays", "got 1 array, want at least two")
			}
			return e.Result(e.Apply(func(m *formula.Algebra) (formula.Array, error) {
				return formula.MultiDot(m, functions.Arrays(a.Arrays))
			}))
		}),
}

// readNormOrder reads an argument that names a norm of matrices.
func readNormOrder(param string, v starlark.Value, otherwise linalg.NormOrder) (linalg.NormOrder, error) {
	if v == nil {
		return otherwise, nil
	}
	if s, ok := starlark.AsString(v); ok {
		switch s {
		case "f", "fro":
			return linalg.Frobenius, nil
		case "nuc", "inf", "-inf": // Theano writes infinity as text too
			return linalg.NormOrder(s), nil
		}
		return otherwise, fmt.Errorf("for parameter %s: got %q, want \"fro\", \"nuc\" or a number", param, s)
	}
	x, err := np.ReadNumber(param, v)
	switch {
	case math.IsInf(x, 1):
		return "inf", err
	case math.IsInf(x, -1):
		return "-inf", err
	}
	return linalg.NormOrder(strconv.FormatFloat(x, 'g', -1, 64)), err
}

// normOrder is readNormOrder.
func normOrder(e *np.Eval, param string, v starlark.Value, otherwise linalg.NormOrder) linalg.NormOrder {
	order, err := readNormOrder(param, v, otherwise)
	return np.Keep(e, order, err, otherwise)
}

// axesOf are the axes of vectors, or of matrices, in an array of a shape; none if the norm is that
// of all elements.
func (a *normArgs) axesOf(shape []int) ([]int, error) {
	axes := slices.Clone(a.Axes.List)
	switch {
	case a.Axes.Given:
		for i, axis := range axes {
			var err error
			if axes[i], err = tensor.NormalizeAxis(axis, len(shape)); err != nil {
				return nil, fmt.Errorf("for parameter axis: %w", err)
			}
		}
	case a.Order == nil:
		return nil, nil
	default:
		axes = np.CountTo(len(shape))
	}
	if len(axes) < 1 || len(axes) > 2 || len(axes) == 2 && axes[0] == axes[1] {
		return nil, fmt.Errorf("got axes %s of shape %s, want one of vectors or two of matrices", tensor.ShapeString(axes),
			strings.ReplaceAll(tensor.ShapeString(shape), "-1", "?"))
	}
	return axes, nil
}

func norm(e *np.Eval, a *normArgs) starlark.Value {
	d := a.X.D
	axes, err := a.axesOf(d.Shape())
	if np.Keep(e, axes, err, nil); e.Failed() {
		return nil
	}
	if axes == nil || len(axes) == 1 && (a.Order == nil || e.Number("ord", a.Order) == 2) && !e.Failed() {
		return e.Result(e.Got(array.Euclidean(e.Calculator(), d, axes, a.Keep)))
	}
	if len(axes) == 1 && d.Size() > 0 && !e.Failed() {
		if kind, ok := array.Magnitudes[e.Number("ord", a.Order)]; ok && !e.Failed() {
			return e.Result(e.Got(array.MagnitudeNorm(e.Calculator(), d, axes[0], kind, a.Keep)))
		}
	}
	one, cubic := normOf(e, len(axes), a.Order)
	if e.Failed() {
		return nil
	}
	return e.Result(e.Got(array.Norm(e.Calculator(), d, axes, one, cubic, a.Keep)))
}

// normVariable is the symbolic half of norm.
func normVariable(g *functions.Graph, a *normArgs) (functions.V, error) {
	x := a.X.V
	rank := x.Type.Rank()
	axes, err := a.axesOf(x.Type.Dims())
	if err != nil {
		return nil, err
	}
	var z functions.V
	over := tensor.AxesOf(axes...)
	switch {
	case axes == nil:
		over = tensor.AllAxes(rank)
		z = formula.Frobenius(g.Builder, x, over)
	case len(axes) == 1:
		order := 2.0
		if a.Order != nil {
			if order, err = np.ReadNumber("ord", a.Order); err != nil {
				return nil, err
			}
		}
		z = formula.VectorNorm(g.Builder, x, order, axes[0])
	default:
		order, err := readNormOrder("ord", a.Order, linalg.Frobenius)
		if err != nil {
			return nil, err
		}
		if z, err = formula.MatrixNorm(g.Builder, x, string(order), axes[0], axes[1]); err != nil {
			return nil, err
		}
	}
	if a.Keep {
		z = formula.KeepAxes(g.Builder, z, over, rank)
	}
	return z, nil
}

// normOf returns the norm of vectors or of matrices, by how many axes those have, and whether it
// decomposes them.
func normOf(e *np.Eval, axes int, order starlark.Value) (norm func(linalg.Matrix) (float64, error), cubic bool) {
	if axes == 2 {
		ord := normOrder(e, "ord", order, linalg.Frobenius)
		return func(a linalg.Matrix) (float64, error) {
			a.Product = np.Product()
			return linalg.MatrixNorm(a, ord)
		}, ord.Singular()
	}
	ord := 2.0
	if order != nil {
		ord = e.Number("ord", order)
	}
	poll := tensor.Poll{Stop: e.Session.Stop()}
	return func(a linalg.Matrix) (float64, error) { return linalg.VectorNorm(a.Data, ord, poll.Ask) }, false
}
