package value

import (
	"fmt"
	"math"
	"math/big"
	"slices"

	"github.com/arignote/arignote/starlib/slot"
	"go.starlark.net/starlark"
)

// dictTable is the methods of dict.
var dictTable = []Builtin{
	theirs("clear", "Removes all entries.", "x = {1: 2}; x.clear(); x # {}"),
	asking("copy", "A dict of the same entries.", "{1: 2}.copy() # {1: 2}", func(thread *starlark.Thread, b *Builtin,
		_ []starlark.Value) (starlark.Value, error) {
		from := b.recv.(*slot.Dict)
		to, poll := slot.NewDict(from.Len()), PollOf(thread)
		for k, v := range from.Entries() {
			poll.Ask(PerElement)
			if err := to.SetKey(k, v); err != nil {
				return nil, err
			}
		}
		return to, nil
	}).asking(asksForReceiver(1)),
	theirs("get", "The value of a key; default if it is not there.", "{1: 2}.get(3, 0) # 0", "key: any hashable value",
		"default=None: instead"),
	entries("items", "A list of the pairs of key and value.", "{1: 2}.items() # [(1, 2)]",
		func(k, v starlark.Value) starlark.Value {
			return starlark.Tuple{k,
				v}
		}).asking(asksForEntries(3*elementBytes + headerBytes)),
	entries("keys", "A list of the keys.", "{1: 2}.keys() # [1]",
		func(k, _ starlark.Value) starlark.Value { return k }).asking(asksForEntries(elementBytes)),
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
			return callThrough(thread, b, plainPairs(thread, args), kwargs)
		}, "*pairs: a mapping or an iterable of pairs",
		"**kwargs: further entries").asking(asksForTable),
	entries("values", "A list of the values.", "{1: 2}.values() # [2]",
		func(_, v starlark.Value) starlark.Value { return v }).asking(asksForEntries(elementBytes)),
}

// entries is the row of a method that lists what part takes of each entry.
func entries(name, doc, example string, part func(k, v starlark.Value) starlark.Value) Builtin {
	return asking(name, doc, example,
		func(thread *starlark.Thread, b *Builtin, _ []starlark.Value) (starlark.Value, error) {
			d, poll := b.recv.(*slot.Dict), PollOf(thread)
			list := make([]starlark.Value, 0, d.Len())
			for k, v := range d.Entries() {
				poll.Ask(PerElement)
				list = append(list, part(k, v))
			}
			return slot.NewList(list), nil
		})
}

// setTable is the methods of set.
var setTable = []Builtin{
	ours("add", "Adds an element.", "x = set([1]); x.add(2); x # set([1, 2])",
		func(b *Builtin, v []starlark.Value) (starlark.Value, error) {
			if err := CheckKey(v[0]); err != nil {
				return nil, fmt.Errorf("add: %w", err)
			}
			if err := b.recv.(*slot.Set).Insert(Plain(v[0])); err != nil {
				return nil, fmt.Errorf("add: %w", err)
			}
			return starlark.None, nil
		}, "x: any hashable value"),
	theirs("clear", "Removes all elements.", "x = set([1]); x.clear(); x # set([])"),
	asking("copy", "A set of the same elements.", "set([1]).copy() # set([1])",
		func(thread *starlark.Thread, b *Builtin,
			_ []starlark.Value) (starlark.Value, error) {
			return setOf(thread, b.recv.(*slot.Set))
		}).asking(asksForReceiver(2)),
	byElements("difference", "The elements that are in none of the others.",
		"set([1, 2]).difference([2]) # set([1])", othersParam).asking(asksForReceiver(1)),
	setUpdate("difference_update", "Removes the elements of the others.",
		"x = set([1, 2]); x.difference_update([2]); x # set([1])", "difference"),
	theirs("discard", "Removes an element if it is there.",
		"x = set([1]); x.discard(2); x # set([1])", "x: any hashable value"),
	byElements("intersection", "The elements that are in all of the others too.",
		"set([1, 2]).intersection([2]) # set([2])", othersParam).asking(asksForReceiver(1)),
	setUpdate("intersection_update", "Removes the elements that are not in all of the others.",
		"x = set([1, 2]); x.intersection_update([2]); x # set([2])",
		"intersection"),
	asking("isdisjoint", "True if no element is in the other.", "set([1]).isdisjoint([2]) # True",
		func(thread *starlark.Thread, b *Builtin, v []starlark.Value) (starlark.Value, error) {
			other, err := Iterable(v[0])
			if err != nil {
				return nil, fmt.Errorf("isdisjoint: %w", err)
			}
			if err := checkKeys(starlark.Tuple{other}); err != nil {
				return nil, fmt.Errorf("isdisjoint: %w", err)
			}
			poll := PollOf(thread)
			for x := range starlark.Elements(other) {
				poll.Ask(PerElement)
				if has, err := b.recv.(*slot.Set).Has(x); has || err != nil {
					return starlark.False, err
				}
			}
			return starlark.True, nil
		}, "other: an iterable"),
	byElements("issubset", "True if all elements are in the other.",
		"set([1]).issubset([1, 2]) # True", "other: an iterable"),
	byElements("issuperset", "True if all elements of the other are in the set.", "set([1, 2]).issuperset([1]) # True",
		"other: an iterable"),
	theirs("pop", "Removes the first element, and returns it.", "set([1, 2]).pop() # 1"),
	theirs("remove", "Removes an element; an error if it is not there.",
		"x = set([1]); x.remove(1); x # set([])", "x: any hashable value"),
	byElements("symmetric_difference", "The elements that are in one of the two only.",
		"set([1, 2]).symmetric_difference([2, 3]) # set([1, 3])",
		"other: an iterable").asking(asksForTable),
	setUpdate("symmetric_difference_update", "Keeps the elements that are in one of the two only.",
		"x = set([1]); x.symmetric_difference_update([2]); x # set([1, 2])", "symmetric_difference"),
	byElements("union", "The elements of the set and of the others.",
		"set([1]).union([2]) # set([1, 2])", othersParam).asking(asksForTable),
	byElements("update", "Adds the elements of the others.",
		"x = set([1]); x.update([2]); x # set([1, 2])", othersParam).asking(asksForTable),
}

// plainElements returns iterables with their elements as sets hold them.
func plainElements(thread *starlark.Thread, args starlark.Tuple) starlark.Tuple {
	out := args
	for i, a := range args {
		if x, ok := a.(starlark.Iterable); ok && anyTyped(thread, a) {
			if &out[0] == &args[0] {
				out = slices.Clone(args)
			}
			items := ElementsHeard(thread, x)
			for j, e := range Heard(thread, items) {
				items[j] = Plain(e)
			}
			out[i] = starlark.Tuple(items)
		}
	}
	return out
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

// byElements is the row of a method of sets that Starlark has of itself, for iterables.
func byElements(name, doc, example string, params ...string) Builtin {
	return row(name, doc, example,
		func(thread *starlark.Thread, b *Builtin, args starlark.Tuple,
			kwargs []starlark.Tuple) (starlark.Value, error) {
			args, err := othersOf(thread, name, name, args)
			if err != nil {
				return nil, err
			}
			if s := b.recv.(*slot.Set); setChanges[name] != nil && s.Len() >= heardFrom &&
				areIterable(args) && len(kwargs) == 0 {
				z, err := setOf(thread, s)
				if err == nil {
					err = changed(thread, z, name, args)
				}
				return z, err
			}
			return callThrough(thread, b, args, kwargs)
		}, params...)
}

// othersOf returns the arguments of a method of sets with their elements as sets hold them. method
// is the one of Starlark's that does it.
func othersOf(thread *starlark.Thread, name, method string, args starlark.Tuple) (starlark.Tuple, error) {
	if err := checkKeys(args); err != nil {
		return nil, fmt.Errorf("%s: %w", name, err)
	}
	args = plainElements(thread, args)
	if method != "symmetric_difference" || len(args) != 1 {
		return args, nil
	}
	xs, ok := args[0].(starlark.Iterable)
	if _, isSet := xs.(*slot.Set); !ok || isSet {
		return args, nil
	}
	distinct, err := setOf(thread, xs) // an element that is there twice would be taken out again
	return starlark.Tuple{distinct}, err
}

const othersParam = "*others: iterables"

// setChanges are what methods of sets do with each element of the others, to a copy of the set or
// to itself. Starlark's copy first, and do not ask.
var setChanges = map[string]func(s *slot.Set, x starlark.Value) error{
	"difference": func(s *slot.Set, x starlark.Value) error { _, err := s.Delete(x); return err },
	"union":      (*slot.Set).Insert,
	"symmetric_difference": func(s *slot.Set, x starlark.Value) error {
		if had, err := s.Delete(x); had || err != nil {
			return err
		}
		return s.Insert(x)
	},
}

// changed applies one of setChanges to s.
func changed(thread *starlark.Thread, s *slot.Set, name string, others starlark.Tuple) error {
	for _, other := range others {
		for _, x := range Heard(thread, ElementsHeard(thread, other.(starlark.Iterable))) {
			if err := setChanges[name](s, x); err != nil {
				return err
			}
		}
	}
	return nil
}

func areIterable(args starlark.Tuple) bool {
	return !slices.ContainsFunc(args, func(a starlark.Value) bool { _, ok := a.(starlark.Iterable); return !ok })
}

// setOf is a set of the elements of xs. Its table has its size from the beginning, if that is
// known: to make a larger one of a large table is a step that does not ask.
func setOf(thread *starlark.Thread, xs starlark.Iterable) (*slot.Set, error) {
	poll := PollOf(thread)
	set := slot.NewSet(max(0, lengthOf(xs)))
	for x := range starlark.Elements(xs) {
		poll.Ask(PerElement)
		if err := set.Insert(x); err != nil {
			return nil, err
		}
	}
	return set, nil
}

// setUpdate is the row of a method that makes the set the result of another one.
func setUpdate(name, doc, example, other string) Builtin {
	return row(name, doc, example,
		func(thread *starlark.Thread, b *Builtin, args starlark.Tuple,
			kwargs []starlark.Tuple) (starlark.Value, error) {
			s := b.recv.(*slot.Set)
			args, err := othersOf(thread, name, other, args)
			if err != nil {
				return nil, err
			}
			if setChanges[other] != nil && s.Len() >= heardFrom && areIterable(args) && len(kwargs) == 0 {
				return starlark.None, changed(thread, s, other, args)
			}
			m, err := s.Attr(other)
			if err != nil {
				return nil, err
			}
			result, err := m.(*starlark.Builtin).CallInternal(thread, heard(thread, args), kwargs)
			if err != nil {
				return nil, cause(name, err)
			}
			items := ElementsHeard(thread, result.(*slot.Set))
			if err := s.Clear(); err != nil {
				return nil, err
			}
			for _, x := range items {
				if err := s.Insert(x); err != nil {
					return nil, err
				}
			}
			return starlark.None, nil
		}, othersParam)
}

// intTable is the methods of int.
var intTable = []Builtin{
	ours("bit_count", "How many bits of the absolute value are 1.", "(7).bit_count() # 3",
		func(b *Builtin, _ []starlark.Value) (starlark.Value, error) {
			n := 0
			for _, c := range new(big.Int).Abs(b.recv.(starlark.Int).BigInt()).Text(2) {
				n += int(c - '0')
			}
			return starlark.MakeInt(n), nil
		}),
	ours("bit_length", "How many bits the absolute value takes.", "(255).bit_length() # 8",
		func(b *Builtin, _ []starlark.Value) (starlark.Value, error) {
			return starlark.MakeInt(b.recv.(starlark.Int).BigInt().BitLen()), nil
		}),
}

// floatTable is the methods of float.
var floatTable = []Builtin{
	ours("as_integer_ratio", "Two ints of which the float is the quotient, the second positive.",
		"(0.75).as_integer_ratio() # (3, 4)",
		func(b *Builtin, _ []starlark.Value) (starlark.Value, error) {
			r := new(big.Rat).SetFloat64(float64(b.recv.(starlark.Float)))
			if r == nil {
				return nil, fmt.Errorf("as_integer_ratio: got %s, want a finite float", Repr(b.recv))
			}
			return starlark.Tuple{starlark.MakeBigInt(r.Num()), starlark.MakeBigInt(r.Denom())}, nil
		}),
	ours("is_integer", "True if the float is finite and has no fraction.", "(2.0).is_integer() # True",
		func(b *Builtin, _ []starlark.Value) (starlark.Value, error) {
			f := float64(b.recv.(starlark.Float))
			return starlark.Bool(math.Trunc(f) == f && !math.IsInf(f, 0)), nil
		}),
}
