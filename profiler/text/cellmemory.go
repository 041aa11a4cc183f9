package text

import (
	"path"
	"strings"

	"github.com/arignote/arignote/profiler"
	"github.com/arignote/arignote/profiler/units"
)

// cellMemory has the lines of the cell with the most memory, and the names that keep some.
func (p *printer) cellMemory(m *profiler.CellMemory, most int) (hidden bool) {
	if m == nil || len(m.Lines) == 0 {
		return false
	}
	total := m.Total()
	t := table{title: "Memory of arrays, by line: " + units.Plain(memoryFacts(m)), listing: true,
		columns: []column{{name: "peak%"}, {name: "", left: true}, {name: "at peak"}, {name: "allocated"}, {name: "blocks"}, {name: "kept"}, {name: "line", left: true}, {name: "source", left: true}}}
	shares := make([]float64, len(m.Lines))
	for i, l := range m.Lines {
		shares[i] = units.Ratio(float64(l.AtPeak), float64(total.AtPeak))
	}
	n := min(most, len(m.Lines))
	for i, l := range m.Lines[:n] {
		at := "(no line)"
		if l.Line > 0 {
			at = place(path.Base(l.File), l.Line, maxText)
		}
		t.row(sourceName(p.stats.SourceLine(l.File, l.Line)), percent(shares[i]), bar(shares[i]), size(l.AtPeak), size(l.Allocated), count(l.Blocks), size(l.Kept), at).
			note(strings.Join(l.Needless(), "; "))
	}
	t.more = left(shares, n, "line")
	p.table(t)
	return t.more != ""
}

// memoryFacts are the peak, the sum and what is left behind.
func memoryFacts(m *profiler.CellMemory) string {
	total := m.Total()
	facts := "peak " + size(m.Peak) + " of " + size(total.Allocated) + " in " + units.Plural(total.Blocks, "block") + ", " + size(total.Kept) + " kept"
	var names []string
	for _, n := range m.Names[:min(len(m.Names), 3)] {
		names = append(names, units.Short(units.OneLine(n.Name), 30)+" "+size(n.Bytes))
	}
	if len(names) > 0 {
		facts += " (" + strings.Join(names, ", ")
		if len(m.Names) > len(names) {
			facts += ", ..."
		}
		facts += ")"
	}
	return facts
}

// size writes bytes, nothing for none.
func size(bytes int64) string {
	if bytes == 0 {
		return "0"
	}
	return strings.ReplaceAll(units.Plain(units.Human(units.Bytes, float64(bytes))), " ", "")
}
