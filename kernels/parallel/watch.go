package parallel

import (
	"sync"
	"sync/atomic"
	"time"
)

// A Watching notes when workers were at work, for traces: in regions that more than one thread may
// do. Where nothing watches, a region costs a nanosecond more for each worker; else it reads the
// clock twice.
type Watching struct {
	began time.Time
	most  int
	mu    sync.Mutex
	spans []Span
	lost  int
}

// A Span is a time in which a worker did chunks of one region. Worker 0 is the caller.
type Span struct {
	Worker     int
	From, Time time.Duration // since the beginning of the watch
}

var watching atomic.Pointer[Watching]

// Watch begins to note the first spans, at most that many. It returns nil while another Watching is
// at work.
func Watch(most int) *Watching {
	w := &Watching{began: time.Now(), most: most}
	if !watching.CompareAndSwap(nil, w) {
		return nil
	}
	return w
}

// End ends the watch. It returns the spans, and how many were not kept.
func (w *Watching) End() (spans []Span, lost int) {
	watching.CompareAndSwap(w, nil)
	w.mu.Lock()
	defer w.mu.Unlock()
	return w.spans[:len(w.spans):len(w.spans)], w.lost
}

// note adds the span of a worker that ends now.
func (w *Watching) note(worker int, from time.Time) {
	until := time.Now()
	w.mu.Lock()
	defer w.mu.Unlock()
	if len(w.spans) == w.most {
		w.lost++
		return
	}
	w.spans = append(w.spans, Span{worker, from.Sub(w.began), until.Sub(from)})
}
