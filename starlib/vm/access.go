package vm

import (
	"fmt"

	"github.com/arignote/arignote/starlib/code"
	"github.com/arignote/arignote/starlib/config"
	"github.com/arignote/arignote/starlib/object"
	"github.com/arignote/arignote/starlib/slot"
	"github.com/arignote/arignote/starlib/value"
	"go.starlark.net/starlark"
)

// A NameError says that a global variable is not there (any more, or yet).
type NameError struct{ Name string }

func (e *NameError) Error() string { return "name '" + e.Name + "' is not defined" }

// noName fails for a global variable without a value.
func (m *Machine) noName(name string, ip int) { m.fail(&NameError{name}, ip) }

// noValue fails for a variable of a function that has no value yet.
func (m *Machine) noValue(kind, name string, ip int) bool {
	m.fail(fmt.Errorf("%s variable %s referenced before assignment", kind, name), ip)
	return false
}

// noLocal fails for the variable of a Check.
func (m *Machine) noLocal(in code.Instr, ip int) {
	m.noValue("local", m.top().fn.code.Locals[in.A], ip)
}

// other runs the instructions that the loop has no case for.
func (m *Machine) other(in code.Instr, ip int) bool {
	fr := m.top()
	r := fr.regs
	switch in.Op {
	case code.Nop:
	case code.Cell:
		c := fr.cell(in.D)
		if !c.v.IsSet() {
			return m.noValue("local", fr.cellName(in.D), ip)
		}
		r[in.A] = c.v
	case code.SetCel:
		fr.cell(in.D).v = r[in.A].Escape()
	case code.Glob:
		g := &fr.fn.module.globals[in.D]
		if !g.IsSet() {
			return m.noValue("global", fr.fn.module.program.Globals[in.D], ip)
		}
		r[in.A] = *g
	case code.SetGlo:
		m.setVariable(&fr.fn.module.globals[in.D], in.A)
	case code.SetVar:
		v := fr.fn.module.vars[in.D]
		m.setVariable(&v.v, in.A)
		v.assigned = true
	case code.Assign:
		fr.store(in.A, r[in.B])
	case code.Unset:
		r[in.A] = slot.Slot{}
	case code.DelCel:
		fr.cell(in.D).v = slot.Slot{}
	case code.DelGlo:
		fr.fn.module.globals[in.D] = slot.Slot{}
	case code.PeekCel:
		r[in.A] = fr.cell(in.D).v
	case code.PeekGlo:
		r[in.A] = fr.fn.module.globals[in.D]
	case code.Caught:
		r[in.A] = slot.Ref(r[in.B].Ref().(*handled).exception.Value())
	case code.Reraise:
		if h, ok := r[in.A].Ref().(*handled); ok {
			m.again(h)
			m.fail(h.err, ip)
			return false
		}
	case code.EndIter:
		if err := m.end(&r[in.A]); err != nil {
			m.fail(err, ip)
			return false
		}
	case code.MakeTuple:
		r[in.A] = slot.Ref(fr.tuple(in))
	case code.MakeList:
		elems := make([]slot.Slot, in.C)
		copy(elems, r[in.B:int(in.B)+int(in.C)])
		holdAll(elems)
		r[in.A] = slot.Ref(slot.Make(elems))
	case code.MakeFunc:
		r[in.A] = slot.Ref(fr.makeFunction(in))
	default:
		return m.foreign(in, ip)
	}
	return true
}

// foreign runs those that may run code of a value's.
func (m *Machine) foreign(in code.Instr, ip int) (ok bool) {
	fr := m.top()
	fr.ip = ip
	defer m.guard(m.fr.depth, ip, &ok)
	r := fr.regs
	switch in.Op {
	case code.Attr, code.Change, code.Method:
		v, err := m.attr(r[in.B].Value(), fr.fn.module.program.Sites[in.D], in.C)
		return m.done(in.A, v, err, ip)
	case code.SetAttr:
		x := r[in.A].Value()
		x = value.FieldsOf(x)
		return m.went(setField(x, fr.fn.module.program.Sites[in.D], r[in.B].Value()), ip)
	case code.Append:
		return m.went(value.Push(m.host(), r[in.A].Ref().(*slot.List), r[in.B]), ip)
	case code.Slice:
		return m.slice(in, ip)
	case code.Text:
		args := starlark.Tuple{r[in.A].Value(), starlark.String(""), starlark.String("")}
		v, err := m.Call(fr.fn.code.Consts[in.D].Ref(), args, nil)
		return m.done(in.A, v, err, ip)
	case code.Spread:
		v, err := value.Spread(r[in.A].Value())
		return m.done(in.A, v, err, ip)
	case code.Key:
		if x := &r[in.B]; isPlain(x) {
			r[in.A] = *x
			return true
		}
		if r[in.B].IsOwn() {
			return m.arrayKey(in, ip)
		}
		v, err := value.Key(r[in.B].Value())
		return m.done(in.A, v, err, ip)
	case code.Put:
		return m.went(r[in.A].Ref().(*slot.Dict).Put(r[in.B], r[in.C]), ip)
	case code.Unpack:
		return m.unpack(in, ip)
	case code.Iter:
		return m.iterate(in, ip)
	case code.LoadOp:
		return m.load(in, ip)
	case code.Member, code.SetMember, code.DelMember:
		return m.member(in, ip)
	case code.DelAttr:
		return m.went(object.DeleteAttr(r[in.A].Value(), fr.fn.code.Names[in.D]), ip)
	case code.DelIndex:
		return m.went(object.DeleteItem(r[in.A].Value(), r[in.B].Value()), ip)
	case code.Raise:
		return m.went(m.raise(in), ip)
	case code.Enter:
		return m.went(m.callEnter(in), ip)
	case code.Exit:
		return m.went(m.callExit(in), ip)
	case code.Delegate:
		s, err := m.delegated(r[in.A].Value())
		r[in.A] = s
		return m.went(err, ip)
	}
	panic(fmt.Sprintf("BUG: instruction %d", in.Op))
}

// member is what the body of a class does with a member.
func (m *Machine) member(in code.Instr, ip int) bool {
	fr := m.top()
	body := fr.regs[0].Ref().(*object.Body)
	name := starlark.String(fr.fn.code.Names[in.D])
	switch in.Op {
	case code.SetMember:
		return m.went(body.SetKey(name, fr.regs[in.A].Value()), ip)
	case code.DelMember:
		if body.Delete(string(name)) {
			return m.went(nil, ip)
		}
		_, _, err := body.Get(name)
		return m.went(err, ip)
	}
	v, found, err := body.Get(name)
	if !found {
		fr.regs[in.A] = slot.Slot{}
		if in.C == 0 {
			err = nil
		}
		return m.went(err, ip)
	}
	return m.done(in.A, v, nil, ip)
}

// went reports whether the program goes on after an instruction that makes no value. It may have
// made one larger, which is looked at now and then.
func (m *Machine) went(err error, ip int) bool {
	if err == nil {
		err = m.stopped()
	}
	if err != nil {
		m.fail(err, ip)
		return false
	}
	m.budget--
	return m.budget >= 0 || m.pause(ip)
}

func (fr *frame) cellName(i int32) string {
	if i >= 0 {
		return fr.fn.code.Cells[i]
	}
	return fr.fn.code.Free[-1-i]
}

// tuple is what MakeTuple makes: of registers, or of the list of many.
func (fr *frame) tuple(in code.Instr) starlark.Tuple {
	if in.D == 1 {
		list := fr.regs[in.B].Ref().(*slot.List)
		t := make(starlark.Tuple, list.Len())
		for i := range t {
			t[i] = list.Index(i)
		}
		return t
	}
	t := make(starlark.Tuple, in.C)
	for i := range t {
		t[i] = fr.regs[int(in.B)+i].Value()
	}
	return t
}

// isPlain reports whether a slot is an index, or a key, as the containers take it.
func isPlain(s *slot.Slot) bool {
	return s.IsPlainKey()
}

// index is x[i].
func (m *Machine) index(in code.Instr, ip int) (ok bool) {
	fr := m.top()
	from, at := &fr.regs[in.B], &fr.regs[in.C]
	if in.Op == code.IndexPair {
		if v := m.valueOfPair(from, in.C); v != nil {
			fr.regs[in.A] = *v
			return true
		}
		pair := fr.pair(in.C, arrayIn(from) != nil)
		at = &pair
	}
	plain := isPlain(at)
	if d, isDict := from.Ref().(*slot.Dict); isDict && plain { // keys that ask nobody
		v, found, err := d.Lookup(*at)
		if !found && err == nil {
			err = keyFault{*at}
		}
		fr.regs[in.A] = v
		return m.went(err, ip)
	}
	if o, isObject := from.Ref().(*value.Object); isObject && plain {
		if m.heldElement(o, at, in.A) {
			return true
		}
		m.few[0] = *at
		begun := m.beginSpecial(o, "__getitem__", m.few[:1], code.CallPlain, in.A, ip)
		if begun || m.err != nil {
			return begun
		}
	}
	fr.ip = ip
	defer m.guard(m.fr.depth, ip, &ok)
	a := arrayIn(from)
	var i starlark.Value
	if a != nil {
		i = at.Borrowed()
	} else {
		i = at.Value()
	}
	var err error
	if !plain {
		if i, err = value.Key(i); err != nil {
			return m.done(in.A, nil, err, ip)
		}
	}
	if a != nil {
		return m.arrayIndex(in, a, i, ip)
	}
	x := from.Value()
	if _, isSlice := i.(*value.Slice); isSlice {
		x = value.TakingSlices(x)
	} else if text, isText := x.(starlark.String); isText {
		x = value.CharsOf(m.thread, text)
	}
	v, err := index(x, i)
	return m.done(in.A, v, err, ip)
}

// A keyFault is the error of a key that a dict has not: a number or text.
type keyFault struct{ key slot.Slot }

func (f keyFault) FaultClass() string            { return "KeyError" }
func (f keyFault) ExceptionArgs() starlark.Tuple { return starlark.Tuple{f.key.Value()} }
func (f keyFault) Error() string                 { return fmt.Sprintf("key %v not in dict", f.key.Value()) }

var _, _ value.Fault = keyFault{}, indexFault{}

// setIndex is x[i] = v.
func (m *Machine) setIndex(in code.Instr, ip int) (ok bool) {
	fr := m.top()
	x, at := &fr.regs[in.A], &fr.regs[in.B]
	fr.ip = ip
	if in.Op == code.SetPair {
		if v := m.valueOfPair(x, in.B); v != nil && x.Ref().(*slot.Dict).Mutable() {
			*v = fr.regs[in.C].Escape()
			return true
		}
		pair := fr.pair(in.B, arrayIn(x) != nil)
		at = &pair
	}
	plain := isPlain(at)
	if d, isDict := x.Ref().(*slot.Dict); isDict && plain {
		return m.went(d.Put(*at, fr.regs[in.C]), ip)
	}
	if o, isObject := x.Ref().(*value.Object); isObject && plain {
		m.few[0], m.few[1] = *at, fr.regs[in.C]
		begun := m.beginSpecial(o, "__setitem__", m.few[:2], code.CallDrops, in.A, ip)
		if begun || m.err != nil {
			return begun
		}
	}
	defer m.guard(m.fr.depth, ip, &ok)
	a := arrayIn(x)
	var i starlark.Value
	if a != nil {
		i = at.Borrowed()
	} else {
		i = at.Value()
	}
	var err error
	if !plain {
		i, err = value.Key(i)
	}
	if err == nil && a != nil {
		return m.went(m.setArray(in, a, i), ip)
	}
	if err == nil {
		of := x.Value()
		if _, isSlice := i.(*value.Slice); isSlice {
			of = value.TakingSlices(of)
		}
		err = setIndex(of, i, fr.regs[in.C].Value())
	}
	return m.went(err, ip)
}

// attr is x.name.
func (m *Machine) attr(x starlark.Value, name string, flags uint8) (starlark.Value, error) {
	x = value.FieldsOf(x)
	if _, isBytes := x.(starlark.Bytes); isBytes || flags&code.Methods != 0 {
		return value.Attr(x, name)
	}
	if text, ok := x.(starlark.String); ok && flags&code.OfText != 0 {
		x = value.CharsOf(m.thread, text)
	}
	msg := ""
	a, ok := x.(starlark.HasAttrs)
	if ok {
		v, err := a.Attr(name)
		none, isNone := err.(starlark.NoSuchAttrError)
		switch {
		case isNone:
			msg = string(none)
		case v != nil || err != nil:
			return v, err
		}
	}
	if msg == "" {
		msg = fmt.Sprintf("%s has no .%s field or method", x.Type(), name)
	}
	if ok {
		if near := nearest(name, a.AttrNames()); near != "" {
			msg += fmt.Sprintf(" (did you mean .%s?)", near)
		}
	}
	return nil, fmt.Errorf("%s", msg)
}

// load is the load statement.
func (m *Machine) load(in code.Instr, ip int) bool {
	fr := m.top()
	names := fr.fn.code.Names[in.D : int(in.D)+1+int(in.C)]
	if m.thread.Load == nil {
		return m.went(fmt.Errorf("load not implemented by this application"), ip)
	}
	found, err := m.thread.Load(m.thread, names[0])
	if err != nil {
		return m.went(fmt.Errorf("cannot load %s: %w", names[0], err), ip)
	}
	for i, name := range names[1:] {
		v, ok := found[name]
		if !ok {
			err := fmt.Errorf("load: name %s not found in module %s", name, names[0])
			if near := config.Closest(name, found.Keys()); near != "" {
				err = fmt.Errorf("%w (did you mean %s?)", err, near)
			}
			return m.went(err, ip)
		}
		fr.regs[int(in.B)+i] = slot.Of(v)
	}
	return m.went(nil, ip)
}
