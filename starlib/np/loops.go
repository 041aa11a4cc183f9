package np

import (
	"math"

	"github.com/arignote/arignote/kernels"
	"github.com/arignote/arignote/runtime/tensor"
)

// A loop is an elementwise function that is no row of op.Rows: it has no gradient and no kernel, and runs as a loop of Go over
// float64
// (a float32 result is that of float64, rounded), int64 or uint64. The types are those of the rows of elementwise.
type loop struct {
	names, args, doc, example string
	typing                    typing
	real1                     func(x float64) float64
	real2                     func(x, y float64) float64
	int2                      func(x, y int64) int64
	uint2                     func(x, y uint64) uint64
	single1                   func(x float32) float32 // of float32, where rounding the result of float64 would not do
	single2                   func(x, y float32) float32
	predicate                 bool // the result is bool: what is not 0
}

var loops = []loop{
	{names: "cbrt", args: "x", doc: "The cube root.", example: "np.cbrt([8.0, -27.0]) # array([ 2., -3.])", typing: asFloat,
		real1: math.Cbrt},
	{names: "arcsinh", args: "x", doc: "The inverse hyperbolic sine.", example: "np.arcsinh(0.0) # 0.0", typing: asFloat,
		real1: math.Asinh},
	{names: "arccosh", args: "x", doc: "The inverse hyperbolic cosine.", example: "np.arccosh(1.0) # 0.0", typing: asFloat,
		real1: math.Acosh},
	{names: "arctanh", args: "x", doc: "The inverse hyperbolic tangent.", example: "np.arctanh(0.0) # 0.0", typing: asFloat,
		real1: math.Atanh},
	{names: "deg2rad radians", args: "x", doc: "Degrees as radians.", example: "np.deg2rad(180) # 3.141592653589793", typing: asFloat,
		real1: func(x float64) float64 { return x * (math.Pi / 180) }},
	{names: "rad2deg degrees", args: "x", doc: "Radians as degrees.", example: "np.rad2deg(np.pi) # 180.0", typing: asFloat,
		real1: func(x float64) float64 { return x * (180 / math.Pi) }},
	{names: "fabs", args: "x", doc: "The absolute value as a float.", example: "np.fabs(-2) # 2.0", typing: asFloat, real1: math.Abs},
	{names: "spacing", args: "x", doc: "The distance to the next number of the type, away from 0.",
		example: "np.spacing(1.0) # 2.220446049250313e-16", typing: asFloat, real1: spacing, single1: spacing32},
	{names: "signbit", args: "x", doc: "Whether the sign of x is minus, also of -0.0.",
		example: "np.signbit([-1.0, -0.0, 2.0]) # array([ True,  True, False])", typing: asFloat, predicate: true,
		real1: func(x float64) float64 { return one(math.Signbit(x)) }},
	{names: "conjugate conj", args: "x", doc: "The complex conjugate: of real numbers, themselves.", example: "np.conj(2.5) # 2.5",
		typing: atLeast8, real1: func(x float64) float64 { return x }},
	{names: "hypot", args: "x, y", doc: "The length sqrt(x*x + y*y) of a hypotenuse.", example: "np.hypot(3, 4) # 5.0",
		typing: asFloat,
		real2:  math.Hypot},
	{names: "logaddexp", args: "x, y", doc: "The logarithm of exp(x) + exp(y), without overflow.",
		example: "np.logaddexp(1000.0, -1000.0) # 1000.0", typing: asFloat, real2: logAddExp},
	{names: "logaddexp2", args: "x, y", doc: "The logarithm to base 2 of 2**x + 2**y.", example: "np.logaddexp2(3, 3) # 4.0",
		typing: asFloat, real2: logAddExp2},
	{names: "fmax", args: "x, y", doc: "The larger of x and y; where one is nan, the other.",
		example: "np.fmax([1, np.nan], [2, 3]) # array([2., 3.])", typing: same, real2: fmax,
		int2: func(x, y int64) int64 { return max(x, y) }, uint2: func(x, y uint64) uint64 { return max(x, y) }},
	{names: "fmin", args: "x, y", doc: "The smaller of x and y; where one is nan, the other.",
		example: "np.fmin([1, np.nan], [2, 3]) # array([1., 3.])", typing: same, real2: fmin,
		int2: func(x, y int64) int64 { return min(x, y) }, uint2: func(x, y uint64) uint64 { return min(x, y) }},
	{names: "fmod", args: "x, y", doc: "The remainder of x / y with the sign of x, as in C.",
		example: "np.fmod([-3, 3], 2) # array([-1,  1])", typing: atLeast8, real2: math.Mod,
		int2: func(x, y int64) int64 {
			if y == 0 {
				return 0
			}
			return x % y
		},
		uint2: func(x, y uint64) uint64 {
			if y == 0 {
				return 0
			}
			return x % y
		}},
	{names: "copysign", args: "x, y", doc: "The absolute value of x with the sign of y.", example: "np.copysign(2, -0.0) # -2.0",
		typing: asFloat, real2: math.Copysign},
	{names: "heaviside", args: "x, y", doc: "0 where x is negative, 1 where it is positive, and y where it is 0.",
		example: "np.heaviside([-1.5, 0, 2.0], 0.5) # array([0. , 0.5, 1. ])", typing: asFloat, real2: heaviside},
	{names: "nextafter", args: "x, y", doc: "The number of the type that is next to x in the direction of y.",
		example: "np.nextafter(1.0, 2) # 1.0000000000000002", typing: asFloat, real2: nextAfter, single2: nextAfter32},
	{names: "float_power", args: "x, y", doc: "x to the power y, as float64.", example: "np.float_power(2, -1) # 0.5",
		typing: alwaysDouble, real2: math.Pow},
	{names: "left_shift", args: "x, y", doc: "The bits of x moved to the left by y places: x * 2**y.",
		example: "np.left_shift(5, 2) # 20", typing: asWhole, int2: shiftLeft, uint2: func(x, y uint64) uint64 { return x << y }},
	{names: "right_shift", args: "x, y", doc: "The bits of x moved to the right by y places: x // 2**y.",
		example: "np.right_shift(20, 2) # 5", typing: asWhole, int2: shiftRight, uint2: func(x, y uint64) uint64 { return x >> y }},
	{names: "gcd", args: "x, y", doc: "The greatest common divisor of |x| and |y|.", example: "np.gcd(12, [20, 9]) # array([4, 3])",
		typing: asWhole, int2: func(x, y int64) int64 { return int64(gcd(magnitude(x), magnitude(y))) }, uint2: gcd},
	{names: "lcm", args: "x, y", doc: "The least common multiple of |x| and |y|.", example: "np.lcm(12, 20) # 60", typing: asWhole,
		int2: func(x, y int64) int64 { return int64(lcm(magnitude(x), magnitude(y))) }, uint2: lcm},
}

// run computes the function of operands of one type and shape.
func (l *loop) run(in []*tensor.Dense) *tensor.Dense {
	d := in[0].DType()
	wide := kernels.Float64
	switch {
	case d == kernels.Float32 && (l.single1 != nil || l.single2 != nil):
		wide = d
	case d.IsSigned():
		wide = kernels.Int64
	case !d.IsFloat():
		wide = kernels.Uint64
	}
	for i := range in {
		if in[i].DType() != wide {
			in[i] = in[i].AsType(wide)
		}
	}
	z := l.wide(wide, in)
	switch {
	case l.predicate:
		return z.AsType(kernels.Bool)
	case z.DType() != d:
		return z.AsType(d)
	}
	return z
}

func (l *loop) wide(d kernels.DType, in []*tensor.Dense) *tensor.Dense {
	unary := len(in) == 1
	switch {
	case d == kernels.Float32 && unary:
		return tensor.Map(in[0], l.single1)
	case d == kernels.Float32:
		return tensor.Map2(in[0], in[1], l.single2)
	case d == kernels.Float64 && unary:
		return tensor.Map(in[0], l.real1)
	case d == kernels.Float64:
		return tensor.Map2(in[0], in[1], l.real2)
	case unary: // of an integer: conjugate
		return in[0]
	case d == kernels.Int64:
		return tensor.Map2(in[0], in[1], l.int2)
	}
	return tensor.Map2(in[0], in[1], l.uint2)
}

func one(b bool) float64 {
	if b {
		return 1
	}
	return 0
}

func spacing(x float64) float64 {
	if math.IsInf(x, 0) || math.IsNaN(x) {
		return math.NaN()
	}
	if x == 0 { // also -0
		return math.SmallestNonzeroFloat64
	}
	return math.Nextafter(x, math.Copysign(math.Inf(1), x)) - x
}

func spacing32(x float32) float32 {
	if math.IsInf(float64(x), 0) || x != x {
		return float32(math.NaN())
	}
	if x == 0 {
		return math.SmallestNonzeroFloat32
	}
	return math.Nextafter32(x, float32(math.Copysign(math.Inf(1), float64(x)))) - x
}

// nextAfter is y where both are equal: that decides between the zeros.
func nextAfter(x, y float64) float64 {
	if x == y {
		return y
	}
	return math.Nextafter(x, y)
}

func nextAfter32(x, y float32) float32 {
	if x == y {
		return y
	}
	return math.Nextafter32(x, y)
}

// logAddExp takes the larger exponential out: max + log(1 + exp(-|x - y|)).
func logAddExp(x, y float64) float64 {
	if x == y { // also both infinite
		return x + math.Ln2
	}
	return math.Max(x, y) + math.Log1p(math.Exp(-math.Abs(x-y)))
}

func logAddExp2(x, y float64) float64 {
	if x == y {
		return x + 1
	}
	return math.Max(x, y) + math.Log1p(math.Exp2(-math.Abs(x-y)))*math.Log2E
}

func fmax(x, y float64) float64 {
	if x > y || math.IsNaN(y) {
		return x
	}
	return y
}

func fmin(x, y float64) float64 {
	if x < y || math.IsNaN(y) {
		return x
	}
	return y
}

func heaviside(x, y float64) float64 {
	switch {
	case math.IsNaN(x):
		return x
	case x == 0:
		return y
	}
	return one(x > 0)
}

// shiftLeft shifts all bits out where y is negative, as NumPy does: it is a huge number without a sign.
func shiftLeft(x, y int64) int64 { return x << uint64(y) }

func shiftRight(x, y int64) int64 { return x >> uint64(y) }

func magnitude(x int64) uint64 {
	if x < 0 {
		return uint64(-x)
	}
	return uint64(x)
}

func gcd(x, y uint64) uint64 {
	for y != 0 {
		x, y = y, x%y
	}
	return x
}

func lcm(x, y uint64) uint64 {
	if x == 0 || y == 0 {
		return 0
	}
	return x / gcd(x, y) * y
}
