package random

import "math"

// A double is a number as the unevaluated sum of two, |lo| at most half an ulp of hi.
type double struct{ hi, lo float64 }

func (a double) times(b double) double {
	p := float64(a.hi * b.hi)
	low := math.FMA(a.hi, b.hi, -p) + (float64(a.hi*b.lo) + float64(a.lo*b.hi))
	return quickSum(p, low)
}

func (a double) plus(b double) double {
	s := a.hi + b.hi
	t := s - a.hi
	low := (a.hi - (s - t)) + (b.hi - t)
	return quickSum(s, low+(a.lo+b.lo))
}

func (a double) scaled(powerOfTwo float64) double {
	return double{a.hi * powerOfTwo, a.lo * powerOfTwo}
}

// quickSum is a + b for |a| >= |b|.
func quickSum(a, b float64) double {
	s := a + b
	return double{s, b - (s - a)}
}

func reciprocal(x float64) double {
	q := 1 / x
	return double{q, math.FMA(-q, x, 1) / x}
}

var ln2 = double{0.693147180559945309417232121458, 2.319046813846299615494855463875e-17}

// logNearOne is log x for x from ½ to 2: 2 artanh s = 2 (s + s³/3 + s⁵/5 + ...) for s = (x-1)/(x+1).
func logNearOne(x float64) double {
	up, down := x-1, x+1 // up is exact
	downLow := x - (down - 1)
	s := double{hi: up / down}
	s.lo = (math.FMA(-s.hi, down, up) - float64(s.hi*downLow)) / down
	z := s.times(s)
	var sum double
	for k := 45; k > 0; k -= 2 {
		sum = sum.times(z).plus(reciprocal(float64(k)))
	}
	return s.times(sum).scaled(2)
}

// logInteger is log n for n > 0.
func logInteger(n int) double {
	m, e := math.Frexp(float64(n))
	return ln2.times(double{hi: float64(e)}).plus(logNearOne(m))
}

// horner is the polynomial of x with the given coefficients, the highest first.
func horner(x float64, coefficients ...float64) float64 {
	y := 0.0
	for _, c := range coefficients {
		y = float64(y*x) + c
	}
	return y
}
