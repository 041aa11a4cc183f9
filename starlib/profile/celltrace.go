package profile

import (
	"runtime/debug"
	"slices"
	"time"

	"github.com/arignote/arignote/profiler"
	"github.com/arignote/arignote/runtime/graph"
	"github.com/arignote/arignote/starlib/value"
)

// maxEvents is how many charges of a cell are kept one by one, for a trace.
const maxEvents = 1 << 14

// readEvery is how often memory is read, which may take a tenth of a millisecond.
const readEvery = 10 * time.Millisecond

// A cellWatch notes what is charged while a cell runs: when, and what the process has meanwhile.
type cellWatch struct {
	of    profiler.Process
	began time.Time
	used  time.Duration // of the processors, up to the last charge
	read  time.Duration // when memory was read
	cpu   map[value.Spot]time.Duration
	work  func() ([]profiler.Work, int) // ends to watch the threads; nil: they are not watched
	trace profiler.CellTrace
}

// watchCell begins to watch a sampler, which may be nil.
func (s *Session) watchCell(sampler *value.Sampler) *cellWatch {
	w := &cellWatch{of: s.profiling.options.Process, began: time.Now(), cpu: make(map[value.Spot]time.Duration)}
	w.trace.Start = profiler.Now()
	if w.of.CPU != nil {
		w.used = w.of.CPU()
	}
	if sampler != nil {
		sampler.Watch(w.charged)
		if w.of.Watch != nil {
			w.work = w.of.Watch(maxEvents)
		}
	}
	return w
}

func (w *cellWatch) charged(to value.Spot, from, until time.Duration) {
	e := profiler.CellEvent{Spot: profiler.Spot{Kind: kindOf(to), Name: to.Name, File: to.File, Line: to.Line, Func: to.Func, Time: until - from}, From: from}
	if w.of.CPU != nil {
		now := w.of.CPU()
		e.CPU = max(now-w.used, 0)
		w.cpu[to] += e.CPU
		w.used = now
	}
	if len(w.trace.Events) == maxEvents {
		w.trace.Lost++
		return
	}
	if w.of.Read != nil && (until-w.read >= readEvery || len(w.trace.Events) == 0) {
		now := w.of.Read()
		e.Read, w.read = &now, until
	}
	w.trace.Events = append(w.trace.Events, e)
}

// end ends the sampler that w watches, and says where the time of the cell went.
func (w *cellWatch) end(name string, sampler *value.Sampler) *profiler.Cell {
	c := cellOf(name, sampler, w.cpu)
	if w.work != nil {
		w.trace.Work, w.trace.LostWork = w.work()
	}
	if c.Sampled() {
		w.trace.Pauses = w.pauses()
		c.Trace = &w.trace
	}
	return c
}

// pauses are the collector's since the beginning, of which Go remembers the last 256.
func (w *cellWatch) pauses() []profiler.Pause {
	var stats debug.GCStats
	debug.ReadGCStats(&stats)
	var list []profiler.Pause
	for i, end := range stats.PauseEnd { // the last one first
		if at := end.Sub(w.began) - stats.Pause[i]; at >= 0 {
			list = append(list, profiler.Pause{At: at, Time: stats.Pause[i]})
		}
	}
	slices.Reverse(list)
	return list
}

// framesOf are calls, outermost first.
func framesOf(c *value.CallSite) (frames []graph.Frame) {
	for ; c != nil; c = c.Outer {
		frames = append(frames, graph.Frame{File: c.File, Line: c.Line.Line, Func: c.Func})
	}
	slices.Reverse(frames)
	return frames
}
