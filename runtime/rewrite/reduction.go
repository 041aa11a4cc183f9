package rewrite

import (
	"math"

	"github.com/arignote/arignote/runtime/graph"
	"github.com/arignote/arignote/runtime/op"
	"github.com/arignote/arignote/runtime/tensor"
)

var (
	_ = goRule("local_useless_reduce", groupUseless, uselessReduce, typeOf[op.Reduce]())
	_ = goRule("local_reduce_broadcastable", groupUseless, reduceLengthOne, typeOf[op.Reduce]())
	_ = goRule("local_op_of_op", groupCanonicalize, reduceTwice, typeOf[op.Reduce]())
	_ = goRule("local_reduce_dimshuffle", groupCanonicalize, reduceDimShuffle, typeOf[op.Reduce]())
	_ = goRule("local_sum_neg", groupCanonicalize, sumNeg, typeOf[op.Reduce]())
	_ = goRule("local_sum_prod_mul_by_scalar", groupSpecialize, sumFactor, typeOf[op.Reduce]()).unstable(
		"func(k float64[1], x float64[?])\n\tv1 = mul k x\n\tv2 = sum{axes=0} v1\n\treturn v2", "k = nan, x = []")
	_ = goRule("local_sum_alloc", groupCanonicalize, sumAlloc, typeOf[op.Reduce]())
	_ = goRule("local_log_sum_exp", groupStabilize, logSumExp, op.Log)
	_ = goRule("local_softmax_from_logsoftmax", groupSpecialize, softmaxFromLog, op.Softmax{})
	_ = goRule("local_softmax", groupStabilize, softmax, op.TrueDiv)
)

// uselessReduce: a reduction over no axis.
func uselessReduce(c *Context, node *graph.Apply) *graph.Variable {
	if node.Op.(op.Reduce).Axes != 0 {
		return nil
	}
	return c.Cast(node.Inputs[0], node.Outputs[0].Type.DType)
}

// reduceLengthOne: axes of length 1 are dropped instead.
func reduceLengthOne(c *Context, node *graph.Apply) *graph.Variable {
	r, x := node.Op.(op.Reduce), node.Inputs[0]
	var drop tensor.Axes
	for _, axis := range r.Axes.List() {
		if x.Type.Broadcasts(axis) {
			drop |= tensor.AxesOf(axis)
		}
	}
	if drop == 0 {
		return nil
	}
	var keep []int
	var rest tensor.Axes
	for axis := range x.Type.Rank() {
		if drop.Has(axis) {
			continue
		}
		if r.Axes.Has(axis) {
			rest |= tensor.AxesOf(len(keep))
		}
		keep = append(keep, axis)
	}
	v := c.Apply(op.NewDimShuffle(keep), x)
	return c.Apply(op.Reduce{Kind: r.Kind, Axes: rest}, v)
}

// reduceTwice: sum(sum(x)) over both axes at once.
func reduceTwice(c *Context, node *graph.Apply) *graph.Variable {
	r, x := node.Op.(op.Reduce), node.Inputs[0]
	inner, ok := x.Op().(op.Reduce)
	if !ok || inner.Kind != r.Kind || c.reused(x) {
		return nil
	}
	c.origin = absorb(node, x.Owner)
	axes, kept := inner.Axes, 0
	for axis := range x.Owner.Inputs[0].Type.Rank() {
		if inner.Axes.Has(axis) {
			continue
		}
		if r.Axes.Has(kept) {
			axes |= tensor.AxesOf(axis)
		}
		kept++
	}
	return c.fit(node, c.Apply(op.Reduce{Kind: r.Kind, Axes: axes}, x.Owner.Inputs[0]))
}

// reduceDimShuffle: the order of axes does not matter to a reduction over all of them.
func reduceDimShuffle(c *Context, node *graph.Apply) *graph.Variable {
	r, x := node.Op.(op.Reduce), node.Inputs[0]
	if _, ok := x.Op().(op.DimShuffle); !ok || r.Axes != tensor.AllAxes(x.Type.Rank()) {
		return nil
	}
	y := x.Owner.Inputs[0]
	kept := 0
	for _, a := range pattern(x.Owner.Op) {
		if a != tensor.NewAxis {
			kept++
		}
	}
	if kept < y.Type.Rank() {
		return nil // it drops axes of length 1, as local_reduce_broadcastable wants
	}
	return c.fit(node, c.Apply(op.Reduce{Kind: r.Kind, Axes: tensor.AllAxes(y.Type.Rank())}, y))
}

// sumNeg: sum(-x) => -sum(x).
func sumNeg(c *Context, node *graph.Apply) *graph.Variable {
	r, x := node.Op.(op.Reduce), node.Inputs[0]
	if r.Kind != op.Sum || x.Op() != graph.Op(op.Neg) || x.Type.DType != node.Outputs[0].Type.DType {
		return nil
	}
	y := x.Owner.Inputs[0]
	if y.Type.DType != x.Type.DType || c.reused(x) {
		return nil
	}
	return c.applyFor(x.Owner, op.Neg, c.Apply(r, y))
}

// sumFactor: sum(k*x) => k*sum(x) and sum(x/k) => sum(x)/k where k is the same along the summed axes. If others read k*x too, it
// is left to them where k is a number and x lies in memory already.
func sumFactor(c *Context, node *graph.Apply) *graph.Variable {
	r, x := node.Op.(op.Reduce), node.Inputs[0]
	o, _ := x.Op().(op.Elemwise)
	if r.Kind != op.Sum || o != op.Mul && o != op.TrueDiv || x.Type.DType != node.Outputs[0].Type.DType {
		return nil
	}
	var keep []int
	for axis := range x.Type.Rank() {
		if !r.Axes.Has(axis) {
			keep = append(keep, axis)
		}
	}
	for i, k := range x.Owner.Inputs {
		rest := x.Owner.Inputs[1-i]
		if o == op.TrueDiv && i == 0 || k.Type.DType != x.Type.DType || rest.Type.DType != x.Type.DType || !fits(x.Type,
			rest.Type) {
			continue
		}
		if !broadcastsAlong(k.Type, r.Axes) || c.uses(x) > 1 && (rest.Owner != nil || !isSingle(k.Type)) {
			continue
		}
		small := c.Apply(op.NewDimShuffle(keep), k)
		total := c.Apply(r, rest)
		if o == op.TrueDiv {
			return c.fit(node, c.applyFor(x.Owner, o, total, small))
		}
		return c.fit(node, c.applyFor(x.Owner, o, small, total))
	}
	return nil
}

func broadcastsAlong(t graph.Type, axes tensor.Axes) bool {
	for _, axis := range axes.List() {
		if !t.Broadcasts(axis) {
			return false
		}
	}
	return true
}

// sumAlloc: a sum of one value repeated n times is n times the value. Where n is 0 it is 0, even if the value is nan.
func sumAlloc(c *Context, node *graph.Apply) *graph.Variable {
	r, x := node.Op.(op.Reduce), node.Inputs[0]
	d := node.Outputs[0].Type.DType
	if r.Kind != op.Sum || x.Op() != graph.Op(op.Alloc{}) && x.Op() != graph.Op(op.Second) || !d.IsFloat() {
		return nil
	}
	value := x.Owner.Inputs[0]
	if x.Op() == graph.Op(op.Second) {
		value = x.Owner.Inputs[1]
	}
	if r.Axes != tensor.AllAxes(x.Type.Rank()) || !broadcastsAlong(value.Type, r.Axes) {
		return nil
	}
	var count *graph.Variable
	for axis := range x.Type.Rank() {
		n := c.Length(x, axis)
		if count == nil {
			count = n
		} else {
			count = c.Apply(op.Mul, count, n)
		}
	}
	if count == nil {
		return nil
	}
	product := c.Apply(op.Mul, c.Cast(count, d), c.Apply(op.NewDimShuffle(nil), value))
	n, known := c.scalar(count)
	if e, ok := c.scalar(value); !known || n == 0 {
		if !ok || math.IsNaN(e) || math.IsInf(e, 0) {
			none := c.Apply(op.Eq, count, c.Like(count, 0))
			product = c.Apply(op.Switch, none, c.Like(product, 0), product)
		}
	}
	return c.fit(node, product)
}

// logSumExp: log(sum(exp(x))) => m + log(sum(exp(x - m))) where m = max(x), which neither overflows nor underflows. Where
// m is infinite, 0 is subtracted, so that inf stays inf and -inf stays -inf.
func logSumExp(c *Context, node *graph.Apply) *graph.Variable {
	sum := node.Inputs[0]
	r, ok := sum.Op().(op.Reduce)
	if !ok || r.Kind != op.Sum || r.Axes == 0 {
		return nil
	}
	e := sum.Owner.Inputs[0]
	if e.Op() != graph.Op(op.Exp) || !e.Owner.Inputs[0].Type.DType.IsFloat() {
		return nil
	}
	x := e.Owner.Inputs[0]
	if isShifted(c, x) {
		return nil
	}
	if c.uses(sum) <= 1 && c.uses(e) <= 1 {
		c.origin = absorb(node, sum.Owner, e.Owner)
	}
	m := c.Apply(op.Reduce{Kind: op.Sup, Axes: r.Axes}, x)
	m = c.Apply(op.Switch, c.Apply(op.IsInf, m), c.Like(m, 0), m)
	c.clients[m] = 2 // here and in the result: its computation must not be repeated behind a dimshuffle
	wide := c.Apply(op.NewDimShuffle(op.Restore(r.Axes, x.Type.Rank())), m)
	total := c.Apply(r, c.Apply(op.Exp, c.Apply(op.Sub, x, wide)))
	return c.fit(node, c.Apply(op.Add, m, c.Apply(op.Log, total)))
}

// isShifted recognises what logSumExp makes, and what users write to the same end: x - max(x).
func isShifted(c *Context, x *graph.Variable) bool {
	if x.Op() != graph.Op(op.Sub) {
		return false
	}
	for _, node := range graph.Toposort([]*graph.Variable{x.Owner.Inputs[1]}) {
		if r, ok := node.Op.(op.Reduce); ok && (r.Kind == op.Max || r.Kind == op.Sup) {
			return true
		}
	}
	return false
}

// softmax: exp(x) / sum(exp(x)) along the last axis, with the axis restored, is softmax(x), which subtracts the maximum first.
func softmax(c *Context, node *graph.Apply) *graph.Variable {
	e, wide := node.Inputs[0], node.Inputs[1]
	if e.Op() != graph.Op(op.Exp) || !e.Owner.Inputs[0].Type.DType.IsFloat() {
		return nil
	}
	if _, ok := wide.Op().(op.DimShuffle); !ok {
		return nil
	}
	rank := e.Type.Rank()
	last := tensor.AxesOf(max(rank-1, 0))
	sum := wide.Owner.Inputs[0]
	if rank == 0 || sum.Op() != graph.Op(op.Reduce{Kind: op.Sum, Axes: last}) || sum.Owner.Inputs[0] != e ||
		wide.Op() != graph.Op(op.NewDimShuffle(op.Restore(last, rank))) {
		return nil
	}
	c.origin = absorb(node, sum.Owner, e.Owner)
	return c.fit(node, c.Apply(op.Softmax{}, e.Owner.Inputs[0]))
}

// softmaxFromLog: softmax(x) => exp(logsoftmax(x)) where that is computed too, so that one of two passes over the rows is left.
func softmaxFromLog(c *Context, node *graph.Apply) *graph.Variable {
	x := node.Inputs[0]
	for _, reader := range c.readers[x] {
		if reader.Node != nil && reader.Node.Op == graph.Op(op.Softmax{Log: true}) {
			v := reader.Node.Outputs[0] // itself, and not its equal: with a reader more it does not become softmax again
			c.clients[v]++
			return c.Apply(op.Exp, v)
		}
	}
	return nil
}
