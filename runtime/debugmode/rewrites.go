package debugmode

import (
	"fmt"
	"maps"
	"math"
	"slices"

	"github.com/arignote/arignote/runtime/graph"
	"github.com/arignote/arignote/runtime/tensor"
)

// A Replacement is one step of rewriting.
type Replacement struct {
	Rule     string // of the rule, or of the pass that did it by itself
	Where    string // where it is written
	Old, New *graph.Variable
	// Stabilizes says that Old may be nan, inf or without digits where New is a number, on purpose;
	// Unstable, that either may be nan or inf where the other is not. What is a number in both is
	// the same number.
	Stabilizes, Unstable bool
}

// History is what compiling a function did to its graph.
type History struct {
	Original *graph.FunctionGraph // as the user wrote it
	Final    *graph.FunctionGraph // as it runs
	Replaced []Replacement        // in order
}

// events is the history as text, to be compared with that of another compilation of the same graph.
func (h *History) events() []string {
	list := make([]string, 0, len(h.Replaced)+1)
	for _, r := range h.Replaced {
		list = append(list, fmt.Sprintf("%s: %s => %s", r.Rule, expression(r.Old), expression(r.New)))
	}
	return append(list, h.Final.String())
}

// expression is an operation, or the name of what is not computed.
func expression(v *graph.Variable) string {
	if v.Owner == nil {
		return graph.NameOf(v)
	}
	text := nameOf(v.Owner.Op) + "("
	for i, x := range v.Owner.Inputs {
		if i > 0 {
			text += ", "
		}
		if x.Owner != nil && x.Name == "" {
			text += graph.BaseName(x.Owner.Op)
		} else {
			text += graph.NameOf(x)
		}
	}
	return text + ")"
}

// SameOrder compares two compilations of one graph: StochasticOrder if they did not do the same, at
// the place of the first of vars.
func SameOrder(a, b *History, vars []*graph.Variable) error {
	v := &graph.Variable{}
	if len(vars) > 0 {
		v = vars[0]
	}
	x, y := a.events(), b.events()
	for i := range max(len(x), len(y)) {
		switch {
		case i >= len(x) || i >= len(y):
			return fail(StochasticOrder, v, "rewriting the same graph twice did %d and %d steps", len(x)-1, len(y)-1)
		case x[i] != y[i]:
			return fail(StochasticOrder, v, "rewriting the same graph twice did not do the same: step %d", i+1).text("once", x[i]).text("then", y[i])
		}
	}
	return nil
}

// Changed is the error of a rewriting that changed the graph which it was given, whose text was
// another.
func Changed(fg *graph.FunctionGraph, written string) error {
	v := &graph.Variable{}
	if results := fg.Results(); len(results) > 0 {
		v = results[0]
	}
	return fail(BadOptimization, v, "rewriting changed the graph that it was given, which others may hold").text("before", written).text("after", fg.String())
}

// checkRewrites compares what each step of rewriting replaced with what it put there, in order, so
// that the first that is wrong is blamed.
func (c *Checker) checkRewrites() error {
	for _, r := range c.history.Replaced {
		if err := c.interrupted(); err != nil {
			return err
		}
		old, err1 := c.eval.of(r.Old, c.values)
		replaced, err2 := c.eval.of(r.New, c.values)
		if err := c.interrupted(); err != nil {
			return err
		}
		// A rule may try what does not fit, and then not use it; what the function computes is
		// compared as a whole.
		if err1 != nil || err2 != nil {
			continue
		}
		if d := c.agree(r, old, replaced, c.values); d != nil {
			return c.blame(r, d)
		}
		if (r.Stabilizes || r.Unstable) && c.saves(old, replaced) {
			c.saved = true
		}
	}
	return nil
}

// saves reports whether a rewriting gave another value where there was nan or inf, on purpose.
func (c *Checker) saves(old, replaced *tensor.Dense) bool {
	d := c.options.compare(old, replaced, nil)
	return d != nil && d.what == "" && slices.ContainsFunc(d.a, func(x float64) bool { return math.IsNaN(x) || math.IsInf(x, 0) })
}

// agree compares both sides of a replacement, given values of what they have in common.
func (c *Checker) agree(r Replacement, old, replaced *tensor.Dense, known values) *difference {
	d := c.options.compare(old, replaced, nil)
	if d == nil || d.what != "" {
		return d
	}
	from := make(values)
	for _, v := range frontier(r.Old, r.New) {
		from[v] = known[v]
		if v.Data != nil {
			from[v] = v.Data
		}
	}
	heals := r.Stabilizes || r.Unstable
	before, after := c.eval.newSpread([]*graph.Variable{r.Old}, from, true, heals), c.eval.newSpread([]*graph.Variable{r.New}, from, true, heals)
	finite := func(x float64) bool { return !math.IsNaN(x) && !math.IsInf(x, 0) }
	for _, runs := range []int{fewRuns, manyRuns} {
		spread := sumOf(old.Size(), runs, before, after)
		if heals && old.DType().IsFloat() {
			if spread == nil {
				spread = make([]float64, old.Size())
			}
			now := replaced.Floats()
			for i, x := range old.Floats() {
				if !finite(x) || r.Unstable && len(now) == len(spread) && !finite(now[i]) {
					spread[i] = math.Inf(1)
				}
			}
		}
		if d = c.options.compare(old, replaced, spread); d == nil {
			return nil
		}
	}
	return d
}

// ancestors are v and all that it is computed from.
func ancestors(v *graph.Variable) map[*graph.Variable]bool {
	seen := map[*graph.Variable]bool{v: true}
	stack := []*graph.Variable{v}
	for len(stack) > 0 {
		u := stack[len(stack)-1]
		stack = stack[:len(stack)-1]
		if u.Owner == nil {
			continue
		}
		for _, x := range u.Owner.Inputs {
			if !seen[x] {
				seen[x] = true
				stack = append(stack, x)
			}
		}
	}
	return seen
}

// frontier lists the variables from which both are computed and that lie nearest to them: the
// operands of the smallest graphs that show the difference of the two.
func frontier(a, b *graph.Variable) []*graph.Variable {
	common, below := ancestors(b), ancestors(a)
	maps.DeleteFunc(common, func(v *graph.Variable, _ bool) bool { return !below[v] })
	var list []*graph.Variable
	seen := make(map[*graph.Variable]bool)
	var visit func(v *graph.Variable)
	visit = func(v *graph.Variable) {
		if seen[v] {
			return
		}
		seen[v] = true
		if common[v] || v.Owner == nil {
			list = append(list, v)
			return
		}
		for _, x := range v.Owner.Inputs {
			visit(x)
		}
	}
	visit(a)
	visit(b)
	return list
}

// blame is the error of a replacement: the smallest graphs and values that show what is wrong with
// it.
func (c *Checker) blame(r Replacement, d *difference) error {
	small := c.shrink(r)
	if err := c.interrupted(); err != nil { // how far the values are uncertain may not be known
		return err
	}
	where := r.Rule
	if r.Where != "" {
		where += " (" + r.Where + ")"
	}
	e := fail(BadOptimization, r.Old, "%s replaced %s by %s, whose value is another: %s; excluding(%q) goes without it",
		where, expression(r.Old), expression(r.New), d.text("before", "after"), r.Rule)
	e.Rule = r.Rule
	operands := frontier(r.Old, r.New)
	e.text("before", cut(r.Old, operands).String()).text("after", cut(r.New, operands).String())
	for _, v := range operands {
		if v.Data == nil {
			e.note("%s is %s", graph.NameOf(v), summary(small[v]))
		}
	}
	return e
}

// cut is the graph that computes v from operands.
func cut(v *graph.Variable, operands []*graph.Variable) *graph.FunctionGraph {
	fg := &graph.FunctionGraph{Outputs: []*graph.Variable{v}}
	subst := make(map[*graph.Variable]*graph.Variable)
	for _, u := range operands {
		if u.Data == nil && u != v {
			subst[u] = graph.NewInput(u.Name, u.Type, u.Origin)
			fg.Inputs = append(fg.Inputs, subst[u])
		}
	}
	if slices.Contains(operands, v) && v.Data == nil {
		w := graph.NewInput(v.Name, v.Type, v.Origin)
		return &graph.FunctionGraph{Inputs: []*graph.Variable{w}, Outputs: []*graph.Variable{w}}
	}
	if res, err := fg.Substitute(subst); err == nil {
		return res
	}
	return fg
}

// shrink finds the smallest operands that it can on which both sides of a replacement still differ:
// it halves axes of equal length, as long as the difference stays.
func (c *Checker) shrink(r Replacement) values {
	best := make(values)
	for _, v := range frontier(r.Old, r.New) {
		best[v] = c.values[v]
		if v.Data != nil {
			best[v] = v.Data
		}
	}
	differs := func(from values) bool {
		known := maps.Clone(from)
		old, err1 := c.eval.of(r.Old, known)
		replaced, err2 := c.eval.of(r.New, known)
		return err1 == nil && err2 == nil && c.agree(r, old, replaced, from) != nil
	}
	for smaller := true; smaller; {
		smaller = false
		for _, n := range lengths(best) {
			for _, half := range [][2]int{{0, n / 2}, {n / 2, n}} {
				if next := halve(best, n, half[0], half[1]); differs(next) {
					best, smaller = next, true
					break
				}
			}
			if smaller {
				break
			}
		}
	}
	return best
}

// lengths are those of axes that could be shorter, the longest first.
func lengths(known values) []int {
	var list []int
	for v, x := range known {
		for axis, n := range x.Shape() {
			if v.Data == nil && n > 1 && v.Type.Dim(axis) == graph.Unknown && !slices.Contains(list, n) {
				list = append(list, n)
			}
		}
	}
	slices.Sort(list)
	slices.Reverse(list)
	return list
}

// halve takes a part of all axes of length n.
func halve(known values, n, first, last int) values {
	res := make(values, len(known))
	for v, x := range known {
		res[v] = x
		if v.Data != nil {
			continue
		}
		shape, strides, offset, cut := slices.Clone(x.Shape()), x.Strides(), x.Offset(), false
		for axis, length := range shape {
			if length == n && v.Type.Dim(axis) == graph.Unknown {
				shape[axis], cut = last-first, true
				offset += first * strides[axis]
			}
		}
		if cut {
			res[v] = x.View(x.DType(), shape, strides, offset).Copy()
		}
	}
	return res
}

// checkResults compares the results of the graph as it runs with those of the graph as it was
// written. They may differ in what the rewrites that were applied may change.
func (c *Checker) checkResults() error {
	whole := Replacement{Rule: "rewriting as a whole"}
	for _, r := range c.history.Replaced {
		whole.Stabilizes, whole.Unstable = whole.Stabilizes || r.Stabilizes, whole.Unstable || r.Unstable
	}
	written, runs := c.history.Original.Results(), c.history.Final.Results()
	for i, v := range written {
		x, err := c.eval.of(v, c.values)
		if err != nil {
			return c.lost(v, runs[i], err)
		}
		r := whole
		r.Old, r.New = v, runs[i]
		if d := c.agree(r, x, c.values[runs[i]], c.values); d != nil && !(d.what == "" && c.saved) { // what follows from a number for nan may be anything
			return c.blame(r, d)
		}
	}
	return nil
}

// lost is the error of a computation that fails as it was written and not as it runs.
func (c *Checker) lost(written, runs *graph.Variable, err error) error {
	if stopped := c.interrupted(); stopped != nil {
		return stopped
	}
	return fail(BadOptimization, written, "as it was written, the computation fails, and as it was rewritten it does not: %v", err).
		note("it gives %s", summary(c.values[runs]))
}
