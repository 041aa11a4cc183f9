package op

import (
	"errors"
	"fmt"
	"slices"

	"github.com/arignote/arignote/kernels"
	"github.com/arignote/arignote/runtime/graph"
	"github.com/arignote/arignote/runtime/tensor"
)

var _ InnerLinker = Scan{}

func (s Scan) Inner() []graph.InnerGraph {
	if s.Loop == nil { // the operation without its parameters
		return nil
	}
	var operands []int
	next := 1 // behind the number of steps
	for range s.Sequences {
		operands, next = append(operands, next), next+1
	}
	for _, st := range s.States {
		for range st.Taps {
			operands = append(operands, next)
		}
		next++
	}
	for range s.FixedInputs() {
		operands, next = append(operands, next), next+1
	}
	return []graph.InnerGraph{{Name: s.name(), Graph: s.Body, Operands: operands}}
}

func (s Scan) Link(node *graph.Apply, sets kernels.Sets) (Thunk, string, error) {
	return s.LinkInner(node, sets, LinkGraph)
}

func (s Scan) LinkInner(node *graph.Apply, sets kernels.Sets, link GraphLinker) (Thunk, string, error) {
	step, err := link(s.Body, sets)
	if err != nil {
		return nil, "", err
	}
	r := &scanRun{Scan: s, node: node, sets: sets, step: step}
	r.in, r.out = make([]*tensor.Dense, len(s.Body.Inputs)), make([]*tensor.Dense, len(s.Body.Outputs))
	r.rows, r.starts = make([]tensor.Cursor, s.Sequences+s.taps()), make([]tensor.Cursor, s.taps())
	for i, st := range s.States {
		for range st.Taps {
			r.tapped = append(r.tapped, i)
		}
	}
	r.results = make([]scanRows, len(s.Body.Outputs))
	r.call.Alloc, r.call.Passing = r.alloc, true
	impl := goImpl
	if r.whole, impl, err = linkScanProgram(s, sets); err != nil {
		return nil, "", err
	}
	return r.run, impl, nil
}

// scanRun is a thunk of a Scan. What it needs for a step it makes once: steps allocate nothing, and
// what it keeps stays for the next run.
type scanRun struct {
	Scan
	node    *graph.Apply
	sets    kernels.Sets
	step    Thunk
	whole   *scanProgram    // does all steps at once; nil if the body is no elementwise program
	in, out []*tensor.Dense // of a step
	rows    []tensor.Cursor // of each input of the body that is a row or a tap
	starts  []tensor.Cursor // of each that is a tap, the values before the first step
	tapped  []int           // of each input of the body that is a tap, its state
	results []scanRows      // of each output of the body
	call    Call            // of a step
	outer   *Call
	steps   int // that there are at most
	at      int // the current one
}

// scanRows are where the results of steps go.
type scanRows struct {
	all  *tensor.Dense    // kept: a row each
	row  tensor.Cursor    // of all
	pair [2]*tensor.Dense // not kept: where steps write in turn, the last one into the first
	next *tensor.Dense    // where the current step writes

	// Memory that stays from run to run.
	other *tensor.Dense // the second of pair
	made  *tensor.Dense // of an output that cannot be made where it is to stay
}

func (r *scanRun) run(c *Call, in, out []*tensor.Dense) (err error) {
	if r.steps = int(in[0].Ints()[0]); r.steps < 0 {
		return fmt.Errorf("n_steps: got %d, want 0 or more", r.steps)
	}
	r.outer = c
	r.call.Scratch, r.call.Print, r.call.Stop, r.call.Stepwise = c.Scratch, c.Print, c.Stop, c.Stepwise
	defer r.clear()
	sequences, begin := in[1:][:r.Sequences], in[1+r.Sequences:][:len(r.States)]
	copy(r.in[r.Sequences+r.taps():], in[1+r.Sequences+len(r.States):])
	for i, a := range sequences {
		if a.Dim(0) != r.steps {
			return fmt.Errorf("sequence %d has %d rows, want one for each of %d steps", i+1, a.Dim(0), r.steps)
		}
		r.rows[i].Over(a)
	}
	k := r.Sequences
	for i, st := range r.States {
		if err := r.begin(i, st, begin[i]); err != nil {
			return err
		}
		for range st.Taps {
			if st.Kept {
				r.rows[k].Over(r.results[i].all)
				r.starts[k-r.Sequences].Over(begin[i])
			}
			k++
		}
	}
	done, err := r.all(begin)
	if err != nil {
		return r.located(err)
	}
	return r.finish(out, in, done)
}

// all computes the steps, and returns how many there were.
func (r *scanRun) all(begin []*tensor.Dense) (done int, err error) {
	if r.at = 0; r.steps == 0 {
		return 0, nil
	}
	r.place(begin)
	if r.whole != nil && !r.call.Stepwise && r.whole.fits(r) {
		if done, err = r.whole.run(r, begin); err == nil && r.outer.Ran != nil {
			r.told(done)
		}
		return done, err
	}
	for {
		stop, err := r.do()
		r.at++
		if err != nil || stop || r.at == r.steps {
			return r.at, err
		}
		r.place(begin)
	}
}

// told tells of steps that were made as one. Whoever is told may look at the operands when the run
// is over, and its rows are gone.
func (r *scanRun) told(done int) {
	alias := func(list []*tensor.Dense) []*tensor.Dense {
		own := make([]*tensor.Dense, len(list))
		for i, a := range list {
			own[i] = a.Alias()
		}
		return own
	}
	for i := range r.out {
		if r.out[i] = r.results[i].next; r.out[i] == nil { // the condition to stop
			r.out[i] = tensor.New(kernels.Bool)
		}
	}
	made := make(map[*graph.Variable]*tensor.Dense)
	for _, p := range r.whole.products {
		made[p.node.Outputs[0]] = p.z.Alias()
	}
	r.outer.Ran(0, int64(done), alias(r.in), alias(r.out), made)
}

// begin makes room for a state.
func (r *scanRun) begin(i int, st State, a *tensor.Dense) error {
	to := &r.results[i]
	if !st.Kept {
		to.pair[0] = r.outer.Alloc(i, a.DType(), a.Shape())
		if r.steps > 1 {
			to.pair[1] = r.keep(&to.other, a.DType(), a.Shape())
		}
		return nil
	}
	depth := st.Depth()
	if a.Dim(0) != depth {
		return fmt.Errorf("state %d: got %d rows to begin with, want %d, as its earliest tap says", i+1, a.Dim(0), depth)
	}
	shape := slices.Clone(a.Shape())
	shape[0] = r.steps
	to.all = r.outer.Alloc(i, a.DType(), shape)
	to.row.Over(to.all)
	return nil
}

// keep returns an array of the thunk's own, which is old if it is of that type and shape.
func (r *scanRun) keep(old **tensor.Dense, d kernels.DType, shape []int) *tensor.Dense {
	if a := *old; a != nil {
		if a.DType() == d && slices.Equal(a.Shape(), shape) {
			return a
		}
		r.outer.Scratch.Add(-a.Buffer().Footprint())
		*old = nil
	}
	if err := tensor.CheckSize(d.Size(), shape); err != nil {
		panic(err)
	}
	*old = tensor.Empty(d, shape...)
	r.outer.Scratch.Add((*old).Buffer().Footprint())
	return *old
}

// place finds what the current step reads and where it writes.
func (r *scanRun) place(begin []*tensor.Dense) {
	for i := range r.Sequences {
		r.in[i] = r.rows[i].At(r.at)
	}
	k := r.Sequences
	for i, st := range r.States {
		to := &r.results[i]
		for _, tap := range st.Taps {
			switch {
			case st.Kept && r.at+tap < 0:
				r.in[k] = r.starts[k-r.Sequences].At(st.Depth() + r.at + tap)
			case st.Kept:
				r.in[k] = r.rows[k].At(r.at + tap)
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
			to.next = to.row.At(r.at)
		case to.pair[0] != nil:
			to.next = to.pair[(r.steps-1-r.at)%2]
		}
		r.out[i] = nil
	}
}

// do computes a step, and reports whether it is the last because of its condition.
func (r *scanRun) do() (stop bool, err error) {
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
			return false, r.resized(i, a, to.next)
		}
		tensor.CopyTo(to.next, a)
	}
	return r.Until && *(*uint8)(r.out[last].Pointer()) != 0, nil
}

// resized is the error of a step that gives output i of the body other lengths than it had, at the
// line that does.
func (r *scanRun) resized(i int, a, before *tensor.Dense) error {
	msg := fmt.Sprintf("%s has shape %s, and had %s before: a step must not change lengths", r.what(i), tensor.ShapeString(a.Shape()), tensor.ShapeString(before.Shape()))
	pos := r.Body.Outputs[i].Origin.Pos()
	if !pos.IsValid() {
		return errors.New(msg)
	}
	return &graph.Error{Pos: pos, Op: "scan", Msg: msg}
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
	to.row.Over(to.all)
	to.next = to.row.At(r.at)
}

// alloc is Call.Alloc of a step, for the outputs of the body: they are made where they are to stay.
// What is allocated may be more than the output, which is a view of it; then, and in a first step
// that has yet to tell the shape, do copies.
func (r *scanRun) alloc(i int, d kernels.DType, shape []int) *tensor.Dense {
	if to := r.results[i].next; to != nil && to.DType() == d && slices.Equal(to.Shape(), shape) {
		return to
	}
	return r.keep(&r.results[i].made, d, shape)
}

// finish hands the results on.
func (r *scanRun) finish(out, in []*tensor.Dense, done int) error {
	begin := in[1+r.Sequences:]
	for i := range out {
		to := &r.results[i]
		switch {
		case to.all != nil:
			if out[i] = to.all; done < r.steps {
				out[i] = to.all.Rows(0, done)
			}
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
	note := fmt.Sprintf("step %d of %d of this loop", min(r.at, r.steps), r.steps)
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
	for i := range r.rows {
		r.rows[i].Over(nil)
	}
	for i := range r.starts {
		r.starts[i].Over(nil)
	}
	for i := range r.results {
		r.results[i] = scanRows{other: r.results[i].other, made: r.results[i].made}
	}
	r.outer, r.call.Scratch, r.call.Print, r.call.Stop = nil, nil, nil, nil
}
