package linalg

import (
	"fmt"
	"math"
	"math/rand/v2"
	"testing"
)

// distant is the largest difference of two matrices.
func distant(t *testing.T, a, b Matrix) float64 {
	t.Helper()
	if a.Rows != b.Rows || a.Cols != b.Cols {
		t.Fatalf("got a matrix of %d x %d, want %d x %d", a.Rows, a.Cols, b.Rows, b.Cols)
	}
	most := 0.0
	for i, v := range a.Data {
		if d := math.Abs(v - b.Data[i]); !(d <= most) {
			most = d
		}
	}
	return most
}

// TestBlocked puts factors of matrices together again whose sizes lie at and around those of the
// blocks.
func TestBlocked(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 2))
	for _, n := range []int{1, 7, 8, 9, 15, 16, 17, 31, 32, 33, 47, 64, 65, 100, 130, 161} {
		a, b := random(r, n, n), random(r, n, 3)
		near := func(what string, got, want Matrix) {
			t.Helper()
			if d := distant(t, got, want); !(d <= 1e-11*float64(n*n)) {
				t.Errorf("n=%d: %s: off by %g", n, what, d)
			}
		}
		positive := mul('T', a, a)
		for i := range n {
			positive.Data[i*n+i] += float64(n)
		}
		x, err := Solve(positive, b)
		if err != nil {
			t.Fatal(err)
		}
		near("solve", mul('N', positive, x), b)
		for _, half := range []Triangle{Lower, Upper} {
			if x, err = SolveBy(positive, b, Positive, half); err != nil {
				t.Fatal(err)
			}
			near("positive", mul('N', positive, x), b)
			tri := positive.upper(n)
			if half == Lower {
				tri = tri.T()
			}
			for _, trans := range []bool{false, true} {
				if x, err = SolveTriangular(positive, b, half, trans, false); err != nil {
					t.Fatal(err)
				}
				m := tri
				if trans {
					m = tri.T()
				}
				near("triangular", mul('N', m, x), b)
			}
		}
		l, err := Cholesky(positive)
		if err != nil {
			t.Fatal(err)
		}
		near("cholesky", mul('N', l, l.T()), positive)
		for _, shape := range [][2]int{{n, n}, {n + 40, n}, {n, n + 40}} {
			c := random(r, shape[0], shape[1])
			f, pivots := LUFactor(c)
			order, err := Permutation(pivots, c.Rows)
			if err != nil {
				t.Fatal(err)
			}
			k := min(c.Rows, c.Cols)
			low, up := New(c.Rows, k), f.upper(k)
			permuted := New(c.Rows, c.Cols)
			for i, from := range order {
				copy(permuted.Data[i*c.Cols:][:c.Cols], c.Data[from*c.Cols:][:c.Cols])
				for j := range min(i, k) {
					low.Data[i*k+j] = f.At(i, j)
				}
				if i < k {
					low.Data[i*k+i] = 1
				}
			}
			near(fmt.Sprint("lu ", shape), mul('N', low, up), permuted)
			for _, mode := range []QRMode{QRReduced, QRComplete} {
				q, up := QR(c, mode)
				near(fmt.Sprint("qr ", shape), mul('N', q, up), c)
				near(fmt.Sprint("q ", shape), mul('T', q, q), Identity(q.Cols))
			}
			_, alone := QR(c, QRR)
			_, both := QR(c, QRReduced)
			near("r", alone, both)
		}
	}
}

// TestLUNotFinite: what is not finite reaches the pivots behind it, also where it is multiplied
// with 0, in small matrices and large ones.
func TestLUNotFinite(t *testing.T) {
	for _, n := range []int{2, 9, 17, 40, 100} {
		for _, bad := range []float64{math.NaN(), math.Inf(1)} {
			a := Identity(n)
			a.Data[(n-1)*n] = bad // below the first pivot, with zeros beside it
			a.Data[0] = math.Inf(1)
			if det, err := Det(a); err != nil || !math.IsNaN(det) {
				t.Errorf("n=%d: the determinant with %g is %g (%v), want NaN", n, bad, det, err)
			}
			if _, err := Cholesky(a); !math.IsNaN(bad) && err == nil {
				t.Errorf("n=%d: got a factor of a matrix with %g", n, bad)
			}
			x, err := Solve(a, withOnes(n, 1))
			if err != nil || !hasNaN(x.Data) {
				t.Errorf("n=%d: no NaN in the solution with %g (%v)", n, bad, err)
			}
		}
		a := Identity(n)
		a.Data[(n/2)*(n+1)] = 0
		if _, err := Solve(a, withOnes(n, 1)); err != ErrSingular {
			t.Errorf("n=%d: got %v, want ErrSingular", n, err)
		}
		for i := range a.Data {
			a.Data[i] *= 0x1p-1070 // whose inverse is infinite
		}
		a.Data[(n/2)*(n+1)] = 0x1p-1070
		if x, err := Solve(a, scaled(0x1p-1070, withOnes(n, 1))); err != nil || distant(t, x, withOnes(n, 1)) != 0 {
			t.Errorf("n=%d: got %v (%v) of equations of the smallest numbers", n, x.Data, err)
		}
	}
}

// TestLargeSVD puts matrices of all proportions together again, of full rank and not.
func TestLargeSVD(t *testing.T) {
	r := rand.New(rand.NewPCG(5, 6))
	for _, shape := range [][2]int{{26, 26}, {40, 30}, {30, 40}, {120, 30}, {30, 120}, {90, 90}} {
		m, n := shape[0], shape[1]
		k := min(m, n)
		for name, a := range map[string]Matrix{"full": random(r, m, n), "rank 5": mul('N', random(r, m, 5), random(r, 5, n)), "zero": New(m, n)} {
			values, err := SVDVals(a)
			if err != nil {
				t.Fatal(err)
			}
			for _, full := range []bool{false, true} {
				u, s, vt, err := SVD(a, full)
				if err != nil {
					t.Fatal(err)
				}
				if d := distant(t, Matrix{Rows: k, Cols: 1, Data: s}, Matrix{Rows: k, Cols: 1, Data: values}); !(d <= 1e-11) {
					t.Errorf("%v, %s: values are off by %g", shape, name, d)
				}
				scaled := New(u.Cols, vt.Cols)
				for i, v := range s {
					copy(scaled.Data[i*vt.Cols:][:vt.Cols], vt.Data[i*vt.Cols:])
					scaled.scaleRow(i, v)
				}
				for what, d := range map[string]float64{"usv": distant(t, mul('N', u, scaled), a), "uu": distant(t, mul('T', u, u), Identity(u.Cols)),
					"vv": distant(t, mul('N', vt, vt.T()), Identity(vt.Rows))} {
					if !(d <= 1e-11) {
						t.Errorf("%v, %s, full %v: %s is off by %g", shape, name, full, what, d)
					}
				}
			}
		}
	}
}

// TestBlockedProduct: all large work goes through the product that a matrix brings.
func TestBlockedProduct(t *testing.T) {
	r := rand.New(rand.NewPCG(3, 4))
	a := random(r, 100, 100)
	flops := 0
	a.Product = func(alpha float64, x, y View, beta float64, c View) {
		if c.Col != 1 || c.Rows != x.Rows || c.Cols != y.Cols || x.Cols != y.Rows || min(x.Row, x.Col) != 1 || min(y.Row, y.Col) != 1 {
			t.Fatalf("got %v, %v, %v", x, y, c)
		}
		flops += 2 * x.Rows * x.Cols * y.Cols
		goProduct(alpha, x, y, beta, c)
	}
	n := 100 * 100 * 100
	for _, c := range []struct {
		name  string
		run   func()
		least int
	}{
		{"inv", func() { Inv(a) }, 2 * n},
		{"det", func() { Det(a) }, n / 2},
		{"qr", func() { QR(a, QRReduced) }, 2 * n},
		{"cholesky", func() { Cholesky(mul('T', a, a)) }, 2 * n},
		{"expm", func() { Expm(a) }, 10 * n},
	} {
		flops = 0
		c.run()
		if flops < c.least {
			t.Errorf("%s: %d operations in products, want at least %d", c.name, flops, c.least)
		}
	}
}
