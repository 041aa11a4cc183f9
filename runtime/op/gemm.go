package op

import (
	"fmt"
	"slices"

	"github.com/arignote/arignote/kernels"
	"github.com/arignote/arignote/runtime/graph"
	"github.com/arignote/arignote/runtime/tensor"
)

// Gemm is a product that is scaled and added to something on its way to memory: beta*c +
// alpha*dot(a, b). Its operands are c, alpha, a, b, beta, all of one floating point type. alpha and
// beta are 0-d; a and b are a matrix and a matrix or, with Vector, a matrix and a vector in either
// order. c has the product's shape or broadcasts to it: a bias is a row. Where beta is 0, c is not
// read.
//
// It is what graphs are rewritten to, after they are differentiated: it has no gradient.
type Gemm struct {
	Vector  bool
	Inplace bool // the result overwrites c, which has its shape
}

// The operands of a Gemm.
const (
	gemmC = iota
	gemmAlpha
	gemmA
	gemmB
	gemmBeta
	gemmArity
)

func (g Gemm) Name() string {
	base := "gemm"
	if g.Vector {
		base = "gemv"
	}
	return nameOf(base, struct{ Inplace bool }{g.Inplace})
}

func (g Gemm) Infer(in []*graph.Variable) ([]graph.Type, error) {
	if err := arity(in, gemmArity); err != nil {
		return nil, err
	}
	product, err := Dot{}.Infer(in[gemmA : gemmB+1])
	if err != nil {
		return nil, err
	}
	z := product[0]
	for i, v := range in {
		if d := v.Type.DType; d != z.DType || !d.IsFloat() {
			return nil, fmt.Errorf("operand %d: got %v, want floats of one type", i, d)
		}
	}
	if want := map[bool]int{false: 2, true: 1}[g.Vector]; z.Rank() != want {
		return nil, fmt.Errorf("got a product of %d dimensions, want %d", z.Rank(), want)
	}
	if in[gemmAlpha].Type.Rank() != 0 || in[gemmBeta].Type.Rank() != 0 {
		return nil, fmt.Errorf("got factors %v and %v, want numbers", in[gemmAlpha].Type, in[gemmBeta].Type)
	}
	dims, err := broadcastDims([]graph.Type{z, in[gemmC].Type})
	if err != nil {
		return nil, err
	}
	sum := graph.TypeOf(z.DType, dims...)
	if !sameBroadcast(sum, z) || g.Inplace && !sameBroadcast(sum, in[gemmC].Type) {
		return nil, tensor.ShapeErrorf("shapes %s and %s do not fit: the result has another shape",
			typeShapes([]graph.Type{in[gemmC].Type}), staticShape(z))
	}
	return []graph.Type{sum}, nil
}

func (g Gemm) DestroyMap() []graph.Alias {
	if !g.Inplace {
		return nil
	}
	return []graph.Alias{{Out: 0, In: gemmC}}
}

func (g Gemm) Link(node *graph.Apply, sets kernels.Sets) (Thunk, string, error) {
	d := node.Outputs[0].Type.DType
	gemm, impl, ok := sets.Gemm(d)
	if !ok {
		return nil, "", fmt.Errorf("BUG: no kernel for dot of %v", d)
	}
	shape := make([]int, node.Outputs[0].Type.Rank())
	return func(c *Call, in, out []*tensor.Dense) error {
		x, y, z := in[gemmA], in[gemmB], in[gemmC]
		if err := dotShape(shape, x, y); err != nil {
			return err
		}
		for axis, n := range shape {
			if !node.Inputs[gemmC].Type.Broadcasts(axis) && z.Dim(axis) != n {
				return tensor.ShapeErrorf("shapes %s and %s do not fit: axis %d is %d and %d",
					tensor.ShapeString(z.Shape()), tensor.ShapeString(shape), axis, z.Dim(axis), n)
			}
		}
		if out[0] = z; !g.Inplace {
			out[0] = c.Alloc(0, d, shape)
		}
		m, k, n, p, q, r := dotOperands(c, x, y, out[0])
		s := r
		if !g.Inplace {
			s = addend(x, operand(z, node.Inputs[gemmC].Type))
		}
		if !gemm.One(m, n, k, number(in[gemmAlpha]), p, q, number(in[gemmBeta]), s, r, c.Stop) {
			return ErrStopped
		}
		return nil
	}, impl, nil
}

// addend sees c as dotOperands sees the product of x and something: a vector is a column, or a row
// if x is a vector.
func addend(x *tensor.Dense, c kernels.Operand) kernels.Matrix {
	z := kernels.Matrix{Data: c.Data}
	if x.Rank() == 1 {
		z.Col = c.Strides[0]
		return z
	}
	if z.Row = c.Strides[0]; len(c.Strides) == 2 {
		z.Col = c.Strides[1]
	}
	return z
}

// number reads a 0-d array of floats.
func number(a *tensor.Dense) float64 {
	if a.DType() == kernels.Float32 {
		return float64(tensor.Elements[float32](a)[0])
	}
	return tensor.Elements[float64](a)[0]
}

// Cost is that of the product, and of two operations for each element of the result. It reads c,
// which the compiler makes one element where beta is 0.
func (g Gemm) Cost(in, out []graph.Array) graph.Cost {
	return graph.Once(Dot{}.Cost(in[gemmA:gemmB+1], out).Flops+2*out[0].Elements(), in, out)
}

func (g Gemm) base() string {
	if g.Vector {
		return "Gemv"
	}
	return "Gemm"
}

func (g Gemm) Label() string {
	if g.Inplace {
		return g.base() + "{inplace}"
	}
	return g.base() + "{no_inplace}"
}

func (g Gemm) Class() string { return "tensor.blas." + g.base() }

func (g Gemm) Length(m Maker, v V, axis int) V {
	x, y := v.Owner.Inputs[gemmA], v.Owner.Inputs[gemmB]
	if axis == 0 && x.Type.Rank() == 2 {
		return length(m, x, 0)
	}
	return length(m, y, y.Type.Rank()-1)
}

func (g Gemm) Traits() Traits { return Late }

var _ = register(Gemm{}, Gemm{Vector: true})

// Cases have finite factors: infinity times a sum is not the sum of infinite products, and which of
// them is computed is left open.
func (g Gemm) Cases() []Case {
	if g.Vector {
		return slices.Concat(cases("floats[2] floats~finite floats[2,3] floats[3] floats~finite", g, Gemm{Vector: true, Inplace: true}), cases("floats[1] floats~finite floats[2] floats[2,3] floats~finite", g))
	}
	return slices.Concat(cases("floats[2,4] floats~finite floats[2,3] floats[3,4] floats~finite", g, Gemm{Inplace: true}), cases("floats[1,4] floats~finite floats[2,3] floats[3,4] floats~finite", g),
		cases("floats[2,4] floats~finite floats[2,0] floats[0,4] floats~finite", g))
}

func (g Gemm) Requires(m Maker, node *graph.Apply) []Requirement {
	r := requirements{m: m}
	x, y, z := node.Inputs[gemmA], node.Inputs[gemmB], node.Inputs[gemmC]
	last := x.Type.Rank() - 1
	r.equal(r.length(x, last), r.length(y, 0), last)
	for axis := range z.Type.Rank() {
		if !z.Type.Broadcasts(axis) {
			r.alike(g.Length(m, node.Outputs[0], axis), r.length(z, axis), axis)
		}
	}
	return r.list
}
