package native_test

import (
	"fmt"
	"testing"
	"unsafe"

	"github.com/arignote/arignote/kernels"
	"github.com/arignote/arignote/kernels/native"
)

// benchSets runs f for the Go set and every C set.
func benchSets(b *testing.B, f func(*testing.B, kernels.Set)) {
	for _, s := range append([]kernels.Set{kernels.GoSet}, native.Sets()...) {
		b.Run(s.ISA(), func(b *testing.B) { f(b, s) })
	}
}

func ones(d kernels.DType, n int) unsafe.Pointer {
	g := newGuarded(d, n, 0)
	for i := range n {
		if d == kernels.Float32 {
			*(*float32)(unsafe.Add(g.pointer(), i*4)) = 1
		} else {
			*(*float64)(unsafe.Add(g.pointer(), i*8)) = 1
		}
	}
	return g.pointer()
}

func benchProgram(b *testing.B, s kernels.Set, op string, d kernels.DType, n int) {
	key := kernels.LoopKey{Op: op, In: d, Out: d}
	p := &kernels.Program{Instrs: []kernels.Instr{{LoopKey: key, Go: reference[op].loops[d]}}}
	var in []kernels.Operand
	for k := range reference[op].nargs {
		p.Inputs = append(p.Inputs, d)
		p.Instrs[0].Args = append(p.Instrs[0].Args, k)
		in = append(in, kernels.Operand{Data: ones(d, n), Strides: []int{d.Size()}})
	}
	p.Outputs = []kernels.Output{{Reg: len(in)}}
	f, _ := s.Elemwise(p)
	shape, out := []int{n}, []kernels.Operand{{Data: ones(d, n), Strides: []int{d.Size()}}}
	for b.Loop() {
		f(shape, out, in, nil)
	}
	perElement(b, n)
}

func perElement(b *testing.B, n int) {
	b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(b.N)/float64(n), "ns/elem")
}

func BenchmarkAdd(b *testing.B) {
	for _, n := range []int{1, 64, 1000, 100000} {
		b.Run(fmt.Sprint(n), func(b *testing.B) {
			benchSets(b, func(b *testing.B, s kernels.Set) { benchProgram(b, s, "add", kernels.Float64, n) })
		})
	}
}

func BenchmarkExp(b *testing.B) {
	benchSets(b, func(b *testing.B, s kernels.Set) { benchProgram(b, s, "exp", kernels.Float64, 1000) })
}

func BenchmarkSum(b *testing.B) {
	for _, dim := range [][3]int{{1, 1000000, 1}, {1000, 1000, 1}, {1, 1000, 1000}, {1, 300000, 3}} {
		b.Run(fmt.Sprint(dim), func(b *testing.B) {
			benchSets(b, func(b *testing.B, s kernels.Set) {
				f, _ := s.Reduce(kernels.ReduceKey{Op: "sum", In: kernels.Float64})
				n := dim[0] * dim[1] * dim[2]
				z, x := ones(kernels.Float64, dim[0]*dim[2]), ones(kernels.Float64, n)
				for b.Loop() {
					f(dim[0], dim[1], dim[2], z, x, nil)
				}
				perElement(b, n)
			})
		})
	}
}

func BenchmarkSoftmax(b *testing.B) {
	benchSets(b, func(b *testing.B, s kernels.Set) {
		f, _ := s.Rows(kernels.RowsKey{Op: "softmax", In: kernels.Float64})
		x := ones(kernels.Float64, 128*10)
		for b.Loop() {
			f(128, 10, x, x, nil)
		}
		perElement(b, 1280)
	})
}

// BenchmarkGemm is [m,k]·[k,n].
func BenchmarkGemm(b *testing.B) {
	for _, d := range []kernels.DType{kernels.Float64, kernels.Float32} {
		for _, size := range [][3]int{{8, 8, 8}, {16, 16, 16}, {64, 64, 64}, {100, 100, 100}, {256, 256, 256}, {512, 512, 512}, {1024, 1024, 1024}, {400, 1, 784}, {1, 400, 784}, {128, 10, 784}} {
			m, n, k := size[0], size[1], size[2]
			b.Run(fmt.Sprintf("%v/%dx%dx%d", d, m, n, k), func(b *testing.B) {
				benchSets(b, func(b *testing.B, s kernels.Set) {
					f, _ := s.Gemm(d)
					matrix := func(rows, cols int) kernels.Matrix {
						return kernels.Matrix{Data: ones(d, rows*cols), Row: cols * d.Size(), Col: d.Size()}
					}
					x, y, z := matrix(m, k), matrix(k, n), matrix(m, n)
					for b.Loop() {
						f(m, n, k, 1, x, y, 0, z, z, nil)
					}
					b.ReportMetric(2*float64(m)*float64(n)*float64(k)*float64(b.N)/float64(b.Elapsed().Nanoseconds()), "GFLOP/s")
				})
			})
		}
	}
}
