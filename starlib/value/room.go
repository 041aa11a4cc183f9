package value

import (
	"github.com/arignote/arignote/runtime/tensor"
	"github.com/arignote/arignote/starlib/slot"
	"go.starlark.net/starlark"
)

// Memory for many values is made beside the call: to clear it is a step of Go's that does not ask.
// So is to move what has no more room, which is why lists grow in parts here.

// roomBeside is for how many values memory is made beside the call.
const roomBeside = 1 << 20

// beside returns what f makes, with an ear for interrupts: f is given nothing that others change.
func beside[T any](host Host, f func() T) T {
	made := make(chan T, 1)
	if err := tensor.Beside(host.Stop(), func() error {
		made <- f()
		return nil
	}); err != nil {
		panic(err)
	}
	return <-made
}

// room is memory for n values, with an ear for interrupts.
func room[T any](host Host, n int) []T {
	if host == nil || n < roomBeside {
		return make([]T, 0, n)
	}
	return beside(host, func() []T { return make([]T, 0, n) })
}

// extendRoom gives a list memory for n more elements, with an ear for interrupts.
func extendRoom(host Host, list *slot.List, n int) {
	if n >= roomBeside && list.Mutable() && host != nil {
		list.MoveTo(moved(host, list.Slots(), n))
	}
}

// Crowded reports whether one more element moves a large list.
func Crowded(list *slot.List) bool { return list.Moves() && list.Len() >= roomBeside }

// Push adds an element to a list, with an ear for interrupts where that moves a large one.
func Push(host Host, list *slot.List, x slot.Slot) error {
	makeRoom(host, list)
	return list.Push(x)
}

// makeRoom moves a crowded list to more memory.
func makeRoom(host Host, list *slot.List) {
	if Crowded(list) {
		extendRoom(host, list, list.Len())
	}
}

// moved are slots in memory for n more, which grows as that of Go's slices does.
func moved(host Host, slots []slot.Slot, n int) []slot.Slot {
	if len(slots)+n <= cap(slots) {
		return slots
	}
	poll, to := pollIn(host), room[slot.Slot](host, max(len(slots)+n, len(slots)+len(slots)/4))
	poll.Each(len(slots), func(first, end int) { to = append(to, slots[first:end]...) })
	return to
}

// A gathering is a sequence that grows in parts.
type gathering[T any] struct {
	host  Host
	poll  tensor.Poll
	parts [][]T // all full
	last  []T
}

func gather[T any](host Host) gathering[T] { return gathering[T]{host: host, poll: pollIn(host)} }

func (g *gathering[T]) add(x T) {
	if len(g.last) == heardFrom {
		g.parts, g.last = append(g.parts, g.last), make([]T, 0, heardFrom)
	}
	g.last = append(g.last, x)
}

// all is the whole sequence.
func (g *gathering[T]) all() []T {
	if len(g.parts) == 0 {
		return g.last
	}
	all := room[T](g.host, len(g.parts)*heardFrom+len(g.last))
	for _, part := range g.parts {
		g.poll.Ask(len(part))
		all = append(all, part...)
	}
	return append(all, g.last...)
}

// collect is what as makes of the elements of x, with an ear for interrupts.
func collect[T any](host Host, x starlark.Iterable, as func(starlark.Value) T) []T {
	n := lengthOf(x)
	if n < 0 {
		g := gather[T](host)
		for e := range starlark.Elements(x) {
			g.poll.Ask(PerElement)
			g.add(as(e))
		}
		return g.all()
	}
	poll, list := pollIn(host), room[T](host, n)
	for e := range starlark.Elements(x) {
		poll.Ask(PerElement)
		list = append(list, as(e))
	}
	return list
}

func asItIs(v starlark.Value) starlark.Value { return v }

// appendAll adds slots to a list: all of them, or none after an interrupt.
func appendAll(host Host, list *slot.List, more []slot.Slot) error {
	if len(more) < roomBeside || !list.Mutable() {
		for _, x := range more {
			if err := list.Push(x); err != nil {
				return err
			}
		}
		return nil
	}
	poll, slots := pollIn(host), moved(host, list.Slots(), len(more))
	poll.Each(len(more), func(first, end int) { slots = append(slots, more[first:end]...) })
	list.MoveTo(slots)
	return nil
}

// joined are the slots of all parts in new memory, with an ear for interrupts.
func joined(host Host, parts ...[]slot.Slot) []slot.Slot {
	n := 0
	for _, part := range parts {
		n += len(part)
	}
	poll, all := pollIn(host), room[slot.Slot](host, n)
	for _, part := range parts {
		poll.Each(len(part), func(first, end int) { all = append(all, part[first:end]...) })
	}
	return all
}

// repeated are slots again and again, until there are n: in their own memory, if that is enough.
func repeated(host Host, slots []slot.Slot, n int) []slot.Slot {
	poll, slots := pollIn(host), moved(host, slots, n-len(slots))
	for len(slots) < n {
		poll.Each(min(len(slots), n-len(slots)), func(first, end int) {
			slots = append(slots, slots[first:end]...)
		})
	}
	return slots
}

// listHeard is a list of the elements of x, with an ear for interrupts.
func listHeard(thread *starlark.Thread, x starlark.Iterable) *slot.List {
	return slot.Make(collect(HostOf(thread), x, slot.Of))
}

// ListOf is a list of the elements of all parts, with an ear for interrupts.
func ListOf(thread *starlark.Thread, parts ...[]starlark.Value) *slot.List {
	host, n := HostOf(thread), 0
	for _, part := range parts {
		n += len(part)
	}
	poll, all := pollIn(host), room[slot.Slot](host, n)
	for _, part := range parts {
		poll.Each(len(part), func(first, end int) {
			for _, x := range part[first:end] {
				all = append(all, slot.Of(x))
			}
		})
	}
	return slot.Make(all)
}

// ElementsHeard are the elements of x, with an ear for interrupts.
func ElementsHeard(thread *starlark.Thread, x starlark.Iterable) []starlark.Value {
	return collect(HostOf(thread), x, asItIs)
}

// A table is a dict or set.
type table interface {
	starlark.Sequence
	Paced(*slot.Pace, func() error) error
}

// paced calls f, which puts n entries into a table or, if n is -1, nobody knows how many, with an
// ear for interrupts.
func paced(host Host, table table, n int, f func() error) error {
	if host == nil || n >= 0 && table.Len()+n < heardFrom {
		return f()
	}
	poll := pollIn(host)
	return table.Paced(&slot.Pace{
		Ask:  func(n int) { poll.Ask(n * PerElement) },
		Make: func(f func() any) any { return beside(host, f) },
	}, f)
}
