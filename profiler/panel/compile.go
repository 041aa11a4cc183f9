package panel

import (
	"time"

	"github.com/arignote/arignote/profiler"
	"github.com/arignote/arignote/profiler/units"
)

// compile says where the time before the first call went.
func (v *view) compile() (fold, bool) {
	c := v.total.Compile
	f := fold{Title: "Compile", Facts: units.Human(units.Times, float64(c.Total))}
	if grad := c.Grad(); grad > 0 {
		f.Facts += " after " + units.Human(units.Times, float64(grad)) + " of grad()"
	}
	if g := v.Globals; g != nil {
		f.Caption = "The program started " + units.Human(units.Times, float64(g.Since)) + " ago"
		if g.Grad > 0 {
			f.Caption += "; all its calls of grad() took " + units.Human(units.Times, float64(g.Grad))
		}
		f.Caption += "."
	}
	// The columns, each a part of the one whose name it follows.
	columns := []struct {
		name, about string
		of          func(fn *profiler.Function) time.Duration
	}{
		{"grad", "calls of grad() that made nodes of the function", func(fn *profiler.Function) time.Duration { return fn.Compile.Grad() }},
		{"compiling", "function(), from its call to its result", func(fn *profiler.Function) time.Duration { return fn.Compile.Total }},
		{"building", "of compiling: a graph of the arguments", func(fn *profiler.Function) time.Duration { return fn.Compile.Building() }},
		{"rewriting", "of compiling", func(fn *profiler.Function) time.Duration { return fn.Compile.Rewrite }},
		{"validation", "of rewriting: checking the graph", func(fn *profiler.Function) time.Duration { return fn.Compile.Validate }},
		{"constants", "of rewriting: computing what depends on constants only", func(fn *profiler.Function) time.Duration { return fn.Compile.Kernels }},
		{"linking", "of compiling: choosing kernels, planning memory", func(fn *profiler.Function) time.Duration { return fn.Compile.Link }},
		{"thunks", "of linking: one a node", func(fn *profiler.Function) time.Duration { return fn.MakeThunkTime() }},
		{"first call", "", func(fn *profiler.Function) time.Duration { return time.Duration(fn.FirstCall) }},
	}
	var longest float64
	for _, fn := range v.Functions {
		for _, c := range columns {
			longest = max(longest, float64(c.of(fn)))
		}
	}
	u := unitOf(longest)
	t := table{Columns: []column{{Name: "function", Text: true}}}
	for _, c := range columns {
		h := u.column(c.name)
		h.Title = c.about
		t.Columns = append(t.Columns, h)
	}
	most := v.rows(v.opts.NOps)
	for _, fn := range v.Functions[:min(most, len(v.Functions))] {
		row := []cell{v.code(fn.Title())}
		for _, c := range columns {
			row = append(row, u.cell(float64(c.of(fn))))
		}
		t.Rows = append(t.Rows, row)
	}
	t.More = more(len(v.Functions) - most)
	f.Tables = []table{t}
	return f, true
}
