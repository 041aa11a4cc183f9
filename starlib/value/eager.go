package value

import (
	"fmt"

	"github.com/arignote/arignote/starlib/slot"
	"go.starlark.net/starlark"
)

// The lists that enumerate, reversed and zip make of iterables that are no iterators.

// A tupler makes tuples of one width, many in one piece of memory.
type tupler struct {
	width, together int
	memory          starlark.Tuple
}

// tuplesOf is a tupler for n tuples, or for nobody knows how many.
func tuplesOf(width, n int) tupler { return tupler{width: width, together: max(1, min(n, heardFrom))} }

func (t *tupler) next() starlark.Tuple {
	if len(t.memory) < t.width {
		t.memory = make(starlark.Tuple, t.width*t.together)
	}
	x := t.memory[:t.width:t.width]
	t.memory = t.memory[t.width:]
	return x
}

// enumerated is enumerate(x, start).
func enumerated(thread *starlark.Thread, args starlark.Tuple) (starlark.Value, error) {
	var x starlark.Iterable
	var start int
	if err := starlark.UnpackPositionalArgs("enumerate", args, nil, 1, &x, &start); err != nil {
		return nil, err
	}
	pairs := tuplesOf(2, lengthOf(x))
	return slot.Make(collect(HostOf(thread), x, func(e starlark.Value) slot.Slot {
		pair := pairs.next()
		pair[0], pair[1] = starlark.MakeInt(start), e
		start++
		return slot.Ref(pair)
	})), nil
}

func reversed(thread *starlark.Thread, b *Builtin, args starlark.Tuple, kwargs []starlark.Tuple) (
	starlark.Value, error) {
	if err := CheckLen(b.Name, args...); err != nil {
		return nil, err
	}
	if len(args) == 1 {
		if x, err := special(args[0], "__reversed__"); x != nil || err != nil {
			return x, err
		}
	}
	args, err := withCharacters(args)
	if err != nil {
		return nil, err
	}
	var x starlark.Iterable
	if err := starlark.UnpackPositionalArgs(b.Name, args, kwargs, 1, &x); err != nil {
		return nil, err
	}
	list, poll := listHeard(thread, x), PollOf(thread)
	slots := list.Slots()
	for i, j := 0, len(slots)-1; i < j; i, j = i+1, j-1 {
		poll.Ask(1)
		slots[i], slots[j] = slots[j], slots[i]
	}
	return list, nil
}

// zipped is zip(*from).
func zipped(thread *starlark.Thread, from starlark.Tuple) (starlark.Value, error) {
	iterators, n := make([]starlark.Iterator, len(from)), 0
	defer func() {
		for _, it := range iterators {
			if it != nil {
				it.Done()
			}
		}
	}()
	for i, x := range from {
		if iterators[i] = starlark.Iterate(x); iterators[i] == nil {
			return nil, fmt.Errorf("zip: argument #%d is not iterable: %s", i+1, x.Type())
		}
		if length := lengthOf(x); i == 0 || length < n {
			n = length // -1 if that of any is not known
		}
	}
	host := HostOf(thread)
	poll, tuples := pollIn(host), tuplesOf(len(from), n)
	next := func() starlark.Tuple {
		poll.Ask(PerElement)
		t := tuples.next()
		for i, it := range iterators {
			if !it.Next(&t[i]) {
				return nil
			}
		}
		return t
	}
	if n >= 0 {
		slots := room[slot.Slot](host, n)
		for t := starlark.Tuple(nil); len(slots) < n; slots = append(slots, slot.Ref(t)) {
			if t = next(); t == nil {
				break
			}
		}
		return slot.Make(slots), nil
	}
	list := gather[slot.Slot](host)
	for t := next(); t != nil; t = next() {
		list.add(slot.Ref(t))
	}
	return slot.Make(list.all()), nil
}
