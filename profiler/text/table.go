package text

import (
	"slices"
	"strconv"
	"strings"

	"github.com/arignote/arignote/profiler/units"
)

// A table of our own layout has a line of dashes under its header that shows, to people and
// programs, where its columns are. Columns in which nothing stands are left out. The last one has
// the names. A name for which nothing is left of the line stands in one of its own below, unless
// the table is a listing, in which it is cut.
type table struct {
	title   string
	columns []column
	rows    []tableRow
	more    string // what rows are not shown
	listing bool
}

type column struct {
	name string
	left bool // text; numbers stand at the right
}

type tableRow struct {
	cells []string
	name  func(width int) string // of the last column
	under []string               // lines that belong to the row
}

const (
	gap     = 1  // blanks between columns
	minName = 16 // characters that a name has, however narrow the line
	uncut   = 1 << 30
	maxText = 22 // characters of a text that is not the last
	below   = 4  // blanks before a name in a line of its own, of which what is known of the row has two more
)

// row adds a row. Its name is given by a function that cuts it.
func (t *table) row(name func(int) string, cells ...string) *tableRow {
	t.rows = append(t.rows, tableRow{cells: cells, name: name})
	return &t.rows[len(t.rows)-1]
}

// note adds a line under the row, if there is something to say.
func (r *tableRow) note(s string) {
	if s != "" {
		r.under = append(r.under, s)
	}
}

// plainName is a name that is cut in its middle.
func plainName(s string) func(int) string {
	s = units.OneLine(s)
	return func(width int) string { return units.Middle(s, width) }
}

func (p *printer) table(t table) {
	last := len(t.columns) - 1
	widths := make([]int, last)
	used := 0
	for i := range widths {
		for _, r := range t.rows {
			widths[i] = max(widths[i], units.Width(r.cells[i]))
		}
		if widths[i] > 0 {
			widths[i] = max(widths[i], units.Width(t.columns[i].name))
			used += widths[i] + gap
		}
	}
	room := p.opts.LineWidth - used
	if t.listing {
		room = max(room, minName)
	}
	line := func(name string, cell func(i int) string) {
		var b strings.Builder
		for i, w := range widths {
			if w == 0 {
				continue
			}
			s := cell(i)
			pad := strings.Repeat(" ", w-units.Width(s))
			if t.columns[i].left {
				b.WriteString(s + pad)
			} else {
				b.WriteString(pad + s)
			}
			b.WriteString(strings.Repeat(" ", gap))
		}
		p.line("%s", strings.TrimRight(b.String()+name, " "))
	}
	p.line("%s", units.Plain(t.title))
	title := t.columns[last].name
	if room > 0 {
		title = units.Short(title, room)
	}
	line(title, func(i int) string { return t.columns[i].name })
	line(strings.Repeat("-", units.Width(title)), func(i int) string { return strings.Repeat("-", widths[i]) })
	for _, r := range t.rows {
		cell := func(i int) string { return r.cells[i] }
		name := r.name(uncut)
		switch {
		case units.Width(name) <= room:
			line(name, cell)
		case t.listing:
			line(r.name(room), cell)
		default:
			line("", cell)
			short := r.name(max(p.opts.LineWidth-below, minName))
			p.shortened = p.shortened || short != name
			p.line("%*s%s", below, "", short)
		}
		for _, u := range r.under {
			p.line("%*s%s", below+2, "", units.Middle(units.Plain(u), max(p.opts.LineWidth-below-2, minName)))
		}
	}
	if t.more != "" {
		p.line("  %s", units.Plain(t.more))
	}
	p.line("")
}

// A scale writes the numbers of a column in one unit, with as many digits as the largest needs.
type scale struct {
	unit   units.Unit
	digits int
}

func scaleOf(list []units.Unit, values ...float64) scale {
	most := slices.Max(append(values, 0))
	u := units.For(list, most)
	return scale{u, digitsFor(most / u.Size)}
}

// digitsFor is how many digits after the point give the largest number of a column four in all,
// most often.
func digitsFor(most float64) int {
	switch {
	case most < 10:
		return 3
	case most < 100:
		return 2
	}
	return 1
}

func (s scale) String() string { return s.unit.Name }

func (s scale) cell(v float64) string { return strconv.FormatFloat(v/s.unit.Size, 'f', s.digits, 64) }

// digits writes a number with three digits that count.
func digits(v float64) string { return strings.ReplaceAll(units.Digits(v), units.NBSP, "") }

// prefixed writes a number with the letter of its thousands: 7.20k.
func prefixed(v float64) string {
	u := units.For(units.Flops, v)
	return digits(v/u.Size) + strings.TrimSuffix(u.Name, "flop")
}

// short writes a time without a blank: 7.20ms.
func short(ns float64) string {
	return strings.ReplaceAll(units.Human(units.Times, ns), units.NBSP, "")
}

// percent writes a fraction as 49.7.
func percent(fraction float64) string {
	return strconv.FormatFloat(units.Percent(fraction), 'f', 1, 64)
}

// whole writes a fraction as 50.
func whole(fraction float64) string { return strconv.FormatFloat(units.Percent(fraction), 'f', 0, 64) }

func duration(ns float64) string { return units.Human(units.Times, ns) }

func count(n int64) string { return strconv.FormatInt(n, 10) }

const barWidth = 8

func bar(fraction float64) string { return units.Bar(fraction, barWidth) }
