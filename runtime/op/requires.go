package op

import (
	"github.com/arignote/arignote/kernels"
	"github.com/arignote/arignote/runtime/graph"
	"github.com/arignote/arignote/runtime/tensor"
)

// A Requirer fails for operands of some lengths. Rewriting may drop a node whose elements nobody
// reads; what the node requires must hold all the same.
type Requirer interface {
	// Requires lists what must hold of the lengths of node's operands, in terms of them. m measures
	// and simplifies.
	Requires(m Maker, node *graph.Apply) []Requirement
}

// A Requirement says that two int64 scalars are equal, or that the first is at most the second.
// What elements decide, as of an index array, is no requirement: it fails where the elements are
// read.
type Requirement struct {
	A, B     V
	AtMost   bool // A <= B instead of A == B
	Elements bool // with AtMost: of no elements the operation is not defined
	Spread   bool // either would broadcast if it were known to be 1
	Axis     int  // of the operand that B measures; -1: of none alone
}

// requirements collects those of one node.
type requirements struct {
	m    Maker
	list []Requirement
}

func (r *requirements) equal(a, b V, axis int) {
	r.list = append(r.list, Requirement{A: a, B: b, Axis: axis})
}

// alike: equal, of axes that broadcast where their length is known to be 1.
func (r *requirements) alike(a, b V, axis int) {
	if a == b {
		return
	}
	r.list = append(r.list, Requirement{A: a, B: b, Spread: true, Axis: axis})
}

func (r *requirements) atMost(a, b V, axis int) {
	r.list = append(r.list, Requirement{A: a, B: b, AtMost: true, Axis: axis})
}

func (r *requirements) number(n int) V {
	return r.m.Constant(tensor.IntScalar(kernels.Int64, int64(n)))
}

func (r *requirements) length(v V, axis int) V { return length(r.m, v, axis) }

// broadcast: along each of so many axes, the operands whose axis does not broadcast are equally
// long.
func (r *requirements) broadcast(axes int, in ...V) {
	for axis := range axes {
		var first V
		for _, v := range in {
			switch {
			case v.Type.Broadcasts(axis):
			case first == nil:
				first = v
			default:
				r.alike(r.length(first, axis), r.length(v, axis), axis)
			}
		}
	}
}

// fits: v broadcasts to the last axes of part.
func (r *requirements) fits(v, part V) {
	lead := part.Type.Rank() - v.Type.Rank()
	for axis := range v.Type.Rank() {
		if !v.Type.Broadcasts(axis) {
			r.alike(r.length(part, lead+axis), r.length(v, axis), axis)
		}
	}
}

// elements: the axes have some.
func (r *requirements) elements(v V, axes tensor.Axes) {
	for _, axis := range axes.List() {
		r.list = append(r.list, Requirement{A: r.number(1), B: r.length(v, axis), AtMost: true, Elements: true, Axis: axis})
	}
}

// holds: position at is one of the axis.
func (r *requirements) holds(v V, axis int, at int64) {
	if at < 0 {
		at = -at - 1
	}
	if steps := maxRows(v); at == 0 && axis == 0 && steps != nil { // how many there are is known when the loop has run, and that there is one before
		r.atMost(r.number(1), steps, axis)
		return
	}
	r.atMost(r.number(int(at)+1), r.length(v, axis), axis)
}

// maxRows is how many rows v has at most, and has one of if that is not 0, where its operation
// says so: a loop; nil of others.
func maxRows(v V) V {
	if o, ok := v.Op().(interface{ maxRows(v V) V }); ok {
		return o.maxRows(v)
	}
	return nil
}
