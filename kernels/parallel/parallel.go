// Package parallel divides the work of one kernel among cores.
//
//	For         does the chunks of a task on all threads
//	Worth       says whether work of some nanoseconds gains from it
//	SetThreads  bounds the number of threads; 1 makes everything serial
//	Default     is the number that the environment asks for
//
// There is one team of helpers in the process, since there is one set of cores. The caller takes part, and never waits for a helper
// that has not begun: a chunk is claimed by whoever comes first. A helper that finds nothing spins for some microseconds, in which the
// next kernel of a compiled function most often begins, and then parks. Whoever finds the team at work for another caller does
// all of its chunks alone.
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
	// Chunk does chunk i. worker is in [0, Threads()); two chunks that run at the same time have different workers, which
	// may therefore have scratch memory of their own.
	Chunk(worker, i int)
}

// Nanoseconds of work from which helpers pay: those that spin, and those that must be woken first.
const (
	worthAwake  = 10_000
	worthParked = 30_000
)

// patience is how long a helper spins.
const patience = 30 * time.Microsecond

// team is the state of the one region at a time that runs in parallel.
var team struct {
	sync.Mutex // held by the caller of the region
	task       Task
	chunks     int64
	next       atomic.Int64
	panicked   atomic.Pointer[any]

	// state is region<<32 | closed<<31 | helpers at work. A helper joins by adding one, which fails once the region is closed.
	state   atomic.Uint64
	wanted  atomic.Int64 // helpers that may join the region
	parked  atomic.Int64
	wake    chan struct{}
	started int // helpers; guarded by the mutex
}

const closed = 1 << 31

var threads atomic.Int64

func init() {
	team.wake = make(chan struct{}, Most)
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

// Default is the number of threads that ARIGNOTE_NUM_THREADS asks for or, where that is not set, Cores.
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
	return ns >= worthParked || team.parked.Load() == 0
}

// For does all chunks of t. A panic of a chunk is the caller's, after all threads have ended.
func For(chunks int, t Task) {
	n := Threads()
	if chunks <= 1 || n == 1 || !team.TryLock() {
		for i := range chunks {
			t.Chunk(0, i)
		}
		return
	}
	defer team.Unlock()
	helpers := min(n, chunks) - 1
	for ; team.started < helpers; team.started++ {
		go help()
	}
	team.task, team.chunks = t, int64(chunks)
	team.next.Store(0)
	team.wanted.Store(int64(helpers))
	region := team.state.Load()>>32 + 1
	team.state.Store(region << 32)
	for range min(int64(helpers), team.parked.Load()) {
		select {
		case team.wake <- struct{}{}:
		default:
		}
	}
	work(0)
	for {
		if s := team.state.Load(); team.state.CompareAndSwap(s, s|closed) {
			break
		}
	}
	for spins := 0; team.state.Load() != region<<32|closed; spins++ {
		if spins > 1000 {
			runtime.Gosched() // more threads than cores
		}
	}
	team.task = nil
	if p := team.panicked.Swap(nil); p != nil {
		panic(*p)
	}
}

// work claims chunks until none is left.
func work(worker int) {
	defer func() {
		if r := recover(); r != nil {
			p := r // on the heap, but only here
			team.panicked.CompareAndSwap(nil, &p)
			team.next.Store(team.chunks)
		}
	}()
	for {
		i := team.next.Add(1) - 1
		if i >= team.chunks {
			return
		}
		team.task.Chunk(worker, int(i))
	}
}

// help is a helper's life.
func help() {
	seen := uint64(0)
	idle := time.Now()
	for spins := 0; ; spins++ {
		s := team.state.Load()
		if s>>32 != seen && s&closed == 0 {
			if !join(s) {
				continue
			}
			if worker := team.wanted.Add(-1); worker >= 0 {
				work(int(worker) + 1)
			}
			team.state.Add(^uint64(0))
			seen = s >> 32
			idle = time.Now()
			continue
		}
		if spins%64 == 0 && time.Since(idle) > patience {
			team.parked.Add(1)
			// A region that began meanwhile may have counted before: look once more.
			if s := team.state.Load(); s>>32 == seen || s&closed != 0 {
				<-team.wake
			}
			team.parked.Add(-1)
			idle = time.Now()
		}
	}
}

// join makes the caller one of the helpers of the region in state s, unless it has ended.
func join(s uint64) bool { return team.state.CompareAndSwap(s, s+1) }
