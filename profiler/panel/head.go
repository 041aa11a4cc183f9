package panel

import (
	"slices"
	"strings"

	"github.com/arignote/arignote/profiler"
	"github.com/arignote/arignote/profiler/units"
)

// A piece is a part of the bar of the head.
type piece struct {
	Name   string // with its share; "" where there is no room for it
	Title  string
	Colour string
	Width  int // percent
}

// kindColours are those of the kinds of time in the bar.
var kindColours = map[profiler.Kind]string{profiler.CompiledFunctions: blue, profiler.Compiling: orange, profiler.Numpy: green,
	profiler.OtherFunctions: violet, profiler.Starlark: red, profiler.Rest: grey}

// minNamed is from how many percent on a part of the bar has room for its name, and minPiece
// from how many on it is seen.
const (
	minNamed = 14
	minPiece = 1
)

// bar is where the wall time of the cell went: its parts, side by side.
func (v *view) bar() (pieces []piece) {
	if !v.Cell.Sampled() {
		return nil
	}
	for _, p := range v.Cell.Parts() {
		share := v.Cell.Share(p.Time)
		x := piece{Title: string(p.Kind) + " " + units.Share(share) + ", " + units.Human(units.Times, float64(p.Time)), Colour: kindColours[p.Kind],
			Width: int(units.Percent(share) + .5)}
		if x.Width < minPiece {
			continue
		}
		if x.Width >= minNamed {
			x.Name = string(p.Kind) + " " + units.Share(share)
		}
		pieces = append(pieces, x)
	}
	return pieces
}

// head is one sentence: how long it took, and what to look at first. The other sentences are notes.
func (v *view) head() (sentence string, notes []string) {
	t := &v.total
	list := []string{units.Human(units.Times, t.CallTime) + " in " + units.Plural(t.Calls, "call")}
	switch {
	case v.opts.Running > 0:
		list = append([]string{"running for " + units.Human(units.Times, float64(v.opts.Running))}, list...)
	case v.Cell != nil:
		list = []string{units.Human(units.Times, float64(v.Cell.Wall)) + " of wall time"}
	case t.Calls == 0:
		list = []string{"not called"}
	}
	if v.divide > 0 || v.whole {
		for i, s := range v.First(v.rows(v.opts.NApply), true) {
			text := units.Short(s.Text, max(v.width, 240))
			if i == 0 {
				list = append(list, text)
			} else {
				notes = append(notes, "Then: "+text)
			}
		}
	}
	if dear := v.dearest(); dear != "" && len(list) == 1 {
		list = append(list, dear)
	}
	return strings.Join(list, " · "), notes
}

// wordsMeant is what the panel says in the field's terms. A word stands in the legend of a panel
// that has it.
var wordsMeant = []struct {
	word, means string
	used        func(v *view) bool
}{
	{"node", "an operation of a compiled function, as it runs: #7 is the eighth in their order", (*view).hasNodes},
	{"thunks", "the nodes, as Theano calls what runs them; loop: what is between them", (*view).hasNodes},
	{"Elemwise{Composite{...}}", "several operations on numbers, one after the other for each element: they were fused, and the lines of all have their part",
		func(v *view) bool { return v.names("Composite") }},
	{"...[(0, 2)]", "the result number 0 is written over operand number 2: no new memory", func(v *view) bool { return v.names("}[(") }},
	{"no_inplace", "the result is new memory: the operand is used elsewhere, or is not the function's", func(v *view) bool { return v.names("no_inplace") }},
	{"for{cpu,...}", "a loop of scan; grad_of_: the one that computes its gradient. Below it are the nodes of a step", func(v *view) bool { return v.names("for{") }},
	{"Gemm, Gemv, dot", "products of matrices, and of a matrix and a vector, added to another or not",
		func(v *view) bool { return v.names("Gem") || v.names("dot") }},
	{"C, Go", "which kernel ran: C is the fast one", (*view).hasNodes},
	{"fwd/grad/upd", "of the time of a line: what it computes, the gradients of that, and the updates that it asked for",
		func(v *view) bool {
			return slices.ContainsFunc(v.priced, func(r profiler.LineRow) bool { return r.ByRole[1]+r.ByRole[2] > 0 })
		}},
	{"median, p90", "half of the calls take no longer, and nine of ten; spread: how far calls differ", (*view).hasNodes},
	{"roof", "the part of the most that this machine can do: by arithmetic (compute), or by reading and writing (memory). 100 % cannot be made faster",
		func(v *view) bool { return v.Machine != nil && v.Machine.Roof != nil }},
	{"c, i, v", "a result is created, written over an operand (inplace), or a view that has no bytes of its own",
		func(v *view) bool { _, ok := v.MemoryUse(); return ok }},
}

func (v *view) hasNodes() bool { return v.nodes > 0 }

// names reports whether the name of a node that ran has a text in it.
func (v *view) names(text string) bool {
	for _, n := range v.total.Nodes {
		if n.Calls > 0 && strings.Contains(n.Op, text) {
			return true
		}
	}
	return false
}

// legend says what the words of the panel mean.
func (v *view) legend() (fold, bool) {
	var t table
	for _, w := range wordsMeant {
		if w.used(v) {
			t.Rows = append(t.Rows, []cell{words(w.word), {Value: w.means, Text: true}})
		}
	}
	return fold{Title: "Legend", Facts: "what the words mean", Tables: []table{t}}, len(t.Rows) > 0
}
