package op

import (
	"math"

	"github.com/arignote/arignote/kernels"
	"github.com/arignote/arignote/runtime/graph"
)

// V is a symbolic variable.
type V = *graph.Variable

// Elemwise is an elementwise operation: the index of its row. Operands broadcast along axes that are known to have length 1.
type Elemwise uint8

const (
	Add Elemwise = iota + 1
	Sub
	Mul
	TrueDiv
	IntDiv
	Mod
	Pow
	Neg
	Abs
	Sgn
	Sqr
	Sqrt
	Reciprocal
	Exp
	Exp2
	Expm1
	Log
	Log2
	Log10
	Log1p
	Sin
	Cos
	Tan
	Arcsin
	Arccos
	Arctan
	Arctan2
	Sinh
	Cosh
	Tanh
	Sigmoid
	Softplus
	Erf
	Maximum
	Minimum
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
	Ceil
	Floor
	Round
	Trunc
	IsNaN
	IsInf
	Identity
	Second
	castBase // Cast(d) is castBase + d
)

// Cast is the conversion to an element type.
func Cast(to kernels.DType) Elemwise { return castBase + Elemwise(to) }

// operands says which element type an elementwise operation computes in.
type operands uint8

const (
	anything operands = iota // the operands' common type
	numbers                  // the same, and int8 for bool
	floats                   // the same, and a float for bool and integers
	logic                    // bool or an integer: floats are refused
)

// Law is an algebraic law that an operation obeys.
type Law uint8

const (
	Commutative Law = 1 << iota // f(x, y) = f(y, x)
	Associative                 // f(f(x, y), z) = f(x, f(y, z)), up to rounding
	Idempotent                  // f(x, x) = x
)

// Row is all that Arignote knows of an elementwise operation.
type Row struct {
	Name   string // Theano's and NumPy's
	Symbol string // how Composite prints it: "+" between its operands, "" as a call
	Args   string // parameter names, separated by ", "
	Doc    string // one sentence
	Go     kernels.Loops
	takes  operands
	gives  kernels.DType // Invalid: what it computes in
	Laws   Law
	Flops  float64    // floating point operations per element
	Domain [2]float64 // where tests sample its operands; 0, 0 means [-3, 3]
	ULP    int        // how far the C kernel may lie from the Go one
	// Grad returns the gradients with respect to the operands x, given the output y and the gradient g with respect to it.
	// They have the output's shape and any type: Elemwise.Grad sums and casts. nil: zero everywhere.
	Grad    func(b *graph.Builder, g, y V, x []V) []V
	Example string // "exp(0.0) = 1.0"
}

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

var rows = [castBase]Row{
	Add: {Name: "add", Symbol: "+", Args: "x, y", Doc: "The sum x + y.",
		Go: kernels.Add, takes: numbers, Laws: Commutative | Associative, Flops: 1, Example: "add(2.0, 3.0) = 5.0",
		Grad: func(b *graph.Builder, g, y V, x []V) []V { return []V{g, g} }},
	Sub: {Name: "sub", Symbol: "-", Args: "x, y", Doc: "The difference x - y.",
		Go: kernels.Sub, takes: numbers, Flops: 1, Example: "sub(2.0, 3.0) = -1.0",
		Grad: func(b *graph.Builder, g, y V, x []V) []V { return []V{g, Neg.do(b, g)} }},
	Mul: {Name: "mul", Symbol: "*", Args: "x, y", Doc: "The product x * y.",
		Go: kernels.Mul, takes: numbers, Laws: Commutative | Associative, Flops: 1, Example: "mul(2.0, 3.0) = 6.0",
		Grad: func(b *graph.Builder, g, y V, x []V) []V { return []V{Mul.do(b, g, x[1]), Mul.do(b, g, x[0])} }},
	TrueDiv: {Name: "true_div", Symbol: "/", Args: "x, y", Doc: "The quotient x / y as a float.",
		Go: kernels.TrueDiv, takes: floats, Flops: 1, Domain: [2]float64{0.5, 3}, Example: "true_div(3.0, 2.0) = 1.5",
		Grad: func(b *graph.Builder, g, y V, x []V) []V {
			gx := TrueDiv.do(b, g, x[1])
			return []V{gx, Neg.do(b, Mul.do(b, gx, y))}
		}},
	IntDiv: {Name: "int_div", Symbol: "//", Args: "x, y", Doc: "The quotient x / y rounded down. An integer divided by 0 gives 0.",
		Go: kernels.IntDiv, takes: numbers, Flops: 2, Domain: [2]float64{0.5, 9}, Example: "int_div(-7, 2) = -4", Grad: zero},
	Mod: {Name: "mod", Symbol: "%", Args: "x, y", Doc: "The remainder x - y * (x // y); it has the sign of y.",
		Go: kernels.Mod, takes: numbers, Flops: 3, Domain: [2]float64{0.5, 9}, Example: "mod(-7, 3) = 2",
		Grad: func(b *graph.Builder, g, y V, x []V) []V {
			return []V{g, Neg.do(b, Mul.do(b, g, IntDiv.do(b, x[0], x[1])))}
		}},
	Pow: {Name: "pow", Symbol: "**", Args: "x, y", Doc: "x to the power of y.",
		Go: kernels.Pow, takes: numbers, Flops: 40, Domain: [2]float64{0.5, 3}, ULP: 2, Example: "pow(2.0, 10.0) = 1024.0",
		Grad: func(b *graph.Builder, g, y V, x []V) []V {
			e := castTo(b, x[1], y.Type.DType) // a small integer might wrap
			less := Pow.do(b, x[0], Sub.do(b, e, b.Like(e, 1)))
			// 0**y has derivative 0 with respect to y, where log(0) would give nan.
			log := Switch.do(b, Eq.do(b, x[0], b.Like(x[0], 0)), b.Like(y, 0), Log.do(b, x[0]))
			return []V{Mul.do(b, g, Mul.do(b, e, less)), Mul.do(b, g, Mul.do(b, y, log))}
		}},
	Neg: {Name: "neg", Symbol: "-", Args: "x", Doc: "The negative -x.",
		Go: kernels.Neg, takes: numbers, Flops: 1, Example: "neg(2.0) = -2.0",
		Grad: func(b *graph.Builder, g, y V, x []V) []V { return []V{Neg.do(b, g)} }},
	Abs: {Name: "abs", Args: "x", Doc: "The absolute value |x|.",
		Go: kernels.Abs, takes: numbers, Flops: 1, Example: "abs(-2.0) = 2.0",
		Grad: func(b *graph.Builder, g, y V, x []V) []V { return []V{Mul.do(b, g, Sgn.do(b, x[0]))} }},
	Sgn: {Name: "sgn", Args: "x", Doc: "The sign of x: -1, 0 or 1.",
		Go: kernels.Sgn, takes: numbers, Flops: 1, Example: "sgn(-2.0) = -1.0", Grad: zero},
	Sqr: {Name: "sqr", Args: "x", Doc: "The square x * x.",
		Go: kernels.Sqr, takes: numbers, Flops: 1, Example: "sqr(3.0) = 9.0",
		Grad: func(b *graph.Builder, g, y V, x []V) []V { return []V{Mul.do(b, g, times(b, 2, x[0]))} }},
	Sqrt: {Name: "sqrt", Args: "x", Doc: "The square root of x.",
		Go: kernels.Sqrt, takes: floats, Flops: 4, Domain: [2]float64{0.1, 3}, Example: "sqrt(9.0) = 3.0",
		Grad: func(b *graph.Builder, g, y V, x []V) []V { return []V{TrueDiv.do(b, times(b, 0.5, g), y)} }},
	Reciprocal: {Name: "reciprocal", Args: "x", Doc: "The reciprocal 1 / x.",
		Go: kernels.Reciprocal, takes: floats, Flops: 1, Domain: [2]float64{0.5, 3}, Example: "reciprocal(4.0) = 0.25",
		Grad: func(b *graph.Builder, g, y V, x []V) []V { return []V{Neg.do(b, Mul.do(b, g, Sqr.do(b, y)))} }},
	Exp: {Name: "exp", Args: "x", Doc: "e to the power of x.",
		Go: kernels.Exp, takes: floats, Flops: 20, ULP: 2, Example: "exp(0.0) = 1.0",
		Grad: func(b *graph.Builder, g, y V, x []V) []V { return []V{Mul.do(b, g, y)} }},
	Exp2: {Name: "exp2", Args: "x", Doc: "2 to the power of x.",
		Go: kernels.Exp2, takes: floats, Flops: 20, ULP: 2, Example: "exp2(3.0) = 8.0",
		Grad: func(b *graph.Builder, g, y V, x []V) []V { return []V{Mul.do(b, g, times(b, math.Ln2, y))} }},
	Expm1: {Name: "expm1", Args: "x", Doc: "exp(x) - 1, accurate for small x.",
		Go: kernels.Expm1, takes: floats, Flops: 25, ULP: 2, Example: "expm1(0.0) = 0.0",
		Grad: func(b *graph.Builder, g, y V, x []V) []V { return []V{Mul.do(b, g, onePlus(b, y))} }},
	Log: {Name: "log", Args: "x", Doc: "The natural logarithm of x.",
		Go: kernels.Log, takes: floats, Flops: 20, Domain: [2]float64{0.1, 5}, ULP: 2, Example: "log(1.0) = 0.0",
		Grad: func(b *graph.Builder, g, y V, x []V) []V { return []V{TrueDiv.do(b, g, x[0])} }},
	Log2: {Name: "log2", Args: "x", Doc: "The logarithm of x to the base 2.",
		Go: kernels.Log2, takes: floats, Flops: 20, Domain: [2]float64{0.1, 5}, ULP: 2, Example: "log2(8.0) = 3.0",
		Grad: func(b *graph.Builder, g, y V, x []V) []V { return []V{TrueDiv.do(b, times(b, 1/math.Ln2, g), x[0])} }},
	Log10: {Name: "log10", Args: "x", Doc: "The logarithm of x to the base 10.",
		Go: kernels.Log10, takes: floats, Flops: 20, Domain: [2]float64{0.1, 5}, ULP: 2, Example: "log10(1000.0) = 3.0",
		Grad: func(b *graph.Builder, g, y V, x []V) []V { return []V{TrueDiv.do(b, times(b, 1/math.Ln10, g), x[0])} }},
	Log1p: {Name: "log1p", Args: "x", Doc: "log(1 + x), accurate for small x.",
		Go: kernels.Log1p, takes: floats, Flops: 25, Domain: [2]float64{-0.9, 5}, ULP: 2, Example: "log1p(0.0) = 0.0",
		Grad: func(b *graph.Builder, g, y V, x []V) []V { return []V{TrueDiv.do(b, g, onePlus(b, x[0]))} }},
	Sin: {Name: "sin", Args: "x", Doc: "The sine of x radians.",
		Go: kernels.Sin, takes: floats, Flops: 25, ULP: 4, Example: "sin(0.0) = 0.0",
		Grad: func(b *graph.Builder, g, y V, x []V) []V { return []V{Mul.do(b, g, Cos.do(b, x[0]))} }},
	Cos: {Name: "cos", Args: "x", Doc: "The cosine of x radians.",
		Go: kernels.Cos, takes: floats, Flops: 25, ULP: 4, Example: "cos(0.0) = 1.0",
		Grad: func(b *graph.Builder, g, y V, x []V) []V { return []V{Neg.do(b, Mul.do(b, g, Sin.do(b, x[0])))} }},
	Tan: {Name: "tan", Args: "x", Doc: "The tangent of x radians.",
		Go: kernels.Tan, takes: floats, Flops: 30, Domain: [2]float64{-1.4, 1.4}, ULP: 4, Example: "tan(0.0) = 0.0",
		Grad: func(b *graph.Builder, g, y V, x []V) []V { return []V{Mul.do(b, g, onePlus(b, Sqr.do(b, y)))} }},
	Arcsin: {Name: "arcsin", Args: "x", Doc: "The angle in [-pi/2, pi/2] whose sine is x.",
		Go: kernels.Arcsin, takes: floats, Flops: 30, Domain: [2]float64{-0.9, 0.9}, ULP: 4, Example: "arcsin(0.0) = 0.0",
		Grad: func(b *graph.Builder, g, y V, x []V) []V {
			return []V{TrueDiv.do(b, g, Sqrt.do(b, oneMinus(b, Sqr.do(b, x[0]))))}
		}},
	Arccos: {Name: "arccos", Args: "x", Doc: "The angle in [0, pi] whose cosine is x.",
		Go: kernels.Arccos, takes: floats, Flops: 30, Domain: [2]float64{-0.9, 0.9}, ULP: 4, Example: "arccos(1.0) = 0.0",
		Grad: func(b *graph.Builder, g, y V, x []V) []V {
			return []V{Neg.do(b, TrueDiv.do(b, g, Sqrt.do(b, oneMinus(b, Sqr.do(b, x[0])))))}
		}},
	Arctan: {Name: "arctan", Args: "x", Doc: "The angle in [-pi/2, pi/2] whose tangent is x.",
		Go: kernels.Arctan, takes: floats, Flops: 30, ULP: 4, Example: "arctan(0.0) = 0.0",
		Grad: func(b *graph.Builder, g, y V, x []V) []V { return []V{TrueDiv.do(b, g, onePlus(b, Sqr.do(b, x[0])))} }},
	Arctan2: {Name: "arctan2", Args: "y, x", Doc: "The angle of the point (x, y), in [-pi, pi].",
		Go: kernels.Arctan2, takes: floats, Flops: 40, Domain: [2]float64{0.5, 3}, ULP: 4, Example: "arctan2(0.0, 1.0) = 0.0",
		Grad: func(b *graph.Builder, g, y V, x []V) []V {
			h := TrueDiv.do(b, g, Add.do(b, Sqr.do(b, x[0]), Sqr.do(b, x[1])))
			return []V{Mul.do(b, h, x[1]), Neg.do(b, Mul.do(b, h, x[0]))}
		}},
	Sinh: {Name: "sinh", Args: "x", Doc: "The hyperbolic sine of x.",
		Go: kernels.Sinh, takes: floats, Flops: 30, ULP: 4, Example: "sinh(0.0) = 0.0",
		Grad: func(b *graph.Builder, g, y V, x []V) []V { return []V{Mul.do(b, g, Cosh.do(b, x[0]))} }},
	Cosh: {Name: "cosh", Args: "x", Doc: "The hyperbolic cosine of x.",
		Go: kernels.Cosh, takes: floats, Flops: 30, ULP: 4, Example: "cosh(0.0) = 1.0",
		Grad: func(b *graph.Builder, g, y V, x []V) []V { return []V{Mul.do(b, g, Sinh.do(b, x[0]))} }},
	Tanh: {Name: "tanh", Args: "x", Doc: "The hyperbolic tangent of x.",
		Go: kernels.Tanh, takes: floats, Flops: 30, ULP: 4, Example: "tanh(0.0) = 0.0",
		Grad: func(b *graph.Builder, g, y V, x []V) []V { return []V{Mul.do(b, g, oneMinus(b, Sqr.do(b, y)))} }},
	Sigmoid: {Name: "sigmoid", Args: "x", Doc: "The logistic function 1 / (1 + exp(-x)).",
		Go: kernels.Sigmoid, takes: floats, Flops: 25, ULP: 4, Example: "sigmoid(0.0) = 0.5",
		Grad: func(b *graph.Builder, g, y V, x []V) []V { return []V{Mul.do(b, g, Mul.do(b, y, oneMinus(b, y)))} }},
	Softplus: {Name: "softplus", Args: "x", Doc: "log(1 + exp(x)) without overflow.",
		Go: kernels.Softplus, takes: floats, Flops: 45, ULP: 4, Example: "softplus(0.0) = 0.6931471805599453",
		Grad: func(b *graph.Builder, g, y V, x []V) []V { return []V{Mul.do(b, g, Sigmoid.do(b, x[0]))} }},
	Erf: {Name: "erf", Args: "x", Doc: "The error function 2/sqrt(pi) times the integral of exp(-t*t) from 0 to x.",
		Go: kernels.Erf, takes: floats, Flops: 40, ULP: 4, Example: "erf(0.0) = 0.0",
		Grad: func(b *graph.Builder, g, y V, x []V) []V {
			return []V{Mul.do(b, g, times(b, 2/math.Sqrt(math.Pi), Exp.do(b, Neg.do(b, Sqr.do(b, x[0])))))}
		}},
	Maximum: {Name: "maximum", Args: "x, y",
		Doc: "The larger of x and y; nan if either is. Where they are equal, the gradient goes to x.",
		Go:  kernels.Maximum, takes: anything, Laws: Commutative | Associative | Idempotent, Flops: 1,
		Example: "maximum(2.0, 3.0) = 3.0",
		Grad:    func(b *graph.Builder, g, y V, x []V) []V { return split(b, g, Ge.do(b, x[0], x[1])) }},
	Minimum: {Name: "minimum", Args: "x, y",
		Doc: "The smaller of x and y; nan if either is. Where they are equal, the gradient goes to x.",
		Go:  kernels.Minimum, takes: anything, Laws: Commutative | Associative | Idempotent, Flops: 1,
		Example: "minimum(2.0, 3.0) = 2.0",
		Grad:    func(b *graph.Builder, g, y V, x []V) []V { return split(b, g, Le.do(b, x[0], x[1])) }},
	Switch: {Name: "switch", Args: "condition, x, y", Doc: "x where condition is true and y elsewhere; both are computed.",
		Go: kernels.Switch, takes: anything, Flops: 1, Example: "switch(True, 2.0, 3.0) = 2.0",
		Grad: func(b *graph.Builder, g, y V, x []V) []V { return append([]V{nil}, split(b, g, x[0])...) }},
	Eq: {Name: "eq", Symbol: "==", Args: "x, y", Doc: "Whether x equals y.", Go: kernels.Eq, takes: anything, gives: kernels.Bool,
		Laws: Commutative, Flops: 1, Example: "eq(2.0, 3.0) = False", Grad: zero},
	Neq: {Name: "neq", Symbol: "!=", Args: "x, y", Doc: "Whether x differs from y.", Go: kernels.Neq, takes: anything,
		gives: kernels.Bool, Laws: Commutative, Flops: 1, Example: "neq(2.0, 3.0) = True", Grad: zero},
	Lt: {Name: "lt", Symbol: "<", Args: "x, y", Doc: "Whether x is less than y.", Go: kernels.Lt, takes: anything,
		gives: kernels.Bool, Flops: 1, Example: "lt(2.0, 3.0) = True", Grad: zero},
	Le: {Name: "le", Symbol: "<=", Args: "x, y", Doc: "Whether x is at most y.", Go: kernels.Le, takes: anything,
		gives: kernels.Bool, Flops: 1, Example: "le(3.0, 3.0) = True", Grad: zero},
	Gt: {Name: "gt", Symbol: ">", Args: "x, y", Doc: "Whether x is greater than y.", Go: kernels.Gt, takes: anything,
		gives: kernels.Bool, Flops: 1, Example: "gt(2.0, 3.0) = False", Grad: zero},
	Ge: {Name: "ge", Symbol: ">=", Args: "x, y", Doc: "Whether x is at least y.", Go: kernels.Ge, takes: anything,
		gives: kernels.Bool, Flops: 1, Example: "ge(3.0, 3.0) = True", Grad: zero},
	And: {Name: "and", Symbol: "&", Args: "x, y", Doc: "Logical and of bools, bitwise and of integers.",
		Go: kernels.And, takes: logic, Laws: Commutative | Associative | Idempotent, Flops: 1, Example: "and_(6, 3) = 2",
		Grad: zero},
	Or: {Name: "or", Symbol: "|", Args: "x, y", Doc: "Logical or of bools, bitwise or of integers.",
		Go: kernels.Or, takes: logic, Laws: Commutative | Associative | Idempotent, Flops: 1, Example: "or_(6, 3) = 7", Grad: zero},
	Xor: {Name: "xor", Symbol: "^", Args: "x, y", Doc: "Logical exclusive or of bools, bitwise exclusive or of integers.",
		Go: kernels.Xor, takes: logic, Laws: Commutative | Associative, Flops: 1, Example: "xor(6, 3) = 5", Grad: zero},
	Invert: {Name: "invert", Symbol: "~", Args: "x", Doc: "Logical not of bools, bitwise not of integers.",
		Go: kernels.Invert, takes: logic, Flops: 1, Example: "invert(6) = -7", Grad: zero},
	Ceil: {Name: "ceil", Args: "x", Doc: "The smallest integer that is at least x, as a float.", Go: kernels.Ceil, takes: floats,
		Flops: 1, Example: "ceil(1.5) = 2.0", Grad: zero},
	Floor: {Name: "floor", Args: "x", Doc: "The largest integer that is at most x, as a float.", Go: kernels.Floor, takes: floats,
		Flops: 1, Example: "floor(1.5) = 1.0", Grad: zero},
	Round: {Name: "round", Args: "x", Doc: "The integer nearest to x, as a float; halves go to the even one.", Go: kernels.Round,
		takes: floats, Flops: 1, Example: "round(2.5) = 2.0", Grad: zero},
	Trunc: {Name: "trunc", Args: "x", Doc: "x without its fraction.", Go: kernels.Trunc, takes: floats, Flops: 1,
		Example: "trunc(-1.5) = -1.0", Grad: zero},
	IsNaN: {Name: "isnan", Args: "x", Doc: "Whether x is not a number.", Go: kernels.IsNaN, takes: floats, gives: kernels.Bool,
		Flops: 1, Example: "isnan(1.0) = False", Grad: zero},
	IsInf: {Name: "isinf", Args: "x", Doc: "Whether x is infinite.", Go: kernels.IsInf, takes: floats, gives: kernels.Bool,
		Flops: 1, Example: "isinf(1.0) = False", Grad: zero},
	Identity: {Name: "identity", Args: "x", Doc: "x itself.", Go: kernels.Identity, takes: anything, Example: "identity(2.0) = 2.0",
		Grad: func(b *graph.Builder, g, y V, x []V) []V { return []V{g} }},
	Second: {Name: "second", Args: "x, y", Doc: "y, broadcast to the shape that x and y have together. Theano's fill.",
		Go: kernels.Second, takes: anything, Example: "second(2.0, 3.0) = 3.0",
		Grad: func(b *graph.Builder, g, y V, x []V) []V { return []V{nil, g} }},
}

// split sends the gradient to the first of two operands where condition holds and to the second elsewhere.
func split(b *graph.Builder, g, condition V) []V {
	none := b.Like(g, 0)
	return []V{Switch.do(b, condition, g, none), Switch.do(b, condition, none, g)}
}
