package panel

import (
	"fmt"
	"strings"

	"github.com/arignote/arignote/profiler/units"
)

// cellMemory has the memory of the cell's arrays: over time, by line, and what names keep.
func (v *view) cellMemory() (fold, bool) {
	if v.Cell == nil || v.Cell.Memory == nil || len(v.Cell.Memory.Lines) == 0 {
		return fold{}, false
	}
	m, total := v.Cell.Memory, v.Cell.Memory.Total()
	f := fold{Title: "Memory of the cell", Facts: fmt.Sprintf("peak %s, %s kept", humanBytes(m.Peak), humanBytes(total.Kept)), Open: true,
		Caption: "Blocks of arrays of more than 32 kB, as the allocator counts them, by the line of the cell that ran. Kept is what is in use after the cell."}
	if v.pictures && len(m.Series) > 1 {
		c := curve{x: []float64{0}, colour: blue, fill: true}
		for _, p := range m.Series {
			c.x, c.y = append(c.x, float64(p.Until)), append(c.y, float64(p.Bytes))
		}
		end := units.Human(units.Times, c.x[len(c.x)-1])
		f.Picture = chart{curves: []curve{c}, x: end, y: "bytes of arrays of the cell in use, at most " + humanBytes(m.Peak),
			alt: fmt.Sprintf("Bytes of arrays in use during %s; at most %s.", end, humanBytes(m.Peak))}.draw()
	}
	lines := table{Title: "By line", Columns: []column{{Name: "line", Text: true}, {Name: header("of the peak", "%"), Bar: true}, {Name: "at the peak"}, {Name: "allocated"},
		{Name: "blocks"}, {Name: "kept"}, {Name: "source", Text: true}}}
	most := min(v.rows(v.opts.NApply), len(m.Lines))
	for _, l := range m.Lines[:most] {
		at, share := "(no line)", units.Ratio(float64(l.AtPeak), float64(total.AtPeak))
		if l.Line > 0 {
			at = place(l.File, l.Line, v.width)
		}
		lines.Rows = append(lines.Rows, []cell{words(at), bar(share, segment{blue, share}), num(humanBytes(l.AtPeak)), num(humanBytes(l.Allocated)),
			num(units.Grouped(l.Blocks)), num(humanBytes(l.Kept)), v.source1(v.SourceLine(l.File, l.Line))})
		if why := l.Needless(); why != nil {
			last := lines.Rows[len(lines.Rows)-1]
			last[len(last)-1].Note = strings.Join(why, "; ")
		}
	}
	if left := len(m.Lines) - most; left > 0 {
		lines.More = "and " + units.Plural(int64(left), "more line") + ": " + allRows
	}
	f.Tables = []table{lines}
	if len(m.Names) > 0 {
		names := table{Title: "What the cell leaves behind", Columns: []column{{Name: "name", Text: true}, {Name: "bytes"}}}
		for _, n := range m.Names[:min(v.rows(v.opts.NApply), len(m.Names))] {
			names.Rows = append(names.Rows, []cell{v.code(n.Name), num(humanBytes(n.Bytes))})
		}
		f.Tables = append(f.Tables, names)
	}
	return f, true
}
