package profiler

import (
	"cmp"
	"slices"
)

// A storage is what the order of a function's nodes has to do with memory, by the shapes of the
// last call.
type storage struct {
	blocks []block
	// By node:
	makes  [][]int // the blocks that are new when it runs
	uses   [][]int // all blocks that it touches, each once
	inside []int64 // what the functions that it runs take beside, while they run
	before [][]int // nodes that must have run, each once
	after  [][]int // the reverse
}

// A block is memory of its own: a value that is no view, and all that share it. Inputs, shared
// variables and constants have none.
type block struct {
	variable int // whose memory it is first
	size     int64
	users    []int // nodes, its maker first
	kept     bool  // it lives until the end of the call, since a result lies in it
}

// storage is that of f. Without inplace, nodes do not overwrite their operands: what they would
// have overwritten it with is new.
func (f *Function) storage(inplace bool) *storage {
	s := &storage{inside: make([]int64, len(f.Nodes)), makes: make([][]int, len(f.Nodes)), uses: make([][]int, len(f.Nodes)), before: make([][]int, len(f.Nodes)),
		after: make([][]int, len(f.Nodes))}
	at := make([]int, f.Variables) // of each variable, its block, or -1
	maker := make([]int, f.Variables)
	for v := range at {
		at[v], maker[v] = -1, -1
	}
	for i, n := range f.Nodes {
		for k, v := range n.Out {
			maker[v] = i
			if in, code := n.aliasOf(k); code == 'v' || code == 'i' && inplace {
				at[v] = at[n.In[f.taken(n, k, in, maker)]]
				continue
			}
			at[v] = len(s.blocks)
			b := block{variable: v}
			if k < len(n.Outputs) && !n.Idle {
				b.size = n.Outputs[k].Bytes()
			}
			s.blocks = append(s.blocks, b)
			s.makes[i] = append(s.makes[i], at[v])
		}
		for _, list := range [][]int{n.In, n.Out} {
			for _, v := range list {
				if b := at[v]; b >= 0 && !slices.Contains(s.uses[i], b) {
					s.uses[i] = append(s.uses[i], b)
					s.blocks[b].users = append(s.blocks[b].users, i)
				}
			}
		}
	}
	for _, v := range f.Results {
		if b := at[v]; b >= 0 {
			s.blocks[b].kept = true
		}
	}
	for i := range s.blocks { // a profile that was read from a file may say anything: the sum must not overflow
		s.blocks[i].size = min(s.blocks[i].size, 1<<62/int64(len(s.blocks)))
	}
	for i, n := range f.Nodes {
		s.inside[i] = n.inside(inplace)
		for _, v := range n.In {
			s.precede(maker[v], i)
		}
	}
	if inplace {
		f.beforeDestroyed(s)
	}
	return s
}

// inside is the most that the functions which n runs take at once beside their results.
func (n *Node) inside(inplace bool) (most int64) {
	for _, f := range n.Inner {
		if s := f.stepStorage(inplace); s != nil {
			most = max(most, min(s.peak(s.executed()), 1<<61))
		}
	}
	return most
}

// stepStorage is the storage of a function that a node runs, whose results are made where they
// stay, as rows of the node's; nil if no shapes were recorded.
func (f *Function) stepStorage(inplace bool) *storage {
	if !f.recorded() {
		return nil
	}
	s := f.storage(inplace)
	for i := range s.blocks {
		b := &s.blocks[i]
		if b.kept {
			b.size = 0
		}
		b.kept = b.kept || f.KeepAll
	}
	return s
}

// taken is the operand in whose memory result k of n lies: in, or of an ifelse the one of the
// branch that was taken, as far as one was computed.
func (f *Function) taken(n *Node, k, in int, maker []int) int {
	for _, a := range n.Views {
		if a.Out != k {
			continue
		}
		if m := maker[n.In[a.In]]; m >= 0 && !f.Nodes[m].Idle {
			return a.In
		}
	}
	return in
}

// precede notes that node i runs before node j, unless the profile, which may say anything, has
// them in another order.
func (s *storage) precede(i, j int) {
	if i >= 0 && i < j && !slices.Contains(s.before[j], i) {
		s.before[j] = append(s.before[j], i)
		s.after[i] = append(s.after[i], j)
	}
}

// beforeDestroyed has what reads a value, or a view of it, run before what overwrites it.
func (f *Function) beforeDestroyed(s *storage) {
	root := make([]int, f.Variables)     // the variable whose memory it has
	intact := make([][]int, f.Variables) // by root: the variables that have its memory as it is now
	readers := make([][]int, f.Variables)
	for v := range root {
		root[v], intact[v] = v, []int{v}
	}
	for i, n := range f.Nodes {
		for _, a := range n.Destroys {
			r := root[n.In[a.In]]
			for _, v := range intact[r] {
				for _, reader := range readers[v] {
					s.precede(reader, i)
				}
			}
			intact[r] = nil
		}
		for _, v := range n.In {
			readers[v] = append(readers[v], i)
		}
		for k, v := range n.Out {
			if in, code := n.aliasOf(k); code != 'c' {
				root[v] = root[n.In[in]]
				intact[root[v]] = append(intact[root[v]], v)
			}
		}
	}
}

// executed is the order in which the nodes ran.
func (s *storage) executed() []int {
	order := make([]int, len(s.makes))
	for i := range order {
		order[i] = i
	}
	return order
}

// total is what all values take if they live until the end.
func (s *storage) total() int64 {
	var sum int64
	for _, b := range s.blocks {
		sum += b.size
	}
	return sum
}

// all is what lives at the end if nothing is freed but what the functions that nodes run take, of
// whose runs one follows the other.
func (s *storage) all() int64 { return addBytes(s.total(), slices.Max(append(s.inside, 0))) }

// A walk runs nodes one by one or, in reverse, undoes them one by one, beginning with the last. To
// undo a node is to go back to before it ran: what was free afterwards lives again, and what it
// made is gone.
type walk struct {
	*storage
	reverse bool
	prev    [][]int // before or, in reverse, after
	next    [][]int
	live    int64
	waits   []int  // by node: how many of prev the walk has not come by
	left    []int  // by block: how many of its users have not run
	ready   []int  // nodes that may come next, in no order
	place   []int  // of a node in ready, -1 if it is not there
	omitted []bool // nodes that are left out
	order   []int  // that the walk came by
}

func (s *storage) walk(reverse bool, omitted []bool) *walk {
	n := len(s.makes)
	w := &walk{storage: s, reverse: reverse, prev: s.before, next: s.after, waits: make([]int, n), left: make([]int, len(s.blocks)),
		place: make([]int, n), omitted: omitted}
	if reverse {
		w.prev, w.next = s.after, s.before
	}
	for i, b := range s.blocks {
		switch {
		case !reverse:
			w.left[i] = len(b.users)
		case b.kept:
			w.live += b.size
		}
	}
	for i := range n {
		w.waits[i], w.place[i] = len(w.prev[i]), -1
		if w.waits[i] == 0 {
			w.enter(i)
		}
	}
	return w
}

func (w *walk) enter(i int) {
	if w.omitted == nil || !w.omitted[i] {
		w.place[i] = len(w.ready)
		w.ready = append(w.ready, i)
	}
}

func (w *walk) leave(i int) {
	if at := w.place[i]; at >= 0 {
		last := len(w.ready) - 1
		w.ready[at] = w.ready[last]
		w.place[w.ready[at]] = at
		w.ready, w.place[i] = w.ready[:last], -1
	}
}

// step goes to a node that is ready, and returns what lives while it runs.
func (w *walk) step(i int) (peak int64) {
	w.leave(i)
	for _, j := range w.next[i] {
		if w.waits[j]--; w.waits[j] == 0 {
			w.enter(j)
		}
	}
	w.order = append(w.order, i)
	return w.pass(i, w.reverse)
}

// back goes back to where the walk had come by n nodes.
func (w *walk) back(n int) {
	for len(w.order) > n {
		i := w.order[len(w.order)-1]
		w.order = w.order[:len(w.order)-1]
		for _, j := range w.next[i] {
			if w.waits[j] == 0 {
				w.leave(j)
			}
			w.waits[j]++
		}
		w.enter(i)
		w.pass(i, !w.reverse)
	}
}

// pass runs node i, or undoes it.
func (w *walk) pass(i int, undo bool) (peak int64) {
	if undo {
		for _, b := range w.uses[i] {
			if w.left[b] == 0 && !w.blocks[b].kept {
				w.live += w.blocks[b].size
			}
			w.left[b]++
		}
		peak = w.live + w.inside[i]
		w.live -= w.new(i)
		return peak
	}
	w.live += w.new(i)
	peak = w.live + w.inside[i]
	for _, b := range w.uses[i] {
		if w.left[b]--; w.left[b] == 0 && !w.blocks[b].kept {
			w.live -= w.blocks[b].size
		}
	}
	return peak
}

// new is what a node makes, in bytes.
func (s *storage) new(i int) int64 {
	var sum int64
	for _, b := range s.makes[i] {
		sum += s.blocks[b].size
	}
	return sum
}

// A move is a node that may come next, what lives meanwhile and what afterwards.
type move struct {
	node       int
	peak, live int64
}

func (w *walk) move(i int) move {
	made, last := w.new(i), 1
	if w.reverse {
		last = 0
	}
	var freed int64 // when it has run
	for _, b := range w.uses[i] {
		if w.left[b] == last && !w.blocks[b].kept {
			freed += w.blocks[b].size
		}
	}
	if w.reverse {
		made, freed = freed, made
	}
	return move{i, w.live + made + w.inside[i], w.live + made - freed}
}

func (m move) compare(o move) int {
	return cmp.Or(cmp.Compare(m.live, o.live), cmp.Compare(m.peak, o.peak), cmp.Compare(m.node, o.node))
}

// moves lists what may come next, what leaves the least alive first.
func (w *walk) moves() []move {
	list := make([]move, 0, len(w.ready))
	for _, i := range w.ready {
		list = append(list, w.move(i))
	}
	slices.SortFunc(list, move.compare)
	return list
}

// peak is the most that lives at a time if nodes run in that order.
func (s *storage) peak(order []int) int64 {
	w := s.walk(false, nil)
	var peak int64
	for _, i := range order {
		peak = max(peak, w.step(i))
	}
	return peak
}

// greedy is the order in which always that node comes next after which the least lives.
func (s *storage) greedy() (order []int, peak int64) {
	w := s.walk(false, nil)
	for len(w.ready) > 0 {
		best := w.move(w.ready[0])
		for _, i := range w.ready[1:] {
			if m := w.move(i); m.compare(best) < 0 {
				best = m
			}
		}
		peak = max(peak, w.step(best.node))
	}
	return w.order, peak
}
