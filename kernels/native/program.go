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

// smallLen is the number of elements up to which Go is done before C has been called: a call of C costs as much as 100 elements of an
// addition in Go, the call of a loop in Go as much as 11.
func smallLen(instrs int) int { return min(64, 100/max(1, instrs)-11) }

// exact are the operations of which the Go loops and those of C give the same bits.
var exact = map[string]bool{
	"add": true, "sub": true, "mul": true, "true_div": true, "reciprocal": true, "neg": true, "abs": true, "sgn": true, "sqr": true, "sqrt": true,
	"maximum": true, "minimum": true, "eq": true, "neq": true, "lt": true, "le": true, "gt": true, "ge": true,
	"and": true, "or": true, "xor": true, "invert": true, "isnan": true, "isinf": true,
	"ceil": true, "floor": true, "round": true, "trunc": true, "identity": true, "second": true, "switch": true, "cast": true,
}

func isExact(p *kernels.Program) bool {
	for _, in := range p.Instrs {
		if !exact[in.Op] {
			return false
		}
	}
	return true
}

// program is a compiled kernels.Program: tables of integers, which C may read without a thought for the garbage
// collector.
type program struct {
	plan   *kernels.Plan
	small  *kernels.Interpreter // for short runs, of at most limit elements; nil if the Go loops might give other bits
	limit  int
	reduce []kernels.ReduceFunc // of each output
	worker *worker

	version int // of the plan, of which run and the tables are made
	run     ckernels.Run

	instrs         []ckernels.Instr
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
}

func (s *set) Elemwise(p *kernels.Program) (kernels.ElemwiseFunc, bool) {
	t := s.tables()
	plan := kernels.NewPlan(p, blockLen(p))
	c := &program{
		plan: plan, reduce: make([]kernels.ReduceFunc, len(p.Outputs)), instrs: make([]ckernels.Instr, len(p.Instrs)),
		in: make([]ckernels.Operand, len(p.Inputs)), out: make([]ckernels.Operand, len(p.Outputs)),
	}
	if c.limit = smallLen(len(p.Instrs)); c.limit > 0 && isExact(p) {
		c.small = kernels.NewInterpreter(plan)
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
	for k := range p.Inputs {
		c.in[k] = ckernels.Operand{Size: int32(plan.Types[k].Size())}
	}
	for k, o := range p.Outputs {
		c.out[k] = ckernels.Operand{Size: int32(plan.Types[o.Reg].Size()), Reg: int32(o.Reg)}
		if o.Reduce != "" {
			key := kernels.ReduceKey{Op: o.Reduce, In: plan.Types[o.Reg]}
			c.out[k].Fold = t.reductions[key]
			if c.reduce[k], _ = s.Reduce(key); c.out[k].Fold == 0 {
				return nil, false
			}
		}
	}
	return c.call, true
}

// blockLen is the number of elements of a block of p's widest type.
func blockLen(p *kernels.Program) int {
	widest := 1
	for _, d := range p.Inputs {
		widest = max(widest, d.Size())
	}
	for _, in := range p.Instrs {
		widest = max(widest, in.Out.Size())
	}
	return blockBytes / widest
}

func (c *program) call(shape []int, out, in []kernels.Operand, stop kernels.Stop) bool {
	if c.small != nil && c.small.Quick(c.limit, shape, out, in) {
		return true
	}
	done := true
	switch {
	case !c.plan.Bind(shape, out, in):
	case c.small != nil && c.plan.Len <= c.limit:
		done = c.small.Run(stop)
	default:
		c.bind(stop)
		c.worker.Begun = 0
		done = ckernels.Chunks(&c.run, &c.worker.Worker, 0, c.plan.Chunks)
		runtime.KeepAlive(stop)
		runtime.KeepAlive(c)
		if done {
			c.plan.Finish(c.reduce)
		}
	}
	c.plan.Release() // which kept the operands alive
	return done
}

// bind tells C what the plan has bound.
func (c *program) bind(stop kernels.Stop) {
	pl := c.plan
	if c.version != pl.Version {
		c.version = pl.Version
		c.layout()
	}
	c.run.Stop = address(unsafe.Pointer(stop))
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

// layout is all of bind that stays the same from one run to the next, if the shapes and the strides do.
func (c *program) layout() {
	pl := c.plan
	c.shape, c.strides = c.shape[:0], c.strides[:0]
	for _, n := range pl.Shape {
		c.shape = append(c.shape, int64(n))
	}
	for k := range pl.In {
		c.operand(&c.in[k], &pl.In[k])
	}
	for k := range pl.Out {
		c.operand(&c.out[k], &pl.Out[k])
	}
	c.run = ckernels.Run{
		NRegs: int64(len(pl.Types)), NInstrs: int64(len(c.instrs)), NIn: int64(len(c.in)), NOut: int64(len(c.out)),
		NDim: int64(len(pl.Shape)), Len: int64(pl.Len), Row: int64(pl.Row), Block: int64(pl.Block), Fence: int64(pl.Fence),
		Span: int64(pl.Span), Parts: int64(pl.Parts), Instrs: table(c.instrs), In: table(c.in), Out: table(c.out),
		Shape: table(c.shape), Strides: table(c.strides),
	}
	if pl.Lines {
		c.run.Lines = 1
	}
	if c.worker == nil {
		c.worker = newWorker(pl)
	}
	c.worker.reserve(len(pl.Shape))
}

func (c *program) operand(o *ckernels.Operand, a *kernels.Access) {
	for _, s := range a.Strides {
		c.strides = append(c.strides, int64(s))
	}
	o.Mode = int32(a.Mode)
}

func newWorker(pl *kernels.Plan) *worker {
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
