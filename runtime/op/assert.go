package op

import (
	"fmt"
	"slices"

	"github.com/arignote/arignote/kernels"
	"github.com/arignote/arignote/runtime/graph"
	"github.com/arignote/arignote/runtime/tensor"
)

// Assert passes its first operand on, and fails if an element of another, a condition, is 0.
type Assert struct {
	Exc Text // the name of the error; "" is AssertionError
	Msg Text // its message; "" is which condition does not hold
}

func (a Assert) Name() string { return nameOf("assert", a) }

func (a Assert) Infer(in []*graph.Variable) ([]graph.Type, error) {
	if len(in) == 0 {
		return nil, fmt.Errorf("got no operands, want a value and conditions")
	}
	return []graph.Type{in[0].Type}, nil
}

func (a Assert) ViewMap() []graph.Alias { return []graph.Alias{{Out: 0, In: 0}} }

func (a Assert) Link(*graph.Apply, kernels.Sets) (Thunk, string, error) {
	return func(_ *Call, in, out []*tensor.Dense) error {
		for i, cond := range in[1:] {
			if at := slices.Index(cond.Floats(), 0); at >= 0 {
				return a.failure(i, at, cond)
			}
		}
		out[0] = in[0]
		return nil
	}, goImpl, nil
}

// failure is the error for element at, in C order, of condition i.
func (a Assert) failure(i, at int, cond *tensor.Dense) error {
	detail := fmt.Sprintf("condition %d is False", i+1)
	if cond.Rank() > 0 {
		place := make([]int, cond.Rank())
		for axis := range slices.Backward(place) {
			place[axis], at = at%cond.Dim(axis), at/cond.Dim(axis)
		}
		detail += " at " + fmt.Sprint(place)
	}
	return &Raised{Exc: a.ErrorName(), Msg: string(a.Msg), Detail: detail}
}

// ErrorName is the name of the error.
func (a Assert) ErrorName() string {
	if a.Exc == "" {
		return "AssertionError"
	}
	return string(a.Exc)
}

func (a Assert) Cost(in, out []graph.Array) graph.Cost {
	cost := graph.Nothing(in, out)
	for i := 1; i < len(in); i++ {
		cost.Read[i] = in[i].Elements() * float64(in[i].ItemSize)
	}
	return cost
}

// Connects: a cost does not depend on conditions.
func (Assert) Connects(_ *graph.Apply, in, _ int) bool { return in == 0 }

// Grad is that of the first operand: a condition is true nearby, or nothing is computed.
func (a Assert) Grad(b *graph.Builder, node *graph.Apply, g []*graph.Variable) []*graph.Variable {
	grads := make([]V, len(node.Inputs))
	grads[0] = g[0]
	return grads
}

func (a Assert) Label() string {
	if a.Exc == "" {
		return "Assert{msg=" + pythonQuote(string(a.Msg)) + "}"
	}
	return fmt.Sprintf("CheckAndRaise{%s(%s)}", a.Exc, string(a.Msg))
}

func (a Assert) Class() string {
	if a.Exc == "" {
		return "tensor.opt.Assert"
	}
	return "raise_op.CheckAndRaise"
}

// SignOf is the sign of what is passed on.
func (a Assert) SignOf(in []Sign) Sign { return in[0] }

// Length is nil: that of the operand would do, and nothing would be checked.
func (a Assert) Length(Maker, V, int) V { return nil }
func (a Assert) Traits() Traits         { return Moves | Acts }

var _ = register(Assert{})

func (a Assert) Cases() []Case {
	return slices.Concat(cases("any[2,3] bool(1)", Assert{}, Assert{Msg: "want x > 0"}, Assert{"ValueError", "want {x}, or 1"}),
		cases("any bool[2](1 1) int64[1](-1)", Assert{}), cases("any[3]", Assert{}))
}
