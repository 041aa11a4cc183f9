package native_test

import (
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"testing"
	"unsafe"

	"github.com/arignote/arignote/kernels"
	"github.com/arignote/arignote/kernels/native"
	"github.com/arignote/arignote/kernels/parallel"
)

// TestSymv: sums of whole numbers are exact, the lower half is not read, and nothing but y is
// written.
func TestSymv(t *testing.T) {
	for _, set := range native.Sets() {
		t.Run(set.ISA(), func(t *testing.T) {
			testSymv[float64](t, set, kernels.Float64)
			testSymv[float32](t, set, kernels.Float32)
		})
		if _, ok := set.Symv(kernels.Int64); ok {
			t.Errorf("%s: got a kernel for int64, want none", set.ISA())
		}
	}
}

func testSymv[T float32 | float64](t *testing.T, set kernels.Set, d kernels.DType) {
	f, ok := set.Symv(d)
	if !ok {
		t.Fatalf("no kernel for %v", d)
	}
	rng := rand.New(rand.NewPCG(41, 42))
	sizes := []int{100, 333, 800, 1301}
	for n := range 40 {
		sizes = append(sizes, n)
	}
	for _, n := range sizes {
		stride := n + rng.IntN(3)
		a, x, y, want := make([]T, n*stride+1), make([]T, n+1), make([]T, n+2), make([]T, n+2)
		for i := range x {
			x[i] = T(rng.IntN(9) - 4)
		}
		for i := range a {
			a[i] = T(math.NaN())
		}
		for i := range n {
			for j := i; j < n; j++ {
				v := T(rng.IntN(9) - 4)
				a[i*stride+j] = v
				want[i+1] += 2 * v * x[j]
				if j > i {
					want[j+1] += 2 * v * x[i]
				}
			}
		}
		for i := range y {
			y[i] = 7
		}
		want[0], want[n+1] = 7, 7
		size := d.Size()
		f(n, 2, kernels.Matrix{Data: unsafe.Pointer(&a[0]), Row: stride * size, Col: size}, unsafe.Pointer(&x[0]), unsafe.Pointer(&y[1]))
		if !slices.Equal(y, want) {
			t.Errorf("%v, n = %d: got %v, want %v", d, n, y, want)
		}
	}
}

// TestSymvThreads: threads change no bit.
func TestSymvThreads(t *testing.T) {
	defer parallel.SetThreads(parallel.Threads())
	rng := rand.New(rand.NewPCG(43, 44))
	for _, n := range []int{399, 800, 2001} {
		a, x := make([]float64, n*n), make([]float64, n)
		for i := range a {
			a[i] = rng.NormFloat64()
		}
		for i := range x {
			x[i] = rng.NormFloat64()
		}
		for _, set := range native.Sets() {
			f, _ := set.Symv(kernels.Float64)
			results := map[string]bool{}
			for _, threads := range []int{1, 2, 7, 64} {
				parallel.SetThreads(threads)
				y := make([]float64, n)
				f(n, 1, kernels.Matrix{Data: unsafe.Pointer(&a[0]), Row: 8 * n, Col: 8}, unsafe.Pointer(&x[0]), unsafe.Pointer(&y[0]))
				results[fmt.Sprintf("%x", y)] = true
			}
			if len(results) != 1 {
				t.Errorf("%s, n = %d: got %d results, want one", set.ISA(), n, len(results))
			}
		}
	}
}
