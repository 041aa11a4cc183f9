package special

import (
	"math"

	"github.com/arignote/arignote/kernels/libm"
)

const far = 16 // where the pieces end and Stirling's series begin

// Gamma is the gamma function, (x-1)! of whole numbers, of which it is the nearest float64. It has
// poles at 0, -1, -2, ..., where it is nan, but for an infinity of the sign of 0.
func Gamma(x float64) float64 {
	switch {
	case x != x || x == inf:
		return x
	case x == 0:
		return 1 / x
	case x < 0 && isWhole(x):
		return nan
	case x <= -0.5:
		return gammaBelow(-x)
	case x < 0: // gamma(2+x)/(x(1+x))
		row := gammaRows[piece(2+x, 4, 1)][:]
		return value(x-(row[0]-2), row[1:]) / (x * (1 + x))
	case x < 1:
		row := gammaRows[piece(1+x, 4, 1)][:]
		return value(x-(row[0]-1), row[1:]) / x
	case x <= 171 && isWhole(x):
		return factorialTerms[int(x)-1]
	case x < far:
		row := gammaRows[piece(x, 4, 1)][:]
		return value(x-row[0], row[1:])
	}
	return gammaFar(x)
}

// gammaFar is sqrt(2 pi) x**(x-1/2) exp(-x) times a series of 1/x.
func gammaFar(x float64) float64 {
	if x > 172 {
		return inf
	}
	s := sqrt2Pi * value(1/x, gammaFarTerms[:])
	if x < 140 {
		return libm.Pow(x, x-0.5) * libm.Exp(-x) * s
	}
	p := libm.Pow(x, 0.5*x-0.25) // the whole power is too large
	return p * libm.Exp(-x) * s * p
}

// gammaBelow is gamma(-y) = -pi/(y sin(pi y) gamma(y)), for y that is not whole.
func gammaBelow(y float64) float64 {
	d := y * sinPiAny(y)
	if y < 170 {
		return -math.Pi / (d * Gamma(y))
	}
	if y > 190 {
		return math.Copysign(0, -d)
	}
	z := -math.Pi / (d * Gamma(y-20))
	for k := 1.0; k <= 20; k++ { // gamma(y) itself is too large
		z /= y - k
	}
	return z
}

// Gammaln is log|gamma(x)|; inf at the poles.
func Gammaln(x float64) float64 {
	a := math.Abs(x)
	switch {
	case x != x:
		return x
	case a == inf || x <= 0 && isWhole(x):
		return inf
	case a < 0.5:
		return gammalnOnePlus(x) - libm.Log(a)
	case x < 0:
		return -libm.Log(a*math.Abs(sinPiAny(a))/math.Pi) - Gammaln(a)
	case x < far:
		row := gammalnRows[piece(x, 3, 0.5)][:]
		return (x-1)*(x-2)*value(x-row[0], row[1:]) + 0 // not -0
	}
	const c = 0.41893853320467274178 // log(sqrt(2 pi)) - 1/2, of which the pieces are below
	return float64((x-0.5)*(libm.Log(x)-1)) + (c + stirling(x))
}

// gammaNext is gamma(a+1), without rounding the sum of what is large.
func gammaNext(a float64) float64 {
	if a < 1 {
		return Gamma(a + 1)
	}
	return a * Gamma(a)
}

// gammalnOnePlus is log(gamma(1+x)), for |x| <= 1/2.
func gammalnOnePlus(x float64) float64 {
	row := gammalnRows[piece(1+x, 3, 0.5)][:]
	return x * (x - 1) * value(x-(row[0]-1), row[1:])
}

// stirling is log(gamma(x)) - (x - 1/2) log(x) + x - log(2 pi)/2, for x >= 16.
func stirling(x float64) float64 {
	r := 1 / x
	return r * value(r*r, stirlingTerms[:])
}

// gammaScaled is exp(stirling(x)).
func gammaScaled(x float64) float64 { return value(1/x, gammaFarTerms[:]) }

// Digamma is the derivative of log(gamma(x)); nan at the poles, but for an infinity at 0.
func Digamma(x float64) float64 {
	a := math.Abs(x)
	switch {
	case x != x || x == inf:
		return x
	case x == 0:
		return -1 / x
	case a < 0.5:
		row := digammaRows[piece(1+x, 3, 0.5)][:]
		return ((x-(digammaRootHi-1))-digammaRootLo)*value(x-(row[0]-1), row[1:]) - 1/x
	case x < 0:
		if isWhole(x) {
			return nan
		}
		r, _ := fraction(a)
		return Digamma(a) + (1/a + math.Pi*cosPi(r)/sinPi(r))
	case x < far:
		row := digammaRows[piece(x, 3, 0.5)][:]
		return ((x - digammaRootHi) - digammaRootLo) * value(x-row[0], row[1:])
	}
	h := 1 / (x * x)
	return libm.Log(x) - (0.5/x + h*value(h, digammaFarTerms[:]))
}

// Trigamma is the derivative of digamma; inf at the poles.
func Trigamma(x float64) float64 {
	switch {
	case x != x || x == math.Inf(-1):
		return nan
	case x <= 0 && isWhole(x):
		return inf
	case x < 0: // pi**2/sin(pi x)**2 - trigamma(1-x)
		s := math.Pi / sinPiAny(x)
		return s*s - Trigamma(1-x)
	}
	sum := 0.0
	for ; x < far; x++ {
		sum += 1 / (x * x)
	}
	// The derivative of digamma's series: 1/x + 1/(2x²) + sum of B_2k/x**(2k+1).
	r := 1 / x
	h, tail := r*r, 0.0
	for k := len(digammaFarTerms) - 1; k >= 0; k-- {
		tail = float64(tail*h) + 2*float64(k+1)*digammaFarTerms[k]
	}
	return sum + (r + (0.5*h + r*h*tail))
}

// Polygamma is the derivative of order n of digamma; nan where n is no whole number from 0 on.
func Polygamma(n, x float64) float64 {
	switch {
	case !(n >= 0 && n < inf) || !isWhole(n) || x != x || x == math.Inf(-1):
		return nan
	case n == 0:
		return Digamma(x)
	case n == 1:
		return Trigamma(x)
	}
	even := n == 2*math.Floor(n/2) // then the sum is of odd powers
	z := 0.0
	switch {
	case x <= 0 && isWhole(x):
		z = inf
	case x < 0: // the terms below 0 are those of two sums that begin at the distance from 0
		f := x - math.Floor(x)
		below := zeta(n+1, 1-f) - zeta(n+1, 1-x)
		if even {
			below = -below
		}
		z = zeta(n+1, f) + below
	default:
		z = zeta(n+1, x)
	}
	if even {
		z = -z
	}
	return Gamma(n+1) * z
}

// zeta is the sum of (x+k)**-s for k from 0, for s >= 2 and x > 0: the first terms, and the rest by
// the formula of Euler and Maclaurin.
func zeta(s, x float64) float64 {
	sum := 0.0
	for x < s+10 {
		term := libm.Pow(x, -s)
		sum += term
		if term*(s+10) <= 0x1p-56*sum || sum == inf {
			return sum
		}
		x++
	}
	power := libm.Pow(x, -s)
	r := 1 / x
	rest, rise := x/(s-1)+0.5, s*r // of which power is a factor
	for k, b := range bernoulliTerms {
		rest += b * rise
		j := s + float64(2*k)
		rise *= (j + 1) * r * ((j + 2) * r)
	}
	if power == 0 {
		return sum
	}
	return sum + power*rest
}
