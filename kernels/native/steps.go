//go:build cgo && !purego

package native

import (
	"runtime"
	"slices"
	"unsafe"

	"github.com/arignote/arignote/kernels"
	ckernels "github.com/arignote/arignote/kernels/c"
)

// steps is a kernels.StepsFunc: all steps are one call of C, unless a step alone is worth several
// threads.
type steps struct {
	*program
	byStep  kernels.StepsFunc // where a step is more than one chunk
	set     *set
	run     ckernels.Steps
	in, out []ckernels.Moving
	product []ckernels.StepProduct
	operand [2][]kernels.Operand // outputs and inputs of the first step
	singles []ckernels.Single
	movers  []ckernels.Mover
	regs    []uintptr // of singles: those of the program, and one for each output that is a copy
	copies  []bool    // of each output: another one or an input has its register
}

func (s *set) Steps(p *kernels.Program) (kernels.StepsFunc, bool) {
	c, ok := s.program(p)
	if !ok {
		return nil, false
	}
	l := &steps{program: c, set: s, byStep: kernels.StepByStep(c.call, s.Gemm), in: make([]ckernels.Moving, len(p.Inputs)), out: make([]ckernels.Moving, len(p.Outputs))}
	l.operand = [2][]kernels.Operand{make([]kernels.Operand, len(p.Outputs)), make([]kernels.Operand, len(p.Inputs))}
	l.compileSingles(p, s.tables())
	l.run.In, l.run.Out = table(l.in), table(l.out)
	l.run.Regs = table(l.regs)
	return l.call, true
}

// compileSingles makes the instructions for steps over one element.
func (l *steps) compileSingles(p *kernels.Program, t *tables) {
	codes := make(map[kernels.LoopKey]int32)
	for i, r := range ckernels.Singles {
		codes[kernels.LoopKey{Op: r.Op, In: kernels.DType(r.In), Out: kernels.DType(r.Out)}] = int32(i)
	}
	regs := len(p.Inputs) + len(p.Instrs)
	l.regs = make([]uintptr, regs+len(p.Outputs))
	for i, in := range p.Instrs {
		s := ckernels.Single{Func: t.loops[in.LoopKey], Code: ckernels.SingleCall, Dst: int32(len(p.Inputs) + i)}
		if code, ok := codes[in.LoopKey]; ok {
			s.Code = code
		}
		for k := range s.Args {
			s.Args[k] = int32(in.Args[min(k, len(in.Args)-1)])
		}
		l.singles = append(l.singles, s)
	}
	stored := make([]bool, regs)
	l.copies = make([]bool, len(p.Outputs))
	for k, o := range p.Outputs {
		if l.copies[k] = o.Reg < len(p.Inputs) || stored[o.Reg]; l.copies[k] {
			l.singles = append(l.singles, ckernels.Single{Code: int32(ckernels.SingleCopy - l.plan.Types[o.Reg].Size()), Dst: int32(regs + k), Args: [kernels.MaxArgs]int32{int32(o.Reg)}})
		}
		stored[o.Reg] = true
	}
}

func (l *steps) call(count int, shape []int, products []kernels.Product, out, in []kernels.Moving, ends *uint8, stop kernels.Stop) (done int, whole bool) {
	for k := range out {
		l.operand[0][k] = out[k].Operand
	}
	for k := range in {
		l.operand[1][k] = in[k].Operand
	}
	some := l.plan.Bind(shape, l.operand[0], l.operand[1])
	defer func() {
		l.plan.Release()
		clear(l.operand[0])
		clear(l.operand[1])
	}()
	switch {
	case !some:
		return count, true
	case l.plan.Chunks > 1 || !l.multiply(products, stop):
		return l.byStep(count, shape, products, out, in, ends, stop)
	}
	l.bind()
	r := &l.run
	r.Count, r.Ends, r.NSingles, r.Gathers = int64(count), address(unsafe.Pointer(ends)), 0, 0
	l.program.run.Stop = address(unsafe.Pointer(stop))
	w := l.worker(0)
	w.Begun = 0
	if l.plan.Len == 1 && len(products) == 0 {
		l.single(w, out, in)
	} else {
		l.moving(products, out, in)
	}
	whole = ckernels.RunSteps(&l.program.run, &w.Worker, r)
	runtime.KeepAlive(products)
	runtime.KeepAlive(out)
	runtime.KeepAlive(in)
	runtime.KeepAlive(ends)
	runtime.KeepAlive(stop)
	runtime.KeepAlive(l)
	return int(r.Done), whole
}

// multiply tells of the products of a step. It reports false if one of them is none that C computes
// in one call.
func (l *steps) multiply(products []kernels.Product, stop kernels.Stop) bool {
	l.product = l.product[:0]
	for i := range products {
		k := &products[i]
		if k.M == 0 || k.N == 0 {
			continue
		}
		p := l.set.product(k.DType, 1, k.M, k.N, k.K, k.Alpha, batchOf(&k.A), batchOf(&k.B), k.Beta, batchOf(&k.C), kernels.Batch{Matrix: k.D}, stop)
		if !p.small() {
			return false
		}
		l.product = append(l.product, ckernels.StepProduct{Args: p.GemmArgs, Func: p.fn, A: movingOf(&k.A), B: movingOf(&k.B), C: movingOf(&k.C)})
	}
	l.run.NProducts = int64(len(l.product))
	if len(l.product) > 0 {
		l.run.Products = table(l.product)
	}
	return true
}

func batchOf(m *kernels.Moving) kernels.Batch {
	return kernels.Batch{Matrix: kernels.Matrix{Data: m.Data, Row: m.Strides[0], Col: m.Strides[1]}}
}

// moving tells where the operands of steps over several elements are.
func (l *steps) moving(products []kernels.Product, out, in []kernels.Moving) {
	for k := range in {
		l.in[k] = movingOf(&in[k])
		changes := in[k].Turn != nil || in[k].Step != 0 || slices.ContainsFunc(products, func(p kernels.Product) bool { return p.D.Data == in[k].Data })
		if l.plan.In[k].Mode == kernels.Once && changes {
			l.run.Gathers = 1
		}
	}
	for k := range out {
		l.out[k] = movingOf(&out[k])
	}
}

func movingOf(m *kernels.Moving) ckernels.Moving {
	return ckernels.Moving{Data: address(m.Data), Turn: address(m.Turn), Step: int64(m.Step)}
}

// single tells where the registers of steps over one element are.
func (l *steps) single(w *worker, out, in []kernels.Moving) {
	l.movers = l.movers[:0]
	copy(l.regs, w.slots)
	for k := range in {
		l.place(k, &in[k])
	}
	for k := range out {
		reg := int(l.program.out[k].Reg)
		if l.copies[k] {
			reg = len(l.plan.Types) + k
		}
		l.place(reg, &out[k])
	}
	r := &l.run
	r.Singles, r.NSingles = table(l.singles), int64(len(l.singles))
	r.Movers, r.NMovers = table(l.movers), int64(len(l.movers))
}

// place says where a register is in the first step, and where it goes from there.
func (l *steps) place(reg int, m *kernels.Moving) {
	l.regs[reg] = address(m.Data)
	switch {
	case m.Turn != nil:
		l.movers = append(l.movers, ckernels.Mover{Reg: int64(reg), Flip: address(m.Data) ^ address(m.Turn)})
	case m.Step != 0:
		l.movers = append(l.movers, ckernels.Mover{Reg: int64(reg), Step: int64(m.Step)})
	}
}
