package kernels

import (
	"testing"
	"unsafe"
)

// TestEach: a batch is its products one by one; one matrix may serve them all, as the transposed
// right operand does here.
func TestEach(t *testing.T) {
	const count, m, n, k = 5, 3, 4, 2
	a, b, c, d := make([]float64, count*m*k), make([]float64, n*k), make([]float64, count*m*n), make([]float64, count*m*n+1)
	for i := range a {
		a[i] = float64(i%7) - 3
	}
	for i := range b {
		b[i] = float64(i%5) - 1
	}
	for i := range c {
		c[i], d[i] = float64(i%11), -99
	}
	d[len(d)-1] = -99
	gemm, _ := GoSet.Gemm(Float64)
	batch := func(x []float64, row, col, step int) Batch {
		return Batch{Matrix{unsafe.Pointer(&x[0]), row * 8, col * 8}, step * 8}
	}
	run := func(stop Stop) bool {
		return gemm(count, m, n, k, 2, batch(a, k, 1, m*k), batch(b, 1, k, 0), 3, batch(c, n, 1, m*n), batch(d, n, 1, m*n), stop)
	}
	raised := uint32(1)
	if run(&raised) || d[0] != -99 {
		t.Error("ran though stopped")
	}
	if !run(nil) || d[len(d)-1] != -99 {
		t.Error("did not run to its end, or wrote beyond it")
	}
	for i := range count {
		for r := range m {
			for s := range n {
				at := (i*m+r)*n + s
				want := 3 * c[at]
				for l := range k {
					want += 2 * a[(i*m+r)*k+l] * b[s*k+l]
				}
				if d[at] != want {
					t.Fatalf("product %d, element (%d, %d): got %v, want %v", i, r, s, d[at], want)
				}
			}
		}
	}
}
