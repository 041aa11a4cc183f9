package exec

import (
	"errors"
	"fmt"
	"slices"

	"github.com/arignote/arignote/kernels"
	"github.com/arignote/arignote/runtime/graph"
	"github.com/arignote/arignote/runtime/op"
	"github.com/arignote/arignote/runtime/tensor"
)

// A Tracer watches runs.
type Tracer interface {
	// Now reads a clock, which counts in a unit of its own.
	Now() int64
	// Run is told how a run went after it has ended. It must not keep the arrays, and the trace is
	// used again.
	Run(t *Trace, err error)
	// Inner is asked, when a run begins, for the tracer of graph k that node i runs, which reads
	// the same clock; nil if nobody watches it. That one is told of some of the graph's runs:
	// Trace.Weight says how many each stands for.
	Inner(i, k int) Tracer
	// Skips is asked before each run whether it goes on without the tracer. changed says that the
	// run begins with arrays of other shapes or strides than the one before.
	Skips(changed bool) bool
	// Splits is asked once a traced run whether it wants to know of the steps of fused nodes, too:
	// then Trace has them.
	Splits() bool
	// Every reports whether a tracer of Inner is to be told of every run, whatever that costs.
	Every() bool
}

// A Monitor looks at every node of a run, and ends it by returning an error. It must not keep
// arrays, nor change them. An operand that the node overwrites holds the result after it.
type Monitor interface {
	// Begin is told what the run begins with: inputs and shared variables.
	Begin(p *Program, values map[*graph.Variable]*tensor.Dense) error
	// Before and After are called for each node that runs. Operands of a branch that was not taken
	// are nil.
	Before(i int, n *Node, in []*tensor.Dense) error
	After(i int, n *Node, in, out []*tensor.Dense) error
}

// A Trace is what a run leaves to its Tracer.
type Trace struct {
	Enter int64   // the clock when the run began: inputs are not yet fetched
	Leave int64   // the clock when it had its results
	Start int64   // the clock when the loop began
	Ends  []int64 // the clock after each node: one lasts from the end of the one before, one reading included
	// Skipped says which nodes did not run, because only a branch that was not taken needs them;
	// nil if none can be.
	Skipped []bool
	// Arrays are the operands and then the results of each node that ran; nil for those of a branch
	// that was not taken.
	Arrays [][]*tensor.Dense
	// Shapes counts how often an intermediate value got another array than in the run before,
	// because its length or memory changed. It goes on over all runs of the program, traced or not.
	Shapes int64
	// Allocs is new memory, in order. A run like the one before has its results only.
	Allocs []Alloc
	// Peak is the most memory that the run had at a time, in bytes, as in Memory; PeakNode is the
	// node that took it there, the first one if it was so from the start. Held is what the program
	// keeps, and Results what the run leaves to the caller, kept by nobody if it failed.
	Peak, Held, Results int64
	PeakNode            int
	// Workspace is what the kernels of all nodes had at most at a time, in this run or one before;
	// it is part of Peak.
	Workspace int64
	// Scratch is the most that each node's kernels had at a time in the runs so far, in bytes.
	Scratch    []int64
	NewScratch bool // one of them is more than it was in the trace before
	// Splits are what the steps of each node took that was fused, nil of others; nil if nobody
	// asked. Those of a Whole trace are not of its runs.
	Splits []*kernels.Split
	// Spent is what tracing the graphs that nodes run took, by node: it is part of the node's time.
	// Nil if no node runs any.
	Spent []Spent

	// Of a program that runs as a part of another; Weight is 1 of others.
	Weight int64 // of how many runs of the program this is the sample
	Call   int64 // ticks of the whole run, values fetched and handed on included; two readings more than those of Ends are part of it
	Whole  bool  // the times are those of all Weight runs together, and of the program as a whole: Ends has the end alone

	memory []*tensor.Dense // of Arrays
}

// Spent is time that went into tracing: ticks, and readings of the clock beside.
type Spent struct{ Ticks, Readings int64 }

// Run computes the outputs for inputs, which must fit the types of the graph's inputs, and then
// stores the updates. If it fails, no shared variable has changed. The outputs belong to the
// caller. stop may be raised by another goroutine to end the run.
func (p *Program) Run(inputs []*tensor.Dense, stop kernels.Stop, tracer Tracer) ([]*tensor.Dense, error) {
	if len(p.locks) > 0 {
		defer graph.LockAll(p.locks)()
	}
	for _, s := range p.shared {
		p.slots[s.slot] = s.v.Shared.Value()
	}
	all := make([]*tensor.Dense, len(p.results))
	p.allocate, p.call.Stop = p.allocateFresh, stop
	err := p.execute(inputs, all, tracer)
	if err == nil {
		for i, a := range all {
			if all[i] = compact(a); all[i] != a {
				p.give(all[i])
			}
		}
		outputs := len(p.Graph.Outputs)
		for i, h := range p.updates {
			p.publish(&p.bufferSlots[h], all[outputs+i])
		}
		all = all[:outputs:outputs]
	}
	p.clear()
	if err != nil {
		for _, c := range p.overwritten {
			c.Revert()
		}
		return nil, err
	}
	return all, nil
}

// execute runs the steps and fetches the results.
func (p *Program) execute(inputs, results []*tensor.Dense, tracer Tracer) error {
	if tracer == nil || tracer.Skips(!p.alike(inputs)) {
		return p.body(inputs, results, nil)
	}
	p.trace.Weight = 1
	p.begin()
	p.trace.Enter = tracer.Now()
	err := p.body(inputs, results, tracer)
	p.trace.Leave = tracer.Now()
	p.end()
	tracer.Run(&p.trace, err)
	clear(p.trace.memory)
	return err
}

// body is execute without what a trace needs before and after. A panic of a step is a bug, unless
// memory is short, and becomes an error.
func (p *Program) body(inputs, results []*tensor.Dense, tracer Tracer) (err error) {
	for i, s := range p.inputs {
		p.slots[s] = inputs[i]
	}
	p.at = 0
	if p.nests {
		p.traceInner(tracer)
	}
	defer func() {
		if r := recover(); r != nil {
			err = p.panicked(r)
		}
	}()
	switch {
	case p.monitor != nil:
		err = p.monitored(tracer)
	case tracer == nil:
		err = p.loop()
	default:
		err = p.traced(tracer)
	}
	if err != nil {
		return err
	}
	for i, s := range p.results {
		results[i] = p.slots[s]
	}
	return nil
}

// compact copies a result that is a small part of its memory, so that it does not keep the rest
// alive.
func compact(a *tensor.Dense) *tensor.Dense {
	const small = 1 << 12
	if n := a.Buffer().Len(); n > small && n > 2*a.NBytes() {
		return a.Copy()
	}
	return a
}

// clear forgets all values but the constants; buffer slots keep their memory for the next run.
func (p *Program) clear() {
	clear(p.values)
	for _, c := range p.consts {
		p.slots[c.slot] = c.value
	}
	p.call.Stop, p.allocate = nil, nil
	p.shrink()
	p.settleAccount()
}

func (p *Program) loop() error {
	for k := range p.blocks {
		b := &p.blocks[k]
		if b.when != nil && !p.holds(b.when) {
			continue
		}
		if err := p.loopOver(b.from, b.to); err != nil {
			return err
		}
	}
	return nil
}

// loopOver is loop over the steps of a block.
func (p *Program) loopOver(from, to int) error {
	for i := from; i < to; i++ {
		n := &p.Nodes[i]
		p.at = i
		in, out := p.in[:len(n.in)], p.out[:len(n.out)]
		if err := p.step(n, in, out); err != nil {
			return err
		}
		p.store(n, out)
		for k := range n.out { // so that the next node cannot take a result of this one for its own
			out[k] = nil
		}
	}
	return nil
}

// traced is loop with a clock.
func (p *Program) traced(tracer Tracer) error {
	splits := p.split(tracer)
	if p.trace.Splits = splits; splits != nil {
		defer func() { p.call.Split = nil }()
	}
	p.trace.Start = tracer.Now()
	for _, b := range p.blocks {
		if b.when != nil && !p.holds(b.when) {
			p.trace.skip(b)
			continue
		}
		for i := b.from; i < b.to; i++ {
			n := &p.Nodes[i]
			p.at = i
			arrays := p.trace.Arrays[i]
			in, out := arrays[:len(n.in)], arrays[len(n.in):]
			if splits != nil {
				p.call.Split = splits[i]
			}
			if err := p.step(n, in, out); err != nil {
				return err
			}
			p.store(n, out)
			p.trace.Ends = append(p.trace.Ends, tracer.Now())
			p.endInner(i)
		}
	}
	return nil
}

// split makes what the run tells of the steps of fused nodes; nil if the tracer does not ask.
func (p *Program) split(tracer Tracer) []*kernels.Split {
	if !tracer.Splits() {
		return nil
	}
	if p.splits == nil {
		p.splits = make([]*kernels.Split, len(p.Nodes))
		for i, n := range p.Nodes {
			if o := n.Apply.Origin(); o != nil && slices.ContainsFunc(o.Parts, func(p graph.Part) bool { return p.Step > 0 }) {
				p.splits[i] = new(kernels.Split)
			}
		}
	}
	for _, s := range p.splits {
		if s != nil {
			clear(s.Ticks)
		}
	}
	return p.splits
}

// monitored is loop for a program with a Monitor. tracer may be nil; what the monitor takes is part
// of its node's time.
func (p *Program) monitored(tracer Tracer) error {
	m := p.monitor
	begin := make(map[*graph.Variable]*tensor.Dense)
	for i, v := range p.Graph.Inputs {
		begin[v] = p.slots[p.inputs[i]]
	}
	for _, s := range p.shared {
		begin[s.v] = p.slots[s.slot]
	}
	if tracer != nil {
		p.trace.Start = tracer.Now()
	}
	if err := m.Begin(p, begin); err != nil {
		return err
	}
	for _, b := range p.blocks {
		if b.when != nil && !p.holds(b.when) {
			if tracer != nil {
				p.trace.skip(b)
			}
			continue
		}
		for i := b.from; i < b.to; i++ {
			if err := p.watched(i, tracer); err != nil {
				return err
			}
		}
	}
	return nil
}

// watched is a step between the calls of the monitor.
func (p *Program) watched(i int, tracer Tracer) error {
	n := &p.Nodes[i]
	p.at = i
	in, out := make([]*tensor.Dense, len(n.in)), make([]*tensor.Dense, len(n.out))
	for k, s := range n.in {
		in[k] = p.slots[s]
	}
	if err := p.monitor.Before(i, n, in); err != nil {
		return err
	}
	if err := p.step(n, in, out); err != nil {
		return err
	}
	if err := p.monitor.After(i, n, in, out); err != nil {
		return err
	}
	if tracer != nil {
		copy(p.trace.Arrays[i], in)
		copy(p.trace.Arrays[i][len(in):], out)
		p.trace.Ends = append(p.trace.Ends, tracer.Now())
		p.endInner(i)
	}
	p.store(n, out)
	return nil
}

// begin starts the trace of a run.
func (p *Program) begin() {
	if p.trace.Arrays == nil {
		p.makeTrace()
	}
	p.trace.Splits = nil
	p.account.begin()
	clear(p.trace.Skipped)
	p.trace.Ends, p.trace.Allocs = p.trace.Ends[:0], p.trace.Allocs[:0]
}

// makeTrace makes room for the traces of all runs.
func (p *Program) makeTrace() {
	p.trace.Ends = make([]int64, 0, len(p.Nodes))
	p.trace.Arrays = make([][]*tensor.Dense, len(p.Nodes))
	operands := 0
	for _, n := range p.Nodes {
		operands += len(n.in) + len(n.out)
	}
	p.trace.Scratch = make([]int64, len(p.Nodes))
	if p.needs.Lazy() {
		p.trace.Skipped = make([]bool, len(p.Nodes))
	}
	if p.nests {
		p.trace.Spent = make([]Spent, len(p.Nodes))
	}
	p.trace.memory = make([]*tensor.Dense, operands)
	rest := p.trace.memory
	for i, n := range p.Nodes {
		k := len(n.in) + len(n.out)
		p.trace.Arrays[i], rest = rest[:k:k], rest[k:]
	}
}

// end completes the trace of a run.
func (p *Program) end() {
	t, a := &p.trace, &p.account
	a.traced = false
	t.Peak, t.PeakNode, t.Results = a.peak.Load(), int(a.at.Load()), a.given
	t.Workspace = a.scratch.most.Load()
	t.Held = a.now.Load() - t.Results - int64(p.call.Temporary)
	if t.NewScratch = a.grown.Swap(false); t.NewScratch {
		for i := range a.nodes {
			t.Scratch[i] = a.nodes[i].most.Load()
		}
	}
}

// step fetches the operands of a node and calls its thunk.
func (p *Program) step(n *Node, in, out []*tensor.Dense) error {
	if kernels.Stopped(p.call.Stop) {
		return op.ErrStopped
	}
	for i, s := range n.in {
		in[i] = p.slots[s]
	}
	if err := n.thunk(&p.call, in, out); err != nil {
		return p.describe(n, err, in)
	}
	if p.call.Temporary != 0 {
		p.release()
	}
	return nil
}

// overwriting is thunk for a node that overwrites operand k, the value of a shared variable: in a
// copy if somebody else may have that, and so that it can be undone if the run fails.
func (p *Program) overwriting(shared *graph.Container, k int, copy kernels.CopyFunc, thunk op.Thunk) op.Thunk {
	duplicate := func(x *tensor.Dense) (*tensor.Dense, error) {
		z := p.give(newArray(x.DType(), x.Shape()))
		if x.Size() > 0 && !copy(x.Shape(), z.Operand(), x.Operand(), p.call.Stop) {
			return nil, op.ErrStopped
		}
		return z, nil
	}
	return func(c *op.Call, in, out []*tensor.Dense) error {
		return shared.Overwrite(in[k], duplicate, func(x *tensor.Dense, undo *graph.Undo) error {
			in[k], c.Undo = x, undo
			defer func() { c.Undo = nil }()
			return thunk(c, in, out)
		})
	}
}

// store keeps the results of a node and forgets what nobody reads any more.
func (p *Program) store(n *Node, out []*tensor.Dense) {
	for i, s := range n.out {
		if out[i] == nil {
			panic(errMissing)
		}
		p.slots[s] = out[i]
	}
	for _, s := range n.drop {
		p.slots[s] = nil
	}
}

var errMissing = errors.New("BUG: a result is missing")

// panicked is the error of the current step for what it panicked with.
func (p *Program) panicked(r any) error {
	if r == tensor.ErrStopped { // see tensor.Poll
		return op.ErrStopped
	}
	n := &p.Nodes[p.at]
	in := make([]*tensor.Dense, len(n.in))
	for i, s := range n.in {
		in[i] = p.slots[s]
	}
	var size *tensor.SizeError
	err, ok := r.(error)
	if !ok || err != errMissing && !errors.As(err, &size) {
		err = fmt.Errorf("BUG: panic while it ran: %v", r)
	}
	return p.describe(n, err, in)
}
