package rewrite

import (
	"slices"

	"github.com/arignote/arignote/runtime/graph"
)

const (
	// maxFusedOutputs bounds the results of a Composite.
	maxFusedOutputs = 16
	// maxMet bounds the groups with which a reader of an array may become one: of an array with
	// thousands of readers that stay apart, those that were met last, which are the nearest.
	maxMet = 16
	// maxVisits bounds the groups that all searches for paths come by: a graph of many thousands of
	// nodes is fused less well.
	maxVisits = 1 << 20
)

// joinAll joins groups that read or compute the same array, so that it is read from memory once: h
// = tanh(z) and 1 - h*h; a velocity and the parameter it moves; a probability, the prediction and
// the cross entropy.
func (f *fuser) joinAll() error {
	for v := range f.fg.Roots() {
		if !isSingle(v.Type) { // a number costs nothing to read
			f.joinAt(v, nil)
		}
	}
	for _, node := range f.order {
		if err := f.profile.interrupted(); err != nil {
			return err
		}
		for _, v := range node.Outputs {
			if isElementwise(node) {
				f.joinAt(v, f.groupOf(node))
			} else if !isSingle(v.Type) {
				f.joinAt(v, nil)
			}
		}
	}
	return nil
}

// joinAt joins groups that use v, and the one that makes it if that is elementwise.
func (f *fuser) joinAt(v *graph.Variable, maker *group) {
	met := f.met[:0] // that have room for results
	defer func() { f.met = met }()
	meet := func(g *group) {
		if !g.joins || !samePattern(v.Type, g.shape) || f.full(g) || slices.Contains(met, g) {
			return
		}
		at := slices.IndexFunc(met, func(h *group) bool { return f.joins(h, g) })
		if at < 0 {
			if len(met) == maxMet {
				met = slices.Delete(met, 0, 1)
			}
			at, met = len(met), append(met, g)
		} else {
			met[at] = f.join(met[at], g)
		}
		if f.full(met[at]) {
			met = slices.Delete(met, at, at+1)
		}
	}
	if maker != nil {
		meet(maker)
	}
	for _, c := range f.clients.Get(v) {
		if c.Node != nil {
			meet(f.groupOf(c.Node))
		}
	}
}

// full reports whether g has room for no other result.
func (f *fuser) full(g *group) bool { return len(f.results(g)) >= maxFusedOutputs }

// joins reports whether g and h, which have an array of their shape in common, may become one
// group.
func (f *fuser) joins(g, h *group) bool { return f.refuses(g, h) == 0 }

// refuses finds what keeps g and h apart.
func (f *fuser) refuses(g, h *group) refusal {
	switch {
	case g.when != h.when:
		return otherBranch
	case !samePattern(g.shape, h.shape):
		return otherShape
	case !g.elementwise && !h.elementwise:
		return notElementwise
	case !g.axes.None() && !h.axes.None() && g.axes != h.axes:
		return otherAxes
	}
	for axis := range g.shape.Rank() {
		if d, e := g.shape.Dim(axis), h.shape.Dim(axis); d != e && d != graph.Unknown && e != graph.Unknown {
			return otherLengths // the run will say what is wrong
		}
	}
	inputs := len(h.inputs)
	for _, v := range g.inputs {
		if !h.inputs.has(v) {
			inputs++
		}
	}
	switch {
	case inputs > maxFusedInputs:
		return tooManyInputs
	case len(f.results(g))+len(f.results(h)) > maxFusedOutputs:
		return tooManyResults
	case f.leads(g, h) || f.leads(h, g):
		return path
	}
	return 0
}

// leads reports whether a path leaves g and comes to h through another group. If it took too long
// to find out, there may be one.
func (f *fuser) leads(g, h *group) bool {
	f.search++
	bound := f.bound(h)
	stack := append(f.stack[:0], g)
	defer func() { f.stack = stack }()
	g.seen = f.search
	for len(stack) > 0 {
		x := stack[len(stack)-1]
		stack = stack[:len(stack)-1]
		if f.visits++; f.visits > maxVisits {
			return true
		}
		for _, y := range f.readersOf(x) {
			switch y = y.now(); {
			case y == h && x != g:
				return true
			case y.seen == f.search || y == h || y.last > bound:
			default:
				y.seen = f.search
				stack = append(stack, y)
			}
		}
	}
	return false
}

// readersOf lists the groups that read what g computes, some of which may have become part of
// others since. It is kept, so that searches look up nothing.
func (f *fuser) readersOf(g *group) []*group {
	if g.readers == nil {
		g.readers = make([]*group, 0, len(g.nodes))
		for _, node := range g.nodes {
			for _, v := range node.Outputs {
				for _, c := range f.clients.Get(v) {
					if c.Node == nil {
						continue
					}
					if h := f.groupOf(c.Node); len(g.readers) == 0 || g.readers[len(g.readers)-1] != h {
						g.readers = append(g.readers, h)
					}
				}
			}
		}
	}
	return g.readers
}

// now is the group that g has become part of, or g.
func (g *group) now() *group {
	for g.into != nil {
		if g.into.into != nil {
			g.into = g.into.into
		}
		g = g.into
	}
	return g
}

// bound is the last position in the topological order at which a group that leads to h may end.
// Paths go to groups that end later, except through groups that were joined: they may be read from
// any of their members on.
func (f *fuser) bound(h *group) int {
	bound := h.last
	for {
		last := f.joined.upTo(bound)
		if last <= bound {
			return bound
		}
		bound = last
	}
}

// join moves the members of h to g.
func (f *fuser) join(g, h *group) *group {
	nodes := make([]*graph.Apply, 0, len(g.nodes)+len(h.nodes))
	for x, y := g.nodes, h.nodes; len(x)+len(y) > 0; {
		if len(y) == 0 || len(x) > 0 && f.position.Get(x[0].Outputs[0]) < f.position.Get(y[0].Outputs[0]) {
			nodes, x = append(nodes, x[0]), x[1:]
		} else {
			nodes, y = append(nodes, y[0]), y[1:]
		}
	}
	for _, node := range h.nodes {
		f.setGroup(node, g)
	}
	g.nodes, g.read, g.readers = nodes, nil, nil
	h.into = g
	g.elementwise, g.axes = true, g.axes.With(h.axes)
	g.first, g.last = min(g.first, h.first), max(g.last, h.last)
	f.joined.raise(g.first, g.last) // which says all that was said of the two
	for _, v := range h.inputs {
		g.inputs.add(v)
	}
	g.inputs = slices.DeleteFunc(g.inputs, func(v *graph.Variable) bool { return v.Owner != nil && f.groupOf(v.Owner) == g })
	return g
}

// A prefixMax holds a number for each position, which may only grow, and finds the largest of those
// up to a position: a tree of P. Fenwick's.
type prefixMax []int

// raise makes the number at a position v, if it is smaller.
func (t prefixMax) raise(at, v int) {
	for ; at < len(t); at |= at + 1 {
		t[at] = max(t[at], v)
	}
}

// upTo is the largest number at positions up to at.
func (t prefixMax) upTo(at int) (v int) {
	for ; at >= 0; at = at&(at+1) - 1 {
		v = max(v, t[at])
	}
	return v
}
