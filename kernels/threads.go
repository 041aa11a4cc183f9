package kernels

import (
	"sync/atomic"

	"github.com/arignote/arignote/kernels/parallel"
)

// A Runner does chunks of a bound Plan.
type Runner interface {
	// Chunks does the chunks [lo, hi) and reports whether it was not stopped. Calls at the same
	// time have different workers.
	Chunks(worker, lo, hi int) bool
}

// A team is a run whose chunks are shared by threads: a parallel.Task.
type team struct {
	runner  Runner
	stopped atomic.Bool
}

func (t *team) Chunk(worker, i int) {
	if !t.stopped.Load() && !t.runner.Chunks(worker, i, i+1) {
		t.stopped.Store(true)
	}
}

// Each has r do all chunks: on several threads, if what the run costs one of them is worth it. It
// reports whether no chunk was stopped.
func (pl *Plan) Each(r Runner) bool {
	if pl.Chunks == 1 || !parallel.Worth(float64(pl.Len)*pl.nanoseconds) {
		return r.Chunks(0, 0, pl.Chunks)
	}
	t := &pl.team
	t.runner = r
	t.stopped.Store(false)
	parallel.For(pl.Chunks, t)
	t.runner = nil
	return !t.stopped.Load()
}

// Workers is more than the largest number of a worker.
func (pl *Plan) Workers() int { return min(pl.Chunks, parallel.Most) }

// nanoseconds estimates what an element of p costs an instruction set: its operations, and a
// hundredth of a nanosecond for each byte that is read or written.
func nanoseconds(p *Program, types []DType, isa string) float64 {
	const perByte = 0.01
	ns := 0.0
	for _, in := range p.Instrs {
		ns += Cost(in.Op, isa, in.In)
	}
	for _, d := range p.Inputs {
		ns += perByte * float64(d.Size())
	}
	for _, o := range p.Outputs {
		ns += perByte * float64(types[o.Reg].Size())
	}
	return ns
}
