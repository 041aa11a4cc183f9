package rewrite

import (
	"slices"

	"github.com/arignote/arignote/runtime/graph"
	"github.com/arignote/arignote/runtime/op"
)

var (
	_ = goRule("local_remove_useless_assert", groupUseless, removeTrue, typeOf[op.Assert]()).leavesOut()
	_ = goRule("local_remove_all_assert", groupUseless, removeAsserts, typeOf[op.Assert]()).leavesOut().tagged(Unsafe)
)

// removeTrue: a condition that is a constant without 0 holds, and one that is asked twice holds
// twice.
func removeTrue(c *Context, node *graph.Apply) *graph.Variable {
	in := node.Inputs[:1:1]
	for _, cond := range node.Inputs[1:] {
		holds := cond.IsConstant() && !slices.Contains(cond.Data.Floats(), 0)
		if !holds && !slices.Contains(in[1:], cond) {
			in = append(in, cond)
		}
	}
	switch len(in) {
	case 1:
		return c.fit(node, in[0])
	case len(node.Inputs):
		return nil
	}
	return c.fit(node, c.try(node.Op, in...))
}

// removeAsserts: nothing is checked.
func removeAsserts(c *Context, node *graph.Apply) *graph.Variable { return c.fit(node, node.Inputs[0]) }

// actors remembers which nodes that act, as an Assert does, the results of a node need. Nodes are
// never changed, so that what is remembered stays true. It is nil for a graph without such nodes,
// of which nothing is asked.
type actors map[*graph.Apply][]*graph.Apply

func actorsIn(fg *graph.FunctionGraph) actors {
	if slices.ContainsFunc(fg.Toposort(), func(node *graph.Apply) bool { return op.ActsOf(node.Op) }) {
		return make(actors)
	}
	return nil
}

// lost reports whether old needs a node that acts and that v, which is to take its place, does not.
func (m actors) lost(old, v *graph.Variable) bool {
	if m == nil {
		return false
	}
	kept := m.of(v)
	return slices.ContainsFunc(m.of(old), func(node *graph.Apply) bool { return !slices.Contains(kept, node) })
}

// of lists the nodes that act and that v needs, each once.
func (m actors) of(v *graph.Variable) []*graph.Apply {
	if v.Owner == nil {
		return nil
	}
	for stack := []*graph.Apply{v.Owner}; len(stack) > 0; {
		node := stack[len(stack)-1]
		if _, known := m[node]; known {
			stack = stack[:len(stack)-1]
			continue
		}
		size := len(stack)
		var list []*graph.Apply
		for _, u := range node.Inputs {
			if u.Owner == nil {
				continue
			}
			below, known := m[u.Owner]
			if !known {
				stack = append(stack, u.Owner)
			}
			for _, a := range below {
				if !slices.Contains(list, a) {
					list = append(list, a)
				}
			}
		}
		if len(stack) > size { // once more, when all is known of what it reads
			continue
		}
		if op.ActsOf(node.Op) {
			list = append(list, node)
		}
		m[node] = list
	}
	return m[v.Owner]
}
