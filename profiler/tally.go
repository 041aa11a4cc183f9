package profiler

import "math"

// A tally is what a Recorder adds to when a node has run. It has no pointers, and those of a function lie side by side: a run costs a
// few nanoseconds a node. Clone works a Node's numbers out of it.
type tally struct {
	time, min, max float64
	hist           [lastBucket + 1]uint32
}

func (t *tally) add(ns float64) {
	t.time += ns
	if ns < t.min { // not min and max, which would take care of NaN
		t.min = ns
	}
	if ns > t.max {
		t.max = ns
	}
	if c := &t.hist[bucket(ns)]; *c < math.MaxUint32 {
		*c++
	}
}

func (t *tally) reset() { *t = tally{min: math.Inf(1)} }

// fill gives n, a copy of node i, its numbers.
func (r *Recorder) fill(n *Node, i int) {
	runs := r.calls(i)
	if runs == 0 {
		return
	}
	t, w := &r.tallies[i], r.work[i]
	n.Calls, n.Time, n.Min, n.Max, n.Hist = runs, t.time, t.min, t.max, Histogram(t.hist[:]).trimmed()
	n.Allocated = float64(r.new[i])
	n.count(w, runs-w.from)
}

// reset forgets the runs.
func (r *Recorder) reset() {
	for i := range r.tallies {
		r.tallies[i].reset()
		r.work[i].from, r.new[i] = 0, 0
	}
	for i := range r.lazy {
		r.lazy[i].skipped = 0
	}
	r.events = r.events[:0]
}
