package op

import (
	"fmt"
	"slices"

	"github.com/arignote/arignote/kernels"
	"github.com/arignote/arignote/runtime/graph"
	"github.com/arignote/arignote/runtime/tensor"
)

// SearchSorted says where values belong in an ascending vector: before the elements equal to them
// or, with Right, after them. Its operands are the vector and the values, which are converted to
// their common element type; the result is int64 in the shape of the values.
type SearchSorted struct{ Right bool }

var _ = register(SearchSorted{})

func (s SearchSorted) Name() string { return nameOf("searchsorted", s) }

func (s SearchSorted) Label() string {
	if s.Right {
		return "SearchsortedOp{right}"
	}
	return "SearchsortedOp{left}"
}
func (s SearchSorted) Class() string { return "tensor.extra_ops.SearchsortedOp" }

// Coerce converts the operands to their common element type.
func (s SearchSorted) Coerce(b *graph.Builder, in []*graph.Variable) ([]*graph.Variable, error) {
	return toCommonType(b, in), nil
}

func (s SearchSorted) Infer(in []*graph.Variable) ([]graph.Type, error) {
	if err := arity(in, 2); err != nil {
		return nil, err
	}
	x, v := in[0].Type, in[1].Type
	if x.Rank() != 1 || x.DType != v.DType {
		return nil, fmt.Errorf("got %v to search, want a vector of %v", x, v.DType)
	}
	return []graph.Type{v.WithDType(kernels.Int64)}, nil
}

func (s SearchSorted) Link(node *graph.Apply, sets kernels.Sets) (Thunk, string, error) {
	copy, _, err := linkCopy(node.Inputs[0].Type.DType, sets)
	return func(c *Call, in, out []*tensor.Dense) error {
		x, err := copy.contiguous(c, in[0])
		if err != nil {
			return err
		}
		v, err := copy.contiguous(c, in[1])
		if err != nil {
			return err
		}
		out[0] = c.Alloc(0, kernels.Int64, v.Shape())
		return tensor.SearchSortedTo(out[0], x, v, s.Right, c.Stop)
	}, goImpl, err
}

// Cost counts the comparisons that halve the vector until the place of a value is found.
func (s SearchSorted) Cost(in, out []graph.Array) graph.Cost {
	return graph.Once(in[1].Elements()*logLength(in[0].Shape[0]+1), in, out)
}

func (s SearchSorted) Length(m Maker, v V, axis int) V { return length(m, v.Owner.Inputs[1], axis) }

// Grad: positions do not change with the values.
func (s SearchSorted) Grad(b *graph.Builder, node *graph.Apply, g []*graph.Variable) []*graph.Variable {
	return []V{nil, nil}
}

func (s SearchSorted) Traits() Traits { return Jumps }

func (s SearchSorted) Cases() []Case {
	both := []Structural{SearchSorted{}, SearchSorted{Right: true}}
	return slices.Concat(
		cases("numbers[4](1 2 2 5) numbers[3,4]", both...), cases("any[0] any[3]", both...), cases("bool[3](0 0 1) bool", both...),
		cases("int8[3](1 2 3) float64[0,4]", both...), cases("float64[5](-inf -0.0 1 inf nan) float64[6](nan 0 inf -inf 2 -0.0)", both...),
	)
}
