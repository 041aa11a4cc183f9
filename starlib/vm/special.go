package vm

import (
	"fmt"

	"github.com/arignote/arignote/starlib/code"
	"github.com/arignote/arignote/starlib/object"
	"github.com/arignote/arignote/starlib/slot"
	"github.com/arignote/arignote/starlib/value"
	"go.starlark.net/starlark"
)

// methodOf are the special methods of operations whose left operand, or only one, is an object.
// Others are asked for by the object itself.
var methodOf = [code.Ops]string{
	code.Add: "__add__", code.Sub: "__sub__", code.Mul: "__mul__", code.Div: "__truediv__",
	code.Lt: "__lt__", code.Le: "__le__", code.Gt: "__gt__", code.Ge: "__ge__",
	code.Eq: "__eq__", code.Ne: "__ne__",
	code.Neg: "__neg__", code.Plus: "__pos__", code.Invert: "__invert__",
}

// changeOf are those of x op= y, reflectedOf those of a right operand.
var (
	changeOf = [code.Ops]string{
		code.Add: "__iadd__", code.Sub: "__isub__", code.Mul: "__imul__", code.Div: "__itruediv__",
	}
	reflectedOf = [code.Ops]string{
		code.Add: "__radd__", code.Sub: "__rsub__", code.Mul: "__rmul__", code.Div: "__rtruediv__",
	}
)

// beginOperator begins the call of the method that x op y is, if it is a function of the program's.
// It reports false where operator has to see to it, or with m.err. A derived class on the right may
// be asked first, and a sequence there may be repeated.
func (m *Machine) beginOperator(op code.Op, a uint8, x, y *slot.Slot, flags int32, ip int) bool {
	o, ok := x.Ref().(*value.Object)
	if !ok || op == code.In || op == code.NotIn {
		return m.beginReflected(op, a, x, y, ip)
	}
	name := methodOf[op]
	other, both := y.Ref().(*value.Object)
	if name == "" || both && other.Class() != o.Class() ||
		op == code.Mul && !both && !y.IsInt() && !y.IsFloat() {
		return false
	}
	m.few[0] = *y
	args := m.few[:1]
	if flags&code.Changes != 0 && changeOf[op] != "" && m.special(o, changeOf[op]).has {
		return m.beginSpecial(o, changeOf[op], args, code.CallChanges, a, ip)
	}
	if op == code.Ne && !m.special(o, name).has {
		return m.beginSpecial(o, "__eq__", args, code.CallDiffers, a, ip)
	}
	return m.beginSpecial(o, name, args, code.CallOperates, a, ip)
}

// beginReflected is beginOperator for a number or text and an object, and for x in an object.
func (m *Machine) beginReflected(op code.Op, a uint8, x, y *slot.Slot, ip int) bool {
	o, ok := y.Ref().(*value.Object)
	if !ok {
		return false
	}
	m.few[0] = *x
	if op == code.In || op == code.NotIn {
		return m.beginSpecial(o, "__contains__", m.few[:1], code.CallHas, a, ip)
	}
	_, isText := x.Ref().(starlark.String)
	if reflectedOf[op] == "" || !x.IsInt() && !x.IsFloat() && (!isText || op == code.Mul) {
		return false
	}
	return m.beginSpecial(o, reflectedOf[op], m.few[:1], code.CallReflects, a, ip)
}

// beginUnary begins the call of the method that op x is.
func (m *Machine) beginUnary(in code.Instr, x *slot.Slot, ip int) bool {
	o, ok := x.Ref().(*value.Object)
	if !ok {
		return false
	}
	if in.Op == code.Not {
		return m.beginTruth(o, in.A, ip)
	}
	return m.beginSpecial(o, methodOf[in.Op], nil, code.CallPlain, in.A, ip)
}

// beginTruth begins the call of the method that says whether an object is true.
func (m *Machine) beginTruth(o *value.Object, a uint8, ip int) bool {
	if m.special(o, "__bool__").has {
		return m.beginSpecial(o, "__bool__", nil, code.CallJudges, a, ip)
	}
	return m.beginSpecial(o, "__len__", nil, code.CallMeasures, a, ip)
}

// beginFunction begins what a builtin is to do with its only argument, if that is code of the
// program's.
func (m *Machine) beginFunction(name string, x starlark.Value, a uint8, ip int) bool {
	switch x := x.(type) {
	case *value.Object:
		return m.beginNamed(name, x, a, ip)
	case *Generator:
		if name != "next" || x.ended {
			return false
		}
		m.fr.ip = ip
		if m.budget--; m.budget < 0 && !m.pause(ip) {
			return false
		}
		if m.resumes(x) {
			return true
		}
		if err := x.begin(m, slot.Slot{}, nil); err != nil {
			m.fail(err, ip)
			return false
		}
		return true
	}
	return false
}

// beginNamed begins the call of the method that a function of an object is.
func (m *Machine) beginNamed(name string, o *value.Object, a uint8, ip int) bool {
	switch name {
	case "len":
		return m.beginSpecial(o, "__len__", nil, code.CallLen, a, ip)
	case "str":
		return m.beginSpecial(o, "__str__", nil, code.CallText, a, ip)
	case "repr":
		return m.beginSpecial(o, "__repr__", nil, code.CallText, a, ip)
	case "hash":
		if object.HashMethod(o) == nil {
			return false
		}
		return m.beginSpecial(o, "__hash__", nil, code.CallHash, a, ip)
	case "bool":
		return m.beginTruth(o, a, ip)
	case "next":
		return m.beginSpecial(o, "__next__", nil, code.CallPlain, a, ip)
	}
	return false
}

// A special is what a machine knows of a special method of the instances of a layout, while that
// has the version.
type special struct {
	layout  *slot.Layout
	version uint64
	name    string
	fn      *Function // nil where it is none of the program's
	has     bool      // there is one
}

// special finds a special method.
func (m *Machine) special(o *value.Object, name string) *special {
	s := &m.specials[(int(name[2])+len(name))%len(m.specials)]
	var layout *slot.Layout
	if o.Record.Shape != nil {
		layout = o.Record.Shape.Layout
		if s.layout == layout && s.version == layout.Version && s.name == name {
			return s
		}
	}
	*s = special{layout: layout, name: name}
	s.fn, _ = o.Function(name).(*Function)
	s.has = s.fn != nil || o.HasMethod(name)
	if layout != nil {
		s.version = layout.Version
	}
	return s
}

// beginSpecial begins the call of a special method.
func (m *Machine) beginSpecial(o *value.Object, name string, args []slot.Slot,
	kind, a uint8, ip int) bool {
	f := m.special(o, name).fn
	return f != nil && m.beginMethod(f, o, args, kind, a, ip)
}

// beginMethod begins the call of a method that an instruction makes which is no call.
func (m *Machine) beginMethod(f *Function, o *value.Object, args []slot.Slot,
	kind, a uint8, ip int) bool {
	holdAll(args) // NotImplemented may have others asked
	if !m.enter(f, o, given{args: args}, code.Instr{A: a}, ip) {
		return false
	}
	m.fr.kind = kind
	clear(args)
	return true
}

// returned goes on with what the special method of a kind of call has returned for the instruction
// of the innermost frame.
func (m *Machine) returned(kind, a uint8, v slot.Slot) {
	fr := m.fr
	ip := fr.ip
	in := fr.fn.code.At(ip)
	declines := v.Ref() == value.Objects.NotImplemented
	switch kind {
	case code.CallDrops:
	case code.CallOperates, code.CallChanges, code.CallReflects:
		if declines {
			m.declined(kind)
			return
		}
		fr.store(a, v)
	case code.CallDiffers, code.CallHas:
		if declines && kind == code.CallDiffers {
			m.declined(kind)
		} else if t := m.truth(&v, ip); t >= 0 {
			fr.regs[a] = slot.Bool((t > 0) == (in.Op == code.In))
		}
	case code.CallJudges, code.CallMeasures:
		if _, isBool := v.Ref().(starlark.Bool); !isBool && kind == code.CallJudges {
			m.unfit("__bool__", &fr.regs[subject(in)], v, ip)
		} else if t := m.truth(&v, ip); t >= 0 {
			m.judged(in, t > 0, ip)
		}
	case code.CallLen:
		if !v.IsInt() || v.Int() < 0 {
			m.unfit("__len__", &fr.regs[subject(in)], v, ip)
		}
		fr.store(a, v)
	case code.CallText:
		if _, isText := v.Ref().(starlark.String); !isText {
			name := "__str__"
			if c, ok := fr.regs[a].Ref().(value.Callable); ok && c.Builtin.Name == "repr" {
				name = "__repr__"
			}
			m.unfit(name, &fr.regs[subject(in)], v, ip)
		}
		fr.store(a, v)
	case code.CallHash:
		h, err := object.HashOf(fr.regs[subject(in)].Ref(), v.Value())
		if err != nil {
			m.fail(err, ip)
		}
		fr.store(a, slot.Int(h))
	case code.CallIterates:
		m.iteratesOver(in, v, ip)
	case code.CallNexts:
		fr.store(a, v)
		fr.ip += int(in.D) - 1
	case code.CallExits:
		if _, failed := fr.regs[in.B].Ref().(*handled); failed && m.truth(&v, ip) > 0 {
			fr.regs[in.B].Clear()
		}
	}
}

// subject is the register of the object whose special method an instruction has called.
func subject(in code.Instr) uint8 {
	switch in.Op {
	case code.CallOp:
		return in.A + 1
	case code.Not:
		return in.B
	}
	return in.A
}

// unfit fails for what a special method has returned.
func (m *Machine) unfit(name string, of *slot.Slot, v slot.Slot, ip int) {
	m.fail(value.Objects.Unfit(name, of.Ref(), v.Value()), ip)
}

// judged goes on where an object is true, or is not.
func (m *Machine) judged(in code.Instr, truth bool, ip int) {
	fr := m.fr
	switch in.Op {
	case code.Not:
		fr.regs[in.A] = slot.Bool(!truth)
	case code.CallOp:
		fr.regs[in.A] = slot.Bool(truth)
	default:
		if truth != (in.Op == code.JumpIf || in.Op == code.When) {
			return
		}
		if in.D < 0 {
			if m.budget--; m.budget < 0 && !m.pause(ip) {
				return
			}
		}
		fr.ip = ip + int(in.D) - 1
	}
}

// declined goes on with an operation whose method returned NotImplemented.
func (m *Machine) declined(kind uint8) {
	fr := m.fr
	in := fr.fn.code.At(fr.ip)
	op, x, y, flags := m.operands(in)
	m.decline(kind, op, x, y, flags&^code.Changes, in.A, fr.ip)
}

func (m *Machine) decline(kind uint8, op code.Op, x, y *slot.Slot, flags int32, a uint8, ip int) (
	ok bool) {
	defer m.guard(m.fr.depth, ip, &ok)
	var v starlark.Value
	var err error
	switch kind {
	case code.CallChanges:
		v, err = m.operator(op, x.Value(), y.Value(), flags)
	case code.CallReflects:
		err = fmt.Errorf("unknown binary op: %s %s %s", x.Value().Type(), code.Tokens[op], y.Ref().Type())
	default:
		v, err = value.Objects.Declined(code.Tokens[op], x.Ref().(*value.Object), y.Value())
	}
	return m.done(a, v, err, ip)
}
