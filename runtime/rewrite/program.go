package rewrite

import (
	"fmt"

	"github.com/arignote/arignote/runtime/graph"
)

// A RuleError is an error of a function of the user's that a rule calls.
type RuleError struct {
	Rule *Rule
	Node *graph.Apply // that the rule was tried on
	Err  error
}

func (e *RuleError) Error() string { return fmt.Sprintf("%v on %s: %v", e.Rule, by(e.Node), e.Err) }
func (e *RuleError) Unwrap() error { return e.Err }

// NewRule makes a rule of a function that gives a variable to take the place of a node's result,
// nil to leave the node. It is asked of nodes of ops and of operations that are called as names
// say, whatever their parameters; of all nodes, if there are none of both.
func NewRule(name, where string, ops []graph.Op, names []string, replace func(c *Context, node *graph.Apply) (*graph.Variable, error)) *Rule {
	r := &Rule{Name: name, Where: where}
	for _, o := range ops {
		r.roots = append(r.roots, o)
	}
	for _, n := range names {
		r.roots = append(r.roots, named(n))
	}
	if r.roots == nil {
		r.roots = []any{anyOp}
	}
	r.apply = func(c *Context, node *graph.Apply) *graph.Variable {
		c.asked = true // nobody knows what it looks at
		v, err := replace(c, node)
		if err == nil && v != nil {
			v, err = c.adopt(node, v)
		}
		if err != nil {
			c.fixed.fail(node, err)
			return nil
		}
		return v
	}
	return r
}

// Clients are the readers of v, as the walk over the graph began.
func (c *Context) Clients(v *graph.Variable) []graph.Client {
	c.asked = true
	return c.readers.Get(v)
}

// named is the root of rules for operations of a name, whatever their parameters.
type named string

// Constrain adds to a rule as text what one part of its pattern has to fulfil, counted from 0 in
// the order in which they are written.
func (r *Rule) Constrain(part int, holds func(v *graph.Variable) (bool, error)) {
	r.text.pattern.walk(func(t *term) {
		if part == 0 {
			t.holds = func(c *Context, node *graph.Apply, v *graph.Variable) bool {
				c.asked = true // as above
				ok, err := holds(v)
				if err != nil {
					c.fixed.fail(node, err)
				}
				return ok && err == nil
			}
		}
		part--
	})
}

// fail tells of an error of the rule at hand, which is not tried again in the pass, or ends it.
func (f *fixedPoint) fail(node *graph.Apply, err error) {
	r := f.rule
	if f.failed == nil {
		f.failed = make(map[*Rule]bool)
	}
	if f.failed[r] {
		return
	}
	f.failed[r] = true
	err = &RuleError{r, node, err}
	if f.profile != nil && f.profile.OnError != nil {
		err = f.profile.OnError(err)
	}
	if f.fault == nil {
		f.fault = err
	}
}

// adopt makes the nodes of v, which a user's function made to take the place of node's result,
// again: with the place of node, and with the other rules applied to them. It is nil if v is what
// is there.
func (c *Context) adopt(node *graph.Apply, v *graph.Variable) (*graph.Variable, error) {
	old := node.Outputs[0]
	switch {
	case v == old || v.Owner != nil && equalNodes(v.Owner, node):
		return nil, nil
	case v.Type.DType != old.Type.DType:
		return nil, fmt.Errorf("the replacement of %s is %s, want the element type %v; convert it with .astype(%q)",
			graph.Mention(old), graph.Mention(v), old.Type.DType, old.Type.DType.String())
	case !fits(old.Type, v.Type):
		return nil, fmt.Errorf("the replacement of %s is %s, which has another shape", graph.Mention(old), graph.Mention(v))
	}
	known := make(map[*graph.Variable]bool)
	for _, u := range node.Inputs {
		known[u] = true
	}
	for _, n := range graph.Toposort(node.Inputs) {
		for _, u := range append(n.Inputs[:len(n.Inputs):len(n.Inputs)], n.Outputs...) {
			known[u] = true
		}
	}
	made := make(map[*graph.Variable]*graph.Variable)
	now := func(u *graph.Variable) *graph.Variable {
		if w := made[u]; w != nil {
			return w
		}
		return u
	}
	strange := func(u *graph.Variable) bool {
		return u.Owner == nil && !u.IsConstant() && u.Shared == nil && !known[u] && c.uses(u) == 0
	}
	if strange(v) {
		return nil, fmt.Errorf("the replacement of %s is %s, which is no input of the function", graph.Mention(old), graph.Mention(v))
	}
	for _, n := range graph.Toposort([]*graph.Variable{v}) {
		if n == node {
			return nil, fmt.Errorf("the replacement of %s is computed from it", graph.Mention(old))
		}
		if known[n.Outputs[0]] || c.uses(n.Outputs[0]) > 0 {
			continue
		}
		in := make([]*graph.Variable, len(n.Inputs))
		for i, u := range n.Inputs {
			if strange(u) {
				return nil, fmt.Errorf("the replacement of %s is computed from %s, which is no input of the function", graph.Mention(old), graph.Mention(u))
			}
			in[i] = now(u)
		}
		again, err := graph.NewApply(n.Op, in, c.origin)
		if err != nil {
			return nil, err
		}
		c.fixed.counted(again.Outputs...)
		for i, u := range again.Outputs {
			u.Name = n.Outputs[i].Name
			if made[n.Outputs[i]] = u; len(again.Outputs) == 1 {
				made[n.Outputs[i]] = c.fixed.simplify(u)
			}
		}
	}
	return now(v), nil
}
