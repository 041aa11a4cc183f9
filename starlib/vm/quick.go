package vm

import (
	"github.com/arignote/arignote/starlib/code"
	"github.com/arignote/arignote/starlib/value"
	"go.starlark.net/starlark"
)

// A quickSite is what an instruction knows of an attribute's name that quick methods have.
type quickSite struct {
	name    string
	flags   uint8 // of the instruction
	methods [value.QuickKinds]*quickMethod
}

// A quickMethod is what a Method puts into a register, before the value that the method is one of.
// The program never sees it.
type quickMethod struct {
	starlark.NoneType // as a value
	site              *quickSite
	of                value.Quick
}

// quickSites are those of the names of attributes, nil for most.
func quickSites(names []string) []*quickSite {
	sites := make([]*quickSite, len(names))
	for i, name := range names {
		methods := value.QuickMethods[name]
		if methods == nil {
			continue
		}
		sites[i] = &quickSite{name: name}
		for kind, of := range methods {
			if of != nil {
				sites[i].methods[kind] = &quickMethod{site: sites[i], of: of}
			}
		}
	}
	return sites
}

// quickAttr is a Method of a value that has a quick one.
func (m *Machine) quickAttr(in code.Instr) bool {
	fr := m.fr
	site := fr.fn.module.quick[in.D]
	if site == nil {
		return false
	}
	x := &fr.regs[in.B]
	kind := value.QuickKind(x.Ref())
	if kind < 0 || site.methods[kind] == nil {
		return false
	}
	site.flags = in.C
	self := *x
	fr.regs[in.A].SetRef(site.methods[kind])
	fr.regs[in.A+1] = self
	return true
}

// callQuick calls what Method or a name found, if that is quick for the arguments. If ok is false the call is to be done, of what is in the
// registers then, or has failed.
func (m *Machine) callQuick(in code.Instr, ip int) (ok bool) {
	r := m.fr.regs
	var of value.Quick
	args := r[int(in.A)+1 : int(in.A)+1+int(in.B)]
	switch callee := r[in.A].Ref().(type) {
	case *quickMethod:
		of, args = callee.of, r[int(in.A)+1:int(in.A)+2+int(in.B)]
		holdAll(args)
	case value.Callable:
		if in.Op != code.CallOp || in.D != 0 {
			return false
		}
		if of = callee.Quick; of == nil {
			return callee.Types != nil && callee.Builtin.Name == "range" && m.rangeLoop(in, args, ip)
		}
	default:
		return false
	}
	if v, ok := of(args); ok {
		r[in.A] = v
		m.budget--
		return m.budget >= 0 || m.pause(ip)
	}
	if callee, ok := r[in.A].Ref().(*quickMethod); ok {
		v, err := m.attr(args[0].Value(), callee.site.name, callee.site.flags)
		r[in.A+1].Clear()
		m.done(in.A, v, err, ip)
	}
	return false
}

// mapped is what syntax becomes, of a value.
func (m *Machine) mapped(in code.Instr, ip int) bool {
	fr := m.fr
	x := &fr.regs[in.B]
	if p, ok := fr.fn.code.Consts[in.D].Ref().(*value.Plainly); ok && x.IsOwn() && p.LeavesArrays() {
		fr.store(in.A, *x)
		return true
	}
	if a, ok := fr.fn.code.Consts[in.D].Ref().(value.Asker); ok && a.Leaves(x) {
		fr.regs[in.A] = *x
		return true
	}
	return m.other(in, ip)
}
