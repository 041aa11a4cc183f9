//go:build cgo && !purego

package native

import (
	"runtime"
	"slices"
	"sync"
	"unsafe"

	"github.com/arignote/arignote/kernels"
	ckernels "github.com/arignote/arignote/kernels/c"
)

// shortBlock is the length of a block of a program's widest type: of a handful of them, all stay in
// the L1 cache together with the blocks of the operands.
const shortBlock = 2048

// longBlock is that of a program of a single instruction, which has no intermediate results.
const longBlock = 8192

// smallLen is the number of elements up to which Go is done before C has been called: a call of C
// costs as much as 100 elements of an addition in Go, the call of a loop in Go as much as 11.
func smallLen(instrs int) int { return min(64, 100/max(1, instrs)-11) }

// isExact reports whether the Go loops and those of C give the same bits.
func isExact(p *kernels.Program) bool {
	for _, in := range p.Instrs {
		if !kernels.Lookup(in.Op).Exact() {
			return false
		}
	}
	return true
}

// program is a compiled kernels.Program: tables of integers, which C may read without a thought for
// the garbage collector.
type program struct {
	plan    *kernels.Plan
	small   *kernels.Interpreter // for short runs, of at most limit elements; nil if the Go loops might give other bits
	limit   int
	reduce  []kernels.Folding // of each output
	workers []*worker         // as they are needed

	blockBytes int
	version    int // of the plan, of which run and the tables are made
	run        ckernels.Run
	simple     bool // no output reduces
	isa        string
	split      *kernels.Split // of the current run; nil if nobody asks

	account        kernels.Account
	instrs         []ckernels.Instr
	links          [][]ckernels.Link // of the chains
	first          []int             // of the program's instructions, of each
	whole          []bool            // the inputs that a loop reads, not only chains
	masks          []int64           // of the registers: 0 if it is a single element for a whole line
	streams        bool              // see stream
	in, out        []ckernels.Operand
	shape, strides []int64
}

// A worker is what a thread has of its own.
type worker struct {
	ckernels.Worker
	scratch         []byte
	slots, regs     []uintptr
	index, odometer []int64
	cascades        [][64]uint64
	ticks           []int64 // for a kernels.Split, of each instruction, input and output
}

func (s *set) Elemwise(p *kernels.Program) (kernels.ElemwiseFunc, bool) {
	if p.Leading > 0 {
		return kernels.Leading(p, s, s.account)
	}
	c, ok := s.program(p)
	if !ok {
		return nil, false
	}
	return c.call, true
}

// program compiles p, if the set has all that it needs.
func (s *set) program(p *kernels.Program) (*program, bool) {
	t := s.tables()
	c := &program{
		account: s.account, isa: s.name,
		reduce: make([]kernels.Folding, len(p.Outputs)),
		in:     make([]ckernels.Operand, len(p.Inputs)), out: make([]ckernels.Operand, len(p.Outputs)),
	}
	if !c.compile(p, t) {
		return nil, false
	}
	c.blockBytes = shortBlock
	if len(c.instrs) <= 1 {
		c.blockBytes = longBlock
	}
	plan := kernels.NewPlan(p, c.blockBytes/widest(p), s.name, s.account)
	c.plan = plan
	if c.limit = smallLen(len(p.Instrs)); c.limit > 0 && isExact(p) {
		c.small = kernels.NewInterpreter(plan)
	}
	for k := range p.Inputs {
		c.in[k] = ckernels.Operand{Size: int32(plan.Types[k].Size()), Copy: t.moves[plan.Types[k].Size()].Copy}
	}
	for k, o := range p.Outputs {
		size := plan.Types[o.Reg].Size()
		c.out[k] = ckernels.Operand{Size: int32(size), Reg: int32(o.Reg), Copy: t.moves[size].Copy}
		if o.Reduce != "" {
			key := kernels.ReduceKey{Op: o.Reduce, In: plan.Types[o.Reg]}
			var ok bool
			if c.reduce[k], ok = key.Folding(s.Reduce); !ok {
				return nil, false
			}
			part, join, last := key.Parts()
			z := &c.out[k]
			z.Whole, z.Part, z.Join, z.Last = t.reductions[key], t.reductions[part], t.reductions[join], t.reductions[last]
			z.Value = int64(part.Out().Size())
		}
	}
	return c, true
}

// widest is the number of bytes of an element of p's widest type.
func widest(p *kernels.Program) int {
	size := 1
	for _, d := range p.Inputs {
		size = max(size, d.Size())
	}
	for _, in := range p.Instrs {
		size = max(size, in.Out.Size())
	}
	return size
}

func (c *program) call(shape []int, out, in []kernels.Operand, stop kernels.Stop) bool {
	if c.small != nil && c.small.Quick(c.limit, shape, out, in) {
		return true
	}
	if c.simple && c.version == c.plan.Version && c.plan.IsBound(shape, out, in) {
		for k := range in {
			c.in[k].Data = address(in[k].Data)
		}
		for k := range out {
			c.out[k].Data = address(out[k].Data)
		}
		done := c.chunks(stop)
		runtime.KeepAlive(in)
		runtime.KeepAlive(out)
		return done
	}
	done := true
	switch {
	case !c.plan.Bind(shape, out, in):
	case c.small != nil && c.plan.Len <= c.limit:
		done = c.small.Run(stop)
	default:
		c.bind()
		done = c.chunks(stop)
		if done {
			c.plan.Finish(c.reduce)
		}
	}
	c.plan.Release() // which kept the operands alive
	return done
}

// chunks runs what is bound.
func (c *program) chunks(stop kernels.Stop) bool {
	c.run.Stop = address(unsafe.Pointer(stop))
	for _, w := range c.workers[:c.plan.Workers()] {
		if w != nil {
			w.Begun = 0
		}
	}
	if c.streams {
		c.stream()
	}
	c.split = c.plan.Split()
	c.count()
	done := c.plan.Each(c)
	if c.split != nil {
		c.tell()
	}
	runtime.KeepAlive(stop)
	return done
}

// stream has results written past the caches that are not in the memory of an operand, which is
// read anyway.
func (c *program) stream() {
	for k := range c.out {
		z := &c.out[k]
		z.Streams = 1
		if slices.ContainsFunc(c.in, func(x ckernels.Operand) bool { return x.Data == z.Data }) {
			z.Streams = 0
		}
	}
}

// Chunks does the chunks [lo, hi) as one of the workers of a run.
func (c *program) Chunks(worker, lo, hi int) bool {
	w := c.worker(worker)
	done := ckernels.Chunks(&c.run, &w.Worker, lo, hi)
	runtime.KeepAlive(c)
	return done
}

// worker returns a worker that is ready for what is bound.
func (c *program) worker(i int) *worker {
	w := c.workers[i]
	if w == nil {
		w = newWorker(c.plan, c.blockBytes)
		c.account.Add(len(w.scratch))
		c.workers[i] = w
	}
	w.reserve(len(c.shape))
	if c.split != nil && w.Ticks == 0 {
		w.ticks = make([]int64, len(c.instrs)+len(c.in)+len(c.out))
		w.Ticks, w.Tick = table(w.ticks), tickCost()
	}
	return w
}

// count has workers count what instructions take, if somebody asks, from nothing.
func (c *program) count() {
	for _, w := range c.workers {
		switch {
		case w == nil || w.ticks == nil:
		case c.split == nil:
			w.ticks, w.Ticks = nil, 0
		default:
			clear(w.ticks)
		}
	}
}

// tell gives the split what all workers counted: of a chain each link, of operands that are
// gathered the first instruction that reads them, and of results that are stored or reduced the one
// that makes them.
func (c *program) tell() {
	p := c.plan.Program()
	for i, first := range c.first {
		end := len(p.Instrs)
		if i+1 < len(c.first) {
			end = c.first[i+1]
		}
		c.split.Add(p, c.isa, first, end-first, c.ticks(i))
	}
	for k := range c.in {
		c.split.Add(p, c.isa, p.MadeBy(k), 1, c.ticks(len(c.instrs)+k))
	}
	for k, o := range p.Outputs {
		spent := c.ticks(len(c.instrs) + len(c.in) + k)
		if o.Reduce != "" && p.Steps != nil {
			c.split.AddStep(o.Step, spent)
		} else {
			c.split.Add(p, c.isa, p.MadeBy(o.Reg), 1, spent)
		}
	}
}

// ticks are those of all workers.
func (c *program) ticks(i int) (sum float64) {
	for _, w := range c.workers {
		if w != nil && w.ticks != nil {
			sum += float64(w.ticks[i])
		}
	}
	return sum
}

var tickCost = sync.OnceValue(ckernels.TickCost)

// bind tells C what the plan has bound.
func (c *program) bind() {
	pl := c.plan
	if c.version != pl.Version {
		c.version = pl.Version
		c.layout()
	}
	for k := range pl.In {
		c.in[k].Data = address(pl.In[k].Data)
	}
	for k := range pl.Out {
		c.out[k].Data = address(pl.Out[k].Data)
		if pl.Out[k].Mode == kernels.Reduced {
			c.out[k].Data = address(pl.Out[k].Values)
		}
	}
}

// layout is all of bind that stays the same from one run to the next, if the shapes and the strides
// do.
func (c *program) layout() {
	pl := c.plan
	c.shape, c.strides = c.shape[:0], c.strides[:0]
	for _, n := range pl.Shape {
		c.shape = append(c.shape, int64(n))
	}
	for k := range pl.In {
		c.operand(&c.in[k], &pl.In[k])
		c.masks[k] = -1
		if !c.whole[k] && pl.Repeats(k) {
			c.masks[k] = 0
		}
	}
	for k := range pl.Out {
		c.operand(&c.out[k], &pl.Out[k])
		c.out[k].Streams = 0
	}
	c.streams = pl.Streams()
	c.run = ckernels.Run{
		NRegs: int64(len(pl.Types)), NInstrs: int64(len(c.instrs)), NIn: int64(len(c.in)), NOut: int64(len(c.out)),
		NDim: int64(len(pl.Shape)), Len: int64(pl.Len), Row: int64(pl.Row), Block: int64(pl.Block), Fence: int64(pl.Fence),
		Span: int64(pl.Span), Parts: int64(pl.Parts), Instrs: table(c.instrs), In: table(c.in), Out: table(c.out),
		Shape: table(c.shape), Strides: table(c.strides), Masks: table(c.masks),
	}
	if pl.Lines {
		c.run.Lines = 1
	}
	c.simple = !slices.ContainsFunc(pl.Out, func(a kernels.Access) bool { return a.Mode == kernels.Reduced })
	for n := pl.Workers(); len(c.workers) < n; {
		c.workers = append(c.workers, nil)
	}
}

func (c *program) operand(o *ckernels.Operand, a *kernels.Access) {
	for _, s := range a.Strides {
		c.strides = append(c.strides, int64(s))
	}
	o.Mode = int32(a.Mode)
}

func newWorker(pl *kernels.Plan, blockBytes int) *worker {
	regs := len(pl.Types)
	w := &worker{
		scratch: aligned(max(1, pl.Slots) * blockBytes), slots: make([]uintptr, regs), regs: make([]uintptr, regs),
		cascades: make([][64]uint64, len(pl.Out)),
	}
	for r, slot := range pl.Slot {
		w.slots[r] = address(unsafe.Pointer(&w.scratch[slot*blockBytes]))
	}
	w.Slots, w.Regs, w.Cascades = table(w.slots), table(w.regs), table(w.cascades)
	return w
}

// reserve makes w ready for runs over so many axes.
func (w *worker) reserve(axes int) {
	if axes > len(w.index) {
		w.index, w.odometer = make([]int64, axes), make([]int64, axes)
		w.Index, w.Odometer = table(w.index), table(w.odometer)
	}
}

// table is the address of a slice's elements.
func table[T any](s []T) uintptr { return address(unsafe.Pointer(unsafe.SliceData(s))) }
