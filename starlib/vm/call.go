package vm

import (
	"fmt"

	"github.com/arignote/arignote/starlib/code"
	"github.com/arignote/arignote/starlib/object"
	"github.com/arignote/arignote/starlib/slot"
	"github.com/arignote/arignote/starlib/value"
	"go.starlark.net/starlark"
)

// makeFunction makes a function of the frame's.
func (fr *frame) makeFunction(in code.Instr) *Function {
	c := fr.fn.code.Funcs[in.D]
	f := &Function{signature: signature{code: c}, module: fr.fn.module}
	if n := len(c.Defaults); n > 0 {
		f.defaults = append(f.defaults, fr.regs[in.B:int(in.B)+n]...)
		holdAll(f.defaults)
	}
	if len(c.Captures) > 0 {
		f.free = make([]*cell, len(c.Captures))
		for i, from := range c.Captures {
			if from.Free {
				f.free[i] = fr.fn.free[from.Index]
			} else {
				f.free[i] = fr.cells[from.Index]
			}
		}
	}
	return f
}

// call calls what enter does not.
func (m *Machine) call(in code.Instr, ip int) (ok bool) {
	fr := m.top()
	fr.ip = ip
	defer m.guard(m.fr.depth, ip, &ok)
	if m.budget--; m.budget < 0 && !m.pause(ip) {
		return false
	}
	to := in.A
	var few [4]*slot.Own
	computed, any := fr.given(in, few[:0])
	if any && in.D == 0 && fr.fn.code.Feeds[ip] && m.waits(ip) {
		if is, ok := m.deferredCall(in, ip); is {
			return ok
		}
	}
	if in.Op == code.CallMet { // as it would be of a value that is called
		in = fr.joined(in)
	}
	all, kwargs, err := fr.arguments(in)
	if err == nil {
		err = m.stopped() // by the elements of *x
	}
	if err != nil {
		m.fail(err, ip)
		return false
	}
	n := len(all)
	v, err := m.lend(in.C, all[0], all[1:n:n], kwargs, computed, any)
	if err == nil && in.C != code.CallPlain {
		err = m.stopped()
	}
	if err != nil {
		m.err = m.traced(err)
		return false
	}
	m.top().store(to, v)
	return true
}

// joined makes of a method and its first argument one value to call, and returns the call of that.
func (fr *frame) joined(in code.Instr) code.Instr {
	callee, self := &fr.regs[in.A], &fr.regs[in.A+1]
	if self.IsSet() && !self.IsOwn() {
		self.SetRef(value.Objects.Bind(callee.Ref(), self.Ref()))
	} else {
		*self = *callee
	}
	in.A++
	return in
}

// arguments are the callee and the arguments of a call, from registers. Who is called may keep
// them.
func (fr *frame) arguments(in code.Instr) (args starlark.Tuple, kwargs []starlark.Tuple, err error) {
	at := int(in.A)
	if in.D == 0 {
		args = make(starlark.Tuple, int(in.B)+1)
		for i := range args {
			args[i] = fr.regs[at+i].Borrowed()
		}
		return args, nil, nil
	}
	return fr.formed(in)
}

// formed are arguments of which some are not positional.
func (fr *frame) formed(in code.Instr) (args starlark.Tuple, kwargs []starlark.Tuple, err error) {
	at := int(in.A)
	form := &fr.fn.code.Calls[in.D-1]
	args = make(starlark.Tuple, form.Plain+1)
	for i := range args {
		args[i] = fr.regs[at].Borrowed()
		at++
	}
	for _, name := range form.Names {
		kwargs = append(kwargs, starlark.Tuple{starlark.String(name), fr.regs[at].Borrowed()})
		at++
	}
	if form.Star {
		x, ok := elementsOf(fr.regs[at].Value())
		if !ok {
			return nil, nil, fmt.Errorf("argument after * must be iterable, not %s", fr.regs[at].Value().Type())
		}
		for v := range starlark.Elements(x) {
			args = append(args, v)
		}
		at++
	}
	if form.Keys {
		kwargs, err = keywords(kwargs, fr.regs[at].Value())
	}
	return args, kwargs, err
}

// keywords adds the entries of **x.
func keywords(kwargs []starlark.Tuple, x starlark.Value) ([]starlark.Tuple, error) {
	d, ok := x.(starlark.IterableMapping)
	if !ok {
		return nil, fmt.Errorf("argument after ** must be a mapping, not %s", x.Type())
	}
	for _, kv := range d.Items() {
		if _, ok := kv[0].(starlark.String); !ok {
			return nil, object.NewError(object.TypeError, "keywords must be strings, not "+kv[0].Type())
		}
		kwargs = append(kwargs, kv)
	}
	return kwargs, nil
}
