package profiler

// Fit makes what is inside of nodes no longer than these. A loop and its steps are measured by
// clocks that are read apart, of short steps a sample stands for all, and the sums of both may then
// differ by some percent; a table whose parts take more than the whole would be read as a mistake.
// It changes s, a snapshot.
func (s *Stats) Fit() {
	for _, f := range s.Functions {
		f.fit()
	}
}

func (f *Function) fit() {
	for _, n := range f.Nodes {
		var nodes, loops float64
		for _, inner := range n.Inner {
			inside := inner.ThunkTime()
			nodes, loops = nodes+inside, loops+max(inner.RunTime-inside, 0)
		}
		scale, between := 1.0, 1.0
		if nodes > n.Time {
			scale = n.Time / nodes
		}
		if left := n.Time - scale*nodes; loops > left {
			between = max(left, 0) / loops
		}
		for _, inner := range n.Inner {
			loop := max(inner.RunTime-inner.ThunkTime(), 0)
			if scale < 1 {
				inner.scale(scale)
			}
			inner.RunTime = inner.ThunkTime() + between*loop
			inner.CallTime = inner.RunTime // what lies around its runs is the node's
			inner.divideTimes()
			inner.fit()
		}
	}
}

// Beside is the time of n but for a part of it. Sums of the same numbers in another order may
// differ in their last digits: that is no time.
func (n *Node) Beside(part float64) float64 {
	if left := n.Time - part; left > 1e-9*n.Time {
		return left
	}
	return 0
}

// scale shortens the times of f's nodes, and of what these run.
func (f *Function) scale(by float64) {
	for _, n := range f.Nodes {
		n.Time, n.over = n.Time*by, n.over*by
		for _, inner := range n.Inner {
			inner.scale(by)
			inner.RunTime, inner.CallTime = inner.RunTime*by, inner.CallTime*by
			inner.divideTimes()
		}
	}
}
