package kernels

import (
	"sync/atomic"

	"github.com/arignote/arignote/kernels/parallel"
)

// A Runner does chunks of a bound Plan.
type Runner interface {
	// Chunks does the chunks [lo, hi) and reports whether it was not stopped. Calls at the same time have different workers.
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

// Each has r do all chunks: on several threads, if a run that costs one of them pace times what it costs in C with the widest vectors is
// worth it. It reports whether no chunk was stopped.
func (pl *Plan) Each(r Runner, pace float64) bool {
	if pl.Chunks == 1 || !parallel.Worth(float64(pl.Len)*pl.nanoseconds*pace) {
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

// costs are nanoseconds for an element of float64 in C, of operations that are not cheap.
var costs = map[string]float64{
	"true_div": 0.3, "reciprocal": 0.3, "sqrt": 0.4, "int_div": 1, "mod": 1, "pow": 4,
	"exp": 0.8, "exp2": 0.8, "expm1": 0.8, "log": 1, "log2": 1, "log10": 1, "log1p": 1,
	"sin": 1, "cos": 1, "tan": 2, "arcsin": 5, "arccos": 5, "arctan": 5, "arctan2": 10,
	"sinh": 1, "cosh": 1, "tanh": 0.8, "erf": 1, "sigmoid": 0.8, "softplus": 1.5,
}

// nanoseconds estimates what an element of p costs: its operations, and a hundredth of a nanosecond for each byte that is read or written.
func nanoseconds(p *Program, types []DType) float64 {
	const cheap, perByte = 0.05, 0.01
	ns := 0.0
	for _, in := range p.Instrs {
		cost, ok := costs[in.Op]
		if !ok {
			cost = cheap
		}
		ns += cost * float64(in.In.Size()) / 8
	}
	for _, d := range p.Inputs {
		ns += perByte * float64(d.Size())
	}
	for _, o := range p.Outputs {
		ns += perByte * float64(types[o.Reg].Size())
	}
	return ns
}
