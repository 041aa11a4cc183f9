package op

import (
	"sync"

	"github.com/arignote/arignote/kernels"
	"github.com/arignote/arignote/runtime/tensor"
)

// Fused are several elementwise functions that are computed as one, block by block, with the bits that they have one after the
// other. It may be used by several goroutines.
type Fused struct{ runs sync.Pool } // of *elemwiseRun

// A Fuser puts the functions of a Fused together. Registers are numbers: first those of the operands, then one for each function.
type Fuser struct{ a *assembler }

// NewFuser begins with operands of these types.
func NewFuser(in []kernels.DType) Fuser { return Fuser{newAssembler(in)} }

// Add appends e of registers, computed in the type d, for which the caller has made sure that e has a kernel, and returns the register of the result.
func (f Fuser) Add(e Elemwise, d kernels.DType, args ...int) (register int) {
	return f.a.applyIn(e, d, args)
}

// Fuse links the functions. The result is that of the last.
func (v *Evaluator) Fuse(f Fuser) *Fused {
	prog := &f.a.prog
	prog.Outputs = []kernels.Output{{Reg: len(f.a.types) - 1}}
	link := func() *elemwiseRun {
		run, _, ok := v.sets.Elemwise(prog)
		if !ok {
			panic("BUG: no kernels for functions that each have some")
		}
		return &elemwiseRun{run: run, to: registerType(prog, prog.Outputs[0].Reg), in: make([]kernels.Operand, len(prog.Inputs)),
			strides: make([][tensor.MaxRank]int, len(prog.Inputs))}
	}
	return &Fused{sync.Pool{New: func() any { return link() }}}
}

// Run computes the result of operands that broadcast to a shape in new memory. stop may be nil; the error is ErrStopped.
func (f *Fused) Run(shape []int, stop kernels.Stop, in []*tensor.Dense) (*tensor.Dense, error) {
	r := f.runs.Get().(*elemwiseRun)
	defer f.runs.Put(r)
	for i, x := range in {
		r.in[i] = x.OperandIn(shape, &r.strides[i])
	}
	z := tensor.Empty(r.to, shape...)
	return z, r.into(z, stop)
}
