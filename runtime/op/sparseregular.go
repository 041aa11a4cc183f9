package op

import (
	"fmt"

	"github.com/arignote/arignote/kernels"
	"github.com/arignote/arignote/runtime/graph"
)

// Operations that pass their first operand on, and say where regular functions of a sparse matrix
// are computed: those whose gradient with respect to the matrix has places where nothing is stored.
// A gradient with respect to dense variables goes through them, and has the structure of the
// matrix. Rewriting removes them.
type (
	// SparseStored is the stored elements of a matrix, that a regular function is computed of.
	SparseStored struct{}
	// SparseRegular is the result of a regular function. Its operands are that result, the
	// SparseStored that it was computed of, the stored elements of the matrix, which may be stored
	// otherwise there, and of a product the dense factor. Turned says that the function is of the
	// transpose.
	SparseRegular struct {
		Kind   int // one of the following
		Turned bool
	}
)

// The regular functions.
const (
	RegularSum      = iota // of all elements
	RegularColumns         // sums of columns
	RegularRows            // sums of rows
	RegularDiagonal        // the main diagonal
	RegularProduct         // the product with a matrix or a vector
)

var _ = register(SparseStored{}, SparseRegular{})

func (SparseStored) Name() string                                     { return "sparse_stored" }
func (SparseStored) Label() string                                    { return "SparseStored" }
func (SparseStored) Class() string                                    { return classGradient + "SparseStored" }
func (SparseStored) Infer(in []*graph.Variable) ([]graph.Type, error) { return passes(in) }
func (SparseStored) ViewMap() []graph.Alias                           { return passView }
func (SparseStored) Link(*graph.Apply, kernels.Sets) (Thunk, string, error) {
	return linkPass()
}

func (SparseStored) Cost(in, out []graph.Array) graph.Cost { return graph.Nothing(in, out) }
func (SparseStored) Length(m Maker, v V, axis int) V {
	return length(m, v.Owner.Inputs[0], axis)
}

func (SparseStored) Traits() Traits                                   { return Moves }
func (SparseStored) Grad(_ *graph.Builder, _ *graph.Apply, g []V) []V { return g }
func (s SparseStored) Cases() []Case                                  { return cases("floats[5]", s) }

func (r SparseRegular) Name() string         { return nameOf("sparse_regular", r) }
func (SparseRegular) Label() string          { return "SparseRegular" }
func (SparseRegular) Class() string          { return classGradient + "SparseRegular" }
func (SparseRegular) ViewMap() []graph.Alias { return passView }
func (SparseRegular) Link(*graph.Apply, kernels.Sets) (Thunk, string, error) {
	return linkPass()
}

func (SparseRegular) Cost(in, out []graph.Array) graph.Cost { return graph.Nothing(in, out) }
func (SparseRegular) Length(m Maker, v V, axis int) V {
	return length(m, v.Owner.Inputs[0], axis)
}

func (SparseRegular) Traits() Traits { return 0 }

func (r SparseRegular) Infer(in []*graph.Variable) ([]graph.Type, error) {
	n := 3
	if r.Kind == RegularProduct {
		n = 4
	}
	if err := arity(in, n); err != nil {
		return nil, err
	}
	if r.Kind < RegularSum || r.Kind > RegularProduct {
		return nil, fmt.Errorf("got kind %d, want 0 to %d", r.Kind, RegularProduct)
	}
	return passes(in[:1])
}

// Grad goes to what computed the result.
func (SparseRegular) Grad(_ *graph.Builder, node *graph.Apply, g []V) []V {
	return append([]V{g[0]}, make([]V, len(node.Inputs)-1)...)
}

func (r SparseRegular) Cases() []Case {
	diagonal := SparseRegular{Kind: RegularDiagonal}
	product := SparseRegular{Kind: RegularProduct, Turned: true}
	return append(cases("floats[3] floats[5] floats[5]", diagonal),
		cases("floats[3,2] floats[5] floats[5] floats[4,2]", product)...)
}
