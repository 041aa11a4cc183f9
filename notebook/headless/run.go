package headless

import (
	"context"
	"encoding/json"
	"fmt"
	"strconv"
	"sync"
	"time"

	"github.com/arignote/arignote/kernel"
	"github.com/arignote/arignote/notebook"
)

// An Interpreter runs cells: see kernel.Interpreter.
type Interpreter interface {
	Execute(ctx context.Context, count int, code string, out kernel.Output) (data, metadata map[string]any, err error)
}

// The tags that say how a cell runs.
const (
	TagRaises = "raises-exception" // its error does not end the run
	TagSkip   = "skip-execution"   // it does not run, and keeps its outputs
)

// Options say how a notebook runs.
type Options struct {
	Timeout     time.Duration // of a cell; 0: none
	AllowErrors bool          // errors do not end the run
	// Began and Ended are called around each cell that runs. No cell writes meanwhile, so that the
	// notebook may be saved.
	Began func(Step)
	Ended func(s Step, took time.Duration, err error)
}

// A Step is a cell that runs.
type Step struct {
	Cell  *notebook.Cell
	Place int // in the notebook, from 1
	Count int // n of In[n]
	Of    int // how many cells will run
}

// A Failure is the error of the cell that ended a run.
type Failure struct {
	Step
	Err error
}

func (f *Failure) Error() string { return fmt.Sprintf("In[%d]: %v", f.Count, f.Err) }
func (f *Failure) Unwrap() error { return f.Err }

// Run runs the cells of a notebook in order, and puts into them what they show. Outputs that were
// there before are gone, also of cells that the run does not come to. It ends at the first error
// that no option or tag allows, a *Failure, whose cell shows it; and when ctx ends.
func Run(ctx context.Context, nb *notebook.Notebook, in Interpreter, o Options) error {
	r := &run{in: in, displays: map[string][]shown{}}
	defer r.locked(func() { r.over = true })
	if o.Began == nil {
		o.Began = func(Step) {}
	}
	if o.Ended == nil {
		o.Ended = func(Step, time.Duration, error) {}
	}
	var steps []Step
	for i, c := range nb.Cells {
		if c.Kind != notebook.Code || c.HasTag(TagSkip) {
			continue
		}
		c.Outputs, c.Count = nil, ""
		if c.Runs() {
			steps = append(steps, Step{Cell: c, Place: i + 1, Count: len(steps) + 1})
		}
	}
	for _, s := range steps {
		s.Of = len(steps)
		r.locked(func() { o.Began(s) })
		start := time.Now()
		err := r.cell(ctx, s, o.Timeout)
		took := time.Since(start)
		r.locked(func() { o.Ended(s, took, err) })
		allowed := ctx.Err() == nil && (o.AllowErrors || s.Cell.HasTag(TagRaises))
		if err != nil && !allowed {
			return &Failure{s, err}
		}
	}
	return nil
}

// A run is the notebook while it runs.
type run struct {
	in Interpreter

	mu       sync.Mutex         // held by those who write into the notebook
	displays map[string][]shown // by display id
	over     bool               // nothing is written any more
}

// A shown is an output that can be updated, and its cell.
type shown struct {
	cell   *notebook.Cell
	output *notebook.Output
}

func (r *run) locked(f func()) {
	r.mu.Lock()
	defer r.mu.Unlock()
	f()
}

// cell runs one cell.
func (r *run) cell(ctx context.Context, s Step, timeout time.Duration) error {
	if timeout > 0 {
		var cancel context.CancelFunc
		ctx, cancel = context.WithTimeout(ctx, timeout)
		defer cancel()
	}
	s.Cell.Count = strconv.Itoa(s.Count)
	out := &output{run: r, cell: s.Cell}
	data, metadata, err := r.in.Execute(ctx, s.Count, s.Cell.Source, out)
	r.mu.Lock()
	defer r.mu.Unlock()
	switch {
	case err != nil:
		out.fail(err)
	case len(data) > 0:
		out.add(&notebook.Output{Type: "execute_result", Count: s.Cell.Count}, data, metadata)
	}
	out.flush()
	out.ended = true
	return err
}

// encoded is a part of a message as JSON. It was looked at before.
func encoded(v any) json.RawMessage {
	text, err := kernel.EncodeJSON(v)
	if err != nil {
		panic(err)
	}
	return text
}
