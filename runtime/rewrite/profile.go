package rewrite

import (
	"github.com/arignote/arignote/runtime/graph"
	"github.com/arignote/arignote/runtime/history"
)

// A PassProfile is the history of a pass while it runs.
type PassProfile struct {
	history.Pass
	reasons []reason // that Tell writes into Declined

	// OnRewrite, if not nil, is told what a rule replaced. Rules that fire for what a rule makes are part of that one.
	OnRewrite func(rule string, old, new *graph.Variable)
}
