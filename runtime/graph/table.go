package graph

import (
	"maps"
	"slices"
	"sync/atomic"
)

// A Table holds a T for each variable of a graph, the zero T until another is set, as a map does:
// of a walk over a long graph, maps would take nearly all the time. Variables are numbered in the
// order in which they are first met, so that those of one graph lie next to each other. The zero
// Table is empty; it is used by one goroutine, reading included. A node is looked up by its first
// output.
type Table[T any] struct {
	near  []*[pageLength]T // pages in a row, nil those that are not there
	first uint64           // the number of the first of them
	count int              // pages that are there
	far   map[uint64]*[pageLength]T
	moved int             // how many pages were far as the row was moved last
	spare [][pageLength]T // pages to come: of a large table they are made several at a time
}

// pageLength is a compromise: a graph of a few nodes has one page, and of what rewrites leave of a
// graph neighbours are dropped.
const pageLength = 32

// maxSpare is how many pages are made at a time, at most.
const maxSpare = 32

// longestGap is how many pages between two of one row may be missing, as the row is moved.
const longestGap = 64

// Get returns what v has.
func (t *Table[T]) Get(v *Variable) (x T) {
	n := v.number()
	if p := t.page(n / pageLength); p != nil {
		return p[n%pageLength]
	}
	return x
}

// Find is where v's T lies, nil if there is no place for it yet.
func (t *Table[T]) Find(v *Variable) *T {
	n := v.number()
	if p := t.page(n / pageLength); p != nil {
		return &p[n%pageLength]
	}
	return nil
}

// Set gives v another T.
func (t *Table[T]) Set(v *Variable, x T) { *t.At(v) = x }

// At is where v's T lies, for good.
func (t *Table[T]) At(v *Variable) *T { return t.Numbered(v.number()) }

// Numbered is At of the variable of that number.
func (t *Table[T]) Numbered(n uint64) *T {
	p := t.page(n / pageLength)
	if p == nil {
		p = t.fresh()
		t.put(n/pageLength, p)
	}
	return &p[n%pageLength]
}

// page returns a page, nil if there is none, as there is none of a nil table.
func (t *Table[T]) page(k uint64) *[pageLength]T {
	if t == nil {
		return nil
	}
	if i := k - t.first; i < uint64(len(t.near)) && t.near[i] != nil {
		return t.near[i]
	}
	if t.far == nil {
		return nil
	}
	return t.far[k]
}

// fresh makes a page.
func (t *Table[T]) fresh() *[pageLength]T {
	if len(t.spare) == 0 {
		t.spare = make([][pageLength]T, min(1+t.count/4, maxSpare))
	}
	p := &t.spare[0]
	t.spare = t.spare[1:]
	return p
}

// put puts a page where there is none: in the row, unless it would have few pages for its length,
// as where a graph reads a variable of long ago.
func (t *Table[T]) put(k uint64, p *[pageLength]T) {
	length := uint64(len(t.near))
	if length == 0 {
		t.first = k
	}
	room := uint64(4 + 8*t.count) // for how many a row may have in all
	switch {
	case k-t.first < length:
	case k >= t.first && k-t.first < room:
		t.near = append(t.near, make([]*[pageLength]T, k-t.first+1-length)...)
	case k < t.first && t.first-k+length <= room:
		more := min(t.first-k+length/2, t.first) // so that going down moves each page a few times
		t.near = append(make([]*[pageLength]T, more, more+length), t.near...)
		t.first -= more
	default:
		if t.far == nil {
			t.far = make(map[uint64]*[pageLength]T)
		}
		t.far[k] = p
		if len(t.far) > t.count+2*t.moved+4 {
			t.move(k)
		}
		return
	}
	t.near[k-t.first] = p
	t.count++
}

// move puts the row where page k is, and those near it: what was met first lies far from the rest.
func (t *Table[T]) move(k uint64) {
	for i, p := range t.near {
		if p != nil {
			t.far[t.first+uint64(i)] = p
		}
	}
	t.near, t.first, t.count = nil, 0, 0
	all := slices.Sorted(maps.Keys(t.far))
	at, _ := slices.BinarySearch(all, k)
	low, high := at, at+1
	for low > 0 && all[low]-all[low-1] <= longestGap {
		low--
	}
	for high < len(all) && all[high]-all[high-1] <= longestGap {
		high++
	}
	t.first, t.near = all[low], make([]*[pageLength]T, all[high-1]-all[low]+1)
	for _, k := range all[low:high] {
		t.near[k-t.first] = t.far[k]
		delete(t.far, k)
	}
	t.count, t.moved = high-low, len(t.far)
}

var serials atomic.Uint64 // of variables that have one

// Number is a number that no other variable has, in the order in which they were first asked.
func (v *Variable) Number() uint64 { return v.number() }

// number is v's, from 1. Several goroutines may ask at the same time.
func (v *Variable) number() uint64 {
	if n := atomic.LoadUint64(&v.serial); n != 0 {
		return n
	}
	atomic.CompareAndSwapUint64(&v.serial, 0, serials.Add(1))
	return atomic.LoadUint64(&v.serial)
}
