package slot

import (
	"cmp"
	"errors"
	"iter"
	"math/bits"

	"go.starlark.net/starlark"
	"go.starlark.net/syntax"
)

// A Set is a set: elements in the order in which they came in. See NewSet. A constant one is a
// frozenset, which has a hash, and none of the methods that change it.
type Set struct {
	table
	constant bool
}

var (
	_ starlark.Sequence   = (*Set)(nil)
	_ starlark.Container  = (*Set)(nil)
	_ starlark.HasAttrs   = (*Set)(nil)
	_ starlark.HasBinary  = (*Set)(nil)
	_ starlark.Comparable = (*Set)(nil)
)

var errEmptySet = KeyFault{starlark.String("pop from an empty set"), "empty set"}

// NewSet returns a set with memory for so many elements.
func NewSet(size int) *Set {
	s := &Set{table: table{isSet: true}}
	s.Reserve(size)
	return s
}

// setOf is a set of what an iterator gives.
func setOf(it starlark.Iterator) (*Set, error) {
	s := NewSet(0)
	return s, s.InsertAll(it)
}

// Constant makes a set that no other value refers to yet a frozenset, and returns it.
func (s *Set) Constant() *Set {
	s.constant = true
	s.frozen = true // the elements are not: an instance may be one, and change
	return s
}

// IsConstant is whether the set is a frozenset.
func (s *Set) IsConstant() bool { return s.constant }

// As makes a set that no other value refers to yet a frozenset if the other set is one, and returns
// it.
func (s *Set) As(other *Set) *Set {
	if other.constant {
		return s.Constant()
	}
	return s
}

// Contains is whether an element is there.
func (s *Set) Contains(x Slot) (bool, error) {
	pos, _, err := s.find(x)
	return pos >= 0, err
}

// Holds is Contains, where that is known as in a Dict's Value.
func (s *Set) Holds(x *Slot) (found, known bool) {
	pos, known := s.place(x)
	return pos >= 0, known
}

// Add puts an element in. One that is there stays, though it be True and the new one 1.
func (s *Set) Add(x Slot) error {
	if err := s.check("insert into"); err != nil {
		return err
	}
	pos, hash, err := s.find(x)
	if err == nil && pos < 0 {
		s.add(hash, x, Slot{})
	}
	return err
}

// Remove takes an element out, and returns whether it was there.
func (s *Set) Remove(x Slot) (bool, error) {
	if err := s.check("delete from"); err != nil {
		return false, err
	}
	pos, _, err := s.find(x)
	if pos >= 0 {
		s.remove(pos)
	}
	return pos >= 0, err
}

// Pop takes out the first element.
func (s *Set) Pop() (Slot, error) {
	if s.live == 0 {
		return Slot{}, errEmptySet
	}
	if err := s.check("delete from"); err != nil {
		return Slot{}, err
	}
	pos := s.firstLive()
	x := s.entries[pos].key
	s.remove(pos)
	return x, nil
}

// Copy is a set of the same elements, which is not frozen.
func (s *Set) Copy() *Set { return &Set{table: s.clone()} }

// TakeFrom gives the set the elements of another one, which nobody uses from then on.
func (s *Set) TakeFrom(other *Set) error {
	if err := s.check("clear"); err != nil {
		return err
	}
	moves, pace := s.moves, s.pace
	s.table = other.table
	s.moves, s.pace = moves+1, pace
	return nil
}

// Walk is a way through the elements.
func (s *Set) Walk() Walk { return s.walk() }

// At is the element at a position that a Walk gave, before the set changes.
func (s *Set) At(pos int) Slot { return s.entries[pos].key }

// What follows takes and gives values as starlark.Set does.

// Has is Contains.
func (s *Set) Has(k starlark.Value) (found bool, err error) { return s.Contains(Of(k)) }

// Insert is Add.
func (s *Set) Insert(k starlark.Value) error { return s.Add(Of(k)) }

// Delete is Remove.
func (s *Set) Delete(k starlark.Value) (found bool, err error) { return s.Remove(Of(k)) }

// Clear removes all elements.
func (s *Set) Clear() error {
	if err := s.check("clear"); err != nil {
		return err
	}
	s.clear()
	return nil
}

// Len is how many elements there are.
func (s *Set) Len() int { return s.live }

// Iterate goes through the elements: see Iterator.
func (s *Set) Iterate() starlark.Iterator { return &Iterator{walk: s.walk()} }

// AppendElements appends the elements to slots.
func (s *Set) AppendElements(to []Slot) []Slot { return s.appendKeys(to) }

// Elements goes through the elements, those too that are put in meanwhile.
func (s *Set) Elements() iter.Seq[starlark.Value] {
	return func(yield func(starlark.Value) bool) {
		for i := 0; i < len(s.entries); i++ {
			if k := s.entries[i].key; k.IsSet() && !yield(k.Value()) {
				return
			}
		}
	}
}

// Freeze makes the set and what it holds constant.
func (s *Set) Freeze() { s.freeze() }

// String is repr(s), as Starlark writes it.
func (s *Set) String() string { return Hooks.Repr(s) }

// Type is "set" or "frozenset".
func (s *Set) Type() string {
	if s.constant {
		return "frozenset"
	}
	return "set"
}

// Truth is whether there are elements.
func (s *Set) Truth() starlark.Bool { return s.live > 0 }

// Hash is that of a frozenset, which no order of its elements changes. It fails for a set.
func (s *Set) Hash() (uint32, error) {
	if !s.constant {
		return 0, errors.New("unhashable type: set")
	}
	return uint32(s.sum()), nil
}

// sum is a number of the elements' hashes, in any order.
func (s *Set) sum() uint64 {
	sum := uint64(s.live+1) * golden
	for i := range s.entries {
		if e := &s.entries[i]; e.key.IsSet() {
			sum += bits.RotateLeft64(e.hash*golden, 29) * 0xbf58476d1ce4e5b9
		}
	}
	return sum
}

// setOperators are the operators of two sets.
var setOperators = map[syntax.Token]func(*Set, starlark.Iterator) (starlark.Value, error){
	syntax.PIPE:       (*Set).Union,
	syntax.AMP:        (*Set).Intersection,
	syntax.MINUS:      (*Set).Difference,
	syntax.CIRCUMFLEX: (*Set).SymmetricDifference,
}

// Binary is s op y.
func (s *Set) Binary(op syntax.Token, y starlark.Value, side starlark.Side) (
	starlark.Value, error) {
	operator := setOperators[op]
	if operator == nil {
		return nil, nil
	}
	other, err := setFrom(y)
	switch {
	case other == nil || err != nil:
		return nil, err
	case side == starlark.Right:
		s, other = other, s
	}
	z, err := operator(s, other.Iterate())
	if z, ok := z.(*Set); ok {
		return z.As(s), err
	}
	return z, err
}

// CompareSameType is s op y: whether one of the sets holds the other, for < and >.
func (s *Set) CompareSameType(op syntax.Token, y starlark.Value, _ int) (bool, error) {
	other, err := setFrom(y)
	if err != nil || other == nil {
		return op == syntax.NEQ, cmp.Or(err, notImplemented(op, s, y))
	}
	switch op {
	case syntax.EQL, syntax.NEQ:
		same := s == other
		var err error
		if !same && s.live == other.live {
			same, err = s.IsSuperset(other.Iterate())
		}
		return same == (op == syntax.EQL) && err == nil, err
	case syntax.LT, syntax.LE:
		return other.encloses(s, op == syntax.LT)
	case syntax.GT, syntax.GE:
		return s.encloses(other, op == syntax.GT)
	}
	return false, notImplemented(op, s, y)
}

// encloses is s >= other, or s > other if there must be more.
func (s *Set) encloses(other *Set, more bool) (bool, error) {
	if s.live < other.live || more && s.live == other.live {
		return false, nil
	}
	return s.IsSuperset(other.Iterate())
}
