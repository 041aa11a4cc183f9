package op

import (
	"slices"

	"github.com/arignote/arignote/kernels"
	"github.com/arignote/arignote/runtime/graph"
	"github.com/arignote/arignote/runtime/tensor"
)

// Cumulate is the sum or product (Kind) of the elements up to and including each along Axis, in the
// shape of the operand. Those of integers and bools are int64 or uint64.
type Cumulate struct {
	Kind Reduction
	Axis int
}

var _ = register(Cumulate{Kind: Sum}, Cumulate{Kind: Prod})

func (a Cumulate) Name() string {
	return nameOf("cum"+a.Kind.String(), struct{ Axis int }{a.Axis})
}

func (a Cumulate) Label() string {
	mode := map[Reduction]string{Sum: "add", Prod: "mul"}[a.Kind]
	return "CumOp{" + axisList(tensor.AxesOf(a.Axis)) + ", " + mode + "}"
}
func (a Cumulate) Class() string { return "tensor.extra_ops.CumOp" }

func (a Cumulate) Infer(in []*graph.Variable) ([]graph.Type, error) {
	if err := arity(in, 1); err != nil {
		return nil, err
	}
	t := in[0].Type
	d := a.Kind.Result(t.DType)
	return []graph.Type{t.WithDType(d)}, checkAxis(a.Axis, t)
}

func (a Cumulate) Link(node *graph.Apply, _ kernels.Sets) (Thunk, string, error) {
	d := node.Outputs[0].Type.DType
	return func(c *Call, in, out []*tensor.Dense) error {
		out[0] = c.Alloc(0, d, in[0].Shape())
		return tensor.ScanTo(out[0], a.Kind.String(), in[0], a.Axis, c.Stop)
	}, goImpl, nil
}

// Cost counts one operation an element.
func (a Cumulate) Cost(in, out []graph.Array) graph.Cost {
	return graph.Once(in[0].Elements(), in, out)
}

func (a Cumulate) Length(m Maker, v V, axis int) V { return length(m, v.Owner.Inputs[0], axis) }

// Grad of a sum is the sum from the other end. That of the product y is this sum of g·y over x. At
// the first 0 of a line it is that of the product without it, and after it nothing matters.
func (a Cumulate) Grad(b *graph.Builder, node *graph.Apply, g []*graph.Variable) []*graph.Variable {
	x, y := node.Inputs[0], node.Outputs[0]
	if !x.Type.DType.IsFloat() {
		return []V{nil}
	}
	flip := Subtensor{wholeBefore(a.Axis) + "::-1"}
	sums := Cumulate{Sum, a.Axis}
	fromEnd := func(v V) V { return b.Apply(flip, b.Apply(sums, b.Apply(flip, v))) }
	if a.Kind == Sum {
		return []V{fromEnd(g[0])}
	}
	isZero, one := Eq.do(b, x, b.Like(x, 0)), b.Like(x, 1)
	zeros := b.Apply(sums, isZero)
	first := And.do(b, isZero, Eq.do(b, zeros, b.Like(zeros, 1)))
	without := b.Apply(a, Switch.do(b, first, one, x))
	return []V{Switch.do(b, first, fromEnd(Mul.do(b, g[0], without)),
		TrueDiv.do(b, fromEnd(Mul.do(b, g[0], y)), Switch.do(b, isZero, one, x)))}
}

func (a Cumulate) Traits() Traits { return 0 }

func (a Cumulate) Cases() []Case {
	along := func(axis int) Cumulate { return Cumulate{a.Kind, axis} }
	return slices.Concat(cases("any[2,3]", along(0), along(1)), cases("any[2,3,4]", along(1)), cases("any[5]", along(0)), cases("any[3,0]", along(0), along(1)))
}
