package session

import (
	"context"
	"errors"
	"math/rand/v2"
	"runtime/debug"
	"time"

	"github.com/arignote/arignote/runtime/memory"
	"github.com/arignote/arignote/starlib/value"
	"go.starlark.net/starlark"
)

// Two things find that values have outgrown what config.memory_limit allows (memory.Grow): the hook
// that a program calls every 500 to 1,000 calls and rounds of loops, which stops it while garbage
// is collected to be sure, and a watch on a goroutine of its own, for functions of Go's that run
// long in one call. What allocates much at once has asked before: see package value.

// watchAfter is when a cell's memory is first watched, watchEvery how often from then on: a
// machine's memory is not full in less.
const (
	watchAfter = 20 * time.Millisecond
	watchEvery = 5 * time.Millisecond
)

// watch ends a cell, by end, while values pass the limit, until stop is called. What glances at the
// cell does so then: a clock of its own would cost as much again.
func (s *Session) watch(end context.CancelCauseFunc) (stop func()) {
	done := make(chan struct{})
	timer := time.AfterFunc(watchAfter, func() {
		timer := time.NewTimer(0)
		defer timer.Stop()
		for {
			s.sampler.Look()
			timer.Reset(watchEvery/2 + rand.N(watchEvery)) // not in step with a loop
			if err := memory.Watch(); err != nil {
				end(err)
				timer.Reset(watchAfter) // what is ended may be a cell within one that goes on
			}
			select {
			case <-done:
				return
			case <-timer.C:
			}
		}
	})
	return func() {
		timer.Stop()
		close(done)
	}
}

// outOfMemory is why a context ended, if that is memory.
func outOfMemory(ctx context.Context) (*memory.GrowthError, bool) {
	var err *memory.GrowthError
	ok := errors.As(context.Cause(ctx), &err)
	return err, ok
}

// giveBack gives the system what a cell that ran out of memory leaves.
func giveBack(ctx context.Context, err error) {
	var growth *memory.GrowthError
	var limit *memory.LimitError
	if _, found := outOfMemory(ctx); found || errors.As(err, &growth) || errors.As(err, &limit) {
		debug.FreeOSMemory()
	}
}

// sampling is the sampler of the session's programs.
type sampling struct{ s *Session }

func (x sampling) AtWork() bool                    { return value.SamplerOf(x.s).Lasts() }
func (x sampling) Samples() bool                   { return value.SamplerOf(x.s).Moved() }
func (x sampling) Clock() (now, due time.Duration) { return value.SamplerOf(x.s).Clock() }
func (x sampling) Sample()                         { value.SamplerOf(x.s).Enter() }

// tick is what a thread asks now and then. It returns when it is to be asked again.
func (s *Session) tick(thread *starlark.Thread) int {
	if err := memory.Grow(0); err != nil {
		s.end(err)
		value.Cancel(thread, err.Error())
	}
	return nextTick()
}
