package op

import (
	"math"

	"github.com/arignote/arignote/kernels"
	"github.com/arignote/arignote/kernels/libm"
	"github.com/arignote/arignote/runtime/graph"
)

// V is a symbolic variable.
type V = *graph.Variable

// Elemwise is an elementwise operation: the index of its row. Operands broadcast along axes that
// are known to have length 1.
type Elemwise uint8

const (
	Add Elemwise = iota + 1
	Sub
	Mul
	TrueDiv
	IntDiv
	Mod
	Pow
	Fmod
	Gcd
	Lcm
	Neg
	Abs
	Sgn
	Sqr
	Sqrt
	Cbrt
	Hypot
	Reciprocal
	Exp
	Exp2
	Expm1
	Log
	Log2
	Log10
	Log1p
	Log1mexp
	Logaddexp
	Logaddexp2
	Sin
	Cos
	Tan
	Arcsin
	Arccos
	Arctan
	Arctan2
	Deg2rad
	Rad2deg
	Sinh
	Cosh
	Tanh
	Arcsinh
	Arccosh
	Arctanh
	Sigmoid
	Softplus
	Softsign
	Erf
	Erfc
	Gamma
	Gammaln
	Digamma
	TriGamma
	Polygamma
	Gammainc
	Gammaincc
	Betainc
	Gammaincinv
	Gammainccinv
	Betaincinv
	NdtriExp
	OwensT
	Hyp2f1
	Hyp2f1A
	Hyp2f1C
	Erfinv
	Erfcinv
	Erfcx
	I0
	I1
	Iv
	Ive
	Kv
	Kve
	J0
	J1
	Jv
	Xlogy
	Xlog1py
	Maximum
	Minimum
	Fmax
	Fmin
	Switch
	Eq
	Neq
	Lt
	Le
	Gt
	Ge
	And
	Or
	Xor
	Invert
	LeftShift
	RightShift
	Ceil
	Floor
	Round
	RoundHalfAway
	Trunc
	Copysign
	Heaviside
	Nextafter
	Spacing
	Signbit
	IsNaN
	IsInf
	Identity
	Second
	castBase // Cast(d) is castBase + d
)

// Cast is the conversion to an element type.
func Cast(to kernels.DType) Elemwise { return castBase + Elemwise(to) }

// Row is all that Arignote knows of an elementwise operation, but for its kernel, which is the row
// of kernels.Table of that name.
type Row struct {
	Name   string // Theano's and the kernel's
	Symbol string // how Composite prints it: "+" between its operands, "" as a call
	Args   string // parameter names, separated by ", "
	Doc    string // one sentence
	// Names are those under which users find it, with their modules, separated by blanks:
	// "T.sigmoid T.expit T.nnet.sigmoid".
	Names string
	Also  []Variant

	Takes Typing // which element type it computes in
	NumPy Typing // the same in np, where NumPy differs; 0 where it does not
	From  int    // the first operand that has a say in the element type: one before it is a condition, or gives its shape

	// Number computes a single float at once, where kernels may be a unit in the last place off
	// what Python and NumPy print; nil: the kernel does.
	Number func(float64) float64

	Laws       Law
	Identity   *float64             // what it gives of no operands, all bits set where that is -1; nil: nothing
	Flops      float64              // floating point operations per element
	Sign       func(in []Sign) Sign // what is known of the result; nil: nothing
	Smoothness Smoothness
	Domain     []Domain // of each operand; nil: they may be anything
	// Orders is how many operands, the first ones, are orders and parameters of a special function:
	// it is not differentiated by them.
	Orders int
	// Grad returns the gradients with respect to the operands x, given the output y and the
	// gradient g with respect to it. They have the output's shape and any type: Elemwise.Grad sums
	// and casts. nil: zero everywhere.
	Grad    func(b *graph.Builder, g, y V, x []V) []V
	Example string // "exp(0.0) = 1.0"
}

// A Variant is a function of NumPy that computes what a row does, in another element type.
type Variant struct {
	Names   string // as in Row
	Typing  Typing
	Doc     string
	Example string // "np.fabs(-2) # 2.0"
}

// Law is an algebraic law that an operation obeys.
type Law uint8

const (
	Commutative Law = 1 << iota // f(x, y) = f(y, x)
	Associative                 // f(f(x, y), z) = f(x, f(y, z)), up to rounding
	Idempotent                  // f(x, x) = x
	Unrounded                   // f(x) is an operand, its negative or a whole number: of exact floats it is exact
)

// zero is the gradient of piecewise constant operations.
func zero(b *graph.Builder, g, y V, x []V) []V { return make([]V, len(x)) }

// do applies e while a gradient is built.
func (e Elemwise) do(b *graph.Builder, x ...V) V { return b.Apply(e, x...) }

// times returns v scaled by a constant of its own type.
func times(b *graph.Builder, k float64, v V) V { return Mul.do(b, b.Like(v, k), v) }

// oneMinus returns 1 - v.
func oneMinus(b *graph.Builder, v V) V { return Sub.do(b, b.Like(v, 1), v) }

// onePlus returns 1 + v.
func onePlus(b *graph.Builder, v V) V { return Add.do(b, b.Like(v, 1), v) }

// over returns x/y, and 0 where both are 0.
func over(b *graph.Builder, x, y V) V {
	both := And.do(b, Eq.do(b, x, b.Like(x, 0)), Eq.do(b, y, b.Like(y, 0)))
	return TrueDiv.do(b, x, Switch.do(b, both, b.Like(y, 1), y))
}

var rows = [castBase]Row{
	Add: {Name: "add", Symbol: "+", Args: "x, y", Doc: "The sum x + y.",
		Names: "T.add np.add", Takes: Anything, Laws: Commutative | Associative, Identity: new(0.0), Flops: 1, Sign: signOfSum, Example: "add(2.0, 3.0) = 5.0",
		Grad: func(b *graph.Builder, g, y V, x []V) []V { return []V{g, g} }},
	Sub: {Name: "sub", Symbol: "-", Args: "x, y", Doc: "The difference x - y.",
		Names: "T.sub np.subtract", Takes: Numbers, NumPy: NoBool, Flops: 1, Example: "sub(2.0, 3.0) = -1.0",
		Grad: func(b *graph.Builder, g, y V, x []V) []V { return []V{g, Neg.do(b, g)} }},
	Mul: {Name: "mul", Symbol: "*", Args: "x, y", Doc: "The product x * y.",
		Names: "T.mul np.multiply", Takes: Anything, Laws: Commutative | Associative, Identity: new(1.0), Flops: 1, Sign: least, Example: "mul(2.0, 3.0) = 6.0",
		Grad: func(b *graph.Builder, g, y V, x []V) []V { return []V{Mul.do(b, g, x[1]), Mul.do(b, g, x[0])} }},
	TrueDiv: {Name: "true_div", Symbol: "/", Args: "x, y", Doc: "The quotient x / y as a float.",
		Names: "T.true_div T.true_divide np.divide np.true_divide", Takes: Doubles, Flops: 1, Domain: []Domain{{}, apart}, Sign: least,
		Example: "true_div(3.0, 2.0) = 1.5",
		Grad: func(b *graph.Builder, g, y V, x []V) []V {
			gx := TrueDiv.do(b, g, x[1])
			return []V{gx, Neg.do(b, Mul.do(b, gx, y))}
		}},
	IntDiv: {Name: "int_div", Symbol: "//", Args: "x, y", Doc: "The quotient x / y rounded down. An integer divided by 0 gives 0.",
		Names: "T.int_div T.floor_div T.floor_divide np.floor_divide", Takes: Numbers, Flops: 2, Smoothness: Discontinuous, Domain: []Domain{{}, apart},
		Example: "int_div(-7, 2) = -4", Grad: zero},
	Mod: {Name: "mod", Symbol: "%", Args: "x, y", Doc: "The remainder x - y * (x // y); it has the sign of y.",
		Names: "T.mod T.remainder np.mod np.remainder", Takes: Numbers, Flops: 3, Smoothness: Discontinuous, Domain: []Domain{{}, apart},
		Example: "mod(-7, 3) = 2",
		Grad: func(b *graph.Builder, g, y V, x []V) []V {
			return []V{g, Neg.do(b, Mul.do(b, g, IntDiv.do(b, x[0], x[1])))}
		}},
	Pow: {Name: "pow", Symbol: "**", Args: "x, y", Doc: "x to the power of y.",
		Names: "T.pow T.power np.power", Takes: Numbers, Flops: 40, Domain: []Domain{above(0.05)}, Sign: signOf(0),
		Also: []Variant{{Names: "np.float_power", Typing: Float64s, Doc: "x to the power y, as float64.",
			Example: "np.float_power(2, -1) # 0.5"}},
		Example: "pow(2.0, 10.0) = 1024.0",
		Grad: func(b *graph.Builder, g, y V, x []V) []V {
			e := castTo(b, x[1], y.Type.DType) // a small integer might wrap
			byX := Mul.do(b, g, Mul.do(b, e, Pow.do(b, x[0], Sub.do(b, e, b.Like(e, 1)))))
			if !every(e, func(v float64) bool { return v != 0 }) { // x**0 is 1 at 0 too, where 0 * 0**-1 would give nan
				byX = Switch.do(b, Eq.do(b, e, b.Like(e, 0)), b.Like(y, 0), byX)
			}
			// 0**y has derivative 0 with respect to y, where log(0) would give nan.
			byY := Switch.do(b, Eq.do(b, x[0], b.Like(x[0], 0)), b.Like(y, 0), Mul.do(b, g, Mul.do(b, y, Log.do(b, x[0]))))
			return []V{byX, byY}
		}},
	Fmod: {Name: "fmod", Args: "x, y", Doc: "The remainder of x / y with the sign of x, as in C.",
		Names: "T.fmod np.fmod", Takes: Numbers, Flops: 3, Smoothness: Discontinuous, Domain: []Domain{{}, apart}, Example: "fmod(-3, 2) = -1",
		Grad: func(b *graph.Builder, g, y V, x []V) []V {
			return []V{g, Neg.do(b, Mul.do(b, g, Trunc.do(b, TrueDiv.do(b, x[0], x[1]))))}
		}},
	Gcd: {Name: "gcd", Args: "x, y", Doc: "The greatest common divisor of |x| and |y|.",
		Names: "T.gcd np.gcd", Takes: Integers, Identity: new(0.0), Flops: 20, Smoothness: Discontinuous, Example: "gcd(12, 20) = 4",
		Grad: zero},
	Lcm: {Name: "lcm", Args: "x, y", Doc: "The least common multiple of |x| and |y|.",
		Names: "T.lcm np.lcm", Takes: Integers, Flops: 25, Smoothness: Discontinuous, Example: "lcm(12, 20) = 60",
		Grad: zero},
	Neg: {Name: "neg", Symbol: "-", Args: "x", Doc: "The negative -x.",
		Names: "T.neg np.negative", Takes: Numbers, NumPy: NoBool, Laws: Unrounded, Flops: 1, Example: "neg(2.0) = -2.0",
		Grad: func(b *graph.Builder, g, y V, x []V) []V { return []V{Neg.do(b, g)} }},
	Abs: {Name: "abs", Args: "x", Doc: "The absolute value |x|.",
		Names: "T.abs T.abs_ np.absolute np.abs", Takes: Anything, Laws: Unrounded, Flops: 1, Smoothness: Kinked, Sign: atLeast(Nonnegative),
		Also:    []Variant{{Names: "np.fabs", Typing: Floats, Doc: "The absolute value as a float.", Example: "np.fabs(-2) # 2.0"}},
		Example: "abs(-2.0) = 2.0",
		Grad:    func(b *graph.Builder, g, y V, x []V) []V { return []V{Mul.do(b, g, Sgn.do(b, x[0]))} }},
	Sgn: {Name: "sgn", Args: "x", Doc: "The sign of x: -1, 0 or 1.",
		Names: "T.sgn T.sign np.sign", Takes: Numbers, NumPy: NoBool, Laws: Unrounded, Flops: 1, Smoothness: Discontinuous,
		Example: "sgn(-2.0) = -1.0", Grad: zero},
	Sqr: {Name: "sqr", Args: "x", Doc: "The square x * x.",
		Names: "T.sqr T.square np.square", Takes: Numbers, Flops: 1, Sign: atLeast(Nonnegative), Example: "sqr(3.0) = 9.0",
		Grad: func(b *graph.Builder, g, y V, x []V) []V { return []V{Mul.do(b, g, times(b, 2, x[0]))} }},
	Sqrt: {Name: "sqrt", Args: "x", Doc: "The square root of x.",
		Names: "T.sqrt np.sqrt", Takes: Floats, Flops: 4, Domain: []Domain{above(0.05)}, Sign: signOf(0),
		Example: "sqrt(9.0) = 3.0",
		Grad:    func(b *graph.Builder, g, y V, x []V) []V { return []V{TrueDiv.do(b, times(b, 0.5, g), y)} }},
	Cbrt: {Name: "cbrt", Args: "x", Doc: "The cube root of x.",
		Names: "T.cbrt np.cbrt", Takes: Floats, Flops: 20, Domain: []Domain{apart}, Sign: signOf(0), Example: "cbrt(8.0) = 2.0",
		Grad: func(b *graph.Builder, g, y V, x []V) []V { return []V{TrueDiv.do(b, g, times(b, 3, Sqr.do(b, y)))} }},
	Hypot: {Name: "hypot", Args: "x, y", Doc: "The length sqrt(x*x + y*y) of a hypotenuse, without overflow.",
		Names: "T.hypot np.hypot", Takes: Floats, Identity: new(0.0), Flops: 20, Domain: []Domain{apart}, Sign: always(Nonnegative),
		Example: "hypot(3.0, 4.0) = 5.0",
		Grad: func(b *graph.Builder, g, y V, x []V) []V {

			h := TrueDiv.do(b, g, y)
			return []V{Mul.do(b, h, x[0]), Mul.do(b, h, x[1])}
		}},
	Reciprocal: {Name: "reciprocal", Args: "x", Doc: "The reciprocal 1 / x.",
		Names: "T.reciprocal T.inv np.reciprocal", Takes: Floats, NumPy: FloatsBack, Flops: 1, Domain: []Domain{apart}, Sign: least,
		Example: "reciprocal(4.0) = 0.25",
		Grad:    func(b *graph.Builder, g, y V, x []V) []V { return []V{Neg.do(b, Mul.do(b, g, Sqr.do(b, y)))} }},
	Exp: {Name: "exp", Args: "x", Doc: "e to the power of x.",
		Names: "T.exp np.exp", Takes: Floats, Number: libm.Exp, Flops: 20, Sign: always(Positive), Example: "exp(0.0) = 1.0",
		Grad: func(b *graph.Builder, g, y V, x []V) []V { return []V{Mul.do(b, g, y)} }},
	Exp2: {Name: "exp2", Args: "x", Doc: "2 to the power of x.",
		Names: "T.exp2 np.exp2", Takes: Floats, Flops: 20, Sign: always(Positive), Example: "exp2(3.0) = 8.0",
		Grad: func(b *graph.Builder, g, y V, x []V) []V { return []V{Mul.do(b, g, times(b, math.Ln2, y))} }},
	Expm1: {Name: "expm1", Args: "x", Doc: "exp(x) - 1, accurate for small x.",
		Names: "T.expm1 np.expm1", Takes: Floats, Flops: 25, Example: "expm1(0.0) = 0.0",
		Grad: func(b *graph.Builder, g, y V, x []V) []V { return []V{Mul.do(b, g, onePlus(b, y))} }},
	Log: {Name: "log", Args: "x", Doc: "The natural logarithm of x.",
		Names: "T.log np.log", Takes: Floats, Number: libm.Log, Flops: 20, Domain: []Domain{above(0.05)}, Example: "log(1.0) = 0.0",
		Grad: func(b *graph.Builder, g, y V, x []V) []V { return []V{TrueDiv.do(b, g, x[0])} }},
	Log2: {Name: "log2", Args: "x", Doc: "The logarithm of x to the base 2.",
		Names: "T.log2 np.log2", Takes: Floats, Flops: 20, Domain: []Domain{above(0.05)}, Example: "log2(8.0) = 3.0",
		Grad: func(b *graph.Builder, g, y V, x []V) []V { return []V{TrueDiv.do(b, times(b, 1/math.Ln2, g), x[0])} }},
	Log10: {Name: "log10", Args: "x", Doc: "The logarithm of x to the base 10.",
		Names: "T.log10 np.log10", Takes: Floats, Flops: 20, Domain: []Domain{above(0.05)}, Example: "log10(1000.0) = 3.0",
		Grad: func(b *graph.Builder, g, y V, x []V) []V { return []V{TrueDiv.do(b, times(b, 1/math.Ln10, g), x[0])} }},
	Log1p: {Name: "log1p", Args: "x", Doc: "log(1 + x), accurate for small x.",
		Names: "T.log1p np.log1p", Takes: Floats, Flops: 25, Domain: []Domain{above(-0.9)}, Sign: least, Example: "log1p(0.0) = 0.0",
		Grad: func(b *graph.Builder, g, y V, x []V) []V { return []V{TrueDiv.do(b, g, onePlus(b, x[0]))} }},
	Log1mexp: {Name: "log1mexp", Args: "x", Doc: "log(1 - exp(x)) of a negative x, without cancellation.",
		Names: "T.log1mexp", Takes: Floats, Flops: 60, Domain: []Domain{{Lo: math.Inf(-1), Hi: -0.05}},
		Example: "log1mexp(-1.0) = -0.45867514538708193",
		Grad: func(b *graph.Builder, g, y V, x []V) []V {
			return []V{Mul.do(b, g, TrueDiv.do(b, Exp.do(b, x[0]), Expm1.do(b, x[0])))}
		}},
	Logaddexp: {Name: "logaddexp", Args: "x, y", Doc: "The logarithm of exp(x) + exp(y), without overflow.",
		Names: "T.logaddexp T.special.logaddexp np.logaddexp", Takes: Floats, Identity: new(math.Inf(-1)), Flops: 50, Example: "logaddexp(1000.0, -1000.0) = 1000.0",
		Grad: func(b *graph.Builder, g, y V, x []V) []V {

			d := Sub.do(b, x[0], x[1])
			return []V{Mul.do(b, g, Sigmoid.do(b, d)), Mul.do(b, g, Sigmoid.do(b, Neg.do(b, d)))}
		}},
	Logaddexp2: {Name: "logaddexp2", Args: "x, y", Doc: "The logarithm to base 2 of 2**x + 2**y, without overflow.",
		Names: "T.logaddexp2 np.logaddexp2", Takes: Floats, Identity: new(math.Inf(-1)), Flops: 50, Example: "logaddexp2(3.0, 3.0) = 4.0",
		Grad: func(b *graph.Builder, g, y V, x []V) []V {

			d := times(b, math.Ln2, Sub.do(b, x[0], x[1]))
			return []V{Mul.do(b, g, Sigmoid.do(b, d)), Mul.do(b, g, Sigmoid.do(b, Neg.do(b, d)))}
		}},
	Sin: {Name: "sin", Args: "x", Doc: "The sine of x radians.",
		Names: "T.sin np.sin", Takes: Floats, Flops: 25, Example: "sin(0.0) = 0.0",
		Grad: func(b *graph.Builder, g, y V, x []V) []V { return []V{Mul.do(b, g, Cos.do(b, x[0]))} }},
	Cos: {Name: "cos", Args: "x", Doc: "The cosine of x radians.",
		Names: "T.cos np.cos", Takes: Floats, Flops: 25, Example: "cos(0.0) = 1.0",
		Grad: func(b *graph.Builder, g, y V, x []V) []V { return []V{Neg.do(b, Mul.do(b, g, Sin.do(b, x[0])))} }},
	Tan: {Name: "tan", Args: "x", Doc: "The tangent of x radians.",
		Names: "T.tan np.tan", Takes: Floats, Flops: 30, Domain: []Domain{within(1.3)}, Example: "tan(0.0) = 0.0",
		Grad: func(b *graph.Builder, g, y V, x []V) []V { return []V{Mul.do(b, g, onePlus(b, Sqr.do(b, y)))} }},
	Arcsin: {Name: "arcsin", Args: "x", Doc: "The angle in [-pi/2, pi/2] whose sine is x.",
		Names: "T.arcsin np.arcsin", Takes: Floats, Flops: 30, Domain: []Domain{within(0.9)}, Example: "arcsin(0.0) = 0.0",
		Grad: func(b *graph.Builder, g, y V, x []V) []V {
			return []V{TrueDiv.do(b, g, Sqrt.do(b, oneMinus(b, Sqr.do(b, x[0]))))}
		}},
	Arccos: {Name: "arccos", Args: "x", Doc: "The angle in [0, pi] whose cosine is x.",
		Names: "T.arccos np.arccos", Takes: Floats, Flops: 30, Domain: []Domain{within(0.9)}, Example: "arccos(1.0) = 0.0",
		Grad: func(b *graph.Builder, g, y V, x []V) []V {
			return []V{Neg.do(b, TrueDiv.do(b, g, Sqrt.do(b, oneMinus(b, Sqr.do(b, x[0])))))}
		}},
	Arctan: {Name: "arctan", Args: "x", Doc: "The angle in [-pi/2, pi/2] whose tangent is x.",
		Names: "T.arctan np.arctan", Takes: Floats, Flops: 30, Example: "arctan(0.0) = 0.0",
		Grad: func(b *graph.Builder, g, y V, x []V) []V { return []V{TrueDiv.do(b, g, onePlus(b, Sqr.do(b, x[0])))} }},
	Arctan2: {Name: "arctan2", Args: "y, x", Doc: "The angle of the point (x, y), in [-pi, pi].",
		Names: "T.arctan2 np.arctan2", Takes: Floats, Flops: 40, Domain: []Domain{above(0.05), above(0.05)},
		Example: "arctan2(0.0, 1.0) = 0.0",
		Grad: func(b *graph.Builder, g, y V, x []V) []V {
			h := TrueDiv.do(b, g, Add.do(b, Sqr.do(b, x[0]), Sqr.do(b, x[1])))
			return []V{Mul.do(b, h, x[1]), Neg.do(b, Mul.do(b, h, x[0]))}
		}},
	Deg2rad: {Name: "deg2rad", Args: "x", Doc: "Degrees as radians.",
		Names: "T.deg2rad T.radians np.deg2rad np.radians", Takes: Floats, Flops: 1, Sign: signOf(0), Example: "deg2rad(180.0) = 3.141592653589793",
		Grad: func(b *graph.Builder, g, y V, x []V) []V { return []V{times(b, math.Pi/180, g)} }},
	Rad2deg: {Name: "rad2deg", Args: "x", Doc: "Radians as degrees.",
		Names: "T.rad2deg T.degrees np.rad2deg np.degrees", Takes: Floats, Flops: 1, Sign: signOf(0), Example: "rad2deg(0.5) = 28.64788975654116",
		Grad: func(b *graph.Builder, g, y V, x []V) []V { return []V{times(b, 180/math.Pi, g)} }},
	Sinh: {Name: "sinh", Args: "x", Doc: "The hyperbolic sine of x.",
		Names: "T.sinh np.sinh", Takes: Floats, Flops: 30, Example: "sinh(0.0) = 0.0",
		Grad: func(b *graph.Builder, g, y V, x []V) []V { return []V{Mul.do(b, g, Cosh.do(b, x[0]))} }},
	Cosh: {Name: "cosh", Args: "x", Doc: "The hyperbolic cosine of x.",
		Names: "T.cosh np.cosh", Takes: Floats, Flops: 30, Sign: always(Positive), Example: "cosh(0.0) = 1.0",
		Grad: func(b *graph.Builder, g, y V, x []V) []V { return []V{Mul.do(b, g, Sinh.do(b, x[0]))} }},
	Tanh: {Name: "tanh", Args: "x", Doc: "The hyperbolic tangent of x.",
		Names: "T.tanh np.tanh", Takes: Floats, Flops: 30, Example: "tanh(0.0) = 0.0",
		Grad: func(b *graph.Builder, g, y V, x []V) []V { return []V{Mul.do(b, g, oneMinus(b, Sqr.do(b, y)))} }},
	Arcsinh: {Name: "arcsinh", Args: "x", Doc: "The inverse hyperbolic sine of x.",
		Names: "T.arcsinh np.arcsinh", Takes: Floats, Flops: 40, Sign: signOf(0), Example: "arcsinh(0.0) = 0.0",
		Grad: func(b *graph.Builder, g, y V, x []V) []V {
			return []V{TrueDiv.do(b, g, Sqrt.do(b, onePlus(b, Sqr.do(b, x[0]))))}
		}},
	Arccosh: {Name: "arccosh", Args: "x", Doc: "The inverse hyperbolic cosine of x, which is at least 1.",
		Names: "T.arccosh np.arccosh", Takes: Floats, Flops: 40, Domain: []Domain{above(1.05)}, Sign: always(Nonnegative),
		Example: "arccosh(1.0) = 0.0",
		Grad: func(b *graph.Builder, g, y V, x []V) []V {
			return []V{TrueDiv.do(b, g, Sqrt.do(b, Sub.do(b, Sqr.do(b, x[0]), b.Like(x[0], 1))))}
		}},
	Arctanh: {Name: "arctanh", Args: "x", Doc: "The inverse hyperbolic tangent of x, which lies between -1 and 1.",
		Names: "T.arctanh np.arctanh", Takes: Floats, Flops: 40, Domain: []Domain{within(0.9)}, Sign: signOf(0),
		Example: "arctanh(0.0) = 0.0",
		Grad:    func(b *graph.Builder, g, y V, x []V) []V { return []V{TrueDiv.do(b, g, oneMinus(b, Sqr.do(b, x[0])))} }},
	Sigmoid: {Name: "sigmoid", Args: "x", Doc: "The logistic function 1 / (1 + exp(-x)).",
		Names: "T.sigmoid T.expit T.nnet.sigmoid", Takes: Floats, Flops: 25, Sign: always(Positive), Example: "sigmoid(0.0) = 0.5",
		Grad: func(b *graph.Builder, g, y V, x []V) []V { return []V{Mul.do(b, g, Mul.do(b, y, oneMinus(b, y)))} }},
	Softplus: {Name: "softplus", Args: "x", Doc: "log(1 + exp(x)) without overflow.",
		Names: "T.softplus T.log1pexp T.nnet.softplus", Takes: Floats, Flops: 45, Sign: always(Positive),
		Example: "softplus(0.0) = 0.6931471805599453",
		Grad:    func(b *graph.Builder, g, y V, x []V) []V { return []V{Mul.do(b, g, Sigmoid.do(b, x[0]))} }},
	Softsign: {Name: "softsign", Args: "x", Doc: "x / (1 + |x|), which lies between -1 and 1.",
		Names: "T.softsign T.nnet.softsign", Takes: Floats, Flops: 3, Sign: signOf(0), Example: "softsign(1.0) = 0.5",
		Grad: func(b *graph.Builder, g, y V, x []V) []V {
			return []V{TrueDiv.do(b, g, Sqr.do(b, onePlus(b, Abs.do(b, x[0]))))}
		}},
	Erf: {Name: "erf", Args: "x", Doc: "The error function 2/sqrt(pi) times the integral of exp(-t*t) from 0 to x.",
		Names: "T.erf", Takes: Floats, Flops: 40, Example: "erf(0.0) = 0.0",
		Grad: func(b *graph.Builder, g, y V, x []V) []V {
			return []V{Mul.do(b, g, times(b, 2/math.Sqrt(math.Pi), Exp.do(b, Neg.do(b, Sqr.do(b, x[0])))))}
		}},
	Erfc: {Name: "erfc", Args: "x", Doc: "1 - erf(x), accurate where erf(x) is near 1.",
		Names: "T.erfc", Takes: Floats, Flops: 50, Sign: always(Nonnegative), Example: "erfc(0.0) = 1.0",
		Grad: func(b *graph.Builder, g, y V, x []V) []V {

			return []V{Mul.do(b, g, times(b, -2/math.Sqrt(math.Pi), Exp.do(b, Neg.do(b, Sqr.do(b, x[0])))))}
		}},
	Gamma: {Name: "gamma", Args: "x", Doc: "The gamma function: (x - 1)! of whole numbers; nan at the poles below 0.",
		Names: "T.gamma", Takes: Floats, Flops: 40, Domain: []Domain{above(0.3)}, Example: "gamma(5.0) = 24.0",
		Grad: func(b *graph.Builder, g, y V, x []V) []V { return []V{Mul.do(b, g, Mul.do(b, y, Digamma.do(b, x[0])))} }},
	Gammaln: {Name: "gammaln", Args: "x", Doc: "The logarithm of |gamma(x)|.",
		Names: "T.gammaln T.special.gammaln", Takes: Floats, Flops: 40, Domain: []Domain{above(0.3)}, Example: "gammaln(2.0) = 0.0",
		Grad: func(b *graph.Builder, g, y V, x []V) []V { return []V{Mul.do(b, g, Digamma.do(b, x[0]))} }},
	Digamma: {Name: "digamma", Args: "x", Doc: "The derivative of gammaln, also called psi.",
		Names: "T.digamma T.psi", Takes: Floats, Flops: 40, Domain: []Domain{above(0.3)}, Example: "digamma(1.0) = -0.5772156649015329",
		Grad: func(b *graph.Builder, g, y V, x []V) []V { return []V{Mul.do(b, g, TriGamma.do(b, x[0]))} }},
	TriGamma: {Name: "tri_gamma", Args: "x", Doc: "The derivative of digamma.",
		Names: "T.tri_gamma", Takes: Floats, Flops: 60, Domain: []Domain{above(0.3)}, Sign: always(Positive), Example: "tri_gamma(1.0) = 1.6449340668482264",
		Grad: func(b *graph.Builder, g, y V, x []V) []V {
			return []V{Mul.do(b, g, Polygamma.do(b, b.Like(x[0], 2), x[0]))}
		}},
	Polygamma: {Name: "polygamma", Args: "n, x", Doc: "The derivative of order n of digamma; nan where n is no whole number from 0 on.",
		Names: "T.polygamma", Takes: Floats, Flops: 300, Orders: 1, Domain: []Domain{{}, above(0.3)}, Smoothness: Discontinuous,
		Example: "polygamma(1.0, 0.0) = inf",
		Grad: func(b *graph.Builder, g, y V, x []V) []V {
			return []V{nil, Mul.do(b, g, Polygamma.do(b, onePlus(b, orderOf(b, x, y)), x[1]))}
		}},
	Gammainc: {Name: "gammainc", Args: "k, x", Doc: "The lower incomplete gamma function: the integral of t**(k-1) * exp(-t) from 0 to x over gamma(k).",
		Names: "T.gammainc", Takes: Floats, Flops: 300, Orders: 1, Domain: []Domain{above(0.3), above(0.1)}, Sign: always(Nonnegative),
		Example: "gammainc(1.0, 0.0) = 0.0",
		Grad:    func(b *graph.Builder, g, y V, x []V) []V { return []V{nil, Mul.do(b, g, gammaDensity(b, x, y))} }},
	Gammaincc: {Name: "gammaincc", Args: "k, x", Doc: "The regularized upper incomplete gamma function: 1 - gammainc(k, x), accurate where that is small.",
		Names: "T.gammaincc", Takes: Floats, Flops: 300, Orders: 1, Domain: []Domain{above(0.3), above(0.1)}, Sign: always(Nonnegative),
		Example: "gammaincc(1.0, 0.0) = 1.0",
		Grad: func(b *graph.Builder, g, y V, x []V) []V {
			return []V{nil, Neg.do(b, Mul.do(b, g, gammaDensity(b, x, y)))}
		}},
	Betainc: {Name: "betainc", Args: "a, b, x", Doc: "The incomplete beta function: the integral of t**(a-1) * (1-t)**(b-1) from 0 to x over beta(a, b).",
		Names: "T.betainc", Takes: Floats, Flops: 300, Orders: 2, Domain: []Domain{above(0.3), above(0.3), {Lo: 0.1, Hi: 0.9}}, Sign: always(Nonnegative),
		Example: "betainc(2.0, 2.0, 1.0) = 1.0",
		Grad:    func(b *graph.Builder, g, y V, x []V) []V { return []V{nil, nil, Mul.do(b, g, betaDensity(b, x, y))} }},
	Gammaincinv: {Name: "gammaincinv", Args: "k, p", Doc: "The inverse of gammainc: x where gammainc(k, x) = p.",
		Names: "T.gammaincinv", Takes: Floats, Flops: 3000, Orders: 1, Domain: []Domain{above(0.3), {Lo: 0.1, Hi: 0.9}}, Sign: always(Nonnegative),
		Example: "gammaincinv(1.0, 0.0) = 0.0",
		Grad:    func(b *graph.Builder, g, y V, x []V) []V { return []V{nil, Mul.do(b, g, gammaSpread(b, x, y))} }},
	Gammainccinv: {Name: "gammainccinv", Args: "k, q", Doc: "The inverse of gammaincc: x where gammaincc(k, x) = q.",
		Names: "T.gammainccinv", Takes: Floats, Flops: 3000, Orders: 1, Domain: []Domain{above(0.3), {Lo: 0.1, Hi: 0.9}}, Sign: always(Nonnegative),
		Example: "gammainccinv(1.0, 1.0) = 0.0",
		Grad: func(b *graph.Builder, g, y V, x []V) []V {
			return []V{nil, Neg.do(b, Mul.do(b, g, gammaSpread(b, x, y)))}
		}},
	Betaincinv: {Name: "betaincinv", Args: "a, b, p", Doc: "The inverse of betainc: x where betainc(a, b, x) = p.",
		Names: "T.betaincinv", Takes: Floats, Flops: 3000, Orders: 2, Domain: []Domain{above(0.3), above(0.3), {Lo: 0.1, Hi: 0.9}}, Sign: always(Nonnegative),
		Example: "betaincinv(2.0, 2.0, 1.0) = 1.0",
		Grad:    func(b *graph.Builder, g, y V, x []V) []V { return []V{nil, nil, Mul.do(b, g, betaSpread(b, x, y))} }},
	NdtriExp: {Name: "ndtri_exp", Args: "x", Doc: "Where the normal distribution function is exp(x), also where exp(x) underflows.",
		Names: "T.ndtri_exp", Takes: Floats, Flops: 50, Domain: []Domain{{Lo: -20, Hi: -0.1}}, Example: "ndtri_exp(0.0) = inf",
		Grad: func(b *graph.Builder, g, y V, x []V) []V {
			return []V{times(b, math.Sqrt(2*math.Pi), Mul.do(b, g, Exp.do(b, Add.do(b, x[0], times(b, 0.5, Sqr.do(b, y))))))}
		}},
	OwensT: {Name: "owens_t", Args: "h, a", Doc: "Owen's T function: the integral of exp(-h*h*(1 + t*t)/2) / (1 + t*t) from 0 to a, over 2 pi.",
		Names: "T.owens_t", Takes: Floats, Flops: 600, Sign: signOf(1), Example: "owens_t(0.0, 1.0) = 0.125",
		Grad: func(b *graph.Builder, g, y V, x []V) []V {
			half := times(b, -0.5, Sqr.do(b, x[0]))
			height := Mul.do(b, Exp.do(b, half), Erf.do(b, times(b, 1/math.Sqrt2, Mul.do(b, x[0], x[1]))))
			width := onePlus(b, Sqr.do(b, x[1]))
			return []V{Mul.do(b, g, times(b, -1/math.Sqrt(8*math.Pi), height)),
				times(b, 1/(2*math.Pi), Mul.do(b, g, TrueDiv.do(b, Exp.do(b, Mul.do(b, half, width)), width)))}
		}},
	Hyp2f1: {Name: "hyp2f1", Args: "a, b, c, z", Doc: "Gauss's hypergeometric function, for z up to 1: the sum of (a)_k * (b)_k * z**k / ((c)_k * k!), where (a)_k is a * (a+1) * ... * (a+k-1). It is inf above 1, " +
		"unless the sum ends, and where c is a whole number up to 0; and nan where it would have no digits.",
		Names: "T.hyp2f1", Takes: Floats, Flops: 600, Domain: []Domain{above(0.3), above(0.3), above(0.3), {Lo: -0.9, Hi: 0.7}}, Example: "hyp2f1(1.0, 2.0, 4.0, 1.0) = 3.0",
		Grad: func(b *graph.Builder, g, y V, x []V) []V {
			c := castTo(b, x[2], y.Type.DType)
			return []V{Mul.do(b, g, Hyp2f1A.do(b, x...)), Mul.do(b, g, Hyp2f1A.do(b, x[1], x[0], x[2], x[3])), Mul.do(b, g, Hyp2f1C.do(b, x...)),
				Mul.do(b, g, Mul.do(b, overThird(b, c, x[0], x[1], y), nextHyper(b, Hyp2f1, x, y)))}
		}},
	Hyp2f1A: {Name: "hyp2f1_a", Args: "a, b, c, z", Doc: "The derivative of hyp2f1 with respect to a. That with respect to b is hyp2f1_a(b, a, c, z).",
		Names: "T.hyp2f1_a", Takes: Floats, Flops: 1200, Orders: 3, Domain: []Domain{above(0.3), above(0.3), above(0.3), {Lo: -0.9, Hi: 0.7}}, Example: "hyp2f1_a(1.0, 0.0, 2.0, 0.5) = 0.0",
		Grad: func(b *graph.Builder, g, y V, x []V) []V {
			c := castTo(b, x[2], y.Type.DType)
			moved := Mul.do(b, overThird(b, c, x[0], x[1], y), nextHyper(b, Hyp2f1A, x, y))
			factor := TrueDiv.do(b, castTo(b, x[1], y.Type.DType), c)
			return []V{nil, nil, nil, Mul.do(b, g, Add.do(b, moved, Mul.do(b, factor, nextHyper(b, Hyp2f1, x, y))))}
		}},
	Hyp2f1C: {Name: "hyp2f1_c", Args: "a, b, c, z", Doc: "The derivative of hyp2f1 with respect to c.",
		Names: "T.hyp2f1_c", Takes: Floats, Flops: 1200, Orders: 3, Domain: []Domain{above(0.3), above(0.3), above(0.3), {Lo: -0.9, Hi: 0.7}}, Example: "hyp2f1_c(1.0, 0.0, 2.0, 0.5) = 0.0",
		Grad: func(b *graph.Builder, g, y V, x []V) []V {
			c := castTo(b, x[2], y.Type.DType)
			less := Sub.do(b, nextHyper(b, Hyp2f1C, x, y), TrueDiv.do(b, nextHyper(b, Hyp2f1, x, y), c))
			return []V{nil, nil, nil, Mul.do(b, g, Mul.do(b, overThird(b, c, x[0], x[1], y), less))}
		}},
	Erfinv: {Name: "erfinv", Args: "x", Doc: "The inverse of erf, for x from -1 to 1.",
		Names: "T.erfinv", Takes: Floats, Flops: 50, Domain: []Domain{within(0.9)}, Sign: signOf(0), Example: "erfinv(0.5) = 0.4769362762044699",
		Grad: func(b *graph.Builder, g, y V, x []V) []V {
			return []V{Mul.do(b, g, times(b, math.Sqrt(math.Pi)/2, Exp.do(b, Sqr.do(b, y))))}
		}},
	Erfcinv: {Name: "erfcinv", Args: "x", Doc: "The inverse of erfc, for x from 0 to 2.",
		Names: "T.erfcinv", Takes: Floats, Flops: 50, Domain: []Domain{{Lo: 0.1, Hi: 1.9}}, Example: "erfcinv(0.5) = 0.4769362762044699",
		Grad: func(b *graph.Builder, g, y V, x []V) []V {
			return []V{Mul.do(b, g, times(b, -math.Sqrt(math.Pi)/2, Exp.do(b, Sqr.do(b, y))))}
		}},
	Erfcx: {Name: "erfcx", Args: "x", Doc: "exp(x * x) * erfc(x), which does not underflow.",
		Names: "T.erfcx", Takes: Floats, Flops: 40, Sign: always(Positive), Example: "erfcx(0.0) = 1.0",
		Grad: func(b *graph.Builder, g, y V, x []V) []V {
			return []V{Mul.do(b, g, Sub.do(b, times(b, 2, Mul.do(b, x[0], y)), b.Like(y, 2/math.Sqrt(math.Pi))))}
		}},
	I0: {Name: "i0", Args: "x", Doc: "The modified Bessel function of the first kind of order 0.",
		Names: "T.i0 np.i0", Takes: Floats, NumPy: Doubles, Flops: 50, Sign: always(Positive), Example: "i0(0.0) = 1.0",
		Grad: func(b *graph.Builder, g, y V, x []V) []V { return []V{Mul.do(b, g, I1.do(b, x[0]))} }},
	I1: {Name: "i1", Args: "x", Doc: "The modified Bessel function of the first kind of order 1.",
		Names: "T.i1", Takes: Floats, Flops: 50, Sign: signOf(0), Example: "i1(0.0) = 0.0",
		Grad: func(b *graph.Builder, g, y V, x []V) []V {
			return []V{Mul.do(b, g, times(b, 0.5, Add.do(b, I0.do(b, x[0]), Iv.do(b, b.Like(y, 2), x[0]))))}
		}},
	Iv: {Name: "iv", Args: "v, x", Doc: "The modified Bessel function of the first kind of order v; of x < 0 only for whole v.",
		Names: "T.iv", Takes: Floats, Flops: 300, Orders: 1, Domain: []Domain{above(0.05), above(0.3)}, Example: "iv(0.0, 0.0) = 1.0",
		Grad: func(b *graph.Builder, g, y V, x []V) []V {
			below, above := neighbours(b, Iv, x, y)
			return []V{nil, Mul.do(b, g, times(b, 0.5, Add.do(b, below, above)))}
		}},
	Ive: {Name: "ive", Args: "v, x", Doc: "exp(-|x|) * iv(v, x), which does not overflow.",
		Names: "T.ive", Takes: Floats, Flops: 300, Orders: 1, Domain: []Domain{above(0.05), above(0.3)}, Example: "ive(0.0, 0.0) = 1.0",
		Grad: func(b *graph.Builder, g, y V, x []V) []V {
			below, above := neighbours(b, Ive, x, y)
			return []V{nil, Mul.do(b, g, Sub.do(b, times(b, 0.5, Add.do(b, below, above)), Mul.do(b, y, Sgn.do(b, x[1]))))}
		}},
	Kv: {Name: "kv", Args: "v, x", Doc: "The modified Bessel function of the second kind of order v, for x >= 0.",
		Names: "T.kv T.kn", Takes: Floats, Flops: 300, Orders: 1, Domain: []Domain{above(0.05), above(0.3)}, Sign: always(Positive),
		Example: "kv(0.5, 0.0) = inf",
		Grad: func(b *graph.Builder, g, y V, x []V) []V {
			below, above := neighbours(b, Kv, x, y)
			return []V{nil, Mul.do(b, g, times(b, -0.5, Add.do(b, below, above)))}
		}},
	Kve: {Name: "kve", Args: "v, x", Doc: "exp(x) * kv(v, x), which does not underflow.",
		Names: "T.kve", Takes: Floats, Flops: 300, Orders: 1, Domain: []Domain{above(0.05), above(0.3)}, Sign: always(Positive),
		Example: "kve(0.5, 0.0) = inf",
		Grad: func(b *graph.Builder, g, y V, x []V) []V {
			below, above := neighbours(b, Kve, x, y)
			return []V{nil, Mul.do(b, g, Sub.do(b, y, times(b, 0.5, Add.do(b, below, above))))}
		}},
	J0: {Name: "j0", Args: "x", Doc: "The Bessel function of the first kind of order 0.",
		Names: "T.j0", Takes: Floats, Flops: 50, Example: "j0(0.0) = 1.0",
		Grad: func(b *graph.Builder, g, y V, x []V) []V { return []V{Neg.do(b, Mul.do(b, g, J1.do(b, x[0])))} }},
	J1: {Name: "j1", Args: "x", Doc: "The Bessel function of the first kind of order 1.",
		Names: "T.j1", Takes: Floats, Flops: 50, Example: "j1(0.0) = 0.0",
		Grad: func(b *graph.Builder, g, y V, x []V) []V {
			return []V{Mul.do(b, g, times(b, 0.5, Sub.do(b, J0.do(b, x[0]), Jv.do(b, b.Like(y, 2), x[0]))))}
		}},
	Jv: {Name: "jv", Args: "v, x", Doc: "The Bessel function of the first kind of order v; of x < 0 only for whole v.",
		Names: "T.jv", Takes: Floats, Flops: 300, Orders: 1, Domain: []Domain{above(0.05), above(0.3)}, Example: "jv(0.0, 0.0) = 1.0",
		Grad: func(b *graph.Builder, g, y V, x []V) []V {
			below, above := neighbours(b, Jv, x, y)
			return []V{nil, Mul.do(b, g, times(b, 0.5, Sub.do(b, below, above)))}
		}},
	Xlogy: {Name: "xlogy", Args: "x, y", Doc: "x * log(y), and 0 where x is 0, whatever y is but nan.",
		Names: "T.special.xlogy T.xlogx.xlogy0", Takes: Floats, Flops: 22, Domain: []Domain{{}, above(0.05)}, Example: "xlogy(0.0, 0.0) = 0.0",
		Grad: func(b *graph.Builder, g, y V, x []V) []V {
			return []V{Mul.do(b, g, Log.do(b, x[1])), Mul.do(b, g, over(b, x[0], x[1]))}
		}},
	Xlog1py: {Name: "xlog1py", Args: "x, y", Doc: "x * log(1 + y), and 0 where x is 0, whatever y is but nan.",
		Names: "T.special.xlog1py", Takes: Floats, Flops: 22, Domain: []Domain{{}, above(-0.9)}, Example: "xlog1py(0.0, -1.0) = 0.0",
		Grad: func(b *graph.Builder, g, y V, x []V) []V {
			return []V{Mul.do(b, g, Log1p.do(b, x[1])), Mul.do(b, g, over(b, x[0], onePlus(b, x[1])))}
		}},
	Maximum: {Name: "maximum", Args: "x, y",
		Doc:   "The larger of x and y; nan if either is. Where they are equal, as 0 and -0 are, it is y, and the gradient goes to x.",
		Names: "T.maximum np.maximum", Takes: Anything, Laws: Commutative | Associative | Idempotent | Unrounded, Flops: 1, Smoothness: Kinked, Sign: greatest,
		Example: "maximum(2.0, 3.0) = 3.0",
		Grad:    func(b *graph.Builder, g, y V, x []V) []V { return split(b, g, Ge.do(b, x[0], x[1])) }},
	Minimum: {Name: "minimum", Args: "x, y",
		Doc:   "The smaller of x and y; nan if either is. Where they are equal, as 0 and -0 are, it is y, and the gradient goes to x.",
		Names: "T.minimum np.minimum", Takes: Anything, Laws: Commutative | Associative | Idempotent | Unrounded, Flops: 1, Smoothness: Kinked, Sign: least,
		Example: "minimum(2.0, 3.0) = 2.0",
		Grad:    func(b *graph.Builder, g, y V, x []V) []V { return split(b, g, Le.do(b, x[0], x[1])) }},
	Fmax: {Name: "fmax", Args: "x, y", Doc: "The larger of x and y; where one is nan, the other. Where they are equal, the gradient goes to x.",
		Names: "T.fmax np.fmax", Takes: Anything, Flops: 1, Laws: Commutative | Associative | Idempotent | Unrounded, Smoothness: Kinked,
		Example: "fmax(2.0, 3.0) = 3.0",
		Grad: func(b *graph.Builder, g, y V, x []V) []V {
			return split(b, g, Or.do(b, Ge.do(b, x[0], x[1]), IsNaN.do(b, x[1])))
		}},
	Fmin: {Name: "fmin", Args: "x, y", Doc: "The smaller of x and y; where one is nan, the other. Where they are equal, the gradient goes to x.",
		Names: "T.fmin np.fmin", Takes: Anything, Flops: 1, Laws: Commutative | Associative | Idempotent | Unrounded, Smoothness: Kinked,
		Example: "fmin(2.0, 3.0) = 2.0",
		Grad: func(b *graph.Builder, g, y V, x []V) []V {
			return split(b, g, Or.do(b, Le.do(b, x[0], x[1]), IsNaN.do(b, x[1])))
		}},
	Switch: {Name: "switch", Args: "condition, x, y", Doc: "x where condition is true and y elsewhere; both are computed.",
		Names: "T.switch T.where np.where", Takes: Anything, From: 1, Laws: Unrounded, Flops: 1, Smoothness: Kinked,
		Sign: func(in []Sign) Sign { return min(in[1], in[2]) }, Example: "switch(True, 2.0, 3.0) = 2.0",
		Grad: func(b *graph.Builder, g, y V, x []V) []V { return append([]V{nil}, split(b, g, x[0])...) }},
	Eq: {Name: "eq", Symbol: "==", Args: "x, y", Doc: "Whether x equals y.",
		Names: "T.eq T.equal np.equal", Takes: Anything,
		Laws: Commutative, Flops: 1, Smoothness: Discontinuous, Example: "eq(2.0, 3.0) = False", Grad: zero},
	Neq: {Name: "neq", Symbol: "!=", Args: "x, y", Doc: "Whether x differs from y.",
		Names: "T.neq T.not_equal np.not_equal", Takes: Anything, Laws: Commutative, Flops: 1, Smoothness: Discontinuous,
		Example: "neq(2.0, 3.0) = True", Grad: zero},
	Lt: {Name: "lt", Symbol: "<", Args: "x, y", Doc: "Whether x is less than y.",
		Names: "T.lt T.less np.less", Takes: Anything, Flops: 1, Smoothness: Discontinuous, Example: "lt(2.0, 3.0) = True", Grad: zero},
	Le: {Name: "le", Symbol: "<=", Args: "x, y", Doc: "Whether x is at most y.",
		Names: "T.le T.less_equal np.less_equal", Takes: Anything, Flops: 1, Smoothness: Discontinuous, Example: "le(3.0, 3.0) = True", Grad: zero},
	Gt: {Name: "gt", Symbol: ">", Args: "x, y", Doc: "Whether x is greater than y.",
		Names: "T.gt T.greater np.greater", Takes: Anything, Flops: 1, Smoothness: Discontinuous, Example: "gt(2.0, 3.0) = False", Grad: zero},
	Ge: {Name: "ge", Symbol: ">=", Args: "x, y", Doc: "Whether x is at least y.",
		Names: "T.ge T.greater_equal np.greater_equal", Takes: Anything, Flops: 1, Smoothness: Discontinuous, Example: "ge(3.0, 3.0) = True", Grad: zero},
	And: {Name: "and", Symbol: "&", Args: "x, y", Doc: "Logical and of bools, bitwise and of integers.",
		Names: "T.and_ T.bitwise_and np.bitwise_and", Takes: Bits, Laws: Commutative | Associative | Idempotent, Identity: new(-1.0), Flops: 1, Smoothness: Discontinuous,
		Also:    truths("and", "np.logical_and(2, 0) # False"),
		Example: "and_(6, 3) = 2",
		Grad:    zero},
	Or: {Name: "or", Symbol: "|", Args: "x, y", Doc: "Logical or of bools, bitwise or of integers.",
		Names: "T.or_ T.bitwise_or np.bitwise_or", Takes: Bits, Laws: Commutative | Associative | Idempotent, Identity: new(0.0), Flops: 1, Smoothness: Discontinuous,
		Also:    truths("or", "np.logical_or(2, 0) # True"),
		Example: "or_(6, 3) = 7", Grad: zero},
	Xor: {Name: "xor", Symbol: "^", Args: "x, y", Doc: "Logical exclusive or of bools, bitwise exclusive or of integers.",
		Names: "T.xor T.bitwise_xor np.bitwise_xor", Takes: Bits, Laws: Commutative | Associative, Identity: new(0.0), Flops: 1, Smoothness: Discontinuous,
		Also:    truths("xor", "np.logical_xor(2, 3) # False"),
		Example: "xor(6, 3) = 5", Grad: zero},
	Invert: {Name: "invert", Symbol: "~", Args: "x", Doc: "Logical not of bools, bitwise not of integers.",
		Names: "T.invert T.bitwise_not np.invert np.bitwise_not", Takes: Bits, Flops: 1, Smoothness: Discontinuous,
		Also:    truths("not", "np.logical_not([0, 3]) # array([ True, False])"),
		Example: "invert(6) = -7", Grad: zero},
	LeftShift: {Name: "left_shift", Args: "x, y", Doc: "The bits of x moved to the left by y places: x * 2**y.",
		Names: "T.left_shift np.left_shift", Takes: Integers, Flops: 1, Smoothness: Discontinuous, Example: "left_shift(5, 2) = 20",
		Grad: zero},
	RightShift: {Name: "right_shift", Args: "x, y", Doc: "The bits of x moved to the right by y places: x // 2**y.",
		Names: "T.right_shift np.right_shift", Takes: Integers, Flops: 1, Smoothness: Discontinuous, Example: "right_shift(20, 2) = 5",
		Grad: zero},
	Ceil: {Name: "ceil", Args: "x", Doc: "The smallest integer that is at least x, as a float.",
		Names: "T.ceil np.ceil", Takes: Floats, Laws: Unrounded,
		Flops: 1, Smoothness: Discontinuous, Example: "ceil(1.5) = 2.0", Grad: zero},
	Floor: {Name: "floor", Args: "x", Doc: "The largest integer that is at most x, as a float.",
		Names: "T.floor np.floor", Takes: Floats, Laws: Unrounded,
		Flops: 1, Smoothness: Discontinuous, Example: "floor(1.5) = 1.0", Grad: zero},
	Round: {Name: "round", Args: "x", Doc: "The integer nearest to x, as a float; halves go to the even one.",
		Names: "T.round_half_to_even T.rint np.rint", Takes: Floats, Laws: Unrounded, Flops: 1, Smoothness: Discontinuous, Example: "round(2.5) = 2.0", Grad: zero},
	RoundHalfAway: {Name: "round_half_away_from_zero", Args: "x", Doc: "The integer nearest to x, as a float; halves go away from 0.",
		Names: "T.round_half_away_from_zero", Takes: Floats, Laws: Unrounded, Flops: 1, Smoothness: Discontinuous,
		Example: "round_half_away_from_zero(2.5) = 3.0", Grad: zero},
	Trunc: {Name: "trunc", Args: "x", Doc: "x without its fraction.",
		Names: "T.trunc np.trunc", Takes: Floats, Laws: Unrounded, Flops: 1, Smoothness: Discontinuous,
		Example: "trunc(-1.5) = -1.0", Grad: zero},
	Copysign: {Name: "copysign", Args: "x, y", Doc: "The absolute value of x with the sign of y.",
		Names: "T.copysign np.copysign", Takes: Floats, Flops: 1, Laws: Unrounded, Smoothness: Discontinuous, Example: "copysign(2.0, -0.5) = -2.0",
		Grad: func(b *graph.Builder, g, y V, x []V) []V {

			sign := Mul.do(b, Sgn.do(b, x[0]), Copysign.do(b, b.Like(x[0], 1), x[1]))
			return []V{Mul.do(b, g, sign), nil}
		}},
	Heaviside: {Name: "heaviside", Args: "x, y", Doc: "0 where x is negative, 1 where it is positive, and y where it is 0.",
		Names: "T.heaviside np.heaviside", Takes: Floats, Flops: 1, Laws: Unrounded, Smoothness: Discontinuous,
		Example: "heaviside(0.0, 0.5) = 0.5",
		Grad: func(b *graph.Builder, g, y V, x []V) []V {

			return []V{nil, Switch.do(b, Eq.do(b, x[0], b.Like(x[0], 0)), g, b.Like(g, 0))}
		}},
	Nextafter: {Name: "nextafter", Args: "x, y", Doc: "The number of the type that is next to x in the direction of y.",
		Names: "T.nextafter np.nextafter", Takes: Floats, Flops: 1, Smoothness: Discontinuous, Example: "nextafter(1.0, 2.0) = 1.0000000000000002",
		Grad: func(b *graph.Builder, g, y V, x []V) []V { return []V{g, nil} }},
	Spacing: {Name: "spacing", Args: "x", Doc: "The distance to the next number of the type, away from 0.",
		Names: "T.spacing np.spacing", Takes: Floats, Flops: 1, Smoothness: Discontinuous, Sign: always(Nonnegative),
		Example: "spacing(1.0) = 2.220446049250313e-16",
		Grad:    zero},
	Signbit: {Name: "signbit", Args: "x", Doc: "Whether the sign of x is minus, also of -0.0.",
		Names: "T.signbit np.signbit", Takes: Floats, Flops: 1, Smoothness: Discontinuous, Example: "signbit(-1.0) = True",
		Grad: zero},
	IsNaN: {Name: "isnan", Args: "x", Doc: "Whether x is not a number.",
		Names: "T.isnan T.isnan_ np.isnan", Takes: Floats,
		Flops: 1, Smoothness: Discontinuous, Example: "isnan(1.0) = False", Grad: zero},
	IsInf: {Name: "isinf", Args: "x", Doc: "Whether x is infinite.",
		Names: "T.isinf T.isinf_ np.isinf", Takes: Floats,
		Flops: 1, Smoothness: Discontinuous, Example: "isinf(1.0) = False", Grad: zero},
	Identity: {Name: "identity", Args: "x", Doc: "x itself.",
		Names: "T.positive np.positive", Takes: Anything, NumPy: NoBool, Laws: Unrounded, Sign: least,
		Also: []Variant{{Names: "np.conj np.conjugate", Typing: Numbers, Doc: "The complex conjugate: of real numbers, themselves.",
			Example: "np.conj(2.5) # 2.5"}},
		Example: "identity(2.0) = 2.0",
		Grad:    func(b *graph.Builder, g, y V, x []V) []V { return []V{g} }},
	Second: {Name: "second", Args: "x, y", Doc: "y, broadcast to the shape that x and y have together. Theano's fill.",
		Names: "T.second T.fill", Takes: Anything, From: 1, Laws: Unrounded, Sign: signOf(1), Example: "second(2.0, 3.0) = 3.0",
		Grad: func(b *graph.Builder, g, y V, x []V) []V { return []V{nil, g} }},
}

// split sends the gradient to the first of two operands where condition holds and to the second
// elsewhere.
func split(b *graph.Builder, g, condition V) []V {
	none := b.Like(g, 0)
	return []V{Switch.do(b, condition, g, none), Switch.do(b, condition, none, g)}
}

// truths is NumPy's function of truth values that a row is on bools.
func truths(name, example string) []Variant {
	return []Variant{{Names: "np.logical_" + name, Typing: Truths, Doc: "Logic of truth values: " + name + ". What is not 0 is true.",
		Example: example}}
}
