package kernels

import (
	"sync/atomic"

	"github.com/arignote/arignote/kernels/parallel"
)

// chunked is a task of chunks that can be stopped.
type chunked struct {
	chunk func(i int) bool
	stop  Stop
	cut   atomic.Bool
}

func (c *chunked) Chunk(_, i int) {
	if !c.cut.Load() && (Stopped(c.stop) || !c.chunk(i)) {
		c.cut.Store(true)
	}
}

// InChunks does chunk(i) for all i < n, on all threads if work of ns nanoseconds is worth it, until
// one reports false or stop is raised. It reports whether all were done.
func InChunks(n int, ns float64, stop Stop, chunk func(i int) bool) bool {
	if n > 1 && parallel.Worth(ns) {
		c := &chunked{chunk: chunk, stop: stop}
		parallel.For(n, c)
		return !c.cut.Load()
	}
	for i := range n {
		if Stopped(stop) || !chunk(i) {
			return false
		}
	}
	return true
}
