package profiler

import (
	"cmp"
	"slices"
)

// A RewritePass is what one pass over the graph did while a function was compiled.
type RewritePass struct {
	Name   string        `json:"name"`
	NS     int64         `json:"ns"`
	Before int           `json:"before"` // nodes
	After  int           `json:"after"`
	Rules  []RewriteRule `json:"rules,omitempty"`
}

// A RewriteRule is a rule of a pass.
type RewriteRule struct {
	Name  string `json:"name"`
	Tried int    `json:"tried"` // nodes that it looked at
	Fired int    `json:"fired"` // nodes that it replaced
	NS    int64  `json:"ns"`
}

// RewriteRules adds up the rules of all passes, the most expensive first.
func RewriteRules(passes []RewritePass) []RewriteRule {
	var all []RewriteRule
	for _, p := range passes {
		for _, r := range p.Rules {
			i := slices.IndexFunc(all, func(x RewriteRule) bool { return x.Name == r.Name })
			if i < 0 {
				i = len(all)
				all = append(all, RewriteRule{Name: r.Name})
			}
			all[i].Tried += r.Tried
			all[i].Fired += r.Fired
			all[i].NS += r.NS
		}
	}
	slices.SortFunc(all, func(a, b RewriteRule) int {
		return cmp.Or(cmp.Compare(b.NS, a.NS), cmp.Compare(b.Fired, a.Fired), cmp.Compare(a.Name, b.Name))
	})
	return all
}

// rewrites is the text block of profile_optimizer: a summary by pass and by rule that fits on a screen.
func (p *printer) rewrites() {
	for _, f := range p.stats.Functions {
		if len(f.Rewrites) == 0 {
			continue
		}
		p.line("Rewriter Profile")
		p.line("----------------")
		var ns int64
		for _, r := range f.Rewrites {
			ns += r.NS
		}
		first, last := f.Rewrites[0], f.Rewrites[len(f.Rewrites)-1]
		p.line("  %s: %.3fs for %d passes, %d/%d nodes before/after", f.title(), seconds(float64(ns)), len(f.Rewrites),
			first.Before, last.After)
		p.line("  <time> <nodes before> <nodes after> <pass>")
		for _, r := range f.Rewrites {
			p.line("    %.6fs %6d %6d  %s", seconds(float64(r.NS)), r.Before, r.After, r.Name)
		}
		p.line("  <time> <times applied> <times tried> <rule>")
		rules := RewriteRules(f.Rewrites)
		const most = 15
		for _, r := range rules[:min(most, len(rules))] {
			p.line("    %.6fs %6d %6d  %s", seconds(float64(r.NS)), r.Fired, r.Tried, r.Name)
		}
		if more := len(rules) - most; more > 0 {
			p.line("    ... (remaining %d rules)", more)
		}
		p.line("")
	}
}

func (f *Function) title() string {
	if f.Name == "" {
		return "None"
	}
	return f.Name
}
