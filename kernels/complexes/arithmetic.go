package complexes

import (
	"math"

	"github.com/arignote/arignote/kernels/libm"
)

// Mul is x * y: the four products, of which an infinite factor may make nan, as in C.
func Mul(x, y complex128) complex128 {
	a, b, c, d := real(x), imag(x), real(y), imag(y)
	return complex(float64(a*c)-float64(b*d), float64(a*d)+float64(b*c))
}

// Div is x / y by Smith's algorithm, as NumPy's loops compute it: by zero it is inf or nan.
func Div(x, y complex128) complex128 {
	a, b, c, d := real(x), imag(x), real(y), imag(y)
	if math.Abs(c) >= math.Abs(d) {
		if c == 0 && d == 0 {
			return complex(a/math.Abs(c), b/math.Abs(c))
		}
		ratio := d / c
		scale := 1 / (c + float64(d*ratio))
		return complex((a+float64(b*ratio))*scale, (b-float64(a*ratio))*scale)
	}
	ratio := c / d
	scale := 1 / (d + float64(c*ratio))
	return complex((float64(a*ratio)+b)*scale, (float64(b*ratio)-a)*scale)
}

// Quotient is x / y as CPython computes it; ok is false for y = 0.
func Quotient(x, y complex128) (z complex128, ok bool) {
	a, b, c, d := real(x), imag(x), real(y), imag(y)
	switch {
	case math.Abs(c) >= math.Abs(d):
		if c == 0 {
			return 0, false
		}
		ratio := d / c
		denominator := c + float64(d*ratio)
		return complex((a+float64(b*ratio))/denominator, (b-float64(a*ratio))/denominator), true
	case math.Abs(d) >= math.Abs(c):
		ratio := c / d
		denominator := float64(c*ratio) + d
		return complex((float64(a*ratio)+b)/denominator, (float64(b*ratio)-a)/denominator), true
	}
	return complex(math.NaN(), math.NaN()), true
}

// Abs is the absolute value, which does not overflow on the way.
func Abs(x complex128) float64 { return Hypot(real(x), imag(x)) }

// Hypot is the square root of x^2 + y^2, of which the last digit is nearly always the right one:
// C. F. Borges, An improved algorithm for hypot(a, b), 2019.
func Hypot(x, y float64) float64 {
	x, y = math.Abs(x), math.Abs(y)
	switch {
	case math.IsInf(x, 0) || math.IsInf(y, 0):
		return math.Inf(1)
	case x != x || y != y:
		return math.NaN()
	}
	if x < y {
		x, y = y, x
	}
	const tiny, huge, scale = 0x1p-459, 0x1p511, 0x1p600
	switch {
	case y <= x*0x1p-54:
		return x + y
	case x > huge:
		return corrected(x/scale, y/scale) * scale
	case y < tiny:
		return corrected(x*scale, y*scale) / scale
	}
	return corrected(x, y)
}

// corrected is the square root of x^2 + y^2 with what was rounded off put back, for x >= y > 0.
func corrected(x, y float64) float64 {
	h := math.Sqrt(math.FMA(x, x, float64(y*y)))
	hh, xx := float64(h*h), float64(x*x)
	off := math.FMA(-y, y, hh-xx) + math.FMA(h, h, -hh) - math.FMA(x, x, -xx)
	return h - off/(2*h)
}

// Phase is the angle of x in the complex plane, from -pi to pi.
func Phase(x complex128) float64 { return math.Atan2(imag(x), real(x)) }

// Conj is the conjugate of x.
func Conj(x complex128) complex128 { return complex(real(x), -imag(x)) }

// IsFinite reports whether neither part of x is infinite or nan.
func IsFinite(x complex128) bool { return finite(real(x)) && finite(imag(x)) }

func finite(x float64) bool { return x-x == 0 }

// polarPower is x to the power y of x that is not 0, by its polar form.
func polarPower(x, y complex128) complex128 {
	size, angle := Abs(x), Phase(x)
	length, phase := libm.Pow(size, real(y)), angle*real(y)
	if imag(y) != 0 {
		length /= libm.Exp(angle * imag(y))
		phase += float64(imag(y) * libm.Log(size))
	}
	sin, cos := math.Sincos(phase)
	if size := math.Abs(phase); size <= 2*math.Pi { // where it is that of the C library
		sin, cos = libm.SinCos(size)
		sin = math.Copysign(1, phase) * sin
	}
	return complex(length*cos, length*sin)
}

// whole is x to the power n >= 0 by squaring, from the lowest digit of n on.
func whole(x complex128, n int) complex128 {
	z := complex128(1)
	for ; n > 0; n >>= 1 {
		if n&1 != 0 {
			z = Mul(z, x)
		}
		x = Mul(x, x)
	}
	return z
}

// Power is x to the power y as CPython computes it: zero is false for a power of 0 that divides by
// it, overflow where the result is infinite though x and y are not.
func Power(x, y complex128) (z complex128, zero, overflow bool) {
	const few = 100
	switch n := real(y); {
	case imag(y) == 0 && n == math.Floor(n) && math.Abs(n) <= few:
		if n > 0 {
			z = whole(x, int(n))
			break
		}
		var ok bool
		if z, ok = Quotient(1, whole(x, int(-n))); !ok {
			return 0, true, false
		}
	case x == 0:
		return 0, imag(y) != 0 || n < 0, false
	default:
		z = polarPower(x, y)
	}
	infinite := math.IsInf(real(z), 0) || math.IsInf(imag(z), 0)
	return z, false, infinite
}

// Pow is x to the power y as NumPy computes it: nan for a power of 0 that divides by it.
func Pow(x, y complex128) complex128 {
	const few = 100
	switch n := real(y); {
	case y == 0:
		return 1
	case x == 0 && n > 0 && imag(y) == 0:
		return 0
	case x == 0:
		return complex(math.NaN(), math.NaN())
	case imag(y) == 0 && n == math.Trunc(n) && math.Abs(n) < few:
		switch n {
		case 1:
			return x
		case 2:
			return Mul(x, x)
		case 3:
			return Mul(x, Mul(x, x))
		}
		z := whole(x, int(math.Abs(n)))
		if n < 0 {
			z = Div(1, z)
		}
		return z
	}
	return Exp(Mul(y, Log(x)))
}
