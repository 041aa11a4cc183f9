package slot

import (
	"cmp"
	"errors"
	"iter"

	"go.starlark.net/starlark"
	"go.starlark.net/syntax"
)

// A Dict is a dict: keys and values in the order in which the keys came in. The zero Dict is
// empty.
type Dict struct{ table }

var (
	_ starlark.IterableMapping = (*Dict)(nil)
	_ starlark.Sequence        = (*Dict)(nil)
	_ starlark.HasSetKey       = (*Dict)(nil)
	_ starlark.HasAttrs        = (*Dict)(nil)
	_ starlark.HasBinary       = (*Dict)(nil)
	_ starlark.Comparable      = (*Dict)(nil)
)

var errEmptyDict = KeyFault{starlark.String("popitem(): dictionary is empty"), "empty dict"}

// NewDict returns a dict with memory for so many entries.
func NewDict(size int) *Dict {
	if 0 < size && size <= minRoom {
		both := new(struct {
			Dict
			smallDict
		})
		both.room, both.shift = minRoom, smallShift
		both.Dict.index, both.Dict.entries, both.Dict.values = both.smallDict.index[:], both.smallDict.entries[:0], both.smallDict.values[:0]
		return &both.Dict
	}
	d := new(Dict)
	d.Reserve(size)
	return d
}

// Lookup returns the value of a key, and whether it is there.
func (d *Dict) Lookup(key Slot) (value Slot, found bool, err error) {
	var pos int
	if key.IsInt() {
		pos, err = d.findInt(key, hashInt(key.Int()))
	} else if text, ok := key.ref.(starlark.String); ok {
		pos, err = d.findText(text, hashText(string(text)))
	} else {
		pos, _, err = d.find(key)
	}
	if pos < 0 {
		return Slot{}, false, err
	}
	return d.values[pos], true, nil
}

// Value is where the value of a key is, nil if it is not there. It is known of ints and texts,
// where no key asks the program, and holds until a key is put in or removed.
func (d *Dict) Value(key *Slot) (value *Slot, known bool) {
	pos, known := d.place(key)
	if pos < 0 {
		return nil, known
	}
	return &d.values[pos], true
}

// Plain is Value of any key that IsPlainKey, of a dict whose keys do not ask; nil if it is not
// there.
func (d *Dict) Plain(key Slot) *Slot {
	pos, _, err := d.find(key)
	if pos < 0 || err != nil {
		return nil
	}
	return &d.values[pos]
}

// Mutable reports whether the dict may change.
func (d *Dict) Mutable() bool { return !d.frozen }

// Put sets the value of a key. One that is there stays, though it be True and the new one 1.
func (d *Dict) Put(key, value Slot) error {
	if d.frozen {
		return d.check("insert into")
	}
	pos, hash, err := d.find(key)
	if err != nil {
		return err
	}
	if pos < 0 {
		d.add(hash, key, value)
		return nil
	}
	d.values[pos] = value.Escape()
	return nil
}

// Find returns where the value of a key is, for x[k] += y; nil if it is not there. It holds until
// a key is put in or removed.
func (d *Dict) Find(key Slot) (*Slot, error) {
	if err := d.check("insert into"); err != nil {
		return nil, err
	}
	pos, _, err := d.find(key)
	if pos < 0 {
		return nil, err
	}
	return &d.values[pos], nil
}

// PutDefault returns the value of a key, which becomes value if it is not there.
func (d *Dict) PutDefault(key, value Slot) (Slot, error) {
	pos, hash, err := d.find(key)
	if err != nil {
		return Slot{}, err
	}
	if pos >= 0 {
		return d.values[pos], nil
	}
	if err := d.check("insert into"); err != nil {
		return Slot{}, err
	}
	d.add(hash, key, value)
	return value, nil
}

// Renew is Plain that makes the entry the last one, as if its key had been taken out and put in.
func (d *Dict) Renew(key Slot) *Slot {
	pos, _, err := d.find(key)
	if pos < 0 || err != nil || d.frozen {
		return nil
	}
	if pos < len(d.entries)-1 {
		e, v := d.entries[pos], d.values[pos]
		d.remove(pos)
		d.add(e.hash, e.key, v)
		pos = len(d.entries) - 1
	}
	return &d.values[pos]
}

// Remove takes a key out, and returns its value.
func (d *Dict) Remove(key Slot) (value Slot, found bool, err error) {
	if err := d.check("delete from"); err != nil {
		return Slot{}, false, err
	}
	pos, _, err := d.find(key)
	if pos < 0 {
		return Slot{}, false, err
	}
	value = d.values[pos]
	d.remove(pos)
	return value, true, nil
}

// PopLast takes out the last entry, as popitem of Python's.
func (d *Dict) PopLast() (key, value Slot, err error) { return d.popAt((*table).lastLive) }

// PopFirst takes out the first entry, as popitem of Starlark's.
func (d *Dict) PopFirst() (key, value Slot, err error) { return d.popAt((*table).firstLive) }

func (d *Dict) popAt(position func(*table) int) (key, value Slot, err error) {
	if d.live == 0 {
		return key, value, errEmptyDict
	}
	if err := d.check("delete from"); err != nil {
		return key, value, err
	}
	pos := position(&d.table)
	key, value = d.entries[pos].key, d.values[pos]
	d.remove(pos)
	if pos == len(d.entries)-1 {
		d.cut(pos)
	}
	return key, value, nil
}

// Merge puts in all entries of another dict.
func (d *Dict) Merge(from *Dict) error {
	if err := d.check("insert into"); err != nil {
		return err
	}
	return d.merge(&from.table)
}

// Copy is a dict of the same entries, which is not frozen.
func (d *Dict) Copy() *Dict { return &Dict{d.clone()} }

// Walk is a way through the entries.
func (d *Dict) Walk() Walk { return d.walk() }

// KeyAt is the key at a position that a Walk gave, before the dict changes.
func (d *Dict) KeyAt(pos int) Slot { return d.entries[pos].key }

// ValueAt is the value at a position that a Walk gave, before the dict changes.
func (d *Dict) ValueAt(pos int) Slot { return d.values[pos] }

// What follows takes and gives values as starlark.Dict does.

// Get returns the value of a key, and whether it is there.
func (d *Dict) Get(k starlark.Value) (v starlark.Value, found bool, err error) {
	value, found, err := d.Lookup(Of(k))
	return orNone(value), found, err
}

// SetKey is Put.
func (d *Dict) SetKey(k, v starlark.Value) error { return d.Put(Of(k), Of(v)) }

// Delete is Remove.
func (d *Dict) Delete(k starlark.Value) (v starlark.Value, found bool, err error) {
	value, found, err := d.Remove(Of(k))
	if err != nil {
		return nil, false, err
	}
	return orNone(value), found, nil
}

func orNone(s Slot) starlark.Value {
	if s.IsSet() {
		return s.Value()
	}
	return starlark.None
}

// Clear removes all entries.
func (d *Dict) Clear() error {
	if err := d.check("clear"); err != nil {
		return err
	}
	d.clear()
	return nil
}

// Len is how many entries there are.
func (d *Dict) Len() int { return d.live }

// Keys returns the keys.
func (d *Dict) Keys() []starlark.Value { return d.keys() }

// AppendKeys appends the keys to slots.
func (d *Dict) AppendKeys(to []Slot) []Slot { return d.appendKeys(to) }

// AppendValues appends the values to slots.
func (d *Dict) AppendValues(to []Slot) []Slot {
	for i := range d.entries {
		if d.entries[i].key.IsSet() {
			to = append(to, d.values[i])
		}
	}
	return to
}

// Values returns the values.
func (d *Dict) Values() []starlark.Value {
	all := make([]starlark.Value, 0, d.live)
	for i, e := range d.entries {
		if e.key.IsSet() {
			all = append(all, d.values[i].Value())
		}
	}
	return all
}

// Items returns the pairs of key and value.
func (d *Dict) Items() []starlark.Tuple {
	all := make([]starlark.Tuple, 0, d.live)
	memory := make([]starlark.Value, 0, 2*d.live)
	for i, e := range d.entries {
		if e.key.IsSet() {
			n := len(memory)
			memory = append(memory, e.key.Value(), d.values[i].Value())
			all = append(all, memory[n:n+2:n+2])
		}
	}
	return all
}

// Entries goes through the keys and values, those too that are put in meanwhile.
func (d *Dict) Entries() iter.Seq2[starlark.Value, starlark.Value] {
	return func(yield func(k, v starlark.Value) bool) {
		for i := 0; i < len(d.entries); i++ {
			if k := d.entries[i].key; k.IsSet() && !yield(k.Value(), d.values[i].Value()) {
				return
			}
		}
	}
}

// Iterate goes through the keys: see Iterator.
func (d *Dict) Iterate() starlark.Iterator { return &Iterator{walk: d.walk()} }

// Freeze makes the dict and what it holds constant.
func (d *Dict) Freeze() { d.freeze() }

// String is repr(d).
func (d *Dict) String() string { return Hooks.Repr(d) }

// Type is "dict".
func (d *Dict) Type() string { return "dict" }

// Truth is whether there are entries.
func (d *Dict) Truth() starlark.Bool { return d.live > 0 }

// Hash fails.
func (d *Dict) Hash() (uint32, error) { return 0, errors.New("unhashable type: dict") }

// Union is a dict of the entries of both. Keys whose comparison fails are left out: see Binary.
func (d *Dict) Union(other *Dict) *Dict {
	z := d.Copy()
	_ = z.merge(&other.table)
	return z
}

// Binary is d | other.
func (d *Dict) Binary(op syntax.Token, y starlark.Value, side starlark.Side) (
	starlark.Value, error) {
	if op != syntax.PIPE {
		return nil, nil
	}
	other, err := dictFrom(y)
	switch {
	case other == nil || err != nil:
		return nil, err
	case side == starlark.Right:
		d, other = other, d
	}
	z := d.Copy()
	return z, z.merge(&other.table)
}

// CompareSameType is d == y or d != y.
func (d *Dict) CompareSameType(op syntax.Token, y starlark.Value, depth int) (bool, error) {
	other, err := dictFrom(y)
	if err != nil || other == nil || op != syntax.EQL && op != syntax.NEQ {
		return op == syntax.NEQ, cmp.Or(err, notImplemented(op, d, y))
	}
	same, err := d.equals(other, depth)
	return same == (op == syntax.EQL) && err == nil, err
}

func (d *Dict) equals(other *Dict, depth int) (bool, error) {
	switch {
	case d == other:
		return true, nil
	case depth < 1:
		return false, errTooDeep
	case d.live != other.live:
		return false, nil
	}
	for i := 0; i < len(d.entries); i++ {
		e := d.entries[i]
		if !e.key.IsSet() {
			continue
		}
		value := d.values[i]
		pos, err := other.findHashed(e.key, e.hash)
		if err != nil || pos < 0 {
			return false, err
		}
		if same, err := equal(value, other.values[pos], depth-1); err != nil || !same {
			return false, err
		}
	}
	return true, nil
}
