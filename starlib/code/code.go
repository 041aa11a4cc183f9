// Package code is the form in which package vm runs programs: register code, which package compile
// makes of trees.
package code

import (
	"github.com/arignote/arignote/starlib/slot"
	"go.starlark.net/syntax"
)

// An Instr is one instruction. A, B and C are registers of the frame unless its Op says otherwise.
type Instr struct {
	Op      Op
	A, B, C uint8
	D       int32
}

// A Word is an instruction as the machine reads it: one load, and shifts.
type Word uint64

// Word packs an instruction.
func (in Instr) Word() Word {
	return Word(in.Op) | Word(in.A)<<8 | Word(in.B)<<16 | Word(in.C)<<24 | Word(uint32(in.D))<<32
}

// Op is the operation of the instruction.
func (w Word) Op() Op { return Op(w) }

// A is its first operand.
func (w Word) A() uint8 { return uint8(w >> 8) }

// B is its second operand.
func (w Word) B() uint8 { return uint8(w >> 16) }

// C is its third operand.
func (w Word) C() uint8 { return uint8(w >> 24) }

// D is its wide operand: an index, a constant or a jump.
func (w Word) D() int32 { return int32(w >> 32) }

// IsBack reports whether an instruction leads back to the beginning of a round of a loop.
func (in Instr) IsBack() bool {
	return in.D < 0 && (Jump <= in.Op && in.Op <= Unless || in.Op == Next)
}

// Registers is how many registers a frame may have.
const Registers = 256

// A Program is what a file, or a cell, has become.
type Program struct {
	Main    *Func
	Vars    []string // names that are looked up in the globals that programs share
	Globals []string // names of the program's own globals
	Sites   []string // names of attributes, one for each instruction that has one
}

// A Func is the code of a function, or of the statements outside functions.
type Func struct {
	Name string
	Qual string // the name with those of the functions around it
	Doc  string
	Pos  syntax.Position

	Code      []Instr
	Words     []Word   // of Code
	Places    []Place  // of Code
	Tops      []uint16 // of Code: registers from there on hold nothing that is still needed
	Feeds     []bool   // of Code: the result is an operand of an operation that arrays may have
	Trapped   Trapped
	Handlers  []Handler  // the innermost of those around an instruction first
	Handling  []Handling // likewise
	Consts    []slot.Slot
	Names     []string // what loads name
	Funcs     []*Func  // that it makes
	Calls     []Call   // forms of calls that have more than positional arguments
	Registers int

	Params     []Param // in the order of registers: positional ones, keyword-only ones, *args, **kwargs
	KwOnly     int     // how many are keyword-only
	Exact      int     // how many positional arguments are just the parameters; -1 where that is not enough to know
	HasVarargs bool
	HasKwargs  bool
	Generates  bool     // a call makes a generator
	Locals     []string // names of the variables in registers, parameters first
	Cells      []string // names of the variables that functions inside share with it
	ParamCells []ParamCell
	Free       []string  // names of the variables that it shares with functions around it
	Captures   []Capture // where a function around it has them
	Defaults   []int     // the parameters that have a default value

	Marks []Mark  // where lines begin, by At
	Hits  []int64 // of Marks, while they are watched
	Once  []Word  // while they are: runs the one instruction whose place a Line has taken
	once  int     // that one
	begun int32   // the line whose loop has just begun

	short []uint8 // of Code, or nil: see Short
}

// A Handler is where a function goes on after an error of the instructions From <= ip < To, with
// the exception in a register. Registers from Top on hold nothing that is still needed.
type Handler struct {
	From, To, At, Register, Top int

	Ends []int32 // indexes of Program.Vars: it raises no exception of these classes again; -1: of none
}

// Handling says in which register the exception is that instructions handle, if it has a value.
type Handling struct{ From, To, Register int }

// At is an instruction, also one whose place a Trap has taken.
func (f *Func) At(ip int) Instr {
	if f.Trapped.Set && f.Trapped.At == ip {
		return f.Trapped.Was
	}
	return f.Code[ip]
}

// A Param is a parameter.
type Param struct {
	Name string
	Pos  syntax.Position
}

// A ParamCell is a parameter in a register whose variable is a cell.
type ParamCell struct{ Register, Cell int }

// A Capture is a cell of a function, or one that is free in it.
type Capture struct {
	Free  bool
	Index int
}

// A Place is where in the file an instruction comes from.
type Place struct{ Line, Col int32 }

// A Call is the form of a call: after the callee and B positional arguments stand in registers
// the values of Names, then of *x and **x if there are such.
type Call struct {
	Names  []string
	Star   bool
	Keys   bool // has **x
	Plain  int  // positional arguments
	Values int  // registers, without the callee
}

// PosOf is the position of an instruction, that of the function if ip is negative.
func (f *Func) PosOf(ip int) syntax.Position {
	if ip < 0 {
		return f.Pos
	}
	file := f.Pos.Filename()
	if ip >= len(f.Places) {
		return syntax.MakePosition(&file, 0, 0)
	}
	return syntax.MakePosition(&file, f.Places[ip].Line, f.Places[ip].Col)
}
