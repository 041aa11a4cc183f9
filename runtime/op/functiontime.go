package op

import (
	"github.com/arignote/arignote/kernels"
	"github.com/arignote/arignote/runtime/graph"
)

// maxPlain is the weight in flops up to which an operation counts as that many of the machine's
// own; what weighs more, exp and its like, is a function, which takes what its kernel was measured
// to take.
const maxPlain = 4

func (e Elemwise) FunctionTime(in []*graph.Variable) (float64, graph.Work) {
	return functionTime(e, in)
}
func (c Composite) FunctionTime(in []*graph.Variable) (float64, graph.Work) {
	return functionTime(c, in)
}
func (p Inplace) FunctionTime(in []*graph.Variable) (float64, graph.Work) { return functionTime(p, in) }

// functionTime is graph.FunctionTimer's.
func functionTime(p Pointwise, in []*graph.Variable) (plain float64, w graph.Work) {
	prog, err := p.program(elementTypes(in))
	flops := p.flops()
	if err != nil || flops <= 0 {
		return 1, w
	}
	var functions float64
	for _, instr := range prog.Instrs {
		if e, ok := byName[instr.Op]; ok && e.flops() > maxPlain {
			functions += e.flops()
			w = w.Plus(1/flops, kernels.FusedCosts(instr.Op, instr.In))
		}
	}
	return max(1-functions/flops, 0), w
}
