package main

import (
	"context"
	"time"

	"github.com/arignote/arignote/profiler/roofline"
	"github.com/arignote/arignote/runtime/memory"
)

// An idle is what a kernel does between cells: it measures the machine, if a profile had no roof
// because of that, and gives memory back. A cell that begins does not wait for its end.
type idle struct{ cancel context.CancelFunc }

// A kernel waits before it does anything of its own: cells that are run one after the other are not
// disturbed, and find the memory of the last one. What is given back goes within five seconds.
const (
	patience = 300 * time.Millisecond
	rest     = 2 * time.Second // after patience
)

func (i *idle) begin() {
	ctx, cancel := context.WithCancel(context.Background())
	i.cancel = cancel
	time.AfterFunc(patience, func() {
		if roofline.Wants() {
			_ = roofline.Wanted(ctx) // what is not measured now is wanted after the next cell
		}
		select {
		case <-ctx.Done():
		case <-time.After(rest):
			memory.GiveBack()
		}
	})
}

func (i *idle) end() {
	if i.cancel != nil {
		i.cancel()
		i.cancel = nil
	}
}

// leave is called when a program ends. A profile of it that had no roof is followed by one that
// has, if what is measured is kept.
func leave(ctx context.Context) {
	if roofline.Keeps() {
		_ = roofline.Wanted(ctx)
	}
}
