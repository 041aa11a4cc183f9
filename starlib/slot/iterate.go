package slot

import "go.starlark.net/starlark"

// An Iterator goes through the keys of a dict or the elements of a set, for what takes Starlark's
// iterators. Where the number of entries changes it ends, and has an Err.
type Iterator struct {
	walk Walk
	err  error
}

// A failing iterator may end because of an error.
type failing interface{ Err() error }

var _ failing = (*Iterator)(nil)

// Next gives the next element.
func (it *Iterator) Next(p *starlark.Value) bool {
	e, ok := it.entry()
	if ok {
		*p = e.key.Value()
	}
	return ok
}

func (it *Iterator) entry() (entry, bool) {
	if it.err != nil {
		return entry{}, false
	}
	pos, err := it.walk.Next()
	if it.err = err; pos < 0 {
		return entry{}, false
	}
	return it.walk.t.entries[pos], true
}

// Err is why there are no more elements; nil if all were given.
func (it *Iterator) Err() error { return it.err }

// Done has nothing to do.
func (it *Iterator) Done() {}

// errOf is the error of an iterator that ended.
func errOf(it starlark.Iterator) error {
	if f, ok := it.(failing); ok {
		return f.Err()
	}
	return nil
}

// each goes through what is left of an iterator, with the hashes of the elements. Those of a dict
// or set are known.
func each(it starlark.Iterator, do func(hash uint64, x Slot) error) error {
	if from, ok := it.(*Iterator); ok {
		for e, ok := from.entry(); ok; e, ok = from.entry() {
			if err := do(e.hash, e.key); err != nil {
				return err
			}
		}
		return from.err
	}
	var v starlark.Value
	for it.Next(&v) {
		x := Of(v)
		hash, err := hashOf(x)
		if err != nil {
			return err
		}
		if err := do(hash, x); err != nil {
			return err
		}
	}
	return errOf(it)
}

// keys returns the keys of a table.
func (t *table) keys() []starlark.Value {
	all := make([]starlark.Value, 0, t.live)
	for i := range t.entries {
		if k := t.entries[i].key; k.IsSet() {
			all = append(all, k.Value())
		}
	}
	return all
}

// appendKeys appends the keys of a table to slots.
func (t *table) appendKeys(to []Slot) []Slot {
	for i := range t.entries {
		if k := &t.entries[i].key; k.IsSet() {
			to = append(to, *k)
		}
	}
	return to
}
