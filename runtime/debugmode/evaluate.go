package debugmode

import (
	"fmt"

	"github.com/arignote/arignote/kernels"
	"github.com/arignote/arignote/runtime/graph"
	"github.com/arignote/arignote/runtime/op"
	"github.com/arignote/arignote/runtime/tensor"
)

// An evaluator computes variables by the kernels of sets, one operation at a time and every result in memory of its own,
// whatever the graph says that is shared or overwritten.
type evaluator struct {
	sets   kernels.Sets
	linked map[*graph.Apply]op.Thunk // filled as nodes are met
	parts  map[*graph.Apply][]*graph.Variable
	stop   kernels.Stop
}

func newEvaluator(sets kernels.Sets) *evaluator {
	return &evaluator{sets: sets, linked: make(map[*graph.Apply]op.Thunk), parts: make(map[*graph.Apply][]*graph.Variable)}
}

// apply runs a node on values, which stay as they are.
func (e *evaluator) apply(node *graph.Apply, in []*tensor.Dense) ([]*tensor.Dense, error) {
	thunk := e.linked[node]
	if thunk == nil {
		linker, ok := node.Op.(op.Linker)
		if !ok {
			return nil, fmt.Errorf("BUG: %s cannot run", nameOf(node.Op))
		}
		var err error
		if thunk, _, err = linker.Link(node, e.sets); err != nil {
			return nil, err
		}
		e.linked[node] = thunk
	}
	operands := append([]*tensor.Dense(nil), in...)
	for _, a := range graph.Destroys(node.Op) {
		operands[a.In] = duplicate(in[a.In])
	}
	out := make([]*tensor.Dense, len(node.Outputs))
	call := &op.Call{Stop: e.stop, Alloc: func(_ int, d kernels.DType, shape []int) *tensor.Dense {
		if err := tensor.CheckSize(d.Size(), shape); err != nil {
			panic(err)
		}
		return tensor.New(d, shape...)
	}}
	if err := runThunk(thunk, call, operands, out); err != nil {
		return nil, err
	}
	return out, nil
}

// values are those of variables that are known.
type values map[*graph.Variable]*tensor.Dense

// of returns the value of v, computing what is not known yet. The error is that of the first operation that fails.
func (e *evaluator) of(v *graph.Variable, known values) (*tensor.Dense, error) {
	if err := e.all([]*graph.Variable{v}, known, nil); err != nil {
		return nil, err
	}
	return known[v], nil
}

// all computes variables into known. noise, if not nil, blurs what is rounded before others read it.
func (e *evaluator) all(vars []*graph.Variable, known values, noise *noise) error {
	for _, node := range unknown(vars, known) {
		in := make([]*tensor.Dense, len(node.Inputs))
		for i, v := range node.Inputs {
			if known[v] == nil && v.Data != nil {
				known[v] = v.Data
			}
			if in[i] = known[v]; in[i] == nil {
				return fmt.Errorf("there is no value of %s", graph.NameOf(v))
			}
		}
		if noise != nil {
			if parts := e.expand(node); parts != nil {
				inner := make(values)
				for i, v := range node.Inputs {
					inner[v] = in[i]
				}
				if e.all(parts, inner, noise) == nil {
					for i, v := range node.Outputs {
						known[v] = inner[parts[i]]
					}
					continue
				}
			}
			in = noise.operands(node.Op, in)
		}
		out, err := e.apply(node, in)
		if err != nil {
			return err
		}
		for i, v := range node.Outputs {
			if known[v] = out[i]; noise != nil {
				known[v] = noise.result(node.Op, out[i])
			}
		}
	}
	for _, v := range vars {
		if known[v] == nil && v.Data != nil {
			known[v] = v.Data
		}
		if known[v] == nil {
			return fmt.Errorf("there is no value of %s", graph.NameOf(v))
		}
	}
	return nil
}

// unknown lists the nodes that vars need beyond what is known, in an order in which they can run.
func unknown(vars []*graph.Variable, known values) []*graph.Apply {
	var order []*graph.Apply
	done := make(map[*graph.Apply]bool)
	type frame struct {
		node *graph.Apply
		next int
	}
	var stack []frame
	push := func(v *graph.Variable) {
		if v.Owner != nil && known[v] == nil && !done[v.Owner] {
			done[v.Owner] = true
			stack = append(stack, frame{node: v.Owner})
		}
	}
	for _, v := range vars {
		push(v)
		for len(stack) > 0 {
			f := &stack[len(stack)-1]
			if f.next < len(f.node.Inputs) {
				f.next++
				push(f.node.Inputs[f.next-1])
				continue
			}
			order = append(order, f.node)
			stack = stack[:len(stack)-1]
		}
	}
	return order
}

// expand returns the results of a fused node as variables that its steps make one by one, nil if it is not fused.
func (e *evaluator) expand(node *graph.Apply) []*graph.Variable {
	if parts, ok := e.parts[node]; ok {
		return parts
	}
	e.parts[node] = nil
	c, ok := plain(node.Op).(op.Composite)
	if !ok {
		return nil
	}
	vars := append([]*graph.Variable(nil), node.Inputs...)
	for _, s := range c.Body.Steps() {
		args := make([]*graph.Variable, len(s.Args))
		for i, a := range s.Args {
			args[i] = vars[a]
		}
		made, err := graph.NewApply(s.Op, args, node.Origin())
		if err != nil {
			return nil
		}
		vars = append(vars, made.Outputs[0])
	}
	var parts []*graph.Variable
	for _, k := range c.Body.Outputs() {
		parts = append(parts, vars[k])
	}
	e.parts[node] = parts
	return parts
}
