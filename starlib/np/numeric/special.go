package numeric

import (
	"errors"
	"fmt"
	"math"

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

type (
	// numberArg is the argument of functions of single elements that compute with an array.
	numberArg struct {
		X *tensor.Dense `arg:"x: a number or array"`
	}
	// realArg is that of functions to which a number is none.
	realArg struct {
		X *tensor.Dense `arg:"x: an array"`
	}
)

// twoArgs are those of a function of two operands.
type twoArgs struct {
	X functions.Operand `arg:"x: a number or array; operands broadcast"`
	Y functions.Operand `arg:"y: a number or array; operands broadcast"`
}

// ldexpArgs are the arguments of np.ldexp.
type ldexpArgs struct {
	X functions.Operand  `arg:"x: a number or array; operands broadcast"`
	N functions.Integers `arg:"n: an integer or an array of them"`
}

// specialTable is functions of single elements that are more than one elementwise function, or have
// two results.
var specialTable = []functions.Function{
	np.Function("np.divmod T.divmod", "The quotient x // y and the remainder x % y, as a tuple.", "divmod(7, 3) # (2, 1)",
		func(e *np.Eval, a *twoArgs) starlark.Value {
			return tuple(e, e.Do("floor_divide", a.X.Value, a.Y.Value), e.Do("remainder", a.X.Value, a.Y.Value))
		}, functions.BuildsTuple(func(g *functions.Graph, a *twoArgs) ([]functions.V, error) {
			return []functions.V{g.Apply(op.IntDiv, a.X.V, a.Y.V), g.Apply(op.Mod, a.X.V, a.Y.V)}, nil
		})),
	np.Function("np.modf", "The fraction and the whole part of x, both with its sign, as a tuple.", "modf(-2.5) # (-0.5, -2.0)",
		func(e *np.Eval, a *numberArg) starlark.Value {
			x := array.AsReal(a.X)
			whole := e.Do("trunc", x)
			fraction := e.Do("where", e.Do("isinf", x), tensor.Scalar(x.DType(), 0), e.Do("subtract", x, whole))
			return tuple(e, e.Do("copysign", fraction, x), whole)
		}),
	np.Function("np.frexp", "The mantissa, in [0.5, 1), and the exponent of 2 of x, as a tuple.", "frexp(6.0) # (0.75, 3)",
		func(e *np.Eval, a *numberArg) starlark.Value {
			x := array.AsReal(a.X)
			wide := x.AsType(kernels.Float64)
			poll := e.Poll()
			mantissa := tensor.Map(wide, func(x float64) float64 { poll.Ask(1); m, _ := math.Frexp(x); return m })
			exponent := tensor.Map(wide, func(x float64) int32 { poll.Ask(1); _, n := math.Frexp(x); return int32(n) })
			return tuple(e, mantissa.AsType(x.DType()), exponent)
		}),
	np.Function("np.ldexp T.ldexp", "x * 2**n.", "ldexp(0.75, 3) # 6.0", func(e *np.Eval, a *ldexpArgs) starlark.Value {
		x, n := array.AsReal(a.X.D), a.N.D
		if n.DType().IsFloat() {
			e.FailFor("n", "got %v, want integers", n.DType())
		}
		pair := e.Broadcast(x, n)
		if e.Failed() {
			return nil
		}
		poll := e.Poll()
		z := tensor.Map2(pair[0].AsType(kernels.Float64), pair[1].AsType(kernels.Float64), func(x, n float64) float64 {
			poll.Ask(1)
			return math.Ldexp(x, int(min(max(n, -5000), 5000)))
		})
		return e.Result(z.AsType(x.DType()))
	}, functions.Builds(func(g *functions.Graph, a *ldexpArgs) (functions.V, error) {
		x := a.X.V
		if !x.Type.DType.IsFloat() {
			x = g.Apply(op.Cast(g.FloatX), x)
		}
		if a.N.V.Type.DType.IsFloat() {
			return nil, fmt.Errorf("for parameter n: got %s, want integers", graph.Mention(a.N.V))
		}
		return formula.Ldexp(g.Builder, x, a.N.V), nil
	})),
	np.Function("np.sinc T.sinc", "sin(pi x) / (pi x), and 1 at 0.", "sinc(0.0) # 1.0",
		func(e *np.Eval, a *np.ElementArg) starlark.Value {
			x := a.X.D.AsType(kernels.Float64)
			y := e.Do("multiply", math.Pi, e.Do("where", e.Do("equal", x, 0), tensor.Scalar(x.DType(), 1e-20), x))
			return e.Result(e.Do("divide", e.Do("sin", y), y))
		}, functions.Builds(func(g *functions.Graph, a *np.ElementArg) (functions.V, error) {
			x := a.X.V
			if !x.Type.DType.IsFloat() {
				x = g.Apply(op.Cast(g.FloatX), x)
			}
			return formula.Sinc(g.Builder, x), nil
		})),
	np.Function("np.nan_to_num T.nan_to_num",
		"The elements with nan replaced by a number, and the infinities by the largest and least of the type.",
		"nan_to_num([1.0, np.nan], nan=-1.0) # array([ 1., -1.])", nanToNum, functions.Builds(func(g *functions.Graph, a *nanToNumArgs) (functions.V, error) {
			switch {
			case !a.Copied:
				return nil, errors.New("for parameter copy: got False, which changes an array; a variable is not changed")
			case !a.X.V.Type.DType.IsFloat():
				return a.X.V, nil
			}
			return formula.Variable(formula.NaNToNum(formula.Symbolic(g.Builder), a.X.V, a.NaN, a.High, a.Low), nil)
		})),
	infinite("np.isposinf T.isposinf", "Whether x is positive infinity.", "isposinf([np.inf, -np.inf]) # array([ True, False])", 1),
	infinite("np.isneginf T.isneginf", "Whether x is negative infinity.", "isneginf([np.inf, -np.inf]) # array([False,  True])", -1),
	np.Function("np.real", "The real part: of real numbers, themselves.", "real([1, 2]) # array([1, 2])",
		func(e *np.Eval, a *struct {
			Val functions.Operand `arg:"val: a number or array"`
		}) starlark.Value {
			if isNumber(a.Val.Value) {
				return a.Val.Value
			}
			return e.Itself(a.Val.Value, a.Val.D)
		}),
	np.Function("np.fix T.fix", "x rounded to a whole number towards 0, as a float.", "fix([-1.5, 1.5]) # array([-1.,  1.])",
		func(e *np.Eval, a *np.ElementArg) starlark.Value { return e.Result(e.Do("trunc", array.AsReal(a.X.D))) },
		functions.Builds(func(g *functions.Graph, a *np.ElementArg) (functions.V, error) { return g.Apply(op.Trunc, a.X.V), nil })),
	np.Function("np.angle", "The angle of a number in the complex plane: 0, or pi of a negative one.",
		"angle([1.0, -1.0], deg=True) # array([  0., 180.])", func(e *np.Eval, a *struct {
			Z       *tensor.Dense `arg:"z: a number or array"`
			Degrees bool          `arg:"deg=False: True for degrees"`
		}) starlark.Value {
			z := e.Do("arctan2", 0.0, array.AsReal(a.Z))
			if a.Degrees {
				z = e.Do("multiply", z, 180/math.Pi)
			}
			return e.Result(z)
		}),
	np.Function("np.imag", "The imaginary part: of real numbers, 0.", "imag([1, 2]) # array([0, 0])", func(e *np.Eval, a *struct {
		Val *tensor.Dense `arg:"val: an array"`
	}) starlark.Value {
		return e.Result(tensor.New(a.Val.DType(), a.Val.Shape()...))
	}),
	np.Function("np.isreal", "Whether elements are real numbers: all are.", "isreal([1, 2]) # array([ True,  True])",
		func(e *np.Eval, a *realArg) starlark.Value { return e.Result(e.Constant(kernels.Bool, a.X.Shape(), 1)) }),
	np.Function("np.iscomplex", "Whether elements are complex numbers: none is.", "iscomplex([1, 2]) # array([False, False])",
		func(e *np.Eval, a *realArg) starlark.Value { return e.Result(e.Constant(kernels.Bool, a.X.Shape(), 0)) }),
}

// infinite is a row of a function that finds the infinity of a sign.
func infinite(names, doc, example string, sign int) functions.Function {
	return np.Formula(names, doc, example, func(m *formula.Algebra, a *np.ElementArg) (formula.Array, error) {
		return formula.IsInfinity(m, a.X.Array(), sign), nil
	}, (*np.Eval).Result)
}

// nanToNumArgs are the arguments of np.nan_to_num.
type nanToNumArgs struct {
	X      functions.Operand `arg:"x: a number or array"`
	Copied bool              `arg:"copy=True: False to change x too"`
	NaN    float64           `arg:"nan=0.0: what stands for nan"`
	High   *float64          `arg:"posinf=None: what stands for inf"`
	Low    *float64          `arg:"neginf=None: what stands for -inf"`
}

func nanToNum(e *np.Eval, a *nanToNumArgs) starlark.Value {
	x := a.X.D
	to, changes := a.X.Value.(*np.Array)
	changes = changes && !a.Copied
	if !x.DType().IsFloat() {
		if changes && x.Rank() > 0 {
			return to
		}
		return e.Result(x.Copy())
	}
	z := e.Apply(func(m *formula.Algebra) (formula.Array, error) {
		return formula.NaNToNum(m, x, a.NaN, a.High, a.Low), nil
	})
	if changes {
		if e.Got(x, to.Writable()); !e.Failed() {
			tensor.CopyTo(x, z)
		}
		if x.Rank() == 0 {
			return e.Result(z)
		}
		return to
	}
	return e.Result(z)
}

// isNumber reports whether v is a number or bool.
func isNumber(v starlark.Value) bool {
	switch v.(type) {
	case starlark.Int, starlark.Float, starlark.Bool, np.Scalar:
		return true
	}
	return false
}

// tuple returns arrays as a tuple.
func tuple(e *np.Eval, list ...*tensor.Dense) starlark.Value {
	t := make(starlark.Tuple, len(list))
	for i, d := range list {
		t[i] = e.Result(d)
	}
	return t
}

func besselI0(x float64) float64 { return array.BesselI0(x) }
