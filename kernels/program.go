package kernels

import (
	"math/bits"
	"unsafe"

	"github.com/arignote/arignote/kernels/parallel"
)

// goBlock is the number of elements of a block: enough that the call of a loop costs little,
// few enough that several registers of eight-byte elements stay in the L1 cache.
const goBlock = 512

// shortBlock is for what runs over a few elements, and mostly once: a constant that is folded.
const shortBlock = 16

// An Interpreter runs a Program block by block. For each block it
//
//	gathers the strided inputs into scratch;
//	runs the instructions' loops, one after the other, each over the whole block;
//	scatters the outputs that could not be written in place, and folds those that reduce.
//
// An expression of many operations thus reads each input and writes each output once.
type Interpreter struct {
	*Plan
	reduce  []Folding        // of each output
	scratch []uint64         // Slots blocks
	width   int              // elements of each
	slots   []unsafe.Pointer // of the registers
	regs    []unsafe.Pointer // of the current block; between runs all are slots
	steps   []step
	src     [MaxArgs]unsafe.Pointer // of the current step
	begun   bool                    // inputs that are alike in every block have been gathered
	sums    []cascade               // of each output; nil if none reduces
	stop    Stop
	helpers []*Interpreter // of the workers but the first, as they are needed
	ticks   []int64        // nanoseconds of the steps, for a Split; nil if nobody asks
}

// A step is an instruction in a few words.
type step struct {
	loop Loop
	dst  int
	args [MaxArgs]int // register 0 if it has fewer
}

// A cascade joins the values of a row's blocks pairwise, which keeps the error of a sum at the
// logarithm of their number: when 2^k blocks are done, one value is left of them.
type cascade [64]uint64

// NewInterpreter makes an interpreter of pl's program, which must be bound before each run.
func NewInterpreter(pl *Plan) *Interpreter {
	regs := len(pl.Types)
	memory := make([]unsafe.Pointer, 2*regs)
	it := &Interpreter{
		Plan: pl, reduce: make([]Folding, len(pl.Out)),
		slots: memory[:regs:regs], regs: memory[regs:],
		steps: make([]step, 0, len(pl.program.Instrs)),
	}
	if pl.reduces {
		it.sums = make([]cascade, len(pl.Out))
	}
	for i, in := range pl.program.Instrs {
		s := step{loop: in.Go, dst: len(pl.In) + i}
		copy(s.args[:], in.Args)
		it.steps = append(it.steps, s)
	}
	for k, o := range pl.program.Outputs {
		if o.Reduce != "" {
			it.reduce[k], _ = ReduceKey{o.Reduce, pl.Types[o.Reg]}.Folding(GoSet.Reduce)
		}
	}
	return it
}

func (it *Interpreter) run(shape []int, out, in []Operand, stop Stop) bool {
	if it.Quick(goBlock, shape, out, in) {
		return true
	}
	done := true
	if it.Bind(shape, out, in) {
		done = it.Run(stop)
	}
	it.Release()
	return done
}

// Run runs the program over the operands to which the plan is bound.
func (it *Interpreter) Run(stop Stop) bool {
	for n := it.Workers(); len(it.helpers) < n; {
		it.helpers = append(it.helpers, nil)
	}
	it.stop = stop
	split := it.program.Split
	it.count(split != nil)
	for _, h := range it.helpers {
		if h != nil {
			h.count(split != nil)
		}
	}
	done := it.Each(it)
	it.stop = nil
	if done {
		it.Finish(it.reduce)
	}
	it.end()
	it.tell(split)
	for _, h := range it.helpers[:it.Workers()] {
		if h != nil {
			h.end()
			h.tell(split)
		}
	}
	return done
}

// Chunks does the chunks [lo, hi) as one of the workers of a run.
func (it *Interpreter) Chunks(worker, lo, hi int) bool {
	h := it
	if worker > 0 {
		if it.helpers[worker] == nil {
			it.helpers[worker] = NewInterpreter(it.Plan)
			it.helpers[worker].count(it.ticks != nil)
		}
		h = it.helpers[worker]
	}
	for i := lo; i < hi; i++ {
		if !h.chunk(i, it.stop) {
			return false
		}
	}
	return true
}

// chunk does chunk i of the run.
func (it *Interpreter) chunk(i int, stop Stop) bool {
	if !it.begun {
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
		if Stopped(stop) {
			return false
		}
		first += n
	}
	return true
}

func (it *Interpreter) begin() {
	if it.width < min(it.Len, it.most) {
		if it.width = it.most; it.Len <= shortBlock {
			it.width = min(shortBlock, it.most)
		}
		it.account.Add(-8 * len(it.scratch))
		it.scratch = make([]uint64, max(1, it.Slots)*it.width)
		it.account.Add(8 * len(it.scratch))
		for r := range it.regs {
			it.slots[r] = unsafe.Pointer(&it.scratch[it.Slot[r]*it.width])
		}
		copy(it.regs, it.slots)
	}
	for k := range it.In {
		if a := &it.In[k]; a.Mode == Once {
			gather(it.regs[k], a, it.Shape, 0, min(it.Len, it.Block))
		}
	}
	it.begun = true
}

// end forgets the operands of a run.
func (it *Interpreter) end() {
	it.begun = false
	clear(it.src[:])
	if it.scratch == nil {
		return
	}
	for k := range it.In {
		if it.In[k].Mode == InPlace {
			it.regs[k] = it.slots[k]
		}
	}
	for k, o := range it.program.Outputs {
		if it.Out[k].Mode == InPlace {
			it.regs[o.Reg] = it.slots[o.Reg]
		}
	}
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
	if it.ticks != nil {
		it.timed(n)
	} else {
		it.instrs(n)
	}
	for k, o := range p.Outputs {
		if a := &it.Out[k]; a.Mode == Strided {
			scatter(a, it.regs[o.Reg], it.Shape, first, n)
		}
	}
}

// instrs runs the loops over n elements of each register.
func (it *Interpreter) instrs(n int) {
	regs := it.regs
	for i := range it.steps {
		s := &it.steps[i]
		it.src[0], it.src[1], it.src[2], it.src[3] = regs[s.args[0]], regs[s.args[1]], regs[s.args[2]], regs[s.args[3]]
		s.loop(n, regs[s.dst], &it.src)
	}
}

// Quick does a run of a single block if it is like the last one, its operands are all used where
// they lie and they have no more than limit elements. It reports whether it did. It is what Bind,
// Run and Release would do, without their costs.
func (it *Interpreter) Quick(limit int, shape []int, out, in []Operand) bool {
	if it.scratch == nil || it.width < it.Len || !it.bound.quick || it.Len > limit || !it.IsBound(shape, out, in) {
		return false
	}
	for k := range in {
		it.regs[k] = in[k].Data
	}
	outputs := it.program.Outputs
	for k := range out {
		it.regs[outputs[k].Reg] = out[k].Data
	}
	it.instrs(it.Len)
	for k := range in {
		it.regs[k] = it.slots[k]
	}
	for k := range out {
		it.regs[outputs[k].Reg] = it.slots[outputs[k].Reg]
	}
	it.src = [MaxArgs]unsafe.Pointer{}
	return true
}

// at is the address of the block at first in an operand that is used where it lies.
func (it *Interpreter) at(a *Access, first int) unsafe.Pointer {
	if len(it.Shape) < 2 || !it.Lines {
		return unsafe.Add(a.Data, first*a.Size)
	}
	p, _, _ := a.run(it.Shape, first)
	return p
}

// fold takes a block of n elements, number blocks of its row in chunk i, into the outputs that
// reduce.
func (it *Interpreter) fold(i, first, n, blocks int, last bool) {
	for k, o := range it.program.Outputs {
		a := &it.Out[k]
		if a.Mode != Reduced {
			continue
		}
		f, x, row := &it.reduce[k], it.regs[o.Reg], first/it.Row
		if it.Row <= it.Block {
			f.Whole(n/it.Row, it.Row, 1, unsafe.Add(a.Values, row*a.Size), x, nil)
			continue
		}
		base := unsafe.Pointer(&it.sums[k])
		top := bits.OnesCount(uint(blocks - 1)) // values before this block's
		f.Part(1, n, 1, unsafe.Add(base, top*f.Bytes), x, nil)
		joins := bits.TrailingZeros(uint(blocks))
		if last {
			joins = top
		}
		for ; joins > 0; joins-- {
			top--
			z := unsafe.Add(base, top*f.Bytes)
			f.Join(1, 2, 1, z, z, nil)
		}
		switch {
		case !last:
		case it.Parts > 1:
			copy(vec[uint8](unsafe.Add(a.Values, i*f.Bytes), f.Bytes), vec[uint8](base, f.Bytes))
		default:
			f.Last(1, 1, 1, unsafe.Add(a.Values, row*a.Size), base, nil)
		}
	}
}

// Stopped reports whether stop is raised: see parallel.Stopped.
func Stopped(stop Stop) bool { return parallel.Stopped(stop) }
