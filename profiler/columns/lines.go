package columns

import (
	"strconv"
	"strings"

	"github.com/arignote/arignote/profiler"
	"github.com/arignote/arignote/profiler/units"
)

// A Line is a line of the source and, where a view has it, its time together with what it called; 0
// is unknown.
type Line struct {
	profiler.LineRow
	Inclusive float64
}

// Lines are the columns of Stats.Lines.
var Lines = []Column[Line]{
	{Name: "fraction", Header: "time", About: "of the time of all nodes: forward, gradient, update", Doc: "Of the time of all nodes.",
		Want: " # 1.0", Unit: Share, In: everywhere, Of: func(r Line) Value { return number(r.Fraction) }},
	{Name: "bar", Unit: Bar, In: Text, Of: func(r Line) Value { return number(r.Fraction) }},
	{Name: "time", Text: "{unit}", Doc: "Seconds.", Want: " > 0 # True", Unit: Time, In: everywhere,
		Of: func(r Line) Value { return number(r.Time) }},
	{Name: "inclusive", Text: "incl", Unit: Time, In: Text, Of: func(r Line) Value { return numberIf(r.Inclusive, r.Inclusive > 0) }},
	{Name: profiler.Roles[0], Text: "fwd%", Doc: "Seconds of what the line itself computes.", Want: " > 0 # True", Unit: Time,
		In: Text | List | Field, Of: func(r Line) Value { return number(r.ByRole[0]) }},
	{Name: profiler.Roles[1], Text: "grad%", Doc: "Seconds of its gradient.", Want: " # 0.0", Unit: Time,
		In: Text | List | Field, Of: func(r Line) Value { return number(r.ByRole[1]) }},
	{Name: profiler.Roles[2], Text: "upd%", Doc: "Seconds of the updates that it asked for.", Want: " # 0.0", Unit: Time,
		In: Text | List | Field, Of: func(r Line) Value { return number(r.ByRole[2]) }},
	{Name: "roles", Header: "fwd/grad/upd", Unit: Shares, About: "of the line's time: forward, gradient, update", In: Panel,
		Of: func(r Line) Value { return shares(r.ByRole[:], r.Time) }},
	{Name: "calls", Doc: "How often the nodes ran that it has a part in.", Want: " # 1", Unit: Count, In: List | Field,
		Of: func(r Line) Value { return count(r.Calls) }},
	{Name: "median", Doc: "Seconds of the median call of the functions that it is in.", Want: " > 0 # True", Unit: Time, In: everywhere,
		Of: func(r Line) Value { return numberIf(r.Spread.Median, r.Spread.P90 > 0) }},
	{Name: "p90", Doc: "Seconds that nine of ten calls do not exceed: that of its parts, as if all were slow at once.", Want: " > 0 # True",
		Unit: Time, In: everywhere, Of: func(r Line) Value { return numberIf(r.Spread.P90, r.Spread.P90 > 0) }},
	{Name: "spread", Doc: "From what one of ten calls does not exceed to p90, as a fraction of the median.", Want: " # 0.0", Unit: Share,
		In: List | Field, Of: func(r Line) Value { return numberIf(r.Spread.Relative(), r.Spread.P90 > 0) }},
	{Name: "left_out", Doc: "Seconds that were measured more than time: calls that took much longer than the others count as if they had not.", Want: " # 0.0", Unit: Time,
		In: Field, Of: func(r Line) Value { return number(r.Left.Over) }},
	{Name: "flops", Doc: "Floating point operations, all calls together.", Want: " > 0 # True", Unit: Flops, In: Text | Field,
		Of: func(r Line) Value { return number(r.Flops) }},
	{Name: "bytes", Doc: "Bytes read and written, all calls together.", Want: " # 16.0", Unit: Bytes, In: Field,
		Of: func(r Line) Value { return number(r.Bytes) }},
	{Name: "gflops", Header: units.FlopRate, Doc: "10^9 operations a second; None if they are not known.", Want: " > 0 # True", Unit: Rate,
		In: Text | Panel | Field, Of: func(r Line) Value { return numberIf(units.Ratio(r.Flops, r.Time), r.Known) }},
	{Name: "gbytes", Header: units.ByteRate, Doc: "10^9 bytes a second; None if they are not known.", Want: " > 0 # True", Unit: Rate,
		In: Text | Panel | Field, Of: func(r Line) Value { return numberIf(units.Ratio(r.Bytes, r.Time), r.Known) }},
	{Name: "allocated", Text: "new {unit}", Doc: "Bytes of memory that was new, all calls together.", Want: " >= 0 # True", Unit: Bytes,
		In: Text | Field, Of: func(r Line) Value { return number(r.Allocated) }},
	{Name: "file", Doc: "The cell or the file.", Want: ` # "In[1]"`, In: List | Field,
		Of: func(r Line) Value { return wordIf(r.File) }},
	{Name: "line", Doc: "The number of the line; 0 stands for nodes that no line made.", Want: " # 1", Unit: Count,
		In: Text | Panel | List | Field, Of: func(r Line) Value { return count(r.Line) }},
	{Name: "function", Text: "in", Doc: "The function that the line stands in.", Want: ` # "lambda"`, In: Text | Field,
		Of: func(r Line) Value { return wordIf(r.Func) }},
	{Name: "source", Doc: "The text of the line.", Want: `.startswith("profile(") # True`, In: List | Field,
		Of: func(r Line) Value { return word(r.Source) }},
	{Name: "ops", Doc: "What it computes.", Want: " != [] # True", Unit: Words, In: Field,
		Of: func(r Line) Value { return wordList(r.Ops) }},
}

// shares are parts of a whole in percent, with strokes between them.
func shares(parts []float64, whole float64) Value {
	var split []string
	for _, ns := range parts {
		split = append(split, strconv.FormatFloat(units.Percent(units.Ratio(ns, whole)), 'f', 0, 64))
	}
	return word(strings.Join(split, "/"))
}
