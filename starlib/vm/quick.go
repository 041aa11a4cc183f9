package vm

import (
	"github.com/arignote/arignote/starlib/code"
	"github.com/arignote/arignote/starlib/slot"
	"github.com/arignote/arignote/starlib/value"
	"go.starlark.net/starlark"
)

// A quickSite is what a Method puts into a register, before the value that the method is one of,
// where package value has a quick method of the name. The program never sees it.
type quickSite struct {
	starlark.NoneType // as a value
	name              string
	flags             uint8 // of the instruction
	methods           *[value.QuickKinds]value.Quick
}

// quickSites are those of the names of attributes, nil for most.
func quickSites(names []string) []*quickSite {
	sites := make([]*quickSite, len(names))
	for i, name := range names {
		if methods := value.QuickMethods[name]; methods != nil {
			sites[i] = &quickSite{name: name, methods: methods}
		}
	}
	return sites
}

// quickMethod is a Method of a value that has a quick one.
func (m *Machine) quickMethod(in code.Instr) bool {
	fr := m.fr
	q := fr.fn.module.quick[in.D]
	if q == nil {
		return false
	}
	x := fr.regs[in.B]
	if kind := value.QuickKind(x.Ref()); kind < 0 || q.methods[kind] == nil {
		return false
	}
	q.flags = in.C
	fr.regs[in.A].SetRef(q)
	fr.regs[in.A+1] = x
	return true
}

// callQuick calls what Method or a name found, if that is quick for the arguments. If ok is false the
// call is to be done, of what is in the registers then, or has failed.
func (m *Machine) callQuick(in code.Instr, args []slot.Slot, ip int) (ok bool) {
	fr := m.fr
	switch q := fr.regs[in.A].Ref().(type) {
	case *quickSite:
		if m.quickResult(q.methods[value.QuickKind(args[0].Ref())], in, args) {
			return m.went(nil, ip)
		}
		v, err := m.attr(args[0].Value(), q.name, q.flags)
		fr.regs[in.A+1].Clear()
		m.done(in.A, v, err, ip)
	case value.Callable:
		return q.Quick != nil && m.quickResult(q.Quick, in, args) && m.went(nil, ip)
	}
	return false
}

// quickResult stores the result of a quick function. Arguments that others may have are for those
// who hold them.
func (m *Machine) quickResult(of value.Quick, in code.Instr, args []slot.Slot) bool {
	plain := in.C == code.CallPlain || in.C == code.CallRun
	if !plain && lends(args) {
		return false
	}
	v, ok := of(args)
	if !ok {
		return false
	}
	if !plain {
		hold(&v)
	}
	m.fr.regs[in.A] = v
	return true
}

// mapped is what syntax becomes, of a value.
func (m *Machine) mapped(in code.Instr, ip int) bool {
	fr := m.fr
	x := &fr.regs[in.B]
	if l, ok := fr.fn.code.Consts[in.D].Ref().(value.Leaver); ok && l.Leaves(x) {
		fr.regs[in.A] = *x
		return true
	}
	return m.other(in, ip)
}
