package vm

import (
	"github.com/arignote/arignote/starlib/arith"
	"github.com/arignote/arignote/starlib/code"
	"github.com/arignote/arignote/starlib/object"
	"github.com/arignote/arignote/starlib/slot"
	"github.com/arignote/arignote/starlib/value"
	"go.starlark.net/starlark"
)

// element is x[i] or x[i, j] of an array and ints.
func (m *Machine) element(in code.Word, _ int) bool {
	r := m.fr.regs
	i := &r[in.C()]
	if !i.IsInt() {
		return false
	}
	x, ok := gridIn(&r[in.B()])
	if !ok {
		return false
	}
	var v slot.Slot
	if in.Op() == code.Index {
		v, ok = x.ElementAt(1, i.Int(), 0)
	} else if j := &r[in.C()+1]; j.IsInt() {
		v, ok = x.ElementAt(2, i.Int(), j.Int())
	} else {
		return false
	}
	if ok {
		r[in.A()] = v
	}
	return ok
}

// setElement is x[i] = v or x[i, j] = v of an array, ints and a number.
func (m *Machine) setElement(in code.Word, _ int) bool {
	r := m.fr.regs
	i, v := &r[in.B()], r[in.C()]
	if !i.IsInt() {
		return false
	}
	x, ok := gridIn(&r[in.A()])
	if !ok {
		return false
	}
	if in.Op() == code.SetIndex {
		return x.SetElementAt(1, i.Int(), 0, v)
	}
	j := &r[in.B()+1]
	return j.IsInt() && x.SetElementAt(2, i.Int(), j.Int(), v)
}

// gridIn is the array that a slot refers to.
func gridIn(s *slot.Slot) (x value.Grid, ok bool) {
	if o := s.Own(); o != nil {
		x, ok = o.Of.(value.Grid)
		return x, ok
	}
	x, ok = s.Ref().(value.Grid)
	return x, ok
}

// pair is the index of an IndexPair or SetPair, which is lent to an array.
func (fr *frame) pair(at uint8, lent bool) slot.Slot {
	i, j := &fr.regs[at], &fr.regs[at+1]
	if lent {
		return slot.Ref(starlark.Tuple{i.Borrowed(), j.Borrowed()})
	}
	return slot.Ref(starlark.Tuple{i.Value(), j.Value()})
}

// valueOfPair is where the value of the key i, j is in a dict no key of which asks, nil if it is
// not there. No tuple is made for it.
func (m *Machine) valueOfPair(x *slot.Slot, at uint8) *slot.Slot {
	d, ok := x.Ref().(*slot.Dict)
	if !ok || d.Asks() {
		return nil
	}
	return m.keys.valueOf(d, m.fr.regs[at:int(at)+2], false)
}

// elementOf is x[i] of a dict, a tuple, a text or an array.
func (m *Machine) elementOf(in code.Word, ip int) (ok bool) {
	fr := m.fr
	i := &fr.regs[in.C()]
	switch x := fr.regs[in.B()].Ref().(type) {
	case *slot.Dict:
		v, _ := x.Value(i)
		if v == nil {
			return false
		}
		words := fr.fn.code.Words
		add, set := words[ip+1], words[min(ip+2, len(words)-1)]
		if add.Op() == code.AddI && v.IsInt() && isChange(in, add, set) && x.Mutable() { // x[i] += 1
			if !arith.Sum(v.Int(), int64(add.D()), v) {
				return false
			}
			fr.ip = ip + 2
			return true
		}
		fr.regs[in.A()] = *v
		return true
	case starlark.Tuple:
		k := i.Int()
		if k < 0 {
			k += int64(len(x))
		}
		if !i.IsInt() || uint64(k) >= uint64(len(x)) {
			return false
		}
		fr.regs[in.A()] = slot.Of(x[k])
		return true
	case starlark.String:
		if !i.IsInt() {
			return false
		}
		if m.texts.IsASCII(x) {
			c, ok := value.ASCIIAt(x, i.Int())
			if ok {
				fr.regs[in.A()] = c
			}
			return ok
		}
		c, ok := value.CharAt(m.thread, x, i.Int())
		if ok {
			fr.regs[in.A()] = c
		}
		return ok
	}
	return m.element(in, ip)
}

// isChange reports whether an Index and two instructions behind it are x[i] op= y, where the value
// is of no use afterwards.
func isChange(in code.Word, op, set code.Word) bool {
	return set.Op() == code.SetIndex && set.A() == in.B() && set.B() == in.C() && set.C() == in.A() &&
		op.A() == in.A() && op.B() == in.A() && in.A() != in.B() && in.A() != in.C()
}

// removed is del x[i] of a list, or of a dict where no key asks.
func (m *Machine) removed(in code.Instr) bool {
	r := m.fr.regs
	i := &r[in.B]
	switch x := r[in.A].Ref().(type) {
	case *slot.List:
		n, k := int64(x.Len()), i.Int()
		if k < 0 {
			k += n
		}
		if !i.IsInt() || uint64(k) >= uint64(n) {
			return false
		}
		_, err := x.Delete(int(k))
		return err == nil
	case *slot.Dict:
		if x.Asks() || !i.IsPlainKey() {
			return false
		}
		_, found, err := x.Remove(*i)
		return found && err == nil
	}
	return false
}

// heldElement is x[i] of an object that holds a list, a tuple or a dict, if nothing of the program's
// serves its elements and there is one.
func (m *Machine) heldElement(o *value.Object, at *slot.Slot, a uint8) bool {
	s := m.special(o, "__getitem__")
	if s.fn != nil || !s.has {
		return false
	}
	switch x := object.HeldBy(o, "__getitem__").(type) {
	case starlark.Tuple:
		if at.IsInt() {
			i := at.Int()
			if i < 0 {
				i += int64(len(x))
			}
			if 0 <= i && i < int64(len(x)) {
				m.fr.regs[a] = slot.Of(x[i])
				return true
			}
		}
	case *slot.List:
		if at.IsInt() {
			i := at.Int()
			if i < 0 {
				i += int64(x.Len())
			}
			if 0 <= i && i < int64(x.Len()) {
				m.fr.regs[a] = *x.At(int(i))
				return true
			}
		}
	case *slot.Dict:
		v, found, err := x.Lookup(*at)
		if found && err == nil {
			m.fr.regs[a] = v
			return true
		}
	}
	return false
}
