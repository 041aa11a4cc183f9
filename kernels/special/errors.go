package special

import (
	"math"

	"github.com/arignote/arignote/kernels/libm"
)

// Erfinv is x where erf(x) = y.
func Erfinv(y float64) float64 {
	a := math.Abs(y)
	switch {
	case a <= 0.5:
		return y * value(y*y, erfinvTerms[:])
	case a < 1:
		return math.Copysign(erfcinvTail(1-a), y)
	case a == 1:
		return math.Copysign(inf, y)
	}
	return nan
}

// Erfcinv is x where erfc(x) = y.
func Erfcinv(y float64) float64 {
	switch {
	case y == 0:
		return inf
	case y == 2:
		return -inf
	case 0 < y && y < 0.5:
		return erfcinvTail(y)
	case 0.5 <= y && y <= 1.5:
		return Erfinv(1 - y)
	case 1.5 < y && y < 2:
		return -erfcinvTail(2 - y)
	}
	return nan
}

// erfcinvTail is erfcinv(p) for 0 < p <= 1/2, which is hardly curved as a function of
// sqrt(-log(p)).
func erfcinvTail(p float64) float64 { return erfcinvRoot(math.Sqrt(-libm.Log(p))) }

// erfcinvRoot is erfcinv(exp(-s*s)), for s from 3/4 to 28.
func erfcinvRoot(s float64) float64 {
	row := erfcinvRows[piece(s, 3, 0.75)][:]
	return value(s-row[0], row[1:])
}

// Erfcx is exp(x*x)*erfc(x).
func Erfcx(x float64) float64 {
	switch {
	case x >= 31:
		return value(0.5/(x*x), erfcxFarTerms[:]) / (x * sqrtPi)
	case x >= 0:
		row := erfcxRows[piece(1+x, 3, 1)][:]
		return value(x-(row[0]-1), row[1:])
	case x < -27:
		return inf
	case x != x:
		return x
	}
	return 2*expSquare(x) - Erfcx(-x)
}

// expSquare is exp(x*x), for which x*x is taken exactly: a rounding error of a large power is many
// of the result's.
func expSquare(x float64) float64 {
	square, rest := squared(x)
	e := libm.Exp(square)
	if e == inf {
		return e
	}
	return e + e*rest
}

// expHalfSquare is exp(-x*x/2).
func expHalfSquare(x float64) float64 {
	if math.Abs(x) > 40 {
		return 0
	}
	square, rest := squared(x)
	e := libm.Exp(-0.5 * square)
	return e - e*(0.5*rest)
}

// squared is x*x in two parts.
func squared(x float64) (square, rest float64) {
	square = float64(x * x)
	c := float64(134217729 * x) // 2**27 + 1: the upper half of x
	up := c - (c - x)
	low := x - up
	return square, (float64(up*up) - square) + 2*float64(up*low) + float64(low*low)
}
