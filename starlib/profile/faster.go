package profile

import (
	"fmt"
	"slices"

	"github.com/arignote/arignote/profiler"
	"github.com/arignote/arignote/profiler/units"
	"github.com/arignote/arignote/starlib/object"
	"github.com/arignote/arignote/starlib/value"
	"go.starlark.net/starlark"
)

// ifFasterBuiltin is p.if_faster().
var ifFasterBuiltin = value.Builtin{Name: "if_faster", Params: []value.Param{
	{Name: "line", Default: "None", Doc: "a line of the cell, or of what it called; None asks for all"},
	{Name: "times", Default: "2", Doc: "how many times as fast it is"},
}, Doc: "How long the cell takes if a line, with what it calls, is so many times as fast, and without the line: a row for each, the most to save first. " +
	"Lines that call each other save the same time. Cells of less than 20 ms, and profiles of functions alone, have no rows.",
	Example: `len(ProfileStats("p").if_faster()) # 0`, Fn: ifFaster}

func ifFaster(_ *starlark.Thread, b *value.Builtin, args starlark.Tuple, kwargs []starlark.Tuple) (starlark.Value, error) {
	v, err := b.Bind(args, kwargs)
	if err != nil {
		return nil, err
	}
	times := 2.0
	if v[1] != nil {
		var ok bool
		if times, ok = starlark.AsFloat(value.Plain(v[1])); !ok {
			return nil, object.NewError(object.TypeError, fmt.Sprintf("if_faster: times: got %s, want a number", v[1].Type()))
		}
		if !(times > 1) {
			return nil, object.NewError(object.ValueError, fmt.Sprintf("if_faster: times: got %v, want a number above 1", v[1]))
		}
	}
	stats := b.Receiver().(*ProfileStats).snapshot()
	var list []fasterRow
	for _, f := range stats.Cell.IfFaster(times) {
		list = append(list, fasterRow{f, stats.SourceLine(f.File, f.Line)})
	}
	if v[0] == nil || v[0] == starlark.None {
		return rowsOf(fasterRows, list), nil
	}
	var line int
	if err := starlark.AsInt(value.Plain(v[0]), &line); err != nil {
		return nil, object.NewError(object.TypeError, fmt.Sprintf("if_faster: line: got %s, want an int or None", v[0].Type()))
	}
	list = slices.DeleteFunc(list, func(r fasterRow) bool { return r.Line != line })
	if len(list) == 0 {
		return nil, object.NewError(object.ValueError, fmt.Sprintf("if_faster: line: got %d, of which no time is known: p.if_faster() lists the lines that have some", line))
	}
	return rowsOf(fasterRows, list), nil
}

// A fasterRow is a line with its text.
type fasterRow struct {
	profiler.Faster
	source string
}

var fasterRows = newRowKind("FasterRow", "", append(alignRight(
	column("line", "The line.", "", func(r fasterRow) starlark.Value { return starlark.MakeInt(r.Line) }, asCount),
	column("time", "Seconds of the cell in it, and in what it calls.", "", func(r fasterRow) starlark.Value { return starlark.Float(r.Time.Seconds()) }, asTime),
	column("then", "Seconds that the cell takes if the line is so many times as fast.", "", func(r fasterRow) starlark.Value { return starlark.Float(r.Then.Seconds()) }, asTime),
	column("gone", "Seconds that the cell takes without the line.", "", func(r fasterRow) starlark.Value { return starlark.Float(r.Gone.Seconds()) }, asTime)),
	column("file", "Its file or cell.", "", func(r fasterRow) starlark.Value { return starlark.String(r.File) }, asText),
	column("source", "Its text.", "", func(r fasterRow) starlark.Value { return starlark.String(units.OneLine(r.source)) }, asText))...)
