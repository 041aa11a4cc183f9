// Package history says what compiling a function did and how long it took. It is data only: rewrite
// and compile write it, the profiler keeps it, shows it and reads it back from files. Start at
// Pass.
//
//	Times     where the time before the first call went
//	GradCall  a call of grad() that made nodes of the function
//	Pass      what one pass over the graph did
//	Rule      the part of one rule in a pass
//	Declined  a rewrite that looked possible and was not made
//
// It imports nothing of the project.
package history

import (
	"cmp"
	"slices"
	"time"
)

// Times say where the time of compiling a function went.
type Times struct {
	Total    time.Duration   `json:"total_ns"`
	Build    time.Duration   `json:"build_ns,omitempty"` // making a graph of the arguments of function()
	Rewrite  time.Duration   `json:"rewrite_ns"`
	Validate time.Duration   `json:"validate_ns"`          // part of Rewrite: verifying the graph
	Kernels  time.Duration   `json:"kernels_ns,omitempty"` // part of Rewrite: computing constants
	Link     time.Duration   `json:"link_ns"`
	Thunks   []time.Duration `json:"-"`               // part of Link, by node; profiles keep them at the nodes
	Grads    []GradCall      `json:"grads,omitempty"` // before all this, and not part of Total
}

// A GradCall is a call of grad() that made nodes of a function.
type GradCall struct {
	Place string        `json:"place,omitempty"` // file:line:col
	Time  time.Duration `json:"ns"`
	Nodes int           `json:"nodes"` // that it made
}

// Grad is the time of all calls of grad() that made nodes of the function.
func (t *Times) Grad() (sum time.Duration) {
	for _, g := range t.Grads {
		sum += g.Time
	}
	return sum
}

// Building is what is left of Total beside rewriting and linking: mostly making a graph of the
// arguments of function().
func (t *Times) Building() time.Duration { return max(t.Total-t.Rewrite-t.Link, 0) }

// Add adds the times of another function. A gradient that both have was made once.
func (t *Times) Add(u *Times) {
	t.Total += u.Total
	t.Build += u.Build
	t.Rewrite += u.Rewrite
	t.Validate += u.Validate
	t.Kernels += u.Kernels
	t.Link += u.Link
	for _, g := range u.Grads {
		if !slices.Contains(t.Grads, g) {
			t.Grads = append(t.Grads, g)
		}
	}
}

// A Pass is what one pass over the graph did while a function was compiled.
type Pass struct {
	Name     string        `json:"name"`
	Time     time.Duration `json:"ns"`
	Kernels  time.Duration `json:"kernels_ns,omitempty"` // part of Time: computing what depends on constants only
	Check    time.Duration `json:"check_ns,omitempty"`   // verifying the graph afterwards, not in Time
	Before   int           `json:"before"`               // nodes
	After    int           `json:"after"`
	Rounds   int           `json:"rounds,omitempty"`   // walks over the graph; 0 if the pass is not a fixed point
	Changes  int           `json:"changes,omitempty"`  // rules that fired, nodes merged, groups fused, operands overwritten
	Rules    []Rule        `json:"rules,omitempty"`    // that were tried, in the order of the files
	Declined []Declined    `json:"declined,omitempty"` // what looked possible and was not done
	Untold   int           `json:"untold,omitempty"`   // how many more were declined
	Warning  string        `json:"warning,omitempty"`  // why the pass ended early
	Skipped  string        `json:"skipped,omitempty"`  // why the pass did not run
}

// Fired lists the rules that changed the graph, the most frequent first.
func (p *Pass) Fired() []Rule {
	fired := slices.DeleteFunc(slices.Clone(p.Rules), func(r Rule) bool { return r.Fired == 0 })
	slices.SortStableFunc(fired, func(a, b Rule) int { return cmp.Compare(b.Fired, a.Fired) })
	return fired
}

// A Rule is the part of one rule in one pass.
type Rule struct {
	Name    string        `json:"name"`              // local_log1p
	Where   string        `json:"where,omitempty"`   // stabilize.rules:12, or fill.go:9
	Tried   int           `json:"tried"`             // nodes that it looked at
	Fired   int           `json:"fired"`             // nodes that it replaced
	Made    int           `json:"made,omitempty"`    // new nodes, by what fired
	Removed int           `json:"removed,omitempty"` // nodes that nothing needs since
	Time    time.Duration `json:"ns"`
}

// Declined says why a rewrite that looked possible was not made. It is a text for users, who can
// change what they wrote.
type Declined struct {
	Code  string `json:"code"`            // what kept it, for tools: "fusion.broadcast"
	Rule  string `json:"rule"`            // or the pass
	Where string `json:"where,omitempty"` // of a rule: canonicalize.rules:52
	Node  string `json:"node"`            // the operation: "mul(x, exp(...))"
	Place string `json:"place,omitempty"` // its file:line:col
	Why   string `json:"why"`
	Count int    `json:"count"` // how often this was said
}
