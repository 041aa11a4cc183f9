package text

import (
	"fmt"
	"slices"
	"strings"

	"github.com/arignote/arignote/profiler"
	"github.com/arignote/arignote/profiler/columns"
	"github.com/arignote/arignote/profiler/units"
)

// arignote writes our own layout: where the time went, what each line of the source cost, then the
// tables by class, op and node. What is not known is left out, and a hint says how to learn it.
func (p *printer) arignote() {
	measured := p.stats.Total()
	p.stats = p.stats.Steady()
	if c := p.stats.Cell; p.sum.of == 0 && c.Known() {
		p.cell(c)
		if len(p.stats.Functions) == 0 {
			return
		}
	}
	p.head(measured.CallTime)
	total := p.stats.Total()
	if len(p.stats.Functions) > 1 {
		p.functions()
	}
	if p.opts.Shows(profiler.ByShape) {
		p.shapes()
	}
	if total.ThunkTime() > 0 {
		for _, t := range []struct {
			by    profiler.By
			write func()
		}{
			{profiler.ByLine, func() {
				p.lines()
				if p.opts.Listing {
					p.listings()
				}
			}},
			{profiler.ByScope, p.scopes},
			{profiler.ByClass, func() { p.groups("Class", "class", columns.Classes, p.stats.Rows(profiler.ByClass)) }},
			{profiler.ByOp, func() { p.groups("Ops", "op", columns.Ops, p.stats.Rows(profiler.ByOp)) }},
			{profiler.ByApply, p.nodes},
		} {
			if p.opts.Shows(t.by) {
				t.write()
			}
		}
	} else {
		p.line("No time of nodes: %s", p.stats.WhyEmpty())
		p.line("")
	}
	p.memoryUse()
	if p.opts.Rewrites {
		p.rewrites()
	}
}

// field writes a line of the head, broken at blanks where it is too long.
func (p *printer) field(name, format string, args ...any) {
	const indent = 10
	words := strings.Split(fmt.Sprintf(format, args...), " ")
	line := fmt.Sprintf("%-*s", indent-1, name)
	for _, w := range words {
		w = units.Middle(w, p.opts.LineWidth-indent)
		if units.Width(line)+1+units.Width(w) > p.opts.LineWidth && strings.TrimSpace(line) != "" {
			p.line("%s", units.Plain(line))
			line = strings.Repeat(" ", indent-1)
		}
		line += " " + w
	}
	p.line("%s", units.Plain(line))
}

// hint says what to do to see more.
func (p *printer) hint(format string, args ...any) {
	p.line("  (hint: %s)", fmt.Sprintf(format, args...))
	p.line("")
}

// head says what was called and how long it took, of calls that took so long as they were measured.
func (p *printer) head(measured float64) {
	t := p.stats.Total()
	title := units.Middle("Profile of "+units.OneLine(p.stats.Title()), p.opts.LineWidth)
	if p.sum.of > 0 {
		title = fmt.Sprintf("Sum of the %d profiles above", p.sum.of)
		if p.sum.left > 0 {
			title = fmt.Sprintf("Sum of all %d profiles", p.sum.of)
		}
	}
	p.line("%s", title)
	p.line("%s", strings.Repeat("=", units.Width(title)))
	p.field("calls", "%s", p.calls(&t))
	if t.Calls > 0 && t.Runs > 0 {
		thunks := t.ThunkTime()
		part := func(ns float64) string {
			return fmt.Sprintf("%s (%s)", duration(ns), units.Share(units.Ratio(ns, t.CallTime)))
		}
		p.field("time", "%s = arguments and results %s + loop %s + thunks %s", kept(&t, measured), part(t.CallTime-t.RunTime),
			part(t.RunTime-thunks), part(thunks))
		if traced := t.Traced(); traced != "" {
			p.field("", "%s", traced)
		}
		p.kernels()
	}
	p.leftOut(&t, measured)
	p.usage()
	p.field("compile", "%s", p.compileTimes(&t))
	if m := p.stats.Machine; m != nil {
		p.field("machine", "%s", machine(m))
	}
	if len(p.stats.Flags) > 0 {
		p.field("flags", "%s", units.OneLine(strings.Join(p.stats.Flags, ", ")))
	}
	if cost := p.stats.ClockCost; cost > 0 {
		p.field("clock", "%s a reading, left out of all times", duration(cost))
	}
	p.line("")
}

// kernels says which implementations the nodes ran in.
func (p *printer) kernels() {
	var kernels []string
	for _, s := range p.stats.Shares() {
		kernels = append(kernels, s.Impl+" "+units.Share(s.Fraction))
	}
	if len(kernels) > 0 {
		p.field("kernels", "%s of the time in thunks", strings.Join(kernels, ", "))
	}
}

// interrupted reports whether so much of the measured time is left out that it is said.
func interrupted(t *profiler.Function, measured float64) bool {
	slow := t.Slow > 0 || slices.ContainsFunc(t.Nodes, func(n *profiler.Node) bool { return n.Slow > 0 })
	return slow && measured-t.CallTime >= notedPart*measured
}

// kept is the time of the calls that the parts beside it add up to, after the time that was
// measured, which a cell's wall time has.
func kept(t *profiler.Function, measured float64) string {
	if !interrupted(t, measured) {
		return duration(t.CallTime)
	}
	return duration(measured) + ", without what is left out " + duration(t.CallTime)
}

// leftOut says how much of what was measured is not in the times, and why.
func (p *printer) leftOut(t *profiler.Function, measured float64) {
	left := measured - t.CallTime
	if !interrupted(t, measured) {
		return
	}
	var longest float64
	var worst *profiler.Node
	for _, n := range t.Nodes {
		if n.Slow > 0 && n.Max > longest {
			longest, worst = n.Max, n
		}
	}
	s := fmt.Sprintf("%s of %s measured (%s): calls of nodes that took much longer than %s", duration(left), duration(measured),
		units.Share(units.Ratio(left, measured)), p.stats.Others())
	if !p.opts.Brief {
		s += " count as if they had not"
	}
	if worst != nil && !p.opts.Brief {
		s += "; the longest, " + duration(longest) + ", was of " + units.Middle(units.OneLine(worst.Op), maxText)
	}
	p.field("left out", "%s", s)
}

// notedPart is the part of the measured time from which on it is said that it was left out.
const notedPart = 0.01

// usage is what the processors did meanwhile.
func (p *printer) usage() {
	u := p.stats.Usage
	if u == nil {
		return
	}
	s := fmt.Sprintf("%s from the first call to the last, of which this program had %s of CPU", duration(float64(u.Wall)), duration(float64(u.CPU)))
	if busy := u.Busy(); busy != "" {
		s += "; the machine was busy: " + busy
	}
	p.field("wall", "%s", s)
}

// calls says how many there were and how long they took.
func (p *printer) calls(t *profiler.Function) string {
	var list []string
	switch {
	case t.Calls == 1:
		list = append(list, "1 in "+duration(t.CallTime))
		if t.Ignored == 0 && p.sum.of == 0 {
			list = append(list, "a first call is cold, and takes longer than those that follow")
		}
	case t.Calls > 1:
		list = append(list, fmt.Sprintf("%d in %s", t.Calls, duration(t.CallTime)),
			fmt.Sprintf("each %s, from %s to %s", duration(t.CallTime/float64(t.Calls)), duration(t.CallMin), duration(t.CallMax)))
		if fs := p.stats.Functions; len(fs) == 1 && len(fs[0].CallHist) > 0 {
			at := fs[0].Spread()
			list[1] = fmt.Sprintf("median %s, p90 %s, spread %s, from %s to %s", duration(at.Median), duration(at.P90), units.Share(at.Relative()),
				duration(t.CallMin), duration(t.CallMax))
		}
	default:
		list = append(list, "none")
	}
	if fs := p.stats.Functions; len(fs) == 1 && fs[0].FirstCall > 0 && (t.Calls > 1 || t.Ignored > 0) {
		list = append(list, "the first "+duration(fs[0].FirstCall))
	}
	if t.Failed > 0 {
		list = append(list, fmt.Sprintf("%d failed in %s, which do not count", t.Failed, duration(t.FailedTime)))
	}
	if t.Ignored > 0 {
		list = append(list, units.Plural(t.Ignored, "first call")+" left out (profiling.ignore_first_call)")
	}
	return strings.Join(list, "; ")
}

func (p *printer) compileTimes(t *profiler.Function) string {
	c := t.Compile
	s := fmt.Sprintf("%s = building the graph %s + rewriting %s (of it validating %s) + linking %s", duration(float64(c.Total)),
		duration(float64(c.Building())), duration(float64(c.Rewrite)), duration(float64(c.Validate)), duration(float64(c.Link)))
	before := 0
	for _, f := range p.stats.Functions {
		if len(f.Rewrites) > 0 {
			before += f.Rewrites[0].Before
		} else {
			before += len(f.Nodes)
		}
	}
	if len(t.Rewrites) > 0 {
		s += "; " + strings.ReplaceAll(fmt.Sprintf("%d -> %s", before, units.Plural(int64(len(t.Nodes)), "node")), " ", units.NBSP)
	} else {
		s += "; " + units.Plural(int64(len(t.Nodes)), "node")
	}
	if g := p.stats.Globals; g != nil {
		s += fmt.Sprintf("; all calls of grad() %s", duration(float64(g.Grad)))
	}
	return s
}

// machine writes the processor and its roof.
func machine(m *profiler.Machine) string {
	list := []string{units.OneLine(m.CPU)}
	if m.ISA != "" {
		list = append(list, m.ISA)
	}
	list = append(list, units.Plural(int64(m.Cores), "core"), units.Plural(int64(m.Threads), "thread"))
	s := strings.Join(list, ", ")
	if m.Roof == nil {
		return s + "; " + profiler.NoRoof
	}
	var roof []string
	for _, f := range []struct {
		dtype string
		rate  float64
	}{{"float32", m.Roof.Flops32}, {"float64", m.Roof.Flops64}} {
		roof = append(roof, units.Digits(f.rate/units.Giga)+units.NBSP+units.FlopRate+" in "+f.dtype)
	}
	for _, l := range m.Roof.Levels {
		roof = append(roof, units.Digits(l.Bandwidth/units.Giga)+units.NBSP+units.ByteRate+" "+l.Name)
	}
	s += "; roof " + strings.Join(roof, ", ")
	if m.Doubt != "" {
		s += "; in doubt: " + units.OneLine(m.Doubt)
	}
	return s
}

// functions has a row for each function of a profile that has several.
func (p *printer) functions() {
	var longest []float64
	for _, f := range p.stats.Functions {
		longest = append(longest, f.CallTime)
	}
	total := scaleOf(units.Times, longest...)
	t := table{title: "Functions", columns: []column{{name: "calls"}, {name: total.String()}, {name: "each"}, {name: "median"}, {name: "p90"}, {name: "min"},
		{name: "max"}, {name: "loop%"}, {name: "thunks%"}, {name: "failed"},
		{name: "nodes"}, {name: "compile"}, {name: "function", left: true}}}
	for _, f := range p.stats.Functions {
		var median, p90 string
		if at := f.Spread(); at.P90 > 0 {
			median, p90 = short(at.Median), short(at.P90)
		}
		t.row(plainName(f.Title()), count(f.Calls), total.cell(f.CallTime), short(units.Ratio(f.CallTime, float64(f.Calls))), median, p90,
			short(f.CallMin), short(f.CallMax), percent(units.Ratio(f.RunTime-f.ThunkTime(), f.CallTime)),
			percent(units.Ratio(f.ThunkTime(), f.CallTime)), count(f.Failed), count(int64(len(f.Nodes))),
			short(float64(f.Compile.Total)))
	}
	p.table(t)
}
