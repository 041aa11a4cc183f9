package rewrite

import (
	"github.com/arignote/arignote/runtime/graph"
	"github.com/arignote/arignote/runtime/op"
)

// An increment is what a node makes of x: y is added to elements of it, or put there.
type increment struct {
	node *graph.Apply
	set  bool
}

// incrementOf finds one; false if v is something else.
func incrementOf(v *graph.Variable) (increment, bool) {
	switch o := v.Op().(type) {
	case op.IncSubtensor:
		return increment{v.Owner, o.Set}, true
	case op.IncTake:
		return increment{v.Owner, o.Set}, true
	case op.AdvancedIncSubtensor:
		return increment{v.Owner, o.Set}, true
	}
	return increment{}, false
}

func (i increment) x() *graph.Variable { return i.node.Inputs[0] }
func (i increment) y() *graph.Variable { return i.node.Inputs[1] }

// of is the same increment of another array.
func (i increment) of(c *Context, o graph.Op, x, y *graph.Variable) *graph.Variable {
	return c.applyFor(i.node, o, append([]*graph.Variable{x, y}, i.node.Inputs[2:]...)...)
}

// adding is the op of i without Set.
func (i increment) adding() graph.Op {
	switch o := i.node.Op.(type) {
	case op.IncSubtensor:
		o.Set = false
		return o
	case op.IncTake:
		o.Set = false
		return o
	case op.AdvancedIncSubtensor:
		o.Set = false
		return o
	}
	return i.node.Op
}
