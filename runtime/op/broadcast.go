package op

import (
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/arignote/arignote/kernels"
	"github.com/arignote/arignote/runtime/graph"
	"github.com/arignote/arignote/runtime/tensor"
)

// padLeft gives all operands the rank of the largest by axes of length 1 on the left. If all have
// it, it returns in itself.
func padLeft(b *graph.Builder, in []V) []V {
	rank := 0
	for _, v := range in {
		rank = max(rank, v.Type.Rank())
	}
	out := in
	for i, v := range in {
		lead := rank - v.Type.Rank()
		if lead == 0 {
			continue
		}
		if &out[0] == &in[0] {
			out = slices.Clone(in)
		}
		if v.IsConstant() {
			shape := append(ones(lead), v.Data.Shape()...)
			data, err := v.Data.Reshape(shape...)
			if err != nil {
				panic("BUG: " + err.Error())
			}
			out[i] = graph.NewConstant(data, v.Origin)
			continue
		}
		pattern := make([]int, rank)
		for axis := range pattern {
			pattern[axis] = tensor.NewAxis
			if axis >= lead {
				pattern[axis] = axis - lead
			}
		}
		out[i] = b.Apply(NewDimShuffle(pattern), v)
	}
	return out
}

func ones(n int) []int {
	shape := make([]int, n)
	for i := range shape {
		shape[i] = 1
	}
	return shape
}

var errNoOperands = errors.New("got no operands")

// broadcastType is the type of an elementwise result with elements of type d. The operands have the
// same rank.
func broadcastType(d kernels.DType, in []V) (t graph.Type, err error) {
	t = in[0].Type.WithDType(d)
	t.State = graph.NoState
	fits := true
	for _, v := range in[1:] {
		if t, fits = t.Broadcast(v.Type); !fits {
			_, err = broadcastDims(graph.TypesOf(in)) // which says why
			return t, err
		}
	}
	return t, nil
}

// broadcastDims is the static shape of an elementwise result. The operands have the same rank.
func broadcastDims(in []graph.Type) ([]int, error) {
	shapes := make([][]int, len(in))
	for i, t := range in {
		if t.Rank() != in[0].Rank() {
			return nil, fmt.Errorf("got operands of %d and %d dimensions, want the same", in[0].Rank(), t.Rank())
		}
		shapes[i] = t.Dims()
	}
	dims, clash := tensor.BroadcastShapes(shapes...)
	if clash != nil {
		return nil, tensor.ShapeErrorf("shapes %s do not broadcast: axis %d is %d and %d", typeShapes(in), clash.Axis, clash.A, clash.B)
	}
	return dims, nil
}

// typeShapes writes "(3, 4) and (5, 4)".
func typeShapes(in []graph.Type) string {
	parts := make([]string, len(in))
	for i, t := range in {
		parts[i] = staticShape(t)
	}
	return strings.Join(parts, " and ")
}

// staticShape writes a static shape as Python does, with ? for what is unknown.
func staticShape(t graph.Type) string {
	return strings.ReplaceAll(tensor.ShapeString(t.Dims()), "-1", "?")
}

// runShape finds the shape of an elementwise result for operands of these values: only axes that
// are known to have length 1 broadcast. shape has as many elements as the result has axes, and
// receives the lengths.
func runShape(shape []int, node *graph.Apply, in []*tensor.Dense) error {
	for axis := range shape {
		shape[axis] = 1
		from := -1
		for i, a := range in {
			if node.Inputs[i].Type.Broadcasts(axis) {
				continue
			}
			d := a.Dim(axis)
			if from < 0 {
				shape[axis], from = d, i
			} else if d != shape[axis] {
				return runShapeError(node, in, axis, from, i)
			}
		}
	}
	return nil
}

// runShapeError explains a clash of operands i and j that only the run could find.
func runShapeError(node *graph.Apply, in []*tensor.Dense, axis, i, j int) error {
	e := memberError(node, clashing(node, in, axis), in, fmt.Sprintf("shapes %s and %s do not fit: axis %d is %d and %d",
		tensor.ShapeString(in[i].Shape()), tensor.ShapeString(in[j].Shape()), axis, in[i].Dim(axis), in[j].Dim(axis)))
	e.Cause = tensor.ShapeError(e.Msg)
	if in[i].Dim(axis) == 1 || in[j].Dim(axis) == 1 {
		e.Notes = append(e.Notes, graph.Note{Msg: broadcastHint(axis)})
	}
	return e
}

func broadcastHint(axis int) string {
	return fmt.Sprintf("an axis broadcasts only where its length is known to be 1 when the function is compiled: "+
		"declare the variable with T.row, T.col or T.TensorType(dtype, shape) with 1 on axis %d, or insert the axis with dimshuffle", axis)
}

// expand views a, a value of v, in a shape of as many axes or more. As everywhere, only axes that
// are known to have length 1 broadcast: the gradient was made for those.
func expand(v V, a *tensor.Dense, shape []int) (*tensor.Dense, error) {
	lead := len(shape) - a.Rank()
	for axis, d := range a.Shape() {
		if want := shape[lead+axis]; d != want && !v.Type.Broadcasts(axis) {
			msg := fmt.Sprintf("shape %s does not fit into %s: axis %d is %d, want %d", tensor.ShapeString(a.Shape()),
				tensor.ShapeString(shape), axis, d, want)
			if d == 1 {
				msg += "; " + broadcastHint(axis)
			}
			return nil, tensor.ShapeError(msg)
		}
	}
	wide, ok := a.BroadcastTo(shape)
	if !ok {
		return nil, fmt.Errorf("BUG: %s does not broadcast to %s", tensor.ShapeString(a.Shape()), tensor.ShapeString(shape))
	}
	return wide, nil
}

// operand describes a to a kernel for a run over an elementwise result: axes that broadcast have
// stride 0.
func operand(a *tensor.Dense, t graph.Type) kernels.Operand {
	return operandIn(nil, a, t)
}

// operandIn is operand, with strides in memory of the caller's where they are not those of a.
func operandIn(strides []int, a *tensor.Dense, t graph.Type) kernels.Operand {
	o := a.Operand()
	shared := true // with a, whose strides are not ours to change
	for axis, s := range o.Strides {
		if s == 0 || !t.Broadcasts(axis) {
			continue
		}
		if shared {
			o.Strides, shared = append(strides[:0], o.Strides...), false
		}
		o.Strides[axis] = 0
	}
	return o
}

// sumToType sums g over the axes that broadcast v to g's shape, and converts it to v's element
// type: the gradient with respect to an operand.
func sumToType(b *graph.Builder, g V, t graph.Type) V {
	var axes tensor.Axes
	keep := make([]int, t.Rank())
	kept := 0
	for axis := range keep {
		if t.Broadcasts(axis) && !g.Type.Broadcasts(axis) {
			axes = axes.With(tensor.AxesOf(axis))
			keep[axis] = tensor.NewAxis
			continue
		}
		keep[axis] = kept
		kept++
	}
	if !axes.None() {
		g = b.Apply(Reduce{Kind: Sum, Axes: axes}, g)
		g = b.Apply(NewDimShuffle(keep), g)
	}
	return castTo(b, g, t.DType)
}

// castTo converts v unless it has the type already.
func castTo(b *graph.Builder, v V, d kernels.DType) V {
	if v.Type.DType == d {
		return v
	}
	return b.Apply(Cast(d), v)
}
