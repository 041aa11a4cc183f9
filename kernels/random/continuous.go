package random

import (
	"fmt"
	"math"

	"github.com/arignote/arignote/kernels/libm"
)

// The functions of this file return what draws numbers of a distribution from s, with the
// parameters p, which are valid. Where the interfaces differ, the old one's way is the one under
// s.legacy().

func uniformValid(s Source, p []float64) error {
	switch width := p[1] - p[0]; {
	case math.IsInf(width, 0) || width != width:
		return fmt.Errorf("got low %v and high %v, want a finite difference", p[0], p[1])
	case width < 0 && !s.legacy():
		return fmt.Errorf("got low %v above high %v, want low <= high", p[0], p[1])
	}
	return nil
}

func uniform(s Source, p []float64) func() float64 {
	low, width := p[0], p[1]-p[0]
	return func() float64 { return low + float64(width*s.Float64()) }
}

func fillUniform(s Source, p, dst []float64) {
	s.FillUniform(dst)
	scale(dst, p[0], p[1]-p[0])
}

// scale replaces every x of dst by loc + factor x.
func scale(dst []float64, loc, factor float64) {
	for i, x := range dst {
		dst[i] = loc + float64(factor*x)
	}
}

func fillNormal(s Source, p, dst []float64) {
	s.FillNormal(dst)
	scale(dst, p[0], p[1])
}

func normal(s Source, p []float64) func() float64 {
	loc, scale := p[0], p[1]
	return func() float64 { return loc + float64(scale*s.StandardNormal()) }
}

func lognormal(s Source, p []float64) func() float64 {
	draw := normal(s, p)
	return func() float64 { return libm.Exp(draw()) }
}

func exponential(s Source, p []float64) func() float64 {
	scale := p[0]
	return func() float64 { return scale * s.StandardExponential() }
}

func fillExponential(s Source, p, dst []float64) {
	s.FillExponential(dst)
	scale(dst, 0, p[0])
}

func standardGamma(s Source, p []float64) func() float64 { return gammaOf(s, p[0]) }

func gamma(s Source, p []float64) func() float64 {
	draw, scale := gammaOf(s, p[0]), p[1]
	return func() float64 { return scale * draw() }
}

// gammaOf is of the gamma distribution of scale 1, by Marsaglia and Tsang's method (2000), or for a
// shape below 1 by Ahrens and Dieter's rejection (1974).
func gammaOf(s Source, shape float64) func() float64 {
	switch {
	case shape == 1:
		return s.StandardExponential
	case shape == 0:
		return func() float64 { return 0 }
	case shape < 1:
		return func() float64 { return smallGamma(s, shape) }
	}
	b := shape - 1./3
	c := 1 / math.Sqrt(9*b)
	return func() float64 {
		for {
			var x, v float64
			for v <= 0 {
				x = s.StandardNormal()
				v = 1 + float64(c*x)
			}
			v = float64(v * v * v)
			u := s.Float64()
			square := float64(x * x)
			if u < 1-float64(0.0331*square*square) ||
				libm.Log(u) < float64(0.5*x*x)+float64(b*(1-v+libm.Log(v))) {
				return b * v
			}
		}
	}
}

func smallGamma(s Source, shape float64) float64 {
	for {
		u, v := s.Float64(), s.StandardExponential()
		if u <= 1-shape {
			if x := libm.Pow(u, 1/shape); x <= v {
				return x
			}
			continue
		}
		y := -libm.Log((1 - u) / shape)
		if x := libm.Pow(1-shape+float64(shape*y), 1/shape); x <= v+y {
			return x
		}
	}
}

func beta(s Source, p []float64) func() float64 {
	a, b := p[0], p[1]
	if a <= 1 && b <= 1 {
		return func() float64 { return johnk(s, a, b) }
	}
	drawA, drawB := gammaOf(s, a), gammaOf(s, b)
	return func() float64 {
		x := drawA()
		return x / (x + drawB())
	}
}

// johnk is of the beta distribution for a and b up to 1 (Jöhnk, 1964). Where both powers are too
// small for a number, the old interface takes their logarithms, and the new one tries again; after
// many times it takes them too.
func johnk(s Source, a, b float64) float64 {
	const maxTries = 10000
	for tries := 1; ; tries++ {
		u, v := s.Float64(), s.Float64()
		x, y := libm.Pow(u, 1/a), libm.Pow(v, 1/b)
		sum := x + y
		if sum > 1 {
			continue
		}
		if sum > 0 {
			return x / sum
		}
		if (s.legacy() || tries > maxTries) && u+v > 0 {
			logX, logY := libm.Log(u)/a, libm.Log(v)/b
			most := max(logX, logY)
			if math.IsInf(most, 0) { // all but 0 or 1
				if (a+b)*s.Float64() < a {
					return 1
				}
				return 0
			}
			logX, logY = logX-most, logY-most
			return libm.Exp(logX - libm.Log(libm.Exp(logX)+libm.Exp(logY)))
		}
	}
}

func chisquare(s Source, p []float64) func() float64 { return chisquareOf(s, p[0]) }

func chisquareOf(s Source, df float64) func() float64 {
	draw := gammaOf(s, df/2)
	return func() float64 { return 2 * draw() }
}

func noncentralChisquare(s Source, p []float64) func() float64 {
	df, nonc := p[0], p[1]
	if nonc == 0 {
		return chisquareOf(s, df)
	}
	if df > 1 {
		draw, root := chisquareOf(s, df-1), math.Sqrt(nonc)
		return func() float64 {
			square := draw()
			n := s.StandardNormal() + root
			return square + float64(n*n)
		}
	}
	draw := poissonOf(s, nonc/2)
	return func() float64 { return chisquareOf(s, df+float64(2*draw()))() }
}

func fRatio(s Source, p []float64) func() float64 {
	num, den := p[0], p[1]
	up, down := chisquareOf(s, num), chisquareOf(s, den)
	return func() float64 {
		x := up() * den
		return x / (down() * num)
	}
}

func noncentralF(s Source, p []float64) func() float64 {
	num, den := p[0], p[1]
	up, down := noncentralChisquare(s, []float64{num, p[2]}), chisquareOf(s, den)
	return func() float64 {
		x := up() * den
		return x / (down() * num)
	}
}

func standardT(s Source, p []float64) func() float64 {
	df := p[0]
	draw, root := gammaOf(s, df/2), math.Sqrt(df/2)
	return func() float64 {
		x := root * s.StandardNormal()
		return x / math.Sqrt(draw())
	}
}

func standardCauchy(s Source, _ []float64) func() float64 {
	return func() float64 {
		x := s.StandardNormal()
		return x / s.StandardNormal()
	}
}

func pareto(s Source, p []float64) func() float64 {
	a := p[0]
	if s.legacy() {
		return func() float64 { return libm.Exp(s.StandardExponential()/a) - 1 }
	}
	return func() float64 { return libm.Expm1(s.StandardExponential() / a) }
}

func weibull(s Source, p []float64) func() float64 {
	a := p[0]
	if a == 0 {
		return func() float64 { return 0 }
	}
	return func() float64 { return libm.Pow(s.StandardExponential(), 1/a) }
}

func power(s Source, p []float64) func() float64 {
	a := p[0]
	if s.legacy() {
		return func() float64 { return libm.Pow(1-libm.Exp(-s.StandardExponential()), 1/a) }
	}
	return func() float64 { return libm.Pow(-libm.Expm1(-s.StandardExponential()), 1/a) }
}

// aboveZero is uniform in (0, 1).
func aboveZero(s Source) float64 {
	for {
		if u := s.Float64(); u > 0 {
			return u
		}
	}
}

func laplace(s Source, p []float64) func() float64 {
	loc, scale := p[0], p[1]
	return func() float64 {
		u := aboveZero(s)
		if u >= 0.5 {
			return loc - float64(scale*libm.Log(2-u-u))
		}
		return loc + float64(scale*libm.Log(u+u))
	}
}

func gumbel(s Source, p []float64) func() float64 {
	loc, scale := p[0], p[1]
	return func() float64 { return loc - float64(scale*libm.Log(-libm.Log(1-aboveZero(s)))) }
}

func logistic(s Source, p []float64) func() float64 {
	loc, scale := p[0], p[1]
	return func() float64 {
		u := aboveZero(s)
		return loc + float64(scale*libm.Log(u/(1-u)))
	}
}

func rayleigh(s Source, p []float64) func() float64 {
	scale := p[0]
	if s.legacy() {
		return func() float64 { return scale * math.Sqrt(-2*libm.Log1p(-s.Float64())) }
	}
	return func() float64 { return scale * math.Sqrt(2*s.StandardExponential()) }
}

// wald is of the inverse Gaussian distribution (Michael, Schucany and Haas, 1976).
func wald(s Source, p []float64) func() float64 {
	mean, scale := p[0], p[1]
	factor := mean / (2 * scale)
	return func() float64 {
		y := s.StandardNormal()
		y = float64(mean * y * y)
		x := mean + float64(factor*(y-math.Sqrt(float64(4*scale*y)+float64(y*y))))
		if s.Float64() <= mean/(mean+x) {
			return x
		}
		return mean * mean / x
	}
}

// vonmises is of the von Mises distribution (Best and Fisher, 1979). It is a normal one for great
// kappa, where the old interface goes on to numbers at which it comes to no end.
func vonmises(s Source, p []float64) func() float64 {
	mu, kappa := p[0], p[1]
	most := 1e6
	if s.legacy() {
		most = 1e15
	}
	switch {
	case kappa < 1e-8:
		return func() float64 { return math.Pi * (2*s.Float64() - 1) }
	case kappa > most:
		sigma := math.Sqrt(1 / kappa)
		return func() float64 {
			x := mu + float64(sigma*s.StandardNormal())
			if x < -math.Pi {
				x += 2 * math.Pi
			}
			if x > math.Pi {
				x -= 2 * math.Pi
			}
			return x
		}
	}
	t := 1/kappa + kappa
	if kappa >= 1e-5 {
		r := 1 + math.Sqrt(1+float64(4*kappa*kappa))
		rho := (r - math.Sqrt(2*r)) / (2 * kappa)
		t = (1 + float64(rho*rho)) / (2 * rho)
	}
	return func() float64 {
		var w float64
		for {
			z := libm.Cos(math.Pi * s.Float64())
			w = (1 + float64(t*z)) / (t + z)
			y := float64(kappa * (t - w))
			v := s.Float64()
			if float64(y*(2-y))-v >= 0 || libm.Log(y/v)+1-y >= 0 {
				break
			}
		}
		angle := libm.Acos(w)
		if s.Float64() < 0.5 {
			angle = -angle
		}
		angle += mu
		mod := math.Mod(math.Abs(angle)+math.Pi, 2*math.Pi) - math.Pi
		if angle < 0 {
			return -mod
		}
		return mod
	}
}

func triangularValid(_ Source, p []float64) error {
	if left, mode, right := p[0], p[1], p[2]; left > mode || mode > right || left == right {
		return fmt.Errorf("got left %v, mode %v and right %v, want left <= mode <= right, and not all equal", left, mode, right)
	}
	return nil
}

func triangular(s Source, p []float64) func() float64 {
	left, mode, right := p[0], p[1], p[2]
	base := right - left
	ratio := (mode - left) / base
	leftProduct, rightProduct := (mode-left)*base, (right-mode)*base
	return func() float64 {
		u := s.Float64()
		if u <= ratio {
			return left + math.Sqrt(u*leftProduct)
		}
		return right - math.Sqrt((1-u)*rightProduct)
	}
}
