package op

import (
	"slices"

	"github.com/arignote/arignote/kernels"
	"github.com/arignote/arignote/kernels/linalg"
	"github.com/arignote/arignote/runtime/graph"
)

// The classes that the profile shows, as Theano's does.
const (
	classNlinalg = "tensor.nlinalg."
	classSlinalg = "tensor.slinalg."
)

// Inv is the inverse of square matrices. A singular one is an error.
type Inv struct{}

// Pinv is the Moore-Penrose inverse of matrices, by their singular values: [m,n] → [n,m]. Its
// second operand is a number: singular values of at most that times the largest count as 0.
type Pinv struct{}

var _ = register(Inv{}, Pinv{})

func (Inv) Name() string   { return "inv" }
func (Inv) Label() string  { return "MatrixInverse" }
func (Inv) Class() string  { return classNlinalg + "MatrixInverse" }
func (Pinv) Name() string  { return "pinv" }
func (Pinv) Label() string { return "MatrixPinv" }
func (Pinv) Class() string { return classNlinalg + "MatrixPinv" }

// core: triangular factors and as many systems (Golub and Van Loan, Matrix Computations, 4th ed.,
// 3.2 and 3.4).
func (Inv) core() core {
	return core{signature: "nn->nn", flops: func(n dims) float64 { return 2 * cube(n['n']) },
		compute: func(in []linalg.Matrix) ([][]float64, error) { return elementsOf(linalg.Inv(in[0])) }}
}

// core: the singular values, and a product.
func (Pinv) core() core {
	return core{signature: "mn,->nm", flops: func(n dims) float64 { return svdFlops(n['m'], n['n'], true) + 2*n['m']*n['n']*min(n['m'], n['n']) },
		compute: func(in []linalg.Matrix) ([][]float64, error) { return elementsOf(linalg.Pinv(in[0], in[1].Data[0])) }}
}

// elementsOf are the elements of a result that is one matrix.
func elementsOf(z linalg.Matrix, err error) ([][]float64, error) { return [][]float64{z.Data}, err }

func cube(n float64) float64 { return n * n * n }

// Grad of y = inv(x) is -yᵀ·g·yᵀ.
func (Inv) Grad(b *graph.Builder, node *graph.Apply, g []*graph.Variable) []*graph.Variable {
	a := algebra{b}
	y := a.t(node.Outputs[0])
	return []V{a.neg(a.mul(y, g[0], y))}
}

// Grad: see G. Golub, V. Pereyra, The Differentiation of Pseudo-Inverses, SIAM J. Numer. Anal.
// 10(2), 1973.
func (Pinv) Grad(b *graph.Builder, node *graph.Apply, g []*graph.Variable) []*graph.Variable {
	return []V{pinvGrad(algebra{b}, node.Inputs[0], node.Outputs[0], g[0]), nil}
}

// pinvGrad is the gradient with respect to x, if g is that with respect to its inverse y.
func pinvGrad(a algebra, x, y, g V) V {
	yt, gt := a.t(y), a.t(g)
	direct := a.neg(a.mul(yt, g, yt))
	left := a.mul(a.without(a.mul(x, y)), gt, y, yt)
	right := a.mul(yt, y, gt, a.without(a.mul(y, x)))
	return a.sum(direct, left, right)
}

func (Inv) Cases() []Case { return squareCases(Inv{}) }

func (Pinv) Cases() []Case {
	return slices.Concat(cases("float64[2,2](4 1 2 3) float64(1e-15)", Pinv{}), cases("float64[2,3] float64(1e-15)", Pinv{}),
		cases("float64[3,2] float64(1e-15)", Pinv{}), cases("float64[2,3,2] float64(1e-15)", Pinv{}), cases("float32[3,2] float32(1e-6)", Pinv{}),
		cases("float64[0,2] float64(1e-15)", Pinv{}))
}

func (o Inv) Coerce(b *graph.Builder, in []V) ([]V, error) { return coerceBlockwise(o, b, in) }
func (o Inv) Infer(in []V) ([]graph.Type, error)           { return inferBlockwise(o, in) }
func (o Inv) Link(n *graph.Apply, sets kernels.Sets) (Thunk, string, error) {
	return linkBlockwise(o, n, sets)
}
func (o Inv) Cost(in, out []graph.Array) graph.Cost          { return blockwiseCost(o, in, out) }
func (o Inv) Length(m Maker, v V, axis int) V                { return blockwiseLength(o, m, v, axis) }
func (o Inv) Traits() Traits                                 { return Jumps }
func (o Inv) Requires(m Maker, n *graph.Apply) []Requirement { return blockwiseRequires(o, m, n) }

func (o Pinv) Coerce(b *graph.Builder, in []V) ([]V, error) { return coerceBlockwise(o, b, in) }
func (o Pinv) Infer(in []V) ([]graph.Type, error)           { return inferBlockwise(o, in) }
func (o Pinv) Link(n *graph.Apply, sets kernels.Sets) (Thunk, string, error) {
	return linkBlockwise(o, n, sets)
}
func (o Pinv) Cost(in, out []graph.Array) graph.Cost          { return blockwiseCost(o, in, out) }
func (o Pinv) Length(m Maker, v V, axis int) V                { return blockwiseLength(o, m, v, axis) }
func (o Pinv) Traits() Traits                                 { return Jumps }
func (o Pinv) Requires(m Maker, n *graph.Apply) []Requirement { return blockwiseRequires(o, m, n) }
