package profiler

import (
	"encoding/binary"
	"math"
	"slices"
	"time"
)

// An Order is the order of a function's nodes with the lowest peak that a search found. It is that
// of values, as in MemoryUse.Peak: views cost nothing, and what overwrites a value runs after all
// that read it.
type Order struct {
	Peak  int64 `json:"peak"`  // bytes
	Bound int64 `json:"bound"` // no order has a lower peak than this; at Peak, no order is better
	Nodes []int `json:"nodes"` // their ids
	// States is how many sets of nodes that have run were looked at.
	States int `json:"states,omitempty"`
}

// LowestPeak looks for the order of the nodes with the lowest peak, for at most about that long,
// and leaves it in f.Lowest; nil if no shapes were recorded.
//
// Whether there is an order with a peak of at most M is asked for one M after the other, between a
// bound that holds for every order and the best order so far. What lives depends on which nodes
// have run and not on their order, so a set that was seen need not be seen again. And most steps
// need no choice. If nodes that follow each other leave no more alive than before, within M,
// running them at once hurts nobody: what lives is a submodular function of what has run, so that
// they free as much later, and no less is free meanwhile. The same holds from the end, for what may
// as well come last. Branches that do not depend on each other, on which a search through all
// orders founders, are done with by these two. If no order has a peak of M, the lowest peak of a
// step that was refused is the next bound.
func (f *Function) LowestPeak(limit time.Duration) *Order {
	if f.Lowest = nil; !f.recorded() {
		return nil
	}
	s := search{storage: f.storage(true), deadline: time.Now().Add(limit)}
	f.Lowest = s.lowest()
	return f.Lowest
}

// LowestPeak does so for all functions, each of which has its share of the time.
func (s *Stats) LowestPeak(limit time.Duration) {
	if s == nil {
		return
	}
	snapshot := s.Clone()
	for i, f := range snapshot.Functions {
		limit := limit / time.Duration(len(snapshot.Functions))
		lowest := f.LowestPeak(limit)
		s.mu.Lock()
		s.Functions[i].Lowest = lowest // functions are added and never taken away
		s.mu.Unlock()
	}
}

// maxStates bounds the memory of a search: some hundred bytes each.
const maxStates = 1 << 17

// maxNodes is up to how many nodes every pair of them is looked at.
const maxNodes = 1 << 12

type search struct {
	*storage
	deadline time.Time
	states   int // of all attempts

	// Of an attempt:
	*walk
	most   int64 // the peak to stay below or at
	cut    int64 // the least peak of a step that was refused
	seen   map[string]bool
	budget int  // of seen
	gone   bool // out of time or budget
}

func (s *search) lowest() *Order {
	best := &Order{Nodes: s.executed(), Bound: s.bound()}
	best.Peak = s.peak(best.Nodes)
	if len(s.makes) > maxNodes {
		return best
	}
	if order, peak := s.greedy(); peak < best.Peak {
		best.Nodes, best.Peak = order, peak
	}
	const early = 4
	for tries := 0; best.Bound < best.Peak; tries++ {
		most := best.Bound // right more often than not
		if tries >= early {
			most += (best.Peak - 1 - best.Bound) / 2
		}
		order, cut := s.try(most)
		if order == nil && s.gone && tries >= early {
			break
		}
		switch {
		case order != nil:
			best.Nodes, best.Peak = order, s.peak(order)
		case s.gone:
			tries = early // a higher peak is easier to find
		default:
			best.Bound = min(cut, best.Peak)
		}
	}
	best.States = s.states
	return best
}

// bound is a peak that no order is below: while a node runs, all lives that was made by nodes that
// must come before it, for nodes that must come after it.
func (s *storage) bound() int64 {
	var end int64
	for _, b := range s.blocks {
		if b.kept {
			end += b.size
		}
	}
	n := len(s.makes)
	if n > maxNodes {
		for _, uses := range s.uses {
			var sum int64
			for _, b := range uses {
				sum += s.blocks[b].size
			}
			end = max(end, sum)
		}
		return end
	}
	follows := make([]bitset, n) // by node: those that must come after it, and itself
	for i := n - 1; i >= 0; i-- {
		follows[i] = make(bitset, (n+63)/64)
		follows[i].set(i)
		for _, j := range s.after[i] {
			follows[i].join(follows[j])
		}
	}
	needs := slices.Clone(s.inside)
	for _, b := range s.blocks {
		reach := follows[b.users[0]]
		for i := b.users[0]; i < n; i++ { // the executed order is a valid one
			if reach.has(i) && (b.kept || slices.ContainsFunc(b.users, func(u int) bool { return follows[i].has(u) })) {
				needs[i] += b.size
			}
		}
	}
	return max(end, slices.Max(append(needs, 0)))
}

// try looks for an order with a peak of at most so much. If there is none, every order has a peak
// of cut at least, which is more. It is gone if it could not find out. Some graphs are hard from
// the front and easy from the end: it tries a little of both, then more.
func (s *search) try(most int64) (order []int, cut int64) {
	s.most = most
	for s.budget = 1 << 6; s.budget <= maxStates; s.budget <<= 3 {
		for _, reverse := range []bool{true, false} {
			if order = s.attempt(reverse); order != nil || !s.gone {
				return order, s.cut
			}
		}
		if time.Now().After(s.deadline) {
			break
		}
	}
	return nil, 0
}

// attempt looks for an order from the front or, in reverse, from the end. What may as well be at
// the other end is put there first.
func (s *search) attempt(reverse bool) []int {
	s.cut, s.gone, s.seen = math.MaxInt64, false, make(map[string]bool)
	s.walk = s.storage.walk(!reverse, nil)
	s.settle()
	other := s.walk.order
	omitted := make([]bool, len(s.makes))
	for _, i := range other {
		omitted[i] = true
	}
	s.walk = s.storage.walk(reverse, omitted)
	if !s.explore(len(s.makes) - len(other)) {
		return nil
	}
	front, end := s.walk.order, other
	if reverse {
		front, end = end, front
	}
	slices.Reverse(end)
	return append(front, end...)
}

// settle goes to all nodes that need no choice.
func (s *search) settle() {
	for again := true; again; {
		again = false
		for _, i := range slices.Sorted(slices.Values(s.ready)) {
			again = s.place[i] >= 0 && s.chain(i, s.live, 0) || again
		}
	}
}

// longest chains that are looked at.
const longest = 256

// chain goes to node i and then to one that waited for it and so on, until no more lives than base.
// If that cannot be within the peak, it goes nowhere.
func (s *search) chain(i int, base int64, length int) bool {
	if length > longest || s.move(i).peak > s.most {
		return false
	}
	start := len(s.walk.order)
	s.step(i)
	if s.live <= base {
		return true
	}
	for _, j := range s.next[i] {
		if s.place[j] >= 0 && s.chain(j, base, length+1) {
			return true
		}
	}
	s.back(start)
	return false
}

// explore completes the walk to n nodes, or goes nowhere.
func (s *search) explore(n int) bool {
	start := len(s.walk.order)
	s.settle()
	if len(s.walk.order) == n {
		return true
	}
	key := s.key()
	if !s.seen[key] && !s.gone {
		s.seen[key] = true
		s.states++
		s.gone = len(s.seen) > s.budget || time.Now().After(s.deadline)
		for _, m := range s.moves() {
			if m.peak > s.most {
				s.cut = min(s.cut, m.peak)
				continue
			}
			at := len(s.walk.order)
			s.step(m.node)
			if s.explore(n) {
				return true
			}
			s.back(at)
		}
	}
	s.back(start)
	return false
}

// key tells by which nodes the walk came.
func (s *search) key() string {
	set := make(bitset, (len(s.makes)+63)/64)
	for _, i := range s.walk.order {
		set.set(i)
	}
	key := make([]byte, 0, 8*len(set))
	for _, word := range set {
		key = binary.LittleEndian.AppendUint64(key, word)
	}
	return string(key)
}

type bitset []uint64

func (b bitset) set(i int)      { b[i/64] |= 1 << (i % 64) }
func (b bitset) has(i int) bool { return b[i/64]>>(i%64)&1 != 0 }

func (b bitset) join(c bitset) {
	for i := range b {
		b[i] |= c[i]
	}
}
