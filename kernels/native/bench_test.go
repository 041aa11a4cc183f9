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

// runProgram measures f over shape. The operands have the strides given in elements; without any,
// those of C order.
func runProgram(b *testing.B, f kernels.ElemwiseFunc, d kernels.DType, shape []int, out []int, in ...[]int) {
	n := 1
	for _, k := range shape {
		n *= k
	}
	array := func(strides []int) []kernels.Operand {
		o := kernels.Operand{Data: ones(d, n)}
		step := n
		for axis, k := range shape {
			step /= k
			s := step
			if strides != nil {
				s = strides[axis]
			}
			o.Strides = append(o.Strides, s*d.Size())
		}
		return []kernels.Operand{o}
	}
	z, x := array(out), []kernels.Operand{}
	for _, strides := range in {
		x = append(x, array(strides)...)
	}
	for b.Loop() {
		f(shape, z, x, nil)
	}
	perElement(b, n)
}

func benchProgram(b *testing.B, s kernels.Set, op string, d kernels.DType, n int) {
	p := &kernels.Program{Instrs: []kernels.Instr{instr(op, d)}}
	for k := range kernels.Lookup(op).Arity {
		p.Inputs = append(p.Inputs, d)
		p.Instrs[0].Args = append(p.Instrs[0].Args, k)
	}
	p.Outputs = []kernels.Output{{Reg: len(p.Inputs)}}
	f, _ := s.Elemwise(p)
	runProgram(b, f, d, []int{n}, nil, make([][]int, len(p.Inputs))...)
}

// programs are what the papers on fused loops measure. Each has full operands, and the scalars come
// last.
var programs = []struct {
	name          string
	full, scalars int
	instrs        func(kernels.DType) []kernels.Instr
}{
	{"add", 2, 0, func(d kernels.DType) []kernels.Instr { return []kernels.Instr{instr("add", d, 0, 1)} }},
	{"2*(x+y)+z", 3, 1, func(d kernels.DType) []kernels.Instr {
		return []kernels.Instr{instr("add", d, 0, 1), instr("mul", d, 3, 4), instr("add", d, 5, 2)}
	}},
	{"sigmoid(x)*tanh(y)+exp(-x*x)", 2, 0, func(d kernels.DType) []kernels.Instr {
		return []kernels.Instr{
			instr("sigmoid", d, 0), instr("tanh", d, 1), instr("mul", d, 2, 3),
			instr("neg", d, 0), instr("mul", d, 5, 0), instr("exp", d, 6), instr("add", d, 4, 7),
		}
	}},
	{"chain20", 3, 0, func(d kernels.DType) (all []kernels.Instr) {
		last := 0
		for range 10 {
			all = append(all, instr("add", d, last, 1), instr("mul", d, len(all)+3, 2))
			last = len(all) + 2
		}
		return all
	}},
}

func compiled(s kernels.Set, name string, d kernels.DType) (f kernels.ElemwiseFunc, full, scalars int) {
	for _, row := range programs {
		if row.name == name {
			p := &kernels.Program{Instrs: row.instrs(d)}
			for range row.full + row.scalars {
				p.Inputs = append(p.Inputs, d)
			}
			p.Outputs = []kernels.Output{{Reg: len(p.Inputs) + len(p.Instrs) - 1}}
			f, _ = s.Elemwise(p)
			return f, row.full, row.scalars
		}
	}
	panic("no program " + name)
}

func BenchmarkPrograms(b *testing.B) {
	for _, d := range []kernels.DType{kernels.Float64, kernels.Float32} {
		for _, row := range programs {
			for _, n := range []int{1, 64, 1000, 10_000, 100_000, 1_000_000, 10_000_000} {
				b.Run(fmt.Sprintf("%v/%s/%d", d, row.name, n), func(b *testing.B) {
					benchSets(b, func(b *testing.B, s kernels.Set) {
						f, full, scalars := compiled(s, row.name, d)
						in := make([][]int, full+scalars)
						for k := range scalars {
							in[full+k] = []int{0}
						}
						runProgram(b, f, d, []int{n}, nil, in...)
					})
				})
			}
		}
	}
}

// BenchmarkBroadcast is 2*(x+y)+z, z full.
func BenchmarkBroadcast(b *testing.B) {
	for _, shape := range [][]int{{1000, 1000}, {1_000_000, 3}, {100_000, 10}, {128, 512}, {3, 1_000_000}} {
		layouts := map[string][]int{"full": {shape[1], 1}, "row": {0, 1}, "column": {1, 0}, "scalar": {0, 0}, "transposed": {1, shape[0]}}
		for _, xy := range [][2]string{{"full", "full"}, {"row", "row"}, {"row", "column"}, {"column", "scalar"}, {"full", "transposed"}} {
			b.Run(fmt.Sprintf("%v/%s,%s", shape, xy[0], xy[1]), func(b *testing.B) {
				benchSets(b, func(b *testing.B, s kernels.Set) {
					f, _, _ := compiled(s, "2*(x+y)+z", kernels.Float64)
					runProgram(b, f, kernels.Float64, shape, nil, layouts[xy[0]], layouts[xy[1]], nil, layouts["scalar"])
				})
			})
		}
	}
}

// BenchmarkReducing is the sum of x*y over the second axis.
func BenchmarkReducing(b *testing.B) {
	for _, shape := range [][]int{{1000, 1000}, {100_000, 10}, {300_000, 3}, {1, 1_000_000}, {1, 1000}} {
		b.Run(fmt.Sprint(shape), func(b *testing.B) {
			benchSets(b, func(b *testing.B, s kernels.Set) {
				f, _ := s.Elemwise(products(kernels.Float64, "sum"))
				runProgram(b, f, kernels.Float64, shape, []int{1, 0}, nil, nil)
			})
		})
	}
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
