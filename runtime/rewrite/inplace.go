package rewrite

import (
	"fmt"
	"slices"

	"github.com/arignote/arignote/runtime/graph"
	"github.com/arignote/arignote/runtime/history"
	"github.com/arignote/arignote/runtime/op"
	"github.com/arignote/arignote/runtime/tensor"
)

// Inplace lets each result of an elementwise node overwrite the first operand that has its type and
// shape, was computed here, is not a view, and is needed by nobody else: the results of the graph,
// inputs, constants and shared variables belong to the caller. It counts the results that overwrite
// in p.Changes.
func Inplace(fg *graph.FunctionGraph, p *PassProfile) (*graph.FunctionGraph, error) {
	clients := fg.Clients()
	return p.again(fg, func(node *graph.Apply, in []*graph.Variable) ([]*graph.Variable, error) {
		o := node.Op
		if e, ok := fusable(o); ok {
			list := overwrites(node, clients)
			if len(list) > 0 {
				o = op.NewInplace(e, list...)
			}
			for out := range node.Outputs {
				if out < len(list) && list[out] != tensor.NewAxis {
					p.Changes++
				} else {
					declineInplace(p, node, out, list, clients)
				}
			}
		}
		return remake(node, o, in)
	})
}

// declineInplace says why result out of node gets memory of its own: what keeps the operand that
// looks most like it. That a number is not overwritten costs nothing.
func declineInplace(p *PassProfile, node *graph.Apply, out int, taken []int, clients *graph.Clients) {
	t := node.Outputs[out].Type
	if isSingle(t) {
		return
	}
	best := -1
	for i, v := range node.Inputs {
		if samePattern(v.Type, t) && (best < 0 || node.Inputs[best].Type.DType != t.DType) && !slices.Contains(taken, i) {
			best = i
		}
	}
	if best < 0 {
		return
	}
	if code, why := keeps(node, out, best, clients); code != "" {
		p.decline(history.Declined{Code: code, Rule: "inplace_elemwise"}, node, func() string { return "takes memory of its own: " + why() })
	}
}

// overwrites lists an operand for each result that can have one, up to the last such.
func overwrites(node *graph.Apply, clients *graph.Clients) []int {
	var list, taken []int
	for out := range node.Outputs {
		for i, v := range node.Inputs {
			if overwritable(v, clients) && !slices.Contains(taken, i) && op.CanOverwrite(node, out, i) {
				for len(list) < out {
					list = append(list, tensor.NewAxis)
				}
				list, taken = append(list, i), append(taken, i)
				break
			}
		}
	}
	return list
}

// overwritable states the rule that graph.Check verifies.
func overwritable(v *graph.Variable, clients *graph.Clients) bool {
	return v.Owner != nil && len(graph.Views(v.Owner.Op)) == 0 && len(clients.Get(v)) == 1
}

// fusable returns o if it is elementwise and overwrites nothing.
func fusable(o graph.Op) (op.Pointwise, bool) {
	switch o := o.(type) {
	case op.Elemwise:
		return o, true
	case op.Composite:
		return o, true
	}
	return nil, false
}

// remake is node with another op and other inputs; names, origins and types stay.
func remake(node *graph.Apply, o graph.Op, in []*graph.Variable) ([]*graph.Variable, error) {
	if o == node.Op {
		n, err := node.Remake(in)
		if err != nil {
			return nil, err
		}
		return n.Outputs, nil
	}
	n, err := graph.NewApply(o, in, node.Origin())
	if err != nil {
		return nil, err
	}
	for i, v := range n.Outputs {
		old := node.Outputs[i]
		v.Name, v.Origin = old.Name, old.Origin
		if old.Type.Accepts(v.Type) {
			v.Type = old.Type // see fuser.make
		}
	}
	return n.Outputs, nil
}

// HasIncrements reports whether an operation of fg adds to elements of an array, or puts something
// there.
func HasIncrements(fg *graph.FunctionGraph) bool {
	return slices.ContainsFunc(fg.Toposort(), func(node *graph.Apply) bool {
		_, ok := node.Op.(op.Increment)
		return ok
	})
}

// InplaceIncrements lets what adds to elements of an array, or puts something there, write into the
// array itself: one that was computed here, as Inplace does, or the old value of a shared variable,
// if the result is the new one and everybody else has read the old one.
func InplaceIncrements(fg *graph.FunctionGraph, p *PassProfile) (*graph.FunctionGraph, error) {
	clients := fg.Clients()
	inPlace := func(node *graph.Apply) op.Increment {
		if i, ok := node.Op.(op.Increment); ok {
			if o, ok := i.InPlace(); ok {
				return o
			}
		}
		return nil
	}
	overwrites := func(c graph.Client) *graph.Variable {
		if c.Index != 0 || inPlace(c.Node) == nil {
			return nil
		}
		return c.Node.Outputs[0]
	}
	return p.again(fg, func(node *graph.Apply, in []*graph.Variable) ([]*graph.Variable, error) {
		o := inPlace(node)
		if o == nil {
			return remake(node, node.Op, in)
		}
		code, why := keeps(node, 0, 0, clients)
		if x := node.Inputs[0]; fg.Updating(x, node.Outputs[0], clients, overwrites) {
			code = ""
			if c := fg.LateReader(x, node, clients); c != nil {
				code, why = "inplace.shared", func() string {
					return fmt.Sprintf("%s is a shared variable that is read by %s too", at(x), clientName(*c))
				}
			}
		}
		if code != "" {
			if !isSingle(node.Outputs[0].Type) {
				p.decline(history.Declined{Code: code, Rule: "local_inplace_setsubtensor"}, node, func() string { return "copies all of its operand: " + why() })
			}
			return remake(node, node.Op, in)
		}
		p.Changes++
		return remake(node, o, in)
	})
}
