package vm

import (
	"strings"

	"github.com/arignote/arignote/starlib/code"
	"github.com/arignote/arignote/starlib/slot"
	"github.com/arignote/arignote/starlib/value"
	"go.starlark.net/starlark"
)

// plainly is x op y where that is known without a call; ok is false of others. What a program's key
// of a dict or set fails with is the error.
func plainly(op code.Op, x, y, z *slot.Slot) (ok bool, err error) {
	switch op {
	case code.Lt, code.Le, code.Gt, code.Ge, code.Eq, code.Ne:
		holds, known := slot.Compared(code.Tokens[op], *x, *y)
		if known {
			*z = slot.Bool(holds)
		}
		return known, nil
	case code.In, code.NotIn:
		found, known, err := plainlyIn(x, y)
		if known {
			*z = slot.Bool(found == (op == code.In))
		}
		return known, err
	}
	return false, nil
}

// longestText is in how many bytes a text is looked for at once.
const longestText = 1 << 12

// plainlyIn is x in y, and whether that is known here.
func plainlyIn(x, y *slot.Slot) (found, known bool, err error) {
	switch c := y.Ref().(type) {
	case *slot.Dict:
		if !x.IsPlainKey() {
			return false, false, nil
		}
		_, found, err = c.Lookup(*x)
		return found, true, err
	case *slot.Set:
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

// slice is a Slice of text, a list or a tuple.
func (m *Machine) slice(in code.Instr) bool {
	r := m.fr.regs
	z, ok := value.QuickSlice(m.thread, &r[in.B], &r[in.C], &r[in.C+1], &r[in.C+2])
	if ok {
		r[in.A] = z
	}
	return ok
}

// apart is an Unpack of a tuple or list that has as many elements.
func (m *Machine) apart(in code.Instr) bool {
	to := m.fr.regs[in.B : int(in.B)+int(in.C)]
	switch x := m.fr.regs[in.A].Ref().(type) {
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

// elementOf is x[i] of a tuple or a text.
func (m *Machine) elementOf(in code.Instr, x starlark.Value, i int64) (z slot.Slot, ok bool) {
	switch x := x.(type) {
	case starlark.Tuple:
		if i < 0 {
			i += int64(len(x))
		}
		if uint64(i) >= uint64(len(x)) {
			return z, false
		}
		return slot.Of(x[i]), true
	case starlark.String:
		if in.D&code.OfText != 0 {
			return value.CharAt(m.thread, x, i)
		}
	}
	return z, false
}
