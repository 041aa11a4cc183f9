package library

import (
	"math"
	"math/big"
	"sync"

	"github.com/arignote/arignote/kernels/libm"
)

// The functions of Go's package math that lose digits are mended here (Go 1.26, found by
// TestMathAsPython): acos and asin cancel next to 1, sinh and cosh overflow too early, log10 and
// lgamma take subnormal numbers for normal ones, log2 cancels next to 1, gamma raises rounding
// errors to high powers, and sin, cos and tan take off multiples of pi with too few of its digits.

const halfPi, halfPiRest, halfPiRest2 = math.Pi / 2, 0x1.1a62633145c07p-54, -0x1.f1976b7ed8fbcp-110 // pi/2 in three numbers

func acos(x float64) float64 {
	if !(math.Abs(x) <= 1) {
		return math.NaN()
	}
	return libm.Acos(x)
}

func asin(x float64) float64 {
	if size := math.Abs(x); size > 0.5 {
		return math.Copysign(halfPi-(acos(size)-halfPiRest), x)
	}
	return math.Asin(x)
}

func sinh(x float64) float64 {
	if size := math.Abs(x); size > 709 {
		return math.Copysign(halfExp(size), x)
	}
	return math.Sinh(x)
}

func cosh(x float64) float64 {
	if size := math.Abs(x); size > 709 {
		return halfExp(size)
	}
	return math.Cosh(x)
}

// halfExp is exp(x) / 2, also where exp(x) is too large.
func halfExp(x float64) float64 {
	e := libm.Exp(x / 2)
	return 0.5 * e * e
}

func log1p(x float64) float64 {
	if x < -1 {
		return math.NaN()
	}
	return libm.Log1p(x)
}

// log2 is exact for powers of 2.
func log2(x float64) float64 {
	if !(0 < x && x < math.Inf(1)) {
		return math.Log2(x)
	}
	m, e := math.Frexp(x)
	if m < math.Sqrt2/2 {
		m, e = 2*m, e-1
	}
	return libm.Log(m)*(1/math.Ln2) + float64(e)
}

// log10 is exact for powers of 10.
func log10(x float64) float64 {
	if x < 0x1p-1022 {
		return libm.Log(x) * (1 / math.Ln10)
	}
	y := math.Log10(x)
	if n := math.Round(y); math.Abs(n) < 309 && math.Pow10(int(n)) == x {
		return n
	}
	return y
}

func sin(x float64) float64 {
	quadrant, r, rest := reduced(x)
	return sinOf(quadrant, r, rest)
}

func cos(x float64) float64 {
	quadrant, r, rest := reduced(x)
	return sinOf(quadrant+1, r, rest)
}

// sinOf is the sine of r + rest after so many right angles.
func sinOf(quadrant int, r, rest float64) float64 {
	y := math.Sin(r)
	if quadrant&1 == 1 {
		y = math.Cos(r) - float64(y*rest)
	} else if rest != 0 {
		y += float64(math.Cos(r) * rest)
	}
	if quadrant&2 == 2 {
		return -y
	}
	return y
}

func tan(x float64) float64 {
	quadrant, r, rest := reduced(x)
	y := math.Tan(r)
	if rest != 0 {
		y += float64(rest * (1 + float64(y*y)))
	}
	if quadrant&1 == 1 {
		return -1 / y
	}
	return y
}

// reduced is x as a number of right angles, modulo 4, and r + rest, at most about half a right
// angle.
func reduced(x float64) (quadrant int, r, rest float64) {
	switch size := math.Abs(x); {
	case size <= math.Pi/4 || math.IsNaN(x):
		return 0, x, 0
	case math.IsInf(x, 0):
		return 0, math.NaN(), 0
	case size < 1<<20:
		n := math.Round(x * (1 / halfPi))
		p := float64(n * halfPi)
		sum := libm.Double{Hi: x - p}.Plus(libm.Double{Hi: -math.FMA(n, halfPi, -p)})
		q := float64(n * halfPiRest)
		sum = sum.Plus(libm.Double{Hi: -q}).Plus(libm.Double{Hi: -math.FMA(n, halfPiRest, -q) - float64(n*halfPiRest2)})
		return int(n) & 3, sum.Hi, sum.Lo()
	}
	angle := longHalfPi()
	turns := new(big.Float).SetPrec(angle.Prec()).Quo(new(big.Float).SetFloat64(x), angle)
	n, _ := new(big.Float).SetPrec(angle.Prec()).Add(turns, big.NewFloat(math.Copysign(0.5, x))).Int(nil)
	turns.Sub(turns, new(big.Float).SetPrec(angle.Prec()).SetInt(n)).Mul(turns, angle)
	r, _ = turns.Float64()
	rest, _ = turns.Sub(turns, new(big.Float).SetFloat64(r)).Float64()
	return int(n.And(n, big.NewInt(3)).Int64()), r, rest
}

// longHalfPi is pi/2 to 1300 bits: the largest float has 1024 before the point, and 150 after it
// are left. By Machin's formula it is 8 arctan(1/5) - 2 arctan(1/239).
var longHalfPi = sync.OnceValue(func() *big.Float {
	const bits = 1300
	one := new(big.Int).Lsh(big.NewInt(1), bits+32)
	arctan := func(inverse int64) *big.Int {
		sum, power := new(big.Int), new(big.Int).Quo(one, big.NewInt(inverse))
		for k := int64(1); power.Sign() != 0; k += 2 {
			term := new(big.Int).Quo(power, big.NewInt(k))
			if k&2 != 0 {
				term.Neg(term)
			}
			sum.Add(sum, term)
			power.Quo(power, big.NewInt(inverse*inverse))
		}
		return sum
	}
	x := arctan(5)
	x.Lsh(x, 3).Sub(x, new(big.Int).Lsh(arctan(239), 1))
	return new(big.Float).SetPrec(bits).SetMantExp(new(big.Float).SetPrec(bits).SetInt(x), -bits-32)
})

func gamma(x float64) float64 {
	size := math.Abs(x)
	switch {
	case math.IsInf(x, -1) || x == math.Trunc(x) && x < 0:
		return math.NaN()
	case size < 30 || math.IsInf(x, 1) || math.IsNaN(x):
		return math.Gamma(x)
	case x > 0:
		a, b := stirling(x)
		return a * b
	}
	// gamma(x) gamma(-x) = -pi / (x sin(pi x)), and a whole number more of half turns changes the
	// sign only.
	n := math.Round(size)
	sine := size * math.Sin(math.Pi*(size-n))
	if int(math.Mod(n, 2)) == 0 {
		sine = -sine
	}
	a, b := stirling(size)
	return math.Pi / sine / a / b
}

// stirling is the two factors of gamma(x) for x >= 30, by Stirling's series. They fit a float where
// the product does not.
func stirling(x float64) (a, b float64) {
	z := 1 / x
	series := 1 + z*libm.Horner(z, -534703531./902961561600, 5246819./75246796800, 163879./209018880, -571./2488320, -139./51840, 1./288, 1./12)
	half := libm.Pow(x, x/2-0.25)
	return half, float64(half*libm.Exp(-x)) * (math.Sqrt(2*math.Pi) * series)
}

func lgamma(x float64) float64 {
	switch {
	case math.IsInf(x, 0):
		return math.Inf(1)
	case 0 < math.Abs(x) && math.Abs(x) < 0x1p-70:
		return -libm.Log(math.Abs(x))
	}
	y, _ := math.Lgamma(x)
	return y
}

func nextafter(x, y float64) float64 {
	if x == y { // 0.0 and -0.0 are
		return y
	}
	return math.Nextafter(x, y)
}
