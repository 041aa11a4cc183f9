//go:build cgo

package native

import (
	"sync/atomic"

	"github.com/arignote/arignote/kernels/parallel"
)

// chunked is a task of chunks that can be stopped.
type chunked struct {
	chunk func(i int) bool
	cut   atomic.Bool
}

func (c *chunked) Chunk(_, i int) {
	if !c.cut.Load() && !c.chunk(i) {
		c.cut.Store(true)
	}
}

// inChunks does chunk(i) for all i < n, on all threads if work of ns nanoseconds is worth it, until one reports false. It reports whether
// all were done.
func inChunks(n int, ns float64, chunk func(i int) bool) bool {
	if n > 1 && parallel.Worth(ns) {
		c := &chunked{chunk: chunk}
		parallel.For(n, c)
		return !c.cut.Load()
	}
	for i := range n {
		if !chunk(i) {
			return false
		}
	}
	return true
}

// ceil is n / by, rounded up.
func ceil(n, by int) int { return (n + by - 1) / by }
