package vm

import (
	"math"

	"github.com/arignote/arignote/starlib/code"
	"github.com/arignote/arignote/starlib/slot"
	"github.com/arignote/arignote/starlib/value"
	"go.starlark.net/starlark"
)

// run runs from the innermost frame on until that returns.
//
// Only what every instruction needs is a variable here: Go keeps variables in memory that live
// across a call, and each case that calls would make it so for all. What is no fast case is a method
// that gets the instruction and where it stands, and reports whether to go on: if not, m.err says
// why.
func (m *Machine) run() (slot.Slot, error) {
	fr := &m.frames[len(m.frames)-1]
	ins, r, ip := fr.fn.code.Code, fr.regs, 0
	depth := len(m.frames) - 1
	for {
		in := ins[ip]
		switch in.Op {
		case code.Move:
			r[in.A] = r[in.B]
		case code.Load:
			r[in.A] = m.frames[len(m.frames)-1].fn.code.Consts[in.D]
		case code.Check:
			if !r[in.A].IsSet() {
				m.noLocal(in, ip)
				goto failed
			}

		case code.Add:
			x, y := &r[in.B], &r[in.C]
			if x.IsInt() && y.IsInt() {
				a, b := x.Int(), y.Int()
				if s := a + b; (s^a)&(s^b) >= 0 {
					r[in.A].SetInt(s)
					break
				}
			} else if x.IsFloat() && y.IsFloat() {
				r[in.A].SetFloat(x.Float() + y.Float())
				break
			}
			if !m.binary(in, ip) {
				goto failed
			}
		case code.AddI:
			x := &r[in.B]
			if x.IsInt() {
				a, b := x.Int(), int64(in.D)
				if s := a + b; (s^a)&(s^b) >= 0 {
					r[in.A].SetInt(s)
					break
				}
			} else if x.IsFloat() {
				r[in.A].SetFloat(x.Float() + float64(in.D))
				break
			}
			if !m.binaryInt(in, ip) {
				goto failed
			}
		case code.Sub:
			x, y := &r[in.B], &r[in.C]
			if x.IsInt() && y.IsInt() {
				a, b := x.Int(), y.Int()
				if s := a - b; (a^b)&(s^a) >= 0 {
					r[in.A].SetInt(s)
					break
				}
			} else if x.IsFloat() && y.IsFloat() {
				r[in.A].SetFloat(x.Float() - y.Float())
				break
			}
			if !m.binary(in, ip) {
				goto failed
			}
		case code.SubI:
			x := &r[in.B]
			if x.IsInt() {
				a, b := x.Int(), int64(in.D)
				if s := a - b; (a^b)&(s^a) >= 0 {
					r[in.A].SetInt(s)
					break
				}
			} else if x.IsFloat() {
				r[in.A].SetFloat(x.Float() - float64(in.D))
				break
			}
			if !m.binaryInt(in, ip) {
				goto failed
			}
		case code.Mul:
			x, y := &r[in.B], &r[in.C]
			if x.IsInt() && y.IsInt() {
				a, b := x.Int(), y.Int()
				if int64(int32(a)) == a && int64(int32(b)) == b {
					r[in.A].SetInt(a * b)
					break
				}
			} else if x.IsFloat() && y.IsFloat() {
				r[in.A].SetFloat(x.Float() * y.Float())
				break
			}
			if !m.binary(in, ip) {
				goto failed
			}
		case code.MulI:
			x := &r[in.B]
			if x.IsInt() {
				if a := x.Int(); int64(int32(a)) == a {
					r[in.A].SetInt(a * int64(in.D))
					break
				}
			} else if x.IsFloat() {
				r[in.A].SetFloat(x.Float() * float64(in.D))
				break
			}
			if !m.binaryInt(in, ip) {
				goto failed
			}
		case code.Div:
			x, y := &r[in.B], &r[in.C]
			if x.IsFloat() && y.IsFloat() && y.Float() != 0 {
				r[in.A].SetFloat(x.Float() / y.Float())
				break
			}
			if !m.binary(in, ip) {
				goto failed
			}
		case code.FloorI:
			x := &r[in.B]
			if x.IsInt() && in.D > 0 {
				a, b := x.Int(), int64(in.D)
				q := a / b
				if a%b < 0 {
					q--
				}
				r[in.A].SetInt(q)
				break
			}
			if !m.binaryInt(in, ip) {
				goto failed
			}
		case code.ModI:
			x := &r[in.B]
			if x.IsInt() && in.D > 0 {
				b := int64(in.D)
				rem := x.Int() % b
				if rem < 0 {
					rem += b
				}
				r[in.A].SetInt(rem)
				break
			}
			if !m.binaryInt(in, ip) {
				goto failed
			}
		case code.Mod:
			x, y := &r[in.B], &r[in.C]
			if x.IsInt() && y.IsInt() && y.Int() > 0 {
				rem := x.Int() % y.Int()
				if rem < 0 {
					rem += y.Int()
				}
				r[in.A].SetInt(rem)
				break
			}
			if !m.binary(in, ip) {
				goto failed
			}

		case code.Lt:
			x, y := &r[in.B], &r[in.C]
			if x.IsInt() && y.IsInt() {
				r[in.A].SetRef(starlark.Bool(x.Int() < y.Int()))
			} else if x.IsFloat() && y.IsFloat() {
				r[in.A].SetRef(starlark.Bool(x.Float() < y.Float()))
			} else if !m.binary(in, ip) {
				goto failed
			}
		case code.Le:
			x, y := &r[in.B], &r[in.C]
			if x.IsInt() && y.IsInt() {
				r[in.A].SetRef(starlark.Bool(x.Int() <= y.Int()))
			} else if x.IsFloat() && y.IsFloat() {
				r[in.A].SetRef(starlark.Bool(x.Float() <= y.Float()))
			} else if !m.binary(in, ip) {
				goto failed
			}
		case code.Gt:
			x, y := &r[in.B], &r[in.C]
			if x.IsInt() && y.IsInt() {
				r[in.A].SetRef(starlark.Bool(x.Int() > y.Int()))
			} else if x.IsFloat() && y.IsFloat() {
				r[in.A].SetRef(starlark.Bool(x.Float() > y.Float()))
			} else if !m.binary(in, ip) {
				goto failed
			}
		case code.Ge:
			x, y := &r[in.B], &r[in.C]
			if x.IsInt() && y.IsInt() {
				r[in.A].SetRef(starlark.Bool(x.Int() >= y.Int()))
			} else if x.IsFloat() && y.IsFloat() {
				r[in.A].SetRef(starlark.Bool(x.Float() >= y.Float()))
			} else if !m.binary(in, ip) {
				goto failed
			}
		case code.Eq:
			x, y := &r[in.B], &r[in.C]
			if x.IsInt() && y.IsInt() {
				r[in.A].SetRef(starlark.Bool(x.Int() == y.Int()))
			} else if x.IsFloat() && y.IsFloat() {
				r[in.A].SetRef(starlark.Bool(x.Float() == y.Float()))
			} else if !m.binary(in, ip) {
				goto failed
			}
		case code.Ne:
			x, y := &r[in.B], &r[in.C]
			if x.IsInt() && y.IsInt() {
				r[in.A].SetRef(starlark.Bool(x.Int() != y.Int()))
			} else if x.IsFloat() && y.IsFloat() {
				r[in.A].SetRef(starlark.Bool(x.Float() != y.Float()))
			} else if !m.binary(in, ip) {
				goto failed
			}
		case code.LtI:
			if x := &r[in.B]; x.IsInt() {
				r[in.A].SetRef(starlark.Bool(x.Int() < int64(in.D)))
			} else if !m.binaryInt(in, ip) {
				goto failed
			}
		case code.LeI:
			if x := &r[in.B]; x.IsInt() {
				r[in.A].SetRef(starlark.Bool(x.Int() <= int64(in.D)))
			} else if !m.binaryInt(in, ip) {
				goto failed
			}
		case code.GtI:
			if x := &r[in.B]; x.IsInt() {
				r[in.A].SetRef(starlark.Bool(x.Int() > int64(in.D)))
			} else if !m.binaryInt(in, ip) {
				goto failed
			}
		case code.GeI:
			if x := &r[in.B]; x.IsInt() {
				r[in.A].SetRef(starlark.Bool(x.Int() >= int64(in.D)))
			} else if !m.binaryInt(in, ip) {
				goto failed
			}
		case code.EqI:
			if x := &r[in.B]; x.IsInt() {
				r[in.A].SetRef(starlark.Bool(x.Int() == int64(in.D)))
			} else if !m.binaryInt(in, ip) {
				goto failed
			}
		case code.NeI:
			if x := &r[in.B]; x.IsInt() {
				r[in.A].SetRef(starlark.Bool(x.Int() != int64(in.D)))
			} else if !m.binaryInt(in, ip) {
				goto failed
			}

		case code.Neg:
			if x := &r[in.B]; x.IsFloat() {
				r[in.A].SetFloat(-x.Float())
			} else if x.IsInt() && x.Int() != math.MinInt64 {
				r[in.A].SetInt(-x.Int())
			} else if !m.unary(in, ip) {
				goto failed
			}
		case code.Not:
			if b, ok := r[in.B].Ref().(starlark.Bool); ok {
				r[in.A].SetRef(!b)
			} else if !m.unary(in, ip) {
				goto failed
			}

		case code.Jump:
			if in.D < 0 {
				if m.budget--; m.budget < 0 && !m.pause(ip) {
					goto failed
				}
			}
			ip += int(in.D)
			continue
		case code.JumpNo:
			x := &r[in.A]
			b, ok := x.Ref().(starlark.Bool)
			if !ok {
				t := m.truth(x, ip)
				if t < 0 {
					goto failed
				}
				b = t > 0
			}
			if !b {
				ip += int(in.D)
				continue
			}
		case code.JumpIf:
			x := &r[in.A]
			b, ok := x.Ref().(starlark.Bool)
			if !ok {
				t := m.truth(x, ip)
				if t < 0 {
					goto failed
				}
				b = t > 0
			}
			if b {
				ip += int(in.D)
				continue
			}

		case code.Var:
			if v := m.frames[len(m.frames)-1].fn.module.vars[in.D]; v.v.IsSet() {
				r[in.A] = v.v
			} else {
				m.noName(v.name, ip)
				goto failed
			}
		case code.SetVar:
			v := m.frames[len(m.frames)-1].fn.module.vars[in.D]
			v.v, v.assigned = r[in.A], true
		case code.Next:
			it := r[in.A].Ref().(*iterator)
			if it.kind == iterRange {
				if it.i == it.n {
					ip += int(in.D)
					continue
				}
				r[in.B].SetInt(it.start + it.i*it.step)
				it.i++
				break
			}
			switch m.next(it, &r[in.B], ip) {
			case ended:
				ip += int(in.D)
				continue
			case failed:
				goto failed
			}

		case code.Index:
			x, i := &r[in.B], &r[in.C]
			if list, ok := x.Ref().(*slot.List); ok && i.IsInt() {
				n, k := int64(list.Len()), i.Int()
				if k < 0 {
					k += n
				}
				if uint64(k) < uint64(n) {
					r[in.A] = *list.At(int(k))
					break
				}
			}
			if !m.index(in, ip) {
				goto failed
			}
		case code.SetIndex:
			x, i := &r[in.A], &r[in.B]
			if list, ok := x.Ref().(*slot.List); ok && i.IsInt() && list.Mutable() {
				n, k := int64(list.Len()), i.Int()
				if k < 0 {
					k += n
				}
				if uint64(k) < uint64(n) {
					*list.At(int(k)) = r[in.C]
					break
				}
			}
			if !m.setIndex(in, ip) {
				goto failed
			}
		case code.Attr, code.Method:
			switch m.field(in, ip) {
			case fieldEntered:
				goto entered
			case fieldFailed:
				goto failed
			}
		case code.SetAttr:
			if !m.setField(in, ip) {
				goto failed
			}

		case code.CallOp, code.CallMet:
			switch m.enterCall(in, ip) {
			case fieldEntered:
				goto entered
			case fieldFailed:
				goto failed
			}
		case code.Return:
			v := r[in.A]
			makes := fr.makes
			if m.leave(&v) {
				return v, nil
			}
			fr = &m.frames[len(m.frames)-1]
			ins, r, ip = fr.fn.code.Code, fr.regs, fr.ip
			if !makes {
				r[ins[ip].A] = v
			} else if !m.made(ins[ip], &v, ip) {
				goto failed
			}

		case code.Trap:
			m.trapped(ip)
			continue
		default:
			if !m.other(in, ip) {
				goto failed
			}
		}
		ip++
		continue
	entered:
		fr = &m.frames[len(m.frames)-1]
		ins, r, ip = fr.fn.code.Code, fr.regs, 0
	}
failed:
	err := m.err
	m.err = nil
	m.unwind(depth)
	return slot.Slot{}, err
}

// enterCall begins a call, or does it.
func (m *Machine) enterCall(in code.Instr, ip int) int {
	regs := m.top().regs
	at, n := int(in.A)+1, int(in.B)
	callee := regs[in.A].Ref()
	if in.Op == code.CallMet {
		if regs[at].IsSet() {
			n++
		} else {
			at++
		}
	} else if in.D != 0 {
		return m.plainCall(in, ip)
	}
	args := regs[at : at+n]
	entered := false
	if f, ok := callee.(*Function); ok {
		entered = m.enter(f, nil, args, in.C, ip)
	} else if what := m.make(in, args, ip); what == fieldFound {
		return what
	} else if entered = what == fieldEntered; !entered && m.err == nil {
		entered = m.enterMethod(callee, args, in.C, ip)
	}
	if entered {
		return fieldEntered
	}
	if m.err != nil {
		return fieldFailed
	}
	return m.plainCall(in, ip)
}

// plainCall does a call without going on in the callee.
func (m *Machine) plainCall(in code.Instr, ip int) int {
	if m.call(in, ip) {
		return fieldFound
	}
	return fieldFailed
}

// enterMethod is enter for a method of the program's that is bound to its first argument.
func (m *Machine) enterMethod(callee starlark.Value, args []slot.Slot, kind uint8, ip int) bool {
	b, ok := callee.(value.BoundMethod)
	if !ok {
		return false
	}
	fn, self := b.Bound()
	f, ok := fn.(*Function)
	return ok && m.enter(f, self, args, kind, ip)
}

// enter begins the call of a function of the program's by another one, with self before the
// arguments if it is not nil. It reports false where call has to do it, or with m.err.
func (m *Machine) enter(f *Function, self starlark.Value, args []slot.Slot, kind uint8, ip int) bool {
	fr := &m.frames[len(m.frames)-1]
	fr.ip = ip
	n := len(args)
	if kind != code.CallPlain && kind != code.CallRun && (f.isForgetful() || lends(args)) {
		return false
	}
	if m.budget--; m.budget < 0 && !m.pause(ip) {
		return false
	}
	if err := m.enough(); err != nil {
		m.fail(err, ip)
		return false
	}
	to := m.push(f)
	to.kind = kind
	if self != nil || n != len(f.code.Params) || !f.simple() {
		if err := f.bindTo(to, self, args); err != nil {
			m.err = m.traced(err)
			return false
		}
	} else {
		copy(to.regs[:n], args)
	}
	to.makeCells()
	return true
}

// leave ends the innermost frame, which returns v, and reports whether it was called from Go.
func (m *Machine) leave(v *slot.Slot) (entry bool) {
	fr := &m.frames[len(m.frames)-1]
	entry = fr.entry
	if fr.kind >= code.CallHolds && fr.kind != code.CallRun {
		hold(v)
	}
	m.pop()
	return entry
}
