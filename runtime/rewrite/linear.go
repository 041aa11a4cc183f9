package rewrite

import (
	"math"

	"github.com/arignote/arignote/runtime/graph"
	"github.com/arignote/arignote/runtime/op"
	"github.com/arignote/arignote/runtime/tensor"
)

// Rules about inverses, determinants and factors. Those of Theano and PyTensor that trust a hint of
// the user's, or that lose the error of a singular matrix (inv(inv(x)) => x), are left out.
var (
	_ = goRule("local_inv_as_solve", groupStabilize, invAsSolve, op.Dot{}, op.Matmul{})
	_ = goRule("local_solve_triangular", groupStabilize, solveTriangular, op.Solve{})
	_ = goRule("local_cholesky_ldotlt", groupStabilize, choleskyOfProduct, op.Cholesky{}, op.Cholesky{NaN: true})
	_ = goRule("local_log_det", groupStabilize, logDet, op.Log)
)

// transposed is x where v is x with its last two axes exchanged.
func transposed(v *graph.Variable) *graph.Variable {
	if rank := v.Type.Rank(); rank >= 2 && v.Op() == graph.Op(exchange(rank)) {
		return v.Owner.Inputs[0]
	}
	return nil
}

// exchange exchanges the last two axes.
func exchange(rank int) op.DimShuffle {
	axes := make([]int, rank)
	for i := range axes {
		axes[i] = i
	}
	axes[rank-2], axes[rank-1] = rank-1, rank-2
	return op.NewDimShuffle(axes)
}

func (c *Context) transpose(v *graph.Variable) *graph.Variable {
	if x := transposed(v); x != nil {
		return x
	}
	return c.Apply(exchange(v.Type.Rank()), v)
}

// invAsSolve: inv(a)·y => solve(a, y), and x·inv(a) => solve(aᵀ, xᵀ)ᵀ, which is a third of the work
// and loses fewer digits.
func invAsSolve(c *Context, node *graph.Apply) *graph.Variable {
	x, y := node.Inputs[0], node.Inputs[1]
	if a := c.inverseOf(x, y); a != nil {
		if y.Type.Rank() > 1 {
			return c.Apply(op.Solve{}, a, y)
		}
		column := c.Apply(op.NewDimShuffle([]int{0, tensor.NewAxis}), y)
		return c.Apply(op.NewDimShuffle([]int{0}), c.Apply(op.Solve{}, a, column))
	}
	a := c.inverseOf(y, x)
	if a == nil {
		return nil
	}
	if x.Type.Rank() > 1 {
		return c.transpose(c.Apply(op.Solve{}, c.transpose(a), c.transpose(x)))
	}
	column := c.Apply(op.NewDimShuffle([]int{0, tensor.NewAxis}), x)
	return c.Apply(op.NewDimShuffle([]int{0}), c.Apply(op.Solve{}, c.transpose(a), column))
}

// inverseOf is a where v is inv(a), which nobody else reads and which is as large as the other
// factor's stack: solve would take one matrix apart several times.
func (c *Context) inverseOf(v, other *graph.Variable) *graph.Variable {
	if v.Op() != graph.Op(op.Inv{}) || !v.Type.DType.IsFloat() || other.Type.DType != v.Type.DType || c.reused(v) {
		return nil
	}
	for axis := range v.Type.Rank() - 2 {
		if v.Type.Broadcasts(axis) && !other.Type.Broadcasts(axis) {
			return nil
		}
	}
	return v.Owner.Inputs[0]
}

// isCholesky reports whether v is a lower triangular factor.
func isCholesky(v *graph.Variable) bool {
	_, ok := v.Op().(op.Cholesky)
	return ok
}

// solveTriangular: a factor of cholesky, or its transpose, is triangular.
func solveTriangular(c *Context, node *graph.Apply) *graph.Variable {
	a, b := node.Inputs[0], node.Inputs[1]
	if isCholesky(a) {
		return c.Apply(op.SolveTriangular{}, a, b)
	}
	if x := transposed(a); x != nil && isCholesky(x) {
		return c.Apply(op.SolveTriangular{Trans: true}, x, b)
	}
	return nil
}

// choleskyOfProduct: cholesky(l·lᵀ) => l for a factor l of cholesky.
func choleskyOfProduct(c *Context, node *graph.Apply) *graph.Variable {
	p := node.Inputs[0]
	if p.Op() != graph.Op(op.Dot{}) && p.Op() != graph.Op(op.Matmul{}) {
		return nil
	}
	if l := p.Owner.Inputs[0]; isCholesky(l) && transposed(p.Owner.Inputs[1]) == l && l.Type.DType == node.Outputs[0].Type.DType {
		return l
	}
	return nil
}

// logDet: log(|det(x)|) is the second result of slogdet(x), which neither overflows nor underflows,
// and so is log(det(x)) unless the sign is negative. Of a factor of cholesky, which is triangular,
// it is the sum of the logarithms of the diagonal.
func logDet(c *Context, node *graph.Apply) *graph.Variable {
	d := node.Inputs[0]
	absolute := d.Op() == graph.Op(op.Abs)
	if absolute {
		if c.reused(d) {
			return nil
		}
		d = d.Owner.Inputs[0]
	}
	if d.Op() != graph.Op(op.Det{}) || c.reused(d) {
		return nil
	}
	x := d.Owner.Inputs[0]
	if isCholesky(x) {
		rank := x.Type.Rank()
		n := c.Length(x, rank-1)
		number := func(v int64) *graph.Variable { return c.Constant(tensor.IntScalar(n.Type.DType, v)) }
		count := c.Apply(op.ARange{}, number(0), n, number(1))
		rows, columns := c.Apply(op.NewDimShuffle([]int{0, tensor.NewAxis}), count), c.Apply(op.NewDimShuffle([]int{tensor.NewAxis, 0}), count)
		diagonal := c.Apply(op.Switch, c.Apply(op.Eq, rows, columns), x, c.Like(x, 1))
		return c.Apply(op.Reduce{Kind: op.Sum, Axes: tensor.AxesOf(rank-2, rank-1)}, c.Apply(op.Log, diagonal))
	}
	out, err := c.builder().Make(op.SLogDet{}, x)
	if err != nil {
		return nil
	}
	if absolute {
		return out[1]
	}
	return c.Apply(op.Switch, c.Apply(op.Lt, out[0], c.Like(out[0], 0)), c.Like(out[1], math.NaN()), out[1])
}
