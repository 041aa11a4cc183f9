package profiler

import (
	"fmt"
	"slices"
	"time"
)

// A CellTrace is what a cell did when: the first of what was charged, one by one, with readings of
// the process at the end of each, and the collector's pauses. Its times are since the beginning of
// the cell.
type CellTrace struct {
	Start    float64     `json:"start_ns"` // of the cell, on the clock of RunTrace
	Events   []CellEvent `json:"events,omitempty"`
	Lost     int         `json:"lost,omitempty"` // that were not kept
	Pauses   []Pause     `json:"pauses,omitempty"`
	Work     []Work      `json:"work,omitempty"`
	LostWork int         `json:"lost_work,omitempty"` // that was not kept
}

// A Process is what traces ask of the process in which cells run.
type Process struct {
	// CPU is what all threads had of the processors since some time, in about a microsecond: it is
	// asked a thousand times a second. nil: not known.
	CPU func() time.Duration
	// Read reads what the process has of memory, a hundred times a second; nil: not known.
	Read func() Reading
	// Watch begins to note when worker threads are at work. The end returns so much of it from the
	// beginning, at most, and how much was not kept. nil: nothing does.
	Watch func(most int) (end func() (work []Work, lost int))
}

// A Work is a time in which a thread computed a part of a kernel. Worker 0 is the thread that the
// cell runs on.
type Work struct {
	Worker int           `json:"worker"`
	From   time.Duration `json:"from_ns"`
	Time   time.Duration `json:"ns"`
}

// A CellEvent is a time that was charged to one thing in one line.
type CellEvent struct {
	Spot               // its time is the event's; without the calls around the line
	From time.Duration `json:"from_ns"`
	Read *Reading      `json:"read,omitempty"` // at its end, of some events
}

// A Reading is what the process has of memory at some time.
type Reading struct {
	Arrays int64 `json:"arrays"` // bytes of arrays in use, garbage among them
	Heap   int64 `json:"heap"`   // bytes of objects of the Go heap, arrays and garbage among them
	Made   int64 `json:"made"`   // bytes that were allocated there since it began
	GCs    int64 `json:"gcs"`    // collections that have ended since it began
}

// A Pause is one for which the collector stopped the program.
type Pause struct {
	At   time.Duration `json:"at_ns"`
	Time time.Duration `json:"ns"`
}

// Now is the time of the clock of RunTrace.
func Now() float64 { return float64(processClock.Now()) * processClock.tick() }

func (t *CellTrace) check() error {
	if t == nil {
		return nil
	}
	if !plausible(t.Start) || min(t.Lost, t.LostWork) < 0 {
		return fmt.Errorf("got a trace of a cell from %g on that lost %d events", t.Start, t.Lost)
	}
	for _, e := range t.Events {
		if min(e.From, e.Time, e.CPU) < 0 || e.Line < 0 || !slices.Contains(kinds, e.Kind) {
			return fmt.Errorf("got %q of %v from %v on in the trace of a cell", e.Kind, e.Time, e.From)
		}
	}
	for _, w := range t.Work {
		if w.Worker < 0 || min(w.From, w.Time) < 0 {
			return fmt.Errorf("got work of %v at %v of thread %d in the trace of a cell", w.Time, w.From, w.Worker)
		}
	}
	for _, p := range t.Pauses {
		if min(p.At, p.Time) < 0 {
			return fmt.Errorf("got a pause of %v at %v in the trace of a cell", p.Time, p.At)
		}
	}
	return nil
}

// compact is c without its trace.
func (c *Cell) compact() *Cell {
	if c == nil || c.Trace == nil {
		return c
	}
	light := *c
	light.Trace = nil
	return &light
}
