package vm

import (
	"github.com/arignote/arignote/starlib/code"
	"github.com/arignote/arignote/starlib/slot"
	"github.com/arignote/arignote/starlib/value"
	"go.starlark.net/starlark"
)

// What keeps nothing of an array is lent it: operations, subscripts, attributes, and functions of
// which that is known.

// given are the arrays that a call is given, or called as a method of: whether there are any, and
// those that were computed for it, which are added to list.
func (fr *frame) given(in code.Instr, list []*slot.Own) (computed []*slot.Own, any bool) {
	n := int(in.B) + 1
	switch {
	case in.Op == code.CallMet:
		n++
	case in.D != 0:
		n = fr.fn.code.Calls[in.D-1].Values + 1
	}
	for r := int(in.A); r < int(in.A)+n; r++ {
		if s := &fr.regs[r]; s.IsOwn() {
			any = true
			if o := fr.dying(r); o != nil {
				list = append(list, o)
			}
		} else if !any {
			_, any = s.Ref().(value.Recyclable)
		}
	}
	return list, any
}

// lend calls a function with arguments that may be arrays which are not held.
func (m *Machine) lend(kind uint8, f starlark.Value, args starlark.Tuple, kwargs []starlark.Tuple,
	computed []*slot.Own, any bool) (slot.Slot, error) {
	if r, ok := f.(value.Runner); ok && kind == code.CallRun {
		return slot.None, value.RunBorrowed(m.thread, r, args, kwargs, computed)
	}
	if !any {
		if c, ok := f.(value.Callable); ok && !c.Builtin.RetainsNone {
			v, err := m.Call(f, args, kwargs)
			return slot.Of(v), err
		}
	}
	v, isNew, err := value.CallBorrowed(m.thread, f, args, kwargs, computed)
	if isNew {
		return m.owns(v), err
	}
	return slot.Of(v), err
}

// arrayUnary is op x of an array.
func (m *Machine) arrayUnary(in code.Instr, x *slot.Slot) bool {
	fr := m.fr
	a := arrayIn(x)
	if m.waits(fr.ip) {
		if is, ok := m.deferred(a, fr.ip); is {
			return ok
		}
	}
	o := fr.dying(int(in.B))
	if o != nil {
		a.MarkDying()
	}
	v, err := starlark.Unary(code.Tokens[in.Op], a)
	if err != nil {
		return m.went(err, fr.ip)
	}
	if v == starlark.Value(a) {
		v = ownOf(a)
		fr.store(in.A, slot.Ref(v))
		return m.went(nil, fr.ip)
	}
	if o != nil {
		fr.regs[in.B].Clear()
	}
	fr.store(in.A, m.owns(v))
	return m.went(nil, fr.ip)
}

// taken stores what was taken from an array: the array itself, a view or a new one, or something
// else. Operands in registers that were computed for it are given back; views hold their memory.
func (m *Machine) taken(a uint8, from value.Recyclable, v starlark.Value, operands ...int) {
	fr := m.fr
	var z slot.Slot
	switch {
	case v == starlark.Value(from):
		z = slot.Ref(ownOf(from))
	case from.Apart(v):
		z = m.owns(v)
	default:
		z = slot.Of(v)
	}
	for _, r := range operands {
		if o := fr.dying(r); o != nil && o != z.Own() {
			fr.regs[r].Clear()
			release(o)
		}
	}
	fr.store(a, z)
}

// arrayField is x.name of an array. A method of it is bound, and the array stands behind it, so
// that its memory is not used again before the call.
func (m *Machine) arrayField(in code.Instr, ip int) (ok bool) {
	fr := m.fr
	fr.ip = ip
	defer m.guard(fr.depth, ip, &ok)
	self := fr.regs[in.B]
	a := arrayIn(&self)
	name := fr.fn.module.program.Sites[in.D]
	v, err := m.attr(a, name, in.C)
	if err != nil {
		return m.went(err, ip)
	}
	method, isMethod := v.(value.NonRetaining)
	switch {
	case in.Op == code.Method && isMethod && method.Receiver() == starlark.Value(a):
		fr.regs[in.A], fr.regs[in.A+1] = slot.Ref(v), self
	case in.Op == code.Method:
		a.Pin()
		fr.regs[in.A] = slot.Of(v)
		fr.regs[in.A+1].Clear()
	case a.Reads(name):
		m.taken(in.A, a, v, int(in.B))
	default:
		a.Pin()
		fr.regs[in.A] = slot.Of(v)
	}
	return m.went(nil, ip)
}

// reduced is x.mean() and its like, which a Method and the call behind it are, at once. It reports
// false where these have to do it.
func (m *Machine) reduced(a value.Recyclable, in code.Instr, ip int) (is, ok bool) {
	fr := m.fr
	call := fr.fn.code.Words[ip+1]
	if in.Op != code.Method || call.Op() != code.CallMet || call.A() != in.A || call.B() != 0 || call.C() != code.CallPlain || call.D() != 0 {
		return false, false
	}
	fr.ip = ip + 1
	depth := fr.depth
	defer func() {
		if p := recover(); p != nil {
			m.panicked(p, depth, ip+1)
			is, ok = true, false
		}
	}()
	v, ok := a.Reduced(fr.fn.module.program.Sites[in.D])
	if !ok {
		fr.ip = ip
		return false, false
	}
	m.taken(in.A, a, v, int(in.B))
	return true, m.went(nil, ip+1)
}

// arrayIndex is x[i] of an array.
func (m *Machine) arrayIndex(in code.Instr, a value.Recyclable, i starlark.Value, ip int) bool {
	if m.waits(ip) {
		if is, ok := m.deferred(a, ip); is {
			return ok
		}
	}
	v, err := index(a, i)
	if err != nil {
		return m.went(err, ip)
	}
	if in.Op == code.IndexPair {
		m.taken(in.A, a, v, int(in.B), int(in.C), int(in.C)+1)
	} else {
		m.taken(in.A, a, v, int(in.B), int(in.C))
	}
	return m.went(nil, ip)
}

// setArray is x[i] = v of an array.
func (m *Machine) setArray(in code.Instr, a value.Recyclable, i starlark.Value) error {
	fr := m.fr
	v := &fr.regs[in.C]
	if o := fr.dying(int(in.C)); o != nil {
		a := o.Of.(value.Recyclable)
		a.MarkDying()
		v.Clear()
		return setIndex(arrayIn(&fr.regs[in.A]), i, a)
	}
	return setIndex(a, i, v.Borrowed())
}

// slice is x[lo:hi:step].
func (m *Machine) slice(in code.Instr, ip int) bool {
	r := m.fr.regs
	x := &r[in.B]
	a := arrayIn(x)
	if a != nil && m.waits(ip) {
		if is, ok := m.deferred(a, ip); is {
			return ok
		}
	}
	v, err := value.SliceOf(m.thread, x.Borrowed(), r[in.C].Value(), r[in.C+1].Value(), r[in.C+2].Value())
	if err != nil || a == nil {
		return m.done(in.A, v, err, ip)
	}
	m.taken(in.A, a, v, int(in.B))
	return m.went(nil, ip)
}

// fixedSlice is x[lo:hi:step] by bounds that are written.
func (m *Machine) fixedSlice(by *value.Slice, in code.Instr, ip int) (ok bool) {
	fr := m.fr
	fr.ip = ip
	defer m.guard(fr.depth, ip, &ok)
	x := &fr.regs[in.B]
	a := arrayIn(x)
	if a != nil && m.waits(ip) {
		if is, ok := m.deferred(a, ip); is {
			return ok
		}
	}
	v, err := by.Of(m.thread, x.Borrowed())
	if err != nil || a == nil {
		return m.done(in.A, v, err, ip)
	}
	m.taken(in.A, a, v, int(in.B))
	return m.went(nil, ip)
}

// arrayKey is a key that is an array which a register owns: most stay what they are.
func (m *Machine) arrayKey(in code.Instr, ip int) bool {
	x := m.fr.regs[in.B]
	a := arrayIn(&x)
	v, err := value.Key(a)
	if err == nil && v != starlark.Value(a) {
		a.Pin()
		return m.done(in.A, v, nil, ip)
	}
	if err == nil {
		m.fr.store(in.A, x)
	}
	return m.went(err, ip)
}
