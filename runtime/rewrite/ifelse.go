package rewrite

import (
	"github.com/arignote/arignote/runtime/graph"
	"github.com/arignote/arignote/runtime/op"
)

// HasIfElse reports whether there is a branch in a graph.
func HasIfElse(fg *graph.FunctionGraph) bool { return graph.HasChooser(fg.Toposort()) }

// IfElses removes choices that are none: by a condition that is known, since it is a constant or
// was asked before on the way to this branch; between values that are one; results that nobody
// reads, or that another result is too. What asks for the opposite of a condition asks for the
// condition, so that the two know of each other. It counts the nodes that it changed in p.Changes.
func IfElses(fg *graph.FunctionGraph, p *PassProfile) (*graph.FunctionGraph, error) {
	for {
		w := &ifElses{profile: p, clients: fg.Clients(), needs: fg.Needs(), actors: actorsIn(fg)}
		res, err := fg.Transform(w.node)
		if err != nil || w.changes == 0 {
			return fg, err
		}
		p.Changes += w.changes
		fg = res
	}
}

// ifElses is one walk over a graph.
type ifElses struct {
	profile *PassProfile
	clients *graph.Clients
	needs   *graph.Needs
	actors  actors
	changes int
	// inBranch: something was replaced by what is the same in its branch only.
	inBranch bool
}

func (w *ifElses) node(node *graph.Apply, in []*graph.Variable) ([]*graph.Variable, error) {
	if err := w.profile.interrupted(); err != nil {
		return nil, err
	}
	o, ok := node.Op.(op.IfElse)
	if !ok {
		n, err := node.Remake(in)
		if err != nil {
			return nil, err
		}
		return n.Outputs, nil
	}
	then, els := o.Branches(in)
	side := w.known(node, o)
	cond, changed := in[0], false
	if cond.Op() == graph.Op(op.Invert) && cond.Type.DType.IsBool() {
		cond, then, els, side, changed = cond.Owner.Inputs[0], els, then, -side, true
	}
	then, els = sameAsked(cond, then, graph.Then), sameAsked(cond, els, graph.Else)
	out := make([]*graph.Variable, len(node.Outputs))
	at := make(map[[2]*graph.Variable]int) // of a pair of values, the result of the new node
	from := make([]int, len(out))
	var first, last []*graph.Variable
	for k, v := range node.Outputs {
		from[k] = -1
		pick := then[k]
		switch {
		case len(w.clients.Get(v)) == 0:
			changed = true
			continue
		case side == graph.Else:
			pick = els[k]
		}
		same := then[k] == els[k] && !w.actors.lost(v, pick)
		if (side != graph.Both || same) && v.Type.Accepts(pick.Type) {
			changed, out[k] = true, pick
			w.tell(v, pick, side)
			continue
		}
		pair := [2]*graph.Variable{then[k], els[k]}
		i, ok := at[pair]
		if changed = changed || ok; !ok {
			i = len(first)
			at[pair] = i
			first, last = append(first, then[k]), append(last, els[k])
		}
		from[k] = i
		changed = changed || then[k] != in[1+k] || els[k] != in[1+o.N+k]
	}
	if !changed {
		n, err := node.Remake(in)
		if err != nil {
			return nil, err
		}
		return n.Outputs, nil
	}
	w.changes++
	if len(first) == 0 {
		return out, nil
	}
	made, err := graph.NewApply(op.IfElse{N: len(first), Called: o.Called}, append(append([]*graph.Variable{cond}, first...), last...), node.Origin())
	if err != nil {
		return nil, err
	}
	for k, i := range from {
		if i < 0 {
			continue
		}
		v, old := made.Outputs[i], node.Outputs[k]
		if v.Name = old.Name; old.Type.Accepts(v.Type) {
			v.Type = old.Type // see fuser.make
		}
		out[k] = v
		w.tell(old, v, graph.Both)
	}
	return out, nil
}

// known is the side that a node takes whenever it is needed; Both if that is not known.
func (w *ifElses) known(node *graph.Apply, o op.IfElse) graph.Side {
	cond := node.Inputs[0]
	switch {
	case cond.IsConstant() && op.Truth(cond.Data) || w.needs.OfInput(node, 1+o.N) == graph.Never:
		return graph.Then
	case cond.IsConstant() || w.needs.OfInput(node, 1) == graph.Never:
		return graph.Else
	}
	return graph.Both
}

// sameAsked are values that are read on one side of cond: what another ifelse gives that asks for
// cond too is what it gives on that side.
func sameAsked(cond *graph.Variable, values []*graph.Variable, side graph.Side) []*graph.Variable {
	list := make([]*graph.Variable, len(values))
	for i, v := range values {
		for {
			o, ok := v.Op().(op.IfElse)
			if !ok || v.Owner.Inputs[0] != cond {
				break
			}
			then, els := o.Branches(v.Owner.Inputs)
			taken := then
			if side == graph.Else {
				taken = els
			}
			v = taken[v.Index]
		}
		list[i] = v
	}
	return list
}

// tell tells what takes the place of a result. What is right only where the branch around it is
// taken cannot be compared by itself, nor can what is made of it as far as that branch: they are
// not told.
func (w *ifElses) tell(old, v *graph.Variable, side graph.Side) {
	if side != graph.Both && !old.Owner.Inputs[0].IsConstant() {
		w.inBranch = true
	}
	if told := w.profile.OnRewrite; told != nil && !w.inBranch {
		told(Replacement{Pass: w.profile.Name, Old: old, New: v})
	}
}
