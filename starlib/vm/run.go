package vm

import (
	"math"

	"github.com/arignote/arignote/starlib/code"
	"github.com/arignote/arignote/starlib/slot"
	"github.com/arignote/arignote/starlib/value"
	"go.starlark.net/starlark"
)

// run runs from the instruction behind that of the innermost frame on until that returns, or waits;
// if m.err is set, that is what its instruction has failed with.
//
// Go keeps a variable in memory, and writes it there before each instruction, if it lives across a
// call in any of the cases. So none does: what is no fast case goes to slow, behind which all
// variables are those of the frame that is the innermost one then. What is near stays in its frame,
// so that only ip has to be read again.
//
// Beyond 5000 nodes Go inlines next to nothing into a function, and all of this is half as fast:
// whoever adds a case looks whether SetFloat is called yet (go tool objdump).
func (m *Machine) run() (slot.Slot, error) {
	depth := m.fr.depth - 1
	if m.err != nil && !m.land(depth) {
		return slot.Slot{}, m.failed()
	}
resumed:
	fr := m.fr
	r := fr.regs
	_ = *r // not nil from here on
	ins, consts, ip := fr.fn.code.Words, fr.fn.code.Consts, fr.ip+1
	goto begun
lined: // the instruction whose place a Line has taken
	fr = m.fr
	r = fr.regs
	ins, consts, ip = fr.fn.code.Once, fr.fn.code.Consts, fr.ip
begun:
	_ = *r // here too
	for ; ; ip++ {
		in := ins[ip]
		var holds bool // of a comparison
		switch in.Op() {
		case code.Nop, code.Trap: // so that the table of cases begins with 0
			goto slow
		case code.Move:
			r[in.A()] = r[in.B()]
		case code.Assign:
			if r[in.A()].IsOwn() {
				goto slow
			}
			r[in.A()] = r[in.B()]
		case code.Load:
			r[in.A()] = consts[in.D()]
		case code.Check:
			if !r[in.A()].IsSet() {
				goto slow
			}
		case code.Cell:
			var c *cell
			if at := in.D(); at >= 0 {
				c = fr.cells[at]
			} else {
				c = fr.fn.free[-1-at]
			}
			if !c.v.IsSet() {
				goto slow
			}
			r[in.A()] = c.v
		case code.SetCel:
			if r[in.A()].IsOwn() {
				goto slow
			}
			var c *cell
			if at := in.D(); at >= 0 {
				c = fr.cells[at]
			} else {
				c = fr.fn.free[-1-at]
			}
			c.v = r[in.A()]
		case code.Glob:
			g := &fr.fn.module.globals[in.D()]
			if !g.IsSet() {
				goto slow
			}
			r[in.A()] = *g
		case code.Var:
			v := fr.fn.module.vars[in.D()]
			if !v.v.IsSet() {
				goto slow
			}
			r[in.A()] = v.v
		case code.SetVar:
			v := fr.fn.module.vars[in.D()]
			if r[in.A()].IsOwn() || v.v.IsOwn() {
				goto slow
			}
			v.v, v.assigned = r[in.A()], true

		case code.Add:
			x, y := &r[in.B()], &r[in.C()]
			if x.IsInt() && y.IsInt() {
				a, b := x.Int(), y.Int()
				s := a + b
				if (s^a)&(s^b) < 0 {
					goto slow
				}
				r[in.A()].SetInt(s)
			} else if x.IsFloat() && y.IsFloat() {
				r[in.A()].SetFloat(x.Float() + y.Float())
			} else if x.IsDouble() && y.IsDouble() {
				r[in.A()].SetDouble(x.Float() + y.Float())
			} else {
				goto slow
			}
		case code.AddI:
			x := &r[in.B()]
			if x.IsInt() {
				a, b := x.Int(), int64(in.D())
				s := a + b
				if (s^a)&(s^b) < 0 {
					goto slow
				}
				r[in.A()].SetInt(s)
			} else if x.IsFloat() {
				r[in.A()].SetFloat(x.Float() + float64(in.D()))
			} else {
				goto slow
			}
		case code.Sub:
			x, y := &r[in.B()], &r[in.C()]
			if x.IsInt() && y.IsInt() {
				a, b := x.Int(), y.Int()
				s := a - b
				if (a^b)&(s^a) < 0 {
					goto slow
				}
				r[in.A()].SetInt(s)
			} else if x.IsFloat() && y.IsFloat() {
				r[in.A()].SetFloat(x.Float() - y.Float())
			} else if x.IsDouble() && y.IsDouble() {
				r[in.A()].SetDouble(x.Float() - y.Float())
			} else {
				goto slow
			}
		case code.SubI:
			x := &r[in.B()]
			if x.IsInt() {
				a, b := x.Int(), int64(in.D())
				s := a - b
				if (a^b)&(s^a) < 0 {
					goto slow
				}
				r[in.A()].SetInt(s)
			} else if x.IsFloat() {
				r[in.A()].SetFloat(x.Float() - float64(in.D()))
			} else {
				goto slow
			}
		case code.Mul:
			x, y := &r[in.B()], &r[in.C()]
			if x.IsFloat() && y.IsFloat() {
				r[in.A()].SetFloat(x.Float() * y.Float())
			} else if x.IsDouble() && y.IsDouble() {
				r[in.A()].SetDouble(x.Float() * y.Float())
			} else if x.IsInt() && y.IsInt() {
				a, b := x.Int(), y.Int()
				if int64(int32(a)) != a || int64(int32(b)) != b {
					goto slow
				}
				r[in.A()].SetInt(a * b)
			} else {
				goto slow
			}
		case code.MulI:
			x := &r[in.B()]
			if x.IsInt() {
				a := x.Int()
				if int64(int32(a)) != a {
					goto slow
				}
				r[in.A()].SetInt(a * int64(in.D()))
			} else if x.IsFloat() {
				r[in.A()].SetFloat(x.Float() * float64(in.D()))
			} else {
				goto slow
			}
		case code.AddK:
			x := &r[in.B()]
			if x.IsFloat() {
				r[in.A()].SetFloat(x.Float() + consts[in.D()].Float())
			} else if x.IsDouble() {
				r[in.A()].SetDouble(x.Float() + consts[in.D()].Float())
			} else {
				goto slow
			}
		case code.SubK:
			x := &r[in.B()]
			if x.IsFloat() {
				r[in.A()].SetFloat(x.Float() - consts[in.D()].Float())
			} else if x.IsDouble() {
				r[in.A()].SetDouble(x.Float() - consts[in.D()].Float())
			} else {
				goto slow
			}
		case code.MulK:
			x := &r[in.B()]
			if x.IsFloat() {
				r[in.A()].SetFloat(x.Float() * consts[in.D()].Float())
			} else if x.IsDouble() {
				r[in.A()].SetDouble(x.Float() * consts[in.D()].Float())
			} else {
				goto slow
			}
		case code.Div:
			x, y := &r[in.B()], &r[in.C()]
			if !x.IsFloat() || !y.IsFloat() || y.Float() == 0 {
				goto slow
			}
			r[in.A()].SetFloat(x.Float() / y.Float())
		case code.DivK:
			if !r[in.B()].IsFloat() {
				goto slow
			}
			r[in.A()].SetFloat(r[in.B()].Float() / consts[in.D()].Float())
		case code.FloorDiv:
			x, y := &r[in.B()], &r[in.C()]
			if !x.IsInt() || !y.IsInt() || y.Int() <= 0 {
				goto slow
			}
			q, rem := x.Int()/y.Int(), x.Int()%y.Int()
			if rem < 0 {
				q--
			}
			r[in.A()].SetInt(q)
		case code.FloorI:
			x := &r[in.B()]
			if !x.IsInt() || in.D() <= 0 {
				goto slow
			}
			q, rem := x.Int()/int64(in.D()), x.Int()%int64(in.D())
			if rem < 0 {
				q--
			}
			r[in.A()].SetInt(q)
		case code.Mod:
			x, y := &r[in.B()], &r[in.C()]
			if !x.IsInt() || !y.IsInt() || y.Int() <= 0 {
				goto slow
			}
			rem := x.Int() % y.Int()
			if rem < 0 {
				rem += y.Int()
			}
			r[in.A()].SetInt(rem)
		case code.ModI:
			x := &r[in.B()]
			if !x.IsInt() || in.D() <= 0 {
				goto slow
			}
			rem := x.Int() % int64(in.D())
			if rem < 0 {
				rem += int64(in.D())
			}
			r[in.A()].SetInt(rem)
		case code.And:
			x, y := &r[in.B()], &r[in.C()]
			if !x.IsInt() || !y.IsInt() {
				goto slow
			}
			r[in.A()].SetInt(x.Int() & y.Int())
		case code.Or:
			x, y := &r[in.B()], &r[in.C()]
			if !x.IsInt() || !y.IsInt() {
				goto slow
			}
			r[in.A()].SetInt(x.Int() | y.Int())
		case code.Xor:
			x, y := &r[in.B()], &r[in.C()]
			if !x.IsInt() || !y.IsInt() {
				goto slow
			}
			r[in.A()].SetInt(x.Int() ^ y.Int())
		case code.Shl:
			x, y := &r[in.B()], &r[in.C()]
			if !x.IsInt() || !y.IsInt() || uint64(y.Int()) > 62 {
				goto slow
			}
			a := x.Int() << y.Int()
			if a>>y.Int() != x.Int() {
				goto slow
			}
			r[in.A()].SetInt(a)
		case code.Shr:
			x, y := &r[in.B()], &r[in.C()]
			if !x.IsInt() || !y.IsInt() || uint64(y.Int()) > 63 {
				goto slow
			}
			r[in.A()].SetInt(x.Int() >> y.Int())

		case code.Lt:
			x, y := &r[in.B()], &r[in.C()]
			if x.IsInt() && y.IsInt() {
				holds = x.Int() < y.Int()
				goto compared
			} else if x.IsFloat() && y.IsFloat() {
				holds = x.Float() < y.Float()
				goto compared
			}
			goto slow
		case code.Le:
			x, y := &r[in.B()], &r[in.C()]
			if x.IsInt() && y.IsInt() {
				holds = x.Int() <= y.Int()
				goto compared
			} else if x.IsFloat() && y.IsFloat() {
				holds = x.Float() <= y.Float()
				goto compared
			}
			goto slow
		case code.Gt:
			x, y := &r[in.B()], &r[in.C()]
			if x.IsInt() && y.IsInt() {
				holds = x.Int() > y.Int()
				goto compared
			} else if x.IsFloat() && y.IsFloat() {
				holds = x.Float() > y.Float()
				goto compared
			}
			goto slow
		case code.Ge:
			x, y := &r[in.B()], &r[in.C()]
			if x.IsInt() && y.IsInt() {
				holds = x.Int() >= y.Int()
				goto compared
			} else if x.IsFloat() && y.IsFloat() {
				holds = x.Float() >= y.Float()
				goto compared
			}
			goto slow
		case code.Eq:
			x, y := &r[in.B()], &r[in.C()]
			if x.IsInt() && y.IsInt() {
				holds = x.Int() == y.Int()
				goto compared
			} else if x.IsFloat() && y.IsFloat() {
				holds = x.Float() == y.Float()
				goto compared
			}
			goto slow
		case code.Ne:
			x, y := &r[in.B()], &r[in.C()]
			if x.IsInt() && y.IsInt() {
				holds = x.Int() != y.Int()
				goto compared
			} else if x.IsFloat() && y.IsFloat() {
				holds = x.Float() != y.Float()
				goto compared
			}
			goto slow
		case code.LtI:
			if !r[in.B()].IsInt() {
				goto slow
			}
			holds = r[in.B()].Int() < int64(in.D())
			goto compared
		case code.LeI:
			if !r[in.B()].IsInt() {
				goto slow
			}
			holds = r[in.B()].Int() <= int64(in.D())
			goto compared
		case code.GtI:
			if !r[in.B()].IsInt() {
				goto slow
			}
			holds = r[in.B()].Int() > int64(in.D())
			goto compared
		case code.GeI:
			if !r[in.B()].IsInt() {
				goto slow
			}
			holds = r[in.B()].Int() >= int64(in.D())
			goto compared
		case code.EqI:
			if !r[in.B()].IsInt() {
				goto slow
			}
			holds = r[in.B()].Int() == int64(in.D())
			goto compared
		case code.NeI:
			if !r[in.B()].IsInt() {
				goto slow
			}
			holds = r[in.B()].Int() != int64(in.D())
			goto compared

		case code.LtK:
			if !r[in.B()].IsFloat() {
				goto slow
			}
			holds = r[in.B()].Float() < consts[in.D()].Float()
			goto compared
		case code.LeK:
			if !r[in.B()].IsFloat() {
				goto slow
			}
			holds = r[in.B()].Float() <= consts[in.D()].Float()
			goto compared
		case code.GtK:
			if !r[in.B()].IsFloat() {
				goto slow
			}
			holds = r[in.B()].Float() > consts[in.D()].Float()
			goto compared
		case code.GeK:
			if !r[in.B()].IsFloat() {
				goto slow
			}
			holds = r[in.B()].Float() >= consts[in.D()].Float()
			goto compared
		case code.EqK:
			if !r[in.B()].IsFloat() {
				goto slow
			}
			holds = r[in.B()].Float() == consts[in.D()].Float()
			goto compared
		case code.NeK:
			if !r[in.B()].IsFloat() {
				goto slow
			}
			holds = r[in.B()].Float() != consts[in.D()].Float()
			goto compared

		case code.Neg:
			if x := &r[in.B()]; x.IsFloat() {
				r[in.A()].SetFloat(-x.Float())
			} else if x.IsInt() && x.Int() != math.MinInt64 {
				r[in.A()].SetInt(-x.Int())
			} else {
				goto slow
			}
		case code.Not:
			b, ok := r[in.B()].Ref().(starlark.Bool)
			if !ok {
				goto slow
			}
			holds = bool(!b)
			goto compared

		case code.Is:
			if _, isNone := r[in.C()].Ref().(starlark.NoneType); !isNone {
				goto slow
			}
			_, holds = r[in.B()].Ref().(starlark.NoneType)
			goto compared

		case code.Key:
			x := &r[in.B()]
			if _, isText := x.Ref().(starlark.String); !isText && !x.IsInt() {
				goto slow
			}
			r[in.A()] = *x

		case code.Jump:
			if in.D() < 0 {
				if m.budget--; m.budget < 0 {
					goto slow
				}
			}
			ip += int(in.D()) - 1
			continue
		case code.JumpNo, code.Unless:
			b, ok := r[in.A()].Ref().(starlark.Bool)
			if !ok {
				goto truth
			}
			if !b {
				if in.D() < 0 {
					if m.budget--; m.budget < 0 {
						goto slow
					}
				}
				ip += int(in.D()) - 1
				continue
			}
		case code.JumpIf, code.When:
			b, ok := r[in.A()].Ref().(starlark.Bool)
			if !ok {
				goto truth
			}
			if b {
				if in.D() < 0 {
					if m.budget--; m.budget < 0 {
						goto slow
					}
				}
				ip += int(in.D()) - 1
				continue
			}

		case code.JumpUnset:
			if !r[in.A()].IsSet() {
				ip += int(in.D()) - 1
				continue
			}

		case code.Next:
			if m.budget--; m.budget < 0 {
				goto slow
			}
			it := r[in.A()].Ref().(*iterator)
			if it.kind == iterRange {
				if it.i == it.n {
					break
				}
				r[in.B()].SetInt(it.start + it.i*it.step)
			} else if it.kind == iterList {
				if it.i >= int64(it.list.Len()) {
					break
				}
				r[in.B()] = *it.list.At(int(it.i))
			} else if it.kind == iterGenerator {
				if fr.ip = ip; m.resumes(it.gen) || m.slow() {
					goto resumed
				}
				goto failed
			} else {
				goto slow
			}
			it.i++
			ip += int(in.D()) - 1
			continue

		case code.Index:
			x, i := &r[in.B()], &r[in.C()]
			list, ok := x.Ref().(*slot.List)
			if !ok || !i.IsInt() {
				goto slow
			}
			n, k := int64(list.Len()), i.Int()
			if k < 0 {
				k += n
			}
			if uint64(k) >= uint64(n) {
				goto slow
			}
			r[in.A()] = *list.At(int(k))
		case code.SetIndex:
			x, i := &r[in.A()], &r[in.B()]
			list, ok := x.Ref().(*slot.List)
			if !ok || !i.IsInt() || !list.Mutable() || r[in.C()].IsOwn() {
				goto slow
			}
			n, k := int64(list.Len()), i.Int()
			if k < 0 {
				k += n
			}
			if uint64(k) >= uint64(n) {
				goto slow
			}
			*list.At(int(k)) = r[in.C()]
		case code.Change:
			o, ok := r[in.B()].Ref().(*value.Object)
			if ok && ins[ip+2].Op() == code.SetAttr { // and no Trap
				s := fr.fn.module.sites[ins[ip+2].D()]
				if s.kind == value.FindsSlot && s.shape == o.Record.Shape && s.version == s.layout.Version {
					x, op := &o.Record.Slots[s.index], ins[ip+1]
					switch y := &r[op.C()]; {
					case op.Op() == code.Add && x.IsInt() && y.IsInt():
						a, b := x.Int(), y.Int()
						if z := a + b; (z^a)&(z^b) >= 0 {
							x.SetInt(z)
							ip += 2
							continue
						}
					case op.Op() == code.AddI && x.IsInt():
						a, b := x.Int(), int64(op.D())
						if z := a + b; (z^a)&(z^b) >= 0 {
							x.SetInt(z)
							ip += 2
							continue
						}
					case op.Op() == code.Add && x.IsFloat() && y.IsFloat():
						x.SetFloat(x.Float() + y.Float())
						ip += 2
						continue
					case op.Op() == code.Sub && x.IsFloat() && y.IsFloat():
						x.SetFloat(x.Float() - y.Float())
						ip += 2
						continue
					}
				}
			}
			fallthrough
		case code.Attr:
			o, ok := r[in.B()].Ref().(*value.Object)
			if !ok {
				goto slow
			}
			s := fr.fn.module.sites[in.D()]
			if s.kind != value.FindsSlot || s.shape != o.Record.Shape || s.version != s.layout.Version {
				goto slow
			}
			r[in.A()] = o.Record.Slots[s.index]
		case code.SetAttr:
			o, ok := r[in.A()].Ref().(*value.Object)
			if !ok {
				goto slow
			}
			s := fr.fn.module.sites[in.D()]
			if s.kind != value.FindsSlot || s.shape != o.Record.Shape || s.version != s.layout.Version {
				goto slow
			}
			if v, to := &r[in.B()], &o.Record.Slots[s.index]; v.IsInt() {
				to.SetInt(v.Int())
			} else if v.IsFloat() {
				to.SetFloat(v.Float())
			} else if v.IsOwn() {
				goto slow
			} else {
				*to = *v
			}
		case code.Method:
			o, ok := r[in.B()].Ref().(*value.Object)
			if !ok {
				goto slow
			}
			s := fr.fn.module.sites[in.D()]
			if s.kind != value.FindsMethod || s.shape != o.Record.Shape || s.version != s.layout.Version {
				goto slow
			}
			r[in.A()].SetRef(s.method)
			r[in.A()+1].SetRef(o)

		case code.CallOp, code.CallMet:
			f, ok := r[in.A()].Ref().(*Function)
			if !ok {
				goto slow
			}
			if in.D() != 0 {
				goto enter
			}
			n, first := in.B(), in.A()+1
			if in.Op() == code.CallMet {
				if r[first].IsSet() {
					n++
				} else {
					first++
				}
			}
			to, c := fr.inner, f.code
			if int(n) != c.Exact || in.C() > code.CallRun || m.budget <= 0 || to == nil || len(fr.free) < code.Registers {
				goto enter
			}
			regs := (*[code.Registers]slot.Slot)(fr.free)
			for i := range n {
				if r[first+i].IsOwn() {
					goto enter
				}
			}
			for ; n > 0; n-- {
				regs[n-1] = r[first+n-1]
			}
			m.budget--
			fr.ip = ip
			if to.regs != regs || len(to.free) != len(fr.free)-c.Registers { // not as at the last call from here
				to.regs, to.chunk = regs, fr.chunk
				to.free = fr.free[c.Registers:]
			}
			to.fn, to.ip, to.result = f, -1, in.A()
			m.fr, fr, r = to, to, regs
			ins, consts, ip = c.Words, c.Consts, 0
			goto begun
		case code.Return:
			if fr.entry || fr.kind != code.CallPlain || fr.cells != nil || fr.calls != nil {
				v, entry := m.leave(in.A())
				if entry {
					return v, nil
				} else if m.err != nil {
					goto failed
				}
				goto resumed
			}
			fr.outer.regs[fr.result] = r[in.A()]
			for i := range r[:fr.fn.code.Registers] {
				r[i].Clear()
			}
			fr.fn = nil
			fr = fr.outer
			m.fr, r = fr, fr.regs
			ins, consts, ip = fr.fn.code.Words, fr.fn.code.Consts, fr.ip+1
			goto begun

		case code.Yield, code.YieldFrom, code.Finish, code.Line, code.Back:
			fr.ip = ip
			switch m.turns(in) {
			case failed:
				goto failed
			case found: // for Go
				return m.given, nil
			case unwatched:
				goto lined
			}
			goto resumed
		default:
			goto slow
		}
		continue

	truth: // of what is no bool, in a jump
		if !r[in.A()].IsInt() || in.D() < 0 {
			goto slow
		}
		if (r[in.A()].Int() != 0) == (in.Op() == code.When || in.Op() == code.JumpIf) {
			ip += int(in.D()) - 1
		}
		continue

	compared:
		if j := ins[ip+1]; j.Op() == code.Unless || j.Op() == code.When {
			if holds != (j.Op() == code.When) {
				ip++
				continue
			}
			if j.D() >= 0 {
				ip += int(j.D())
				continue
			}
			if m.budget > 0 {
				m.budget--
				ip += int(j.D())
				continue
			}
		}
		r[in.A()].SetRef(starlark.Bool(holds))
		continue

	slow:
		fr.ip = ip
		if near := nears[ins[ip].Op()]; near != nil && near(m, ins[ip], ip) { // in this frame
			if m.looks.on {
				m.look(ip)
			}
			ip = fr.ip
			continue
		}
		ip = fr.ip
		goto far
	enter:
		if fr.ip = ip; m.enters(ins[ip], ip) {
			goto resumed
		}
		ip = fr.ip
	far:
		if fr.ip = ip; !m.far(fr.fn.code.Code[ip], ip) {
			break
		}
		if m.looks.on && m.fr == fr {
			m.look(ip)
		}
		goto resumed
	}
failed:
	if m.land(depth) {
		goto resumed
	}
	return slot.Slot{}, m.failed()
}
