package op

import (
	"fmt"
	"slices"
	"strconv"

	"github.com/arignote/arignote/kernels"
	"github.com/arignote/arignote/runtime/graph"
	"github.com/arignote/arignote/runtime/tensor"
)

// Join puts arrays one behind the other along Axis: [..., n, ...] and [..., m, ...] → [..., n+m,
// ...]. The operands are converted to their common element type.
type Join struct{ Axis int }

var _ = register(Join{})

func (j Join) Name() string  { return nameOf("join", j) }
func (j Join) Label() string { return "Join" }
func (j Join) Class() string { return classBasic + "Join" }

// Coerce converts the operands to their common element type.
func (j Join) Coerce(b *graph.Builder, in []*graph.Variable) ([]*graph.Variable, error) {
	return toCommonType(b, in), nil
}

// toCommonType converts variables to the element type that holds all of theirs.
func toCommonType(b *graph.Builder, in []V) []V {
	d := kernels.Invalid
	for i, v := range in {
		if d = kernels.Promote(d, v.Type.DType); i == 0 {
			d = v.Type.DType
		}
	}
	out := make([]V, len(in))
	for i, v := range in {
		out[i] = castTo(b, v, d)
	}
	return out
}

func (j Join) Infer(in []*graph.Variable) ([]graph.Type, error) {
	if len(in) == 0 {
		return nil, fmt.Errorf("got no operands, want at least 1")
	}
	first := in[0].Type
	if err := checkAxis(j.Axis, first); err != nil {
		return nil, err
	}
	dims := first.Dims()
	for i, v := range in[1:] {
		t := v.Type
		if t.DType != first.DType || t.Rank() != first.Rank() {
			return nil, tensor.TypeErrorf("operand %d: got %v, want %v of %d dimensions, as operand 0", i+1, t, first.DType, first.Rank())
		}
		for axis, d := range dims {
			switch n := t.Dim(axis); {
			case axis == j.Axis && (d == graph.Unknown || n == graph.Unknown):
				dims[axis] = graph.Unknown
			case axis == j.Axis:
				dims[axis] += n
			case d == graph.Unknown:
				dims[axis] = n
			case n != graph.Unknown && n != d:
				return nil, tensor.ShapeErrorf("shapes %s do not fit: axis %d is %d and %d", typeShapes(graph.TypesOf(in)), axis, d, n)
			}
		}
	}
	return []graph.Type{graph.TypeOf(first.DType, dims...)}, nil
}

// checkAxis refuses an axis that t has not.
func checkAxis(axis int, t graph.Type) error {
	if axis < 0 || axis >= t.Rank() {
		return tensor.AxisError(axis, t.Rank())
	}
	return nil
}

func (j Join) Link(node *graph.Apply, sets kernels.Sets) (Thunk, string, error) {
	d := node.Outputs[0].Type.DType
	move, impl, err := linkCopy(d, sets)
	return func(c *Call, in, out []*tensor.Dense) error {
		shape := slices.Clone(in[0].Shape())
		for _, a := range in[1:] {
			for axis, n := range a.Shape() {
				if axis == j.Axis {
					shape[axis] += n
				} else if n != shape[axis] {
					return tensor.ShapeErrorf("shapes %s and %s do not fit: axis %d is %d and %d", tensor.ShapeString(in[0].Shape()),
						tensor.ShapeString(a.Shape()), axis, shape[axis], n)
				}
			}
		}
		out[0] = c.Alloc(0, d, shape)
		at, part := 0, make([]tensor.Index, j.Axis+1)
		for _, a := range in {
			end := at + a.Dim(j.Axis)
			part[j.Axis] = tensor.Index{Start: new(at), Stop: new(end)}
			z, err := out[0].Subscript(part...)
			if err != nil {
				return err
			}
			if err := move(c, z, a); err != nil {
				return err
			}
			at = end
		}
		return nil
	}, impl, err
}

func (j Join) Cost(in, out []graph.Array) graph.Cost { return graph.Once(0, in, out) }

// Length along Axis is the sum of the operands'; elsewhere it is that of any, and an operand
// without owner costs nothing.
func (j Join) Length(m Maker, v V, axis int) V {
	in := v.Owner.Inputs
	if axis != j.Axis {
		return length(m, in[max(0, slices.IndexFunc(in, func(u V) bool { return u.Owner == nil }))], axis)
	}
	sum := length(m, in[0], axis)
	for _, u := range in[1:] {
		sum = m.Apply(Add, sum, length(m, u, axis))
	}
	return sum
}

// Grad cuts g where the operands meet.
func (j Join) Grad(b *graph.Builder, node *graph.Apply, g []*graph.Variable) []*graph.Variable {
	grads := make([]V, len(node.Inputs))
	if !g[0].Type.DType.IsFloat() {
		return grads
	}
	at := b.Constant(tensor.IntScalar(kernels.Int64, 0))
	for i, v := range node.Inputs {
		end := b.Apply(Add, at, Lengths(b, v)[j.Axis])
		if n, ok := KnownLength(at); ok && v.Type.Dim(j.Axis) != graph.Unknown {
			end = b.Constant(tensor.IntScalar(kernels.Int64, int64(n+v.Type.Dim(j.Axis))))
		}
		grads[i] = sliceAxis(b, g[0], j.Axis, at, end)
		at = end
	}
	return grads
}

// sliceAxis is v[..., from:to, ...]; constants become part of the subscript.
func sliceAxis(b *graph.Builder, v V, axis int, from, to V) V {
	index, in := wholeBefore(axis), []V{v}
	for i, n := range []V{from, to} {
		if i > 0 {
			index += ":"
		}
		if n.Data != nil {
			index += Subscripts(strconv.FormatInt(n.Data.Ints()[0], 10))
		} else {
			index, in = index+"i", append(in, n)
		}
	}
	return b.Apply(Subtensor{index}, in...)
}

// wholeBefore takes all of the axes before axis.
func wholeBefore(axis int) Subscripts {
	var s Subscripts
	for range axis {
		s += ": "
	}
	return s
}

func (j Join) Traits() Traits { return Moves }

func (j Join) Cases() []Case {
	return slices.Concat(
		cases("any[2,3] any[4,3]", Join{0}),
		cases("any[2,3] any[2,4]", Join{1}),
		cases("any[2,3,4] any[2,1,4] any[2,0,4]", Join{1}),
		cases("any[5]", j),
		cases("int8[2] float32[3] bool[1]", j),
		cases("uint64[2] int64[3]", j),
	)
}

func (j Join) Requires(m Maker, node *graph.Apply) []Requirement {
	r := requirements{m: m}
	first := node.Inputs[0]
	for _, v := range node.Inputs[1:] {
		for axis := range first.Type.Rank() {
			if axis != j.Axis {
				r.equal(r.length(first, axis), r.length(v, axis), axis)
			}
		}
	}
	return r.list
}
