package export

import (
	"compress/gzip"
	"encoding/json"
	"io"
	"math"
	"strings"
	"time"

	"github.com/arignote/arignote/profiler"
	"github.com/arignote/arignote/runtime/graph"
)

// An event of Chrome's trace format. Times are microseconds.
type event struct {
	Name  string         `json:"name"`
	Phase string         `json:"ph"` // X: an interval, M: the name of a track, C: a counter, i: an instant
	Cat   string         `json:"cat,omitempty"`
	TS    float64        `json:"ts"`
	Dur   float64        `json:"dur,omitempty"`
	PID   int            `json:"pid"`
	TID   int            `json:"tid"`
	Scope string         `json:"s,omitempty"`
	Args  map[string]any `json:"args,omitempty"`
}

// maxEvents bounds a trace: viewers hang on more.
const maxEvents = 500_000

// Trace writes what profiles kept for Perfetto and chrome://tracing: a track for each function with
// its runs and their nodes, and one with the phases of its compilation, end to end in their order;
// of a cell what it did when, with counters and pauses (see celltrace.go); and all stacks, end to
// end, which is all of the time, also of what was not kept one by one. Runs beyond those that were
// kept are an instant that says how many they are.
func Trace(w io.Writer, all []*profiler.Stats) error {
	t := tracer{zero: math.Inf(1)}
	var snapshots []*profiler.Stats
	for _, s := range all {
		if s == nil {
			continue
		}
		c := s.Clone()
		snapshots = append(snapshots, c)
		for _, f := range c.Functions {
			if len(f.Trace) > 0 {
				t.zero = min(t.zero, f.Trace[0].Start)
			}
		}
		if c.Cell != nil && c.Cell.Trace != nil {
			t.zero = min(t.zero, c.Cell.Trace.Start)
		}
	}
	const runs, compilations, stacks, cells = 1, 2, 3, 4
	t.name("process_name", runs, 0, "runs")
	t.name("process_name", compilations, 0, "compilation")
	track := 0
	for _, s := range snapshots {
		for _, f := range s.Functions {
			track++
			t.name("thread_name", runs, track, f.Title())
			t.name("thread_name", compilations, track, f.Title())
			t.runs(f, runs, track)
			t.compilation(f, compilations, track)
		}
	}
	t.stacks(all, stacks)
	for i, s := range snapshots {
		if s.Cell != nil && s.Cell.Trace != nil {
			t.cell(s, cells+i)
		}
	}
	return json.NewEncoder(w).Encode(map[string]any{"displayTimeUnit": "ns", "traceEvents": t.events})
}

type tracer struct {
	events []event
	zero   float64 // when the first run began, in nanoseconds
}

func (t *tracer) name(kind string, pid, tid int, name string) {
	t.events = append(t.events, event{Name: kind, Phase: "M", PID: pid, TID: tid, Args: map[string]any{"name": name}})
}

func (t *tracer) runs(f *profiler.Function, pid, tid int) {
	shown := 0
	last := 0.0
	for _, run := range f.Trace {
		if len(run.Ends) == 0 || len(t.events)+len(run.Ends) >= maxEvents {
			continue
		}
		shown++
		end := run.Ends[len(run.Ends)-1]
		at := func(ns float64) float64 { return (ns - t.zero) / 1e3 }
		t.events = append(t.events, event{Name: f.Title(), Cat: "run", Phase: "X", TS: at(run.Start), Dur: (end - run.Start) / 1e3,
			PID: pid, TID: tid})
		from := run.Start
		for i, to := range run.Ends {
			n := f.Nodes[i]
			args := nodeArgs(n)
			t.events = append(t.events, event{Name: n.Text, Cat: n.Op, Phase: "X", TS: at(from), Dur: (to - from) / 1e3, PID: pid, TID: tid,
				Args: args})
			t.inner(n, at(from), (to-from)/1e3, pid, tid)
			from = to
		}
		last = at(end)
	}
	if left := f.Runs - int64(shown); left > 0 {
		t.events = append(t.events, event{Name: "runs that were not kept", Phase: "i", Scope: "t", TS: last, PID: pid, TID: tid,
			Args: map[string]any{"runs": left}})
	}
}

// nodeArgs is what is known of a node.
func nodeArgs(n *profiler.Node) map[string]any {
	args := map[string]any{"id": n.ID, "op": n.Op, "impl": n.Impl}
	if line := n.Origin.String(); line != "" {
		args["line"], args["role"] = line, n.Origin.Role
	}
	if scopes := n.Scopes(); scopes != nil {
		args["scope"] = strings.Join(scopes, ", ")
	}
	return args
}

// inner are the nodes of the functions that n runs, within n's interval: each is all of its runs
// there, as long as such a run takes on average, end to end.
func (t *tracer) inner(n *profiler.Node, ts, dur float64, pid, tid int) {
	if n.Calls == 0 {
		return
	}
	whole := n.Time
	var inside float64
	for _, f := range n.Inner {
		inside += f.ThunkTime()
	}
	for _, f := range n.Inner {
		for _, m := range f.Nodes {
			if m.Calls == 0 || len(t.events) >= maxEvents {
				continue
			}
			d := dur * m.Time / max(whole, inside)
			args := nodeArgs(m)
			args["inside"], args["runs"] = f.Title(), float64(m.Calls)/float64(n.Calls)
			t.events = append(t.events, event{Name: m.Text, Cat: m.Op, Phase: "X", TS: ts, Dur: d, PID: pid, TID: tid, Args: args})
			t.inner(m, ts, d, pid, tid)
			ts += d
		}
	}
}

// compilation has durations only: they are laid end to end.
func (t *tracer) compilation(f *profiler.Function, pid, tid int) {
	at := 0.0
	add := func(name string, d time.Duration, args map[string]any) {
		us := float64(d) / 1e3
		t.events = append(t.events, event{Name: name, Cat: "compile", Phase: "X", TS: at, Dur: us, PID: pid, TID: tid, Args: args})
		at += us
	}
	for _, p := range f.Rewrites {
		add(p.Name, p.Time, map[string]any{"nodes before": p.Before, "nodes after": p.After})
	}
	if f.Compile.Link > 0 {
		add("link", f.Compile.Link, nil)
	}
}

// stacks are laid end to end, those that begin alike as one.
func (t *tracer) stacks(all []*profiler.Stats, pid int) {
	t.name("process_name", pid, 0, "time by stack, not in its order")
	t.name("thread_name", pid, 0, "all stacks")
	list := profiler.Stacks(all...)
	var lay func(b *branch, ts float64)
	lay = func(b *branch, ts float64) {
		for _, in := range b.branches {
			if len(t.events) >= maxEvents {
				return
			}
			e := event{Name: in.name, Cat: string(in.kind), Phase: "X", TS: ts, Dur: in.values[0] / 1e3, PID: pid}
			if in.line > 0 {
				e.Args = map[string]any{"line": graph.Frame{File: in.file, Line: in.line}.Pos().String()}
			}
			t.events = append(t.events, e)
			lay(in, ts)
			ts += e.Dur
		}
	}
	lay(grow(list, []measure{measureOf("time")}), 0)
}

// packed is write followed by gzip.
func packed(write func(io.Writer, []*profiler.Stats) error) func(io.Writer, []*profiler.Stats) error {
	return func(w io.Writer, all []*profiler.Stats) error {
		z := gzip.NewWriter(w)
		if err := write(z, all); err != nil {
			return err
		}
		return z.Close()
	}
}
