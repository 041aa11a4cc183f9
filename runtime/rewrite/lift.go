package rewrite

import (
	"github.com/arignote/arignote/runtime/graph"
	"github.com/arignote/arignote/runtime/op"
)

// liftSubtensor: f(x, y)[i] => f(x[i], y[i]), which computes only what is needed. Of an operand
// that broadcasts along an axis nothing is left out there.
//
// A part goes through all elementwise operations at once, and takes parts that it meets with it.
// One that another will meet waits for it: in a chain of steps that each take a part of the one
// before, each would otherwise go through all steps below it.
func liftSubtensor(c *Context, node *graph.Apply) *graph.Variable {
	if _, ok := node.Inputs[0].Op().(op.Elemwise); !ok {
		return nil
	}
	x, list := selected(node)
	if !c.lifts(x, list) || c.met() {
		return nil
	}
	return c.fit(node, c.lifted(x, list))
}

// lifts reports whether x is computed elementwise, for list alone and more than it takes.
func (c *Context) lifts(x *graph.Variable, list []subscript) bool {
	_, ok := x.Op().(op.Elemwise)
	return ok && !takesAll(list) && !c.shared(x)
}

// lifted is x[list], computed of parts of what elementwise operations compute x of; nil if one of
// them is not defined.
func (c *Context) lifted(x *graph.Variable, list []subscript) *graph.Variable {
	type part struct {
		of    *graph.Variable
		list  []subscript
		first int // where those of the operands are, 0 if of is taken a part of
	}
	parts := []part{{of: x, list: list}}
	for i := 0; i < len(parts); i++ {
		p := parts[i]
		if !c.lifts(p.of, p.list) {
			continue
		}
		parts[i].first = len(parts)
		for _, v := range p.of.Owner.Inputs {
			v, own := c.through(v, partOf(v, p.list, p.of.Type))
			parts = append(parts, part{of: v, list: own})
		}
	}
	made := make([]*graph.Variable, len(parts))
	for i := len(parts) - 1; i >= 0; i-- {
		p := parts[i]
		if p.first == 0 {
			made[i] = c.subtensor(p.of, p.list)
		} else {
			in := append([]*graph.Variable(nil), made[p.first:p.first+len(p.of.Owner.Inputs)]...)
			made[i] = c.applyFor(p.of.Owner, p.of.Owner.Op, in...)
		}
		if made[i] == nil {
			return nil
		}
	}
	return made[0]
}

// through is what v[list] is a part of, and which, where v is itself a part that nobody else reads.
func (c *Context) through(v *graph.Variable, list []subscript) (*graph.Variable, []subscript) {
	for {
		if _, ok := v.Op().(op.Subtensor); !ok || c.shared(v) {
			return v, list
		}
		y, merged, ok := partOfPart(v.Owner, list)
		if !ok {
			return v, list
		}
		v, list = y, merged
	}
}

// met reports whether a part of what is computed elementwise of the node at hand, a Subtensor, and
// of nobody else, will be lifted up to it. A round that finds nothing else to do tells otherwise.
func (c *Context) met() bool {
	f := c.fixed
	c.asked = true // for clients, and what the round has found
	if f.nesting != 1 || f.impatient || !c.cutAbove(f.old.Outputs[0]) {
		return false
	}
	f.deferred = true
	return true
}

// cutAbove reports whether all that is read of v in the end is a part of what is computed
// elementwise of it. v is as the round began.
func (c *Context) cutAbove(v *graph.Variable) bool {
	var path []*graph.Variable
	cut := false
	for {
		if known := c.cut.Get(v); known != unasked {
			cut = known == yes
			break
		}
		path = append(path, v)
		list := c.readers.Get(v)
		if len(list) != 1 || list[0].Node == nil {
			break
		}
		reader := list[0].Node
		if _, ok := reader.Op.(op.Elemwise); ok {
			v = reader.Outputs[0]
			continue
		}
		if _, ok := reader.Op.(op.Subtensor); ok && list[0].Index == 0 {
			_, part := selected(reader)
			cut = !takesAll(part)
			if _, ok := v.Op().(op.Subtensor); ok && cut {
				_, _, cut = partOfPart(v.Owner, part)
			}
		}
		break
	}
	for _, u := range path {
		c.cut.Set(u, answerOf(cut))
	}
	return cut
}
