package special

import (
	"math"

	"github.com/arignote/arignote/kernels/libm"
)

// I0 is the modified Bessel function of the first kind of order 0, and I1 that of order 1.
func I0(x float64) float64 {
	a := math.Abs(x)
	if a < 8 {
		return value(0.25*a*a, besselI0NearTerms[:])
	}
	return expTimes(a, i0Scaled(a))
}

func I1(x float64) float64 {
	a := math.Abs(x)
	if a < 8 {
		return 0.5 * x * value(0.25*a*a, besselI1NearTerms[:])
	}
	return math.Copysign(expTimes(a, i1Scaled(a)), x)
}

// i0Scaled is exp(-x) I0(x), and i1Scaled exp(-x) I1(x), for x >= 8.
func i0Scaled(x float64) float64 {
	if x >= 64 || x != x {
		return value(1/x, besselI0FarTerms[:]) / sqrt2Pi / math.Sqrt(x)
	}
	row := besselI0Rows[piece(x, 3, 8)][:]
	return value(x-row[0], row[1:]) / math.Sqrt(x)
}

func i1Scaled(x float64) float64 {
	if x >= 64 || x != x {
		return value(1/x, besselI1FarTerms[:]) / sqrt2Pi / math.Sqrt(x)
	}
	row := besselI1Rows[piece(x, 3, 8)][:]
	return value(x-row[0], row[1:]) / math.Sqrt(x)
}

// expTimes is exp(x) y, which may be a number where exp(x) is none.
func expTimes(x, y float64) float64 {
	switch {
	case y == 0 && x < 2000 || y != y:
		return y
	case math.Abs(x) < 700:
		return libm.Exp(x) * y
	case x > 2000:
		return math.Copysign(inf, y)
	case x < -2000:
		return math.Copysign(0, y)
	}
	e := libm.Exp(0.25 * x)
	return y * e * e * e * e
}

// J0 is the Bessel function of the first kind of order 0, and J1 that of order 1.
func J0(x float64) float64 {
	a := math.Abs(x)
	switch {
	case a < 1:
		return value(-0.25*a*a, besselI0NearTerms[:10])
	case a < 26:
		row := besselJ0Rows[int(2*(a-1))][:]
		return ((a - row[1]) - row[2]) * value(a-row[0], row[3:])
	case a == inf:
		return 0
	}
	p, q := hankel(a, besselJ0FarTerms[:])
	s, c := math.Sincos(a)
	return (p*(c+s) - q*(s-c)) / (sqrtPi * math.Sqrt(a))
}

func J1(x float64) float64 {
	a := math.Abs(x)
	switch {
	case a < 1:
		return 0.5 * x * value(-0.25*a*a, besselI1NearTerms[:10])
	case a < 26:
		row := besselJ1Rows[int(2*(a-1))][:]
		return math.Copysign(1, x) * (((a - row[1]) - row[2]) * value(a-row[0], row[3:]))
	case a == inf:
		return math.Copysign(0, x)
	}
	p, q := hankel(a, besselJ1FarTerms[:])
	s, c := math.Sincos(a)
	return math.Copysign(1, x) * ((p*(s-c) + q*(s+c)) / (sqrtPi * math.Sqrt(a)))
}

// hankel is the even and the odd terms of Hankel's expansion at x, with alternating signs.
func hankel(x float64, terms []float64) (p, q float64) {
	r := 1 / x
	z := -r * r
	for k := len(terms) - 2; k >= 0; k -= 2 {
		p = float64(p*z) + terms[k]
		q = float64(q*z) + terms[k+1]
	}
	return p, q * r
}
