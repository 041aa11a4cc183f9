package op

import (
	"slices"

	"github.com/arignote/arignote/kernels"
	"github.com/arignote/arignote/kernels/linalg"
	"github.com/arignote/arignote/runtime/graph"
	"github.com/arignote/arignote/runtime/tensor"
)

// Eigh is the eigenvalues of symmetric matrices, ascending, and their eigenvectors, in columns. The
// lower half is read or, with Upper, the upper one.
type Eigh struct{ Upper bool }

// Eigvalsh is the eigenvalues of symmetric matrices, ascending, of which the lower half is read or,
// with Upper, the upper one.
type Eigvalsh struct{ Upper bool }

// Eig is the eigenvalues of square matrices, in no order, and their eigenvectors, in columns. Where
// they are complex it is an error.
type Eig struct{}

// Eigvals is the eigenvalues of square matrices, in no order. Where they are complex it is an
// error.
type Eigvals struct{}

var _ = register(Eigh{}, Eigvalsh{}, Eig{}, Eigvals{})

func (o Eigh) Name() string     { return nameOf("eigh", o) }
func (Eigh) Label() string      { return "Eigh" }
func (Eigh) Class() string      { return classNlinalg + "Eigh" }
func (o Eigvalsh) Name() string { return nameOf("eigvalsh", o) }
func (Eigvalsh) Label() string  { return "Eigvalsh" }
func (Eigvalsh) Class() string  { return classSlinalg + "Eigvalsh" }
func (Eig) Name() string        { return "eig" }
func (Eig) Label() string       { return "Eig" }
func (Eig) Class() string       { return classNlinalg + "Eig" }
func (Eigvals) Name() string    { return "eigvals" }
func (Eigvals) Label() string   { return "Eigvals" }
func (Eigvals) Class() string   { return classNlinalg + "Eigvals" }

// eigenCore is a core of eigenvalues and, with vectors, of eigenvectors. flops are its work, a
// multiple of n³.
func eigenCore(vectors bool, flops float64, compute func(a linalg.Matrix) ([]float64, linalg.Matrix, error)) core {
	signature, results := "nn->n", 1
	if vectors {
		signature, results = "nn->n,nn", 2
	}
	return core{signature: signature, flops: func(n dims) float64 { return flops * cube(n['n']) },
		compute: func(in []linalg.Matrix) ([][]float64, error) {
			w, v, err := compute(in[0])
			return [][]float64{w, v.Data}[:results], err
		}}
}

// The work is that of the symmetric QR algorithm (Golub and Van Loan, 8.3.1), and of the
// unsymmetric one (7.5.6).
const (
	eighFlops, eigvalshFlops = 9, 4.0 / 3
	eigFlops, eigvalsFlops   = 25, 10
)

func (o Eigh) core() core {
	return eigenCore(true, eighFlops, func(a linalg.Matrix) ([]float64, linalg.Matrix, error) { return linalg.Eigh(a, half(o.Upper)) })
}

func (o Eigvalsh) core() core {
	return eigenCore(false, eigvalshFlops, func(a linalg.Matrix) (w []float64, none linalg.Matrix, err error) {
		w, err = linalg.Eigvalsh(a, half(o.Upper))
		return w, none, err
	})
}

func (Eig) core() core { return eigenCore(true, eigFlops, linalg.Eig) }

func (Eigvals) core() core {
	return eigenCore(false, eigvalsFlops, func(a linalg.Matrix) (w []float64, none linalg.Matrix, err error) {
		w, err = linalg.Eigvals(a)
		return w, none, err
	})
}

// Grad is v·(diag(gw) + gaps·(vᵀ·gv))·vᵀ, with respect to the half that is read: infinite where two
// eigenvalues are equal and vectors count. (M. Giles, Collected Matrix Derivative Results for
// Forward and Reverse Mode Algorithmic Differentiation, 2008.)
func (o Eigh) Grad(b *graph.Builder, node *graph.Apply, g []*graph.Variable) []*graph.Variable {
	a, w, v := algebra{b}, node.Outputs[0], node.Outputs[1]
	inner := a.eigenGrad(w, v, g[0], g[1])
	return []V{a.folded(a.mul(v, inner, a.t(v)), o.Upper)}
}

func (a algebra) eigenGrad(w, v, gw, gv V) V {
	var inner V
	if gv != nil {
		inner = a.times(a.gaps(w), a.mul(a.t(v), gv))
	}
	if gw != nil {
		inner = a.sum(inner, a.spread(gw))
	}
	return inner
}

func (o Eigvalsh) Grad(b *graph.Builder, node *graph.Apply, g []*graph.Variable) []*graph.Variable {
	a := algebra{b}
	v := a.outputs(Eigh(o), node.Inputs[0])[1]
	return []V{a.folded(a.mul(v, a.spread(g[0]), a.t(v)), o.Upper)}
}

// Grad is v⁻ᵀ·(diag(gw) + gaps·(vᵀ·gv))·vᵀ, where of gv the parts along the vectors, which have
// length 1, count for nothing.
func (o Eig) Grad(b *graph.Builder, node *graph.Apply, g []*graph.Variable) []*graph.Variable {
	a, w, v, gv := algebra{b}, node.Outputs[0], node.Outputs[1], g[1]
	if gv != nil {
		along := b.Apply(Reduce{Kind: Sum, Axes: tensor.AxesOf(v.Type.Rank() - 2)}, a.times(v, gv))
		gv = a.sub(gv, a.times(v, a.row(along)))
	}
	return []V{a.eigGrad(v, a.eigenGrad(w, v, g[0], gv))}
}

func (b algebra) eigGrad(v, inner V) V { return b.Apply(Solve{}, b.t(v), b.mul(inner, b.t(v))) }

func (o Eigvals) Grad(b *graph.Builder, node *graph.Apply, g []*graph.Variable) []*graph.Variable {
	a := algebra{b}
	return []V{a.eigGrad(a.outputs(Eig{}, node.Inputs[0])[1], a.spread(g[0]))}
}

func (o Eigh) Cases() []Case { return symmetricCases(Eigh{}, Eigh{Upper: true}) }

func (o Eigvalsh) Cases() []Case { return symmetricCases(Eigvalsh{}, Eigvalsh{Upper: true}) }

func symmetricCases(list ...Structural) []Case {
	return slices.Concat(cases("floats[2,2](4 1 2 3)", list...), cases("float64[3,3]", list...), cases("floats[3,3]~regular", list...), cases("float64[2,3,3]", list...),
		cases("floats[0,0]", list...), cases("float64[0,3,3]", list...), cases("integers[2,2](4 1 2 3)", list...))
}

func (o Eig) Cases() []Case     { return eigCases(o) }
func (o Eigvals) Cases() []Case { return eigCases(o) }

// eigCases are of matrices whose eigenvalues are real, since they are symmetric or have large
// elements on the diagonal.
func eigCases(o Structural) []Case {
	return slices.Concat(cases("floats[2,2](4 1 2 3)", o), cases("floats[3,3]~positive", o), cases("float64[2,3,3]~regular", o), cases("floats[0,0]", o),
		cases("integers[2,2](4 1 0 3)", o))
}

func (o Eigh) Coerce(b *graph.Builder, in []V) ([]V, error) { return coerceBlockwise(o, b, in) }
func (o Eigh) Infer(in []V) ([]graph.Type, error)           { return inferBlockwise(o, in) }
func (o Eigh) Link(n *graph.Apply, sets kernels.Sets) (Thunk, string, error) {
	return linkBlockwise(o, n, sets)
}
func (o Eigh) Cost(in, out []graph.Array) graph.Cost          { return blockwiseCost(o, in, out) }
func (o Eigh) Length(m Maker, v V, axis int) V                { return blockwiseLength(o, m, v, axis) }
func (o Eigh) Traits() Traits                                 { return Jumps }
func (o Eigh) Requires(m Maker, n *graph.Apply) []Requirement { return blockwiseRequires(o, m, n) }

func (o Eigvalsh) Coerce(b *graph.Builder, in []V) ([]V, error) { return coerceBlockwise(o, b, in) }
func (o Eigvalsh) Infer(in []V) ([]graph.Type, error)           { return inferBlockwise(o, in) }
func (o Eigvalsh) Link(n *graph.Apply, sets kernels.Sets) (Thunk, string, error) {
	return linkBlockwise(o, n, sets)
}
func (o Eigvalsh) Cost(in, out []graph.Array) graph.Cost          { return blockwiseCost(o, in, out) }
func (o Eigvalsh) Length(m Maker, v V, axis int) V                { return blockwiseLength(o, m, v, axis) }
func (o Eigvalsh) Traits() Traits                                 { return Jumps }
func (o Eigvalsh) Requires(m Maker, n *graph.Apply) []Requirement { return blockwiseRequires(o, m, n) }

func (o Eig) Coerce(b *graph.Builder, in []V) ([]V, error) { return coerceBlockwise(o, b, in) }
func (o Eig) Infer(in []V) ([]graph.Type, error)           { return inferBlockwise(o, in) }
func (o Eig) Link(n *graph.Apply, sets kernels.Sets) (Thunk, string, error) {
	return linkBlockwise(o, n, sets)
}
func (o Eig) Cost(in, out []graph.Array) graph.Cost          { return blockwiseCost(o, in, out) }
func (o Eig) Length(m Maker, v V, axis int) V                { return blockwiseLength(o, m, v, axis) }
func (o Eig) Traits() Traits                                 { return Jumps }
func (o Eig) Requires(m Maker, n *graph.Apply) []Requirement { return blockwiseRequires(o, m, n) }

func (o Eigvals) Coerce(b *graph.Builder, in []V) ([]V, error) { return coerceBlockwise(o, b, in) }
func (o Eigvals) Infer(in []V) ([]graph.Type, error)           { return inferBlockwise(o, in) }
func (o Eigvals) Link(n *graph.Apply, sets kernels.Sets) (Thunk, string, error) {
	return linkBlockwise(o, n, sets)
}
func (o Eigvals) Cost(in, out []graph.Array) graph.Cost          { return blockwiseCost(o, in, out) }
func (o Eigvals) Length(m Maker, v V, axis int) V                { return blockwiseLength(o, m, v, axis) }
func (o Eigvals) Traits() Traits                                 { return Jumps }
func (o Eigvals) Requires(m Maker, n *graph.Apply) []Requirement { return blockwiseRequires(o, m, n) }
