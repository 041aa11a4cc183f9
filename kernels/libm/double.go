package libm

import "math"

// A Double is a number as the unevaluated sum of two, |lo| at most half an ulp of hi.
type Double struct{ Hi, lo float64 }

// Lo is what is left of a without Hi.
func (a Double) Lo() float64 { return a.lo }

func (a Double) times(b Double) Double {
	p := float64(a.Hi * b.Hi)
	low := math.FMA(a.Hi, b.Hi, -p) + (float64(a.Hi*b.lo) + float64(a.lo*b.Hi))
	return quickSum(p, low)
}

// Plus is a + b.
func (a Double) Plus(b Double) Double {
	s := a.Hi + b.Hi
	t := s - a.Hi
	low := (a.Hi - (s - t)) + (b.Hi - t)
	return quickSum(s, low+(a.lo+b.lo))
}

func (a Double) scaled(powerOfTwo float64) Double {
	return Double{a.Hi * powerOfTwo, a.lo * powerOfTwo}
}

// quickSum is a + b for |a| >= |b|.
func quickSum(a, b float64) Double {
	s := a + b
	return Double{s, b - (s - a)}
}

func reciprocal(x float64) Double {
	q := 1 / x
	return Double{q, math.FMA(-q, x, 1) / x}
}

var ln2 = Double{0.693147180559945309417232121458, 2.319046813846299615494855463875e-17}

// logNearOne is log x for x from ½ to 2: 2 artanh s = 2 (s + s³/3 + s⁵/5 + ...) for s =
// (x-1)/(x+1).
func logNearOne(x float64) Double {
	up, down := x-1, x+1 // up is exact
	downLow := x - (down - 1)
	s := Double{Hi: up / down}
	s.lo = (math.FMA(-s.Hi, down, up) - float64(s.Hi*downLow)) / down
	z := s.times(s)
	var sum Double
	for k := 45; k > 0; k -= 2 {
		sum = sum.times(z).Plus(reciprocal(float64(k)))
	}
	return s.times(sum).scaled(2)
}

// LogInteger is log n for n > 0.
func LogInteger(n int) Double {
	m, e := math.Frexp(float64(n))
	return ln2.times(Double{Hi: float64(e)}).Plus(logNearOne(m))
}

// Horner is the polynomial of x with the given coefficients, the highest first.
func Horner(x float64, coefficients ...float64) float64 {
	y := 0.0
	for _, c := range coefficients {
		y = float64(y*x) + c
	}
	return y
}
