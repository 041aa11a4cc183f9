package op

import (
	"errors"
	"fmt"
	"slices"

	"github.com/arignote/arignote/kernels"
	"github.com/arignote/arignote/runtime/graph"
	"github.com/arignote/arignote/runtime/tensor"
)

// LinkGraph makes a thunk of a whole graph without shared variables. The room that runs graphs, runtime/exec, sets it when the program starts: it stands
// above this one, and an operation that runs a graph needs it.
var LinkGraph func(fg *graph.FunctionGraph, sets kernels.Sets) (Thunk, error)

func (s Scan) Link(node *graph.Apply, sets kernels.Sets) (Thunk, string, error) {
	step, err := LinkGraph(s.Body, sets)
	if err != nil {
		return nil, "", err
	}
	r := &scanRun{Scan: s, node: node, sets: sets, step: step}
	r.in, r.out = make([]*tensor.Dense, len(s.Body.Inputs)), make([]*tensor.Dense, len(s.Body.Outputs))
	r.results = make([]scanRows, len(s.Body.Outputs))
	r.call.Alloc = r.alloc
	return r.run, goImpl, nil
}

// scanRun is a thunk of a Scan.
type scanRun struct {
	Scan
	node    *graph.Apply
	sets    kernels.Sets
	step    Thunk
	in, out []*tensor.Dense // of a step
	results []scanRows      // of each output of the body
	call    Call            // of a step
	outer   *Call
	steps   int // that there are at most
	at      int // the current one
}

// scanRows are where the results of steps go.
type scanRows struct {
	all   *tensor.Dense    // kept: a row each, behind the first ones
	first int              // of all, the row of step 0
	pair  [2]*tensor.Dense // not kept: where steps write in turn, the last one into the first
	next  *tensor.Dense    // where the current step writes
}

func (r *scanRun) run(c *Call, in, out []*tensor.Dense) (err error) {
	if r.steps = int(in[0].Ints()[0]); r.steps < 0 {
		return fmt.Errorf("n_steps: got %d, want 0 or more", r.steps)
	}
	r.outer = c
	r.call.Scratch, r.call.Print, r.call.Stop = c.Scratch, c.Print, c.Stop
	defer r.clear()
	sequences, begin := in[1:][:r.Sequences], in[1+r.Sequences:][:len(r.States)]
	copy(r.in[r.Sequences+r.taps():], in[1+r.Sequences+len(r.States):])
	for i, a := range sequences {
		if a.Dim(0) != r.steps {
			return fmt.Errorf("sequence %d has %d rows, want one for each of %d steps", i+1, a.Dim(0), r.steps)
		}
	}
	for i, st := range r.States {
		if err := r.begin(i, st, begin[i]); err != nil {
			return err
		}
	}
	done := 0
	for r.at = 0; r.at < r.steps; r.at++ {
		done++
		stop, err := r.do(sequences, begin)
		if err != nil {
			return r.located(err)
		}
		if stop {
			break
		}
	}
	return r.finish(out, in, done)
}

// begin makes room for a state.
func (r *scanRun) begin(i int, st State, a *tensor.Dense) error {
	to := &r.results[i]
	if !st.Kept {
		to.pair[0] = r.outer.Alloc(i, a.DType(), a.Shape())
		if r.steps > 1 {
			to.pair[1] = r.outer.temporary(tensor.Empty(a.DType(), a.Shape()...))
		}
		return nil
	}
	depth := st.Depth()
	if a.Dim(0) != depth {
		return fmt.Errorf("state %d: got %d rows to begin with, want %d, as its earliest tap says", i+1, a.Dim(0), depth)
	}
	shape := slices.Clone(a.Shape())
	shape[0] += r.steps
	to.all, to.first = r.outer.Alloc(i, a.DType(), shape), depth
	tensor.CopyTo(to.all.Rows(0, depth), a)
	return nil
}

// do computes a step, and reports whether it is the last because of its condition.
func (r *scanRun) do(sequences, begin []*tensor.Dense) (stop bool, err error) {
	for i, a := range sequences {
		r.in[i] = a.Row(r.at)
	}
	k := r.Sequences
	for i, st := range r.States {
		to := &r.results[i]
		for _, tap := range st.Taps {
			switch {
			case st.Kept:
				r.in[k] = to.all.Row(to.first + r.at + tap)
			case r.at == 0:
				r.in[k] = begin[i]
			default:
				r.in[k] = to.pair[(r.steps-r.at)%2]
			}
			k++
		}
	}
	for i := range r.results {
		switch to := &r.results[i]; {
		case to.all != nil:
			to.next = to.all.Row(to.first + r.at)
		case to.pair[0] != nil:
			to.next = to.pair[(r.steps-1-r.at)%2]
		}
		r.out[i] = nil
	}
	if err := r.step(&r.call, r.in, r.out); err != nil {
		return false, err
	}
	if r.call.Temporary != 0 {
		r.outer.Temporary += r.call.Temporary
		r.call.Temporary = 0
	}
	last := len(r.out)
	if r.Until {
		last--
	}
	for i, a := range r.out[:last] {
		to := &r.results[i]
		if a == to.next {
			continue
		}
		if to.next == nil && to.all == nil {
			r.open(i, a.DType(), a.Shape())
		}
		if !slices.Equal(a.Shape(), to.next.Shape()) {
			return false, fmt.Errorf("%s has shape %s, and had %s before: a step must not change lengths", r.what(i), tensor.ShapeString(a.Shape()), tensor.ShapeString(to.next.Shape()))
		}
		tensor.CopyTo(to.next, a)
	}
	return r.Until && r.out[last].Item().(bool), nil
}

// what names an output of the body.
func (r *scanRun) what(i int) string {
	if i < len(r.States) {
		return fmt.Sprintf("the value of state %d", i+1)
	}
	return fmt.Sprintf("result %d", i-len(r.States)+1)
}

// open makes room for all rows of a result that is no state, of which the first tells the shape.
func (r *scanRun) open(i int, d kernels.DType, shape []int) {
	to := &r.results[i]
	to.all = r.outer.Alloc(i, d, append([]int{r.steps}, shape...))
	to.next = to.all.Row(r.at)
}

// alloc is Call.Alloc of a step, for the outputs of the body: they are made where they are to stay. What is allocated may be more than the output, which is a
// view of it; then, and in a first step that has yet to tell the shape, do copies.
func (r *scanRun) alloc(i int, d kernels.DType, shape []int) *tensor.Dense {
	if to := r.results[i].next; to != nil && to.DType() == d && slices.Equal(to.Shape(), shape) {
		return to
	}
	if err := tensor.CheckSize(d.Size(), shape); err != nil {
		panic(err)
	}
	return tensor.Empty(d, shape...)
}

// finish hands the results on.
func (r *scanRun) finish(out, in []*tensor.Dense, done int) error {
	begin := in[1+r.Sequences:]
	for i := range out {
		to := &r.results[i]
		switch {
		case to.all != nil:
			out[i] = to.all.Rows(to.first, to.first+done)
		case i < len(r.States): // not kept
			if out[i] = to.pair[0]; done == 0 {
				tensor.CopyTo(out[i], begin[i])
			} else if last := to.pair[(r.steps-done)%2]; last != out[i] {
				tensor.CopyTo(out[i], last)
			}
		default: // there was no step to tell the shape
			out[i] = r.outer.Alloc(i, r.Body.Outputs[i].Type.DType, r.emptyShape(in, r.sets, i))
		}
	}
	return nil
}

// located says in which step an error was.
func (r *scanRun) located(err error) error {
	if errors.Is(err, ErrStopped) {
		return err
	}
	note := fmt.Sprintf("step %d of %d of this loop", r.at+1, r.steps)
	var e *graph.Error
	if !errors.As(err, &e) {
		return fmt.Errorf("in %s: %w", note, err)
	}
	named := *e
	named.Notes = append(slices.Clone(e.Notes), graph.Note{Pos: r.node.Origin().Pos(), Msg: note})
	return &named
}

// clear forgets the arrays of a run.
func (r *scanRun) clear() {
	clear(r.in)
	clear(r.out)
	clear(r.results)
	r.outer, r.call.Scratch, r.call.Print, r.call.Stop = nil, nil, nil, nil
}
