package panel

import (
	"slices"

	"github.com/arignote/arignote/profiler"
	"github.com/arignote/arignote/profiler/columns"
	"github.com/arignote/arignote/profiler/units"
)

// shapes has a row for the calls of a function whose inputs had the same shapes, of functions that
// were called with several.
func (v *view) shapes() (fold, bool) {
	rows := v.ShapeRows()
	if len(rows) == 0 || !v.opts.Shows(profiler.ByShape) {
		return fold{}, false
	}
	shown := rows[:min(v.rows(v.opts.NOps), len(rows))]
	s := newSheet(slices.DeleteFunc(columns.In(columns.Shapes, columns.Panel, "* function"),
		func(c columns.Column[profiler.ShapeRow]) bool { return c.Name == "function" && len(v.Functions) == 1 }), shown)
	t := table{Columns: append(s.columns(), column{Name: "inputs", Text: true}), More: more(len(rows) - len(shown))}
	t.Columns[s.at("fraction")].Bar = true
	t.Columns[s.at("per_call")].Name = "per call" // each in a unit of its own: they differ most
	for _, r := range shown {
		cells := s.cells(r)
		s.set(cells, "fraction", func(cell) cell { return bar(r.Fraction, segment{blue, r.Fraction}) })
		s.set(cells, "per_call", func(c cell) cell { c.Value = units.Human(units.Times, r.PerCall); return c })
		s.set(cells, "function", func(cell) cell { return v.code(r.Function) })
		t.Rows = append(t.Rows, append(cells, v.code(r.Name)))
	}
	dear := rows[0]
	return fold{Title: "Shapes", Tables: []table{t},
		Facts: units.Short(dear.Name, v.width) + " " + units.Human(units.Times, dear.Time) + ", " + units.Share(dear.Fraction)}, true
}
