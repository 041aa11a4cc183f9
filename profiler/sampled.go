package profiler

import (
	"fmt"
	"sync/atomic"

	"github.com/arignote/arignote/profiler/units"
	"github.com/arignote/arignote/runtime/exec"
)

// sampled is what a Recorder has for calls of short nodes. Tracing them all would take longer than
// a user should wait for a profile, so that after the first runs few are traced: the time of an
// untraced one is divided among the nodes as the last traced ones divided theirs. A run is traced
// that begins with other shapes than the one before, and so are all of functions with loops and
// branches.
//
// A call may be so short that reading the clock twice is a tenth of it. Then after the first calls
// some are measured, and each stands for those that were not measured before it.
type sampled struct {
	sample  exec.Sample  // of the runs that are traced
	timing  exec.Sample  // of the calls that are measured
	resets  atomic.Int64 // of the profile, by any goroutine
	known   int64        // those of which the samples know
	passed  atomic.Int64 // calls since the last one measured
	skipped bool         // the current run is not traced
	tracing float64      // nanoseconds that tracing the current run took, 0 if it is not traced

	// What the last traced calls took, a mean that forgets, in nanoseconds: the nodes, the run
	// beside them, and the call beside the run.
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
	tracingShare = 500
	firstTimed   = 4 * firstTraced
	timingShare  = 200
	// timingNS is what a measured call takes more than others, beside the readings of the clock.
	timingNS = 100
)

// forget forgets what calls took.
func (s *sampled) forget() {
	clear(s.nodes)
	s.around, s.outside, s.calls, s.time = 0, 0, 0, 0
	s.passed.Store(0)
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

// Begin reports whether the coming call is to be measured by one of the recorders, by reading their
// clock before and after it, and whether its run is to have their tracers: one that is not measured
// may begin with new shapes. End is to be called when it has ended.
func Begin(recorders []*Recorder) (measured, traced bool) {
	for _, r := range recorders {
		due := r.due()
		measured, traced = measured || due, traced || due || !r.still
	}
	return measured, traced
}

// End adds a call to the recorders that Begin was told of, with what that returned, and the clock
// at the start of what is measured.
func End(recorders []*Recorder, measured bool, start int64, err error) {
	if measured {
		took := recorders[0].Now() - start
		for _, r := range recorders {
			r.Call(took, err)
		}
		return
	}
	for _, r := range recorders {
		r.pass(err)
	}
}

// due reports whether the coming call is to be measured.
func (r *Recorder) due() bool {
	if r.inner != nil || r.lazy != nil || r.stats.NoNodes || r.stats.every || r.resets.Load() != r.known {
		return true
	}
	return r.timing.Due() || r.sample.Next()
}

// pass adds a call that was not measured.
func (r *Recorder) pass(err error) {
	if r.still && !r.skipped { // it was not asked
		r.sample.Due()
		r.skipped = true
	}
	if err != nil || !r.skipped {
		r.passTraced(err)
		return
	}
	r.skipped = false
	r.passed.Add(1)
}

// passTraced is pass for a call that failed, or whose run was traced since its shapes are new: what
// it took is known but for what lies beside the run.
func (r *Recorder) passTraced(err error) {
	r.stats.mu.Lock()
	defer r.stats.mu.Unlock()
	r.addCall(r.run+r.sampled.outside, err)
}

// Skips reports whether the coming run is not traced: see exec.Tracer.
func (r *Recorder) Skips(changed bool) bool {
	if r.inner != nil || r.lazy != nil {
		return false
	}
	if resets := r.resets.Load(); changed || resets != r.known {
		r.restart(resets)
	}
	r.skipped = !r.sample.Due() && !r.stats.every
	return r.skipped
}

// restart begins to sample anew: after so many resets, or with other shapes.
func (r *Recorder) restart(resets int64) {
	r.stats.mu.Lock()
	defer r.stats.mu.Unlock()
	r.share()
	r.sampled.forget()
	r.sample.First, r.sample.Share, r.known = firstTraced, tracingShare, resets
	r.timing.First, r.timing.Share = firstTimed, timingShare
	r.sample.Restart()
	r.timing.Restart()
}

// untraced adds a call that was measured and not traced. One that was interrupted, who knows where,
// took longer beside its run.
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

// stand adds the calls before one that took ns, which were not measured. An interruption is no more
// theirs than that of a traced run is the others'.
func (r *Recorder) stand(ns float64) {
	calls, usual := r.passed.Swap(0), r.usual()
	if calls == 0 || usual == 0 { // the traced ones were forgotten while it ran
		return
	}
	if ns > slowFactor*usual && ns > shortestSlow {
		ns = usual
	}
	ns = max(ns, MinNodeTime)
	f := r.fn
	f.Calls += calls
	r.group.calls += calls
	f.CallTime += ns * float64(calls)
	f.CallHist = f.CallHist.with(ns, calls)
	f.Unmeasured += calls
	r.sampled.calls += calls
	r.sampled.time += ns * float64(calls)
}

// share lets the nodes know of the untraced calls.
func (r *Recorder) share() {
	s := &r.sampled
	r.stand(s.usual())
	if s.calls > 0 {
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
	g := r.group
	g.between.add(run, calls)
	for i, mean := range s.nodes {
		g.tallies[i].add(of(mean), calls)
		run += of(mean)
	}
	g.outside.add(of(s.outside)+beside, calls)
	for _, a := range s.allocs {
		r.new[a.Node] += a.Bytes * calls
	}
	g.runs += calls
	r.fn.Runs += calls
	r.fn.Untraced += calls
	r.fn.RunTime += run * float64(calls)
}

// Traced says of how many calls each node was measured, and the call; nothing if of all.
func (f *Function) Traced() string {
	traced := f.Runs - f.Untraced
	if traced >= f.Calls {
		return ""
	}
	were := "were"
	if traced == 1 {
		were = "was"
	}
	text := fmt.Sprintf("%s of %s %s traced node by node", units.Grouped(traced), units.Plural(f.Calls, "call"), were)
	if f.Unmeasured > 0 {
		text += fmt.Sprintf(", %s measured", units.Grouped(f.Calls-f.Unmeasured))
	}
	return text
}
