package vm

import (
	"github.com/arignote/arignote/starlib/code"
	"github.com/arignote/arignote/starlib/slot"
	"go.starlark.net/starlark"
)

// A frame is a call. A frame inside of it is made once, and used again for the next call there.
type frame struct {
	outer, inner *frame
	depth        int // how many calls there are, this one too
	fn           *Function
	callable     starlark.Callable // a builtin, where fn is nil
	regs         *[code.Registers]slot.Slot
	free         []slot.Slot // the registers of the chunk that no frame has
	chunk        int
	cells        []*cell
	ip           int        // -1 while arguments become parameters
	kind         uint8      // a kind of call
	owner        uint64     // the number under which it owns arrays, 0 if it owns none
	result       uint8      // the register of the outer frame for what it returns
	entry        bool       // the caller is Go
	gen          *Generator // whose frame it is
	calls        *calls     // around it, where an error has asked for them
}

// Sizes of chunks, in registers.
const (
	firstChunk = 2 * code.Registers
	nextChunk  = 32 * code.Registers
)

// push begins a frame with registers of its own.
func (m *Machine) push(fn *Function) *frame {
	fr := m.frame()
	if len(fr.free) < code.Registers {
		size := firstChunk
		if fr.free != nil {
			fr.chunk++
			size = nextChunk
		}
		if fr.chunk == len(m.chunks) {
			m.chunks = append(m.chunks, make([]slot.Slot, size))
		}
		fr.free = m.chunks[fr.chunk]
	}
	fr.fn = fn
	fr.regs = (*[code.Registers]slot.Slot)(fr.free)
	fr.free = fr.free[fn.code.Registers:]
	return fr
}

// frame makes an empty frame the innermost one.
func (m *Machine) frame() *frame {
	outer := m.fr
	fr := outer.inner
	if fr == nil {
		fr = &frame{outer: outer, depth: outer.depth + 1}
		outer.inner = fr
	}
	fr.free, fr.chunk, fr.ip = outer.free, outer.chunk, -1
	m.fr = fr
	return fr
}

// pop ends the innermost frame and lets go of what its registers hold.
func (m *Machine) pop() {
	fr := m.fr
	if fr.fn != nil {
		for i := range fr.regs[:fr.fn.code.Registers] {
			fr.regs[i].Clear()
		}
	}
	if fr.calls != nil {
		fr.left()
	}
	if fr.gen != nil {
		fr.gen.abandoned(m)
		fr.gen = nil
	}
	fr.fn, fr.callable, fr.cells, fr.kind, fr.owner, fr.entry = nil, nil, nil, 0, 0, false
	m.fr = fr.outer
}

// unwind pops frames down to so many, and ends what they iterate over.
func (m *Machine) unwind(depth int) {
	for m.fr.depth > depth {
		if fr := m.fr; fr.fn != nil {
			m.endIterators(fr.regs[:fr.fn.code.Registers])
		}
		m.pop()
	}
}

// endIterators ends the iterations in registers, and lets go of what is in them.
func (m *Machine) endIterators(regs []slot.Slot) {
	for i := range regs {
		if it, ok := regs[i].Ref().(*iterator); ok {
			it.done()
			if it.closes {
				it.gen.close(m) // what it fails with is not what the program fails with
			}
		}
		regs[i].Clear()
	}
}

// makeCells makes the cells of a call.
func (fr *frame) makeCells() {
	c := fr.fn.code
	if len(c.Cells) == 0 {
		return
	}
	own := make([]cell, len(c.Cells))
	fr.cells = make([]*cell, len(c.Cells))
	for i := range own {
		fr.cells[i] = &own[i]
	}
	for _, p := range c.ParamCells {
		own[p.Cell].v = fr.regs[p.Register].Escape()
	}
}

// cell is a cell of a frame, own ones first; free ones are -1, -2, ...
func (fr *frame) cell(i int32) *cell {
	if i >= 0 {
		return fr.cells[i]
	}
	return fr.fn.free[-1-i]
}

// Stack is a copy of the calls, outermost first.
func (m *Machine) Stack() starlark.CallStack {
	stack := make(starlark.CallStack, m.fr.depth)
	for fr := m.fr; fr.depth > 0; fr = fr.outer {
		at := fr.point()
		stack[fr.depth-1] = at.call()
	}
	return stack
}

// Depth is how many calls there are.
func (m *Machine) Depth() int { return m.fr.depth }

// Frame is a call: 0 is the innermost one.
func (m *Machine) Frame(depth int) starlark.CallFrame {
	fr := m.fr
	for range depth {
		fr = fr.outer
	}
	at := fr.point()
	return at.call()
}
