package profiler

import (
	"cmp"
	"slices"
	"time"
)

// One call may stand in several profiles: a profile is shown twice, or once more after further
// calls, a sum beside its parts, the profile of a function beside that of a cell that called it. So
// a function has an identity, and a profile of it says from when until when it recorded calls.

// started is what times of recording are counted from.
var started = time.Now()

// begin notes that f, if it has an identity, records calls from now on.
func (f *Function) begin() {
	if f.noted = 0; f.ID == "" {
		return
	}
	f.From = time.Since(started)
	f.Until = f.From
}

// noteCalls moves the end of the recording to now if there were calls since the last look, and sees
// what has changed by then.
func (f *Function) noteCalls() {
	n := f.ended()
	if n == f.noted {
		return
	}
	f.noted, f.Changed = n, changed(f.recorder.shared)
	if f.ID != "" {
		f.Until = time.Since(started)
	}
}

// ended is how many calls have ended, in whichever way.
func (f *Function) ended() int64 { return f.Calls + f.Failed + f.Ignored }

// Once returns snapshots of profiles in which every call is once. Of several that have a call of a
// function, that with most calls of it has them. What is left without a function is left out,
// unless it says where the time of a cell went. Times of compiling stay with each. Functions
// without an identity, which nobody compiled, are kept.
func Once(stats ...*Stats) []*Stats {
	var all []*Stats
	for _, s := range stats {
		if s != nil {
			all = append(all, s.Clone())
		}
	}
	if len(all) < 2 {
		return all
	}
	type entry struct {
		of *Stats
		f  *Function
	}
	recorded := make(map[string][]entry) // by function
	for _, s := range all {
		for _, f := range s.Functions {
			if f.ID != "" {
				recorded[f.ID] = append(recorded[f.ID], entry{s, f})
			}
		}
	}
	twice := make(map[*Function]bool)
	for _, entries := range recorded {
		slices.SortStableFunc(entries, func(a, b entry) int { // with most calls, in the profile of a cell, the first that was shown
			return cmp.Or(cmp.Compare(b.f.ended(), a.f.ended()), cmp.Compare(b.of.hasCell(), a.of.hasCell()))
		})
		var kept []entry
		for _, e := range entries {
			if slices.ContainsFunc(kept, func(k entry) bool { return k.f.overlaps(e.f) }) {
				twice[e.f] = true
			} else {
				kept = append(kept, e)
			}
		}
	}
	cells := make(map[string]bool)
	return slices.DeleteFunc(all, func(s *Stats) bool {
		had := len(s.Functions)
		s.Functions = slices.DeleteFunc(s.Functions, func(f *Function) bool { return twice[f] })
		again := false
		if s.Cell != nil && s.Cell.ID != "" {
			if again = cells[s.Cell.ID]; again {
				s.Cell = nil
			} else {
				cells[s.Cell.ID] = true
			}
		}
		return len(s.Functions) == 0 && s.Cell == nil && (had > 0 || again)
	})
}

// overlaps reports whether two profiles of one function may have a call in common.
func (f *Function) overlaps(g *Function) bool {
	return f.From == g.From || f.From < g.Until && g.From < f.Until
}

func (s *Stats) hasCell() int {
	if s.Cell != nil {
		return 1
	}
	return 0
}
