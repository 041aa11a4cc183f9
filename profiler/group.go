package profiler

import (
	"math"
	"slices"
)

// Calls whose inputs differ in shape do different work. A program that calls with few rows, and at
// times with many, is not interrupted in its long calls. So the runs of a function are grouped by
// the shapes of its arguments and shared variables. Each group has tallies of its own, and a call
// is slow if it took much longer than the others of its group: see steady.go. The recorder looks
// for the group only in runs in which it has seen a shape change.
//
// The number of groups is bounded: the first shapes have a group each, and all other shapes share
// the last one.

// maxGroups is how many groups a function has at most, with the last one.
const maxGroups = 8

// A group is what a Recorder adds to in runs that begin with the same shapes.
type group struct {
	known   bool    // whether a run with arrays was seen; before the first one there is one group
	shapes  [][]int // of the variables Recorder.given; nil in the last group
	tallies []tally // by node
	spans   []span  // by node: of the work of its runs
	skipped []int64 // by node: runs that did not need it; nil if all run always
	outside tally   // by call: what it took beside its runs
	between tally   // by run: what it took beside its nodes
	runs    int64
	calls   int64 // that ended well
}

func newGroup(nodes int, lazy bool) *group {
	g := &group{tallies: make([]tally, nodes), spans: make([]span, nodes)}
	if lazy {
		g.skipped = make([]int64, nodes)
	}
	g.reset()
	return g
}

// reset forgets the runs and their shapes.
func (g *group) reset() {
	for i := range g.tallies {
		g.tallies[i].reset()
	}
	clear(g.spans)
	clear(g.skipped)
	g.outside.reset()
	g.between.reset()
	g.known, g.shapes, g.runs, g.calls = false, nil, 0, 0
}

// clone copies what runs change.
func (g *group) clone() group {
	c := *g
	c.tallies, c.spans, c.skipped = slices.Clone(g.tallies), slices.Clone(g.spans), slices.Clone(g.skipped)
	return c
}

// ran is how often node i ran.
func (g *group) ran(i int) int64 {
	if g.skipped == nil {
		return g.runs
	}
	return g.runs - g.skipped[i]
}

// begins reports whether the run that is being seen begins with the shapes of g.
func (r *Recorder) begins(g *group) bool {
	for k, v := range r.given {
		if !slices.Equal(g.shapes[k], r.values[v].last.Shape) {
			return false
		}
	}
	return true
}

// choose makes the group of the run that is being seen the current one.
func (r *Recorder) choose() {
	others := len(r.groups) == maxGroups
	own := r.groups
	if others {
		own = own[:maxGroups-1]
	}
	if i := slices.IndexFunc(own, func(g *group) bool { return g.known && r.begins(g) }); i >= 0 {
		r.turn(own[i])
		return
	}
	if others {
		r.turn(r.groups[maxGroups-1])
		return
	}
	g := r.group
	if g.known {
		g = newGroup(len(r.ops), r.lazy != nil)
		r.groups = append(r.groups, g)
		r.turn(g)
	}
	if g.known = true; len(r.groups) < maxGroups {
		for _, v := range r.given {
			g.shapes = append(g.shapes, r.values[v].last.Shape) // set makes a new one
		}
	}
}

// turn makes g the current group. If the run of the outermost function fails, g is restored.
func (r *Recorder) turn(g *group) {
	if r.saved != nil {
		r.saved.keep(g)
	}
	r.group = g
}

// fill gives n, a copy of node i, its numbers: sums over the groups.
func (r *Recorder) fill(n *Node, i int) {
	runs := r.calls(i)
	if runs == 0 {
		return
	}
	var hist [lastBucket + 1]uint32
	n.Calls, n.Time, n.Min, n.Max, n.Slow, n.SlowTime = runs, 0, math.Inf(1), 0, 0, 0
	for _, g := range r.groups {
		t := &g.tallies[i]
		n.Time, n.Min, n.Max = n.Time+t.time, min(n.Min, t.min), max(n.Max, t.max)
		for b, c := range t.hist {
			hist[b] += min(c, math.MaxUint32-hist[b])
		}
		slow, ns := t.slow(g.spans[i].ratio())
		n.Slow, n.SlowTime = n.Slow+slow, n.SlowTime+ns
	}
	n.Hist = Histogram(hist[:]).trimmed()
	n.Allocated = float64(r.new[i])
	w := r.work[i]
	n.count(w, runs-w.from)
	if r.pieces != nil && len(r.pieces[i].steps) > 0 {
		n.Parts = describeParts(r.pieces[i].origin, r.pieces[i].isa, r.pieces[i].steps)
	}
}

// fillCalls gives f, a copy of r's function whose nodes are filled, the numbers of its calls and of
// its groups, if there are several.
func (r *Recorder) fillCalls(f *Function) {
	f.Slow, f.SlowTime, f.LoopSlow, f.LoopSlowTime, f.Shapes = 0, 0, 0, 0, nil
	for _, g := range r.groups {
		s := Shapes{Calls: g.calls, Runs: g.runs, Outside: g.outside.time, Loop: g.between.time}
		s.Slow, s.SlowTime = g.outside.slow(1)
		f.Slow, f.SlowTime = f.Slow+s.Slow, f.SlowTime+s.SlowTime
		if r.program == nil {
			s.LoopSlow, s.LoopSlowTime = g.between.slow(1)
			f.LoopSlow, f.LoopSlowTime = f.LoopSlow+s.LoopSlow, f.LoopSlowTime+s.LoopSlowTime
		}
		if len(r.groups) == 1 || g.runs == 0 {
			continue
		}
		for i := range g.tallies {
			n := ShapesNode{Calls: g.ran(i), Time: g.tallies[i].time}
			n.Slow, n.SlowTime = g.tallies[i].slow(g.spans[i].ratio())
			s.Nodes = append(s.Nodes, n)
		}
		for k, v := range r.given {
			if g.shapes != nil {
				o := r.values[v].last
				s.Inputs = append(s.Inputs, Operand{DType: o.DType, ItemSize: o.ItemSize, Shape: g.shapes[k]})
			}
		}
		f.Shapes = append(f.Shapes, s)
	}
	if len(f.Shapes) == 1 {
		f.Shapes = nil
	}
}
