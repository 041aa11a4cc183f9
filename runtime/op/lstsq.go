package op

import (
	"fmt"
	"slices"

	"github.com/arignote/arignote/kernels"
	"github.com/arignote/arignote/kernels/linalg"
	"github.com/arignote/arignote/runtime/graph"
	"github.com/arignote/arignote/runtime/tensor"
)

// Lstsq is the x for which |b - a·x| is least, of a: [m,n] and b: [m,p] or [m]; the squares of what
// is left of each column of b, none where a has not full rank or not more rows than columns; the
// rank of a; and its singular values. Singular values of at most rcond, the third operand, times
// the largest count as 0.
type Lstsq struct{}

var _ = register(Lstsq{})

func (Lstsq) Name() string  { return "lstsq" }
func (Lstsq) Label() string { return "lstsq" }
func (Lstsq) Class() string { return classNlinalg + "lstsq" }

// Coerce gives the operands one floating point type.
func (o Lstsq) Coerce(b *graph.Builder, in []V) ([]V, error) {
	out := toCommonType(b, in)
	for i, v := range out {
		if !v.Type.DType.IsFloat() {
			out[i] = castTo(b, v, kernels.Float64)
		}
	}
	return out, nil
}

func (o Lstsq) Infer(in []V) ([]graph.Type, error) {
	if err := arity(in, 3); err != nil {
		return nil, err
	}
	a, b := in[0].Type, in[1].Type
	switch {
	case a.Rank() != 2 || b.Rank() < 1 || b.Rank() > 2 || in[2].Type.Rank() != 0:
		return nil, fmt.Errorf("got %d, %d and %d dimensions, want a matrix, a vector or a matrix, and a number", a.Rank(), b.Rank(), in[2].Type.Rank())
	case !a.DType.IsFloat() || b.DType != a.DType || in[2].Type.DType != a.DType:
		return nil, fmt.Errorf("got %v, %v and %v, want floats of one type", a, b, in[2].Type)
	}
	m, rows := a.Dim(0), b.Dim(0)
	if m != rows && m != graph.Unknown && rows != graph.Unknown {
		return nil, lstsqMismatch(staticShape(a), staticShape(b), m, rows)
	}
	least := min(m, a.Dim(1))
	if m == graph.Unknown || a.Dim(1) == graph.Unknown {
		least = graph.Unknown
	}
	return []graph.Type{graph.TypeOf(a.DType, append([]int{a.Dim(1)}, b.Dims()[1:]...)...), graph.TypeOf(a.DType, graph.Unknown),
		graph.TypeOf(kernels.Int64), graph.TypeOf(a.DType, least)}, nil
}

func lstsqMismatch(a, b string, m, rows int) error {
	return tensor.ShapeErrorf("shapes %s and %s do not fit: axis 0 of the first is %d and axis 0 of the second is %d", a, b, m, rows)
}

func (o Lstsq) Link(node *graph.Apply, sets kernels.Sets) (Thunk, string, error) {
	d := node.Outputs[0].Type.DType
	product, impl, err := LinkProduct(sets)
	if err != nil {
		return nil, "", err
	}
	return func(c *Call, in, out []*tensor.Dense) error {
		a, b := in[0], in[1]
		if a.Dim(0) != b.Dim(0) {
			return lstsqMismatch(tensor.ShapeString(a.Shape()), tensor.ShapeString(b.Shape()), a.Dim(0), b.Dim(0))
		}
		m, n, p := a.Dim(0), a.Dim(1), tensor.Size(b.Shape()[1:])
		var z linalg.LeastSquares
		flops := lstsqFlops(m, n, p)
		long := flops > interruptibleFlops // a routine that is left behind must not read others' memory
		x, _ := c.elements(a, long)
		y, _ := c.elements(b, long)
		limit := in[2].Floats()[0]
		err := c.interruptible(flops, func() (err error) {
			z, err = linalg.Lstsq(linalg.Matrix{Rows: m, Cols: n, Data: x, Product: product}, linalg.Matrix{Rows: m, Cols: p, Data: y}, limit)
			return err
		})
		if err != nil {
			return err
		}
		out[0] = c.Alloc(0, d, append([]int{n}, b.Shape()[1:]...))
		out[1] = c.Alloc(1, d, []int{len(z.Residuals)})
		out[2] = c.Alloc(2, kernels.Int64, nil)
		out[3] = c.Alloc(3, d, []int{len(z.SingularValues)})
		for i, values := range [][]float64{z.X.Data, z.Residuals, {float64(z.Rank)}, z.SingularValues} {
			put(out[i], 0, values)
		}
		return nil
	}, impl, nil
}

// lstsqFlops are those of the singular values, and of the products with the vectors.
func lstsqFlops(m, n, p int) float64 {
	return svdFlops(float64(m), float64(n), true) + 2*float64(p)*float64(min(m, n))*float64(m+n)
}

func (o Lstsq) Cost(in, out []graph.Array) graph.Cost {
	m, n := in[0].Shape[0], in[0].Shape[1]
	return graph.Once(lstsqFlops(m, n, tensor.Size(in[1].Shape[1:])), in, out)
}

func (o Lstsq) Length(m Maker, v V, axis int) V {
	a, b := v.Owner.Inputs[0], v.Owner.Inputs[1]
	switch {
	case v.Index == 0 && axis == 0:
		return length(m, a, 1)
	case v.Index == 0:
		return length(m, b, 1)
	case v.Index == 3:
		return m.Apply(Minimum, length(m, a, 0), length(m, a, 1))
	}
	return nil // how many residuals there are depends on the rank
}

// Grad is that of pinv(a)·b.
func (o Lstsq) Grad(b *graph.Builder, node *graph.Apply, g []*graph.Variable) []*graph.Variable {
	a := algebra{b}
	switch {
	case g[1] != nil:
		a.refuse(o, "the residuals have no gradient, since there may be none; use sum((b - dot(a, x))**2, axis=0)")
	case g[3] != nil:
		a.refuse(o, "the singular values have no gradient here; use svd(a, compute_uv=False)")
	}
	x, y, rcond, gx := node.Inputs[0], node.Inputs[1], node.Inputs[2], g[0]
	vector := y.Type.Rank() == 1
	if vector {
		y, gx = a.column(y), a.column(gx)
	}
	p := a.Apply(Pinv{}, x, rcond)
	gy := a.mul(a.t(p), gx)
	if vector {
		gy = a.Apply(Subtensor{": 0"}, gy)
	}
	return []V{pinvGrad(a, x, p, a.mul(gx, a.t(y))), gy, nil}
}

func (o Lstsq) Traits() Traits { return Jumps }

func (o Lstsq) Requires(m Maker, node *graph.Apply) []Requirement {
	r := requirements{m: m}
	r.equal(r.length(node.Inputs[0], 0), r.length(node.Inputs[1], 0), 0)
	return r.list
}

func (o Lstsq) Cases() []Case {
	return slices.Concat(cases("floats[3,2](1 2 3 4 5 7) floats[3](1 2 4) floats(1e-6)", o), cases("float64[5,3]~regular float64[5,2] float64(1e-15)", o),
		cases("float64[2,3] float64[2] float64(1e-15)", o), cases("float64[3,2](1 2 2 4 3 6) float64[3] float64(1e-15)", o),
		cases("float32[3,2](1 2 3 4 5 7) integers[3](1 2 4) float32(1e-6)", o))
}
