package profiler

import (
	"cmp"
	"slices"
	"time"

	"github.com/arignote/arignote/runtime/graph"
)

// A Faster is how long a cell takes if one of its lines takes less.
type Faster struct {
	File string
	Line int
	Time time.Duration // of the line, with what it calls
	Then time.Duration // the wall time of the cell, if the line takes its part of that
	Gone time.Duration // and without the line
}

// IfFaster is how long the cell takes if a line, with what it calls, becomes faster by a factor, for
// each of its lines, the dearest first. Lines that call each other have the same time in common, so
// that the savings do not add up.
func (c *Cell) IfFaster(times float64) (list []Faster) {
	if !c.Sampled() {
		return nil
	}
	at := make(map[graph.Frame]int)
	for _, s := range c.spots() {
		seen := make(map[graph.Frame]bool)
		for _, f := range append(slices.Clip(s.Outer), s.Frame()) {
			key := graph.Frame{File: f.File, Line: f.Line}
			if f.Line == 0 || seen[key] {
				continue
			}
			seen[key] = true
			i, ok := at[key]
			if !ok {
				i = len(list)
				at[key], list = i, append(list, Faster{File: f.File, Line: f.Line})
			}
			list[i].Time += s.Time
		}
	}
	for i := range list {
		f := &list[i]
		f.Gone = c.Wall - f.Time
		f.Then = c.Wall - time.Duration(float64(f.Time)*(1-1/times))
	}
	slices.SortStableFunc(list, func(a, b Faster) int {
		return cmp.Or(cmp.Compare(b.Time, a.Time), cmp.Compare(a.File, b.File), a.Line-b.Line)
	})
	return list
}
