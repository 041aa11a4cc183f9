package rewrite

import (
	"slices"

	"github.com/arignote/arignote/runtime/graph"
	"github.com/arignote/arignote/runtime/op"
	"github.com/arignote/arignote/runtime/tensor"
)

// Inplace lets each result of an elementwise node overwrite the first operand that has its type and shape, was computed here, is
// not a view, and is needed by nobody else: the results of the graph, inputs, constants and shared variables belong to the caller. It
// reports how many results overwrite.
func Inplace(fg *graph.FunctionGraph) (*graph.FunctionGraph, int, error) {
	clients := fg.Clients()
	count := 0
	res, err := fg.Transform(func(node *graph.Apply, in []*graph.Variable) ([]*graph.Variable, error) {
		o := node.Op
		if p, ok := fusable(o); ok {
			if list := overwrites(node, clients); len(list) > 0 {
				o = op.NewInplace(p, list...)
				for _, k := range list {
					if k != tensor.NewAxis {
						count++
					}
				}
			}
		}
		return remake(node, o, in)
	})
	return res, count, err
}

// overwrites lists an operand for each result that can have one, up to the last such.
func overwrites(node *graph.Apply, clients map[*graph.Variable][]graph.Client) []int {
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
func overwritable(v *graph.Variable, clients map[*graph.Variable][]graph.Client) bool {
	return v.Owner != nil && len(graph.Views(v.Owner.Op)) == 0 && len(clients[v]) == 1
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
