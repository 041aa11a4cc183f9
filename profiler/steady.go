package profiler

import (
	"fmt"
	"slices"

	"github.com/arignote/arignote/profiler/units"
)

// A machine does other things too. One interruption of 108 ms among 2,000 calls of a microsecond is
// 98 % of their sum, falls upon any node, and says nothing of the program. So calls that took much
// longer than the others are told apart as they are recorded, and our own tables count each of them
// as a mean one of the others: Steady. What was left out is said beside the row.
//
// A call is slow that took more than slowFactor times as long as three quarters of the node's calls
// whose inputs had the same shapes (group.go), and at least shortestSlow: what happens to every
// fourth call or more is the program's. Operands may differ in length within a group too, where a
// value decides the length of an intermediate result, and in the group of all other shapes. There a
// node that had to do r times as much in one call as in another may take r times as long.
//
// Not the median times the calls: of a node that works on 10 numbers in sixty calls and on a
// million in forty, that is nothing. Not a mean without the longest tenth: it leaves out of each
// node what only those have that were interrupted.
const (
	slowFactor   = 2
	shortestSlow = 1000 // nanoseconds: no interruption is shorter, and below it clocks differ
	bucketsOfSum = 4    // half an octave: what is slow begins at a border of these, up to 1.4 times higher
)

// slow is how many calls were much longer than the others, of a node whose work differed by that
// ratio, and what they took.
func (t *tally) slow(ratio float64) (calls int64, ns float64) {
	limit := max(slowFactor*ratio*Histogram(t.hist[:]).quantile(0.75), shortestSlow)
	if limit >= t.max {
		return 0, 0
	}
	for i := int(bucket(limit))/bucketsOfSum + 1; i < len(t.sums); i++ {
		ns += t.sums[i]
		for _, c := range t.hist[i*bucketsOfSum:][:bucketsOfSum] {
			calls += int64(c)
		}
	}
	return calls, ns
}

// excess is what slow calls took more than as many of the others, of calls that took ns together.
func excess(slow int64, slowTime float64, calls int64, ns float64) float64 {
	if slow <= 0 || slow >= calls {
		return 0
	}
	return max(slowTime-float64(slow)*(ns-slowTime)/float64(calls-slow), 0)
}

// Steady is a snapshot of s in which no call was slow: the times of nodes, runs and calls are those
// that they would have been had each slow call taken as long as a mean one of the others. Our own
// views show these, the classic layouts what was measured. What single calls took, Min, Max, and
// the distributions, is as it was. That of a steady profile is itself.
func (s *Stats) Steady() *Stats {
	c := s.Clone()
	if !c.steady {
		for _, f := range c.Functions {
			f.steady()
		}
		c.steady = true
		c.Fit()
	}
	return c
}

// steady returns by how much less time the nodes take.
func (f *Function) steady() (less float64) {
	for i, n := range f.Nodes {
		var inside, all float64
		for _, inner := range n.Inner {
			all += inner.ThunkTime()
			inside += inner.steady()
		}
		if all > n.Time { // clocks are read apart, and of short steps a sample stands for all
			inside *= n.Time / all
		}
		// An interruption of a loop's step is one of the loop, though the loop may be too long for
		// it to show.
		over := max(f.steadyNode(i), inside)
		n.Time, n.over = n.Time-over, over
		less += over
	}
	loop, outside := f.steadyCalls(f.RunTime-f.ThunkTime()-less, f.CallTime-f.RunTime)
	less += loop
	f.RunTime = max(f.RunTime-less, f.ThunkTime()) // sums of the same numbers in another order
	f.CallTime = max(f.CallTime-less-outside, f.RunTime)
	f.divideTimes()
	return less
}

// Others names the calls beside which slow ones are too long.
func (s *Stats) Others() string {
	if slices.ContainsFunc(s.Functions, func(f *Function) bool { return f.Shapes != nil }) {
		return "others of the same shapes"
	}
	return "the others"
}

// A LeftOut is what the time of a row of a steady profile does not have.
type LeftOut struct {
	Calls   int64
	Time    float64 // nanoseconds that these calls took
	Longest float64 // of them
	Over    float64 // nanoseconds that were measured more than the row's time
}

func (l *LeftOut) add(n *Node, share, over float64) {
	if l.Over += over; n.Slow > 0 {
		l.Calls += n.Slow
		l.Time += share * n.SlowTime
		l.Longest = max(l.Longest, share*n.Max)
	}
}

// From when on it matters what was left out: so much of the time of the row, and of the whole.
const (
	notableInRow = 0.1
	notableInAll = 0.01
)

// Of says what was left out of a row of so many calls that took ns together, a fraction of the
// whole; "" if that is little.
func (l LeftOut) Of(calls int64, ns, fraction float64) string {
	if part := units.Ratio(l.Over, ns); l.Calls == 0 || part <= notableInRow || part*fraction <= notableInAll {
		return ""
	}
	time := func(ns float64) string { return units.Human(units.Times, ns) }
	if l.Calls == 1 {
		return fmt.Sprintf("1 of %s took %s: left out", units.Plural(calls, "call"), time(l.Longest))
	}
	return fmt.Sprintf("%d of %s took up to %s, together %s: left out", l.Calls, units.Plural(calls, "call"), time(l.Longest), time(l.Time))
}
