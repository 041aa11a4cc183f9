package libm

import (
	"math"
	"math/big"
	"testing"
)

// TestDerived derives the tables of log, pow and exp from their definitions with numbers of 200
// bits, and compares every bit. The points 1/c are given, as glibc has them: others near the
// middles of the intervals would do as well, and by what rule these were chosen is not known.
func TestDerived(t *testing.T) {
	same := func(name string, i int, got float64, exact *big.Float) {
		if want, _ := exact.Float64(); got != want {
			t.Errorf("%s, entry %d: got %x, want %x", name, i, got, want)
		}
	}
	for i := range 128 {
		l := logTable[i]
		exact := minusLog(l.inverse)
		same("logTable", i, l.log, to43Bits(exact))
		if lost, _ := wide(0).Sub(exact, wide(l.log)).Float64(); math.Abs(lost) > 0x1p-66 {
			t.Errorf("logTable, entry %d: 1/c loses %g of log c, want at most 2**-66", i, lost)
		}
		p := powTable[i]
		exact = minusLog(p.inverse)
		same("powTable", i, p.log, to43Bits(exact))
		same("powTable's rest", i, p.rest, wide(0).Sub(exact, wide(p.log)))
		if i == 0 {
			continue // 2**0 is 1
		}
		e := expTable[i]
		power := exp(wide(0).Quo(wide(0).Mul(wide(float64(i)), minusLog(0.5)), wide(128)))
		rounded := math.Float64frombits(e.bits + uint64(i)<<45)
		same("expTable", i, rounded, power)
		lost := wide(0).Sub(power, wide(rounded))
		same("expTable's rest", i, e.rest, lost.Quo(lost, wide(rounded)))
	}
}

// TestPolynomials: an entry's polynomial is asin from end to end of its interval, and inverseRoots
// are of the middles of theirs.
func TestPolynomials(t *testing.T) {
	for i, e := range acosTable {
		for step := -8.0; step <= 8; step++ {
			r := step / 4096
			p := 0.0
			for k := len(e.series) - 1; k >= 0; k-- {
				p = p*r + e.series[k]
			}
			got, want := e.high+(r*e.slope+(r*r*p+e.low)), math.Asin(e.c+r)
			if !(math.Abs(got-want) <= 0x1p-51) {
				t.Errorf("acosTable, entry %d: asin %v: got %v, want %v", i, e.c+r, got, want)
			}
		}
	}
	for i, got := range inverseRoots {
		want := 1 / math.Sqrt(1+(float64(i%64)+0.5)/64)
		if i < 64 {
			want *= math.Sqrt2
		}
		if !(math.Abs(got-want) <= 1e-14) {
			t.Errorf("inverseRoots, entry %d: got %v, want %v", i, got, want)
		}
	}
}

func wide(x float64) *big.Float { return new(big.Float).SetPrec(200).SetFloat64(x) }

// to43Bits is x rounded to a multiple of 2**-43.
func to43Bits(x *big.Float) *big.Float {
	const toMultiple = 0x1.8p10 // numbers of 54 bits from here on are such multiples
	y := new(big.Float).SetPrec(54).Add(x, wide(toMultiple))
	return y.Sub(y, wide(toMultiple))
}

// exp is exp x for |x| < 1, by its series.
func exp(x *big.Float) *big.Float {
	sum := wide(1)
	for k := 50.0; k > 0; k-- {
		sum.Add(wide(1), sum.Quo(sum.Mul(sum, x), wide(k)))
	}
	return sum
}

// minusLog is -log x for x near 1 by Newton's method: y becomes y + 1 - x exp y.
func minusLog(x float64) *big.Float {
	y := wide(-math.Log(x))
	for range 3 {
		step := exp(y)
		y.Add(y, step.Sub(wide(1), step.Mul(step, wide(x))))
	}
	return y
}
