package op

import (
	"slices"

	"github.com/arignote/arignote/kernels"
	"github.com/arignote/arignote/runtime/graph"
	"github.com/arignote/arignote/runtime/tensor"
)

// Operations that pass x on and change what a gradient makes of it. Their gradient is not the
// derivative, on purpose (Bends). Rewriting removes them.
type (
	// ZeroGrad has the gradient 0: x is a constant to grad, though the cost depends on it.
	ZeroGrad struct{}
	// DisconnectedGrad is ZeroGrad of a cost that does not depend on x: grad says so if it depends
	// on it in no other way.
	DisconnectedGrad struct{}
	// GradClip cuts the gradient to [Lower, Upper].
	GradClip struct{ Lower, Upper float64 }
	// GradScale multiplies the gradient.
	GradScale struct{ Factor float64 }
	// UndefinedGrad refuses a gradient: grad says so where the cost depends on x through it.
	UndefinedGrad struct{}
)

var (
	_ = register(ZeroGrad{}, DisconnectedGrad{}, GradClip{}, GradScale{}, UndefinedGrad{})
	_ = []graph.Disconnecting{DisconnectedGrad{}}
)

// passes types an operation that passes its operand on.
func passes(in []*graph.Variable) ([]graph.Type, error) {
	if err := arity(in, 1); err != nil {
		return nil, err
	}
	return []graph.Type{in[0].Type}, nil
}

func linkPass() (Thunk, string, error) {
	return func(_ *Call, in, out []*tensor.Dense) error {
		out[0] = in[0]
		return nil
	}, goImpl, nil
}

var passView = []graph.Alias{{Out: 0, In: 0}}

const classGradient = "gradient."

func (ZeroGrad) Grad(b *graph.Builder, node *graph.Apply, g []*graph.Variable) []*graph.Variable {
	return []V{b.Apply(Second, g[0], b.Like(g[0], 0))}
}

// Grad is never asked for: see graph.Disconnecting.
func (DisconnectedGrad) Grad(*graph.Builder, *graph.Apply, []*graph.Variable) []*graph.Variable {
	return []V{nil}
}

func (DisconnectedGrad) Disconnects() {}

func (c GradClip) Grad(b *graph.Builder, node *graph.Apply, g []*graph.Variable) []*graph.Variable {
	return []V{Minimum.do(b, Maximum.do(b, g[0], b.Like(g[0], c.Lower)), b.Like(g[0], c.Upper))}
}

func (s GradScale) Grad(b *graph.Builder, node *graph.Apply, g []*graph.Variable) []*graph.Variable {
	return []V{Mul.do(b, g[0], b.Like(g[0], s.Factor))}
}

// Grad: see NoGradient.
func (UndefinedGrad) Grad(*graph.Builder, *graph.Apply, []*graph.Variable) []*graph.Variable {
	return []V{nil}
}

// NoGradient refuses the gradient.
func (UndefinedGrad) NoGradient(int) string {
	return "the gradient is undefined here, as of random numbers with respect to the parameters of their distribution; draw standard numbers and compute with them, " +
		"as in mu + sigma * srng.normal(size), or take x for a constant with theano.gradient.disconnected_grad(x)"
}

func (z ZeroGrad) Name() string                                         { return nameOf("zero_grad", z) }
func (ZeroGrad) Label() string                                          { return "ZeroGrad" }
func (ZeroGrad) Class() string                                          { return classGradient + "ZeroGrad" }
func (ZeroGrad) Infer(in []*graph.Variable) ([]graph.Type, error)       { return passes(in) }
func (ZeroGrad) ViewMap() []graph.Alias                                 { return passView }
func (ZeroGrad) Link(*graph.Apply, kernels.Sets) (Thunk, string, error) { return linkPass() }
func (ZeroGrad) Cost(in, out []graph.Array) graph.Cost                  { return graph.Nothing(in, out) }
func (ZeroGrad) Length(m Maker, v V, axis int) V                        { return length(m, v.Owner.Inputs[0], axis) }
func (ZeroGrad) Traits() Traits                                         { return Moves | Bends }

func (d DisconnectedGrad) Name() string                                         { return nameOf("disconnected_grad", d) }
func (DisconnectedGrad) Label() string                                          { return "DisconnectedGrad" }
func (DisconnectedGrad) Class() string                                          { return classGradient + "DisconnectedGrad" }
func (DisconnectedGrad) Infer(in []*graph.Variable) ([]graph.Type, error)       { return passes(in) }
func (DisconnectedGrad) ViewMap() []graph.Alias                                 { return passView }
func (DisconnectedGrad) Link(*graph.Apply, kernels.Sets) (Thunk, string, error) { return linkPass() }
func (DisconnectedGrad) Cost(in, out []graph.Array) graph.Cost                  { return graph.Nothing(in, out) }
func (DisconnectedGrad) Length(m Maker, v V, axis int) V                        { return length(m, v.Owner.Inputs[0], axis) }
func (DisconnectedGrad) Traits() Traits                                         { return Moves | Bends }

func (g GradClip) Name() string                                         { return nameOf("grad_clip", g) }
func (GradClip) Label() string                                          { return "GradClip" }
func (GradClip) Class() string                                          { return classGradient + "GradClip" }
func (GradClip) Infer(in []*graph.Variable) ([]graph.Type, error)       { return passes(in) }
func (GradClip) ViewMap() []graph.Alias                                 { return passView }
func (GradClip) Link(*graph.Apply, kernels.Sets) (Thunk, string, error) { return linkPass() }
func (GradClip) Cost(in, out []graph.Array) graph.Cost                  { return graph.Nothing(in, out) }
func (GradClip) Length(m Maker, v V, axis int) V                        { return length(m, v.Owner.Inputs[0], axis) }
func (GradClip) Traits() Traits                                         { return Moves | Bends }

func (g GradScale) Name() string                                         { return nameOf("grad_scale", g) }
func (GradScale) Label() string                                          { return "GradScale" }
func (GradScale) Class() string                                          { return classGradient + "GradScale" }
func (GradScale) Infer(in []*graph.Variable) ([]graph.Type, error)       { return passes(in) }
func (GradScale) ViewMap() []graph.Alias                                 { return passView }
func (GradScale) Link(*graph.Apply, kernels.Sets) (Thunk, string, error) { return linkPass() }
func (GradScale) Cost(in, out []graph.Array) graph.Cost                  { return graph.Nothing(in, out) }
func (GradScale) Length(m Maker, v V, axis int) V                        { return length(m, v.Owner.Inputs[0], axis) }
func (GradScale) Traits() Traits                                         { return Moves | Bends }

func (u UndefinedGrad) Name() string                                         { return nameOf("undefined_grad", u) }
func (UndefinedGrad) Label() string                                          { return "UndefinedGrad" }
func (UndefinedGrad) Class() string                                          { return classGradient + "UndefinedGrad" }
func (UndefinedGrad) Infer(in []*graph.Variable) ([]graph.Type, error)       { return passes(in) }
func (UndefinedGrad) ViewMap() []graph.Alias                                 { return passView }
func (UndefinedGrad) Link(*graph.Apply, kernels.Sets) (Thunk, string, error) { return linkPass() }
func (UndefinedGrad) Cost(in, out []graph.Array) graph.Cost                  { return graph.Nothing(in, out) }
func (UndefinedGrad) Length(m Maker, v V, axis int) V                        { return length(m, v.Owner.Inputs[0], axis) }
func (UndefinedGrad) Traits() Traits                                         { return Moves | Bends }

func (z ZeroGrad) Cases() []Case         { return cases("floats[2,3]", z) }
func (d DisconnectedGrad) Cases() []Case { return cases("floats[0,3]", d) }
func (GradClip) Cases() []Case {
	return slices.Concat(cases("floats[2,3]", GradClip{-1, 1}), cases("floats", GradClip{0, 0.5}))
}
func (u UndefinedGrad) Cases() []Case { return cases("floats[2,3]", u) }
func (GradScale) Cases() []Case       { return cases("floats[2,3]", GradScale{-0.5}) }
