package compile

import (
	"fmt"
	"slices"

	"github.com/arignote/arignote/starlib/code"
	"github.com/arignote/arignote/starlib/scope"
	"github.com/arignote/arignote/starlib/slot"
	"go.starlark.net/starlark"
	"go.starlark.net/syntax"
)

// Names is what a file finds that it does not bind.
type Names struct {
	// Cell says that the globals of the file are those that programs share, but for $ names.
	Cell bool
	// Shared reports whether a name is one of the globals that programs share.
	Shared func(name string) bool
	// Fixed is the value of a $ name that never changes, nil if there is none.
	Fixed func(name string) starlark.Value
	// Slice is the value of bounds that are written, None where they are left out.
	Slice func(lo, hi, step starlark.Value) starlark.Value
	// Method reports whether an attribute is looked for in the tables of methods first.
	Method func(name string) bool
}

// File binds the names of a tree and makes code of it. An error is a *scope.Error.
func File(f *syntax.File, names Names) (*code.Program, error) {
	m := scope.Bind(f, scope.Outside{Cell: names.Cell, Shared: names.Shared, Universal: starlark.Universe.Has})
	p := &program{names: names, module: m, vars: map[string]int{}, out: &code.Program{}}
	for _, g := range m.Globals {
		p.out.Globals = append(p.out.Globals, g.First.Name)
	}
	c := p.function(m.Main, m.Main.Locals)
	c.stmts(f.Stmts)
	p.out.Main = c.finish(f.Stmts)
	if p.err != nil {
		return nil, p.err
	}
	return p.out, nil
}

// A program is what is compiled at a time.
type program struct {
	names  Names
	module *scope.Module
	vars   map[string]int // indexes of out.Vars
	out    *code.Program
	err    error
}

// fail notes the first error.
func (p *program) fail(pos syntax.Position, format string, args ...any) {
	if p.err == nil {
		p.err = &scope.Error{Pos: pos, Msg: fmt.Sprintf(format, args...)}
	}
}

// variable returns the index of a shared global.
func (p *program) variable(name string) int32 {
	i, ok := p.vars[name]
	if !ok {
		i = len(p.out.Vars)
		p.vars[name] = i
		p.out.Vars = append(p.out.Vars, name)
	}
	return int32(i)
}

// A function is one that is compiled.
type function struct {
	*program
	f *code.Func

	locals  []home          // of the function's variables, by their index
	sure    []bool          // of registers: a variable there has a value
	perhaps int             // how many expressions around this one may not evaluate it
	top     int             // registers in use
	here    syntax.Position // of the statement
	line    int32           // that runs, 0 if nobody knows: it is no new one
	around  []*block        // those that the statement stands in
	caught  int             // the register of the exception that is handled
	entered int             // the register of what the context of a with gave
	orelse  int             // see block, of the loop that comes

	nameAt map[string]int32 // indexes of f.Names: of members and of what del takes
	consts map[slot.Slot]int32
}

// A home is where a variable is.
type home struct {
	cell     bool
	index    int
	unsteady bool // see scope.Binding
}

// maxLocals is how many variables of a function are in registers; the others are in cells, which
// are as many as there may be.
const maxLocals = code.Registers / 2

func (p *program) function(fn *scope.Function, locals []*scope.Binding) *function {
	c := &function{program: p, here: fn.Pos, orelse: -1, f: &code.Func{Name: fn.Name, Qual: fn.Qual, Pos: fn.Pos, Generates: fn.Generates}, nameAt: map[string]int32{},
		consts: map[slot.Slot]int32{}, sure: make([]bool, code.Registers)}
	for _, b := range locals {
		if b.Kind == scope.Cell || c.top == maxLocals {
			c.locals = append(c.locals, home{cell: true, index: len(c.f.Cells)})
			c.f.Cells = append(c.f.Cells, b.First.Name)
			continue
		}
		c.locals = append(c.locals, home{index: c.top, unsteady: b.Unsteady})
		c.f.Locals = append(c.f.Locals, b.First.Name)
		c.top++
	}
	c.f.Registers = c.top
	return c
}

// finish ends the code of a function with the statements of its body.
func (c *function) finish(body []syntax.Stmt) *code.Func {
	pos := c.f.Pos
	if n := len(body); n > 0 {
		_, pos = body[n-1].Span()
	}
	r := c.temp()
	c.emit(pos, code.Load, r, 0, 0, c.constant(slot.None))
	c.returnOp(pos, r)
	if len(body) > 0 {
		if e, ok := body[0].(*syntax.ExprStmt); ok {
			if lit, ok := e.X.(*syntax.Literal); ok && lit.Token == syntax.STRING {
				c.f.Doc = lit.Value.(string)
			}
		}
	}
	return c.end()
}

// end is the function when all its code is there.
func (c *function) end() *code.Func {
	c.f.Exact = len(c.f.Params)
	if c.f.KwOnly > 0 || c.f.HasVarargs || c.f.HasKwargs || c.f.Generates || len(c.f.Cells) > 0 {
		c.f.Exact = -1
	}
	for _, in := range c.f.Code {
		c.f.Words = append(c.f.Words, in.Word())
	}
	return c.f
}

// def makes the code of a function of the program's and returns its index.
func (c *function) def(fn *scope.Function) int32 {
	d := c.begin(fn)
	d.stmts(fn.Body)
	c.f.Funcs = append(c.f.Funcs, d.finish(fn.Body))
	return int32(len(c.f.Funcs) - 1)
}

// begin begins a function inside another one.
func (c *function) begin(fn *scope.Function) *function {
	d := c.program.function(fn, reorder(fn))
	f := d.f
	f.HasVarargs, f.HasKwargs, f.KwOnly = fn.HasVarargs, fn.HasKwargs, fn.KwOnly
	params := parameters(fn)
	if len(params) > maxLocals { // arguments come in registers
		d.fail(params[maxLocals].NamePos, "too many parameters: got %d, want up to %d", len(params), maxLocals)
		params = params[:maxLocals]
	}
	for i, id := range params {
		f.Params = append(f.Params, code.Param{Name: id.Name, Pos: id.NamePos})
		d.isSure(d.locals[i])
	}
	d.parameterCells(fn)
	for _, b := range fn.Free {
		f.Free = append(f.Free, b.First.Name)
		f.Captures = append(f.Captures, c.capture(b))
	}
	return d
}

// reorder returns the bindings of a function with those of parameters as if none were a cell: they
// are in the first registers whatever becomes of them.
func reorder(fn *scope.Function) []*scope.Binding {
	n := len(parameters(fn))
	out := slices.Clone(fn.Locals)
	for i := range n {
		if out[i].Kind == scope.Cell {
			plain := *out[i]
			plain.Kind = scope.Local
			out[i] = &plain
		}
	}
	return out
}

// parameterCells gives the parameters that functions inside share a cell each.
func (c *function) parameterCells(fn *scope.Function) {
	for i := range c.f.Params {
		if b := fn.Locals[i]; b.Kind == scope.Cell {
			c.f.ParamCells = append(c.f.ParamCells, code.ParamCell{Register: c.locals[i].index, Cell: len(c.f.Cells)})
			c.locals[i] = home{cell: true, index: len(c.f.Cells)}
			c.f.Cells = append(c.f.Cells, b.First.Name)
		}
	}
}

// parameters are the names of a function's parameters, in the order of their registers.
func parameters(fn *scope.Function) (ids []*syntax.Ident) {
	var starred []*syntax.Ident
	for _, p := range fn.Params {
		id := scope.Parameter(p)
		if id == nil {
			continue
		}
		if _, star := p.(*syntax.UnaryExpr); star {
			starred = append(starred, id)
		} else {
			ids = append(ids, id)
		}
	}
	return append(ids, starred...)
}

// isSure notes that a variable has a value from here on.
func (c *function) isSure(h home) {
	if !h.cell && !h.unsteady {
		c.sure[h.index] = true
	}
}

// capture is where a function has the cell that a function inside it shares.
func (c *function) capture(b *scope.Binding) code.Capture {
	if b.Kind == scope.Free {
		return code.Capture{Free: true, Index: b.Index}
	}
	return code.Capture{Index: c.locals[b.Index].index}
}

// emit adds an instruction and returns its index.
func (c *function) emit(pos syntax.Position, op code.Op, a, b, cc int, d int32) int {
	c.f.Code = append(c.f.Code, code.Instr{Op: op, A: uint8(a), B: uint8(b), C: uint8(cc), D: d})
	c.f.Tops = append(c.f.Tops, uint16(c.top))
	c.f.Feeds = append(c.f.Feeds, false)
	c.f.Places = append(c.f.Places, code.Place{Line: pos.Line, Col: pos.Col})
	return len(c.f.Code) - 1
}

// land makes jumps lead to the next instruction.
func (c *function) land(jumps ...int) {
	for _, j := range jumps {
		c.f.Code[j].D = int32(len(c.f.Code) - j)
	}
}

// back jumps to an instruction.
func (c *function) back(pos syntax.Position, to int) {
	c.emit(pos, code.Jump, 0, 0, 0, int32(to-len(c.f.Code)))
}

// temp takes a register until the statement, or who resets top, is done with it.
func (c *function) temp() int { return c.temps(1) }

// temps takes n registers in a row.
func (c *function) temps(n int) int {
	r := c.top
	if c.top += n; c.top > code.Registers {
		c.fail(c.here, "the expression nests too deep: give parts of it names")
		c.top = r
		return 0
	}
	c.f.Registers = max(c.f.Registers, c.top)
	return r
}

// constant returns the index of a constant.
func (c *function) constant(s slot.Slot) int32 {
	ref := s.Ref()
	if _, isText := ref.(starlark.String); s.IsInt() || s.IsFloat() || isText || ref == starlark.Value(starlark.None) {
		if i, ok := c.consts[s]; ok {
			return i
		}
		c.consts[s] = int32(len(c.f.Consts))
	}
	c.f.Consts = append(c.f.Consts, s)
	return int32(len(c.f.Consts) - 1)
}

// site returns the index of a new site of an attribute.
func (c *function) site(name string) int32 {
	c.out.Sites = append(c.out.Sites, name)
	return int32(len(c.out.Sites) - 1)
}

// name returns the index of a name.
func (c *function) name(name string) int32 {
	i, ok := c.nameAt[name]
	if !ok {
		i = int32(len(c.f.Names))
		c.nameAt[name] = i
		c.f.Names = append(c.f.Names, name)
	}
	return i
}
