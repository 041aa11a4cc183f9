package value

import (
	"fmt"
	"regexp"
	"slices"

	"github.com/arignote/arignote/starlib/slot"
	"go.starlark.net/starlark"
)

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
			s := b.recv.(*slot.Set)
			z, err := setOf(thread, s)
			return z.As(s), err
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

var aSet = regexp.MustCompile(`\bset\(`)

// frozenSetTable is those methods of set that do not change it.
func frozenSetTable() []Builtin {
	var table []Builtin
	known := slot.NewSet(0).Constant().AttrNames()
	for _, b := range setTable {
		if !slices.Contains(known, b.Name) {
			continue
		}
		b.Example = aSet.ReplaceAllString(b.Example, "frozenset(")
		table = append(table, b)
	}
	return table
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

// byElements is the row of a method of sets that Starlark has of itself, for iterables.
func byElements(name, doc, example string, params ...string) Builtin {
	return row(name, doc, example,
		func(thread *starlark.Thread, b *Builtin, args starlark.Tuple,
			kwargs []starlark.Tuple) (starlark.Value, error) {
			args, err := othersOf(thread, name, name, args)
			if err != nil {
				return nil, err
			}
			switch s := b.recv.(*slot.Set); {
			case len(kwargs) > 0 || !areMany(s, args):
			case name == "update":
				return starlark.None, changed(thread, s, "union", args)
			case setChanges[name] != nil:
				z, err := setOf(thread, s)
				if err == nil {
					err = changed(thread, z, name, args)
				}
				return z.As(s), err
			case setsOfMany[name] != nil && (name != "issubset" || len(args) == 1):
				v, err := setsOfMany[name](thread, s, args)
				if z, ok := v.(*slot.Set); ok {
					return z.As(s), err
				}
				return v, err
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

// setsOfMany are methods of large sets for whose results tables are made: those of package slot do
// not ask.
var setsOfMany = map[string]func(*starlark.Thread, *slot.Set, starlark.Tuple) (starlark.Value, error){
	"intersection": func(thread *starlark.Thread, s *slot.Set, others starlark.Tuple) (starlark.Value, error) {
		if len(others) == 0 {
			return setOf(thread, s)
		}
		for _, other := range others {
			var err error
			if s, err = shared(thread, s, other.(starlark.Iterable)); err != nil {
				return nil, err
			}
		}
		return s, nil
	},
	"issubset": func(thread *starlark.Thread, s *slot.Set, others starlark.Tuple) (starlark.Value, error) {
		other, ok := others[0].(*slot.Set)
		if !ok {
			var err error
			if other, err = setOf(thread, others[0].(starlark.Iterable)); err != nil {
				return nil, err
			}
		}
		for _, x := range Heard(thread, ElementsHeard(thread, s)) {
			if has, err := other.Has(x); err != nil || !has {
				return starlark.False, err
			}
		}
		return starlark.True, nil
	},
}

// shared is a set of the elements of xs that s has too.
func shared(thread *starlark.Thread, s *slot.Set, xs starlark.Iterable) (*slot.Set, error) {
	z := slot.NewSet(0)
	return z, paced(HostOf(thread), z, -1, func() error {
		poll := PollOf(thread)
		for x := range starlark.Elements(xs) {
			poll.Ask(PerElement)
			if has, err := s.Has(x); err != nil {
				return err
			} else if !has {
				continue
			}
			if err := z.Insert(x); err != nil {
				return err
			}
		}
		return nil
	})
}

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
		elements := ElementsHeard(thread, other.(starlark.Iterable))
		if err := paced(HostOf(thread), s, len(elements), func() error {
			for _, x := range Heard(thread, elements) {
				if err := setChanges[name](s, x); err != nil {
					return err
				}
			}
			return nil
		}); err != nil {
			return err
		}
	}
	return nil
}

// areMany reports whether others are iterables, and they or the set have so many elements that it
// takes long to go through them.
func areMany(s *slot.Set, others starlark.Tuple) bool {
	many := s.Len() >= heardFrom
	for _, x := range others {
		if _, ok := x.(starlark.Iterable); !ok {
			return false
		}
		n := lengthOf(x)
		many = many || n < 0 || n >= heardFrom
	}
	return many
}

// setOf is a set of the elements of xs, with an ear for interrupts. Its table has its size from the
// beginning, if that is known.
func setOf(thread *starlark.Thread, xs starlark.Iterable) (*slot.Set, error) {
	set, n, poll := slot.NewSet(0), lengthOf(xs), PollOf(thread)
	return set, paced(HostOf(thread), set, n, func() error {
		set.Reserve(max(0, n))
		for x := range starlark.Elements(xs) {
			poll.Ask(PerElement)
			if err := set.Insert(x); err != nil {
				return err
			}
		}
		return nil
	})
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
			switch {
			case len(kwargs) > 0 || !areMany(s, args):
			case setChanges[other] != nil:
				return starlark.None, changed(thread, s, other, args)
			case setsOfMany[other] != nil:
				z, err := setsOfMany[other](thread, s, args)
				if err != nil {
					return nil, err
				}
				return starlark.None, s.TakeFrom(z.(*slot.Set))
			}
			m, err := s.Attr(other)
			if err != nil {
				return nil, err
			}
			result, err := m.(*starlark.Builtin).CallInternal(thread, heard(thread, args), kwargs)
			if err != nil {
				return nil, cause(name, err)
			}
			return starlark.None, s.TakeFrom(result.(*slot.Set))
		}, othersParam)
}
