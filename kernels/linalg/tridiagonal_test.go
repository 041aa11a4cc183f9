package linalg

import (
	"math"
	"math/rand/v2"
	"testing"

	"gonum.org/v1/gonum/blas"
	"gonum.org/v1/gonum/lapack"
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
			if off, _ := VectorNorm(vtv.Data, math.Inf(1), nil); off > 1e-13 {
				t.Errorf("%d rows: the vectors are off being orthonormal by %g", n, off)
			}
		}
	}
}

// TestEigenvalues: those without vectors, of sizes around those of blocks, are those beside vectors
// and those of Gonum's Dsyev.
func TestEigenvalues(t *testing.T) {
	r := rand.New(rand.NewPCG(3, 4))
	for _, n := range []int{1, 2, smallValues, smallValues + 1, 64, 65, 97, 130} {
		low := New(n, n)
		low.Data[n*n-n] = 1 // one element beside zeros
		for name, a := range map[string]Matrix{"random": random(r, n, n), "zero": New(n, n), "ones": withOnes(n, n), "identity": Identity(n), "corner": low,
			"tiny": scaled(0x1p-900, random(r, n, n)), "huge": scaled(0x1p900, random(r, n, n))} {
			for _, half := range []Triangle{Lower, Upper} {
				alone, err := Eigvalsh(a, half)
				if err != nil {
					t.Fatal(name, n, err)
				}
				beside, _, err := Eigh(a, half)
				if err != nil {
					t.Fatal(name, n, err)
				}
				oracle := a.mirrored(half)
				exponent, err := oracle.tame()
				if err != nil {
					t.Fatal(name, n, err)
				}
				want := make([]float64, n)
				if !symmetricEigen(lapack.EVNone, oracle, want) {
					t.Fatal(name, n, "the oracle did not converge")
				}
				scale(want, exponent)
				most := max(math.Abs(want[0]), math.Abs(want[n-1]))
				for i, w := range want {
					if d := max(math.Abs(alone[i]-w), math.Abs(beside[i]-w)); !(d <= 10*eps*float64(n)*most) {
						t.Errorf("%s, %d rows: eigenvalue %d is %g alone and %g beside vectors, want %g", name, n, i, alone[i], beside[i], w)
					}
				}
			}
			a.Data[0] = math.NaN()
			if _, err := Eigvalsh(a, Upper); err != ErrNotFinite {
				t.Errorf("%s, %d rows: got %v, want ErrNotFinite", name, n, err)
			}
		}
	}
}
