package rewrite

import (
	"slices"

	"github.com/arignote/arignote/runtime/graph"
	"github.com/arignote/arignote/runtime/op"
)

// CheckLengths makes the graph fail for lengths for which the graph as it was written fails. Rules
// drop operands: x*0 needs x for its shape, a[0] + b[0] needs of a and b one row, and where two
// lengths have to be equal it asks one of them. What the written graph requires of lengths and the
// rewritten one does not is compared by an op.CheckLengths at a result, at the place of the
// operation that required it. Most programs need none: what is left of them requires the same, or
// the lengths are those of one variable.
//
// What a node requires that is in a branch is checked where that is taken, unless something that is
// left requires it, in whichever branch.
//
// It looks at the two graphs, and at no rule: so no rule, nor any that a user adds, can lose an
// error of lengths. It counts the checks in p.Changes.
func CheckLengths(fg *graph.FunctionGraph, p *PassProfile) (*graph.FunctionGraph, error) {
	at := slices.IndexFunc(fg.Results(), func(v *graph.Variable) bool { return v.Type.State == graph.NoState })
	if p.Written == nil || at < 0 { // states of random numbers pass through no check
		return fg, nil
	}
	l := newLengths()
	always, taken := newRequired(l), newRequired(l)
	var kept graph.Table[bool] // nodes, by their first results
	var made graph.Table[*graph.Variable]
	needs := fg.Needs()
	for _, node := range needs.Order {
		kept.Set(node.Outputs[0], true)
		for _, q := range always.of(node) {
			taken.add(q)
			if needs.Of(node) == graph.Always {
				always.add(q)
			}
		}
	}
	v := fg.Results()[at]
	written := p.Written.Needs()
	for _, node := range written.Order {
		if kept.Get(node.Outputs[0]) {
			continue
		}
		when := written.Of(node)
		r := always
		if when != graph.Always {
			r = taken
		}
		for _, q := range r.of(node) {
			if r.implied(q) {
				continue
			}
			r.add(q)
			check := op.CheckLengths{Of: graph.BaseName(node.Op), Axis: q.Axis, AtMost: q.AtMost, Elements: q.Elements, Spread: q.Spread}
			b := &graph.Builder{Origin: node.Origin()}
			w := b.Apply(check, v, place(b, &made, q.A), place(b, &made, q.B))
			w.Name = v.Name
			v = inBranch(b, when, w, v)
			p.Changes++
		}
	}
	if p.Changes == 0 {
		return fg, nil
	}
	res := &graph.FunctionGraph{Name: fg.Name, Inputs: fg.Inputs, Outputs: slices.Clone(fg.Outputs), Updates: slices.Clone(fg.Updates)}
	if old := fg.Results()[at]; p.OnRewrite != nil {
		p.OnRewrite(Replacement{Pass: p.Name, Old: old, New: v})
	}
	if at < len(res.Outputs) {
		res.Outputs[at] = v
	} else {
		res.Updates[at-len(res.Outputs)].Value = v
	}
	return res, nil
}

// inBranch is checked where the guard holds, and v elsewhere.
func inBranch(b *graph.Builder, when *graph.Guard, checked, v *graph.Variable) *graph.Variable {
	switch when {
	case graph.Always:
		return checked
	case graph.Never:
		return v
	}
	w := b.Apply(op.IfElse{N: 1}, when.Cond, inBranch(b, when.Then, checked, v), inBranch(b, when.Else, checked, v))
	w.Name = v.Name
	return w
}

// place makes what measures v, which has no line of the user's, at the place of b. What the graph
// as written has stays as it is.
func place(b *graph.Builder, made *graph.Table[*graph.Variable], v *graph.Variable) *graph.Variable {
	if v.Owner == nil || v.Origin != nil {
		return v
	}
	if w := made.Get(v); w != nil {
		return w
	}
	in := make([]*graph.Variable, len(v.Owner.Inputs))
	for i, u := range v.Owner.Inputs {
		in[i] = place(b, made, u)
	}
	for i, w := range b.Apply(v.Owner.Op, in...).Owner.Outputs {
		made.Set(v.Owner.Outputs[i], w)
	}
	return made.Get(v)
}

// required is what is known to be required of lengths: which are equal, and the least that some may
// be.
type required struct {
	l       *lengths
	parent  graph.Table[*graph.Variable]
	atLeast map[*graph.Variable]float64 // of those that are the root of their set
	bounds  []op.Requirement            // that are not between a number and a length
}

func newRequired(l *lengths) *required {
	return &required{l: l, atLeast: make(map[*graph.Variable]float64)}
}

// of lists what a node requires. What elements decide is left to where they are read.
func (r *required) of(node *graph.Apply) (list []op.Requirement) {
	o, ok := node.Op.(op.Requirer)
	if !ok {
		return nil
	}
	var err error // lengths that are known not to fit: the node says it when it runs
	defer graph.Catch(&err)
	for _, q := range o.Requires(r.l, node) {
		q.A, q.B = r.l.scalar(q.A), r.l.scalar(q.B)
		if q.A != q.B && (!q.AtMost || r.l.given(q.A)) && !r.l.chosen(q.A) && !r.l.chosen(q.B) {
			list = append(list, q)
		}
	}
	return list
}

func (r *required) find(v *graph.Variable) *graph.Variable {
	for {
		up := r.parent.Get(v)
		if up == nil {
			return v
		}
		if further := r.parent.Get(up); further != nil {
			r.parent.Set(v, further) // the next one takes half the way
		}
		v = up
	}
}

func (r *required) add(q op.Requirement) {
	a, b := r.find(q.A), r.find(q.B)
	n, known := q.A.Scalar()
	switch {
	case !q.AtMost && a != b:
		if a.IsConstant() { // stays the root
			a, b = b, a
		}
		r.parent.Set(a, b)
		if least, ok := r.atLeast[a]; ok {
			r.atLeast[b] = max(r.atLeast[b], least)
		}
	case q.AtMost && known:
		r.atLeast[b] = max(r.atLeast[b], n)
	case q.AtMost:
		r.bounds = append(r.bounds, q)
	}
}

func (r *required) implied(q op.Requirement) bool {
	a, b := r.find(q.A), r.find(q.B)
	if a == b {
		return true
	}
	if !q.AtMost {
		return false
	}
	if n, ok := a.Scalar(); ok {
		m, known := b.Scalar()
		least, bounded := r.atLeast[b]
		return known && n <= m || bounded && n <= least || n <= 0 && r.l.nonnegative(b)
	}
	return slices.ContainsFunc(r.bounds, func(p op.Requirement) bool { return r.find(p.A) == a && r.find(p.B) == b })
}
