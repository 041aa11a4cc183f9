package rewrite

import (
	"cmp"
	"fmt"
	"slices"

	"github.com/arignote/arignote/runtime/graph"
	"github.com/arignote/arignote/runtime/op"
	"github.com/arignote/arignote/runtime/tensor"
)

// A laterResult is a result that is computed after the loop, of what its steps leave.
type laterResult struct {
	output int             // of the body
	value  *graph.Variable // what a step computes
	sum    bool            // the result is what the state begins with, and the values of all steps added
}

// behind computes after the loop, for all steps at once, what no step reads: a result of the
// product of a state is a product of all its values, and the sum of products over the steps, as
// gradients of weights are, is one product.
func (w *loopMaker) behind(p *PassProfile) {
	if w.Until {
		return
	}
	terms := w.sums()
	var kept []*graph.Variable // what steps go on with
	for i := range w.States {
		if w.needed[i] && terms[i] == nil {
			kept = append(kept, w.outputs[i])
		}
	}
	l := &behind{w: w, p: p, needs: graph.FindNeeds(w.outputs), inside: make(map[*graph.Variable]bool), leaves: make(map[*graph.Variable]bool)}
	for _, node := range graph.Toposort(kept) {
		for _, v := range node.Outputs {
			l.inside[v] = true
		}
	}
	// First what is worth that steps leave more, then what needs nothing more.
	for _, heavy := range []bool{true, false} {
		for i, v := range terms {
			if v != nil && w.needed[i] && l.accept(v, heavy) {
				w.postpone(laterResult{i, v, true})
			}
		}
		for i := range w.Results() {
			if k := len(w.States) + i; w.needed[k] && l.accept(w.outputs[k], heavy) {
				w.postpone(laterResult{k, w.outputs[k], false})
			}
		}
	}
	for v := range l.leaves {
		w.extra = append(w.extra, v)
	}
	place := make(map[*graph.Apply]int)
	for i, node := range graph.Toposort(w.outputs) {
		place[node] = i
	}
	slices.SortFunc(w.extra, func(a, b *graph.Variable) int { return cmp.Or(place[a.Owner]-place[b.Owner], a.Index-b.Index) })
}

// result is the type of what is computed after the loop, but for what a state begins with.
func (l laterResult) result(w *loopMaker) graph.Type {
	t := w.resultType(l.output)
	if l.sum && w.States[l.output].Kept {
		return graph.TypeOf(t.DType, t.Dims()[1:]...)
	}
	return t
}

// conform is v, of whose lengths as much is known as t says.
func conform(b *graph.Builder, v *graph.Variable, t graph.Type) *graph.Variable {
	if v == nil || t.Accepts(v.Type) {
		return v
	}
	return b.Apply(op.SpecifyShape{Dims: op.DimsOf(t)}, v)
}

func (w *loopMaker) postpone(l laterResult) {
	w.later = append(w.later, l)
	w.needed[l.output], w.changed = false, true
}

// sums finds the states of which only the last value is read, and to which each step only adds
// something; of each, what.
func (w *loopMaker) sums() []*graph.Variable {
	terms := make([]*graph.Variable, len(w.States))
	readers := (&graph.FunctionGraph{Outputs: w.outputs}).Clients()
	taps := w.TapInputs()
	for i, st := range w.States {
		tap, v := taps[0], w.outputs[i]
		taps = taps[len(st.Taps):]
		last := !st.Kept || w.saved[i] && st.Depth() == 1
		if !last || !w.needed[i] || v.Op() != graph.Op(op.Add) || len(readers.Get(tap)) != 1 || len(readers.Get(v)) != 1 || !v.Type.DType.IsFloat() {
			continue
		}
		switch in := v.Owner.Inputs; tap {
		case in[0]:
			terms[i] = in[1]
		case in[1]:
			terms[i] = in[0]
		}
		if terms[i] != nil && !sameBroadcastAs(terms[i].Type, v.Type) {
			terms[i] = nil
		}
	}
	return terms
}

func sameBroadcastAs(t, u graph.Type) bool { return t.DType == u.DType && samePattern(t, u) }

// behind is a walk over what may be computed after a loop.
type behind struct {
	w      *loopMaker
	p      *PassProfile
	needs  *graph.Needs
	inside map[*graph.Variable]bool // what steps have to compute
	leaves map[*graph.Variable]bool // of these, what they leave
}

// accept reports whether v is better computed after the loop, and notes what steps have to leave
// for it. heavy asks for what is worth that they leave more than they do.
func (l *behind) accept(v *graph.Variable, heavy bool) bool {
	if v.Owner == nil || l.inside[v] {
		return false
	}
	isTap := make(map[*graph.Variable]bool)
	for _, t := range l.w.TapInputs() {
		isTap[t] = true
	}
	more := make(map[*graph.Variable]bool)
	worth, why := false, ""
	seen := make(map[*graph.Variable]bool)
	var walk func(v *graph.Variable) bool
	walk = func(v *graph.Variable) bool {
		switch {
		case seen[v] || v.IsConstant() || v.Owner == nil && !isTap[v]:
			return true
		case isTap[v]:
			why = graph.Mention(v) + " is a value of the step before" // and all of these would have to be put together
			return false
		}
		seen[v] = true
		if v.Type.Rank() == tensor.MaxRank || isBranch(l.needs, v.Owner) {
			return false
		}
		if l.inside[v] {
			if !l.left(v) {
				more[v] = true
			}
			return !slices.ContainsFunc(v.Owner.Outputs, func(u *graph.Variable) bool { return u.Type.State != graph.NoState })
		}
		if _, ok := v.Owner.Op.(op.ShapeI); ok { // the same in all steps
			return walk(v.Owner.Inputs[0])
		}
		if _, ok := v.Owner.Op.(op.Stacker); !ok || len(v.Owner.Outputs) > 1 || op.ActsOf(v.Owner.Op) {
			why = graph.BaseName(v.Owner.Op) + " is computed for one value at a time"
			return false
		}
		worth = worth || isHeavy(v.Owner) || outerProduct(v) != nil
		return !slices.ContainsFunc(v.Owner.Inputs, func(u *graph.Variable) bool { return !walk(u) })
	}
	switch done := walk(v); {
	case !done && why != "" && !heavy:
		l.w.decline(l.p, v.Owner, "scan.behind", func() string { return "is computed in each step, though no step reads it: " + why })
		return false
	case !done || heavy && !worth || !heavy && len(more) > 0:
		return false
	}
	if stopped := l.try(v); stopped != nil {
		l.w.decline(l.p, v.Owner, "scan.behind", func() string {
			return fmt.Sprintf("is computed in each step, though no step reads it: %s is computed for one value at a time", by(stopped))
		})
		return false
	}
	for u := range more {
		l.leaves[u] = true
	}
	return true
}

// try computes v for all steps, of anything that has a row for each, and returns a node that cannot
// be.
func (l *behind) try(v *graph.Variable) (stopped *graph.Apply) {
	b := &graph.Builder{Origin: l.w.node.Origin()}
	s := &op.Stack{Builder: b, Rows: l.w.operands.Steps}
	stacks := make(map[*graph.Variable]*graph.Variable)
	for i, r := range l.w.rows {
		stacks[r] = l.w.sequences[i]
	}
	defer func() {
		if recover() != nil { // operands that would not fit are an error of the step
			stopped = v.Owner
		}
	}()
	for _, node := range graph.Toposort([]*graph.Variable{v}) {
		switch u := node.Outputs[0]; {
		case l.inside[u]:
			for _, u := range node.Outputs {
				if u.Type.State == graph.NoState && u.Type.Rank() < tensor.MaxRank {
					stacks[u] = graph.NewInput("", graph.TypeOf(u.Type.DType, append([]int{graph.Unknown}, u.Type.Dims()...)...), nil)
				}
			}
		case !s.Node(node, stacks):
			return node
		}
	}
	if stacks[v] == nil {
		return v.Owner
	}
	return nil
}

// left reports whether all values of v are there after the loop.
func (l *behind) left(v *graph.Variable) bool {
	if l.leaves[v] {
		return true
	}
	for i, st := range l.w.States {
		if st.Kept && !l.w.saved[i] && l.w.needed[i] && l.w.outputs[i] == v {
			return true
		}
	}
	return false
}

// outerProduct is the node of v if that is one of two vectors.
func outerProduct(v *graph.Variable) *graph.Apply {
	if v.Op() != graph.Op(op.Mul) || v.Type.Rank() != 2 || vectorOf(v.Owner.Inputs[0], 0) == vectorOf(v.Owner.Inputs[1], 0) {
		return nil
	}
	in := v.Owner.Inputs
	if vectorOf(in[0], 0) != nil && vectorOf(in[1], 1) != nil || vectorOf(in[0], 1) != nil && vectorOf(in[1], 0) != nil {
		return v.Owner
	}
	return nil
}

// vectorOf is the vector that v is along an axis of two.
func vectorOf(v *graph.Variable, axis int) *graph.Variable {
	if d, ok := v.Op().(op.DimShuffle); ok && d.Pattern == [2]op.Pattern{"0 x", "x 0"}[axis] && v.Owner.Inputs[0].Type.Rank() == 1 {
		return v.Owner.Inputs[0]
	}
	return nil
}

// makeLater computes what was postponed: made are the results of the loop, of which at says where
// each of the old ones is, and those behind first are w.extra.
func (w *loopMaker) makeLater(b *graph.Builder, made []*graph.Variable, at []int, first int, out, last []*graph.Variable) (err error) {
	if len(w.later) == 0 {
		return nil
	}
	defer graph.Catch(&err)
	s := &op.Stack{Builder: b, Rows: w.operands.Steps}
	stacks := make(map[*graph.Variable]*graph.Variable)
	for i, v := range w.rows {
		stacks[v] = w.sequences[i]
	}
	for i, st := range w.States {
		if st.Kept && !w.saved[i] && at[i] >= 0 {
			stacks[w.outputs[i]] = made[at[i]]
		}
	}
	for i, v := range w.extra {
		stacks[v] = made[first+i]
	}
	roots := make([]*graph.Variable, 0, len(w.later))
	for _, l := range w.later {
		roots = append(roots, l.value)
	}
	for _, node := range graph.Toposort(roots) {
		if stacks[node.Outputs[0]] == nil {
			s.Node(node, stacks)
		}
	}
	var o *outside
	known := 0 // stacks that o is of
	for _, l := range w.later {
		z := stacks[l.value]
		if l.sum {
			if z = w.sumOfProducts(s, l.value, stacks); z == nil {
				z = b.Apply(op.Reduce{Kind: op.Sum, Axes: tensor.AxesOf(0)}, stacks[l.value])
			}
		}
		if o == nil || len(stacks) != known { // a sum may have made more
			o, known = w.outside(stacks), len(stacks)
		}
		z, ok := o.of(z)
		if z = conform(b, z, l.result(w)); !ok {
			return fmt.Errorf("BUG: %s is not computed after its loop", graph.Describe(l.value))
		}
		switch {
		case !l.sum:
			out[l.output] = z
		case w.States[l.output].Kept: // of which the last value is read
			begin := b.Apply(op.Subtensor{Index: "0"}, w.operands.Begin[l.output])
			last[l.output] = b.Apply(op.Add, begin, z)
		default:
			out[l.output] = b.Apply(op.Add, w.operands.Begin[l.output], z)
		}
	}
	return nil
}

// sumOfProducts is the sum over the steps of v if it is a product of two values that change from
// step to step: one product, of what they are for all steps. It is nil for others.
func (w *loopMaker) sumOfProducts(s *op.Stack, v *graph.Variable, stacks map[*graph.Variable]*graph.Variable) *graph.Variable {
	if node := outerProduct(v); node != nil {
		x, y := node.Inputs[0], node.Inputs[1]
		if vectorOf(x, 0) == nil {
			x, y = y, x
		}
		p, q := stacks[vectorOf(x, 0)], stacks[vectorOf(y, 1)]
		if p == nil || q == nil {
			return nil
		}
		return s.Apply(op.Dot{}, op.Transpose(s.Builder, p), q)
	}
	if v.Op() != graph.Op(op.Dot{}) || v.Type.Rank() != 2 {
		return nil
	}
	x, y := v.Owner.Inputs[0], v.Owner.Inputs[1]
	if stacks[x] == nil || stacks[y] == nil {
		return nil
	}
	// The sum over t and k of x[t, i, k] * y[t, k, j].
	left := s.Apply(op.NewDimShuffle([]int{0, 2, 1}), stacks[x])
	if d, ok := x.Op().(op.DimShuffle); ok && d.Pattern == "1 0" && stacks[x.Owner.Inputs[0]] != nil {
		left = stacks[x.Owner.Inputs[0]]
	}
	flat := func(z *graph.Variable) *graph.Variable {
		lengths := op.Lengths(s.Builder, z)
		return s.Apply(op.Reshape{Rank: 2}, z, s.Apply(op.MakeVector{}, op.Product(s.Builder, lengths[:2]), lengths[2]))
	}
	return s.Apply(op.Dot{}, op.Transpose(s.Builder, flat(left)), flat(stacks[y]))
}
