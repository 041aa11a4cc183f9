package columns

import "github.com/arignote/arignote/profiler"

const ofShapes = Text | Panel | CSV

// Shapes are the columns of Stats.ShapeRows.
var Shapes = []Column[profiler.ShapeRow]{
	{Name: "fraction", Header: "time", About: "of the time of the function's calls", Unit: Share, In: ofShapes,
		Of: func(r profiler.ShapeRow) Value { return number(r.Fraction) }},
	{Name: "bar", Unit: Bar, In: Text, Of: func(r profiler.ShapeRow) Value { return number(r.Fraction) }},
	{Name: "time", Text: "{unit}", Unit: Time, In: ofShapes, Of: func(r profiler.ShapeRow) Value { return number(r.Time) }},
	{Name: "per_call", Header: "per call", Text: "each", Unit: Time, In: ofShapes,
		Of: func(r profiler.ShapeRow) Value { return number(r.PerCall) }},
	{Name: "calls", Unit: Count, In: ofShapes, Of: func(r profiler.ShapeRow) Value { return count(r.Calls) }},
	{Name: "left_out", Header: "left out", About: "measured more than the time: calls that took much longer than others of the same shapes",
		Unit: Time, In: Panel | CSV, Of: func(r profiler.ShapeRow) Value { return numberIf(r.Over, r.Over > 0) }},
	{Name: "function", Text: "in", In: ofShapes, Of: func(r profiler.ShapeRow) Value { return wordIf(r.Function) }},
	{Name: "shapes", In: CSV, Of: func(r profiler.ShapeRow) Value { return word(r.Name) }},
}
