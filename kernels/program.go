package kernels

import (
	"math/bits"
	"sync/atomic"
	"unsafe"
)

// goBlock is the number of elements of a block: enough that the call of a loop costs little,
// few enough that several registers of eight-byte elements stay in the L1 cache.
const goBlock = 512

// An Interpreter runs a Program block by block. For each block it
//
//	gathers the strided inputs into scratch;
//	runs the instructions' loops, one after the other, each over the whole block;
//	scatters the outputs that could not be written in place, and folds those that reduce.
//
// An expression of many operations thus reads each input and writes each output once.
type Interpreter struct {
	*Plan
	reduce  []ReduceFunc     // of each output
	scratch []uint64         // Slots blocks
	regs    []unsafe.Pointer // of the current block
	once    bool             // inputs that are alike in every block have been gathered
	sums    []cascade        // of each output
}

// A cascade joins the values of a row's blocks pairwise, which keeps the error of a sum at the logarithm of their number: when
// 2^k blocks are done, one value is left of them.
type cascade [64]uint64

// NewInterpreter makes an interpreter of pl's program, which must be bound before each run.
func NewInterpreter(pl *Plan) *Interpreter {
	it := &Interpreter{
		Plan: pl, reduce: make([]ReduceFunc, len(pl.Out)), sums: make([]cascade, len(pl.Out)),
		regs: make([]unsafe.Pointer, len(pl.Types)),
	}
	for k, o := range pl.program.Outputs {
		it.reduce[k] = reductions[o.Reduce][pl.Types[o.Reg]]
	}
	return it
}

func (it *Interpreter) run(shape []int, out, in []Operand, stop Stop) bool {
	done := true
	if it.Bind(shape, out, in) {
		for i := 0; i < it.Chunks && done; i++ {
			done = it.Chunk(i, stop)
		}
		if done {
			it.Finish(it.reduce)
		}
		it.End()
	}
	it.Release()
	return done
}

// End forgets the operands of a run.
func (it *Interpreter) End() {
	clear(it.regs)
	it.once = false
}

// Chunk does chunk i of the run.
func (it *Interpreter) Chunk(i int, stop Stop) bool {
	if !it.once {
		it.begin()
	}
	first, end := it.Bounds(i)
	for blocks := 1; first < end; blocks++ {
		n := min(it.Block, it.Fence-first%it.Fence, end-first)
		it.block(first, n)
		if last := first+n == end || (first+n)%it.Row == 0; it.reduces {
			it.fold(i, first, n, blocks, last)
			if last {
				blocks = 0
			}
		}
		if stopped(stop) {
			return false
		}
		first += n
	}
	return true
}

// begin puts the registers that do not move where they belong.
func (it *Interpreter) begin() {
	if it.scratch == nil {
		it.scratch = make([]uint64, max(1, it.Slots)*it.most)
	}
	for r := range it.regs {
		it.regs[r] = unsafe.Pointer(&it.scratch[it.Slot[r]*it.most])
	}
	for k := range it.In {
		if a := &it.In[k]; a.Mode == Once {
			gather(it.regs[k], a, it.Shape, 0, min(it.Len, it.Block))
		}
	}
	it.once = true
}

func (it *Interpreter) block(first, n int) {
	p := it.program
	for k := range it.In {
		switch a := &it.In[k]; a.Mode {
		case InPlace:
			it.regs[k] = it.at(a, first)
		case Strided:
			gather(it.regs[k], a, it.Shape, first, n)
		}
	}
	for k, o := range p.Outputs {
		if a := &it.Out[k]; a.Mode == InPlace {
			it.regs[o.Reg] = it.at(a, first)
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
		if a := &it.Out[k]; a.Mode == Strided {
			scatter(a, it.regs[o.Reg], it.Shape, first, n)
		}
	}
}

// at is the address of the block at first in an operand that is used where it lies.
func (it *Interpreter) at(a *Access, first int) unsafe.Pointer {
	if len(it.Shape) < 2 || !it.Lines {
		return unsafe.Add(a.Data, first*a.Size)
	}
	p, _, _ := a.run(it.Shape, first)
	return p
}

// fold takes a block of n elements, number blocks of its row in chunk i, into the outputs that reduce.
func (it *Interpreter) fold(i, first, n, blocks int, last bool) {
	for k, o := range it.program.Outputs {
		a := &it.Out[k]
		if a.Mode != Reduced {
			continue
		}
		x, row := it.regs[o.Reg], first/it.Row
		if it.Row <= it.Block {
			it.reduce[k](n/it.Row, it.Row, 1, unsafe.Add(a.Values, row*a.Size), x, nil)
			continue
		}
		base := unsafe.Pointer(&it.sums[k])
		top := bits.OnesCount(uint(blocks - 1)) // values before this block's
		it.reduce[k](1, n, 1, unsafe.Add(base, top*a.Size), x, nil)
		joins := bits.TrailingZeros(uint(blocks))
		if last {
			joins = top
		}
		for ; joins > 0; joins-- {
			top--
			z := unsafe.Add(base, top*a.Size)
			it.reduce[k](1, 2, 1, z, z, nil)
		}
		if last {
			if it.Parts > 1 {
				row = i
			}
			copy(vec[uint8](unsafe.Add(a.Values, row*a.Size), a.Size), vec[uint8](base, a.Size))
		}
	}
}

func stopped(stop Stop) bool { return stop != nil && atomic.LoadUint32(stop) != 0 }
