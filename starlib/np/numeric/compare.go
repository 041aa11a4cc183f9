package numeric

import (
	"math"
	"slices"

	"github.com/arignote/arignote/kernels"
	"github.com/arignote/arignote/runtime/formula"
	"github.com/arignote/arignote/runtime/op"
	"github.com/arignote/arignote/runtime/tensor"
	"github.com/arignote/arignote/starlib/functions"
	"github.com/arignote/arignote/starlib/np"
	"go.starlark.net/starlark"
)

// closeArgs are the arguments of np.isclose and np.allclose.
type closeArgs struct {
	np.ArrayArg
	B        functions.Operand `arg:"b: an array; the tolerance is relative to it"`
	Rtol     float64           `arg:"rtol=1e-05: tolerance relative to b"`
	Atol     float64           `arg:"atol=1e-08: absolute tolerance"`
	EqualNaN bool              `arg:"equal_nan=False: whether nan is close to nan"`
}

// compareTable is the functions that compare whole arrays.
var compareTable = []functions.Function{
	np.Function("np.isclose T.isclose", "Whether elements are equal within a tolerance: |a - b| <= atol + rtol * |b|.",
		"isclose([1, 2], [1, 2.1]) # array([ True, False])", func(e *np.Eval, a *closeArgs) starlark.Value {
			return e.Result(isClose(e, a))
		}, functions.Builds(func(g *functions.Graph, a *closeArgs) (functions.V, error) { return a.variable(g), nil })),
	np.Function("np.allclose T.allclose", "Whether all elements are equal within a tolerance: |a - b| <= atol + rtol * |b|.",
		"allclose([1, 2], [1, 2 + 1e-9]) # True", func(e *np.Eval, a *closeArgs) starlark.Value {
			return starlark.Bool(!np.HasBool(isClose(e, a), 0))
		}, functions.Builds(func(g *functions.Graph, a *closeArgs) (functions.V, error) {
			near := a.variable(g)
			return g.Apply(op.Reduce{Kind: op.All, Axes: tensor.AllAxes(near.Type.Rank())}, near), nil
		})),
	np.Function("np.array_equiv", "Whether two arrays broadcast together and all elements are equal then.",
		"array_equiv([1, 1], [[1, 1], [1, 1]]) # True", func(e *np.Eval, a *struct {
			A1 *tensor.Dense `arg:"a1: an array"`
			A2 *tensor.Dense `arg:"a2: an array"`
		}) starlark.Value {
			if _, err := tensor.CommonShape(a.A1, a.A2); err != nil {
				return starlark.False
			}
			same := e.Do("equal", a.A1, a.A2)
			return e.Result(e.Reduce("all", same, tensor.AllAxes(same.Rank())))
		}),
	np.Function("np.array_equal", "Whether two arrays have the same shape and elements.",
		"array_equal([1, 2], [1.0, 2.0]) # True", func(e *np.Eval, a *struct {
			np.ArrayArg
			B        functions.Operand `arg:"b: an array"`
			EqualNaN bool              `arg:"equal_nan=False: whether nan equals nan"`
		}) starlark.Value {
			x, y := a.A.D, a.B.D
			if !slices.Equal(x.Shape(), y.Shape()) {
				return starlark.False
			}
			same := e.Do("equal", x, y)
			if a.EqualNaN && x.DType().IsFloat() && y.DType().IsFloat() {
				same = e.Do("logical_or", same, e.Do("logical_and", e.Do("isnan", x), e.Do("isnan", y)))
			}
			return starlark.Bool(!e.Failed() && !np.HasBool(same, 0))
		}),
}

func (a *closeArgs) variable(g *functions.Graph) functions.V {
	return formula.IsClose(g.Builder, a.A.V, a.B.V, a.Rtol, a.Atol, a.EqualNaN)
}

// isClose is one loop where formula.IsClose is a dozen operations. It compares as float64: integers
// beyond 2**53 lose their last digits.
func isClose(e *np.Eval, args *closeArgs) *tensor.Dense {
	wide := e.Broadcast(args.A.D, args.B.D)
	if e.Failed() {
		return np.Meaningless()
	}
	z := tensor.New(kernels.Bool, wide[0].Shape()...)
	near := tensor.Elements[uint8](z)
	e.Noted(z, nil)
	a, b := floats(e, wide[0]), floats(e, wide[1])
	err := e.InChunks(len(near), func(first, end int) error {
		for i := first; i < end; i++ {
			x, y := a[i], b[i]
			ok := x == y
			switch {
			case math.IsNaN(x) && math.IsNaN(y):
				ok = args.EqualNaN
			case !math.IsInf(x, 0) && !math.IsInf(y, 0):
				ok = math.Abs(x-y) <= args.Atol+args.Rtol*math.Abs(y)
			}
			if ok {
				near[i] = 1
			}
		}
		return nil
	})
	return e.Got(z, err)
}

// floats is the elements of d in C order, to be read only: those of d itself if it has them so.
func floats(e *np.Eval, d *tensor.Dense) []float64 {
	if d.DType() != kernels.Float64 || !d.IsContiguous() {
		d = d.AsType(kernels.Float64)
		e.Noted(d, nil)
	}
	return tensor.Elements[float64](d)
}
