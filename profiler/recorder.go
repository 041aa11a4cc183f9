package profiler

import (
	"slices"

	"github.com/arignote/arignote/kernels"
	"github.com/arignote/arignote/runtime/exec"
	"github.com/arignote/arignote/runtime/graph"
	"github.com/arignote/arignote/runtime/tensor"
)

// MinNodeTime is the least time, in nanoseconds, that a run of a node counts: after subtracting the
// clock's cost a very short node could show 0 or less, as if it had not run.
const MinNodeTime = 0.1

// A Recorder adds the calls of one function to a Stats. It is an exec.Tracer for one run at a time;
// Call and Reset may be called from any goroutine. All methods of a nil *Recorder but Now and Run
// do nothing.
//
// A run that fails leaves no trace in the nodes. A call that fails after its run has ended well
// counts as failed, but its nodes did run and keep their times.
type Recorder struct {
	stats *Stats
	fn    *Function
	clock *Clock
	tick  float64 // nanoseconds
	cost  float64 // of a reading, in nanoseconds

	groups []*group   // of runs, by the shapes that they begin with
	group  *group     // of the current run
	given  []int      // the variables that these shapes are of
	ops    []graph.Op // by node
	work   []work     // by node: of a call with the operands it had last
	new    []int64    // by node: bytes that it allocated
	grown  bool       // kernels had more memory than before
	lazy   []laziness // by node; nil if all run always
	still  bool       // no run has other shapes than the one before
	pieces []pieces   // by node; nil if nobody asks for them
	asked  int64      // in so many runs
	values []value    // by variable
	loose  []int      // the variables that may have another shape in each run; the others only if Shapes has changed
	shapes int64      // exec.Trace.Shapes when all were looked at

	shared []sharedValue // of the function

	inner  [][]*Recorder // by node: of the graphs that it runs; nil if no node runs any
	nested               // of a graph that a node runs

	sampled

	events []int64 // the clock at the start and after each node of the first traced runs, at most Stats.events of them

	// Since the last Call:
	readings int64   // of the clock
	spent    float64 // on tracing the graphs that nodes run
	run      float64 // in runs that ended well
}

var _ exec.Tracer = (*Recorder)(nil)

// A value is what is known of a variable's arrays: they themselves must not be kept, nor their
// lists, which lie beside them.
type value struct {
	node, operand int // where a trace has it
	dtype         kernels.DType
	last          Operand
	changed       bool // in the current run
	given         bool // it is one of Recorder.given
}

// The pieces of a fused node are its steps and what they took.
type pieces struct {
	steps  []float64 // of the runs that nothing disturbed
	least  float64   // that one took for its work
	origin *graph.Origin
	isa    string
}

// disturbed is how much longer than the quickest a run may take for its work: what interrupts one
// is charged to whatever step it finds.
const disturbed = 1.2

// take adds what the steps of a run took that did so much work.
func (p *pieces) take(ticks []float64, work float64) {
	all := 0.0
	for _, t := range ticks {
		all += t
	}
	took := all / max(work, 1)
	if all == 0 || p.least > 0 && took > disturbed*p.least {
		return
	}
	if p.least > disturbed*took { // those before were disturbed
		clear(p.steps)
	}
	if p.least == 0 || took < p.least {
		p.least = took
	}
	for k, t := range ticks {
		if k == len(p.steps) {
			p.steps = append(p.steps, 0)
		}
		p.steps[k] += t
	}
}

// A laziness is what is known of a node that only a branch needs.
type laziness struct {
	skipped int64 // runs that did not need it
	stale   bool  // operands have changed since the node looked at them
}

// Add adds a function to s and returns the recorder of its calls. If s is nil, so is the recorder.
func (s *Stats) Add(info FunctionInfo) *Recorder {
	if s == nil {
		return nil
	}
	f := describe(info)
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.clock == nil { // it was read from JSON
		s.clock = &processClock
		s.ClockCost = s.clock.Cost()
	}
	f.ID = info.ID
	f.begin()
	r := s.recorder(f, info.Program)
	s.Functions = append(s.Functions, f)
	return r
}

// recorder makes the recorder of a function, and those of the functions that its nodes run.
func (s *Stats) recorder(f *Function, p *exec.Program) *Recorder {
	n := len(f.Nodes)
	r := &Recorder{stats: s, fn: f, clock: s.clock, tick: s.clock.tick(), cost: s.ClockCost, sampled: sampled{nodes: make([]float64, n)},
		ops: make([]graph.Op, n), work: make([]work, n), new: make([]int64, n)}
	for i, node := range f.Nodes {
		apply := p.Nodes[i].Apply
		r.ops[i] = apply.Op
		r.work[i] = staticWork(node, apply)
		if f, ok := apply.Op.(graph.FunctionTimer); ok && node.Impl == "C" && p.Nodes[i].ISA != "" {
			plain, ns := f.FunctionTime(apply.Inputs)
			node.Functions, node.FunctionNS = 1-plain, ns.On(p.Nodes[i].ISA)
		}
		for k, inner := range node.Inner {
			if r.inner == nil {
				r.inner = make([][]*Recorder, n)
			}
			q := s.recorder(inner, p.Nodes[i].Inner[k])
			q.program = p.Nodes[i].Inner[k]
			r.inner[i] = append(r.inner[i], q)
		}
	}
	if s.Split {
		r.pieces = make([]pieces, n)
		for i := range f.Nodes {
			r.pieces[i] = pieces{origin: p.Nodes[i].Apply.Origin(), isa: p.Nodes[i].ISA}
		}
	}
	if p != nil && slices.ContainsFunc(p.Nodes, func(n exec.Node) bool { return n.Lazy() }) {
		r.lazy = make([]laziness, len(f.Nodes))
	}
	r.still = p != nil && p.Shapeless()
	r.values = places(f, p)
	for i, v := range r.values {
		if k := v.operand - len(f.Nodes[v.node].In); k < 0 || !p.Keeps(v.node, k) {
			r.loose = append(r.loose, i)
		}
	}
	for _, v := range slices.Concat(f.Inputs, f.Shared) {
		if v < len(r.values) { // a node reads it
			r.given = append(r.given, v)
			r.values[v].given = true
		}
	}
	r.shared = sharedOf(f, p)
	r.groups = []*group{newGroup(n, r.lazy != nil)}
	r.reset()
	f.recorder = r
	return r
}

// Tracer is what exec.Program.Run takes: r, or nil if nodes are not to be measured.
func (r *Recorder) Tracer() exec.Tracer {
	if r == nil {
		return nil
	}
	if !r.stats.meter.begun.Load() {
		r.stats.start()
	}
	if r.stats.NoNodes {
		return nil
	}
	return r
}

// A run whose steps are measured takes up to twice as long, so that these are the first few and
// then one of many.
const (
	firstSplits = 4
	splitGap    = 32
)

// Splits reports whether the profile asks for the steps of fused nodes in the coming run: see
// exec.Tracer.
func (r *Recorder) Splits() bool {
	if r.pieces == nil {
		return false
	}
	r.asked++
	return r.asked <= firstSplits || r.asked%splitGap == 0
}

// Every reports whether the profile wants every run: see exec.Tracer.
func (r *Recorder) Every() bool { return r.stats.every }

// Stats is what r adds to.
func (r *Recorder) Stats() *Stats {
	if r == nil {
		return nil
	}
	return r.stats
}

// Now reads the clock.
func (r *Recorder) Now() int64 { return r.clock.Now() }

// Run adds a run that ended well: all its nodes.
func (r *Recorder) Run(t *exec.Trace, err error) {
	s := r.stats
	s.mu.Lock()
	defer s.mu.Unlock()
	readings := int64(len(t.Ends)) + 1
	if t.Leave > t.Enter {
		readings += 2
	}
	for _, skipped := range t.Skipped {
		if skipped {
			readings--
		}
	}
	r.readings += readings
	r.grown = r.grown || t.NewScratch
	var spent float64
	for _, sp := range t.Spent {
		spent += r.spentTime(sp)
	}
	r.spent += spent
	r.skipped = false
	r.endInner(err == nil)
	if err != nil {
		return
	}
	before := r.run
	r.add(t)
	if t.Leave > t.Enter { // the run, but for one of the readings at its ends
		around := max(float64(t.Leave-t.Enter)*r.tick-float64(readings-1)*r.cost-spent-(r.run-before), MinNodeTime)
		r.group.between.add(around, 1)
		follow(&r.around, around)
		r.fn.RunTime += around
		r.run += around
	}
	if len(r.events)+len(t.Ends) < s.events {
		r.events = append(append(r.events, t.Start), t.Ends...)
	}
	r.allocs = append(r.allocs[:0], t.Allocs...)
	if t.Leave > t.Enter {
		adding := float64(r.clock.Now()-t.Leave) * r.tick
		r.tracing = adding + float64(readings)*r.cost
		r.spent += max(adding-r.cost, 0)
		r.readings++
	}
}

// add adds a run, or the runs that a traced one stands for.
func (r *Recorder) add(t *exec.Trace) {
	f := r.fn
	if len(t.Arrays) > 0 {
		r.see(t)
	}
	r.weigh(t)
	if r.pieces != nil && !t.Whole {
		for i, split := range t.Splits {
			if split != nil {
				r.pieces[i].take(split.Ticks, r.work[i].amount())
			}
		}
	}
	weight := max(t.Weight, 1)
	var run, sum float64
	if t.Whole {
		run = r.whole(t)
		sum = run * float64(weight)
	} else {
		last := t.Start
		g := r.group
		tallies := g.tallies[:len(t.Ends)]
		for i, end := range t.Ends {
			if t.Skipped != nil && t.Skipped[i] {
				continue
			}
			ns := float64(end-last)*r.tick - r.cost
			if t.Spent != nil {
				ns -= r.spentTime(t.Spent[i])
			}
			if ns < MinNodeTime {
				ns = MinNodeTime
			}
			sum += tallies[i].addSample(ns, weight, g.ran(i))
			follow(&r.sampled.nodes[i], ns)
			run += ns
			last = end
		}
	}
	f.Runs += weight
	r.group.runs += weight
	for i, skipped := range t.Skipped {
		if f.Nodes[i].Idle = skipped; skipped {
			r.lazy[i].skipped += weight
			r.group.skipped[i] += weight
		}
	}
	f.RunTime += sum
	r.run += run
}

// spentTime is what tracing took that is part of a node's time.
func (r *Recorder) spentTime(s exec.Spent) float64 {
	return float64(s.Ticks)*r.tick + float64(s.Readings)*r.cost
}

// weigh adds the memory that a run really took. One like the run before allocated its results, and
// nothing else is new.
func (r *Recorder) weigh(t *exec.Trace) {
	f := r.fn
	if f.Real == nil {
		f.Real = new(RealMemory)
	}
	m := f.Real
	m.Held, m.Results, m.Workspace = t.Held, t.Results, t.Workspace
	if t.Peak > m.Peak {
		m.Peak, m.PeakNode = t.Peak, t.PeakNode
	}
	for _, a := range t.Allocs {
		r.new[a.Node] += a.Bytes * max(t.Weight, 1)
	}
	if f.Runs == 0 || r.grown {
		r.grown = false
		for i, bytes := range t.Scratch {
			f.Nodes[i].Workspace = bytes
		}
	}
}

// places finds for every variable a node that reads or makes it: one that always runs, or the one
// that makes it, if there is one.
func places(f *Function, p *exec.Program) []value {
	var values []value
	for i, n := range f.Nodes {
		for k, v := range slices.Concat(n.In, n.Out) {
			if v == len(values) { // describe numbers them as it meets them
				values = append(values, value{node: i, operand: k})
			} else if at := &values[v]; p.Nodes[at.node].Lazy() && !p.Nodes[i].Lazy() {
				// An ifelse that always runs has no operand of the branch that is not taken; what
				// makes it has.
				if _, chooses := p.Nodes[i].Apply.Op.(graph.Chooser); !chooses || k == 0 {
					at.node, at.operand = i, k
				}
			}
		}
	}
	return values
}

// calls is how often node i ran in the runs so far.
func (r *Recorder) calls(i int) int64 {
	if r.lazy == nil {
		return r.fn.Runs
	}
	return r.fn.Runs - r.lazy[i].skipped
}

// see keeps what is new of the values of a run. A variable has one value in a run, whichever nodes
// use it, so one comparison serves them all. Most often nothing is new, and what the program keeps
// from run to run cannot be unless it says so.
func (r *Recorder) see(t *exec.Trace) {
	all := r.fn.Runs == 0 || r.unseen // the nodes know nothing yet, or nothing any more
	r.unseen = false
	news, reshaped := all, all
	look := func(v *value) {
		a := t.Arrays[v.node][v.operand]
		if a == nil { // of a branch that was not taken
			return
		}
		if all || !v.is(a) {
			reshaped = v.set(a) && v.given || reshaped
			news = true
		}
	}
	if all || t.Shapes != r.shapes {
		r.shapes = t.Shapes
		for i := range r.values {
			look(&r.values[i])
		}
	} else {
		for _, i := range r.loose {
			look(&r.values[i])
		}
	}
	was := r.group
	if reshaped {
		r.choose()
	}
	if !news && r.lazy == nil {
		return
	}
	for i, n := range r.fn.Nodes {
		fresh := func(v int) bool { return r.values[v].changed }
		isNew := slices.ContainsFunc(n.In, fresh) || slices.ContainsFunc(n.Out, fresh)
		if r.lazy != nil {
			l := &r.lazy[i]
			isNew = isNew || l.stale
			if l.stale = isNew && t.Skipped[i]; l.stale {
				continue
			}
		}
		if isNew {
			n.Inputs, n.Outputs = r.operands(n.In), r.operands(n.Out) // new lists: the old may have been given to a Clone
			n.count(r.work[i], r.calls(i)-r.work[i].from)
			r.work[i] = countWork(n, r.ops[i], n.Inputs, n.Outputs)
			r.work[i].from = r.calls(i)
		}
		if isNew || r.group != was {
			r.group.spans[i].include(r.work[i])
		}
	}
	for i := range r.values {
		r.values[i].changed = false
	}
}

// is reports whether v describes a.
func (v *value) is(a *tensor.Dense) bool {
	return v.dtype == a.DType() && v.last.Offset == a.Offset() &&
		slices.Equal(v.last.Shape, a.Shape()) && slices.Equal(v.last.Strides, a.Strides())
}

// set makes v describe a, and reports whether its shape is another one.
func (v *value) set(a *tensor.Dense) (reshaped bool) {
	reshaped = !slices.Equal(v.last.Shape, a.Shape())
	v.dtype, v.changed = a.DType(), true
	v.last = Operand{DType: v.dtype.String(), ItemSize: v.dtype.Size(), Offset: a.Offset(),
		// Without axes: nil, as JSON gives it back.
		Shape: append([]int(nil), a.Shape()...), Strides: append([]int(nil), a.Strides()...)}
	return reshaped
}

func (r *Recorder) operands(variables []int) []Operand {
	var list []Operand
	for _, v := range variables {
		list = append(list, r.values[v].last)
	}
	return list
}

// Call adds a call of the function that took that many ticks of the clock of Stats, all included.
// If it failed, it is counted apart.
func (r *Recorder) Call(ticks int64, err error) {
	if r == nil {
		return
	}
	r.stats.mu.Lock()
	defer r.stats.mu.Unlock()
	t := max(float64(ticks)*r.tick-float64(r.readings+1)*r.cost-r.spent, r.run, MinNodeTime)
	r.stats.called(ticks * (1 + r.passed.Load()))
	if err == nil {
		r.timing.Traced(int64(t), int64(2*r.cost)+timingNS)
		r.stand(t)
	}
	r.addCall(t, err)
}

// addCall adds a call that took so many nanoseconds.
func (r *Recorder) addCall(t float64, err error) {
	s, f := r.stats, r.fn
	outside, skipped, tracing := max(t-r.run, MinNodeTime), r.skipped, r.tracing
	r.readings, r.spent, r.run, r.skipped, r.tracing = 0, 0, 0, false, 0
	if err != nil {
		f.Failed++
		f.FailedTime += t
		return
	}
	if f.FirstCall == 0 {
		f.FirstCall = t
	}
	if f.Ignored < int64(s.Warmup) {
		failed, time := f.Failed, f.FailedTime
		f.reset()
		f.Failed, f.FailedTime = failed, time
		f.Ignored++
		return
	}
	if f.Calls == 0 || t < f.CallMin {
		f.CallMin = t
	}
	f.CallMax = max(f.CallMax, t)
	f.CallHist = f.CallHist.with(t, 1)
	f.Calls++
	r.group.calls++
	f.CallTime += t
	switch {
	case skipped:
		r.untraced(t)
	case tracing > 0:
		follow(&r.sampled.outside, outside)
		r.share()
		r.sample.Traced(int64(t), int64(tracing))
		fallthrough
	default:
		r.group.outside.add(outside, 1)
	}
}

// Reset forgets the calls of r's function; what is known of its compiling stays.
func (r *Recorder) Reset() {
	if r == nil {
		return
	}
	r.stats.mu.Lock()
	defer r.stats.mu.Unlock()
	r.fn.reset()
}

// Function is a snapshot of the profile of r's function, nil if there is no recorder.
func (r *Recorder) Function() *Function {
	if r == nil {
		return nil
	}
	r.stats.mu.Lock()
	defer r.stats.mu.Unlock()
	return r.fn.clone()
}
