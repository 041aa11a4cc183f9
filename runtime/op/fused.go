package op

import (
	"github.com/arignote/arignote/runtime/graph"
	"github.com/arignote/arignote/runtime/tensor"
)

// An error of a fused node is one of a single operation that the user wrote, and says so: its name,
// and its line where it can be told. The node's origin lists the operations in the order of the
// steps.

// bodyOf is the body of a node of fused operations, nil of any other.
func bodyOf(o graph.Op) *graph.Body {
	if p, ok := o.(Inplace); ok {
		o = p.Op
	}
	if c, ok := o.(Composite); ok {
		return c.Body
	}
	return nil
}

// memberError is the error of step k of a node, which is all there is of one that is not fused,
// with the operands of the node.
func memberError(node *graph.Apply, k int, in []*tensor.Dense, msg string) *graph.Error {
	e := &graph.Error{Pos: node.Origin().Pos(), Op: graph.BaseName(node.Op), Msg: msg}
	for i, a := range in {
		e.Notes = append(e.Notes, graph.Note{Pos: node.Inputs[i].Origin.Pos(),
			Msg: graph.Describe(node.Inputs[i]) + " and has shape " + tensor.ShapeString(a.Shape())})
	}
	if body := bodyOf(node.Op); body != nil {
		e.Op = graph.BaseName(body.Steps()[k].Op)
		if pos, ok := placeOf(node.Origin(), body, k); ok {
			e.Pos = pos
			return e
		}
	}
	e.Notes = append(e.Notes, graph.FusedNotes(node.Origin())...)
	return e
}

// placeOf is where step k of body was written. It is not known where operations of its name have
// merged.
func placeOf(o *graph.Origin, body *graph.Body, k int) (graph.Pos, bool) {
	if o == nil {
		return graph.Pos{}, false
	}
	name := body.Steps()[k].Op.Name()
	steps, at := 0, 0
	for i, s := range body.Steps() {
		if s.Op.Name() == name {
			if i == k {
				at = steps
			}
			steps++
		}
	}
	var places []graph.Pos
	for _, part := range o.Parts {
		if part.Op == name {
			places = append(places, part.Origin.Pos())
		}
	}
	switch {
	case len(places) == 1:
		return places[0], places[0].IsValid()
	case len(places) == steps && steps > 0:
		return places[at], places[at].IsValid()
	}
	return graph.Pos{}, false
}

// clashing is the first step of a node whose operands have different lengths along the axis.
func clashing(node *graph.Apply, in []*tensor.Dense, axis int) int {
	body := bodyOf(node.Op)
	if body == nil {
		return 0
	}
	const broadcasts = -1
	lengths := make([]int, len(in), len(in)+len(body.Steps()))
	for i, a := range in {
		if lengths[i] = broadcasts; !node.Inputs[i].Type.Broadcasts(axis) {
			lengths[i] = a.Dim(axis)
		}
	}
	for k, s := range body.Steps() {
		n := broadcasts
		for _, v := range s.Args {
			switch d := lengths[v]; {
			case d == broadcasts || d == n:
			case n == broadcasts:
				n = d
			default:
				return k
			}
		}
		lengths = append(lengths, n)
	}
	return len(body.Steps()) - 1 // results of different shapes
}
