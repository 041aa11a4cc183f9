package text

import (
	"fmt"
	"strings"

	"github.com/arignote/arignote/profiler"
	"github.com/arignote/arignote/profiler/units"
	"github.com/arignote/arignote/runtime/tensor"
)

// memory writes the memory profile. The unbalanced parenthesis and the lines for GPUs are the
// peers'.
func (p *printer) memory() {
	if !p.sized() {
		return
	}
	use, ok := p.stats.MemoryUse()
	if !ok {
		p.line("Memory Profile: nothing was recorded (%s)", p.stats.WhyUnsized())
		p.line("")
		return
	}
	several := len(p.stats.Functions) > 1
	if several {
		p.line("Memory Profile (the max between all functions in that profile)")
	} else {
		p.line("Memory Profile")
	}
	p.line("(Sparse variables are ignored)")
	if p.words.old {
		p.oldPeaks(use)
	} else {
		p.peaks(use)
	}
	if several {
		p.line("    This list is based on all functions in the profile")
	}
	p.line("    <Sum apply outputs (bytes)> <Apply outputs shape> <created/inplace/view> <Apply node>")
	p.line("")
	p.memoryRows()
	p.line("    <created/inplace/view> is taken from the Op's declaration.")
	p.line("    Apply nodes marked 'inplace' or 'view' may actually allocate memory, this is not reported here. If you use DebugMode, warnings will be emitted in those cases.")
	p.line("")
}

// peaks has the order in which nodes ran and, in brackets, the topological one: here they are the
// same.
func (p *printer) peaks(use profiler.MemoryUse) {
	three := func(bytes int64, both bool) {
		kb, none := units.Kilobytes(bytes), "0KB"
		if both {
			kb, none = kb+" ("+kb+")", "0KB (0KB)"
		}
		p.line("        CPU: %s", kb)
		p.line("        GPU: %s", none)
		p.line("        CPU + GPU: %s", kb)
	}
	p.line("(For values in brackets, it's for linker = c|go")
	p.line("---")
	p.line("    Max peak memory with current setting")
	three(use.Peak, true)
	p.line("    Max peak memory with current setting and Arignote flag optimizer_excluding=inplace")
	three(use.NoInplace, true)
	p.line("    Max peak memory if allow_gc=False (linker don't make a difference)")
	three(use.NoGC, false)
	p.line("---")
	p.line("")
}

// oldPeaks is the block of 2014.
func (p *printer) oldPeaks(use profiler.MemoryUse) {
	p.line("---")
	p.line("    Max if linker=c|go (default): %s", units.Kilobytes(use.Peak))
	p.line("    Max if no gc (allow_gc=False): %s", units.Kilobytes(use.NoGC))
	p.line("    Max if linker=c|go: %s", units.Kilobytes(use.Peak))
	p.line("    Memory saved if gc is enabled (linker=c|go): %s", units.Kilobytes(use.NoGC-use.Peak))
	p.line("")
}

func (p *printer) memoryRows() {
	rows, total := p.stats.MemoryRows()
	shown := 0
	rest := total
	for _, r := range rows {
		if shown == p.opts.NApply || r.Bytes < int64(p.opts.MinMemorySize) {
			break
		}
		columns := fmt.Sprintf("     %9dB  [%s] %s ", r.Bytes, outputShapes(r.Node), strings.Join(r.Node.Codes(), " "))
		p.row(columns, r.Node.Text, functionSuffix(r.Function))
		rest -= r.Bytes
		shown++
	}
	p.line("   ... (remaining %d Apply account for %4dB/%dB ((%.2f%%)) of the Apply with dense outputs sizes)", len(rows)-shown,
		rest, total, units.Percent(units.Ratio(float64(rest), float64(total))))
	p.line("")
	if shown == 0 && len(rows) > 0 && rows[0].Bytes < int64(p.opts.MinMemorySize) {
		p.line("    All Apply nodes have output sizes that take less than %dB.", p.opts.MinMemorySize)
	}
}

// outputShapes writes (600,), (600, 10).
func outputShapes(n *profiler.Node) string {
	list := make([]string, len(n.Outputs))
	for i, o := range n.Outputs {
		list[i] = tensor.ShapeString(o.Shape)
	}
	return strings.Join(list, ", ")
}
