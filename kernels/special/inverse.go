package special

import (
	"math"

	"github.com/arignote/arignote/kernels/libm"
)

// Inverses of the incomplete gamma and beta functions. As functions of log(x) and of log(x/(1-x))
// their integrands are log-concave, and so then are both tails: Newton's steps for the logarithm of
// a tail never pass the root twice. The smaller tail is taken, which is known best.

const (
	smallest = 1e-300  // arguments below it are not made better
	settled  = 0x1p-32 // a step, of a logarithm, whose square is lost by rounding
)

// Gammaincinv is x where gammainc(a, x) = p, for a > 0 and p from 0 to 1.
func Gammaincinv(a, p float64) float64 {
	switch {
	case !(a >= 0 && 0 <= p && p <= 1):
		return nan
	case p == 0:
		return 0
	case p == 1:
		return inf
	case p <= 0.5:
		return inverseGamma(a, p, false)
	}
	return inverseGamma(a, 1-p, true)
}

// Gammainccinv is x where gammaincc(a, x) = q.
func Gammainccinv(a, q float64) float64 {
	switch {
	case !(a >= 0 && 0 <= q && q <= 1):
		return nan
	case q == 0:
		return inf
	case q == 1:
		return 0
	case q <= 0.5:
		return inverseGamma(a, q, true)
	}
	return inverseGamma(a, 1-q, false)
}

// inverseGamma is x whose lower or upper function is tail <= 1/2.
func inverseGamma(a, tail float64, upper bool) float64 {
	if a == 0 || a == inf {
		return nan
	}
	x := gammaGuess(a, tail, upper)
	low, high := 0.0, inf
	for range 60 {
		if x < smallest {
			return x
		}
		p, q := incompleteGamma(a, x)
		slope := a * gammaPrefix(a, x, (x-a)/a)
		if upper {
			p, slope = q, -slope
		}
		if (p < tail) != upper {
			low = x
		} else {
			high = x
		}
		step := newton(tail, p, slope)
		next := x * libm.Exp(step)
		switch {
		case math.Abs(step) < settled:
			return next
		case !(low < next && next < high):
			next = between(low, high)
		}
		x = next
	}
	return x
}

// newton is the step to where the logarithm of p is that of want, for the slope of p.
func newton(want, p, slope float64) float64 {
	if d := (want - p) / p; math.Abs(d) < 0.5 {
		return libm.Log1p(d) * (p / slope)
	}
	return (libm.Log(want) - libm.Log(p)) * (p / slope)
}

// between is a number between two, of which the first may be 0 and the second infinite.
func between(low, high float64) float64 {
	switch {
	case low == 0:
		return high / 16
	case high == inf:
		return low * 16
	}
	return math.Sqrt(low) * math.Sqrt(high)
}

// gammaGuess begins with Wilson and Hilferty's cube of a normal variable (1931), or with the first
// term of the series of a tail.
func gammaGuess(a, tail float64, upper bool) float64 {
	if a >= 1 {
		z := math.Sqrt2 * Erfcinv(2*tail)
		if !upper {
			z = -z
		}
		if w := 1 - 1/(9*a) + z/(3*math.Sqrt(a)); w > 0.2 {
			return a * w * w * w
		}
	}
	p := libm.Log(tail)
	if upper {
		p = libm.Log1p(-tail)
	}
	first := (p + logGammaSmall(a)) / a
	if upper && first > 0 {
		return math.Max(1, libm.Log(a)-libm.Log(tail))
	}
	return libm.Exp(first)
}

// Betaincinv is x where betainc(a, b, x) = p, for positive finite a and b and p from 0 to 1.
func Betaincinv(a, b, p float64) float64 {
	switch {
	case !(a > 0 && b > 0 && a < inf && b < inf && 0 <= p && p <= 1):
		return nan
	case p == 0 || p == 1:
		return p
	case p <= 0.5:
		x, _ := inverseBeta(a, b, p)
		return x
	}
	_, x := inverseBeta(b, a, 1-p)
	return x
}

// inverseBeta is x whose function is tail <= 1/2, and y = 1-x.
func inverseBeta(a, b, tail float64) (x, y float64) {
	x, y = betaGuess(a, b, tail)
	low, high := 0.0, inf // of x/y
	for range 60 {
		if x < smallest || y < smallest {
			break
		}
		p := betaBoth(a, b, x, y)
		if p < tail {
			low = x / y
		} else {
			high = x / y
		}
		step := newton(tail, p, a*betaPrefix(a, b, x, y))
		r := libm.Exp(step)
		if done := math.Abs(step) < settled; !done && !(low < x/y*r && x/y*r < high) {
			r = between(low, high) / (x / y)
		} else if done {
			return x * r / (y + x*r), y / (y + x*r)
		}
		x, y = x*r/(y+x*r), y/(y+x*r)
	}
	return x, y
}

// betaGuess begins with Cochran's approximation (Abramowitz and Stegun 26.5.22), or with the first
// term of the series of a tail.
func betaGuess(a, b, tail float64) (x, y float64) {
	if a >= 1 && b >= 1 {
		z := math.Sqrt2 * Erfcinv(2*tail)
		c, s, t := (z*z-3)/6, 1/(2*a-1), 1/(2*b-1)
		h := 2 / (s + t)
		w := z*math.Sqrt(h+c)/h - (t-s)*(c+0.8333333333333334-2/(3*h))
		r := a / b * libm.Exp(-2*w)
		if smallest < r && r < 1/smallest {
			return r / (1 + r), 1 / (1 + r)
		}
	}
	whole := Gammaln(a) + Gammaln(b) - Gammaln(a+b)
	if first := (libm.Log(tail) + libm.Log(a) + whole) / a; first < -0.1 {
		return libm.Exp(first), -libm.Expm1(first)
	}
	if first := (libm.Log1p(-tail) + libm.Log(b) + whole) / b; first < -0.1 {
		return -libm.Expm1(first), libm.Exp(first)
	}
	return a / (a + b), b / (a + b)
}
