package text

import (
	"fmt"
	"strings"

	"github.com/arignote/arignote/profiler"
	"github.com/arignote/arignote/profiler/units"
)

// profileMode writes the text of ProfileMode.print_summary in the layout of 2009: fractions of the time of the thunks, by
// node and by op.
func (p *printer) profileMode() {
	total := p.stats.Total()
	p.line("ProfileMode.print_summary()")
	p.line("---------------------------")
	p.line("")
	p.line("local_time %.12g (Time spent running thunks)", units.Seconds(total.ThunkTime()))
	p.line("Apply-wise summary: <fraction of local_time spent at this position> (<Apply position>, <Apply Op name>)")
	applies := p.stats.Rows(profiler.ByApply)
	for _, r := range applies[:min(p.opts.NApply, len(applies))] {
		columns := fmt.Sprintf("\t%.3f\t%d\t", r.Fraction, r.ID)
		p.row(columns, r.Node.Op, functionSuffix(r.Function))
	}
	left, rest := profiler.Remaining(applies, p.opts.NApply)
	p.line("   ... (remaining %d Apply instances account for %.2f of the runtime)", left, rest.Fraction)
	p.line("Op-wise summary: <fraction of local_time spent on this kind of Op> <Op name>")
	ops := p.stats.Rows(profiler.ByOp)
	for _, r := range ops[:min(p.opts.NOps, len(ops))] {
		star := " "
		if strings.TrimSpace(r.Type) == "C" {
			star = "*"
		}
		p.row(fmt.Sprintf("\t%.3f\t%s ", r.Fraction, star), r.Name, "")
	}
	left, rest = profiler.Remaining(ops, p.opts.NOps)
	p.line("   ... (remaining %d Ops account for %.2f of the runtime)", left, rest.Fraction)
	p.line("(*) Op is running a c implementation")
	p.line("")
}
