package columns

import (
	"fmt"
	"slices"
	"strings"

	"github.com/arignote/arignote/profiler"
)

// A Sample is one of Stats.Samples with the row of its node.
type Sample struct {
	profiler.Sample
	Row profiler.Row
}

// Samples are the columns of Stats.Samples. Sums over any of the first are right; what follows of a
// node is the same in all of its samples.
var Samples = slices.Concat(where, ofItsNode(slices.Concat(calls, leftOut)), work, ofItsNode(slices.Concat(numbers, priceOfOne(), groupOfOne(), speed, names)))

func ofItsNode(list []Column[row]) []Column[Sample] {
	made := make([]Column[Sample], len(list))
	for i, c := range list {
		made[i] = Column[Sample]{Name: c.Name, Unit: c.Unit, In: c.In & CSV, Of: func(x Sample) Value { return c.Of(x.Row) }}
	}
	return made
}

// where says what was sampled.
var where = []Column[Sample]{
	{Name: "function", In: CSV, Of: func(x Sample) Value { return word(x.Function.Title()) }},
	{Name: "inside", In: CSV, Of: func(x Sample) Value {
		var outer []string
		for _, n := range x.Outer {
			outer = append(outer, n.Text)
		}
		return word(strings.Join(outer, " > "))
	}},
	{Name: "node", Unit: Count, In: CSV, Of: func(x Sample) Value { return count(x.Node.ID) }},
	{Name: "class", In: CSV, Of: func(x Sample) Value { return word(x.Node.Class) }},
	{Name: "op", In: CSV, Of: func(x Sample) Value { return word(x.Node.Op) }},
	{Name: "apply", In: CSV, Of: func(x Sample) Value { return word(x.Node.Text) }},
	{Name: "impl", In: CSV, Of: func(x Sample) Value { return word(x.Node.Impl) }},
	{Name: "role", In: CSV, Of: func(x Sample) Value { return word(x.Origin.Role) }},
	{Name: "file", In: CSV, Of: func(x Sample) Value { return word(x.Origin.Frame().File) }},
	{Name: "line", Unit: Count, In: CSV, Of: func(x Sample) Value { return count(x.Origin.Frame().Line) }},
	{Name: "stack", In: CSV, Of: func(x Sample) Value {
		var frames []string
		for _, f := range x.Origin.Frames {
			frames = append(frames, fmt.Sprintf("%s:%d:%d", f.File, f.Line, f.Col))
		}
		return word(strings.Join(frames, " > "))
	}},
	{Name: "part", In: CSV, Of: func(x Sample) Value { return word(x.Part.Op) }},
	{Name: "share", Unit: Share, In: CSV, Of: func(x Sample) Value { return number(x.Share) }},
	{Name: "calls", Unit: Count, In: CSV, Of: func(x Sample) Value { return count(x.Calls) }},
	{Name: "time", Unit: Time, In: CSV, Of: func(x Sample) Value { return number(x.Time) }},
}

// work is what was done in that time.
var work = []Column[Sample]{
	{Name: "flops", Unit: Flops, In: CSV, Of: func(x Sample) Value { return number(x.Flops) }},
	{Name: "bytes_read", Unit: Bytes, In: CSV, Of: func(x Sample) Value { return number(x.BytesRead) }},
	{Name: "bytes_written", Unit: Bytes, In: CSV, Of: func(x Sample) Value { return number(x.BytesWritten) }},
	{Name: "allocated", Unit: Bytes, In: CSV, Of: func(x Sample) Value { return number(x.Allocated) }},
	{Name: "shapes", In: CSV, Of: func(x Sample) Value {
		var shapes []string
		for _, o := range x.Node.Outputs {
			shapes = append(shapes, fmt.Sprint(o.Shape))
		}
		return word(strings.Join(shapes, " "))
	}},
}
