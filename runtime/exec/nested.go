package exec

import (
	"fmt"
	"math"
	"slices"

	"github.com/arignote/arignote/kernels"
	"github.com/arignote/arignote/runtime/graph"
	"github.com/arignote/arignote/runtime/op"
	"github.com/arignote/arignote/runtime/tensor"
)

func init() {
	op.LinkGraph = func(fg *graph.FunctionGraph, sets kernels.Sets) (op.Thunk, error) {
		p, err := Link(fg, Options{Sets: sets}, nil)
		if err != nil {
			return nil, err
		}
		return p.Thunk(), nil
	}
}

// linkNode makes the thunk of a node, and the programs of the graphs that it runs.
func linkNode(node *graph.Apply, opts Options, sets kernels.Sets) (thunk op.Thunk, impl string, inner []*Program, err error) {
	switch linker := node.Op.(type) {
	case op.InnerLinker:
		thunk, impl, err = linker.LinkInner(node, sets, func(fg *graph.FunctionGraph, sets kernels.Sets) (op.Thunk, error) {
			opts := opts
			opts.Sets = sets
			q, err := Link(fg, opts, nil)
			if err != nil {
				return nil, err
			}
			inner = append(inner, q)
			return q.Thunk(), nil
		})
		return thunk, impl, inner, err
	case op.Linker:
		thunk, impl, err = linker.Link(node, sets)
		return thunk, impl, nil, err
	}
	return nil, "", nil, fmt.Errorf("BUG: %s cannot run", node.Op.Name())
}

// Thunk makes the program a step of another, whose run it does not allocate in: the outputs live
// where the outer program wants them. A program with shared variables has none: whoever nests it
// gives it their values as inputs.
func (p *Program) Thunk() op.Thunk {
	if len(p.locks) > 0 {
		panic("BUG: a nested program has shared variables")
	}
	return func(c *op.Call, in, out []*tensor.Dense) error {
		p.allocate, p.call.Stop, p.call.Print, p.call.Passing, p.account.outer = c.Alloc, c.Stop, c.Print, c.Passing, c.Scratch
		p.runs++
		if p.tracer != nil && p.sample.Due() {
			return p.sampled(in, out)
		}
		err := p.execute(in, out, nil)
		p.clear()
		return err
	}
}

// Runs is how often the program has run as a part of another, traced or not.
func (p *Program) Runs() int64 { return p.runs }

// Of a nested program: see Sample.
const (
	firstTraces  = 4
	tracingShare = 100
)

// sampled is a run of a nested program that is traced.
func (p *Program) sampled(in, out []*tensor.Dense) error {
	t, tracer := &p.trace, p.tracer
	t.Weight = p.sample.Weight() * p.scale
	p.begin()
	entered := tracer.Now()
	err := p.body(in, out, tracer)
	p.end()
	p.clear()
	left := tracer.Now()
	t.Call = left - entered
	tracer.Run(t, err)
	clear(t.memory)
	last := tracer.Now()
	reading := tracer.Now() - last
	inside := int64(len(t.Ends)) + 3 // readings that are not between left and last
	p.sample.Traced(t.Call, last-left+inside*reading)
	p.spent += last - left
	p.readings += inside + 1
	return err
}

// traceInner has the programs that nodes run traced in the run that begins, or not traced if tracer
// is nil.
func (p *Program) traceInner(tracer Tracer) {
	for i := range p.Nodes {
		for k, q := range p.Nodes[i].Inner {
			q.tracer, q.whole, q.spent, q.readings = nil, 0, 0, 0
			if tracer == nil {
				continue
			}
			q.tracer, q.scale = tracer.Inner(i, k), p.trace.Weight
			if q.tracer != q.watcher { // who has seen nothing yet
				q.watcher, q.sample.First, q.sample.Share = q.tracer, firstTraces, tracingShare
				if q.tracer.Every() {
					q.sample.First = math.MaxInt64
				}
				q.sample.Restart()
			}
		}
	}
}

// endInner adds what the programs that node i runs have to tell of its current run.
func (p *Program) endInner(i int) {
	if len(p.Nodes[i].Inner) == 0 {
		return
	}
	t := &p.trace
	end, start := t.Ends[len(t.Ends)-1], t.Start
	if i > 0 {
		start = t.Ends[i-1]
	}
	p.traceWhole(i, start, end)
	t.Spent[i] = Spent{}
	for _, q := range p.Nodes[i].Inner {
		t.Spent[i].Ticks += q.spent
		t.Spent[i].Readings += q.readings
		p.spent += q.spent // the outer program's node has it too
		p.readings += q.readings
		q.spent, q.readings = 0, 0
	}
}

// ran is op.Call.Ran.
func (p *Program) ran(k int, runs int64, in, out []*tensor.Dense, made map[*graph.Variable]*tensor.Dense) {
	q := p.Nodes[p.at].Inner[k]
	q.runs += runs
	if q.tracer == nil || runs == 0 {
		return
	}
	q.whole += runs
	if q.trace.Arrays == nil {
		q.makeTrace()
	}
	for i, s := range q.inputs {
		q.slots[s] = in[i]
	}
	for i, s := range q.results {
		q.slots[s] = out[i]
	}
	for i := range q.Nodes {
		for j, v := range q.Nodes[i].Apply.Outputs {
			if a := made[v]; a != nil {
				q.slots[q.Nodes[i].out[j]] = a
			}
		}
	}
	q.partial = false
	for i := range q.Nodes {
		n := &q.Nodes[i]
		for j, s := range slices.Concat(n.in, n.out) {
			q.trace.Arrays[i][j] = q.slots[s]
			q.partial = q.partial || q.slots[s] == nil
		}
	}
	q.clear()
}

// traceWhole tells of the runs of graphs that node i made by itself: they took the node's time.
func (p *Program) traceWhole(i int, start, end int64) {
	for _, q := range p.Nodes[i].Inner {
		if q.whole == 0 || q.tracer == nil {
			continue
		}
		t := &q.trace
		t.Weight, t.Whole, t.Start, t.Call = q.whole*q.scale, true, start, end-start
		t.Ends, t.Allocs = append(t.Ends[:0], end), t.Allocs[:0]
		arrays := t.Arrays
		if q.partial {
			t.Arrays = nil
		}
		q.tracer.Run(t, nil)
		clear(t.memory)
		t.Arrays, t.Whole, q.whole = arrays, false, 0
	}
}
