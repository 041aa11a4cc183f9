package text

import (
	"github.com/arignote/arignote/profiler"
	"github.com/arignote/arignote/profiler/units"
)

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
		p.line("  %s: %.3fs for %d passes, %d/%d nodes before/after", f.Title(), units.Seconds(float64(ns)), len(f.Rewrites),
			first.Before, last.After)
		p.line("  <time> <nodes before> <nodes after> <pass>")
		for _, r := range f.Rewrites {
			p.line("    %.6fs %6d %6d  %s", units.Seconds(float64(r.NS)), r.Before, r.After, r.Name)
		}
		p.line("  <time> <times applied> <times tried> <rule>")
		rules := profiler.RewriteRules(f.Rewrites)
		const most = 15
		for _, r := range rules[:min(most, len(rules))] {
			p.line("    %.6fs %6d %6d  %s", units.Seconds(float64(r.NS)), r.Fired, r.Tried, r.Name)
		}
		if more := len(rules) - most; more > 0 {
			p.line("    ... (remaining %d rules)", more)
		}
		p.line("")
	}
}
