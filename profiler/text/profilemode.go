package text

import (
	"bufio"
	"cmp"
	"fmt"
	"io"
	"slices"
	"strings"

	"github.com/arignote/arignote/profiler"
	"github.com/arignote/arignote/profiler/units"
)

// summary is what the layouts of ProfileMode show: of a profile, or of the difference of two.
type summary struct {
	method    string // of ProfileMode, that prints it
	total     profiler.Function
	local     string  // what stands after local_time
	thunks    float64 // nanoseconds
	since     *profiler.Globals
	functions []profiler.Row
	classes   []profiler.Row
	ops       []profiler.Row
	applies   []profiler.Row
	isDiff    bool
}

// whole is what fractions are of.
func (m *summary) whole() string {
	if m.isDiff {
		return "the larger local_time"
	}
	return "local_time"
}

// profileMode writes the text of ProfileMode.print_summary, of 2009 or 2011.
func (p *printer) profileMode() {
	total := p.stats.Total()
	thunks := total.ThunkTime()
	m := summary{method: "print_summary", total: total, thunks: thunks, since: p.stats.Globals,
		local:     fmt.Sprintf("%.12g (Time spent running thunks)", units.Seconds(thunks)),
		functions: p.stats.FunctionRows(), classes: p.stats.Rows(profiler.ByClass), ops: p.stats.Rows(profiler.ByOp),
		applies: p.stats.Rows(profiler.ByApply)}
	if p.opts.Layout == ProfileMode2011 {
		p.summary2011(m)
	} else {
		p.summary2009(m)
	}
}

// WriteDifference writes the text of ProfileMode.print_diff_summary, in the layout ProfileMode or
// ProfileMode2011.
func WriteDifference(w io.Writer, d profiler.Difference, opts Options) error {
	opts.Layout = cmp.Or(opts.Layout, ProfileMode)
	p := &printer{w: bufio.NewWriter(w), opts: withDefaults(opts)}
	self, other := d.ThunkTimes()
	m := summary{method: "print_diff_summary", total: d.Total(), thunks: self - other, functions: d.FunctionRows(),
		local: fmt.Sprintf("%.12g (Time spent running thunks: %.12g - %.12g)", units.Seconds(self-other), units.Seconds(self),
			units.Seconds(other)),
		classes: d.Rows(profiler.ByClass), ops: d.Rows(profiler.ByOp), isDiff: true}
	switch opts.Layout {
	case ProfileMode:
		p.summary2009(m)
	case ProfileMode2011:
		p.summary2011(m)
	default:
		return fmt.Errorf("difference of profiles: unknown layout %q (want %s or %s)", opts.Layout, ProfileMode, ProfileMode2011)
	}
	return p.w.Flush()
}

// summary2009 has fractions of the time of the thunks, by node and by op; positions are those in
// the node's function.
func (p *printer) summary2009(m summary) {
	title := "ProfileMode." + m.method + "()"
	p.line("%s", title)
	p.line("%s", strings.Repeat("-", len(title)))
	p.line("")
	p.line("local_time %s", m.local)
	if p.nothingRan(m) {
		return
	}
	if m.isDiff {
		p.line("Function-wise summary: <time in calls> <calls> (<function>)")
		for _, f := range m.functions {
			p.row(fmt.Sprintf("\t%.2es\t%d\t", units.Seconds(f.Time), f.Calls), f.Name, "")
		}
	} else {
		p.line("Apply-wise summary: <fraction of local_time spent at this position> (<Apply position>, <Apply Op name>)")
		for _, r := range m.applies[:min(p.opts.NApply, len(m.applies))] {
			p.row(fmt.Sprintf("\t%.3f\t%d\t", r.Fraction, r.Node.ID), r.Node.Op, functionSuffix(r.Function))
		}
		left, rest := profiler.Remaining(m.applies, p.opts.NApply)
		p.line("   ... (remaining %d Apply instances account for %.2f of the runtime)", left, rest.Fraction)
	}
	p.line("Op-wise summary: <fraction of %s spent on this kind of Op> <Op name>", m.whole())
	for _, r := range m.ops[:min(p.opts.NOps, len(m.ops))] {
		p.row(fmt.Sprintf("\t%.3f\t%s ", r.Fraction, star(r)), r.Name, "")
	}
	left, rest := profiler.Remaining(m.ops, p.opts.NOps)
	p.line("   ... (remaining %d Ops account for %.2f of the runtime)", left, rest.Fraction)
	p.line("%s", starFooter)
	p.line("")
}

const starFooter = "(*) Op is running a c implementation"

// star marks what ran in C only.
func star(r profiler.Row) string {
	if strings.TrimSpace(r.Type) == "C" {
		return "*"
	}
	return " "
}

// nothingRan says so, and why, instead of tables of shares of nothing.
func (p *printer) nothingRan(m summary) bool {
	if len(m.ops) > 0 {
		return false
	}
	switch {
	case len(m.functions) == 0:
		p.line("  No execution time accumulated (no function was compiled with this mode)")
	case m.isDiff:
		p.line("  No execution time accumulated (no function of either was called)")
	default:
		p.line("  No execution time accumulated (%s)", p.stats.WhyEmpty())
	}
	for _, f := range m.functions {
		if f.Calls == 0 && !m.isDiff {
			p.line("   NOT CALLED %s", units.OneLine(f.Name))
		}
	}
	p.line("")
	return true
}

// summary2011 has seconds, calls and times per call, by function, class, op and node.
func (p *printer) summary2011(m summary) {
	p.line("ProfileMode is deprecated! Use the new profiler.")
	p.line(" The flag to enable it is: profile=True")
	p.line(" The flag for the memory profile to it is: profile_memory=True")
	p.line("")
	title := "ProfileMode." + m.method + "()"
	p.line("%s", title)
	p.line("%s", strings.Repeat("-", len(title)))
	p.line("")
	t := &m.total
	compile, overhead := float64(t.Compile.Total), t.CallTime-m.thunks
	since := 0.0 // nanoseconds
	if m.since != nil {
		since = float64(m.since.Since)
	}
	// Shares of a difference say nothing.
	share := func(ns, whole float64, format string) string {
		if m.isDiff {
			return ""
		}
		return fmt.Sprintf(format, units.Percent(units.Ratio(ns, whole)))
	}
	shares := func(ns float64) string {
		return share(ns, since, " %.1f%%(since import)") + share(ns, t.CallTime, " %.1f%%(of fct call)")
	}
	if !m.isDiff {
		p.line("Time since import %.3fs", units.Seconds(since))
	}
	p.line("Arignote compile time: %.3fs%s", units.Seconds(compile), share(compile, since, " (%.1f%% since import)"))
	p.line("    Optimization time: %.3fs", t.Compile.Rewrite.Seconds())
	p.line("    Linker time: %.3fs", t.Compile.Link.Seconds())
	p.line("Arignote fct call %.3fs%s", units.Seconds(t.CallTime), share(t.CallTime, since, " (%.1f%% since import)"))
	p.line("   Arignote Op time %.3fs%s", units.Seconds(m.thunks), shares(m.thunks))
	p.line("   Arignote function overhead in ProfileMode %.3fs%s", units.Seconds(overhead), shares(overhead))
	if m.isDiff {
		p.line("%d Arignote fct call", t.Calls)
	} else {
		p.line("%d Arignote fct call, %.3fs per call", t.Calls, units.Seconds(units.Ratio(t.CallTime, float64(t.Calls))))
		rest := since - t.CallTime - compile
		p.line("Rest of the time since import %.3fs%s", units.Seconds(rest), share(rest, since, " %.1f%%"))
	}
	p.line("")
	if !p.nothingRan(m) {
		p.functions2011(m)
		p.tables2011(m)
	}
	switch {
	case m.isDiff:
	case p.sized():
		p.words = layouts[Theano]
		p.memory()
	default:
		p.line("Profile of Arignote intermediate memory disabled. To enable, set the flag ProfileMode.profile_memory to True.")
		p.line("")
	}
}

func (p *printer) functions2011(m summary) {
	p.line("Arignote fct summary:")
	p.line("<%% total fct time> <total time> <time per call> <nb call> <fct name>")
	for _, f := range m.functions {
		if f.Calls == 0 && !m.isDiff {
			p.line("   NOT CALLED %s", units.OneLine(f.Name))
			continue
		}
		columns := fmt.Sprintf("   %4.1f%% %.3fs %.2es %d ", units.Percent(f.Fraction), units.Seconds(f.Time),
			units.Seconds(f.PerCall), f.Calls)
		p.row(columns, f.Name, "")
	}
	p.line("")
}

// tables2011 writes the three tables. Blanks between columns are those of the peer, of which no two
// tables have the same.
func (p *printer) tables2011(m summary) {
	kind := "<% of " + m.whole() + " spent on this kind of Op> <cumulative %> <self seconds> <cumulative seconds> <time per call> [*] "
	shown := func(rows []profiler.Row, n int) []profiler.Row { return rows[:min(n, len(rows))] }
	var sum float64
	// seconds are the columns that all have; gap stands between the time per call and those before.
	seconds := func(r profiler.Row, gap string) string {
		sum += r.Time
		return fmt.Sprintf("   %4.1f%%  %5.1f%%  %5.3fs  %5.3fs%s%.2es", units.Percent(r.Fraction), units.Percent(r.Cumulative),
			units.Seconds(r.Time), units.Seconds(sum), gap, units.Seconds(r.PerCall))
	}
	remaining := func(what, format string, rows []profiler.Row, n int) {
		left, rest := profiler.Remaining(rows, n)
		p.line("   ... (remaining %d %s account for "+format+"%%(%.2fs) of the runtime)", left, what, units.Percent(rest.Fraction),
			units.Seconds(rest.Time))
		p.line("%s", starFooter)
		p.line("")
		sum = 0
	}

	p.line("Single Op-wise summary:")
	p.line("%s<nb_call> <nb_op> <nb_apply> <Op name>", kind)
	for _, r := range shown(m.classes, p.opts.NOps) {
		p.row(fmt.Sprintf("%s %s %5d %2d %2d ", seconds(r, "  "), star(r), r.Calls, r.Ops, r.Applies), "arignote."+r.Name, "")
	}
	remaining("single Op", "%.2f", m.classes, p.opts.NOps)

	flops := slices.ContainsFunc(m.ops, func(r profiler.Row) bool { return r.Known && r.Flops > 0 }) && !m.isDiff
	header := ""
	if flops {
		header = " <MFlops/s>"
	}
	p.line("Op-wise summary:")
	p.line("%s%s <nb_call> <nb apply> <Op name>", kind, header)
	for _, r := range shown(m.ops, p.opts.NOps) {
		rate := ""
		if flops {
			rate = fmt.Sprintf("%7.1f ", megaflops(r))
		}
		p.row(fmt.Sprintf("%s %s %s%5d %2d ", seconds(r, "  "), star(r), rate, r.Calls, r.Applies), r.Name, "")
	}
	remaining("Op", "%6.2f", m.ops, p.opts.NOps)
	if m.isDiff {
		return
	}

	p.line("Apply-wise summary:")
	p.line("<%% of local_time spent at this position> <cumulative %%> <apply time> <cumulative seconds> <time per call> [*] " +
		"<nb_call> <Apply position> <Apply Op name>")
	for _, r := range shown(m.applies, p.opts.NApply) {
		p.row(fmt.Sprintf("%s  %s %d  %2d ", seconds(r, " "), star(r), r.Calls, r.Node.ID), r.Name, functionSuffix(r.Function))
	}
	remaining("Apply instances", "%.2f", m.applies, p.opts.NApply)
}

// megaflops is a rate of operations; -1 if they were not counted.
func megaflops(r profiler.Row) float64 {
	if !r.Known || r.Flops == 0 {
		return -1
	}
	return 1000 * r.GFlops()
}
