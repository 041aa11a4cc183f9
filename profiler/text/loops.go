package text

import (
	"github.com/arignote/arignote/profiler"
	"github.com/arignote/arignote/profiler/units"
)

// loops writes, in the classic layouts, what loops took and the profiles of the functions that they
// run. Those of a sum were written with its parts: Theano does not repeat them either.
func (p *printer) loops() {
	if p.sum.of > 0 {
		return
	}
	var nodes []*profiler.Node
	for _, f := range p.stats.Functions {
		for _, n := range f.Nodes {
			if len(n.Inner) > 0 && n.Calls > 0 {
				nodes = append(nodes, n)
			}
		}
	}
	if len(nodes) == 0 {
		return
	}
	p.line("")
	p.line("Scan overhead:")
	p.line("<Scan op time(s)> <sub scan fct time(s)> <sub scan op time(s)> <sub scan fct time(%% scan op time)> " +
		"<sub scan op time(%% scan op time)> <node>")
	const columns = "%s %5.1fs  %5.1fs  %5.1fs  %5.1f%%  %5.1f%%"
	var sum, calls, ops float64
	row := func(name string, total, call, op float64, node string) {
		p.line(columns+"%s", name, units.Seconds(total), units.Seconds(call), units.Seconds(op),
			units.Percent(units.Ratio(call, total)), units.Percent(units.Ratio(op, total)), node)
	}
	for _, n := range nodes {
		t := innerTotal(n)
		sum, calls, ops = sum+n.Time, calls+t.CallTime, ops+t.ThunkTime()
		row("     ", n.Time, t.CallTime, t.ThunkTime(), " "+p.cut(n.Text, 48))
	}
	row("total", sum, calls, ops, "")
	p.line("")
	for _, n := range nodes {
		p.loop(n)
	}
}

func innerTotal(n *profiler.Node) profiler.Function {
	return (&profiler.Stats{Functions: n.Inner}).Total()
}

// loop is the profile of what one node runs. Its percentages are of the time of the nodes inside,
// as the peers have it.
func (p *printer) loop(n *profiler.Node) {
	inner := &printer{w: p.w, opts: p.opts, words: p.words, stats: &profiler.Stats{Functions: n.Inner, Memory: p.stats.Memory}}
	t := inner.stats.Total()
	p.line("Scan Op profiling ( %s )", units.OneLine(inner.stats.Title()))
	p.line("==================")
	p.line("  Message: %s", p.cut(n.Text, len("  Message: ")))
	p.line("  Time in %d calls of the op (for a total of %d steps) %es", n.Calls, t.Runs, units.Seconds(n.Time))
	p.line("")
	p.line("  Total time spent in calling the VM %es (%.3f%%)", units.Seconds(t.RunTime), units.Percent(units.Ratio(t.RunTime,
		n.Time)))
	overhead := n.Beside(t.RunTime)
	p.line("  Total overhead (computing slices..) %es (%.3f%%)", units.Seconds(overhead), units.Percent(units.Ratio(overhead,
		n.Time)))
	p.line("")
	if t.ThunkTime() > 0 {
		inner.classes()
		inner.ops()
		inner.applies()
	}
	inner.loops()
}
