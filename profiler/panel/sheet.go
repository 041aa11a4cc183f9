package panel

import (
	"slices"
	"strings"

	"github.com/arignote/arignote/profiler/columns"
	"github.com/arignote/arignote/profiler/units"
)

// A sheet draws rows T in their columns; what else a row has, its name above all, is its table's to
// add.
type sheet[T any] struct {
	list  []columns.Column[T]
	units []units.Unit // that the cells of a column share
}

// newSheet makes the sheet of rows. Columns in which none of them has anything are left out.
func newSheet[T any](list []columns.Column[T], rows []T) sheet[T] {
	var s sheet[T]
	for _, c := range list {
		most, some := 0.0, false
		for _, r := range rows {
			v := c.Of(r)
			most, some = max(most, v.Number), some || !c.Idle(v)
		}
		if some {
			s.list, s.units = append(s.list, c), append(s.units, units.For(c.Unit.Sizes(), most))
		}
	}
	return s
}

// at is where a column stands, -1 if it is left out.
func (s sheet[T]) at(name string) int {
	return slices.IndexFunc(s.list, func(c columns.Column[T]) bool { return c.Name == name })
}

// set replaces the cell of a column, if it is there.
func (s sheet[T]) set(cells []cell, name string, to func(c cell) cell) {
	if i := s.at(name); i >= 0 {
		cells[i] = to(cells[i])
	}
}

func (s sheet[T]) columns() []column {
	var list []column
	for i, c := range s.list {
		h := column{Name: c.Heading(), Title: c.About, Text: !c.Unit.IsNumber()}
		switch c.Unit {
		case columns.Share, columns.Shares:
			h.Name = header(h.Name, "%")
		case columns.Time:
			h.Name = header(h.Name, s.units[i].Name)
		}
		list = append(list, h)
	}
	return list
}

func (s sheet[T]) cells(r T) []cell {
	cells := make([]cell, len(s.list))
	for i, c := range s.list {
		v := c.Of(r)
		cells[i].Text = !c.Unit.IsNumber()
		if !c.Idle(v) {
			cells[i].Value = valueText(c.Unit, v, s.units[i])
		}
	}
	return cells
}

// valueText writes a value; a time without its unit, which the header has.
func valueText(u columns.Unit, v columns.Value, in units.Unit) string {
	switch u {
	case columns.Count:
		return units.Grouped(int64(v.Number))
	case columns.Share:
		if v.Number == 0 {
			return ""
		}
		return oneDecimal(units.Percent(v.Number))
	case columns.Shares:
		return v.Word
	case columns.Time:
		return units.Digits(v.Number / in.Size)
	case columns.Flops, columns.Bytes:
		return units.Human(u.Sizes(), v.Number)
	case columns.Rate:
		return units.Digits(v.Number)
	case columns.Words:
		return units.Short(units.OneLine(strings.Join(v.Words, " ")), 60)
	}
	return units.Short(units.OneLine(v.Word), 60)
}
