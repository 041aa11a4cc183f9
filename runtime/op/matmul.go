package op

import (
	"fmt"
	"slices"
	"unsafe"

	"github.com/arignote/arignote/kernels"
	"github.com/arignote/arignote/runtime/graph"
	"github.com/arignote/arignote/runtime/tensor"
)

// Matmul is a product of matrices for each place of the axes before the last two, along which
// operands broadcast: [..., m, k] and [..., k, n] → [..., m, n]. The operands are converted to
// their common element type, bool to int8.
type Matmul struct{}

var _ = register(Matmul{})

func (Matmul) Name() string  { return "matmul" }
func (Matmul) Label() string { return "BatchedDot" }
func (Matmul) Class() string { return "tensor.blas.BatchedDot" }

// Coerce gives the operands one rank and one element type.
func (Matmul) Coerce(b *graph.Builder, in []*graph.Variable) ([]*graph.Variable, error) {
	for i, v := range in {
		if v.Type.Rank() < 2 {
			return nil, fmt.Errorf("operand %d: got %d dimensions, want at least 2", i, v.Type.Rank())
		}
	}
	out := toCommonType(b, in)
	for i, v := range out {
		if v.Type.DType.IsBool() {
			out[i] = castTo(b, v, kernels.Int8)
		}
	}
	return padLeft(b, out), nil
}

func (Matmul) Infer(in []*graph.Variable) ([]graph.Type, error) {
	if err := arity(in, 2); err != nil {
		return nil, err
	}
	x, y := in[0].Type, in[1].Type
	rank := x.Rank()
	if rank < 2 || y.Rank() != rank || x.DType != y.DType || x.DType.IsBool() {
		return nil, fmt.Errorf("got %v and %v, want numbers of one type and of as many dimensions, at least 2", x, y)
	}
	k, l := x.Dim(rank-1), y.Dim(rank-2)
	if k != l && k != graph.Unknown && l != graph.Unknown {
		return nil, matmulMismatch(staticShape(x), staticShape(y), rank, k, l)
	}
	batch := func(t graph.Type) graph.Type { return graph.TypeOf(t.DType, t.Dims()[:rank-2]...) }
	dims, err := broadcastDims([]graph.Type{batch(x), batch(y)})
	if err != nil {
		return nil, err
	}
	return []graph.Type{graph.TypeOf(x.DType, append(dims, x.Dim(rank-2), y.Dim(rank-1))...)}, nil
}

func matmulMismatch(x, y string, rank, k, l int) error {
	return tensor.ShapeErrorf("shapes %s and %s do not fit: axis %d of the first is %d and axis %d of the second is %d", x, y, rank-1, k, rank-2, l)
}

func (Matmul) Link(node *graph.Apply, sets kernels.Sets) (Thunk, string, error) {
	d := node.Outputs[0].Type.DType
	gemm, impl, ok := sets.Gemm(d)
	if !ok {
		return nil, "", fmt.Errorf("BUG: no kernel for matmul of %v", d)
	}
	rank := node.Outputs[0].Type.Rank()
	return func(c *Call, in, out []*tensor.Dense) error {
		x, y := in[0], in[1]
		k := x.Dim(rank - 1)
		if l := y.Dim(rank - 2); k != l {
			return matmulMismatch(tensor.ShapeString(x.Shape()), tensor.ShapeString(y.Shape()), rank, k, l)
		}
		shape := make([]int, rank)
		for axis := range rank - 2 {
			switch n, m := x.Dim(axis), y.Dim(axis); {
			case node.Inputs[0].Type.Broadcasts(axis):
				shape[axis] = m
			case node.Inputs[1].Type.Broadcasts(axis) || n == m:
				shape[axis] = n
			default:
				return runShapeError(node, in, axis, 0, 1)
			}
		}
		shape[rank-2], shape[rank-1] = x.Dim(rank-2), y.Dim(rank-1)
		z := c.Alloc(0, d, shape)
		if out[0] = z; z.Size() == 0 {
			return nil
		}
		p, q := operand(x, node.Inputs[0].Type), operand(y, node.Inputs[1].Type)
		if !eachMatrix(gemm, shape, k, p, q, z, c.Stop) {
			return ErrStopped
		}
		return nil
	}, impl, nil
}

// eachMatrix computes the products of a result z of this shape, a run along the last axis before
// the matrices at a time.
func eachMatrix(gemm kernels.GemmFunc, shape []int, k int, p, q kernels.Operand, z *tensor.Dense, stop kernels.Stop) bool {
	rank := len(shape)
	m, n, size := shape[rank-2], shape[rank-1], z.DType().Size()
	lead, count := shape[:rank-2], 1
	if len(lead) > 0 {
		count, lead = lead[len(lead)-1], lead[:len(lead)-1]
	}
	batch := func(o kernels.Operand, offset int) kernels.Batch {
		s := kernels.Batch{Matrix: kernels.Matrix{Data: unsafe.Add(o.Data, offset), Row: o.Strides[rank-2], Col: o.Strides[rank-1]}}
		if rank > 2 {
			s.Step = o.Strides[rank-3]
		}
		return s
	}
	step := m * n * size
	at := make([]int, len(lead))
	for i := range tensor.Size(lead) {
		var from, second int
		for axis, j := range at {
			from, second = from+j*p.Strides[axis], second+j*q.Strides[axis]
		}
		r := kernels.Batch{Matrix: kernels.Matrix{Data: unsafe.Add(z.Pointer(), i*count*step), Row: n * size, Col: size}, Step: step}
		if !gemm(count, m, n, k, 1, batch(p, from), batch(q, second), 0, r, r, stop) {
			return false
		}
		for axis := len(at) - 1; axis >= 0; axis-- { // the next run
			if at[axis]++; at[axis] < lead[axis] {
				break
			}
			at[axis] = 0
		}
	}
	return true
}

// Cost counts a multiplication and an addition for each product.
func (Matmul) Cost(in, out []graph.Array) graph.Cost {
	shape := in[0].Shape
	return graph.Once(2*out[0].Elements()*float64(shape[len(shape)-1]), in, out)
}

func (Matmul) Length(m Maker, v V, axis int) V {
	x, y := v.Owner.Inputs[0], v.Owner.Inputs[1]
	switch rank := v.Type.Rank(); {
	case axis == rank-2:
		return length(m, x, axis)
	case axis == rank-1, x.Type.Broadcasts(axis), x.Owner != nil && y.Owner == nil && !y.Type.Broadcasts(axis):
		return length(m, y, axis)
	}
	return length(m, x, axis)
}

// Mixes: operands are converted as they are read.
func (Matmul) Mixes(int) bool { return true }

// Grad with respect to x is g·yᵀ and with respect to y is xᵀ·g, summed over the axes that
// broadcast.
func (Matmul) Grad(b *graph.Builder, node *graph.Apply, g []*graph.Variable) []*graph.Variable {
	x, y := node.Inputs[0], node.Inputs[1]
	if !x.Type.DType.IsFloat() {
		return []V{nil, nil}
	}
	return []V{
		sumToType(b, b.Apply(Matmul{}, g[0], turned(b, y)), x.Type),
		sumToType(b, b.Apply(Matmul{}, turned(b, x), g[0]), y.Type),
	}
}

// turned is v with its last two axes exchanged.
func turned(b *graph.Builder, v V) V {
	rank := v.Type.Rank()
	axes := make([]int, rank)
	for i := range axes {
		axes[i] = i
	}
	axes[rank-2], axes[rank-1] = rank-1, rank-2
	return b.Apply(NewDimShuffle(axes), v)
}

func (Matmul) Traits() Traits { return 0 }

func (p Matmul) Cases() []Case {
	return slices.Concat(
		cases("any[2,3] any[3,4]", p), cases("any[5,2,3] any[5,3,4]", p), cases("any[5,2,3] any[3,4]", p), cases("any[1,2,3] any[5,3,1]", p),
		cases("any[2,1,2,3] any[5,3,4]", p), cases("any[2,0,3] any[2,3,4]", p), cases("any[5,2,0] any[5,0,4]", p), cases("any[0,2,3] any[3,4]", p),
		cases("float32[5,2,3] int8[5,3,4]", p),
	)
}

func (Matmul) Requires(m Maker, node *graph.Apply) []Requirement {
	r := requirements{m: m}
	x, y := node.Inputs[0], node.Inputs[1]
	rank := node.Outputs[0].Type.Rank()
	r.equal(r.length(x, rank-1), r.length(y, rank-2), rank-1)
	r.broadcast(rank-2, x, y)
	return r.list
}
