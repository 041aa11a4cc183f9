package op

import (
	"errors"
	"math"
	"slices"

	"github.com/arignote/arignote/kernels"
	"github.com/arignote/arignote/kernels/linalg"
	"github.com/arignote/arignote/runtime/graph"
)

// Cholesky is the lower triangular factor l of symmetric and positive definite matrices, of which
// the lower half is read: l·lᵀ. Where there is none it is an error or, with NaN, a matrix of nan.
type Cholesky struct{ NaN bool }

var _ = register(Cholesky{})

func (o Cholesky) Name() string { return nameOf("cholesky", o) }
func (Cholesky) Label() string  { return "Cholesky{lower}" }
func (Cholesky) Class() string  { return classSlinalg + "Cholesky" }

// core: n³/3 (Golub and Van Loan, 4.2).
func (o Cholesky) core() core {
	return core{signature: "nn->nn", flops: func(n dims) float64 { return cube(n['n']) / 3 },
		compute: func(in []linalg.Matrix) ([][]float64, error) {
			z, err := linalg.Cholesky(in[0])
			if o.NaN && errors.Is(err, linalg.ErrNotPositiveDefinite) {
				return [][]float64{slices.Repeat([]float64{math.NaN()}, len(in[0].Data))}, nil
			}
			return [][]float64{z.Data}, err
		}}
}

// Grad: see I. Murray, Differentiation of the Cholesky decomposition, arXiv:1602.07527.
func (o Cholesky) Grad(b *graph.Builder, node *graph.Apply, g []*graph.Variable) []*graph.Variable {
	a, l := algebra{b}, node.Outputs[0]
	inner := a.halved(a.part(Ge, a.mul(a.t(l), a.part(Ge, g[0]))))
	// s is l⁻ᵀ·inner·l⁻¹.
	back := SolveTriangular{Trans: true}
	s := a.t(a.Apply(back, l, a.t(a.Apply(back, l, inner))))
	return []V{a.folded(s, false)}
}

func (o Cholesky) Cases() []Case {
	return slices.Concat(cases("floats[2,2](4 1 1 3)", Cholesky{}, Cholesky{NaN: true}), cases("float64[2,2](1 2 2 1)", Cholesky{NaN: true}),
		cases("floats[3,3]~positive", Cholesky{}), cases("float64[2,3,3]~positive", Cholesky{}), cases("floats[0,0]", Cholesky{}),
		cases("float64[0,3,3]~positive", Cholesky{}), cases("integers[2,2](4 1 1 3)", Cholesky{}))
}

func (o Cholesky) Coerce(b *graph.Builder, in []V) ([]V, error) { return coerceBlockwise(o, b, in) }
func (o Cholesky) Infer(in []V) ([]graph.Type, error)           { return inferBlockwise(o, in) }
func (o Cholesky) Link(n *graph.Apply, sets kernels.Sets) (Thunk, string, error) {
	return linkBlockwise(o, n, sets)
}
func (o Cholesky) Cost(in, out []graph.Array) graph.Cost          { return blockwiseCost(o, in, out) }
func (o Cholesky) Length(m Maker, v V, axis int) V                { return blockwiseLength(o, m, v, axis) }
func (o Cholesky) Traits() Traits                                 { return Jumps }
func (o Cholesky) Requires(m Maker, n *graph.Apply) []Requirement { return blockwiseRequires(o, m, n) }
