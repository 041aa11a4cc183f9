package vm

import (
	"github.com/arignote/arignote/starlib/code"
	"github.com/arignote/arignote/starlib/slot"
	"github.com/arignote/arignote/starlib/value"
)

// methodOf are the special methods of operations whose left operand is an object. Others are asked
// for by the object itself.
var methodOf = [code.Ops]string{
	code.Add: "__add__", code.Sub: "__sub__", code.Mul: "__mul__", code.Div: "__truediv__",
	code.Lt: "__lt__", code.Le: "__le__", code.Gt: "__gt__", code.Ge: "__ge__",
	code.Eq: "__eq__", code.Ne: "__ne__",
}

// beginOperator begins the call of the method that x op y is, if it is a function of the program's.
// It reports false where operator has to see to it, or with m.err. A derived class on the right may
// be asked first, and a sequence there may be repeated.
func (m *Machine) beginOperator(op code.Op, a uint8, x, y *slot.Slot, flags int32, ip int) bool {
	o, ok := x.Ref().(*value.Object)
	if !ok || methodOf[op] == "" || flags&code.Changes != 0 {
		return false
	}
	other, both := y.Ref().(*value.Object)
	if both && other.Class() != o.Class() ||
		op == code.Mul && !both && !y.IsInt() && !y.IsFloat() {
		return false
	}
	return m.beginSpecial(o, methodOf[op], []slot.Slot{*y}, code.CallOperates, a, ip)
}

// beginSpecial begins the call of a special method.
func (m *Machine) beginSpecial(o *value.Object, name string, args []slot.Slot,
	kind, a uint8, ip int) bool {
	f, ok := o.Function(name).(*Function)
	if !ok {
		return false
	}
	holdAll(args) // NotImplemented may have others asked
	if !m.enter(f, o, given{args: args}, code.Instr{A: a}, ip) {
		return false
	}
	m.fr.kind = kind
	return true
}

// declined goes on with an operation whose method returned NotImplemented.
func (m *Machine) declined() bool {
	fr := m.fr
	in := fr.fn.code.At(fr.ip)
	op, x, y, _ := m.operands(in)
	return m.decline(op, *x, *y, in.A, fr.ip)
}

func (m *Machine) decline(op code.Op, x, y slot.Slot, a uint8, ip int) (ok bool) {
	defer m.guard(m.fr.depth, ip, &ok)
	v, err := value.Objects.Declined(code.Tokens[op], x.Ref().(*value.Object), y.Value())
	return m.done(a, v, err, ip)
}
