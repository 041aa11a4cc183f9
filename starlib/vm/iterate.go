package vm

import (
	"errors"
	"fmt"

	"github.com/arignote/arignote/starlib/code"
	"github.com/arignote/arignote/starlib/slot"
	"github.com/arignote/arignote/starlib/value"
	"go.starlark.net/starlark"
)

// An iterator is what a loop has in a register. The program never sees it.
type iterator struct {
	kind        int
	start, step int64 // of iterRange
	i, n        int64
	list        *slot.List
	tuple       starlark.Tuple
	elements    starlark.Iterator
	keys        *slot.Dict
	gen         *Generator
	closes      bool          // the loop is the only one that has the generator
	object      *value.Object // that has __next__
	together    []source      // of which it gives an element each
	text        string        // what is left of it
	set         *slot.Set
	walk        slot.Walk      // of keys or set
	element     starlark.Value // of elements, the last one
	inner       *iterator      // of iterWatched
	watch       value.Watch    // is told of each round of inner
}

// Kinds of iterators.
const (
	iterRange = iota
	iterList
	iterTuple
	iterDict
	iterSet
	iterGenerator
	iterObject
	iterAny
	iterText
	iterWatched
	iterReversed // of list
	iterValues   // of keys
	iterItems    // likewise; these give tuples
	iterEnumerate
	iterZip
)

func (*iterator) String() string        { return "iterator" }
func (*iterator) Type() string          { return "iterator" }
func (*iterator) Freeze()               {}
func (*iterator) Truth() starlark.Bool  { return true }
func (*iterator) Hash() (uint32, error) { return 0, errors.New("unhashable: iterator") }

// done ends the iteration.
func (it *iterator) done() {
	if it.elements != nil {
		it.elements.Done()
		it.elements, it.element = nil, nil
	}
}

// newIterator is an empty one.
func (m *Machine) newIterator() *iterator {
	if it := m.spare; it != nil {
		m.spare = nil
		return it
	}
	return new(iterator)
}

// end ends the iteration in a register.
func (m *Machine) end(s *slot.Slot) error {
	it := s.Ref().(*iterator)
	gen, closes := it.gen, it.closes
	s.Clear()
	switch it.kind {
	case iterRange: // quickly what is frequent
		it.i, it.n, it.start, it.step = 0, 0, 0, 0
	case iterList:
		it.kind, it.i, it.list = 0, 0, nil
	case iterWatched:
		defer it.watch.End()
		fallthrough
	default:
		it.done()
		*it = iterator{}
	}
	m.spare = it
	if closes {
		return gen.close(m)
	}
	return nil
}

// iterate begins one.
func (m *Machine) iterate(in code.Instr, ip int) bool {
	x := m.top().regs[in.B]
	if o, ok := x.Ref().(*value.Object); ok {
		if f, ok := o.Function("__iter__").(*Function); ok && f.code.Generates {
			v, err := m.Call(f, starlark.Tuple{o}, nil)
			if err != nil {
				return m.went(err, ip)
			}
			return m.iterateOver(in, v, ip)
		} else if begun := m.beginSpecial(o, "__iter__", nil, code.CallIterates, in.A, ip); begun || m.err != nil {
			return begun
		}
	}
	return m.iterateOver(in, x.Value(), ip)
}

// iteratesOver goes on with what __iter__ has returned.
func (m *Machine) iteratesOver(in code.Instr, v slot.Slot, ip int) (ok bool) {
	defer m.guard(m.fr.depth, ip, &ok)
	if o, isObject := v.Ref().(*value.Object); isObject {
		if f, ok := o.Function("__next__").(*Function); ok && !f.code.Generates {
			it := m.newIterator()
			it.kind, it.object = iterObject, o
			m.fr.regs[in.A] = slot.Ref(it)
			return m.went(nil, ip)
		}
	}
	x := v.Value()
	if _, isIterable := value.Live(m.host(), x).(starlark.Iterable); !isIterable {
		m.unfit("__iter__", &m.fr.regs[in.B], v, ip)
		return false
	}
	return m.iterateOver(in, x, ip)
}

// iterateOver begins an iteration over x.
func (m *Machine) iterateOver(in code.Instr, x starlark.Value, ip int) bool {
	it := m.newIterator()
	switch v := x.(type) {
	case *slot.List:
		it.kind, it.list = iterList, v
	case *slot.Dict:
		it.kind, it.keys, it.walk, it.n = iterDict, v, v.Walk(), int64(v.Len())
	case *slot.Set:
		it.kind, it.set, it.walk = iterSet, v, v.Walk()
	case starlark.Tuple:
		it.kind, it.tuple = iterTuple, v
	case *Generator:
		it.kind, it.gen = iterGenerator, v
		it.closes = v.made == place{m.top().fn.code, ip - 1} || v.made == place{m.top().fn.code, ip}
	default:
		if text, ok := x.(starlark.String); ok {
			it.kind, it.text = iterText, string(text)
			break
		}
		x = value.Live(value.HostOf(m.thread), x)
		if it.ofRange(x) {
			break
		}
		if w, ok := x.(value.Watched); ok {
			if over, watch := w.Watched(); over != nil {
				m.spare = it
				if went := m.iterateOver(in, over, ip); !went || watch == nil {
					return went
				}
				s := &m.top().regs[in.A]
				inner := s.Ref().(*iterator)
				*s = slot.Ref(&iterator{kind: iterWatched, inner: inner, watch: watch, elements: inner.elements, gen: inner.gen, closes: inner.closes})
				return true
			}
		}
		xs, ok := elementsOf(x)
		if !ok {
			return m.went(fmt.Errorf("%s value is not iterable", x.Type()), ip)
		}
		it.kind, it.elements = iterAny, xs.Iterate()
		if it.elements == nil {
			return m.went(fmt.Errorf("%s value is not iterable", x.Type()), ip)
		}
	}
	m.top().regs[in.A] = slot.Ref(it)
	return m.went(nil, ip)
}

// ofRange takes a range apart.
func (it *iterator) ofRange(x starlark.Value) bool {
	r, ok := value.RangeOf(x)
	if ok {
		it.kind, it.start, it.step, it.n = iterRange, r.Start, r.Step, r.N
	}
	return ok
}

// What next finds.
const (
	found = iota
	ended
	failed
	entered   // a frame that finds it
	unwatched // nothing: the instruction runs whose place a Line has
)

// round begins a round of a loop.
func (m *Machine) round(in code.Instr, ip int) bool {
	if m.budget < 0 && !m.pause(ip) {
		return false
	}
	fr := m.fr
	it := fr.regs[in.A].Ref().(*iterator)
	if it.kind == iterWatched {
		it.watch.Round()
		it = it.inner
	}
	if it.kind == iterObject {
		if m.beginSpecial(it.object, "__next__", nil, code.CallNexts, in.B, ip) {
			return true
		}
		if m.err == nil { // it has none any more
			_, _, err := it.object.NextValue()
			m.fail(err, ip)
		}
		return false
	}
	if it.kind >= iterItems {
		return m.roundOfTuples(it, in, ip)
	}
	switch m.next(it, &fr.regs[in.B], ip) {
	case failed:
		return false
	case found:
		fr.ip = ip + int(in.D) - 1
	}
	return true
}

// next stores the next element.
func (m *Machine) next(it *iterator, to *slot.Slot, ip int) int {
	switch it.kind {
	case iterRange:
		if it.i == it.n {
			return ended
		}
		to.SetInt(it.start + it.i*it.step)
		it.i++
		return found
	case iterList:
		if it.i >= int64(it.list.Len()) {
			return ended
		}
		*to = *it.list.At(int(it.i))
		it.i++
		return found
	case iterTuple:
		if it.i >= int64(len(it.tuple)) {
			return ended
		}
		*to = slot.Of(it.tuple[it.i])
		it.i++
		return found
	case iterDict, iterSet:
		return m.nextKey(it, to, ip)
	case iterGenerator:
		return m.nextGenerated(it, ip)
	case iterText:
		if it.text == "" {
			return ended
		}
		*to, it.text = value.FirstChar(it.text)
		return found
	case iterReversed:
		if it.i >= int64(it.list.Len()) || it.i < 0 {
			it.i = -1
			return ended
		}
		*to = *it.list.At(int(it.i))
		it.i--
		return found
	case iterValues:
		return m.nextKey(it, to, ip)
	}
	return m.nextAny(it, to, ip)
}

// nextKey stores the next key of a dict, or element of a set, which may not change their sizes.
func (m *Machine) nextKey(it *iterator, to *slot.Slot, ip int) int {
	pos, err := it.walk.Next()
	switch {
	case err != nil || pos < 0:
		return m.noKey(it, err, ip)
	case it.kind == iterDict:
		*to = it.keys.KeyAt(pos)
	case it.kind == iterValues:
		*to = it.keys.ValueAt(pos)
	default:
		*to = it.set.At(pos)
	}
	return found
}

// noKey is the end of an iteration over a dict or set, perhaps by an error.
func (m *Machine) noKey(it *iterator, err error, ip int) int {
	if err == nil {
		return ended
	}
	if err == slot.ErrDictSize {
		err = value.ChangedSize(int(it.n), it.keys.Len())
	}
	m.fail(err, ip)
	return failed
}

// nextGenerated puts the frame of a generator on the machine, whose Yield stores the next element.
func (m *Machine) nextGenerated(it *iterator, ip int) int {
	if it.gen.ended {
		return ended
	}
	if err := it.gen.begin(m, slot.Slot{}, nil); err != nil {
		m.fail(err, ip)
		return failed
	}
	return entered
}

func (m *Machine) nextAny(it *iterator, to *slot.Slot, ip int) (what int) {
	ok := true
	m.top().ip = ip
	defer func() {
		if !ok {
			what = failed
		}
	}()
	defer m.guard(m.fr.depth, ip, &ok)
	more := it.elements.Next(&it.element)
	if err := m.stopped(); err != nil { // Next can give no error
		m.fail(err, ip)
		return failed
	}
	if !more {
		return ended
	}
	*to = slot.Of(it.element)
	return found
}

// elementsOf is x as what has elements to go through, as texts and bytes have.
func elementsOf(x starlark.Value) (xs starlark.Iterable, ok bool) {
	switch x.(type) {
	case starlark.String, starlark.Bytes:
		xs, err := value.Iterable(x)
		return xs, err == nil
	}
	xs, ok = x.(starlark.Iterable)
	return xs, ok
}

// unpack is a, b = x.
func (m *Machine) unpack(in code.Instr, ip int) bool {
	regs := m.top().regs
	x := regs[in.A].Value()
	n := int(in.C)
	to := regs[in.B : int(in.B)+n]
	if t, ok := x.(starlark.Tuple); ok && len(t) == n {
		for i, v := range t {
			to[i] = slot.Of(v)
		}
		return true
	}
	xs, ok := elementsOf(x)
	var it starlark.Iterator
	if ok {
		it = xs.Iterate()
	}
	if it == nil {
		return m.went(fmt.Errorf("got %s in sequence assignment", x.Type()), ip)
	}
	defer it.Done()
	i := 0
	var v starlark.Value
	for i < n && it.Next(&v) {
		to[i] = slot.Of(v)
		i++
	}
	if err := m.stopped(); err != nil {
		return m.went(err, ip)
	}
	if i < n {
		return m.went(fmt.Errorf("too few values to unpack (got %d, want %d)", i, n), ip)
	}
	if it.Next(&v) {
		return m.went(fmt.Errorf("too many values to unpack (got %d, want %d)", starlark.Len(x), n), ip)
	}
	return m.went(nil, ip)
}
