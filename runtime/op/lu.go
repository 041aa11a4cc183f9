package op

import (
	"slices"

	"github.com/arignote/arignote/kernels"
	"github.com/arignote/arignote/kernels/linalg"
	"github.com/arignote/arignote/runtime/graph"
)

// LUFactor is the triangular factors of matrices [m,n] with their rows in another order, as LAPACK
// leaves them: a matrix with l below the diagonal, whose own diagonal is ones, and u from there on;
// the pivots, which say with which row each was exchanged; and the order of the rows.
type LUFactor struct{}

// PivotPermutation is the order of the rows of a square matrix that pivots make.
type PivotPermutation struct{}

var _ = register(LUFactor{}, PivotPermutation{})

func (LUFactor) Name() string          { return "lu_factor" }
func (LUFactor) Label() string         { return "LUFactor" }
func (LUFactor) Class() string         { return classSlinalg + "LUFactor" }
func (PivotPermutation) Name() string  { return "pivot_permutation" }
func (PivotPermutation) Label() string { return "PivotToPermutations" }
func (PivotPermutation) Class() string { return classSlinalg + "PivotToPermutations" }

// luFlops are those of the factors of a matrix: 2n³/3 of a square one (LAPACK Working Note 41,
// table 121).
func luFlops(m, n float64) float64 {
	k := min(m, n)
	return 2*m*n*k - (m+n)*k*k + 2*cube(k)/3
}

func (LUFactor) core() core {
	return core{signature: "mn->mn,k,m", results: []kernels.DType{kernels.Invalid, kernels.Int32, kernels.Int64},
		flops: func(n dims) float64 { return luFlops(n['m'], n['n']) },
		compute: func(in []linalg.Matrix) ([][]float64, error) {
			f, pivots := linalg.LUFactor(in[0])
			order, err := linalg.Permutation(pivots, in[0].Rows)
			return [][]float64{f.Data, floatsOf(pivots), floatsOf(order)}, err
		}}
}

func (PivotPermutation) core() core {
	return core{signature: "n->n", integers: true, results: []kernels.DType{kernels.Int64}, flops: func(n dims) float64 { return n['n'] },
		compute: func(in []linalg.Matrix) ([][]float64, error) {
			pivots := make([]int, len(in[0].Data))
			for i, v := range in[0].Data {
				pivots[i] = int(v)
			}
			order, err := linalg.Permutation(pivots, len(pivots))
			return [][]float64{floatsOf(order)}, err
		}}
}

func floatsOf(list []int) []float64 {
	z := make([]float64, len(list))
	for i, n := range list {
		z[i] = float64(n)
	}
	return z
}

// Grad: where p·x = l·u it is pᵀ·l⁻ᵀ·(tril(lᵀ·gl, -1) + triu(gu·uᵀ))·u⁻ᵀ. It is known of square
// matrices.
func (o LUFactor) Grad(b *graph.Builder, node *graph.Apply, g []*graph.Variable) []*graph.Variable {
	a, x, f := algebra{b}, node.Inputs[0], node.Outputs[0]
	if g[0] == nil {
		return []V{nil}
	}
	rank := x.Type.Rank()
	if m, n := x.Type.Dim(rank-2), x.Type.Dim(rank-1); m != n && m != graph.Unknown && n != graph.Unknown {
		a.refuse(o, "got shape %s: only those of square matrices have a gradient", staticShape(x.Type))
	}
	l, u := a.unit(a.part(Gt, f)), a.part(Le, f)
	inner := a.add(a.part(Gt, a.mul(a.t(l), a.part(Gt, g[0]))), a.part(Le, a.mul(a.part(Le, g[0]), a.t(u))))
	left := a.Apply(SolveTriangular{Trans: true, Unit: true}, f, inner)
	rows := a.t(a.Apply(SolveTriangular{Upper: true}, f, a.t(left)))
	return []V{a.mul(a.t(a.ordering(node.Outputs[2], x.Type.DType)), rows)}
}

// ordering is the matrix that puts rows into an order.
func (b algebra) ordering(order V, d kernels.DType) V {
	square := b.column(order)
	n := Lengths(b.Builder, order)[order.Type.Rank()-1]
	return castTo(b.Builder, Eq.do(b.Builder, square, upTo(b.Builder, n)), d)
}

// Grad: positions have none.
func (PivotPermutation) Grad(*graph.Builder, *graph.Apply, []*graph.Variable) []*graph.Variable {
	return []V{nil}
}

func (o LUFactor) Cases() []Case {
	return slices.Concat(squareCases(o), cases("floats[3,2](1 2 3 4 5 7)", o), cases("floats[2,3](1 2 3 4 5 7)", o), cases("float64[2,2](0 0 0 0)", o))
}

func (o PivotPermutation) Cases() []Case {
	return slices.Concat(cases("int32[3](2 2 2)", o), cases("int32[2,3](0 1 2 1 2 2)", o), cases("int64[0]()", o))
}

func (o LUFactor) Coerce(b *graph.Builder, in []V) ([]V, error) { return coerceBlockwise(o, b, in) }
func (o LUFactor) Infer(in []V) ([]graph.Type, error)           { return inferBlockwise(o, in) }
func (o LUFactor) Link(n *graph.Apply, sets kernels.Sets) (Thunk, string, error) {
	return linkBlockwise(o, n, sets)
}
func (o LUFactor) Cost(in, out []graph.Array) graph.Cost { return blockwiseCost(o, in, out) }
func (o LUFactor) Length(m Maker, v V, axis int) V       { return blockwiseLength(o, m, v, axis) }
func (o LUFactor) Traits() Traits                        { return Jumps }

func (o PivotPermutation) Coerce(b *graph.Builder, in []V) ([]V, error) {
	return coerceBlockwise(o, b, in)
}
func (o PivotPermutation) Infer(in []V) ([]graph.Type, error) { return inferBlockwise(o, in) }
func (o PivotPermutation) Link(n *graph.Apply, sets kernels.Sets) (Thunk, string, error) {
	return linkBlockwise(o, n, sets)
}
func (o PivotPermutation) Cost(in, out []graph.Array) graph.Cost { return blockwiseCost(o, in, out) }
func (o PivotPermutation) Length(m Maker, v V, axis int) V       { return blockwiseLength(o, m, v, axis) }
func (o PivotPermutation) Traits() Traits                        { return Jumps }
