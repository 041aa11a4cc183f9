package rewrite

import (
	"math"
	"slices"

	"github.com/arignote/arignote/kernels"
	"github.com/arignote/arignote/runtime/graph"
	"github.com/arignote/arignote/runtime/tensor"
)

// A match is the attempt to apply a rule as text at root. Operands of commutative operations are
// tried in both orders: each step calls then when it fits, and takes its bindings back if then
// reports false.
type match struct {
	c     *Context
	root  *graph.Apply
	bound []*graph.Variable // by slot
	inner []*graph.Variable // results of matched nodes below the root

	top     *term           // the replacement
	result  *graph.Variable // what takes the root's place
	failed  *condition      // that kept the rule from being applied
	culprit *graph.Variable // of which it does not hold
}

// newMatch makes a match, of one that is done if there is one: there are many.
func (c *Context) newMatch(root *graph.Apply, vars int) *match {
	var m *match
	if last := len(c.matches) - 1; last >= 0 {
		m, c.matches = c.matches[last], c.matches[:last]
	} else {
		m = &match{}
	}
	bound := slices.Grow(m.bound[:0], vars)[:vars]
	clear(bound)
	*m = match{c: c, root: root, bound: bound, inner: m.inner[:0]}
	return m
}

func (m *match) node(t *term, node *graph.Apply, then func() bool) bool {
	if node.Op != t.op || len(node.Inputs) != len(t.args) {
		return false
	}
	if matched := then; t.holds != nil {
		then = func() bool { return t.holds(m.c, m.root, node.Outputs[0]) && matched() }
	}
	in := node.Inputs
	if m.list(t.args, in, then) {
		return true
	}
	return t.commutes() && in[0] != in[1] && m.list(t.args, []*graph.Variable{in[1], in[0]}, then)
}

// possible reports whether node may match t, by a look at its operations and constants that makes
// nothing. Nearly all attempts end here.
func (t *term) possible(c *Context, node *graph.Apply) bool {
	in := node.Inputs
	if node.Op != t.op || len(in) != len(t.args) {
		return false
	}
	straight := true
	for i, a := range t.args {
		if !a.fits(c, in[i]) {
			straight = false
			break
		}
	}
	return straight || t.commutes() && t.args[0].fits(c, in[1]) && t.args[1].fits(c, in[0])
}

// fits is possible of an operand.
func (t *term) fits(c *Context, v *graph.Variable) bool {
	switch t.kind {
	case literal:
		value, ok := c.scalar(v)
		return ok && sameNumber(value, t.value)
	case operation:
		return v.Owner != nil && t.possible(c, v.Owner)
	}
	return true
}

func (m *match) list(terms []*term, in []*graph.Variable, then func() bool) bool {
	if len(terms) == 0 {
		return then()
	}
	return m.variable(terms[0], in[0], func() bool { return m.list(terms[1:], in[1:], then) })
}

func (m *match) variable(t *term, v *graph.Variable, then func() bool) bool {
	switch t.kind {
	case literal:
		return t.fits(m.c, v) && then()
	case variable:
		if t.holds != nil && !t.holds(m.c, m.root, v) {
			return false
		}
		if old := m.bound[t.slot]; old != nil {
			return m.c.same(old, v) && then()
		}
		m.bound[t.slot] = v
		if then() {
			return true
		}
		m.bound[t.slot] = nil
		return false
	}
	if v.Owner == nil {
		return false
	}
	m.inner = append(m.inner, v)
	if m.node(t, v.Owner, then) {
		return true
	}
	m.inner = m.inner[:len(m.inner)-1]
	return false
}

// replaced are the matched nodes below the root that nothing else needs.
func (m *match) replaced() []*graph.Apply {
	var list []*graph.Apply
	for _, v := range m.inner {
		if m.c.uses(v) <= 1 {
			list = append(list, v.Owner)
		}
	}
	return list
}

// replace builds the right-hand side and makes it fit in the root's place. It returns nil if it
// cannot.
func (m *match) replace(t *term) *graph.Variable {
	m.top = t
	v := m.build(t)
	if v == nil {
		return nil
	}
	return m.c.conform(m.root, v, m.leaves())
}

// leaves are the operands of what was matched: together they have the shape of the root.
func (m *match) leaves() []*graph.Variable {
	inner := make(map[*graph.Variable]bool)
	for _, v := range m.inner {
		inner[v] = true
	}
	var all []*graph.Variable
	add := func(in []*graph.Variable) {
		for _, v := range in {
			if !inner[v] {
				all = append(all, v)
			}
		}
	}
	add(m.root.Inputs)
	for _, v := range m.inner {
		add(v.Owner.Inputs)
	}
	return all
}

func (m *match) build(t *term) *graph.Variable {
	switch t.kind {
	case variable:
		return m.bound[t.slot]
	case literal:
		return m.literal(t.value)
	}
	in := make([]*graph.Variable, len(t.args))
	for i, a := range t.args {
		if in[i] = m.build(a); in[i] == nil {
			return nil
		}
	}
	if t == m.top && t.op == m.root.Op && slices.Equal(in, m.root.Inputs) {
		return nil // the same again, to which the rule would apply in turn
	}
	return m.c.try(t.op, in...)
}

// literal makes a constant of the root's element type that broadcasts against it; nil if the type
// does not have the value.
func (m *match) literal(value float64) *graph.Variable {
	t := m.root.Outputs[0].Type
	if !t.DType.IsFloat() && !representable(value, t.DType) {
		return nil
	}
	return m.c.Like(m.root.Outputs[0], value)
}

func representable(value float64, d kernels.DType) bool {
	return value == math.Trunc(value) && math.Abs(value) < 1<<53 && tensor.Scalar(d, value).Floats()[0] == value
}
