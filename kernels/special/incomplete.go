package special

import (
	"math"

	"github.com/arignote/arignote/kernels/libm"
)

// Gammainc is the regularized lower incomplete gamma function, the integral of t**(a-1) exp(-t)
// from 0 to x over gamma(a), for a and x from 0 on.
func Gammainc(a, x float64) float64 {
	p, _ := incompleteGamma(a, x)
	return p
}

// Gammaincc is the upper one, 1 - gammainc(a, x), accurate where that is small.
func Gammaincc(a, x float64) float64 {
	_, q := incompleteGamma(a, x)
	return q
}

// most is how many terms of a series or a continued fraction are taken at most.
const most = 20000

func incompleteGamma(a, x float64) (p, q float64) {
	switch {
	case !(a >= 0 && x >= 0) || a == 0 && x == 0 || a == inf && x == inf:
		return nan, nan
	case x == 0 || a == inf:
		return 0, 1
	case a == 0 || x == inf:
		return 1, 0
	}
	mu := (x - a) / a
	if a >= 50 && math.Abs(mu) < 0.4 {
		return temme(a, mu)
	}
	d := gammaPrefix(a, x, mu)
	if x < a+1 {
		p = d * gammaSeries(a, x)
		if p < 0.9 {
			return p, 1 - p
		}
		return p, gammaSmall(a, x)
	}
	q = d * a * gammaFraction(a, x)
	return 1 - q, q
}

// gammaPrefix is x**a exp(-x)/gamma(a+1).
func gammaPrefix(a, x, mu float64) float64 {
	if a < 20 {
		if x > 2000 {
			return 0
		}
		if x > 700 { // where exp(-x) has few digits or none
			half := libm.Exp(-0.5 * x)
			return libm.Pow(x, a) * half / gammaNext(a) * half
		}
		return libm.Pow(x, a) * libm.Exp(-x) / gammaNext(a)
	}
	return libm.Exp(-a*muLessLog(mu, x/a)) / (sqrt2Pi * math.Sqrt(a) * gammaScaled(a))
}

// muLessLog is mu - log(r), where r = 1+mu is known better where it is small: with s = mu/(2+mu)
// the logarithm is 2(s + s³/3 + s⁵/5 + ...), and mu - 2s is s mu.
func muLessLog(mu, r float64) float64 {
	if !(math.Abs(mu) < 0.5) {
		return mu - libm.Log(r)
	}
	s := mu / (2 + mu)
	z := s * s
	sum := 0.0
	for k := 33.0; k >= 3; k -= 2 {
		sum = float64(sum*z) + 1/k
	}
	return s*mu - 2*s*z*sum
}

// gammaSeries is the sum of x**n/((a+1)...(a+n)).
func gammaSeries(a, x float64) float64 {
	sum, term := 1.0, 1.0
	for n := 1.0; n < most && term > 0x1p-55*sum; n++ {
		term *= x / (a + n)
		sum += term
	}
	return sum
}

// gammaSmall is gammaincc for small a and x, where gammainc is almost 1: of the series of exp(-t)
// the first term is taken apart.
func gammaSmall(a, x float64) float64 {
	power := a*libm.Log(x) - logGammaSmall(a) // of x**a/gamma(1+a)
	sum, term := 0.0, 1.0
	for n := 1.0; n < 200 && math.Abs(term) > 0x1p-60; n++ {
		term *= -x / n
		sum += term / (a + n)
	}
	return -libm.Expm1(power) - libm.Exp(power)*a*sum
}

// logGammaSmall is log(gamma(1+a)) for a up to some units.
func logGammaSmall(a float64) float64 {
	if a < 0.5 {
		return gammalnOnePlus(a)
	}
	return Gammaln(1 + a)
}

// gammaFraction is exp(x) x**-a times the upper function, not regularized: 1/(x+1-a - 1(1-a)/(x+3-a
// - 2(2-a)/(x+5-a - ...))), from above.
func gammaFraction(a, x float64) float64 {
	b := x + 1 - a
	c, d := math.MaxFloat64, 1/b
	h := d
	for n := 1.0; n < most; n++ {
		t := -n * (n - a)
		b += 2
		d = 1 / (t*d + b)
		c = b + t/c
		step := c * d
		h *= step
		if math.Abs(step-1) < 0x1p-53 {
			break
		}
	}
	return h
}

// temme is both functions where a is large and x = a(1+mu) near it: erfc(eta sqrt(a/2))/2 and its
// complement, with a correction that is a series of 1/a and eta (Temme, 1979), where eta²/2 = mu -
// log(1+mu).
func temme(a, mu float64) (p, q float64) {
	half := muLessLog(mu, 1+mu)
	eta := math.Copysign(math.Sqrt(2*half), mu)
	e := libm.Exp(-a * half)
	sum, r := 0.0, 1/a
	for k := len(temmeRows) - 1; k >= 0; k-- {
		sum = float64(sum*r) + value(eta, temmeRows[k][:])
	}
	tail := 0.5 * e * Erfcx(math.Sqrt(a*half))
	more := e * sum / (sqrt2Pi * math.Sqrt(a))
	if mu >= 0 {
		q = tail + more
		return 1 - q, q
	}
	p = tail - more
	return p, 1 - p
}
