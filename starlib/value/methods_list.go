package value

import (
	"fmt"
	"slices"

	"go.starlark.net/starlark"
)

// listTable is the methods of list.
var listTable = []Builtin{
	theirs("append", "Adds an element at the end.", "x = [1]; x.append(2); x # [1, 2]", "x: any value"),
	theirs("clear", "Removes all elements.", "x = [1]; x.clear(); x # []"),
	ours("copy", "A list of the same elements.", "[1, 2].copy() # [1, 2]", func(b *Builtin, _ []starlark.Value) (starlark.Value,
		error) {
		return starlark.NewList(elementsOf(b.recv)), nil
	}).asking(asksForReceiver(1)),
	ours("count", "How often x occurs.", "[1, 2, 1].count(1) # 2", count, "x: any value"),
	theirs("extend", "Adds the elements of an iterable at the end.", "x = [1]; x.extend([2]); x # [1, 2]", "iterable: the elements").asking(asksForList(elementBytes)),
	theirs("index", "The index of the first x; an error if there is none.", "[1, 2].index(2) # 1", "x: any value", startParam,
		endParam),
	theirs("insert", "Adds an element before that of the index.", "x = [1]; x.insert(0, 2); x # [2, 1]", "index: where", "x: any value"),
	theirs("pop", "Removes the element of the index, and returns it.", "[1, 2].pop() # 2", "index=-1: which"),
	theirs("remove", "Removes the first x; an error if there is none.", "x = [1, 2]; x.remove(1); x # [2]", "x: any value"),
	ours("reverse", "Turns the order of the elements around.", "x = [1, 2]; x.reverse(); x # [2, 1]", func(b *Builtin,
		_ []starlark.Value) (starlark.Value, error) {
		items := elementsOf(b.recv)
		slices.Reverse(items)
		return starlark.None, refill(b.recv.(*starlark.List), items)
	}).asking(asksForReceiver(1)),
	row("sort", "Sorts the list. Equal elements stay in order.", "x = [2, 1, 3]; x.sort(reverse=True); x # [3, 2, 1]",
		func(thread *starlark.Thread, b *Builtin, args starlark.Tuple, kwargs []starlark.Tuple) (starlark.Value, error) {
			v, err := b.Bind(args, kwargs)
			if err != nil {
				return nil, err
			}
			list := b.recv.(*starlark.List)
			items, err := sortedBy(thread, "sort", elementsOf(list), v[1], v[2])
			if err != nil {
				return nil, err
			}
			return starlark.None, refill(list, items)
		}, "*:", "key=None: function of an element by which to compare", "reverse=False: largest first").asking(asksForReceiver(2)),
}

// tupleTable is the methods of tuple.
var tupleTable = []Builtin{
	ours("count", "How often x occurs.", "(1, 2, 1).count(1) # 2", count, "x: any value"),
	ours("index", "The index of the first x; an error if there is none.", "(1, 2).index(2) # 1",
		func(b *Builtin, v []starlark.Value) (starlark.Value, error) {
			items := b.recv.(starlark.Tuple)
			lo, err := bound("start", orNone(v[1]), 0, 0, len(items))
			if err != nil {
				return nil, fmt.Errorf("index: %w", err)
			}
			hi, err := bound("end", orNone(v[2]), len(items), 0, len(items))
			if err != nil {
				return nil, fmt.Errorf("index: %w", err)
			}
			for i := lo; i < hi; i++ {
				if same, err := starlark.Equal(PlainDeep(items[i]), PlainDeep(v[0])); err != nil {
					return nil, fmt.Errorf("index: %w", err)
				} else if same {
					return starlark.MakeInt(i), nil
				}
			}
			return nil, fmt.Errorf("index: %s is not in the tuple", Repr(v[0]))
		}, "x: any value", startParam, endParam),
}

func orNone(v starlark.Value) starlark.Value {
	if v == nil {
		return starlark.None
	}
	return v
}

// cause takes the name of Starlark's function off its error.
func cause(name string, err error) error {
	if e, ok := err.(*starlark.EvalError); ok {
		return e
	}
	return fmt.Errorf("%s: %w", name, err)
}

func elementsOf(v starlark.Value) []starlark.Value {
	return slices.Collect(starlark.Elements(v.(starlark.Iterable)))
}

// refill replaces all elements of a list.
func refill(list *starlark.List, items []starlark.Value) error {
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

func count(b *Builtin, v []starlark.Value) (starlark.Value, error) {
	n := 0
	for x := range starlark.Elements(b.recv.(starlark.Iterable)) {
		same, err := starlark.Equal(PlainDeep(x), PlainDeep(v[0]))
		if err != nil {
			return nil, fmt.Errorf("count: %w", err)
		}
		if same {
			n++
		}
	}
	return starlark.MakeInt(n), nil
}
