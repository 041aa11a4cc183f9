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
	Doc  string
	Pos  syntax.Position

	Code      []Instr
	Places    []Place // of Code
	Trapped   Trapped
	Consts    []slot.Slot
	Names     []string // what loads name
	Funcs     []*Func  // that it makes
	Calls     []Call   // forms of calls that have more than positional arguments
	Registers int

	Params     []Param // in the order of registers: positional ones, keyword-only ones, *args, **kwargs
	KwOnly     int     // how many are keyword-only
	HasVarargs bool
	HasKwargs  bool
	Locals     []string // names of the variables in registers, parameters first
	Cells      []string // names of the variables that functions inside share with it
	ParamCells []ParamCell
	Free       []string  // names of the variables that it shares with functions around it
	Captures   []Capture // where a function around it has them
	Defaults   []int     // the parameters that have a default value
}

// A Trapped is an instruction whose place a Trap has taken.
type Trapped struct {
	Set bool
	At  int
	Was Instr
}

// Trap puts a Trap where an instruction is, until it runs or the next one is put.
func (f *Func) Trap(at int) {
	f.Untrap()
	f.Trapped = Trapped{true, at, f.Code[at]}
	f.Code[at].Op = Trap
}

// Untrap puts the instruction back.
func (f *Func) Untrap() {
	if f.Trapped.Set {
		f.Code[f.Trapped.At] = f.Trapped.Was
		f.Trapped.Set = false
	}
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
