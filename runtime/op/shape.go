package op

import (
	"fmt"
	"slices"
	"strconv"

	"github.com/arignote/arignote/kernels"
	"github.com/arignote/arignote/runtime/graph"
	"github.com/arignote/arignote/runtime/tensor"
)

// ShapeOf is the shape of v as an int64 vector; lengths that are known are constants.
func ShapeOf(b *graph.Builder, v V) V {
	lengths := Lengths(b, v)
	if len(lengths) == 0 {
		return b.Constant(tensor.New(kernels.Int64, 0))
	}
	return b.Apply(MakeVector{}, lengths...)
}

// AskedShape is ShapeOf as a user asks for it: known lengths are asked of v too, so that a function
// of no more than them still takes v, and checks what says that they are known. Rewriting puts the
// constants in.
func AskedShape(b *graph.Builder, v V) V {
	if v.Type.Rank() == 0 {
		none := ShapeOf(b, v)
		b.Mention([]V{none}, graph.Inputs(nil, v))
		return none
	}
	lengths := make([]V, v.Type.Rank())
	for axis := range lengths {
		lengths[axis] = b.Apply(ShapeI{Axis: axis}, v)
	}
	return b.Apply(MakeVector{}, lengths...)
}

// MakeVector puts scalars of one element type into a vector.
type MakeVector struct{}

func (m MakeVector) Name() string { return "make_vector" }

// Coerce converts the operands to their common element type.
func (m MakeVector) Coerce(b *graph.Builder, in []*graph.Variable) ([]*graph.Variable, error) {
	if len(in) == 0 {
		return nil, fmt.Errorf("got no operands")
	}
	d := in[0].Type.DType
	for _, v := range in {
		d = kernels.Promote(d, v.Type.DType)
	}
	out := make([]V, len(in))
	for i, v := range in {
		out[i] = castTo(b, v, d)
	}
	return out, nil
}

func (m MakeVector) Infer(in []*graph.Variable) ([]graph.Type, error) {
	if len(in) == 0 {
		return nil, fmt.Errorf("got no operands")
	}
	for i, v := range in {
		if v.Type.Rank() != 0 || v.Type.DType != in[0].Type.DType {
			return nil, fmt.Errorf("operand %d: got %v, want a scalar of type %v", i, v.Type, in[0].Type.DType)
		}
	}
	return []graph.Type{graph.TypeOf(in[0].Type.DType, len(in))}, nil
}

func (m MakeVector) Link(node *graph.Apply, _ kernels.Sets) (Thunk, string, error) {
	return func(c *Call, in, out []*tensor.Dense) error {
		v := c.Alloc(0, in[0].DType(), []int{len(in)})
		for i, a := range in {
			at, err := v.Subscript(tensor.Index{At: &i})
			if err != nil {
				return err
			}
			tensor.CopyTo(at, a)
		}
		out[0] = v
		return nil
	}, goImpl, nil
}

func (m MakeVector) Cost(in, out []graph.Array) graph.Cost { return graph.Once(0, in, out) }

func (m MakeVector) Grad(b *graph.Builder, node *graph.Apply, g []*graph.Variable) []*graph.Variable {
	grads := make([]V, len(node.Inputs))
	if node.Outputs[0].Type.DType.IsFloat() {
		for i := range grads {
			grads[i] = b.Apply(Subtensor{Index: Subscripts(strconv.Itoa(i))}, g[0])
		}
	}
	return grads
}

func (m MakeVector) Label() string { return "MakeVector" }
func (m MakeVector) Class() string { return "tensor.opt.MakeVector" }

func (m MakeVector) Length(_ Maker, v V, _ int) V { return nil } // its type says it
func (m MakeVector) Traits() Traits               { return Moves }

var _ = register(MakeVector{})

func (m MakeVector) Cases() []Case {
	return slices.Concat(cases("any any any", m), cases("any", m), cases("int64 2 3", m))
}
