// Package parallel divides the work of one kernel among cores.
//
//	For         does the chunks of a task on all threads
//	Worth       says whether work of some nanoseconds gains from it
//	SetThreads  bounds the number of threads; 1 makes everything serial
//	Default     is the number that the environment asks for
//	Watch       notes when workers were at work, for traces
//	Record      times chunks, to say what more cores than there are would do
//
// There is one team of helpers in the process, since there is one set of cores. The caller takes
// part, and never waits for a helper that has not begun. Each worker has a share of the chunks, the
// same of every task with as many: what it wrote is near its core when the next kernel reads it, in
// a cache or in the memory of its socket. Who has done its own takes from the ends of the others'.
// So nobody waits, and no counter is written by all.
//
// A helper that finds nothing spins for some microseconds, in which the next kernel of a compiled
// function most often begins, and then parks. The caller wakes two, and each of these two others.
// Whoever finds the team at work for another caller does all of its chunks alone.
//
// Chunks are cut by the task, and never by the number of threads: so results do not depend on it.
package parallel

import (
	"fmt"
	"os"
	"runtime"
	"strconv"
	"sync"
	"sync/atomic"
	"time"
)

// Variable is the environment variable that sets the default number of threads.
const Variable = "ARIGNOTE_NUM_THREADS"

// Most is the largest number of threads.
const Most = 1024

// A Task is work in chunks, which may be done in any order and at the same time.
type Task interface {
	// Chunk does chunk i. worker is in [0, Threads()); two chunks that run at the same time have
	// different workers, which may therefore have scratch memory of their own.
	Chunk(worker, i int)
}

// Nanoseconds of work from which helpers pay: those that spin, and those that must be woken first.
const (
	worthAwake  = 10_000
	worthParked = 30_000
)

// A helper spins for about twice as long as waking one took lately, which is some microseconds, and
// a hundred where an idle core of a virtual machine has to be scheduled first: then what it could
// spin for too long is no more than what waking it would take. The bounds are for machines that are
// busy, and for those on which nobody knows yet.
const (
	minPatience = 30 * time.Microsecond
	maxPatience = 300 * time.Microsecond
)

// team is the state of the one region at a time that runs in parallel.
var team struct {
	sync.Mutex // held by the caller of the region
	task       Task
	panicked   atomic.Pointer[any]

	// state is region<<32 | closed | workers<<16 | helpers at work. A helper joins by adding one,
	// which fails once the region is closed.
	state   atomic.Uint64
	shares  [Most]share // of the workers
	helpers [Most]helper
	// started helpers have the numbers from 1 to it; it is guarded by the mutex.
	started int
	awake   atomic.Int32 // helpers that are not parked
}

// A share is a range of chunks, first<<32 | end, that nobody has begun.
type share struct{ atomic.Uint64 }

// A helper has the number of the worker that it is. The caller is worker 0.
type helper struct {
	parked atomic.Bool
	wake   chan struct{}
	roused atomic.Int64 // nanoseconds since begun
}

var begun = time.Now()

// waking is how long it takes, in nanoseconds: an average in which the last one has an eighth.
var waking atomic.Int64

func pollInterval() time.Duration {
	return min(max(2*time.Duration(waking.Load()), minPatience), maxPatience)
}

// awake notes how long it took since somebody roused the helper.
func (h *helper) awake() {
	took, average := int64(time.Since(begun))-h.roused.Load(), waking.Load()
	waking.Store(average + (min(took, int64(maxPatience))-average)/8)
}

const closed = 1 << 31

// workers is how many a region in state s has, the caller's included.
func workers(s uint64) int { return int(s >> 16 & (closed>>16 - 1)) }

var threads atomic.Int64

func init() {
	team.state.Store(closed)
	threads.Store(int64(Cores()))
}

// Threads is the number of threads that For may use, the caller's included.
func Threads() int { return int(threads.Load()) }

// SetThreads bounds them. n is in [1, Most].
func SetThreads(n int) {
	if n < 1 || n > Most {
		panic(fmt.Sprintf("BUG: %d threads", n))
	}
	threads.Store(int64(n))
}

// Default is the number of threads that ARIGNOTE_NUM_THREADS asks for or, where that is not set,
// Cores.
func Default() (int, error) {
	text := os.Getenv(Variable)
	if text == "" {
		return Cores(), nil
	}
	n, err := strconv.Atoi(text)
	if err != nil || n < 1 || n > Most {
		return 0, fmt.Errorf("%s: got %q, want a number of threads from 1 to %d", Variable, text, Most)
	}
	return n, nil
}

// Worth reports whether work that takes one thread about ns nanoseconds is done sooner by several.
func Worth(ns float64) bool {
	if ns < worthAwake || Threads() == 1 {
		return false
	}
	return ns >= worthParked || !team.helpers[1].parked.Load()
}

// Busy reports whether other goroutines may have to wait for a processor: helpers are at work, or
// were a moment ago, or there is only one processor.
func Busy() bool { return team.awake.Load() > 0 || single }

var single = runtime.GOMAXPROCS(0) == 1

// For does all chunks of t, fewer than 1<<32. A panic of a chunk is the caller's, after all threads
// have ended.
func For(chunks int, t Task) {
	if r := recording.Load(); r != nil {
		r.region(chunks, t)
		return
	}
	n := min(Threads(), chunks)
	if n <= 1 || !team.TryLock() {
		for i := range chunks {
			t.Chunk(0, i)
		}
		return
	}
	defer team.Unlock()
	for ; team.started < n-1; team.started++ {
		team.helpers[team.started+1].wake = make(chan struct{}, 1)
		team.awake.Add(1)
		go help(team.started + 1)
	}
	team.task = t
	for w := range n {
		first, end := shareOf(w, n, chunks)
		team.shares[w].Store(uint64(first)<<32 | uint64(end))
	}
	open := (team.state.Load()>>32+1)<<32 | uint64(n)<<16
	team.state.Store(open)
	work(0, n)
	for {
		if s := team.state.Load(); team.state.CompareAndSwap(s, s|closed) {
			break
		}
	}
	for spins := 0; team.state.Load() != open|closed; spins++ {
		if spins > 1000 {
			runtime.Gosched() // more threads than cores
		}
	}
	team.task = nil
	if p := team.panicked.Swap(nil); p != nil {
		panic(*p)
	}
}

// shareOf is the range of chunks that is worker w's of n.
func shareOf(w, n, chunks int) (first, end int) { return w * chunks / n, (w + 1) * chunks / n }

// first takes the first chunk of a share, last the last one; ok is false if none is left.
func (s *share) first() (chunk int, ok bool) {
	for {
		old := s.Load()
		if old>>32 >= old&(1<<32-1) {
			return 0, false
		}
		if s.CompareAndSwap(old, old+1<<32) {
			return int(old >> 32), true
		}
	}
}

func (s *share) last() (chunk int, ok bool) {
	for {
		old := s.Load()
		if old>>32 >= old&(1<<32-1) {
			return 0, false
		}
		if s.CompareAndSwap(old, old-1) {
			return int(old&(1<<32-1)) - 1, true
		}
	}
}

// work does the worker's chunks, and then what is left of those of the others, of which there are n
// with it.
func work(worker, n int) {
	if w := watching.Load(); w != nil {
		defer w.note(worker, time.Now())
	}
	defer func() {
		if r := recover(); r != nil {
			p := r // on the heap, but only here
			team.panicked.CompareAndSwap(nil, &p)
			for w := range n {
				team.shares[w].Store(0)
			}
		}
	}()
	for k := 2*worker + 1; k <= min(2*worker+2, n-1); k++ {
		team.helpers[k].rouse()
	}
	for i, ok := team.shares[worker].first(); ok; i, ok = team.shares[worker].first() {
		team.task.Chunk(worker, i)
	}
	for d := 1; d < n; d++ {
		other := &team.shares[(worker+d)%n]
		for i, ok := other.last(); ok; i, ok = other.last() {
			team.task.Chunk(worker, i)
		}
	}
}

// rouse wakes the helper if it is parked.
func (h *helper) rouse() {
	if h.parked.Load() {
		h.roused.Store(int64(time.Since(begun)))
		select {
		case h.wake <- struct{}{}:
		default:
		}
	}
}

// help is the life of the helper of that number.
func help(number int) {
	h := &team.helpers[number]
	seen := uint64(0)
	idle := time.Now()
	for spins := 0; ; spins++ {
		s := team.state.Load()
		if s>>32 != seen && s&closed == 0 {
			if number < workers(s) {
				if !join(s) {
					continue
				}
				work(number, workers(s))
				team.state.Add(^uint64(0))
				idle = time.Now()
			}
			seen = s >> 32
			continue
		}
		if spins%64 == 0 && time.Since(idle) > pollInterval() {
			h.parked.Store(true)
			team.awake.Add(-1)
			// A region that began meanwhile may have found it awake: look once more.
			if s := team.state.Load(); s>>32 == seen || s&closed != 0 {
				<-h.wake
				h.awake()
			} else {
				select { // whoever began it may have roused the helper already
				case <-h.wake:
				default:
				}
			}
			team.awake.Add(1)
			h.parked.Store(false)
			idle = time.Now()
		}
	}
}

// join makes the caller one of the helpers of the region in state s, unless it has ended.
func join(s uint64) bool { return team.state.CompareAndSwap(s, s+1) }
