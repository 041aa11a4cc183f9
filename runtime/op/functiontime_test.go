package op

import (
	"testing"

	"github.com/arignote/arignote/kernels"
	"github.com/arignote/arignote/runtime/graph"
)

// TestFunctionTime: a function's flops take what its kernel takes; additions are the machine's own
// operations.
func TestFunctionTime(t *testing.T) {
	x := graph.NewInput("x", graph.Type{DType: kernels.Float64}, nil)
	for _, c := range []struct {
		op       Elemwise
		in       int
		function bool
	}{{byName["exp"], 1, true}, {byName["tanh"], 1, true}, {byName["pow"], 2, true}, {byName["add"], 2, false}, {byName["sqr"], 1, false}} {
		in := []*graph.Variable{x, x}[:c.in]
		plain, ns := c.op.FunctionTime(in)
		want := kernels.FusedCosts(c.op.Row().Name, kernels.Float64)
		if !c.function {
			want = kernels.Costs{}
		}
		if (plain == 0) != c.function {
			t.Errorf("%s: got a part of plain flops of %g", c.op.Row().Name, plain)
		}
		for _, isa := range kernels.CostISAs {
			if got := ns.On(isa) * c.op.flops(); got < 0.999*want.On(isa) || got > 1.001*want.On(isa) {
				t.Errorf("%s on %s: got %g ns an element, want %g", c.op.Row().Name, isa, got, want.On(isa))
			}
		}
	}
}
