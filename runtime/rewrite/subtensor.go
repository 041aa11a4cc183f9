package rewrite

import (
	"slices"
	"strconv"
	"strings"

	"github.com/arignote/arignote/runtime/graph"
	"github.com/arignote/arignote/runtime/op"
	"github.com/arignote/arignote/runtime/tensor"
)

var (
	_ = goRule("local_useless_slice", groupUseless, uselessSlice, typeOf[op.Subtensor]())
	_ = goRule("local_subtensor_make_vector", groupUseless, subtensorMakeVector, typeOf[op.Subtensor]())
	_ = goRule("local_subtensor_inc_subtensor", groupCanonicalize, subtensorOfSet, typeOf[op.Subtensor]())
	_ = goRule("local_subtensor_of_alloc", groupCanonicalize, subtensorOfAlloc, typeOf[op.Subtensor]())
	_ = goRule("local_subtensor_of_dot", groupCanonicalize, subtensorOfDot, typeOf[op.Subtensor]())
	_ = goRule("local_subtensor_lift", groupCanonicalize, liftSubtensor, typeOf[op.Subtensor]())
)

// uselessSlice: x[:, :] is x.
func uselessSlice(c *Context, node *graph.Apply) *graph.Variable {
	for _, w := range strings.Fields(string(node.Op.(op.Subtensor).Index)) {
		if w != ":" && w != "::" && w != "::1" {
			return nil
		}
	}
	return node.Inputs[0]
}

// subtensorMakeVector: of a vector that is put together, one element.
func subtensorMakeVector(c *Context, node *graph.Apply) *graph.Variable {
	return element(node)
}

// element is the scalar that node, a Subtensor, takes out of a vector that is put together; nil if it is something else.
func element(node *graph.Apply) *graph.Variable {
	x := node.Inputs[0]
	if x.Op() != graph.Op(op.MakeVector{}) {
		return nil
	}
	i, err := strconv.Atoi(strings.TrimSpace(string(node.Op.(op.Subtensor).Index)))
	n := len(x.Owner.Inputs)
	if i < 0 {
		i += n
	}
	if err != nil || i < 0 || i >= n {
		return nil
	}
	return x.Owner.Inputs[i]
}

// liftSubtensor: f(x, y)[i] => f(x[i], y[i]), which computes only what is needed. An operand with all axes of length 1
// loses the axes that integers drop.
func liftSubtensor(c *Context, node *graph.Apply) *graph.Variable {
	x := node.Inputs[0]
	if _, ok := x.Op().(op.Elemwise); !ok || c.reused(x) {
		return nil
	}
	words := strings.Fields(string(node.Op.(op.Subtensor).Index))
	var keep []int
	for axis := range x.Type.Rank() {
		if axis >= len(words) || strings.Contains(words[axis], ":") {
			keep = append(keep, axis)
		}
	}
	in := make([]*graph.Variable, len(x.Owner.Inputs))
	for i, v := range x.Owner.Inputs {
		switch {
		case samePattern(v.Type, x.Type):
			in[i] = c.try(node.Op, append([]*graph.Variable{v}, node.Inputs[1:]...)...)
		case broadcastsAlong(v.Type, tensor.AllAxes(v.Type.Rank())):
			in[i] = c.try(op.NewDimShuffle(keep), v)
		}
		if in[i] == nil {
			return nil
		}
	}
	return c.fit(node, c.applyFor(x.Owner, x.Owner.Op, in...))
}

// subtensorOfSet: what was put there is read there.
func subtensorOfSet(c *Context, node *graph.Apply) *graph.Variable {
	x := node.Inputs[0]
	if x.Op() != graph.Op(op.IncSubtensor{Index: node.Op.(op.Subtensor).Index, Set: true}) || !slices.Equal(x.Owner.Inputs[2:], node.Inputs[1:]) {
		return nil
	}
	return c.fit(node, x.Owner.Inputs[1])
}

// subtensorOfAlloc: a part of what repeats one element repeats it less often.
func subtensorOfAlloc(c *Context, node *graph.Apply) *graph.Variable {
	x := node.Inputs[0]
	if x.Op() != graph.Op(op.Alloc{}) || !isSingle(x.Owner.Inputs[0].Type) || c.reused(x) {
		return nil
	}
	value := x.Owner.Inputs[0]
	axes := make([]int, node.Outputs[0].Type.Rank())
	lengths := make([]*graph.Variable, len(axes))
	for i := range axes {
		axes[i] = tensor.NewAxis
		n := c.Length(node.Outputs[0], i)
		if _, ok := n.Op().(op.ShapeI); ok && n.Owner.Inputs[0] == node.Outputs[0] {
			return nil // only the part itself tells
		}
		lengths[i] = n
	}
	v := c.Apply(op.NewDimShuffle(axes), c.Apply(op.NewDimShuffle(nil), value))
	if len(axes) == 0 {
		return c.fit(node, v)
	}
	return c.fit(node, c.try(op.Alloc{}, append([]*graph.Variable{v}, lengths...)...))
}

// subtensorOfDot: dot(x, y)[i, j] => dot(x[i], y[:, j]), which computes only what is needed.
func subtensorOfDot(c *Context, node *graph.Apply) *graph.Variable {
	z := node.Inputs[0]
	words := strings.Fields(string(node.Op.(op.Subtensor).Index))
	if z.Op() != graph.Op(op.Dot{}) || c.reused(z) || len(words) == 0 {
		return nil
	}
	x, y, operands := z.Owner.Inputs[0], z.Owner.Inputs[1], node.Inputs[1:]
	if x.Type.Rank() != 2 || y.Type.Rank() != 2 {
		return nil
	}
	n := strings.Count(words[0], "i")
	if x = c.try(op.Subtensor{Index: op.Subscripts(words[0])}, append([]*graph.Variable{x}, operands[:n]...)...); x == nil {
		return nil
	}
	if len(words) == 2 {
		y = c.try(op.Subtensor{Index: op.Subscripts(": " + words[1])}, append([]*graph.Variable{y}, operands[n:]...)...)
	}
	if y == nil {
		return nil
	}
	return c.fit(node, c.try(op.Dot{}, x, y))
}
