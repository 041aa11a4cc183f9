package symbolic

import (
	"fmt"

	"github.com/arignote/arignote/profiler"
	"github.com/arignote/arignote/runtime/compile"
	"github.com/arignote/arignote/runtime/exec"
	"github.com/arignote/arignote/runtime/rewrite"
	"go.starlark.net/starlark"
)

// A Watcher is told what the variables and functions of a session do: package profile.
type Watcher interface {
	Observer
	// Mode is the mode of that name whose functions are watched, which compiles as m does from now
	// on; nil if the name is of another mode.
	Mode(name string, m compile.Mode) WatchedMode
	// Asked reads the argument profile of function(), before the function called name is compiled;
	// nil if it asks for nothing. watched is whether the function's mode watches it.
	Asked(profile starlark.Value, name string, watched bool) (Watch, error)
	// Compiled is told of each function.
	Compiled(f *compile.Function)
	// Recorders are those that watch a call of f; most calls have none.
	Recorders(f *Function) []*profiler.Recorder
	// Counts are f.Calls, to which the coming call adds; nil: it is not counted.
	Counts(f *Function) *profiler.Calls
	// Counted is a profile of the calls of f that f.Calls counted.
	Counted(f *Function) starlark.Value
}

// A Watch watches functions.
type Watch interface {
	Begin(f *Function) // to watch f, which was just compiled
}

// A WatchedMode is a mode that watches the functions compiled with it.
type WatchedMode interface {
	Compiling
	Watch
}

// unwatched is the Watcher of a session that has none.
type unwatched struct{ unobserved }

func (unwatched) Mode(string, compile.Mode) WatchedMode             { return nil }
func (unwatched) Asked(starlark.Value, string, bool) (Watch, error) { return nil, nil }
func (unwatched) Compiled(*compile.Function)                        {}
func (unwatched) Counts(*Function) *profiler.Calls                  { return nil }
func (unwatched) Counted(*Function) starlark.Value                  { return starlark.None }
func (unwatched) Recorders(*Function) []*profiler.Recorder          { return nil }

// watching has the Watcher of a session.
type watching struct{ Watcher }

type watchingKey struct{}

// watching is who is told of the session's functions.
func (s *Session) watching() *watching {
	return s.Local(watchingKey{}, func() any { return &watching{unwatched{}} }).(*watching)
}

// WatchBy tells w from now on what the session's variables and functions do.
func (s *Session) WatchBy(w Watcher) { s.Observing, s.watching().Watcher = w, w }

// tee is the tracer of a function that is profiled twice: for itself and for its cell.
type tee struct{ a, b exec.Tracer }

func (t tee) Now() int64 { return t.a.Now() }
func (t tee) Run(trace *exec.Trace, err error) {
	t.a.Run(trace, err)
	t.b.Run(trace, err)
}

func (t tee) Inner(i, k int) exec.Tracer {
	a, b := t.a.Inner(i, k), t.b.Inner(i, k)
	switch {
	case a == nil:
		return b
	case b == nil:
		return a
	}
	return tee{a, b}
}

// Skips reports whether both let the run go by. Both are asked.
func (t tee) Skips(changed bool) bool {
	a, b := t.a.Skips(changed), t.b.Skips(changed)
	return a && b
}

// Splits reports whether one of the two asks.
func (t tee) Splits() bool { return t.a.Splits() || t.b.Splits() }

// Every reports whether one of the two wants every run.
func (t tee) Every() bool { return t.a.Every() || t.b.Every() }

// tracer combines the recorders of a call.
func tracer(recorders []*profiler.Recorder) exec.Tracer {
	var all exec.Tracer
	for _, r := range recorders {
		switch t := r.Tracer(); {
		case t == nil:
		case all == nil:
			all = t
		default:
			all = tee{all, t}
		}
	}
	return all
}

// verbose is what compile.Spec.OnRewrite is with the flag optimizer_verbose: it tells of rules.
// Those that fire for what a rule makes are part of that one.
func (s *Session) verbose() func(rewrite.Replacement) {
	if !s.Config().Bool("optimizer_verbose") {
		return nil
	}
	return func(r rewrite.Replacement) {
		if r.Rule != nil && !r.Nested {
			s.Print("stderr", fmt.Sprintf("rewriting: %s: %s -> %s\n", r.Rule.Name, expressionText(s, r.Old), expressionText(s, r.New)))
		}
	}
}

// verbosePasses tells of the passes that are no rules.
func (s *Session) verbosePasses(f *compile.Function) {
	for _, p := range f.Rewrites {
		if len(p.Rules) == 0 && p.Changes > 0 {
			s.Print("stderr", fmt.Sprintf("rewriting: %s: %d nodes -> %d\n", p.Name, p.Before, p.After))
		}
	}
}
