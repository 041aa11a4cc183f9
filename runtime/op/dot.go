package op

import (
	"fmt"
	"slices"

	"github.com/arignote/arignote/kernels"
	"github.com/arignote/arignote/runtime/graph"
	"github.com/arignote/arignote/runtime/tensor"
)

// Dot is the product of vectors and matrices:
//
//	x: [k]    y: [k]    → []      inner product
//	x: [m,k]  y: [k]    → [m]
//	x: [k]    y: [k,n]  → [n]
//	x: [m,k]  y: [k,n]  → [m,n]
//
// The operands are converted to their common element type, bool to int8.
type Dot struct{}

func (Dot) Name() string { return "dot" }

func (Dot) Infer(in []*graph.Variable) ([]graph.Type, error) {
	if err := arity(in, 2); err != nil {
		return nil, err
	}
	x, y := in[0].Type, in[1].Type
	for i, t := range []graph.Type{x, y} {
		if t.Rank() < 1 || t.Rank() > 2 {
			return nil, fmt.Errorf("operand %d: got %d dimensions, want a vector or a matrix", i, t.Rank())
		}
	}
	k, l := x.Dim(x.Rank()-1), y.Dim(0)
	if k != l && k != graph.Unknown && l != graph.Unknown {
		return nil, tensor.ShapeErrorf("shapes %s and %s do not fit: axis %d of the first is %d and axis 0 of the second is %d",
			staticShape(x), staticShape(y), x.Rank()-1, k, l)
	}
	dims := append(x.Dims()[:x.Rank()-1], y.Dims()[1:]...)
	return []graph.Type{graph.TypeOf(dotType(x.DType, y.DType), dims...)}, nil
}

func dotType(x, y kernels.DType) kernels.DType {
	d := kernels.Promote(x, y)
	if d.IsBool() {
		return kernels.Int8
	}
	return d
}

func (Dot) Link(node *graph.Apply, sets kernels.Sets) (Thunk, string, error) {
	d := node.Outputs[0].Type.DType
	gemm, impl, ok := sets.Gemm(d)
	if !ok {
		return nil, "", fmt.Errorf("BUG: no kernel for dot of %v", d)
	}
	shape := make([]int, node.Outputs[0].Type.Rank())
	return func(c *Call, in, out []*tensor.Dense) error {
		x, y := in[0], in[1]
		if err := dotShape(shape, x, y); err != nil {
			return err
		}
		out[0] = c.Alloc(0, d, shape)
		m, k, n, a, b, z := dotOperands(c, x, y, out[0])
		if !gemm.One(m, n, k, 1, a, b, 0, z, z, c.Stop) {
			return ErrStopped
		}
		return nil
	}, impl, nil
}

// dotShape sets shape to that of the product of x and y.
func dotShape(shape []int, x, y *tensor.Dense) error {
	last := x.Rank() - 1
	if k := x.Dim(last); k != y.Dim(0) {
		return tensor.ShapeErrorf("shapes %s and %s do not fit: axis %d of the first is %d and axis 0 of the second is %d",
			tensor.ShapeString(x.Shape()), tensor.ShapeString(y.Shape()), last, k, y.Dim(0))
	}
	copy(shape, x.Shape()[:last])
	copy(shape[last:], y.Shape()[1:])
	return nil
}

// dotOperands sees vectors as matrices with one row (on the left) or one column (on the right). The
// element types are made equal.
func dotOperands(call *Call, x, y, z *tensor.Dense) (m, k, n int, a, b, c kernels.Matrix) {
	d := z.DType()
	if x.DType() != d {
		x = call.temporary(x.AsType(d))
	}
	if y.DType() != d {
		y = call.temporary(y.AsType(d))
	}
	m, n = 1, 1
	a = kernels.Matrix{Data: x.Pointer(), Col: x.Strides()[x.Rank()-1]}
	if x.Rank() == 2 {
		m, a.Row = x.Dim(0), x.Strides()[0]
	}
	b = kernels.Matrix{Data: y.Pointer(), Row: y.Strides()[0]}
	if y.Rank() == 2 {
		n, b.Col = y.Dim(1), y.Strides()[1]
	}
	return m, y.Dim(0), n, a, b, kernels.Matrix{Data: z.Pointer(), Row: n * d.Size(), Col: d.Size()}
}

// Cost counts a multiplication and an addition for each product.
func (Dot) Cost(in, out []graph.Array) graph.Cost {
	return graph.Once(2*out[0].Elements()*float64(in[1].Shape[0]), in, out)
}

// Mixes: operands are converted as they are read.
func (Dot) Mixes(int) bool { return true }

// Grad with respect to x is g·yᵀ and with respect to y is xᵀ·g, vectors seen as matrices.
func (Dot) Grad(b *graph.Builder, node *graph.Apply, gs []*graph.Variable) []*graph.Variable {
	x, y, g := node.Inputs[0], node.Inputs[1], gs[0]
	if !g.Type.DType.IsFloat() {
		return make([]V, 2)
	}
	dot := func(p, q V) V { return b.Apply(Dot{}, p, q) }
	outer := func(p, q V) V {
		return Mul.do(b, b.Apply(NewDimShuffle([]int{0, tensor.NewAxis}), p), b.Apply(NewDimShuffle([]int{tensor.NewAxis, 0}), q))
	}
	var gx, gy V
	switch {
	case x.Type.Rank() == 1 && y.Type.Rank() == 1:
		gx, gy = Mul.do(b, g, y), Mul.do(b, g, x)
	case x.Type.Rank() == 2 && y.Type.Rank() == 1:
		gx, gy = outer(g, y), dot(Transpose(b, x), g)
	case x.Type.Rank() == 1 && y.Type.Rank() == 2:
		gx, gy = dot(y, g), outer(x, g)
	default:
		gx, gy = dot(g, Transpose(b, y)), dot(Transpose(b, x), g)
	}
	grads := []V{gx, gy}
	for i, v := range node.Inputs {
		if !v.Type.DType.IsFloat() {
			grads[i] = nil
			continue
		}
		grads[i] = castTo(b, grads[i], v.Type.DType)
	}
	return grads
}

func (Dot) Label() string { return "dot" }
func (Dot) Class() string { return classBasic + "Dot" }

func (Dot) Length(m Maker, v V, axis int) V {
	x, y := v.Owner.Inputs[0], v.Owner.Inputs[1]
	if axis == 0 && x.Type.Rank() == 2 {
		return length(m, x, 0)
	}
	return length(m, y, y.Type.Rank()-1)
}

func (Dot) Traits() Traits { return 0 }

var _ = register(Dot{})

func (d Dot) Cases() []Case {
	return slices.Concat(cases("any[3] any[3]", d), cases("any[2,3] any[3]", d), cases("any[2] any[2,3]", d), cases("any[2,3] any[3,4]", d),
		cases("float32[2,3] int64[3,4]", d), cases("any[2,0] any[0,4]", d))
}

func (Dot) Requires(m Maker, node *graph.Apply) []Requirement {
	r := requirements{m: m}
	x, y := node.Inputs[0], node.Inputs[1]
	last := x.Type.Rank() - 1
	r.equal(r.length(x, last), r.length(y, 0), last)
	return r.list
}
