package linalg

import (
	"cmp"
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"gonum.org/v1/gonum/blas"
)

// TestBidiagonalVectors: bidiagonal matrices whose elements are drawn so that all that can be
// nothing beside the rest, or equal, is.
func TestBidiagonalVectors(t *testing.T) {
	r := rand.New(rand.NewPCG(41, 42))
	draws := map[string]func() float64{
		"normal":   r.NormFloat64,
		"wide":     func() float64 { return math.Pow(10, -270*r.Float64()) },
		"digits":   func() float64 { return math.Pow(10, -32*r.Float64()) },
		"few":      func() float64 { return float64(r.IntN(3)) },
		"powers":   func() float64 { return math.Ldexp(1, -r.IntN(4)*20) },
		"mostly 0": func() float64 { return math.Floor(r.Float64()*1.2) * r.NormFloat64() },
		"alike":    func() float64 { return 1 + float64(r.IntN(3))*eps },
		"rounding": func() float64 { return float64(r.IntN(2)) + eps*r.NormFloat64() },
		"signs":    func() float64 { return float64(2*r.IntN(2) - 1) },
		"none":     func() float64 { return 0 },
		"nearly 0": func() float64 { return eps * r.Float64() },
		"one":      func() float64 { return 1 },
	}
	for onDiagonal, diagonal := range draws {
		for beside, next := range draws {
			for _, n := range []int{14, 27, 28, 29, 57 + r.IntN(60)} {
				d, e := make([]float64, n), make([]float64, n-1)
				for i := range d {
					d[i] = diagonal()
				}
				for i := range e {
					e[i] = next()
				}
				b := bidiagonalOf(n, n, func(i int) float64 { return d[i] }, func(i int) float64 { return e[i] })
				s := slices.Clone(d)
				u, v, ok := Product(goProduct).bidiagonalVectors(s, e)
				i, j := Identity(n), Identity(n)
				if !ok || !newDivision(goProduct, n).singular(slices.Clone(d), slices.Clone(e), i.view(), j.view()) {
					t.Fatalf("%s beside %s, %d rows: an iteration did not converge", beside, onDiagonal, n)
				}
				bound := 1e-15 * float64(n+10)
				if off := max(offOrthonormal(u.T()), offOrthonormal(v.T())); !(off <= bound) {
					t.Errorf("%s beside %s, %d rows: vectors are off being orthonormal by %g", beside, onDiagonal, n, off)
				}
				ub, norm := mul(blas.NoTrans, u, b), s[0]
				for i := range ub.Data {
					if off := math.Abs(ub.Data[i] - s[i/n]*v.Data[i]); !(off <= bound*norm) {
						t.Errorf("%s beside %s, %d rows: u b - s v is %g, with values up to %g", beside, onDiagonal, n, off, norm)
						break
					}
				}
				if !slices.IsSortedFunc(s, func(x, y float64) int { return cmp.Compare(y, x) }) || s[n-1] < 0 {
					t.Errorf("%s beside %s, %d rows: values %g do not fall to 0", beside, onDiagonal, n, s)
				}
			}
		}
	}
}
