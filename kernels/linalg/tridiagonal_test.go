package linalg

import (
	"math"
	"math/rand/v2"
	"testing"

	"gonum.org/v1/gonum/blas"
)

// BenchmarkEigh is of eigenvalues with their vectors.
func BenchmarkEigh(b *testing.B) {
	r := rand.New(rand.NewPCG(1, 2))
	a := New(500, 500)
	for i := range a.Data {
		a.Data[i] = r.NormFloat64()
	}
	for b.Loop() {
		if _, _, err := Eigh(a, Lower); err != nil {
			b.Fatal(err)
		}
	}
}

// TestGraded: eigenvalues of very different sizes come out, whichever of them lie first.
func TestGraded(t *testing.T) {
	for _, n := range []int{1, 2, 3, 7, 40} {
		for _, up := range []bool{true, false} {
			a := New(n, n)
			for i := range n {
				k := i
				if up {
					k = n - 1 - i
				}
				a.Data[i*n+i] = math.Pow(10, float64(-k%20))
				if i > 0 {
					a.Data[i*n+i-1] = 0.1 * math.Min(a.At(i, i), a.At(i-1, i-1))
				}
			}
			w, v, err := Eigh(a, Lower)
			if err != nil {
				t.Fatal(err)
			}
			full := a.mirrored(Lower)
			product := mul(blas.NoTrans, full, v)
			for i := range n {
				for j := range n {
					if d := math.Abs(product.At(i, j) - v.At(i, j)*w[j]); d > 1e-14 {
						t.Errorf("%d rows: element (%d, %d) of a v - v w is %g", n, i, j, d)
					}
				}
				if i > 0 && w[i] < w[i-1] {
					t.Errorf("%d rows: eigenvalues %g and %g are not ascending", n, w[i-1], w[i])
				}
			}
			vtv := mul(blas.Trans, v, v)
			for i := range n {
				vtv.Data[i*n+i]--
			}
			if off, _ := VectorNorm(vtv.Data, math.Inf(1)); off > 1e-13 {
				t.Errorf("%d rows: the vectors are off being orthonormal by %g", n, off)
			}
		}
	}
}
