package vm

import (
	"github.com/arignote/arignote/starlib/arith"
	"github.com/arignote/arignote/starlib/code"
	"github.com/arignote/arignote/starlib/object"
	"github.com/arignote/arignote/starlib/slot"
	"github.com/arignote/arignote/starlib/value"
	"go.starlark.net/starlark"
	"go.starlark.net/syntax"
)

// top is the innermost frame.
func (m *Machine) top() *frame { return m.fr }

// fail notes why an instruction failed.
func (m *Machine) fail(err error, ip int) {
	m.top().ip = ip
	m.err = m.traced(err)
}

// done stores what an instruction made, and reports whether the program goes on.
func (m *Machine) done(a uint8, v starlark.Value, err error, ip int) bool {
	if err == nil {
		m.top().regs[a] = slot.Of(v)
	}
	return m.went(err, ip)
}

// guard makes a panic of what an instruction calls its error. It is deferred.
func (m *Machine) guard(depth, ip int, ok *bool) {
	if p := recover(); p != nil {
		m.panicked(p, depth, ip)
		*ok = false
	}
}

// panicked makes a panic the error of the instruction of the frame at depth.
func (m *Machine) panicked(p any, depth, ip int) {
	err := value.Recovered(p)
	m.unwind(depth)
	m.fail(err, ip)
}

// slow runs the instruction of the innermost frame, which is no fast case of run, and reports
// whether to go on: with the instruction behind that of the frame which is the innermost one then.
// If not, m.err says why.
func (m *Machine) slow() bool {
	fr := m.fr
	in := fr.fn.code.Words[fr.ip]
	near := nears[in.Op()]
	return near != nil && near(m, in, fr.ip) || m.far(fr.fn.code.Code[fr.ip], fr.ip)
}

// far runs what is not near either.
func (m *Machine) far(in code.Instr, ip int) bool {
	if code.Add <= in.Op && in.Op <= code.NeK || in.Op == code.Is || in.Op == code.MatMul {
		return m.binary(in, ip)
	}
	switch in.Op {
	case code.Not:
		if truth, known := value.TruthOf(&m.fr.regs[in.B]); known {
			m.fr.regs[in.A].SetRef(starlark.Bool(!truth))
			return true
		}
		return m.unary(in, ip)
	case code.Neg, code.Plus, code.Invert:
		return m.unary(in, ip)
	case code.Jump, code.JumpIf, code.JumpNo, code.When, code.Unless:
		return m.jump(in, ip)
	case code.Index, code.IndexPair:
		return m.index(in, ip)
	case code.SetIndex, code.SetPair:
		return m.setIndex(in, ip)
	case code.Next:
		return m.round(in, ip)
	case code.Method:
		return m.field(in, ip)
	case code.Enter:
		if begun := m.beginEnter(in, ip); begun || m.err != nil {
			return begun
		}
	case code.Exit:
		if begun := m.beginExit(in, ip); begun || m.err != nil {
			return begun
		}
	case code.DelIndex:
		if m.removed(in) {
			return true
		}
	case code.Attr, code.Change:
		return m.field(in, ip)
	case code.SetAttr:
		return m.setField(in, ip)
	case code.CallOp, code.CallMet:
		return m.called(in, ip)
	case code.Pin:
		x := &m.fr.regs[in.A]
		*x = x.Escape()
		return true
	case code.Spread:
		return value.SpreadsQuickly(&m.fr.regs[in.A]) || m.other(in, ip)
	case code.SliceBy:
		return m.slicedBy(in, ip)
	case code.Check:
		m.noLocal(in, ip)
		return false
	case code.Var:
		m.noName(m.fr.fn.module.vars[in.D].name, ip)
		return false
	case code.Match:
		is, err := object.Matches(m.fr.regs[in.A].Value(), m.fr.regs[in.B].Ref().(*handled).exception)
		if err == nil {
			m.fr.regs[in.A] = slot.Bool(is)
			return true
		}
		m.fail(err, ip)
		return false
	case code.Trap:
		m.trapped(ip)
		return true
	}
	return m.other(in, ip)
}

// jump is one that the loop does not take: of what is no bool, and when it is time to pause.
func (m *Machine) jump(in code.Instr, ip int) bool {
	if in.Op != code.Jump {
		if o, ok := m.fr.regs[in.A].Ref().(*value.Object); ok {
			if begun := m.beginTruth(o, in.A, ip); begun || m.err != nil {
				return begun
			}
		}
		t := m.truth(&m.fr.regs[in.A], ip)
		if t < 0 {
			return false
		}
		if wants := in.Op == code.JumpIf || in.Op == code.When; wants != (t > 0) {
			return true
		}
	}
	if in.D < 0 {
		if m.budget--; m.budget < 0 && !m.pause(ip) {
			return false
		}
	}
	m.fr.ip = ip + int(in.D) - 1
	return true
}

// pause is what calls and rounds of loops do now and then.
func (m *Machine) pause(ip int) bool {
	fr := m.top()
	fr.ip = ip
	if m.later <= 0 {
		m.pace(m.tick())
		m.texts.Forget()
	}
	m.lookBetween(ip)
	if err := m.stopped(); err != nil {
		m.fail(err, ip)
		return false
	}
	return true
}

// trapped samples where a Trap was, and puts the instruction back.
func (m *Machine) trapped(ip int) {
	fr := m.top()
	fr.fn.code.Untrap()
	if m.sampler != nil {
		m.sampler.Sample()
	}
	fr.ip = ip - 1
}

// truth is 1 for what is true, 0 for what is false, -1 if the program fails.
func (m *Machine) truth(s *slot.Slot, ip int) (t int) {
	truth := false
	switch {
	case s.IsInt():
		truth = s.Int() != 0
	case s.IsFloat(), s.IsDouble():
		truth = s.Float() != 0
	default:
		if b, isBool := s.Ref().(starlark.Bool); isBool {
			truth = bool(b)
			break
		}
		ok := true
		truth = m.truthOf(s.Borrowed(), ip, &ok)
		if !ok {
			return -1
		}
	}
	if truth {
		return 1
	}
	return 0
}

func (m *Machine) truthOf(v starlark.Value, ip int, ok *bool) (truth bool) {
	if v == starlark.Value(starlark.None) {
		return false
	}
	m.top().ip = ip
	defer m.guard(m.fr.depth, ip, ok)
	truth = bool(v.Truth())
	if err := m.stopped(); err != nil { // Truth can give no error
		m.fail(err, ip)
		*ok = false
	}
	return truth
}

// ofInt and ofFloat are the instructions of operators of two registers, of those with a constant.
var ofInt, ofFloat = without(code.WithInt), without(code.WithFloat)

func without(constant map[code.Op]code.Op) (ops [code.Ops]code.Op) {
	for op, with := range constant {
		ops[with] = op
	}
	return ops
}

// operands are what x op y is of, whatever the form of the instruction. They are places that hold
// them until another instruction is asked for its operands.
func (m *Machine) operands(in code.Instr) (op code.Op, x, y *slot.Slot, flags int32) {
	r := m.fr.regs
	x = &r[in.B]
	if op = ofInt[in.Op]; op != code.Nop {
		m.written.SetInt(int64(in.D))
		return op, x, &m.written, int32(in.C)
	}
	if op = ofFloat[in.Op]; op == code.Nop {
		return in.Op, x, &r[in.C], in.D
	}
	y = &m.fr.fn.code.Consts[in.D]
	if in.C&code.Swapped != 0 {
		x, y = y, x
	}
	return op, x, y, int32(in.C)
}

// binary is x op y where the loop does not know better.
func (m *Machine) binary(in code.Instr, ip int) bool {
	op, x, y, flags := m.operands(in)
	if _, isObject := x.Ref().(*value.Object); isObject {
		return m.operate(op, in, x, y, flags, ip)
	}
	z := &m.fr.regs[in.A] // may be x or y
	if arith.Numbers(op, x, y, z) || (x.IsDouble() || y.IsDouble()) && m.doubles(op, x, y, z, ip) {
		return true
	}
	if known, err := arith.Plain(op, x, y, z, flags, &m.texts); known {
		return op >= code.Lt && err == nil || m.went(err, ip) // a comparison makes nothing large
	}
	return m.operate(op, in, x, y, flags, ip)
}

// doubles is x op y of which one is a double at least. Of a comparison only its truth is known
// here.
func (m *Machine) doubles(op code.Op, x, y, z *slot.Slot, ip int) (ok bool) {
	if code.Lt <= op && op <= code.Ne {
		if next := m.fr.fn.code.Code[ip+1].Op; next != code.Unless && next != code.When {
			return false
		}
	}
	return arith.Doubles(op, x, y, z)
}

// operate is x op y of arrays, of objects, and of what operator does.
func (m *Machine) operate(op code.Op, in code.Instr, x, y *slot.Slot, flags int32, ip int) bool {
	if _, isObject := x.Ref().(*value.Object); !isObject {
		if is, ok := m.arrays(op, in, x, y, flags, ip); is {
			return ok
		}
	}
	if begun := m.beginOperator(op, in.A, x, y, flags, ip); begun || m.err != nil {
		return begun
	}
	return m.operateSlowly(op, in, x, y, flags, ip)
}

// operateSlowly is x op y of what asks values.
func (m *Machine) operateSlowly(op code.Op, in code.Instr, x, y *slot.Slot, flags int32, ip int) (ok bool) {
	m.top().ip = ip
	defer m.guard(m.fr.depth, ip, &ok)
	v, err := m.operator(op, x.Value(), y.Value(), flags)
	return m.done(in.A, v, err, ip)
}

// changes reports whether an operator is that of x op= y.
func changes(op code.Op, flags int32) bool {
	if op == code.Pow || op == code.Is || op == code.MatMul {
		return flags < 0
	}
	return flags&code.Changes != 0
}

// operator is x op y of any values. Of Pow and Is, flags is the constant that is called.
func (m *Machine) operator(op code.Op, x, y starlark.Value, flags int32) (starlark.Value, error) {
	switch op {
	case code.Pow, code.Is, code.MatMul:
		if op == code.Pow {
			x, y = value.BoolsAsInts(syntax.STARSTAR, x, y)
		}
		if flags < 0 {
			flags = -1 - flags
		}
		fn := m.top().fn.code.Consts[flags].Ref()
		return fn.(starlark.Callable).CallInternal(m.thread, starlark.Tuple{x, y}, nil)
	}
	token := code.Tokens[op]
	if op < code.Lt || op > code.NotIn {
		if z, ok := value.Bits(token, x, y); ok {
			return z, nil
		}
		x, y = value.BoolsAsInts(token, x, y)
	}
	if flags&code.Changes != 0 {
		return value.Update(m.host(), token, x, y)
	}
	switch op {
	case code.Lt, code.Le, code.Gt, code.Ge, code.Eq, code.Ne:
		return value.CompareIn(m.thread, token, x, y)
	case code.Add:
		host := value.HostOf(m.thread)
		x, y = value.On(host, value.Term(x)), value.On(host, value.Term(y))
	case code.Mul:
		host := m.host()
		x, y = value.On(host, value.Factor(x)), value.On(host, value.Factor(y))
	case code.FloorDiv, code.Mod:
		if text, ok := x.(starlark.String); ok && op == code.Mod {
			out, err := value.FormatPercent(m.thread, string(text), y)
			return starlark.String(out), err
		}
		if text, ok := x.(starlark.Bytes); ok && op == code.Mod {
			return value.FormatBytes(m.thread, text, y)
		}
		return value.Divide(m.host(), token, x, y)
	case code.Shl, code.Shr:
		return value.Shift(token, x, y)
	case code.In, code.NotIn:
		x, err := value.Key(x)
		if err != nil {
			return nil, err
		}
		if host := m.host(); host != nil {
			y = value.On(host, value.Items(y))
		}
		return value.In(token, x, y)
	}
	return starlark.Binary(token, x, y)
}

// unary is op x.
func (m *Machine) unary(in code.Instr, ip int) (ok bool) {
	m.top().ip = ip
	x := &m.top().regs[in.B]
	if begun := m.beginUnary(in, x, ip); begun || m.err != nil {
		return begun
	}
	defer m.guard(m.fr.depth, ip, &ok)
	if in.Op == code.Not {
		t := m.truth(x, ip)
		if t < 0 {
			return false
		}
		m.top().regs[in.A] = slot.Bool(t == 0)
		return true
	}
	if arrayIn(x) != nil {
		return m.arrayUnary(in, x)
	}
	v := x.Value()
	v, err := starlark.Unary(code.Tokens[in.Op], value.Whole(v))
	return m.done(in.A, v, err, ip)
}
