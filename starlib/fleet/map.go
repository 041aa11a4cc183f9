package fleet

import (
	"context"
	"fmt"
	"math"
	"regexp"
	"strconv"
	"time"

	"github.com/arignote/arignote/cluster"
	"github.com/arignote/arignote/starlib/progress"
	"github.com/arignote/arignote/starlib/saving"
	"github.com/arignote/arignote/starlib/session"
	"github.com/arignote/arignote/starlib/slot"
	"github.com/arignote/arignote/starlib/symbolic"
	"github.com/arignote/arignote/starlib/value"
	"go.starlark.net/starlark"
)

// results are those of cluster.map, in the order of the items. What they are made of is read as
// results are taken, so that there may be more items than fit into memory.
type results struct {
	*value.Iterator
	c     *Cluster
	s     *session.Session
	job   *cluster.Job
	items *value.Iterator
	total int // items; -1 if that is unknown
	chunk int
	bar   *progress.Bar // nil: none is shown

	sent  int              // items
	all   bool             // were sent
	ready []starlark.Value // results of a task that were not taken
	given int              // results that were taken
	over  error            // why there are no more
}

var _ value.Tabled = (*results)(nil)

func (r *results) Type() string                             { return "ClusterResults" }
func (r *results) Table() *value.Methods                    { return ResultsMethods }
func (r *results) Attr(name string) (starlark.Value, error) { return ResultsMethods.Attr(r, name) }
func (r *results) AttrNames() []string                      { return ResultsMethods.Names() }
func (r *results) String() string {
	total := "?"
	if r.total >= 0 {
		total = fmt.Sprint(r.total)
	}
	return fmt.Sprintf("<results of a cluster: %d of %s taken>", r.given, total)
}

type mapArgs struct {
	F        starlark.Value `arg:"f: a compiled function, which may change no shared variable but states of random numbers"`
	Args     starlark.Value `arg:"args: an iterable of what f is called with: a tuple is the arguments of a call, all else its only one"`
	Chunk    int            `arg:"chunk=1: items of a task: more of them where an item takes less than a millisecond"`
	Timeout  *float64       `arg:"timeout=None: seconds that a task may take; TimeoutError if it takes more"`
	Retries  int            `arg:"retries=2: how often a task is begun again whose worker died"`
	Progress bool           `arg:"progress=True: shows a bar"`
}

// mapOver is cluster.map.
func mapOver(thread *starlark.Thread, c *Cluster, a *mapArgs) (starlark.Value, error) {
	s := session.Of(thread)
	wrong := func(class, format string, args ...any) error {
		return session.Failure(class, "map: "+fmt.Sprintf(format, args...))
	}
	f, ok := a.F.(*symbolic.Function)
	if !ok {
		return nil, wrong("TypeError", "for parameter f: got %s, want a compiled function: function([x], y). Workers run graphs, and none of the program's own functions", a.F.Type())
	}
	switch {
	case a.Chunk < 1:
		return nil, wrong("ValueError", "for parameter chunk: got %d, want at least 1", a.Chunk)
	case a.Timeout != nil && !(*a.Timeout > 0 && *a.Timeout < 1e9):
		return nil, wrong("ValueError", "for parameter timeout: got %g, want seconds, more than 0", *a.Timeout)
	case a.Retries < 0:
		return nil, wrong("ValueError", "for parameter retries: got %d, want at least 0", a.Retries)
	}
	if name := f.Keeps(); name != "" {
		return nil, wrong("ValueError", "%v", changes(f, "its input "+name))
	}
	for _, u := range f.Changes() {
		if !isRandom(u) {
			return nil, wrong("ValueError", "%v", changes(f, symbolic.InputName(u.Shared, 0)))
		}
	}
	over, err := value.Iterable(a.Args)
	if err != nil {
		return nil, wrong("TypeError", "for parameter args: %v", err)
	}
	program, err := saving.Encode(symbolic.In(s), f)
	if err != nil {
		return nil, fmt.Errorf("map: %w", err)
	}
	o := cluster.JobOptions{Kind: cluster.Functions, Program: program, Retries: a.Retries, Warn: s.Warn}
	if a.Timeout != nil {
		o.Timeout = time.Duration(*a.Timeout * float64(time.Second))
	}
	r := &results{c: c, s: s, total: -1, chunk: a.Chunk}
	o.Progress = func(tasks int) {
		if r.bar != nil {
			r.bar.Set(min(float64(tasks*r.chunk), float64(r.sent)))
		}
	}
	if r.job, err = c.newJob(s.Context(), o); err != nil {
		return nil, fmt.Errorf("map: %w", err)
	}
	if n := starlark.Len(a.Args); n >= 0 {
		r.total = n
	}
	r.items = value.IteratorOf(over)
	r.Iterator = value.NewIterator(value.Stream{Fail: s.Fail, Next: r.next})
	if a.Progress {
		total := math.NaN()
		if r.total >= 0 {
			total = float64(r.total)
		}
		if r.bar, err = progress.Open(thread, f.Name(), total); err != nil {
			return nil, err
		}
	}
	if err := r.fill(s.Context()); err != nil {
		r.close()
		return nil, fmt.Errorf("map: %w", err)
	}
	return r, nil
}

// fill gives the hub as many tasks as it is to have at a time.
func (r *results) fill(ctx context.Context) error {
	for !r.all && r.job.Open() < cluster.Window {
		var items []starlark.Value
		first := r.sent
		for len(items) < r.chunk {
			v, ok, err := r.items.NextValue()
			if err != nil {
				return err
			}
			if !ok {
				r.all = true
				break
			}
			items = append(items, value.Held(v))
		}
		if len(items) == 0 {
			break
		}
		input, err := saving.Encode(symbolic.In(r.s), starlark.Tuple{starlark.MakeInt(first), slot.NewList(items)})
		if err != nil {
			return unsent(first, err)
		}
		r.sent += len(items)
		if err := r.job.Submit(ctx, input); err != nil {
			return err
		}
	}
	return nil
}

var place = regexp.MustCompile(`^values\[1\]\[(\d+)\]`)

// unsent is why the items from one on cannot be sent, of which the error names one.
func unsent(first int, err error) error {
	text := place.ReplaceAllStringFunc(err.Error(), func(path string) string {
		i, _ := strconv.Atoi(place.FindStringSubmatch(path)[1])
		return fmt.Sprintf("item %d", first+i)
	})
	return session.Failure("TypeError", text)
}

// next waits for the next result.
func (r *results) next() (starlark.Value, bool, error) {
	if len(r.ready) > 0 {
		v := r.ready[0]
		r.ready = r.ready[1:]
		r.given++
		return v, true, nil
	}
	if r.over != nil {
		return nil, false, r.over
	}
	if r.job == nil {
		return nil, false, nil
	}
	ctx := r.s.Context()
	fail := func(err error) (starlark.Value, bool, error) {
		r.close()
		r.over = err
		return nil, false, err
	}
	if err := r.fill(ctx); err != nil {
		return fail(fmt.Errorf("map: %w", err))
	}
	if r.job.Open() == 0 {
		r.close()
		return nil, false, nil
	}
	got, err := r.job.Next(ctx)
	switch {
	case ctx.Err() != nil:
		r.close()
		r.over = session.Failure("RuntimeError", "map: it was interrupted, and its tasks are cancelled")
		return nil, false, context.Cause(ctx)
	case err != nil:
		return fail(failed(0, err))
	case got.Failure != nil:
		return fail(&taskError{got.N, got.Failure})
	}
	v, err := saving.Decode(symbolic.In(r.s), "result", got.Value)
	if err != nil {
		return fail(fmt.Errorf("map: task %d: result of worker %s: %w", got.N, got.Worker, err))
	}
	list, ok := v.(*slot.List)
	if !ok || list.Len() == 0 {
		return fail(fmt.Errorf("map: task %d: worker %s has sent %s, want a list of results", got.N, got.Worker, v.Type()))
	}
	for i := range list.Len() {
		r.ready = append(r.ready, list.Index(i))
	}
	return r.next()
}

// failed is why a job ended: it may have a class.
func failed(task int, err error) error {
	if f, ok := err.(*cluster.Failure); ok {
		return session.Failure(f.Class, "map: "+f.Message)
	}
	return fmt.Errorf("map: %w", err)
}

// close ends the job; what was taken of its last task is still given.
func (r *results) close() {
	if r.job != nil {
		r.c.endJob(r.job)
		r.job = nil
	}
	if r.bar != nil {
		r.bar.Close()
		r.bar = nil
	}
}

// ResultsMethods are the attributes of what cluster.map returns.
var ResultsMethods = value.NewMethods("ClusterResults", []value.Builtin{
	value.MethodOf("cancel", "Ends the map: tasks that wait are taken back, those that run are stopped, and there are no more results.",
		"c = Cluster()\nc.map(f, range(1000)).cancel()", func(_ *starlark.Thread, r *results, _ *struct{}) (starlark.Value, error) {
			r.close()
			r.ready = nil
			return nil, nil
		}),
}).With(
	value.FieldOf("total", "How many results there will be, None if that is unknown.", "Cluster().map(f, [1, 2]).total # 2", func(r *results) starlark.Value {
		if r.total < 0 {
			return starlark.None
		}
		return starlark.MakeInt(r.total)
	}),
	value.FieldOf("taken", "How many were taken.", "Cluster().map(f, [1, 2]).taken # 0", func(r *results) starlark.Value { return starlark.MakeInt(r.given) }),
)
