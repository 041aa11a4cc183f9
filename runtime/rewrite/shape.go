package rewrite

import (
	"github.com/arignote/arignote/kernels"
	"github.com/arignote/arignote/runtime/graph"
	"github.com/arignote/arignote/runtime/op"
	"github.com/arignote/arignote/runtime/tensor"
)

var (
	_ = goRule("local_shape_i_known", groupShapes, knownLength, typeOf[op.ShapeI]())
	_ = goRule("local_track_shape_i", groupShapes, trackLength, typeOf[op.ShapeI]())
	_ = goRule("local_useless_reshape", groupUseless, uselessReshape, typeOf[op.Reshape]())
	_ = goRule("local_reshape_chain", groupUseless, reshapeTwice, typeOf[op.Reshape]())
	_ = goRule("local_join_1", groupUseless, joinOne, typeOf[op.Join]())
	_ = goRule("local_join_empty", groupUseless, joinEmpty, typeOf[op.Join]())
	_ = goRule("local_useless_specify_shape", groupUseless, uselessSpecifyShape, typeOf[op.SpecifyShape]())
	_ = goRule("local_useless_deep_copy", groupUseless, copyTwice, op.DeepCopy{})
)

// knownLength: the type says it.
func knownLength(c *Context, node *graph.Apply) *graph.Variable {
	d := node.Inputs[0].Type.Dim(node.Op.(op.ShapeI).Axis)
	if d == graph.Unknown {
		return nil
	}
	return c.builder().Constant(tensor.IntScalar(kernels.Int64, int64(d)))
}

// trackLength: the length of what an operation makes follows from its operands, so that it need not be computed to be measured.
func trackLength(c *Context, node *graph.Apply) *graph.Variable {
	x := node.Inputs[0]
	if o, ok := x.Op().(op.Measurer); ok {
		return o.Length(c, x, node.Op.(op.ShapeI).Axis)
	}
	return nil
}

// uselessReshape: the array has the shape already.
func uselessReshape(c *Context, node *graph.Apply) *graph.Variable {
	x, t := node.Inputs[0], node.Outputs[0].Type
	if t.Rank() != x.Type.Rank() {
		return nil
	}
	if !t.IsStatic() || t != x.Type {
		// One length follows from the others, so that all but one must be known to be the same.
		unsure := 0
		for axis := range t.Rank() {
			if !c.sameLength(x, axis, node) {
				unsure++
			}
		}
		if unsure > 1 || unsure == 1 && !c.restPositive(x, node) {
			return nil
		}
	}
	return c.conform(node, x, nil)
}

// sameLength reports whether the length that node, a Reshape, asks for is that of x.
func (c *Context) sameLength(x *graph.Variable, axis int, node *graph.Apply) bool {
	if d := x.Type.Dim(axis); d != graph.Unknown && d == node.Outputs[0].Type.Dim(axis) {
		return true
	}
	shape := node.Inputs[1]
	if shape.Op() != graph.Op(op.MakeVector{}) {
		return false
	}
	return c.isLength(shape.Owner.Inputs[axis], x, axis)
}

// isLength reports whether n is the length of an axis of x.
func (c *Context) isLength(n, x *graph.Variable, axis int) bool {
	s, ok := n.Op().(op.ShapeI)
	return ok && (n.Owner.Inputs[0] == x && s.Axis == axis || c.lengthOf(x, axis) == n)
}

// lengthOf is what the length of x simplifies to.
func (c *Context) lengthOf(x *graph.Variable, axis int) *graph.Variable {
	v := c.Apply(op.ShapeI{Axis: axis}, x)
	s, ok := v.Op().(op.ShapeI)
	if !ok || v.Owner.Inputs[0] == x && s.Axis == axis {
		return nil
	}
	return v
}

// restPositive: one length follows from the others only if none of those is 0. Without axes there is nothing to follow.
func (c *Context) restPositive(x *graph.Variable, node *graph.Apply) bool {
	for axis := range x.Type.Rank() {
		if !c.sameLength(x, axis, node) {
			continue
		}
		if x.Type.Dim(axis) <= 0 {
			return false
		}
	}
	return true
}

// reshapeTwice: the shape in the middle does not matter.
func reshapeTwice(c *Context, node *graph.Apply) *graph.Variable {
	x := node.Inputs[0]
	if _, ok := x.Op().(op.Reshape); !ok {
		return nil
	}
	return c.fit(node, c.try(node.Op, x.Owner.Inputs[0], node.Inputs[1]))
}

// uselessSpecifyShape: the type says it.
func uselessSpecifyShape(c *Context, node *graph.Apply) *graph.Variable {
	x := node.Inputs[0]
	if !node.Outputs[0].Type.Accepts(x.Type) {
		return nil
	}
	return x
}

// copyTwice: one copy is enough, unless somebody has the other.
func copyTwice(c *Context, node *graph.Apply) *graph.Variable {
	x := node.Inputs[0]
	if x.Op() != graph.Op(op.DeepCopy{}) || c.reused(x) {
		return nil
	}
	return x
}

// joinOne: one array is joined with nothing.
func joinOne(c *Context, node *graph.Apply) *graph.Variable {
	if len(node.Inputs) > 1 {
		return nil
	}
	return c.fit(node, node.Inputs[0])
}

// joinEmpty: what has no elements adds none.
func joinEmpty(c *Context, node *graph.Apply) *graph.Variable {
	axis := node.Op.(op.Join).Axis
	var in []*graph.Variable
	for _, v := range node.Inputs {
		if v.Type.Dim(axis) != 0 {
			in = append(in, v)
		}
	}
	if len(in) == 0 || len(in) == len(node.Inputs) {
		return nil
	}
	return c.fit(node, c.try(node.Op, in...))
}
