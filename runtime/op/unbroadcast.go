package op

import (
	"fmt"

	"github.com/arignote/arignote/kernels"
	"github.com/arignote/arignote/runtime/graph"
	"github.com/arignote/arignote/runtime/tensor"
)

// Unbroadcast passes its operand on, of whose axes the compiler forgets that their lengths are 1,
// so that they do not broadcast. The result is a view.
type Unbroadcast struct{ Axes tensor.Axes }

func (u Unbroadcast) Name() string { return nameOf("unbroadcast", u) }

func (u Unbroadcast) Infer(in []*graph.Variable) ([]graph.Type, error) {
	if err := arity(in, 1); err != nil {
		return nil, err
	}
	dims := in[0].Type.Dims()
	for _, axis := range u.Axes.List() {
		if axis >= len(dims) {
			return nil, fmt.Errorf("axis %d is out of bounds for %d dimensions", axis, len(dims))
		}
		if dims[axis] == 1 {
			dims[axis] = graph.Unknown
		}
	}
	return []graph.Type{graph.TypeOf(in[0].Type.DType, dims...)}, nil
}

func (u Unbroadcast) ViewMap() []graph.Alias { return []graph.Alias{{Out: 0, In: 0}} }

func (u Unbroadcast) Link(*graph.Apply, kernels.Sets) (Thunk, string, error) {
	return func(_ *Call, in, out []*tensor.Dense) error {
		out[0] = in[0]
		return nil
	}, goImpl, nil
}

func (u Unbroadcast) Cost(in, out []graph.Array) graph.Cost { return graph.Nothing(in, out) }

// Grad is the gradient of the result, which the operand's type says again to have length 1 (grad
// does that for all operations).
func (u Unbroadcast) Grad(_ *graph.Builder, _ *graph.Apply, g []*graph.Variable) []*graph.Variable {
	return []V{g[0]}
}

func (u Unbroadcast) Label() string { return "Unbroadcast{" + u.Axes.String() + "}" }
func (Unbroadcast) Class() string   { return "tensor.shape.Unbroadcast" }

func (u Unbroadcast) Length(m Maker, v V, axis int) V { return length(m, v.Owner.Inputs[0], axis) }
func (u Unbroadcast) Traits() Traits                  { return Moves }

var _ = register(Unbroadcast{})

func (u Unbroadcast) Cases() []Case {
	return append(cases("any[1,3]", Unbroadcast{tensor.AxesOf(0)}, Unbroadcast{tensor.AxesOf(0, 1)}), cases("any[1,3,1]", Unbroadcast{tensor.AxesOf(2)})...)
}
