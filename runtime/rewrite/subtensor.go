package rewrite

import (
	"strconv"
	"strings"

	"github.com/arignote/arignote/runtime/graph"
	"github.com/arignote/arignote/runtime/op"
	"github.com/arignote/arignote/runtime/tensor"
)

var (
	_ = goRule("local_useless_slice", groupUseless, uselessSlice, typeOf[op.Subtensor]())
	_ = goRule("local_subtensor_merge", groupUseless, subtensorTwice, typeOf[op.Subtensor]()).needing(ofSubtensors)
	_ = goRule("local_subtensor_remove_broadcastable_index", groupUseless, subtensorOfOne, typeOf[op.Subtensor]())
	_ = goRule("local_subtensor_make_vector", groupUseless, subtensorMakeVector, typeOf[op.Subtensor]()).needing(ofMakeVectors)
	_ = goRule("local_subtensor_inc_subtensor", groupCanonicalize, subtensorOfSet, typeOf[op.Subtensor]()).needing(ofIncSubtensors)
	_ = goRule("local_subtensor_of_alloc", groupCanonicalize, subtensorOfAlloc, typeOf[op.Subtensor]()).needing(ofAllocs)
	_ = goRule("local_subtensor_of_join", groupCanonicalize, subtensorOfJoin, typeOf[op.Subtensor]()).needing(ofJoins)
	_ = goRule("local_subtensor_of_dimshuffle", groupCanonicalize, subtensorOfDimShuffle, typeOf[op.Subtensor]()).needing(ofDimShuffles)
	_ = goRule("local_subtensor_of_reduce", groupCanonicalize, subtensorOfReduce, typeOf[op.Subtensor]()).needing(ofReductions)
	_ = goRule("local_subtensor_of_dot", groupCanonicalize, subtensorOfDot, typeOf[op.Subtensor]()).needing(ofDots)
	_ = goRule("local_subtensor_lift", groupCanonicalize, liftSubtensor, typeOf[op.Subtensor]())
	_ = goRule("local_subtensor_of_softmax", groupSpecialize, subtensorOfSoftmax, typeOf[op.Subtensor]()).needing(ofOthers)
)

// selected are the array that node, a Subtensor, takes a part of, and the subscripts of its axes.
func selected(node *graph.Apply) (*graph.Variable, []subscript) {
	x := node.Inputs[0]
	return x, subscriptsOf(node.Op.(op.Subtensor).Index, node.Inputs[1:], x.Type.Rank())
}

// uselessSlice: x[:, :] is x, and so is x[0:n] where n is the length.
func uselessSlice(c *Context, node *graph.Apply) *graph.Variable {
	o, x := node.Op.(op.Subtensor), node.Inputs[0]
	var all tensor.Axes // that are taken as they are
	for axis, s := range written(o.Index, node.Inputs[1:]) {
		if s.word != ":" && !s.drops() && c.takesAll(s, x, axis) {
			all = all.With(tensor.AxesOf(axis))
		}
	}
	index := strings.TrimSpace(string(o.Index))
	if all.None() && index != "" && index != ":" && !strings.HasSuffix(index, " :") {
		return nil
	}
	_, list := selected(node)
	for axis := range list {
		if all.Has(axis) {
			list[axis] = subscript{word: ":"}
		}
	}
	return c.fit(node, c.subtensor(x, list))
}

// takesAll reports whether a slice takes all of an axis of x, in order.
func (c *Context) takesAll(s subscript, x *graph.Variable, axis int) bool {
	n := x.Type.Dim(axis)
	r, known := s.stretch(n)
	return s.whole() || known && r == stretch{0, n, 1} || (s.word == ":i" || s.word == "0:i") && c.isLength(s.in[0], x, axis)
}

// subtensorTwice: x[1:][:-1] => x[1:-1], one part instead of a part of a part.
func subtensorTwice(c *Context, node *graph.Apply) *graph.Variable {
	x, second := selected(node)
	if _, ok := x.Op().(op.Subtensor); !ok {
		return nil
	}
	y, list, ok := partOfPart(x.Owner, second)
	if !ok {
		return nil
	}
	return c.fit(node, c.subtensor(y, list))
}

// partOfPart says of which array second takes which part, where it is applied to what first, a
// Subtensor, takes.
func partOfPart(first *graph.Apply, second []subscript) (*graph.Variable, []subscript, bool) {
	y, list := selected(first)
	for axis, s := range list {
		if s.drops() {
			continue
		}
		merged, ok := s.then(second[0], y.Type.Dim(axis))
		if !ok {
			return nil, nil, false
		}
		list[axis], second = merged, second[1:]
	}
	return y, list, true
}

// subtensorOfOne: the only position of an axis of length 1 is taken by leaving the axis out.
func subtensorOfOne(c *Context, node *graph.Apply) *graph.Variable {
	x, o := node.Inputs[0], node.Op.(op.Subtensor)
	ones := false
	for axis := range x.Type.Rank() {
		ones = ones || x.Type.Broadcasts(axis)
	}
	if !ones {
		return nil
	}
	only := func(axis int, s subscript) bool { return x.Type.Broadcasts(axis) && (s.word == "0" || s.word == "-1") }
	found := false
	for axis, s := range written(o.Index, node.Inputs[1:]) {
		found = found || only(axis, s)
	}
	if !found {
		return nil
	}
	_, list := selected(node)
	var keep []int
	var rest []subscript
	for axis, s := range list {
		if !only(axis, s) {
			keep, rest = append(keep, axis), append(rest, s)
		}
	}
	return c.fit(node, c.subtensor(c.Apply(op.NewDimShuffle(keep), x), rest))
}

// subtensorMakeVector: of a vector that is put together, one element or some of them.
func subtensorMakeVector(c *Context, node *graph.Apply) *graph.Variable {
	if v := element(node); v != nil {
		return v
	}
	x, list := selected(node)
	if x.Op() != graph.Op(op.MakeVector{}) {
		return nil
	}
	r, ok := list[0].stretch(len(x.Owner.Inputs))
	if !ok || list[0].drops() || r.count == 0 {
		return nil
	}
	in := make([]*graph.Variable, r.count)
	for i := range in {
		in[i] = x.Owner.Inputs[r.first+i*r.step]
	}
	return c.fit(node, c.try(op.MakeVector{}, in...))
}

// element is the scalar that node, a Subtensor, takes out of a vector that is put together; nil if
// it is something else.
func element(node *graph.Apply) *graph.Variable {
	x := node.Inputs[0]
	if x.Op() != graph.Op(op.MakeVector{}) {
		return nil
	}
	i, err := strconv.Atoi(strings.TrimSpace(string(node.Op.(op.Subtensor).Index)))
	n := len(x.Owner.Inputs)
	if i < 0 {
		i += n
	}
	if err != nil || i < 0 || i >= n {
		return nil
	}
	return x.Owner.Inputs[i]
}

// subtensorOfSet: what was put there is read there, what was added is added to what was there, and
// elsewhere nothing has changed.
func subtensorOfSet(c *Context, node *graph.Apply) *graph.Variable {
	z, list := selected(node)
	inc, ok := z.Op().(op.IncSubtensor)
	if !ok {
		return nil
	}
	x, y := z.Owner.Inputs[0], z.Owner.Inputs[1]
	same := true
	for axis, s := range subscriptsOf(inc.Index, z.Owner.Inputs[2:], x.Type.Rank()) {
		if s.apart(list[axis], x.Type.Dim(axis)) {
			return c.fit(node, c.subtensor(x, list))
		}
		same = same && s.same(list[axis])
	}
	switch {
	case !same:
		return nil
	case inc.Set:
		return c.fit(node, y)
	case y.Type.DType != x.Type.DType || c.shared(z):
		return nil
	}
	return c.fit(node, c.applyFor(z.Owner, op.Add, c.subtensor(x, list), y))
}

// subtensorOfAlloc: a part of what repeats a value repeats a part of it.
func subtensorOfAlloc(c *Context, node *graph.Apply) *graph.Variable {
	x, list := selected(node)
	if x.Op() != graph.Op(op.Alloc{}) || c.shared(x) {
		return nil
	}
	value := x.Owner.Inputs[0]
	part := c.subtensor(value, partOf(value, list, x.Type))
	if part == nil {
		return nil
	}
	in := []*graph.Variable{part}
	for i := range part.Type.Rank() {
		from := node.Outputs[0]
		if !part.Type.Broadcasts(i) {
			from = part
		}
		n := c.Length(from, i)
		if _, ok := n.Op().(op.ShapeI); ok && n.Owner.Inputs[0] == node.Outputs[0] {
			return nil // only the part itself tells
		}
		in = append(in, n)
	}
	if len(in) == 1 {
		return c.fit(node, part)
	}
	return c.fit(node, c.try(op.Alloc{}, in...))
}

// subtensorOfJoin: of arrays that are put one behind the other, only those that are needed, and
// only what is needed of them.
func subtensorOfJoin(c *Context, node *graph.Apply) *graph.Variable {
	x, list := selected(node)
	j, ok := x.Op().(op.Join)
	if !ok {
		return nil
	}
	along := list[j.Axis]
	var parts []*graph.Variable
	take := func(v *graph.Variable, s subscript) bool {
		own := make([]subscript, len(list))
		copy(own, list)
		own[j.Axis] = s
		part := c.subtensor(v, own)
		parts = append(parts, part)
		return part != nil
	}
	axis := 0 // of the join in what is left
	for _, s := range list[:j.Axis] {
		if !s.drops() {
			axis++
		}
	}
	if along.whole() {
		if c.reused(x) {
			return nil
		}
		for _, v := range x.Owner.Inputs {
			if !take(v, along) {
				return nil
			}
		}
		return c.fit(node, c.try(op.Join{Axis: axis}, parts...))
	}
	from, to, ok := along.within(x.Type.Dim(j.Axis))
	p, _ := along.numbers()
	if !ok || from >= to || p[2] != nil && *p[2] != 1 {
		return nil
	}
	at := 0
	for _, v := range x.Owner.Inputs {
		n := v.Type.Dim(j.Axis)
		if at >= to {
			break
		}
		if n == graph.Unknown {
			return nil
		}
		if r := (stretch{max(from-at, 0), min(to-at, n) - max(from-at, 0), 1}); r.count > 0 {
			s := r.slice()
			if along.drops() {
				s = integer(r.first)
			}
			if !take(v, s) {
				return nil
			}
		}
		at += n
	}
	switch {
	case len(parts) == 0 || along.drops() && len(parts) > 1 || len(parts) == len(x.Owner.Inputs) && len(parts) > 1:
		return nil
	case len(parts) == 1: // a view, which costs nothing if all are computed
		return c.fit(node, parts[0])
	case c.reused(x):
		return nil
	}
	return c.fit(node, c.try(op.Join{Axis: axis}, parts...))
}

// subtensorOfDimShuffle: transpose(x)[i] => x[:, i], so that what computes x may compute only what
// is needed.
func subtensorOfDimShuffle(c *Context, node *graph.Apply) *graph.Variable {
	x, list := selected(node)
	if _, ok := x.Op().(op.DimShuffle); !ok {
		return nil
	}
	y := x.Owner.Inputs[0]
	below := allWhole(y.Type.Rank())
	var order []int // axes of y
	for i, axis := range pattern(x.Owner.Op) {
		switch s := list[i]; {
		case axis != tensor.NewAxis:
			below[axis] = s
			if !s.drops() {
				order = append(order, axis)
			}
		case s.whole():
			order = append(order, axis)
		default:
			return nil // local_subtensor_remove_broadcastable_index takes the others, of which it is sure
		}
	}
	at := make([]int, len(below)) // where the axes of y are in what is left of it
	kept := 0
	for axis, s := range below {
		if at[axis] = kept; !s.drops() {
			kept++
		}
	}
	for i, axis := range order {
		if axis != tensor.NewAxis {
			order[i] = at[axis]
		}
	}
	part := c.subtensor(y, below)
	if part == nil {
		return nil
	}
	return c.fit(node, c.Apply(op.NewDimShuffle(order), part))
}

// subtensorOfReduce: sum(x, axis=1)[i] => sum(x[i], axis=0), which adds up only what is needed.
func subtensorOfReduce(c *Context, node *graph.Apply) *graph.Variable {
	z, list := selected(node)
	r, ok := z.Op().(op.Reduce)
	if !ok || c.reused(z) {
		return nil
	}
	x := z.Owner.Inputs[0]
	below := allWhole(x.Type.Rank())
	var axes tensor.Axes
	kept := 0
	for axis := range below {
		if r.Axes.Has(axis) {
			axes = axes.With(tensor.AxesOf(kept))
		} else {
			below[axis], list = list[0], list[1:]
		}
		if !below[axis].drops() {
			kept++
		}
	}
	part := c.subtensor(x, below)
	if part == nil {
		return nil
	}
	return c.fit(node, c.applyFor(z.Owner, r.Over(axes), part))
}

// subtensorOfSoftmax: softmax(x)[i] => softmax(x[i]) for rows, which computes only those that are
// needed.
func subtensorOfSoftmax(c *Context, node *graph.Apply) *graph.Variable {
	z, list := selected(node)
	if _, ok := z.Op().(op.Softmax); !ok || !list[len(list)-1].whole() || takesAll(list) || c.reused(z) {
		return nil
	}
	part := c.subtensor(z.Owner.Inputs[0], list)
	if part == nil {
		return nil
	}
	return c.fit(node, c.applyFor(z.Owner, z.Owner.Op, part))
}

// subtensorOfDot: dot(x, y)[i, j] => dot(x[i], y[:, j]), which computes only what is needed.
func subtensorOfDot(c *Context, node *graph.Apply) *graph.Variable {
	z, list := selected(node)
	if z.Op() != graph.Op(op.Dot{}) || takesAll(list) || c.reused(z) || len(list) == 0 {
		return nil
	}
	x, y := z.Owner.Inputs[0], z.Owner.Inputs[1]
	if x.Type.Rank() == 2 {
		x, list = c.subtensor(x, list[:1]), list[1:]
	}
	if y.Type.Rank() == 2 {
		y = c.subtensor(y, append(allWhole(1), list...))
	}
	if x == nil || y == nil {
		return nil
	}
	return c.fit(node, c.try(op.Dot{}, x, y))
}
