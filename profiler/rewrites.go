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
