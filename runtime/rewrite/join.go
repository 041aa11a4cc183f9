package rewrite

import (
	"slices"

	"github.com/arignote/arignote/runtime/graph"
)

const (
	// maxFusedOutputs bounds the results of a Composite.
	maxFusedOutputs = 16
	// maxVisits bounds the groups that all searches for paths come by: a graph of many thousands of nodes is fused less well.
	maxVisits = 1 << 20
)

// joinAll joins groups that read or compute the same array, so that it is read from memory once: h = tanh(z) and
// 1 - h*h; a velocity and the parameter it moves; a probability, the prediction and the cross entropy.
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
				f.joinAt(v, f.groups[node])
			} else if !isSingle(v.Type) {
				f.joinAt(v, nil)
			}
		}
	}
	return nil
}

// joinAt joins groups that use v, and the one that makes it if that is elementwise.
func (f *fuser) joinAt(v *graph.Variable, maker *group) {
	var met []*group
	meet := func(g *group) {
		if !g.joins || !samePattern(v.Type, g.shape) || slices.Contains(met, g) {
			return
		}
		for i, h := range met {
			if f.joins(h, g) {
				met[i] = f.join(h, g)
				return
			}
		}
		met = append(met, g)
	}
	if maker != nil {
		meet(maker)
	}
	for _, c := range f.clients[v] {
		if c.Node != nil {
			meet(f.groups[c.Node])
		}
	}
}

// joins reports whether g and h, which have an array of their shape in common, may become one group.
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
	case g.axes != 0 && h.axes != 0 && g.axes != h.axes:
		return otherAxes
	}
	for axis := range g.shape.Rank() {
		if d, e := g.shape.Dim(axis), h.shape.Dim(axis); d != e && d != graph.Unknown && e != graph.Unknown {
			return otherLengths // the run will say what is wrong
		}
	}
	inputs := len(h.inputs)
	for v := range g.inputs {
		if !h.inputs[v] {
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

// leads reports whether a path leaves g and comes to h through another group. If it took too long to find out, there may be one.
func (f *fuser) leads(g, h *group) bool {
	f.search++
	bound := f.bound(h)
	stack := []*group{g}
	g.seen = f.search
	for len(stack) > 0 {
		x := stack[len(stack)-1]
		stack = stack[:len(stack)-1]
		if f.visits++; f.visits > maxVisits {
			return true
		}
		for _, node := range x.nodes {
			for _, v := range node.Outputs {
				for _, c := range f.clients[v] {
					if c.Node == nil {
						continue
					}
					switch y := f.groups[c.Node]; {
					case y == h && x != g:
						return true
					case y.seen == f.search || y == h || y.last > bound:
					default:
						y.seen = f.search
						stack = append(stack, y)
					}
				}
			}
		}
	}
	return false
}

// bound is the last position in the topological order at which a group that leads to h may end. Paths go to groups that end later,
// except through groups that were joined: they may be read from any of their members on.
func (f *fuser) bound(h *group) int {
	bound := h.last
	for grown := true; grown; {
		grown = false
		for _, g := range f.joined {
			if g.first <= bound && g.last > bound {
				bound, grown = g.last, true
			}
		}
	}
	return bound
}

// join moves the members of h to g.
func (f *fuser) join(g, h *group) *group {
	if f.joined = slices.DeleteFunc(f.joined, func(x *group) bool { return x == h }); !slices.Contains(f.joined, g) {
		f.joined = append(f.joined, g)
	}
	nodes := make([]*graph.Apply, 0, len(g.nodes)+len(h.nodes))
	for _, node := range f.order[min(g.first, h.first) : max(g.last, h.last)+1] {
		if x := f.groups[node]; x == g || x == h {
			nodes = append(nodes, node)
			f.groups[node] = g
		}
	}
	g.nodes, g.read = nodes, nil
	g.elementwise, g.axes = true, g.axes|h.axes
	g.first, g.last = min(g.first, h.first), max(g.last, h.last)
	for v := range h.inputs {
		g.inputs[v] = true
	}
	for v := range g.inputs {
		if v.Owner != nil && f.groups[v.Owner] == g {
			delete(g.inputs, v)
		}
	}
	return g
}
