package op

import (
	"fmt"
	"slices"
	"strconv"

	"github.com/arignote/arignote/kernels"
	"github.com/arignote/arignote/runtime/graph"
	"github.com/arignote/arignote/runtime/tensor"
)

// ArgTopK is the positions, int64, of the k largest elements along Axis, or of the -k smallest if
// k, an integer scalar and the second operand, is negative: the outermost first, and of equal
// elements the first one first. NaN is larger than all numbers.
type ArgTopK struct{ Axis int }

var _ = register(ArgTopK{})

func (t ArgTopK) Name() string { return nameOf("argtopk", t) }
func (t ArgTopK) Label() string {
	return "TopKOp{axis=" + strconv.Itoa(t.Axis) + ", return_values=False}"
}
func (t ArgTopK) Class() string { return "tensor.sort.TopKOp" }

// Coerce makes an int64 of k.
func (t ArgTopK) Coerce(b *graph.Builder, in []*graph.Variable) ([]*graph.Variable, error) {
	return positionsLast(b, in), nil
}

func (t ArgTopK) Infer(in []*graph.Variable) ([]graph.Type, error) {
	if err := arity(in, 2); err != nil {
		return nil, err
	}
	x, k := in[0].Type, in[1].Type
	if err := checkAxis(t.Axis, x); err != nil {
		return nil, err
	}
	if k.DType != kernels.Int64 || k.Rank() != 0 {
		return nil, fmt.Errorf("kth: got %v, want an integer", k)
	}
	dims := x.Dims()
	n := dims[t.Axis]
	dims[t.Axis] = graph.Unknown
	if k, ok := KnownLength(in[1]); ok && k != 0 && (n == graph.Unknown || max(k, -k) <= n) { // otherwise the run says why
		dims[t.Axis] = max(k, -k)
	}
	return []graph.Type{graph.TypeOf(kernels.Int64, dims...)}, nil
}

func (t ArgTopK) Link(*graph.Apply, kernels.Sets) (Thunk, string, error) {
	return func(c *Call, in, out []*tensor.Dense) error {
		k := int(in[1].Ints()[0])
		shape := slices.Clone(in[0].Shape())
		shape[t.Axis] = min(max(k, -k), shape[t.Axis]) // more is refused
		out[0] = c.Alloc(0, kernels.Int64, shape)
		return tensor.ArgTopKTo(out[0], in[0], t.Axis, k, c.Stop)
	}, goImpl, nil
}

// Cost counts a comparison for each element, and what it takes to put those that are found in
// order.
func (t ArgTopK) Cost(in, out []graph.Array) graph.Cost {
	return graph.Once(in[0].Elements()+out[0].Elements()*logLength(out[0].Shape[t.Axis]), in, out)
}

func (t ArgTopK) Length(m Maker, v V, axis int) V {
	if axis == t.Axis {
		return m.Apply(Abs, v.Owner.Inputs[1])
	}
	return length(m, v.Owner.Inputs[0], axis)
}

// Requires that the axis has as many elements.
func (t ArgTopK) Requires(m Maker, node *graph.Apply) []Requirement {
	r := requirements{m: m}
	r.atMost(m.Apply(Abs, node.Inputs[1]), r.length(node.Inputs[0], t.Axis), t.Axis)
	return r.list
}

// Grad: positions do not change with the values.
func (t ArgTopK) Grad(b *graph.Builder, node *graph.Apply, g []*graph.Variable) []*graph.Variable {
	return []V{nil, nil}
}

func (t ArgTopK) SignOf([]Sign) Sign { return Nonnegative }

func (t ArgTopK) Traits() Traits { return Jumps }

func (t ArgTopK) Cases() []Case {
	return slices.Concat(
		cases("any[5] 2", ArgTopK{}), cases("any[5] -5", ArgTopK{}), cases("any[4,3] 3", ArgTopK{0}, ArgTopK{1}), cases("any[2,3,4] int8(-2)", ArgTopK{1}),
		cases("any[0,3] 2", ArgTopK{1}), cases("float64[7](nan 1 -0.0 inf 0 -inf nan) 4", ArgTopK{}),
		cases("float64[7](nan 1 -0.0 inf 0 -inf nan) -6", ArgTopK{}), cases("float32[300] 40", ArgTopK{}), cases("int8[300] -3", ArgTopK{}),
	)
}
