package rewrite

import (
	"slices"

	"github.com/arignote/arignote/runtime/graph"
	"github.com/arignote/arignote/runtime/op"
	"github.com/arignote/arignote/runtime/tensor"
)

var (
	_ = goRule("local_sumsqr2dot", groupCanonicalize, sumSquares, typeOf[op.Reduce]()).needing(kinOf(op.Sqr)).tagged(Stabilizing)
	_ = goRule("local_sum_mul_to_dot", groupCanonicalize, sumProducts, typeOf[op.Reduce]()).needing(kinOf(op.Mul)).tagged(Stabilizing)
	_ = goRule("local_0_dot_x", groupCanonicalize, dotZeros, op.Dot{}).unstable(
		"func(x float64[2])\n\tv1 = alloc float64[1](0) 2\n\tv2 = dot v1 x\n\treturn v2", "x = inf")
)

// factors are those of a product of floats that a sum adds up, each of which broadcasts along axes
// that the other has: the array of all products is larger than both. It is nil if node is something
// else.
func (c *Context) factors(node *graph.Apply, product *graph.Variable) (x, y *graph.Variable) {
	if node.Op.(op.Reduce).Kind != op.Sum || product.Op() != graph.Op(op.Mul) {
		return nil, nil
	}
	x, y = product.Owner.Inputs[0], product.Owner.Inputs[1]
	d := node.Outputs[0].Type.DType
	if !d.IsFloat() || x.Type.DType != d || y.Type.DType != d {
		return nil, nil
	}
	ofX, ofY := false, false
	for axis := range x.Type.Rank() {
		ofX = ofX || !x.Type.Broadcasts(axis) && y.Type.Broadcasts(axis)
		ofY = ofY || x.Type.Broadcasts(axis) && !y.Type.Broadcasts(axis)
	}
	if !ofX || !ofY || c.reused(product) {
		return nil, nil
	}
	return x, y
}

// sumSquares: sum(sqr(x*y)) => sum(sqr(x)*sqr(y)) where x and y broadcast to what is larger than
// both, so that the squares are of the small arrays. The squared norms of the gradients of all
// examples are such a sum.
func sumSquares(c *Context, node *graph.Apply) *graph.Variable {
	square := node.Inputs[0]
	if square.Op() != graph.Op(op.Sqr) {
		return nil
	}
	product := square.Owner.Inputs[0]
	x, y := c.factors(node, product)
	if x == nil || c.reused(square) {
		return nil
	}
	squares := c.applyFor(product.Owner, op.Mul, c.Apply(op.Sqr, x), c.Apply(op.Sqr, y))
	return c.fit(node, c.Apply(node.Op, squares))
}

// sumProducts: sum(x[:, None]*y[None], axis) => dot(x, y) where x and y broadcast to what is larger
// than both, so that the products are never stored. An axis that one of them alone has and that is
// summed is summed before. The product is of the type that the sum is added up in. Of products that
// overflow on the way the sum may be a number.
func sumProducts(c *Context, node *graph.Apply) *graph.Variable {
	product := node.Inputs[0]
	x, y := c.factors(node, product)
	if x == nil {
		return nil
	}
	sum := node.Op.(op.Reduce)
	rank := x.Type.Rank()
	var batch, rows, columns, inner []int // axes that both have and keep, that x has alone, that y has alone, and that are summed
	var ofX, ofY tensor.Axes              // that one has alone and that are summed
	for axis := range rank {
		wideX, wideY := !x.Type.Broadcasts(axis), !y.Type.Broadcasts(axis)
		switch summed := sum.Axes.Has(axis); {
		case summed && wideX && wideY:
			inner = append(inner, axis)
		case summed && wideX:
			ofX = ofX.With(tensor.AxesOf(axis))
		case summed:
			ofY = ofY.With(tensor.AxesOf(axis))
		case wideX && !wideY:
			rows = append(rows, axis)
		case wideY && !wideX:
			columns = append(columns, axis)
		default:
			batch = append(batch, axis)
		}
	}
	switch {
	case !ofX.With(ofY).None():
		rest := sum.Axes.Without(ofX).Without(ofY)
		x, y = c.summed(x, ofX), c.summed(y, ofY)
		v := c.applyFor(product.Owner, op.Mul, x, y) // of length 1 along the axes that were summed
		return c.fit(node, c.Apply(sum.Over(rest.With(ofX).With(ofY)), v))
	case len(inner) != 1 || len(rows) != 1 || len(columns) != 1:
		return nil
	}
	left := c.Apply(op.NewDimShuffle(slices.Concat(batch, rows, inner)), x)
	right := c.Apply(op.NewDimShuffle(slices.Concat(batch, inner, columns)), y)
	var o graph.Op = op.Dot{}
	if len(batch) > 0 {
		o = op.Matmul{}
	}
	z := c.applyFor(product.Owner, o, c.accumulated(sum, left), c.accumulated(sum, right))
	z = c.Cast(z, node.Outputs[0].Type.DType)
	order := make([]int, 0, rank) // where the axes that are kept are in z
	at := make(map[int]int)
	for i, axis := range slices.Concat(batch, rows, columns) {
		at[axis] = i
	}
	for axis := range rank {
		if !sum.Axes.Has(axis) {
			order = append(order, at[axis])
		}
	}
	return c.fit(node, c.Apply(op.NewDimShuffle(order), z))
}

// summed is the sum of v along axes, which stay with length 1.
func (c *Context) summed(v *graph.Variable, axes tensor.Axes) *graph.Variable {
	if axes.None() {
		return v
	}
	return c.Apply(op.NewDimShuffle(op.Restore(axes, v.Type.Rank())), c.Apply(op.Reduce{Kind: op.Sum, Axes: axes}, v))
}

// dotZeros: a product with zeros is zeros.
func dotZeros(c *Context, node *graph.Apply) *graph.Variable {
	x, y, t := node.Inputs[0], node.Inputs[1], node.Outputs[0].Type
	if !t.DType.IsFloat() || !c.isZeros(x) && !c.isZeros(y) {
		return nil
	}
	zero := c.builder().Number(t.DType, 0)
	var lengths []*graph.Variable
	if x.Type.Rank() == 2 {
		lengths = append(lengths, c.Length(x, 0))
	}
	if y.Type.Rank() == 2 {
		lengths = append(lengths, c.Length(y, 1))
	}
	if len(lengths) == 0 {
		return c.fit(node, zero)
	}
	return c.fit(node, c.Apply(op.Alloc{}, append([]*graph.Variable{zero}, lengths...)...))
}
