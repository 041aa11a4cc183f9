package compile

import (
	"errors"
	"fmt"
	"runtime/debug"
	"slices"
	"time"

	"github.com/arignote/arignote/runtime/graph"
	"github.com/arignote/arignote/runtime/history"
	"github.com/arignote/arignote/runtime/rewrite"
)

// Optimize runs the passes that q selects. With check, the graph is verified after each pass, and
// rules that do not settle are an error instead of a warning in the history; OnError is not asked
// of either. An error names the pass; fg is not changed.
func Optimize(fg *graph.FunctionGraph, q Query, check bool) (*graph.FunctionGraph, []history.Pass, error) {
	plan, err := q.plan()
	if err != nil {
		return nil, nil, err
	}
	return q.optimize(plan, fg, check)
}

// optimize runs the passes of a plan.
func (q Query) optimize(plan []step, fg *graph.FunctionGraph, check bool) (*graph.FunctionGraph, []history.Pass, error) {
	var passes []history.Pass
	written, census := fg, rewrite.NewCensus()
	for i, s := range plan {
		if s.only != nil && !s.only(fg) {
			continue
		}
		if s.skipped != "" {
			passes = append(passes, rewrite.Excluded(s.name, s.skipped, fg).Pass)
			continue
		}
		inner := plan
		if s.early {
			inner = plan[:i]
		}
		var inside []history.Pass // of the graphs that nodes run
		p := &rewrite.PassProfile{Pass: history.Pass{Name: s.name}, Written: written, Census: census, OnRewrite: q.OnRewrite, OnError: q.OnError, Interrupted: q.Interrupted, Inner: q.inner(inner, &inside)}
		res, err := s.run(fg, p)
		if q.Interrupted != nil {
			if err := q.Interrupted(); err != nil { // and no error of the pass
				return nil, passes, err
			}
		}
		if err == nil && check {
			if err := s.check(res, p); err != nil { // which is looked for, and nothing to go without
				return nil, passes, fmt.Errorf("pass %s: %w", s.name, err)
			}
		}
		if err != nil {
			if err = q.failed(fmt.Errorf("pass %s: %w", s.name, err)); err != nil {
				return nil, passes, err
			}
			res, p.After, p.Warning = fg, p.Before, "it failed, and was left out"
		}
		fg = res
		// What a rule declines now it may still do, or decline again, when a later pass applies it.
		p.Tell(func(d history.Declined) bool {
			return d.Where == "" || !slices.ContainsFunc(plan[i+1:], func(s step) bool { return s.applies(d.Rule, d.Where) })
		})
		for _, in := range inside { // which stand for themselves
			p.Time = max(p.Time-in.Time, 0)
		}
		passes = append(append(passes, p.Pass), inside...)
	}
	return fg, passes, nil
}

// applies reports whether the step applies the rule of this name and place.
func (s step) applies(name, where string) bool {
	return slices.ContainsFunc(s.rules, func(r *rewrite.Rule) bool { return r.Name == name && r.Where == where })
}

// inner rewrites a graph that a node runs, which is called name, and adds what its passes did. What
// it replaces there has no value in the function's own run, and is not told.
func (q Query) inner(plan []step, passes *[]history.Pass) func(name string, fg *graph.FunctionGraph) (*graph.FunctionGraph, error) {
	q.OnRewrite = nil
	return func(name string, body *graph.FunctionGraph) (*graph.FunctionGraph, error) {
		res, inside, err := q.optimize(plan, body, false)
		for _, p := range inside {
			if p.Skipped == "" { // that is said of the function's own
				p.Name += " in " + name
				*passes = append(*passes, p)
			}
		}
		return res, err
	}
}

// failed is what an error of a pass leads to. One that has a place is the user's: more is known by
// then of the operands, which do not fit.
func (q Query) failed(err error) error {
	var users *graph.Error
	if q.OnError == nil || errors.As(err, &users) {
		return err
	}
	return q.OnError(err)
}

// run is the harness of all passes: it takes the time, and turns a panic into an error.
func (s step) run(fg *graph.FunctionGraph, p *rewrite.PassProfile) (res *graph.FunctionGraph, err error) {
	defer func() {
		switch r := recover().(type) {
		case nil:
		case *graph.Error:
			res, err = nil, r
		default:
			res, err = nil, fmt.Errorf("panic: %v\n%s", r, debug.Stack())
		}
	}()
	p.Before = len(fg.Toposort())
	start := time.Now()
	if s.fn != nil {
		res, err = s.fn(fg, p)
	} else {
		res, err = s.index.FixedPoint(fg, p)
	}
	p.Time = time.Since(start)
	if err != nil {
		return nil, err
	}
	p.After = len(res.Toposort())
	return res, nil
}

// check verifies the graph that the pass made, and that its rules settled.
func (s step) check(res *graph.FunctionGraph, p *rewrite.PassProfile) error {
	start := time.Now()
	err := res.Check()
	p.Check = time.Since(start)
	if err == nil && p.Warning != "" {
		err = errors.New(p.Warning)
	}
	return err
}
