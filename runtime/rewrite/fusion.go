package rewrite

import (
	"slices"

	"github.com/arignote/arignote/runtime/graph"
	"github.com/arignote/arignote/runtime/op"
)

// maxFusedInputs bounds the operands of a Composite: each takes a pointer and perhaps a block of scratch memory.
const maxFusedInputs = 32

// Fuse collapses groups of elementwise nodes into one op.Composite each, whose intermediate values never leave the cache.
// It reports how many groups it made.
//
// A group has one root, whose value is the group's result; every other member is read by members only, so that nothing is
// computed twice and no path leaves the group and comes back. Going through the nodes in reverse topological order,
// the clients of a node are placed before it: it joins the group that holds all of them, if its shape is the root's. A node of
// smaller shape (a row, a scalar) stays outside, because inside it would be computed again for every element of the root; a
// conversion is cheap enough.
func Fuse(fg *graph.FunctionGraph) (*graph.FunctionGraph, int, error) {
	groups := findGroups(fg)
	count := 0
	subst := make(map[*graph.Variable]*graph.Variable) // inputs of groups, as transformed
	res, err := fg.Transform(func(node *graph.Apply, in []*graph.Variable) ([]*graph.Variable, error) {
		for i, v := range node.Inputs {
			subst[v] = in[i]
		}
		g := groups[node]
		switch {
		case g == nil || len(g.members) < 2:
			return remake(node, node.Op, in)
		case g.root != node:
			return node.Outputs, nil // read by members only, it is not reached from the new root
		}
		count++
		return g.fuse(subst)
	})
	return res, count, err
}

// A group is a set of nodes that become one.
type group struct {
	root    *graph.Apply
	members map[*graph.Apply]bool
	inputs  map[*graph.Variable]bool // what members read and no member computes
}

func findGroups(fg *graph.FunctionGraph) map[*graph.Apply]*group {
	clients := fg.Clients()
	order := fg.Toposort()
	groups := make(map[*graph.Apply]*group)
	for _, node := range slices.Backward(order) {
		if _, ok := fusable(node.Op); !ok || len(node.Outputs) != 1 {
			continue
		}
		g := commonGroup(clients[node.Outputs[0]], groups)
		if g == nil || !g.admits(node) {
			g = &group{root: node, members: make(map[*graph.Apply]bool), inputs: make(map[*graph.Variable]bool)}
		}
		g.add(node)
		groups[node] = g
	}
	return groups
}

// commonGroup is the group to which all clients belong, nil if there is none.
func commonGroup(clients []graph.Client, groups map[*graph.Apply]*group) *group {
	var g *group
	for _, c := range clients {
		if c.Node == nil || groups[c.Node] == nil || g != nil && groups[c.Node] != g {
			return nil
		}
		g = groups[c.Node]
	}
	return g
}

func (g *group) admits(node *graph.Apply) bool {
	t := g.root.Outputs[0].Type
	if !samePattern(node.Outputs[0].Type, t) && !isCast(node.Op) {
		return false
	}
	n := len(g.inputs) - 1
	for i, v := range node.Inputs {
		if !g.inputs[v] && !slices.Contains(node.Inputs[:i], v) {
			n++
		}
	}
	return n <= maxFusedInputs
}

func (g *group) add(node *graph.Apply) {
	g.members[node] = true
	delete(g.inputs, node.Outputs[0])
	for _, v := range node.Inputs {
		g.inputs[v] = true
	}
}

func isCast(o graph.Op) bool {
	e, ok := o.(op.Elemwise)
	if !ok {
		return false
	}
	_, ok = e.IsCast()
	return ok
}

// samePattern reports whether values of two types have the same shape as far as broadcasting goes.
func samePattern(t, u graph.Type) bool {
	if t.Rank() != u.Rank() {
		return false
	}
	for axis := range t.Rank() {
		if t.Broadcasts(axis) != u.Broadcasts(axis) {
			return false
		}
	}
	return true
}

// fuse makes the Composite. Inputs are numbered by their first use in the expression as it is written, from the left, and steps
// in the order they are needed, so that equal computations become equal ops.
func (g *group) fuse(subst map[*graph.Variable]*graph.Variable) ([]*graph.Variable, error) {
	var inputs []*graph.Variable
	g.visit(func(v *graph.Variable) { inputs = append(inputs, v) }, func(*graph.Apply) {})
	at := make(map[*graph.Variable]int) // argument numbers
	for i, v := range inputs {
		at[v] = i
	}
	code := stepper{inputs: len(inputs), known: make(map[string]int)}
	var origins []*graph.Origin
	var err error
	g.visit(func(*graph.Variable) {}, func(node *graph.Apply) {
		args := make([]int, len(node.Inputs))
		for i, v := range node.Inputs {
			args[i] = at[v]
		}
		r, e := code.apply(node.Op, args)
		if e != nil {
			err = e
		}
		at[node.Outputs[0]] = r
		if o := node.Origin(); o != nil && !slices.Contains(origins, o) {
			origins = append(origins, o)
		}
	})
	if err != nil {
		return nil, err
	}
	old := g.root.Outputs[0]
	in := make([]*graph.Variable, len(inputs))
	for i, v := range inputs {
		in[i] = subst[v]
	}
	composite := op.NewComposite(len(in), code.steps, []int{at[old]})
	node, err := graph.NewApply(composite, in, mergeOrigins(g.root.Origin(), origins))
	if err != nil {
		return nil, err
	}
	node.Outputs[0].Name = old.Name
	return node.Outputs, nil
}

// visit walks the group's expression from the root, operands from the left: it calls input at the first use of each input, and
// member after the operands of each member.
func (g *group) visit(input func(*graph.Variable), member func(*graph.Apply)) {
	seen := make(map[*graph.Variable]bool)
	type frame struct {
		node *graph.Apply
		next int
	}
	stack := []frame{{node: g.root}}
	for len(stack) > 0 {
		top := &stack[len(stack)-1]
		if top.next == len(top.node.Inputs) {
			member(top.node)
			stack = stack[:len(stack)-1]
			continue
		}
		v := top.node.Inputs[top.next]
		top.next++
		switch {
		case seen[v]:
		case v.Owner != nil && g.members[v.Owner]:
			seen[v] = true
			stack = append(stack, frame{node: v.Owner})
		default:
			seen[v] = true
			input(v)
		}
	}
}

// A stepper writes the steps of a Composite; an equal step is written once.
type stepper struct {
	inputs int
	steps  []op.Step
	known  map[string]int
}

// apply appends o, which is elementwise or itself a Composite, and returns the number of its result.
func (s *stepper) apply(o graph.Op, args []int) (int, error) {
	switch o := o.(type) {
	case op.Elemwise:
		key := op.NewComposite(s.inputs, []op.Step{{Op: o, Args: args}}, nil).Code
		if r, ok := s.known[key]; ok {
			return r, nil
		}
		s.steps = append(s.steps, op.Step{Op: o, Args: slices.Clone(args)})
		r := s.inputs + len(s.steps) - 1
		s.known[key] = r
		return r, nil
	case op.Composite:
		steps, outputs, err := o.Steps(len(args))
		if err != nil {
			return 0, err
		}
		regs := slices.Clone(args)
		for _, step := range steps {
			in := make([]int, len(step.Args))
			for i, a := range step.Args {
				in[i] = regs[a]
			}
			r, err := s.apply(step.Op, in)
			if err != nil {
				return 0, err
			}
			regs = append(regs, r)
		}
		return regs[outputs[0]], nil
	}
	panic("BUG: " + o.Name() + " in a group")
}

// mergeOrigins is root's origin with those of all the nodes that were fused.
func mergeOrigins(root *graph.Origin, all []*graph.Origin) *graph.Origin {
	if len(all) == 0 {
		return root
	}
	if root == nil {
		root = all[len(all)-1]
	}
	return &graph.Origin{Frames: root.Frames, Role: root.Role, Merged: all}
}
