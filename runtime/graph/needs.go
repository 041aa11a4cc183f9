package graph

import "slices"

// A Chooser is implemented by operations that read the operands of one side only: which, operand 0
// says, a scalar. What nobody else needs of the other side is not computed.
type Chooser interface {
	// Side says when operand i is read.
	Side(i int) Side
}

// A Side is when a Chooser reads an operand.
type Side int8

const (
	Both Side = 0
	Then Side = 1  // operand 0 is not 0
	Else Side = -1 // operand 0 is 0
)

// SideOf is when op reads operand i.
func SideOf(op Op, i int) Side {
	if c, ok := op.(Chooser); ok {
		return c.Side(i)
	}
	return Both
}

// HasChooser reports whether there is a Chooser among nodes.
func HasChooser(nodes []*Apply) bool {
	return slices.ContainsFunc(nodes, func(n *Apply) bool { _, ok := n.Op.(Chooser); return ok })
}

// A Guard is when a value is needed: a decision diagram over conditions, whose two ends are Always
// and Never. The Guards of one Needs are equal if they are one pointer.
type Guard struct {
	Cond       *Variable // nil of Always and Never
	Then, Else *Guard
	level      int // conditions are asked in the order of levels
}

// Always and Never are the Guards of what is needed in any case, and in none.
var (
	Always = &Guard{level: 1 << 62}
	Never  = &Guard{level: 1 << 62}
)

// Holds evaluates the guard. truth is asked for conditions; of one that was not computed, because
// nobody needed it, it may say either.
func (g *Guard) Holds(truth func(cond *Variable) bool) bool {
	for g.Cond != nil {
		if truth(g.Cond) {
			g = g.Then
		} else {
			g = g.Else
		}
	}
	return g == Always
}

// Needs is what a computation needs, and when. What both sides of a Chooser need, or several
// Choosers do, is needed if one of them does: so it is computed once or not at all, however nodes
// were merged.
type Needs struct {
	// Order lists the nodes, each after those that make its inputs and those that make the
	// conditions of its guard.
	Order []*Apply

	guards   map[*Apply]*Guard // nil if there is no Chooser
	table    map[guardKey]*Guard
	made     map[guardPair]*Guard
	levels   map[*Variable]int
	supports map[*Guard][]*Variable
	eager    map[wait]bool
}

type (
	guardKey struct {
		cond        *Variable
		then, else_ *Guard
	}
	guardPair struct {
		f, g *Guard
		op   byte
	}
	// A wait is a node that has to wait for a condition.
	wait struct {
		node *Apply
		cond *Variable
	}
)

// maxGuards bounds the diagrams of a graph, some hundred bytes each. Beyond it, what is needed now
// and then counts as needed always.
const maxGuards = 1 << 14

// FindNeeds finds what results need.
//
// An order in which each node comes after the conditions that decide about it need not exist: two
// conditions may each decide, in different cases, about what the other is made of. Then the node
// that would close the circle is computed without asking one of them.
func FindNeeds(results []*Variable) *Needs { return needs(results, Toposort(results)) }

// Needs is what the results need.
func (fg *FunctionGraph) Needs() *Needs { return needs(fg.Results(), fg.Toposort()) }

func needs(results []*Variable, order []*Apply) *Needs {
	n := &Needs{Order: order}
	if !HasChooser(n.Order) {
		return n
	}
	plain := n.Order
	n.eager = make(map[wait]bool)
	for n.Order = nil; n.Order == nil; {
		n.find(results, plain)
		n.Order = n.sort(results)
	}
	return n
}

// RunOrder is Toposort in the order in which nodes run.
func (fg *FunctionGraph) RunOrder() []*Apply { return fg.Needs().Order }

// Lazy reports whether anything is not needed always.
func (n *Needs) Lazy() bool { return n.guards != nil }

// Of is when a node is needed.
func (n *Needs) Of(node *Apply) *Guard {
	if n.guards == nil {
		return Always
	}
	return n.guards[node]
}

// OfVariable is when v is needed. What no node makes is there always.
func (n *Needs) OfVariable(v *Variable) *Guard {
	if v.Owner == nil {
		return Always
	}
	return n.Of(v.Owner)
}

// OfInput is when a node needs its operand i.
func (n *Needs) OfInput(node *Apply, i int) *Guard {
	g := n.Of(node)
	side := SideOf(node.Op, i)
	if side == Both || len(n.table) > maxGuards {
		return g
	}
	lit := n.guard(node.Inputs[0], Always, Never)
	if side == Else {
		lit = n.guard(node.Inputs[0], Never, Always)
	}
	return n.And(g, lit)
}

func (n *Needs) find(results []*Variable, order []*Apply) {
	n.guards, n.table, n.made = make(map[*Apply]*Guard), make(map[guardKey]*Guard), make(map[guardPair]*Guard)
	n.levels, n.supports = make(map[*Variable]int), make(map[*Guard][]*Variable)
	for _, v := range results {
		if v.Owner != nil {
			n.guards[v.Owner] = Always
		}
	}
	for _, node := range slices.Backward(order) {
		g := n.guards[node]
		if len(n.eager) > 0 {
			for _, cond := range n.Conditions(g) {
				if n.eager[wait{node, cond}] {
					g = n.without(g, cond)
				}
			}
			n.guards[node] = g
		}
		for i, v := range node.Inputs {
			if v.Owner == nil {
				continue
			}
			e := n.OfInput(node, i)
			if old := n.guards[v.Owner]; old != nil {
				e = n.Or(old, e)
			}
			n.guards[v.Owner] = e
		}
	}
}

// sort is Toposort with conditions before what they decide about. It is nil if there was a circle,
// which the next attempt will not meet.
func (n *Needs) sort(results []*Variable) (order []*Apply) {
	type frame struct {
		node *Apply
		from []*Variable
		next int
	}
	const visiting, done = 1, 2
	state := make(map[*Apply]int)
	var stack []frame
	conditions := func(f frame) int { return len(f.from) - len(f.node.Inputs) }
	push := func(node *Apply) {
		state[node] = visiting
		stack = append(stack, frame{node: node, from: slices.Concat(n.Conditions(n.guards[node]), node.Inputs)})
	}
	for _, v := range results {
		if v.Owner != nil && state[v.Owner] == 0 {
			push(v.Owner)
		}
		for len(stack) > 0 {
			top := &stack[len(stack)-1]
			if top.next == len(top.from) {
				order = append(order, top.node)
				state[top.node] = done
				stack = stack[:len(stack)-1]
				continue
			}
			u := top.from[top.next]
			top.next++
			if u.Owner == nil || state[u.Owner] == done {
				continue
			}
			if state[u.Owner] == 0 {
				push(u.Owner)
				continue
			}
			for _, f := range slices.Backward(stack) { // one of them waits for a condition: operands alone make no circle
				if f.next <= conditions(f) {
					n.eager[wait{f.node, f.from[f.next-1]}] = true
					return nil
				}
			}
			panic("BUG: a node is an operand of itself")
		}
	}
	return order
}

// Conditions lists those that g asks for, the first one first.
func (n *Needs) Conditions(g *Guard) []*Variable {
	if g == nil || g.Cond == nil {
		return nil
	}
	if list, ok := n.supports[g]; ok {
		return list
	}
	list := []*Variable{g.Cond}
	for _, side := range []*Guard{g.Then, g.Else} {
		for _, v := range n.Conditions(side) {
			if !slices.Contains(list, v) {
				list = append(list, v)
			}
		}
	}
	slices.SortFunc(list, func(a, b *Variable) int { return n.levels[a] - n.levels[b] })
	n.supports[g] = list
	return list
}

// guard is the one that asks for cond.
func (n *Needs) guard(cond *Variable, then, els *Guard) *Guard {
	if then == els {
		return then
	}
	if _, ok := n.levels[cond]; !ok {
		n.levels[cond] = len(n.levels)
	}
	key := guardKey{cond, then, els}
	g := n.table[key]
	if g == nil {
		g = &Guard{cond, then, els, n.levels[cond]}
		n.table[key] = g
	}
	return g
}

// cofactors are g where cond, whose level that is, holds and where it does not.
func (g *Guard) cofactors(level int) (then, els *Guard) {
	if g.level != level {
		return g, g
	}
	return g.Then, g.Else
}

// first is the condition that comes first in f and g.
func first(f, g *Guard) (cond *Variable, level int) {
	if f.level <= g.level {
		return f.Cond, f.level
	}
	return g.Cond, g.level
}

// combine applies '|' or '&'. When there are too many guards it gives one that holds more often.
func (n *Needs) combine(f, g *Guard, op byte) *Guard {
	all, none := Always, Never // what decides by itself, and what does not count
	if op == '&' {
		all, none = Never, Always
	}
	switch {
	case f == all || g == all:
		return all
	case f == none || f == g:
		return g
	case g == none:
		return f
	}
	key := guardPair{f, g, op}
	if r := n.made[key]; r != nil {
		return r
	}
	if len(n.table) > maxGuards {
		if op == '|' {
			return Always
		}
		return f
	}
	cond, level := first(f, g)
	f1, f0 := f.cofactors(level)
	g1, g0 := g.cofactors(level)
	r := n.guard(cond, n.combine(f1, g1, op), n.combine(f0, g0, op))
	n.made[key] = r
	return r
}

// Or is when f holds or g does.
func (n *Needs) Or(f, g *Guard) *Guard { return n.combine(f, g, '|') }

// And is when both f and g hold.
func (n *Needs) And(f, g *Guard) *Guard { return n.combine(f, g, '&') }

// without is g without asking for cond: it holds if g does for one of the two answers.
func (n *Needs) without(g *Guard, cond *Variable) *Guard {
	level := n.levels[cond]
	if g.level > level {
		return g
	}
	if g.level == level {
		return n.Or(g.Then, g.Else)
	}
	return n.guard(g.Cond, n.without(g.Then, cond), n.without(g.Else, cond))
}

// Given is what is left to ask for g where care is known to hold.
func (n *Needs) Given(g, care *Guard) *Guard {
	switch {
	case g.Cond == nil || care.Cond == nil:
		return g
	case g == care:
		return Always
	}
	key := guardPair{g, care, '/'}
	if r := n.made[key]; r != nil {
		return r
	}
	cond, level := first(g, care)
	g1, g0 := g.cofactors(level)
	c1, c0 := care.cofactors(level)
	var r *Guard
	switch {
	case c1 == Never:
		r = n.Given(g0, c0)
	case c0 == Never:
		r = n.Given(g1, c1)
	case g1 == g0: // care alone asks for it
		r = n.Given(g, n.Or(c1, c0))
	default:
		r = n.guard(cond, n.Given(g1, c1), n.Given(g0, c0))
	}
	n.made[key] = r
	return r
}
