package profiler

import (
	"iter"

	"github.com/arignote/arignote/runtime/graph"
)

// Roles of nodes, in the order in which reports show them.
var Roles = [...]string{"forward", "gradient", "update"}

// A Sample is the finest that a profile knows: what one of the user's lines cost as a part of one
// node. Tables, flame graphs and exports are sums of samples.
type Sample struct {
	Top      *Function // the user's, in whose call the node ran
	Function *Function // Top, or what a node runs
	Node     *Node
	Outer    []*Node // the nodes that run Function, outermost first: loops
	Scope    string  // of named_scope: that of Part, within that of the nodes that run it
	Part
	// Of all calls together: the node's, times the part's share. Calls are the node's.
	Calls                          int64
	Time                           float64 // nanoseconds
	Over                           float64 // of a steady profile: nanoseconds that were measured more
	Flops, BytesRead, BytesWritten float64
	Allocated                      float64 // bytes
}

// Samples are those of all nodes that ran. A node that runs functions of its own has the samples of
// their nodes, and one for what is left of its time. It must not be called while recorders run;
// take a Clone.
func (s *Stats) Samples() iter.Seq[Sample] {
	return func(yield func(Sample) bool) {
		if s == nil {
			return
		}
		for _, f := range s.Functions {
			if !f.samples(f, nil, "", 1, yield) {
				return
			}
		}
	}
}

// samples yields those of f's nodes, their times scaled. scope is that of the nodes in outer.
func (f *Function) samples(top *Function, outer []*Node, scope string, scale float64, yield func(Sample) bool) bool {
	for _, n := range f.Nodes {
		if n.Calls == 0 {
			continue
		}
		var inside, insideOver float64
		for _, inner := range n.Inner {
			inside += inner.ThunkTime()
			for _, m := range inner.Nodes {
				insideOver += m.over
			}
		}
		// Clocks are read apart: what is inside a node may seem to take longer than the node.
		fit := scale
		if inside > n.Time {
			fit *= n.Time / inside
		}
		for _, inner := range n.Inner {
			if !inner.samples(top, append(outer[:len(outer):len(outer)], n), graph.WithinScope(scope, n.Origin.Scope), fit, yield) {
				return false
			}
		}
		own, over := scale*max(n.Time-inside, 0), scale*max(n.over-insideOver, 0)
		done := n.beside() // what the loop's own work is: that of its steps is counted with their nodes
		for p := range n.Shares() {
			s := Sample{Top: top, Function: f, Node: n, Outer: outer, Scope: graph.WithinScope(scope, p.Origin.Scope), Part: p, Calls: n.Calls, Time: p.Share * own, Over: p.Share * over,
				Flops: p.Share * done.flops, BytesRead: p.Share * done.read, BytesWritten: p.Share * done.written,
				Allocated: p.Share * n.Allocated}
			if !yield(s) {
				return false
			}
		}
	}
	return true
}

// beside is the work of all calls of n but for that of the functions that it runs.
func (n *Node) beside() work {
	w := work{flops: n.Flops, read: n.BytesRead, written: n.BytesWritten}
	for _, f := range n.Inner {
		for _, m := range f.Nodes {
			w.flops, w.read, w.written = max(w.flops-m.Flops, 0), max(w.read-m.BytesRead, 0), max(w.written-m.BytesWritten, 0)
		}
	}
	return w
}
