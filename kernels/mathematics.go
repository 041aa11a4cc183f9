package kernels

import (
	"math"
	"unsafe"
)

// Functions of real numbers. The float32 loops round the float64 function.
var (
	Sqrt  = real1(math.Sqrt)
	Exp   = real1(exp)
	Exp2  = real1(math.Exp2)
	Expm1 = real1(math.Expm1)
	Log   = real1(log)
	Log2  = real1(math.Log2)
	Log10 = real1(log10)
	Log1p = real1(math.Log1p)

	Sin    = real1(math.Sin)
	Cos    = real1(math.Cos)
	Tan    = real1(math.Tan)
	Arcsin = real1(math.Asin)
	Arccos = real1(arccos)
	Arctan = real1(math.Atan)
	Sinh   = real1(sinh)
	Cosh   = real1(cosh)
	Tanh   = real1(math.Tanh)
	// Arctan2 is the angle of the point (y, x), y first.
	Arctan2 = floats(real2[float32](arctan2), real2[float64](arctan2))

	Erf = real1(math.Erf)
	// Sigmoid is 1 / (1 + exp(-x)).
	Sigmoid = real1(sigmoid)
	// Softplus is log(1 + exp(x)).
	Softplus = real1(softplus)

	Ceil  = real1(math.Ceil)
	Floor = real1(math.Floor)
	Trunc = real1(math.Trunc)
	// Round goes to the nearest whole number, from halfway to the even one.
	Round = real1(math.RoundToEven)

	// IsNaN and IsInf give Bool.
	IsNaN = floats(test[float32](math.IsNaN), test[float64](math.IsNaN))
	IsInf = floats(test[float32](isInf), test[float64](isInf))
)

// Some functions of package math need help, on amd64 or everywhere (Go 1.26): Exp overflows from
// 709.09 instead of 709.78, and Sinh and Cosh with it; Log takes subnormal numbers for normal ones,
// and Log10 and Pow with it; Acos is a difference that cancels next to 1; Atan2 loses the sign of a
// quotient that underflows.

const smallestNormal = 0x1p-1022

func exp(x float64) float64 {
	if x > 709 {
		return math.Exp(x-1) * math.E
	}
	return math.Exp(x)
}

func log(x float64) float64 {
	if 0 < x && x < smallestNormal {
		return math.Log(x*0x1p52) - 52*math.Ln2
	}
	return math.Log(x)
}

func log10(x float64) float64 {
	if 0 < x && x < smallestNormal {
		return math.Log10(x*0x1p52) - 52*(math.Ln2/math.Ln10)
	}
	return math.Log10(x)
}

func power(x, y float64) float64 {
	if x != 0 && math.Abs(x) < smallestNormal {
		return math.Pow(x*0x1p52, y) * math.Pow(0x1p-52, y)
	}
	return math.Pow(x, y)
}

func arctan2(y, x float64) float64 { return math.Copysign(math.Atan2(y, x), y) }

func sinh(x float64) float64 {
	if a := math.Abs(x); a > 709 {
		return math.Copysign(halfExp(a), x)
	}
	return math.Sinh(x)
}

func cosh(x float64) float64 {
	if a := math.Abs(x); a > 709 {
		return halfExp(a)
	}
	return math.Cosh(x)
}

// halfExp is exp(x) / 2, also where exp(x) is too large.
func halfExp(x float64) float64 {
	e := math.Exp(x / 2)
	return 0.5 * e * e
}

func arccos(x float64) float64 {
	return 2 * math.Atan2(math.Sqrt(1-x), math.Sqrt(1+x))
}

// sigmoid never takes the exponential of a positive number, so that it does not overflow.
func sigmoid(x float64) float64 {
	if x >= 0 {
		return 1 / (1 + math.Exp(-x))
	}
	e := math.Exp(x)
	return e / (1 + e)
}

func softplus(x float64) float64 {
	if x > 0 {
		return x + math.Log1p(math.Exp(-x))
	}
	return math.Log1p(math.Exp(x))
}

func isInf(x float64) bool { return math.IsInf(x, 0) }

// real1 makes the loops of f: these functions cost ten times a call through f.
func real1(f func(float64) float64) Loops {
	return floats(real1Of[float32](f), real1Of[float64](f))
}

func real1Of[T float](f func(float64) float64) Loop {
	return func(n int, dst unsafe.Pointer, src *[MaxArgs]unsafe.Pointer) {
		z, x := one[T, T](n, dst, src)
		for i := range z {
			z[i] = T(f(float64(x[i])))
		}
	}
}

func real2[T float](f func(x, y float64) float64) Loop {
	return func(n int, dst unsafe.Pointer, src *[MaxArgs]unsafe.Pointer) {
		z, x, y := two[T, T](n, dst, src)
		for i := range z {
			z[i] = T(f(float64(x[i]), float64(y[i])))
		}
	}
}

func test[T float](f func(float64) bool) Loop {
	return func(n int, dst unsafe.Pointer, src *[MaxArgs]unsafe.Pointer) {
		z, x := one[uint8, T](n, dst, src)
		for i := range z {
			z[i] = truth(f(float64(x[i])))
		}
	}
}
