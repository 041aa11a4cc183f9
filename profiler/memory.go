package profiler

import (
	"cmp"
	"slices"
)

// MemoryUse is what a call needs for the results of its nodes, in bytes, by a replay of the shapes of the last call. Inputs, shared
// variables and constants are there anyway and do not count; nor does what a kernel needs while it runs.
type MemoryUse struct {
	Peak      int64 // as the function is
	NoInplace int64 // if no node overwrote its operands (optimizer_excluding=inplace)
	NoGC      int64 // if everything lived until the end of the call (allow_gc=False)

	// What was measured while it ran, 0 if it was not: the most that results, intermediate values and workspaces took at once, and
	// of that what the results took and what kernels took for themselves.
	Real, Results, Workspace int64
	// What was there anyway: arguments, and shared variables and constants.
	Inputs, Shared int64
	// The least peak of any order in which the nodes may run, where it was looked for: what was found, and what no order can be below.
	// They are equal if the search came to its end.
	Lowest, LowerBound int64
}

// MemoryUse is the largest of the functions', since they do not run at the same time, and whether shapes were recorded.
func (s *Stats) MemoryUse() (use MemoryUse, ok bool) {
	if s == nil {
		return MemoryUse{}, false
	}
	for _, f := range s.Functions {
		u, recorded := f.MemoryUse()
		ok = ok || recorded
		use.Peak = max(use.Peak, u.Peak)
		use.NoInplace = max(use.NoInplace, u.NoInplace)
		use.NoGC = max(use.NoGC, u.NoGC)
	}
	return use, ok
}

// MemoryUse replays the last call.
func (f *Function) MemoryUse() (use MemoryUse, ok bool) {
	for _, n := range f.Nodes {
		ok = ok || n.Outputs != nil
	}
	if !ok {
		return MemoryUse{}, false
	}
	use.Peak, use.NoGC = f.replay(true)
	use.NoInplace, _ = f.replay(false)
	if f.KeepAll {
		use.Peak = use.NoGC
		_, use.NoInplace = f.replay(false)
	}
	return use, true
}

// replay follows the memory of a call node by node. A result has memory of its own unless it is a view or, with inplace,
// overwrites an operand; that memory is free after the last node that uses the result or what shares its memory.
func (f *Function) replay(inplace bool) (peak, total int64) {
	root := make([]int, f.Variables) // of each variable, the one whose memory it uses
	size := make([]int64, f.Variables)
	last := make([]int, f.Variables) // of each root, the last node that uses it
	for v := range root {
		root[v] = v
	}
	for i, n := range f.Nodes {
		for k, v := range n.Out {
			if in, code := n.aliasOf(k); code == 'v' || code == 'i' && inplace {
				root[v] = root[n.In[in]]
			} else if k < len(n.Outputs) {
				size[v] = n.Outputs[k].Bytes()
			}
			last[root[v]] = i
		}
		for _, v := range n.In {
			last[root[v]] = i
		}
	}
	for _, v := range f.Results {
		last[root[v]] = len(f.Nodes)
	}
	free := make([]int64, len(f.Nodes)+1) // by node: what is free after it
	var current int64
	for i, n := range f.Nodes {
		for _, v := range n.Out {
			if root[v] == v {
				current = addBytes(current, size[v])
				total = addBytes(total, size[v])
				free[last[v]] = addBytes(free[last[v]], size[v])
			}
		}
		peak = max(peak, current)
		current -= free[i]
	}
	return peak, total
}

// addBytes does not overflow: a profile that was read from a file may say anything.
func addBytes(a, b int64) int64 {
	if a > 1<<62-b {
		return 1 << 62
	}
	return a + b
}

// aliasOf says where output k of a node has its memory: 'v' in input in, of which it is a view; 'i' in input in, which it
// overwrites; 'c' in memory of its own.
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

// Codes lists, for each output, c if it is created, i if it overwrites an input, and v if it is a view.
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
