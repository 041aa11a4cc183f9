package vm

import (
	"github.com/arignote/arignote/starlib/code"
	"github.com/arignote/arignote/starlib/slot"
	"github.com/arignote/arignote/starlib/value"
	"go.starlark.net/starlark"
)

// What a call makes that a loop goes through at once nobody sees: the loop takes it from where the
// call would. As in Python it sees what becomes of that meanwhile.

// begins reports whether the instruction behind a call begins a loop over its result, in a
// register.
func (m *Machine) begins(result uint8, ip int) bool {
	next := m.fr.fn.code.Words[ip+1]
	return next.Op() == code.Iter && next.B() == result
}

// A looper begins to go through the result of a call of the arguments; ok is false, and nothing has
// happened, where the call has to be done.
type looper func(it *iterator, args []slot.Slot) (ok bool)

// loopMethods are the methods over whose results loops begin so, by name.
var loopMethods = map[string]looper{
	"keys": loopEntries(iterDict), "values": loopEntries(iterValues), "items": loopEntries(iterItems),
}

// loopOf is that of a function, nil of most. A map takes as long as a short loop.
func loopOf(name string) looper {
	switch name {
	case "range":
		return loopRange
	case "enumerate":
		return loopEnumerate
	case "zip":
		return loopZip
	case "reversed":
		return loopReversed
	}
	return nil
}

// loopOver begins a loop, unless begin is nil or cannot. If the program is to end m.err says so.
func (m *Machine) loopOver(begin looper, args []slot.Slot, ip int) (begun bool) {
	if begin == nil {
		return false
	}
	next := m.fr.fn.code.Code[ip+1]
	it := m.newIterator()
	if !begin(it, args) {
		*it = iterator{}
		m.spare = it
		return false
	}
	m.fr.regs[next.A].SetRef(it)
	m.fr.ip = ip + 1
	if m.budget--; m.budget < 0 {
		m.pause(ip + 1)
	}
	return true
}

func loopRange(it *iterator, args []slot.Slot) bool {
	if len(args) == 0 || len(args) > 3 {
		return false
	}
	at := [3]int64{0, 0, 1} // start, stop and step
	const most = 1 << 40    // so that no sum is too large
	for i := range args {
		k := args[i].Int()
		if !args[i].IsInt() || k > most || k < -most {
			return false
		}
		if len(args) == 1 {
			i = 1
		}
		at[i] = k
	}
	start, distance, step := at[0], at[1]-at[0], at[2]
	if step == 0 {
		return false
	}
	if step < 0 {
		distance, step = -distance, -step
	}
	it.kind, it.start, it.step, it.n = iterRange, start, at[2], max(0, (distance+step-1)/step)
	return true
}

func loopReversed(it *iterator, args []slot.Slot) bool {
	if len(args) != 1 {
		return false
	}
	list, ok := args[0].Ref().(*slot.List)
	if ok {
		it.kind, it.list, it.i = iterReversed, list, int64(list.Len())-1
	}
	return ok
}

// loopEntries goes through a dict.
func loopEntries(kind int) looper {
	return func(it *iterator, args []slot.Slot) bool {
		d, ok := args[0].Ref().(*slot.Dict)
		if !ok || len(args) != 1 {
			return false
		}
		it.kind, it.keys, it.walk, it.n = kind, d, d.Walk(), int64(d.Len())
		return true
	}
}

func loopEnumerate(it *iterator, args []slot.Slot) bool {
	const most = 1 << 40
	if len(args) == 0 || len(args) > 2 {
		return false
	}
	if len(args) == 2 {
		if it.start = args[1].Int(); !args[1].IsInt() || it.start > most || it.start < -most {
			return false
		}
	}
	it.kind = iterEnumerate
	return it.takes(args[:1])
}

func loopZip(it *iterator, args []slot.Slot) bool {
	it.kind = iterZip
	return len(args) > 0 && it.takes(args)
}

// A source is what elements are taken from by index.
type source struct {
	list  *slot.List
	tuple starlark.Tuple
	text  string // what is left of it
	ints  value.Range
	kind  int
}

// takes makes sequences the sources.
func (it *iterator) takes(args []slot.Slot) bool {
	it.together = make([]source, len(args))
	for i := range args {
		s := &it.together[i]
		switch x := args[i].Ref().(type) {
		case *slot.List:
			s.kind, s.list = iterList, x
		case starlark.Tuple:
			s.kind, s.tuple = iterTuple, x
		case starlark.String:
			s.kind, s.text = iterText, string(x)
		default:
			var ok bool
			if s.ints, ok = value.RangeOf(x); !ok {
				return false
			}
			s.kind = iterRange
		}
	}
	return true
}

// next stores the element of an index, which grows by one, and reports whether there is one.
func (s *source) next(i int64, to *slot.Slot) bool {
	switch s.kind {
	case iterList:
		if i >= int64(s.list.Len()) {
			return false
		}
		*to = *s.list.At(int(i))
	case iterTuple:
		if i >= int64(len(s.tuple)) {
			return false
		}
		*to = slot.Of(s.tuple[i])
	case iterText:
		if s.text == "" {
			return false
		}
		*to, s.text = value.FirstChar(s.text)
	default:
		if i >= s.ints.N {
			return false
		}
		to.SetInt(s.ints.Start + i*s.ints.Step)
	}
	return true
}

// roundOfTuples begins a round with a tuple. If it begins by taking that apart nobody makes it.
func (m *Machine) roundOfTuples(it *iterator, in code.Instr, ip int) bool {
	fr := m.fr
	n := 2
	if it.kind == iterZip {
		n = len(it.together)
	}
	begin := ip + int(in.D)
	apart := fr.fn.code.Words[begin]
	if apart.Op() == code.Unpack && apart.A() == in.B && int(apart.C()) == n {
		what := m.nextOf(it, fr.regs[apart.B():int(apart.B())+n], ip)
		if what == found {
			fr.ip = begin
		}
		return what != failed
	}
	parts := make([]slot.Slot, n)
	what := m.nextOf(it, parts, ip)
	if what == found {
		t := make(starlark.Tuple, n)
		for i := range parts {
			t[i] = parts[i].Value()
		}
		fr.regs[in.B].SetRef(t)
		fr.ip = begin - 1
	}
	return what != failed
}

// nearTogether is a round that takes a tuple apart at once, and cannot fail.
func (m *Machine) nearTogether(it *iterator, in code.Word, ip int) bool {
	fr := m.fr
	begin := ip + int(in.D())
	apart := fr.fn.code.Words[begin]
	if apart.Op() != code.Unpack || apart.A() != in.B() || it.kind == iterZip && int(apart.C()) != len(it.together) ||
		it.kind != iterZip && apart.C() != 2 {
		return false
	}
	to := fr.regs[apart.B() : int(apart.B())+int(apart.C())]
	if it.kind == iterItems {
		pos := it.walk.Goes()
		if pos < 0 {
			return false
		}
		to[0], to[1] = it.keys.KeyAt(pos), it.keys.ValueAt(pos)
		fr.ip = begin
		return true
	}
	if m.nextOf(it, to, ip) == found {
		fr.ip = begin
	}
	return true
}

// nextOf stores the next elements of several, which are those of a tuple.
func (m *Machine) nextOf(it *iterator, to []slot.Slot, ip int) int {
	switch it.kind {
	case iterItems:
		pos, err := it.walk.Next()
		if err != nil || pos < 0 {
			return m.noKey(it, err, ip)
		}
		to[0], to[1] = it.keys.KeyAt(pos), it.keys.ValueAt(pos)
		return found
	case iterEnumerate:
		if !it.together[0].next(it.i, &to[1]) {
			return m.dried(it)
		}
		to[0].SetInt(it.start + it.i)
	case iterZip:
		for i := range it.together {
			if !it.together[i].next(it.i, &to[i]) {
				return m.dried(it)
			}
		}
	}
	it.i++
	return found
}

// dried ends an iterator for good, whatever is added.
func (m *Machine) dried(it *iterator) int {
	*it = iterator{}
	return ended
}
