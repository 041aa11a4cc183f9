package kernels_test

import (
	"testing"
	"unsafe"

	"github.com/arignote/arignote/kernels"
)

// TestSplit: an interpreter tells a Split what the steps of its program take, and tells it nothing
// when it is gone.
func TestSplit(t *testing.T) {
	instr := func(op string, args ...int) kernels.Instr {
		k := kernels.Lookup(op)
		return kernels.Instr{LoopKey: k.Key(kernels.Float64), Args: args, Go: k.Loops[kernels.Float64]}
	}
	p := &kernels.Program{Inputs: []kernels.DType{kernels.Float64}, Instrs: []kernels.Instr{instr("pow", 0, 0), instr("neg", 1)},
		Outputs: []kernels.Output{{Reg: 2}}, Steps: []int{3, 5}}
	run, ok := kernels.GoSet.Elemwise(p)
	if !ok {
		t.Fatal("no kernels")
	}
	const n = 100_000
	x, z := make([]float64, n), make([]float64, n)
	for i := range x {
		x[i] = 0.3
	}
	call := func() {
		if !run([]int{n}, []kernels.Operand{{Data: unsafe.Pointer(&z[0]), Strides: []int{8}}}, []kernels.Operand{{Data: unsafe.Pointer(&x[0]), Strides: []int{8}}}, nil) {
			t.Fatal("stopped")
		}
	}
	call()
	p.Split = new(kernels.Split)
	call()
	got := p.Split.Ticks
	if len(got) != 6 || got[3] <= got[5] || got[5] <= 0 || got[0]+got[1]+got[2]+got[4] != 0 {
		t.Errorf("got %v, want a power in step 3 that takes more than the sign in step 5", got)
	}
	before := got[3]
	p.Split = nil
	call()
	if got[3] != before {
		t.Error("a run without a Split tells it something")
	}
	if p.MadeBy(2) != 1 || p.MadeBy(1) != 0 || p.MadeBy(0) != 0 {
		t.Errorf("registers are made by %d, %d, %d", p.MadeBy(2), p.MadeBy(1), p.MadeBy(0))
	}
}

// TestFusedCosts: what was measured on the machine takes the place of what is known of others, for
// its instruction set.
func TestFusedCosts(t *testing.T) {
	shipped := kernels.FusedCosts("exp", kernels.Float64)
	defer kernels.SetFused("", nil)
	kernels.FindFused(func() (string, kernels.FusedTable) {
		return "avx2", kernels.FusedTable{"exp": {123}}
	})
	if got := kernels.FusedCosts("exp", kernels.Float64); got.On("avx2") != 123 || got.On("avx512") != 123 || got.On("go") != shipped.On("go") {
		t.Errorf("got %v, of %v", got, shipped)
	}
	if got := kernels.FusedCosts("exp", kernels.Float32); got.On("avx2") == 0 || got.On("avx2") == 123 {
		t.Errorf("got %v for a type that was not measured", got)
	}
	for _, bad := range []kernels.FusedTable{{"no kernel": {1}}, {"exp": {-1}}, {"exp": {1e9}}} {
		if bad.Sound() {
			t.Errorf("%v is sound", bad)
		}
	}
}

// TestMeasureFused: each kernel that there is has a number, and what takes long has a large one.
func TestMeasureFused(t *testing.T) {
	got, err := kernels.MeasureFused(t.Context(), kernels.GoSet, 1)
	if err != nil || !got.Sound() || len(got) != len(kernels.Table) {
		t.Fatalf("got %v and %d kernels, want %d", err, len(got), len(kernels.Table))
	}
	for _, k := range kernels.Table {
		for class, d := range kernels.CostTypes() {
			_, loop := k.CostKey(d)
			if (got[k.Name][class] > 0) != (loop != nil) {
				t.Errorf("%s of %v takes %v ns", k.Name, d, got[k.Name][class])
			}
		}
	}
	if got["gamma"][0] < 3*got["neg"][0] {
		t.Errorf("gamma takes %v ns and neg %v", got["gamma"][0], got["neg"][0])
	}
}

// TestTypical: operands for measuring are within what kernels are made for, in every type, and not
// alike.
func TestTypical(t *testing.T) {
	const n = 512
	for _, d := range kernels.CostTypes() {
		low, high := 0.1, 0.9
		switch {
		case d.IsBool():
			low, high = 0, 1
		case !d.IsFloat():
			low, high = 1, 7
		}
		x, y := kernels.Typical(d, n, 1), kernels.Typical(d, n, 2)
		seen, alike := map[float64]bool{}, 0
		for i := range n {
			a, b := as64(d, x, i), as64(d, y, i)
			if a < low || a > high {
				t.Fatalf("%v: got %v at %d, want %v to %v", d, a, i, low, high)
			}
			seen[a] = true
			if a == b {
				alike++
			}
		}
		if want := map[bool]int{true: 2, false: 7}[d.IsBool()]; len(seen) < want || alike > n*2/3 {
			t.Errorf("%v: got %d values, want %d, and %d of %d equal for another seed", d, len(seen), want, alike, n)
		}
	}
}

// as64 is element i of what is at p.
func as64(d kernels.DType, p unsafe.Pointer, i int) (x float64) {
	kernels.Cast[d][kernels.Float64](1, unsafe.Pointer(&x), &[kernels.MaxArgs]unsafe.Pointer{unsafe.Add(p, i*d.Size())})
	return x
}
