package linalg

import (
	"math"
	"math/rand/v2"
	"testing"

	"gonum.org/v1/gonum/blas"
)

// TestDivideAndConquer: values and vectors of matrices on which it has nothing to do, or much:
// multiples of the identity, clusters, eigenvalues that agree in all digits (glued Wilkinson
// matrices), low rank, all sizes.
func TestDivideAndConquer(t *testing.T) {
	r := rand.New(rand.NewPCG(21, 22))
	tridiagonal := func(n int, d, e func(i int) float64) Matrix {
		a := New(n, n)
		for i := range n {
			a.Data[i*n+i] = d(i)
			if i > 0 {
				beside := e(i)
				a.Data[i*n+i-1], a.Data[(i-1)*n+i] = beside, beside
			}
		}
		return a
	}
	one := func(int) float64 { return 1 }
	for name, make := range map[string]func(n int) Matrix{
		"random": func(n int) Matrix { a := random(r, n, n); return combine([]float64{1, 1}, a, a.T()) },
		"huge":   func(n int) Matrix { a := random(r, n, n); return combine([]float64{1e200, 1e200}, a, a.T()) },
		"small":  func(n int) Matrix { a := random(r, n, n); return combine([]float64{1e-120, 1e-120}, a, a.T()) },
		"zero":   func(n int) Matrix { return New(n, n) },
		"ones":   func(n int) Matrix { return tridiagonal(n, one, func(int) float64 { return 0 }) },
		"rank 3": func(n int) Matrix { a := random(r, n, 3); return mul(blas.NoTrans, a, a.T()) },
		"path": func(n int) Matrix {
			return tridiagonal(n, func(int) float64 { return 2 }, func(int) float64 { return -1 })
		},
		"zero diagonal": func(n int) Matrix {
			return tridiagonal(n, func(int) float64 { return 0 }, func(int) float64 { return r.NormFloat64() })
		},
		"wilkinson": func(n int) Matrix {
			return tridiagonal(n, func(i int) float64 { return math.Abs(float64(i) - float64(n-1)/2) }, one)
		},
		"glued": func(n int) Matrix {
			return tridiagonal(n, func(i int) float64 { return math.Abs(float64(i%21) - 10) }, func(i int) float64 {
				if i%21 == 0 {
					return 1e-14
				}
				return 1
			})
		},
		"cluster": func(n int) Matrix {
			q, _ := QR(random(r, n, n), QRReduced)
			s := q.clone()
			for i := range n {
				for j := range n {
					s.Data[i*n+j] *= 1 + 1e-13*float64(j%5)
				}
			}
			z := mul(blas.NoTrans, s, q.T())
			return combine([]float64{0.5, 0.5}, z, z.T())
		},
	} {
		for _, n := range []int{26, 27, 51, 64, 105, 200} {
			a := make(n)
			w, v, err := Eigh(a, Lower)
			if err != nil {
				t.Errorf("%s, %d rows: %v", name, n, err)
				continue
			}
			norm := 0.0
			for _, x := range w {
				norm = max(norm, math.Abs(x))
			}
			values, err := Eigvalsh(a, Lower)
			if err != nil {
				t.Fatal(err)
			}
			av, vtv := mul(blas.NoTrans, a, v), mul(blas.Trans, v, v)
			for i := range n {
				if d := math.Abs(w[i] - values[i]); !(d <= 1e-13*norm) {
					t.Errorf("%s, %d rows: eigenvalue %d is %g, and %g alone", name, n, i, w[i], values[i])
				}
				if i > 0 && w[i] < w[i-1] {
					t.Errorf("%s, %d rows: eigenvalues %g and %g are not ascending", name, n, w[i-1], w[i])
				}
				vtv.Data[i*n+i]--
				for j := range n {
					if d := math.Abs(av.At(i, j) - v.At(i, j)*w[j]); !(d <= 1e-13*norm) {
						t.Fatalf("%s, %d rows: element (%d, %d) of a v - v w is %g", name, n, i, j, d)
					}
				}
			}
			if off, _ := VectorNorm(vtv.Data, math.Inf(1), nil); !(off <= 1e-13) {
				t.Errorf("%s, %d rows: the vectors are off being orthonormal by %g", name, n, off)
			}
		}
	}
}
