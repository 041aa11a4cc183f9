package op

import (
	"slices"

	"github.com/arignote/arignote/kernels"
	"github.com/arignote/arignote/kernels/linalg"
	"github.com/arignote/arignote/runtime/graph"
)

// Solve is the solution x of a·x = b for square matrices a: [n,n], [n,p] → [n,p]. Assume says what
// a is known to be: "sym" for symmetric, "pos" for symmetric and positive definite; then only its
// lower half is read or, with Upper, the upper one.
type Solve struct {
	Assume string
	Upper  bool
}

// SolveTriangular is Solve for lower triangular matrices, or upper ones, of which nothing else is
// read. With Trans it is the solution of aᵀ·x = b; with Unit the diagonal counts as ones.
type SolveTriangular struct{ Upper, Trans, Unit bool }

var _ = register(Solve{}, SolveTriangular{})

func (o Solve) Name() string           { return nameOf("solve", o) }
func (Solve) Label() string            { return "Solve" }
func (Solve) Class() string            { return classSlinalg + "Solve" }
func (o SolveTriangular) Name() string { return nameOf("solve_triangular", o) }
func (SolveTriangular) Label() string  { return "SolveTriangular" }
func (SolveTriangular) Class() string  { return classSlinalg + "SolveTriangular" }

// structures are what Assume says.
var structures = map[string]linalg.Structure{"": linalg.General, "sym": linalg.Symmetric, "pos": linalg.Positive}

// half is the half of a symmetric or triangular matrix that is read.
func half(upper bool) linalg.Triangle {
	if upper {
		return linalg.Upper
	}
	return linalg.Lower
}

// core: the factors, and two triangular systems (Golub and Van Loan, 3.2 and 4.2).
func (o Solve) core() core {
	return core{signature: "nn,np->np",
		flops: func(n dims) float64 {
			factors := luFlops(n['n'], n['n'])
			if o.Assume == "pos" {
				factors /= 2
			}
			return factors + 2*n['n']*n['n']*n['p']
		},
		compute: func(in []linalg.Matrix) ([][]float64, error) {
			return elementsOf(linalg.SolveBy(in[0], in[1], structures[o.Assume], half(o.Upper)))
		}}
}

// core: n² for each column (Golub and Van Loan, 3.1).
func (o SolveTriangular) core() core {
	return core{signature: "nn,np->np", flops: func(n dims) float64 { return n['n'] * n['n'] * n['p'] },
		compute: func(in []linalg.Matrix) ([][]float64, error) {
			return elementsOf(linalg.SolveTriangular(in[0], in[1], half(o.Upper), o.Trans, o.Unit))
		}}
}

// Grad with respect to b is h, the solution of aᵀ·h = g, and with respect to a it is -h·xᵀ.
func (o Solve) Grad(b *graph.Builder, node *graph.Apply, g []*graph.Variable) []*graph.Variable {
	a, m, x := algebra{b}, node.Inputs[0], node.Outputs[0]
	if o.Assume == "" {
		m = a.t(m)
	}
	h := a.Apply(o, m, g[0])
	of := a.neg(a.mul(h, a.t(x)))
	if o.Assume != "" {
		of = a.folded(of, o.Upper)
	}
	return []V{sumToType(b, of, node.Inputs[0].Type), sumToType(b, h, node.Inputs[1].Type)}
}

// Grad is that of Solve, of the half that is read.
func (o SolveTriangular) Grad(b *graph.Builder, node *graph.Apply, g []*graph.Variable) []*graph.Variable {
	a, x := algebra{b}, node.Outputs[0]
	h := a.Apply(SolveTriangular{o.Upper, !o.Trans, o.Unit}, node.Inputs[0], g[0])
	of := a.mul(h, a.t(x))
	if o.Trans {
		of = a.mul(x, a.t(h))
	}
	read := map[[2]bool]Elemwise{{false, false}: Ge, {false, true}: Gt, {true, false}: Le, {true, true}: Lt}[[2]bool{o.Upper, o.Unit}]
	of = a.neg(a.part(read, of))
	return []V{sumToType(b, of, node.Inputs[0].Type), sumToType(b, h, node.Inputs[1].Type)}
}

func (o Solve) Cases() []Case {
	list := slices.Concat(cases("floats[2,2](4 1 2 3) floats[2,1](1 2)", Solve{}), cases("integers[2,2](4 1 2 3) float32[2,2]", Solve{}),
		cases("float64[2,1,3,3]~regular float64[1,4,3,2]", Solve{}), cases("float64[3,3]~regular float64[4,3,2]", Solve{}),
		cases("float64[4,3,3]~regular float64[3,2]", Solve{}), cases("float64[0,0] float64[0,2]", Solve{}), cases("float64[3,3]~regular float64[3,0]", Solve{}))
	for _, s := range []Solve{{}, {Assume: "sym"}, {Assume: "sym", Upper: true}, {Assume: "pos"}, {Assume: "pos", Upper: true}} {
		list = append(list, cases("floats[3,3]~positive floats[3,2]", s)...)
	}
	return list
}

func (o SolveTriangular) Cases() []Case {
	list := slices.Concat(cases("floats[2,2](4 1 2 3) floats[2,1](1 2)", SolveTriangular{}), cases("float64[2,1,3,3]~regular float64[1,4,3,2]", SolveTriangular{}),
		cases("float64[0,0] float64[0,2]", SolveTriangular{}))
	for i := range 8 {
		s := SolveTriangular{Upper: i&1 > 0, Trans: i&2 > 0, Unit: i&4 > 0}
		list = append(list, cases("floats[3,3]~regular floats[3,2]", s)...)
	}
	return list
}

func (o Solve) Coerce(b *graph.Builder, in []V) ([]V, error) { return coerceBlockwise(o, b, in) }
func (o Solve) Infer(in []V) ([]graph.Type, error)           { return inferBlockwise(o, in) }
func (o Solve) Link(n *graph.Apply, sets kernels.Sets) (Thunk, string, error) {
	return linkBlockwise(o, n, sets)
}
func (o Solve) Cost(in, out []graph.Array) graph.Cost          { return blockwiseCost(o, in, out) }
func (o Solve) Length(m Maker, v V, axis int) V                { return blockwiseLength(o, m, v, axis) }
func (o Solve) Traits() Traits                                 { return Jumps }
func (o Solve) Requires(m Maker, n *graph.Apply) []Requirement { return blockwiseRequires(o, m, n) }

func (o SolveTriangular) Coerce(b *graph.Builder, in []V) ([]V, error) {
	return coerceBlockwise(o, b, in)
}
func (o SolveTriangular) Infer(in []V) ([]graph.Type, error) { return inferBlockwise(o, in) }
func (o SolveTriangular) Link(n *graph.Apply, sets kernels.Sets) (Thunk, string, error) {
	return linkBlockwise(o, n, sets)
}
func (o SolveTriangular) Cost(in, out []graph.Array) graph.Cost { return blockwiseCost(o, in, out) }
func (o SolveTriangular) Length(m Maker, v V, axis int) V       { return blockwiseLength(o, m, v, axis) }
func (o SolveTriangular) Traits() Traits                        { return Jumps }
func (o SolveTriangular) Requires(m Maker, n *graph.Apply) []Requirement {
	return blockwiseRequires(o, m, n)
}
