package vm

import (
	"github.com/arignote/arignote/starlib/arith"
	"github.com/arignote/arignote/starlib/code"
	"github.com/arignote/arignote/starlib/object"
	"github.com/arignote/arignote/starlib/slot"
	"github.com/arignote/arignote/starlib/value"
	"go.starlark.net/starlark"
)

// nears do instructions on texts and containers that ask nobody and cannot fail, at once, and go on
// in the same frame, behind its ip. Of others they report false, and nothing has happened that far
// cannot do again.
var nears [code.Ops]func(m *Machine, in code.Word, ip int) bool

func init() { // they are not known before the machine is
	for _, op := range []code.Op{code.Lt, code.Le, code.Gt, code.Ge, code.Eq, code.Ne} {
		nears[op] = (*Machine).nearCompare
	}
	for op, near := range map[code.Op]func(*Machine, code.Word, int) bool{
		code.Index: (*Machine).elementOf, code.SetIndex: (*Machine).nearSetIndex,
		code.IndexPair: (*Machine).element, code.SetPair: (*Machine).setElement,
		code.Add: (*Machine).nearAdd, code.In: (*Machine).nearIn, code.NotIn: (*Machine).nearIn,
		code.Unless: (*Machine).nearJump, code.When: (*Machine).nearJump,
		code.JumpNo: (*Machine).nearJump, code.JumpIf: (*Machine).nearJump, code.Not: (*Machine).nearNot,
		code.Iter: (*Machine).nearIter, code.Next: (*Machine).nearNext, code.EndIter: (*Machine).nearEnd,
		code.MakeTuple: (*Machine).nearTuple, code.MakeList: (*Machine).nearList,
		code.Append: (*Machine).nearAppend, code.Unpack: (*Machine).apart,
		code.Method: (*Machine).nearMethod, code.CallOp: (*Machine).nearCall, code.CallMet: (*Machine).nearCall,
		code.Slice: (*Machine).nearSlice, code.SliceBy: (*Machine).nearSliceBy,
		code.MakeDict: (*Machine).nearDict, code.Put: (*Machine).nearPut, code.Key: (*Machine).nearKey,
		code.Text: (*Machine).nearText, code.Is: (*Machine).nearIs,
	} {
		nears[op] = near
	}
}

func (m *Machine) nearSetIndex(in code.Word, ip int) bool {
	r := m.fr.regs
	d, isDict := r[in.A()].Ref().(*slot.Dict)
	if !isDict {
		return m.setElement(in, ip)
	}
	if !d.Mutable() {
		return false
	}
	v, _ := d.Value(&r[in.B()])
	if v == nil {
		return false
	}
	*v = r[in.C()].Escape()
	return true
}

func (m *Machine) nearCompare(in code.Word, ip int) bool {
	fr := m.fr
	x, y := &fr.regs[in.B()], &fr.regs[in.C()]
	switch v := x.Ref().(type) {
	case starlark.String:
		if w, both := y.Ref().(starlark.String); both && in.Op() >= code.Eq {
			return fr.holds(in, (v == w) == (in.Op() == code.Eq), ip)
		}
	case value.Callable: // type(v) == int
		w, both := y.Ref().(value.Callable)
		if !both || in.Op() < code.Eq || v.Types == nil || w.Types == nil {
			return false
		}
		return fr.holds(in, value.SameType(v, w) == (in.Op() == code.Eq), ip)
	case starlark.Tuple, *slot.List:
	default:
		return false
	}
	if holds, known := slot.Compared(code.Tokens[in.Op()], *x, *y); known {
		return fr.holds(in, holds, ip)
	}
	return false
}

// nearAdd is texts, or an int and a bool, as sums of conditions are.
func (m *Machine) nearAdd(in code.Word, _ int) bool {
	r := m.fr.regs
	switch y := r[in.C()].Ref().(type) {
	case starlark.String:
		x, both := r[in.B()].Ref().(starlark.String)
		if !both || m.budget <= 0 {
			return false
		}
		m.budget--
		text, err := m.texts.Join(x, y, in.D())
		if err == nil {
			r[in.A()].SetRef(text)
		}
		return err == nil
	case starlark.Bool:
		n := arith.AsInt(y)
		return r[in.B()].IsInt() && arith.Sum(r[in.B()].Int(), n.Int(), &r[in.A()])
	}
	return false
}

func (m *Machine) nearIn(in code.Word, ip int) bool {
	fr := m.fr
	found, known := arith.Has(&fr.regs[in.C()], &fr.regs[in.B()])
	return known && fr.holds(in, found == (in.Op() == code.In), ip)
}

// nearIs compares two values by "is" where one of them equals only itself.
func (m *Machine) nearIs(in code.Word, ip int) bool {
	fr := m.fr
	x, y := fr.regs[in.B()].Ref(), fr.regs[in.C()].Ref()
	return (isOnlyItself(x) || isOnlyItself(y)) && fr.holds(in, x == y, ip)
}

func isOnlyItself(x starlark.Value) bool {
	switch x.(type) {
	case *value.Object, *object.Class, *Function, *slot.List, *slot.Dict, starlark.NoneType, starlark.Bool:
		return true
	}
	return false
}

func (m *Machine) nearJump(in code.Word, ip int) bool {
	truth, known := value.TruthOf(&m.fr.regs[in.A()])
	if !known || in.D() < 0 {
		return false
	}
	if truth == (in.Op() == code.When || in.Op() == code.JumpIf) {
		m.fr.ip = ip + int(in.D()) - 1
	}
	return true
}

func (m *Machine) nearNot(in code.Word, ip int) bool {
	truth, known := value.TruthOf(&m.fr.regs[in.B()])
	return known && m.fr.holds(in, !truth, ip)
}

func (m *Machine) nearEnd(in code.Word, _ int) bool {
	it := m.fr.regs[in.A()].Ref().(*iterator)
	return it.elements == nil && !it.closes && m.end(&m.fr.regs[in.A()]) == nil
}

func (m *Machine) nearTuple(in code.Word, _ int) bool {
	if in.D() == 1 {
		return false
	}
	r := m.fr.regs
	t := make(starlark.Tuple, in.C())
	for i, x := range r[in.B() : int(in.B())+int(in.C())] {
		t[i] = x.Value()
	}
	r[in.A()].SetRef(t)
	return true
}

func (m *Machine) nearList(in code.Word, _ int) bool {
	r := m.fr.regs
	list := slot.ListOf(r[in.B() : int(in.B())+int(in.C())])
	holdAll(list.Slots())
	r[in.A()].SetRef(list)
	return true
}

func (m *Machine) nearAppend(in code.Word, _ int) bool {
	r := m.fr.regs
	list := r[in.A()].Ref().(*slot.List)
	return list.Fits(&r[in.B()]) || !value.Crowded(list) && list.Push(r[in.B()]) == nil
}

func (m *Machine) nearSlice(in code.Word, _ int) bool {
	r, c := m.fr.regs, in.C()
	z, ok := value.QuickSlice(m.thread, &r[in.B()], &r[c], &r[c+1], &r[c+2])
	if ok {
		r[in.A()] = z
	}
	return ok
}

// nearSliceBy is x[lo:hi:step] by bounds that are written.
func (m *Machine) nearSliceBy(in code.Word, _ int) bool {
	r := m.fr.regs
	by := m.fr.fn.code.Consts[in.D()].Ref().(*value.Slice)
	z, ok := by.QuickOf(m.thread, &r[in.B()])
	if ok {
		r[in.A()] = z
	}
	return ok
}

func (m *Machine) nearDict(in code.Word, _ int) bool {
	m.fr.regs[in.A()].SetRef(slot.NewDict(int(in.D())))
	return true
}

func (m *Machine) nearPut(in code.Word, _ int) bool {
	r := m.fr.regs
	d, key := r[in.A()].Ref().(*slot.Dict), &r[in.B()]
	return !d.Asks() && key.IsPlainKey() && d.Put(*key, r[in.C()]) == nil
}

func (m *Machine) nearKey(in code.Word, _ int) bool {
	r := m.fr.regs
	x := &r[in.B()]
	if !x.IsPlainKey() {
		return false
	}
	r[in.A()] = *x
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

func (m *Machine) nearText(in code.Word, _ int) bool { return isNumberOrText(&m.fr.regs[in.A()]) }

func isNumberOrText(x *slot.Slot) bool {
	if x.IsInt() || x.IsFloat() {
		return true
	}
	_, isText := x.Ref().(starlark.String)
	return isText
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

// nearIter begins a loop over a list or a tuple.
func (m *Machine) nearIter(in code.Word, _ int) bool {
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
func (m *Machine) nearNext(in code.Word, ip int) bool {
	if m.budget < 0 {
		return false
	}
	fr := m.fr
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
	case iterDict, iterValues, iterSet:
		pos := it.walk.Goes()
		switch {
		case pos < 0:
			return false
		case it.kind == iterDict:
			*to = it.keys.KeyAt(pos)
		case it.kind == iterValues:
			*to = it.keys.ValueAt(pos)
		default:
			*to = it.set.At(pos)
		}
	case iterItems, iterEnumerate, iterZip:
		return m.nearTogether(it, in, ip)
	default:
		return false
	}
	fr.ip = ip + int(in.D()) - 1
	return true
}
