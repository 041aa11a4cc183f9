package exec

import (
	"errors"
	"slices"

	"github.com/arignote/arignote/kernels"
	"github.com/arignote/arignote/runtime/graph"
	"github.com/arignote/arignote/runtime/op"
	"github.com/arignote/arignote/runtime/tensor"
)

// A Node is one step of a Program.
type Node struct {
	Apply       *graph.Apply
	Impl        string     // "C" or "Go"
	ISA         string     // the instruction set of the kernels
	Inner       []*Program // of the graphs that it runs, in the order of graph.Inner
	thunk       op.Thunk
	in          []int           // slots
	out         []int           // slots
	bufferSlots []int           // of each output; -1 if it shares the memory of an operand
	made        []*tensor.Dense // of each output, what it was when it last had its buffer slot
	drop        []int           // slots that nobody reads after the step

	// When says when the step is needed; graph.Always but of what only branches need.
	When *graph.Guard
}

// Lazy reports whether there are runs that do not need the step, because it is in a branch that
// they do not take.
func (n *Node) Lazy() bool { return n.When != nil && n.When != graph.Always }

// Options of a Program.
type Options struct {
	Sets kernels.Sets
	// KeepAll gives every intermediate result memory of its own (Theano's allow_gc=False).
	KeepAll bool
	// Monitor, if not nil, is called around every node.
	Monitor Monitor
	// Print is op.Call.Print of all nodes.
	Print func(p op.Print, x *tensor.Dense) error
	// Explain, if not nil, says more of a step that failed, in lines: what it returns follows the
	// error's notes.
	Explain func(f *Failure) string
	// Interrupted, if not nil, is asked at each node while a program is linked; an error that it
	// returns ends that.
	Interrupted func() error
}

// A Program is a linked graph: steps over numbered slots. What depends on the graph alone is
// decided when it is linked: the order, the last use of each value, and which values take turns in
// the same memory, their buffer slot. Lengths are known only in a run: a buffer slot grows to what
// it has to hold, and keeps that for the next run.
//
// One goroutine at a time may run it.
type Program struct {
	Graph *graph.FunctionGraph
	Nodes []Node

	private     bool // see Private
	nests       bool // some node has Inner
	needs       *graph.Needs
	blocks      []block // of Nodes
	monitor     Monitor // nil if nobody looks at every node
	explain     func(*Failure) string
	consts      []slotValue // constants, stored once
	shared      []sharedSlot
	inputs      []int           // slots
	results     []int           // slots of outputs, then updates
	values      []*tensor.Dense // the slots, and then in and out
	slots       []*tensor.Dense
	bufferSlots []bufferSlot
	outputs     []int // the buffer slots of outputs, each once
	updates     []int // the buffer slots of updates
	locks       []*graph.Container
	// overwritten are the shared variables whose new values are written over the old ones.
	overwritten []*graph.Container

	// Of the current run.
	call          op.Call
	allocate      allocator // of results
	allocateFresh allocator // p.fresh, made once
	at            int       // the current step
	reshaped      bool      // a buffer slot was described anew
	account       account
	in, out       []*tensor.Dense
	trace         Trace
	splits        []*kernels.Split // of Trace, once somebody has asked
	began         []int            // shapes and strides that runs begin with, for Tracer.Skips

	// Of a program that runs as a part of another:
	tracer          Tracer // while the outer program's run is traced
	watcher         Tracer // what tracer was last
	scale           int64  // how many runs that run stands for
	sample          Sample
	runs            int64
	whole           int64 // runs of which ran was told, in the current run of the outer program's node
	partial         bool  // not all values of these are known
	spent, readings int64 // what traces took in that run: ticks beyond the runs themselves, and readings of the clock
}

// Private reports whether no code of the user's sees the arrays of a run: it has no monitor, no
// Print, and no operation that the user computes.
func (p *Program) Private() bool { return p.private }

// isPrivate is Private of a program that has its nodes.
func (p *Program) isPrivate() bool {
	return p.monitor == nil && !slices.ContainsFunc(p.Nodes, func(n Node) bool {
		switch n.Apply.Op.(type) {
		case op.Print, op.Foreign:
			return true
		}
		return slices.ContainsFunc(n.Inner, func(q *Program) bool { return !q.private })
	})
}

// allocator is op.Call.Alloc.
type allocator = func(i int, dtype kernels.DType, shape []int) *tensor.Dense

type slotValue struct {
	slot  int
	value *tensor.Dense
}

type sharedSlot struct {
	slot int
	v    *graph.Variable
}

// Link orders the nodes of fg and makes their thunks. built, if not nil, is called after each thunk
// is made.
func Link(fg *graph.FunctionGraph, opts Options, built func(*graph.Apply)) (*Program, error) {
	p := &Program{Graph: fg, monitor: opts.Monitor, explain: opts.Explain}
	p.call.Alloc, p.call.Scratch, p.call.Print = p.alloc, p.scratch, opts.Print
	p.call.Ran, p.call.Stepwise, p.allocateFresh = p.ran, opts.Monitor != nil, p.fresh
	sets := opts.Sets.With(p.scratch)
	var slot graph.Table[int] // 1 and each variable's; 0 if it has none yet
	slots := 0
	at := func(v *graph.Variable) int {
		n := slot.At(v)
		if *n == 0 {
			slots++
			*n = slots
			switch {
			case v.Data != nil:
				p.consts = append(p.consts, slotValue{*n - 1, v.Data})
			case v.Shared != nil:
				p.shared = append(p.shared, sharedSlot{*n - 1, v})
			}
		}
		return *n - 1
	}
	p.needs = fg.Needs()
	numbers, arrays := room(p.needs.Order) // memory of all nodes
	slotsOf := func(vs []*graph.Variable) []int {
		list := take(&numbers, len(vs))
		for i, v := range vs {
			list[i] = at(v)
		}
		return list
	}
	p.inputs = slotsOf(fg.Inputs)
	operands, results := 0, 0
	p.Nodes = make([]Node, 0, len(p.needs.Order))
	for _, node := range p.needs.Order {
		if opts.Interrupted != nil {
			if err := opts.Interrupted(); err != nil {
				return nil, err
			}
		}
		thunk, impl, inner, err := linkNode(node, opts, sets)
		if err != nil {
			var placed *graph.Error
			if errors.As(err, &placed) { // it is of a node inside
				return nil, err
			}
			return nil, &graph.Error{Pos: node.Origin().Pos(), Op: graph.BaseName(node.Op), Msg: err.Error()}
		}
		p.nests = p.nests || inner != nil
		n := Node{Apply: node, Impl: impl, ISA: sets.ISA(impl), Inner: inner, thunk: thunk, in: slotsOf(node.Inputs), out: slotsOf(node.Outputs),
			bufferSlots: take(&numbers, len(node.Outputs)), made: take(&arrays, len(node.Outputs)), When: p.needs.Of(node)}
		p.Nodes = append(p.Nodes, n)
		operands, results = max(operands, len(n.in)), max(results, len(n.out))
		if built != nil {
			built(node)
		}
	}
	p.results = slotsOf(fg.Results())
	for _, v := range fg.SharedVariables() {
		p.locks = append(p.locks, v.Shared)
	}
	graph.SortContainers(p.locks)
	p.locks = slices.Compact(p.locks)
	p.values = make([]*tensor.Dense, slots+operands+results)
	p.slots, p.in, p.out = p.values[:slots], p.values[slots:][:operands], p.values[slots+operands:]
	for _, c := range p.consts {
		p.slots[c.slot] = c.value
	}
	p.account.nodes = make([]gauge, len(p.Nodes))
	p.cut(&slot)
	m := p.plan(&slot, opts.KeepAll)
	for i := range p.Nodes {
		n := &p.Nodes[i]
		for _, d := range graph.Destroys(n.Apply.Op) {
			if r := m.Root(n.Apply.Inputs[d.In]); r.Shared != nil {
				copy, _, _ := sets.Copy(r.Type.DType.Size())
				n.thunk = p.overwriting(r.Shared, d.In, copy, n.thunk)
			}
		}
	}
	p.private = p.isPrivate()
	return p, nil
}

// room is memory for what nodes have lists of: slots and buffer slots, and arrays.
func room(order []*graph.Apply) (numbers []int, arrays []*tensor.Dense) {
	in, out := 0, 0
	for _, node := range order {
		in, out = in+len(node.Inputs), out+len(node.Outputs)
	}
	return make([]int, in+2*out), make([]*tensor.Dense, out)
}

// take takes a list of so many from the room that is left, if there is as much.
func take[T any](room *[]T, n int) []T {
	if n > len(*room) {
		return make([]T, n)
	}
	list := (*room)[:n:n]
	*room = (*room)[n:]
	return list
}
