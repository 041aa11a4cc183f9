package value

import (
	"github.com/arignote/arignote/starlib/slot"
	"go.starlark.net/starlark"
)

// dictTable is the methods of dict.
var dictTable = []Builtin{
	theirs("clear", "Removes all entries.", "x = {1: 2}; x.clear(); x # {}"),
	asking("copy", "A dict of the same entries.", "{1: 2}.copy() # {1: 2}", func(thread *starlark.Thread, b *Builtin,
		_ []starlark.Value) (starlark.Value, error) {
		return copyDict(thread, b.recv.(*slot.Dict))
	}).asking(asksForReceiver(1)),
	theirs("get", "The value of a key; default if it is not there.", "{1: 2}.get(3, 0) # 0", "key: any hashable value",
		"default=None: instead"),
	entries("items", "A list of the pairs of key and value.", "{1: 2}.items() # [(1, 2)]",
		func(k, v starlark.Value) starlark.Value {
			return starlark.Tuple{k,
				v}
		}).asking(asksForEntries(slotBytes + 2*elementBytes + headerBytes)),
	entries("keys", "A list of the keys.", "{1: 2}.keys() # [1]",
		func(k, _ starlark.Value) starlark.Value { return k }).asking(asksForEntries(slotBytes)),
	theirs("pop", "Removes a key, and returns its value; default if it is not there, an error if there is no default.",
		"{1: 2}.pop(1) # 2", "key: any hashable value", "default=None: instead of an error"),
	row("popitem", "Removes the last entry, and returns its key and value.", "{1: 2, 3: 4}.popitem() # (3, 4)",
		func(thread *starlark.Thread, b *Builtin, args starlark.Tuple,
			kwargs []starlark.Tuple) (starlark.Value, error) {
			v, err := b.Bind(args, kwargs)
			d := b.recv.(*slot.Dict)
			if err != nil {
				return nil, err
			}
			if d.Len() == 0 {
				return callOwner(thread, b, nil, nil)
			}
			pop := d.PopLast
			if v[0] != nil && !v[0].Truth() {
				pop = d.PopFirst
			}
			key, x, err := pop()
			if err != nil {
				return nil, err
			}
			return starlark.Tuple{key.Value(), x.Value()}, nil
		}, "last=True: False for the first entry instead, as of an OrderedDict of Python's"),
	theirs("setdefault", "The value of a key, which becomes default if it is not there.", "{1: 2}.setdefault(1, 3) # 2",
		"key: any hashable value", "default=None: its value"),
	row("update", "Adds entries, in place of those of equal keys.", "x = {1: 2}; x.update({3: 4}); x # {1: 2, 3: 4}",
		func(thread *starlark.Thread, b *Builtin, args starlark.Tuple,
			kwargs []starlark.Tuple) (starlark.Value, error) {
			n := len(kwargs)
			if len(args) == 1 {
				n = lengthOf(args[0])
			}
			return starlark.None, paced(HostOf(thread), b.recv.(*slot.Dict), n, func() error {
				_, err := callThrough(thread, b, plainPairs(thread, args), kwargs)
				return err
			})
		}, "*pairs: a mapping or an iterable of pairs",
		"**kwargs: further entries").asking(asksForTable),
	entries("values", "A list of the values.", "{1: 2}.values() # [2]",
		func(_, v starlark.Value) starlark.Value { return v }).asking(asksForEntries(slotBytes)),
}

// entries is the row of a method that lists what part takes of each entry.
func entries(name, doc, example string, part func(k, v starlark.Value) starlark.Value) Builtin {
	return asking(name, doc, example,
		func(thread *starlark.Thread, b *Builtin, _ []starlark.Value) (starlark.Value, error) {
			d, poll := b.recv.(*slot.Dict), PollOf(thread)
			list := room[slot.Slot](HostOf(thread), d.Len())
			for k, v := range d.Entries() {
				poll.Ask(PerElement)
				list = append(list, slot.Of(part(k, v)))
			}
			return slot.Make(list), nil
		})
}

// plainPairs returns the argument of dict and its update with the keys as dicts hold them.
func plainPairs(thread *starlark.Thread, args starlark.Tuple) starlark.Tuple {
	if len(args) != 1 || !anyTyped(thread, args[0]) {
		return args
	}
	x, ok := args[0].(starlark.Iterable)
	if !ok {
		return args
	}
	if _, mapping := x.(starlark.IterableMapping); mapping {
		return args
	}
	items := ElementsHeard(thread, x)
	for i, e := range Heard(thread, items) {
		if pair, ok := e.(starlark.Indexable); ok && pair.Len() == 2 {
			items[i] = starlark.Tuple{Plain(pair.Index(0)), pair.Index(1)}
		}
	}
	return starlark.Tuple{starlark.Tuple(items)}
}
