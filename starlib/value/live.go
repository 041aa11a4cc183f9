package value

import (
	"fmt"

	"go.starlark.net/starlark"
)

// A loop over a list or dict of the language sees what becomes of it: package vm runs those. What
// counts or has defaults, and is a dict otherwise, is run over here.

// Live returns what a loop over x runs over.
func Live(host Host, x starlark.Value) starlark.Value {
	if d, ok := x.(keyed); ok {
		return liveDict{d, host}
	}
	return x
}

// keyed is a dict, or what counts or has defaults and is one otherwise.
type keyed interface {
	starlark.IterableMapping
	Keys() []starlark.Value
	Len() int
}

// A liveDict is a dict whose values may change while its keys are iterated.
type liveDict struct {
	keyed
	host Host
}

func (d liveDict) Iterate() starlark.Iterator { return &keyIterator{d, d.Keys(), 0} }

type keyIterator struct {
	of   liveDict
	keys []starlark.Value
	next int
}

func (it *keyIterator) Done() {}

// Next notices a change of the length when the next key is asked for, as Python does.
func (it *keyIterator) Next(p *starlark.Value) bool {
	if n := it.of.Len(); n != len(it.keys) {
		it.of.host.Fail(changedSize{len(it.keys), n})
		return false
	}
	if it.next == len(it.keys) {
		return false
	}
	*p = it.keys[it.next]
	it.next++
	return true
}

// ChangedSize is the error of a loop over a dict that had so many entries when it began.
func ChangedSize(before, now int) error { return changedSize{before, now} }

// changedSize is the error of a loop over a dict that has more or fewer entries than when the loop
// began.
type changedSize struct{ before, now int }

func (changedSize) ErrorName() string { return "RuntimeError" }
func (e changedSize) Error() string {
	return fmt.Sprintf("dictionary changed size during iteration, from %d to %d entries: iterate over a copy of its keys, list(x)", e.before, e.now)
}
