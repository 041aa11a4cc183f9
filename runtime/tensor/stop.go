package tensor

import (
	"errors"
	"time"

	"github.com/arignote/arignote/kernels"
)

// ErrStopped is the error of what ended early because a Stop was raised.
var ErrStopped = errors.New("interrupted")

// pollEvery is how many elements are moved between two looks at a Stop: some hundred microseconds
// of work.
const pollEvery = 1 << 16

// A Poll is how a loop over a user's data asks whether it is to end. Where the answer is yes it
// panics with ErrStopped, which the door of a builtin makes the error of the call, so that loops
// deep inside need no error of their own. What changes a value that others see asks before it
// begins to, or between changes that are each whole.
type Poll struct {
	Stop kernels.Stop
	left int
}

// Ask counts work of n elements, some nanoseconds each, and looks at the Stop once in pollEvery of
// them.
func (p *Poll) Ask(n int) {
	if p.left -= n; p.left < 0 {
		p.look()
	}
}

func (p *Poll) look() {
	p.left = pollEvery
	if kernels.Stopped(p.Stop) {
		panic(ErrStopped)
	}
}

// caught makes the panic of a Poll the error of the function that defers it.
func caught(err *error) {
	switch r := recover(); r {
	case nil:
	case ErrStopped:
		*err = ErrStopped
	default:
		panic(r)
	}
}

// Each calls f for the parts of n elements, and asks between them.
func (p *Poll) Each(n int, f func(first, end int)) {
	for first := 0; first < n; first += pollEvery {
		p.Ask(min(pollEvery, n-first))
		f(first, min(first+pollEvery, n))
	}
}

// Stopped reports whether a Stop is raised: see kernels.Stopped.
func Stopped(stop kernels.Stop) bool { return kernels.Stopped(stop) }

// stopInterval is how often Beside asks.
const stopInterval = 5 * time.Millisecond

// Beside calls f, which cannot be told to stop, on a goroutine: after an interrupt it goes on by
// itself until it ends, and nobody waits for it. So f must neither read nor write what others do,
// and end within seconds; its results are there if there is no error, which is ErrStopped after an
// interrupt.
func Beside(stop kernels.Stop, f func() error) error {
	type end struct {
		err      error
		panicked any
	}
	if Stopped(stop) {
		return ErrStopped
	}
	done := make(chan end, 1)
	go func() {
		var e end
		defer func() {
			e.panicked = recover()
			done <- e
		}()
		e.err = f()
	}()
	tick := time.NewTicker(stopInterval)
	defer tick.Stop()
	for {
		select {
		case e := <-done:
			if e.panicked != nil {
				panic(e.panicked)
			}
			return e.err
		case <-tick.C:
			if Stopped(stop) {
				return ErrStopped
			}
		}
	}
}
