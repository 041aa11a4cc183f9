package panel

import (
	"fmt"
	"strings"
	"time"

	"github.com/arignote/arignote/profiler/units"
)

// cellFacts say where the wall time of the cell went, "" if nobody knows.
func (v *view) cellFacts() string {
	if v.Cell == nil {
		return ""
	}
	wall := units.Human(units.Times, float64(v.Cell.Wall)) + " of wall time"
	if !v.Cell.Sampled() {
		return wall
	}
	var parts []string
	for _, p := range v.Cell.Parts() {
		parts = append(parts, string(p.Kind)+" "+units.Share(v.Cell.Share(p.Time)))
	}
	return wall + ": " + strings.Join(parts, ", ")
}

// cell has the parts of the cell's wall time, and its lines whatever ran them.
func (v *view) cell() (fold, bool) {
	c := v.Cell
	if !c.Sampled() {
		return fold{}, false
	}
	f := fold{Title: "Cell", Facts: units.Human(units.Times, float64(c.Wall)) + " of wall time", Open: true, Caption: "Sampled every millisecond."}
	if glanced := c.Glanced(); glanced != "" {
		f.Caption = strings.ToUpper(glanced[:1]) + glanced[1:] + "."
	}
	kinds := table{Columns: []column{{Name: "kind", Text: true}, {Name: header("time", "%"), Bar: true}, {Name: "time"}}}
	for _, p := range c.Parts() {
		share := c.Share(p.Time)
		kinds.Rows = append(kinds.Rows, []cell{words(string(p.Kind)), bar(share, segment{blue, share}), num(units.Human(units.Times, float64(p.Time)))})
	}
	most := v.rows(v.opts.NApply)
	spent := table{Title: "What it was spent in", Columns: []column{{Name: "spent in", Text: true}, {Name: header("time", "%"), Bar: true}, {Name: "time"}, {Name: "kind", Text: true},
		{Name: "most of it at", Text: true}}}
	rows := c.Rows()
	var notShown time.Duration
	for i, r := range rows {
		if i >= most {
			notShown += r.Time
			continue
		}
		at, share := "", c.Share(r.Time)
		if r.Line > 0 {
			at = place(r.File, r.Line, v.width)
		}
		spent.Rows = append(spent.Rows, []cell{v.code(r.Title()), bar(share, segment{blue, share}), num(units.Human(units.Times, float64(r.Time))), words(string(r.Kind)), words(at)})
	}
	if left := len(rows) - len(spent.Rows); left > 0 {
		spent.More = fmt.Sprintf("and %s, %s", units.Plural(int64(left), "more row"), units.Share(c.Share(notShown)))
	}
	lines := table{Title: "Lines of the cell, with all that they called", Columns: []column{{Name: "line", Text: true}, {Name: header("time", "%"), Bar: true}, {Name: "time"}}}
	if c.Hits != nil {
		lines.Columns = append(lines.Columns, column{Name: "hits"}, column{Name: "per hit"})
	}
	lines.Columns = append(lines.Columns, column{Name: "in", Text: true}, column{Name: "source", Text: true})
	all := c.Lines()
	most = min(most, len(all))
	for _, l := range all[:most] {
		share := c.Share(l.Time)
		row := []cell{words(place(l.File, l.Line, v.width)), bar(share, segment{blue, share}), num(units.Human(units.Times, float64(l.Time)))}
		if c.Hits != nil {
			row = append(row, num(units.Grouped(l.Hits)), num(units.Human(units.Times, float64(l.PerHit()))))
		}
		lines.Rows = append(lines.Rows, append(row, v.spent(l.What()), v.source1(v.SourceLine(l.File, l.Line))))
	}
	if left := len(all) - most; left > 0 {
		rest := time.Duration(0)
		for _, l := range all[most:] {
			rest += l.Time
		}
		lines.More = fmt.Sprintf("and %s, %s: %s", units.Plural(int64(left), "more line"), units.Share(c.Share(rest)), allRows)
	}
	f.Tables = []table{kinds, spent}
	if len(all) > 0 {
		f.Tables = append(f.Tables, lines)
	}
	if faster := v.ifFaster(); len(faster.Rows) > 0 {
		f.Tables = append(f.Tables, faster)
	}
	return f, true
}

// ifFaster has how long the cell takes if one of its dearest lines takes half, and without it.
func (v *view) ifFaster() table {
	const most = 5
	t := table{Title: "The cell if one line, with what it calls, were twice as fast, or gone", Columns: []column{{Name: "line", Text: true}, {Name: "half"}, {Name: "gone"},
		{Name: "source", Text: true}}}
	list := v.Cell.IfFaster(2)
	for _, f := range list[:min(most, len(list))] {
		t.Rows = append(t.Rows, []cell{words(place(f.File, f.Line, v.width)), num(units.Human(units.Times, float64(f.Then))), num(units.Human(units.Times, float64(max(f.Gone, 0)))),
			v.source1(v.SourceLine(f.File, f.Line))})
	}
	return t
}

// spent is what a line spent its time in, on one line if it is short.
func (d detail) spent(what string) cell {
	c := d.code(what)
	if units.Width(c.Value) <= 24 {
		c.Style += ";white-space:nowrap"
	}
	return c
}

// source1 is a line of a program by itself, without its indentation.
func (d detail) source1(text string) cell {
	return cell{Value: units.Short(units.OneLine(strings.TrimSpace(text)), min(d.width, 100)), Text: true, Source: true}
}
