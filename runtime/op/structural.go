package op

import (
	"slices"

	"github.com/arignote/arignote/runtime/graph"
	"github.com/arignote/arignote/runtime/tensor"
)

// Structural is what an operation that is no row of the elementwise table says of itself, all of it
// in the operation's own file, which also registers it. TestStructural tries each on its cases and
// asks every method; what is missing fails by the operation's name.
//
// Infer asks for types and, where they are known, values, but leaves it to Coerce and to the run to
// refuse values: a constant may come up while a graph is rewritten.
//
// Operations that users differentiate have a Grad too (graph.Differentiable), operations that take
// more than they compute on a Coerce (graph.Coercer), those whose results have a sign a SignOf
// (Signed), and views and operations that overwrite say so (graph.Viewer, graph.Destroyer).
type Structural interface {
	Linker // with Name and Infer
	graph.Coster
	graph.Labeler
	Measurer
	// Traits are what generators of random graphs and rules about signs need to know.
	Traits() Traits
	// Cases are operands to try the operation on, with values of its parameters that matter.
	Cases() []Case
}

// A Measurer knows how long its results are, so that a result need not be computed to be measured.
type Measurer interface {
	// Length is the length of an axis of v, one of the operation's results, in terms of its
	// operands; nil if only the result tells.
	Length(m Maker, v V, axis int) V
}

// Signed is an operation whose results have a sign that is not that of any element: see Moves for
// those.
type Signed interface {
	// SignOf is the sign of the results for operands of these signs.
	SignOf(in []Sign) Sign
}

// A Maker makes nodes: a *graph.Builder, or a rule that simplifies what it makes.
type Maker interface {
	Apply(o graph.Op, in ...V) V
	Constant(data *tensor.Dense) V
}

// Traits of an operation.
type Traits uint8

const (
	// Moves: the elements of results are elements of the operands of their type, bit for bit.
	Moves Traits = 1 << iota
	// Jumps: a small change of an operand may change a result by much, as of the position of a
	// maximum.
	Jumps
	// Kinks: derivatives jump, as those of a maximum do.
	Kinks
	// Bends: the gradient is not the derivative, on purpose.
	Bends
	// Late: graphs are rewritten to the operation after they are differentiated. It has no
	// gradient.
	Late
	// Acts: running the operation does more than give results: it prints, or fails on purpose. No
	// rewrite leaves it out.
	Acts
	// NearOne: however small, results are as far off as numbers near 1 are, as the logarithm of a
	// sum that is rounded there.
	NearOne
)

// ActsOf reports whether o has the trait Acts.
func ActsOf(o graph.Op) bool {
	s, ok := o.(Structural)
	return ok && s.Traits().Has(Acts)
}

// Has reports whether t has all of u.
func (t Traits) Has(u Traits) bool { return t&u == u }

// A Case is operands to try an operation on, separated by blanks, each a type as in the text form
// of graphs or a constant:
//
//	float64[2,3]        elements at random
//	int64[2](0 -1)      these elements
//	4                   the same as int64(4)
//	float64[3]~finite       elements at random, never nan or infinite
//	float64[3,3]~regular    square matrices that are far from singular, at random
//	float64[3,3]~positive   symmetric and positive definite ones
//
// Instead of an element type stand any, numbers (not bool), integers and floats: the case is then
// tried with each of these types, the same for all operands of the case. Equal lengths vary
// together.
type Case struct {
	Op Structural
	In string
}

// cases are those of one operation with the same operands.
func cases(in string, ops ...Structural) []Case {
	list := make([]Case, len(ops))
	for i, o := range ops {
		list[i] = Case{o, in}
	}
	return list
}

// registered lists the structural operations, in the order in which files register them.
var registered []Structural

// register lists operations, one value for each name. The fields of the struct are the operation's
// parameters; those that the name implies are set.
func register(templates ...Structural) bool {
	registered = append(registered, templates...)
	return true
}

// Structurals lists the structural operations without parameters, sorted by name.
func Structurals() []Structural { return slices.Clone(byBase().list) }

// AllCases are the cases of all structural operations.
func AllCases() []Case {
	var all []Case
	for _, o := range byBase().list {
		all = append(all, o.Cases()...)
	}
	return all
}

const classBasic = "tensor.basic." // of the classes that the profile shows, as Theano's does: see graph.Labeler
