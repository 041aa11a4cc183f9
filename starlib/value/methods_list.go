package value

import (
	"fmt"
	"slices"

	"github.com/arignote/arignote/starlib/slot"
	"go.starlark.net/starlark"
)

// listTable is the methods of list.
var listTable = []Builtin{
	growing("append", "Adds an element at the end.", "x = [1]; x.append(2); x # [1, 2]", "x: any value"),
	theirs("clear", "Removes all elements.", "x = [1]; x.clear(); x # []"),
	asking("copy", "A list of the same elements.", "[1, 2].copy() # [1, 2]",
		func(thread *starlark.Thread, b *Builtin, _ []starlark.Value) (starlark.Value, error) {
			return listHeard(thread, b.recv.(*slot.List)), nil
		}).asking(asksForReceiver(1)),
	asking("count", "How often x occurs.", "[1, 2, 1].count(1) # 2", count, "x: any value"),
	row("extend", "Adds the elements of an iterable at the end.", "x = [1]; x.extend([2]); x # [1, 2]", extendMethod, "iterable: the elements").asking(asksForList(slotBytes)),
	asking("index", "The index of the first x; an error if there is none.", "[1, 2].index(2) # 1", index, "x: any value", startParam, endParam),
	growing("insert", "Adds an element before that of the index.", "x = [1]; x.insert(0, 2); x # [2, 1]", "index: where", "x: any value"),
	row("pop", "Removes the element of the index, and returns it.", "[1, 2].pop() # 2",
		func(thread *starlark.Thread, b *Builtin, args starlark.Tuple, kwargs []starlark.Tuple) (starlark.Value, error) {
			return callAt(thread, b, args, kwargs)
		}, "index=-1: which"),
	asking("remove", "Removes the first x; an error if there is none.", "x = [1, 2]; x.remove(1); x # [2]", remove, "x: any value"),
	asking("reverse", "Turns the order of the elements around.", "x = [1, 2]; x.reverse(); x # [2, 1]",
		func(thread *starlark.Thread, b *Builtin, _ []starlark.Value) (starlark.Value, error) {
			items := ElementsHeard(thread, b.recv.(*slot.List))
			slices.Reverse(items)
			return starlark.None, refill(b.recv.(*slot.List), items)
		}).asking(asksForReceiver(1)),
	row("sort", "Sorts the list. Equal elements stay in order.", "x = [2, 1, 3]; x.sort(reverse=True); x # [3, 2, 1]",
		func(thread *starlark.Thread, b *Builtin, args starlark.Tuple, kwargs []starlark.Tuple) (starlark.Value, error) {
			v, err := b.Bind(args, kwargs)
			if err != nil {
				return nil, err
			}
			list := b.recv.(*slot.List)
			items, err := sortedBy(thread, "sort", ElementsHeard(thread, list), v[1], v[2])
			if err != nil {
				return nil, err
			}
			return starlark.None, refill(list, items)
		}, "*:", "key=None: function of an element by which to compare", "reverse=False: largest first").asking(asksForReceiver(2)),
}

// tupleTable is the methods of tuple.
var tupleTable = []Builtin{
	asking("count", "How often x occurs.", "(1, 2, 1).count(1) # 2", count, "x: any value"),
	asking("index", "The index of the first x; an error if there is none.", "(1, 2).index(2) # 1", index, "x: any value", startParam, endParam),
}

// growing is the row of a method that adds an element.
func growing(name, doc, example string, params ...string) Builtin {
	return row(name, doc, example, func(thread *starlark.Thread, b *Builtin, args starlark.Tuple, kwargs []starlark.Tuple) (starlark.Value, error) {
		makeRoom(HostOf(thread), b.recv.(*slot.List))
		if b.Name == "insert" {
			return callAt(thread, b, args, kwargs)
		}
		return callOwner(thread, b, args, kwargs)
	}, params...)
}

// callAt is callOwner with a first argument that is an index, or has one.
func callAt(thread *starlark.Thread, b *Builtin, args starlark.Tuple, kwargs []starlark.Tuple) (starlark.Value, error) {
	if len(args) > 0 {
		i, err := Index(args[0])
		if err != nil {
			return nil, err
		}
		args = append(starlark.Tuple{i}, args[1:]...)
	}
	return callOwner(thread, b, args, kwargs)
}

func extendMethod(thread *starlark.Thread, b *Builtin, args starlark.Tuple, kwargs []starlark.Tuple) (starlark.Value, error) {
	if len(args) == 1 {
		extendRoom(HostOf(thread), b.recv.(*slot.List), lengthOf(args[0]))
	}
	args, err := withCharacters(args)
	if err != nil {
		return nil, err
	}
	return callThrough(thread, b, args, kwargs)
}

// index is the method of lists and tuples.
func index(thread *starlark.Thread, b *Builtin, v []starlark.Value) (starlark.Value, error) {
	xs := b.recv.(starlark.Indexable)
	lo, err := bound("start", OrNone(v[1]), 0, 0, xs.Len())
	if err != nil {
		return nil, fmt.Errorf("index: %w", err)
	}
	hi, err := bound("end", OrNone(v[2]), xs.Len(), 0, xs.Len())
	if err != nil {
		return nil, fmt.Errorf("index: %w", err)
	}
	at, err := indexOf(PollOf(thread), xs, v[0], lo, hi)
	if err != nil {
		return nil, fmt.Errorf("index: %w", err)
	}
	if at < 0 && b.recv.Type() == "list" {
		return nil, fmt.Errorf("index: value not in list")
	}
	if at < 0 {
		return nil, fmt.Errorf("index: %s is not in the %s", Repr(v[0]), b.recv.Type())
	}
	return starlark.MakeInt(at), nil
}

func remove(thread *starlark.Thread, b *Builtin, v []starlark.Value) (starlark.Value, error) {
	list := b.recv.(*slot.List)
	at, err := indexOf(PollOf(thread), list, v[0], 0, list.Len())
	if err != nil {
		return nil, fmt.Errorf("remove: %w", err)
	}
	if at < 0 {
		return nil, fmt.Errorf("remove: element not found")
	}
	pop, err := list.Attr("pop")
	if err != nil {
		return nil, err
	}
	_, err = Call(thread, pop, starlark.Tuple{starlark.MakeInt(at)}, nil)
	return starlark.None, err
}

// cause takes the name of Starlark's function off its error.
func cause(name string, err error) error {
	if HasStack(err) {
		return err
	}
	return fmt.Errorf("%s: %w", name, err)
}

// refill replaces all elements of a list, without a look at whether the cell is to end.
func refill(list *slot.List, items []starlark.Value) error {
	if list.Len() == len(items) { // no memory is needed
		for i, x := range items {
			if err := list.SetIndex(i, x); err != nil {
				return err
			}
		}
		return nil
	}
	if err := list.Clear(); err != nil {
		return err
	}
	for _, x := range items {
		if err := list.Append(x); err != nil {
			return err
		}
	}
	return nil
}

func count(thread *starlark.Thread, b *Builtin, v []starlark.Value) (starlark.Value, error) {
	n, same := 0, equalTo(PollOf(thread), v[0])
	for x := range starlark.Elements(b.recv.(starlark.Iterable)) {
		yes, err := same(x)
		if err != nil {
			return nil, fmt.Errorf("count: %w", err)
		}
		if yes {
			n++
		}
	}
	return starlark.MakeInt(n), nil
}
