package vm

import (
	"errors"
	"slices"

	"github.com/arignote/arignote/starlib/code"
	"github.com/arignote/arignote/starlib/object"
	"github.com/arignote/arignote/starlib/slot"
	"github.com/arignote/arignote/starlib/value"
	"go.starlark.net/starlark"
)

// What an error leaves is kept for those who look at it afterwards: until a handler has done with
// the exception, as in Python, and if none does, as long as the error.

// A Frame is a copy of a frame: of what its registers refer to.
type Frame struct {
	fn    *Function
	ip    int
	depth int
	regs  []slot.Slot
	cells []*cell
	outer *Frame // that an error has left after it

	at *starlark.CallFrame // where it is, if that is not its ip
}

var _ value.Frame = (*Frame)(nil)

// maxFrames is of how many calls the variables are kept: of a recursion without end the innermost.
const maxFrames = 1000

// lost are the frames that an error has left which is on its way.
type lost struct {
	by                   *value.Traced
	innermost, outermost *Frame
	n                    int
}

// leaves keeps the frames that an error leaves, from the innermost one down to a depth.
func (m *Machine) leaves(err error, depth int) {
	if m.fr.depth == depth {
		return
	}
	l := &m.lost
	if l.by == nil || !causes(err, l.by) {
		*l = lost{by: tracedOf(err)}
	}
	for fr := m.fr; fr.depth > depth; fr = fr.outer {
		if fr.fn == nil || fr.ip < 0 { // no line of it has run
			continue
		}
		f := fr.copied(l.n < maxFrames)
		if l.n++; l.n == 1 {
			l.innermost = f
		} else {
			l.outermost.outer = f
		}
		l.outermost = f
	}
}

// ends reports whether an error goes no further than to a handler.
func (fr *frame) ends(h *code.Handler, err error) bool {
	if len(h.Ends) == 0 {
		return false
	}
	for ; err != nil; err = errors.Unwrap(err) {
		raised, ok := err.(*object.Raised)
		if !ok {
			continue
		}
		for _, i := range h.Ends {
			if i < 0 {
				return true
			}
			class, _ := fr.fn.module.vars[i].v.Ref().(*object.Class)
			if class == nil {
				return false
			}
			if is, err := object.Matches(class, raised.Exception); err != nil || is {
				return err == nil
			}
		}
		return false
	}
	return false
}

// tracedOf is the first traced error among an error and its causes, nil if there is none.
func tracedOf(err error) *value.Traced {
	for ; err != nil; err = errors.Unwrap(err) {
		if t, ok := err.(*value.Traced); ok {
			return t
		}
	}
	return nil
}

// causes reports whether an error is a traced one, or comes from it.
func causes(err error, by *value.Traced) bool {
	for ; err != nil; err = errors.Unwrap(err) {
		if err == error(by) {
			return true
		}
	}
	return false
}

// copied is a copy, with the variables or without.
func (fr *frame) copied(variables bool) *Frame {
	f := &Frame{fn: fr.fn, ip: fr.ip, depth: fr.depth}
	if variables {
		holdAll(fr.regs[:len(fr.fn.code.Locals)]) // who looks at the copy looks later
		f.regs, f.cells = slices.Clone(fr.regs[:len(fr.fn.code.Locals)]), fr.cells
	}
	return f
}

// again has the exception that was handled go on, which has left frames before.
func (m *Machine) again(h *handled) {
	if m.reraised, m.lost = h, (lost{}); h.left != nil {
		m.lost = *h.left
	}
}

// gone ends the way of an error out of the machine: it keeps what it has left.
func (m *Machine) gone(err error) {
	if by := m.lost.by; by != nil && causes(err, by) {
		by.Frames = make([]value.Frame, 0, m.lost.n)
		stack := by.Calls()
		for f := m.lost.innermost; f != nil; f = f.outer {
			if at := f.depth - 1; at < len(stack) && stack[at].Name == f.fn.code.Name {
				f.at = &stack[at] // where it was before something was to be done finally
			}
			by.Frames = append(by.Frames, f)
		}
		slices.Reverse(by.Frames)
	}
	m.lost = lost{}
	for ; err != nil; err = errors.Unwrap(err) {
		if t, ok := err.(*value.Traced); ok {
			t.Tell()
		}
	}
}

// Frames are the calls of the program's that wait for what has been called last, outermost first.
func (m *Machine) Frames() []value.Frame {
	var frames []value.Frame
	for fr := m.fr; fr.depth > 0; fr = fr.outer {
		if fr.fn != nil && fr.ip >= 0 {
			frames = append(frames, fr.copied(len(frames) < maxFrames))
		}
	}
	slices.Reverse(frames)
	return frames
}

func (f *Frame) Call() starlark.CallFrame {
	if f.at != nil {
		return *f.at
	}
	return starlark.CallFrame{Name: f.fn.code.Name, Pos: f.fn.code.PosOf(f.ip)}
}

// Locals are the variables. Outside functions they are the globals of which the program speaks.
func (f *Frame) Locals() []value.Local {
	var list []value.Local
	c := f.fn.code
	add := func(name string, s slot.Slot, isParam bool) {
		if s.IsSet() && name[0] != '$' {
			list = append(list, value.Local{Name: name, Value: s.Value(), IsParam: isParam})
		}
	}
	if c == f.fn.module.program.Main {
		for _, v := range f.fn.module.vars {
			if v.assigned {
				add(v.name, v.v, false)
			}
		}
		for i, name := range f.fn.module.program.Globals {
			add(name, f.fn.module.globals[i], false)
		}
	}
	for i, s := range f.regs {
		if !slices.Contains(c.Locals[:i], c.Locals[i]) && !slices.Contains(c.Cells, c.Locals[i]) {
			add(c.Locals[i], s, i < len(c.Params))
		}
	}
	for i, cell := range f.cells {
		add(c.Cells[i], cell.v, slices.ContainsFunc(c.Params, func(p code.Param) bool { return p.Name == c.Cells[i] }))
	}
	for i, cell := range f.fn.free {
		add(c.Free[i], cell.v, false)
	}
	return list
}

// Lookup finds a variable, or what the module of the function has under a name.
func (f *Frame) Lookup(name string) (starlark.Value, bool) {
	for _, l := range f.Locals() {
		if l.Name == name {
			return l.Value, true
		}
	}
	m := f.fn.module
	if i := slices.Index(m.program.Globals, name); i >= 0 && m.globals[i].IsSet() {
		return m.globals[i].Value(), true
	}
	for _, v := range m.vars {
		if v.name == name && v.v.IsSet() {
			return v.v.Value(), true
		}
	}
	return nil, false
}
