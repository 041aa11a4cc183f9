package op

import (
	"slices"
	"strconv"

	"github.com/arignote/arignote/kernels"
	"github.com/arignote/arignote/runtime/graph"
	"github.com/arignote/arignote/runtime/tensor"
)

// ShapeI is the length of one axis, an int64 scalar.
type ShapeI struct{ Axis int }

func (s ShapeI) Name() string { return nameOf("shape_i", s) }

func (s ShapeI) Infer(in []*graph.Variable) ([]graph.Type, error) { return listed(s.InferOne(in)) }

// InfersFromTypes: see graph.FromTypes.
func (ShapeI) InfersFromTypes() {}

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

// A LengthMaker is a Maker that has a shorter way to what it gives for ShapeI.
type LengthMaker interface {
	LengthOf(v V, axis int) V
}

// length is the length of one axis of v.
func length(m Maker, v V, axis int) V {
	if l, ok := m.(LengthMaker); ok {
		return l.LengthOf(v, axis)
	}
	return m.Apply(ShapeI{Axis: axis}, v)
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

func (s ShapeI) Label() string { return "Shape_i{" + strconv.Itoa(s.Axis) + "}" }
func (s ShapeI) Class() string { return "compile.ops.Shape_i" }

// Connects: a cost does not depend on lengths.
func (ShapeI) Connects(*graph.Apply, int, int) bool { return false }

// Grad: lengths do not change with the values.
func (s ShapeI) Grad(b *graph.Builder, node *graph.Apply, g []*graph.Variable) []*graph.Variable {
	return []V{nil}
}

func (s ShapeI) Length(Maker, V, int) V { return nil }
func (s ShapeI) Traits() Traits         { return 0 }

var _ = register(ShapeI{})

func (s ShapeI) Cases() []Case {
	return slices.Concat(cases("any[2,3]", ShapeI{}, ShapeI{Axis: 1}), cases("any[2,0]", ShapeI{Axis: 1}))
}
