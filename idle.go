package main

import (
	"context"
	"time"

	"github.com/arignote/arignote/profiler/roofline"
)

// An idle is what a kernel does between cells: it measures the machine, if a profile had no roof because of that. A cell that begins does not wait for its end.
type idle struct{ cancel context.CancelFunc }

// patience is for how long a kernel waits before it does anything of its own: cells that are run one after the other are not disturbed.
const patience = 300 * time.Millisecond

func (i *idle) begin() {
	if !roofline.Wants() {
		return
	}
	var ctx context.Context
	ctx, i.cancel = context.WithCancel(context.Background())
	time.AfterFunc(patience, func() { _ = roofline.Wanted(ctx) }) // what is not measured now is wanted after the next cell
}

func (i *idle) end() {
	if i.cancel != nil {
		i.cancel()
		i.cancel = nil
	}
}

// leave is called when a program ends. A profile of it that had no roof is followed by one that has, if what is measured is kept.
func leave(ctx context.Context) {
	if roofline.Keeps() {
		_ = roofline.Wanted(ctx)
	}
}
