package exec

import (
	"sync/atomic"

	"github.com/arignote/arignote/kernels"
	"github.com/arignote/arignote/runtime/tensor"
)

// Memory is what the runs of a program took, in bytes of real memory: blocks count whole. What is
// not the program's own does not count: inputs, constants, the values of shared variables, and
// results from the end of the run on.
type Memory struct {
	Held    int64 // now, between runs: buffer slots, and what kernels keep
	Kept    int64 // part of Held: what kernels keep
	Scratch int64 // part of Peak: the most that kernels used at a time, all nodes together
	Peak    int64 // the most that any run took at a time: slots, results and what kernels use
}

// An Alloc is new memory that a node got in a run. What kernels use is not among them.
type Alloc struct {
	Node  int
	Bytes int64
}

// An account counts memory where it is taken and given back: a run that finds all it needs counts
// its results and nothing else.
type account struct {
	now     atomic.Int64 // all of it; kernels count on several threads
	peak    atomic.Int64 // the most since the last traced run began
	at      atomic.Int64 // the step of the peak
	most    int64        // the most before
	given   int64        // to results of the run, which are the caller's when it has ended
	stale   int64        // of slots that were too small, in use until the run has ended
	scratch gauge        // what all kernels use
	grown   atomic.Bool  // a node's kernels had more than before, since the last traced run
	nodes   []gauge      // what the kernels of each node use
	traced  bool
	outer   kernels.Account // of the program of which this one is a step
}

type gauge struct{ now, most atomic.Int64 }

// raise makes g at least n, and reports whether it was less.
func raise(g *atomic.Int64, n int64) bool {
	for {
		most := g.Load()
		if n <= most {
			return false
		}
		if g.CompareAndSwap(most, n) {
			return true
		}
	}
}

// count adds bytes to what the run holds.
func (p *Program) count(bytes int64) {
	a := &p.account
	if raise(&a.peak, a.now.Add(bytes)) {
		a.at.Store(int64(p.at))
	}
	a.outer.Add(int(bytes))
}

// scratch is the kernels.Account of kernels and op.Call.Scratch.
func (p *Program) scratch(bytes int) {
	g := &p.account.nodes[p.at]
	if raise(&g.most, g.now.Add(int64(bytes))) {
		p.account.grown.Store(true)
	}
	raise(&p.account.scratch.most, p.account.scratch.now.Add(int64(bytes)))
	p.count(int64(bytes))
}

// release takes off what the thunk of the current step had for itself.
func (p *Program) release() {
	p.scratch(-p.call.Temporary)
	p.call.Temporary = 0
}

// hold counts what a buffer slot has now.
func (p *Program) hold(h *bufferSlot, bytes int) {
	if bytes != h.bytes {
		p.count(int64(bytes - h.bytes))
		h.bytes = bytes
	}
}

// give counts an array that is the caller's when the run has ended.
func (p *Program) give(a *tensor.Dense) *tensor.Dense {
	n := int64(a.Buffer().Footprint())
	p.account.given += n
	p.count(n)
	p.note(n)
	return a
}

// note has an allocation traced.
func (p *Program) note(bytes int64) {
	if p.account.traced {
		p.trace.Allocs = append(p.trace.Allocs, Alloc{p.at, bytes})
	}
}

// settleAccount is what remains of a run when it has ended, well or not.
func (p *Program) settleAccount() {
	a := &p.account
	if p.call.Temporary != 0 {
		p.release()
	}
	if a.given != 0 {
		p.count(-a.given)
		a.given = 0
	}
	a.outer = nil
}

// Memory is what the runs so far took.
func (p *Program) Memory() Memory {
	a := &p.account
	return Memory{Held: a.now.Load(), Peak: max(a.most, a.peak.Load()), Kept: a.scratch.now.Load(), Scratch: a.scratch.most.Load()}
}

// Scratch is the most memory, in bytes, that the kernels of node i had at a time in the runs so
// far: blocks of elementwise expressions, packed operands of products, parts of sums, copies of
// operands.
func (p *Program) Scratch(i int) int64 { return p.account.nodes[i].most.Load() }

// begin starts a traced run.
func (a *account) begin() {
	a.traced = true
	a.most = max(a.most, a.peak.Load())
	a.peak.Store(a.now.Load())
	a.at.Store(0)
}
