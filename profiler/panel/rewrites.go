package panel

import (
	"fmt"

	"github.com/arignote/arignote/profiler"
	"github.com/arignote/arignote/profiler/units"
	"github.com/arignote/arignote/runtime/history"
)

// rewrites is what the rewriter did, where the options ask for it.
func (v *view) rewrites() (fold, bool) {
	passes := v.total.Rewrites
	if !v.opts.Rewrites || len(passes) == 0 {
		return fold{}, false
	}
	f := fold{Title: "Rewrites", Facts: fmt.Sprintf("%s · %s", units.Human(units.Times, float64(v.total.Compile.Rewrite)), nodesText(v.Functions))}
	if v.pictures || v.whole {
		f.Picture = passesChart(v.Functions)
	}
	f.Tables = []table{v.passesTable(passes), v.rulesTable(passes)}
	if declined := profiler.AllDeclined(passes); len(declined) > 0 {
		f.Tables = append(f.Tables, v.declinedTable(declined))
	}
	return f, true
}

// nodesText says how many nodes became how many.
func nodesText(functions []*profiler.Function) string {
	before, after := 0, 0
	for _, fn := range functions {
		if n := len(fn.Rewrites); n > 0 {
			before, after = before+fn.Rewrites[0].Before, after+fn.Rewrites[n-1].After
		}
	}
	return units.Grouped(int64(before)) + " → " + units.Plural(int64(after), "node")
}

// passesChart shows the number of nodes over time, all functions one after the other.
func passesChart(functions []*profiler.Function) *picture {
	c := curve{x: []float64{0}, colour: blue, fill: true}
	var slowest history.Pass
	var at, middle, most float64
	for _, fn := range functions {
		for _, p := range fn.Rewrites {
			// A pass draws as many nodes as it began with; the last one ends with what is left.
			c.y = append(c.y, float64(p.Before))
			if p.Time > slowest.Time {
				slowest, middle = p, at+float64(p.Time)/2
			}
			at += float64(p.Time)
			most = max(most, float64(p.Before))
			c.x = append(c.x, at)
		}
	}
	if at == 0 {
		return nil
	}
	end := units.Human(units.Times, at)
	return chart{alt: fmt.Sprintf("Nodes of the graph over the time of rewriting, %s: %s. The slowest pass is %s, %s.", end, nodesText(functions),
		units.Short(units.OneLine(slowest.Name), 60), units.Human(units.Times, float64(slowest.Time))),
		curves: []curve{c}, x: end, y: "nodes of the graph, at most " + units.Grouped(int64(most)),
		marks: []mark{{middle, float64(slowest.Before), units.Short(units.OneLine(slowest.Name), 60)}}}.draw()
}

// passesTable has the passes in their order; those of the same name of several functions are one.
func (v *view) passesTable(passes []history.Pass) table {
	var total, longest float64
	at := make(map[string]int)
	var sums []history.Pass
	for _, p := range passes {
		i, ok := at[p.Name]
		if !ok {
			i = len(sums)
			at[p.Name] = i
			sums = append(sums, history.Pass{Name: p.Name})
		}
		sum := &sums[i]
		sum.Time, sum.Before, sum.After = sum.Time+p.Time, sum.Before+p.Before, sum.After+p.After
		sum.Changes, sum.Rounds = sum.Changes+p.Changes, sum.Rounds+p.Rounds
		sum.Warning, sum.Skipped = orElse(sum.Warning, p.Warning), orElse(sum.Skipped, p.Skipped)
		total += float64(p.Time)
		longest = max(longest, float64(sum.Time))
	}
	u := unitOf(longest)
	t := table{Title: "Passes, in their order", Columns: []column{{Name: header("time", "%"), Bar: true}, u.column("time"), {Name: "nodes before"}, {Name: "after"},
		{Name: "changes", Title: "rules that fired, nodes merged, groups fused, operands overwritten"}, {Name: "rounds"}, {Name: "pass", Text: true}}}
	most := v.rows(v.opts.NApply)
	for _, p := range sums[:min(most, len(sums))] {
		ns, name := float64(p.Time), v.code(p.Name)
		if why := orElse(p.Warning, p.Skipped); why != "" {
			name.Suffix = units.Short(units.OneLine(why), v.width)
		}
		t.Rows = append(t.Rows, []cell{bar(units.Ratio(ns, total), segment{blue, units.Ratio(ns, longest)}), u.cell(ns), count(p.Before), count(p.After),
			count(p.Changes), count(p.Rounds), name})
	}
	t.More = more(len(sums) - most)
	return t
}

func count(n int) cell { return num(units.Grouped(int64(n))) }

// rulesTable has the rules, the most expensive first.
func (v *view) rulesTable(passes []history.Pass) table {
	rules := profiler.RewriteRules(passes)
	var longest, total float64
	for _, r := range rules {
		longest = max(longest, float64(r.Time))
		total += float64(r.Time)
	}
	u := unitOf(longest)
	t := table{Title: "Rules", Columns: []column{{Name: header("time", "%"), Bar: true}, u.column("time"), {Name: "applied"}, {Name: "tried"},
		{Name: "nodes +"}, {Name: "nodes −"}, {Name: "rule", Text: true}}}
	most := v.rows(v.opts.NApply)
	for _, r := range rules[:min(most, len(rules))] {
		ns := float64(r.Time)
		name := v.code(r.Name)
		name.Suffix = units.Short(units.OneLine(r.Where), 60)
		t.Rows = append(t.Rows, []cell{bar(units.Ratio(ns, total), segment{blue, units.Ratio(ns, longest)}), u.cell(ns), count(r.Fired), count(r.Tried),
			count(r.Made), count(r.Removed), name})
	}
	t.More = more(len(rules) - most)
	return t
}

// declinedTable has what looked possible and was not done, and why.
func (v *view) declinedTable(declined []history.Declined) table {
	t := table{Title: "Why not", Columns: []column{{Name: "times"}, {Name: "reason", Text: true}, {Name: "line", Text: true}, {Name: "node", Text: true}}}
	most := v.rows(v.opts.NApply)
	for _, d := range declined[:min(most, len(declined))] {
		why := cell{Value: units.Short(units.OneLine(d.Code), 60), Suffix: units.Short(units.OneLine(d.Why), min(v.width, 200)), Text: true,
			Title: units.Short(units.OneLine(d.Rule+" "+d.Where), v.width)}
		t.Rows = append(t.Rows, []cell{count(d.Count), why, words(units.Short(units.OneLine(d.Place), 60)), v.code(d.Node)})
	}
	t.More = more(len(declined) - most)
	return t
}
