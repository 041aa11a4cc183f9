package exec_test

import (
	"math"
	"testing"

	"github.com/arignote/arignote/kernels"
	"github.com/arignote/arignote/runtime/exec"
	"github.com/arignote/arignote/runtime/tensor"
)

// Arrays are copied and converted by the kernels that compiled functions run, to the bits that
// those of Go give, whatever their strides are.
func TestMovement(t *testing.T) {
	sets, err := exec.Sets("c|go")
	if err != nil {
		t.Fatal(err)
	}
	if got, want := tensor.Movement.ISA(), sets[0].ISA(); got != want {
		t.Errorf("arrays are copied by kernels for %s, want %s", got, want)
	}
	numbers := tensor.New(kernels.Float64, 3, 70)
	for i, e := 0, tensor.Elements[float64](numbers); i < len(e); i++ {
		e[i] = []float64{0, math.Copysign(0, -1), 1.9, -1.9, 127, 300, -40000, 1 << 31, -1 << 40, 1e300, math.Inf(-1), math.NaN()}[i%12]
	}
	for _, from := range kernels.DTypes() {
		x := numbers.AsType(from)
		step := 2
		every, err := x.Subscript(tensor.Index{}, tensor.Index{Step: &step})
		if err != nil {
			t.Fatal(err)
		}
		for _, to := range kernels.DTypes() {
			for _, x := range []*tensor.Dense{x, x.Transpose(), every} {
				got := x.AsType(to)
				want := tensor.New(to, x.Shape()...)
				convertByGo(want, x)
				if !tensor.Equal(got, want) {
					t.Errorf("%v with strides %v to %v: got %v, want %v", from, x.Strides(), to, got, want)
				}
			}
		}
	}
}

func convertByGo(dst, src *tensor.Dense) {
	p := &kernels.Program{
		Inputs:  []kernels.DType{src.DType()},
		Instrs:  []kernels.Instr{{LoopKey: kernels.LoopKey{Op: "cast", In: src.DType(), Out: dst.DType()}, Args: []int{0}, Go: kernels.Cast[src.DType()][dst.DType()]}},
		Outputs: []kernels.Output{{Reg: 1}},
	}
	run, _ := kernels.GoSet.Elemwise(p)
	run(dst.Shape(), []kernels.Operand{dst.Operand()}, []kernels.Operand{src.Operand()}, nil)
}
