package random

import (
	"fmt"
	"math"

	"github.com/arignote/arignote/kernels/libm"
)

// toInt64 cuts x to an integer, of those that there are.
func toInt64(x float64) int64 {
	switch {
	case x >= 1<<63:
		return math.MaxInt64
	case x <= -1<<63:
		return math.MinInt64
	}
	return int64(x)
}

func poisson(s Source, p []float64) func() int64 { return poissonOf(s, p[0]) }

// poissonOf is of the Poisson distribution: by multiplication, or for a great mean by Hörmann's
// transformed rejection (PTRS, 1993).
func poissonOf(s Source, mean float64) func() int64 {
	switch {
	case mean == 0:
		return func() int64 { return 0 }
	case mean < 10:
		least := libm.Exp(-mean)
		return func() int64 {
			k, product := int64(0), s.Float64()
			for product > least {
				k++
				product *= s.Float64()
			}
			return k
		}
	}
	logMean := libm.Log(mean)
	b := 0.931 + float64(2.53*math.Sqrt(mean))
	a := -0.059 + float64(0.02483*b)
	logInverseAlpha := libm.Log(1.1239 + 1.1328/(b-3.4))
	squeeze := 0.9277 - 3.6224/(b-2)
	return func() int64 {
		for {
			u, v := s.Float64()-0.5, s.Float64()
			us := 0.5 - math.Abs(u)
			k := toInt64(math.Floor(float64((2*a/us+b)*u) + mean + 0.43))
			if us >= 0.07 && v <= squeeze {
				return k
			}
			if k < 0 || us < 0.013 && v > us {
				continue
			}
			logK := float64(float64(k)*logMean) - mean
			if libm.Log(v)+logInverseAlpha-libm.Log(a/float64(us*us)+b) <= logK-logGamma(float64(k+1)) {
				return k
			}
		}
	}
}

// logGamma is log Γ(x) for x > 0, by Stirling's series (Zhang and Jin, 1996), from 7 on. It need be
// NumPy's rather than exact.
func logGamma(x float64) float64 {
	if x == 1 || x == 2 {
		return 0
	}
	n := 0
	if x < 7 {
		n = int(7 - x)
	}
	x0 := x + float64(n)
	x2 := (1 / x0) * (1 / x0)
	const logTwoPi = 1.8378770664093453
	series := libm.Horner(x2, -1.39243221690590e+00, 1.796443723688307e-01, -2.955065359477124e-02, 6.410256410256410e-03,
		-1.917526917526918e-03, 8.417508417508418e-04, -5.952380952380952e-04, 7.936507936507937e-04,
		-2.777777777777778e-03, 8.333333333333333e-02)
	y := series/x0 + 0.5*logTwoPi + float64((x0-0.5)*libm.Log(x0)) - x0
	for range n {
		x0--
		y -= libm.Log(x0)
	}
	return y
}

func negativeBinomialValid(_ Source, p []float64) error {
	n, chance := p[0], p[1]
	if mean := (1 - chance) / chance * (n + float64(10*math.Sqrt(n))); !(mean <= maxRate) {
		return fmt.Errorf("got n %v and p %v, want a smaller n or a greater p: the numbers would not fit 64 bits", n, chance)
	}
	return nil
}

func negativeBinomial(s Source, p []float64) func() int64 {
	draw, odds := gammaOf(s, p[0]), (1-p[1])/p[1]
	return func() int64 { return poissonOf(s, min(odds*draw(), maxRate))() }
}

// geometric is of the number of trials up to the first success: by search, or for a small chance by
// inversion.
func geometric(s Source, p []float64) func() int64 {
	chance := p[0]
	if chance >= 1./3 {
		rest := 1 - chance
		return func() int64 {
			u := s.Float64()
			k, sum, product := int64(1), chance, chance
			for u > sum && product > 0 {
				product = float64(product * rest)
				sum += product
				k++
			}
			return k
		}
	}
	if s.legacy() {
		down := libm.Log(1 - chance)
		return func() int64 { return toInt64(math.Ceil(libm.Log1p(-s.Float64()) / down)) }
	}
	down := libm.Log1p(-chance)
	return func() int64 { return toInt64(math.Ceil(-s.StandardExponential() / down)) }
}

// logseries is of the logarithmic series distribution (Kemp, 1981).
func logseries(s Source, p []float64) func() int64 {
	chance := p[0]
	r := libm.Log1p(-chance)
	if s.legacy() {
		r = libm.Log(1 - chance)
	}
	return func() int64 {
		for {
			v := s.Float64()
			if v >= chance {
				return 1
			}
			u := s.Float64()
			q := -libm.Expm1(r * u)
			if s.legacy() {
				q = 1 - libm.Exp(r*u)
			}
			if v <= float64(q*q) {
				k := toInt64(math.Floor(1 + libm.Log(v)/libm.Log(q)))
				if k < 1 || v == 0 {
					continue
				}
				return k
			}
			if v >= q {
				return 1
			}
			return 2
		}
	}
}

// zipf is by rejection (Devroye, 1986). For an exponent whose power of two overflows, all numbers
// are 1 to any precision.
func zipf(s Source, p []float64) func() int64 {
	a := p[0]
	if a >= 1025 {
		return func() int64 { return 1 }
	}
	exponent := a - 1
	b := libm.Pow(2, exponent)
	return func() int64 {
		for {
			u, v := 1-s.Float64(), s.Float64()
			x := math.Floor(libm.Pow(u, -1/exponent))
			if x > math.MaxInt64 || x < 1 {
				continue
			}
			t := libm.Pow(1+1/x, exponent)
			if v*x*(t-1)/(b-1) <= t/b {
				return toInt64(x)
			}
		}
	}
}
