package profiler

import (
	"fmt"
	"sync/atomic"

	"github.com/arignote/arignote/profiler/units"
	"github.com/arignote/arignote/runtime/exec"
)

// sampled is what a Recorder has for calls whose run is not traced. Where nodes are short, tracing all would take longer than a user should wait for a profile,
// so that after the first runs few are traced. The time of every call is measured all the same: that of an untraced one is divided among the
// nodes as the last traced ones divided theirs. A run is traced that begins with other shapes than the one before, and so are all of functions with loops and
// branches.
type sampled struct {
	sample  exec.Sample
	resets  atomic.Int64 // of the profile, by any goroutine
	known   int64        // those of which sample knows
	skipped bool         // the current run is not traced
	tracing float64      // nanoseconds that tracing the current run took, 0 if it is not traced

	// What the last traced calls took, a mean that forgets, in nanoseconds: the nodes, the run beside them, and the call beside the run.
	nodes           []float64
	around, outside float64
	allocs          []exec.Alloc // of the last one

	// The untraced calls of which the nodes do not know yet.
	calls int64
	time  float64 // nanoseconds
}

// See exec.Sample. What is measured of a trace is about half of what it costs: caches do the rest.
const (
	firstTraced  = 64
	tracingShare = 250
)

// forget forgets what calls took.
func (s *sampled) forget() {
	clear(s.nodes)
	s.around, s.outside, s.calls, s.time = 0, 0, 0, 0
}

// follow moves a mean a quarter of the way towards ns, but not far towards what was interrupted.
func follow(mean *float64, ns float64) {
	if *mean == 0 {
		*mean = ns
	}
	*mean += (min(ns, slowFactor**mean) - *mean) / 4
}

// usual is what a call takes, in nanoseconds.
func (s *sampled) usual() float64 {
	sum := s.around + s.outside
	for _, ns := range s.nodes {
		sum += ns
	}
	return sum
}

// Skips reports whether the coming run is not traced: see exec.Sampler.
func (r *Recorder) Skips(changed bool) bool {
	if r.inner != nil || r.lazy != nil {
		return false
	}
	if resets := r.resets.Load(); changed || resets != r.known {
		r.stats.mu.Lock()
		defer r.stats.mu.Unlock()
		r.share()
		r.sampled.forget()
		r.sample.First, r.sample.Share, r.known = firstTraced, tracingShare, resets
		r.sample.Restart()
	}
	r.skipped = !r.sample.Due()
	return r.skipped
}

// untraced adds a call that was not traced. One that was interrupted, who knows where, took longer beside its run.
func (r *Recorder) untraced(ns float64) {
	s := &r.sampled
	switch usual := s.usual(); {
	case usual == 0: // the traced ones were forgotten while it ran
		return
	case ns > slowFactor*usual && ns > shortestSlow:
		r.share()
		r.divide(1, usual, ns-usual)
		s.sample.Hurry()
	default:
		s.calls++
		s.time += ns
	}
}

// share lets the nodes know of the untraced calls.
func (r *Recorder) share() {
	if s := &r.sampled; s.calls > 0 {
		r.divide(s.calls, s.time/float64(s.calls), 0)
		s.calls, s.time = 0, 0
	}
}

// divide adds untraced calls that took ns each, and so much beside.
func (r *Recorder) divide(calls int64, ns, beside float64) {
	s := &r.sampled
	scale := ns / s.usual()
	of := func(mean float64) float64 { return max(mean*scale, MinNodeTime) }
	run := of(s.around)
	r.between.add(run, calls)
	for i, mean := range s.nodes {
		r.tallies[i].add(of(mean), calls)
		run += of(mean)
	}
	r.outside.add(of(s.outside)+beside, calls)
	for _, a := range s.allocs {
		r.new[a.Node] += a.Bytes * calls
	}
	r.fn.Runs += calls
	r.fn.Untraced += calls
	r.fn.RunTime += run * float64(calls)
}

// Traced says of how many calls each node was measured; nothing if of all.
func (f *Function) Traced() string {
	traced := f.Runs - f.Untraced
	if traced >= f.Calls {
		return ""
	}
	were := "were"
	if traced == 1 {
		were = "was"
	}
	return fmt.Sprintf("%s of %s %s traced node by node", units.Grouped(traced), units.Plural(f.Calls, "call"), were)
}
