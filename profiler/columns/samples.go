package columns

import (
	"fmt"
	"slices"
	"strings"

	"github.com/arignote/arignote/profiler"
)

// A Sample is one of profiler.Stacks with the row of its node, if it is of one.
type Sample struct {
	profiler.Stack
	Row profiler.Row
}

// ofMemory is a number of the memory of a line.
func ofMemory(of func(l *profiler.LineMemory) int64) func(x Sample) Value {
	return func(x Sample) Value {
		if x.Memory == nil {
			return Value{}
		}
		return count(of(x.Memory))
	}
}

// Samples are the columns of profiler.Stacks. Sums over any of the first are right; what follows of
// a node is the same in all of its samples.
var Samples = slices.Concat(where, ofItsNode(slices.Concat(calls, leftOut)), work, ofItsNode(slices.Concat(numbers, priceOfOne(), groupOfOne(), speed, names)), around)

func ofItsNode(list []Column[row]) []Column[Sample] {
	made := make([]Column[Sample], len(list))
	for i, c := range list {
		made[i] = Column[Sample]{Name: c.Name, Unit: c.Unit, In: c.In & CSV, Of: inNode(func(x Sample) Value { return c.Of(x.Row) })}
	}
	return made
}

// inNode is not known of what is no part of a node.
func inNode(of func(x Sample) Value) func(x Sample) Value {
	return func(x Sample) Value {
		if x.Sample == nil {
			return Value{}
		}
		return of(x)
	}
}

// share is a part of what a node's sample counts.
func share(of func(s *profiler.Sample) float64) func(x Sample) Value {
	return inNode(func(x Sample) Value { return number(x.Share * of(x.Sample)) })
}

// where says what was sampled.
var where = []Column[Sample]{
	{Name: "function", In: CSV, Of: func(x Sample) Value {
		if x.Sample == nil {
			return word(x.Name)
		}
		return word(x.Sample.Function.Title())
	}},
	{Name: "inside", In: CSV, Of: inNode(func(x Sample) Value {
		var outer []string
		for _, n := range x.Sample.Outer {
			outer = append(outer, n.Text)
		}
		return word(strings.Join(outer, " > "))
	})},
	{Name: "node", Unit: Count, In: CSV, Of: inNode(func(x Sample) Value { return count(x.Sample.Node.ID) })},
	{Name: "class", In: CSV, Of: inNode(func(x Sample) Value { return word(x.Sample.Node.Class) })},
	{Name: "op", In: CSV, Of: inNode(func(x Sample) Value { return word(x.Sample.Node.Op) })},
	{Name: "apply", In: CSV, Of: inNode(func(x Sample) Value { return word(x.Sample.Node.Text) })},
	{Name: "impl", In: CSV, Of: inNode(func(x Sample) Value { return word(x.Sample.Node.Impl) })},
	{Name: "role", In: CSV, Of: inNode(func(x Sample) Value { return word(x.Sample.Origin.Role) })},
	{Name: "file", In: CSV, Of: func(x Sample) Value { return word(x.Line().File) }},
	{Name: "line", Unit: Count, In: CSV, Of: func(x Sample) Value { return numberIf(float64(x.Line().Line), x.Line().Line > 0 || x.Sample != nil) }},
	{Name: "stack", In: CSV, Of: inNode(func(x Sample) Value {
		var frames []string
		for _, f := range x.Sample.Origin.Frames {
			frames = append(frames, fmt.Sprintf("%s:%d:%d", f.File, f.Line, f.Col))
		}
		return word(strings.Join(frames, " > "))
	})},
	{Name: "part", In: CSV, Of: func(x Sample) Value {
		if x.Sample == nil {
			return wordIf(x.Beside)
		}
		return word(x.Sample.Part.Op)
	}},
	{Name: "share", Unit: Share, In: CSV, Of: inNode(func(x Sample) Value { return number(x.Sample.Share) })},
	{Name: "calls", Unit: Count, In: CSV, Of: inNode(func(x Sample) Value { return count(x.Calls) })},
	{Name: "time", Unit: Time, In: CSV, Of: func(x Sample) Value { return number(x.Time) }},
}

// work is what was done in that time.
var work = []Column[Sample]{
	{Name: "flops", Unit: Flops, In: CSV, Of: share(func(s *profiler.Sample) float64 { return s.Flops })},
	{Name: "bytes_read", Unit: Bytes, In: CSV, Of: share(func(s *profiler.Sample) float64 { return s.BytesRead })},
	{Name: "bytes_written", Unit: Bytes, In: CSV, Of: share(func(s *profiler.Sample) float64 { return s.BytesWritten })},
	{Name: "allocated", Unit: Bytes, In: CSV, Of: share(func(s *profiler.Sample) float64 { return s.Allocated })},
	{Name: "shapes", In: CSV, Of: inNode(func(x Sample) Value {
		var shapes []string
		for _, o := range x.Sample.Node.Outputs {
			shapes = append(shapes, fmt.Sprint(o.Shape))
		}
		return word(strings.Join(shapes, " "))
	})},
}

// around is what the time was spent in, and where it was called.
var around = []Column[Sample]{
	{Name: "kind", In: CSV, Of: func(x Sample) Value { return word(string(x.Kind)) }},
	{Name: "spent_in", In: CSV, Of: func(x Sample) Value { return word(x.Name) }},
	{Name: "called", In: CSV, Of: func(x Sample) Value {
		var calls []string
		for _, f := range x.Callers {
			calls = append(calls, fmt.Sprintf("%s:%d", f.File, f.Line))
		}
		return word(strings.Join(calls, " > "))
	}},
	{Name: "cpu", Unit: Time, In: CSV, Of: func(x Sample) Value { return numberIf(x.CPU, x.CPU > 0) }},
	{Name: "scope", In: CSV, Of: inNode(func(x Sample) Value { return word(x.Sample.Scope) })},
	{Name: "arrays", Unit: Count, In: CSV, Of: ofMemory(func(l *profiler.LineMemory) int64 { return l.Allocated })},
	{Name: "arrays_blocks", Unit: Count, In: CSV, Of: ofMemory(func(l *profiler.LineMemory) int64 { return l.Blocks })},
	{Name: "arrays_at_peak", Unit: Count, In: CSV, Of: ofMemory(func(l *profiler.LineMemory) int64 { return l.AtPeak })},
	{Name: "arrays_kept", Unit: Count, In: CSV, Of: ofMemory(func(l *profiler.LineMemory) int64 { return l.Kept })},
	{Name: "arrays_copied", Unit: Count, In: CSV, Of: ofMemory((*profiler.LineMemory).Copied)},
	// Programs may count columns: new ones come last.
}
