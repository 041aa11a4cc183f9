package op

import (
	"slices"

	"github.com/arignote/arignote/kernels"
	"github.com/arignote/arignote/kernels/linalg"
	"github.com/arignote/arignote/runtime/graph"
)

// Expm is the exponential of square matrices: the sum of their powers xᵏ / k!.
type Expm struct{}

var _ = register(Expm{})

func (Expm) Name() string  { return "expm" }
func (Expm) Label() string { return "Expm" }
func (Expm) Class() string { return classSlinalg + "Expm" }

// core: six products and a system, besides squarings, whose number the elements decide (N. Higham,
// Functions of Matrices, 2008, 10.3).
func (Expm) core() core {
	return core{signature: "nn->nn", flops: func(n dims) float64 { return (6*2 + 8.0/3) * cube(n['n']) },
		compute: func(in []linalg.Matrix) ([][]float64, error) { return elementsOf(linalg.Expm(in[0])) }}
}

// Grad is the upper right quarter of the exponential of [[xᵀ, g], [0, xᵀ]] (R. Mathias, A Chain
// Rule for Matrix Functions, SIAM J. Matrix Anal. Appl. 17(3), 1996).
func (o Expm) Grad(b *graph.Builder, node *graph.Apply, g []*graph.Variable) []*graph.Variable {
	a := algebra{b}
	x := a.t(node.Inputs[0])
	rank := x.Type.Rank()
	none := Second.do(b, x, b.Like(x, 0))
	both := a.Apply(Join{Axis: rank - 2}, a.beside(x, g[0]), a.beside(none, x))
	n := length(b, x, rank-2)
	top := a.Apply(Subtensor{wholeBefore(rank-2) + ":i"}, a.Apply(o, both), n)
	return []V{a.columns(top, n, nil)}
}

func (o Expm) Cases() []Case {
	return slices.Concat(cases("floats[3,3]", o), cases("float64[2,2,2]", o), cases("floats[0,0]", o), cases("float64[0,3,3]", o), cases("integers[2,2](4 1 2 3)", o),
		cases("float64[3,3](0 1 0 0 0 1 0 0 0)", o))
}

func (o Expm) Coerce(b *graph.Builder, in []V) ([]V, error) { return coerceBlockwise(o, b, in) }
func (o Expm) Infer(in []V) ([]graph.Type, error)           { return inferBlockwise(o, in) }
func (o Expm) Link(n *graph.Apply, sets kernels.Sets) (Thunk, string, error) {
	return linkBlockwise(o, n, sets)
}
func (o Expm) Cost(in, out []graph.Array) graph.Cost          { return blockwiseCost(o, in, out) }
func (o Expm) Length(m Maker, v V, axis int) V                { return blockwiseLength(o, m, v, axis) }
func (o Expm) Traits() Traits                                 { return Jumps }
func (o Expm) Requires(m Maker, n *graph.Apply) []Requirement { return blockwiseRequires(o, m, n) }
