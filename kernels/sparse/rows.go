package sparse

import (
	"sync/atomic"

	"github.com/arignote/arignote/kernels/parallel"
)

const (
	// chunkFlops is the work of a chunk of rows: some tens of microseconds.
	chunkFlops = 1 << 16
	// perFlop is about what a multiplication and an addition take, in nanoseconds.
	perFlop = 0.5
)

// A byRows is a loop over rows that threads share. Chunks are cut by the matrix alone, so that
// results do not depend on the number of threads.
type byRows struct {
	run     func(first, end int)
	rows    int
	each    int
	stop    *uint32
	stopped atomic.Bool
}

func (t *byRows) Chunk(_, i int) {
	if parallel.Stopped(t.stop) {
		t.stopped.Store(true)
	}
	if !t.stopped.Load() {
		t.run(i*t.each, min((i+1)*t.each, t.rows))
	}
}

// ByRows calls run for all rows of a matrix, whose elements take flops operations together, some
// rows at a time. shared says that several threads may: those of run's calls for different rows
// write different memory. It reports whether stop was not raised, which may be nil.
func ByRows(rows int, flops float64, shared bool, stop *uint32, run func(first, end int)) bool {
	if rows == 0 {
		return true
	}
	each := max(1, int(min(float64(rows), float64(rows)*chunkFlops/(flops+1))))
	t := &byRows{run: run, rows: rows, each: each, stop: stop}
	chunks := (rows + each - 1) / each
	if shared && parallel.Worth(flops*perFlop) {
		parallel.For(chunks, t)
	} else {
		for i := range chunks {
			t.Chunk(0, i)
		}
	}
	return !t.stopped.Load()
}
