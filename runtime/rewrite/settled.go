package rewrite

import (
	"slices"

	"github.com/arignote/arignote/runtime/graph"
)

// settled remembers the nodes to which no rule applied, from round to round and from pass to pass,
// so that only those rules are tried on them again that may decide otherwise now.
//
// Nodes are never changed. A rule that looks at a node and at what it is computed of, and at
// nothing else, declines it for good. Not so a rule that asks for clients, which other rules change
// (Context.asked): it is tried again in each round. Nor one that makes nodes to see what becomes of
// them, for that depends on the rules of the pass: it is tried again in another pass, as are rules
// that the pass before did not have.
type settled struct {
	nodes   graph.Table[standstill] // by first results
	turn    int32                   // the number of the round, of all passes
	indexes []*Index                // of the passes that there were
	lists   [][]*Rule               // by number, from 1; 0 is none
	longer  map[longerList]int32    // numbers of lists
}

// A standstill describes a node to which no rule applied.
type standstill struct {
	pass  int32 // whose rules were tried: its index is indexes[pass-1]; 0 if nothing is known
	turn  int32 // when they were tried last
	asked int32 // the list of those that asked for clients
	made  int32 // the list of the others that made nodes
}

// A longerList is a list and one more rule.
type longerList struct {
	list int32
	rule *Rule
}

// begin moves to a pass with rules of an index, and returns its number.
func (s *settled) begin(x *Index) (pass int32) {
	i := slices.Index(s.indexes, x)
	if i < 0 {
		i = len(s.indexes)
		s.indexes = append(s.indexes, x)
	}
	return int32(i + 1)
}

// with is the number of a list that has r too.
func (s *settled) with(list int32, r *Rule) int32 {
	key := longerList{list, r}
	n, ok := s.longer[key]
	if !ok {
		if s.longer == nil {
			s.longer = make(map[longerList]int32)
		}
		s.lists = append(s.lists, append(slices.Clip(s.list(list)), r))
		n = int32(len(s.lists))
		s.longer[key] = n
	}
	return n
}

func (s *settled) list(n int32) []*Rule {
	if n == 0 {
		return nil
	}
	return s.lists[n-1]
}

// A retrial is the key of the rules to try on a node again.
type retrial struct {
	op                graph.Op
	pass, asked, made int32
}

// again lists the positions in x, the index of the pass at hand, of the rules for nodes of o that
// are to be tried again on one of which so much is known.
func (s *settled) again(x *Index, o graph.Op, known standstill) []int {
	before := s.indexes[known.pass-1]
	asked, made := s.list(known.asked), s.list(known.made)
	if before == x {
		made = nil
	}
	var list []int
	tried := before.of(o)
	for _, i := range x.of(o) {
		r := x.rules[i]
		at := slices.IndexFunc(tried, func(j int) bool { return before.rules[j] == r })
		if at >= 0 {
			tried = tried[at+1:] // both are in one order
		}
		if at < 0 || slices.Contains(asked, r) || slices.Contains(made, r) {
			list = append(list, i)
		}
	}
	return list
}
