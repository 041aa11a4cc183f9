package vm

import (
	"slices"
	"strings"

	"github.com/arignote/arignote/starlib/code"
	"github.com/arignote/arignote/starlib/slot"
	"github.com/arignote/arignote/starlib/value"
	"go.starlark.net/starlark"
)

// plainly is x op y of texts, bools and containers where that is known without a call; ok is false
// of others. What a key of the program's fails with is the error. z may be one of the operands.
func (m *Machine) plainly(op code.Op, x, y, z *slot.Slot, flags int32) (ok bool, err error) {
	switch op {
	case code.Lt, code.Le, code.Gt, code.Ge, code.Eq, code.Ne:
		holds, known := slot.Compared(code.Tokens[op], *x, *y)
		if known {
			z.SetBool(holds)
		}
		return known, nil
	case code.In, code.NotIn:
		found, known, err := plainlyIn(x, y)
		if known {
			z.SetBool(found == (op == code.In))
		}
		return known, err
	case code.Mod:
		if text, ok := value.QuickPercent(x, y); ok {
			*z = text
			return true, nil
		}
	case code.Add:
		if ok, err := m.add(x, y, z, flags); ok {
			return true, err
		}
		if joins(x, y, z, flags) {
			return true, nil
		}
	case code.Mul:
		if flags&code.Changes == 0 && (y.IsInt() && repeats(x, y.Int(), z) || x.IsInt() && repeats(y, x.Int(), z)) {
			return true, nil
		}
	}
	return bools(op, x, y, z), nil
}

// longestText is in how many bytes a text is looked for at once.
const longestText = 1 << 12

// plainlyIn is x in y, and whether that is known here.
func plainlyIn(x, y *slot.Slot) (found, known bool, err error) {
	switch c := y.Ref().(type) {
	case *slot.Dict:
		if v, known := c.Value(x); known {
			return v != nil, true, nil
		}
		if !x.IsPlainKey() {
			return false, false, nil
		}
		_, found, err = c.Lookup(*x)
		return found, true, err
	case *slot.Set:
		if has, known := c.Holds(x); known {
			return has, true, nil
		}
		if !x.IsPlainKey() {
			return false, false, nil
		}
		found, err = c.Contains(*x)
		return found, true, err
	case *slot.List:
		at, known := c.Place(*x, 0, c.Len())
		return at >= 0, known, nil
	case starlark.Tuple:
		at, known := slot.PlaceIn(c, *x)
		return at >= 0, known, nil
	case starlark.String:
		part, ok := x.Ref().(starlark.String)
		if !ok || len(c) > longestText {
			return false, false, nil
		}
		return strings.Contains(string(c), string(part)), true, nil
	}
	return false, false, nil
}

// asInt is a bool as an int.
func asInt(b starlark.Bool) slot.Slot {
	if b {
		return slot.Int(1)
	}
	return slot.Int(0)
}

// bools is x op y of numbers of which one is a bool at least; ok is false of others.
func bools(op code.Op, x, y, z *slot.Slot) (ok bool) {
	a, isX := x.Ref().(starlark.Bool)
	b, isY := y.Ref().(starlark.Bool)
	if !isX && !isY {
		return false
	}
	switch {
	case op >= code.Add && op <= code.Mod:
	case isX && isY && op == code.And:
		*z = slot.Bool(bool(a && b))
		return true
	case isX && isY && op == code.Or:
		*z = slot.Bool(bool(a || b))
		return true
	case isX && isY && op == code.Xor:
		*z = slot.Bool(a != b)
		return true
	default:
		return false
	}
	u, v := *x, *y
	if isX {
		u = asInt(a)
	}
	if isY {
		v = asInt(b)
	}
	if op == code.Add && u.IsInt() && v.IsInt() { // the loop has the other sums of ints
		return sum(u.Int(), v.Int(), z)
	}
	if op == code.Sub && u.IsInt() && v.IsInt() {
		return v.Int() > -2 && sum(u.Int(), -v.Int(), z)
	}
	return numbers(op, &u, &v, z)
}

// sum is a + b, if that is an int of 64 bits.
func sum(a, b int64, z *slot.Slot) (ok bool) {
	s := a + b
	if (s^a)&(s^b) < 0 {
		return false
	}
	z.SetInt(s)
	return true
}

// apart is an Unpack of a tuple or list that has as many elements.
func (m *Machine) apart(in code.Word, _ int) bool {
	to := m.fr.regs[in.B() : int(in.B())+int(in.C())]
	switch x := m.fr.regs[in.A()].Ref().(type) {
	case starlark.Tuple:
		if len(x) != len(to) {
			return false
		}
		for i := range to {
			to[i] = slot.Of(x[i])
		}
		return true
	case *slot.List:
		if x.Len() != len(to) {
			return false
		}
		copy(to, x.Slots())
		return true
	}
	return false
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
			if !sum(v.Int(), int64(add.D()), v) {
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
		if m.isASCII(x) {
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

// isASCII reports whether a text is ASCII. A long one that was is known for a while.
func (m *Machine) isASCII(x starlark.String) bool {
	if len(x) <= shortASCII {
		return value.IsASCII(x)
	}
	for i := range m.ascii {
		if m.ascii[i] == x {
			return true
		}
	}
	if !value.IsASCII(x) {
		return false
	}
	m.asciiAt = (m.asciiAt + 1) % len(m.ascii)
	m.ascii[m.asciiAt] = x
	return true
}

// shortASCII is up to how many bytes a text is looked through again each time.
const shortASCII = 32

// isChange reports whether an Index and two instructions behind it are x[i] op= y, where the value
// is of no use afterwards.
func isChange(in code.Word, op, set code.Word) bool {
	return set.Op() == code.SetIndex && set.A() == in.B() && set.B() == in.C() && set.C() == in.A() &&
		op.A() == in.A() && op.B() == in.A() && in.A() != in.B() && in.A() != in.C()
}

func isNumberOrText(x *slot.Slot) bool {
	if x.IsInt() || x.IsFloat() {
		return true
	}
	_, isText := x.Ref().(starlark.String)
	return isText
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

// mostJoined is how many elements a sum or a product has that is made at once.
const mostJoined = 1 << 9

// joins is x + y of short lists or tuples.
func joins(x, y, z *slot.Slot, flags int32) bool {
	switch a := x.Ref().(type) {
	case *slot.List:
		b, ok := y.Ref().(*slot.List)
		switch {
		case !ok || b.Len() > mostJoined:
			return false
		case flags&code.Changes != 0:
			if a.Splice(a.Len(), a.Len(), b.Slots()) != nil {
				return false
			}
			*z = *x
			return true
		case a.Len() > mostJoined:
			return false
		}
		z.SetRef(slot.Make(slices.Concat(a.Slots(), b.Slots())))
		return true
	case starlark.Tuple:
		b, ok := y.Ref().(starlark.Tuple)
		if !ok || len(a)+len(b) > mostJoined {
			return false
		}
		z.SetRef(slices.Concat(a, b))
		return true
	}
	return false
}

// repeats is x * n of a short list or text.
func repeats(x *slot.Slot, n int64, z *slot.Slot) bool {
	switch a := x.Ref().(type) {
	case *slot.List:
		if n < 0 || n > mostJoined || int64(a.Len())*n > mostJoined {
			return false
		}
		z.SetRef(a.Repeat(int(n)))
		return true
	case starlark.String:
		if n < 0 || n > mostJoined || int64(len(a))*n > mostJoined {
			return false
		}
		*z = value.TextSlot(strings.Repeat(string(a), int(n)))
		return true
	}
	return false
}
