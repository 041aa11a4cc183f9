package random

import (
	"fmt"
	"math"

	"github.com/arignote/arignote/kernels/libm"
)

func binomial(s Source, p []float64) func() int64 { return binomialOf(s, int64(p[0]), p[1]) }

// binomialOf is of the number of successes in n trials: by inversion, or where more than 30 are
// expected by BTPE (Kachitvichyanukul and Schmeiser, 1988). Where success is likely it counts
// failures.
func binomialOf(s Source, n int64, p float64) func() int64 {
	if !s.legacy() && (n == 0 || p == 0) {
		return func() int64 { return 0 }
	}
	if p > 0.5 {
		draw := rareBinomial(s, n, 1-p)
		return func() int64 { return n - draw() }
	}
	return rareBinomial(s, n, p)
}

func rareBinomial(s Source, n int64, p float64) func() int64 {
	if p*float64(n) <= 30 {
		return binomialInversion(s, n, p)
	}
	return newBTPE(n, p).draw(s)
}

func binomialInversion(s Source, n int64, p float64) func() int64 {
	q, count := 1-p, float64(n)
	none := libm.Exp(count * libm.Log(q))
	mean := float64(count * p)
	bound := int64(min(count, mean+float64(10*math.Sqrt(float64(mean*q)+1))))
	return func() int64 {
		k, chance := int64(0), none
		for u := s.Float64(); u > chance; {
			k++
			if k > bound {
				k, chance, u = 0, none, s.Float64()
				continue
			}
			u -= chance
			chance = float64(n-k+1) * p * chance / (float64(k) * q)
		}
		return k
	}
}

// A btpe is the hat over a binomial distribution, made of a triangle, two parallelograms and two
// exponential tails, whose areas add up to p1, p2, p3 and p4.
type btpe struct {
	n, m           int64 // trials, and the most likely number of successes
	count          float64
	r, q, nrq      float64 // chances of success and failure; variance
	p1, p2, p3, p4 float64
	xm, xl, xr     float64 // middle and ends of the triangle
	c              float64
	left, right    float64 // rates of the tails
}

func newBTPE(n int64, p float64) *btpe {
	b := &btpe{n: n, count: float64(n), r: min(p, 1-p)}
	b.q = 1 - b.r
	mean := float64(b.count*b.r) + b.r
	b.m = int64(math.Floor(mean))
	b.nrq = b.count * b.r * b.q
	b.p1 = math.Floor(float64(2.195*math.Sqrt(b.nrq))-float64(4.6*b.q)) + 0.5
	b.xm = float64(b.m) + 0.5
	b.xl, b.xr = b.xm-b.p1, b.xm+b.p1
	b.c = 0.134 + 20.5/(15.3+float64(b.m))
	a := (mean - b.xl) / (mean - float64(b.xl*b.r))
	b.left = a * (1 + float64(a/2))
	a = (b.xr - mean) / (b.xr * b.q)
	b.right = a * (1 + float64(a/2))
	b.p2 = float64(b.p1 * (1 + float64(2*b.c)))
	b.p3 = b.p2 + b.c/b.left
	b.p4 = b.p3 + b.c/b.right
	return b
}

func (b *btpe) draw(s Source) func() int64 {
	return func() int64 {
		for {
			u, v := float64(s.Float64()*b.p4), s.Float64()
			var y int64
			switch {
			case u <= b.p1:
				return int64(math.Floor(b.xm - float64(b.p1*v) + u))
			case u <= b.p2:
				x := b.xl + (u-b.p1)/b.c
				v = float64(v*b.c) + 1 - math.Abs(float64(b.m)-x+0.5)/b.p1
				if v > 1 {
					continue
				}
				y = int64(math.Floor(x))
			case u <= b.p3:
				y = toInt64(math.Floor(b.xl + libm.Log(v)/b.left))
				if y < 0 || v == 0 {
					continue
				}
				v = v * (u - b.p2) * b.left
			default:
				y = toInt64(math.Floor(b.xr - libm.Log(v)/b.right))
				if y > b.n || v == 0 {
					continue
				}
				v = v * (u - b.p3) * b.right
			}
			if b.accepts(y, v) {
				return y
			}
		}
	}
}

// accepts reports whether v, relative to the highest point, is below the probability of y: by
// recursion near the middle or in the tails, and otherwise by a squeeze and Stirling's formula.
func (b *btpe) accepts(y int64, v float64) bool {
	k := y - b.m
	if k < 0 {
		k = -k
	}
	if k <= 20 || float64(k) >= float64(b.nrq/2)-1 {
		ratio := b.r / b.q
		a := ratio * float64(b.n+1)
		f := 1.0
		for i := b.m + 1; i <= y; i++ {
			f *= a/float64(i) - ratio
		}
		for i := y + 1; i <= b.m; i++ {
			f /= a/float64(i) - ratio
		}
		return v <= f
	}
	d := float64(k)
	rho := float64(d / b.nrq * ((float64(d*(d/3+0.625))+0.16666666666666666)/b.nrq + 0.5))
	t := float64(-k*k) / (2 * b.nrq)
	logV := libm.Log(v)
	if logV < t-rho {
		return true
	}
	if logV > t+rho {
		return false
	}
	x, f, z, w := float64(y+1), float64(b.m+1), float64(b.n+1-b.m), float64(b.n-y+1)
	bound := float64(b.xm*libm.Log(f/x)) + float64((float64(b.n-b.m)+0.5)*libm.Log(z/w)) + float64(float64(y-b.m)*libm.Log(w*b.r/(x*b.q))) +
		stirling(f) + stirling(z) + stirling(x) + stirling(w)
	return logV <= bound
}

// stirling is the correction of Stirling's formula for the factorial of x-1.
func stirling(x float64) float64 {
	square := float64(x * x)
	return (13680 - (462-(132-(99-140/square)/square)/square)/square) / x / 166320
}

// Multinomial fills dst with how often each of the outcomes of the probabilities p came about in n
// trials: as long as p. The last probability counts as what the others leave. It is an error if n
// is negative, a probability is not from 0 to 1, or the sum without the last is above 1.
func Multinomial(s Source, dst []int64, n int64, p []float64) error {
	if len(p) == 0 || len(dst) != len(p) {
		return fmt.Errorf("multinomial: got %d probabilities for %d outcomes, want as many, and at least one", len(p), len(dst))
	}
	if n < 0 {
		return fmt.Errorf("multinomial: for parameter n: got %d, want a whole number that is not negative", n)
	}
	for i, x := range p {
		if !(x >= 0 && x <= 1) {
			return fmt.Errorf("multinomial: got probability %v at %d, want a number from 0 to 1", x, i)
		}
	}
	if sum := kahanSum(p[:len(p)-1]); sum > 1+1e-12 {
		return fmt.Errorf("multinomial: got probabilities with the sum %v without the last, want at most 1", sum)
	}
	clear(dst)
	last, rest := len(p)-1, 1.0
	for i, x := range p[:last] {
		if share := x / rest; n > 0 && share != 0 {
			dst[i] = binomialOf(s, n, min(share, 1))()
		}
		n -= dst[i]
		if n <= 0 {
			return nil
		}
		rest -= x
	}
	dst[last] = n
	return nil
}
