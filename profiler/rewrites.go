package profiler

import (
	"cmp"
	"slices"
	"strings"
	"time"
)

// A RewritePass is what one pass over the graph did while a function was compiled.
type RewritePass struct {
	Name     string        `json:"name"`
	NS       int64         `json:"ns"`
	Kernels  int64         `json:"kernels_ns,omitempty"` // part of NS: computing what depends on constants only
	Check    int64         `json:"check_ns,omitempty"`   // verifying the graph afterwards, not in NS
	Before   int           `json:"before"`               // nodes
	After    int           `json:"after"`
	Rounds   int           `json:"rounds,omitempty"`  // walks over the graph; 0 if one was enough
	Changes  int           `json:"changes,omitempty"` // rules that fired, nodes merged, groups fused, operands overwritten
	Rules    []RewriteRule `json:"rules,omitempty"`
	Declined []Declined    `json:"declined,omitempty"`
	Untold   int           `json:"untold,omitempty"`  // how many more were declined
	Warning  string        `json:"warning,omitempty"` // why the pass ended early
	Skipped  string        `json:"skipped,omitempty"` // why the pass did not run
}

// A RewriteRule is a rule of a pass.
type RewriteRule struct {
	Name    string `json:"name"`
	Where   string `json:"where,omitempty"`   // stabilize.rules:12
	Tried   int    `json:"tried"`             // nodes that it looked at
	Fired   int    `json:"fired"`             // nodes that it replaced
	Made    int    `json:"made,omitempty"`    // new nodes
	Removed int    `json:"removed,omitempty"` // nodes that nothing needs since
	NS      int64  `json:"ns"`
}

// Declined is a rewrite that looked possible and was not made.
type Declined struct {
	Code  string `json:"code"` // what kept it: "fusion.broadcast"
	Rule  string `json:"rule"` // or the pass
	Where string `json:"where,omitempty"`
	Node  string `json:"node"`            // "mul(x, exp(...))"
	Place string `json:"place,omitempty"` // file:line:col
	Why   string `json:"why"`
	Count int    `json:"count"`
}

// A GradCall is a call of grad() that made nodes of a function.
type GradCall struct {
	Place string        `json:"place,omitempty"` // file:line:col
	Time  time.Duration `json:"ns"`
	Nodes int           `json:"nodes"` // that it made
}

// RewriteRules adds up the rules of all passes, the most expensive first.
func RewriteRules(passes []RewritePass) []RewriteRule {
	var all []RewriteRule
	at := make(map[string]int)
	for _, p := range passes {
		for _, r := range p.Rules {
			i, ok := at[r.Name]
			if !ok {
				i = len(all)
				at[r.Name] = i
				all = append(all, RewriteRule{Name: r.Name, Where: r.Where})
			}
			if all[i].Where != r.Where {
				all[i].Where = "" // several have the name
			}
			all[i].Tried += r.Tried
			all[i].Fired += r.Fired
			all[i].Made += r.Made
			all[i].Removed += r.Removed
			all[i].NS += r.NS
		}
	}
	slices.SortFunc(all, func(a, b RewriteRule) int {
		return cmp.Or(cmp.Compare(b.NS, a.NS), cmp.Compare(b.Fired, a.Fired), cmp.Compare(a.Name, b.Name))
	})
	return all
}

// SlowestPasses lists those that ran, the most expensive first.
func SlowestPasses(passes []RewritePass) []RewritePass {
	ran := slices.DeleteFunc(slices.Clone(passes), func(p RewritePass) bool { return p.Skipped != "" })
	slices.SortStableFunc(ran, func(a, b RewritePass) int { return cmp.Compare(b.NS, a.NS) })
	return ran
}

// AllDeclined lists what was declined in all passes: what costs memory and passes over it before what is a matter of a rule, and of
// each what was declined most often first.
func AllDeclined(passes []RewritePass) []Declined {
	var all []Declined
	for _, p := range passes {
		all = append(all, p.Declined...)
	}
	rank := func(d Declined) int {
		return slices.IndexFunc(declinedOrder, func(prefix string) bool { return strings.HasPrefix(d.Code, prefix) })
	}
	slices.SortStableFunc(all, func(a, b Declined) int {
		return cmp.Or(cmp.Compare(rank(a), rank(b)), cmp.Compare(b.Count, a.Count))
	})
	return all
}

// declinedOrder lists what codes begin with.
var declinedOrder = []string{"fusion.", "dot.", "inplace.", "rule.multi_client", "rule.singleuse", ""}

// MostDeclined has for each code the first of AllDeclined, with the number of all.
func MostDeclined(passes []RewritePass) []Declined {
	var list []Declined
	at := make(map[string]int)
	for _, d := range AllDeclined(passes) {
		if i, ok := at[d.Code]; ok {
			list[i].Count += d.Count
			continue
		}
		at[d.Code] = len(list)
		list = append(list, d)
	}
	return list
}

// ToFirstCall is the time in nanoseconds from the call of grad() to the first result, without what the program did between.
func (f *Function) ToFirstCall() float64 {
	return float64(f.Compile.Grad()) + float64(f.Compile.Total) + f.FirstCall
}

// Grad is the time of all calls of grad() that made nodes of the function.
func (c *CompileTimes) Grad() (sum time.Duration) {
	for _, g := range c.Grads {
		sum += g.Time
	}
	return sum
}

// add adds the times of another function. A gradient that both have was made once.
func (c *CompileTimes) add(d *CompileTimes) {
	c.Total += d.Total
	c.Build += d.Build
	c.Rewrite += d.Rewrite
	c.Validate += d.Validate
	c.Kernels += d.Kernels
	c.Link += d.Link
	for _, g := range d.Grads {
		if !slices.Contains(c.Grads, g) {
			c.Grads = append(c.Grads, g)
		}
	}
}
