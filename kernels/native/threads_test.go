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

// The number of threads must not be seen in any bit of a result: of stored elements, of sums over
// everything, over long rows and over short ones.
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
			for _, threads := range []int{1, 2, 7, 64} {
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

// Results that are written past the caches: at every alignment, of an odd length, over an operand,
// on one thread and on several.
func TestStreams(t *testing.T) {
	const n = 2_200_003 // three arrays of 17 MB
	x, y, z := make([]float64, n+2), make([]float64, n+2), make([]float64, n+16)
	for i := range x {
		x[i], y[i] = float64(i%1000), float64(i%77)-30
	}
	eachSet(t, func(t *testing.T, s kernels.Set) {
		f, _ := s.Elemwise(&kernels.Program{Inputs: []kernels.DType{kernels.Float64, kernels.Float64},
			Instrs:  []kernels.Instr{instr("add", kernels.Float64, 0, 1), instr("maximum", kernels.Float64, 2, 1)},
			Outputs: []kernels.Output{{Reg: 3}, {Reg: 3, Reduce: "max"}}})
		most := make([]float64, 1)
		for _, threads := range []int{1, 3} {
			for skip := range 3 {
				withThreads(t, threads, func() {
					for i := range z {
						z[i] = -7
					}
					f([]int{n}, []kernels.Operand{floats(z[skip:], 1), floats(most, 0)}, []kernels.Operand{floats(x, 1), floats(y, 1)}, nil)
					for i := range z {
						want := -7.0
						if k := i - skip; k >= 0 && k < n {
							want = max(x[k]+y[k], y[k])
						}
						if z[i] != want {
							t.Fatalf("%d threads, from element %d on: element %d is %v, want %v", threads, skip, i, z[i], want)
						}
					}
				})
			}
			over := slices.Clone(x)
			withThreads(t, threads, func() {
				f([]int{n}, []kernels.Operand{floats(over, 1), floats(most, 0)}, []kernels.Operand{floats(over, 1), floats(y, 1)}, nil)
			})
			for i := range n {
				if want := max(x[i]+y[i], y[i]); over[i] != want {
					t.Fatalf("over an operand: element %d is %v, want %v", i, over[i], want)
				}
			}
		}
	})
}
