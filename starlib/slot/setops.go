package slot

import (
	"errors"

	"go.starlark.net/starlark"
)

// errStop ends each.
var errStop = errors.New("stop")

// InsertAll puts in what an iterator gives.
func (s *Set) InsertAll(it starlark.Iterator) error {
	return each(it, func(hash uint64, x Slot) error {
		if err := s.check("insert into"); err != nil {
			return err
		}
		return s.put(hash, x, Slot{})
	})
}

// include is s.update(with).
func (s *Set) include(with starlark.Iterable) error {
	it := with.Iterate()
	defer it.Done()
	return s.InsertAll(it)
}

// subtract is s.difference_update(with).
func (s *Set) subtract(with starlark.Iterable) error {
	if with == starlark.Iterable(s) {
		return s.Clear()
	}
	it := with.Iterate()
	defer it.Done()
	return s.deleteAll(it)
}

// intersect is s.intersection_update(with).
func (s *Set) intersect(with starlark.Iterable) error {
	it := with.Iterate()
	defer it.Done()
	both, err := s.Intersection(it)
	if err != nil {
		return err
	}
	return s.TakeFrom(both.(*Set))
}

// toggle is s.symmetric_difference_update(with).
func (s *Set) toggle(with starlark.Iterable) error {
	other, ok := with.(*Set)
	if ok && other == s {
		return s.Clear()
	}
	if !ok { // an element that is there twice would be taken out again
		it := with.Iterate()
		defer it.Done()
		var err error
		if other, err = setOf(it); err != nil {
			return err
		}
	}
	return s.toggleAll(other)
}

// deleteAll takes out what an iterator gives.
func (s *Set) deleteAll(it starlark.Iterator) error {
	return each(it, func(hash uint64, x Slot) error {
		if err := s.check("delete from"); err != nil {
			return err
		}
		pos, err := s.findHashed(x, hash)
		if pos >= 0 {
			s.remove(pos)
		}
		return err
	})
}

// toggleAll takes out those of another set that are there, and puts in the others.
func (s *Set) toggleAll(other *Set) error {
	return each(other.Iterate(), func(hash uint64, x Slot) error {
		if err := s.check("insert into"); err != nil {
			return err
		}
		pos, err := s.findHashed(x, hash)
		if err != nil {
			return err
		}
		if pos >= 0 {
			s.remove(pos)
		} else {
			s.add(hash, x, Slot{})
		}
		return nil
	})
}

// Union is a set of the elements of the set and of an iterator.
func (s *Set) Union(it starlark.Iterator) (starlark.Value, error) {
	z := s.Copy()
	return orNil(z, z.InsertAll(it))
}

// Difference is a set of the elements that an iterator does not give.
func (s *Set) Difference(it starlark.Iterator) (starlark.Value, error) {
	z := s.Copy()
	return orNil(z, z.deleteAll(it))
}

// Intersection is a set of the elements of the set that an iterator gives, in its order.
func (s *Set) Intersection(it starlark.Iterator) (starlark.Value, error) {
	z := NewSet(0)
	return orNil(z, each(it, func(hash uint64, x Slot) error {
		if pos, err := s.findHashed(x, hash); err != nil || pos < 0 {
			return err
		}
		return z.put(hash, x, Slot{})
	}))
}

// SymmetricDifference is a set of the elements that either the set has or an iterator gives.
func (s *Set) SymmetricDifference(it starlark.Iterator) (starlark.Value, error) {
	other, err := setOf(it)
	if err != nil {
		return nil, err
	}
	z := s.Copy()
	return orNil(z, z.toggleAll(other))
}

// IsSuperset is whether the set has all that an iterator gives.
func (s *Set) IsSuperset(it starlark.Iterator) (bool, error) {
	err := each(it, func(hash uint64, x Slot) error {
		pos, err := s.findHashed(x, hash)
		if err == nil && pos < 0 {
			return errStop
		}
		return err
	})
	if err == errStop {
		return false, nil
	}
	return err == nil, err
}

// isDisjoint is whether the set has nothing that an iterator gives.
func (s *Set) isDisjoint(it starlark.Iterator) (bool, error) {
	err := each(it, func(hash uint64, x Slot) error {
		pos, err := s.findHashed(x, hash)
		if pos >= 0 {
			return errStop
		}
		return err
	})
	if err == errStop {
		return false, nil
	}
	return err == nil, err
}

// IsSubset is whether an iterator gives all elements of the set.
func (s *Set) IsSubset(it starlark.Iterator) (bool, error) {
	other, err := setOf(it)
	if err != nil {
		return false, err
	}
	return other.IsSuperset(s.Iterate())
}

func orNil(s *Set, err error) (starlark.Value, error) {
	if err != nil {
		return nil, err
	}
	return s, nil
}
