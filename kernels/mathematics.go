package kernels

import (
	"math"
	"unsafe"
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

// log1mexp takes the logarithm of what does not cancel: exp(x) is near 1 above log(1/2), and near 0
// below.
func log1mexp(x float64) float64 {
	if x < -math.Ln2 {
		return math.Log1p(-math.Exp(x))
	}
	return log(-math.Expm1(x))
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

func radians(x float64) float64 { return x * (math.Pi / 180) }
func degrees(x float64) float64 { return x * (180 / math.Pi) }

// softsign is computed in T: the float32 of float64's is another number.
func softsign[T float](n int, dst unsafe.Pointer, src *[MaxArgs]unsafe.Pointer) {
	z, x := one[T, T](n, dst, src)
	for i, v := range x {
		z[i] = v / (1 + T(math.Abs(float64(v))))
	}
}

// xLogY is x*log(y), and 0 where x is, whatever y is but NaN.
func xLogY(x, y float64) float64 {
	if x == 0 && y == y {
		return 0
	}
	return x * log(y)
}

// xLog1pY is x*log(1+y), and 0 where x is.
func xLog1pY(x, y float64) float64 {
	if x == 0 && y == y {
		return 0
	}
	return x * math.Log1p(y)
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

// real2 is real1 of two operands.
func real2(f func(x, y float64) float64) Loops {
	return floats(real2Of[float32](f), real2Of[float64](f))
}

func real2Of[T float](f func(x, y float64) float64) Loop {
	return func(n int, dst unsafe.Pointer, src *[MaxArgs]unsafe.Pointer) {
		z, x, y := two[T, T](n, dst, src)
		for i := range z {
			z[i] = T(f(float64(x[i]), float64(y[i])))
		}
	}
}

// real3 is real1 of three operands.
func real3(f func(x, y, w float64) float64) Loops {
	return floats(real3Of[float32](f), real3Of[float64](f))
}

func real3Of[T float](f func(x, y, w float64) float64) Loop {
	return func(n int, dst unsafe.Pointer, src *[MaxArgs]unsafe.Pointer) {
		z, x, y := two[T, T](n, dst, src)
		w := unsafe.Slice((*T)(src[2]), n)
		for i := range z {
			z[i] = T(f(float64(x[i]), float64(y[i]), float64(w[i])))
		}
	}
}

// real4 is real1 of four operands.
func real4(f func(x, y, w, v float64) float64) Loops {
	return floats(real4Of[float32](f), real4Of[float64](f))
}

func real4Of[T float](f func(x, y, w, v float64) float64) Loop {
	return func(n int, dst unsafe.Pointer, src *[MaxArgs]unsafe.Pointer) {
		z, x, y := two[T, T](n, dst, src)
		w, v := vec[T](src[2], n), vec[T](src[3], n)
		for i := range z {
			z[i] = T(f(float64(x[i]), float64(y[i]), float64(w[i]), float64(v[i])))
		}
	}
}

// test makes the loops of a predicate.
func test(f func(float64) bool) Loops {
	return floats(testOf[float32](f), testOf[float64](f))
}

func testOf[T float](f func(float64) bool) Loop {
	return func(n int, dst unsafe.Pointer, src *[MaxArgs]unsafe.Pointer) {
		z, x := one[uint8, T](n, dst, src)
		for i := range z {
			z[i] = truth(f(float64(x[i])))
		}
	}
}
