package op

import (
	"slices"

	"github.com/arignote/arignote/kernels"
	"github.com/arignote/arignote/runtime/graph"
	"github.com/arignote/arignote/runtime/tensor"
)

// ArgWhere is the indices of the elements of x that are not 0, in C order, each a row: int64[n,
// rank]. NaN is not 0.
type ArgWhere struct{}

var _ = register(ArgWhere{})

func (a ArgWhere) Name() string  { return "argwhere" }
func (a ArgWhere) Label() string { return "Nonzero" }
func (a ArgWhere) Class() string { return classBasic + a.Label() }

func (a ArgWhere) Infer(in []*graph.Variable) ([]graph.Type, error) {
	if err := arity(in, 1); err != nil {
		return nil, err
	}
	return []graph.Type{graph.TypeOf(kernels.Int64, graph.Unknown, in[0].Type.Rank())}, nil
}

func (a ArgWhere) Link(*graph.Apply, kernels.Sets) (Thunk, string, error) {
	return func(c *Call, in, out []*tensor.Dense) (err error) {
		if !in[0].DType().IsBool() {
			c.holds(in[0].Size())
		}
		out[0], err = c.poll().ArgWhere(in[0], func(shape ...int) *tensor.Dense { return c.Alloc(0, kernels.Int64, shape) })
		return err
	}, goImpl, nil
}

// Cost looks at each element.
func (a ArgWhere) Cost(in, out []graph.Array) graph.Cost {
	return graph.Once(float64(tensor.Size(in[0].Shape)), in, out)
}

// Length: how many elements are not 0 only the result tells.
func (a ArgWhere) Length(m Maker, v V, axis int) V {
	if axis == 0 {
		return nil
	}
	return m.Constant(tensor.IntScalar(kernels.Int64, int64(v.Owner.Inputs[0].Type.Rank())))
}

// Grad: positions do not change with the elements.
func (a ArgWhere) Grad(*graph.Builder, *graph.Apply, []*graph.Variable) []*graph.Variable {
	return []V{nil}
}

func (a ArgWhere) SignOf([]Sign) Sign { return Nonnegative }

func (a ArgWhere) Traits() Traits { return Jumps }

func (a ArgWhere) Cases() []Case {
	return slices.Concat(
		cases("any[5]", a), cases("bool[2,3](1 0 0 1 1 0)", a), cases("float64[2,2,2](0 1 0 -1 0 0 3 0)", a), cases("any[0,3]", a), cases("bool[3](0 0 0)", a),
	)
}
