package debugmode

import (
	"fmt"

	"github.com/arignote/arignote/kernels"
	"github.com/arignote/arignote/runtime/graph"
	"github.com/arignote/arignote/runtime/op"
	"github.com/arignote/arignote/runtime/tensor"
)

// An evaluator computes variables by the kernels of sets, one operation at a time and every result
// in memory of its own, whatever the graph says that is shared or overwritten.
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

// of returns the value of v, computing what is not known yet. The error is that of the first
// operation that fails.
func (e *evaluator) of(v *graph.Variable, known values) (*tensor.Dense, error) {
	if err := e.all([]*graph.Variable{v}, known, nil); err != nil {
		return nil, err
	}
	return known[v], nil
}

// all computes variables into known. noise, if not nil, blurs what is rounded before others read
// it. Of an ifelse, what is not chosen is not computed.
func (e *evaluator) all(vars []*graph.Variable, known values, noise *noise) error {
	get := func(v *graph.Variable) *tensor.Dense {
		if known[v] == nil && v.Data != nil {
			known[v] = v.Data
		}
		return known[v]
	}
	type frame struct {
		node *graph.Apply
		next int
	}
	var stack []frame
	for _, v := range vars {
		if get(v) == nil && v.Owner != nil {
			stack = append(stack, frame{node: v.Owner})
		}
		for len(stack) > 0 {
			f := &stack[len(stack)-1]
			if f.next < len(f.node.Inputs) {
				u := f.node.Inputs[f.next]
				if chosen(f.node, f.next, known) && get(u) == nil {
					if u.Owner == nil {
						return fmt.Errorf("there is no value of %s", graph.NameOf(u))
					}
					stack = append(stack, frame{node: u.Owner})
				}
				f.next++
				continue
			}
			node := f.node
			stack = stack[:len(stack)-1]
			if known[node.Outputs[0]] != nil { // by another way
				continue
			}
			if err := e.compute(node, known, noise); err != nil {
				return err
			}
		}
		if get(v) == nil {
			return fmt.Errorf("there is no value of %s", graph.NameOf(v))
		}
	}
	return nil
}

// chosen reports whether node reads its operand i, as far as that is known: operand 0 comes before
// the others.
func chosen(node *graph.Apply, i int, known values) bool {
	side := graph.SideOf(node.Op, i)
	return side == graph.Both || op.Truth(known[node.Inputs[0]]) == (side == graph.Then)
}

// compute runs a node whose operands are known, but for those that it does not read.
func (e *evaluator) compute(node *graph.Apply, known values, noise *noise) error {
	in := make([]*tensor.Dense, len(node.Inputs))
	for i, v := range node.Inputs {
		if chosen(node, i, known) {
			in[i] = known[v]
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
				return nil
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
	return nil
}

// expand returns the results of a fused node as variables that its steps make one by one, nil if it
// is not fused.
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
