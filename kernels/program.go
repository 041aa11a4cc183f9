package kernels

import (
	"sync/atomic"
	"unsafe"
)

// goBlock is the number of elements of a block: enough that the call of a loop costs little,
// few enough that several registers of eight-byte elements stay in the L1 cache.
const goBlock = 512

// interpreter runs a Program block by block. For each block it
//
//	gathers the strided inputs into scratch;
//	runs the instructions' loops, one after the other, each over the whole block;
//	scatters the outputs that could not be written in place.
//
// An expression of many operations thus reads each input and writes each output once.
type interpreter struct {
	*Plan
	scratch []uint64         // Slots blocks
	regs    []unsafe.Pointer // of the current block
}

func newInterpreter(p *Program) *interpreter {
	pl := NewPlan(p)
	return &interpreter{Plan: pl, regs: make([]unsafe.Pointer, len(pl.Types))}
}

func (it *interpreter) run(shape []int, out, in []Operand, stop Stop) bool {
	it.Bind(shape, out, in)
	if it.Len == 0 {
		return true
	}
	if it.scratch == nil {
		it.scratch = make([]uint64, it.Slots*goBlock)
	}
	for r := range it.regs {
		it.regs[r] = it.slot(r)
	}
	for k := range it.In {
		if a := &it.In[k]; a.Mode == Scalar {
			expand(it.slot(k), a, min(it.Len, goBlock))
		}
	}
	done := true
	for first := 0; first < it.Len && done; first += goBlock {
		it.block(first, min(goBlock, it.Len-first))
		done = !stopped(stop)
	}
	clear(it.regs)
	it.Release()
	return done
}

func (it *interpreter) slot(r int) unsafe.Pointer {
	return unsafe.Pointer(&it.scratch[it.Slot[r]*goBlock])
}

func (it *interpreter) block(first, n int) {
	p := it.program
	for k := range it.In {
		switch a := &it.In[k]; a.Mode {
		case InPlace:
			it.regs[k] = unsafe.Add(a.Data, first*a.Size)
		case Strided:
			gather(it.regs[k], a, it.Shape, first, n)
		}
	}
	for k, o := range p.Outputs {
		if a := &it.Out[k]; a.Mode == InPlace {
			it.regs[o.Reg] = unsafe.Add(a.Data, first*a.Size)
		}
	}
	for i := range p.Instrs {
		in := &p.Instrs[i]
		var src [MaxArgs]unsafe.Pointer
		for k, r := range in.Args {
			src[k] = it.regs[r]
		}
		in.Go(n, it.regs[len(p.Inputs)+i], src)
	}
	for k, o := range p.Outputs {
		if a := &it.Out[k]; a.Mode != InPlace {
			scatter(a, it.regs[o.Reg], it.Shape, first, n)
		}
	}
}

// expand fills a block with the one element of a.
func expand(dst unsafe.Pointer, a *Access, n int) {
	constant := Access{Data: a.Data, Strides: []int{0}, Size: a.Size}
	gather(dst, &constant, []int{n}, 0, n)
}

func stopped(stop Stop) bool { return stop != nil && atomic.LoadUint32(stop) != 0 }
