package rewrite

import (
	"slices"

	"github.com/arignote/arignote/kernels"
	"github.com/arignote/arignote/runtime/graph"
	"github.com/arignote/arignote/runtime/op"
	"github.com/arignote/arignote/runtime/tensor"
)

var (
	_ = goRule("local_shape_i_known", groupShapes, knownLength, typeOf[op.ShapeI]())
	_ = goRule("local_track_shape_i", groupShapes, trackLength, typeOf[op.ShapeI]())
	_ = goRule("local_useless_reshape", groupUseless, uselessReshape, typeOf[op.Reshape]())
	_ = goRule("local_reshape_chain", groupUseless, reshapeTwice, typeOf[op.Reshape]())
	_ = goRule("local_reshape_dimshuffle", groupUseless, reshapeDimShuffle, typeOf[op.Reshape]()).needing(ofDimShuffles)
	_ = goRule("local_reshape_to_dimshuffle", groupCanonicalize, reshapeToDimShuffle, typeOf[op.Reshape]())
	_ = goRule("local_reshape_lift", groupCanonicalize, liftReshape, typeOf[op.Reshape]())
	_ = goRule("local_useless_specify_shape", groupUseless, uselessSpecifyShape, typeOf[op.SpecifyShape]())
	_ = goRule("local_useless_deep_copy", groupUseless, copyTwice, op.DeepCopy{})
)

// knownLength: the type says it.
func knownLength(c *Context, node *graph.Apply) *graph.Variable {
	d := node.Inputs[0].Type.Dim(node.Op.(op.ShapeI).Axis)
	if d == graph.Unknown {
		return nil
	}
	return c.Constant(tensor.IntScalar(kernels.Int64, int64(d)))
}

// trackLength: the length of what an operation makes follows from its operands, so that it need not
// be computed to be measured.
//
// What lengths it is computed of is found first, in a loop, and each once in a round: in a chain of
// steps that each change the shape, each length is made of all before it.
func trackLength(c *Context, node *graph.Apply) *graph.Variable {
	c.asked = true // for what the round has made
	s := side{node.Inputs[0], node.Op.(op.ShapeI).Axis}
	if t := c.tracked.Get(s); t.known {
		return t.length
	}
	var few [8]side
	stack := append(few[:0], s)
	for len(stack) > 0 {
		at := stack[len(stack)-1]
		t := c.tracked.At(at)
		if t.known {
			stack = stack[:len(stack)-1]
			continue
		}
		if !t.opened { // what is made for this question only is nobody else's
			t.opened = true
			if from := c.source(at); from != at {
				stack = c.push(stack, from)
				continue
			}
			for _, of := range c.parts(at).sides {
				stack = c.push(stack, of)
			}
			continue
		}
		v := c.track(at)
		if c.fixed.spentAll() {
			return nil // v may not be what it will be
		}
		*t = tracked{known: true, length: v}
	}
	return c.tracked.Get(s).length
}

// tracked is what trackLength knows of a side in a round.
type tracked struct {
	opened bool            // what its length is made of is found first
	known  bool            // what follows is
	length *graph.Variable // nil if it is made of nothing else
}

// track is the length of s, made of those of other sides; nil if it is not.
func (c *Context) track(s side) *graph.Variable {
	m := measuring{c}
	if from := c.source(s); from != s {
		return m.Apply(op.ShapeI{Axis: from.axis}, from.of)
	}
	if o, ok := s.of.Op().(op.Measurer); ok {
		return o.Length(m, s.of, s.axis)
	}
	return nil
}

// measuring makes lengths of those that are tracked.
type measuring struct{ *Context }

func (m measuring) Apply(o graph.Op, in ...*graph.Variable) *graph.Variable {
	if s, ok := o.(op.ShapeI); ok {
		if t := m.tracked.Get(side{in[0], s.Axis}); t.length != nil {
			return t.length
		}
	}
	return m.Context.Apply(o, in...)
}

// LengthOf is the length of a side: see op.LengthMaker.
func (m measuring) LengthOf(v *graph.Variable, axis int) *graph.Variable {
	if t := m.tracked.Get(side{v, axis}); t.length != nil {
		return t.length
	}
	return m.Context.Apply(op.ShapeI{Axis: axis}, v)
}

// push puts a side on the stack unless what it is of was made for a question only.
func (c *Context) push(stack []side, s side) []side {
	if c.round.Get(s.of).born > 0 || c.knows(s.of) {
		return append(stack, s)
	}
	return stack
}

// A lengthOfSide is the definition of a length: the length of another side, or of several.
type lengthOfSide struct {
	asked bool
	same  side
	sides []side // if there is no such one
}

// parts asks the operation of which s is a result, once.
func (c *Context) parts(s side) *lengthOfSide {
	p := c.census.asides.At(s)
	if p.asked {
		return p
	}
	p.asked = true
	o, ok := s.of.Op().(op.Measurer)
	if !ok || s.of.Type.Dim(s.axis) != graph.Unknown {
		return p
	}
	a := &c.census.question
	a.sides, a.used = a.sides[:0], 0
	n := o.Length(a, s.of, s.axis)
	if n != nil {
		if from, ok := n.Op().(op.ShapeI); ok {
			p.same = side{n.Owner.Inputs[0], from.Axis}
			return p
		}
	}
	p.sides = slices.Clone(a.sides)
	return p
}

// asked notes of which sides a length is made. What it makes is looked at until the next question.
type asked struct {
	graph.Builder
	sides   []side
	lengths []*graph.Apply // that earlier questions made
	used    int            // so many of them in this one
}

func (a *asked) Apply(o graph.Op, in ...*graph.Variable) *graph.Variable {
	if s, ok := o.(op.ShapeI); ok {
		return a.LengthOf(in[0], s.Axis)
	}
	return a.Builder.Apply(o, in...)
}

// LengthOf is the length of a side: see op.LengthMaker.
func (a *asked) LengthOf(v *graph.Variable, axis int) *graph.Variable {
	if v.Type.Dim(axis) == graph.Unknown {
		a.sides = append(a.sides, side{v, axis})
	}
	o := op.ShapeI{Axis: axis}
	if a.used == len(a.lengths) {
		a.lengths = append(a.lengths, a.Builder.Apply(o, v).Owner)
	}
	n := a.lengths[a.used]
	a.used++
	n.Op, n.Inputs[0] = o, v
	return n.Outputs[0]
}

// A side is an axis of an array.
type side struct {
	of   *graph.Variable
	axis int
}

// sides holds a T for each side, the zero T until another is set.
type sides[T any] struct {
	first graph.Table[T] // of the first axes, which are most
	other map[side]*T
}

// Get returns what s has.
func (t *sides[T]) Get(s side) (x T) {
	if s.axis == 0 {
		return t.first.Get(s.of)
	}
	if p := t.other[s]; p != nil {
		return *p
	}
	return x
}

// At is where the T of s lies, for good.
func (t *sides[T]) At(s side) *T {
	if s.axis == 0 {
		return t.first.At(s.of)
	}
	p := t.other[s]
	if p == nil {
		if t.other == nil {
			t.other = make(map[side]*T)
		}
		p = new(T)
		t.other[s] = p
	}
	return p
}

// source is the side that s has its length from, through all operations that take it over from an
// operand: elementwise ones, products. Graphs may be thousands of operations deep, so that this is
// a loop, and remembered.
func (c *Context) source(s side) side {
	var path []side
	for {
		if known := c.census.sources.Get(s); known.of != nil {
			s = known
			break
		}
		path = append(path, s)
		same := c.parts(s).same
		if same.of == nil {
			break
		}
		s = same
	}
	for _, p := range path {
		*c.census.sources.At(p) = s
	}
	return s
}

// uselessReshape: the array has the shape already.
func uselessReshape(c *Context, node *graph.Apply) *graph.Variable {
	x, t := node.Inputs[0], node.Outputs[0].Type
	if t.Rank() != x.Type.Rank() {
		return nil
	}
	if !t.IsStatic() || t != x.Type {
		// One length follows from the others, so that all but one must be known to be the same.
		unsure := 0
		for axis := range t.Rank() {
			if !c.sameLength(x, axis, node) {
				unsure++
			}
		}
		if unsure > 1 || unsure == 1 && !c.restPositive(x, node) {
			return nil
		}
	}
	return c.conform(node, x, nil)
}

// sameLength reports whether the length that node, a Reshape, asks for is that of x.
func (c *Context) sameLength(x *graph.Variable, axis int, node *graph.Apply) bool {
	return c.keepsLength(x, axis, node, axis)
}

// keepsLength reports whether the length that node, a Reshape, asks for on its axis to is that of
// an axis of x.
func (c *Context) keepsLength(x *graph.Variable, axis int, node *graph.Apply, to int) bool {
	if d := x.Type.Dim(axis); d != graph.Unknown && d == node.Outputs[0].Type.Dim(to) {
		return true
	}
	shape := node.Inputs[1]
	if shape.Op() != graph.Op(op.MakeVector{}) {
		return false
	}
	return c.isLength(shape.Owner.Inputs[to], x, axis)
}

// isLength reports whether n is the length of an axis of x.
func (c *Context) isLength(n, x *graph.Variable, axis int) bool {
	s, ok := n.Op().(op.ShapeI)
	if !ok || n.Owner.Inputs[0] == x && s.Axis == axis {
		return ok
	}
	c.asked = true // for what the round has made
	if c.round.Get(n).born == 0 && c.madeAnew(side{x, axis}) {
		return false
	}
	return c.lengthOf(x, axis) == n
}

// madeAnew reports whether what the length of s simplifies to is sure to be made for who asks: a
// length of a root or of a part of an array, or a sum of such. It is none that the graph has, and
// need not be made to know that.
func (c *Context) madeAnew(s side) bool {
	var few [8]side
	first := c.source(s)
	stack := append(few[:0], first)
	for len(stack) > 0 {
		at := stack[len(stack)-1]
		known := c.census.anew.At(at)
		if *known != unasked {
			stack = stack[:len(stack)-1]
			continue
		}
		p, holds, waits := c.parts(at), true, false
		switch at.of.Op().(type) {
		case nil:
		case op.Subtensor:
			holds = len(p.sides) == 0
		case op.Join:
			for _, part := range p.sides {
				part = c.source(part)
				switch c.census.anew.Get(part) {
				case unasked:
					stack, waits = append(stack, part), true
				case no:
					holds = false
				}
			}
		default:
			holds = false
		}
		if !waits {
			*known = answerOf(holds)
		}
	}
	return c.census.anew.Get(first) == yes
}

// lengthOf is what the length of x simplifies to.
func (c *Context) lengthOf(x *graph.Variable, axis int) *graph.Variable {
	c.asked = true // for what the round has made
	v := c.simple.Get(side{x, axis})
	if v == nil {
		if v = c.Apply(op.ShapeI{Axis: axis}, x); !c.fixed.spentAll() {
			*c.simple.At(side{x, axis}) = v
		}
	}
	s, ok := v.Op().(op.ShapeI)
	if !ok || v.Owner.Inputs[0] == x && s.Axis == axis {
		return nil
	}
	return v
}

// restPositive: one length follows from the others only if none of those is 0. Without axes there
// is nothing to follow.
func (c *Context) restPositive(x *graph.Variable, node *graph.Apply) bool {
	for axis := range x.Type.Rank() {
		if !c.sameLength(x, axis, node) {
			continue
		}
		if x.Type.Dim(axis) <= 0 {
			return false
		}
	}
	return true
}

// reshapeTwice: the shape in the middle does not matter.
func reshapeTwice(c *Context, node *graph.Apply) *graph.Variable {
	x := node.Inputs[0]
	if _, ok := x.Op().(op.Reshape); !ok {
		return nil
	}
	return c.fit(node, c.try(node.Op, x.Owner.Inputs[0], node.Inputs[1]))
}

// reshapeDimShuffle: axes of length 1 that come and go leave the elements in their order.
func reshapeDimShuffle(c *Context, node *graph.Apply) *graph.Variable {
	x := node.Inputs[0]
	if _, ok := x.Op().(op.DimShuffle); !ok {
		return nil
	}
	last := -1
	for _, axis := range pattern(x.Owner.Op) {
		switch {
		case axis == tensor.NewAxis:
		case axis < last:
			return nil
		default:
			last = axis
		}
	}
	return c.fit(node, c.try(node.Op, x.Owner.Inputs[0], node.Inputs[1]))
}

// reshapeToDimShuffle: reshape(x, (1, n)) => dimshuffle(x, 'x', 0), since only axes of length 1
// come and go.
func reshapeToDimShuffle(c *Context, node *graph.Apply) *graph.Variable {
	x, t := node.Inputs[0], node.Outputs[0].Type
	var order []int
	next, unsure, changed, positive := 0, 0, false, true
	skip := func() { // axes of x that are left out
		for next < x.Type.Rank() && x.Type.Broadcasts(next) {
			next, changed = next+1, true
		}
	}
	for to := range t.Rank() {
		if t.Broadcasts(to) {
			if next < x.Type.Rank() && x.Type.Broadcasts(next) {
				order, next = append(order, next), next+1
				continue
			}
			order, changed = append(order, tensor.NewAxis), true
			continue
		}
		if skip(); next == x.Type.Rank() {
			return nil
		}
		if c.keepsLength(x, next, node, to) {
			positive = positive && x.Type.Dim(next) > 0
		} else {
			unsure++
		}
		order, next = append(order, next), next+1
	}
	skip()
	if next < x.Type.Rank() || !changed || unsure > 1 || unsure == 1 && !positive { // one follows from the others if none of those is 0
		return nil
	}
	return c.fit(node, c.Apply(op.NewDimShuffle(order), x))
}

// liftReshape: reshape(f(x), s) => f(reshape(x, s)), which lets f fuse with what comes after it.
func liftReshape(c *Context, node *graph.Apply) *graph.Variable {
	x := node.Inputs[0]
	if _, ok := x.Op().(op.Elemwise); !ok || len(x.Owner.Inputs) != 1 || c.reused(x) {
		return nil
	}
	return c.fit(node, c.applyFor(x.Owner, x.Owner.Op, c.Apply(node.Op, x.Owner.Inputs[0], node.Inputs[1])))
}

// uselessSpecifyShape: the type says it.
func uselessSpecifyShape(c *Context, node *graph.Apply) *graph.Variable {
	x := node.Inputs[0]
	if !node.Outputs[0].Type.Accepts(x.Type) {
		return nil
	}
	return x
}

// copyTwice: one copy is enough, unless somebody has the other.
func copyTwice(c *Context, node *graph.Apply) *graph.Variable {
	x := node.Inputs[0]
	if x.Op() != graph.Op(op.DeepCopy{}) || c.reused(x) {
		return nil
	}
	return x
}
