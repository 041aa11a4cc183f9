package parallel

import (
	"slices"
	"sync"
	"sync/atomic"
	"time"
)

// A Recording is what a computation does on a machine of many cores, done on one. Tasks that ask
// how many threads there are get that number.
type Recording struct {
	Took    time.Duration
	Regions [][]time.Duration // calls of For: what each chunk took

	nested int
}

var (
	recording atomic.Pointer[Recording]
	recorder  sync.Mutex
)

// Record calls f as if there were so many threads, with all chunks on the caller, one after the
// other. Nothing else may compute meanwhile.
func Record(n int, f func()) *Recording {
	recorder.Lock()
	defer recorder.Unlock()
	defer SetThreads(Threads())
	SetThreads(n)
	r := new(Recording)
	recording.Store(r)
	defer recording.Store(nil)
	begun := time.Now()
	f()
	r.Took = time.Since(begun)
	return r
}

// region is For: of what a chunk divides the chunk has the time.
func (r *Recording) region(chunks int, t Task) {
	if chunks <= 1 { // For divides what is inside of one
		for i := range chunks {
			t.Chunk(0, i)
		}
		return
	}
	took := make([]time.Duration, 0, chunks)
	r.nested++
	defer func() {
		if r.nested--; r.nested == 0 {
			r.Regions = append(r.Regions, took)
		}
	}()
	for i := range chunks {
		begun := time.Now()
		t.Chunk(0, i)
		took = append(took, time.Since(begun))
	}
}

// A Machine is what dividing costs there.
type Machine struct {
	Threads int
	Wake    time.Duration // until a parked helper begins: the caller wakes two, each of these two others
	Claim   time.Duration // a chunk
	Streams float64       // cores that memory feeds; what takes as long on all of them takes no less on more. 0 is as many as there are
}

// Most is the most chunks that a region has.
func (r *Recording) Most() (chunks int) {
	for _, region := range r.Regions {
		chunks = max(chunks, len(region))
	}
	return chunks
}

// On is how long the computation would take. Helpers are awake within a computation, after its
// first region. memory says that chunks wait for memory, rather than for arithmetic.
func (r *Recording) On(m Machine, memory bool) time.Duration {
	took := r.Took
	for k, region := range r.Regions {
		var sum time.Duration
		for _, d := range region {
			sum += d
		}
		wake := m.Wake
		if k > 0 {
			wake = 0
		}
		least := time.Duration(0)
		if memory && m.Streams > 0 {
			least = time.Duration(float64(sum) / m.Streams)
		}
		took += max(span(region, m.Threads, wake, m.Claim), least) - sum
	}
	return took
}

// span is how long chunks take that workers claim as work does.
func span(chunks []time.Duration, threads int, wake, claim time.Duration) time.Duration {
	n := min(threads, len(chunks))
	at, shares := make([]time.Duration, n), make([][2]int, n)
	for w := range n {
		for k := w; k > 0; k = (k - 1) / 2 {
			at[w] += wake
		}
		shares[w][0], shares[w][1] = shareOf(w, n, len(chunks))
	}
	for range chunks {
		w := 0 // who claims next
		for k := range at {
			if at[k] < at[w] {
				w = k
			}
		}
		v := w
		for shares[v][0] == shares[v][1] {
			v = (v + 1) % n
		}
		i := shares[v][0]
		if v == w {
			shares[v][0]++
		} else {
			shares[v][1]--
			i = shares[v][1]
		}
		at[w] += claim + chunks[i]
	}
	return slices.Max(at)
}
