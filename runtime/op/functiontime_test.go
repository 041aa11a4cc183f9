package op_test

import (
	"testing"

	"github.com/arignote/arignote/kernels"
	"github.com/arignote/arignote/runtime/graph"
	"github.com/arignote/arignote/runtime/op"
)

// TestFunctionTime: a function's flops take what its kernel takes; additions are the machine's own
// operations.
func TestFunctionTime(t *testing.T) {
	x := graph.NewInput("x", graph.Type{DType: kernels.Float64}, nil)
	for _, c := range []struct {
		name     string
		in       int
		function bool
	}{{"exp", 1, true}, {"tanh", 1, true}, {"pow", 2, true}, {"add", 2, false}, {"sqr", 1, false}} {
		o, err := op.Lookup(c.name)
		if err != nil {
			t.Fatal(err)
		}
		e := o.(op.Elemwise)
		in := []*graph.Variable{x, x}[:c.in]
		plain, ns := e.FunctionTime(in)
		want := kernels.FusedCosts(c.name, kernels.Float64)
		if !c.function {
			want = kernels.Costs{}
		}
		if (plain == 0) != c.function {
			t.Errorf("%s: got a part of plain flops of %g", c.name, plain)
		}
		for _, isa := range kernels.CostISAs {
			if got := ns.On(isa) * e.Row().Flops; got < 0.999*want.On(isa) || got > 1.001*want.On(isa) {
				t.Errorf("%s on %s: got %g ns an element, want %g", c.name, isa, got, want.On(isa))
			}
		}
	}
}
