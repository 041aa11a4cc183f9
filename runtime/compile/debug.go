package compile

import (
	"slices"

	"github.com/arignote/arignote/kernels"
	"github.com/arignote/arignote/runtime/debugmode"
	"github.com/arignote/arignote/runtime/exec"
	"github.com/arignote/arignote/runtime/graph"
	"github.com/arignote/arignote/runtime/history"
	"github.com/arignote/arignote/runtime/rewrite"
	"github.com/arignote/arignote/runtime/tensor"
)

// debugging is what DebugMode adds to compiling a function; in other modes, nothing.
type debugging struct {
	spec    Spec
	options *debugmode.Options
	history *debugmode.History
}

func newDebugging(spec Spec, fg *graph.FunctionGraph) (*debugging, error) {
	d := &debugging{spec: spec, options: spec.Mode.checks()}
	if d.options != nil {
		if err := d.options.Check(); err != nil {
			return nil, &graph.Error{Pos: spec.Origin.Pos(), Op: "function", Msg: "DebugMode: " + err.Error()}
		}
		d.history = &debugmode.History{Original: fg}
	}
	return d, nil
}

// optimize is Optimize. DebugMode repeats it, records what it replaces and checks that it does the
// same each time.
func (d *debugging) optimize(fg *graph.FunctionGraph) (*graph.FunctionGraph, []history.Pass, error) {
	query := d.spec.Mode.query()
	query.Rules = d.spec.rules()
	query.OnRewrite, query.OnError = d.spec.OnRewrite, d.spec.OnRuleError
	query.Interrupted = d.spec.Interrupted
	if d.history == nil {
		return Optimize(fg, query, d.spec.Check)
	}
	var res *graph.FunctionGraph
	var passes []history.Pass
	written := fg.String()
	for i := range d.options.Patience {
		h := &debugmode.History{Original: fg}
		query.OnRewrite = func(r rewrite.Replacement) {
			h.Replaced = append(h.Replaced, replacement(r))
			if i == 0 && d.spec.OnRewrite != nil {
				d.spec.OnRewrite(r)
			}
		}
		again, p, err := Optimize(fg, query, true)
		if err != nil {
			return nil, nil, err
		}
		if now := fg.String(); now != written {
			return nil, nil, debugmode.Changed(fg, written)
		}
		if h.Final = again; i == 0 {
			d.history, res, passes = h, again, p
			continue
		}
		if err := debugmode.SameOrder(d.history, h, slices.Concat(fg.Results(), fg.Inputs)); err != nil {
			return nil, nil, err
		}
	}
	return res, passes, nil
}

// replacement is what DebugMode has to know of one.
func replacement(r rewrite.Replacement) debugmode.Replacement {
	if r.Rule == nil {
		unstable := slices.ContainsFunc(passes, func(p pass) bool { return p.name == r.Pass && slices.Contains(p.tags, rewrite.Unstable) })
		return debugmode.Replacement{Rule: r.Pass, Old: r.Old, New: r.New, Unstable: unstable}
	}
	return debugmode.Replacement{Rule: r.Rule.Name, Where: r.Rule.Where, Old: r.Old, New: r.New, Stabilizes: r.Stabilizes, Unstable: r.Unstable}
}

// checker returns what checks the calls of the function whose graph is fg, nil without DebugMode.
func (d *debugging) checker(fg *graph.FunctionGraph, runs exec.Options) (*debugmode.Checker, error) {
	if d.history == nil {
		return nil, nil
	}
	d.history.Final = fg
	return debugmode.NewChecker(*d.options, d.history, runs, d.spec.Warn)
}

// run runs the program. DebugMode checks the call before and compares the run with it.
func (f *Function) run(stop kernels.Stop, tracer exec.Tracer) ([]*tensor.Dense, error) {
	if f.checker == nil {
		return f.Program.Run(f.values, stop, tracer)
	}
	call, err := f.checker.Check(stop, f.values)
	if err != nil {
		return nil, err
	}
	out, err := f.Program.Run(f.values, stop, tracer)
	if err != nil {
		return nil, err
	}
	return out, call.Compare(f.values, out)
}
