package op

import (
	"slices"

	"github.com/arignote/arignote/kernels"
	"github.com/arignote/arignote/kernels/linalg"
	"github.com/arignote/arignote/runtime/graph"
)

// Det is the determinant of square matrices.
type Det struct{}

// SLogDet is the sign of the determinant, which is -1, 0 or 1, and the logarithm of its absolute
// value.
type SLogDet struct{}

var _ = register(Det{}, SLogDet{})

func (Det) Name() string      { return "det" }
func (Det) Label() string     { return "Det" }
func (Det) Class() string     { return classNlinalg + "Det" }
func (SLogDet) Name() string  { return "slogdet" }
func (SLogDet) Label() string { return "SLogDet" }
func (SLogDet) Class() string { return classNlinalg + "SLogDet" }

func (Det) core() core {
	return core{signature: "nn->", flops: func(n dims) float64 { return luFlops(n['n'], n['n']) },
		compute: func(in []linalg.Matrix) ([][]float64, error) {
			z, err := linalg.Det(in[0])
			return [][]float64{{z}}, err
		}}
}

func (SLogDet) core() core {
	return core{signature: "nn->,", flops: func(n dims) float64 { return luFlops(n['n'], n['n']) + Log.flops()*n['n'] },
		compute: func(in []linalg.Matrix) ([][]float64, error) {
			sign, log, err := linalg.SLogDet(in[0])
			return [][]float64{{sign}, {log}}, err
		}}
}

// Grad of z = det(x) is g·z·inv(x)ᵀ, and an error where x is singular.
func (Det) Grad(b *graph.Builder, node *graph.Apply, g []*graph.Variable) []*graph.Variable {
	return []V{logdetGrad(algebra{b}, node.Inputs[0], Mul.do(b, g[0], node.Outputs[0]))}
}

// Grad of the logarithm is g·inv(x)ᵀ. The sign is the same everywhere, but where x is singular.
func (SLogDet) Grad(b *graph.Builder, node *graph.Apply, g []*graph.Variable) []*graph.Variable {
	if g[1] == nil {
		return []V{nil}
	}
	return []V{logdetGrad(algebra{b}, node.Inputs[0], g[1])}
}

func logdetGrad(a algebra, x, g V) V {
	return a.times(a.column(a.column(g)), a.t(a.Apply(Inv{}, x)))
}

func (Det) Cases() []Case     { return squareCases(Det{}) }
func (SLogDet) Cases() []Case { return squareCases(SLogDet{}) }

// squareCases are those of an operation that takes square matrices.
func squareCases(o Structural) []Case {
	return slices.Concat(cases("floats[2,2](4 1 2 3)", o), cases("floats[3,3]~regular", o), cases("float64[2,3,3]~regular", o),
		cases("float64[4,1,2,2]~regular", o), cases("floats[0,0]", o), cases("float64[0,3,3]", o), cases("integers[2,2](4 1 2 3)", o))
}

func (o Det) Coerce(b *graph.Builder, in []V) ([]V, error) { return coerceBlockwise(o, b, in) }
func (o Det) Infer(in []V) ([]graph.Type, error)           { return inferBlockwise(o, in) }
func (o Det) Link(n *graph.Apply, sets kernels.Sets) (Thunk, string, error) {
	return linkBlockwise(o, n, sets)
}
func (o Det) Cost(in, out []graph.Array) graph.Cost          { return blockwiseCost(o, in, out) }
func (o Det) Length(m Maker, v V, axis int) V                { return blockwiseLength(o, m, v, axis) }
func (o Det) Traits() Traits                                 { return Jumps }
func (o Det) Requires(m Maker, n *graph.Apply) []Requirement { return blockwiseRequires(o, m, n) }

func (o SLogDet) Coerce(b *graph.Builder, in []V) ([]V, error) { return coerceBlockwise(o, b, in) }
func (o SLogDet) Infer(in []V) ([]graph.Type, error)           { return inferBlockwise(o, in) }
func (o SLogDet) Link(n *graph.Apply, sets kernels.Sets) (Thunk, string, error) {
	return linkBlockwise(o, n, sets)
}
func (o SLogDet) Cost(in, out []graph.Array) graph.Cost          { return blockwiseCost(o, in, out) }
func (o SLogDet) Length(m Maker, v V, axis int) V                { return blockwiseLength(o, m, v, axis) }
func (o SLogDet) Traits() Traits                                 { return Jumps }
func (o SLogDet) Requires(m Maker, n *graph.Apply) []Requirement { return blockwiseRequires(o, m, n) }
