package graph

// An Op is an operation: a comparable value whose fields are its parameters, so that two nodes
// compute the same if their ops and their inputs are equal.
type Op interface {
	// Name is the operation's text form, with its parameters: "add", "sum{axes=0}".
	Name() string
	// Infer gives the types of the outputs, or an error that names the shapes or types
	// that do not fit. It may look at the values of constants.
	Infer(in []*Variable) ([]Type, error)
}

// Single is implemented by ops of one output of which many nodes are made: InferOne is Infer
// without the list.
type Single interface {
	InferOne(in []*Variable) (Type, error)
}

// FromTypes is implemented by ops of one output whose type follows from the operands' types alone
// and never changes later: operands of the same types give the same type.
type FromTypes interface {
	Single
	InfersFromTypes()
}

// Coercer is implemented by ops that accept more than they compute on: Coerce inserts what is
// missing, such as axes of length 1 on the left of an operand of lower rank.
type Coercer interface {
	Coerce(b *Builder, in []*Variable) ([]*Variable, error)
}

// Differentiable is implemented by ops with a gradient.
type Differentiable interface {
	// Grad returns, for each input of node, the gradient of the cost with respect to it, given the
	// gradient g[i] with respect to each output (nil where the cost does not depend on that
	// output). A nil result says that the gradient is zero everywhere, as for integers and
	// comparisons.
	Grad(b *Builder, node *Apply, g []*Variable) []*Variable
}

// Disconnecting is implemented by ops through which a cost does not count as depending on their
// operands (Theano's connection_pattern).
type Disconnecting interface{ Disconnects() }

// Connector is implemented by ops through which a gradient does not go from every result to every
// operand (Theano's connection_pattern).
type Connector interface {
	// Connects reports whether a cost that depends on result out of node counts as depending on
	// operand in.
	Connects(node *Apply, in, out int) bool
}

// Mixing is implemented by differentiable ops that compute floats from integers too. The gradient
// with respect to these is that of the same numbers as floats.
type Mixing interface {
	// Mixes reports whether operand i is such a number, and no place or length.
	Mixes(i int) bool
}

// Flows reports whether gradients go through a node at all.
func Flows(op Op) bool {
	_, stops := op.(Disconnecting)
	_, ok := op.(Differentiable)
	return ok && !stops
}

// Connects reports whether gradients go through node from result out to operand in.
func Connects(node *Apply, in, out int) bool {
	if !Flows(node.Op) {
		return false
	}
	c, ok := node.Op.(Connector)
	return !ok || c.Connects(node, in, out)
}

// Pusher is implemented by ops that may have a rule of their own for how their results change
// (Theano's R_op).
type Pusher interface {
	// Pushes reports whether it has one.
	Pushes() bool
	// Push returns how each result of node changes where its operands go in the directions v, of
	// which those are nil that do not change; a nil result does not change. What is not given has
	// no rule: it follows from the gradient.
	Push(b *Builder, node *Apply, v []*Variable) (changes []*Variable, given []bool)
}

// Refusing is implemented by differentiable ops that find out when they are asked that a gradient
// is missing.
type Refusing interface {
	// TryGrad is Grad, and refused says of each operand why there is no gradient with respect to
	// it, and the way out; "" if there is one, nil if there are all.
	TryGrad(b *Builder, node *Apply, g []*Variable) (grads []*Variable, refused []string)
}

// Parametric is implemented by ops that are not differentiated by some of their operands, as Bessel
// functions by their order.
type Parametric interface {
	// NoGradient says why there is no gradient with respect to operand i, and the way out; "" if
	// there is one.
	NoGradient(i int) string
}

// Bound is implemented by operations that may hold on to what only the running program has, so that
// no file can hold them.
type Bound interface {
	// Bound says what that is, and the way out; "" if there is nothing.
	Bound() string
}

// An Alias says that an output shares memory with an input.
type Alias struct{ Out, In int }

// Viewer is implemented by ops whose outputs are views of inputs (Theano's view_map).
type Viewer interface{ ViewMap() []Alias }

// Destroyer is implemented by ops that overwrite inputs with outputs (Theano's destroy_map).
type Destroyer interface{ DestroyMap() []Alias }

// Views returns op's view map, nil if it has none.
func Views(op Op) []Alias {
	if v, ok := op.(Viewer); ok {
		return v.ViewMap()
	}
	return nil
}

// Destroys returns op's destroy map, nil if it has none.
func Destroys(op Op) []Alias {
	if d, ok := op.(Destroyer); ok {
		return d.DestroyMap()
	}
	return nil
}

// Nester is implemented by ops that run graphs of their own: a loop its step. What looks at a
// graph, prints it, checks it or measures its runs looks into these too.
type Nester interface {
	// Inner lists the graphs, which must not be changed, in an order that depends on the op alone.
	Inner() []InnerGraph
}

// An InnerGraph is a graph that an op runs, and what users call it.
type InnerGraph struct {
	Name  string
	Graph *FunctionGraph
	// Operands says which operand of the node each input of Graph is, or is a part of, as a row is
	// of a sequence; -1 where it is none. Nil says that input i is operand i.
	Operands []int
}

// Operand is the operand of node that input i of g is, or is a part of; nil if it is none.
func (g InnerGraph) Operand(node *Apply, i int) *Variable {
	if g.Operands != nil {
		i = g.Operands[i]
	}
	if i < 0 || i >= len(node.Inputs) {
		return nil
	}
	return node.Inputs[i]
}

// Inner lists the graphs that op runs, none of most ops.
func Inner(op Op) []InnerGraph {
	if n, ok := op.(Nester); ok {
		return n.Inner()
	}
	return nil
}

// Labeler is implemented by ops that the classic profile spells otherwise than Name.
type Labeler interface {
	// Label is what Theano's profile prints for the op: "Elemwise{add,no_inplace}".
	Label() string
	// Class is the op's class there: "tensor.elemwise.Elemwise".
	Class() string
}

// Label returns what the classic profile prints for op.
func Label(op Op) string {
	if l, ok := op.(Labeler); ok {
		return l.Label()
	}
	return op.Name()
}
