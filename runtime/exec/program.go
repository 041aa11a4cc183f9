package exec

import (
	"errors"
	"fmt"
	"slices"
	"sync/atomic"

	"github.com/arignote/arignote/kernels"
	"github.com/arignote/arignote/runtime/graph"
	"github.com/arignote/arignote/runtime/op"
	"github.com/arignote/arignote/runtime/tensor"
)

// A Tracer watches a run.
type Tracer interface {
	// Now reads the clock, in nanoseconds.
	Now() int64
	// Node is told that node i ran for ns nanoseconds, one clock reading included, and what its operands and results were. It
	// must not keep the arrays.
	Node(i int, ns int64, in, out []*tensor.Dense)
	// Run is told that the whole loop took ns nanoseconds and how it ended.
	Run(ns int64, err error)
}

// A Node is one step of a Program.
type Node struct {
	Apply *graph.Apply
	Impl  string // "C" or "Go"
	thunk op.Thunk
	in    []int // slots
	out   []int
	drop  []int // slots that are empty after the step
	reuse []int // of those, the slots whose memory is free for later steps
}

// Options of a Program.
type Options struct {
	Sets kernels.Sets
	// KeepAll leaves intermediate results alive until the end of a run (Theano's allow_gc=False).
	KeepAll bool
}

// A Program is a linked graph. One goroutine at a time may run it.
type Program struct {
	Graph *graph.FunctionGraph
	Nodes []Node

	consts  []slotValue // constants, stored once
	shared  []sharedSlot
	inputs  []int // slots
	results []int // slots of outputs, then updates
	slots   []*tensor.Dense
	in, out []*tensor.Dense // of the running node
	locks   []*graph.Container
	atEnd   []int // with KeepAll, the slots whose memory is free when a run has ended
	pool    pool
}

type slotValue struct {
	slot  int
	value *tensor.Dense
}

type sharedSlot struct {
	slot int
	v    *graph.Variable
}

// Link orders the nodes of fg and makes their thunks. built, if not nil, is called after each thunk is made.
func Link(fg *graph.FunctionGraph, opts Options, built func(*graph.Apply)) (*Program, error) {
	p := &Program{Graph: fg}
	slot := make(map[*graph.Variable]int)
	at := func(v *graph.Variable) int {
		s, ok := slot[v]
		if !ok {
			s = len(slot)
			slot[v] = s
			switch {
			case v.Data != nil:
				p.consts = append(p.consts, slotValue{s, v.Data})
			case v.Shared != nil:
				p.shared = append(p.shared, sharedSlot{s, v})
			}
		}
		return s
	}
	for _, v := range fg.Inputs {
		p.inputs = append(p.inputs, at(v))
	}
	order := fg.Toposort()
	for _, node := range order {
		linker, ok := node.Op.(op.Linker)
		if !ok {
			return nil, fmt.Errorf("BUG: %s cannot run", node.Op.Name())
		}
		thunk, impl, err := linker.Link(node, opts.Sets)
		if err != nil {
			return nil, &graph.Error{Pos: node.Origin().Pos(), Op: graph.BaseName(node.Op), Msg: err.Error()}
		}
		n := Node{Apply: node, Impl: impl, thunk: thunk}
		for _, v := range node.Inputs {
			n.in = append(n.in, at(v))
		}
		for _, v := range node.Outputs {
			n.out = append(n.out, at(v))
		}
		p.Nodes = append(p.Nodes, n)
		p.in = slices.Grow(p.in, len(n.in))[:max(len(p.in), len(n.in))]
		p.out = slices.Grow(p.out, len(n.out))[:max(len(p.out), len(n.out))]
		if built != nil {
			built(node)
		}
	}
	for _, v := range fg.Results() {
		p.results = append(p.results, at(v))
	}
	for _, v := range fg.SharedVariables() {
		p.locks = append(p.locks, v.Shared)
	}
	graph.SortContainers(p.locks)
	p.slots = make([]*tensor.Dense, len(slot))
	for _, c := range p.consts {
		p.slots[c.slot] = c.value
	}
	p.plan(slot)
	if opts.KeepAll {
		for i := range p.Nodes {
			n := &p.Nodes[i]
			p.atEnd = append(p.atEnd, n.reuse...)
			n.drop, n.reuse = nil, nil
		}
	}
	return p, nil
}

// plan finds where each slot is last used and when the memory behind it is free again.
func (p *Program) plan(slot map[*graph.Variable]int) {
	root := Roots(p.Graph)
	lastOf := make(map[*graph.Variable]int) // of each root, the last step that needs its memory
	first := make(map[*graph.Variable]int)  // of each root, the step that made it
	for i, n := range p.Nodes {
		for _, v := range n.Apply.Outputs {
			if root[v] == v {
				first[v] = i
			}
			lastOf[root[v]] = i
		}
		for _, v := range n.Apply.Inputs {
			lastOf[root[v]] = i
		}
	}
	for _, v := range p.Graph.Results() {
		delete(lastOf, root[v])
	}
	for v, r := range root {
		i, dies := lastOf[r]
		if _, made := first[r]; !dies || !made || v.Owner == nil {
			continue
		}
		p.Nodes[i].drop = append(p.Nodes[i].drop, slot[v])
		if v == r {
			p.Nodes[i].reuse = append(p.Nodes[i].reuse, slot[v])
		}
	}
	for i := range p.Nodes {
		slices.Sort(p.Nodes[i].drop)
		slices.Sort(p.Nodes[i].reuse)
	}
}

// Roots maps each variable of fg to the one whose memory it shares: itself, unless it views or overwrites another.
func Roots(fg *graph.FunctionGraph) map[*graph.Variable]*graph.Variable {
	root := make(map[*graph.Variable]*graph.Variable)
	for v := range fg.Roots() {
		root[v] = v
	}
	for _, node := range fg.Toposort() {
		for _, v := range node.Outputs {
			root[v] = v
		}
		for _, a := range append(slices.Clone(graph.Views(node.Op)), graph.Destroys(node.Op)...) {
			root[node.Outputs[a.Out]] = root[node.Inputs[a.In]]
		}
	}
	return root
}

// Run computes the outputs for inputs, which must fit the types of the graph's inputs, and then stores the updates. If it
// fails, no shared variable has changed. The outputs belong to the caller. stop may be raised by another goroutine to end
// the run.
func (p *Program) Run(inputs []*tensor.Dense, stop kernels.Stop, tracer Tracer) (outputs []*tensor.Dense, err error) {
	defer graph.LockAll(p.locks)()
	for i, s := range p.inputs {
		p.slots[s] = inputs[i]
	}
	for _, s := range p.shared {
		p.slots[s.slot] = s.v.Shared.Get()
	}
	call := &op.Call{Alloc: p.pool.alloc, Stop: stop}
	if tracer == nil {
		err = p.loop(call)
	} else {
		start := tracer.Now()
		err = p.traced(call, tracer)
		tracer.Run(tracer.Now()-start, err)
	}
	if err == nil {
		outputs = make([]*tensor.Dense, len(p.Graph.Outputs))
		for i := range outputs {
			outputs[i] = compact(p.slots[p.results[i]])
		}
		for i, u := range p.Graph.Updates {
			u.Shared.Shared.Set(compact(p.slots[p.results[len(outputs)+i]]))
		}
	}
	p.clear()
	return outputs, err
}

// compact copies a result that is a small part of its memory, so that it does not keep the rest alive.
func compact(a *tensor.Dense) *tensor.Dense {
	const small = 1 << 12
	if n := a.Buffer().Len(); n > small && n > 2*a.NBytes() {
		return a.Copy()
	}
	return a
}

// clear forgets all values but the constants, and the memory that this run did not use.
func (p *Program) clear() {
	for _, s := range p.atEnd {
		p.pool.free(p.slots[s])
	}
	clear(p.slots)
	clear(p.in)
	clear(p.out)
	for _, c := range p.consts {
		p.slots[c.slot] = c.value
	}
	p.pool.endOfRun()
}

func (p *Program) loop(call *op.Call) error {
	for i := range p.Nodes {
		n := &p.Nodes[i]
		if call.Stop != nil && atomic.LoadUint32(call.Stop) != 0 {
			return op.ErrStopped
		}
		if err := p.step(n, call, p.load(n), p.out[:len(n.out)]); err != nil {
			return err
		}
	}
	return nil
}

// traced is loop with a clock.
func (p *Program) traced(call *op.Call, tracer Tracer) error {
	for i := range p.Nodes {
		n := &p.Nodes[i]
		if call.Stop != nil && atomic.LoadUint32(call.Stop) != 0 {
			return op.ErrStopped
		}
		ins, outs := p.load(n), p.out[:len(n.out)]
		start := tracer.Now()
		err := p.run(n, call, ins, outs)
		ns := tracer.Now() - start
		if err != nil {
			return err
		}
		tracer.Node(i, ns, ins, outs)
		p.store(n, outs)
	}
	return nil
}

// load fetches the operands of a node.
func (p *Program) load(n *Node) []*tensor.Dense {
	for i, s := range n.in {
		p.in[i] = p.slots[s]
	}
	return p.in[:len(n.in)]
}

func (p *Program) step(n *Node, call *op.Call, in, out []*tensor.Dense) error {
	if err := p.run(n, call, in, out); err != nil {
		return err
	}
	p.store(n, out)
	return nil
}

// store keeps the results of a node and frees what nobody needs any more.
func (p *Program) store(n *Node, out []*tensor.Dense) {
	for i, s := range n.out {
		p.slots[s] = out[i]
	}
	for _, s := range n.reuse {
		p.pool.free(p.slots[s])
	}
	for _, s := range n.drop {
		p.slots[s] = nil
	}
}

// run calls the thunk. Its errors point to the node's line; a panic is a bug, and becomes an error too.
func (p *Program) run(n *Node, call *op.Call, in, out []*tensor.Dense) (err error) {
	defer func() {
		r := recover()
		if r == nil {
			return
		}
		if size, ok := r.(*tensor.SizeError); ok {
			err = p.describe(n, size, in)
		} else {
			err = p.describe(n, fmt.Errorf("BUG: panic while it ran: %v", r), in)
		}
	}()
	clear(out) // of the node before
	if err := n.thunk(call, in, out); err != nil {
		return p.describe(n, err, in)
	}
	if slices.Contains(out, nil) {
		return p.describe(n, errors.New("BUG: a result is missing"), in)
	}
	return nil
}

// describe adds the node's place and operands to an error.
func (p *Program) describe(n *Node, err error, in []*tensor.Dense) error {
	var e *graph.Error
	if errors.Is(err, op.ErrStopped) || errors.As(err, &e) {
		return err
	}
	e = &graph.Error{Pos: n.Apply.Origin().Pos(), Op: graph.BaseName(n.Apply.Op), Msg: err.Error()}
	for i, v := range n.Apply.Inputs {
		msg := graph.Describe(v)
		if in[i] != nil { // it is, unless there is a bug, which must not hide behind another panic
			msg += " and has shape " + tensor.ShapeString(in[i].Shape())
		}
		e.Notes = append(e.Notes, graph.Note{Pos: v.Origin.Pos(), Msg: msg})
	}
	return e
}
