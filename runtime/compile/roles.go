package compile

import "github.com/arignote/arignote/runtime/graph"

// markUpdates gives the role of an update to what the user wrote for new values of shared variables
// only: to forward nodes that neither an output nor a gradient needs. So w - 0.1*gw is the price of
// the update, and the cost that gw is derived from, even if it is no output, that of the forward
// pass.
func markUpdates(fg *graph.FunctionGraph) (*graph.FunctionGraph, error) {
	if len(fg.Updates) == 0 {
		return fg, nil
	}
	order := fg.Toposort()
	needed := make(map[*graph.Apply]bool) // by an output or by a gradient
	need := func(v *graph.Variable) {
		if v.Owner != nil {
			needed[v.Owner] = true
		}
	}
	for _, v := range fg.Outputs {
		need(v)
	}
	for i := len(order) - 1; i >= 0; i-- {
		node := order[i]
		if needed[node] || roleOf(node) == graph.RoleGradient {
			for _, v := range node.Inputs {
				need(v)
			}
		}
	}
	return fg.Transform(func(node *graph.Apply, in []*graph.Variable) ([]*graph.Variable, error) {
		if needed[node] || roleOf(node) != graph.RoleForward {
			n, err := node.Remake(in)
			if err != nil {
				return nil, err
			}
			return n.Outputs, nil
		}
		n, err := node.RemakeAs(in, graph.RoleUpdate)
		if err != nil {
			return nil, err
		}
		return n.Outputs, nil
	})
}

func roleOf(node *graph.Apply) graph.Role {
	if o := node.Origin(); o != nil {
		return o.Role
	}
	return graph.RoleForward
}
