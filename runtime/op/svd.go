package op

import (
	"slices"

	"github.com/arignote/arignote/kernels"
	"github.com/arignote/arignote/kernels/linalg"
	"github.com/arignote/arignote/runtime/graph"
)

// SVD is the factors u, s and vᵀ of matrices u·diag(s)·vᵀ: [m,n]. With k the smaller of m and n,
// they are [m,k], [k], which falls, and [k,n]. With Full, u and v are square; with Values there is
// s alone.
type SVD struct{ Full, Values bool }

var _ = register(SVD{})

func (o SVD) Name() string { return nameOf("svd", o) }
func (SVD) Label() string  { return "SVD" }
func (SVD) Class() string  { return classNlinalg + "SVD" }

func (o SVD) core() core {
	signature := "mn->mk,k,kn"
	switch {
	case o.Values:
		signature = "mn->k"
	case o.Full:
		signature = "mn->mm,k,nn"
	}
	return core{signature: signature,
		flops: func(n dims) float64 {
			f := svdFlops(n['m'], n['n'], !o.Values)
			if o.Full && !o.Values { // see svdFlops
				long, short := max(n['m'], n['n']), min(n['m'], n['n'])
				f = 4*long*long*short + 8*long*short*short + 9*cube(short)
			}
			return f
		},
		compute: func(in []linalg.Matrix) ([][]float64, error) {
			if o.Values {
				s, err := linalg.SVDVals(in[0])
				return [][]float64{s}, err
			}
			u, s, vt, err := linalg.SVD(in[0], o.Full)
			return [][]float64{u.Data, s, vt.Data}, err
		}}
}

// svdFlops are those of the singular values, with the vectors or without (Golub and Van Loan, table
// 8.6.1).
func svdFlops(m, n float64, vectors bool) float64 {
	long, short := max(m, n), min(m, n)
	if vectors {
		return 14*long*short*short + 8*cube(short)
	}
	return 4*long*short*short - 4*cube(short)/3
}

// Grad: see J. Townsend, Differentiating the Singular Value Decomposition, 2016. It is infinite
// where two singular values are equal.
func (o SVD) Grad(b *graph.Builder, node *graph.Apply, g []*graph.Variable) []*graph.Variable {
	a, x := algebra{b}, node.Inputs[0]
	if o.Values {
		thin := a.outputs(SVD{}, x)
		return []V{a.svdGrad(thin[0], thin[1], thin[2], nil, g[0], nil)}
	}
	if o.Full {
		if g[0] != nil || g[2] != nil {
			a.refuse(o, "the vectors that complete u and v are not determined, and have no gradient; use full_matrices=False")
		}
		return SVD{Values: true}.Grad(b, node, []V{g[1]})
	}
	return []V{a.svdGrad(node.Outputs[0], node.Outputs[1], node.Outputs[2], g[0], g[1], g[2])}
}

// svdGrad is the gradient for those of u, s and vᵀ that are there.
func (b algebra) svdGrad(u, s, vt, gu, gs, gvt V) V {
	var inner, outer V
	if gs != nil {
		inner = b.spread(gs)
	}
	gaps := b.gaps(Sqr.do(b.Builder, s))
	turning := func(x, g V) V { // gaps * (xᵀ·g - gᵀ·x)
		p := b.mul(b.t(x), g)
		return b.times(gaps, b.sub(p, b.t(p)))
	}
	if gu != nil {
		inner = b.sum(inner, b.times(turning(u, gu), b.row(s)))
		rest := b.sub(gu, b.mul(u, b.t(u), gu))
		outer = b.mul(b.times(rest, b.row(Reciprocal.do(b.Builder, s))), vt)
	}
	if gvt != nil {
		v, gv := b.t(vt), b.t(gvt)
		inner = b.sum(inner, b.times(b.column(s), turning(v, gv)))
		rest := b.sub(gvt, b.mul(gvt, v, vt))
		outer = b.sum(outer, b.mul(u, b.times(b.column(Reciprocal.do(b.Builder, s)), rest)))
	}
	return b.sum(b.mul(u, inner, vt), outer)
}

func (o SVD) Cases() []Case {
	modes := []Structural{SVD{}, SVD{Values: true}, SVD{Full: true}}
	return slices.Concat(cases("floats[2,2](4 1 2 3)", modes...), cases("floats[3,2](1 2 3 4 5 7)", modes...), cases("float64[2,3](1 2 3 4 5 7)", modes...),
		cases("float64[3,3]", modes[:2]...), cases("float64[5,3]", modes[:2]...), cases("float64[2,3]", modes[:2]...), cases("float64[2,2,3]", modes[:2]...),
		cases("floats[0,3]()", modes...), cases("integers[2,2](4 1 2 3)", modes...))
}

func (o SVD) Coerce(b *graph.Builder, in []V) ([]V, error) { return coerceBlockwise(o, b, in) }
func (o SVD) Infer(in []V) ([]graph.Type, error)           { return inferBlockwise(o, in) }
func (o SVD) Link(n *graph.Apply, sets kernels.Sets) (Thunk, string, error) {
	return linkBlockwise(o, n, sets)
}
func (o SVD) Cost(in, out []graph.Array) graph.Cost { return blockwiseCost(o, in, out) }
func (o SVD) Length(m Maker, v V, axis int) V       { return blockwiseLength(o, m, v, axis) }
func (o SVD) Traits() Traits                        { return Jumps }
