package panel

import (
	"fmt"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/arignote/arignote/profiler"
	"github.com/arignote/arignote/profiler/units"
	"github.com/arignote/arignote/runtime/tensor"
)

// durations writes times in one unit.
type durations struct{ unit units.Unit }

func unitOf(ns ...float64) durations {
	return durations{units.For(units.Times, slices.Max(append(ns, 0)))}
}

func (u durations) column(name string) htmlColumn {
	return htmlColumn{Name: strings.ReplaceAll(name, " ", units.NBSP) + "," + units.NBSP + u.unit.Name}
}

func (u durations) cell(ns float64) htmlCell { return num(units.Digits(ns / u.unit.Size)) }

// callsTable has a row for each function.
func callsTable(s *profiler.Stats, t *profiler.Function, d detail) htmlTable {
	var longest, perCall float64
	for _, f := range s.Functions {
		longest = max(longest, f.CallTime)
		perCall = max(perCall, units.Ratio(f.CallTime, float64(f.Calls)))
	}
	total, each := unitOf(longest), unitOf(perCall)
	table := htmlTable{Title: "Function",
		Columns: []htmlColumn{{Name: "calls"}, total.column("time"), each.column("per call"), each.column("shortest"),
			each.column("longest"),
			{Name: "loop," + units.NBSP + "%"}, {Name: "thunks," + units.NBSP + "%"}, {Name: "nodes"}, {Name: "failed"},
			{Name: "function", Text: true}}}
	const most = 20
	for _, f := range s.Functions[:min(most, len(s.Functions))] {
		table.Rows = append(table.Rows,
			[]htmlCell{num(units.Grouped(f.Calls)), total.cell(f.CallTime), each.cell(units.Ratio(f.CallTime, float64(f.Calls))),
				each.cell(f.CallMin), each.cell(f.CallMax),
				num(oneDecimal(units.Percent(units.Ratio(f.RunTime, f.CallTime)))), num(oneDecimal(units.Percent(units.Ratio(f.ThunkTime(), f.CallTime)))),
				num(units.Grouped(int64(len(f.Nodes)))), num(units.Grouped(f.Failed)), d.code(f.Title())})
	}
	table.More = more(len(s.Functions) - most)
	return table
}

func oneDecimal(v float64) string { return strconv.FormatFloat(v, 'f', 1, 64) }

func more(n int) string {
	if n <= 0 {
		return ""
	}
	return "... " + units.Grouped(int64(n)) + " more"
}

// moreRows tells what rows beyond shown take.
func moreRows(rows []profiler.Row, shown int) string {
	left, sum := profiler.Remaining(rows, shown)
	if left == 0 {
		return ""
	}
	return fmt.Sprintf("... %s more: %s, %s", units.Grouped(int64(left)), units.Human(units.Times, sum.Time), units.Share(sum.Fraction))
}

func longestOf(rows []profiler.Row) (total, perCall durations) {
	var t, c float64
	for _, r := range rows {
		t, c = max(t, r.Time), max(c, r.PerCall)
	}
	return unitOf(t), unitOf(c)
}

func groupTable(title, kind string, rows []profiler.Row, most int, d detail) htmlTable {
	total, each := longestOf(rows)
	table := htmlTable{Title: title, More: moreRows(rows, most),
		Columns: []htmlColumn{{Name: "time," + units.NBSP + "%", Bar: true}, {Name: "sum," + units.NBSP + "%"}, total.column("time"),
			each.column("per call"),
			{Name: "type", Text: true}, {Name: "calls"}, {Name: "nodes"}, {Name: kind, Text: true}}}
	for _, r := range rows[:min(most, len(rows))] {
		table.Rows = append(table.Rows,
			[]htmlCell{bar(r.Fraction, r.Type), num(oneDecimal(units.Percent(r.Cumulative))), total.cell(r.Time), each.cell(r.PerCall),
				words(strings.TrimSpace(r.Type)), num(units.Grouped(r.Calls)), num(units.Grouped(int64(r.Applies))), d.code(r.Name)})
	}
	return table
}

func applyTable(rows []profiler.Row, most int, d detail) htmlTable {
	total, each := longestOf(rows)
	shown := rows[:min(most, len(rows))]
	var flops float64
	known, lines, functions := false, false, false
	for _, r := range shown {
		if f, ok := r.Node.FlopsPerCall(); ok {
			known, flops = true, max(flops, f)
		}
		lines = lines || r.Node.Origin.Place() != ""
		functions = functions || r.Function != ""
	}
	size := units.For(units.Flops, flops)
	table := htmlTable{Title: "Apply", More: moreRows(rows, most),
		Columns: []htmlColumn{{Name: "id"}, {Name: "time," + units.NBSP + "%", Bar: true}, {Name: "sum," + units.NBSP + "%"},
			total.column("time"), each.column("per call"), {Name: "type", Text: true}, {Name: "calls"}}}
	if known {
		table.Columns = append(table.Columns, htmlColumn{Name: size.Name}, htmlColumn{Name: "Gflop/s"}, htmlColumn{Name: "GB/s"})
	}
	if functions {
		table.Columns = append(table.Columns, htmlColumn{Name: "function", Text: true})
	}
	if lines {
		table.Columns = append(table.Columns, htmlColumn{Name: "line", Text: true})
	}
	table.Columns = append(table.Columns, htmlColumn{Name: "apply", Text: true})
	for _, r := range shown {
		n := r.Node
		perCall := each.cell(r.PerCall)
		perCall.Title = fmt.Sprintf("shortest %s, median %s, longest %s", units.Human(units.Times, n.Min), units.Human(units.Times, n.Median()),
			units.Human(units.Times, n.Max))
		cells := []htmlCell{num(strconv.Itoa(r.ID)), bar(r.Fraction, r.Type), num(oneDecimal(units.Percent(r.Cumulative))),
			total.cell(r.Time), perCall, words(strings.TrimSpace(r.Type)), num(units.Grouped(r.Calls))}
		if known {
			if f, ok := n.FlopsPerCall(); ok {
				bytes, _ := n.BytesPerCall()
				cells = append(cells, num(units.Digits(f/size.Size)), num(units.Digits(n.PerNanosecond(f))),
					num(units.Digits(n.PerNanosecond(bytes))))
			} else {
				cells = append(cells, num(""), num(""), num(""))
			}
		}
		if functions {
			cells = append(cells, d.code(r.Function))
		}
		if lines {
			c := words(units.Cut(lineText(n.Origin), 60))
			c.Title = units.Cut(partsText(n), d.width)
			cells = append(cells, c)
		}
		table.Rows = append(table.Rows, append(cells, d.code(r.Name)))
	}
	return table
}

// partsText lists the lines of a fused node with their shares.
func partsText(n *profiler.Node) string {
	if len(n.Parts) == 0 {
		return ""
	}
	var list []string
	for _, p := range n.Parts {
		list = append(list, p.Origin.Place()+" "+units.Share(p.Share))
	}
	return strings.Join(list, ", ")
}

// lineText is file:line, and what the node was made for if the user did not write it.
func lineText(o profiler.Origin) string {
	s := units.OneLine(o.Place())
	if s == "" {
		return ""
	}
	if o.Role != "" && o.Role != "forward" {
		s += " " + o.Role
	}
	return s
}

func memoryTable(s *profiler.Stats, use profiler.MemoryUse, most int, d detail) htmlTable {
	rows, total := s.MemoryRows()
	table := htmlTable{Title: "Memory",
		Columns: []htmlColumn{{Name: "bytes"}, {Name: "share," + units.NBSP + "%", Bar: true}, {Name: "c/i/v", Text: true},
			{Name: "shapes", Text: true}, {Name: "apply", Text: true}}}
	table.Note = fmt.Sprintf("Peak of a call %s; without inplace %s; if nothing were freed %s. c created, i overwrites an operand, v view (no bytes).",
		units.Human(units.Bytes, float64(use.Peak)), units.Human(units.Bytes, float64(use.NoInplace)), units.Human(units.Bytes, float64(use.NoGC)))
	for _, r := range rows[:min(most, len(rows))] {
		fraction := units.Ratio(float64(r.Bytes), float64(total))
		b := bar(fraction, "")
		var list []string
		for _, o := range r.Node.Outputs {
			list = append(list, tensor.ShapeString(o.Shape))
		}
		table.Rows = append(table.Rows,
			[]htmlCell{num(units.Grouped(r.Bytes)), b, words(strings.Join(r.Node.Codes(), " ")),
				words(units.Cut(strings.Join(list, " "), 80)), d.code(r.Node.Text)})
	}
	table.More = more(len(rows) - most)
	return table
}

func compileTable(s *profiler.Stats, most int, d detail) htmlTable {
	longest := make([]float64, 0, len(s.Functions))
	for _, f := range s.Functions {
		longest = append(longest, float64(f.Compile.Total))
	}
	u := unitOf(longest...)
	table := htmlTable{Title: "Compilation",
		Columns: []htmlColumn{u.column("total"), u.column("rewriting"), u.column("validation"), u.column("linking"),
			u.column("thunks"), {Name: "function", Text: true}}}
	if g := s.Globals; g != nil {
		table.Note = "The program started " + units.Human(units.Times, float64(g.Since)) + " ago."
		if g.Grad > 0 {
			table.Note += " All calls of grad() took " + units.Human(units.Times, float64(g.Grad)) + "."
		}
	}
	for _, f := range s.Functions[:min(most, len(s.Functions))] {
		c := f.Compile
		cell := func(t time.Duration) htmlCell { return u.cell(float64(t)) }
		table.Rows = append(table.Rows,
			[]htmlCell{cell(c.Total), cell(c.Rewrite), cell(c.Validate), cell(c.Link), cell(f.MakeThunkTime()), d.code(f.Title())})
	}
	table.More = more(len(s.Functions) - most)
	return table
}

func rewriteTable(passes []profiler.RewritePass, most int, d detail) htmlTable {
	rules := profiler.RewriteRules(passes)
	var longest, total float64
	for _, r := range rules {
		longest = max(longest, float64(r.NS))
		total += float64(r.NS)
	}
	u := unitOf(longest)
	table := htmlTable{Title: "Rewrites",
		Columns: []htmlColumn{{Name: "time," + units.NBSP + "%", Bar: true}, u.column("time"), {Name: "applied"}, {Name: "tried"},
			{Name: "rule", Text: true}}}
	for _, r := range rules[:min(most, len(rules))] {
		table.Rows = append(table.Rows,
			[]htmlCell{bar(units.Ratio(float64(r.NS), total), ""), u.cell(float64(r.NS)), num(units.Grouped(int64(r.Fired))),
				num(units.Grouped(int64(r.Tried))), d.code(r.Name)})
	}
	table.More = more(len(rules) - most)
	return table
}
