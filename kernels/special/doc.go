// Package special is the special functions of one real number or of several: the gamma function and
// its relatives, the error function's, and Bessel's. It is the reference of what
// kernels/c/special.c computes with the same steps.
//
//	gamma.go        gamma, gammaln, digamma, trigamma, polygamma
//	errors.go       erfinv, erfcinv, erfcx
//	incomplete.go   gammainc, gammaincc
//	beta.go         betainc
//	inverse.go      gammaincinv, gammainccinv, betaincinv
//	normal.go       ndtri_exp, owens_t
//	hypergeometric.go  hyp2f1 and its derivatives with respect to a and c
//	twice.go        numbers of twice the digits
//	bessel.go       i0, i1, j0, j1
//	order.go        iv, ive, kv, kve and jv of any order
//	tables.go       polynomials and series, written by kernels/testdata/special.py
//
// A function of one number is a polynomial on each of many short pieces, found by the leading bits
// of the argument, and a series beyond them. Next to a zero the polynomial is that of the function
// divided by its distance from the zero, so that no digits are lost. The zeros of gammaln and
// digamma below 0, and of Bessel's j0 and j1 above 26, have no such care: there errors are small
// beside 1, not beside the result.
//
// Names and limits are those of SciPy, but for poles where the sign changes: gamma of a negative
// whole number is nan, as in C.
package special

import "math"

var (
	inf = math.Inf(1)
	nan = math.NaN()
)

const (
	sqrtPi  = 1.77245385090551602730
	sqrt2Pi = 2.50662827463100050242
)

// value is the polynomial of t with these coefficients, the lowest first.
func value(t float64, c []float64) float64 {
	y := c[len(c)-1]
	for i := len(c) - 2; i >= 0; i-- {
		y = float64(y*t) + c[i]
	}
	return y
}

// piece is which piece u lies in, of 2**each to an octave, from the one that begins at first.
func piece(u float64, each uint, first float64) int {
	return int(math.Float64bits(u)>>(52-each)) - int(math.Float64bits(first)>>(52-each))
}

// sinPi is sin(pi x) and cosPi cos(pi x), for |x| <= 1/2.
func sinPi(x float64) float64 {
	if a := math.Abs(x); a > 0.25 {
		return math.Copysign(cosPi(0.5-a), x)
	}
	return x * value(x*x, sinpiTerms[:])
}

func cosPi(x float64) float64 {
	if a := math.Abs(x); a > 0.25 {
		return sinPi(0.5 - a)
	}
	return value(x*x, cospiTerms[:])
}

// fraction is the distance of x from the nearest whole number, and whether that is odd.
func fraction(x float64) (r float64, odd bool) {
	n := math.RoundToEven(x)
	return x - n, n != 2*math.Floor(n/2)
}

// sinPiAny is sin(pi x) of any x.
func sinPiAny(x float64) float64 {
	r, odd := fraction(x)
	if odd {
		return -sinPi(r)
	}
	return sinPi(r)
}

// cosPiAny is cos(pi x) of any x.
func cosPiAny(x float64) float64 {
	r, odd := fraction(x)
	if odd {
		return -cosPi(r)
	}
	return cosPi(r)
}

func isWhole(x float64) bool { return x == math.Floor(x) }
