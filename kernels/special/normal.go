package special

import (
	"math"

	"github.com/arignote/arignote/kernels/libm"
)

const (
	ln2High = 0x1.62e42fefa39efp-1
	ln2Low  = 0x1.abc9e3b39803fp-56
)

// NdtriExp is y where the normal distribution function is exp(x): it has a value where exp(x) has
// none.
func NdtriExp(x float64) float64 {
	switch {
	case x != x || x > 0:
		return nan
	case x == -inf:
		return x
	case x > -0.28:
		return math.Sqrt2 * Erfcinv(-2*libm.Expm1(x))
	case x > -1.38:
		return math.Sqrt2 * Erfinv(libm.Expm1((x+ln2High)+ln2Low))
	}
	s := math.Sqrt(-(x + ln2High))
	if s < 28 {
		return -math.Sqrt2 * erfcinvRoot(s)
	}
	y := s // Newton's method for log(erfc(y)) = -s*s
	for range 4 {
		e := Erfcx(y)
		y -= ((y-s)*(y+s) - libm.Log(e)) * (0.5 * sqrtPi * e)
	}
	return -math.Sqrt2 * y
}

// OwensT is Owen's T function (1956): the integral of exp(-h*h*(1+x*x)/2)/(1+x*x) from 0 to a, over
// 2 pi.
func OwensT(h, a float64) float64 {
	b := math.Abs(a)
	h = math.Abs(h)
	switch {
	case h != h || a != a:
		return nan
	case h == 0:
		return math.Atan(a) / (2 * math.Pi)
	case h == inf:
		return math.Copysign(0, a)
	case b <= 1:
		return math.Copysign(owensNear(h, b), a)
	}
	// Above 1 it is that of 1/a, by what lies between.
	q := upperTail(h)
	if b == inf {
		return math.Copysign(0.5*q, a)
	}
	r := upperTail(b * h)
	return math.Copysign(0.5*(q+r)-q*r-owensNear(b*h, 1/b), a)
}

// upperTail is the probability of more than h >= 0 in the normal distribution. That of erfc would
// have the error of h/sqrt(2), h*h times.
func upperTail(h float64) float64 { return 0.5 * Erfcx(h*math.Sqrt2/2) * expHalfSquare(h) }

// owensNear is OwensT for a from 0 to 1: Gauss's rule, up to where the integrand is lost by
// rounding.
func owensNear(h, a float64) float64 {
	end := math.Min(a, 8.7/h)
	sum := 0.0
	for i := 0; i < len(legendreTerms); i += 2 {
		t, w := legendreTerms[i], legendreTerms[i+1]
		low, high := 0.5*end*(1-t), 0.5*end*(1+t)
		sum += w * (libm.Exp(-0.5*(h*low)*(h*low))/(1+float64(low*low)) + libm.Exp(-0.5*(h*high)*(h*high))/(1+float64(high*high)))
	}
	return expHalfSquare(h) * sum * end * (1 / (4 * math.Pi))
}
