package rewrite

import "github.com/arignote/arignote/runtime/graph"

// A nodeSet finds nodes by hashes, of a long graph in less time than a map. The zero nodeSet is
// empty.
type nodeSet struct {
	places []nodePlace // a power of two of them, a third of which are free at least
	count  int
	spare  []nodePlace // as many, to move to
}

// A nodePlace is where a node of a hash is, or would be.
type nodePlace struct {
	hash   uint64
	node   *graph.Apply // nil if it is free
	number uint64       // of its first result: to look at the node takes longer
}

// find returns the place of the node of that hash of which same holds, or the free one that it
// would have, until the next call.
func (s *nodeSet) find(hash uint64, same func(*graph.Apply) bool) *nodePlace {
	if 3*s.count >= 2*len(s.places) {
		s.grow(s.count)
	}
	for i := hash; ; i++ {
		p := &s.places[i&uint64(len(s.places)-1)]
		if p.node == nil || p.hash == hash && same(p.node) {
			p.hash = hash
			return p
		}
	}
}

// put stores a node at the place that find returned.
func (s *nodeSet) put(p *nodePlace, node *graph.Apply) {
	if p.node == nil {
		s.count++
	}
	p.node, p.number = node, node.Outputs[0].Number()
}

// grow makes room for more than count nodes.
func (s *nodeSet) grow(count int) {
	size := 64
	for 2*size <= 3*count {
		size *= 2
	}
	s.move(make([]nodePlace, size), func(uint64) bool { return true })
	s.spare = nil
}

// crowded reports whether s would have to grow to hold count more nodes though a third of its nodes
// are not among them.
func (s *nodeSet) crowded(count int) bool {
	return 3*(s.count+count) >= 2*len(s.places) && 2*s.count > 3*count
}

// keep forgets the nodes of whose numbers holds is false.
func (s *nodeSet) keep(holds func(number uint64) bool) {
	to := s.spare
	if to == nil {
		to = make([]nodePlace, len(s.places))
	}
	clear(to)
	s.spare = s.places
	s.move(to, holds)
}

// move moves the nodes of whose numbers holds is true to other places.
func (s *nodeSet) move(to []nodePlace, holds func(number uint64) bool) {
	old := s.places
	s.places, s.count = to, 0
	for i := range old {
		if p := &old[i]; p.node != nil && holds(p.number) {
			at := p.hash
			for to[at&uint64(len(to)-1)].node != nil {
				at++
			}
			to[at&uint64(len(to)-1)] = *p
			s.count++
		}
	}
}
