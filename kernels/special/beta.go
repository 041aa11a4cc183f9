package special

import (
	"math"

	"github.com/arignote/arignote/kernels/libm"
)

// Betainc is the regularized incomplete beta function, the integral of t**(a-1) (1-t)**(b-1) from 0
// to x over beta(a, b), for positive finite a and b and x from 0 to 1.
func Betainc(a, b, x float64) float64 {
	switch {
	case !(a > 0 && b > 0 && a < inf && b < inf && 0 <= x && x <= 1):
		return nan
	case x == 0 || x == 1:
		return x
	}
	return betaBoth(a, b, x, 1-x)
}

// betaBoth is betainc of x between 0 and 1, with y = 1-x.
func betaBoth(a, b, x, y float64) float64 {
	if x > (a+1)/(a+b+2) {
		return 1 - betaFraction(b, a, y, x)
	}
	return betaFraction(a, b, x, y)
}

// betaFraction is betainc for x up to its mean, with y = 1-x: a continued fraction, evaluated from
// above.
func betaFraction(a, b, x, y float64) float64 {
	prefix := betaPrefix(a, b, x, y)
	if prefix == 0 {
		return 0
	}
	h, c, d := 1.0, 1.0, 0.0
	for m := 0.0; m < most; m++ {
		if m > 0 {
			h, c, d = betaStep(m/(a+2*m-1)*((b-m)/(a+2*m))*x, h, c, d)
		}
		before := h
		h, c, d = betaStep(-((a+m)/(a+2*m))*((a+b+m)/(a+2*m+1))*x, h, c, d)
		if m > 0 && math.Abs(h-before) < 0x1p-53*h {
			break
		}
	}
	return prefix / h
}

// betaStep appends the numerator t to the continued fraction h = 1 + ... of which c and d are the
// last quotients.
func betaStep(t, h, c, d float64) (float64, float64, float64) {
	d = 1 / (1 + t*d)
	c = 1 + t/c
	return h * c * d, c, d
}

// betaPrefix is x**a y**b/(a beta(a, b)), without a difference of large logarithms where both a and
// b are large.
func betaPrefix(a, b, x, y float64) float64 {
	switch {
	case a >= 20 && b >= 20:
		n := a + b
		away := (x - a/n) - math.FMA(-a/n, n, a)/n // from the mean
		e := a*muLessLog(away*n/a, x/a*n) + b*muLessLog(-away*n/b, y/b*n)
		return libm.Exp(-e) * math.Sqrt(b/a) / (sqrt2Pi * math.Sqrt(n)) * gammaScaled(n) / (gammaScaled(a) * gammaScaled(b))
	case a < 20 && b < 20:
		return libm.Pow(x, a) * libm.Exp(b*logOf(x, y)) * Gamma(a+b) / (gammaNext(a) * Gamma(b))
	case a < 20:
		return libm.Exp(a*libm.Log(x)+b*logOf(x, y)+gammaRatio(b, a)) / gammaNext(a)
	}
	return libm.Exp(a*libm.Log(x)+b*logOf(x, y)+gammaRatio(a, b)) / (a * Gamma(b))
}

// logOf is log(y) for y = 1-x, of which the one is known better that is small.
func logOf(x, y float64) float64 {
	if x < 0.5 {
		return libm.Log1p(-x)
	}
	return libm.Log(y)
}

// gammaRatio is log(gamma(a+b)/gamma(a)) for a >= 20.
func gammaRatio(a, b float64) float64 {
	n := a + b
	return (a-0.5)*libm.Log1p(b/a) + b*(libm.Log(n)-1) + (stirling(n) - stirling(a))
}
