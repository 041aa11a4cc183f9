package kernels

import (
	"fmt"
	"unsafe"
)

// A Plan is what every implementation of a Program needs to know before its first block: the
// registers' types, where in the scratch memory each lives, and, once Bind has seen the operands
// of a run, which of them are used where they lie.
//
// Scratch is a row of slots, each as long as a block of the widest type. Inputs own
// those they need for all of a block; other registers share slots as their lives allow, which keeps a long chain in L1.
type Plan struct {
	Types []DType // of each register
	Slot  []int   // of each register
	Slots int

	program *Program
	lastUse []int // the last instruction that reads a register; len(Instrs) if it is an output
	direct  []int // the first output that stores a register, or -1

	// Set by Bind.
	Shape   []int // no axis of length 1, and no two neighbours that could be one axis
	Len     int   // elements of Shape
	In, Out []Access
}

// An Access is an operand of a run over a Plan's Shape.
type Access struct {
	Mode    Mode
	Data    unsafe.Pointer
	Strides []int // in bytes, by axis of the Plan's Shape
	Size    int   // of an element
}

// Mode is how an operand is met.
type Mode uint8

const (
	InPlace Mode = iota // contiguous in C order: the register is the operand's own memory
	Scalar              // one element: expanded once a run
	Strided             // gathered into scratch before, or scattered from it after, each block
)

// NewPlan lays out the registers of p. It panics if p is malformed.
func NewPlan(p *Program) *Plan {
	regs := len(p.Inputs) + len(p.Instrs)
	pl := &Plan{
		Types:   append(make([]DType, 0, regs), p.Inputs...),
		Slot:    make([]int, regs),
		program: p,
		lastUse: make([]int, regs),
		direct:  make([]int, regs),
		In:      make([]Access, len(p.Inputs)),
		Out:     make([]Access, len(p.Outputs)),
	}
	for i, in := range p.Instrs {
		for k, r := range in.Args {
			if r < 0 || r >= len(pl.Types) {
				panic(fmt.Sprintf("kernels: instruction %d (%s) reads register %d before it is set", i, in.Op, r))
			}
			want := in.In
			if in.Op == "switch" && k == 0 {
				want = Bool
			}
			if pl.Types[r] != want {
				panic(fmt.Sprintf("kernels: instruction %d (%s) got register %d of %v, want %v", i, in.Op, r, pl.Types[r], want))
			}
			pl.lastUse[r] = i
		}
		if len(in.Args) == 0 || len(in.Args) > MaxArgs {
			panic(fmt.Sprintf("kernels: instruction %d (%s) has %d operands", i, in.Op, len(in.Args)))
		}
		pl.Types = append(pl.Types, in.Out)
		pl.lastUse[len(p.Inputs)+i] = i // until someone reads it
	}
	for r := range pl.direct {
		pl.direct[r] = -1
	}
	for k, o := range p.Outputs {
		r := o.Reg
		pl.lastUse[r] = len(p.Instrs)
		if r >= len(p.Inputs) && pl.direct[r] < 0 {
			pl.direct[r] = k
		}
	}
	pl.assignSlots()
	return pl
}

// assignSlots walks the instructions. A result may take the slot of an operand that dies here if
// their elements are of one size: a loop may run in place, but only element upon element.
func (pl *Plan) assignSlots() {
	inputs := len(pl.program.Inputs)
	for r := range inputs {
		pl.Slot[r] = r
	}
	pl.Slots = inputs
	var free []int
	for i, in := range pl.program.Instrs {
		z := inputs + i
		release := func(sameSize bool) {
			for k, r := range in.Args {
				dies := r >= inputs && pl.lastUse[r] == i
				repeated := false
				for _, earlier := range in.Args[:k] {
					repeated = repeated || earlier == r
				}
				if dies && !repeated && sameSize == (pl.Types[r].Size() == pl.Types[z].Size()) {
					free = append(free, pl.Slot[r])
				}
			}
		}
		release(true)
		if n := len(free); n > 0 {
			pl.Slot[z], free = free[n-1], free[:n-1]
		} else {
			pl.Slot[z] = pl.Slots
			pl.Slots++
		}
		release(false)
		if pl.lastUse[z] == i {
			free = append(free, pl.Slot[z])
		}
	}
}

// Bind collapses shape for the operands of one run and chooses each operand's mode.
func (pl *Plan) Bind(shape []int, out, in []Operand) {
	for k := range in {
		pl.In[k] = Access{Data: in[k].Data, Strides: pl.In[k].Strides[:0], Size: pl.Types[k].Size()}
	}
	for k := range out {
		pl.Out[k] = Access{Data: out[k].Data, Strides: pl.Out[k].Strides[:0], Size: pl.Types[pl.program.Outputs[k].Reg].Size()}
	}
	pl.Shape, pl.Len = pl.Shape[:0], 1
	for axis, n := range shape {
		pl.Len *= n
		if n == 1 {
			continue
		}
		last := len(pl.Shape) - 1
		if last >= 0 && mergeable(pl.In, in, axis, n) && mergeable(pl.Out, out, axis, n) {
			pl.Shape[last] *= n
			setStrides(pl.In, in, axis, last)
			setStrides(pl.Out, out, axis, last)
			continue
		}
		pl.Shape = append(pl.Shape, n)
		setStrides(pl.In, in, axis, last+1)
		setStrides(pl.Out, out, axis, last+1)
	}
	pl.chooseModes()
}

// mergeable reports whether a step along the last axis kept is n steps along this one.
func mergeable(accesses []Access, operands []Operand, axis, n int) bool {
	for k := range accesses {
		s := accesses[k].Strides
		if s[len(s)-1] != n*operands[k].Strides[axis] {
			return false
		}
	}
	return true
}

func setStrides(accesses []Access, operands []Operand, axis, at int) {
	for k := range accesses {
		accesses[k].Strides = append(accesses[k].Strides[:at], operands[k].Strides[axis])
	}
}

func (pl *Plan) chooseModes() {
	for k := range pl.In {
		a := &pl.In[k]
		a.Mode = a.mode(pl.Shape)
	}
	for k := range pl.Out {
		a := &pl.Out[k]
		r := pl.program.Outputs[k].Reg
		a.Mode = a.mode(pl.Shape)
		written := len(pl.program.Instrs)
		switch {
		case pl.direct[r] != k:
			a.Mode = Strided // stored by copying: a register has one memory
		case a.Mode == InPlace, a.Mode == Scalar && len(pl.Shape) == 0:
			a.Mode = InPlace
			written = r - len(pl.program.Inputs)
		default:
			a.Mode = Strided
		}
		// An input in this output's memory must not be read where it lies after the output is
		// written there. (Instruction i may: its loop runs element upon element.)
		for j := range pl.In {
			in := &pl.In[j]
			clash := written < pl.lastUse[j] || written == len(pl.program.Instrs) && pl.lastUse[j] == written
			if in.Data == a.Data && in.Mode == InPlace && clash {
				in.Mode = Strided
			}
		}
	}
}

// mode ignores who else uses the memory.
func (a *Access) mode(shape []int) Mode {
	contiguous, scalar := true, true
	step := a.Size
	for axis := len(shape) - 1; axis >= 0; axis-- {
		s := a.Strides[axis]
		contiguous = contiguous && s == step
		scalar = scalar && s == 0
		step *= shape[axis]
	}
	switch {
	case scalar: // also if shape has no axis left
		return Scalar
	case contiguous:
		return InPlace
	}
	return Strided
}

// Release forgets the operands: their memory is the caller's and must not be kept alive.
func (pl *Plan) Release() {
	for k := range pl.In {
		pl.In[k].Data = nil
	}
	for k := range pl.Out {
		pl.Out[k].Data = nil
	}
}
