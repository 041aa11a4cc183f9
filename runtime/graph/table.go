package graph

import "sync/atomic"

// A Table holds a T for each variable of a graph, the zero T until another is set, as a map does:
// of a walk over a long graph, maps would take nearly all the time. Variables are numbered in the
// order in which they are first met, so that those of one graph lie next to each other. The zero
// Table is empty; it is used by one goroutine, reading included. A node is looked up by its first
// output.
type Table[T any] struct {
	pages  map[uint64]*[pageLength]T
	recent [recentPages]recentPage[T] // what was asked for last, each in the place of its number
}

// A recentPage is a page by its number, plus 1; nil is one that is not there.
type recentPage[T any] struct {
	of   uint64
	page *[pageLength]T
}

// recentPages is how many are at hand: a walk over a gradient goes along two chains at a time, and
// a node reads what is far away.
const recentPages = 8

// pageLength is a compromise: a graph of a few nodes has one page, and of what rewrites leave of a
// graph neighbours are dropped.
const pageLength = 32

// Get returns what v has.
func (t *Table[T]) Get(v *Variable) (x T) {
	n := v.number()
	if p := t.page(n / pageLength); p != nil {
		return p[n%pageLength]
	}
	return x
}

// Set gives v another T.
func (t *Table[T]) Set(v *Variable, x T) { *t.At(v) = x }

// At is where v's T lies, for good.
func (t *Table[T]) At(v *Variable) *T {
	n := v.number()
	p := t.page(n / pageLength)
	if p == nil {
		if t.pages == nil {
			t.pages = make(map[uint64]*[pageLength]T)
		}
		p = new([pageLength]T)
		t.pages[n/pageLength] = p
		t.recent[n/pageLength%recentPages].page = p
	}
	return &p[n%pageLength]
}

// page returns a page, nil if there is none, as there is none of a nil table.
func (t *Table[T]) page(k uint64) *[pageLength]T {
	if t == nil {
		return nil
	}
	r := &t.recent[k%recentPages]
	if r.of != k+1 {
		*r = recentPage[T]{k + 1, t.pages[k]}
	}
	return r.page
}

var serials atomic.Uint64 // of variables that have one

// number is v's, from 1. Several goroutines may ask at the same time.
func (v *Variable) number() uint64 {
	if n := atomic.LoadUint64(&v.serial); n != 0 {
		return n
	}
	atomic.CompareAndSwapUint64(&v.serial, 0, serials.Add(1))
	return atomic.LoadUint64(&v.serial)
}
