package libm

import "math"

// cos and acos are by the method of tables too, IBM's (Gal, 1986).

const halfPi, halfPiRest = math.Pi / 2, 0x1.1a62633145c07p-54

// sinCosTable is of sin and cos of i/128.
var sinCosTable = func() (table [112]struct{ sin, cos Double }) {
	for i := range table {
		x := Double{Hi: float64(i) / 128}
		table[i].sin = x.times(sinCosSeries(x, 1))
		table[i].cos = sinCosSeries(x, 0)
	}
	return table
}()

// sinCosSeries is 1 - x²/((n+1)(n+2)) + x⁴/((n+1)(n+2)(n+3)(n+4)) - ...: cos x for n = 0, sin x / x
// for n = 1.
func sinCosSeries(x Double, n int) Double {
	square := x.times(x).scaled(-1)
	sum := Double{Hi: 1}
	for k := 26 + n; k > n; k -= 2 {
		sum = sum.times(square).times(reciprocal(float64(k * (k - 1)))).Plus(Double{Hi: 1})
	}
	return sum
}

// nearest is the place in sinCosTable of what is nearest to |x|, and |x| less that.
func nearest(x float64) (i uint64, rest float64) {
	const toStep = 0x1.8p45
	sum := toStep + math.Abs(x)
	return math.Float64bits(sum) & 127, math.Abs(x) - (sum - toStep)
}

// cosFraction is 1 - cos x for small x, of x².
func cosFraction(square float64) float64 {
	p := math.FMA(square, 0x1.6c16bedd9e239p-10, -0x1.5555555555535p-5)
	return float64(square * math.FMA(p, square, 0.5))
}

// sinFraction is (sin x - x) / x³ for small x, of x².
func sinFraction(square float64) float64 {
	return math.FMA(square, 0x1.11110e829872fp-7, -0x1.5555555555515p-3)
}

// Cos is cos x for 0 <= x <= π.
func Cos(x float64) float64 {
	switch {
	case x < 0x1p-27:
		return 1
	case x < 0x1.b6p-1: // 0.855
		return cosNear(x, 0)
	case x < 0x1.368fdp1: // 2.426
		y := halfPi - x
		a := y + halfPiRest
		return sinNear(a, y-a+halfPiRest)
	}
	return -cosNear(lessRightAngles(x, 2))
}

// lessRightAngles is x less n times π/2, in two numbers.
func lessRightAngles(x, n float64) (r, rest float64) {
	a := math.FMA(-n, -0x1.dde973cp-27, math.FMA(-n, 0x1.921fb58p+0, x))
	b := math.FMA(-n, -0x1.cb3b398p-55, a)
	rest = math.FMA(-n, -0x1.cb3b398p-55, a-b)
	r = math.FMA(-n, -0x1.d747f23e32ed7p-83, b)
	return r, rest + math.FMA(-n, -0x1.d747f23e32ed7p-83, b-r)
}

// SinCos is sin x and cos x for 0 <= x <= 2π.
func SinCos(x float64) (sin, cos float64) {
	switch {
	case x < 0x1p-26:
		return x, Cos(x)
	case x < 0x1.b6p-1: // 0.855
		return sinNear(x, 0), Cos(x)
	case x < 0x1.368fdp1: // 2.426
		return cosNear(halfPi-x, halfPiRest), Cos(x)
	}
	n := math.Round(x * (2 / math.Pi))
	r, rest := lessRightAngles(x, n)
	sin, cos = sinNear(r, rest), cosNear(r, rest)
	if int(n)&1 == 1 {
		sin, cos = cos, -sin
	}
	if int(n)&2 == 2 {
		sin, cos = -sin, -cos
	}
	return sin, cos
}

// cosNear is cos(x+rest) for |x| < 0.86.
func cosNear(x, rest float64) float64 {
	if x < 0 {
		rest = -rest
	}
	i, r := nearest(x)
	entry := &sinCosTable[i]
	r += rest
	square := float64(r * r)
	s := math.FMA(float64(r*square), sinFraction(square), r)
	low := math.FMA(-s, entry.sin.lo, entry.cos.lo)
	low = math.FMA(-cosFraction(square), entry.cos.Hi, low)
	return entry.cos.Hi + math.FMA(-s, entry.sin.Hi, low)
}

// sinNear is sin(x+rest) for |x| < 0.86.
func sinNear(x, rest float64) float64 {
	if math.Abs(x) < 0.126 {
		square := float64(x * x)
		p := math.FMA(square, -0x1.addffc2fcdf59p-26, 0x1.71de27b9a7ed9p-19)
		p = math.FMA(p, square, -0x1.a01a019db08b8p-13)
		p = math.FMA(p, square, 0x1.1111111110ecep-7)
		p = math.FMA(p, square, -0x1.5555555555555p-3)
		p = math.FMA(p, x, -float64(rest*0.5))
		return x + math.FMA(square, p, rest)
	}
	if x <= 0 {
		rest = -rest
	}
	i, r := nearest(x)
	entry := &sinCosTable[i]
	square := float64(r * r)
	s := r + math.FMA(float64(r*square), sinFraction(square), rest)
	low := math.FMA(entry.cos.lo, s, entry.sin.lo)
	low = math.FMA(-math.FMA(r, rest, cosFraction(square)), entry.sin.Hi, low)
	return math.Copysign(entry.sin.Hi+math.FMA(s, entry.cos.Hi, low), x)
}

// Acos is acos x: by a series near 0, by those of acosTable, or by a root near 1.
func Acos(x float64) float64 {
	size := math.Abs(x)
	switch {
	case size < 0x1p-55:
		return halfPi
	case size < 0.125:
		r := halfPi - x
		rest := halfPi - r - x + halfPiRest
		square := float64(x * x)
		return r + math.FMA(-asinSeries(square), float64(x*square), rest)
	case size < 0.96875:
		return acosByTable(x, size)
	case size < 1:
		return acosByRoot(x, size)
	}
	return math.Acos(x)
}

// asinSeries is of asin x = x + x³ asinSeries(x²).
func asinSeries(square float64) float64 {
	p := math.FMA(square, 0x1.292d80f453c72p-6, 0x1.6e442c822d419p-6)
	p = math.FMA(p, square, 0x1.f1c7e04f4ad99p-6)
	p = math.FMA(p, square, 0x1.6db6dae42c0e4p-5)
	p = math.FMA(p, square, 0x1.333333336127dp-4)
	return math.FMA(p, square, 0x1.55555555554f9p-3)
}

// acosByTable is π/2 - asin x for 0.125 <= |x| < 0.96875.
func acosByTable(x, size float64) float64 {
	entry := &acosTable[int(size*256)-32]
	r := size - entry.c
	p := 0.0
	for k := len(entry.series) - 1; k >= 0; k-- {
		p = math.FMA(p, r, entry.series[k])
	}
	p = math.FMA(p, float64(r*r), entry.low)
	p = math.FMA(r, entry.slope, p)
	if x < 0 {
		return halfPi + entry.high + (halfPiRest + p)
	}
	return halfPi - entry.high + (halfPiRest - p)
}

// acosByRoot is 2 asin √z for z = (1-x)/2, or π less that for negative x.
func acosByRoot(x, size float64) float64 {
	z := 0.5 * (1 - size)
	bits := math.Float64bits(z)
	t := inverseRoots[bits>>46&127] * math.Ldexp(1, 511-int(bits>>53))
	r := math.FMA(-float64(t*t), z, 1)
	p := math.FMA(r, 0x1.4006318d1dab9p-2, 0x1.800496769c91ap-2)
	p = math.FMA(p, r, 0x1.fffffff757304p-2)
	p = math.FMA(p, r, 0x1.fffffffecc1ddp-1)
	t = float64(p * t)
	c := float64(z * t) // about √z
	upper := math.FMA(-0x1p27, c, math.FMA(c, 0x1p27, c))
	rest := math.FMA(-upper, upper, z) / math.FMA(math.FMA(-c, float64(t*0.5), 1.5), c, upper)
	more := float64(float64(asinSeries(z)*z) * (upper + rest))
	if x < 0 {
		return 2 * (halfPi - upper + (halfPiRest - rest - more))
	}
	return 2 * (rest + more + upper)
}
