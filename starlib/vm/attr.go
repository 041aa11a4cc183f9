package vm

import (
	"github.com/arignote/arignote/starlib/code"
	"github.com/arignote/arignote/starlib/slot"
	"github.com/arignote/arignote/starlib/value"
	"go.starlark.net/starlark"
)

// A site is what an instruction has found out about an attribute of objects of one shape. It is so
// while the shape's layout has the version. What others of the module find out is theirs: a module
// runs on one thread at a time.
type site struct {
	shape   *slot.Shape
	layout  *slot.Layout // of the shape
	version uint64
	kind    value.FindingKind // of a store FindsSlot, where it adds no slot
	index   int               // of a slot
	method  *Function         // of methods and getters; of a store, what it calls
	cell    *slot.Slot        // of constants
	next    *slot.Shape       // of what is stored in a new slot
	other   *site             // of another shape
	member  *value.Module     // in place of all that: the module that has the constant
}

// nothing is what an instruction knows that has not run.
var nothing = &site{shape: new(slot.Shape), layout: new(slot.Layout)}

// maxSites is of how many shapes an instruction remembers what it found.
const maxSites = 4

// holds reports whether what the site says is so for a record.
func (s *site) holds(o *slot.Record) bool {
	return s.shape == o.Shape && s.version == s.layout.Version
}

// siteOf is what an instruction knows about an attribute of an object, nil if it knows nothing.
func (fr *frame) siteOf(at int32, o *slot.Record) *site {
	s := fr.fn.module.sites[at]
	for s != nil && !s.holds(o) {
		s = s.other
	}
	return s
}

// note makes the instruction know something more, and forget what is no longer so.
func (fr *frame) note(at int32, s *site, o *slot.Record) *site {
	s.shape, s.layout, s.version = o.Shape, o.Shape.Layout, o.Shape.Layout.Version
	sites := fr.fn.module.sites
	last, n := s, 1
	for old := sites[at]; old != nil && n < maxSites; old = old.other {
		if old.shape != s.shape && old.version == old.layout.Version && old != nothing {
			kept := *old
			kept.other = nil
			last.other = &kept
			last = last.other
			n++
		}
	}
	sites[at] = s
	return s
}

// field is x.name. To call it is set where it is for a CallMet.
func (m *Machine) field(in code.Instr, ip int) bool {
	fr := m.top()
	x := &fr.regs[in.B]
	if o := x.Own(); o != nil {
		if is, ok := m.reduced(o.Of.(value.Recyclable), in, ip); is {
			return ok
		}
		return m.arrayField(in, ip)
	}
	o, ok := x.Ref().(*value.Object)
	if !ok && (m.memberOf(in) || in.Op == code.Method && m.findMethod(in, x)) {
		return true
	}
	if !ok || o.Record.Shape == nil {
		return m.askField(in, ip)
	}
	s := fr.siteOf(in.D, &o.Record)
	if s == nil {
		s = fr.find(in.D, o)
	}
	var v slot.Slot
	switch s.kind {
	case value.FindsSlot:
		v = o.Record.Slots[s.index]
	case value.FindsConstant:
		v = *s.cell
	case value.FindsMethod:
		if in.Op == code.Method {
			self := *x
			fr.regs[in.A].SetRef(s.method)
			fr.regs[in.A+1] = self
			return true
		}
		v = slot.Ref(value.Objects.Bind(s.method, x.Ref()))
	case value.FindsGetter:
		self := x.Ref()
		if in.Op == code.Method {
			fr.regs[in.A+1].Clear()
		}
		in.C = code.CallPlain
		return m.enter(s.method, self, given{}, in, ip)
	default:
		return m.askField(in, ip)
	}
	fr.regs[in.A] = v
	if in.Op == code.Method {
		fr.regs[in.A+1].Clear()
	}
	return true
}

// memberOf is x.name of a module, if no program sets it.
func (m *Machine) memberOf(in code.Instr) bool {
	fr := m.fr
	from, ok := fr.regs[in.B].Ref().(*value.Module)
	if !ok {
		return false
	}
	s := fr.fn.module.sites[in.D]
	if s.member != from {
		v := from.Constant(fr.fn.module.program.Sites[in.D])
		if v == nil {
			return false
		}
		found := slot.Of(v)
		s = &site{shape: nothing.shape, layout: nothing.layout, cell: &found, member: from}
		fr.fn.module.sites[in.D] = s
	}
	fr.regs[in.A] = *s.cell
	if in.Op == code.Method {
		fr.regs[in.A+1].Clear()
	}
	return true
}

// findMethod is a Method of a class or a super.
func (m *Machine) findMethod(in code.Instr, x *slot.Slot) bool {
	of, ok := x.Ref().(value.MethodFinder)
	if !ok {
		return false
	}
	f, self := of.FindMethod(m.fr.fn.module.program.Sites[in.D])
	if f == nil {
		return false
	}
	r := m.fr.regs
	r[in.A].SetRef(f)
	r[in.A+1] = slot.Ref(self)
	return true
}

// find finds out about an attribute.
func (fr *frame) find(at int32, o *value.Object) *site {
	f := o.Finds(fr.fn.module.program.Sites[at])
	s := &site{kind: f.Kind, index: f.Index, cell: f.Cell}
	if f.Method != nil {
		var ours bool
		if s.method, ours = f.Method.(*Function); !ours {
			s.kind = value.FindsAnew
		}
	}
	return fr.note(at, s, &o.Record)
}

// askField asks the value.
func (m *Machine) askField(in code.Instr, ip int) bool {
	if in.Op == code.Method && m.fr.fn.code.Words[ip+1].B() == 0 { // it may be x.mean()
		if a, isArray := m.fr.regs[in.B].Ref().(value.Recyclable); isArray {
			if is, ok := m.reduced(a, in, ip); is {
				return ok
			}
		}
	}
	if !m.foreign(in, ip) {
		return false
	}
	if in.Op == code.Method {
		m.top().regs[in.A+1].Clear()
	}
	return true
}

// setField is x.name = v.
func (m *Machine) setField(in code.Instr, ip int) bool {
	fr := m.top()
	o, ok := fr.regs[in.A].Ref().(*value.Object)
	if !ok || o.Record.Shape == nil {
		return m.foreign(in, ip)
	}
	s := fr.siteOf(in.D, &o.Record)
	if s == nil {
		to := o.Stores(fr.fn.module.program.Sites[in.D])
		s = &site{index: to.Index, next: to.Shape}
		if to.Index >= 0 && to.Shape == nil {
			s.kind = value.FindsSlot
		}
		s.method, _ = to.Setter.(*Function)
		fr.note(in.D, s, &o.Record)
	}
	switch {
	case s.method != nil:
		m.few[0] = fr.regs[in.B]
		if begun := m.beginMethod(s.method, o, m.few[:1], code.CallDrops, in.A, ip); begun || m.err != nil {
			return begun
		}
		return m.foreign(in, ip)
	case s.kind == value.FindsSlot:
		o.Record.Slots[s.index] = fr.regs[in.B].Escape()
	case s.next != nil:
		o.Record.Slots = append(o.Record.Slots, fr.regs[in.B].Escape())
		o.Record.Shape = s.next
	default:
		return m.foreign(in, ip)
	}
	return true
}

// make begins the call of a class: it makes an instance, which is the result where no __init__ is
// to be called. It reports false of what is no class that it can call, or with m.err.
func (m *Machine) make(callee starlark.Value, g given, in code.Instr, ip int) bool {
	fr := m.fr
	x, init := value.Objects.Make(callee, m.host(), g.args)
	if x == nil && init != nil {
		f, ok := init.(*Function)
		return ok && m.enter(f, callee, g, in, ip)
	}
	if x == nil || init == nil && len(g.names) > 0 {
		return false
	}
	if init != nil {
		f, ok := init.(*Function)
		if !ok || !m.enter(f, x, g, in, ip) {
			return false
		}
		m.fr.kind = code.CallMakes
	} else if m.budget--; m.budget < 0 && !m.pause(ip) {
		return false
	}
	fr.regs[in.A].SetRef(x)
	return true
}

// host is the host of the machine's thread.
func (m *Machine) host() value.Host {
	if m.ofHost == nil {
		m.ofHost = value.HostOf(m.thread)
	}
	return m.ofHost
}

// made ends the call of a class whose __init__ has returned: the instance is in the register
// already.
func (m *Machine) made(at uint8, result *slot.Slot) {
	if result.Ref() != starlark.Value(starlark.None) {
		fr := m.fr
		m.fail(value.Objects.Returned(fr.regs[at].Ref(), result.Value()), fr.ip)
	}
}
