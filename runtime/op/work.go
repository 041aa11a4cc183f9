package op

import (
	"github.com/arignote/arignote/kernels"
	"github.com/arignote/arignote/runtime/graph"
)

var (
	// perFlop is about what an operation takes of those whose kernels have no costs.
	perFlop = kernels.Costs{0.3, 0.1, 0.05}
	// perProductFlop is about what it takes in the tiles of a product.
	perProductFlop = kernels.Costs{0.4, 0.06, 0.018}
)

// Work is about how many nanoseconds of one thread node computes, by instruction set, with operands
// and results like these. What moves from and to memory comes on top. An elementwise operation
// takes what its kernels were measured to take within a program that does more.
func Work(node *graph.Apply, in, out []graph.Array) (w kernels.Costs) {
	if o, ok := node.Op.(Pointwise); ok {
		each := pointwiseWork(o, node.Inputs)
		if o.flops() > 0 || len(out) == 0 {
			return w.Plus(broadcastElements(in), each)
		}
		// Nothing is counted of moves such as second and identity.
		return w.Plus(out[0].Elements(), each)
	}
	flops := 0.0
	if c, ok := node.Op.(graph.Coster); ok {
		flops = c.Cost(in, out).Flops
	}
	switch node.Op.(type) {
	case Dot, Gemm, Matmul, Convolution:
		return w.Plus(flops, perProductFlop)
	}
	return w.Plus(flops, perFlop)
}

// pointwiseWork is what an element takes, conversions of operands among it.
func pointwiseWork(p Pointwise, in []*graph.Variable) (w kernels.Costs) {
	prog, err := programOf(p, in)
	if err != nil {
		panic("BUG: " + err.Error())
	}
	for _, instr := range prog.Instrs {
		w = w.Plus(1, kernels.FusedCosts(instr.Op, instr.In))
	}
	for _, o := range prog.Outputs {
		if o.Reduce != "" {
			w = w.Plus(1, kernels.FusedCosts("add", registerType(prog, o.Reg)))
		}
	}
	return w
}
