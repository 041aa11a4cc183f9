package text

import (
	"github.com/arignote/arignote/profiler"
	"github.com/arignote/arignote/profiler/columns"
)

// shapes has a row for the calls of a function whose inputs had the same shapes, of functions that
// were called with several.
func (p *printer) shapes() {
	rows := p.stats.ShapeRows()
	if len(rows) == 0 {
		return
	}
	shown := rows[:min(p.opts.NOps, len(rows))]
	c := newSheet(columns.In(columns.Shapes, columns.Text, ""), shown)
	if len(p.stats.Functions) == 1 {
		c.write["function"] = func(profiler.ShapeRow, columns.Value) string { return "" }
	}
	t := table{title: "Shapes", columns: append(c.columns(), column{name: "inputs", left: true})}
	if left := len(rows) - len(shown); left > 0 {
		t.more = "... " + count(int64(left)) + " more (profiling.n_ops)"
	}
	for _, r := range shown {
		t.row(plainName(r.Name), c.cells(r)...).note(r.LeftOut())
	}
	p.table(t)
}
