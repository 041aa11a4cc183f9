package op

import (
	"slices"

	"github.com/arignote/arignote/kernels"
	"github.com/arignote/arignote/runtime/graph"
	"github.com/arignote/arignote/runtime/tensor"
)

// Unique says three things, all int64, of the different parts of x along Axis in ascending order:
// where each comes first, which of them each part of x is, and how often each is there. Elements
// that compare equal are the same, and so are nan. The parts themselves are what Take gives of the
// first places.
type Unique struct{ Axis int }

var _ = register(Unique{})

func (u Unique) Name() string  { return nameOf("unique", u) }
func (u Unique) Label() string { return "Unique" }
func (u Unique) Class() string { return "tensor.extra_ops.Unique" }

func (u Unique) Infer(in []*graph.Variable) ([]graph.Type, error) {
	if err := arity(in, 1); err != nil {
		return nil, err
	}
	x := in[0].Type
	if err := checkAxis(u.Axis, x); err != nil {
		return nil, err
	}
	some := graph.TypeOf(kernels.Int64, graph.Unknown)
	return []graph.Type{some, graph.TypeOf(kernels.Int64, x.Dim(u.Axis)), some}, nil
}

func (u Unique) Link(*graph.Apply, kernels.Sets) (Thunk, string, error) {
	return func(c *Call, in, out []*tensor.Dense) error {
		found, err := tensor.UniqueAlong(in[0], u.Axis, c.Stop)
		if err != nil {
			return err
		}
		for i, d := range []*tensor.Dense{found.First, found.Inverse, found.Counts} {
			out[i] = c.Alloc(i, kernels.Int64, d.Shape())
			tensor.CopyTo(out[i], d)
		}
		return nil
	}, goImpl, nil
}

// Cost counts log2(n) comparisons for each of n parts.
func (u Unique) Cost(in, out []graph.Array) graph.Cost {
	return graph.Once(in[0].Elements()*logLength(in[0].Shape[u.Axis]), in, out)
}

// Length: how many differ only the result tells.
func (u Unique) Length(m Maker, v V, axis int) V {
	if v.Index == 1 {
		return length(m, v.Owner.Inputs[0], u.Axis)
	}
	return nil
}

// Grad: positions do not change with the elements.
func (u Unique) Grad(*graph.Builder, *graph.Apply, []*graph.Variable) []*graph.Variable {
	return []V{nil}
}

func (u Unique) SignOf([]Sign) Sign { return Nonnegative }

func (u Unique) Traits() Traits { return Jumps }

func (u Unique) Cases() []Case {
	return slices.Concat(
		cases("any[6]", Unique{}), cases("int8[300]", Unique{}), cases("integers[7](3 1 3 2 1 3 1)", Unique{}), cases("any[0]", Unique{}),
		cases("float64[7](nan 1 -0.0 inf 0 1 nan)", Unique{}), cases("any[4,2]", Unique{0}, Unique{1}),
		cases("bool[2,3,4]", Unique{1}), cases("any[0,2]", Unique{0}, Unique{1}),
		cases("float64[4,2](nan 1 nan 1 0 -0.0 0 0)", Unique{}),
	)
}
