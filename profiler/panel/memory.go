package panel

import (
	"fmt"
	"slices"
	"strings"

	"github.com/arignote/arignote/profiler"
	"github.com/arignote/arignote/profiler/units"
	"github.com/arignote/arignote/runtime/tensor"
)

// codesText says what the letters of operands' results are.
const codesText = "c created, i overwrites an operand, v view: no bytes of its own."

func humanBytes(b int64) string { return units.Human(units.Bytes, float64(b)) }

// memory says what a call needs, when, and what makes it.
func (v *view) memory() (fold, bool) {
	use, ok := v.MemoryUse()
	if !ok && use.Real == 0 {
		return fold{}, false
	}
	f := fold{Title: "Memory", Facts: "measured peak " + humanBytes(use.Real), Tables: []table{v.peaksTable(use, ok)}}
	if !ok {
		f.Caption = "The flag memory records shapes, and shows what makes the peak."
		return f, true
	}
	f.Facts = "peak " + humanBytes(use.Most())
	if use.Real > 0 {
		f.Facts += ", of that values " + humanBytes(use.Peak)
	}
	if use.Lowest > 0 && use.Lowest < use.Peak {
		f.Facts += ", " + humanBytes(use.Lowest) + " in another order"
	}
	var largest profiler.Timeline
	for _, fn := range v.Functions {
		if t, ok := fn.Timeline(); ok && (largest.Function == nil || t.Peak > largest.Peak) {
			largest = t
		}
	}
	if v.pictures && largest.Peak > 0 {
		f.Picture = timelineChart(largest, use)
	}
	if len(largest.AtPeak) > 0 {
		f.Tables = append(f.Tables, v.aliveTable(largest))
	}
	f.Tables = append(f.Tables, v.memoryLinesTable(), v.outputsTable())
	f.Caption = codesText
	return f, true
}

// timelineChart shows the bytes that live while each node runs.
func timelineChart(t profiler.Timeline, use profiler.MemoryUse) *picture {
	during := curve{x: []float64{0}, colour: blue, fill: true}
	after := curve{x: []float64{0}, colour: grey}
	for i := range t.During {
		during.x, after.x = append(during.x, float64(i+1)), append(after.x, float64(i+1))
		during.y, after.y = append(during.y, float64(t.During[i])), append(after.y, float64(t.After[i]))
	}
	at := float64(t.PeakNode) + .5
	who := t.Function.Nodes[t.PeakNode]
	text := fmt.Sprintf("%s at %s", humanBytes(t.Peak), units.Short(units.OneLine(who.Op), 30))
	if line := lineText(who.Origin, 40); line != "" {
		text += ", " + line
	}
	c := chart{curves: []curve{during, after}, x: units.Plural(int64(len(t.During)), "node"), y: "bytes alive in " + units.Short(units.OneLine(t.Function.Title()), 40) + ", node by node",
		marks: []mark{{at, float64(t.Peak), text}},
		alt: fmt.Sprintf("Bytes that live while each of %s runs, and when it has run (grey), by a replay, whose peak is %s.",
			units.Plural(int64(len(t.During)), "node"), text)}
	// A line that is far above would flatten the rest.
	if use.Real > 0 && use.Real < 3*t.Peak {
		c.level, c.levelText = float64(use.Real), "measured "+humanBytes(use.Real)
	}
	if use.Real > 0 {
		c.alt += " Measured were " + humanBytes(use.Real) + ", with what kernels took and what is kept for the next call."
	}
	return c.draw()
}

// peaksTable has what is known of a call's memory, one a row.
func (v *view) peaksTable(use profiler.MemoryUse, recorded bool) table {
	t := table{Columns: []column{{Name: "memory", Text: true}, {Name: "bytes"}, {}, {Name: "what", Text: true}}}
	for _, r := range []struct {
		name  string
		bytes int64
		about string
		shown bool // even if it is 0
	}{
		{"measured", use.Real, "the most at once of any call, with workspaces and what is kept", false},
		{"values", use.Peak, "by a replay of the shapes of the last call", recorded},
		{"without inplace", use.NoInplace, "if no node overwrote its operands: optimizer_excluding=inplace", recorded},
		{"without freeing", use.NoGC, "if everything lived until the end of the call: allow_gc=False", recorded},
		{"in greedy order", use.Greedy, "each time the node that leaves the least alive", false},
		{"in the best order", use.Lowest, "the lowest peak that a search found", false},
		{"in any order", use.LowerBound, "no order has a lower peak", false},
		{"kept", use.Held, "of what was measured: for the next call", false},
		{"for the call", max(use.Real-use.Held, 0), "of what was measured: the rest", false},
		{"workspace", use.Workspace, "of what was measured: what kernels took for themselves, for the call or for the next too", false},
		{"results", use.Results, "of what was measured: what the last call returned", false},
		{"arguments", use.Inputs, "there anyway, not counted above", false},
		{"shared variables", use.Shared, "there anyway, not counted above", false},
		{"constants", use.Constants, "there anyway, not counted above", false},
	} {
		if r.bytes > 0 || r.shown {
			t.Rows = append(t.Rows, []cell{words(r.name), num(units.Grouped(r.bytes)), num(humanBytes(r.bytes)), {Value: r.about, Text: true}})
		}
	}
	return t
}

// aliveTable has what lives at the peak.
func (v *view) aliveTable(t profiler.Timeline) table {
	a := table{Title: "Alive at the peak of the replay", Columns: []column{{Name: "bytes"}, {Name: header("of it", "%"), Bar: true}, {Name: "until", Text: true},
		{Name: "line", Text: true}, {Name: "node", Text: true}}}
	most := v.rows(v.opts.NApply) / 2
	for _, l := range t.AtPeak[:min(max(most, 1), len(t.AtPeak))] {
		share, until := units.Ratio(float64(l.Bytes), float64(t.Peak)), "it is used up"
		if l.Kept {
			until = "the end"
		}
		a.Rows = append(a.Rows, []cell{num(units.Grouped(l.Bytes)), bar(share, segment{blue, share}), words(until),
			words(lineText(l.Node.Origin, v.width)), v.node(l.Node)})
	}
	a.More = more(len(t.AtPeak) - len(a.Rows))
	return a
}

// memoryLinesTable has the memory of each line of the user's.
func (v *view) memoryLinesTable() table {
	rows := v.MemoryLines()
	t := table{Title: "Lines, at the peak of the replay", Columns: []column{{Name: header("of it", "%"), Bar: true}, {Name: "bytes"}, {Name: "created"},
		{Name: "allocated", Title: "really, in all calls together"}, {Name: "line", Text: true}, {Name: "source", Text: true}}}
	most := v.rows(v.opts.NApply)
	for _, r := range rows[:min(most, len(rows))] {
		line := "no line of yours"
		if r.Line > 0 {
			line = place(r.File, r.Line, v.width)
		}
		t.Rows = append(t.Rows, []cell{bar(r.Share, segment{blue, r.Share}), num(units.Grouped(r.AtPeak)), num(units.Grouped(r.Created)),
			num(units.Human(units.Bytes, r.New)), words(line), v.code(strings.TrimSpace(r.Source))})
	}
	t.More = more(len(rows) - most)
	return t
}

// outputsTable has what each node puts out, the largest first.
func (v *view) outputsTable() table {
	rows, total := v.MemoryRows()
	t := table{Title: "Outputs", Columns: []column{{Name: "bytes"}, {Name: header("share", "%"), Bar: true}, {Name: "c/i/v", Text: true},
		{Name: "shapes", Text: true}, {Name: "line", Text: true}, {Name: "node", Text: true}}}
	scoped := slices.ContainsFunc(rows, func(r profiler.MemoryRow) bool { return r.Node.Scopes() != nil })
	if scoped {
		t.Columns = append(t.Columns, column{Name: "scope", Text: true})
	}
	var largest float64
	if len(rows) > 0 {
		largest = float64(rows[0].Bytes)
	}
	most := v.rows(v.opts.NApply)
	for _, r := range rows[:min(most, len(rows))] {
		var list []string
		for _, o := range r.Node.Outputs {
			list = append(list, tensor.ShapeString(o.Shape))
		}
		t.Rows = append(t.Rows, []cell{num(units.Grouped(r.Bytes)),
			bar(units.Ratio(float64(r.Bytes), float64(total)), segment{blue, units.Ratio(float64(r.Bytes), largest)}),
			words(strings.Join(r.Node.Codes(), " ")), words(units.Short(strings.Join(list, " "), min(v.width, 80))),
			words(lineText(r.Node.Origin, v.width)), v.node(r.Node)})
		if last := len(t.Rows) - 1; scoped {
			t.Rows[last] = append(t.Rows[last], words(units.Short(units.OneLine(strings.Join(r.Node.Scopes(), ", ")), min(v.width, 60))))
		}
	}
	t.More = more(len(rows) - most)
	return t
}
