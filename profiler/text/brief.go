package text

import (
	"path"
	"slices"
	"strings"

	"github.com/arignote/arignote/profiler"
	"github.com/arignote/arignote/profiler/advice"
	"github.com/arignote/arignote/profiler/columns"
	"github.com/arignote/arignote/profiler/units"
)

// The most rows of the tables of the brief text; lines that take less than briefLeast of the
// time not counted: of a cell that was sampled there are tables of its functions and lines, which
// have fewer rows, and those of its nodes give them their place.
const (
	briefRows   = 4
	sampledRows = 3
	briefLeast  = 0.01
)

// brief writes 25 to 36 lines, and some more where there are scopes: where the time went, what to
// look at first, and the dearest lines
// and nodes. What is left out is said, and how to see it.
func (p *printer) brief() {
	measured, advised := p.stats.Total(), advice.Of(p.stats)
	p.stats = p.stats.Steady()
	total, c := p.stats.Total(), p.stats.Cell
	name := p.stats.Title()
	if p.stats.Name == "" && len(p.stats.Functions) != 1 && p.opts.Title != "" {
		name = p.opts.Title // of a cell, which says more than the names of what it called
	}
	title := units.Middle("Profile of "+units.OneLine(name), p.opts.LineWidth)
	p.line("%s", title)
	p.line("%s", strings.Repeat("=", units.Width(title)))
	if c != nil {
		p.cellTime(c)
	}
	if len(p.stats.Functions) > 0 {
		what := ""
		if n := len(p.stats.Functions); n > 1 {
			what = " of " + units.Plural(int64(n), "function")
		}
		switch {
		case total.Calls > 0 && p.stats.Counted:
			p.field("calls", "%d%s in %s; %s", total.Calls, what, duration(measured.CallTime), p.stats.WhyEmpty())
		case total.Calls > 0:
			around := max(total.CallTime-total.ThunkTime(), 0)
			p.field("calls", "%d%s in %s = nodes %s (%s) + around them %s (%s); compiling took %s", total.Calls, what, kept(&total, measured.CallTime),
				duration(total.ThunkTime()), units.Share(units.Ratio(total.ThunkTime(), total.CallTime)),
				duration(around), units.Share(units.Ratio(around, total.CallTime)), duration(float64(total.Compile.Total)))
			p.kernels()
		default:
			p.field("calls", "none")
		}
		p.leftOut(&total, measured.CallTime)
	}
	if total.ThunkTime() == 0 && !c.Sampled() && !p.stats.Counted {
		p.line("No time of nodes: %s", p.stats.WhyEmpty())
	}
	if u := p.stats.Usage; u != nil && u.Busy() != "" {
		p.field("busy", "%s", u.Busy())
	}
	most := briefRows
	if c.Sampled() {
		most = sampledRows
	}
	byNode := !c.Sampled() || !p.hasLines()
	for i, f := range p.stats.First(most, byNode) {
		p.field([]string{"first", "then", ""}[i], "%s", f.Text)
	}
	for _, a := range advised[:min(len(advised), most)] {
		p.field("do", "%s: %s; %s. Saves %s. [%s]", a.Place(), a.Cause, a.Write, a.Saves(), a.Rule.ID)
	}
	p.line("")
	hidden := p.briefCell(c, most)
	if c != nil {
		hidden = p.cellMemory(c.Memory, 2*most) || hidden
	}
	if total.ThunkTime() > 0 {
		hidden = p.briefLines(most) || hidden
		hidden = p.briefScopes(most) || hidden
		hidden = !byNode || p.briefNodes(most) || hidden
	}
	if hidden && p.opts.Whole != "" {
		what := "all rows"
		if n := len(total.Nodes); n > 0 {
			what = units.Plain(units.Plural(int64(n), "node")) + " by class, op and node, and " + what
		}
		p.line("  (%s: %s)", what, p.opts.Whole)
	}
}

// briefly is how many of rows are shown, whose shares of the time are falling.
func (p *printer) briefly(shares []float64, most int) int {
	n := 0
	for n < min(len(shares), most) && (shares[n] >= briefLeast || n == 0) {
		n++
	}
	if len(shares) == n+1 { // a line that says that one is left out is no shorter than that one
		n++
	}
	return n
}

// left says what shares are not shown.
func left(shares []float64, shown int, what string) string {
	rest := 0.0
	for _, f := range shares[shown:] {
		rest += f
	}
	if shown == len(shares) {
		return ""
	}
	return "and " + units.Plural(int64(len(shares)-shown), "more "+what) + ", " + units.Share(rest)
}

// briefCell has the dearest lines of the cell, whatever ran them.
func (p *printer) briefCell(c *profiler.Cell, most int) (hidden bool) {
	if !c.Sampled() {
		return false
	}
	p.cells(c)
	hidden = p.spent(c, most)
	lines := c.Lines()
	var shares []float64
	for _, l := range lines {
		shares = append(shares, c.Share(l.Time))
	}
	t := lineTable(c, "Lines, whatever ran them")
	t.listing = true
	n := p.briefly(shares, most)
	if c.Hits != nil { // which were asked for
		n = min(len(lines), p.opts.NLines)
	}
	for _, l := range lines[:n] {
		p.cellLine(&t, c, l, place(path.Base(l.File), l.Line, maxText), units.Short(units.OneLine(l.What()), 2*maxText))
	}
	t.more = left(shares, n, "line")
	p.table(t)
	return hidden || t.more != ""
}

// hasLines says whether it is known which lines made nodes.
func (p *printer) hasLines() bool {
	return slices.ContainsFunc(p.stats.Lines(false), func(r profiler.LineRow) bool { return r.Line > 0 })
}

// briefLines has the dearest lines that made nodes.
func (p *printer) briefLines(most int) (hidden bool) {
	if !p.hasLines() {
		return false
	}
	rows := p.stats.Lines(false)
	var shares []float64
	var longest float64
	for _, r := range rows {
		shares, longest = append(shares, r.Fraction), max(longest, r.Time)
	}
	scale := scaleOf(units.Times, longest)
	t := table{title: "Lines of the compiled functions", listing: true,
		columns: []column{{name: "time%"}, {name: "", left: true}, {name: scale.String()}, {name: "fwd%"}, {name: "grad%"}, {name: "upd%"}, {name: "line", left: true}, {name: "source", left: true}}}
	n := p.briefly(shares, most)
	split := slices.ContainsFunc(rows, func(r profiler.LineRow) bool { return r.ByRole[1]+r.ByRole[2] > 0 })
	for i, r := range rows[:n] {
		var roles [len(profiler.Roles)]string
		for j, ns := range r.ByRole {
			if split && ns > 0 {
				roles[j] = whole(ns / r.Time)
			}
		}
		t.row(sourceName(r.Source), percent(shares[i]), bar(shares[i]), scale.cell(r.Time), roles[0], roles[1], roles[2], place(path.Base(r.File), r.Line, maxText))
	}
	t.more = left(shares, n, "line")
	p.table(t)
	return t.more != ""
}

// briefScopes has the dearest scopes, each before those in it.
func (p *printer) briefScopes(most int) (hidden bool) {
	rows := p.stats.Scopes()
	if rows == nil {
		return false
	}
	times := make([]float64, len(rows))
	var longest float64
	for i, r := range rows {
		times[i], longest = r.Time, max(longest, r.Time)
	}
	slices.Sort(times)
	least := times[max(len(times)-most, 0)]
	scale := scaleOf(units.Times, longest)
	t := table{title: "Scopes, each with those in it", columns: []column{{name: "time%"}, {name: "", left: true}, {name: scale.String()},
		{name: "own " + scale.String()}, {name: "scope", left: true}}}
	var left []float64
	for _, r := range rows {
		if r.Time < least || len(t.rows) == most {
			left = append(left, r.Own)
			continue
		}
		t.row(plainName(strings.Repeat("  ", r.Depth)+units.OneLine(r.Name)), percent(r.Fraction), bar(r.Fraction), scale.cell(r.Time), scale.cell(r.Own))
	}
	if len(left) > 0 {
		t.more = "and " + units.Plural(int64(len(left)), "more scope")
	}
	p.table(t)
	return t.more != ""
}

// briefNodes has the dearest nodes.
func (p *printer) briefNodes(most int) (hidden bool) {
	rows := p.stats.Rows(profiler.ByApply)
	var shares []float64
	for _, r := range rows {
		shares = append(shares, r.Fraction)
	}
	n := p.briefly(shares, most)
	c := newSheet(slices.DeleteFunc(columns.In(columns.Nodes, columns.Text, "fraction bar time median calls *"),
		func(c columns.Column[profiler.Row]) bool {
			return slices.Contains([]string{"cumulative", "p90", "spread", "flops", "gbytes", "gflops"}, c.Name)
		}), rows[:n])
	c.write["limit"] = writeLimit
	c.write["origin"] = func(r profiler.Row, _ columns.Value) string { return linesOf(r.Node) }
	t := table{title: "Nodes", columns: append(c.columns(), column{name: "node", left: true}), listing: true, more: left(shares, n, "node")}
	for _, r := range rows[:n] {
		t.row(func(width int) string { return applyName(r.Node, r.Function, width) }, c.cells(r)...)
	}
	p.table(t)
	p.roofNote(rows[:n])
	return t.more != ""
}
