package value

import (
	"iter"
	"slices"

	"github.com/arignote/arignote/runtime/tensor"
	"github.com/arignote/arignote/starlib/slot"
	"go.starlark.net/starlark"
)

// PollOf is how a loop asks whether the running cell is to end: see tensor.Poll. thread may be nil.
func PollOf(thread *starlark.Thread) tensor.Poll {
	host := HostOf(thread)
	if host == nil {
		return tensor.Poll{}
	}
	return tensor.Poll{Stop: host.Stop()}
}

// Stopped reports whether the running cell of a host is to end.
func Stopped(host Host) bool { return tensor.Stopped(host.Stop()) }

// Heard goes through a list as range does, and asks at each element, of which a value is made or
// compared.
func Heard[T any](thread *starlark.Thread, list []T) iter.Seq2[int, T] {
	return func(yield func(int, T) bool) {
		poll := PollOf(thread)
		for i, x := range list {
			poll.Ask(PerElement)
			if !yield(i, x) {
				return
			}
		}
	}
}

// besideFrom is how many bytes a text or a number has that upstream's functions, or Go's, are
// given beside the call: they do not ask.
const besideFrom = 4 << 20

// Beside calls f, which reads texts and numbers alone and takes some nanoseconds for each of n
// bytes. An interrupt leaves a long one behind: it ends by itself.
func Beside(thread *starlark.Thread, n int, f func() (starlark.Value, error)) (v starlark.Value, err error) {
	host := HostOf(thread)
	if host == nil || n < besideFrom {
		return f()
	}
	var z starlark.Value
	err = tensor.Beside(host.Stop(), func() (err error) {
		z, err = f()
		return err
	})
	if err != nil {
		return nil, err
	}
	return z, nil
}

// TextBytes is the length of a string or bytes, 0 of others.
func TextBytes(v starlark.Value) int {
	switch v := v.(type) {
	case starlark.String:
		return len(v)
	case starlark.Bytes:
		return len(v)
	}
	return 0
}

// areTexts reports whether values are texts, numbers and None, which nobody can change.
func areTexts(values starlark.Tuple) bool {
	for _, v := range values {
		switch v.(type) {
		case starlark.String, starlark.Bytes, starlark.Int, starlark.Bool, starlark.NoneType:
		default:
			return false
		}
	}
	return true
}

// heardFrom is how many elements a sequence has that upstream's functions are given as it is: they
// do not ask.
const heardFrom = 1 << 14

// PerElement is the work of an element for which a value is made, or looked up, in elements that
// are moved.
const PerElement = 16

// heard returns args with iterables of many elements, or of nobody knows how many, as such that
// ask while they are gone through. Of dicts, which functions look into, nothing is taken that
// takes long.
func heard(thread *starlark.Thread, args starlark.Tuple) starlark.Tuple {
	out := args
	for i, a := range args {
		x, ok := a.(starlark.Iterable)
		n := lengthOf(a)
		if _, isDict := a.(starlark.IterableMapping); !ok || isDict || n >= 0 && n < heardFrom {
			continue
		}
		if &out[0] == &args[0] {
			out = slices.Clone(args)
		}
		if h := (listened{x, thread}); n < 0 {
			out[i] = h
		} else {
			out[i] = listenedSequence{h, n}
		}
	}
	return out
}

// A listened is an iterable whose iterators ask, and a listenedSequence one of known length.
type listened struct {
	starlark.Iterable
	thread *starlark.Thread
}

type listenedSequence struct {
	listened
	n int
}

func (l listenedSequence) Len() int { return l.n }

// Iterate asks at each element.
func (l listened) Iterate() starlark.Iterator {
	return &listener{l.Iterable.Iterate(), PollOf(l.thread)}
}

type listener struct {
	starlark.Iterator
	poll tensor.Poll
}

func (l *listener) Next(p *starlark.Value) bool {
	l.poll.Ask(PerElement)
	return l.Iterator.Next(p)
}

// roomBeside is for how many values memory is made beside the call: to clear it is a step of Go's.
const roomBeside = 1 << 20

// room is memory for n values, with an ear for interrupts.
func room[T any](thread *starlark.Thread, n int) []T {
	host := HostOf(thread)
	if host == nil || n < roomBeside {
		return make([]T, 0, n)
	}
	made := make(chan []T, 1)
	if err := tensor.Beside(host.Stop(), func() error {
		made <- make([]T, 0, n)
		return nil
	}); err != nil {
		panic(err)
	}
	return <-made
}

// extendRoom gives a list memory for n more elements, with an ear for interrupts.
func extendRoom(thread *starlark.Thread, list *slot.List, n int) {
	if n >= roomBeside && list.Mutable() && list.Len()+n > cap(list.Slots()) {
		poll, from := PollOf(thread), list.Slots()
		slots := room[slot.Slot](thread, len(from)+n)
		poll.Each(len(from), func(first, end int) { slots = append(slots, from[first:end]...) })
		list.MoveTo(slots)
	}
}

// listHeard is a list of the elements of x, with an ear for interrupts.
func listHeard(thread *starlark.Thread, x starlark.Iterable) *slot.List {
	poll := PollOf(thread)
	slots := room[slot.Slot](thread, max(0, lengthOf(x)))
	for e := range starlark.Elements(x) {
		poll.Ask(PerElement)
		slots = append(slots, slot.Of(e))
	}
	return slot.Make(slots)
}

// A gathering is a list that grows in parts: to move a large one is a step that does not ask.
type gathering struct {
	thread *starlark.Thread
	poll   tensor.Poll
	parts  [][]slot.Slot // all full
	last   []slot.Slot
}

func (g *gathering) add(v starlark.Value) {
	if len(g.last) == heardFrom {
		g.parts, g.last = append(g.parts, g.last), make([]slot.Slot, 0, heardFrom)
	}
	g.last = append(g.last, slot.Of(v))
}

// list has all elements.
func (g *gathering) list() *slot.List {
	if len(g.parts) == 0 {
		return slot.Make(g.last)
	}
	all := room[slot.Slot](g.thread, len(g.parts)*heardFrom+len(g.last))
	for _, part := range g.parts {
		g.poll.Ask(len(part))
		all = append(all, part...)
	}
	return slot.Make(append(all, g.last...))
}

// ElementsHeard are the elements of x, with an ear for interrupts.
func ElementsHeard(thread *starlark.Thread, x starlark.Iterable) []starlark.Value {
	poll := PollOf(thread)
	list := room[starlark.Value](thread, max(0, lengthOf(x)))
	for e := range starlark.Elements(x) {
		poll.Ask(PerElement)
		list = append(list, e)
	}
	return list
}
