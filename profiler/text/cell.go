package text

import (
	"fmt"
	"path"
	"strings"

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
	lines := c.Lines()
	if len(lines) == 0 {
		return
	}
	shown := lines[:min(p.opts.NLines, len(lines))]
	t := table{title: "Lines of the cell, whatever ran them, to the millisecond",
		columns: []column{{name: "time%"}, {name: "", left: true}, {name: "ms"}, {name: "line", left: true}, {name: "in", left: true}, {name: "source", left: true}}}
	for _, l := range shown {
		share := c.Share(l.Time)
		t.row(sourceName(p.stats.SourceLine(l.File, l.Line)), percent(share), bar(share), fmt.Sprint(l.Time.Milliseconds()), place(l.File, l.Line, mostText), units.Middle(units.OneLine(l.What()), 2*mostText))
	}
	if left := len(lines) - len(shown); left > 0 {
		t.more = "... " + units.Plural(int64(left), "more line")
	}
	p.table(t)
}

// cellTime writes the wall time, and where it went if that is known.
func (p *printer) cellTime(c *profiler.Cell) {
	if !c.Sampled() {
		p.field("wall", "%s", duration(float64(c.Wall)))
		return
	}
	var parts []string
	for _, part := range c.Parts() {
		about := units.Share(c.Share(part.Time))
		if part.Dearest != "" {
			about += ", " + units.Middle(units.OneLine(part.Dearest), mostText)
		}
		parts = append(parts, fmt.Sprintf("%s %s (%s)", part.Kind, duration(float64(part.Time)), about))
	}
	p.field("wall", "%s = %s", duration(float64(c.Wall)), strings.Join(parts, " + "))
}
