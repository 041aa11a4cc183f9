package np

import (
	"math"

	"github.com/arignote/arignote/kernels"
	"github.com/arignote/arignote/runtime/tensor"
	"github.com/arignote/arignote/starlib/value"
	"go.starlark.net/starlark"
)

// specialTable is functions of single elements that are more than one elementwise function, or have two results.
var specialTable = []value.Builtin{
	evalRow("np.", "divmod", "The quotient x // y and the remainder x % y, as a tuple.", "np.divmod(7, 3) # (2, 1)",
		func(e *eval) starlark.Value {
			return e.tuple(e.do("floor_divide", e.v[0], e.v[1]), e.do("remainder", e.v[0], e.v[1]))
		}, "x: a number or array; operands broadcast", "y: a number or array; operands broadcast"),
	evalRow("np.", "modf", "The fraction and the whole part of x, both with its sign, as a tuple.",
		"np.modf(-2.5) # (-0.5, -2.0)", func(e *eval) starlark.Value {
			x := e.real(0)
			whole := e.do("trunc", x)
			fraction := e.do("where", e.do("isinf", x), tensor.Scalar(x.DType(), 0), e.do("subtract", x, whole))
			return e.tuple(e.do("copysign", fraction, x), whole)
		}, "x: a number or array"),
	evalRow("np.", "frexp", "The mantissa, in [0.5, 1), and the exponent of 2 of x, as a tuple.", "np.frexp(6.0) # (0.75, 3)",
		func(e *eval) starlark.Value {
			x := e.real(0)
			if e.failed() {
				return nil
			}
			wide := x.AsType(kernels.Float64)
			mantissa := tensor.Map(wide, func(x float64) float64 { m, _ := math.Frexp(x); return m })
			exponent := tensor.Map(wide, func(x float64) int32 { _, n := math.Frexp(x); return int32(n) })
			return e.tuple(mantissa.AsType(x.DType()), exponent)
		}, "x: a number or array"),
	npRow("ldexp", "x * 2**n.", "np.ldexp(0.75, 3) # 6.0", func(e *eval) *tensor.Dense {
		x, n := e.real(0), e.array(1)
		if n.DType().IsFloat() {
			e.failAt(1, "got %v, want integers", n.DType())
		}
		pair := e.broadcast(x, n)
		if e.failed() {
			return nil
		}
		z := tensor.Map2(pair[0].AsType(kernels.Float64), pair[1].AsType(kernels.Float64),
			func(x, n float64) float64 { return math.Ldexp(x, int(min(max(n, -5000), 5000))) })
		return z.AsType(x.DType())
	}, "x: a number or array; operands broadcast", "n: an integer or an array of them"),
	npRow("sinc", "sin(pi x) / (pi x), and 1 at 0.", "np.sinc([0, 0.5, 1]).round(3) # array([1.   , 0.637, 0.   ])",
		func(e *eval) *tensor.Dense {
			x := e.array(0).AsType(kernels.Float64)
			y := e.do("multiply", math.Pi, e.do("where", e.do("equal", x, 0), tensor.Scalar(x.DType(), 1e-20), x))
			return e.do("divide", e.do("sin", y), y)
		}, "x: a number or array"),
	npRow("i0", "The modified Bessel function of the first kind of order 0.", "np.i0(0.0) # 1.0", func(e *eval) *tensor.Dense {
		x := e.real(0)
		return tensor.Map(x.AsType(kernels.Float64), besselI0).AsType(x.DType())
	}, "x: a number or array"),
	npRow("nan_to_num", "The elements with nan replaced by a number, and the infinities by the largest and least of the type.",
		"np.nan_to_num([1.0, np.nan], nan=-1.0) # array([ 1., -1.])", func(e *eval) *tensor.Dense {
			x := e.array(0)
			copied := e.bool(1, true)
			if !x.DType().IsFloat() {
				return x.Copy()
			}
			high := math.MaxFloat64
			if x.DType() == kernels.Float32 {
				high = math.MaxFloat32
			}
			z := e.do("where", e.do("isnan", x), tensor.Scalar(x.DType(), e.float(2, 0)), x)
			z = e.do("where", e.do("equal", x, math.Inf(1)), tensor.Scalar(x.DType(), e.float(3, high)), z)
			z = e.do("where", e.do("equal", x, math.Inf(-1)), tensor.Scalar(x.DType(), e.float(4, -high)), z)
			if a, ok := e.v[0].(*Array); ok && !copied {
				if e.got(x, a.writable()); !e.failed() {
					tensor.CopyTo(x, z)
				}
			}
			return z
		}, "x: a number or array", "copy=True: False to change x too", "nan=0.0: what stands for nan",
		"posinf=None: what stands for inf", "neginf=None: what stands for -inf"),
	npRow("isposinf", "Whether x is positive infinity.", "np.isposinf([np.inf, -np.inf]) # array([ True, False])",
		func(e *eval) *tensor.Dense { return e.do("equal", e.array(0), math.Inf(1)) }, "x: a number or array"),
	npRow("isneginf", "Whether x is negative infinity.", "np.isneginf([np.inf, -np.inf]) # array([False,  True])",
		func(e *eval) *tensor.Dense { return e.do("equal", e.array(0), math.Inf(-1)) }, "x: a number or array"),
	evalRow("np.", "real", "The real part: of real numbers, themselves.", "np.real([1, 2]) # array([1, 2])",
		func(e *eval) starlark.Value {
			if d := e.array(0); !e.failed() && !isNumber(e.v[0]) {
				return e.view(0, d)
			}
			return e.v[0]
		}, "val: a number or array"),
	npRow("fix", "x rounded to a whole number towards 0, as a float.", "np.fix([-1.5, 1.5]) # array([-1.,  1.])",
		func(e *eval) *tensor.Dense { return e.do("trunc", e.real(0)) }, "x: a number or array"),
	npRow("angle", "The angle of a number in the complex plane: 0, or pi of a negative one.",
		"np.angle([1.0, -1.0], deg=True) # array([  0., 180.])",
		func(e *eval) *tensor.Dense {
			z := e.do("arctan2", 0.0, e.real(0))
			if e.bool(1, false) {
				return e.do("multiply", z, 180/math.Pi)
			}
			return z
		}, "z: a number or array", "deg=False: True for degrees"),
	npRow("imag", "The imaginary part: of real numbers, 0.", "np.imag([1, 2]) # array([0, 0])",
		func(e *eval) *tensor.Dense { return tensor.New(e.array(0).DType(), e.array(0).Shape()...) }, "val: an array"),
	npRow("isreal", "Whether elements are real numbers: all are.", "np.isreal([1, 2]) # array([ True,  True])",
		func(e *eval) *tensor.Dense { return constant(kernels.Bool, e.array(0).Shape(), 1) }, "x: an array"),
	npRow("iscomplex", "Whether elements are complex numbers: none is.", "np.iscomplex([1, 2]) # array([False, False])",
		func(e *eval) *tensor.Dense { return tensor.New(kernels.Bool, e.array(0).Shape()...) }, "x: an array"),
}

// isNumber reports whether v is a number or bool.
func isNumber(v starlark.Value) bool {
	switch v.(type) {
	case starlark.Int, starlark.Float, starlark.Bool, Scalar:
		return true
	}
	return false
}

// tuple returns arrays as a tuple.
func (e *eval) tuple(list ...*tensor.Dense) starlark.Value {
	t := make(starlark.Tuple, len(list))
	for i, d := range list {
		t[i] = e.value(d)
	}
	return t
}

// real returns argument i with elements of a float type: float64 for integers and bools.
func (e *eval) real(i int) *tensor.Dense { return asReal(e.array(i)) }

func asReal(d *tensor.Dense) *tensor.Dense {
	if d.DType().IsFloat() {
		return d
	}
	return d.AsType(kernels.Float64)
}

// besselI0 is the mean of exp(x cos t) over the circle, by the trapezoidal rule, which for periodic functions converges faster than
// any
// power: after n points the error is about exp(-n*n/(2|x|)). exp(|x|) is taken out, so that what is left is well conditioned.
func besselI0(x float64) float64 {
	x = math.Abs(x)
	if math.IsInf(x, 0) || math.IsNaN(x) || x > 800 {
		return x * math.Inf(1)
	}
	n := 25 + 2*int(4.5*math.Sqrt(x)) // odd: the circle is a point and two equal halves
	sum := 0.0
	for i := n / 2; i > 0; i-- { // the small terms first
		s := math.Sin(math.Pi * float64(i) / float64(n))
		sum += 2 * math.Exp(-2*x*s*s)
	}
	sum++
	return math.Exp(x) * (sum / float64(n))
}
