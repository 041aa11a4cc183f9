package vm

import (
	"errors"
	"fmt"
	"sync/atomic"
	"time"

	"github.com/arignote/arignote/starlib/arith"
	"github.com/arignote/arignote/starlib/code"
	"github.com/arignote/arignote/starlib/object"
	"github.com/arignote/arignote/starlib/slot"
	"github.com/arignote/arignote/starlib/value"
	"go.starlark.net/starlark"
)

// A Machine runs programs on a thread.
type Machine struct {
	thread *starlark.Thread
	ofHost value.Host // of the thread, once it was asked

	spare    *iterator    // that no loop has
	specials [64]special  // that were called last
	few      [3]slot.Slot // arguments of a special method
	texts    arith.Texts

	owners   uint64 // the last number under which a frame owned arrays
	hasOwned bool   // some did
	holds    bool   // none may: see Limits

	waiting  waiting        // operations of arrays
	deferral value.Deferred // where they are

	bottom   frame         // is no call
	fr       *frame        // the innermost one
	chunks   [][]slot.Slot // of registers
	reraised *handled      // what raise raised again last
	amid     *handled      // while which the error came up that left Go's calls last
	given    slot.Slot     // the element of a generator
	written  slot.Slot     // the int that is an operand: see operands
	quick    [2]slot.Slot  // arguments
	keys     tupleKeys
	windows  []*[code.Registers]slot.Slot // for generators, empty
	catcher  Catcher
	err      error      // of the instruction that failed
	serial   uint64     // of the error that got a stack last
	lost     lost       // what the error has left that is on its way
	budget   int        // calls and rounds of loops until the next pause
	later    int        // and from there until the next tick
	tick     func() int // looks at the memory; returns how many are until the next
	sampler  Sampler
	looks    looks
	onLine   func() error // nil: nobody stops at lines
	deepest  int          // how many calls there may be, 0 for no limit
	tooDeep  string       // what a call beyond says

	wish atomic.Pointer[wish] // of another goroutine
}

var _ value.Execution = (*Machine)(nil)

// Limits are what a machine asks as it runs.
type Limits struct {
	Budget  int        // after how many calls and rounds of loops Tick is asked first
	Tick    func() int // asked now and then: what may cancel; it returns the next Budget
	Sampler Sampler    // nil: nobody samples
	Deepest int        // how many calls there may be
	TooDeep string     // what one more fails with
	Catch   Catcher    // nil: whatever fails can be caught
	Holds   bool       // no array is owned, so that no memory is used again
}

// A Catcher says what exception an error is for a handler, and what is raised again; ok is false if
// no program may go on after it.
type Catcher func(err error) (exception *object.Instance, again error, ok bool)

// A Sampler finds where time goes.
type Sampler interface {
	AtWork() bool                    // whether it does all the time
	Clock() (now, due time.Duration) // the time, of one that does, and when there is more to charge
	Samples() bool                   // whether there is time to charge
	Sample()                         // charges the time since the last charge to where the program is
}

// Attach makes the machine of a thread.
func Attach(thread *starlark.Thread, l Limits) *Machine {
	m := &Machine{thread: thread, tick: l.Tick, sampler: l.Sampler, catcher: l.Catch, deepest: l.Deepest, tooDeep: l.TooDeep}
	if m.tick == nil {
		m.tick = func() int { return 1 << 20 }
	}
	m.holds = l.Holds
	m.pace(l.Budget)
	m.serial = machines.Add(1) << serialBits
	m.owners = m.serial
	m.fr = &m.bottom
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

// Call calls any value, from Go.
func (m *Machine) Call(fn starlark.Value, args starlark.Tuple, kwargs []starlark.Tuple) (
	result starlark.Value, err error) {
	f, ok := fn.(*Function)
	if !ok {
		return m.callBuiltin(fn, args, kwargs)
	}
	if err := m.enough(); err != nil {
		return nil, m.traced(err)
	}
	depth := m.fr.depth
	if depth == 0 {
		active.Add(1)
	}
	defer func() {
		if m.fr.depth > depth { // it panicked
			m.unwind(depth)
		}
		if depth == 0 {
			active.Add(-1)
			m.texts.Forget()
			m.gone(err)
		}
	}()
	fr := m.push(f)
	fr.entry = true
	if err := m.bindValues(fr, args, kwargs); err != nil {
		err = m.traced(err)
		m.unwind(depth)
		return nil, err
	}
	if f.code.Generates {
		return m.generator(), nil
	}
	if m.budget--; m.budget < 0 { // what calls may be a loop
		if !m.pause(0) {
			m.unwind(depth)
			return nil, m.failed()
		}
		fr.ip = -1
	}
	v, err := m.run()
	if err != nil {
		return nil, err
	}
	return v.Value(), nil
}

// Caller is Call for who calls a value again and again. A simple function of the program's gets its
// arguments from slots, and gives its result in one.
func (m *Machine) Caller(fn starlark.Value) value.Caller {
	f, ok := fn.(*Function)
	if !ok || f.code.Generates || m.fr.depth == 0 {
		return func(args []slot.Slot) (slot.Slot, error) {
			v, err := m.Call(fn, value.Tuple(args), nil)
			return slot.Of(v), err
		}
	}
	return func(args []slot.Slot) (v slot.Slot, err error) {
		if len(args) != f.code.Exact || m.budget <= 0 || m.enough() != nil {
			v, err := m.Call(fn, value.Tuple(args), nil)
			return slot.Of(v), err
		}
		depth := m.fr.depth
		defer func() {
			if m.fr.depth > depth { // it panicked
				m.unwind(depth)
			}
		}()
		m.budget--
		fr := m.push(f)
		fr.entry = true
		copy(fr.regs[:], args)
		fr.makeCells()
		return m.run()
	}
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

// callBuiltin calls what is no function of the program's.
func (m *Machine) callBuiltin(fn starlark.Value, args starlark.Tuple, kwargs []starlark.Tuple) (
	starlark.Value, error) {
	if v, ok := m.quickCall(fn, args, kwargs); ok {
		return v, nil
	}
	c, ok := fn.(starlark.Callable)
	if !ok {
		return nil, m.traced(fmt.Errorf("invalid call of non-function (%s)", fn.Type()))
	}
	if err := m.enough(); err != nil {
		return nil, m.traced(err)
	}
	depth := m.fr.depth
	m.frame().callable = c
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
	if m.deepest > 0 && m.fr.depth >= m.deepest {
		return fmt.Errorf("%s", m.tooDeep)
	}
	return nil
}

// A wish is what another goroutine wants of what runs: that it fails for a reason, or that it calls
// a visitor between two instructions.
type wish struct {
	reason  string
	visitor func() // nil: it is to fail
}

// Cancel makes what runs fail.
func (m *Machine) Cancel(reason string) { m.want(&wish{reason: reason}) }

// Uncancel lets the machine go on.
func (m *Machine) Uncancel() { m.wish.Store(nil) }

// Visit has f called between two instructions. Another visitor takes its place, and so does Cancel.
func (m *Machine) Visit(f func()) { m.want(&wish{visitor: f}) }

func (m *Machine) want(w *wish) {
	for old := m.wish.Load(); old == nil || old.visitor != nil; old = m.wish.Load() {
		if m.wish.CompareAndSwap(old, w) {
			return
		}
	}
}

// Heed receives who wants to visit.
func (m *Machine) Heed() {
	if w := m.wish.Load(); w != nil && w.visitor != nil && m.wish.CompareAndSwap(w, nil) {
		w.visitor()
	}
}

// machines numbers machines: the numbers of the errors that one traces, and of the frames of it
// that own arrays, begin with its own.
var machines atomic.Uint64

const serialBits = 40

// Cancelled begins the error of a program that was cancelled; the reason follows.
const Cancelled = "Starlark computation cancelled: "

// stopped is the error of Cancel, nil if nothing cancelled. Visitors are received.
func (m *Machine) stopped() error {
	if m.wish.Load() == nil {
		return nil
	}
	m.Heed()
	if w := m.wish.Load(); w != nil && w.visitor == nil {
		return errors.New(Cancelled + w.reason)
	}
	return nil
}

// traced adds the stack to an error that has none. An error of the machine's that starlark.Call has
// wrapped has one; no call on its way wraps it again.
func (m *Machine) traced(err error) error {
	if e, ok := err.(*starlark.EvalError); ok {
		if t, ok := e.Unwrap().(*value.Traced); ok && t.Serial == m.serial {
			return err
		}
	}
	if _, ok := err.(*value.Traced); ok {
		return err
	}
	return m.failure(err)
}
