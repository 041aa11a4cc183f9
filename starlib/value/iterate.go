package value

import (
	"fmt"
	"slices"

	"github.com/arignote/arignote/starlib/slot"
	"go.starlark.net/starlark"
)

// IterableTable is the functions of iterables.
var IterableTable = []Builtin{
	overIterable("all", "True if every element of x is true.", "all([1, 0]) # False", "x: an iterable"),
	overIterable("any", "True if some element of x is true.", "any([1, 0]) # True", "x: an iterable"),
	row("enumerate", "A list of pairs of index and element; of an iterator, an iterator over them.", `enumerate("ab", start=1) # [(1, "a"), (2, "b")]`,
		func(thread *starlark.Thread, b *Builtin, args starlark.Tuple, kwargs []starlark.Tuple) (starlark.Value, error) {
			v, err := b.Bind(args, kwargs)
			if err != nil {
				return nil, err
			}
			from := starlark.Tuple{v[0]}
			if v[1] != nil {
				from = append(from, Plain(v[1]))
			}
			if isLazy(v[0]) {
				return enumerateLazily(thread, from)
			}
			if from, err = withCharacters(from); err != nil {
				return nil, err
			}
			return enumerated(thread, from)
		}, "x: an iterable", "start=0: the first index").asking(func(b *Builtin, args starlark.Tuple) error {
		return askForElements(b, args[:min(1, len(args))], slotBytes+2*elementBytes+headerBytes)
	}),
	row("filter", "A list of the elements for which function is true; with None, of the true elements. Of an iterator, an iterator over them.",
		"filter(lambda x: x > 1, [1, 2, 3]) # [2, 3]", filter, "function: a function of an element, or None", "x: an iterable"),
	row("iter", "An iterator over x, which gives each element once: to next, for and list.", "next(iter([1, 2])) # 1",
		func(_ *starlark.Thread, b *Builtin, args starlark.Tuple, kwargs []starlark.Tuple) (starlark.Value, error) {
			v, err := b.Bind(args, kwargs)
			if err != nil {
				return nil, err
			}
			x, err := Iterable(v[0])
			if err != nil {
				return nil, fmt.Errorf("iter: %w", err)
			}
			_, isInstance := x.(Instance)
			if _, isWatched := x.(Watched); isLazy(x) && !isInstance && !isWatched {
				return x, nil
			}
			it := IteratorOf(x)
			it.from.Left = nil // the program may go on with it after a loop
			return it, nil
		}, "x: an iterable"),
	row("map",
		"A list of what function returns for the elements; of several iterables it is given one of each, up to the end of the shortest. If one is an iterator, so is "+
			"the result.",
		"map(lambda x, y: x * y, [1, 2], [3, 4]) # [3, 8]", map_, "function: a function of an element of each iterable",
		"*args: iterables"),
	row("next", "The next element of an iterator; default if there is none, an error if there is no default.",
		"next(iter([]), 0) # 0", next, "it: an iterator", "default=None: instead of an error"),
	row("reversed", "A list of the elements, last first.", "reversed([1, 2]) # [2, 1]", reversed, "x: an iterable").asking(asksForList(slotBytes)),
	row("sorted", "A sorted list of the elements.", `sorted("bca") # ["a", "b", "c"]`, sorted, "x: an iterable", "*:",
		"key=None: function of an element by which to compare", "reverse=False: largest first").asking(asksForValues(3*elementBytes + slotBytes)),
	row("zip", "A list of tuples of the first elements, the second, ..., up to the end of the shortest. If one is an iterator, so is the result.",
		`zip([1, 2], "ab") # [(1, "a"), (2, "b")]`, zip, "*args: iterables", "strict=False: an error if they are not equally long").asking(func(b *Builtin, args starlark.Tuple) error {
		return askForElements(b, args, slotBytes+int64(len(args))*elementBytes+headerBytes)
	}),
}

func init() {
	for i := range IterableTable {
		IterableTable[i].Quick = quickFunctions[IterableTable[i].Name]
		IterableTable[i].Named = quickNamed[IterableTable[i].Name]
	}
	for i := range NumericTable {
		NumericTable[i].Named = quickNamed[NumericTable[i].Name]
	}
	for i := range TypeTable {
		TypeTable[i].Quick = quickFunctions[TypeTable[i].Name]
	}
}

func sorted(thread *starlark.Thread, b *Builtin, args starlark.Tuple, kwargs []starlark.Tuple) (starlark.Value, error) {
	v, err := b.Bind(args, kwargs)
	if err != nil {
		return nil, err
	}
	xs, err := Iterable(v[0])
	if err != nil {
		return nil, fmt.Errorf("sorted: %w", err)
	}
	if err := CheckLen("sorted", xs); err != nil {
		return nil, err
	}
	list, err := sortedBy(thread, "sorted", ElementsHeard(thread, xs), v[2], v[3])
	if err != nil {
		return nil, err
	}
	return listHeard(thread, starlark.Tuple(list)), nil
}

// askForElements asks for a list of as many elements, of so many bytes each, as the shortest
// iterable has.
func askForElements(b *Builtin, iterables starlark.Tuple, bytes int64) error {
	n := max(0, shortest(iterables...))
	for _, x := range iterables {
		if x, ok := x.(starlark.Iterable); ok {
			bytes += bytesBesides(x)
		}
	}
	return askElements(b.Name, "list", n, bytes)
}

// overIterable is the row of a function of Starlark's whose arguments by position may be strings
// too.
func overIterable(name, doc, example string, params ...string) Builtin {
	return row(name, doc, example,
		func(thread *starlark.Thread, b *Builtin, args starlark.Tuple, kwargs []starlark.Tuple) (starlark.Value, error) {
			if err := checkCount(name, args...); err != nil { // may know before the end
				return nil, err
			}
			args, err := withCharacters(args)
			if err != nil {
				return nil, err
			}
			return ofStarlark(universe(name), thread, heard(thread, args), kwargs)
		}, params...)
}

func filter(thread *starlark.Thread, b *Builtin, args starlark.Tuple, kwargs []starlark.Tuple) (starlark.Value, error) {
	v, err := b.Bind(args, kwargs)
	if err != nil {
		return nil, err
	}
	x, err := Iterable(v[1])
	if err != nil {
		return nil, fmt.Errorf("filter: %w", err)
	}
	keeps := func(thread *starlark.Thread, e starlark.Value) (bool, error) {
		if v[0] == starlark.None {
			return bool(e.Truth()), nil
		}
		truth, err := Call(thread, v[0], starlark.Tuple{e}, nil)
		return err == nil && bool(truth.Truth()), err
	}
	if list, ok := v[1].(*slot.List); ok && v[0] != starlark.None {
		kept, err := mapped(thread, v[0], list, true)
		return slot.Make(kept), err
	}
	if isLazy(v[1]) {
		it := IteratorOf(x)
		return NewLazy(thread, "", func(thread *starlark.Thread) (starlark.Value, bool, error) {
			for {
				e, ok, err := it.NextValue()
				if err != nil || !ok {
					return nil, false, err
				}
				if keep, err := keeps(thread, e); err != nil || keep {
					return e, err == nil, err
				}
			}
		}).leaving(it), nil
	}
	kept := gather[slot.Slot](HostOf(thread))
	for e := range starlark.Elements(x) {
		kept.poll.Ask(PerElement)
		keep, err := keeps(thread, e)
		if err != nil {
			return nil, err
		}
		if keep {
			kept.add(slot.Of(e))
		}
	}
	return slot.Make(kept.all()), nil
}

func enumerateLazily(thread *starlark.Thread, args starlark.Tuple) (starlark.Value, error) {
	xs, err := Iterable(args[0])
	if err != nil {
		return nil, fmt.Errorf("enumerate: %w", err)
	}
	n := starlark.MakeInt(0)
	if len(args) > 1 {
		i, err := Index(args[1])
		if err != nil {
			return nil, fmt.Errorf("enumerate: for parameter start: %w", err)
		}
		n = i.(starlark.Int)
	}
	it := IteratorOf(xs)
	return NewLazy(thread, endlessIf(it.Endless() != "", "enumerate"), func(*starlark.Thread) (starlark.Value, bool, error) {
		v, ok, err := it.NextValue()
		if err != nil || !ok {
			return nil, false, err
		}
		i := n
		n = n.Add(starlark.MakeInt(1))
		return starlark.Tuple{i, v}, true, nil
	}).leaving(it), nil
}

func map_(thread *starlark.Thread, b *Builtin, args starlark.Tuple, kwargs []starlark.Tuple) (starlark.Value, error) {
	v, err := b.Bind(args, kwargs)
	if err != nil {
		return nil, err
	}
	from := v[1].(starlark.Tuple)
	if len(from) == 0 {
		return nil, fmt.Errorf("map: got no iterable, want one at least: %s", b.Signature())
	}
	if list, ok := from[0].(*slot.List); ok && len(from) == 1 {
		z, err := mapped(thread, v[0], list, false)
		return slot.Make(z), err
	}
	r, err := rowsOf("map", from, false)
	if err != nil {
		return nil, err
	}
	apply := func(thread *starlark.Thread) (starlark.Value, bool, error) {
		args, ok, err := r.next()
		if err != nil || !ok {
			return nil, false, err
		}
		y, err := Call(thread, v[0], args, nil)
		return y, err == nil, err
	}
	if slices.ContainsFunc(from, isLazy) {
		return NewLazy(thread, endlessIf(r.endless(), "map"), apply).leaving(r.from...), nil
	}
	out := gather[slot.Slot](HostOf(thread))
	for { // the function may add to the elements
		out.poll.Ask(PerElement)
		y, ok, err := apply(thread)
		if err != nil {
			return nil, err
		}
		if !ok {
			break
		}
		out.add(slot.Of(y))
	}
	return slot.Make(out.all()), nil
}

// mapped is what a function makes of the elements of a list, those too that it adds, or, if
// filters, the ones of which it says that they are true.
func mapped(thread *starlark.Thread, fn starlark.Value, list *slot.List, filters bool) ([]slot.Slot, error) {
	out, call, arg := gather[slot.Slot](HostOf(thread)), CallerOf(thread, fn), make([]slot.Slot, 1)
	for i := 0; i < list.Len(); i++ {
		out.poll.Ask(PerElement)
		x := *list.At(i)
		arg[0] = x
		y, err := call(arg)
		if err != nil {
			return nil, err
		}
		if filters {
			truth, known := TruthOf(&y)
			if !known {
				truth = bool(y.Value().Truth())
			}
			if !truth {
				continue
			}
			y = x
		}
		out.add(y)
	}
	return out.all(), nil
}
