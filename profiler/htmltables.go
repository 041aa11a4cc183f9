package profiler

import (
	"fmt"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/arignote/arignote/runtime/tensor"
)

// durations writes times in one unit.
type durations struct{ unit unit }

func unitOf(ns ...float64) durations { return durations{unitFor(timeUnits, slices.Max(append(ns, 0)))} }

func (u durations) column(name string) htmlColumn {
	return htmlColumn{Name: strings.ReplaceAll(name, " ", nbsp) + "," + nbsp + u.unit.name}
}

func (u durations) cell(ns float64) htmlCell { return num(digits(ns / u.unit.size)) }

// callsTable has a row for each function.
func callsTable(s *Stats, t *Function, d detail) htmlTable {
	var longest, perCall float64
	for _, f := range s.Functions {
		longest = max(longest, f.CallTime)
		perCall = max(perCall, ratio(f.CallTime, float64(f.Calls)))
	}
	total, each := unitOf(longest), unitOf(perCall)
	table := htmlTable{Title: "Function",
		Columns: []htmlColumn{{Name: "calls"}, total.column("time"), each.column("per call"), each.column("shortest"),
			each.column("longest"),
			{Name: "loop," + nbsp + "%"}, {Name: "thunks," + nbsp + "%"}, {Name: "nodes"}, {Name: "failed"},
			{Name: "function", Text: true}}}
	const most = 20
	for _, f := range s.Functions[:min(most, len(s.Functions))] {
		table.Rows = append(table.Rows,
			[]htmlCell{num(grouped(f.Calls)), total.cell(f.CallTime), each.cell(ratio(f.CallTime, float64(f.Calls))),
				each.cell(f.CallMin), each.cell(f.CallMax),
				num(oneDecimal(percent(ratio(f.RunTime, f.CallTime)))), num(oneDecimal(percent(ratio(f.ThunkTime(), f.CallTime)))),
				num(grouped(int64(len(f.Nodes)))), num(grouped(f.Failed)), d.code(f.title())})
	}
	table.More = more(len(s.Functions) - most)
	return table
}

func oneDecimal(v float64) string { return strconv.FormatFloat(v, 'f', 1, 64) }

func more(n int) string {
	if n <= 0 {
		return ""
	}
	return "... " + grouped(int64(n)) + " more"
}

// moreRows tells what rows beyond shown take.
func moreRows(rows []Row, shown int) string {
	left, sum := remaining(rows, shown)
	if left == 0 {
		return ""
	}
	return fmt.Sprintf("... %s more: %s, %s", grouped(int64(left)), human(timeUnits, sum.Time), share(sum.Fraction))
}

func longestOf(rows []Row) (total, perCall durations) {
	var t, c float64
	for _, r := range rows {
		t, c = max(t, r.Time), max(c, r.PerCall)
	}
	return unitOf(t), unitOf(c)
}

func groupTable(title, kind string, rows []Row, most int, d detail) htmlTable {
	total, each := longestOf(rows)
	table := htmlTable{Title: title, More: moreRows(rows, most),
		Columns: []htmlColumn{{Name: "time," + nbsp + "%", Bar: true}, {Name: "sum," + nbsp + "%"}, total.column("time"),
			each.column("per call"),
			{Name: "type", Text: true}, {Name: "calls"}, {Name: "nodes"}, {Name: kind, Text: true}}}
	for _, r := range rows[:min(most, len(rows))] {
		table.Rows = append(table.Rows,
			[]htmlCell{bar(r.Fraction, r.Type), num(oneDecimal(percent(r.Cumulative))), total.cell(r.Time), each.cell(r.PerCall),
				text(strings.TrimSpace(r.Type)), num(grouped(r.Calls)), num(grouped(int64(r.Applies))), d.code(r.Name)})
	}
	return table
}

func applyTable(rows []Row, most int, d detail) htmlTable {
	total, each := longestOf(rows)
	shown := rows[:min(most, len(rows))]
	var flops float64
	known, lines, functions := false, false, false
	for _, r := range shown {
		if f, ok := r.Node.FlopsPerCall(); ok {
			known, flops = true, max(flops, f)
		}
		lines = lines || r.Node.Origin.place() != ""
		functions = functions || r.Function != ""
	}
	size := unitFor(flopUnits, flops)
	table := htmlTable{Title: "Apply", More: moreRows(rows, most),
		Columns: []htmlColumn{{Name: "id"}, {Name: "time," + nbsp + "%", Bar: true}, {Name: "sum," + nbsp + "%"},
			total.column("time"), each.column("per call"), {Name: "type", Text: true}, {Name: "calls"}}}
	if known {
		table.Columns = append(table.Columns, htmlColumn{Name: size.name}, htmlColumn{Name: "Gflop/s"}, htmlColumn{Name: "GB/s"})
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
		perCall.Title = fmt.Sprintf("shortest %s, median %s, longest %s", human(timeUnits, n.Min), human(timeUnits, n.Median()),
			human(timeUnits, n.Max))
		cells := []htmlCell{num(strconv.Itoa(r.ID)), bar(r.Fraction, r.Type), num(oneDecimal(percent(r.Cumulative))),
			total.cell(r.Time), perCall, text(strings.TrimSpace(r.Type)), num(grouped(r.Calls))}
		if known {
			if f, ok := n.FlopsPerCall(); ok {
				bytes, _ := n.BytesPerCall()
				cells = append(cells, num(digits(f/size.size)), num(digits(n.perNanosecond(f))),
					num(digits(n.perNanosecond(bytes))))
			} else {
				cells = append(cells, num(""), num(""), num(""))
			}
		}
		if functions {
			cells = append(cells, d.code(r.Function))
		}
		if lines {
			c := text(cutText(lineText(n.Origin), 60))
			c.Title = cutText(strings.Join(n.Origin.Merged, ", "), d.width)
			cells = append(cells, c)
		}
		table.Rows = append(table.Rows, append(cells, d.code(r.Name)))
	}
	return table
}

// lineText is file:line, and what the node was made for if the user did not write it.
func lineText(o Origin) string {
	s := oneLine(o.place())
	if s == "" {
		return ""
	}
	if o.Role != "" && o.Role != "forward" {
		s += " " + o.Role
	}
	return s
}

func memoryTable(s *Stats, use MemoryUse, most int, d detail) htmlTable {
	rows, total := s.MemoryRows()
	table := htmlTable{Title: "Memory",
		Columns: []htmlColumn{{Name: "bytes"}, {Name: "share," + nbsp + "%", Bar: true}, {Name: "c/i/v", Text: true},
			{Name: "shapes", Text: true}, {Name: "apply", Text: true}}}
	table.Note = fmt.Sprintf("Peak of a call %s; without inplace %s; if nothing were freed %s. c created, i overwrites an operand, v view (no bytes).",
		human(bytesUnits, float64(use.Peak)), human(bytesUnits, float64(use.NoInplace)), human(bytesUnits, float64(use.NoGC)))
	for _, r := range rows[:min(most, len(rows))] {
		fraction := ratio(float64(r.Bytes), float64(total))
		b := bar(fraction, "")
		var list []string
		for _, o := range r.Node.Outputs {
			list = append(list, tensor.ShapeString(o.Shape))
		}
		table.Rows = append(table.Rows,
			[]htmlCell{num(grouped(r.Bytes)), b, text(strings.Join(r.Node.Codes(), " ")),
				text(cutText(strings.Join(list, " "), 80)), d.code(r.Node.Text)})
	}
	table.More = more(len(rows) - most)
	return table
}

func compileTable(s *Stats, most int, d detail) htmlTable {
	longest := make([]float64, 0, len(s.Functions))
	for _, f := range s.Functions {
		longest = append(longest, float64(f.Compile.Total))
	}
	u := unitOf(longest...)
	table := htmlTable{Title: "Compilation",
		Columns: []htmlColumn{u.column("total"), u.column("rewriting"), u.column("validation"), u.column("linking"),
			u.column("thunks"), {Name: "function", Text: true}}}
	if g := s.Globals; g != nil {
		table.Note = "The program started " + human(timeUnits, float64(g.Since)) + " ago."
		if g.Grad > 0 {
			table.Note += " All calls of grad() took " + human(timeUnits, float64(g.Grad)) + "."
		}
	}
	for _, f := range s.Functions[:min(most, len(s.Functions))] {
		c := f.Compile
		cell := func(t time.Duration) htmlCell { return u.cell(float64(t)) }
		table.Rows = append(table.Rows,
			[]htmlCell{cell(c.Total), cell(c.Rewrite), cell(c.Validate), cell(c.Link), cell(f.MakeThunkTime()), d.code(f.title())})
	}
	table.More = more(len(s.Functions) - most)
	return table
}

func rewriteTable(passes []RewritePass, most int, d detail) htmlTable {
	rules := RewriteRules(passes)
	var longest, total float64
	for _, r := range rules {
		longest = max(longest, float64(r.NS))
		total += float64(r.NS)
	}
	u := unitOf(longest)
	table := htmlTable{Title: "Rewrites",
		Columns: []htmlColumn{{Name: "time," + nbsp + "%", Bar: true}, u.column("time"), {Name: "applied"}, {Name: "tried"},
			{Name: "rule", Text: true}}}
	for _, r := range rules[:min(most, len(rules))] {
		table.Rows = append(table.Rows,
			[]htmlCell{bar(ratio(float64(r.NS), total), ""), u.cell(float64(r.NS)), num(grouped(int64(r.Fired))),
				num(grouped(int64(r.Tried))), d.code(r.Name)})
	}
	table.More = more(len(rules) - most)
	return table
}
