package rewrite

import (
	"slices"

	"github.com/arignote/arignote/runtime/graph"
	"github.com/arignote/arignote/runtime/history"
)

// A PassProfile is the history of a pass while it runs.
type PassProfile struct {
	history.Pass
	reasons []reason // that Tell writes into Declined

	// Census, if not nil, is what Merge found in the passes before, which it need not find again.
	Census *Census

	// Written is the graph before any rewriting, nil if only a pass is tried.
	Written *graph.FunctionGraph

	// Inner, of the pass that rewrites the graphs that nodes run, rewrites one, which is called
	// name.
	Inner func(name string, fg *graph.FunctionGraph) (*graph.FunctionGraph, error)

	// OnRewrite, if not nil, is told of every replacement.
	OnRewrite func(Replacement)
	// OnError, if not nil, is told of an error of a user's function that a rule calls, and returns
	// the error that ends the pass, or nil.
	OnError func(error) error
	// Interrupted, if not nil, is asked at each node; an error that it returns ends the pass.
	Interrupted func() error
}

// interrupted asks. p may be nil: where a rule is tried by itself.
func (p *PassProfile) interrupted() error {
	if p == nil || p.Interrupted == nil {
		return nil
	}
	return p.Interrupted()
}

// A Replacement is what a rule, or a pass by itself, put in the place of a variable.
type Replacement struct {
	Rule     *Rule  // nil if no rule did it
	Pass     string // that was running
	Old, New *graph.Variable
	Nested   bool // by a rule, on what another rule is making and may not use
	// Stabilizes says that Rule, or one that was applied at once to what it made, does: see
	// Rule.Stabilizes. Unstable says the same of Rule.IsUnstable.
	Stabilizes, Unstable bool
}

type remaking = func(node *graph.Apply, in []*graph.Variable) ([]*graph.Variable, error)

// transform is fg.Transform for a pass.
func (p *PassProfile) transform(fg *graph.FunctionGraph, remake remaking) (*graph.FunctionGraph, error) {
	return fg.Transform(p.telling(remake))
}

// again is transform where each node is made again, by another op perhaps, of its operands.
func (p *PassProfile) again(fg *graph.FunctionGraph, remake remaking) (*graph.FunctionGraph, error) {
	return fg.Unify(func(*graph.Apply) bool { return false }, p.telling(remake))
}

// telling is remake for a pass, which tells what it replaces and may be interrupted.
func (p *PassProfile) telling(remake remaking) remaking {
	return func(node *graph.Apply, in []*graph.Variable) ([]*graph.Variable, error) {
		if err := p.interrupted(); err != nil {
			return nil, err
		}
		if p.OnRewrite == nil {
			return remake(node, in)
		}
		operands := slices.Clone(in)
		out, err := remake(node, in)
		for i, v := range out {
			if v != nil && (v.Owner == nil || v.Owner.Op != node.Op || !slices.Equal(v.Owner.Inputs, operands)) {
				p.OnRewrite(Replacement{Pass: p.Name, Old: node.Outputs[i], New: v})
			}
		}
		return out, err
	}
}
