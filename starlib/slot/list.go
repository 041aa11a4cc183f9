package slot

import (
	"errors"
	"fmt"
	"iter"
	"slices"

	"go.starlark.net/starlark"
	"go.starlark.net/syntax"
)

// A List is a list. It holds the arrays that it is given. Loops over it go by index and see what
// becomes of it, as Python's.
type List struct {
	slots  []Slot
	frozen bool
}

var (
	_ starlark.Sequence    = (*List)(nil)
	_ starlark.HasSetIndex = (*List)(nil)
	_ starlark.Sliceable   = (*List)(nil)
	_ starlark.Container   = (*List)(nil)
	_ starlark.HasAttrs    = (*List)(nil)
	_ starlark.HasBinary   = (*List)(nil)
	_ starlark.Comparable  = (*List)(nil)
)

// NewList returns a list of values.
func NewList(elems []starlark.Value) *List {
	l := &List{slots: make([]Slot, len(elems))}
	for i, v := range elems {
		l.slots[i] = Of(v)
	}
	return l
}

// Make returns a list that takes slots over.
func Make(slots []Slot) *List { return &List{slots: slots} }

// ListOf is a list of a few elements, with which it shares memory of its own.
func ListOf(elements []Slot) *List {
	switch n := len(elements); {
	case n == 0:
		return new(List)
	case n <= 2:
		both := new(struct {
			List
			few [2]Slot
		})
		both.slots = both.few[:copy(both.few[:], elements)]
		return &both.List
	case n <= 4:
		both := new(struct {
			List
			few [4]Slot
		})
		both.slots = both.few[:copy(both.few[:], elements)]
		return &both.List
	}
	return &List{slots: append(make([]Slot, 0, len(elements)), elements...)}
}

// Slots are the elements themselves, until the list changes its length.
func (l *List) Slots() []Slot { return l.slots }

// At is where an element is, until the list changes its length. What stores there asks Mutable.
func (l *List) At(i int) *Slot { return &l.slots[i] }

// Mutable reports whether the list may change.
func (l *List) Mutable() bool { return !l.frozen }

// Set replaces an element.
func (l *List) Set(i int, x Slot) error {
	if l.frozen {
		return l.check("assign to element of")
	}
	l.slots[i] = x.Escape()
	return nil
}

// Push adds an element at the end.
func (l *List) Push(x Slot) error {
	n := len(l.slots)
	if l.frozen || n == cap(l.slots) {
		return l.pushGrowing(x)
	}
	l.slots = l.slots[:n+1]
	l.slots[n] = x.Escape()
	return nil
}

// Fits adds an element that is no array of a register at the end, where there is memory for it. It
// reports false of others, and of a list that may not change.
func (l *List) Fits(x *Slot) bool {
	n := len(l.slots)
	if l.frozen || n == cap(l.slots) || x.IsOwn() {
		return false
	}
	l.slots = l.slots[:n+1]
	l.slots[n] = *x
	return true
}

// Moves reports whether one more element moves the list, which may change, to other memory.
func (l *List) Moves() bool { return len(l.slots) == cap(l.slots) && !l.frozen }

func (l *List) pushGrowing(x Slot) error {
	if err := l.check("append to"); err != nil {
		return err
	}
	l.Reserve(1)
	l.slots = append(l.slots, x.Escape())
	return nil
}

// Reserve makes memory for n more elements, and for as many again as there are if there was not
// enough.
func (l *List) Reserve(n int) {
	if need := len(l.slots) + n; need > cap(l.slots) {
		l.move(max(4, need, 2*cap(l.slots)))
	}
}

// move gives the list memory for n elements.
func (l *List) move(n int) {
	slots := make([]Slot, len(l.slots), n)
	copy(slots, l.slots)
	l.slots = slots
}

// MoveTo gives the list, which may change, its elements in other memory.
func (l *List) MoveTo(slots []Slot) { l.slots = slots }

// Splice replaces the elements from start on and before end. with may be all of
// the list's own.
func (l *List) Splice(start, end int, with []Slot) error {
	if err := l.check("assign to element of"); err != nil {
		return err
	}
	end = max(start, end)
	l.splice(start, end, with)
	return nil
}

func (l *List) splice(start, end int, with []Slot) {
	if len(with) > 0 && len(l.slots) > 0 && &with[:1][0] == &l.slots[:1][0] {
		with = slices.Clone(with)
	}
	n := len(l.slots)
	grown := len(with) - (end - start)
	if grown > 0 {
		l.Reserve(grown)
		l.slots = l.slots[:n+grown]
	}
	copy(l.slots[start+len(with):], l.slots[end:n])
	copy(l.slots[start:], with)
	if grown < 0 {
		l.cut(n + grown)
	}
}

// cut shortens the list, and gives back memory of which three quarters are not used.
func (l *List) cut(n int) {
	clear(l.slots[n:])
	l.slots = l.slots[:n]
	if cap(l.slots) > 64 && n < cap(l.slots)/4 {
		l.move(2 * n)
	}
}

// Insert adds an element before that of an index between 0 and Len.
func (l *List) Insert(i int, x Slot) error {
	if err := l.check("insert into"); err != nil {
		return err
	}
	l.Reserve(1)
	l.slots = append(l.slots, Slot{})
	copy(l.slots[i+1:], l.slots[i:])
	l.slots[i] = x.Escape()
	return nil
}

// Delete removes an element, and returns it.
func (l *List) Delete(i int) (Slot, error) {
	if err := l.check("pop from"); err != nil {
		return Slot{}, err
	}
	x := l.slots[i]
	copy(l.slots[i:], l.slots[i+1:])
	l.cut(len(l.slots) - 1)
	return x, nil
}

// Extend adds what an iterable gives at the end.
func (l *List) Extend(from starlark.Iterable) error {
	if err := l.check("extend"); err != nil {
		return err
	}
	switch from := from.(type) {
	case *List:
		l.splice(len(l.slots), len(l.slots), from.slots)
		return nil
	case starlark.Tuple:
		l.Reserve(len(from))
	case starlark.Sequence:
		l.Reserve(max(0, from.Len()))
	}
	it := from.Iterate()
	defer it.Done()
	var v starlark.Value
	for it.Next(&v) {
		if err := l.Push(Of(v)); err != nil {
			return err
		}
	}
	return errOf(it)
}

// Find is the index of the first element that is or equals x, from start on and before end; -1 if
// there is none.
func (l *List) Find(x Slot, start, end int) (int, error) {
	for i := start; i < min(end, len(l.slots)); i++ {
		if same, err := Equal(l.slots[i], x); err != nil {
			return -1, err
		} else if same {
			return i, nil
		}
	}
	return -1, nil
}

// Reverse turns the order of the elements around.
func (l *List) Reverse() error {
	err := l.check("assign to element of")
	if err == nil {
		slices.Reverse(l.slots)
	}
	return err
}

// Copy is a list of the same elements, which is not frozen.
func (l *List) Copy() *List { return &List{slots: slices.Clone(l.slots)} }

// Repeat is a list of the elements n times.
func (l *List) Repeat(n int) *List { return &List{slots: slices.Repeat(l.slots, max(n, 0))} }

// check returns the error of a change if there may be none. verb says the change.
func (l *List) check(verb string) error {
	if l.frozen {
		return fmt.Errorf("cannot %s frozen list", verb)
	}
	return nil
}

// What follows takes and gives values as starlark.List does.

// Len is how many elements there are.
func (l *List) Len() int { return len(l.slots) }

// Index returns an element.
func (l *List) Index(i int) starlark.Value { return l.slots[i].Value() }

func (l *List) slot(i int) Slot { return l.slots[i] }

// SetIndex is Set.
func (l *List) SetIndex(i int, v starlark.Value) error { return l.Set(i, Of(v)) }

// Append is Push.
func (l *List) Append(v starlark.Value) error { return l.Push(Of(v)) }

// Clear removes all elements.
func (l *List) Clear() error {
	err := l.check("clear")
	if err == nil {
		l.slots = nil
	}
	return err
}

// Slice is a list of the elements from start on and before end, behind it for a negative step.
func (l *List) Slice(start, end, step int) starlark.Value {
	if step == 1 {
		return ListOf(l.slots[start:end])
	}
	var slots []Slot
	if n := (end - start + step - min(1, max(-1, step))) / step; n > 0 {
		slots = make([]Slot, n)
	}
	for i := range slots {
		slots[i] = l.slots[start+i*step]
	}
	return &List{slots: slots}
}

// Has is whether x is in the list.
func (l *List) Has(x starlark.Value) (bool, error) {
	at, err := l.Find(Of(x), 0, len(l.slots))
	return at >= 0, err
}

// Elements goes through the elements, those too that are added meanwhile.
func (l *List) Elements() iter.Seq[starlark.Value] {
	return func(yield func(starlark.Value) bool) {
		for i := 0; i < len(l.slots) && yield(l.slots[i].Value()); i++ {
		}
	}
}

// Iterate is Elements as an iterator.
func (l *List) Iterate() starlark.Iterator { return &listIterator{l: l} }

// A listIterator holds no list once it is at the end, and stays there.
type listIterator struct {
	l    *List
	next int
}

func (it *listIterator) Next(p *starlark.Value) bool {
	if it.l == nil || it.next >= len(it.l.slots) {
		it.l = nil
		return false
	}
	*p = it.l.slots[it.next].Value()
	it.next++
	return true
}

func (it *listIterator) Done() {}

// Freeze makes the list and what it holds constant.
func (l *List) Freeze() {
	if l.frozen {
		return
	}
	l.frozen = true
	for _, x := range l.slots {
		freeze(x)
	}
}

// String is repr(l).
func (l *List) String() string { return Hooks.Repr(l) }

// Type is "list".
func (l *List) Type() string { return "list" }

// Truth is whether there are elements.
func (l *List) Truth() starlark.Bool { return len(l.slots) > 0 }

// Hash fails.
func (l *List) Hash() (uint32, error) { return 0, errors.New("unhashable type: list") }

// maxRepeat is how many elements l * n may have.
const maxRepeat = 1 << 30

// Binary is l + y of two lists, l * n and n * l.
func (l *List) Binary(op syntax.Token, y starlark.Value, side starlark.Side) (
	starlark.Value, error) {
	if count, ok := y.(starlark.Int); ok && op == syntax.STAR {
		return l.times(count)
	}
	other := listFrom(y)
	switch {
	case other == nil || op != syntax.PLUS:
		return nil, nil
	case side == starlark.Right:
		l, other = other, l
	}
	return &List{slots: slices.Concat(l.slots, other.slots)}, nil
}

func (l *List) times(count starlark.Int) (starlark.Value, error) {
	if len(l.slots) == 0 {
		return new(List), nil
	}
	n, err := starlark.AsInt32(count)
	if err != nil {
		return nil, fmt.Errorf("repeat count %s too large", count)
	}
	if n > 0 && len(l.slots) >= (maxRepeat+n-1)/n {
		return nil, fmt.Errorf("excessive repeat (%d * %d elements)", len(l.slots), n)
	}
	return l.Repeat(n), nil
}

// CompareSameType is l op y, by the first elements that differ.
func (l *List) CompareSameType(op syntax.Token, y starlark.Value, depth int) (bool, error) {
	other := listFrom(y)
	if other == nil {
		return op == syntax.NEQ, notImplemented(op, l, y)
	}
	return compareSequences(op, l, other, depth)
}

// notImplemented is the error of an order that two values do not have.
func notImplemented(op syntax.Token, x, y starlark.Value) error {
	if op == syntax.EQL || op == syntax.NEQ {
		return nil
	}
	return fmt.Errorf("%s %s %s not implemented", x.Type(), op, y.Type())
}
