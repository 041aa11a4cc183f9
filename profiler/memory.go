package profiler

import (
	"cmp"
	"slices"
)

// MemoryUse is what a call needs in bytes.
type MemoryUse struct {
	// By a replay of the shapes of the last call: the most that results and intermediate values
	// take at once. Views take nothing.
	Peak      int64 // as the function is
	NoInplace int64 // if no node overwrote its operands (optimizer_excluding=inplace)
	NoGC      int64 // if everything lived until the end of the call (allow_gc=False)
	// In another order: each time that node which leaves the least alive.
	Greedy, GreedyNoInplace int64

	// What was really taken, 0 if no call ended well: the most at a time of any call since the
	// profile began; what the function keeps from call to call, which is part of that; and, of the
	// last call, its results.
	Real, Held, Results int64
	// The most that kernels took for themselves, part of Real: blocks of expressions, which each
	// node keeps, packed operands of products, parts of sums, copies.
	Workspace int64
	// What is there anyway and no part of the above: the arguments of the last call, shared
	// variables, and constants.
	Inputs, Shared, Constants int64
	// The least peak of any order in which the nodes may run, where LowestPeak looked for it: what
	// was found, and what no order can be below. They are equal if the search came to its end.
	Lowest, LowerBound int64
}

// Most is what "peak" means wherever it stands by itself: what was really taken, or, of a profile
// where that was not measured, the replay's.
func (u MemoryUse) Most() int64 {
	if u.Real > 0 {
		return u.Real
	}
	return u.Peak
}

// MemoryUse is the largest of the functions', since they do not run at the same time, and whether
// shapes were recorded. What was really taken is known if not.
func (s *Stats) MemoryUse() (use MemoryUse, ok bool) {
	if s == nil {
		return MemoryUse{}, false
	}
	for _, f := range s.Functions {
		u, recorded := f.MemoryUse()
		ok = ok || recorded
		most := use.fields()
		for i, v := range u.fields() {
			*most[i] = max(*most[i], *v)
		}
	}
	return use, ok
}

func (u *MemoryUse) fields() []*int64 {
	return []*int64{&u.Peak, &u.NoInplace, &u.NoGC, &u.Greedy, &u.GreedyNoInplace, &u.Real, &u.Held, &u.Results, &u.Workspace, &u.Inputs,
		&u.Shared, &u.Constants, &u.Lowest, &u.LowerBound}
}

// recorded reports whether the shapes of a call are known.
func (f *Function) recorded() bool {
	return slices.ContainsFunc(f.Nodes, func(n *Node) bool { return n.Outputs != nil })
}

// MemoryUse replays the last call. What was really taken is known even if no shapes were recorded.
func (f *Function) MemoryUse() (use MemoryUse, ok bool) {
	if m := f.Real; m != nil {
		use.Real, use.Held, use.Results, use.Workspace = m.Peak, m.Held, m.Results, m.Workspace
	}
	if !f.recorded() {
		return use, false
	}
	as, without := f.storage(true), f.storage(false)
	use.NoGC = as.all()
	use.Peak, use.NoInplace = as.peak(as.executed()), without.peak(without.executed())
	use.Greedy, use.GreedyNoInplace = use.Peak, use.NoInplace
	if len(f.Nodes) <= maxNodes {
		_, use.Greedy = as.greedy()
		_, use.GreedyNoInplace = without.greedy()
	}
	if f.KeepAll {
		use.Peak, use.Greedy = use.NoGC, use.NoGC
		use.NoInplace, use.GreedyNoInplace = without.all(), without.all()
	}
	use.Inputs, use.Shared, use.Constants = f.sizeOf(f.Inputs), f.sizeOf(f.Shared), f.sizeOf(f.Constants)
	if f.Lowest != nil {
		use.Lowest, use.LowerBound = f.Lowest.Peak, f.Lowest.Bound
	}
	return use, true
}

// sizeOf adds up variables that nodes read.
func (f *Function) sizeOf(variables []int) int64 {
	var sum int64
	seen := make(map[int]bool)
	for _, n := range f.Nodes {
		for k, v := range n.In {
			if k < len(n.Inputs) && !seen[v] && slices.Contains(variables, v) {
				seen[v] = true
				sum = addBytes(sum, n.Inputs[k].Bytes())
			}
		}
	}
	return sum
}

// RealMemory is what the calls of a function really took, in bytes: blocks of memory count whole,
// and homes as large as they are. It differs from a replay where several values take turns in a
// home: those of one type and shape do, as far as the shape is known when the function is compiled,
// so that two values that need not live at the same time may have two homes. And homes are kept
// from call to call.
type RealMemory struct {
	Peak     int64 `json:"peak"`                // the most at a time of any call
	PeakNode int   `json:"peak_node,omitempty"` // the node that took it there
	Held     int64 `json:"held"`                // what the function keeps for the next call
	Results  int64 `json:"results"`             // of the last call; the caller's from its end on
	// Workspace is the most that kernels had for themselves at a time, all nodes together.
	Workspace int64 `json:"workspace,omitempty"`
}

// addBytes does not overflow: a profile that was read from a file may say anything.
func addBytes(a, b int64) int64 {
	if a > 1<<62-b {
		return 1 << 62
	}
	return a + b
}

// aliasOf says where output k of a node has its memory: 'v' in input in, of which it is a view; 'i'
// in input in, which it overwrites; 'c' in memory of its own.
func (n *Node) aliasOf(k int) (in int, code byte) {
	for _, a := range n.Destroys {
		if a.Out == k {
			return a.In, 'i'
		}
	}
	for _, a := range n.Views {
		if a.Out == k {
			return a.In, 'v'
		}
	}
	return 0, 'c'
}

// Codes lists, for each output, c if it is created, i if it overwrites an input, and v if it is a
// view.
func (n *Node) Codes() []string {
	codes := make([]string, len(n.Out))
	for k := range codes {
		_, c := n.aliasOf(k)
		codes[k] = string(c)
	}
	return codes
}

// A MemoryRow is a node and the bytes of its outputs. Views count nothing.
type MemoryRow struct {
	Node     *Node
	Function string
	Bytes    int64
}

// MemoryRows lists the nodes whose operands were recorded, the largest first.
func (s *Stats) MemoryRows() (rows []MemoryRow, total int64) {
	if s == nil {
		return nil, 0
	}
	for _, f := range s.Functions {
		for _, n := range f.Nodes {
			if n.Outputs == nil {
				continue
			}
			r := MemoryRow{Node: n}
			if len(s.Functions) > 1 {
				r.Function = f.Title()
			}
			for k, o := range n.Outputs {
				if _, code := n.aliasOf(k); code != 'v' {
					r.Bytes = addBytes(r.Bytes, min(o.Bytes(), 1<<62))
				}
			}
			total = addBytes(total, r.Bytes)
			rows = append(rows, r)
		}
	}
	slices.SortStableFunc(rows, func(a, b MemoryRow) int { return cmp.Compare(b.Bytes, a.Bytes) })
	return rows, total
}
