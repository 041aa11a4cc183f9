package profiler

import (
	"cmp"
	"math"
	"slices"
	"strings"

	"github.com/arignote/arignote/profiler/units"
)

// MinChange is the part of a time from which on it is another, however small the margin: clocks and
// layouts of memory differ from run to run.
const MinChange = 0.02

// A Difference is what one profile took more than another: numbers are self's less other's, and
// what only one of them has is 0 in the other. Rows of other kinds than ByApply can be compared
// however different the graphs are.
type Difference struct{ self, other *Stats }

// Minus returns the difference of snapshots of s and other.
func (s *Stats) Minus(other *Stats) Difference { return Difference{s.Clone(), other.Clone()} }

// ThunkTimes are the nanoseconds in all nodes of each.
func (d Difference) ThunkTimes() (self, other float64) {
	a, b := d.self.Total(), d.other.Total()
	return a.ThunkTime(), b.ThunkTime()
}

// Total is that of calls, their times and those of compiling. It has no nodes.
func (d Difference) Total() Function {
	t := d.self.Total()
	t.subtract(d.other.Total())
	t.Nodes, t.Rewrites = nil, nil
	return t
}

func (f *Function) subtract(g Function) {
	f.Calls -= g.Calls
	f.CallTime -= g.CallTime
	f.Runs -= g.Runs
	f.RunTime -= g.RunTime
	f.Untraced -= g.Untraced
	f.Unmeasured -= g.Unmeasured
	f.Failed -= g.Failed
	f.FailedTime -= g.FailedTime
	f.Ignored -= g.Ignored
	f.Compile.Total -= g.Compile.Total
	f.Compile.Rewrite -= g.Compile.Rewrite
	f.Compile.Validate -= g.Compile.Validate
	f.Compile.Link -= g.Compile.Link
}

// Rows computes a table of differences, the largest first, whatever its sign. Fractions are of the
// larger of the two ThunkTimes, and so between -1 and 1. A row's type is that of the nodes of both.
// There are no rows ByApply: positions of two graphs do not correspond.
func (d Difference) Rows(by By) []Row {
	if by == ByApply {
		return nil
	}
	return minus(d.self.Rows(by), d.other.Rows(by), max(d.ThunkTimes()))
}

// FunctionRows computes the table of the functions, which correspond by their titles. Fractions are
// of the larger time of all calls.
func (d Difference) FunctionRows() []Row {
	a, b := d.self.Total(), d.other.Total()
	return minus(d.self.FunctionRows(), d.other.FunctionRows(), max(a.CallTime, b.CallTime))
}

// minus subtracts the rows of b from those of a, which it changes. Fractions are of whole.
func minus(a, b []Row, whole float64) []Row {
	at := make(map[string]int)
	for i, r := range a {
		at[r.key] = i
	}
	for _, o := range b {
		i, ok := at[o.key]
		if !ok {
			i = len(a)
			a = append(a, Row{Name: o.Name, key: o.key, Known: o.Known})
		}
		r := &a[i]
		r.Time -= o.Time
		r.PerCall -= o.PerCall
		r.Calls -= o.Calls
		r.Applies -= o.Applies
		r.Ops -= o.Ops
		r.Known = r.Known && o.Known
		r.Flops -= o.Flops
		r.Bytes -= o.Bytes
		r.Type = mixType(r.Type, o.Type)
	}
	slices.SortStableFunc(a, func(x, y Row) int {
		return cmp.Or(cmp.Compare(math.Abs(y.Time), math.Abs(x.Time)), strings.Compare(x.Name, y.Name))
	})
	var sum float64
	for i := range a {
		r := &a[i]
		sum += r.Time
		r.Fraction, r.Cumulative = units.Ratio(r.Time, whole), units.Ratio(sum, whole)
	}
	return a
}
