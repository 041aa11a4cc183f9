package op

import (
	"fmt"
	"slices"
	"strconv"

	"github.com/arignote/arignote/kernels"
	"github.com/arignote/arignote/runtime/graph"
	"github.com/arignote/arignote/runtime/tensor"
)

// ShapeI is the length of one axis, an int64 scalar.
type ShapeI struct{ Axis int }

func (s ShapeI) Name() string { return nameOf("shape_i", s) }

func (s ShapeI) Infer(in []*graph.Variable) ([]graph.Type, error) {
	t, err := s.InferOne(in)
	if err != nil {
		return nil, err
	}
	return []graph.Type{t}, nil
}

// InferOne is Infer without a list.
func (s ShapeI) InferOne(in []*graph.Variable) (t graph.Type, err error) {
	if err := arity(in, 1); err != nil {
		return t, err
	}
	if s.Axis < 0 || s.Axis >= in[0].Type.Rank() {
		return t, tensor.AxisError(s.Axis, in[0].Type.Rank())
	}
	return graph.TypeOf(kernels.Int64), nil
}

func (s ShapeI) Link(node *graph.Apply, _ kernels.Sets) (Thunk, string, error) {
	return func(_ *Call, in, out []*tensor.Dense) error {
		out[0] = tensor.IntScalar(kernels.Int64, int64(in[0].Dim(s.Axis)))
		return nil
	}, goImpl, nil
}

// Cost is that of writing the length: the elements are not read.
func (s ShapeI) Cost(in, out []graph.Array) graph.Cost {
	return graph.Cost{Read: []float64{0}, Written: []float64{out[0].Bytes()}}
}

// SignOf: a length is not negative.
func (ShapeI) SignOf([]Sign) Sign { return Nonnegative }

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

// Lengths are the lengths of v's axes as int64 scalars; those that are known are constants.
func Lengths(b *graph.Builder, v V) []V {
	lengths := make([]V, v.Type.Rank())
	for axis := range lengths {
		if d := v.Type.Dim(axis); d != graph.Unknown {
			lengths[axis] = b.Constant(tensor.IntScalar(kernels.Int64, int64(d)))
		} else {
			lengths[axis] = b.Apply(ShapeI{Axis: axis}, v)
		}
	}
	return lengths
}

// Product is that of lengths, int64 scalars: 1 of none, a constant of constants.
func Product(b *graph.Builder, lengths []V) V {
	known := 1
	var p V
	for _, n := range lengths {
		switch {
		case n.IsConstant():
			known *= int(n.Data.Ints()[0])
		case p == nil:
			p = n
		default:
			p = b.Apply(Mul, p, n)
		}
	}
	switch number := b.Constant(tensor.IntScalar(kernels.Int64, int64(known))); {
	case p == nil:
		return number
	case known != 1:
		return b.Apply(Mul, number, p)
	}
	return p
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

// vectorValues reads the elements of an integer vector that are known: those of a constant, or the
// constant operands of a MakeVector. What is not known is graph.Unknown, which is also what -1
// means to Reshape.
func vectorValues(v V, n int) []int {
	values := make([]int, n)
	for i := range values {
		values[i] = graph.Unknown
	}
	switch {
	case v.Data != nil && v.Data.Size() == n:
		for i, d := range v.Data.Ints() {
			values[i] = int(d)
		}
	case v.Op() == graph.Op(MakeVector{}) && len(v.Owner.Inputs) == n:
		for i, e := range v.Owner.Inputs {
			if d, ok := KnownLength(e); ok {
				values[i] = d
			}
		}
	}
	return values
}

func (s ShapeI) Label() string     { return "Shape_i{" + strconv.Itoa(s.Axis) + "}" }
func (s ShapeI) Class() string     { return "compile.ops.Shape_i" }
func (m MakeVector) Label() string { return "MakeVector" }
func (m MakeVector) Class() string { return "tensor.opt.MakeVector" }

// Grad: lengths do not change with the values.
func (s ShapeI) Grad(b *graph.Builder, node *graph.Apply, g []*graph.Variable) []*graph.Variable {
	return []V{nil}
}

func (s ShapeI) Length(Maker, V, int) V { return nil }
func (s ShapeI) Traits() Traits         { return 0 }

func (m MakeVector) Length(_ Maker, v V, _ int) V { return nil } // its type says it
func (m MakeVector) Traits() Traits               { return Moves }

var _ = register(ShapeI{}, MakeVector{})

func (s ShapeI) Cases() []Case {
	return slices.Concat(cases("any[2,3]", ShapeI{}, ShapeI{Axis: 1}), cases("any[2,0]", ShapeI{Axis: 1}))
}

func (m MakeVector) Cases() []Case {
	return slices.Concat(cases("any any any", m), cases("any", m), cases("int64 2 3", m))
}
