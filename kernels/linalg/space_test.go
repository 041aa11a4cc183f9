package linalg

import (
	"math"
	"math/rand/v2"
	"testing"
)

// TestSpaces: results are the same in memory that others have used, which is full of nan here, as
// in fresh memory.
func TestSpaces(t *testing.T) {
	r := rand.New(rand.NewPCG(31, 32))
	spoil := func() {
		var taken [][]float64
		for range 8 {
			for class := minSpace; class <= 18; class++ {
				x := take(1 << class)
				for i := range x {
					x[i] = math.NaN()
				}
				taken = append(taken, x)
			}
		}
		for _, x := range taken {
			Give(x)
		}
	}
	for _, n := range []int{23, 30, 67, 130} {
		a, tall, b := random(r, n, n), random(r, 2*n, n), random(r, n, 3)
		positive := combine([]float64{1, float64(n)}, a.product().of(a.view(), a.T().view()), Identity(n))
		for name, f := range map[string]func() []Matrix{
			"cholesky":     func() []Matrix { l, _ := Cholesky(positive); return []Matrix{l} },
			"solve":        func() []Matrix { x, _ := Solve(a, b); return []Matrix{x} },
			"inv":          func() []Matrix { x, _ := Inv(a); return []Matrix{x} },
			"qr":           func() []Matrix { q, r := QR(tall, QRReduced); return []Matrix{q, r} },
			"qr, complete": func() []Matrix { q, r := QR(tall, QRComplete); return []Matrix{q, r} },
			"r":            func() []Matrix { _, r := QR(tall, QRR); return []Matrix{r} },
			"eigh":         func() []Matrix { w, v, _ := Eigh(positive, Lower); return []Matrix{columnOf(w), v} },
			"eigvalsh":     func() []Matrix { w, _ := Eigvalsh(positive, Upper); return []Matrix{columnOf(w)} },
			"svd":          func() []Matrix { u, s, v, _ := SVD(tall, true); return []Matrix{u, columnOf(s), v} },
			"svdvals":      func() []Matrix { s, _ := SVDVals(a); return []Matrix{columnOf(s)} },
			"pinv":         func() []Matrix { x, _ := Pinv(tall, 1e-15); return []Matrix{x} },
			"lstsq":        func() []Matrix { z, _ := Lstsq(a, b, -1); return []Matrix{z.X} },
			"expm":         func() []Matrix { x, _ := Expm(a); return []Matrix{x} },
			"eigvals":      func() []Matrix { w, _ := Eigvals(positive); return []Matrix{columnOf(w)} },
		} {
			want := f()
			for range 3 {
				spoil()
				for k, got := range f() {
					for i, v := range got.Data {
						if math.Float64bits(v) != math.Float64bits(want[k].Data[i]) {
							t.Fatalf("%s, n = %d, result %d: got %v at %d, want %v", name, n, k, v, i, want[k].Data[i])
						}
					}
					got.give()
				}
			}
		}
	}
}

// TestGive: memory that is given back is taken again, and other memory is left alone.
func TestGive(t *testing.T) {
	for _, n := range []int{0, 1, 511, 512, 513, 1000, 1 << 12} {
		x := take(n)
		if len(x) != n {
			t.Errorf("take(%d) has %d elements", n, len(x))
		}
		Give(x)
	}
	Give(nil)
	Give(make([]float64, 1000)[:700:700])
	if x := take(1000); cap(x) != 1024 {
		t.Errorf("got memory for %d elements, want 1024", cap(x))
	}
}

func columnOf(x []float64) Matrix { return Matrix{Rows: len(x), Cols: 1, Data: x} }

// TestOwn: matrices that may be overwritten have the results of others, and their memory is never
// given away.
func TestOwn(t *testing.T) {
	r := rand.New(rand.NewPCG(33, 34))
	for _, n := range []int{32, 64} {
		a := random(r, n, n)
		positive := combine([]float64{1, float64(n)}, a.product().of(a.view(), a.T().view()), Identity(n))
		for name, f := range map[string]func(a, b Matrix) []Matrix{
			"cholesky": func(a, _ Matrix) []Matrix { l, _ := Cholesky(a); return []Matrix{l} },
			"solve":    func(a, b Matrix) []Matrix { x, _ := Solve(a, b); return []Matrix{x} },
			"det":      func(a, _ Matrix) []Matrix { d, _ := Det(a); return []Matrix{columnOf([]float64{d})} },
			"qr":       func(a, _ Matrix) []Matrix { q, r := QR(a, QRReduced); return []Matrix{q, r} },
			"eigh":     func(a, _ Matrix) []Matrix { w, v, _ := Eigh(a, Lower); return []Matrix{columnOf(w), v} },
			"inv":      func(a, _ Matrix) []Matrix { x, _ := Inv(a); return []Matrix{x} },
			"svd":      func(a, _ Matrix) []Matrix { u, s, v, _ := SVD(a, false); return []Matrix{u, columnOf(s), v} },
		} {
			want := f(positive, a)
			x, y := positive.clone(), a.clone()
			x.Own, y.Own = true, true
			for k, got := range f(x, y) {
				for i, v := range got.Data {
					if math.Float64bits(v) != math.Float64bits(want[k].Data[i]) {
						t.Fatalf("%s, n = %d, result %d: got %v at %d, want %v", name, n, k, v, i, want[k].Data[i])
					}
				}
			}
			for range 20 {
				if z := take(n * n); &z[0] == &x.Data[0] || &z[0] == &y.Data[0] {
					t.Fatalf("%s, n = %d: the memory of an operand was given away", name, n)
				}
			}
		}
	}
}
