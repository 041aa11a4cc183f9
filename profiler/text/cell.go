package text

import (
	"cmp"
	"fmt"
	"path"
	"slices"
	"strings"
	"time"

	"github.com/arignote/arignote/profiler"
	"github.com/arignote/arignote/profiler/units"
)

// cell says where the wall time of a notebook's cell went, and which lines it was.
func (p *printer) cell(c *profiler.Cell) {
	title := units.Middle("Profile of all of "+units.OneLine(path.Base(c.Name)), p.opts.LineWidth)
	p.line("%s", title)
	p.line("%s", strings.Repeat("=", units.Width(title)))
	p.cellTime(c)
	p.line("")
	if c.Sampled() {
		p.cells(c)
		p.spent(c, p.opts.NLines)
	}
	defer p.cellMemory(c.Memory, p.opts.NLines)
	defer p.ifFaster(c)
	lines := c.Lines()
	if len(lines) == 0 {
		return
	}
	shown := lines[:min(p.opts.NLines, len(lines))]
	t := lineTable(c, "Lines of the cell, whatever ran them, to the millisecond")
	for _, l := range shown {
		p.cellLine(&t, c, l, place(l.File, l.Line, maxText), units.Middle(units.OneLine(l.What()), 2*maxText))
	}
	if left := len(lines) - len(shown); left > 0 {
		t.more = "... " + units.Plural(int64(left), "more line")
	}
	p.table(t)
}

// lineTable is the head of a table of the cell's lines: with columns of how often they ran if that
// was counted.
func lineTable(c *profiler.Cell, title string) table {
	t := table{title: title, columns: []column{{name: "time%"}, {name: "", left: true}, {name: "ms"}}}
	if c.Hits != nil {
		t.columns = append(t.columns, column{name: "hits"}, column{name: "per hit"})
	}
	t.columns = append(t.columns, column{name: "line", left: true}, column{name: "in", left: true}, column{name: "source", left: true})
	return t
}

// cellLine writes a line of the cell into such a table.
func (p *printer) cellLine(t *table, c *profiler.Cell, l profiler.CellLine, place, in string) {
	share := c.Share(l.Time)
	cells := []string{percent(share), bar(share), count(millis(l.Time))}
	if c.Hits != nil {
		hits, each := "", ""
		if l.Hits > 0 {
			hits = count(l.Hits)
		}
		if d := l.PerHit(); d > 0 {
			each = units.Plain(units.Human(units.Times, float64(d)))
		}
		cells = append(cells, hits, each)
	}
	t.row(sourceName(p.stats.SourceLine(l.File, l.Line)), append(cells, place, in)...)
}

// spent has a row for each function that took some of the wall time, for Starlark and for the rest,
// at most so many.
func (p *printer) spent(c *profiler.Cell, most int) (hidden bool) {
	rows := c.Rows()
	var shares []float64
	for _, r := range rows {
		shares = append(shares, c.Share(r.Time))
	}
	n := p.briefly(shares, most)
	t := table{title: "What the wall time was spent in", listing: true,
		columns: []column{{name: "time%"}, {name: "", left: true}, {name: "ms"}, {name: "most at", left: true}, {name: "kind", left: true}, {name: "in", left: true}}}
	for i, r := range rows[:n] {
		at, kind := "", ""
		if r.Line > 0 {
			at = place(path.Base(r.File), r.Line, maxText)
		}
		if r.Name != "" {
			kind = string(r.Kind)
		}
		t.row(plainName(r.Title()), percent(shares[i]), bar(shares[i]), count(millis(r.Time)), at, kind)
	}
	t.more = left(shares, n, "row")
	p.table(t)
	return t.more != ""
}

// millis is a time to the millisecond, as the panel rounds it.
func millis(d time.Duration) int64 { return d.Round(time.Millisecond).Milliseconds() }

// cells has a row for each cell of a script, in their order: which took what, and what the dearest
// was in it.
func (p *printer) cells(c *profiler.Cell) {
	if len(c.Cells) < 2 {
		return
	}
	t := table{title: "Cells", listing: true,
		columns: []column{{name: "time%"}, {name: "", left: true}, {name: "ms"}, {name: "cell"}, {name: "line"}, {name: "dearest", left: true}, {name: "begins", left: true}}}
	most := p.opts.NLines
	if p.opts.Brief {
		most = sampledRows
	}
	order := slices.Clone(c.Cells)
	slices.SortStableFunc(order, func(a, b profiler.Cell) int { return cmp.Compare(b.Wall, a.Wall) })
	var shares []float64
	for _, cell := range order {
		shares = append(shares, c.Share(cell.Wall))
	}
	n := min(most, len(order))
	if p.opts.Brief {
		n = p.briefly(shares, most)
	}
	least := order[n-1].Wall
	for i, cell := range c.Cells {
		if cell.Wall < least {
			continue
		}
		in := ""
		if rows := cell.Rows(); len(rows) > 0 {
			in = rows[0].Title()
		}
		share := c.Share(cell.Wall)
		name, line := count(int64(i+1)), count(int64(cell.Line))
		if cell.Name != c.Name { // of a notebook
			name, line = units.Middle(units.OneLine(path.Base(cell.Name)), maxText), ""
		}
		t.row(sourceName(p.stats.FirstCode(cell.Name, cell.Line)), percent(share), bar(share), count(millis(cell.Wall)), name, line,
			units.Middle(units.OneLine(in), maxText))
	}
	t.more = left(shares, n, "cell")
	p.table(t)
}

// ifFaster has how long the cell takes if one of its dearest lines takes half, and without it.
func (p *printer) ifFaster(c *profiler.Cell) {
	const most = 5
	list := c.IfFaster(2)
	t := table{title: "The cell if one line, with what it calls, were twice as fast, or gone", listing: true,
		columns: []column{{name: "half"}, {name: "gone"}, {name: "line", left: true}, {name: "source", left: true}}}
	for _, f := range list[:min(most, len(list))] {
		t.row(sourceName(p.stats.SourceLine(f.File, f.Line)), duration(float64(f.Then)), duration(float64(max(f.Gone, 0))), place(f.File, f.Line, maxText))
	}
	if len(list) > 0 {
		p.table(t)
	}
}

// cellTime writes the wall time, where it went if that is known, and what it was before.
func (p *printer) cellTime(c *profiler.Cell) {
	defer func() {
		if before := c.SinceBefore(); before != "" {
			p.field("was", "%s", before)
		}
		if glanced := c.Glanced(); glanced != "" {
			p.field("sampled", "%s", glanced)
		}
	}()
	if !c.Sampled() {
		p.field("wall", "%s", duration(float64(c.Wall)))
		return
	}
	var parts []string
	for _, part := range c.Parts() {
		parts = append(parts, fmt.Sprintf("%s %s (%s)", part.Kind, duration(float64(part.Time)), units.Share(c.Share(part.Time))))
	}
	p.field("wall", "%s = %s", duration(float64(c.Wall)), strings.Join(parts, " + "))
}
