package rewrite

import (
	"slices"
	"time"

	"github.com/arignote/arignote/runtime/graph"
)

// A Profile says what rewriting a graph did and how long it took. The profiler shows it.
type Profile struct {
	Passes []*PassProfile // in the order they ran
}

// Time is that of all passes, without checking.
func (p *Profile) Time() (sum time.Duration) {
	for _, pass := range p.Passes {
		sum += pass.Time
	}
	return sum
}

// Kernels is the part of Time in which constants were computed: it is spent running, not rewriting.
func (p *Profile) Kernels() (sum time.Duration) {
	for _, pass := range p.Passes {
		sum += pass.Kernels
	}
	return sum
}

// PassProfile is the part of one pass.
type PassProfile struct {
	Name     string
	Time     time.Duration
	Check    time.Duration // verifying the graph after the pass, not in Time
	Kernels  time.Duration // part of Time: computing what depends on constants only
	Before   int           // nodes
	After    int
	Rounds   int            // walks over the graph; 0 if the pass is not a fixed point
	Changes  int            // how often the pass changed something: rules fired, nodes merged, groups fused, operands overwritten
	Rules    []*RuleProfile // those that were tried, in the order of the files
	Declined []Declined     // what looked possible and was not done; see Tell
	Untold   int            // how many more there were
	Warning  string         // "" or why the pass ended early
	Skipped  string         // "" or why the pass did not run
	reasons  []reason

	// OnRewrite, if not nil, is told what a rule replaced. Rules that fire for what a rule makes are part of that one.
	OnRewrite func(rule string, old, new *graph.Variable)
}

// Fired lists the rules that changed the graph, the most frequent first.
func (p *PassProfile) Fired() []*RuleProfile {
	var fired []*RuleProfile
	for _, r := range p.Rules {
		if r.Fired > 0 {
			fired = append(fired, r)
		}
	}
	slices.SortStableFunc(fired, func(a, b *RuleProfile) int { return b.Fired - a.Fired })
	return fired
}

// RuleProfile is the part of one rule in one pass.
type RuleProfile struct {
	Name    string // local_log1p
	Where   string // stabilize.rules:12, or fill.go:9
	Tried   int    // nodes it was tried on
	Fired   int    // nodes it replaced
	Made    int    // new nodes, by what fired
	Removed int    // nodes that nothing needs since
	Time    time.Duration
}
