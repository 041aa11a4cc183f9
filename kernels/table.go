package kernels

import (
	"math"

	"github.com/arignote/arignote/kernels/special"
)

// A Kernel is all that is known of an elementwise kernel but for what it does, which is said by its
// loops in Go, by a line of c/internal/isa/elemwise.def, and by the comment of its row.
type Kernel struct {
	Name  string
	Arity int
	Loops Loops // in Go
	Bool  bool  // the result is Bool, whatever the operands are
	Mask  bool  // the first operand is Bool, whatever the others are
	// ULP is how far C may lie from Go, in units in the last place of floats: what they lie apart
	// on the operands of the tests, and one more, since package math is not the same on every
	// platform; its pow is the weakest. 0: they give the same bits.
	ULP float64
	// TrueULP is how far C may lie from the true values of testdata/reference.txt: what random
	// points of each type showed, rounded up (of those in c/vmath.inc two million). 0: it is exact.
	TrueULP float64
	// Zeros says that it has zeros next to which C and Go may lie further apart, and the true value
	// further from both: not by more than so many units in the last place of 1, where results are
	// smaller.
	Zeros bool
}

// Exact reports whether the loops in Go and in C give the same bits.
func (k *Kernel) Exact() bool { return k.ULP == 0 }

// Key names the kernel for operands of type d.
func (k *Kernel) Key(d DType) LoopKey {
	if k.Bool {
		return LoopKey{Op: k.Name, In: d, Out: Bool}
	}
	return LoopKey{Op: k.Name, In: d, Out: d}
}

// Operand is the type of operand i of the kernel for d.
func (k *Kernel) Operand(i int, d DType) DType {
	if k.Mask && i == 0 {
		return Bool
	}
	return d
}

// Lookup finds a row of Table. It panics if there is none.
func Lookup(name string) *Kernel {
	k := byName[name]
	if k == nil {
		panic("kernels: no kernel " + name)
	}
	return k
}

var byName = func() map[string]*Kernel {
	m := make(map[string]*Kernel, len(Table))
	for i := range Table {
		m[Table[i].Name] = &Table[i]
	}
	return m
}()

// Table is the elementwise kernels. What they cost is in costs.go, which is measured.
var Table = []Kernel{
	// Arithmetic. Integers wrap; a Bool is 0 or 1 and stays one.
	{Name: "add", Arity: 2, // x + y
		Loops: numbers(add[int8], add[int16], add[int32], add[int64],
			add[uint8], add[uint16], add[uint32], add[uint64], add[float32], add[float64]).withBool(or[uint8])},
	{Name: "sub", Arity: 2, // x - y
		Loops: numbers(sub[int8], sub[int16], sub[int32], sub[int64],
			sub[uint8], sub[uint16], sub[uint32], sub[uint64], sub[float32], sub[float64])},
	{Name: "mul", Arity: 2, // x * y
		Loops: numbers(mul[int8], mul[int16], mul[int32], mul[int64],
			mul[uint8], mul[uint16], mul[uint32], mul[uint64], mul[float32], mul[float64]).withBool(and[uint8])},
	{Name: "true_div", Arity: 2, Loops: floats(div[float32], div[float64])},                 // x / y
	{Name: "reciprocal", Arity: 1, Loops: floats(reciprocal[float32], reciprocal[float64])}, // 1 / x
	{Name: "neg", Arity: 1, // -x; of an unsigned integer, 0 - x
		Loops: numbers(neg[int8], neg[int16], neg[int32], neg[int64],
			neg[uint8], neg[uint16], neg[uint32], neg[uint64], neg[float32], neg[float64])},
	{Name: "abs", Arity: 1, // |x|; the smallest signed integer stays what it is
		Loops: integers(absInt[int8], absInt[int16], absInt[int32], absInt[int64],
			identity[uint8], identity[uint16], identity[uint32], identity[uint64]).
			withFloats(absFloat[float32], absFloat[float64]).withBool(identity[uint8])},
	{Name: "sgn", Arity: 1, // -1, 0 or 1 by the sign of x, NaN for NaN, and 0 for both zeros
		Loops: numbers(sgn[int8], sgn[int16], sgn[int32], sgn[int64],
			sgn[uint8], sgn[uint16], sgn[uint32], sgn[uint64], sgn[float32], sgn[float64])},
	{Name: "sqr", Arity: 1, // x * x
		Loops: numbers(sqr[int8], sqr[int16], sqr[int32], sqr[int64],
			sqr[uint8], sqr[uint16], sqr[uint32], sqr[uint64], sqr[float32], sqr[float64])},
	{Name: "maximum", Arity: 2, // the larger operand, NaN if either is NaN, y if they are equal
		Loops: numbers(maximum[int8], maximum[int16], maximum[int32], maximum[int64],
			maximum[uint8], maximum[uint16], maximum[uint32], maximum[uint64], maximum[float32], maximum[float64]).withBool(maximum[uint8])},
	{Name: "minimum", Arity: 2, // the smaller operand, NaN if either is NaN, y if they are equal
		Loops: numbers(minimum[int8], minimum[int16], minimum[int32], minimum[int64],
			minimum[uint8], minimum[uint16], minimum[uint32], minimum[uint64], minimum[float32], minimum[float64]).withBool(minimum[uint8])},
	{Name: "fmax", Arity: 2, // the larger operand; where one is NaN, the other
		Loops: numbers(fmax[int8], fmax[int16], fmax[int32], fmax[int64],
			fmax[uint8], fmax[uint16], fmax[uint32], fmax[uint64], fmax[float32], fmax[float64]).withBool(maximum[uint8])},
	{Name: "fmin", Arity: 2, // the smaller operand; where one is NaN, the other
		Loops: numbers(fmin[int8], fmin[int16], fmin[int32], fmin[int64],
			fmin[uint8], fmin[uint16], fmin[uint32], fmin[uint64], fmin[float32], fmin[float64]).withBool(minimum[uint8])},
	{Name: "copysign", Arity: 2, Loops: real2(math.Copysign)}, // |x| with the sign of y
	{Name: "heaviside", Arity: 2, Loops: real2(heaviside)},    // 0 where x < 0, 1 where x > 0, y where x is 0

	// Division and power as Python has them: see division.go.
	{Name: "int_div", Arity: 2, // floor(x / y); integers: 0 for y = 0; floats: as numpy.floor_divide
		Loops: integers(divSigned[int8], divSigned[int16], divSigned[int32], divSigned[int64],
			divUnsigned[uint8], divUnsigned[uint16], divUnsigned[uint32], divUnsigned[uint64]).
			withFloats(real2Of[float32](floorDivide), real2Of[float64](floorDivide))},
	{Name: "mod", Arity: 2, // x - y*floor(x/y), which has the sign of y; integers: 0 for y = 0
		Loops: integers(mod[int8], mod[int16], mod[int32], mod[int64],
			mod[uint8], mod[uint16], mod[uint32], mod[uint64]).
			withFloats(real2Of[float32](remainder), real2Of[float64](remainder))},
	{Name: "fmod", Arity: 2, // x - y*trunc(x/y), which has the sign of x; integers: 0 for y = 0
		Loops: integers(rest[int8], rest[int16], rest[int32], rest[int64],
			rest[uint8], rest[uint16], rest[uint32], rest[uint64]).
			withFloats(real2Of[float32](math.Mod), real2Of[float64](math.Mod))},
	{Name: "pow", Arity: 2, ULP: 64, TrueULP: 1.5, // x**y; integers: a negative y gives 1 / x**|y| rounded towards 0, and 0 for x = 0
		Loops: integers(pow[int8], pow[int16], pow[int32], pow[int64],
			pow[uint8], pow[uint16], pow[uint32], pow[uint64]).
			withFloats(real2Of[float32](power), real2Of[float64](power))},
	{Name: "gcd", Arity: 2, // the greatest common divisor of |x| and |y|
		Loops: integers(gcd[int8], gcd[int16], gcd[int32], gcd[int64],
			gcd[uint8], gcd[uint16], gcd[uint32], gcd[uint64])},
	{Name: "lcm", Arity: 2, // the least common multiple of |x| and |y|; 0 if either is 0
		Loops: integers(lcm[int8], lcm[int16], lcm[int32], lcm[int64],
			lcm[uint8], lcm[uint16], lcm[uint32], lcm[uint64])},

	// Comparisons of all types, false before true.
	{Name: "eq", Arity: 2, Bool: true, // x == y
		Loops: numbers(eq[int8], eq[int16], eq[int32], eq[int64],
			eq[uint8], eq[uint16], eq[uint32], eq[uint64], eq[float32], eq[float64]).withBool(eq[uint8])},
	{Name: "neq", Arity: 2, Bool: true, // x != y
		Loops: numbers(neq[int8], neq[int16], neq[int32], neq[int64],
			neq[uint8], neq[uint16], neq[uint32], neq[uint64], neq[float32], neq[float64]).withBool(neq[uint8])},
	{Name: "lt", Arity: 2, Bool: true, // x < y
		Loops: numbers(lt[int8], lt[int16], lt[int32], lt[int64],
			lt[uint8], lt[uint16], lt[uint32], lt[uint64], lt[float32], lt[float64]).withBool(lt[uint8])},
	{Name: "le", Arity: 2, Bool: true, // x <= y
		Loops: numbers(le[int8], le[int16], le[int32], le[int64],
			le[uint8], le[uint16], le[uint32], le[uint64], le[float32], le[float64]).withBool(le[uint8])},
	{Name: "gt", Arity: 2, Bool: true, // x > y
		Loops: numbers(gt[int8], gt[int16], gt[int32], gt[int64],
			gt[uint8], gt[uint16], gt[uint32], gt[uint64], gt[float32], gt[float64]).withBool(gt[uint8])},
	{Name: "ge", Arity: 2, Bool: true, // x >= y
		Loops: numbers(ge[int8], ge[int16], ge[int32], ge[int64],
			ge[uint8], ge[uint16], ge[uint32], ge[uint64], ge[float32], ge[float64]).withBool(ge[uint8])},

	// Logic of Bools, and bitwise logic of integers.
	{Name: "and", Arity: 2, // x & y
		Loops: integers(and[int8], and[int16], and[int32], and[int64],
			and[uint8], and[uint16], and[uint32], and[uint64]).withBool(and[uint8])},
	{Name: "or", Arity: 2, // x | y
		Loops: integers(or[int8], or[int16], or[int32], or[int64],
			or[uint8], or[uint16], or[uint32], or[uint64]).withBool(or[uint8])},
	{Name: "xor", Arity: 2, // x ^ y
		Loops: integers(xor[int8], xor[int16], xor[int32], xor[int64],
			xor[uint8], xor[uint16], xor[uint32], xor[uint64]).withBool(xor[uint8])},
	{Name: "invert", Arity: 1, // ^x
		Loops: integers(invert[int8], invert[int16], invert[int32], invert[int64],
			invert[uint8], invert[uint16], invert[uint32], invert[uint64]).withBool(not)},
	{Name: "left_shift", Arity: 2, // x << y; 0 where y is negative or past the last bit
		Loops: integers(shiftLeft[int8], shiftLeft[int16], shiftLeft[int32], shiftLeft[int64],
			shiftLeft[uint8], shiftLeft[uint16], shiftLeft[uint32], shiftLeft[uint64])},
	{Name: "right_shift", Arity: 2, // x >> y; where y is negative or past the last bit, 0, or -1 for x < 0
		Loops: integers(shiftRight[int8], shiftRight[int16], shiftRight[int32], shiftRight[int64],
			shiftRight[uint8], shiftRight[uint16], shiftRight[uint32], shiftRight[uint64])},

	// Operations that move elements without looking at them.
	{Name: "switch", Arity: 3, Mask: true, Loops: bySize(choose[uint8], choose[uint16], choose[uint32], choose[uint64])}, // x if the first holds, else y
	{Name: "identity", Arity: 1, Loops: bySize(identity[uint8], identity[uint16], identity[uint32], identity[uint64])},   // x
	{Name: "second", Arity: 2, Loops: bySize(second[uint8], second[uint16], second[uint32], second[uint64])},             // y
	{Name: "cast", Arity: 1}, // x as another type: its loops are in Cast, by both types

	// Functions of real numbers: see mathematics.go. The float32 loops round the float64 function,
	// but for those that name both.
	{Name: "sqrt", Arity: 1, Loops: real1(math.Sqrt)},                       // the square root
	{Name: "cbrt", Arity: 1, ULP: 2, TrueULP: 1, Loops: real1(math.Cbrt)},   // the cube root
	{Name: "hypot", Arity: 2, ULP: 3, TrueULP: 1, Loops: real2(math.Hypot)}, // sqrt(x*x + y*y)
	{Name: "exp", Arity: 1, ULP: 2, TrueULP: 1.25, Loops: real1(exp)},
	{Name: "exp2", Arity: 1, ULP: 2, TrueULP: 1.5, Loops: real1(math.Exp2)},
	{Name: "expm1", Arity: 1, ULP: 2, TrueULP: 1.5, Loops: real1(math.Expm1)},
	{Name: "log", Arity: 1, ULP: 2, TrueULP: 1, Loops: real1(log)},
	{Name: "log2", Arity: 1, ULP: 2, TrueULP: 2, Loops: real1(math.Log2)},
	{Name: "log10", Arity: 1, ULP: 2, TrueULP: 2, Loops: real1(log10)},
	{Name: "log1p", Arity: 1, ULP: 2, TrueULP: 1.25, Loops: real1(math.Log1p)},
	{Name: "log1mexp", Arity: 1, ULP: 2, TrueULP: 2, Loops: real1(log1mexp)},        // log(1 - exp(x))
	{Name: "logaddexp", Arity: 2, ULP: 3, TrueULP: 1, Loops: real2(logAddExp)},      // log(exp(x) + exp(y))
	{Name: "logaddexp2", Arity: 2, ULP: 4, TrueULP: 1.75, Loops: real2(logAddExp2)}, // log2(2**x + 2**y)
	{Name: "sin", Arity: 1, ULP: 2, TrueULP: 1.75, Loops: real1(math.Sin)},
	{Name: "cos", Arity: 1, ULP: 2, TrueULP: 1.75, Loops: real1(math.Cos)},
	{Name: "tan", Arity: 1, ULP: 3, TrueULP: 1.5, Loops: real1(math.Tan)},
	{Name: "arcsin", Arity: 1, ULP: 4, TrueULP: 1.5, Loops: real1(math.Asin)},
	{Name: "arccos", Arity: 1, ULP: 4, TrueULP: 1.5, Loops: real1(arccos)},
	{Name: "arctan", Arity: 1, ULP: 3, TrueULP: 2, Loops: real1(math.Atan)},
	{Name: "arctan2", Arity: 2, ULP: 4, TrueULP: 2, Loops: real2(arctan2)}, // the angle of the point (y, x), y first
	{Name: "sinh", Arity: 1, ULP: 3, TrueULP: 2, Loops: real1(sinh)},
	{Name: "cosh", Arity: 1, ULP: 3, TrueULP: 1.75, Loops: real1(cosh)},
	{Name: "tanh", Arity: 1, ULP: 3, TrueULP: 2, Loops: real1(math.Tanh)},
	{Name: "arcsinh", Arity: 1, ULP: 2, TrueULP: 1.75, Loops: real1(math.Asinh)},
	{Name: "arccosh", Arity: 1, ULP: 2, TrueULP: 1.75, Loops: real1(math.Acosh)},
	{Name: "arctanh", Arity: 1, ULP: 2, TrueULP: 2, Loops: real1(math.Atanh)},
	{Name: "deg2rad", Arity: 1, Loops: real1(radians)},                                // x * pi/180
	{Name: "rad2deg", Arity: 1, Loops: real1(degrees)},                                // x * 180/pi
	{Name: "sigmoid", Arity: 1, ULP: 2, TrueULP: 2, Loops: real1(sigmoid)},            // 1 / (1 + exp(-x))
	{Name: "softplus", Arity: 1, ULP: 2, TrueULP: 2, Loops: real1(softplus)},          // log(1 + exp(x))
	{Name: "softsign", Arity: 1, Loops: floats(softsign[float32], softsign[float64])}, // x / (1 + |x|)
	{Name: "erf", Arity: 1, ULP: 2, TrueULP: 1.75, Loops: real1(math.Erf)},
	{Name: "erfc", Arity: 1, ULP: 2, TrueULP: 2, Loops: real1(math.Erfc)}, // 1 - erf(x)

	// Special functions: see package special.
	{Name: "gamma", Arity: 1, ULP: 4, TrueULP: 4, Loops: real1(special.Gamma)},                      // (x-1)!
	{Name: "gammaln", Arity: 1, ULP: 4, TrueULP: 2, Zeros: true, Loops: real1(special.Gammaln)},     // log(|gamma(x)|)
	{Name: "digamma", Arity: 1, ULP: 4, TrueULP: 2, Zeros: true, Loops: real1(special.Digamma)},     // the derivative of log(gamma(x))
	{Name: "tri_gamma", Arity: 1, ULP: 4, TrueULP: 3.5, Loops: real1(special.Trigamma)},             // the derivative of digamma
	{Name: "polygamma", Arity: 2, ULP: 8, TrueULP: 4, Zeros: true, Loops: real2(special.Polygamma)}, // the derivative of order x of digamma at y
	{Name: "erfinv", Arity: 1, ULP: 4, TrueULP: 2, Loops: real1(special.Erfinv)},                    // the inverse of erf
	{Name: "erfcinv", Arity: 1, ULP: 4, TrueULP: 2, Loops: real1(special.Erfcinv)},                  // the inverse of erfc
	{Name: "erfcx", Arity: 1, ULP: 4, TrueULP: 2, Loops: real1(special.Erfcx)},                      // exp(x*x) * erfc(x)
	{Name: "gammainc", Arity: 2, ULP: 8, TrueULP: 400, Loops: real2(special.Gammainc)},              // the lower incomplete gamma function
	{Name: "gammaincc", Arity: 2, ULP: 8, TrueULP: 400, Loops: real2(special.Gammaincc)},            // the upper one
	{Name: "betainc", Arity: 3, ULP: 8, TrueULP: 400, Loops: real3(special.Betainc)},                // the incomplete beta function
	{Name: "gammaincinv", Arity: 2, ULP: 8, TrueULP: 400, Loops: real2(special.Gammaincinv)},        // the inverse of gammainc
	{Name: "gammainccinv", Arity: 2, ULP: 8, TrueULP: 400, Loops: real2(special.Gammainccinv)},      // the inverse of gammaincc
	{Name: "betaincinv", Arity: 3, ULP: 8, TrueULP: 400, Loops: real3(special.Betaincinv)},          // the inverse of betainc
	{Name: "ndtri_exp", Arity: 1, ULP: 4, TrueULP: 8, Loops: real1(special.NdtriExp)},               // where the normal distribution function is exp(x)
	{Name: "owens_t", Arity: 2, ULP: 8, TrueULP: 24, Loops: real2(special.OwensT)},                  // Owen's T function
	{Name: "hyp2f1", Arity: 4, ULP: 8, TrueULP: 1000, Zeros: true, Loops: real4(special.Hyp2f1)},    // Gauss's hypergeometric function
	{Name: "hyp2f1_a", Arity: 4, ULP: 8, TrueULP: 500, Zeros: true, Loops: real4(special.Hyp2f1A)},  // its derivative with respect to a
	{Name: "hyp2f1_c", Arity: 4, ULP: 8, TrueULP: 128, Zeros: true, Loops: real4(special.Hyp2f1C)},  // and to c
	{Name: "i0", Arity: 1, ULP: 4, TrueULP: 3, Loops: real1(special.I0)},                            // modified Bessel functions of the first kind
	{Name: "i1", Arity: 1, ULP: 4, TrueULP: 3, Loops: real1(special.I1)},
	{Name: "iv", Arity: 2, ULP: 8, TrueULP: 40, Zeros: true, Loops: real2(special.Iv)},   // of order x at y
	{Name: "ive", Arity: 2, ULP: 8, TrueULP: 40, Zeros: true, Loops: real2(special.Ive)}, // exp(-|y|) times it
	{Name: "kv", Arity: 2, ULP: 8, TrueULP: 8, Loops: real2(special.Kv)},                 // modified Bessel functions of the second kind
	{Name: "kve", Arity: 2, ULP: 8, TrueULP: 10, Loops: real2(special.Kve)},              // exp(y) times it
	{Name: "j0", Arity: 1, ULP: 4, TrueULP: 2, Zeros: true, Loops: real1(special.J0)},    // Bessel functions of the first kind
	{Name: "j1", Arity: 1, ULP: 4, TrueULP: 2, Zeros: true, Loops: real1(special.J1)},
	{Name: "jv", Arity: 2, ULP: 8, TrueULP: 16, Zeros: true, Loops: real2(special.Jv)}, // of order x at y
	{Name: "xlogy", Arity: 2, ULP: 2, TrueULP: 2, Loops: real2(xLogY)},                 // x * log(y), 0 where x is
	{Name: "xlog1py", Arity: 2, ULP: 2, TrueULP: 2, Loops: real2(xLog1pY)},             // x * log(1 + y), 0 where x is

	// Whole numbers, signs and neighbours.
	{Name: "ceil", Arity: 1, Loops: real1(math.Ceil)},
	{Name: "floor", Arity: 1, Loops: real1(math.Floor)},
	{Name: "trunc", Arity: 1, Loops: real1(math.Trunc)},
	{Name: "round", Arity: 1, Loops: real1(math.RoundToEven)}, // the nearest whole number, from halfway the even one
	{Name: "round_half_away_from_zero", Arity: 1, Loops: real1(math.Round)},
	{Name: "nextafter", Arity: 2, Loops: floats(nextafter[float32], nextafter[float64])}, // the next number of the type from x towards y; y if they are equal
	{Name: "spacing", Arity: 1, Loops: floats(spacing[float32], spacing[float64])},       // the distance to the next number of the type, away from 0
	{Name: "signbit", Arity: 1, Bool: true, Loops: test(math.Signbit)},                   // whether x has a minus, also -0 and NaN
	{Name: "isnan", Arity: 1, Bool: true, Loops: test(math.IsNaN)},
	{Name: "isinf", Arity: 1, Bool: true, Loops: test(isInf)},
}
