package panel

import (
	"cmp"

	"github.com/arignote/arignote/profiler"
	"github.com/arignote/arignote/profiler/columns"
	"github.com/arignote/arignote/profiler/units"
)

// scopeView is what the rows of all depths share.
type scopeView struct {
	*view
	list    []profiler.ScopeRow // a scope before those in it
	sheet   sheet[profiler.ScopeRow]
	longest float64
	left    int // rows that may still be shown
}

// scopes is a tree of the named_scopes.
func (v *view) scopes() (fold, bool) {
	rows := v.Scopes()
	if rows == nil || !v.opts.Shows(profiler.ByScope) {
		return fold{}, false
	}
	s := scopeView{view: v, list: rows, sheet: newSheet(columns.In(columns.Scopes, columns.Panel, ""), rows), left: v.rows(v.opts.NLines)}
	var dear profiler.ScopeRow
	for _, r := range rows {
		s.longest = max(s.longest, r.Time)
		if r.Scope != "" && r.Own > dear.Own {
			dear = r
		}
	}
	f := fold{Title: "Scopes", Open: true, Tree: &tree{s.columns(), s.branches(0, len(rows))},
		Facts: units.Short(units.OneLine(dear.Title()), v.width) + " takes " + units.Human(units.Times, dear.Own) + " itself"}
	return f, true
}

// columns have the same widths at every depth.
func (s *scopeView) columns() []column {
	cols := append([]column{{Name: "scope", Text: true, Width: 100}}, s.sheet.columns()...)
	for i, c := range s.sheet.list {
		cols[1+i].Width = cmp.Or(c.Width, 9)
		cols[0].Width -= cols[1+i].Width
	}
	return cols
}

// branches are those of rows from up to to, which are of one depth and deeper.
func (s *scopeView) branches(from, to int) []branch {
	var all []branch
	hidden, ns, fraction := 0, 0.0, 0.0
	for i := from; i < to; {
		end := i + 1
		for end < to && s.list[end].Depth > s.list[i].Depth {
			end++
		}
		r := s.list[i]
		if s.left <= 0 {
			hidden, ns, fraction = hidden+end-i, ns+r.Time, fraction+r.Fraction
			i = end
			continue
		}
		s.left--
		b := branch{Folds: end > i+1, Open: true, Rows: [][]cell{s.cells(r, end > i+1)}}
		if b.Folds {
			b.Branches = s.branches(i+1, end)
		}
		all = append(all, b)
		i = end
	}
	if hidden > 0 {
		all = append(all, branch{More: rest(hidden, "scope", ns, fraction), Indent: 22 + 12*s.list[from].Depth, Plain: plainIndent(s.list[from].Depth)})
	}
	return all
}

func (s *scopeView) cells(r profiler.ScopeRow, folds bool) []cell {
	name := s.code(r.Name)
	name.Title, name.Plain, name.Indent, name.Clip = units.Short(units.OneLine(r.Title()), s.width), plainMark(r.Depth, folds, true), 12*r.Depth, true
	name.Strong, name.Suffix = r.Depth == 0, r.LeftOut()
	name.Style += ";vertical-align:baseline;white-space:nowrap"
	var segments []segment
	for i, ns := range r.ByRole {
		segments = append(segments, segment{roleColours[i], units.Ratio(ns, s.longest)})
	}
	cells := append([]cell{name}, s.sheet.cells(r)...)
	s.sheet.set(cells[1:], "fraction", func(cell) cell { return bar(r.Fraction, segments...) })
	for i, c := range s.columns() {
		cells[i].Width = c.Width
	}
	return cells
}
