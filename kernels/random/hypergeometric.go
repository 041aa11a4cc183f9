package random

import (
	"fmt"
	"math"

	"github.com/arignote/arignote/kernels/libm"
)

func hypergeometricValid(s Source, p []float64) error {
	most, least := 1e9-1, 0.0
	if s.legacy() {
		most, least = 1<<62-1<<10, 1
	}
	good, bad, sample := p[0], p[1], p[2]
	switch {
	case good > most || bad > most:
		return fmt.Errorf("got ngood %v and nbad %v, want at most %v each", good, bad, most)
	case sample < least || sample > good+bad:
		return fmt.Errorf("got nsample %v of %v, want from %v to ngood + nbad", sample, good+bad, least)
	}
	return nil
}

// hypergeometric is of the number of good ones in a sample without replacement: by drawing it, or
// for a greater one by the ratio of uniforms (Stadlober's HRUA, 1990).
func hypergeometric(s Source, p []float64) func() int64 {
	good, bad, sample := int64(p[0]), int64(p[1]), int64(p[2])
	switch {
	case sample == 0:
		return func() int64 { return 0 }
	case s.legacy() && sample > 10, !s.legacy() && sample >= 10 && sample <= good+bad-10:
		return hrua(s, good, bad, sample)
	case s.legacy():
		return func() int64 { return legacyUrn(s, good, bad, sample) }
	}
	return func() int64 { return urn(s, good, bad, sample) }
}

// urn draws one after another, the sample or what it leaves, whichever is smaller.
func urn(s Source, good, bad, sample int64) int64 {
	total := good + bad
	draws := min(sample, total-sample)
	left, leftGood := total, good
	for draws > 0 && leftGood > 0 && left > leftGood {
		left--
		if int64(masked(s, uint64(left))) < leftGood {
			leftGood--
		}
		draws--
	}
	if left == leftGood {
		leftGood -= draws
	}
	if sample > total/2 {
		return leftGood
	}
	return good - leftGood
}

func legacyUrn(s Source, good, bad, sample int64) int64 {
	rest := float64(bad + good - sample)
	few := float64(min(bad, good))
	left := few
	for k := sample; left > 0 && k > 0; k-- {
		left -= math.Floor(s.Float64() + left/(rest+float64(k)))
	}
	z := int64(few - left)
	if good > bad {
		return sample - z
	}
	return z
}

func hrua(s Source, good, bad, sample int64) func() int64 {
	const d1, d2 = 1.7155277699214135, 0.8989161620588988 // 2 sqrt(2/e), 3 - 2 sqrt(3/e)
	total := good + bad
	few, many, m := min(good, bad), max(good, bad), min(sample, total-sample)
	chance := float64(few) / float64(total)
	other := float64(many) / float64(total)
	variance := float64(total-m) * float64(m) * chance * other / float64(total-1)
	logFactorialOf := logFactorial
	if s.legacy() {
		other = 1 - chance
		variance = float64(total-m) * float64(sample) * chance * other / float64(total-1)
		logFactorialOf = func(k int64) float64 { return logGamma(float64(k + 1)) }
	}
	a := float64(float64(m)*chance) + 0.5
	c := math.Sqrt(variance + 0.5)
	h := float64(d1*c) + d2
	weight := func(k int64) float64 {
		return logFactorialOf(k) + logFactorialOf(few-k) + logFactorialOf(m-k) + logFactorialOf(many-m+k)
	}
	mode := weight(int64(math.Floor(float64(m+1) * float64(few+1) / float64(total+2))))
	end := min(float64(min(m, few)+1), math.Floor(a+float64(16*c)))
	return func() int64 {
		for {
			u, v := s.Float64(), s.Float64()
			x := a + h*(v-0.5)/u
			if !(x >= 0 && x < end) {
				continue
			}
			k := int64(math.Floor(x))
			t := mode - weight(k)
			if float64(u*(4-u))-3 > t && (u*(u-t) >= 1 || 2*libm.Log(u) > t) {
				continue
			}
			if good > bad {
				k = m - k
			}
			if m < sample {
				k = good - k
			}
			return k
		}
	}
}

// logFactorials are of the first integers.
var logFactorials = func() (table [126]float64) {
	sum := libm.Double{}
	for i := 2; i < len(table); i++ {
		sum = sum.Plus(libm.LogInteger(i))
		table[i] = sum.Hi
	}
	return table
}()

// logFactorial is log k!, by Stirling's series where it is not in the table.
func logFactorial(k int64) float64 {
	if k < int64(len(logFactorials)) {
		return logFactorials[k]
	}
	const halfLogTwoPi = 0.9189385332046728
	x := float64(k)
	return float64((x+0.5)*libm.Log(x)) - x + (halfLogTwoPi + float64((1/x)*(1./12-1/(360*x*x))))
}

// Dirichlet fills dst with the shares of a Dirichlet distribution with the given alphas, as long as
// they are. It is an error if an alpha is not above 0.
func Dirichlet(s Source, dst, alpha []float64) error {
	if len(alpha) == 0 || len(dst) != len(alpha) {
		return fmt.Errorf("dirichlet: got %d alphas for %d shares, want as many, and at least one", len(alpha), len(dst))
	}
	most := 0.0
	for i, a := range alpha {
		if !(a > 0 && a <= math.MaxFloat64) {
			return fmt.Errorf("dirichlet: got alpha %v at %d, want a finite number above 0", a, i)
		}
		most = max(most, a)
	}
	if !s.legacy() && most < 0.1 {
		dirichletSticks(s, dst, alpha)
		return nil
	}
	sum := 0.0
	for i, a := range alpha {
		dst[i] = gammaOf(s, a)()
		sum += dst[i]
	}
	factor := 1 / sum
	for i := range dst {
		dst[i] *= factor
	}
	return nil
}

// dirichletSticks breaks pieces off a stick, where gamma numbers could all be 0.
func dirichletSticks(s Source, dst, alpha []float64) {
	last := len(alpha) - 1
	rest := make([]float64, len(alpha)) // the sums of the alphas after each
	sum := 0.0
	for i := last; i > 0; i-- {
		sum += alpha[i]
		rest[i-1] = sum
	}
	left := 1.0
	for i := range last {
		v := beta(s, []float64{alpha[i], rest[i]})()
		dst[i] = left * v
		left *= 1 - v
	}
	dst[last] = left
}
