package profiler

import (
	"slices"

	"github.com/arignote/arignote/kernels"
	"github.com/arignote/arignote/runtime/exec"
	"github.com/arignote/arignote/runtime/graph"
	"github.com/arignote/arignote/runtime/tensor"
)

// MinNodeTime is the least time, in nanoseconds, that a run of a node counts: after subtracting the clock's cost a
// very short node could show 0 or less, as if it had not run.
const MinNodeTime = 0.1

// A Recorder adds the calls of one function to a Stats. It is an exec.Tracer for one run at a time; Call and Reset may be
// called from any goroutine. All methods of a nil *Recorder but Now, Node and Run do nothing.
//
// The times of a run wait in the Recorder until the run has ended well: a run that fails leaves no trace in the nodes. So
// Node takes no lock. A call that fails after its run has ended well counts as failed, but its nodes did run and keep their
// times.
type Recorder struct {
	stats *Stats
	fn    *Function
	clock *Clock
	cost  float64

	ns       []int64 // by node, of the current run
	ran      []bool
	memory   bool
	operands [][]operand // by node, inputs and then outputs, of the current run
	ops      []graph.Op
	work     []work // by node: of a call with the operands it had last

	// Since the last Call:
	readings int64   // of the clock
	run      float64 // in runs that ended well
}

var _ exec.Tracer = (*Recorder)(nil)

// operand refers to the description of an array, which never changes, and not to the array.
type operand struct {
	dtype          kernels.DType
	shape, strides []int
	offset         int
}

// Add adds a function to s and returns the recorder of its calls. If s is nil, so is the recorder.
func (s *Stats) Add(info FunctionInfo) *Recorder {
	if s == nil {
		return nil
	}
	f := describe(info)
	n := len(f.Nodes)
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.clock == nil { // it was read from JSON
		s.clock = &processClock
		s.ClockCost = s.clock.Cost()
	}
	r := &Recorder{stats: s, fn: f, clock: s.clock, cost: s.ClockCost,
		ns: make([]int64, n), ran: make([]bool, n), memory: s.Memory, work: make([]work, n), ops: make([]graph.Op, n)}
	if s.Memory {
		r.operands = make([][]operand, n)
	}
	for i, node := range f.Nodes {
		apply := info.Program.Nodes[i].Apply
		r.ops[i] = apply.Op
		if s.Memory {
			r.operands[i] = make([]operand, len(apply.Inputs)+len(apply.Outputs))
		} else {
			r.work[i] = staticWork(node, apply)
		}
	}
	s.Functions = append(s.Functions, f)
	return r
}

// Tracer is what exec.Program.Run takes: r, or nil if nodes are not to be measured.
func (r *Recorder) Tracer() exec.Tracer {
	if r == nil || r.stats.NoNodes {
		return nil
	}
	return r
}

// Stats is what r adds to.
func (r *Recorder) Stats() *Stats {
	if r == nil {
		return nil
	}
	return r.stats
}

// Now reads the clock.
func (r *Recorder) Now() int64 { return r.clock.Now() }

// Node notes that node i ran for ns nanoseconds. A node that runs twice in a run, as a lazy one may, counts as one call.
func (r *Recorder) Node(i int, ns int64, in, out []*tensor.Dense) {
	r.ns[i] += ns
	r.ran[i] = true
	if !r.memory {
		return
	}
	ops := r.operands[i]
	for k, a := range in {
		ops[k].set(a)
	}
	ops = ops[len(in):]
	for k, a := range out {
		ops[k].set(a)
	}
}

func (o *operand) set(a *tensor.Dense) {
	if a == nil {
		*o = operand{}
		return
	}
	*o = operand{dtype: a.DType(), shape: a.Shape(), strides: a.Strides(), offset: a.Offset()}
}

// Run adds the nodes of a run that ended well.
func (r *Recorder) Run(ns int64, err error) {
	s, f := r.stats, r.fn
	s.mu.Lock()
	defer s.mu.Unlock()
	var thunks float64
	readings := int64(1)
	for i, n := range f.Nodes {
		if !r.ran[i] {
			continue
		}
		t := max(float64(r.ns[i])-r.cost, MinNodeTime)
		thunks += t
		readings += 2
		if err == nil {
			n.add(t)
			if r.memory {
				r.see(i, n)
			}
			n.count(r.work[i])
		}
		r.ns[i], r.ran[i] = 0, false
	}
	r.readings += readings + 1 // the loop's first reading is outside of ns
	if err == nil {
		t := max(float64(ns)-float64(readings)*r.cost, thunks)
		f.Runs++
		f.RunTime += t
		r.run += t
	}
}

func (n *Node) add(t float64) {
	if n.Calls == 0 || t < n.Min {
		n.Min = t
	}
	n.Max = max(n.Max, t)
	n.Calls++
	n.Time += t
	n.Hist.add(t)
}

// see keeps what is new of the operands of node i.
func (r *Recorder) see(i int, n *Node) {
	ops, k := r.operands[i], len(n.In)
	inputs, fresh1 := refresh(n.Inputs, ops[:k])
	outputs, fresh2 := refresh(n.Outputs, ops[k:])
	n.Inputs, n.Outputs = inputs, outputs
	if fresh1 || fresh2 {
		r.work[i] = workOf(n, r.ops[i])
	}
}

// refresh returns old if it describes ops, and otherwise a new description: old may have been given to a Clone.
func refresh(old []Operand, ops []operand) (now []Operand, fresh bool) {
	same := len(old) == len(ops)
	for i := 0; same && i < len(ops); i++ {
		same = old[i].DType == ops[i].dtype.String() && old[i].Offset == ops[i].offset &&
			slices.Equal(old[i].Shape, ops[i].shape) && slices.Equal(old[i].Strides, ops[i].strides)
	}
	if same {
		return old, false
	}
	for _, o := range ops {
		// Without axes: nil, as JSON gives it back.
		now = append(now,
			Operand{DType: o.dtype.String(), ItemSize: o.dtype.Size(), Shape: append([]int(nil), o.shape...),
				Strides: append([]int(nil), o.strides...), Offset: o.offset})
	}
	return now, true
}

// Call adds a call of the function that took ns nanoseconds of the clock of Stats, all included. If it failed, it is counted apart.
func (r *Recorder) Call(ns int64, err error) {
	if r == nil {
		return
	}
	s, f := r.stats, r.fn
	s.mu.Lock()
	defer s.mu.Unlock()
	t := max(float64(ns)-float64(r.readings+1)*r.cost, r.run, MinNodeTime)
	r.readings, r.run = 0, 0
	if err != nil {
		f.Failed++
		f.FailedTime += t
		return
	}
	if s.IgnoreFirstCall && f.Ignored == 0 {
		failed, time := f.Failed, f.FailedTime
		f.reset()
		f.Failed, f.FailedTime, f.Ignored = failed, time, 1
		return
	}
	if f.Calls == 0 || t < f.CallMin {
		f.CallMin = t
	}
	f.CallMax = max(f.CallMax, t)
	f.Calls++
	f.CallTime += t
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
