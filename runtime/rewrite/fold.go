package rewrite

import (
	"time"

	"github.com/arignote/arignote/kernels"
	"github.com/arignote/arignote/runtime/graph"
	"github.com/arignote/arignote/runtime/op"
	"github.com/arignote/arignote/runtime/tensor"
)

// maxFolded is the size in bytes up to which a result is computed when the function is compiled: a larger one would
// be kept in memory for the life of the function.
const maxFolded = 1 << 20

var _ = goRule("constant_folding", groupConstants, foldConstants, anyOp)

// foldConstants replaces a node whose inputs are all constants by its value. A node that fails is left
// for the run to report.
func foldConstants(c *Context, node *graph.Apply) *graph.Variable {
	if len(node.Outputs) != 1 {
		return nil
	}
	for _, v := range node.Inputs {
		if !v.IsConstant() {
			return nil
		}
	}
	start := time.Now()
	data := Evaluate(node)
	c.fixed.profile.Kernels += time.Since(start)
	if data == nil {
		return nil
	}
	return graph.NewConstant(data, node.Origin())
}

// Evaluate computes the first result of a node whose inputs are constants with the Go kernels. It returns nil if the result is
// large, if the node cannot be computed, or if a function of the program's computes it, which runs when functions do.
func Evaluate(node *graph.Apply) *tensor.Dense {
	linker, ok := node.Op.(op.Linker)
	t := node.Outputs[0].Type
	if !ok || node.Op == graph.Op(op.Alloc{}) || op.CallsProgram(node.Op) || t.IsStatic() && tensor.Size(t.Dims())*t.DType.Size() > maxFolded {
		return nil
	}
	thunk, _, err := linker.Link(node, kernels.Sets{kernels.GoSet})
	if err != nil {
		return nil
	}
	in, out := make([]*tensor.Dense, len(node.Inputs)), make([]*tensor.Dense, len(node.Outputs))
	for i, v := range node.Inputs {
		in[i] = v.Data
	}
	if len(graph.Destroys(node.Op)) > 0 {
		return nil
	}
	call := &op.Call{Alloc: func(_ int, d kernels.DType, shape []int) *tensor.Dense { return tensor.New(d, shape...) }}
	if thunk(call, in, out) != nil || !t.AcceptsShape(out[0].Shape()) || out[0].NBytes() > maxFolded {
		return nil
	}
	// A view would keep the memory of the whole operand alive.
	if len(graph.Views(node.Op)) > 0 {
		return out[0].Copy()
	}
	return out[0]
}
