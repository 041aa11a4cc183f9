package complexes

import (
	"math"
	"math/cmplx"
)

// The functions of one number have the values of C99 at infinities and nan, which are those of
// package cmplx. Branch cuts are continuous with the side that the sign of a zero says. Inverse
// functions are by W. Kahan, Branch cuts for complex elementary functions, 1987.

// Exp is the exponential function.
func Exp(x complex128) complex128 {
	if imag(x) == 0 { // which an infinite factor does not make nan
		return complex(math.Exp(real(x)), imag(x))
	}
	return cmplx.Exp(x)
}

// Log is the natural logarithm. Near the unit circle the real part is that of |x|^2 - 1, which is
// exact where the logarithm of |x| has lost its digits.
func Log(x complex128) complex128 {
	if !IsFinite(x) || x == 0 {
		return cmplx.Log(x)
	}
	a, b := math.Abs(real(x)), math.Abs(imag(x))
	if a < b {
		a, b = b, a
	}
	const low, high = 0.5, 2
	size := math.Hypot(a, b)
	if low < size && size < high {
		return complex(math.Log1p(math.FMA(a-1, a+1, b*b))/2, Phase(x))
	}
	if size < math.SmallestNonzeroFloat64*(1<<60) || size > math.MaxFloat64/2 {
		// |x| loses digits, or overflows.
		const shift = 1 << 10
		if size > 1 {
			return complex(math.Log(math.Hypot(a/shift, b/shift))+10*math.Ln2, Phase(x))
		}
		return complex(math.Log(math.Hypot(math.Ldexp(a, 200), math.Ldexp(b, 200)))-200*math.Ln2, Phase(x))
	}
	return complex(math.Log(size), Phase(x))
}

// Log10 is the logarithm to the base 10.
func Log10(x complex128) complex128 { return scaled(Log(x), math.Log10E) }

// Log2 is the logarithm to the base 2.
func Log2(x complex128) complex128 { return scaled(Log(x), math.Log2E) }

func scaled(x complex128, by float64) complex128 { return complex(real(x)*by, imag(x)*by) }

// Log1p is the logarithm of 1 + x.
func Log1p(x complex128) complex128 { return Log(complex(1+real(x), imag(x))) }

// Exp2 is 2 to the power x.
func Exp2(x complex128) complex128 { return Exp(scaled(x, math.Ln2)) }

// Expm1 is exp(x) - 1.
func Expm1(x complex128) complex128 {
	half := math.Sin(imag(x) / 2)
	return complex(math.Expm1(real(x))*math.Cos(imag(x))-2*half*half, math.Exp(real(x))*math.Sin(imag(x)))
}

// Sqrt is the square root whose real part is not negative.
func Sqrt(x complex128) complex128 {
	if math.IsNaN(real(x)) && !math.IsInf(imag(x), 0) {
		return complex(math.NaN(), math.NaN())
	}
	return cmplx.Sqrt(x)
}

// Square is x * x.
func Square(x complex128) complex128 {
	a, b := real(x), imag(x)
	return complex(float64(a*a)-float64(b*b), float64(a*b)+float64(b*a))
}

// Reciprocal is 1 / x as NumPy computes it.
func Reciprocal(x complex128) complex128 {
	a, b := real(x), imag(x)
	if math.Abs(b) <= math.Abs(a) {
		ratio := b / a
		scale := a + float64(b*ratio)
		return complex(1/scale, -ratio/scale)
	}
	ratio := a / b
	scale := float64(a*ratio) + b
	return complex(ratio/scale, -1/scale)
}

// Sign is the sign of the real part, or of the imaginary part where that is 0, as NumPy 1 has it.
func Sign(x complex128) complex128 {
	switch {
	case math.IsNaN(real(x)) || math.IsNaN(imag(x)):
		return complex(math.NaN(), 0)
	case real(x) != 0:
		return complex(math.Copysign(1, real(x)), 0)
	case imag(x) != 0:
		return complex(math.Copysign(1, imag(x)), 0)
	}
	return 0
}

func turned(x complex128) complex128   { return complex(-imag(x), real(x)) } // i * x
func unturned(x complex128) complex128 { return complex(imag(x), -real(x)) } // x / i

// Sinh is the hyperbolic sine.
func Sinh(x complex128) complex128 {
	if imag(x) == 0 {
		return complex(math.Sinh(real(x)), imag(x))
	}
	return cmplx.Sinh(x)
}

// Cosh is the hyperbolic cosine.
func Cosh(x complex128) complex128 {
	if imag(x) == 0 {
		return complex(math.Cosh(real(x)), imag(x)*math.Copysign(1, real(x)))
	}
	return cmplx.Cosh(x)
}

// Tanh is the hyperbolic tangent. By W. Kahan: no part of it overflows.
func Tanh(x complex128) complex128 {
	const far = 20 // where the real part is 1 to the last digit
	a, b := real(x), imag(x)
	switch {
	case a == 0 && !finite(b):
		return complex(a, math.NaN())
	case !IsFinite(x):
		return cmplx.Tanh(x)
	}
	if math.Abs(a) > far {
		decay := math.Exp(-math.Abs(a))
		return complex(math.Copysign(1, a), 4*math.Sin(b)*math.Cos(b)*decay*decay)
	}
	tan, th := math.Tan(b), math.Tanh(a)
	sech := 1 / math.Cosh(a)
	denominator := 1 + tan*tan*th*th
	return complex(th*(1+tan*tan)/denominator, (tan/denominator)*sech*sech)
}

// Sin is the sine.
func Sin(x complex128) complex128 { return unturned(Sinh(turned(x))) }

// Cos is the cosine.
func Cos(x complex128) complex128 { return Cosh(turned(x)) }

// Tan is the tangent.
func Tan(x complex128) complex128 { return unturned(Tanh(turned(x))) }

const large = math.MaxFloat64 / 4

func isLarge(x complex128) bool { return math.Abs(real(x)) > large || math.Abs(imag(x)) > large }

// logLarge is the logarithm of twice the absolute value of what is too large to be doubled.
func logLarge(x complex128) float64 { return math.Log(math.Hypot(real(x)/2, imag(x)/2)) + 2*math.Ln2 }

// Acos is the arc cosine.
func Acos(x complex128) complex128 {
	switch {
	case !IsFinite(x):
		return cmplx.Acos(x)
	case isLarge(x):
		return complex(math.Atan2(math.Abs(imag(x)), real(x)), -math.Copysign(logLarge(x), imag(x)))
	}
	p, q := Sqrt(complex(1-real(x), -imag(x))), Sqrt(complex(1+real(x), imag(x)))
	return complex(2*math.Atan2(real(p), real(q)), math.Asinh(real(q)*imag(p)-imag(q)*real(p)))
}

// Acosh is the inverse hyperbolic cosine.
func Acosh(x complex128) complex128 {
	switch {
	case real(x) == 0 && math.IsNaN(imag(x)):
		return complex(math.NaN(), math.Pi/2)
	case !IsFinite(x):
		return cmplx.Acosh(x)
	case isLarge(x):
		return complex(logLarge(x), Phase(x))
	}
	p, q := Sqrt(complex(real(x)-1, imag(x))), Sqrt(complex(real(x)+1, imag(x)))
	return complex(math.Asinh(real(p)*real(q)+imag(p)*imag(q)), 2*math.Atan2(imag(p), real(q)))
}

// Asinh is the inverse hyperbolic sine.
func Asinh(x complex128) complex128 {
	switch {
	case !IsFinite(x):
		return cmplx.Asinh(x)
	case isLarge(x):
		return complex(math.Copysign(logLarge(x), real(x)), math.Atan2(imag(x), math.Abs(real(x))))
	}
	p, q := Sqrt(complex(1+imag(x), -real(x))), Sqrt(complex(1-imag(x), real(x)))
	return complex(math.Asinh(real(p)*imag(q)-real(q)*imag(p)), math.Atan2(imag(x), real(p)*real(q)-imag(p)*imag(q)))
}

// Asin is the arc sine.
func Asin(x complex128) complex128 { return unturned(Asinh(turned(x))) }

// Atanh is the inverse hyperbolic tangent.
func Atanh(x complex128) complex128 {
	if !IsFinite(x) {
		return cmplx.Atanh(x)
	}
	if math.Signbit(real(x)) {
		z := Atanh(-x)
		return -z
	}
	a, b := real(x), math.Abs(imag(x))
	const far, near = 1 << 510, 0x1p-511
	switch {
	case a > far || b > far:
		size := math.Hypot(a/2, b/2)
		return complex(a/4/size/size, -math.Copysign(math.Pi/2, -imag(x)))
	case a == 1 && b == 0:
		return complex(math.Inf(1), imag(x))
	case a == 1 && b < near:
		return complex(-math.Log(math.Sqrt(b)/math.Sqrt(math.Hypot(b, 2))), math.Copysign(math.Atan2(2, -b)/2, imag(x)))
	}
	return complex(math.Log1p(4*a/((1-a)*(1-a)+b*b))/4, -math.Atan2(-2*imag(x), (1-a)*(1+a)-b*b)/2)
}

// Atan is the arc tangent.
func Atan(x complex128) complex128 { return unturned(Atanh(turned(x))) }
