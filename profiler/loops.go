package profiler

import (
	"cmp"
	"slices"

	"github.com/arignote/arignote/profiler/units"
)

// A LoopRow is a function that a node runs, as a loop its step: what its runs took of the node's
// time, and what is the loop's own.
type LoopRow struct {
	Top      *Function // the user's
	Outer    []*Node   // nodes that run the function to which Node belongs, outermost first
	Node     *Node
	Function *Function // that Node runs
	Steps    int64     // its runs, in all calls of Node
	Time     float64   // of Node, in nanoseconds
	PerStep  float64
	Inside   float64 // part of Time: of the function's nodes
	Overhead float64 // part of Time: the rest
	Fraction float64 // Time of the time of all nodes of the profile

	stats *Stats
}

// Loops lists the functions that nodes run, and those that their nodes run, the most expensive
// first. It must not be called while recorders run; take a Clone.
func (s *Stats) Loops() []LoopRow {
	if s == nil {
		return nil
	}
	t := s.Total()
	total := t.ThunkTime()
	var rows []LoopRow
	var add func(top, f *Function, outer []*Node, scale float64)
	add = func(top, f *Function, outer []*Node, scale float64) {
		for _, n := range f.Nodes {
			var inside float64
			for _, inner := range n.Inner {
				inside += inner.ThunkTime()
			}
			fit := scale
			if inside > n.Time {
				fit *= n.Time / inside
			}
			for _, inner := range n.Inner {
				if n.Calls == 0 {
					continue
				}
				r := LoopRow{Top: top, Outer: outer, Node: n, Function: inner, Steps: inner.Runs, Time: scale * n.Time, Inside: fit * inner.ThunkTime(), stats: s}
				r.PerStep = units.Ratio(r.Time, float64(r.Steps))
				r.Overhead = max(r.Time-fit*inside, 0)
				r.Fraction = units.Ratio(r.Time, total)
				rows = append(rows, r)
				add(top, inner, append(outer[:len(outer):len(outer)], n), fit)
			}
		}
	}
	for _, f := range s.Functions {
		add(f, f, nil, 1)
	}
	slices.SortStableFunc(rows, func(a, b LoopRow) int { return cmp.Compare(b.Time, a.Time) })
	return rows
}

// Nodes are the nodes inside, as InnerRows has them.
func (r LoopRow) Nodes() []Row { return r.stats.InnerRows(ByApply, r.Node) }

// dearLoop is the part of a loop's time from which on its own cost is worth a change.
const dearLoop = 0.15

// Own says what to do about the time that a loop takes beside the nodes of its steps, "" if that is
// little.
func (n *Node) Own() string {
	var inside float64
	var steps int64
	for _, f := range n.Inner {
		inside += f.ThunkTime()
		steps += f.Runs
	}
	if own := n.Beside(inside); steps >= n.Calls*2 && own >= dearLoop*n.Time {
		return "dear for steps of so little: " + LargerSteps
	}
	return ""
}

// LargerSteps is the change that makes the own cost of a loop matter less.
const LargerSteps = "give a step more rows, or compute before the loop what needs no earlier step"
