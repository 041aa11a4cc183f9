package vm

import (
	"errors"

	"github.com/arignote/arignote/starlib/code"
	"github.com/arignote/arignote/starlib/object"
	"github.com/arignote/arignote/starlib/slot"
	"github.com/arignote/arignote/starlib/value"
	"go.starlark.net/starlark"
)

// A handled exception is what a handler has in a register. The program never sees it.
type handled struct {
	exception *object.Instance
	err       error // that was caught
	left      *lost // by it before, nil if nothing was
}

func (*handled) String() string        { return "handled" }
func (*handled) Type() string          { return "handled" }
func (*handled) Freeze()               {}
func (*handled) Truth() starlark.Bool  { return true }
func (*handled) Hash() (uint32, error) { return 0, errors.New("unhashable: handled") }

// land has the program go on at the handler that is for m.err in the frames from a depth on: the
// frame and its ip are where. It reports false where none is, with those frames taken away.
func (m *Machine) land(depth int) bool {
	err := m.err
	m.err = nil
	for fr := m.fr; fr.depth > depth; fr = fr.outer {
		if fr.fn == nil {
			continue
		}
		if h := handlerAt(fr.fn.code, fr.ip); h != nil {
			if m.fr != fr && !fr.ends(h, err) {
				m.leaves(err, fr.depth)
			}
			while := m.Handled()
			m.unwind(fr.depth)
			caught, ok := m.catch(err, while)
			if !ok {
				break
			}
			if m.lost.n > 0 {
				left := m.lost
				caught.left, m.lost = &left, lost{}
			}
			m.endIterators(fr.regs[h.Top:fr.fn.code.Registers])
			fr.regs[h.Register] = slot.Ref(caught)
			fr.ip = h.At - 1
			return true
		}
		if fr.gen != nil {
			err = fr.gen.failed(err)
		}
		if fr.kind == code.CallNexts && object.IsError(err, object.StopIteration) {
			m.unwind(fr.depth - 1) // and the loop ends
			return true
		}
	}
	m.leaves(err, depth)
	if h := m.handled(); h != nil && !m.cameUpAmid(err) && object.RaisedBy(err) == nil {
		m.amid = &handled{exception: h.exception, err: err}
	}
	m.unwind(depth)
	m.err = err
	return false
}

// cameUpAmid reports whether m.amid is that of an error.
func (m *Machine) cameUpAmid(err error) bool { return m.amid != nil && errors.Is(err, m.amid.err) }

// failed is why the machine has failed, which is told once.
func (m *Machine) failed() error {
	err := m.err
	m.err = nil
	return err
}

// handlerAt is the innermost handler around an instruction, nil if there is none.
func handlerAt(f *code.Func, ip int) *code.Handler {
	for i := range f.Handlers {
		if h := &f.Handlers[i]; h.From <= ip && ip < h.To {
			return h
		}
	}
	return nil
}

// catch makes an error the exception that a handler gets; ok is false of what no program catches.
// The exception of an error that the program has not raised itself gets what was handled as its
// context.
func (m *Machine) catch(err error, while *object.Instance) (h *handled, ok bool) {
	if m.reraised != nil && errors.Is(err, m.reraised.err) {
		h, m.reraised = m.reraised, nil
		return h, true
	}
	h, ok = handling(err), true
	if m.catcher == nil {
		h.exception = object.Caught(m.thread, err, "", err.Error)
	} else {
		h.exception, h.err, ok = m.catcher(err)
	}
	switch {
	case !ok || object.RaisedBy(err) != nil:
	case m.cameUpAmid(err):
		h.exception.During(m.amid.exception)
		m.amid = nil
	default:
		h.exception.During(while)
	}
	return h, ok
}

// handling is what a handler of an error gets.
func handling(err error) *handled {
	h := new(handled)
	if t, ok := err.(*value.Traced); ok {
		if where, ok := t.Where.(*trail); ok && where.caught.err == nil { // that has room for one
			h = &where.caught
		}
	}
	h.err = err
	return h
}

// Handled is the exception that is handled where the program is, nil if none is.
func (m *Machine) Handled() *object.Instance {
	if h := m.handled(); h != nil {
		return h.exception
	}
	return nil
}

func (m *Machine) handled() *handled {
	for fr := m.fr; fr.depth > 0; fr = fr.outer {
		if h := fr.handled(); h != nil {
			return h
		}
	}
	return nil
}

// handled is the exception that the function of a frame handles, nil if it handles none.
func (fr *frame) handled() *handled {
	if fr.fn == nil {
		return nil
	}
	for _, r := range fr.fn.code.Handling {
		if h, ok := fr.regs[r.Register].Ref().(*handled); ok && r.From <= fr.ip && fr.ip < r.To {
			return h
		}
	}
	return nil
}

// during makes what the function of a frame handles the context of an error that is thrown into it.
func (fr *frame) during(err error) {
	if h, r := fr.handled(), object.RaisedBy(err); h != nil && r != nil {
		r.Exception.During(h.exception)
	}
}

// raise is raise x from cause, or raise.
func (m *Machine) raise(in code.Instr) error {
	regs := m.top().regs
	h := m.handled()
	if in.B == 0 {
		if h == nil {
			return object.NewError(object.RuntimeError,
				"No active exception to reraise: raise without an exception stands in an except block")
		}
		m.again(h)
		return h.err
	}
	var while *object.Instance
	if h != nil {
		while = h.exception
	}
	var cause starlark.Value
	if in.B == 2 {
		cause = regs[in.A+1].Value()
	}
	return m.raised(regs[in.A].Value(), cause, while)
}

// raised is the error of raise x from cause. Who catches it gets x, if that is an exception.
func (m *Machine) raised(x, cause starlark.Value, while *object.Instance) error {
	err := object.Raise(m.thread, x, cause, while)
	if i, ok := object.InstanceOf(x); ok && object.RaisedBy(err) == nil {
		m.reraised = &handled{exception: i, err: err}
	}
	return err
}

// beginEnter begins the call of an __enter__ of the program's.
func (m *Machine) beginEnter(in code.Instr, ip int) bool {
	regs := m.top().regs
	o, ok := regs[in.A].Ref().(*value.Object)
	if !ok {
		return false
	}
	exit := m.special(o, "__exit__").fn
	if exit == nil || !m.beginSpecial(o, "__enter__", nil, code.CallPlain, in.A+1, ip) {
		return false
	}
	regs[in.A].SetRef(value.Objects.Bind(exit, o))
	return true
}

// callEnter calls __enter__ of what a with statement is given.
func (m *Machine) callEnter(in code.Instr) error {
	regs := m.top().regs
	x := regs[in.A].Value()
	var methods [2]starlark.Value
	for i, name := range []string{"__enter__", "__exit__"} {
		f, err := value.Attr(x, name)
		if err != nil {
			return object.NewError(object.TypeError,
				"'"+x.Type()+"' object does not support the context manager protocol: it has no "+name)
		}
		methods[i] = f
	}
	entered, err := value.Call(m.thread, methods[0], nil, nil)
	if err != nil {
		return err
	}
	regs[in.A], regs[in.A+1] = slot.Of(methods[1]), slot.Of(entered)
	return nil
}

// callExit calls __exit__.
func (m *Machine) callExit(in code.Instr) error {
	regs := m.top().regs
	args := starlark.Tuple{starlark.None, starlark.None, starlark.None}
	h, failed := regs[in.B].Ref().(*handled)
	if failed {
		args[0], args[1] = h.exception.Class(), h.exception.Value()
	}
	v, err := value.Call(m.thread, regs[in.A].Value(), args, nil)
	if err == nil && failed && bool(v.Truth()) {
		regs[in.B] = slot.Slot{}
	}
	return err
}

// beginExit begins the call of an __exit__ of the program's.
func (m *Machine) beginExit(in code.Instr, ip int) bool {
	fr := m.top()
	b, ok := fr.regs[in.A].Ref().(value.BoundMethod)
	if !ok {
		return false
	}
	fn, self := b.Bound()
	f, ok := fn.(*Function)
	if !ok {
		return false
	}
	m.few = [3]slot.Slot{slot.None, slot.None, slot.None}
	if h, failed := fr.regs[in.B].Ref().(*handled); failed {
		m.few[0], m.few[1] = slot.Ref(h.exception.Class()), slot.Ref(h.exception.Value())
	}
	if !m.enter(f, self, given{args: m.few[:]}, code.Instr{A: in.A}, ip) {
		return false
	}
	m.fr.kind = code.CallExits
	clear(m.few[:])
	return true
}
