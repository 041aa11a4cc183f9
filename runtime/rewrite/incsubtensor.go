package rewrite

import (
	"math"
	"slices"

	"github.com/arignote/arignote/runtime/graph"
	"github.com/arignote/arignote/runtime/op"
	"github.com/arignote/arignote/runtime/tensor"
)

// The gradient of a part is zeros to which something is added there, and that of an array of which
// several parts are used is a sum of such arrays.
var (
	_ = goRule("local_useless_inc_subtensor", groupUseless, uselessInc, typeOf[op.IncSubtensor]())
	_ = goRule("local_set_subtensor_twice", groupCanonicalize, setTwice, typeOf[op.IncSubtensor]()).needing(ofIncSubtensors)
	_ = goRule("local_inc_subtensor_merge", groupCanonicalize, incTwice, typeOf[op.IncSubtensor]()).needing(ofIncSubtensors).unstable(
		"func(x float64[2], y float64[1], z float64[1])\n\tv1 = inc_subtensor{index=0:1} x y\n\tv2 = inc_subtensor{index=0:1} v1 z\n\treturn v2",
		"x = -1e308, y = 1e308, z = 1e308")
	_ = goRule("local_useless_inc_subtensor_alloc", groupSpecialize, incAlloc, increments...)
	_ = goRule("local_IncSubtensor_serialize", groupCanonicalize, serialize, op.Add, op.Sub).needingOne(ofIncrements)
	_ = goRule("local_IncSubtensor_serialize_signed_zero", groupCanonicalize, serializeAny, op.Add, op.Sub).needingOne(ofIncrements).unstable(
		"func(x float64[2], y float64[1])\n\tv1 = second x float64[1](0)\n\tv2 = inc_subtensor{index=1:} v1 y\n\tv3 = add x v2\n\treturn v3", "x = -0, y = 1")
	_ = goRule("local_scaled_inc_of_zeros", groupCanonicalize, scaleInc, op.Mul).needingOne(ofIncrements).unstable(
		"func(x float64[2], y float64[1], k float64[1])\n\tv1 = second x float64[1](0)\n\tv2 = inc_subtensor{index=1:} v1 y\n\tv3 = mul k v2\n\treturn v3", "x = 0, y = 1, k = nan")
	_ = goRule("local_incsubtensor_of_zeros_to_setsubtensor", groupSpecialize, setZeros, typeOf[op.IncSubtensor]())
	_ = goRule("local_incsubtensor_of_zeros_to_setsubtensor_signed_zero", groupSpecialize, setAnyZeros, typeOf[op.IncSubtensor]()).unstable(
		"func(x float64[2], y float64[1])\n\tv1 = second x float64[1](0)\n\tv2 = inc_subtensor{index=0:1} v1 y\n\treturn v2", "x = 1, y = -0")
	_ = goRule("local_set_subtensor_to_join", groupSpecialize, setAll, typeOf[op.IncSubtensor]())
)

// increments are the roots of rules for what adds to elements of an array, or puts something there.
var increments = []any{typeOf[op.IncSubtensor](), typeOf[op.IncTake](), typeOf[op.AdvancedIncSubtensor]()}

// hasNoNegativeZero reports whether no element of v can be -0, which becomes 0 when 0 is added.
func (c *Context) hasNoNegativeZero(v *graph.Variable) bool {
	if !v.Type.DType.IsFloat() {
		return true
	}
	known := c.positive.Get(v)
	if known == unasked {
		i, isInc := incrementOf(v)
		known = answerOf(c.sign(v) >= op.Nonnegative || c.isZeros(v) ||
			isInc && c.hasNoNegativeZero(i.x()) && (!i.set || c.hasNoNegativeZero(i.y())))
		c.positive.Set(v, known)
	}
	return known == yes
}

// uselessInc: what is put into all of an array, perhaps in another order, takes its place, what is
// added to all of it is added, and what was there already stays.
func uselessInc(c *Context, node *graph.Apply) *graph.Variable {
	o := node.Op.(op.IncSubtensor)
	x, y := node.Inputs[0], node.Inputs[1]
	if s, ok := y.Op().(op.Subtensor); ok && o.Set && s.Index == o.Index && y.Owner.Inputs[0] == x && slices.Equal(y.Owner.Inputs[1:], node.Inputs[2:]) {
		return x
	}
	full := func(axis int, s subscript) bool {
		n := x.Type.Dim(axis)
		r, known := s.stretch(n)
		return !s.drops() && known && r == stretch{0, n, 1}
	}
	for axis, s := range written(o.Index, node.Inputs[2:]) {
		if !full(axis, s) && !s.takesAll() {
			return nil
		}
	}
	if y.Type.DType != x.Type.DType {
		return nil
	}
	list := subscriptsOf(o.Index, node.Inputs[2:], x.Type.Rank())
	for axis, s := range list {
		if full(axis, s) {
			list[axis] = subscript{word: ":"}
		}
	}
	y = c.padLeft(y, x.Type.Rank())
	if y = c.subtensor(y, partOf(y, list, x.Type)); y == nil {
		return nil
	}
	if !o.Set {
		return c.fit(node, c.Apply(op.Add, x, y))
	}
	return c.conform(node, y, []*graph.Variable{x})
}

// padLeft gives v so many axes.
func (c *Context) padLeft(v *graph.Variable, rank int) *graph.Variable {
	if v.Type.Rank() >= rank {
		return v
	}
	axes := slices.Repeat([]int{tensor.NewAxis}, rank-v.Type.Rank())
	for axis := range v.Type.Rank() {
		axes = append(axes, axis)
	}
	return c.Apply(op.NewDimShuffle(axes), v)
}

// sameElements is what node, an IncSubtensor, does to the elements that another has been at just
// before; nil if x is something else.
func sameElements(node *graph.Apply) *graph.Apply {
	x := node.Inputs[0]
	inner, ok := x.Op().(op.IncSubtensor)
	if !ok || inner.Index != node.Op.(op.IncSubtensor).Index || !slices.Equal(x.Owner.Inputs[2:], node.Inputs[2:]) {
		return nil
	}
	return x.Owner
}

// setTwice: what is put over what was put there before is all that is seen, and what is added to
// what was put there may be added before.
func setTwice(c *Context, node *graph.Apply) *graph.Variable {
	inner := sameElements(node)
	if inner == nil {
		return nil
	}
	x, y := inner.Inputs[0], node.Inputs[1]
	switch {
	case node.Op.(op.IncSubtensor).Set:
		return c.fit(node, increment{node: node}.of(c, node.Op, x, y))
	case !inner.Op.(op.IncSubtensor).Set:
		return nil
	}
	return c.together(node, inner)
}

// incTwice: what is added twice to the same elements is added up first.
func incTwice(c *Context, node *graph.Apply) *graph.Variable {
	inner := sameElements(node)
	if inner == nil || node.Op.(op.IncSubtensor).Set || inner.Op.(op.IncSubtensor).Set {
		return nil
	}
	return c.together(node, inner)
}

// together does inner with the sum of its value and that of node, where both are of the same shape.
func (c *Context) together(node, inner *graph.Apply) *graph.Variable {
	y, z := inner.Inputs[1], node.Inputs[1]
	if d := node.Outputs[0].Type.DType; y.Type.DType != d || z.Type.DType != d || !samePattern(y.Type, z.Type) || c.reused(inner.Outputs[0]) {
		return nil
	}
	c.origin = absorb(node, inner)
	return c.fit(node, increment{node: node}.of(c, inner.Op, inner.Inputs[0], c.Apply(op.Add, y, z)))
}

// incAlloc: a value that broadcasts to the part needs no array that repeats it.
func incAlloc(c *Context, node *graph.Apply) *graph.Variable {
	y := node.Inputs[1]
	var value *graph.Variable
	switch y.Op() {
	case graph.Op(op.Alloc{}):
		value = y.Owner.Inputs[0]
	case graph.Op(op.Second):
		value = y.Owner.Inputs[1]
	default:
		return nil
	}
	for axis := range y.Type.Rank() {
		if !value.Type.Broadcasts(axis) && value.Type.Dim(axis) != y.Type.Dim(axis) {
			return nil
		}
	}
	i := increment{node: node}
	v, err := graph.NewApply(node.Op, append([]*graph.Variable{i.x(), value}, node.Inputs[2:]...), c.origin)
	if err != nil {
		return nil
	}
	c.fixed.counted(v.Outputs...)
	return c.fit(node, c.fixed.simplify(v.Outputs[0]))
}

// serialize: x + inc(zeros, y) => inc(x, y), which takes one array where there were three, and x -
// inc(zeros, y) => inc(x, -y). Where nothing else has been added x may not have -0.
func serialize(c *Context, node *graph.Apply) *graph.Variable {
	return c.serial(node, func(x *graph.Variable) bool { return c.hasNoNegativeZero(x) })
}

// serializeAny is the same of any x: where nothing is added, -0 stays.
func serializeAny(c *Context, node *graph.Apply) *graph.Variable {
	return c.serial(node, func(*graph.Variable) bool { return true })
}

// serial moves the operand of fewer increments into the other: of a sum of many, each step would
// otherwise move all before it.
func (c *Context) serial(node *graph.Apply, admits func(x *graph.Variable) bool) *graph.Variable {
	for most, more := 1, true; more; most *= 2 {
		more = false
		for i, v := range node.Inputs {
			if node.Op == graph.Op(op.Sub) && i == 0 {
				continue
			}
			list, longer := c.addedToZeros(v, most)
			if more = more || longer; list == nil || longer {
				continue
			}
			if x := node.Inputs[1-i]; x != v && x.Type.DType == v.Type.DType && fits(node.Outputs[0].Type, x.Type) && fits(x.Type, v.Type) && admits(x) {
				return c.fit(node, c.incremented(x, list, node.Op == graph.Op(op.Sub)))
			}
		}
	}
	return nil
}

// incremented is z to which is added, or from which is subtracted, what list adds to zeros; nil if
// that is of other types.
func (c *Context) incremented(z *graph.Variable, list []increment, subtracts bool) *graph.Variable {
	for _, i := range slices.Backward(list) {
		y := i.y()
		if z.Type.DType != y.Type.DType {
			return nil
		}
		if subtracts {
			y = c.Apply(op.Neg, y)
		}
		z = i.of(c, i.adding(), z, y)
	}
	return z
}

// scaleInc: k * inc(zeros, y) => inc(zeros, k*y), which multiplies what is not zero: a step along a
// gradient that few elements have changes these alone.
func scaleInc(c *Context, node *graph.Apply) *graph.Variable {
	for i, v := range node.Inputs {
		k := node.Inputs[1-i]
		if !isSingle(k.Type) || !fits(node.Outputs[0].Type, v.Type) {
			continue
		}
		list, _ := c.addedToZeros(v, math.MaxInt)
		if list == nil || slices.ContainsFunc(list, func(i increment) bool { return c.masked(i.y()) }) {
			continue
		}
		if k.Type.Rank() > 0 {
			k = c.Apply(op.NewDimShuffle(nil), k)
		}
		z := list[len(list)-1].x()
		for _, i := range slices.Backward(list) {
			y := c.Apply(op.Mul, k, i.y())
			if y.Type.DType != z.Type.DType {
				return nil
			}
			z = i.of(c, i.node.Op, z, y)
		}
		return c.fit(node, z)
	}
	return nil
}

// addedToZeros lists the increments of zeros that v is and that nobody else reads, the last first;
// nil if it is something else. What is put into zeros is added to them. It looks at no more than
// most of them, and says whether there are longer lists.
func (c *Context) addedToZeros(v *graph.Variable, most int) (list []increment, longer bool) {
	for {
		i, ok := incrementOf(v)
		_, basic := v.Op().(op.IncSubtensor)
		switch {
		case !ok || c.reused(v):
			return nil, false
		case len(list) == most:
			return list, true
		case c.isZeros(i.x()) && (basic || !i.set): // of several that are put at one place only the last remains
			return append(list, i), false
		case i.set:
			return nil, false
		}
		list, v = append(list, i), i.x()
	}
}

// setZeros: what is added to zeros is put there, unless it may be -0, which becomes 0.
func setZeros(c *Context, node *graph.Apply) *graph.Variable {
	if !c.hasNoNegativeZero(node.Inputs[1]) {
		return nil
	}
	return setAnyZeros(c, node)
}

// setAnyZeros is the same of any value: -0 stays -0.
func setAnyZeros(c *Context, node *graph.Apply) *graph.Variable {
	o := node.Op.(op.IncSubtensor)
	x, y := node.Inputs[0], node.Inputs[1]
	if _, ok := incrementOf(x); o.Set || ok && !c.untouched(node) || !ok && !c.isZeros(x) || y.Type.DType != x.Type.DType {
		return nil
	}
	o.Set = true
	return increment{node: node}.of(c, o, x, y)
}

// untouched reports whether the elements of x that node is at are 0: x is zeros of which other
// elements were changed.
func (c *Context) untouched(node *graph.Apply) bool {
	list := subscriptsOf(node.Op.(op.IncSubtensor).Index, node.Inputs[2:], node.Inputs[0].Type.Rank())
	within, ok := c.changed(node.Inputs[0])
	if !ok || within.apart(list, node.Inputs[0].Type) {
		return ok
	}
	for x := node.Inputs[0]; !c.isZeros(x); x = x.Owner.Inputs[0] {
		o, ok := x.Op().(op.IncSubtensor)
		if !ok {
			return false
		}
		other := subscriptsOf(o.Index, x.Owner.Inputs[2:], x.Type.Rank())
		if !slices.ContainsFunc(axesOf(list), func(axis int) bool { return list[axis].apart(other[axis], x.Type.Dim(axis)) }) {
			return false
		}
	}
	return true
}

// changed are bounds of the elements of x that may not be 0; false if x is not zeros of which some
// were changed. What it found it does not look at again.
func (c *Context) changed(x *graph.Variable) (positions, bool) {
	var path []*graph.Variable
	for !c.isZeros(x) {
		if _, known := c.bounds[x]; known {
			break
		}
		path = append(path, x)
		if _, ok := x.Op().(op.IncSubtensor); !ok {
			break
		}
		x = x.Owner.Inputs[0]
	}
	p := c.bounds[x]
	ofZeros := p != nil || c.isZeros(x)
	for _, v := range slices.Backward(path) {
		if ofZeros {
			at := v.Owner.Op.(op.IncSubtensor).Index
			p = p.with(subscriptsOf(at, v.Owner.Inputs[2:], v.Type.Rank()), v.Type)
		}
		c.bounds[v] = p
	}
	return p, ofZeros
}

// setAll: arrays that are put side by side into all of another are joined, as gradients of the
// parts of a split are.
func setAll(c *Context, node *graph.Apply) *graph.Variable {
	x := node.Outputs[0]
	if !node.Op.(op.IncSubtensor).Set {
		return nil
	}
	parts := make(map[int]*graph.Variable) // by where they begin
	along, covered := -1, 0
	for covered == 0 || covered < x.Type.Dim(along) {
		o, ok := x.Op().(op.IncSubtensor)
		if !ok || !o.Set || x != node.Outputs[0] && c.reused(x) {
			return nil
		}
		y, list := x.Owner.Inputs[1], subscriptsOf(o.Index, x.Owner.Inputs[2:], x.Type.Rank())
		for axis, s := range list {
			if !s.whole() && along < 0 {
				along = axis
			}
			if !s.whole() && axis != along {
				return nil
			}
		}
		if along < 0 || list[along].drops() || y.Type.DType != x.Type.DType {
			return nil
		}
		r, ok := list[along].stretch(x.Type.Dim(along))
		part := c.subtensor(x, list)
		if !ok || r.step != 1 || r.count == 0 || part == nil || !fits(part.Type, y.Type) || parts[r.first] != nil {
			return nil
		}
		parts[r.first] = y
		covered += r.count
		x = x.Owner.Inputs[0]
	}
	var in []*graph.Variable
	for at := 0; at < node.Outputs[0].Type.Dim(along); at += in[len(in)-1].Type.Dim(along) {
		if parts[at] == nil {
			return nil // some are one upon the other
		}
		in = append(in, parts[at])
	}
	return c.fit(node, c.try(op.Join{Axis: along}, in...))
}
