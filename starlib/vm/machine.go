package vm

import (
	"errors"
	"fmt"
	"sync/atomic"
	"weak"

	"github.com/arignote/arignote/starlib/code"
	"github.com/arignote/arignote/starlib/slot"
	"github.com/arignote/arignote/starlib/value"
	"go.starlark.net/starlark"
	"go.starlark.net/syntax"
)

// A Machine runs programs on a thread.
type Machine struct {
	thread *starlark.Thread

	frames  []frame
	chunks  [][]slot.Slot              // of registers; frames never move
	chunk   int                        // the one in use
	free    int                        // its first register that no frame has
	err     error                      // of the instruction that failed
	last    weak.Pointer[value.Traced] // the error that got a stack last
	budget  int                        // calls and rounds of loops until the next tick
	tick    func() int                 // looks at the memory; returns the next budget
	sampler Sampler
	deepest int    // how many calls there may be, 0 for no limit
	tooDeep string // what a call beyond says

	cancelled atomic.Pointer[string]
}

// A frame is a call.
type frame struct {
	fn       *Function
	callable starlark.Callable // a builtin, where fn is nil
	regs     *[code.Registers]slot.Slot
	cells    []*cell
	ip       int // -1 while arguments become parameters
	chunk    int
	base     int   // of regs in the chunk
	kind     uint8 // a kind of call
	entry    bool  // the caller is Go
}

var _ value.Execution = (*Machine)(nil)

// Limits are what a machine asks as it runs.
type Limits struct {
	Budget  int        // after how many calls and rounds of loops Tick is asked first
	Tick    func() int // asked now and then: what may cancel; it returns the next Budget
	Sampler Sampler    // nil: nobody samples
	Deepest int        // how many calls there may be
	TooDeep string     // what one more fails with
}

// A Sampler finds where time goes.
type Sampler interface {
	Samples() bool // whether it does now
	Sample()       // charges the time since the last charge to where the program is
}

// Attach makes the machine of a thread.
func Attach(thread *starlark.Thread, l Limits) *Machine {
	m := &Machine{thread: thread, tick: l.Tick, sampler: l.Sampler, deepest: l.Deepest, tooDeep: l.TooDeep}
	if m.tick == nil {
		m.tick = func() int { return 1 << 20 }
	}
	m.budget = l.Budget
	value.SetExecution(thread, m)
	return m
}

// MachineOf is the machine of a thread, which gets one without limits if it has none.
func MachineOf(thread *starlark.Thread) *Machine {
	if m, ok := value.ExecutionOf(thread).(*Machine); ok {
		return m
	}
	return Attach(thread, Limits{})
}

// Sizes of chunks, in registers.
const (
	firstChunk = 2 * code.Registers
	nextChunk  = 32 * code.Registers
)

// push begins a frame with registers of its own.
func (m *Machine) push(fn *Function) *frame {
	if len(m.chunks) == 0 {
		m.chunks = append(m.chunks, make([]slot.Slot, firstChunk))
	}
	if m.free+code.Registers > len(m.chunks[m.chunk]) {
		if m.chunk++; m.chunk == len(m.chunks) {
			m.chunks = append(m.chunks, make([]slot.Slot, nextChunk))
		}
		m.free = 0
	}
	m.frames = append(m.frames, frame{fn: fn, ip: -1, chunk: m.chunk, base: m.free,
		regs: (*[code.Registers]slot.Slot)(m.chunks[m.chunk][m.free:])})
	m.free += fn.code.Registers
	return &m.frames[len(m.frames)-1]
}

// pop ends the innermost frame and lets go of what its registers hold.
func (m *Machine) pop() {
	f := &m.frames[len(m.frames)-1]
	if f.fn != nil {
		clear(f.regs[:f.fn.code.Registers])
		m.chunk, m.free = f.chunk, f.base
		if f.chunk > 0 && f.base == 0 {
			m.chunk--
			m.free = m.endOf(len(m.frames) - 2)
		}
	}
	*f = frame{}
	m.frames = m.frames[:len(m.frames)-1]
}

// endOf is the first register that is free behind a frame.
func (m *Machine) endOf(at int) int {
	for ; at >= 0; at-- {
		if f := &m.frames[at]; f.fn != nil {
			m.chunk = f.chunk
			return f.base + f.fn.code.Registers
		}
	}
	m.chunk = 0
	return 0
}

// unwind pops frames down to so many, and ends what they iterate over.
func (m *Machine) unwind(depth int) {
	for len(m.frames) > depth {
		if f := &m.frames[len(m.frames)-1]; f.fn != nil {
			for i := range f.regs[:f.fn.code.Registers] {
				if it, ok := f.regs[i].Ref().(*iterator); ok {
					it.done()
				}
			}
		}
		m.pop()
	}
}

// Call calls any value, from Go.
func (m *Machine) Call(fn starlark.Value, args starlark.Tuple, kwargs []starlark.Tuple) (
	starlark.Value, error) {
	f, ok := fn.(*Function)
	if !ok {
		return m.callBuiltin(fn, args, kwargs)
	}
	if err := m.enough(); err != nil {
		return nil, m.traced(err)
	}
	depth := len(m.frames)
	defer func() {
		if len(m.frames) > depth { // it panicked
			m.unwind(depth)
		}
	}()
	fr := m.push(f)
	fr.entry = true
	if err := m.bindValues(fr, args, kwargs); err != nil {
		err = m.traced(err)
		m.unwind(depth)
		return nil, err
	}
	if m.budget--; m.budget < 0 && !m.pause(0) { // what calls may be a loop
		err := m.err
		m.err = nil
		m.unwind(depth)
		return nil, err
	}
	v, err := m.run()
	if err != nil {
		return nil, err
	}
	return v.Value(), nil
}

// bindValues makes parameters of arguments that come from Go.
func (m *Machine) bindValues(fr *frame, args starlark.Tuple, kwargs []starlark.Tuple) error {
	f := fr.fn
	if len(kwargs) == 0 && len(args) == len(f.code.Params) && f.simple() {
		for i, a := range args {
			fr.regs[i] = slot.Of(a)
		}
	} else {
		given := make([]slot.Slot, len(args))
		for i, a := range args {
			given[i] = slot.Of(a)
		}
		var names []string
		var values []slot.Slot
		for _, kv := range kwargs {
			names = append(names, string(kv[0].(starlark.String)))
			values = append(values, slot.Of(kv[1]))
		}
		if err := f.bind(fr.regs[:len(f.code.Params)], given, names, values); err != nil {
			return err
		}
	}
	fr.makeCells()
	return nil
}

// simple reports whether as many arguments as there are parameters are those.
func (f *Function) simple() bool {
	return f.code.KwOnly == 0 && !f.code.HasVarargs && !f.code.HasKwargs
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
		own[p.Cell].v = fr.regs[p.Register]
	}
}

// cell is a cell of a frame, own ones first; free ones are -1, -2, ...
func (fr *frame) cell(i int32) *cell {
	if i >= 0 {
		return fr.cells[i]
	}
	return fr.fn.free[-1-i]
}

// callBuiltin calls what is no function of the program's.
func (m *Machine) callBuiltin(fn starlark.Value, args starlark.Tuple, kwargs []starlark.Tuple) (
	starlark.Value, error) {
	c, ok := fn.(starlark.Callable)
	if !ok {
		return nil, m.traced(fmt.Errorf("invalid call of non-function (%s)", fn.Type()))
	}
	if err := m.enough(); err != nil {
		return nil, m.traced(err)
	}
	depth := len(m.frames)
	m.frames = append(m.frames, frame{callable: c})
	v, err := c.CallInternal(m.thread, args, kwargs)
	switch v.(type) {
	case *starlark.List, *starlark.Dict, *starlark.Set: // of go.starlark.net's own functions
		if err == nil {
			v, err = slot.FromStarlark(v)
		}
	}
	if err == nil && v == nil {
		err = fmt.Errorf("internal error: nil (not None) returned from %s", fn)
	}
	if err == nil {
		err = m.stopped()
	}
	if err != nil {
		err = m.traced(err)
		m.unwind(depth)
		return nil, err
	}
	m.unwind(depth)
	return v, nil
}

// enough fails where calls nest too deep.
func (m *Machine) enough() error {
	if m.deepest > 0 && len(m.frames) >= m.deepest {
		return fmt.Errorf("%s", m.tooDeep)
	}
	return nil
}

// Cancel makes what runs fail.
func (m *Machine) Cancel(reason string) { m.cancelled.CompareAndSwap(nil, &reason) }

// Uncancel lets the machine go on.
func (m *Machine) Uncancel() { m.cancelled.Store(nil) }

// cancelled begins the error of a program that was cancelled, as upstream.
const cancelled = "Starlark computation cancelled: "

// stopped is the error of Cancel, nil if nothing cancelled.
func (m *Machine) stopped() error {
	if reason := m.cancelled.Load(); reason != nil {
		return errors.New(cancelled + *reason)
	}
	return nil
}

// traced adds the stack to an error that has none. An error of the machine's that starlark.Call has
// wrapped has one; no call on its way wraps it again.
func (m *Machine) traced(err error) error {
	if e, ok := err.(*starlark.EvalError); ok {
		if t, ok := e.Unwrap().(*value.Traced); ok && weak.Make(t) == m.last {
			return err
		}
	}
	if _, ok := err.(*value.Traced); ok {
		return err
	}
	t := &value.Traced{Msg: err.Error(), CallStack: m.Stack(), Cause: err}
	m.last = weak.Make(t)
	return t
}

// Stack is a copy of the calls, outermost first.
func (m *Machine) Stack() starlark.CallStack {
	stack := make(starlark.CallStack, len(m.frames))
	for i := range m.frames {
		stack[i] = m.frames[i].call()
	}
	return stack
}

// Depth is how many calls there are.
func (m *Machine) Depth() int { return len(m.frames) }

// Frame is a call: 0 is the innermost one.
func (m *Machine) Frame(depth int) starlark.CallFrame {
	return m.frames[len(m.frames)-1-depth].call()
}

var builtinFile = "<builtin>"

// call is what a frame shows.
func (fr *frame) call() starlark.CallFrame {
	if fr.fn != nil {
		return starlark.CallFrame{Name: fr.fn.code.Name, Pos: fr.fn.code.PosOf(fr.ip)}
	}
	pos := syntax.MakePosition(&builtinFile, 0, 0)
	if c, ok := fr.callable.(interface{ Position() syntax.Position }); ok {
		pos = c.Position()
	}
	return starlark.CallFrame{Name: fr.callable.Name(), Pos: pos}
}
