package parallel

import (
	"testing"
	"time"
)

type napping struct{}

func (napping) Chunk(int, int) { time.Sleep(2 * time.Millisecond) }

// TestWatch: each worker of a region has a span, within the time of the call, and spans beyond the
// limit are counted.
func TestWatch(t *testing.T) {
	defer SetThreads(Threads())
	SetThreads(3)
	w := Watch(5)
	if Watch(5) != nil {
		t.Error("two watch at once")
	}
	began := time.Now()
	For(12, napping{})
	took := time.Since(began)
	for range 5 {
		For(3, napping{})
	}
	spans, lost := w.End()
	For(3, napping{})
	if len(spans) != 5 || lost == 0 {
		t.Fatalf("got %d spans and %d lost, want 5 and some", len(spans), lost)
	}
	workers := make(map[int]bool)
	for _, s := range spans {
		if s.From >= took {
			continue // of another region
		}
		workers[s.Worker] = true
		if s.From < 0 || s.From+s.Time > took+time.Millisecond || s.Time < time.Millisecond && s.Worker == 0 {
			t.Errorf("worker %d was at work from %v for %v, the call took %v", s.Worker, s.From, s.Time, took)
		}
	}
	if !workers[0] || len(workers) < 2 {
		t.Errorf("only %v were at work", workers)
	}
	if again := Watch(1); again == nil {
		t.Error("a watch that has ended is at work")
	} else if spans, lost := again.End(); len(spans)+lost > 0 {
		t.Errorf("a watch of nothing has %v", spans)
	}
}
