package profiler

import "iter"

// Roles of nodes, in the order in which reports show them.
var Roles = [...]string{"forward", "gradient", "update"}

// A Sample is the finest that a profile knows: what one of the user's lines cost as a part of one node. Tables, flame graphs and
// exports are sums of samples.
type Sample struct {
	Function *Function
	Node     *Node
	Outer    []*Node // the nodes that run Function, outermost first: loops
	Part
	// Of all calls together: the node's, times the part's share. Calls are the node's.
	Calls                          int64
	Time                           float64 // nanoseconds
	Flops, BytesRead, BytesWritten float64
	Allocated                      float64 // bytes
}

// Samples are those of all nodes that ran. A node that runs functions of its own has the samples of their nodes, and one for what is
// left of its time. It must not be called while recorders run; take a Clone.
func (s *Stats) Samples() iter.Seq[Sample] {
	return func(yield func(Sample) bool) {
		if s == nil {
			return
		}
		for _, f := range s.Functions {
			if !f.samples(nil, yield) {
				return
			}
		}
	}
}

func (f *Function) samples(outer []*Node, yield func(Sample) bool) bool {
	for _, n := range f.Nodes {
		if n.Calls == 0 {
			continue
		}
		own := n.Time
		for _, inner := range n.Inner {
			if !inner.samples(append(outer[:len(outer):len(outer)], n), yield) {
				return false
			}
			own -= inner.ThunkTime()
		}
		for p := range n.Shares() {
			s := Sample{Function: f, Node: n, Outer: outer, Part: p, Calls: n.Calls, Time: p.Share * max(own, 0),
				Flops: p.Share * n.Flops, BytesRead: p.Share * n.BytesRead, BytesWritten: p.Share * n.BytesWritten,
				Allocated: p.Share * n.Allocated}
			if !yield(s) {
				return false
			}
		}
	}
	return true
}
