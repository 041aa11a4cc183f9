package text

import (
	"slices"
	"strings"

	"github.com/arignote/arignote/profiler"
	"github.com/arignote/arignote/profiler/units"
)

// memoryUse is the memory profile of our own layout. Numbers that nobody looked for are left out.
func (p *printer) memoryUse() {
	use, shapes := p.stats.MemoryUse()
	if !shapes && use.Real == 0 {
		if p.sized() {
			p.line("Memory: nothing was recorded (%s)", p.stats.WhyUnsized())
			p.line("")
		}
		return
	}
	p.line("Memory")
	bytes := func(n int64) string { return units.Human(units.Bytes, float64(n)) }
	if use.Real > 0 {
		p.field("peak", "%s as measured%s = kept from call to call %s + for the call alone %s; of both, results %s, workspaces of kernels %s", bytes(use.Real),
			p.peakNode(), bytes(use.Held), bytes(max(use.Real-use.Held, 0)), bytes(use.Results), bytes(use.Workspace))
	}
	if shapes {
		p.field("replay", "%s by the shapes of the last call; without inplace %s; if nothing were freed %s", bytes(use.Peak),
			bytes(use.NoInplace), bytes(use.NoGC))
	}
	switch {
	case use.Lowest == 0:
	case use.Lowest == use.LowerBound:
		p.field("lowest", "%s in the best order of the nodes", bytes(use.Lowest))
	default:
		p.field("lowest", "%s in the best order found; none is below %s", bytes(use.Lowest), bytes(use.LowerBound))
	}
	if use.Inputs+use.Shared+use.Constants > 0 {
		p.field("besides", "arguments %s, shared variables %s, constants %s", bytes(use.Inputs), bytes(use.Shared), bytes(use.Constants))
	}
	p.line("")
	if shapes {
		p.outputs()
	} else if p.sized() {
		p.hint("of single nodes nothing is known: %s", p.stats.WhyUnsized())
	}
}

// peakNode says where the memory of the only function was at its peak.
func (p *printer) peakNode() string {
	if len(p.stats.Functions) != 1 || p.stats.Functions[0].Real == nil {
		return ""
	}
	f := p.stats.Functions[0]
	at := f.Real.PeakNode
	if at < 0 || at >= len(f.Nodes) {
		return ""
	}
	s := " at node " + count(int64(at))
	if where := lineAndRole(f.Nodes[at].Origin); where != "" {
		s += " of " + where
	}
	return s
}

// outputs is the table of what nodes make. Views count nothing.
func (p *printer) outputs() {
	rows, total := p.stats.MemoryRows()
	shown := slices.IndexFunc(rows, func(r profiler.MemoryRow) bool { return r.Bytes < int64(p.opts.MinMemorySize) })
	if shown < 0 {
		shown = len(rows)
	}
	small := shown < min(p.opts.NApply, len(rows))
	shown = min(shown, p.opts.NApply)
	t := table{title: "Outputs", columns: []column{{name: "bytes%"}, {left: true}, {name: "bytes"}, {name: "c/i/v", left: true},
		{name: "shapes", left: true}, {name: "line", left: true}, {name: "apply", left: true}}}
	scoped := slices.ContainsFunc(rows, func(r profiler.MemoryRow) bool { return r.Node.Scopes() != nil })
	if scoped {
		t.columns = slices.Insert(t.columns, len(t.columns)-1, column{name: "scope", left: true})
	}
	rest := total
	for _, r := range rows[:shown] {
		fraction := units.Ratio(float64(r.Bytes), float64(total))
		rest -= r.Bytes
		cells := []string{percent(fraction), bar(fraction), count(r.Bytes),
			strings.Join(r.Node.Codes(), " "), units.Middle(outputShapes(r.Node), maxText), lineAndRole(r.Node.Origin)}
		if scoped {
			cells = append(cells, units.Middle(units.OneLine(strings.Join(r.Node.Scopes(), ", ")), maxText))
		}
		t.row(func(width int) string { return applyName(r.Node, r.Function, width) }, cells...)
	}
	if left := len(rows) - shown; left > 0 {
		flag := "profiling.n_apply"
		if small {
			flag = "profiling.min_memory_size"
		}
		t.more = "... " + count(int64(left)) + " more: " + percent(units.Ratio(float64(rest),
			float64(total))) + " %, " + count(rest) +
			" bytes (" + flag + ")"
	}
	if shown == 0 {
		p.line("Outputs: %s", strings.TrimPrefix(t.more, "... "))
		p.line("")
		return
	}
	p.table(t)
	p.line("  c created, i overwrites an operand, v a view, which takes no bytes")
	p.line("")
}
