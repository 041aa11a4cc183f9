package export

import (
	"encoding/csv"
	"io"
	"iter"
	"strconv"
	"strings"

	"github.com/arignote/arignote/profiler"
	"github.com/arignote/arignote/profiler/columns"
)

// CSV writes a row for each stack of all profiles, so that sums over any of the first columns are
// right. Of a view with one table it writes the rows of that table, as many as the view says. Times
// are those of a steady profile. Numbers have as many digits as it takes to read the same back;
// times are nanoseconds.
func CSV(w io.Writer, all []*profiler.Stats, view profiler.View) error {
	if len(view.By) != 1 {
		return writeCSV(w, columns.In(columns.Samples, columns.CSV, ""), samplesOf(profiler.Stacks(all...), columns.MemoryOf(all)))
	}
	var stats []*profiler.Stats
	for _, s := range all {
		if s != nil {
			stats = append(stats, s.Steady())
		}
	}
	switch by := view.By[0]; by {
	case profiler.ByLine:
		return writeCSV(w, columns.In(columns.Lines, columns.Field, ""), rowsOf(stats, view.NLines, func(s *profiler.Stats) (rows []columns.Line) {
			for _, r := range s.Lines(view.Inclusive) {
				rows = append(rows, columns.Line{LineRow: r})
			}
			return rows
		}))
	case profiler.ByScope:
		return writeCSV(w, columns.In(columns.Scopes, columns.Field, ""), rowsOf(stats, view.NLines, (*profiler.Stats).Scopes))
	case profiler.ByShape:
		return writeCSV(w, columns.In(columns.Shapes, columns.CSV, ""), rowsOf(stats, view.NOps, (*profiler.Stats).ShapeRows))
	default:
		table, most := columns.Classes, view.NOps
		switch by {
		case profiler.ByOp:
			table = columns.Ops
		case profiler.ByApply:
			table, most = columns.Nodes, view.NApply
		}
		return writeCSV(w, columns.In(table, columns.Field, ""), rowsOf(stats, most, func(s *profiler.Stats) []profiler.Row { return s.Rows(by) }))
	}
}

// samplesOf are stacks with the rows of their nodes, and then what has memory and no time.
func samplesOf(stacks []profiler.Stack, memory []columns.Sample) iter.Seq[columns.Sample] {
	return func(yield func(columns.Sample) bool) {
		for _, x := range stacks {
			row := profiler.Row{}
			if x.Sample != nil {
				row = x.Of.RowOf(x.Sample.Node)
			}
			if !yield(columns.Sample{Stack: x, Row: row}) {
				return
			}
		}
		for _, x := range memory {
			if !yield(x) {
				return
			}
		}
	}
}

// rowsOf are the rows of a table of each profile, at most as many as were asked for.
func rowsOf[T any](all []*profiler.Stats, most int, rows func(s *profiler.Stats) []T) iter.Seq[T] {
	return func(yield func(T) bool) {
		for _, s := range all {
			list := rows(s)
			for _, x := range list[:asked(most, len(list))] {
				if !yield(x) {
					return
				}
			}
		}
	}
}

// asked is how many of n rows are written: all if no number was asked for.
func asked(most, n int) int {
	if most == 0 {
		return n
	}
	return profiler.Limit(most, n)
}

// writeCSV writes rows under a row of names.
func writeCSV[T any](w io.Writer, list []columns.Column[T], rows iter.Seq[T]) error {
	out := csv.NewWriter(w)
	line := make([]string, len(list))
	for i, c := range list {
		line[i] = c.Name
		if c.Unit == columns.Time {
			line[i] += "_ns"
		}
	}
	if err := out.Write(line); err != nil {
		return err
	}
	for x := range rows {
		for i, c := range list {
			line[i] = csvValue(c.Unit, c.Of(x))
		}
		if err := out.Write(line); err != nil {
			return err
		}
	}
	out.Flush()
	return out.Error()
}

func csvValue(u columns.Unit, v columns.Value) string {
	switch {
	case !v.Known:
		return ""
	case u == columns.Count:
		return strconv.FormatInt(int64(v.Number), 10)
	case u == columns.Words:
		return csvText(strings.Join(v.Words, " "))
	case u.IsNumber() && u != columns.Shares:
		return strconv.FormatFloat(v.Number, 'g', -1, 64)
	}
	return csvText(v.Word)
}

// csvText keeps a spreadsheet from taking text for a formula, which may start programs and fetch
// pages: a text that begins like one gets the apostrophe that spreadsheets know as the mark of
// text. Numbers do not come here, and keep their signs.
func csvText(s string) string {
	if s != "" && strings.ContainsRune("=+-@\t\r\n\uff1d\uff0b\uff0d\uff20", []rune(s)[0]) {
		return "'" + s
	}
	return s
}
