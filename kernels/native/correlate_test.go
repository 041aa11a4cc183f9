package native_test

import (
	"fmt"
	"math/rand/v2"
	"testing"
	"unsafe"

	"github.com/arignote/arignote/kernels"
)

// Each product and each sum is rounded, so that all sets have the bits of the plain loop, also of
// what is not finite.
func TestCorrelate(t *testing.T) {
	allSets(t, func(t *testing.T, s kernels.Set) {
		rng := rand.New(rand.NewPCG(6, 1))
		for _, d := range []kernels.DType{kernels.Float32, kernels.Float64} {
			f, ok := s.Correlate(d)
			if !ok {
				t.Fatalf("no correlation of %v", d)
			}
			for n := 1; n < 200; n += 1 + n/40 {
				for _, k := range []int{1, 2, 3, 5, 8, 17} {
					x, w, z := newGuarded(d, n+k-1, n%3), newGuarded(d, k, 1), newGuarded(d, n, k%4)
					for _, a := range []guarded{x, w} {
						for i := range len(a.bytes()) / d.Size() {
							which := -1
							if rng.IntN(60) == 0 {
								which = rng.IntN(len(special))
							}
							element(unsafe.Add(a.pointer(), i*d.Size()), d, rng, which)
						}
					}
					want := make([]byte, n*d.Size())
					if d == kernels.Float32 {
						correlation[float32](want, x, w)
					} else {
						correlation[float64](want, x, w)
					}
					if !f(n, k, z.pointer(), x.pointer(), w.pointer(), nil) {
						t.Fatal("stopped")
					}
					what := fmt.Sprintf("%v, %d sums of %d products", d, n, k)
					if err := z.check(); err != nil {
						t.Fatalf("%s: %v", what, err)
					}
					for i := range n {
						if distance(d, z.bytes(), want, i) != 0 {
							t.Fatalf("%s: sum %d is %s, want %s", what, i, show(d, z.bytes(), i), show(d, want, i))
						}
					}
				}
			}
		}
		f, _ := s.Correlate(kernels.Float64)
		const n, k = 1 << 20, 16
		x, z, w := make([]float64, n+k-1), make([]float64, n), make([]float64, k)
		for i := range x {
			x[i] = float64(i % 1000)
		}
		w[3] = 2
		if !f(n, k, unsafe.Pointer(&z[0]), unsafe.Pointer(&x[0]), unsafe.Pointer(&w[0]), nil) {
			t.Fatal("stopped")
		}
		for i, v := range z {
			if v != 2*x[i+3] {
				t.Fatalf("sum %d of many is %v, want %v", i, v, 2*x[i+3])
			}
		}
		stop := uint32(1)
		if f(n, k, unsafe.Pointer(&z[0]), unsafe.Pointer(&x[0]), unsafe.Pointer(&w[0]), &stop) {
			t.Error("it was not stopped")
		}
	})
}

func correlation[T float32 | float64](z []byte, x, w guarded) {
	size := int(unsafe.Sizeof(T(0)))
	sums, weights := unsafe.Slice((*T)(unsafe.Pointer(&z[0])), len(z)/size), unsafe.Slice((*T)(w.pointer()), len(w.bytes())/size)
	elements := unsafe.Slice((*T)(x.pointer()), len(x.bytes())/size)
	for i := range sums {
		for j, v := range weights {
			sums[i] += T(elements[i+j] * v)
		}
	}
}
