package vm

import (
	"sync/atomic"

	"github.com/arignote/arignote/starlib/code"
	"github.com/arignote/arignote/starlib/slot"
	"github.com/arignote/arignote/starlib/value"
	"go.starlark.net/starlark"
)

// Who owns an array: an operation's result belongs to the frame that computed it. Its registers
// refer to it by a slot.Own, and so do those of functions that are called with it. Whatever takes
// the array elsewhere, to a container, a field, a cell, an unknown function, has it held by the way
// in which a slot gives a value. So an array that a frame owns is referred to by registers only,
// and by those of frames inside no longer than they run: where a register gets another value, the
// frame looks through its others, and gives the memory back if none refers to the array. What it
// returns becomes the caller's. Global variables refer to arrays by Owns too, and are counted.

// active counts the machines that run.
var active atomic.Int64

// owns is the slot of a new array, which the innermost frame owns.
func (m *Machine) owns(z starlark.Value) slot.Slot {
	array, ok := z.(value.Recyclable)
	if !ok {
		return slot.Of(z)
	}
	if m.holds {
		array.Pin()
		return slot.Ref(z)
	}
	o := array.Own()
	o.By, o.Vars = m.ownerOf(m.fr), 0
	return slot.Ref(o)
}

// ownerOf is the number under which a frame owns arrays.
func (m *Machine) ownerOf(fr *frame) uint64 {
	if fr.owner == 0 {
		m.owners++
		fr.owner, m.hasOwned = m.owners, true
		fr.kind |= code.CallOwns
	}
	return fr.owner
}

// has reports whether the frame owns an array.
func (fr *frame) has(o *slot.Own) bool { return fr.owner != 0 && o.By == fr.owner }

// used are the registers that an instruction and those behind it may read.
func (fr *frame) used() []slot.Slot {
	c := fr.fn.code
	if fr.ip < 0 {
		return fr.regs[:c.Registers]
	}
	return fr.regs[:c.Tops[fr.ip]]
}

// only reports whether no register in use but one refers to an array.
func (fr *frame) only(o *slot.Own, at int) bool {
	regs := fr.used()
	for i := range regs {
		if regs[i].Own() == o && i != at {
			return false
		}
	}
	return true
}

// dying is the array in a register whose value was computed for the instruction that reads it: no
// variable refers to it, and nobody else. It is nil of others.
func (fr *frame) dying(at int) *slot.Own {
	if at < len(fr.fn.code.Locals) {
		return nil
	}
	o := fr.regs[at].Own()
	if o == nil || !fr.has(o) || !fr.only(o, at) {
		return nil
	}
	return o
}

// store stores what an instruction has made, and gives back what was in the register.
func (fr *frame) store(a uint8, v slot.Slot) {
	old := fr.regs[a].Own()
	fr.regs[a] = v
	if old != nil && old != v.Own() && fr.has(old) && fr.only(old, int(a)) {
		release(old)
	}
}

func release(o *slot.Own) {
	o.By = slot.Nobody
	o.Of.(value.Recyclable).Release()
}

// drops gives back what the frame owns when it returns; what it returns is the frame's no more.
func (fr *frame) drops() {
	regs := fr.used()
	for i := range regs {
		if o := regs[i].Own(); o != nil && fr.has(o) {
			release(o)
		}
	}
}

// passes makes an array that a frame returns the caller's, or holds it if that is Go.
func (m *Machine) passes(fr *frame, v *slot.Slot) {
	o := v.Own()
	switch {
	case o == nil:
	case fr.entry:
		*v = v.Escape()
	case fr.has(o):
		o.By = m.ownerOf(fr.outer)
	}
}

// gives makes the arrays that were computed for a call those of the function.
func (m *Machine) gives(fr, to *frame, in code.Instr) {
	if in.Op != code.CallOp && in.Op != code.CallMet {
		return
	}
	for r := int(in.A); r <= int(in.A)+int(in.B)+1 && r < fr.fn.code.Registers; r++ {
		if o := fr.dying(r); o != nil {
			o.By = m.ownerOf(to)
			fr.regs[r].Clear()
		}
	}
}

// holdAll holds the arrays that registers refer to. A register that is in use but not written yet
// may refer to one that is no more, which nobody owns.
func holdAll(regs []slot.Slot) {
	for i := range regs {
		if o := regs[i].Own(); o != nil && o.By != slot.Nobody {
			regs[i] = slot.Ref(o.Escape())
		}
	}
}

// maxSearched is in how many frames a variable's array is looked for before its memory is given
// back.
const maxSearched = 8

// setVariable stores the value of a register in a global variable. A frame's array becomes the
// variables'; what a variable had is given back if no other has it, and no register.
func (m *Machine) setVariable(to *slot.Slot, a uint8) {
	v := m.fr.regs[a]
	if o := v.Own(); o != nil {
		switch {
		case m.fr.has(o):
			o.By, o.Vars = slot.Variables, 1
		case o.By == slot.Variables:
			o.Vars++
		default:
			v = v.Escape()
		}
	}
	old := to.Own()
	*to = v
	if old == nil || old.By != slot.Variables {
		return
	}
	if old.Vars--; old.Vars == 0 && !m.refersTo(old) {
		release(old)
	}
}

// refersTo reports whether a frame may refer to an array.
func (m *Machine) refersTo(o *slot.Own) bool {
	if active.Load() > 1 || m.fr.depth > maxSearched {
		return true
	}
	for fr := m.fr; fr.depth > 0; fr = fr.outer {
		if fr.fn != nil && !fr.only(o, -1) {
			return true
		}
	}
	return false
}

// arrayIn is the array that a slot refers to, nil if it refers to something else.
func arrayIn(s *slot.Slot) value.Recyclable {
	if o := s.Own(); o != nil {
		return o.Of.(value.Recyclable)
	}
	a, _ := s.Ref().(value.Recyclable)
	return a
}

// isOperand reports whether an operation of arrays keeps nothing of a value: an array or a number.
func isOperand(s *slot.Slot) bool {
	if s.IsOwn() || s.IsInt() || s.IsFloat() || s.IsDouble() {
		return true
	}
	switch s.Ref().(type) {
	case starlark.Bool, starlark.Int, value.Scalar, value.Recyclable:
		return true
	}
	return false
}

// arrays is x op y of arrays and numbers, which stand in registers unless those are -1. Operands
// that were computed for it give it their memory. It reports false of other operands.
func (m *Machine) arrays(op code.Op, in code.Instr, x, y *slot.Slot, flags int32, ip int) (is, ok bool) {
	a, b := arrayIn(x), arrayIn(y)
	if a == nil && b == nil || !isOperand(x) || !isOperand(y) {
		return false, false
	}
	fr := m.fr
	fr.ip = ip
	changes := changes(op, flags)
	if !changes && m.waits(ip) {
		first := a
		if a == nil {
			first = b
		}
		if is, ok := m.deferred(first, ip); is {
			return true, ok
		}
	}
	defer m.guard(fr.depth, ip, &ok)
	computed := [2]*slot.Own{}
	at := [2]int{int(in.B), int(in.C)}
	if op != in.Op { // a constant has no register
		at[1] = -1
	}
	for i, r := range at {
		if r < 0 || i == 0 && changes {
			continue
		}
		if computed[i] = fr.dying(r); computed[i] != nil {
			computed[i].Of.(value.Recyclable).MarkDying()
		}
	}
	var into value.Recyclable
	if !changes {
		into = fr.replaced(in.A)
	}
	v, err := m.arithmetic(op, a, b, x, y, flags, into)
	if err != nil {
		return true, m.went(err, ip)
	}
	z := slot.Slot{}
	switch {
	case into != nil && v == starlark.Value(into):
		z = fr.regs[in.A]
	case a != nil && v == starlark.Value(a):
		z = slot.Ref(ownOf(a))
	case b != nil && v == starlark.Value(b):
		z = slot.Ref(ownOf(b))
	default:
		z = m.owns(v)
	}
	for i, o := range computed {
		if o != nil && at[i] != int(in.A) {
			fr.regs[at[i]].Clear()
		} else if o != nil {
			fr.regs[in.A].Clear()
		}
	}
	fr.store(in.A, z)
	return true, m.went(nil, ip)
}

// replaced is the array that a register has until the result of an instruction takes its place, if
// nobody else has it; nil if somebody has.
func (fr *frame) replaced(a uint8) value.Recyclable {
	if o := fr.regs[a].Own(); o != nil && fr.has(o) && fr.only(o, int(a)) {
		return o.Of.(value.Recyclable)
	}
	return nil
}

// arithmetic is x op y, of which a or b is an array, or both are: at once where the other operand
// is no number of another kind than the operators know.
func (m *Machine) arithmetic(op code.Op, a, b value.Recyclable, x, y *slot.Slot, flags int32, into value.Recyclable) (
	v starlark.Value, err error) {
	if op <= code.Div && flags&code.Changes == 0 {
		token := code.Tokens[op]
		switch {
		case a != nil && (b != nil || y.IsFloat() || y.IsInt()):
			v, err = a.BinaryInto(token, y.Borrowed(), starlark.Left, into)
		case a == nil && (x.IsFloat() || x.IsInt()):
			v, err = b.BinaryInto(token, x.Borrowed(), starlark.Right, into)
		}
		if v != nil || err != nil {
			return v, err
		}
	}
	if op <= code.Div && flags&code.Changes != 0 && a != nil &&
		(b != nil || y.IsFloat() || y.IsInt()) {
		if v, err = a.InPlace(code.Tokens[op], y.Borrowed()); v != nil || err != nil {
			return v, err
		}
	}
	return m.operator(op, x.Borrowed(), y.Borrowed(), flags)
}

// ownOf is what a register refers to an array by that is there already.
func ownOf(a value.Recyclable) starlark.Value {
	if o := a.Own(); o.By != slot.Nobody {
		return o
	}
	return a
}
