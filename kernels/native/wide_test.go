package native_test

import (
	"fmt"
	"math"
	"math/rand/v2"
	"testing"
	"unsafe"

	"github.com/arignote/arignote/kernels"
	"github.com/arignote/arignote/kernels/parallel"
)

// cancelling are numbers whose sums are exact in float64, in any order, and mean nothing if they
// are added up in float32; extreme are some that float64 alone can multiply.
func cancelling(rng *rand.Rand, n int) []float32 {
	x := make([]float32, n)
	for i := range x {
		x[i] = float32(rng.IntN(1<<20)-1<<19) * []float32{1, 0x1p20}[rng.IntN(2)]
	}
	return x
}

func extreme(rng *rand.Rand, n int) []float32 {
	x := make([]float32, n)
	for i := range x {
		x[i] = []float32{0x1p100, 0x1p-100, -1, 2, 0.5}[rng.IntN(5)]
		if i >= 8 {
			x[i] = []float32{1, -1}[rng.IntN(2)]
		}
	}
	return x
}

// operand32 is x, or z, with strides in elements.
func operand32(x []float32, strides ...int) kernels.Operand {
	for i := range strides {
		strides[i] *= 4
	}
	return kernels.Operand{Data: unsafe.Pointer(unsafe.SliceData(x)), Strides: strides}
}

// Sums and products of float32 that are computed in float64 are rounded once: exact sums come out
// as they are, by every kernel, in every way to divide the work, for any number of threads, alone
// and in programs over last and first axes.
func TestWideReductions(t *testing.T) {
	defer parallel.SetThreads(parallel.Threads())
	dims := append([][3]int{{1, 0, 1}, {2, 0, 3}, {1, 1, 1}, {5, 3, 1}, {7, 31, 1}, {100, 17, 1}, {1, 33, 5}, {2, 100, 70}, {1, 70, 513}, {1, 3, 2100}, {3, 64, 1}, {1, 5000, 1}, {3000, 5, 3}}, largeDims...)
	for n := 1; n <= maxLen; n++ {
		dims = append(dims, [3]int{1 + n%3, n, 1}, [3]int{1, 1 + n%7, n})
	}
	withGo(t, func(t *testing.T, s kernels.Set) {
		rng := rand.New(rand.NewPCG(7, 8))
		for _, op := range []string{"sum", "prod"} {
			for _, dim := range dims {
				outer, n, inner := dim[0], dim[1], dim[2]
				x := cancelling(rng, outer*n*inner)
				if op == "prod" {
					x = extreme(rng, outer*n*inner)
				}
				want := make([]float32, outer*inner)
				for i := range want {
					total := map[string]float64{"sum": 0, "prod": 1}[op]
					for k := range n {
						v := float64(x[(i/inner*n+k)*inner+i%inner])
						if op == "sum" {
							total += v
						} else {
							total *= v
						}
					}
					want[i] = float32(total)
				}
				check := func(how string, got []float32) {
					t.Helper()
					for i, v := range got {
						if math.Float32bits(v) != math.Float32bits(want[i]) && v != want[i] {
							t.Fatalf("%s of %v, %s, element %d: got %v, want %v", op, dim, how, i, v, want[i])
						}
					}
				}
				f, ok := s.Reduce(kernels.ReduceKey{Op: "round_" + op, In: kernels.Float32})
				if !ok {
					t.Fatalf("no round_%s", op)
				}
				for _, threads := range []int{1, 3} {
					parallel.SetThreads(threads)
					z := make([]float32, outer*inner)
					f(outer, n, inner, unsafe.Pointer(unsafe.SliceData(z)), unsafe.Pointer(unsafe.SliceData(x)), nil)
					check(fmt.Sprintf("%d threads", threads), z)
					if n == 0 {
						continue
					}
					one := []float32{1}
					rows := products(kernels.Float32, "round_"+op)
					run, _ := s.Elemwise(rows)
					clear(z)
					run([]int{outer, inner, n}, []kernels.Operand{operand32(z, inner, 1, 0)}, []kernels.Operand{operand32(x, n*inner, 1, inner), operand32(one, 0, 0, 0)}, nil)
					check("by rows of a program", z)
					if outer > 1 {
						continue
					}
					rows.Leading = 1
					if run, ok = s.Elemwise(rows); !ok {
						t.Fatal("no program over first axes")
					}
					clear(z)
					run([]int{n, inner}, []kernels.Operand{operand32(z, 0, 1)}, []kernels.Operand{operand32(x, inner, 1), operand32(one, 0, 0)}, nil)
					check("by columns of a program", z)
				}
			}
		}
	})
}

// What is not a number stays none, and float32 overflows where the sum is stored.
func TestWideReductionsOfWhatIsNoNumber(t *testing.T) {
	withGo(t, func(t *testing.T, s kernels.Set) {
		f, _ := s.Reduce(kernels.ReduceKey{Op: "round_sum", In: kernels.Float32})
		inf, nan := float32(math.Inf(1)), float32(math.NaN())
		for _, n := range []int{3, 40, 700, 140_000} {
			for _, c := range []struct{ put, want []float32 }{{[]float32{nan}, []float32{nan}}, {[]float32{inf}, []float32{inf}}, {[]float32{inf, -inf}, []float32{nan}},
				{[]float32{math.MaxFloat32, math.MaxFloat32}, []float32{inf}}, {[]float32{math.MaxFloat32, math.MaxFloat32, -math.MaxFloat32}, []float32{math.MaxFloat32}},
				{[]float32{0x1p-149, 0x1p-149}, []float32{0x1p-148}}} {
				for _, inner := range []int{1, 3} {
					x, z := make([]float32, n*inner), make([]float32, inner)
					for i, v := range c.put {
						x[(i*(n-1)/2)*inner] = v
					}
					f(1, n, inner, unsafe.Pointer(&z[0]), unsafe.Pointer(&x[0]), nil)
					if want := c.want[0]; z[0] != want && (want == want || z[0] == z[0]) {
						t.Errorf("%v among %d zeros: got %v, want %v", c.put, n-len(c.put), z[0], want)
					}
				}
			}
		}
	})
}
