package slot

import (
	"fmt"
	"math/bits"

	"go.starlark.net/starlark"
)

// A table is what dicts and sets are: entries in the order in which their keys came in, and an
// index of their positions, which is probed from where a key's hash says, one after the other.
// The layout is CPython's, and so is when the index is made anew (see sizeFor), as that is when
// positions change: what a loop sees that takes keys out and puts others in is what it sees
// there. The index has twice as many places as CPython's, so that most keys are found at once.
//
// A key that is removed leaves an entry without key, and a place in the index that is not used
// again until the index is made anew. So a search that is interrupted by an __eq__ that puts keys
// in misses none of them: they are behind it. If the __eq__ takes keys out the search may have to
// begin again: see search.
type table struct {
	index   []int32 // 0: free, -1: removed, else a position + 1
	entries []entry
	values  []Slot // of a dict, at the positions of their keys
	live    int    // entries with a key
	first   int    // no live entry is before this one
	room    int    // how many entries the index takes yet
	pace    *Pace  // nil, but while Paced runs
	moves   uint32 // how often entries were moved or removed
	shift   uint8  // of a hash, for a place in the index
	isSet   bool
	frozen  bool
	asks    bool // a key may ask the program what it equals
}

type entry struct {
	hash uint64
	key  Slot
}

const (
	golden      = 0x9e3779b97f4a7c15 // 2^64 over the golden ratio: spreads hashes over the index
	minLog2Size = 3
	minRoom     = (2 << minLog2Size) / 3
	smallShift  = 64 - 1 - minLog2Size
)

// A smallSet is the memory of a set of the least size.
type smallSet struct {
	index   [2 << minLog2Size]int32
	entries [minRoom]entry
}

// A smallDict is that of a dict.
type smallDict struct {
	smallSet
	values [minRoom]Slot
}

// sizeFor is the binary logarithm of the size of a table of at least n places, two thirds of
// which are for entries.
func sizeFor(n int) int {
	const least = 1 << minLog2Size
	return bits.Len(uint((n|least)-1) | (least - 1))
}

// rebuild makes memory for 2^log2 places, and moves the live entries there.
func (t *table) rebuild(log2 int) {
	if t.pace != nil && log2 >= pacedLog2 {
		t.rebuildPaced(log2)
		return
	}
	entries, values, gaps := t.entries, t.values, t.live < len(t.entries)
	t.moves++
	t.allocate(log2)
	t.take(entries, values, gaps)
	t.first = 0
}

// take appends entries of another table, of which some may have no key.
func (t *table) take(entries []entry, values []Slot, gaps bool) {
	n := len(t.entries)
	if !gaps {
		t.entries, t.values = append(t.entries, entries...), append(t.values, values...)
	} else {
		for i := range entries {
			if e := &entries[i]; e.key.IsSet() {
				t.entries = append(t.entries, *e)
				if !t.isSet {
					t.values = append(t.values, values[i])
				}
			}
		}
	}
	for i := n; i < len(t.entries); i++ {
		t.point(t.entries[i].hash, i+1)
	}
	t.room -= len(t.entries) - n
}

func (t *table) allocate(log2 int) {
	n := (2 << log2) / 3
	t.room, t.shift = n, uint8(64-1-log2)
	switch {
	case log2 > minLog2Size:
		t.index, t.entries = make([]int32, 2<<log2), make([]entry, 0, n)
		if !t.isSet {
			t.values = make([]Slot, 0, n)
		}
	case t.isSet:
		m := new(smallSet)
		t.index, t.entries = m.index[:], m.entries[:0]
	default:
		m := new(smallDict)
		t.index, t.entries, t.values = m.index[:], m.entries[:0], m.values[:0]
	}
}

// point puts a position + 1 into the first free place for a hash.
func (t *table) point(hash uint64, to int) {
	last := uint64(len(t.index) - 1)
	at := hash * golden >> t.shift
	for t.index[at] != 0 {
		at = (at + 1) & last
	}
	t.index[at] = int32(to)
}

// find returns the position of a key, -1 if it is not there, and its hash.
func (t *table) find(key Slot) (pos int, hash uint64, err error) {
	switch k := key.ref.(type) {
	case intTag:
		hash = hashInt(int64(key.bits))
		pos, err = t.findInt(key, hash)
	case starlark.String:
		hash = hashText(string(k))
		pos, err = t.findText(k, hash)
	default:
		if hash, err = hashOf(key); err != nil {
			return -1, 0, err
		}
		pos, err = t.search(key, hash)
	}
	return pos, hash, err
}

// place is find for an int or a text, in a table no key of which asks the program; known is false
// of others.
func (t *table) place(key *Slot) (pos int, known bool) {
	if t.asks {
		return -1, false
	}
	switch k := key.ref.(type) {
	case intTag:
		pos, _ = t.findInt(*key, hashInt(int64(key.bits)))
		return pos, true
	case starlark.String:
		pos, _ = t.findText(k, hashText(string(k)))
		return pos, true
	}
	return -1, false
}

// findHashed is find for a key whose hash is known.
func (t *table) findHashed(key Slot, hash uint64) (int, error) {
	switch k := key.ref.(type) {
	case intTag:
		return t.findInt(key, hash)
	case starlark.String:
		return t.findText(k, hash)
	}
	return t.search(key, hash)
}

func (t *table) findInt(key Slot, hash uint64) (int, error) {
	index := t.index
	for at := hash * golden >> t.shift; len(index) > 0; at++ {
		p := index[at&uint64(len(index)-1)]
		if p == 0 {
			break
		}
		if p < 0 {
			continue
		}
		if e := &t.entries[p-1]; e.hash == hash {
			if e.key.IsInt() && e.key.bits == key.bits {
				return int(p - 1), nil
			}
			return t.search(key, hash) // a bool, a float, or what has an __eq__
		}
	}
	return -1, nil
}

func (t *table) findText(key starlark.String, hash uint64) (int, error) {
	index := t.index
	for at := hash * golden >> t.shift; len(index) > 0; at++ {
		p := index[at&uint64(len(index)-1)]
		if p == 0 {
			break
		}
		if p < 0 {
			continue
		}
		if e := &t.entries[p-1]; e.hash == hash {
			if k, ok := e.key.ref.(starlark.String); ok && k == key {
				return int(p - 1), nil
			}
			return t.search(Slot{ref: key}, hash)
		}
	}
	return -1, nil
}

// search is find for keys of all types. What compares keys may change the table: if the entry
// that was compared is not where it was, the search begins again.
func (t *table) search(key Slot, hash uint64) (int, error) {
	index := t.index
	for at := hash * golden >> t.shift; len(index) > 0; at++ {
		p := index[at&uint64(len(index)-1)]
		if p == 0 {
			break
		}
		if p < 0 || t.entries[p-1].hash != hash {
			continue
		}
		stored, moves := t.entries[p-1].key, t.moves
		same, err := sameKey(stored, key)
		if err != nil {
			return -1, err
		}
		if t.moves != moves && !t.holds(index, int(p-1), stored) {
			index, at = t.index, hash*golden>>t.shift-1
			continue
		}
		if same {
			return int(p - 1), nil
		}
	}
	return -1, nil
}

// holds reports whether an index is still that of the table, and a key at its position.
func (t *table) holds(index []int32, pos int, key Slot) bool {
	return len(t.index) == len(index) && &t.index[0] == &index[0] &&
		pos < len(t.entries) && identical(t.entries[pos].key, key)
}

// add appends an entry for a key that is not there.
func (t *table) add(hash uint64, key, value Slot) {
	if t.room == 0 {
		t.rebuild(sizeFor(3 * t.live))
	}
	t.room--
	t.live++
	t.asks = t.asks || !key.IsPlainKey()
	t.entries = append(t.entries, entry{hash, key})
	if !t.isSet {
		t.values = append(t.values, value.Escape())
	}
	t.point(hash, len(t.entries))
}

// Asks reports whether a key may ask the program what it equals.
func (t *table) Asks() bool { return t.asks }

// put sets the value of a key, of which the hash is known.
func (t *table) put(hash uint64, key, value Slot) error {
	pos, err := t.findHashed(key, hash)
	switch {
	case err != nil:
		return err
	case pos < 0:
		t.add(hash, key, value)
	case !t.isSet:
		t.values[pos] = value.Escape()
	}
	return nil
}

// remove takes out the entry of a position.
func (t *table) remove(pos int) {
	e := &t.entries[pos]
	last := uint64(len(t.index) - 1)
	at := e.hash * golden >> t.shift
	for t.index[at] != int32(pos+1) {
		at = (at + 1) & last
	}
	t.index[at] = -1
	*e = entry{}
	if !t.isSet {
		t.values[pos] = Slot{}
	}
	t.live--
	t.moves++
}

// firstLive is the position of the first entry, if there is one.
func (t *table) firstLive() int {
	for !t.entries[t.first].key.IsSet() {
		t.first++
	}
	return t.first
}

// lastLive is the position of the last entry, if there is one. There is none behind it.
func (t *table) lastLive() int {
	for !t.entries[len(t.entries)-1].key.IsSet() {
		t.cut(len(t.entries) - 1)
	}
	return len(t.entries) - 1
}

// cut shortens the entries.
func (t *table) cut(n int) {
	t.entries = t.entries[:n]
	if !t.isSet {
		t.values = t.values[:n]
	}
	t.first = min(t.first, n)
}

// clear removes all entries and their memory.
func (t *table) clear() {
	*t = table{moves: t.moves + 1, isSet: t.isSet, pace: t.pace}
}

// clone is a table of the same entries.
func (t *table) clone() table {
	if t.live == 0 {
		return table{isSet: t.isSet}
	}
	z := *t
	z.frozen, z.pace = false, nil
	if t.live < len(t.entries) {
		z.rebuild(sizeFor((3*t.live + 1) / 2))
		return z
	}
	z.allocate(64 - 1 - int(t.shift))
	z.room = t.room
	copy(z.index, t.index)
	z.entries = append(z.entries, t.entries...)
	if !z.isSet {
		z.values = append(z.values, t.values...)
	}
	return z
}

// merge puts in all entries of another table.
func (t *table) merge(from *table) error {
	if t.live == 0 && from.live > 0 && t.isSet == from.isSet && t.pace == nil {
		moves := t.moves
		*t = from.clone()
		t.moves = moves + 1
		return nil
	}
	for i := 0; i < len(from.entries); i++ {
		if t.pace != nil {
			t.pace.Ask(1)
		}
		e, value := from.entries[i], None
		if !e.key.IsSet() {
			continue
		}
		if !from.isSet {
			value = from.values[i]
		}
		if err := t.put(e.hash, e.key, value); err != nil {
			return err
		}
	}
	return nil
}

// check returns the error of a change if the table is frozen. verb says the change.
func (t *table) check(verb string) error {
	if t.frozen {
		return fmt.Errorf("cannot %s frozen hash table", verb)
	}
	return nil
}

func (t *table) freeze() {
	if t.frozen {
		return
	}
	t.frozen = true
	for i := range t.entries {
		freeze(t.entries[i].key)
	}
	for _, v := range t.values {
		freeze(v)
	}
}

func freeze(s Slot) {
	if s.ref != nil {
		s.ref.Freeze()
	}
}

// A Walk goes through the positions of a dict or set while they may change. It begins before the
// first.
type Walk struct {
	t    *table
	next int
	live int // as it was at the beginning; -1 after an error
	left int
}

// Errors of a walk that is surprised by a change.
var (
	ErrDictSize error = surprise("dictionary changed size during iteration")
	ErrDictKeys error = surprise("dictionary keys changed during iteration")
	ErrSetSize  error = surprise("Set changed size during iteration") // CPython's capital
)

// A surprise is the error of a walk.
type surprise string

func (s surprise) Error() string   { return string(s) }
func (surprise) ErrorName() string { return "RuntimeError" }

func (t *table) walk() Walk { return Walk{t: t, live: t.live, left: t.live} }

// Goes is Next where nothing has changed and there is a position; else it is -1, and Next says why.
func (w *Walk) Goes() (pos int) {
	t, pos := w.t, w.next
	if t == nil || w.live != t.live || w.left == 0 || pos >= len(t.entries) || !t.entries[pos].key.IsSet() {
		return -1
	}
	w.left--
	w.next++
	return pos
}

// Next returns the next position, -1 at the end. It fails where CPython's iterators do: if the
// number of entries is another one than at the beginning, or if there are more.
func (w *Walk) Next() (pos int, err error) {
	t := w.t
	if t == nil {
		return -1, nil
	}
	if w.live != t.live {
		w.live = -1
		if t.isSet {
			return -1, ErrSetSize
		}
		return -1, ErrDictSize
	}
	for w.next < len(t.entries) && !t.entries[w.next].key.IsSet() {
		w.next++
	}
	switch {
	case w.next >= len(t.entries):
		w.t = nil
		return -1, nil
	case w.left == 0 && !t.isSet:
		w.t = nil
		return -1, ErrDictKeys
	}
	w.left--
	w.next++
	return w.next - 1, nil
}
