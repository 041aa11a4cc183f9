package rewrite

import (
	"strings"

	"github.com/arignote/arignote/kernels"
	"github.com/arignote/arignote/runtime/graph"
	"github.com/arignote/arignote/runtime/history"
	"github.com/arignote/arignote/runtime/op"
	"github.com/arignote/arignote/runtime/tensor"
)

// A Context is what a rule sees of its surroundings, and makes new nodes with: they have the origin
// of the node the rule is applied to, and the other rules are applied to them at once.
type Context struct {
	origin    *graph.Origin
	readers   *graph.Clients        // as the round began
	round     graph.Table[standing] // what became of variables since
	born      int32                 // how many nodes rules made in this round
	walks     int32                 // of dropped
	asked     bool                  // the rule at hand has asked for clients, which may change
	constants graph.Table[constantFacts]
	census    *Census                       // of the graph that the round began with
	tracked   sides[tracked]                // see trackLength
	simple    sides[*graph.Variable]        // see lengthOf
	cut       graph.Table[answer]           // see cutAbove
	positive  graph.Table[answer]           // see hasNoNegativeZero
	bounds    map[*graph.Variable]positions // see changed
	shapes    graph.Table[*graph.Variable]  // see shapeOf
	lengths   graph.Table[lengthly]         // see ofLengths
	matches   []*match                      // that are done, for the next ones
	linked    map[elementwiseNode]op.Thunk  // see foldConstants
	maker     graph.Builder                 // of Apply
	fixed     *fixedPoint
}

func newContext() *Context {
	return &Context{census: NewCensus(), bounds: make(map[*graph.Variable]positions), linked: make(map[elementwiseNode]op.Thunk)}
}

// An answer is what is known of a question: nothing, no or yes.
type answer uint8

const (
	unasked answer = iota
	no
	yes
)

func answerOf(holds bool) answer {
	if holds {
		return yes
	}
	return no
}

// A standing is what became of a variable in a round.
type standing struct {
	uses  int32 // of what took the place of something, or got more, and 1; 0 of others
	born  int32 // its number, from 1, among what rules made; 0 of others
	reads int32 // by how many nodes that rules made, of what they made
	kept  int32 // the last walk of dropped that found it needed
	gone  bool  // of a node's first result: nothing needs the node since, see dropped
}

// setUses notes the uses of what takes the place of something.
func (c *Context) setUses(v *graph.Variable, n int) { c.round.At(v).uses = int32(n) + 1 }

// uses is the number of clients of v. What was made in this round is taken to have one.
func (c *Context) uses(v *graph.Variable) int {
	c.asked = true
	if n := c.round.Get(v).uses; n > 0 {
		return int(n) - 1
	}
	return c.readers.Count(v)
}

// isResult reports whether v was a result of the graph as the round began.
func (c *Context) isResult(v *graph.Variable) bool { return c.readers.IsResult(v) }

// knows reports whether v was there as the round began, or has taken the place of something since.
func (c *Context) knows(v *graph.Variable) bool {
	c.asked = true
	return c.round.Get(v).uses > 0 || c.readers.Count(v) > 0
}

// reused reports whether others than the node at hand read v, which a rule would compute for itself
// alone. If so, the rule does not apply, and the profile says that this is why.
func (c *Context) reused(v *graph.Variable) bool {
	if c.uses(v) <= 1 {
		return false
	}
	c.decline("rule.multi_client", func() string { return at(v) + " is read by others too: " + c.others(v) })
	return true
}

// shared reports whether v is reused, or was made in this round for several: those who copied its
// computation for each of them would copy a chain of such for each of its steps.
func (c *Context) shared(v *graph.Variable) bool {
	c.asked = true
	return c.round.Get(v).reads > 1 || c.reused(v)
}

// decline tells the profile why the rule at hand, whose pattern is there, does not apply.
func (c *Context) decline(code string, why func() string) {
	c.asked = true // and is to say so again
	f := c.fixed
	if f.nesting != 1 || f.rule == nil {
		return // only what is left in the end is of interest
	}
	f.profile.decline(history.Declined{Code: code, Rule: f.rule.Name, Where: f.rule.Where}, f.at, why)
}

// others lists the readers of v.
func (c *Context) others(v *graph.Variable) string {
	const most = 3
	var list []string
	for _, r := range c.Clients(v) {
		switch {
		case len(list) == most:
			return strings.Join(list, ", ") + ", ..."
		case r.Node == nil:
			list = append(list, "a result of the function")
		default:
			list = append(list, by(r.Node))
		}
	}
	return strings.Join(list, ", ")
}

// same reports whether two variables are one, or constants of equal type and value.
func (c *Context) same(u, v *graph.Variable) bool {
	return u == v || u.IsConstant() && v.IsConstant() && u.Type == v.Type && constantKey(u.Data) == constantKey(v.Data)
}

// try applies an op; nil if the operands do not fit.
func (c *Context) try(o graph.Op, in ...*graph.Variable) *graph.Variable {
	node, err := graph.NewApply(o, in, c.origin)
	if err != nil {
		return nil
	}
	c.fixed.counted(node.Outputs[0])
	return c.fixed.simplify(node.Outputs[0])
}

// Apply applies an op whose operands a rule takes to fit; where they do not, the rule does not
// apply.
func (c *Context) Apply(o graph.Op, in ...*graph.Variable) *graph.Variable {
	c.maker.Origin = c.origin
	v := c.maker.Apply(o, in...)
	c.fixed.counted(v)
	return c.fixed.simplify(v)
}

// applyFor is Apply for what does the work of node, which is not the one at hand: a rule that moves
// an operation leaves it its line.
func (c *Context) applyFor(node *graph.Apply, o graph.Op, in ...*graph.Variable) *graph.Variable {
	defer func(origin *graph.Origin) { c.origin = origin }(c.origin)
	c.origin = node.Origin()
	return c.Apply(o, in...)
}

func (c *Context) builder() *graph.Builder { return &graph.Builder{Origin: c.origin} }

// Constant is a constant that has this value, which may be one that the graph has.
func (c *Context) Constant(data *tensor.Dense) *graph.Variable {
	const most = 64 // elements of what is worth a look
	if c.census.constants == nil || data.Size() > most {
		return graph.NewConstant(data, c.origin)
	}
	return c.census.constantOf(data, func() *graph.Variable { return graph.NewConstant(data, c.origin) })
}

// Like is a constant of v's element type and rank that broadcasts against it.
func (c *Context) Like(v *graph.Variable, value float64) *graph.Variable {
	return c.Constant(graph.Filled(v.Type, value))
}

// Length is the length of one axis of v.
func (c *Context) Length(v *graph.Variable, axis int) *graph.Variable {
	if d := v.Type.Dim(axis); d != graph.Unknown {
		return c.Constant(tensor.IntScalar(kernels.Int64, int64(d)))
	}
	return c.Apply(op.ShapeI{Axis: axis}, v)
}

// Cast converts v unless it has the type already.
func (c *Context) Cast(v *graph.Variable, d kernels.DType) *graph.Variable {
	if v.Type.DType == d {
		return v
	}
	return c.Apply(op.Cast(d), v)
}

// conform makes v take the place of node's result: it converts the elements and, where v is smaller
// than the result or less is known of its shape, broadcasts it with the operands that have the
// missing axes. It returns nil if that is not possible, or if it would make the same node again.
func (c *Context) conform(node *graph.Apply, v *graph.Variable, operands []*graph.Variable) *graph.Variable {
	t := node.Outputs[0].Type
	if v.Type.Rank() != t.Rank() {
		return nil
	}
	v = c.Cast(v, t.DType)
	for !fits(t, v.Type) {
		o := missing(t, v.Type, operands)
		if o == nil {
			return nil
		}
		// A template costs nothing where it is needed anyway; where it is not, rules for second
		// find its shape.
		w := c.try(op.Second, o, v)
		if w == nil || w.Type == v.Type {
			return nil
		}
		v = w
	}
	if v.Owner != nil && equalNodes(v.Owner, node) {
		return nil
	}
	return v
}

// fit gives v up if it cannot take the place of node's result.
func (c *Context) fit(node *graph.Apply, v *graph.Variable) *graph.Variable {
	if v == nil || !fits(node.Outputs[0].Type, v.Type) {
		return nil
	}
	return v
}

// missing finds an operand that has what u lacks of t on its first axis that t does not accept; the
// last resort is one that is computed.
func missing(t, u graph.Type, operands []*graph.Variable) *graph.Variable {
	var found *graph.Variable
	for axis := range t.Rank() {
		want := t.Dim(axis)
		if want == graph.Unknown && u.Dim(axis) != 1 || want == u.Dim(axis) {
			continue
		}
		for _, o := range operands {
			if o.Type.Rank() != t.Rank() || o.Type.Dim(axis) != want {
				continue
			}
			if found == nil || found.Owner != nil && o.Owner == nil {
				found = o
			}
		}
		return found
	}
	return nil
}

func equalNodes(a, b *graph.Apply) bool {
	if a.Op != b.Op || len(a.Inputs) != len(b.Inputs) {
		return false
	}
	for i, v := range a.Inputs {
		if v != b.Inputs[i] {
			return false
		}
	}
	return true
}
