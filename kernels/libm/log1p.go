package libm

import "math"

const sunLn2Hi, sunLn2Lo = 0x1.62e42feep-1, 0x1.a39ef35793c76p-33 // ln 2; the high part times an exponent is exact

// Log1p is log(1+x) by the formula of Sun's fdlibm (1993): 1+x = 2**k (1+f), and log(1+f) = f -
// f²/2 + s (f²/2 + R(s²)) for s = f/(2+f). The coefficients of the polynomial R, close to those of
// its series 2/3, 2/5, 2/7, ..., are fdlibm's constants and not derived.
func Log1p(x float64) float64 {
	if !(-1 < x && x < math.Inf(1)) {
		return math.Log1p(x)
	}
	if math.Abs(x) < 0x1p-29 {
		if math.Abs(x) < 0x1p-54 {
			return x
		}
		return math.FMA(-0.5, float64(x*x), x)
	}
	const mantissa = 1<<20 - 1 // the part of it that is in the high word
	f, c, k := x, 0.0, 0.0
	rest := uint64(1)                                                                        // |f|, coarsely
	if high := math.Float64bits(x) >> 32; high > 0xbfd2bec3 || x > 0 && high >= 0x3fda827a { // outside of √½-1 to √2-1
		u := x
		if x < 0x1p53 {
			u = 1 + x
			if c = (x - (u - 1)) / u; u >= 2 {
				c = (1 - (u - x)) / u
			}
		}
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
	low := math.FMA(k, sunLn2Lo, c)
	if rest == 0 {
		if f == 0 {
			return math.FMA(k, sunLn2Hi, low)
		}
		r := float64(half * math.FMA(-2./3, f, 1))
		return math.FMA(k, sunLn2Hi, -((r - low) - f))
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
	return math.FMA(k, sunLn2Hi, -((half - (last + low)) - f))
}

// Log1p32 is log1p of float32, whose arithmetic nobody fuses.
func Log1p32(x float32) float32 {
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

// Expm1 is exp(x)-1 by the formula of Sun's fdlibm (1993): x = k ln 2 + r, and exp(r)-1 by a
// rational function of r², whose coefficients are fdlibm's constants and not derived.
func Expm1(x float64) float64 {
	high := uint32(math.Float64bits(x)>>32) &^ (1 << 31) // the high word of |x|
	switch {
	case x != x || x > 709.782712893384:
		return math.Expm1(x)
	case high > 0x40436879 && x < 0: // 56 ln 2
		return -1
	case high < 0x3c900000: // 2**-54
		return x
	}
	k, hi, lo, c := 0, x, 0.0, 0.0
	if high > 0x3fd62e42 { // ½ ln 2
		if high <= 0x3ff0a2b1 { // 1½ ln 2
			k = 1
		} else {
			k = int(float64(1/math.Ln2*math.Abs(x)) + 0.5)
		}
		if x < 0 {
			k = -k
		}
		hi = math.FMA(float64(-k), sunLn2Hi, x)
		lo = float64(float64(k) * sunLn2Lo)
		x = hi - lo
		c = (hi - x) - lo
	}
	half := float64(0.5 * x)
	z := float64(x * half)
	z2 := float64(z * z)
	r := math.FMA(z, -3.33333333333331316428e-02, 1)
	r = math.FMA(z2, math.FMA(z, -7.93650757867487942473e-05, 1.58730158725481460165e-03), r)
	r = math.FMA(float64(z2*z2), math.FMA(z, -2.01099218183624371326e-07, 4.00821782732936239552e-06), r)
	t := math.FMA(-r, half, 3)
	e := float64((r - t) / math.FMA(-x, t, 6) * z)
	if k == 0 {
		return x - math.FMA(e, x, -z)
	}
	e = math.FMA(e-c, x, -c) - z
	switch {
	case k == -1:
		return math.FMA(x-e, 0.5, -0.5)
	case k == 1 && x < -0.25:
		return -2 * (e - (x + 0.5))
	case k == 1:
		return math.FMA(x-e, 2, 1)
	case k < -1 || k > 56:
		return timesPower(1-(e-x), k) - 1
	case k < 20:
		return timesPower(1-math.Ldexp(1, -k)-(e-x), k)
	}
	return timesPower(x-(e+math.Ldexp(1, -k))+1, k)
}

// timesPower is x times 2**k, where both are normal numbers.
func timesPower(x float64, k int) float64 {
	return math.Float64frombits(math.Float64bits(x) + uint64(k)<<52)
}
