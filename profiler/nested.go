package profiler

import (
	"math"
	"slices"

	"github.com/arignote/arignote/runtime/exec"
)

// nested is what the Recorder has of a function that a node of another runs: a loop's step. Of its
// runs some are traced (see exec.Trace), and all are counted by its program. What the traced ones
// took stands for all of them. It is the recorder of the outermost function that begins and ends a
// run, and a run of that which fails leaves nothing here either.
type nested struct {
	program *exec.Program
	tracer  *innerTracer // another one after each reset, so that the program's sample begins anew
	base    int64        // runs of the program when the outermost run began
	runs    int64        // in outermost runs that ended well
	saved   *kept        // what there was before the first trace of the outermost run that goes on; nil before that
	unseen  bool         // no value is known
}

// kept is what a failed run is undone with.
type kept struct {
	fn     Function
	nodes  []Node
	groups []keptGroup // those that the run may have changed
	group  *group
	count  int // of all groups
	work   []work
	new    []int64
	lazy   []laziness
}

type keptGroup struct {
	of  *group
	was group
}

// keep copies a group before the run changes it.
func (k *kept) keep(g *group) {
	if !slices.ContainsFunc(k.groups, func(kg keptGroup) bool { return kg.of == g }) {
		k.groups = append(k.groups, keptGroup{g, g.clone()})
	}
}

// innerTracer is the exec.Tracer of a nested Recorder.
type innerTracer struct{ *Recorder }

var _ exec.Tracer = (*innerTracer)(nil)

// Inner returns the tracer of graph k that node i runs.
func (r *Recorder) Inner(i, k int) exec.Tracer {
	if r.inner == nil || k >= len(r.inner[i]) {
		return nil
	}
	q := r.inner[i][k]
	if r.program == nil {
		q.begin()
	}
	return q.tracer
}

// begin is called when a run of the outermost function begins.
func (r *Recorder) begin() {
	r.base = r.program.Runs()
	for _, list := range r.inner {
		for _, q := range list {
			q.begin()
		}
	}
}

// Run adds a traced run.
func (t *innerTracer) Run(trace *exec.Trace, err error) {
	r := t.Recorder
	r.stats.mu.Lock()
	defer r.stats.mu.Unlock()
	r.grown = r.grown || trace.NewScratch
	if err != nil { // so will the outermost run
		return
	}
	if r.saved == nil {
		r.save()
	}
	weight := float64(max(trace.Weight, 1))
	call := float64(trace.Call) * r.tick
	if trace.Whole {
		call /= weight
	} else {
		call -= float64(len(trace.Ends)+2) * r.cost
	}
	for _, sp := range trace.Spent {
		call -= r.spentTime(sp)
	}
	f := r.fn
	r.run = 0
	r.add(trace)
	call = max(call, r.run)
	if f.Calls == 0 || call < f.CallMin {
		f.CallMin = call
	}
	f.CallMax = max(f.CallMax, call)
	f.RunTime += r.group.between.addSample(call-r.run, int64(weight), r.group.runs-int64(weight))
	f.CallTime = f.RunTime // what lies between and around nodes is no time of the node's that runs the function
	f.Calls, r.group.calls = f.Runs, r.group.runs
}

// whole shares the time of runs that were made as one among the nodes, by what they do, as that of
// a fused node is. It returns the time of one run.
func (r *Recorder) whole(t *exec.Trace) float64 {
	run := max(float64(t.Ends[0]-t.Start)*r.tick-r.cost, MinNodeTime) / float64(t.Weight)
	var all float64
	for _, w := range r.work {
		all += w.amount()
	}
	for i := range r.group.tallies {
		share := 1 / float64(len(r.group.tallies))
		if all > 0 {
			share = r.work[i].amount() / all
		}
		r.group.tallies[i].add(run*share, t.Weight)
	}
	return run
}

// endInner ends the outermost run.
func (r *Recorder) endInner(well bool) {
	for _, list := range r.inner {
		for _, q := range list {
			if well {
				q.runs += q.program.Runs() - q.base
			} else if q.saved != nil {
				q.restore()
			}
			q.saved = nil
			q.endInner(well)
		}
	}
}

func (r *Recorder) save() {
	k := &kept{fn: *r.fn, group: r.group, count: len(r.groups), work: slices.Clone(r.work), new: slices.Clone(r.new), lazy: slices.Clone(r.lazy)}
	k.keep(r.group)
	for _, n := range r.fn.Nodes {
		k.nodes = append(k.nodes, *n)
	}
	if m := r.fn.Real; m != nil {
		real := *m
		k.fn.Real = &real
	}
	r.saved = k
}

func (r *Recorder) restore() {
	k := r.saved
	*r.fn = k.fn
	for i, n := range r.fn.Nodes {
		*n = k.nodes[i]
	}
	for _, g := range k.groups {
		*g.of = g.was
	}
	r.groups, r.group = r.groups[:k.count], k.group
	r.work, r.new, r.lazy, r.unseen = k.work, k.new, k.lazy, true
}

// forget is what a reset does to a nested Recorder.
func (r *Recorder) forget() {
	r.runs, r.saved = 0, nil
	r.tracer = &innerTracer{r}
}

// settle makes f, a copy of r's function, say what all its runs took, of which those that were
// traced are a sample.
func (r *Recorder) settle(f *Function) {
	traced := f.Runs
	f.Runs, f.Calls = r.runs, r.runs
	if traced == 0 || r.runs == 0 {
		return
	}
	scale := float64(r.runs) / float64(traced)
	f.CallTime *= scale
	f.RunTime *= scale
	scaleShapes(f.Shapes, scale)
	for _, n := range f.Nodes {
		calls := n.Calls
		if n.Calls = r.runs; calls < traced { // of a branch that was not always taken
			n.Calls = int64(math.Round(float64(calls) * scale))
		}
		if n.Counted == calls {
			n.Counted = n.Calls
		} else {
			n.Counted = min(int64(math.Round(float64(n.Counted)*scale)), n.Calls)
		}
		n.Slow = min(int64(math.Round(float64(n.Slow)*scale)), n.Calls)
		for _, amount := range []*float64{&n.Time, &n.SlowTime, &n.Flops, &n.BytesRead, &n.BytesWritten, &n.Allocated} {
			*amount *= scale
		}
	}
}
