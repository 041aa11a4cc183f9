package vm

import (
	"slices"

	"github.com/arignote/arignote/starlib/code"
	"github.com/arignote/arignote/starlib/slot"
	"github.com/arignote/arignote/starlib/value"
	"go.starlark.net/starlark"
)

// beginCall begins a call of the program's, or does one of something else.
func (m *Machine) beginCall(in code.Instr, ip int) bool {
	regs := m.fr.regs
	at, n := int(in.A)+1, int(in.B)
	callee := regs[in.A].Ref()
	if in.Op == code.CallMet {
		if regs[at].IsSet() && !regs[at].IsOwn() {
			n++
		} else {
			at++
		}
	}
	g := given{args: regs[at : at+n]}
	if in.D != 0 {
		form := &m.fr.fn.code.Calls[in.D-1]
		last := at + n + len(form.Names)
		g.names, g.values = form.Names, regs[at+n:last]
		if (form.Star || form.Keys) && !g.spread(form, regs[last:]) {
			return m.call(in, ip)
		}
	}
	begun := false
	if f, ok := callee.(*Function); ok {
		begun = m.enter(f, nil, g, in, ip)
	} else if o, ok := callee.(*value.Object); ok {
		f, ok := o.Function("__call__").(*Function)
		begun = ok && m.enter(f, o, g, in, ip)
	} else if f, first := partialOf(callee); f != nil {
		g.args = slices.Concat(first, g.args)
		begun = m.enter(f, nil, g, in, ip)
	} else {
		begun = m.make(callee, g, in, ip) || m.err == nil && m.enterMethod(callee, g, in, ip)
	}
	return begun || m.err == nil && m.call(in, ip)
}

// partialOf are the function of the program's that a callable calls, and the arguments before those
// of the call, if that is all there is to it.
func partialOf(callee starlark.Value) (*Function, []slot.Slot) {
	p, ok := callee.(value.Partial)
	if !ok {
		return nil, nil
	}
	fn, first := p.Begins()
	f, _ := fn.(*Function)
	return f, first
}

// enters begins the call of a function of the program's without *x and **x, or makes the generator
// that the call is. It reports false where beginCall has to see to it.
func (m *Machine) enters(in code.Word, ip int) bool {
	fr := m.fr
	r, n, first := fr.regs, int(in.B()), int(in.A())+1
	if in.Op() == code.CallMet {
		if r[first].IsSet() {
			n++
		} else {
			first++
		}
	}
	f, ok := r[in.A()].Ref().(*Function)
	if ok && f.attrs.Memo != nil && m.remembers(f.attrs.Memo, in, r[first:first+n]) {
		return true
	}
	if !ok || m.budget <= 0 || !f.simple() || m.deepest > 0 && fr.depth >= m.deepest {
		return false
	}
	var names []string
	if in.D() != 0 {
		form := &fr.fn.code.Calls[in.D()-1]
		if names = form.Names; form.Star || form.Keys {
			return false
		}
	}
	c := f.code
	var to [maxNamed]uint8
	if !f.fits(n, names, &to) {
		return false
	}
	args := r[first : first+n+len(names)]
	for i := range args {
		if args[i].IsOwn() {
			return false
		}
	}
	if c.Generates && (in.C() != code.CallPlain || len(c.Cells) > 0) {
		return false
	}
	m.budget--
	if c.Generates {
		g := &Generator{fn: f, ip: -1, thread: m.thread, made: place{fr.fn.code, ip}}
		g.params = make([]slot.Slot, len(c.Params))
		f.take(g.params, args, n, &to)
		fr.store(in.A(), slot.Ref(g))
		return true
	}
	inner := m.push(f)
	inner.kind, inner.result = in.C(), in.A()
	f.take(inner.regs[:len(c.Params)], args, n, &to)
	if len(c.Cells) > 0 {
		inner.makeCells()
	}
	return true
}

// remembers makes what a memo has for the arguments the result of the call, if it has something.
func (m *Machine) remembers(memo *value.Memo, in code.Word, args []slot.Slot) bool {
	if in.D() != 0 || in.C() > code.CallRun || m.budget <= 0 {
		return false
	}
	v := m.keys.kept(memo, args)
	if v != nil {
		m.budget--
		m.fr.regs[in.A()] = *v
	}
	return v != nil
}

// maxNamed is how many arguments by name fits looks for.
const maxNamed = 8

// fits reports whether so many arguments by position, and those of the names, are all that a
// function has no default values for. It notes which parameters the names are.
func (f *Function) fits(n int, names []string, to *[maxNamed]uint8) bool {
	params := f.code.Params
	if n > len(params) || len(params) > 64 || len(names) > maxNamed {
		return false
	}
	given := uint64(1)<<n - 1
	for i, name := range names {
		at := n
		for at < len(params) && params[at].Name != name {
			at++
		}
		if at == len(params) || given>>at&1 != 0 {
			return false
		}
		given |= 1 << at
		to[i] = uint8(at)
	}
	needed := uint64(1)<<(len(params)-len(f.defaults)) - 1
	return given&needed == needed
}

// take fills the parameters with arguments that fit, of which n stand in their places, and with
// default values.
func (f *Function) take(params, args []slot.Slot, n int, to *[maxNamed]uint8) {
	copy(params, args[:n])
	if without := len(params) - len(f.defaults); n < len(params) {
		at := max(n, without)
		copy(params[at:], f.defaults[at-without:])
	}
	for i := range args[n:] {
		params[to[i]] = args[n+i]
	}
}

// enterMethod is enter for a method of the program's that is bound to its first argument.
func (m *Machine) enterMethod(callee starlark.Value, g given, in code.Instr, ip int) bool {
	b, ok := callee.(value.BoundMethod)
	if !ok {
		return false
	}
	fn, self := b.Bound()
	f, ok := fn.(*Function)
	return ok && m.enter(f, self, g, in, ip)
}

// enter begins the call of a function of the program's by an instruction of another one, with self
// before the arguments if it is not nil. It reports false where call has to do it, or with m.err.
func (m *Machine) enter(f *Function, self starlark.Value, g given, in code.Instr, ip int) bool {
	fr := m.fr
	fr.ip = ip
	if f.code.Generates {
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
	to.kind, to.result = in.C, in.A
	if n := len(g.args); self != nil && n+1 == f.code.Exact && len(g.names) == 0 {
		to.regs[0].SetRef(self)
		for i := range g.args {
			to.regs[i+1] = g.args[i]
		}
		return true
	}
	if err := f.bindTo(to.regs[:len(f.code.Params)], self, g); err != nil {
		m.err = m.traced(err)
		return false
	}
	m.gives(fr, to, in)
	to.makeCells()
	return true
}

// leave ends the innermost frame, which returns what is in a register, and reports whether that is
// for Go, which called it.
func (m *Machine) leave(from uint8) (slot.Slot, bool) {
	fr := m.fr
	v, entry, kind := fr.regs[from], fr.entry, fr.kind&^code.CallOwns
	m.passes(fr, &v)
	if fr.owner != 0 {
		fr.drops()
	}
	m.pop()
	switch {
	case kind == code.CallMakes:
		m.made(fr.result, &v)
		return v, entry
	case kind >= code.CallOperates:
		m.returned(kind, fr.result, v)
		return v, entry
	}
	if !entry {
		m.fr.store(fr.result, v)
	}
	return v, entry
}

// spread adds the elements of *x to arguments, if that is a list or a tuple, and the entries of
// **x, if that is a dict of texts; it reports false of others, and of arrays among the arguments.
func (g *given) spread(form *code.Call, from []slot.Slot) bool {
	for i := range g.args {
		if g.args[i].IsOwn() {
			return false
		}
	}
	if form.Star {
		switch x := from[0].Ref().(type) {
		case starlark.Tuple:
			args := append(make([]slot.Slot, 0, len(g.args)+len(x)), g.args...)
			for _, v := range x {
				args = append(args, slot.Of(v))
			}
			g.args = args
		case *slot.List:
			g.args = slices.Concat(g.args, x.Slots())
		default:
			return false
		}
		from = from[1:]
	}
	if !form.Keys {
		return true
	}
	d, ok := from[0].Ref().(*slot.Dict)
	if !ok || len(g.names) > 0 {
		return false
	}
	names, values := make([]string, 0, d.Len()), make([]slot.Slot, 0, d.Len())
	for _, key := range d.AppendKeys(nil) {
		name, isText := key.Ref().(starlark.String)
		if !isText {
			return false
		}
		names = append(names, string(name))
	}
	g.names, g.values = names, d.AppendValues(values)
	return true
}
