package rewrite

import (
	"cmp"
	"slices"

	"github.com/arignote/arignote/runtime/graph"
	"github.com/arignote/arignote/runtime/op"
)

// HasFromGraph reports whether an operation of a graph is made of a graph.
func HasFromGraph(fg *graph.FunctionGraph) bool {
	return slices.ContainsFunc(fg.Toposort(), func(n *graph.Apply) bool { _, ok := n.Op.(op.FromGraph); return ok })
}

// InlineGraphs puts the graphs of operations that are to be inlined in their places.
func InlineGraphs(fg *graph.FunctionGraph, p *PassProfile) (*graph.FunctionGraph, error) {
	for {
		found := false
		res, err := p.transform(fg, func(node *graph.Apply, in []*graph.Variable) ([]*graph.Variable, error) {
			if f, ok := node.Op.(op.FromGraph); ok && f.Inline {
				found = true
				p.Changes++
				out, err := f.At(in)
				if o := node.Origin(); err == nil && o != nil && o.Scope != "" {
					out = scopedWithin(o.Scope, out, in)
				}
				return out, err
			}
			n, err := node.Remake(in)
			if err != nil {
				return nil, err
			}
			return n.Outputs, nil
		})
		if err != nil || !found {
			return fg, err
		}
		fg = res
	}
}

// scopedWithin are variables made of in whose nodes are in a scope.
func scopedWithin(scope string, out, in []*graph.Variable) []*graph.Variable {
	made := make(map[*graph.Variable]*graph.Variable)
	for _, v := range in {
		made[v] = v
	}
	var get func(v *graph.Variable) *graph.Variable
	get = func(v *graph.Variable) *graph.Variable {
		if w := made[v]; w != nil || v.Owner == nil {
			return cmp.Or(w, v)
		}
		args := make([]*graph.Variable, len(v.Owner.Inputs))
		for i, u := range v.Owner.Inputs {
			args[i] = get(u)
		}
		n, err := v.Owner.Remake(args)
		if err != nil {
			panic("BUG: " + err.Error()) // the same operands, but for their scopes
		}
		o := graph.Origin{}
		if own := n.Origin(); own != nil {
			o = *own
		}
		o.Scope = graph.WithinScope(scope, o.Scope)
		n = n.Moved(&o)
		for i, w := range v.Owner.Outputs {
			made[w] = n.Outputs[i]
		}
		return made[v]
	}
	moved := make([]*graph.Variable, len(out))
	for i, v := range out {
		moved[i] = get(v)
	}
	return moved
}

// UsefulGraphs lets operations that are made of graphs compute no more than is read of them, of no
// more operands than that needs. Results that are an operand, and constants, need no operation.
func UsefulGraphs(fg *graph.FunctionGraph, p *PassProfile) (*graph.FunctionGraph, error) {
	clients := fg.Clients()
	return p.transform(fg, func(node *graph.Apply, in []*graph.Variable) ([]*graph.Variable, error) {
		f, ok := node.Op.(op.FromGraph)
		if !ok {
			n, err := node.Remake(in)
			if err != nil {
				return nil, err
			}
			return n.Outputs, nil
		}
		acts := f.Traits().Has(op.Acts)
		out, err := usefulGraph(f, node, in, func(i int) bool { return acts || len(clients.Get(node.Outputs[i])) > 0 })
		if out != nil || err != nil {
			p.Changes++
			return out, err
		}
		n, err := node.Remake(in)
		if err != nil {
			return nil, err
		}
		return n.Outputs, nil
	})
}

// usefulGraph is what takes the place of node's results, whose operation is f by now; nil if
// nothing changes.
func usefulGraph(f op.FromGraph, node *graph.Apply, in []*graph.Variable, wanted func(i int) bool) ([]*graph.Variable, error) {
	out := make([]*graph.Variable, len(node.Outputs))
	var outputs []*graph.Variable // that are left
	at := make([]int, len(out))
	for i, v := range f.Body.Outputs {
		at[i] = -1
		switch k := slices.Index(f.Body.Inputs, v); {
		case k >= 0 && node.Outputs[i].Type.Accepts(in[k].Type):
			out[i] = in[k]
		case v.IsConstant():
			out[i] = v
		case !wanted(i):
		default:
			if at[i] = slices.Index(outputs, v); at[i] < 0 {
				at[i] = len(outputs)
				outputs = append(outputs, v)
			}
		}
	}
	read := rootsOf(outputs)
	var inputs, operands []*graph.Variable
	for i, v := range f.Body.Inputs {
		if read[v] {
			inputs, operands = append(inputs, v), append(operands, in[i])
		}
	}
	if len(outputs) == len(out) && len(inputs) == len(in) && f == node.Op {
		return nil, nil
	}
	if len(outputs) == 0 {
		return out, nil
	}
	made, err := (&graph.Builder{Origin: node.Origin()}).Make(op.NewFromGraph(&op.Enclosed{
		Body:  &graph.FunctionGraph{Name: f.Body.Name, Inputs: inputs, Outputs: outputs},
		Label: f.Enclosed.Label, Inline: f.Inline,
	}), operands...)
	if err != nil {
		return nil, err
	}
	for i, k := range at {
		if k >= 0 {
			out[i] = made[k]
			out[i].Name = node.Outputs[i].Name
		}
	}
	return out, nil
}

// GraphBodies rewrites the graphs that operations are made of by p.Inner. Operands that are not
// needed any more are left out.
func GraphBodies(fg *graph.FunctionGraph, p *PassProfile) (*graph.FunctionGraph, error) {
	return p.transform(fg, func(node *graph.Apply, in []*graph.Variable) ([]*graph.Variable, error) {
		if f, ok := node.Op.(op.FromGraph); ok {
			body, err := p.Inner(f.NameIn(), f.Body)
			if err != nil {
				return nil, err
			}
			made := op.NewFromGraph(&op.Enclosed{Body: body, Label: f.Enclosed.Label, Inline: f.Inline})
			out, err := usefulGraph(made, node, in, func(int) bool { return true })
			if out != nil || err != nil {
				p.Changes++
				return out, err
			}
		}
		n, err := node.Remake(in)
		if err != nil {
			return nil, err
		}
		return n.Outputs, nil
	})
}
