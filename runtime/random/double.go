package random

import "math"

// A double is a number as the unevaluated sum of two, |lo| at most half an ulp of hi. The conversions to float64 keep products
// from being fused with sums, here and everywhere in this package.
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

// slowLog is log x for x near 1: 2 artanh s = 2 (s + s³/3 + s⁵/5 + ...) for s = (x-1)/(x+1).
func slowLog(x float64) double {
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

// slowExp is exp x for |x| < 1, by its series.
func slowExp(x double) double {
	one := double{hi: 1}
	sum := one
	for k := 30; k > 0; k-- {
		sum = sum.times(x).times(reciprocal(float64(k))).plus(one)
	}
	return sum
}

// A logEntry is of the numbers that round to c: 1/c, and the logarithm of what that really is the reciprocal of.
type logEntry struct {
	inverse float64
	log     double
}

const (
	logStep  = 128 // c is a multiple of 1/logStep
	logFirst = 90  // from a bit below √½ to a bit above √2
	logLast  = 182
	expStep  = 64
)

var logTable = func() (table [logLast - logFirst + 1]logEntry) {
	for i := range table {
		inverse := logStep / float64(i+logFirst)
		table[i] = logEntry{inverse, slowLog(inverse).scaled(-1)}
	}
	return table
}()

// expTable is 2**(i/expStep).
var expTable = func() (table [expStep]double) {
	for i := range table {
		table[i] = slowExp(ln2.times(double{hi: float64(i) / expStep}))
	}
	return table
}()

// logDouble is log x for finite x > 0, to about 2**-70 of it: x = 2**e c (1 + r), c from the table.
func logDouble(x float64) double {
	const rootHalf = 0x3fe6a09e667f3bcd // the bits of √½, rounded up
	b, e := math.Float64bits(x), int64(0)
	if b>>52 == 0 {
		b, e = math.Float64bits(x*0x1p54), -54
	}
	shift := int64(b-rootHalf) >> 52 // so that √½ <= m < √2
	m := math.Float64frombits(b - uint64(shift)<<52)
	e += shift
	entry := &logTable[int(float64(m*logStep)+0.5)-logFirst]

	p := float64(m * entry.inverse)
	r, low := p-1, math.FMA(m, entry.inverse, -p)
	square := float64(r * r)
	low += float64(-0.5*(math.FMA(r, r, -square)+float64(2*r*low))) + logTail(r, square)

	// The sum, the greatest first, with the errors of the additions.
	const ln2Hi, ln2Lo = 0x1.62e42fefa38p-1, 0x1.ef35793c7673p-45 // the high part times e is exact
	k := float64(e)
	sum := quickSum(float64(k*ln2Hi), entry.log.hi)
	low += sum.lo + float64(k*ln2Lo) + entry.log.lo
	sum = quickSum(sum.hi, r)
	low += sum.lo
	sum = quickSum(sum.hi, -0.5*square)
	return quickSum(sum.hi, low+sum.lo)
}

// logTail is the series of log(1+r) from r³ on.
func logTail(r, square float64) float64 {
	far := 1./7 + float64(r*(-1./8)) + float64(square*(1./9))
	near := 1./5 + float64(r*(-1./6)) + float64(square*far)
	return float64(float64(r*square) * (1./3 + float64(r*(-1./4)) + float64(square*near)))
}

// expDouble is exp x, to about 2**-68 of it, for results that are normal numbers: x = k ln 2 / expStep + r.
func expDouble(x double) float64 {
	k := math.RoundToEven(x.hi * (expStep / math.Ln2))
	r := x.plus(ln2.times(double{hi: -k / expStep}))
	square := r.times(r)
	h := r.hi
	h2 := float64(h * h)
	far := 1./120 + float64(h*(1./720)) + float64(h2*(1./5040))
	tail := float64(float64(h*h2) * (1./6 + float64(h*(1./24)) + float64(h2*far)))
	sum := r.plus(double{square.hi * 0.5, float64(square.lo*0.5) + tail})
	i := int(k)
	base := expTable[i&(expStep-1)]
	y := base.plus(base.times(sum)).hi
	return y * math.Float64frombits(uint64(1023+i>>6)<<52)
}

// horner is the polynomial of x with the given coefficients, the highest first.
func horner(x float64, coefficients ...float64) float64 {
	y := 0.0
	for _, c := range coefficients {
		y = float64(y*x) + c
	}
	return y
}
