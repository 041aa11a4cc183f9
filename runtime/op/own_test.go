package op

import (
	"testing"

	"github.com/arignote/arignote/kernels"
	"github.com/arignote/arignote/kernels/linalg"
	"github.com/arignote/arignote/runtime/tensor"
)

// TestOwnOperand: a result may be in the memory of a copied operand, which is released and not
// given away a second time. A matrix of 32 x 32 has as many elements as the pools of linalg keep.
func TestOwnOperand(t *testing.T) {
	a := tensor.New(kernels.Float64, 32, 32)
	a.Fill(3)
	var at *float64
	r := &blockwiseRun{call: &Call{}, out: []*tensor.Dense{tensor.New(kernels.Float64, 32, 32)}, sizes: []int{32 * 32},
		core: core{compute: func(in []linalg.Matrix) ([][]float64, error) {
			if !in[0].Own {
				t.Error("the copy may not be overwritten")
			}
			at = &in[0].Data[0]
			in[0].Data[1] = 4
			return [][]float64{in[0].Data}, nil
		}}}
	r.operand(a, []int{32, 32}, true)
	if err := r.run(); err != nil {
		t.Fatal(err)
	}
	if got, kept := r.out[0].Floats()[1], a.Floats()[1]; got != 4 || kept != 3 {
		t.Errorf("got %v as the result and %v as the operand, want 4 and 3", got, kept)
	}
	if m := linalg.New(32, 32); &m.Data[0] == at {
		t.Error("the memory of the copy was given away")
	}
}
