package rewrite

import (
	"errors"
	"fmt"
	"time"

	"github.com/arignote/arignote/kernels"
	"github.com/arignote/arignote/runtime/graph"
	"github.com/arignote/arignote/runtime/op"
	"github.com/arignote/arignote/runtime/tensor"
)

// What is computed when a function is compiled has a budget, of which each node has a part that
// does not depend on others:
//
//   - A result larger than maxFolded bytes would be kept in memory for the life of the function, and is not made.
//   - A node that does more than maxFoldedWork is left for the run, which can be interrupted, and where the C kernels do it in a fraction of the time. Work is
//     counted, never timed: which nodes are folded, and so every bit of the results, are the same on all machines and however busy they are. Loops and other
//     graphs inside a node are counted as they run, node by node, so that no bound of a loop is believed that only a run can know.
const (
	maxFolded     = 1 << 20
	maxFoldedWork = 2e7 // flops: some 20 ms
	minWork       = 200 // of a node that does nearly nothing
)

var _ = goRule("constant_folding", groupConstants, foldConstants, anyOp).needing(onlyConstants)

// foldConstants replaces a node whose inputs are all constants by its value. A node that fails, or
// takes too much, is left for the run.
func foldConstants(c *Context, node *graph.Apply) *graph.Variable {
	if len(node.Outputs) != 1 {
		return nil
	}
	for _, v := range node.Inputs {
		if !v.IsConstant() {
			return nil
		}
	}
	if c.fixed.unfolded[node] {
		return nil
	}
	start := time.Now()
	data := evaluateWithin(node, &folding{left: maxFoldedWork, linked: c.linked, interrupted: func() error {
		err := c.fixed.profile.interrupted()
		if err != nil {
			c.fixed.fault = err
		}
		return err
	}})
	c.fixed.profile.Kernels += time.Since(start)
	if data == nil {
		if c.fixed.unfolded == nil {
			c.fixed.unfolded = make(map[*graph.Apply]bool)
		}
		c.fixed.unfolded[node] = true
		return nil
	}
	return c.Constant(data)
}

// Evaluate computes the first result of a node whose inputs are constants with the Go kernels. It
// returns nil if the result is large, if it takes much work, if the node cannot be computed, or if
// a function of the program's computes it, which runs when functions do.
func Evaluate(node *graph.Apply) *tensor.Dense {
	return evaluateWithin(node, &folding{left: maxFoldedWork, interrupted: func() error { return nil }})
}

func evaluateWithin(node *graph.Apply, f *folding) (result *tensor.Dense) {
	t := node.Outputs[0].Type
	if node.Op == graph.Op(op.Alloc{}) || op.CallsProgram(node.Op) || t.IsStatic() && tensor.Size(t.Dims())*t.DType.Size() > maxFolded || len(graph.Destroys(node.Op)) > 0 {
		return nil
	}
	defer func() {
		if p := recover(); p != nil && p != any(errFoldTooMuch) {
			panic(p)
		}
	}()
	thunk, err := f.link(node)
	if err != nil {
		return nil
	}
	in, out := make([]*tensor.Dense, len(node.Inputs)), make([]*tensor.Dense, len(node.Outputs))
	for i, v := range node.Inputs {
		in[i] = v.Data
	}
	if f.run(node, thunk, in, out) != nil || !t.AcceptsShape(out[0].Shape()) || out[0].NBytes() > maxFolded {
		return nil
	}
	// A view would keep the memory of the whole operand alive.
	if len(graph.Views(node.Op)) > 0 {
		return out[0].Copy()
	}
	return out[0]
}

// errFoldTooMuch is why folding a node is given up, also what Call.Alloc panics with, which has no
// error.
var errFoldTooMuch = errors.New("more than is computed when a function is compiled")

// A folding computes a node within its budget.
type folding struct {
	left        float64 // of maxFoldedWork
	interrupted func() error
	linked      map[elementwiseNode]op.Thunk // nil if nothing is kept
}

// An elementwiseNode is all that the thunk of an elementwise operation depends on.
type elementwiseNode struct {
	op       op.Elemwise
	operands [kernels.MaxArgs]graph.Type
}

// link makes the thunk of a node, and those of the graphs inside.
func (f *folding) link(node *graph.Apply) (thunk op.Thunk, err error) {
	sets := kernels.Sets{kernels.GoSet}
	if e, ok := node.Op.(op.Elemwise); ok && f.linked != nil {
		key := elementwiseNode{op: e}
		for i, v := range node.Inputs {
			key.operands[i] = v.Type
		}
		if thunk = f.linked[key]; thunk == nil {
			if thunk, _, err = e.Link(node, sets); err == nil {
				f.linked[key] = thunk
			}
		}
		return thunk, err
	}
	switch linker := node.Op.(type) {
	case op.InnerLinker:
		thunk, _, err = linker.LinkInner(node, sets, f.linkGraph)
	case op.Linker:
		thunk, _, err = linker.Link(node, sets)
	default:
		err = fmt.Errorf("%s cannot run", node.Op.Name())
	}
	return thunk, err
}

// run runs a node, if the budget allows it. Of a node with graphs inside the nodes of these count.
func (f *folding) run(node *graph.Apply, thunk op.Thunk, in, out []*tensor.Dense) error {
	if err := f.interrupted(); err != nil {
		return err
	}
	f.left -= minWork
	if _, nested := node.Op.(op.InnerLinker); !nested {
		f.left -= workOf(node, in)
	}
	if f.left < 0 {
		return errFoldTooMuch
	}
	return thunk(&op.Call{Alloc: allocFolded, Stepwise: true}, in, out)
}

func allocFolded(_ int, d kernels.DType, shape []int) *tensor.Dense {
	bytes := float64(d.Size())
	for _, n := range shape {
		bytes *= float64(n)
	}
	if bytes > maxFolded {
		panic(errFoldTooMuch)
	}
	return tensor.New(d, shape...)
}

// workOf is what a node does to such operands. What it writes is bounded where it is allocated, so
// that lengths of results that are not known count as 1.
func workOf(node *graph.Apply, in []*tensor.Dense) float64 {
	coster, ok := node.Op.(graph.Coster)
	if !ok {
		return 0
	}
	operands, results := make([]graph.Array, len(in)), make([]graph.Array, len(node.Outputs))
	for i, a := range in {
		operands[i] = graph.Array{ItemSize: a.DType().Size(), Shape: a.Shape()}
	}
	for i, v := range node.Outputs {
		dims := v.Type.Dims()
		for axis, d := range dims {
			if d == graph.Unknown {
				dims[axis] = 1
			}
		}
		results[i] = graph.Array{ItemSize: v.Type.DType.Size(), Shape: dims}
	}
	cost := coster.Cost(operands, results)
	work := cost.Flops
	for _, b := range cost.Read {
		work += b / 8
	}
	return work
}

// linkGraph is the op.GraphLinker of graphs inside a node.
func (f *folding) linkGraph(fg *graph.FunctionGraph, _ kernels.Sets) (op.Thunk, error) {
	type step struct {
		node    *graph.Apply
		thunk   op.Thunk
		in, out []*tensor.Dense
	}
	var steps []step
	for _, node := range fg.Toposort() {
		thunk, err := f.link(node)
		if err != nil {
			return nil, err
		}
		steps = append(steps, step{node, thunk, make([]*tensor.Dense, len(node.Inputs)), make([]*tensor.Dense, len(node.Outputs))})
	}
	values := make(map[*graph.Variable]*tensor.Dense)
	value := func(v *graph.Variable) *tensor.Dense {
		if v.Data != nil {
			return v.Data
		}
		return values[v]
	}
	return func(_ *op.Call, in, out []*tensor.Dense) error {
		defer clear(values)
		for i, v := range fg.Inputs {
			values[v] = in[i]
		}
		for _, s := range steps {
			for i, v := range s.node.Inputs {
				if s.in[i] = value(v); s.in[i] == nil {
					return fmt.Errorf("no value for %s", graph.Describe(v))
				}
			}
			clear(s.out)
			if err := f.run(s.node, s.thunk, s.in, s.out); err != nil {
				return err
			}
			for i, v := range s.node.Outputs {
				values[v] = s.out[i]
			}
		}
		for i, v := range fg.Outputs {
			out[i] = value(v)
		}
		return nil
	}, nil
}
