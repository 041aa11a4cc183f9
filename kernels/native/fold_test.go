package native_test

import (
	"fmt"
	"math"
	"slices"
	"testing"
	"unsafe"

	"github.com/arignote/arignote/kernels"
	"github.com/arignote/arignote/kernels/native"
	"github.com/arignote/arignote/kernels/parallel"
)

// instr is an instruction of one type.
func instr(op string, d kernels.DType, args ...int) kernels.Instr {
	return kernels.Instr{LoopKey: kernels.LoopKey{Op: op, In: d, Out: d}, Args: args, Go: kernels.Lookup(op).Loops[d]}
}

// products is x*y, and reductions of it.
func products(d kernels.DType, reduce ...string) *kernels.Program {
	p := &kernels.Program{Inputs: []kernels.DType{d, d}, Instrs: []kernels.Instr{instr("mul", d, 0, 1)}}
	for _, op := range reduce {
		p.Outputs = append(p.Outputs, kernels.Output{Reg: 2, Reduce: op})
	}
	return p
}

func withGo(t *testing.T, f func(*testing.T, kernels.Set)) {
	for _, s := range append([]kernels.Set{kernels.GoSet}, native.Sets()...) {
		t.Run(s.ISA(), func(t *testing.T) { f(t, s) })
	}
}

func floats(x []float64, strides ...int) kernels.Operand {
	for i := range strides {
		strides[i] *= 8
	}
	return kernels.Operand{Data: unsafe.Pointer(unsafe.SliceData(x)), Strides: strides}
}

// Whole numbers add up exactly in any order. Rows are shorter and longer than blocks and chunks, in
// one axis and in two, of which the second cannot be joined with the first; y has one element a
// row, the sums lie apart from each other or do not.
func TestReducingOutputs(t *testing.T) {
	withGo(t, func(t *testing.T, s kernels.Set) {
		for _, size := range [][3]int{
			{1, 1, 1}, {1, 1, 2}, {3, 1, 1}, {5, 1, 3}, {7, 2, 3}, {100, 1, 10}, {1000, 1, 1}, {1, 1, 1000}, {3, 1, 255}, {2, 1, 256}, {2, 1, 257},
			{3, 5, 130}, {2, 3, 300}, {2, 100, 7}, {1, 40, 100}, {3, 1, 5000}, {2, 700, 9}, {1, 1, 100000}, {2, 3, 70000}, {4000, 1, 10}, {70, 1, 3001},
		} {
			rows, a, b := size[0], size[1], size[2]
			x, y := make([]float64, rows*a*(b+1)), make([]float64, rows)
			for i := range x {
				x[i] = float64(i*7%23 - 11)
			}
			for i := range y {
				y[i] = float64(i%5 - 2)
			}
			for _, apart := range []int{1, 3} {
				p := products(kernels.Float64, "sum", "max", "min", "")
				f, _ := s.Elemwise(p)
				sum, most, least, z := make([]float64, rows*apart), make([]float64, rows*apart), make([]float64, rows*apart), make([]float64, rows*a*b)
				out := []kernels.Operand{floats(sum, apart, 0, 0), floats(most, apart, 0, 0), floats(least, apart, 0, 0), floats(z, a*b, b, 1)}
				f([]int{rows, a, b}, out, []kernels.Operand{floats(x, a*(b+1), b+1, 1), floats(y, 1, 0, 0)}, nil)
				for i := range rows {
					wantSum, wantMost, wantLeast := 0.0, math.Inf(-1), math.Inf(1)
					for j := range a * b {
						v := x[i*a*(b+1)+j/b*(b+1)+j%b] * y[i]
						wantSum, wantMost, wantLeast = wantSum+v, max(wantMost, v), min(wantLeast, v)
						if got := z[i*a*b+j]; got != v {
							t.Fatalf("%v: stored element %d of row %d: got %v, want %v", size, j, i, got, v)
						}
					}
					for _, c := range []struct {
						op        string
						got, want float64
					}{{"sum", sum[i*apart], wantSum}, {"max", most[i*apart], wantMost}, {"min", least[i*apart], wantLeast}} {
						if c.got != c.want {
							t.Fatalf("%v: %s of row %d: got %v, want %v", size, c.op, i, c.got, c.want)
						}
					}
				}
			}
		}
	})
}

func TestReducingNothing(t *testing.T) {
	withGo(t, func(t *testing.T, s kernels.Set) {
		f, _ := s.Elemwise(products(kernels.Float64, "sum", "prod"))
		for _, shape := range [][]int{{2, 0}, {2, 0, 1}, {2, 3, 0}} {
			sum, product := []float64{5, 5, 5}, []float64{5, 5, 5}
			strides := make([]int, len(shape)-1)
			out := []kernels.Operand{floats(sum, append([]int{2}, strides...)...), floats(product, append([]int{2}, strides...)...)}
			in := []kernels.Operand{floats(nil, make([]int, len(shape))...), floats(nil, make([]int, len(shape))...)}
			f(shape, out, in, nil)
			if got := fmt.Sprint(sum, product); got != "[0 5 0] [1 5 1]" {
				t.Errorf("%v: got %v, want [0 5 0] [1 5 1]", shape, got)
			}
		}
	})
}

// The error of a sum of n terms, one after the other, would be about n/4 units of its last place.
func TestSumsArePairwise(t *testing.T) {
	withGo(t, func(t *testing.T, s kernels.Set) {
		const n, d = 3_000_017, kernels.Float32
		f, _ := s.Elemwise(products(d, "sum"))
		x, one, sum := make([]float32, n), float32(1), float32(0)
		want := 0.0
		for i := range x {
			x[i] = float32(i%1000) / 1000
			want += float64(x[i])
		}
		f([]int{n}, []kernels.Operand{{Data: unsafe.Pointer(&sum), Strides: []int{0}}},
			[]kernels.Operand{{Data: unsafe.Pointer(&x[0]), Strides: []int{4}}, {Data: unsafe.Pointer(&one), Strides: []int{0}}}, nil)
		if e := math.Abs(float64(sum)-want) / want; e > 0x1p-21 {
			t.Errorf("got %v, want %v: off by %g", sum, want, e)
		}
	})
}

// Reductions over first axes: of one axis and of two, that could be one or not, of few and of many
// columns, of a few and of many tiles, and on one thread as on two.
func TestReducingFirstAxes(t *testing.T) {
	defer parallel.SetThreads(parallel.Threads())
	withGo(t, func(t *testing.T, s kernels.Set) {
		for _, size := range [][3]int{
			{1, 1, 1}, {2, 3, 1}, {5, 1, 3}, {7, 2, 3}, {100, 1, 10}, {1000, 1, 1}, {1, 1, 1000}, {3, 1, 257}, {3, 5, 130}, {70, 1, 3001}, {2, 700, 9},
			{40, 30, 100}, {3, 1, 50000}, {20000, 2, 7}, {1, 2, 1025}, {50, 6, 1030},
		} {
			a, b, n := size[0], size[1], size[2]
			x, y := make([]float64, a*b*(n+1)), make([]float64, n)
			for i := range x {
				x[i] = float64(i*7%23 - 11)
			}
			for i := range y {
				y[i] = float64(i%5 - 2)
			}
			wantSum, wantMost := make([]float64, n), make([]float64, n)
			for j := range n {
				wantMost[j] = math.Inf(-1)
				for i := range a * b {
					v := x[i*(n+1)+j] * y[j]
					wantSum[j], wantMost[j] = wantSum[j]+v, max(wantMost[j], v)
				}
			}
			for _, threads := range []int{1, 2} {
				parallel.SetThreads(threads)
				for _, axes := range []int{1, 2} {
					p := products(kernels.Float64, "sum", "", "max")
					p.Leading = axes
					f, ok := s.Elemwise(p)
					if !ok {
						t.Fatal("no kernel")
					}
					reduced := n
					if axes == 1 {
						reduced = b * n
					}
					sum, most, z := make([]float64, reduced), make([]float64, reduced), make([]float64, a*b*n)
					strides := append(make([]int, axes), []int{n, 1}[axes-1:]...)
					out := []kernels.Operand{floats(sum, slices.Clone(strides)...), floats(z, b*n, n, 1), floats(most, strides...)}
					f([]int{a, b, n}, out, []kernels.Operand{floats(x, b*(n+1), n+1, 1), floats(y, 0, 0, 1)}, nil)
					for i := range a * b {
						for j := range n {
							if got, want := z[i*n+j], x[i*(n+1)+j]*y[j]; got != want {
								t.Fatalf("%v over %d: stored element %d, %d: got %v, want %v", size, axes, i, j, got, want)
							}
						}
					}
					if axes == 2 {
						for j := range n {
							if sum[j] != wantSum[j] || most[j] != wantMost[j] {
								t.Fatalf("%v: column %d: got %v and %v, want %v and %v", size, j, sum[j], most[j], wantSum[j], wantMost[j])
							}
						}
						continue
					}
					for i := range b * n {
						want, top := 0.0, math.Inf(-1)
						for k := range a {
							v := z[k*b*n+i]
							want, top = want+v, max(top, v)
						}
						if sum[i] != want || most[i] != top {
							t.Fatalf("%v: element %d: got %v and %v, want %v and %v", size, i, sum[i], most[i], want, top)
						}
					}
				}
			}
		}
	})
}
