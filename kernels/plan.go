package kernels

import "fmt"

// CanReduce reports whether an output of type d may be reduced by op: those do of which the result
// has the type of the operands.
func CanReduce(op string, d DType) bool {
	switch op {
	case "round_sum", "round_prod":
		return d == Float32
	case "sum", "prod":
		return d.IsFloat() || d.IsInteger() && d.Size() == 8
	case "max", "min":
		return true
	}
	return false
}

// A Plan is what every implementation of a Program needs to know before its first block: the
// registers' types, where in the scratch memory each lives, and, once Bind has seen the operands
// of a run, which of them are used where they lie and how the run is cut.
//
// Scratch is a row of slots, each as long as a block of the widest type. Inputs own those they need
// for all of a block; other registers share slots as their lives allow, which keeps a long chain in
// L1.
//
// A run is cut twice. Blocks are so short that all slots stay in the L1 cache; they are cut so that
// many operands can be used where they lie. Chunks are runs of blocks, for threads to share. How
// long they are depends on the shapes alone: the parts of a sum, which are its blocks and its
// chunks, are the same however many threads there are.
type Plan struct {
	Types []DType // of each register
	Slot  []int   // of each register
	Slots int

	program *Program
	most    int   // elements of the longest block
	lastUse []int // the last instruction that reads a register; len(Instrs) if it is an output
	direct  []int // the first output that stores a register, or -1
	reduces bool  // an output reduces

	// Set by Bind.
	Shape   []int // no axis of length 1, and no two neighbours that could be one axis
	Len     int   // elements of Shape
	Row     int   // elements that one reduction takes in: of the trailing axes; Len if no output reduces
	Lines   bool  // each block lies in one line of the last axis; else it is some whole lines
	Block   int   // elements of a block
	Fence   int   // at each multiple of it a block ends
	Span    int   // elements of a chunk
	Parts   int   // chunks of a row, if rows are cut; else a chunk is some whole rows
	Chunks  int
	In, Out []Access
	Version int // changes whenever anything but the operands' addresses does

	nanoseconds float64 // of an element
	team        team
	bound       binding
	parts       []uint64 // what the chunks of reductions give
	account     Account
}

// Program is what pl lays out.
func (pl *Plan) Program() *Program { return pl.program }

// Split is who wants to know what instructions take, if somebody does.
func (pl *Plan) Split() *Split { return pl.program.Split }

// NewPlan lays out the registers of p for blocks of at most so many elements, which an instruction
// set works on, and whose memory account is told. It panics if p is malformed.
func NewPlan(p *Program, most int, isa string, account Account) *Plan {
	regs := len(p.Inputs) + len(p.Instrs)
	memory := make([]int, 3*regs)
	pl := &Plan{
		Types:   append(make([]DType, 0, regs), p.Inputs...),
		Slot:    memory[:regs:regs],
		program: p,
		most:    most,
		account: account,
		lastUse: memory[regs : 2*regs : 2*regs],
		direct:  memory[2*regs:],
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
		switch {
		case o.Reduce != "":
			if !CanReduce(o.Reduce, pl.Types[r]) {
				panic(fmt.Sprintf("kernels: output %d: no reduction %s of %v", k, o.Reduce, pl.Types[r]))
			}
			pl.reduces = true
		case r >= len(p.Inputs) && pl.direct[r] < 0:
			pl.direct[r] = k
		}
	}
	pl.assignSlots()
	pl.nanoseconds = nanoseconds(p, pl.Types, isa)
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
