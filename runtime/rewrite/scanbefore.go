package rewrite

import (
	"fmt"
	"maps"
	"slices"

	"github.com/arignote/arignote/runtime/graph"
	"github.com/arignote/arignote/runtime/history"
	"github.com/arignote/arignote/runtime/op"
)

// before computes, for all steps at once and before the loop, what steps compute of rows and of
// what stays the same: a product of each row is one product.
//
// Products and the like go out with all that they need. Of the rest, what is elementwise is as
// quick inside, where it is fused, unless arrays of all rows that it would be would take more
// memory than those that it replaces.
func (w *loopMaker) before(p *PassProfile) {
	if len(w.rows) == 0 {
		return
	}
	if w.Until {
		w.decline(p, w.node, "scan.until", func() string {
			return "what steps compute of rows alone stays in them: rows behind the last step, which a condition ends, would be computed too"
		})
		return
	}
	m := w.stackRows(p)
	var vars []*graph.Variable
	for i, v := range w.outputs {
		result := i >= len(w.States)
		if result && w.needed[i] && m.stacks[v] != nil { // it needs no loop
			if z, ok := m.outer(v); ok {
				w.apart[i], w.needed[i], w.changed = conform(m.Builder, z, w.resultType(i)), false, true
				continue
			}
		}
		if w.needed[i] {
			vars = append(vars, v)
		}
	}
	move := m.choose(vars)
	if move == nil {
		return
	}
	subst := make(map[*graph.Variable]*graph.Variable)
	for _, v := range frontier(vars, move) {
		z, ok := m.outer(v)
		if !ok {
			continue
		}
		at := graph.NewInput(v.Name, v.Type, v.Origin)
		subst[v] = at
		w.rows, w.sequences = append(w.rows, at), append(w.sequences, z)
	}
	if len(subst) == 0 {
		return
	}
	if outputs, err := graph.Replace(w.outputs, subst, false); err == nil {
		w.outputs, w.changed = outputs, true
	}
}

// rowStacks are stacks of what steps compute of rows and of what stays the same: what they are
// computed to, for all steps.
type rowStacks struct {
	*op.Stack
	w        *loopMaker
	p        *PassProfile
	stacks   map[*graph.Variable]*graph.Variable
	out      *outside
	reversed bool // they are computed from the last step to the first, since all rows are those of an array in this order
}

// stackRows makes the stacks, in terms of rows and of inputs of the body that stay the same.
func (w *loopMaker) stackRows(p *PassProfile) *rowStacks {
	m := &rowStacks{Stack: &op.Stack{Builder: &graph.Builder{Origin: w.node.Origin()}, Rows: w.operands.Steps}, w: w, p: p, stacks: make(map[*graph.Variable]*graph.Variable)}
	m.reversed = !slices.ContainsFunc(w.sequences, func(v *graph.Variable) bool { return backwards(v) == nil })
	for i, v := range w.rows {
		if m.stacks[v] = w.sequences[i]; m.reversed {
			m.stacks[v] = backwards(w.sequences[i])
		}
	}
	still := make(map[*graph.Variable]bool)
	for _, v := range w.fixed {
		still[v] = true
	}
	needs := graph.FindNeeds(w.outputs)
	for _, node := range needs.Order {
		if slices.ContainsFunc(node.Inputs, func(v *graph.Variable) bool { return m.stacks[v] == nil && !still[v] && !v.IsConstant() }) {
			continue
		}
		if isBranch(needs, node) {
			w.decline(p, node, "scan.branch", func() string {
				return fmt.Sprintf("stays in the steps of the loop, which read %s of rows alone: an ifelse decides in each step what is computed", at(node.Outputs[0]))
			})
			continue
		}
		if _, ok := node.Op.(op.ShapeI); ok { // the same for all rows
			still[node.Outputs[0]] = true
			continue
		}
		if !m.node(node) {
			w.decline(p, node, "scan.stack", func() string {
				return fmt.Sprintf("stays in the steps of the loop, which read %s of rows alone: %s is computed for one value at a time", at(node.Outputs[0]), graph.BaseName(node.Op))
			})
		}
	}
	return m
}

// isBranch reports whether node is an ifelse, or in a branch: for all steps at once it would be
// computed for those too that do not take the branch.
func isBranch(needs *graph.Needs, node *graph.Apply) bool {
	_, chooses := node.Op.(graph.Chooser)
	return chooses || needs.Of(node) != graph.Always
}

// node stacks a node if it can.
func (m *rowStacks) node(node *graph.Apply) (ok bool) {
	defer func() {
		if recover() != nil { // operands that would not fit are an error of the step
			ok = false
		}
	}()
	return !op.ActsOf(node.Op) && m.Node(node, m.stacks)
}

// backwards is what v has the rows of, from the last to the first.
func backwards(v *graph.Variable) *graph.Variable {
	if v.Owner != nil && v.Owner.Op == graph.Op(op.Subtensor{Index: "::-1"}) {
		return v.Owner.Inputs[0]
	}
	return nil
}

// outer is the stack of v in terms of operands of the loop.
func (m *rowStacks) outer(v *graph.Variable) (*graph.Variable, bool) {
	if m.out == nil {
		m.out = m.w.outside(m.stacks)
	}
	z, ok := m.out.of(m.stacks[v])
	if ok && m.reversed {
		z = m.Apply(op.Subtensor{Index: "::-1"}, z)
	}
	return z, ok
}

// An outside puts operands of a loop in the place of inputs of its body; what asks for the length
// of a value of a step asks for that of the first row.
type outside struct {
	replace func(v *graph.Variable) (*graph.Variable, error) // nil if there is no step
	inner   map[*graph.Variable]bool                         // inputs of the body
	clean   map[*graph.Variable]bool                         // computed of no such input
}

func (w *loopMaker) outside(stacks map[*graph.Variable]*graph.Variable) *outside {
	b := &graph.Builder{Origin: w.node.Origin()}
	subst := make(map[*graph.Variable]*graph.Variable)
	for i, f := range w.fixed {
		subst[f] = w.stays[i]
	}
	for of, stack := range stacks {
		if stack.Type.Dim(0) == 0 { // there is no first row, and no step
			return &outside{}
		}
		subst[of] = b.Apply(op.Subtensor{Index: "0"}, stack)
	}
	o := &outside{inner: make(map[*graph.Variable]bool), clean: make(map[*graph.Variable]bool)}
	// What operands are made of is not looked at, lest loops that begin with each other's results
	// take time of their number's square.
	for _, u := range slices.Concat([]*graph.Variable{w.operands.Steps}, w.sequences, w.stays) {
		subst[u], o.clean[u] = u, true
		if v := backwards(u); v != nil {
			subst[v], o.clean[v] = v, true
		}
	}
	o.replace = graph.Replacing(subst, true)
	for _, u := range slices.Concat(w.Body.Inputs, w.rows, w.fixed) {
		o.inner[u] = true
	}
	return o
}

// of is v from outside, if it needs nothing else of the steps.
func (o *outside) of(v *graph.Variable) (*graph.Variable, bool) {
	if o.replace == nil {
		return nil, false
	}
	out, err := o.replace(v)
	if err != nil || !v.Type.Accepts(out.Type) || !o.isClean(out) {
		return nil, false
	}
	return out, true
}

// isClean reports whether v is computed of no input of the body. What it found it does not look at
// again.
func (o *outside) isClean(v *graph.Variable) bool {
	seen, stack := make(map[*graph.Variable]bool), []*graph.Variable{v}
	for len(stack) > 0 {
		v := stack[len(stack)-1]
		stack = stack[:len(stack)-1]
		switch {
		case o.clean[v] || seen[v]:
			continue
		case o.inner[v]:
			return false
		}
		if seen[v] = true; v.Owner != nil {
			stack = append(stack, v.Owner.Inputs...)
		}
	}
	maps.Copy(o.clean, seen)
	return true
}

// isHeavy reports whether node is worth computing for all steps at once whatever memory it takes.
func isHeavy(node *graph.Apply) bool {
	switch node.Op.(type) {
	case op.Elemwise, op.DimShuffle, op.Subtensor, op.Reshape, op.SpecifyShape, op.Alloc, op.ShapeI, op.MakeVector, op.Join, op.IncSubtensor, op.Reduce:
		return false
	}
	return true
}

// choose returns what is to be computed before the loop, of which vars are what it must still
// compute; nil for nothing.
func (m *rowStacks) choose(vars []*graph.Variable) map[*graph.Variable]bool {
	all, heavy := make(map[*graph.Variable]bool), make(map[*graph.Variable]bool)
	order := graph.Toposort(vars)
	for _, node := range order {
		if v := node.Outputs[0]; m.stacks[v] != nil {
			all[v] = true
		}
	}
	for _, node := range slices.Backward(order) {
		v := node.Outputs[0]
		if !all[v] || !heavy[v] && !isHeavy(node) {
			continue
		}
		heavy[v] = true
		for _, u := range node.Inputs {
			heavy[u] = heavy[u] || all[u]
		}
	}
	if len(all) == 0 {
		return nil
	}
	left := make(map[*graph.Variable]bool) // rows that steps would still read
	for _, node := range order {
		for _, v := range node.Inputs {
			left[v] = left[v] || !all[node.Outputs[0]]
		}
	}
	results := setOf(vars)
	less, more := 0, 0
	for _, v := range m.w.rows {
		if read, ok := left[v]; ok && !read && !results[v] {
			less += extent(v.Type)
		}
	}
	for _, v := range frontier(vars, all) {
		if v.Type.Rank() > 0 { // numbers take little
			more += extent(v.Type)
		}
	}
	if more <= less {
		return all
	}
	for _, v := range frontier(vars, all) {
		if !heavy[v] {
			m.w.decline(m.p, v.Owner, "scan.memory", func() string {
				return fmt.Sprintf("stays in the steps of the loop, which read rows alone for it: computed before, %s would be kept for all steps", graph.Mention(v))
			})
		}
	}
	numbers := make(map[*graph.Apply]bool, len(order)) // that are made of numbers alone: they are always better together
	for _, node := range order {
		v := node.Outputs[0]
		numbers[node] = v.Type.Rank() == 0 && !slices.ContainsFunc(node.Inputs, func(u *graph.Variable) bool { return u.Owner != nil && !numbers[u.Owner] })
		heavy[v] = heavy[v] || all[v] && numbers[node]
	}
	if !slices.ContainsFunc(order, func(n *graph.Apply) bool { return heavy[n.Outputs[0]] }) {
		return nil
	}
	return heavy
}

// extent is about how many elements a value of type t has.
func extent(t graph.Type) int {
	const unknown = 128
	n := 1
	for axis := range t.Rank() {
		if d := t.Dim(axis); d == graph.Unknown {
			n *= unknown
		} else {
			n *= d
		}
	}
	return n
}

func setOf(vars []*graph.Variable) map[*graph.Variable]bool {
	set := make(map[*graph.Variable]bool, len(vars))
	for _, v := range vars {
		set[v] = true
	}
	return set
}

// frontier lists what is moved and what is not moved reads of it, or vars have, in the order of
// computation.
func frontier(vars []*graph.Variable, moved map[*graph.Variable]bool) (list []*graph.Variable) {
	read := setOf(vars)
	order := graph.Toposort(vars)
	for _, node := range order {
		for _, v := range node.Inputs {
			read[v] = read[v] || !moved[node.Outputs[0]]
		}
	}
	for _, node := range order {
		if v := node.Outputs[0]; moved[v] && read[v] {
			list = append(list, v)
		}
	}
	return list
}

// decline says why something of the loop stays as it is.
func (w *loopMaker) decline(p *PassProfile, node *graph.Apply, code string, why func() string) {
	p.decline(history.Declined{Code: code, Rule: "scan_opt"}, node, why)
}
