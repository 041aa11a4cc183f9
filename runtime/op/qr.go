package op

import (
	"slices"

	"github.com/arignote/arignote/kernels"
	"github.com/arignote/arignote/kernels/linalg"
	"github.com/arignote/arignote/runtime/graph"
)

// QR is the factors q, whose columns are orthonormal, and r, upper triangular, of matrices q·r:
// [m,n]. With k the smaller of m and n, they are [m,k] and [k,n]. Mode "complete" makes them [m,m]
// and [m,n], and "r" leaves out q.
type QR struct{ Mode string }

var _ = register(QR{})

func (o QR) Name() string { return nameOf("qr", o) }
func (o QR) Label() string {
	if o.Mode == "complete" {
		return "QRFull"
	}
	return "QRIncomplete"
}
func (o QR) Class() string { return classNlinalg + o.Label() }

// qrModes are the values of Mode.
var qrModes = map[string]struct {
	signature string
	mode      linalg.QRMode
}{
	"": {"mn->mk,kn", linalg.QRReduced}, "complete": {"mn->mm,mn", linalg.QRComplete}, "r": {"mn->kn", linalg.QRR},
}

// core: Householder's reflections, and as much to put k of them together, or m (Golub and Van Loan,
// 5.1.6 and 5.2.2).
func (o QR) core() core {
	mode := qrModes[o.Mode]
	return core{signature: mode.signature, flops: func(n dims) float64 { return qrFlops(n['m'], n['n'], o.Mode) },
		compute: func(in []linalg.Matrix) ([][]float64, error) {
			q, r := linalg.QR(in[0], mode.mode)
			if o.Mode == "r" {
				return [][]float64{r.Data}, nil
			}
			return [][]float64{q.Data, r.Data}, nil
		}}
}

func qrFlops(m, n float64, mode string) float64 {
	k, long := min(m, n), max(m, n)
	reflections := 2 * k * k * (long - k/3)
	switch mode {
	case "r":
		return reflections
	case "complete":
		return reflections + 4*(m*m*k-m*k*k+cube(k)/3)
	}
	return reflections + 2*k*k*(m-k/3)
}

// Grad: see H.-J. Liao et al., Differentiable Programming Tensor Networks, Phys. Rev. X 9, 2019. Of
// a matrix of more columns than rows, those behind the square are q·v, where v is the rest of r.
// The columns that complete q are not determined, and have no gradient.
func (o QR) Grad(b *graph.Builder, node *graph.Apply, g []*graph.Variable) []*graph.Variable {
	a, x := algebra{b}, node.Inputs[0]
	rank := x.Type.Rank()
	m, n := x.Type.Dim(rank-2), x.Type.Dim(rank-1)
	var q, r, gq, gr V
	switch o.Mode {
	case "r":
		out := a.outputs(QR{}, x)
		q, r, gr = out[0], out[1], g[0]
	default:
		q, r, gq, gr = node.Outputs[0], node.Outputs[1], g[0], g[1]
	}
	if o.Mode == "complete" && (m == graph.Unknown || n == graph.Unknown || m > n) {
		a.refuse(o, `got shape %s and mode "complete": the columns that complete q are not determined, and have no gradient; use mode="reduced"`,
			staticShape(x.Type))
	}
	// Of a matrix whose lengths are not known, the rest of r may have no columns.
	wide := n == graph.Unknown || m == graph.Unknown || n > m
	if !wide {
		return []V{a.qrGrad(q, r, gq, gr)}
	}
	rows := length(b, r, rank-2)
	first := a.columns(r, nil, rows)
	if gr == nil {
		return []V{a.beside(a.qrGrad(q, first, gq, nil), a.times(b.Like(x, 0), a.columns(x, rows, nil)))}
	}
	gFirst, gRest := a.columns(gr, nil, rows), a.columns(gr, rows, nil)
	gq = a.sum(gq, a.mul(a.columns(x, rows, nil), a.t(gRest)))
	return []V{a.beside(a.qrGrad(q, first, gq, gFirst), a.mul(q, gRest))}
}

// qrGrad is the gradient of a matrix with no more columns than rows; gq or gr may be missing.
func (b algebra) qrGrad(q, r, gq, gr V) V {
	var m V
	if gr != nil {
		m = b.mul(r, b.t(gr))
	}
	if gq != nil {
		m = b.sum(m, b.neg(b.mul(b.t(gq), q)))
	}
	lower := b.part(Ge, m)
	inner := b.mul(q, b.add(lower, b.t(b.part(Gt, m))))
	return b.t(b.Apply(SolveTriangular{Upper: true}, r, b.t(b.sum(gq, inner))))
}

// beside puts y to the right of x.
func (b algebra) beside(x, y V) V { return b.Apply(Join{Axis: x.Type.Rank() - 1}, x, y) }

func (o QR) Cases() []Case {
	modes := []Structural{QR{}, QR{Mode: "r"}, QR{Mode: "complete"}}
	return slices.Concat(cases("floats[3,3]~regular", modes...), cases("floats[2,2](4 1 2 3)", modes...), cases("float64[3,2](1 2 3 4 5 7)", modes...),
		cases("float64[5,3]~regular", modes[:2]...), cases("float64[2,5,3]", modes[:2]...), cases("float64[2,3]", modes[:2]...), cases("float64[2,2,3]", modes[:2]...),
		cases("floats[0,0]()", modes...), cases("integers[2,2](4 1 2 3)", modes...))
}

func (o QR) Coerce(b *graph.Builder, in []V) ([]V, error) { return coerceBlockwise(o, b, in) }
func (o QR) Infer(in []V) ([]graph.Type, error)           { return inferBlockwise(o, in) }
func (o QR) Link(n *graph.Apply, sets kernels.Sets) (Thunk, string, error) {
	return linkBlockwise(o, n, sets)
}
func (o QR) Cost(in, out []graph.Array) graph.Cost { return blockwiseCost(o, in, out) }
func (o QR) Length(m Maker, v V, axis int) V       { return blockwiseLength(o, m, v, axis) }
func (o QR) Traits() Traits                        { return Jumps }
