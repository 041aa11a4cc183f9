package rewrite

import (
	"strconv"
	"strings"

	"github.com/arignote/arignote/runtime/graph"
	"github.com/arignote/arignote/runtime/op"
	"github.com/arignote/arignote/runtime/tensor"
)

var (
	_ = goRule("local_useless_slice", groupUseless, uselessSlice, typeOf[op.Subtensor]())
	_ = goRule("local_subtensor_make_vector", groupUseless, subtensorMakeVector, typeOf[op.Subtensor]())
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
