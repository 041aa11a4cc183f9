package random

import "math"

// NumPy computes with the C library, whose last bits published numbers depend on. This file is that library's, as far as it can be
// had. glibc's log, exp and pow (since 2.28) are within 0.52 ulp, so they are nearly always rounded correctly: here they always
// are, but for the rarest arguments, and differ from glibc's once in some thousand calls. Its log1p is Sun's, off by up to an ulp,
// with products fused where the processor can: here it is the same in every bit. For its expm1, Go's is near enough, which
// is Sun's as well.

// log is log x, correctly rounded.
func log(x float64) float64 {
	if !(x > 0) || x > math.MaxFloat64 {
		return math.Log(x)
	}
	return logDouble(x).hi
}

// exp is exp x, correctly rounded where the result is a normal number.
func exp(x float64) float64 {
	if !(math.Abs(x) < 708) {
		return math.Exp(x)
	}
	return expDouble(double{hi: x})
}

// pow is x to the power y, correctly rounded where x > 0 and the result is a normal number.
func pow(x, y float64) float64 {
	switch y {
	case 1:
		return x
	case 2:
		return x * x
	case -1:
		return 1 / x
	}
	if !(x > 0) || x > math.MaxFloat64 {
		return math.Pow(x, y)
	}
	z := logDouble(x).times(double{hi: y})
	if !(math.Abs(z.hi) < 708) {
		return math.Pow(x, y)
	}
	return expDouble(z)
}

const ln2Hi, ln2Lo = 0x1.62e42feep-1, 0x1.a39ef35793c76p-33 // ln 2; the high part times an exponent is exact

// log1p is log(1+x) for -1 < x <= 0, as Sun's: 1+x = 2**k (1+f), and log(1+f) = f - f²/2 + s (f²/2 + R(s²)) for s = f/(2+f).
func log1p(x float64) float64 {
	if x > -0x1p-29 {
		if x > -0x1p-54 {
			return x
		}
		return math.FMA(-0.5, float64(x*x), x)
	}
	const mantissa = 1<<20 - 1 // the part of it that is in the high word
	f, c, k := x, 0.0, 0.0
	rest := uint64(1) // |f|, coarsely
	if math.Float64bits(x)>>32 > 0xbfd2bec3 {
		u := 1 + x
		c = (x - (u - 1)) / u
		b := math.Float64bits(u)
		k = float64(int(b>>52) - 1023)
		rest = b >> 32 & mantissa
		if rest < 0x6a09e {
			b = b&(1<<52-1) | 1023<<52
		} else {
			k++
			b = b&(1<<52-1) | 1022<<52
			rest = (mantissa + 1 - rest) >> 2
		}
		f = math.Float64frombits(b) - 1
	}
	half := float64(float64(0.5*f) * f)
	low := math.FMA(k, ln2Lo, c)
	if rest == 0 {
		if f == 0 {
			return math.FMA(k, ln2Hi, low)
		}
		r := float64(half * math.FMA(-2./3, f, 1))
		return math.FMA(k, ln2Hi, -((r - low) - f))
	}
	s := f / (2 + f)
	z := float64(s * s)
	z2 := float64(z * z)
	z4 := float64(z2 * z2)
	r := math.FMA(z, 6.666666666666735130e-01, float64(z2*math.FMA(z, 2.857142874366239149e-01, 3.999999999940941908e-01)))
	r = math.FMA(z4, math.FMA(z, 1.818357216161805012e-01, 2.222219843214978396e-01), r)
	r = math.FMA(float64(z4*z2), math.FMA(z, 1.479819860511658591e-01, 1.531383769920937332e-01), r)
	last := float64(s * (half + r))
	if k == 0 {
		return f - (half - last)
	}
	return math.FMA(k, ln2Hi, -((half - (last + low)) - f))
}

// log1p32 is log1p of float32, whose arithmetic nobody fuses.
func log1p32(x float32) float32 {
	if x > -0x1p-15 {
		if x > -0x1p-24 {
			return x
		}
		return x - float32(float32(x*x)*0.5)
	}
	const mantissa = 1<<23 - 1
	f, c, k := x, float32(0), float32(0)
	rest := uint32(1)
	if math.Float32bits(x) > 0xbe95f61f {
		u := 1 + x
		c = (x - (u - 1)) / u
		b := math.Float32bits(u)
		k = float32(int(b>>23) - 127)
		rest = b & mantissa
		if rest < 0x3504f7 {
			b = rest | 127<<23
		} else {
			k++
			b = rest | 126<<23
			rest = (mantissa + 1 - rest) >> 2
		}
		f = math.Float32frombits(b) - 1
	}
	const ln2Hi, ln2Lo = 0x1.62e3p-1, 0x1.2fefa2p-17
	half := float32(float32(0.5*f) * f)
	low := float32(k*ln2Lo) + c
	if rest == 0 {
		if f == 0 {
			return float32(k*ln2Hi) + low
		}
		return float32(k*ln2Hi) - ((float32(half*(1-float32(2./3*f))) - low) - f)
	}
	s := f / (2 + f)
	z := float32(s * s)
	r := float32(1.4798198640e-01)
	for _, p := range [...]float32{1.5313838422e-01, 1.8183572590e-01, 2.2222198546e-01, 2.8571429849e-01,
		4.0000000596e-01, 6.6666668653e-01} {
		r = float32(r*z) + p
	}
	last := float32(s * (half + float32(z*r)))
	if k == 0 {
		return f - (half - last)
	}
	return float32(k*ln2Hi) - ((half - (last + low)) - f)
}

// cos is cos x for 0 <= x <= π, correctly rounded.
func cos(x float64) float64 { return cosDouble(x).hi }

// cosDouble is sin(π/2 - x), by its series.
func cosDouble(x float64) double {
	halfPi := double{math.Pi / 2, 6.123233995736766e-17}
	r := halfPi.plus(double{hi: -x})
	square := r.times(r).scaled(-1)
	sum := double{hi: 1}
	for k := 26; k > 0; k -= 2 {
		sum = sum.times(square).times(reciprocal(float64(k * (k + 1)))).plus(double{hi: 1})
	}
	return sum.times(r)
}

// acos is acos x, correctly rounded: Newton's steps from a good beginning.
func acos(x float64) float64 {
	y := math.Acos(x)
	if !(x > -1 && x < 1) {
		return y
	}
	slope := math.Sqrt((1 - x) * (1 + x))
	for range 2 {
		y += cosDouble(y).plus(double{hi: -x}).hi / slope
	}
	return y
}
