package rewrite

import (
	"slices"

	"github.com/arignote/arignote/runtime/graph"
	"github.com/arignote/arignote/runtime/op"
)

var (
	_ = goRule("local_fill_sink", groupCanonicalize, sinkFill, elementwise).needing(kinOf(op.Second))
	_ = goRule("local_elemwise_alloc", groupCanonicalize, sinkAlloc, elementwise).needing(ofAllocs)
	_ = goRule("local_alloc_unary", groupCanonicalize, liftAlloc, elementwise).needing(ofAllocs)
	_ = goRule("local_fill_shape", groupCanonicalize, fillShape, op.Second)
	_ = goRule("local_fill_to_alloc", groupSpecialize, fillToAlloc, op.Second)
	_ = goRule("local_useless_alloc", groupUseless, uselessAlloc, op.Alloc{})
	_ = goRule("local_alloc_alloc", groupUseless, allocTwice, op.Alloc{})
)

// reads reports whether o makes an operand of node: a look that makes nothing, since the rules
// below are tried on all that is elementwise.
func reads(node *graph.Apply, o graph.Op) bool {
	return slices.ContainsFunc(node.Inputs, func(v *graph.Variable) bool { return v.Op() == o })
}

// sinkFill: f(second(s, x), y) => second(s, f(x, y)): f needs the small x only, and where y has the
// shape already, nothing is left of second.
func sinkFill(c *Context, node *graph.Apply) *graph.Variable {
	if node.Op == graph.Op(op.Second) || !reads(node, op.Second) {
		return nil
	}
	in := make([]*graph.Variable, len(node.Inputs))
	var shapes []*graph.Variable
	for i, v := range node.Inputs {
		in[i] = v
		if v.Op() == graph.Op(op.Second) {
			in[i] = v.Owner.Inputs[1]
			shapes = append(shapes, v.Owner.Inputs[0])
		}
		shapes = append(shapes, in[i])
	}
	return c.conform(node, c.Apply(node.Op, in...), shapes)
}

// sinkAlloc: f(alloc(x, n), y) => f(x, y) where y has the shape, so that the array is never made.
// Only where all of x's lengths are known is it sure that f broadcasts x as alloc did.
func sinkAlloc(c *Context, node *graph.Apply) *graph.Variable {
	if !reads(node, op.Alloc{}) {
		return nil
	}
	in := make([]*graph.Variable, len(node.Inputs))
	found := false
	for i, v := range node.Inputs {
		in[i] = v
		if v.Op() == graph.Op(op.Alloc{}) && (node.Op != graph.Op(op.Second) || i == 1) && v.Owner.Inputs[0].Type.IsStatic() {
			in[i], found = v.Owner.Inputs[0], true
		}
	}
	if !found {
		return nil
	}
	v := c.try(node.Op, in...)
	if v == nil || !fits(node.Outputs[0].Type, v.Type) {
		return nil
	}
	return c.conform(node, v, nil)
}

// liftAlloc: f(alloc(x, n), alloc(y, n)) => alloc(f(x, y), n): f is computed of the small arrays,
// and what comes after may do without the large one. To fill an array takes less than to compute f
// of another, so that it does not matter whether others read that: in a gradient each step waits
// for the one before otherwise, and for a round of its own.
func liftAlloc(c *Context, node *graph.Apply) *graph.Variable {
	if node.Op == graph.Op(op.Second) || !reads(node, op.Alloc{}) {
		return nil
	}
	in := make([]*graph.Variable, len(node.Inputs))
	lengths := make([]*graph.Variable, node.Outputs[0].Type.Rank())
	for i, v := range node.Inputs {
		if in[i] = v; v.Op() != graph.Op(op.Alloc{}) {
			continue
		}
		in[i] = v.Owner.Inputs[0]
		for axis, n := range v.Owner.Inputs[1:] {
			if !v.Type.Broadcasts(axis) && (lengths[axis] == nil || n.IsConstant()) {
				lengths[axis] = n
			}
		}
	}
	for axis, n := range lengths {
		switch {
		case n != nil:
		case slices.ContainsFunc(in, func(v *graph.Variable) bool { return !v.Type.Broadcasts(axis) }):
			return nil // somebody has the length, and no alloc tells which it is
		default:
			lengths[axis] = c.Length(node.Outputs[0], axis)
		}
	}
	small := c.try(node.Op, in...)
	if small == nil || samePattern(small.Type, node.Outputs[0].Type) {
		return nil // somebody has the shape: local_elemwise_alloc
	}
	return c.fit(node, c.try(op.Alloc{}, append([]*graph.Variable{small}, lengths...)...))
}

// fillShape: of second's first operand only the shape matters, so that an operand of what computes
// it will do.
func fillShape(c *Context, node *graph.Apply) *graph.Variable {
	s := c.shapeOf(node.Inputs[0])
	if s == node.Inputs[0] {
		return nil
	}
	w := c.try(op.Second, s, node.Inputs[1])
	if w == nil || !fits(node.Outputs[0].Type, w.Type) {
		return nil
	}
	return c.conform(node, w, nil)
}

// shapeOf is the first variable that has the shape of v and that elementwise operations make v of;
// v if there is none.
func (c *Context) shapeOf(v *graph.Variable) *graph.Variable {
	var path []*graph.Variable
	for v.Owner != nil {
		if s := c.shapes.Get(v); s != nil {
			v = s
			break
		}
		next := sameShape(v)
		if next == nil {
			break
		}
		path = append(path, v)
		v = next
	}
	for _, u := range path {
		c.shapes.Set(u, v)
	}
	return v
}

// sameShape is the first operand of the elementwise operation that makes v that has v's shape; nil
// if there is none.
func sameShape(v *graph.Variable) *graph.Variable {
	if _, ok := fusable(v.Op()); !ok {
		return nil
	}
	for _, u := range v.Owner.Inputs {
		if fits(v.Type, u.Type.WithDType(v.Type.DType)) {
			return u
		}
	}
	return nil
}

// fillToAlloc: what is still filled needs memory of its own, but not the array whose shape it
// takes.
func fillToAlloc(c *Context, node *graph.Apply) *graph.Variable {
	s, x := node.Inputs[0], node.Inputs[1]
	t := node.Outputs[0].Type
	in := []*graph.Variable{x}
	for axis := range t.Rank() {
		from := s
		if s.Type.Broadcasts(axis) {
			from = x
		}
		if t.Dim(axis) != graph.Unknown {
			from = node.Outputs[0]
		}
		in = append(in, c.Length(from, axis))
	}
	v := c.Apply(op.Alloc{}, in...)
	if !fits(t, v.Type) {
		return nil
	}
	return v
}

// uselessAlloc: the value has the shape already. Results that share memory with an input are copied
// later, by whoever links them.
func uselessAlloc(c *Context, node *graph.Apply) *graph.Variable {
	x := node.Inputs[0]
	if t := node.Outputs[0].Type; !t.IsStatic() || t != x.Type {
		return nil
	}
	return x
}

// allocTwice: alloc(alloc(x, n), m) => alloc(x, m). If n alone says that an axis has length 1, x's
// axis is not known to broadcast, and the outer alloc could not.
func allocTwice(c *Context, node *graph.Apply) *graph.Variable {
	x := node.Inputs[0]
	if x.Op() != graph.Op(op.Alloc{}) {
		return nil
	}
	value := x.Owner.Inputs[0]
	for axis := range x.Type.Rank() {
		if x.Type.Broadcasts(axis) && !value.Type.Broadcasts(axis) {
			return nil
		}
	}
	v := c.try(op.Alloc{}, append([]*graph.Variable{value}, node.Inputs[1:]...)...)
	if v == nil || !fits(node.Outputs[0].Type, v.Type) {
		return nil
	}
	return v
}
