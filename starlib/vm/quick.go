package vm

import (
	"github.com/arignote/arignote/starlib/code"
	"github.com/arignote/arignote/starlib/slot"
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
	loops             looper // nil of most
	appends           bool   // to a list
	of                value.Quick
	named             value.QuickNamed // of a call with arguments by name, nil of most
}

// quickSites are those of the names of attributes, nil for most.
func quickSites(names []string) []*quickSite {
	list := value.QuickKind((*slot.List)(nil))
	sites := make([]*quickSite, len(names))
	for i, name := range names {
		methods := value.QuickMethods[name]
		if methods == nil {
			continue
		}
		sites[i] = &quickSite{name: name}
		for kind, of := range methods {
			if of != nil {
				sites[i].methods[kind] = &quickMethod{
					site: sites[i], loops: loopMethods[name], appends: name == "append" && kind == list,
					of: of, named: value.QuickNamedMethods[name],
				}
			}
		}
	}
	return sites
}

// nearMethod finds a quick method. It is called at once if nothing but variables and what is
// written stands between.
func (m *Machine) nearMethod(in code.Word, ip int) bool {
	fr := m.fr
	site := fr.fn.module.quick[in.D()]
	if site == nil {
		return false
	}
	r, words := fr.regs, fr.fn.code.Words
	x := &r[in.B()]
	kind := value.QuickKind(x.Ref())
	if kind < 0 || site.methods[kind] == nil {
		return false
	}
	method, a := site.methods[kind], in.A()
	if method.appends {
		w, call := words[ip+1], words[min(ip+2, len(words)-1)]
		if w.Op() == code.Move && w.A() == a+2 && call.Op() == code.CallMet && call.A() == a && call.C() == code.CallPlain &&
			call.D() == 0 && call.B() == 1 && x.Ref().(*slot.List).Fits(&r[w.B()]) {
			r[a], fr.ip = slot.None, ip+2
			return true
		}
	}
	site.flags = in.C()
	r[a+1].SetRef(x.Ref())
	for at := a + 2; ; at++ {
		ip++
		w := words[ip]
		switch op := w.Op(); {
		case op == code.CallMet && w.A() == a && w.C() == code.CallPlain && w.D() == 0 && words[ip+1].Op() != code.Iter:
			if v, ok := method.of(r[a+1 : at]); ok {
				r[a], fr.ip = v, ip
				return true
			}
		case w.A() == at && (op == code.Move || op == code.Key && r[w.B()].IsPlainKey()):
			r[at] = r[w.B()]
			continue
		case w.A() == at && op == code.Load:
			r[at] = fr.fn.code.Consts[w.D()]
			continue
		}
		r[a].SetRef(method)
		fr.ip = ip - 1
		return true
	}
}

// nearCall calls what Method or a name found, if that is quick for the arguments, or begins the
// loop over the result.
func (m *Machine) nearCall(in code.Word, ip int) bool {
	r, a := m.fr.regs, int(in.A())
	if in.D() != 0 || m.budget <= 0 {
		return false
	}
	var of value.Quick
	var loops looper
	looped := m.begins(in.A(), ip)
	first, end := a+1, a+1+int(in.B())
	switch callee := r[a].Ref().(type) {
	case *quickMethod:
		if callee.appends && end-first == 1 && r[first].Ref().(*slot.List).Fits(&r[end]) {
			r[a] = slot.None
			m.budget--
			return true
		}
		if of = callee.of; looped {
			loops = callee.loops
		}
		end++
	case value.Callable:
		if of = callee.Quick; looped {
			loops = loopOf(callee.Builtin.Name)
		}
		switch {
		case in.Op() == code.CallMet && r[a+1].IsSet(), in.Op() == code.CallOp && in.B() == 1 && mayBegin(&r[first]):
			return false
		case in.Op() == code.CallMet:
			first++
			end++
		}
	case value.QuickCaller:
		if in.Op() == code.CallOp {
			of = callee.QuickCall()
		}
	}
	return loops != nil && m.loopOver(loops, r[first:end], ip) || m.quickly(of, in.A(), r[first:end])
}

// quickly calls what is quick for the arguments, if it is.
func (m *Machine) quickly(of value.Quick, a uint8, args []slot.Slot) bool {
	if of == nil {
		return false
	}
	v, ok := of(args)
	if ok {
		m.fr.regs[a] = v
		m.budget--
	}
	return ok
}

// mayBegin reports whether a function of a value may be code of the program's.
func mayBegin(x *slot.Slot) bool {
	switch x.Ref().(type) {
	case *value.Object, *Generator:
		return true
	}
	return false
}

// called calls what is no function of the program's, or not simply.
func (m *Machine) called(in code.Instr, ip int) bool {
	if _, ours := m.fr.regs[in.A].Ref().(*Function); ours {
		return m.beginCall(in, ip)
	}
	if in.D == 0 && m.budget <= 0 { // why nearCall has not looked at it
		if !m.pause(ip) {
			return false
		}
		if m.nearCall(in.Word(), ip) {
			return true
		}
	}
	return m.callMade(in, ip) || m.err == nil && m.beginCall(in, ip)
}

// callMade calls what Method or a name found, with named arguments or where that begins code of the
// program's. If ok is false and there is no error, the call has to be made as any other.
func (m *Machine) callMade(in code.Instr, ip int) (ok bool) {
	r := m.fr.regs
	switch callee := r[in.A].Ref().(type) {
	case *quickMethod:
		if in.D != 0 && callee.named != nil && m.callNamed(callee.named, in, 1, ip) {
			return m.err == nil
		}
		v, err := m.attr(r[in.A+1].Value(), callee.site.name, callee.site.flags)
		r[in.A+1].Clear()
		m.done(in.A, v, err, ip)
		return false
	case value.Callable:
		if in.D != 0 {
			return in.Op == code.CallOp && callee.Named != nil && m.callNamed(callee.Named, in, 0, ip) && m.err == nil
		}
		if args := r[int(in.A)+1:][:in.B]; len(args) == 1 && in.Op == code.CallOp && mayBegin(&args[0]) { // as nearCall else
			begun := m.beginFunction(callee.Builtin.Name, args[0].Ref(), in.A, ip)
			return begun || m.err == nil && (m.begins(in.A, ip) && m.loopOver(loopOf(callee.Builtin.Name), args, ip) ||
				m.quickly(callee.Quick, in.A, args))
		}
	}
	return false
}

// callNamed calls with arguments by name, behind so many that stand before those that are
// written. If the program is to end m.err says so.
func (m *Machine) callNamed(of value.QuickNamed, in code.Instr, before int, ip int) (done bool) {
	form, r := &m.fr.fn.code.Calls[in.D-1], m.fr.regs
	if form.Star || form.Keys {
		return false
	}
	args := r[int(in.A)+1:]
	plain := before + form.Plain
	v, ok := of(args[:plain], form.Names, args[plain:plain+len(form.Names)])
	if !ok {
		return false
	}
	r[in.A] = v
	if m.budget--; m.budget < 0 {
		m.pause(ip)
	}
	return true
}

// quickCall is a call from Go of a function that is quick for the arguments.
func (m *Machine) quickCall(fn starlark.Value, args starlark.Tuple, kwargs []starlark.Tuple) (
	result starlark.Value, ok bool) {
	c, ok := fn.(value.Callable)
	if !ok || c.Quick == nil || len(kwargs) > 0 || len(args) > len(m.quick) {
		return nil, false
	}
	for i, a := range args {
		m.quick[i] = slot.Of(a)
	}
	v, ok := c.Quick(m.quick[:len(args)])
	clear(m.quick[:])
	if !ok {
		return nil, false
	}
	return v.Value(), true
}

// slicedBy is x[lo:hi:step] by bounds that are written.
func (m *Machine) slicedBy(in code.Instr, ip int) bool {
	return m.fixedSlice(m.fr.fn.code.Consts[in.D].Ref().(*value.Slice), in, ip)
}
