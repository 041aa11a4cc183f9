package text

import (
	"fmt"
	"strings"
	"time"

	"github.com/arignote/arignote/profiler"
	"github.com/arignote/arignote/profiler/units"
	"github.com/arignote/arignote/runtime/history"
)

// Rows of the summary: with its titles it has at most 15 lines.
const (
	topPasses   = 3
	topRules    = 2
	topDeclined = 3
)

// rewrites is the text block of profile_optimizer: for each function a summary and, if asked for,
// the details.
func (p *printer) rewrites() {
	for _, f := range p.stats.Functions {
		if len(f.Rewrites) == 0 {
			continue
		}
		p.title("Rewriter Profile")
		p.rewriteSummary(f)
		p.line("")
		if p.opts.Details {
			p.title("Rewriter Details")
			for _, r := range f.Rewrites {
				p.pass(r)
			}
			p.declined(f)
			p.line("")
			p.title("Compile Profile")
			p.compiling(f)
			p.line("")
		}
	}
}

func (p *printer) title(s string) {
	p.line("%s", s)
	p.line("%s", strings.Repeat("-", len(s)))
}

func (p *printer) rewriteSummary(f *profiler.Function) {
	first, last := f.Rewrites[0], f.Rewrites[len(f.Rewrites)-1]
	var ns, kernels time.Duration
	var warnings []string
	for _, r := range f.Rewrites {
		ns += r.Time
		kernels += r.Kernels
		if r.Warning != "" {
			warnings = append(warnings, r.Name+": "+r.Warning)
		}
	}
	passes, rules := profiler.SlowestPasses(f.Rewrites), profiler.RewriteRules(f.Rewrites)
	p.line("  %s: %.3fs for %d passes, %d/%d nodes before/after%s", units.OneLine(f.Title()), units.Seconds(float64(ns)), len(passes),
		first.Before, last.After, part(kernels, "running constants"))
	p.line("  <time> <nodes before> <nodes after> <changes> <pass>")
	for _, r := range passes[:min(topPasses, len(passes))] {
		p.line("    %.6fs %6d %6d %6d  %s", units.Seconds(float64(r.Time)), r.Before, r.After, r.Changes, p.name(r.Name))
	}
	if more := len(passes) - topPasses; more > 0 {
		var rest time.Duration
		for _, r := range passes[topPasses:] {
			rest += r.Time
		}
		p.line("    ... (remaining %s %.6fs)", several(more, "pass", "passes"), units.Seconds(float64(rest)))
	}
	shown := topRules
	if len(warnings) > 0 {
		shown--
	}
	if len(rules) > 0 {
		p.line("  <time> <times applied> <times tried> <nodes +/-> <rule>")
		for _, r := range rules[:min(shown, len(rules))] {
			p.rule("    ", r)
		}
	}
	if len(warnings) > 0 {
		p.line("  warning: %s", p.name(strings.Join(warnings, "; ")))
	}
	list := profiler.MostDeclined(f.Rewrites)
	if len(list) == 0 {
		return
	}
	p.line("  <times declined> <reason> <operation>")
	for i, d := range list[:min(topDeclined, len(list))] {
		more := ""
		if left := len(list) - topDeclined; i == topDeclined-1 && left > 0 {
			more = fmt.Sprintf(" (and %s of other kinds)", several(left, "reason", "reasons"))
		}
		p.line("    %6d  %s: %s%s", d.Count, d.Code, p.reason(d), more)
	}
}

func several(n int, one, many string) string {
	if n == 1 {
		return "1 " + one
	}
	return fmt.Sprintf("%d %s", n, many)
}

// part is ", of which 0.004s doing something", nothing if it took no time.
func part(ns time.Duration, what string) string {
	if ns <= 0 {
		return ""
	}
	return fmt.Sprintf(", of which %.6fs %s", units.Seconds(float64(ns)), what)
}

// name cuts what may be long and puts it on one line.
func (p *printer) name(s string) string { return units.Cut(units.OneLine(s), p.opts.LineWidth) }

func (p *printer) rule(indent string, r history.Rule) {
	s := fmt.Sprintf("%s%.6fs %6d %6d %+5d %+5d  %s",
		indent, units.Seconds(float64(r.Time)), r.Fired, r.Tried, r.Made, -r.Removed, r.Name)
	if r.Where != "" {
		s += " (" + r.Where + ")"
	}
	p.line("%s", units.OneLine(s))
}

// reason is "net.star:4: mul(x, exp(...)) is not fused with ...".
func (p *printer) reason(d history.Declined) string {
	s := d.Node + " " + d.Why
	if strings.HasPrefix(d.Code, "rule.") {
		s = d.Node + ": " + d.Rule + " (" + d.Where + ") does not apply: " + d.Why
	}
	if d.Place != "" {
		s = d.Place + ": " + s
	}
	return p.name(s)
}

// pass writes all that one pass did.
func (p *printer) pass(r history.Pass) {
	if r.Skipped != "" {
		p.line("  %s: did not run: %s", p.name(r.Name), p.name(r.Skipped))
		return
	}
	rounds := ""
	if r.Rounds > 0 {
		rounds = " in " + several(r.Rounds, "round", "rounds")
	}
	p.line("  %s: %.6fs%s, %d/%d nodes before/after, %s%s%s", p.name(r.Name), units.Seconds(float64(r.Time)), rounds, r.Before, r.After,
		several(r.Changes, "change", "changes"), part(r.Kernels, "running constants"), checked(r.Check))
	if r.Warning != "" {
		p.line("    warning: %s", p.name(r.Warning))
	}
	var idle int
	var idleNS time.Duration
	for _, rule := range profiler.RewriteRules([]history.Pass{r}) {
		if rule.Fired == 0 {
			idle++
			idleNS += rule.Time
			continue
		}
		p.rule("    ", rule)
	}
	if idle > 0 {
		p.line("    %.6fs in %s that did not apply", units.Seconds(float64(idleNS)), several(idle, "rule", "rules"))
	}
}

func checked(ns time.Duration) string {
	if ns <= 0 {
		return ""
	}
	return fmt.Sprintf(", then %.6fs checking", units.Seconds(float64(ns)))
}

// declined writes all reasons.
func (p *printer) declined(f *profiler.Function) {
	list := profiler.AllDeclined(f.Rewrites)
	if len(list) > 0 {
		p.line("  Not done, and why:")
	}
	for _, d := range list {
		p.line("    %6d  %s: %s", d.Count, d.Code, p.reason(d))
	}
	untold := 0
	for _, r := range f.Rewrites {
		untold += r.Untold
	}
	if untold > 0 {
		p.line("    %6d  more, whose reasons are not kept", untold)
	}
}

// compiling says where the time to the first result went.
func (p *printer) compiling(f *profiler.Function) {
	c := &f.Compile
	total := f.ToFirstCall()
	when := "to the first call"
	if f.FirstCall == 0 {
		when = "so far: it was not called"
	}
	p.line("  %s: %.6fs %s", units.OneLine(f.Title()), units.Seconds(total), when)
	row := func(ns float64, format string, args ...any) {
		p.line("    %.6fs %5.1f%%  %s", units.Seconds(ns), units.Percent(units.Ratio(ns, total)), fmt.Sprintf(format, args...))
	}
	for _, g := range c.Grads {
		row(float64(g.Time), "grad() at %s, which made %s", p.name(g.Place), several(g.Nodes, "node", "nodes"))
	}
	row(float64(c.Building()), "making a graph of the arguments of function()")
	row(float64(c.Rewrite), "rewriting it")
	for _, of := range []struct {
		ns   time.Duration
		what string
	}{{c.Kernels, "running constants"}, {c.Validate, "verifying the graph"}} {
		if of.ns > 0 {
			row(float64(of.ns), "  of which %s", of.what)
		}
	}
	row(float64(c.Link), "linking%s", part(f.MakeThunkTime(), "making thunks"))
	if f.FirstCall > 0 {
		row(f.FirstCall, "the first call")
	}
}
