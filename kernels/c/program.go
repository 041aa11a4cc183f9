//go:build cgo

package ckernels

// #cgo noescape run_program
// #cgo nocallback run_program
// #include "kernels.h"
import "C"

import (
	"runtime"
	"unsafe"

	"github.com/arignote/arignote/kernels"
)

// blockBytes is the length of a block of a program's widest type: of a handful of them, all stay in
// the L1 cache together with the blocks of the operands.
const blockBytes = 2048

// program is a compiled kernels.Program: tables of integers, which C may read without a thought for the garbage
// collector.
type program struct {
	plan    *kernels.Plan
	outputs []int // registers
	run     *C.struct_run
	block   int

	instrs         []C.struct_instr
	in, out        []C.struct_operand
	shape, strides []C.int64_t
	slots, regs    []C.uintptr_t
	scratch        []byte
}

func (s *set) Elemwise(p *kernels.Program) (kernels.ElemwiseFunc, bool) {
	t := s.tables()
	plan := kernels.NewPlan(p)
	c := &program{
		plan: plan, outputs: p.Outputs, run: new(C.struct_run),
		instrs: make([]C.struct_instr, len(p.Instrs)),
		in:     make([]C.struct_operand, len(p.Inputs)), out: make([]C.struct_operand, len(p.Outputs)),
		slots: make([]C.uintptr_t, len(plan.Types)), regs: make([]C.uintptr_t, len(plan.Types)),
	}
	for i, in := range p.Instrs {
		fn, ok := t.loops[in.LoopKey]
		if !ok {
			return nil, false
		}
		c.instrs[i] = C.struct_instr{fn: fn, dst: C.int32_t(len(p.Inputs) + i)}
		for k, r := range in.Args {
			c.instrs[i].args[k] = C.int32_t(r)
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
		c.shape = append(c.shape, C.int64_t(n))
	}
	for k := range c.plan.In {
		c.in[k] = c.operand(&c.plan.In[k], 0)
	}
	for k := range c.plan.Out {
		c.out[k] = c.operand(&c.plan.Out[k], c.outputs[k])
	}
	*c.run = C.struct_run{
		nregs: C.int64_t(len(c.regs)), ninstrs: C.int64_t(len(c.instrs)), nin: C.int64_t(len(c.in)), nout: C.int64_t(len(c.out)),
		ndim: C.int64_t(len(c.shape)), len: C.int64_t(c.plan.Len), block: C.int64_t(c.block),
		instrs: table(c.instrs), in: table(c.in), out: table(c.out), shape: table(c.shape), strides: table(c.strides),
		slots: table(c.slots), regs: table(c.regs), stop: address(unsafe.Pointer(stop)),
	}
	done := C.run_program(c.run) != 0
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

func (c *program) operand(a *kernels.Access, reg int) C.struct_operand {
	for _, s := range a.Strides {
		c.strides = append(c.strides, C.int64_t(s))
	}
	return C.struct_operand{data: address(a.Data), mode: C.int32_t(a.Mode), size: C.int32_t(a.Size), reg: C.int32_t(reg)}
}

// table is the address of a slice's elements.
func table[T any](s []T) C.uintptr_t { return address(unsafe.Pointer(unsafe.SliceData(s))) }
