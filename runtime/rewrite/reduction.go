package rewrite

import (
	"math"
	"slices"

	"github.com/arignote/arignote/runtime/graph"
	"github.com/arignote/arignote/runtime/op"
	"github.com/arignote/arignote/runtime/tensor"
)

var (
	_ = goRule("local_useless_reduce", groupUseless, uselessReduce, typeOf[op.Reduce]())
	_ = goRule("local_reduce_broadcastable", groupUseless, reduceLengthOne, typeOf[op.Reduce]())
	_ = goRule("local_op_of_op", groupCanonicalize, reduceTwice, typeOf[op.Reduce]()).needing(ofReductions)
	_ = goRule("local_reduce_dimshuffle", groupCanonicalize, reduceDimShuffle, typeOf[op.Reduce]()).needing(ofDimShuffles)
	_ = goRule("local_reduce_join", groupCanonicalize, reduceJoin, typeOf[op.Reduce]()).needing(ofJoins)
	_ = goRule("local_sum_make_vector", groupCanonicalize, reduceMakeVector, typeOf[op.Reduce]()).needing(ofMakeVectors)
	_ = goRule("local_sum_neg", groupCanonicalize, sumNeg, typeOf[op.Reduce]()).needing(kinOf(op.Neg))
	_ = goRule("local_sum_prod_mul_by_scalar", groupSpecialize, sumFactor, typeOf[op.Reduce]()).unstable(
		"func(k float64[1], x float64[?])\n\tv1 = mul k x\n\tv2 = sum{axes=0} v1\n\treturn v2", "k = nan, x = []")
	_ = goRule("local_sum_alloc", groupCanonicalize, sumAlloc, typeOf[op.Reduce]()).needingOne(ofAllocs | kinOf(op.Second))
	_ = goRule("local_reduce_alloc", groupCanonicalize, reduceAlloc, typeOf[op.Reduce]()).needingOne(ofAllocs | kinOf(op.Second))
	_ = goRule("local_log_sum_exp", groupStabilize, logSumExp, op.Log)
	_ = goRule("local_softmax_from_logsoftmax", groupSpecialize, softmaxFromLog, op.Softmax{})
	_ = goRule("local_softmax", groupStabilize, softmax, op.TrueDiv)
)

// uselessReduce: a reduction over no axis.
func uselessReduce(c *Context, node *graph.Apply) *graph.Variable {
	if !node.Op.(op.Reduce).Axes.None() {
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
			drop = drop.With(tensor.AxesOf(axis))
		}
	}
	if drop.None() {
		return nil
	}
	var keep []int
	var rest tensor.Axes
	for axis := range x.Type.Rank() {
		if drop.Has(axis) {
			continue
		}
		if r.Axes.Has(axis) {
			rest = rest.With(tensor.AxesOf(len(keep)))
		}
		keep = append(keep, axis)
	}
	v := c.Apply(op.NewDimShuffle(keep), x)
	return c.Apply(r.Over(rest), v)
}

// reduceTwice: sum(sum(x)) over both axes at once.
func reduceTwice(c *Context, node *graph.Apply) *graph.Variable {
	r, x := node.Op.(op.Reduce), node.Inputs[0]
	inner, ok := x.Op().(op.Reduce)
	if !ok || inner.Kind != r.Kind || inner.Narrow != r.Narrow || c.reused(x) {
		return nil
	}
	c.origin = absorb(node, x.Owner)
	axes, kept := inner.Axes, 0
	for axis := range x.Owner.Inputs[0].Type.Rank() {
		if inner.Axes.Has(axis) {
			continue
		}
		if r.Axes.Has(kept) {
			axes = axes.With(tensor.AxesOf(axis))
		}
		kept++
	}
	return c.fit(node, c.Apply(r.Over(axes), x.Owner.Inputs[0]))
}

// reduceDimShuffle: sum(transpose(x), axis=0) => sum(x, axis=1), so that what computes x is fused
// with the sum.
func reduceDimShuffle(c *Context, node *graph.Apply) *graph.Variable {
	r, x := node.Op.(op.Reduce), node.Inputs[0]
	if _, ok := x.Op().(op.DimShuffle); !ok {
		return nil
	}
	y := x.Owner.Inputs[0]
	var axes tensor.Axes
	var order []int // axes of y that are kept
	places := pattern(x.Owner.Op)
	isNew := func(axis int) bool { return axis == tensor.NewAxis }
	if len(slices.DeleteFunc(slices.Clone(places), isNew)) < y.Type.Rank() {
		return nil // it drops axes of length 1, as local_reduce_broadcastable wants
	}
	for i, axis := range places {
		switch {
		case !r.Axes.Has(i):
			order = append(order, axis)
		case axis == tensor.NewAxis:
			return nil // local_reduce_broadcastable drops it
		default:
			axes = axes.With(tensor.AxesOf(axis))
		}
	}
	for i, axis := range order {
		if axis != tensor.NewAxis {
			order[i] = axis - axes.Within(tensor.AllAxes(axis)).Len()
		}
	}
	return c.fit(node, c.Apply(op.NewDimShuffle(order), c.Apply(r.Over(axes), y)))
}

// reduceJoin: sum(join(x, y)) => sum(x) + sum(y), and so are other reductions along the axis of the
// join; those along other axes are joined. The array of both is never made. What is added up in a
// wider type is rounded when all parts are.
func reduceJoin(c *Context, node *graph.Apply) *graph.Variable {
	r, x := node.Op.(op.Reduce), node.Inputs[0]
	j, ok := x.Op().(op.Join)
	if !ok || c.reused(x) {
		return nil
	}
	_, defined := r.Kind.Identity()
	parts := make([]*graph.Variable, len(x.Owner.Inputs))
	for i, v := range x.Owner.Inputs {
		if !defined && r.Axes.Has(j.Axis) && v.Type.Dim(j.Axis) <= 0 {
			return nil // the maximum of nothing is none, though the others have one
		}
		parts[i] = v
	}
	if r.Axes.Has(j.Axis) {
		for i, v := range parts {
			parts[i] = c.Apply(r, c.accumulated(r, v))
		}
		return c.fit(node, c.Cast(c.folded(r.Kind, parts), node.Outputs[0].Type.DType))
	}
	for i, v := range parts {
		parts[i] = c.Apply(r, v)
	}
	return c.fit(node, c.try(op.Join{Axis: j.Axis - r.Axes.Within(tensor.AllAxes(j.Axis)).Len()}, parts...))
}

// accumulated is v in the type that r adds up in. Small integers are left to r.
func (c *Context) accumulated(r op.Reduce, v *graph.Variable) *graph.Variable {
	if d := v.Type.DType; d.IsFloat() {
		return c.Cast(v, r.Accumulates(d))
	}
	return v
}

// reduceMakeVector: sum(make_vector(x, y)) => x + y, and so are other reductions of numbers.
func reduceMakeVector(c *Context, node *graph.Apply) *graph.Variable {
	const most = 16
	r, x := node.Op.(op.Reduce), node.Inputs[0]
	if x.Op() != graph.Op(op.MakeVector{}) || r.Axes.None() || len(x.Owner.Inputs) > most {
		return nil
	}
	parts := make([]*graph.Variable, len(x.Owner.Inputs))
	for i, v := range x.Owner.Inputs {
		parts[i] = c.Cast(v, node.Outputs[0].Type.DType)
		if len(parts) > 2 { // of two one is as good as the other
			parts[i] = c.accumulated(r, parts[i])
		}
	}
	return c.fit(node, c.Cast(c.folded(r.Kind, parts), node.Outputs[0].Type.DType))
}

// folded applies what a reduction applies to one part after the other.
func (c *Context) folded(kind op.Reduction, parts []*graph.Variable) *graph.Variable {
	v := parts[0]
	for _, u := range parts[1:] {
		v = c.Apply(kind.Fold(), v, u)
	}
	return v
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

// sumFactor: sum(k*x) => k*sum(x) and sum(x/k) => sum(x)/k where k is the same along the summed
// axes. If others read k*x too, it is left to them where k is a number and x lies in memory
// already.
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
		if k.IsConstant() && !c.inspect(k).moderate {
			continue // the sum without it may overflow or underflow
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

// sumAlloc: a sum of one value repeated n times is n times the value. Where n is 0 it is 0, even if
// the value is nan.
func sumAlloc(c *Context, node *graph.Apply) *graph.Variable {
	r, x := node.Op.(op.Reduce), node.Inputs[0]
	if r.Kind != op.Sum {
		return nil
	}
	return c.reduceRepeated(node, func(value, count *graph.Variable) *graph.Variable {
		d := node.Outputs[0].Type.DType
		value = c.Cast(value, d)
		product := c.Apply(op.Mul, c.matched(c.Cast(count, d), value), value)
		n, known := c.scalar(count)
		e, ok := c.scalar(value)
		if d.IsFloat() && (!known || n == 0) && (!ok || math.IsNaN(e) || math.IsInf(e, 0)) {
			none := c.Apply(op.Eq, count, c.Like(count, 0))
			product = c.Apply(op.Switch, c.matched(none, value), c.Like(product, 0), product)
		}
		return product
	}, x)
}

// reduceAlloc: of one value repeated, which is there, the maximum is the value, and so is what else
// does not change by being repeated.
func reduceAlloc(c *Context, node *graph.Apply) *graph.Variable {
	r, x := node.Op.(op.Reduce), node.Inputs[0]
	if r.Kind == op.Sum || r.Kind == op.Prod {
		return nil
	}
	return c.reduceRepeated(node, func(value, count *graph.Variable) *graph.Variable {
		if n, known := c.scalar(count); !known || n == 0 {
			return nil
		}
		return value
	}, x)
}

// reduceRepeated reduces x, which repeats a value, by repeating what is left of the value along
// fewer axes: along those that are reduced and only repeat it, of count elements together, replace
// says what is left.
func (c *Context) reduceRepeated(node *graph.Apply, replace func(value, count *graph.Variable) *graph.Variable, x *graph.Variable) *graph.Variable {
	var value *graph.Variable
	switch x.Op() {
	case graph.Op(op.Alloc{}):
		value = x.Owner.Inputs[0]
	case graph.Op(op.Second):
		value = x.Owner.Inputs[1]
	default:
		return nil
	}
	r, rank := node.Op.(op.Reduce), x.Type.Rank()
	repeats := func(axis int) bool { return r.Axes.Has(axis) && value.Type.Broadcasts(axis) }
	if !slices.ContainsFunc(r.Axes.List(), repeats) {
		return nil // before lengths are made
	}
	var keep []int
	var rest tensor.Axes // that are reduced as before
	var count *graph.Variable
	lengths, covers := []*graph.Variable{nil}, true // lengths of axes that are kept, and whether the value has them
	for axis := range rank {
		n := c.Length(x, axis)
		switch repeated := repeats(axis); {
		case repeated && count == nil:
			count = n
		case repeated:
			count = c.Apply(op.Mul, count, n)
		default:
			if r.Axes.Has(axis) {
				rest = rest.With(tensor.AxesOf(len(keep)))
			}
			keep, lengths = append(keep, axis), append(lengths, n)
			covers = covers && value.Type.Broadcasts(axis) == x.Type.Broadcasts(axis)
		}
	}
	v := replace(c.Apply(op.NewDimShuffle(keep), value), count)
	if v == nil {
		return nil
	}
	if !covers {
		lengths[0] = v
		v = c.Apply(op.Alloc{}, lengths...)
	}
	return c.fit(node, c.Apply(r.Over(rest), v))
}

// matched gives a number as many axes of length 1 as like has.
func (c *Context) matched(number, like *graph.Variable) *graph.Variable {
	return c.Apply(op.NewDimShuffle(slices.Repeat([]int{tensor.NewAxis}, like.Type.Rank())), number)
}

// logSumExp: log(sum(exp(x))) => m + log(sum(exp(x - m))) where m = max(x), which neither overflows
// nor underflows. Where m is infinite, 0 is subtracted, so that inf stays inf and -inf stays -inf.
func logSumExp(c *Context, node *graph.Apply) *graph.Variable {
	sum := node.Inputs[0]
	r, ok := sum.Op().(op.Reduce)
	if !ok || r.Kind != op.Sum || r.Axes.None() {
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
	c.setUses(m, 2) // here and in the result: its computation must not be repeated behind a dimshuffle
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

// softmax: exp(x) / sum(exp(x)) along the last axis, with the axis restored, is softmax(x), which
// subtracts the maximum first.
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

// softmaxFromLog: softmax(x) => exp(logsoftmax(x)) where that is computed too, so that one of two
// passes over the rows is left.
func softmaxFromLog(c *Context, node *graph.Apply) *graph.Variable {
	x := node.Inputs[0]
	for _, reader := range c.Clients(x) {
		if reader.Node != nil && reader.Node.Op == graph.Op(op.Softmax{Log: true}) {
			v := reader.Node.Outputs[0] // itself, and not its equal: with a reader more it does not become softmax again
			c.setUses(v, c.uses(v)+1)
			return c.Apply(op.Exp, v)
		}
	}
	return nil
}
