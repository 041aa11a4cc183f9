package linalg

import (
	"math"
	"math/rand/v2"
	"testing"

	"gonum.org/v1/gonum/blas"
)

func random(r *rand.Rand, rows, cols int) Matrix {
	m := New(rows, cols)
	for i := range m.Data {
		m.Data[i] = r.NormFloat64()
	}
	return m
}

// product is a b by the loop of the textbook.
func product(a, b Matrix) Matrix {
	c := New(a.Rows, b.Cols)
	for i := range a.Rows {
		for j := range b.Cols {
			for k := range a.Cols {
				c.Data[i*c.Cols+j] += a.At(i, k) * b.At(k, j)
			}
		}
	}
	return c
}

func diagonal(v []float64) Matrix {
	m := New(len(v), len(v))
	for i, x := range v {
		m.Data[i*len(v)+i] = x
	}
	return m
}

func near(t *testing.T, what string, got, want Matrix) {
	t.Helper()
	if d := distance(got, want); !(d < 1e-9) {
		t.Errorf("%s: %g away (%d by %d)", what, d, want.Rows, want.Cols)
	}
}

// TestReconstruction puts the factors together again, also for sizes at which LAPACK works in
// blocks.
func TestReconstruction(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 2))
	for _, shape := range [][2]int{{1, 1}, {3, 3}, {7, 4}, {4, 7}, {33, 33}, {130, 70}, {70, 130}, {140, 140}} {
		m, n := shape[0], shape[1]
		k := min(m, n)
		a := random(r, m, n)
		for mode, cols := range map[QRMode]int{QRReduced: k, QRComplete: m} {
			q, rr := QR(a, mode)
			near(t, "q r", product(q, rr), a)
			near(t, "qᵀ q", product(q.T(), q), Identity(cols))
			near(t, "r below the diagonal", rr, rr.upper(rr.Rows))
		}
		for _, full := range []bool{false, true} {
			u, s, vt, err := SVD(a, full)
			if err != nil {
				t.Fatal(err)
			}
			near(t, "uᵀ u", product(u.T(), u), Identity(u.Cols))
			near(t, "vt vtᵀ", product(vt, vt.T()), Identity(vt.Rows))
			sigma := New(u.Cols, vt.Rows)
			for i, v := range s {
				sigma.Data[i*sigma.Cols+i] = v
			}
			near(t, "u s vt", product(product(u, sigma), vt), a)
		}
		p, err := Pinv(a, 1e-15)
		if err != nil {
			t.Fatal(err)
		}
		near(t, "a a⁺ a", product(product(a, p), a), a)
		b := random(r, m, 3)
		l, err := Lstsq(a, b, -1)
		if err != nil {
			t.Fatal(err)
		}
		near(t, "aᵀ a x", product(a.T(), product(a, l.X)), product(a.T(), b))
		if m != n {
			continue
		}
		inv, err := Inv(a)
		if err != nil {
			t.Fatal(err)
		}
		near(t, "a⁻¹ a", product(inv, a), Identity(n))
		x, err := Solve(a, b)
		if err != nil {
			t.Fatal(err)
		}
		near(t, "a x", product(a, x), b)
		aat := product(a, a.T())
		c, err := Cholesky(combine([]float64{1, 1}, aat, Identity(n)))
		if err != nil {
			t.Fatal(err)
		}
		near(t, "l lᵀ", product(c, c.T()), combine([]float64{1, 1}, aat, Identity(n)))
		w, v, err := Eigh(aat, Upper)
		if err != nil {
			t.Fatal(err)
		}
		near(t, "v w vᵀ", product(product(v, diagonal(w)), v.T()), aat)
		// A matrix that is similar to a diagonal one has real eigenvalues.
		real := product(product(a, diagonal(w)), inv)
		w, v, err = Eig(real)
		if err != nil {
			t.Fatal(err)
		}
		near(t, "v w", product(v, diagonal(w)), product(real, v))
		e, err := Expm(combine([]float64{1 / float64(n)}, a))
		if err != nil {
			t.Fatal(err)
		}
		back, err := Expm(combine([]float64{-1 / float64(n)}, a))
		if err != nil {
			t.Fatal(err)
		}
		near(t, "exp(a) exp(-a)", product(e, back), Identity(n))
	}
}

// TestMul: products agree with the loop, also transposed and without elements.
func TestMul(t *testing.T) {
	r := rand.New(rand.NewPCG(3, 4))
	for _, s := range [][3]int{{2, 3, 4}, {0, 3, 4}, {2, 0, 4}, {2, 3, 0}, {100, 90, 80}} {
		a, b := random(r, s[0], s[1]), random(r, s[1], s[2])
		near(t, "a b", mul(blas.NoTrans, a, b), product(a, b))
		near(t, "aᵀ b", mul(blas.Trans, a.T(), b), product(a, b))
	}
}

// TestNotFinite: what iterates refuses what it need not end with, and nothing panics.
func TestNotFinite(t *testing.T) {
	for _, bad := range []float64{math.NaN(), math.Inf(1), math.Inf(-1)} {
		for n := 1; n <= 40; n += 13 {
			for at := 0; at < n*n; at += n/2 + 1 {
				a := random(rand.New(rand.NewPCG(uint64(at), 5)), n, n)
				a.Data[at] = bad
				b := random(rand.New(rand.NewPCG(6, 7)), n, 1)
				for op, f := range run {
					_, err := f(map[string]string{"matrix_power": "-3", "norm": "1", "cond": "1", "eigh": "U"}[op]+defaults[op], a, b)
					if iterates[op] && err != ErrNotFinite {
						t.Fatalf("%s with %v: got error %v, want %v", op, bad, err, ErrNotFinite)
					}
				}
			}
		}
	}
}

var (
	defaults = map[string]string{"pinv": "0", "lstsq": "0", "matrix_rank": "-1", "vectornorm": "2"}
	iterates = map[string]bool{"svd": true, "svdvals": true, "eig": true, "eigvals": true, "pinv": true, "lstsq": true,
		"matrix_rank": true, "expm": true}
)

// TestHalf: only one triangle of a symmetric matrix is read.
func TestHalf(t *testing.T) {
	a := Matrix{Rows: 2, Cols: 2, Data: []float64{1, math.NaN(), 2, 3}}
	if w, err := Eigvalsh(a, Lower); err != nil || len(w) != 2 {
		t.Errorf("got %v, %v, want two eigenvalues", w, err)
	}
	if _, err := Eigvalsh(a, Upper); err != ErrNotFinite {
		t.Errorf("got error %v, want %v", err, ErrNotFinite)
	}
}

// TestExtremes: sizes of elements near both ends of float64.
func TestExtremes(t *testing.T) {
	r := rand.New(rand.NewPCG(8, 9))
	for _, scale := range []float64{0x1p-1060, 0x1p-600, 0x1p600, 0x1p1015} {
		a := combine([]float64{scale}, random(r, 5, 5))
		s, err := SVDVals(a)
		if err != nil || !(s[4] > 0) || math.IsInf(s[0], 0) {
			t.Errorf("scale %g: got %v, %v", scale, s, err)
		}
		if norm, _ := VectorNorm(s, 2, nil); math.IsInf(norm, 0) || math.Abs(norm/s[0]-1) > 1 {
			t.Errorf("scale %g: got norm %g of %v", scale, norm, s)
		}
		if w, err := Eigvalsh(a, Lower); err != nil || math.IsInf(w[4]-w[0], 0) {
			t.Errorf("scale %g: got %v, %v", scale, w, err)
		}
		if _, err := Eigvals(a); err != nil && err != ErrComplex {
			t.Errorf("scale %g: %v", scale, err)
		}
	}
	// Products of pivots that are, or that are on the way, out of range.
	for want, pivots := range map[float64][]float64{1e-92: {1e-200, 1e-200, 1e308}, math.Inf(-1): {-1e308, 1e308}, -8: {2, -2, 2}} {
		if det, err := Det(diagonal(pivots)); err != nil || det != want && !(math.Abs(det/want-1) < 1e-15) {
			t.Errorf("got determinant %v, %v of %v, want %v", det, err, pivots, want)
		}
	}
	if _, err := Expm(Matrix{Rows: 1, Cols: 1, Data: []float64{1e308}}); err != nil {
		t.Error(err)
	}
}

// FuzzMatrix: no elements make a function panic.
func FuzzMatrix(f *testing.F) {
	f.Add(uint8(2), 1.0, 2.0, 3.0, 1e-320)
	f.Add(uint8(3), 1e308, -1e308, math.Inf(1), math.NaN())
	f.Add(uint8(5), 0.0, 0.0, 1.0, 1e-200)
	f.Fuzz(func(t *testing.T, n uint8, a, b, c, d float64) {
		size := int(n%6) + 1
		m := New(size, size)
		for i := range m.Data {
			m.Data[i] = []float64{a, b, c, d}[(i*i+i/3)%4]
		}
		for op, f := range run {
			f(map[string]string{"matrix_power": "-3", "norm": "nuc", "cond": "2", "eigh": "L"}[op]+defaults[op], m, m)
		}
	})
}
