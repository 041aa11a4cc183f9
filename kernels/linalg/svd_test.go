package linalg

import (
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"gonum.org/v1/gonum/blas"
	"gonum.org/v1/gonum/blas/blas64"
	"gonum.org/v1/gonum/lapack"
	"gonum.org/v1/gonum/lapack/lapack64"
)

// bidiagonalOf has d(i) on the diagonal and e(i) behind it.
func bidiagonalOf(m, n int, d, e func(i int) float64) Matrix {
	a := New(m, n)
	for i := range min(m, n) {
		a.row(i)[i] = d(i)
		if i+1 < n {
			a.row(i)[i+1] = e(i)
		}
	}
	return a
}

// withValues has singular values s(i), and random vectors.
func withValues(r *rand.Rand, m, n int, s func(i int) float64) Matrix {
	k := min(m, n)
	u, _ := QR(random(r, m, k), QRReduced)
	v, _ := QR(random(r, n, k), QRReduced)
	for i := range u.Data {
		u.Data[i] *= s(i % k)
	}
	return mul(blas.NoTrans, u, v.T())
}

func always(v float64) func(int) float64 { return func(int) float64 { return v } }

func scaled(f float64, m Matrix) Matrix { return combine([]float64{f}, m) }

// svdMatrices are kinds of matrices on which an algorithm has nothing to do, or much, or may lose
// its way.
var svdMatrices = map[string]func(r *rand.Rand, m, n int) Matrix{
	"random": random,
	"huge":   func(r *rand.Rand, m, n int) Matrix { return scaled(1e300, random(r, m, n)) },
	"small":  func(r *rand.Rand, m, n int) Matrix { return scaled(1e-300, random(r, m, n)) },
	"tiny":   func(r *rand.Rand, m, n int) Matrix { return scaled(0x1p-1070, random(r, m, n)) },
	"zero":   func(_ *rand.Rand, m, n int) Matrix { return New(m, n) },
	"ones":   func(_ *rand.Rand, m, n int) Matrix { return withOnes(m, n) },
	"identity": func(_ *rand.Rand, m, n int) Matrix {
		return bidiagonalOf(m, n, always(1), always(0))
	},
	"orthogonal": func(r *rand.Rand, m, n int) Matrix { return withValues(r, m, n, always(1)) },
	"diagonal": func(r *rand.Rand, m, n int) Matrix {
		return bidiagonalOf(m, n, func(int) float64 { return r.NormFloat64() }, always(0))
	},
	"powers of ten": func(r *rand.Rand, m, n int) Matrix {
		return bidiagonalOf(m, n, func(i int) float64 { return math.Pow(10, float64(i*37%600-300)) }, always(0))
	},
	"graded": func(r *rand.Rand, m, n int) Matrix {
		return withValues(r, m, n, func(i int) float64 { return math.Pow(10, -float64(i)) })
	},
	"graded rows": func(r *rand.Rand, m, n int) Matrix {
		a := random(r, m, n)
		for i := range m {
			a.scaleRow(i, math.Pow(10, 300-600*float64(i)/float64(m)))
		}
		return a
	},
	"low rank": func(r *rand.Rand, m, n int) Matrix { return mul(blas.NoTrans, random(r, m, 3), random(r, 3, n)) },
	"half rank": func(r *rand.Rand, m, n int) Matrix {
		return withValues(r, m, n, func(i int) float64 { return float64(i % 2) })
	},
	"clusters": func(r *rand.Rand, m, n int) Matrix {
		return withValues(r, m, n, func(i int) float64 { return float64(1+i%3) * (1 + 1e-13*float64(i%5)) })
	},
	"one small": func(r *rand.Rand, m, n int) Matrix {
		return withValues(r, m, n, func(i int) float64 {
			if i == 0 {
				return 1e-12
			}
			return 1
		})
	},
	"path":  func(_ *rand.Rand, m, n int) Matrix { return bidiagonalOf(m, n, always(1), always(-1)) },
	"above": func(_ *rand.Rand, m, n int) Matrix { return bidiagonalOf(m, n, always(0), always(1)) },
	"holes on the diagonal": func(r *rand.Rand, m, n int) Matrix {
		return bidiagonalOf(m, n, func(i int) float64 { return float64(i % 5) }, func(int) float64 { return r.NormFloat64() })
	},
	"holes beside it": func(r *rand.Rand, m, n int) Matrix {
		return bidiagonalOf(m, n, func(int) float64 { return r.NormFloat64() }, func(i int) float64 { return float64(i % 7) })
	},
	"glued": func(_ *rand.Rand, m, n int) Matrix {
		return bidiagonalOf(m, n, func(i int) float64 { return math.Abs(float64(i%21) - 10) }, func(i int) float64 {
			if i%21 == 20 {
				return 1e-14
			}
			return 1
		})
	},
	"hilbert": func(_ *rand.Rand, m, n int) Matrix {
		a := New(m, n)
		for i := range a.Data {
			a.Data[i] = 1 / float64(i/n+i%n+1)
		}
		return a
	},
	"empty rows": func(r *rand.Rand, m, n int) Matrix {
		a := random(r, m, n)
		for i := 0; i < m; i += 3 {
			a.scaleRow(i, 0)
		}
		return a
	},
	"empty columns": func(r *rand.Rand, m, n int) Matrix {
		a := random(r, m, n)
		for i := range a.Data {
			if i%n%3 == 0 {
				a.Data[i] = 0
			}
		}
		return a
	},
	"upper": func(r *rand.Rand, m, n int) Matrix { return random(r, m, n).upper(m) },
	"alike": func(r *rand.Rand, m, n int) Matrix {
		a := random(r, m, n)
		for i := range m {
			copy(a.row(i), a.row(i%2))
		}
		return a
	},
}

func withOnes(m, n int) Matrix {
	a := New(m, n)
	for i := range a.Data {
		a.Data[i] = 1
	}
	return a
}

// qrValues are the singular values by Gonum's QR iteration.
func qrValues(t *testing.T, a Matrix) []float64 {
	t.Helper()
	f := a.clone()
	exponent, err := f.tame()
	if err != nil {
		t.Fatal(err)
	}
	s, ok, none := make([]float64, min(a.Rows, a.Cols)), false, blas64.General{Stride: 1}
	work(func(w []float64, lwork int) {
		ok = lapack64.Gesvd(lapack.SVDNone, lapack.SVDNone, f.general(), none, none, s, w, lwork)
	})
	if !ok {
		t.Fatal("the oracle did not converge")
	}
	scale(s, exponent)
	return s
}

// offOrthonormal is how far the columns of m are from being orthonormal.
func offOrthonormal(m Matrix) float64 {
	off := mul(blas.Trans, m, m)
	for i := range m.Cols {
		off.row(i)[i]--
	}
	most, _ := VectorNorm(off.Data, math.Inf(1), nil)
	return most
}

// checkSVD takes a apart and puts it together again.
func checkSVD(t *testing.T, a Matrix, full bool) {
	t.Helper()
	m, n := a.Rows, a.Cols
	k := min(m, n)
	u, s, vt, err := SVD(a, full)
	if err != nil {
		t.Error(err)
		return
	}
	if rows, cols := map[bool]int{false: k, true: m}[full], map[bool]int{false: k, true: n}[full]; u.Rows != m || u.Cols != rows || len(s) != k || vt.Rows != cols || vt.Cols != n {
		t.Errorf("got u [%d,%d], %d values, vt [%d,%d]", u.Rows, u.Cols, len(s), vt.Rows, vt.Cols)
		return
	}
	bound := 1e-15 * float64(max(m, n)+10)
	for name, b := range map[string]Matrix{"u": u, "v": vt.T()} {
		if off := offOrthonormal(b); !(off <= bound) {
			t.Errorf("%s is off being orthonormal by %g", name, off)
		}
	}
	want := qrValues(t, a)
	values, err := SVDVals(a)
	if err != nil {
		t.Error(err)
		return
	}
	if s[0] == 0 && want[0] == 0 {
		return
	}
	ulps := float64(max(m, n))/2 + 16
	for i, w := range want {
		if off := max(math.Abs(s[i]-w), math.Abs(values[i]-w)); !(off <= ulps*eps*want[0]+0x1p-1074) {
			t.Errorf("value %d of %g: got %g, and %g alone, want %g", i, want[0], s[i], values[i], w)
			return
		}
		if i > 0 && !(s[i] <= s[i-1] && s[i] >= 0) {
			t.Errorf("values %d and %d are %g and %g", i-1, i, s[i-1], s[i])
			return
		}
	}
	// In numbers about 1, so that nothing overflows on the way.
	_, exponent := math.Frexp(s[0])
	small := a.clone()
	scale(small.Data, -exponent)
	us := New(m, k)
	for i := range us.Data {
		us.Data[i] = u.At(i/k, i%k) * math.Ldexp(s[i%k], -exponent)
	}
	back := mul(blas.NoTrans, us, vt.rows(k))
	most := 0.0
	for i, v := range small.Data {
		most = max(most, math.Abs(v-back.Data[i]))
	}
	if !(most <= bound+math.Ldexp(float64(k), -1074-exponent)) {
		t.Errorf("u s vt is %g away", most)
	}
}

// TestSVD: factors of all kinds of matrices, of lengths at which what is computed in blocks begins
// and ends; of some kinds all lengths.
func TestSVD(t *testing.T) {
	shapes := [][2]int{{1, 1}, {2, 2}, {3, 3}, {24, 24}, {25, 25}, {26, 26}, {27, 27}, {51, 51}, {52, 52}, {53, 53}, {64, 64}, {65, 65}, {129, 129},
		{1, 40}, {40, 1}, {9, 7}, {26, 27}, {31, 30}, {33, 40}, {40, 33}, {36, 30}, {35, 30}, {90, 26}, {26, 90}, {200, 30}, {30, 200}, {130, 70}}
	every := [][2]int{{100, 100}, {127, 127}, {128, 128}, {200, 200}}
	for n := 1; n <= 70; n++ {
		every = append(every, [2]int{n, n})
	}
	for name, matrix := range svdMatrices {
		t.Run(name, func(t *testing.T) {
			r := rand.New(rand.NewPCG(31, 32))
			sizes := shapes
			if name == "random" || name == "clusters" || name == "holes on the diagonal" {
				sizes = slices.Concat(shapes, every)
			}
			for i, s := range sizes {
				t.Run(fmt.Sprint(s), func(t *testing.T) { checkSVD(t, matrix(r, s[0], s[1]), i%2 == 1) })
			}
		})
	}
}

// TestSolveBySVD: what Lstsq and Pinv leave is orthogonal to what can be reached, and the solution
// is the shortest, for lengths at which they divide.
func TestSolveBySVD(t *testing.T) {
	r := rand.New(rand.NewPCG(33, 34))
	for _, s := range [][3]int{{40, 40, 40}, {40, 40, 17}, {90, 40, 40}, {90, 40, 17}, {40, 90, 40}, {40, 90, 17}, {33, 30, 0}} {
		m, n, rank := s[0], s[1], s[2]
		a := New(m, n)
		if rank > 0 {
			a = mul(blas.NoTrans, random(r, m, rank), random(r, rank, n))
		}
		b := random(r, m, 3)
		l, err := Lstsq(a, b, 1e-12)
		if err != nil {
			t.Fatal(err)
		}
		p, err := Pinv(a, 1e-12)
		if err != nil {
			t.Fatal(err)
		}
		if l.Rank != rank || (len(l.Residuals) > 0) != (rank == n && m > n) {
			t.Errorf("%v: got rank %d and %d residuals", s, l.Rank, len(l.Residuals))
		}
		near(t, "x", l.X, product(p, b))
		near(t, "a a⁺ a", product(product(a, p), a), a)
		near(t, "a⁺ a a⁺", product(product(p, a), p), p)
		for what, ap := range map[string]Matrix{"a a⁺": product(a, p), "a⁺ a": product(p, a)} {
			near(t, what, ap, ap.T())
		}
	}
}

// BenchmarkSVD is of singular values with their vectors.
func BenchmarkSVD(b *testing.B) {
	a := random(rand.New(rand.NewPCG(1, 2)), 300, 300)
	for b.Loop() {
		if _, _, _, err := SVD(a, false); err != nil {
			b.Fatal(err)
		}
	}
}
