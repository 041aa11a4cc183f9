package op

import (
	"sync"

	"github.com/arignote/arignote/kernels"
	"github.com/arignote/arignote/runtime/tensor"
)

// Fused are several elementwise functions that are computed as one, block by block, with the bits
// that they have one after the other. It may be used by several goroutines.
type Fused struct {
	to      kernels.DType
	inPlace int       // see elemwiseRun
	runs    sync.Pool // of *elemwiseRun
}

// A Fuser puts the functions of a Fused together. Registers are numbers: first those of the
// operands, then one for each function.
type Fuser struct{ a *assembler }

// NewFuser begins with operands of these types.
func NewFuser(in []kernels.DType) Fuser { return Fuser{newAssembler(in)} }

// Add appends e of registers, computed in the type d, for which the caller has made sure that e has
// a kernel, and returns the register of the result.
func (f Fuser) Add(e Elemwise, d kernels.DType, args ...int) (register int) {
	return f.a.applyIn(e, d, args)
}

// Fuse links the functions. The result is that of the last.
func (v *Evaluator) Fuse(f Fuser) *Fused {
	prog := &f.a.prog
	prog.Outputs = []kernels.Output{{Reg: len(f.a.types) - 1}}
	to := registerType(prog, prog.Outputs[0].Reg)
	link := func() (*elemwiseRun, string) {
		run, impl, ok := v.sets.Elemwise(prog)
		if !ok {
			panic("BUG: no kernels for functions that each have some")
		}
		return &elemwiseRun{run: run, to: to, in: make([]kernels.Operand, len(prog.Inputs)),
			strides: make([][tensor.MaxRank]int, len(prog.Inputs))}, v.sets.ISA(impl)
	}
	first, isa := link()
	share := 0.0
	for _, in := range prog.Instrs {
		share += 1 / float64(maxInPlace(in.Op, isa, in.In))
	}
	z := &Fused{to: to, inPlace: int(1 / share)}
	z.runs.New = func() any {
		r, _ := link()
		return r
	}
	z.runs.Put(first)
	return z
}

// FusedOf is the Fused of a key, which is comparable and of a type of the caller's. build puts it
// together when it is asked for first.
func (v *Evaluator) FusedOf(key any, build func() Fuser) *Fused {
	if f, ok := v.fused.Load(key); ok {
		return f.(*Fused)
	}
	f, _ := v.fused.LoadOrStore(key, v.Fuse(build()))
	return f.(*Fused)
}

// Run computes the result of operands that broadcast to a shape in new memory. stop may be nil; the
// error is ErrStopped.
func (f *Fused) Run(shape []int, stop kernels.Stop, in []*tensor.Dense) (*tensor.Dense, error) {
	return f.RunInto(nil, true, shape, stop, in)
}

// RunInto is Run with the result in the memory of z, which may be nil or an operand, if it fits
// there: see Evaluator.ElementwiseInto.
func (f *Fused) RunInto(z *tensor.Dense, lost bool, shape []int, stop kernels.Stop, in []*tensor.Dense) (*tensor.Dense, error) {
	switch {
	case z == nil || !lost && z.Size() > f.inPlace || !takes(z, f.to, shape, in):
		z = tensor.Empty(f.to, shape...)
	case !lost:
		stop = nil
	}
	r := f.runs.Get().(*elemwiseRun)
	defer f.runs.Put(r)
	for i, x := range in {
		r.in[i] = x.OperandIn(z.Shape(), &r.strides[i])
	}
	return z, r.into(z, stop)
}
