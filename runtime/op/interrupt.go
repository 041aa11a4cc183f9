package op

import (
	"time"

	"github.com/arignote/arignote/kernels"
)

const (
	// interruptibleFlops is the work from which a routine is left behind when the user interrupts: some ten milliseconds.
	interruptibleFlops = 1e7
	// stopInterval is how often it is asked for.
	stopInterval = 5 * time.Millisecond
)

// interruptible is Interruptible for a call.
func (c *Call) interruptible(flops float64, f func() error) error {
	return Interruptible(c.Stop, flops, f)
}

// Interruptible calls f, which does so much work and cannot be told to stop, as the routines of LAPACK cannot: after an interrupt a long one goes on by itself
// until it ends, and nobody waits for it. So f must neither read nor write what others do; its results are there if there is no error, which is ErrStopped after an interrupt.
func Interruptible(stop kernels.Stop, flops float64, f func() error) error {
	if stop == nil || flops <= interruptibleFlops {
		return f()
	}
	type end struct {
		err      error
		panicked any
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
			if kernels.Stopped(stop) {
				return ErrStopped
			}
		}
	}
}
