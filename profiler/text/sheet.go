package text

import (
	"slices"
	"strings"

	"github.com/arignote/arignote/profiler/columns"
	"github.com/arignote/arignote/profiler/units"
)

// A sheet writes rows T in their columns, all but the last one of a table, which has the names.
type sheet[T any] struct {
	list   []columns.Column[T]
	scales []scale // by column, of those that have one unit
	// write has the columns that are written otherwise than their unit is.
	write map[string]func(r T, v columns.Value) string
}

const oneUnit = "{unit}"

// newSheet makes the sheet of rows that are shown.
func newSheet[T any](list []columns.Column[T], rows []T) sheet[T] {
	s := sheet[T]{list, make([]scale, len(list)), make(map[string]func(T, columns.Value) string)}
	for i, c := range list {
		var values []float64
		for _, r := range rows {
			values = append(values, c.Of(r).Number)
		}
		s.scales[i] = scaleOf(c.Unit.Sizes(), values...)
	}
	return s
}

// columns are the headers.
func (s sheet[T]) columns() []column {
	var list []column
	for i, c := range s.list {
		name := c.Text
		switch {
		case c.Unit == columns.Bar: // beside the number that it draws
		case name == "" && c.Unit == columns.Share:
			name = c.Heading() + "%"
		case name == "":
			name = c.Heading()
		}
		list = append(list, column{name: strings.ReplaceAll(name, oneUnit, s.scales[i].String()), left: !c.Unit.IsNumber()})
	}
	return list
}

// at is where a column stands.
func (s sheet[T]) at(name string) int {
	return slices.IndexFunc(s.list, func(c columns.Column[T]) bool { return c.Name == name })
}

func (s sheet[T]) cells(r T) []string {
	cells := make([]string, len(s.list))
	for i, c := range s.list {
		v := c.Of(r)
		switch write := s.write[c.Name]; {
		case c.Idle(v):
		case write != nil:
			cells[i] = write(r, v)
		case strings.Contains(c.Text, oneUnit):
			cells[i] = s.scales[i].cell(v.Number)
		default:
			cells[i] = plainValue(c.Unit, v)
		}
	}
	return cells
}

// plainValue writes a value with its unit, where the header does not say it.
func plainValue(u columns.Unit, v columns.Value) string {
	switch u {
	case columns.Count:
		return count(int64(v.Number))
	case columns.Share:
		return percent(v.Number)
	case columns.Bar:
		return bar(v.Number)
	case columns.Time:
		return short(v.Number)
	case columns.Flops:
		return prefixed(v.Number)
	case columns.Bytes:
		return strings.ReplaceAll(units.Human(units.Bytes, v.Number), units.NBSP, "")
	case columns.Rate:
		return digits(v.Number)
	case columns.Words:
		return units.Middle(units.OneLine(strings.Join(v.Words, " ")), maxText)
	}
	return units.Middle(units.OneLine(v.Word), maxText)
}
