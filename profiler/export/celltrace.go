package export

import (
	"cmp"
	"strconv"
	"strings"
	"time"

	"github.com/arignote/arignote/profiler"
	"github.com/arignote/arignote/runtime/graph"
)

// The tracks of a cell.
const (
	cellRan = iota
	cellPauses
	cellWorkers // that of worker 0, after which those of the others follow
)

// cell is what a cell did when: a track of lines and what they ran, resolved to a millisecond; one
// of the collector's pauses; and counters of memory, collections and processors.
func (t *tracer) cell(s *profiler.Stats, pid int) {
	c := s.Cell
	at := func(d time.Duration) float64 { return (c.Trace.Start-t.zero)/1e3 + float64(d)/1e3 }
	t.name("process_name", pid, 0, "cell "+printable(c.Name))
	t.name("thread_name", pid, cellRan, "what ran")
	t.name("thread_name", pid, cellPauses, "garbage collector")
	last := 0.0
	for _, e := range c.Trace.Events {
		if len(t.events) >= maxEvents {
			return
		}
		args := map[string]any{"kind": string(e.Kind)}
		if place := (profiler.Origin{Frames: []graph.Frame{e.Frame()}}).String(); place != "" {
			args["line"], args["source"] = place, strings.TrimSpace(s.SourceLine(e.File, e.Line))
		}
		t.events = append(t.events, event{Name: cmp.Or(printable(e.Name), string(e.Kind)), Cat: string(e.Kind), Phase: "X", TS: at(e.From), Dur: float64(e.Time) / 1e3,
			PID: pid, TID: cellRan, Args: args})
		last = at(e.From + e.Time)
		t.counters(e, last, pid)
	}
	for _, p := range c.Trace.Pauses {
		t.events = append(t.events, event{Name: "pause", Cat: "gc", Phase: "X", TS: at(p.At), Dur: float64(p.Time) / 1e3, PID: pid, TID: cellPauses})
	}
	if c.Memory != nil {
		for _, p := range c.Memory.Series {
			t.events = append(t.events, event{Name: "arrays of the cell", Phase: "C", TS: at(p.Until), PID: pid, Args: map[string]any{"bytes": float64(p.Bytes)}})
		}
	}
	t.workers(c.Trace, at, pid)
	if c.Trace.Lost > 0 {
		t.events = append(t.events, event{Name: "what was not kept", Phase: "i", Scope: "t", TS: last, PID: pid, TID: cellRan, Args: map[string]any{"events": c.Trace.Lost}})
	}
}

// workers are the threads that compute parts of kernels, a track each.
func (t *tracer) workers(trace *profiler.CellTrace, at func(d time.Duration) float64, pid int) {
	named := make(map[int]bool)
	for _, w := range trace.Work {
		if len(t.events) >= maxEvents {
			return
		}
		if !named[w.Worker] {
			named[w.Worker] = true
			name := "worker " + strconv.Itoa(w.Worker)
			if w.Worker == 0 {
				name += ", the thread of the cell"
			}
			t.name("thread_name", pid, cellWorkers+w.Worker, name)
		}
		t.events = append(t.events, event{Name: "part of a kernel", Cat: "worker", Phase: "X", TS: at(w.From), Dur: float64(w.Time) / 1e3, PID: pid, TID: cellWorkers + w.Worker})
	}
	if trace.LostWork > 0 && len(trace.Work) > 0 {
		last := trace.Work[len(trace.Work)-1]
		t.events = append(t.events, event{Name: "what was not kept", Phase: "i", Scope: "t", TS: at(last.From + last.Time), PID: pid, TID: cellWorkers, Args: map[string]any{"events": trace.LostWork}})
	}
}

// counters are what was read when an event ended.
func (t *tracer) counters(e profiler.CellEvent, ts float64, pid int) {
	count := func(name, unit string, value float64) {
		t.events = append(t.events, event{Name: name, Phase: "C", TS: ts, PID: pid, Args: map[string]any{unit: value}})
	}
	if e.CPU > 0 && e.Time > 0 {
		count("processors", "busy", float64(e.CPU)/float64(e.Time))
	}
	if e.Read == nil {
		return
	}
	for _, c := range []struct {
		name, unit string
		value      int64
	}{
		{"arrays in use", "bytes", e.Read.Arrays}, {"heap", "bytes", e.Read.Heap}, {"allocated", "bytes", e.Read.Made}, {"collections", "count", e.Read.GCs},
	} {
		count(c.name, c.unit, float64(c.value))
	}
}
