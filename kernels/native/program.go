//go:build cgo

package native

import (
	"runtime"
	"unsafe"

	"github.com/arignote/arignote/kernels"
	ckernels "github.com/arignote/arignote/kernels/c"
)

// blockBytes is the length of a block of a program's widest type: of a handful of them, all stay in
// the L1 cache together with the blocks of the operands.
const blockBytes = 2048

// program is a compiled kernels.Program: tables of integers, which C may read without a thought for the garbage
// collector.
type program struct {
	plan    *kernels.Plan
	outputs []kernels.Output
	run     *ckernels.Program
	block   int

	instrs         []ckernels.Instr
	in, out        []ckernels.Operand
	shape, strides []int64
	slots, regs    []uintptr
	scratch        []byte
}

func (s *set) Elemwise(p *kernels.Program) (kernels.ElemwiseFunc, bool) {
	t := s.tables()
	plan := kernels.NewPlan(p)
	c := &program{
		plan: plan, outputs: p.Outputs, run: new(ckernels.Program),
		instrs: make([]ckernels.Instr, len(p.Instrs)),
		in:     make([]ckernels.Operand, len(p.Inputs)), out: make([]ckernels.Operand, len(p.Outputs)),
		slots: make([]uintptr, len(plan.Types)), regs: make([]uintptr, len(plan.Types)),
	}
	for i, in := range p.Instrs {
		fn, ok := t.loops[in.LoopKey]
		if !ok {
			return nil, false
		}
		c.instrs[i] = ckernels.Instr{Func: fn, Dst: int32(len(p.Inputs) + i)}
		for k, r := range in.Args {
			c.instrs[i].Args[k] = int32(r)
		}
	}
	widest := 1
	for _, d := range plan.Types {
		widest = max(widest, d.Size())
	}
	c.block = blockBytes / widest
	return c.call, true
}

func (c *program) call(shape []int, out, in []kernels.Operand, stop kernels.Stop) bool {
	c.plan.Bind(shape, out, in)
	if c.plan.Len == 0 {
		c.plan.Release()
		return true
	}
	if c.scratch == nil {
		c.allocate()
	}
	c.shape, c.strides = c.shape[:0], c.strides[:0]
	for _, n := range c.plan.Shape {
		c.shape = append(c.shape, int64(n))
	}
	for k := range c.plan.In {
		c.in[k] = c.operand(&c.plan.In[k], 0)
	}
	for k := range c.plan.Out {
		c.out[k] = c.operand(&c.plan.Out[k], c.outputs[k].Reg)
	}
	*c.run = ckernels.Program{
		NRegs: int64(len(c.regs)), NInstrs: int64(len(c.instrs)), NIn: int64(len(c.in)), NOut: int64(len(c.out)),
		NDim: int64(len(c.shape)), Len: int64(c.plan.Len), Block: int64(c.block),
		Instrs: table(c.instrs), In: table(c.in), Out: table(c.out), Shape: table(c.shape), Strides: table(c.strides),
		Slots: table(c.slots), Regs: table(c.regs), Stop: address(unsafe.Pointer(stop)),
	}
	done := ckernels.Run(c.run)
	runtime.KeepAlive(stop)
	c.plan.Release() // which kept the operands alive
	runtime.KeepAlive(c)
	return done
}

func (c *program) allocate() {
	c.scratch = aligned(max(1, c.plan.Slots) * blockBytes)
	for r, slot := range c.plan.Slot {
		c.slots[r] = address(unsafe.Pointer(&c.scratch[slot*blockBytes]))
	}
}

func (c *program) operand(a *kernels.Access, reg int) ckernels.Operand {
	for _, s := range a.Strides {
		c.strides = append(c.strides, int64(s))
	}
	return ckernels.Operand{Data: address(a.Data), Mode: int32(a.Mode), Size: int32(a.Size), Reg: int32(reg)}
}

// table is the address of a slice's elements.
func table[T any](s []T) uintptr { return address(unsafe.Pointer(unsafe.SliceData(s))) }
