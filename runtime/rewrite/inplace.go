package rewrite

import (
	"github.com/arignote/arignote/runtime/graph"
	"github.com/arignote/arignote/runtime/op"
)

// Inplace lets each elementwise node overwrite the first operand that has the result's type and shape, was computed here, is not
// a view, and is needed by nobody else: the results of the graph, inputs, constants and shared variables belong to the caller. It
// reports how many nodes overwrite.
func Inplace(fg *graph.FunctionGraph) (*graph.FunctionGraph, int, error) {
	clients := fg.Clients()
	count := 0
	res, err := fg.Transform(func(node *graph.Apply, in []*graph.Variable) ([]*graph.Variable, error) {
		o := node.Op
		if p, ok := fusable(o); ok {
			for i, v := range node.Inputs {
				if overwritable(v, clients) && op.CanOverwrite(node, i) {
					o = op.Inplace{Op: p, In: i}
					count++
					break
				}
			}
		}
		return remake(node, o, in)
	})
	return res, count, err
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

// remake is node with another op and other inputs; names and origins stay.
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
		v.Name, v.Origin = node.Outputs[i].Name, node.Outputs[i].Origin
	}
	return n.Outputs, nil
}
