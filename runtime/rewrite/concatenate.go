package rewrite

import (
	"slices"
	"strings"

	"github.com/arignote/arignote/runtime/graph"
	"github.com/arignote/arignote/runtime/op"
	"github.com/arignote/arignote/runtime/tensor"
)

var (
	_ = goRule("local_join_1", groupUseless, joinOne, typeOf[op.Join]())
	_ = goRule("local_join_empty", groupUseless, joinEmpty, typeOf[op.Join]())
	_ = goRule("local_join_join", groupCanonicalize, joinTwice, typeOf[op.Join]()).needing(ofJoins)
	_ = goRule("local_join_make_vector", groupCanonicalize, joinMakeVector, typeOf[op.Join]())
	_ = goRule("local_join_subtensor", groupCanonicalize, joinParts, typeOf[op.Join]())
)

// joinOne: one array is joined with nothing.
func joinOne(c *Context, node *graph.Apply) *graph.Variable {
	if len(node.Inputs) > 1 {
		return nil
	}
	return c.fit(node, node.Inputs[0])
}

// joinEmpty: what has no elements adds none.
func joinEmpty(c *Context, node *graph.Apply) *graph.Variable {
	axis := node.Op.(op.Join).Axis
	var in []*graph.Variable
	for _, v := range node.Inputs {
		if v.Type.Dim(axis) != 0 {
			in = append(in, v)
		}
	}
	if len(in) == 0 || len(in) == len(node.Inputs) {
		return nil
	}
	return c.fit(node, c.try(node.Op, in...))
}

// joinTwice: what is joined to be joined with more is joined at once.
func joinTwice(c *Context, node *graph.Apply) *graph.Variable {
	var in []*graph.Variable
	all := []*graph.Apply{}
	for _, v := range node.Inputs {
		if v.Op() != node.Op || c.reused(v) {
			in = append(in, v)
			continue
		}
		in, all = append(in, v.Owner.Inputs...), append(all, v.Owner)
	}
	if len(all) == 0 {
		return nil
	}
	c.origin = absorb(node, all...)
	return c.fit(node, c.try(node.Op, in...))
}

// joinMakeVector: vectors of a few numbers each are one vector of all of them.
func joinMakeVector(c *Context, node *graph.Apply) *graph.Variable {
	if node.Outputs[0].Type.Rank() != 1 {
		return nil
	}
	var in, run []*graph.Variable
	changed, behind := false, 0 // how many operands are in the run
	end := func(next *graph.Variable) {
		switch {
		case behind > 1:
			changed = true
			in = append(in, c.Apply(op.MakeVector{}, run...))
		case behind == 1:
			in = append(in, next)
		}
		run, behind = nil, 0
	}
	for i, v := range node.Inputs {
		numbers := c.numbers(v)
		if numbers == nil {
			end(node.Inputs[max(i-1, 0)])
			in = append(in, v)
			continue
		}
		run, behind = append(run, numbers...), behind+1
	}
	end(node.Inputs[len(node.Inputs)-1])
	if !changed {
		return nil
	}
	if len(in) == 1 {
		return c.fit(node, in[0])
	}
	return c.fit(node, c.try(node.Op, in...))
}

// numbers are the elements of v, a vector of a few of which each is known to be computed by itself;
// nil if it is something else.
func (c *Context) numbers(v *graph.Variable) []*graph.Variable {
	const most = 16
	switch {
	case v.Op() == graph.Op(op.MakeVector{}):
		return v.Owner.Inputs
	case v.Op() == graph.Op(op.NewDimShuffle([]int{tensor.NewAxis})):
		return v.Owner.Inputs
	case v.IsConstant() && v.Data.Size() > 0 && v.Data.Size() <= most:
		var list []*graph.Variable
		for i := range v.Data.Size() {
			e, err := v.Data.Subscript(tensor.Index{At: &i})
			if err != nil {
				return nil
			}
			list = append(list, c.Constant(e.Copy()))
		}
		return list
	}
	return nil
}

// joinParts: parts of one array that follow each other are one part.
func joinParts(c *Context, node *graph.Apply) *graph.Variable {
	along := node.Op.(op.Join).Axis
	var in []*graph.Variable
	for _, v := range node.Inputs {
		if len(in) > 0 {
			if both := c.follow(in[len(in)-1], v, along); both != nil {
				in[len(in)-1] = both
				continue
			}
		}
		in = append(in, v)
	}
	switch len(in) {
	case len(node.Inputs):
		return nil
	case 1:
		return c.fit(node, in[0])
	}
	return c.fit(node, c.try(node.Op, in...))
}

// follow is the one part that u and v are, one behind the other along an axis of theirs; nil if
// they are something else.
func (c *Context) follow(u, v *graph.Variable, along int) *graph.Variable {
	_, first := u.Op().(op.Subtensor)
	_, second := v.Op().(op.Subtensor)
	if !first || !second || u.Owner.Inputs[0] != v.Owner.Inputs[0] {
		return nil
	}
	x, list := selected(u.Owner)
	_, next := selected(v.Owner)
	kept := 0
	for axis, s := range list {
		if kept == along && !s.drops() {
			both, ok := s.before(next[axis], x.Type.Dim(axis))
			if !ok {
				return nil
			}
			list[axis] = both
		} else if !s.same(next[axis]) {
			return nil
		}
		if !s.drops() {
			kept++
		}
	}
	return c.subtensor(x, list)
}

// before is the slice of an axis of length n that takes what s takes and behind it what t takes;
// false if there is none that is sure to.
func (s subscript) before(t subscript, n int) (subscript, bool) {
	r, ok := s.stretch(n)
	if u, known := t.stretch(n); ok && known && !t.drops() {
		if r.step != 1 || u.step != 1 || r.first+r.count != u.first || r.count == 0 || u.count == 0 {
			return s, false
		}
		return stretch{r.first, r.count + u.count, 1}.slice(), true
	}
	start, middle, ok := strings.Cut(s.word, ":")
	again, stop, both := strings.Cut(t.word, ":")
	switch {
	case !ok || !both || strings.Contains(middle, ":") || strings.Contains(stop, ":") || middle != again || middle == "":
		return s, false
	case (start == "" || start == "0") && stop == "": // wherever it is cut
		return subscript{word: ":"}, slices.Equal(s.in, t.in)
	}
	p, ok := s.numbers()
	q, known := t.numbers()
	for _, b := range []*int{p[0], p[1], q[1]} {
		ok = ok && (b == nil || *b >= 0)
	}
	if !ok || !known || p[0] != nil && *p[0] > *p[1] || q[1] != nil && *q[1] < *p[1] {
		return s, false
	}
	return subscript{word: start + ":" + stop}, true
}
