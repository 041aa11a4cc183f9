package profiler

import "math"

// A tally is what a Recorder adds to when a node has run. It has no pointers, and those of a
// function lie side by side: a run costs a few nanoseconds a node. Clone works a Node's numbers out
// of those of all groups of runs.
type tally struct {
	time, min, max float64
	hist           [lastBucket + 1]uint32
	sums           [(lastBucket + 1) / bucketsOfSum]float64 // the times of so many buckets each, of which time is the sum
}

// add counts runs of ns each.
func (t *tally) add(ns float64, runs int64) {
	t.time += ns * float64(runs)
	if ns < t.min { // not min and max, which would take care of NaN
		t.min = ns
	}
	if ns > t.max {
		t.max = ns
	}
	b := bucket(ns)
	if c := &t.hist[b]; int64(*c) <= math.MaxUint32-runs {
		*c += uint32(runs)
	}
	t.sums[b/bucketsOfSum] += ns * float64(runs)
}

// interrupted is how many times longer than its mean a node's run may last before it is taken for
// one in which the machine did something else.
const interrupted = 64

// addSample counts a run that stands for so many, after others that stood for before, and returns
// what it added. One that was interrupted stands for itself, and the mean for the rest: what
// happens to one of a hundred steps did not happen to the others.
func (t *tally) addSample(ns float64, runs, before int64) float64 {
	if runs > 1 && before > 0 {
		if mean := t.time / float64(before); ns > interrupted*mean {
			t.add(ns, 1)
			t.add(mean, runs-1)
			return ns + mean*float64(runs-1)
		}
	}
	t.add(ns, runs)
	return ns * float64(runs)
}

func (t *tally) reset() { *t = tally{min: math.Inf(1)} }

// reset forgets the runs.
func (r *Recorder) reset() {
	for i := range r.shared {
		r.shared[i].changes = r.shared[i].value.Changes()
	}
	r.fn.Changed = nil
	r.groups = r.groups[:1]
	r.group = r.groups[0]
	r.group.reset()
	for i := range r.work {
		r.work[i].from, r.new[i] = 0, 0
		r.group.spans[i].include(r.work[i])
		if r.pieces != nil {
			clear(r.pieces[i].steps)
			r.pieces[i].least = 0
		}
	}
	r.asked = 0
	r.resets.Add(1)
	r.sampled.forget()
	for i := range r.lazy {
		r.lazy[i].skipped = 0
	}
	r.events = r.events[:0]
	r.forget()
}
