package op

import (
	"github.com/arignote/arignote/kernels"
	"github.com/arignote/arignote/runtime/tensor"
)

// interruptibleFlops is the work from which a routine is left behind when the user interrupts: some
// ten milliseconds.
const interruptibleFlops = 1e7

// poll is how a loop of a call asks.
func (c *Call) poll() *tensor.Poll { return &tensor.Poll{Stop: c.Stop} }

// interruptible is Interruptible for a call.
func (c *Call) interruptible(flops float64, f func() error) error {
	return Interruptible(c.Stop, flops, f)
}

// Interruptible calls f, which does so much work and cannot be told to stop, as the routines of
// LAPACK cannot: after an interrupt a long one goes on by itself until it ends, and nobody waits
// for it. So f must neither read nor write what others do; its results are there if there is no
// error, which is ErrStopped after an interrupt.
func Interruptible(stop kernels.Stop, flops float64, f func() error) error {
	if stop == nil || flops <= interruptibleFlops {
		return f()
	}
	return tensor.Beside(stop, f)
}
