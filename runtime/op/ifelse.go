package op

import (
	"fmt"
	"math"

	"github.com/arignote/arignote/kernels"
	"github.com/arignote/arignote/runtime/graph"
	"github.com/arignote/arignote/runtime/tensor"
)

// IfElse passes on the operands of one branch: its first operand, a scalar, is the condition, N
// operands follow that it passes on if the condition is not 0, and N for the case that it is. It
// computes nothing and copies nothing. Who runs a graph computes a branch only if it is taken (see
// graph.Needs): the operands of the other one are then nil.
type IfElse struct {
	N      int
	Called Text // the user's name
}

// Truth is what a scalar means as a condition: anything but 0 is true.
func Truth(a *tensor.Dense) bool {
	if a.DType().IsFloat() {
		return math.Float64frombits(a.Bits(0)) != 0
	}
	return a.Bits(0) != 0
}

var _ = register(IfElse{})

func (o IfElse) Name() string { return nameOf("ifelse", o) }

func (IfElse) TakesStates() {}

// Side is graph.Chooser's.
func (o IfElse) Side(i int) graph.Side {
	switch {
	case i == 0:
		return graph.Both
	case i <= o.N:
		return graph.Then
	}
	return graph.Else
}

// Branches are a node's operands behind the condition.
func (o IfElse) Branches(in []V) (then, els []V) { return in[1:][:o.N], in[1+o.N:] }

// Infer: a length that differs between the branches is known when one is taken, by a constant if
// there is one.
func (o IfElse) Infer(in []*graph.Variable) ([]graph.Type, error) {
	if want := 1 + 2*o.N; o.N < 1 || len(in) != want {
		return nil, fmt.Errorf("got %d operands, want a condition and %d for each branch", len(in), o.N)
	}
	if c := in[0].Type; c.Rank() != 0 || c.State != graph.NoState {
		return nil, fmt.Errorf("condition: got %v, want a scalar; T.switch chooses element by element", c)
	}
	then, els := o.Branches(in)
	types := make([]graph.Type, o.N)
	for k := range types {
		t, ok := eitherType(then[k].Type, els[k].Type)
		if !ok {
			return nil, tensor.TypeErrorf("value %d: got %v and %v, want the same type in both branches", k+1, then[k].Type, els[k].Type)
		}
		types[k] = t
		if in[0].IsConstant() {
			if types[k] = then[k].Type; !Truth(in[0].Data) {
				types[k] = els[k].Type
			}
		}
	}
	return types, nil
}

// eitherType is the type of what is of type t or of type u.
func eitherType(t, u graph.Type) (graph.Type, bool) {
	if t.DType != u.DType || t.Rank() != u.Rank() || t.State != u.State {
		return t, false
	}
	dims := t.Dims()
	for axis := range dims {
		if u.Dim(axis) != dims[axis] {
			dims[axis] = graph.Unknown
		}
	}
	either := graph.TypeOf(t.DType, dims...)
	either.State = t.State
	return either, true
}

func (o IfElse) ViewMap() []graph.Alias {
	var list []graph.Alias
	for k := range o.N {
		list = append(list, graph.Alias{Out: k, In: 1 + k}, graph.Alias{Out: k, In: 1 + o.N + k})
	}
	return list
}

func (o IfElse) Link(*graph.Apply, kernels.Sets) (Thunk, string, error) {
	return func(_ *Call, in, out []*tensor.Dense) error {
		if Truth(in[0]) {
			copy(out, in[1:])
		} else {
			copy(out, in[1+o.N:])
		}
		return nil
	}, goImpl, nil
}

func (o IfElse) Cost(in, out []graph.Array) graph.Cost { return graph.Nothing(in, out) }

// Label is Theano's.
func (o IfElse) Label() string {
	if o.Called == "" {
		return "if{}"
	}
	return "if{" + string(o.Called) + "}"
}
func (IfElse) Class() string { return "ifelse.IfElse" }

// Length is chosen by the same condition, which takes no array of either branch.
func (o IfElse) Length(m Maker, v V, axis int) V {
	then, els := o.Branches(v.Owner.Inputs)
	n, k := length(m, then[v.Index], axis), length(m, els[v.Index], axis)
	if n == k {
		return n
	}
	return m.Apply(IfElse{N: 1}, v.Owner.Inputs[0], n, k)
}

// Grad hands the gradient on to both branches. Who goes backwards counts it for the one that is
// taken (see grad.Grad): only he knows what both are made of. A condition jumps, and has none.
func (o IfElse) Grad(b *graph.Builder, node *graph.Apply, g []*graph.Variable) []*graph.Variable {
	grads := make([]V, len(node.Inputs))
	for i, v := range node.Inputs[1:] {
		share := g[i%o.N]
		if share != nil && !mayMeet(v.Type, share.Type) { // the cost says that the other branch is taken
			share = b.Apply(Second, v, b.Like(v, 0))
		}
		grads[1+i] = share
	}
	return grads
}

// mayMeet reports whether a value may be of both types, as far as lengths tell.
func mayMeet(t, u graph.Type) bool {
	for axis := range t.Rank() {
		if n, m := t.Dim(axis), u.Dim(axis); n != m && n != graph.Unknown && m != graph.Unknown {
			return false
		}
	}
	return true
}

// Stack chooses between stacks; with a condition for each row both are computed.
func (o IfElse) Stack(s *Stack, node *graph.Apply, in []V) V {
	if o.N != 1 {
		return nil
	}
	if s.Is[0] {
		rank := node.Outputs[0].Type.Rank()
		return s.Apply(Switch, s.of(in, 0, rank), s.of(in, 1, rank), s.of(in, 2, rank))
	}
	return s.Apply(o, in[0], s.full(in, 1), s.full(in, 2))
}

// Traits: what passes on is of either branch.
func (IfElse) Traits() Traits { return Moves | Jumps }

func (IfElse) Cases() []Case {
	all := cases("bool any[2,3] any[2,3]", IfElse{N: 1})
	all = append(all, cases("1 float64[2,3] float64[2,3]", IfElse{N: 1}, IfElse{N: 1, Called: "first, {last}"})...)
	all = append(all, cases("0 float64[3] float64[2]", IfElse{N: 1})...)
	all = append(all, cases("float32(0.5) float64 int64[4] float64 int64[2]", IfElse{N: 2})...)
	return append(all, cases("bool(0) float64[3] float64[3] float64[3] float64[1]", IfElse{N: 2})...)
}

// Holds evaluates a guard. value gives the conditions that were computed, and nil for the others.
func Holds(g *graph.Guard, value func(cond V) *tensor.Dense) bool {
	return g == graph.Always || g.Holds(func(cond V) bool {
		a := value(cond)
		return a != nil && Truth(a)
	})
}
