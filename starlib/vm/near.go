package vm

import (
	"github.com/arignote/arignote/starlib/code"
	"github.com/arignote/arignote/starlib/slot"
	"github.com/arignote/arignote/starlib/value"
	"go.starlark.net/starlark"
)

// isNear are the instructions of which near does some.
var isNear = [code.Ops]bool{
	code.Index: true, code.SetIndex: true, code.Add: true, code.In: true, code.NotIn: true,
	code.Unless: true, code.When: true,
	code.Lt: true, code.Le: true, code.Gt: true, code.Ge: true, code.Eq: true, code.Ne: true,
	code.Iter: true, code.Next: true, code.EndIter: true,
	code.MakeTuple: true, code.MakeList: true, code.Append: true, code.Unpack: true,
}

// near does an instruction on texts and containers that asks nobody and cannot fail, at once. It
// reports false, and nothing has happened, of others, which slow does.
func (m *Machine) near(in code.Word, ip int) bool {
	fr := m.fr
	r := fr.regs
	switch in.Op() {
	case code.Index:
		return m.elementOf(in, ip)
	case code.SetIndex:
		d, isDict := r[in.A()].Ref().(*slot.Dict)
		if !isDict || !d.Mutable() {
			return false
		}
		v, _ := d.Value(&r[in.B()])
		if v == nil {
			return false
		}
		*v = r[in.C()].Held()
		return true
	case code.Lt, code.Le, code.Gt, code.Ge, code.Eq, code.Ne:
		x, y := &r[in.B()], &r[in.C()]
		switch x.Ref().(type) {
		case starlark.String, starlark.Tuple, *slot.List:
			if holds, known := slot.Compared(code.Tokens[in.Op()], *x, *y); known {
				return fr.holds(in, holds, ip)
			}
			if in.Op() >= code.Eq && isTypeName(x, y) {
				return fr.holds(in, value.SameType(x.Ref(), y.Ref()) == (in.Op() == code.Eq), ip)
			}
		}
	case code.Add:
		if b, isBool := r[in.C()].Ref().(starlark.Bool); isBool && r[in.B()].IsInt() {
			y := asInt(b)
			return sum(r[in.B()].Int(), y.Int(), &r[in.A()])
		}
	case code.In, code.NotIn:
		if found, known := plainlyHas(&r[in.C()], &r[in.B()]); known {
			return fr.holds(in, found == (in.Op() == code.In), ip)
		}
	case code.Unless, code.When:
		if truth, known := value.TruthOf(&r[in.A()]); known && in.D() >= 0 {
			if truth == (in.Op() == code.When) {
				fr.ip = ip + int(in.D()) - 1
			}
			return true
		}
	case code.Iter:
		return m.nearIter(in)
	case code.EndIter:
		it := r[in.A()].Ref().(*iterator)
		return it.elements == nil && !it.closes && m.end(&r[in.A()]) == nil
	case code.Next:
		return m.budget >= 0 && nearNext(fr, in, ip)
	case code.MakeTuple:
		if in.D() == 1 {
			return false
		}
		t := make(starlark.Tuple, in.C())
		for i, x := range r[in.B() : int(in.B())+int(in.C())] {
			t[i] = x.Value()
		}
		r[in.A()].SetRef(t)
		return true
	case code.MakeList:
		list := slot.ListOf(r[in.B() : int(in.B())+int(in.C())])
		holdAll(list.Slots())
		r[in.A()].SetRef(list)
		return true
	case code.Append:
		list := r[in.A()].Ref().(*slot.List)
		return !value.Crowded(list) && list.Push(r[in.B()]) == nil
	case code.Unpack:
		return m.apart(in)
	}
	return false
}

// holds goes on with what a comparison has found: the jump behind it, or its result.
func (fr *frame) holds(in code.Word, holds bool, ip int) bool {
	j := fr.fn.code.Words[ip+1]
	switch {
	case j.Op() != code.Unless && j.Op() != code.When || j.D() < 0:
		fr.regs[in.A()].SetBool(holds)
	case holds == (j.Op() == code.When):
		fr.ip = ip + int(j.D())
	default:
		fr.ip = ip + 1
	}
	return true
}

// isTypeName reports whether x == y may be type(v) == int.
func isTypeName(x, y *slot.Slot) bool {
	_, isText := x.Ref().(starlark.String)
	t, isType := y.Ref().(value.Callable)
	return isText && isType && t.Types != nil
}

// plainlyHas is whether a dict or a set has a key that is an int or a text, and whether that is
// known.
func plainlyHas(of, key *slot.Slot) (has, known bool) {
	switch c := of.Ref().(type) {
	case *slot.Dict:
		v, known := c.Value(key)
		return v != nil, known
	case *slot.Set:
		return c.Holds(key)
	}
	return false, false
}

// nearIter begins a loop over a list or a tuple.
func (m *Machine) nearIter(in code.Word) bool {
	r := m.fr.regs
	switch x := r[in.B()].Ref().(type) {
	case *slot.List:
		it := m.newIterator()
		it.kind, it.list = iterList, x
		r[in.A()].SetRef(it)
	case starlark.Tuple:
		it := m.newIterator()
		it.kind, it.tuple = iterTuple, x
		r[in.A()].SetRef(it)
	default:
		return false
	}
	return true
}

// nearNext is a round of a loop over a tuple, text or dict.
func nearNext(fr *frame, in code.Word, ip int) bool {
	it := fr.regs[in.A()].Ref().(*iterator)
	to := &fr.regs[in.B()]
	switch it.kind {
	case iterTuple:
		if it.i >= int64(len(it.tuple)) {
			return true
		}
		*to = slot.Of(it.tuple[it.i])
		it.i++
	case iterText:
		if it.text == "" {
			return true
		}
		*to, it.text = value.FirstChar(it.text)
	default:
		return false
	}
	fr.ip = ip + int(in.D()) - 1
	return true
}
