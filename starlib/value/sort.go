package value

import (
	"fmt"
	"slices"

	"github.com/arignote/arignote/starlib/slot"
	"go.starlark.net/starlark"
	"go.starlark.net/syntax"
)

// A ranked is an element and what it is compared by.
type ranked struct{ value, key starlark.Value }

// A stopped sorting is one in which a comparison failed, or whose cell is to end.
type stopped struct{ err error }

// sortedBy returns elements in the order of CPython's sorted: by < of their keys, stably. It
// overwrites them.
func sortedBy(thread *starlark.Thread, name string, elements []starlark.Value,
	key, reverse starlark.Value) (_ []starlark.Value, err error) {
	falling, err := isReverse(name, reverse)
	if err != nil {
		return nil, err
	}
	fn, called := key.(starlark.Callable)
	if key != nil && key != starlark.None && !called {
		return nil, fmt.Errorf("%s: for parameter key: got %s, want callable", name, key.Type())
	}
	keys := ListOf(thread, elements).Slots()
	if called {
		call := CallerOf(thread, fn)
		for i := range keys {
			if keys[i], err = call(keys[i : i+1]); err != nil {
				return nil, err
			}
		}
	}
	if sortPlainly(elements, keys, falling) {
		return elements, nil
	}
	all := room[ranked](HostOf(thread), len(elements))
	for i, x := range Heard(thread, elements) {
		all = append(all, ranked{x, PlainDeep(keys[i].Value())})
	}
	if falling { // so that equal ones stay in order
		slices.Reverse(all)
	}
	if err := rank(thread, all); err != nil {
		return nil, err
	}
	if falling {
		slices.Reverse(all)
	}
	for i, x := range Heard(thread, all) {
		elements[i] = x.value
	}
	return elements, nil
}

// sortPlainly sorts elements, if they are not too many to do it at once and their keys ask nobody
// how they compare.
func sortPlainly(elements []starlark.Value, keys []slot.Slot, falling bool) (sorted bool) {
	if len(elements) >= heardFrom {
		return false
	}
	by, values := slices.Clone(keys), make([]slot.Slot, len(keys))
	for i := range elements {
		values[i] = slot.Ref(elements[i])
	}
	if falling { // so that equal ones stay in order
		slices.Reverse(by)
		slices.Reverse(values)
	}
	if !slot.SortKeyed(by, values) {
		return false
	}
	if falling {
		slices.Reverse(values)
	}
	for i := range values {
		elements[i] = values[i].Ref()
	}
	return true
}

// SortItems returns the items of a dict in the order of their keys.
func SortItems(thread *starlark.Thread, items []starlark.Tuple) ([]starlark.Tuple, error) {
	all := make([]ranked, len(items))
	for i, kv := range items {
		all[i] = ranked{kv, PlainDeep(kv[0])}
	}
	if err := rank(thread, all); err != nil {
		return nil, err
	}
	inOrder := make([]starlark.Tuple, len(items))
	for i, x := range all {
		inOrder[i] = x.value.(starlark.Tuple)
	}
	return inOrder, nil
}

// rank sorts elements by < of their keys, stably.
func rank(thread *starlark.Thread, all []ranked) (err error) {
	defer func() {
		if p := recover(); p != nil {
			s, ok := p.(stopped)
			if !ok {
				panic(p)
			}
			err = s.err
		}
	}()
	slot.Timsort(all, lessOf(thread, all))
	return nil
}

func isReverse(name string, reverse starlark.Value) (bool, error) {
	switch r := Plain(OrNone(reverse)).(type) {
	case starlark.NoneType:
		return false, nil
	case starlark.Bool, starlark.Int:
		return bool(r.Truth()), nil
	default:
		return false, fmt.Errorf("%s: for parameter reverse: got %s, want bool", name, r.Type())
	}
}

// lessOf is < of keys, quickly if they are all floats or all texts. It panics with stopped.
func lessOf(thread *starlark.Thread, all []ranked) func(x, y ranked) bool {
	floats, texts := true, true
	for _, e := range Heard(thread, all) {
		_, isFloat := e.key.(starlark.Float)
		_, isText := e.key.(starlark.String)
		floats, texts = floats && isFloat, texts && isText
	}
	poll := PollOf(thread)
	switch {
	case floats:
		return func(x, y ranked) bool {
			poll.Ask(1)
			return x.key.(starlark.Float) < y.key.(starlark.Float)
		}
	case texts:
		return func(x, y ranked) bool {
			poll.Ask(PerElement)
			return x.key.(starlark.String) < y.key.(starlark.String)
		}
	}
	return func(x, y ranked) bool {
		poll.Ask(PerElement)
		if less, known := slot.Compared(syntax.LT, slot.Of(x.key), slot.Of(y.key)); known {
			return less
		}
		less, err := holds(thread, syntax.LT, x.key, y.key, maxNesting)
		if err != nil {
			panic(stopped{err})
		}
		return less
	}
}

func holds(thread *starlark.Thread, op syntax.Token, x, y starlark.Value, depth int) (bool, error) {
	if a, b, ok := sequences(x, y); ok && depth > 0 {
		for i := range min(a.Len(), b.Len()) {
			p, q := a.Index(i), b.Index(i)
			if isNaN(p) && isNaN(q) { // one object, for all that can be known
				continue
			}
			same, err := CompareIn(thread, syntax.EQL, p, q)
			if err != nil {
				return false, err
			}
			if !same.Truth() {
				return holds(thread, op, p, q, depth-1)
			}
		}
		return op == syntax.LT && a.Len() < b.Len() || op == syntax.GT && a.Len() > b.Len(), nil
	}
	z, err := CompareIn(thread, op, x, y)
	return err == nil && bool(z.Truth()), err
}

// sequences are two lists, or two tuples.
func sequences(x, y starlark.Value) (a, b starlark.Indexable, ok bool) {
	switch x := x.(type) {
	case *slot.List:
		y, ok := y.(*slot.List)
		return x, y, ok
	case starlark.Tuple:
		y, ok := y.(starlark.Tuple)
		return x, y, ok
	}
	return nil, nil, false
}

// Extreme is max or min, as name says, of values that are compared by < or >, or whose keys are:
// the first of the largest or smallest.
func Extreme(thread *starlark.Thread, name string, values starlark.Tuple, key starlark.Value) (
	starlark.Value, error) {
	op := syntax.GT
	if name == "min" {
		op = syntax.LT
	}
	var best, bestKey starlark.Value
	poll := PollOf(thread)
	var call Caller
	if key != nil && key != starlark.None {
		call = CallerOf(thread, key)
	}
	arg := make([]slot.Slot, 1)
	for _, x := range values {
		poll.Ask(PerElement)
		k := x
		if call != nil {
			arg[0] = slot.Of(x)
			of, err := call(arg)
			if err != nil {
				return nil, err
			}
			k = of.Value()
		}
		if best == nil {
			best, bestKey = x, k
			continue
		}
		better, err := holds(thread, op, k, bestKey, maxNesting)
		if err != nil {
			return nil, fmt.Errorf("%s: %w", name, err)
		}
		if better {
			best, bestKey = x, k
		}
	}
	return best, nil
}
