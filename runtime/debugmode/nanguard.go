package debugmode

import (
	"cmp"
	"fmt"
	"math"
	"slices"
	"strings"

	"github.com/arignote/arignote/runtime/exec"
	"github.com/arignote/arignote/runtime/graph"
	"github.com/arignote/arignote/runtime/op"
	"github.com/arignote/arignote/runtime/tensor"
)

// Big is the magnitude above which NanGuard calls a number big, as Theano does.
const Big = 1e10

// A NanGuard is an exec.Monitor that looks for nan, inf and big numbers in what a function begins
// with and in every result.
type NanGuard struct {
	Nan, Inf, Big bool
	// Warn, if not nil, is told of what would else end the run.
	Warn func(text string)
	// Unchecked lists variables of the graph as it was written at which the guard does not look.
	Unchecked []*graph.Variable
}

var _ exec.Monitor = (*NanGuard)(nil)

// Check returns why the guard makes no sense, if so.
func (g *NanGuard) Check() error {
	if !g.Nan && !g.Inf && !g.Big {
		return fmt.Errorf("nan_is_error, inf_is_error and big_is_error are all False: there is nothing to look for; want one of them at least")
	}
	return nil
}

// skips reports whether v is unchecked: one of those variables, or what rewriting made of one. That
// is known by its origin; of a node that stands for several, by the origin of the one that did what
// gives v.
func (g *NanGuard) skips(v *graph.Variable) bool {
	for v.Op() == graph.Op(op.DeepCopy{}) { // of a result, for the caller
		v = v.Owner.Inputs[0]
	}
	return slices.ContainsFunc(g.Unchecked, func(u *graph.Variable) bool {
		if u == v || v.Owner == nil || u.Owner == nil || v.Origin == nil {
			return u == v
		}
		name, isFused := lastOp(v)
		return !isFused && u.Origin.Made(v.Origin) || slices.ContainsFunc(v.Origin.Parts, func(p graph.Part) bool {
			return p.Op == name && u.Origin.Made(p.Origin)
		})
	})
}

// lastOp names the operation that gives v, within a fused node the step.
func lastOp(v *graph.Variable) (name string, isFused bool) {
	o := v.Owner.Op
	if p, ok := o.(op.Inplace); ok {
		o = p.Op
	}
	if c, ok := o.(op.Composite); ok {
		if step := c.Body.Outputs()[v.Index] - len(v.Owner.Inputs); step >= 0 {
			return c.Body.Steps()[step].Op.Name(), true
		}
	}
	return o.Name(), false
}

// find describes what the guard looks for in x, "" if there is nothing.
func (g *NanGuard) find(x *tensor.Dense) string {
	if !x.DType().IsFloat() {
		return ""
	}
	counts, first := [3]int{}, -1
	values := x.Floats()
	for i, v := range values {
		kind := -1
		switch {
		case math.IsNaN(v):
			kind = 0
		case math.IsInf(v, 0):
			kind = 1
		case math.Abs(v) > Big:
			kind = 2
		}
		if kind >= 0 && [3]bool{g.Nan, g.Inf, g.Big}[kind] {
			counts[kind]++
			if first < 0 {
				first = i
			}
		}
	}
	if first < 0 {
		return ""
	}
	text := ""
	for kind, name := range [3]string{"nan", "inf", fmt.Sprintf("above %g", Big)} {
		if counts[kind] > 0 {
			if text != "" {
				text += ", "
			}
			text += fmt.Sprintf("%d of %d elements are %s", counts[kind], len(values), name)
		}
	}
	d := &difference{shape: x.Shape()}
	return fmt.Sprintf("%s; the first is %v%s", text, values[first], at(d.index(first)))
}

func at(index string) string {
	if index == "" {
		return ""
	}
	return " at " + index
}

// raise is what a finding leads to.
func (g *NanGuard) raise(e *Error) error {
	if g.Warn == nil {
		return e
	}
	place := ""
	if e.At.Pos.IsValid() {
		place = e.At.Pos.String() + ": "
	}
	g.Warn(place + e.Error())
	return nil
}

// Begin looks at inputs and shared variables.
func (g *NanGuard) Begin(p *exec.Program, values map[*graph.Variable]*tensor.Dense) error {
	look := func(v *graph.Variable, what string) error {
		if found := g.find(values[v]); found != "" && !g.skips(v) {
			return g.raise(fail(NanGuardMode, v, "%s %s: %s", what, graph.Mention(v), found))
		}
		return nil
	}
	for i, v := range p.Graph.Inputs {
		if err := look(v, fmt.Sprintf("argument %d,", i+1)); err != nil {
			return err
		}
	}
	for _, v := range p.Graph.SharedVariables() {
		if values[v] == nil { // updated, and not read
			continue
		}
		if err := look(v, "the shared variable"); err != nil {
			return err
		}
	}
	return nil
}

// Before does nothing.
func (g *NanGuard) Before(int, *exec.Node, []*tensor.Dense) error { return nil }

// fused names the operations of a fused node, "" of others.
func fused(node *graph.Apply) string {
	c, ok := plain(node.Op).(op.Composite)
	if !ok {
		return ""
	}
	var names []string
	for _, s := range c.Body.Steps() {
		names = append(names, graph.BaseName(s.Op))
	}
	return strings.Join(names, ", ") + ", fused"
}

// firstOf computes the operations of a fused node one by one and says which gives what the guard
// looks for first.
func (g *NanGuard) firstOf(node *graph.Apply, in []*tensor.Dense) string {
	e := newEvaluator(reference)
	known := make(values)
	for i, v := range node.Inputs {
		known[v] = in[i]
	}
	parts := e.expand(node)
	if parts == nil || e.all(parts, known, nil) != nil {
		return ""
	}
	for _, part := range graph.Toposort(parts) {
		if x := known[part.Outputs[0]]; x != nil && g.find(x) != "" {
			return ", of which " + graph.BaseName(part.Op) + " gives it first"
		}
	}
	return ""
}

// After looks at results.
func (g *NanGuard) After(i int, n *exec.Node, in, out []*tensor.Dense) error {
	for k, x := range out {
		found := g.find(x)
		v := n.Apply.Outputs[k]
		if found == "" || g.skips(v) {
			continue
		}
		overwritten := make(map[int]bool)
		for _, a := range graph.Destroys(n.Apply.Op) {
			overwritten[a.In] = true
		}
		what := fused(n.Apply)
		if what != "" && len(overwritten) == 0 {
			what += g.firstOf(n.Apply, in)
		}
		e := fail(NanGuardMode, v, "a result of node %d, %s: %s", i, cmp.Or(what, nameOf(n.Apply.Op)), found)
		for j, u := range n.Apply.Inputs {
			text := graph.Describe(u)
			if !overwritten[j] && in[j] != nil {
				text = graph.NameOf(u) + " is " + summary(in[j])
			}
			e.At.Notes = append(e.At.Notes, graph.Note{Pos: u.Origin.Pos(), Msg: text})
		}
		e.At.Notes = append(e.At.Notes, graph.FusedNotes(v.Origin)...)
		if err := g.raise(e); err != nil {
			return err
		}
	}
	return nil
}
