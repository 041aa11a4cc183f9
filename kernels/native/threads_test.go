package native_test

import (
	"math/rand/v2"
	"slices"
	"sync/atomic"
	"testing"
	"time"

	"github.com/arignote/arignote/kernels"
	"github.com/arignote/arignote/kernels/parallel"
)

// withThreads runs f with so many threads.
func withThreads(t *testing.T, n int, f func()) {
	t.Helper()
	before := parallel.Threads()
	defer parallel.SetThreads(before)
	parallel.SetThreads(n)
	f()
}

// The number of threads must not be seen in any bit of a result: of stored elements, of sums over everything, over long rows and over short ones.
func TestThreadsGiveTheSameBits(t *testing.T) {
	withGo(t, func(t *testing.T, s kernels.Set) {
		for _, shape := range [][2]int{{1, 1_000_003}, {7, 90_001}, {3001, 301}, {100_000, 7}} {
			n := shape[0] * shape[1]
			x, y := make([]float64, n), make([]float64, shape[1])
			rng := rand.New(rand.NewPCG(8, uint64(n)))
			for i := range x {
				x[i] = rng.NormFloat64()
			}
			for i := range y {
				y[i] = rng.NormFloat64()
			}
			f, _ := s.Elemwise(products(kernels.Float64, "sum", "", "max"))
			var want []float64
			for _, threads := range []int{1, 2, 7} {
				results := make([]float64, n+2*shape[0])
				withThreads(t, threads, func() {
					f(shape[:], []kernels.Operand{floats(results, 1, 0), floats(results[2*shape[0]:], shape[1], 1), floats(results[shape[0]:], 1, 0)},
						[]kernels.Operand{floats(x, shape[1], 1), floats(y, 0, 1)}, nil)
				})
				if want == nil {
					want = results
				}
				if !slices.Equal(results, want) {
					t.Fatalf("%v: %d threads give other results than one", shape, threads)
				}
			}
		}
	})
}

func TestThreadsStop(t *testing.T) {
	withGo(t, func(t *testing.T, s kernels.Set) {
		f, _ := s.Elemwise(products(kernels.Float64, "", "sum"))
		x, z, sum := make([]float64, 1<<21), make([]float64, 1<<21), make([]float64, 1)
		out, in := []kernels.Operand{floats(z, 1), floats(sum, 0)}, []kernels.Operand{floats(x, 1), floats(x, 1)}
		withThreads(t, 3, func() {
			var stop uint32
			go func() {
				time.Sleep(2 * time.Millisecond)
				atomic.StoreUint32(&stop, 1)
			}()
			for deadline := time.Now().Add(10 * time.Second); f([]int{len(x)}, out, in, &stop); {
				if time.Now().After(deadline) {
					t.Fatal("never stopped")
				}
			}
			if !f([]int{len(x)}, out, in, nil) {
				t.Error("stopped without reason")
			}
		})
	})
}
