package kernels_test

import (
	"math/rand/v2"
	"testing"
	"unsafe"

	"github.com/arignote/arignote/kernels"
	"github.com/arignote/arignote/kernels/internal/randprog"
)

func TestPrograms(t *testing.T) {
	for seed := range uint64(600) {
		c := randprog.New(rand.New(rand.NewPCG(seed, 1)), kernels.DTypes())
		f, ok := kernels.GoSet.Elemwise(c.Program)
		if !ok {
			t.Fatal("the Go set has every program")
		}
		want := c.Run(c.Naive)
		for round := range 2 { // a compiled function may be used again
			if diff := c.Compare(c.Run(f), want); diff != "" {
				t.Fatalf("seed %d round %d: %s\n%v", seed, round, diff, c)
			}
		}
	}
}

// axpb is a*x + b, b a scalar.
func axpb() *kernels.Program {
	const d = kernels.Float64
	return &kernels.Program{
		Inputs: []kernels.DType{d, d, d},
		Instrs: []kernels.Instr{
			{LoopKey: kernels.LoopKey{Op: "mul", In: d, Out: d}, Args: []int{0, 1}, Go: kernels.Lookup("mul").Loops[d]},
			{LoopKey: kernels.LoopKey{Op: "add", In: d, Out: d}, Args: []int{3, 2}, Go: kernels.Lookup("add").Loops[d]},
		},
		Outputs: []kernels.Output{{Reg: 4}},
	}
}

func TestProgramStops(t *testing.T) {
	f, _ := kernels.GoSet.Elemwise(axpb())
	x, b := make([]float64, 5000), 1.0
	stop := uint32(1)
	in := []kernels.Operand{operand(x), operand(x), {Data: unsafe.Pointer(&b), Strides: []int{0}}}
	if f([]int{len(x)}, []kernels.Operand{operand(x)}, in, &stop) {
		t.Error("ran to its end though stopped")
	}
}

func operand(x []float64) kernels.Operand {
	return kernels.Operand{Data: unsafe.Pointer(unsafe.SliceData(x)), Strides: []int{8}}
}

func TestProgramAllocations(t *testing.T) {
	f, _ := kernels.GoSet.Elemwise(axpb())
	x, z, b := make([]float64, 5000), make([]float64, 5000), 1.0
	shape, out := []int{5000}, []kernels.Operand{operand(z)}
	in := []kernels.Operand{operand(x), operand(x), {Data: unsafe.Pointer(&b), Strides: []int{0}}}
	f(shape, out, in, nil)
	if n := testing.AllocsPerRun(10, func() { f(shape, out, in, nil) }); n != 0 {
		t.Errorf("a run allocates %v times, want 0", n)
	}
}

func TestMalformedPrograms(t *testing.T) {
	const d = kernels.Float64
	add := kernels.LoopKey{Op: "add", In: d, Out: d}
	for name, p := range map[string]*kernels.Program{
		"later register": {Inputs: []kernels.DType{d}, Instrs: []kernels.Instr{{LoopKey: add, Args: []int{0, 1}}}},
		"wrong type":     {Inputs: []kernels.DType{d, kernels.Int8}, Instrs: []kernels.Instr{{LoopKey: add, Args: []int{0, 1}}}},
		"no operands":    {Inputs: []kernels.DType{d}, Instrs: []kernels.Instr{{LoopKey: add}}},
	} {
		t.Run(name, func(t *testing.T) {
			defer func() {
				if recover() == nil {
					t.Error("compiled")
				}
			}()
			kernels.GoSet.Elemwise(p)
		})
	}
}

func BenchmarkGoAdd(b *testing.B) {
	const d = kernels.Float64
	f, _ := kernels.GoSet.Elemwise(&kernels.Program{
		Inputs:  []kernels.DType{d, d},
		Instrs:  []kernels.Instr{{LoopKey: kernels.LoopKey{Op: "add", In: d, Out: d}, Args: []int{0, 1}, Go: kernels.Lookup("add").Loops[d]}},
		Outputs: []kernels.Output{{Reg: 2}},
	})
	x, z := make([]float64, 1024), make([]float64, 1024)
	shape, out, in := []int{1024}, []kernels.Operand{operand(z)}, []kernels.Operand{operand(x), operand(x)}
	for b.Loop() {
		f(shape, out, in, nil)
	}
}
