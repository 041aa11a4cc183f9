package value

import (
	"errors"
	"fmt"
	"math"
	"slices"
	"unicode/utf8"

	"go.starlark.net/starlark"
)

// Functions of iterables. Starlark's strings are not iterable; here they give their characters, as Python's do.

// Iterable returns v as what can be iterated over: a string is its characters.
func Iterable(v starlark.Value) (starlark.Iterable, error) {
	switch x := v.(type) {
	case starlark.String:
		if err := askElements("characters", "tuple", len(x), characterBytes); err != nil {
			return nil, err
		}
		return characters(x), nil
	case starlark.Iterable:
		return x, nil
	case starlark.Bytes:
		if err := askElements("elems", "tuple", len(x), elementBytes); err != nil {
			return nil, err
		}
		items := make(starlark.Tuple, len(x))
		for i := range items {
			items[i] = starlark.MakeInt(int(x[i]))
		}
		return items, nil
	}
	return nil, fmt.Errorf("got %s, want an iterable such as a list", v.Type())
}

func characters(s starlark.String) starlark.Tuple {
	items := make(starlark.Tuple, 0, len(s))
	for rest := string(s); rest != ""; {
		_, n := utf8.DecodeRuneInString(rest)
		items = append(items, starlark.String(rest[:n]))
		rest = rest[n:]
	}
	return items
}

// An Iterator is what iter returns: the elements that have not been taken yet. To iterate over it takes them.
type Iterator struct {
	next func() (starlark.Value, bool)
}

var _ starlark.Iterable = (*Iterator)(nil)

// NewIterator is the iterator over what next returns, until it says that there is no more.
func NewIterator(next func() (starlark.Value, bool)) *Iterator { return &Iterator{next} }

func (it *Iterator) String() string             { return "<iterator>" }
func (it *Iterator) Type() string               { return "iterator" }
func (it *Iterator) Freeze()                    {}
func (it *Iterator) Truth() starlark.Bool       { return true }
func (it *Iterator) Hash() (uint32, error)      { return 0, fmt.Errorf("unhashable type: iterator") }
func (it *Iterator) Iterate() starlark.Iterator { return it }
func (it *Iterator) Done()                      {}
func (it *Iterator) Next(p *starlark.Value) bool {
	v, ok := it.next()
	if ok {
		*p = v
	}
	return ok
}

// newIterator iterates over x. Sequences may change meanwhile, as in Python; of dicts and sets the elements are those of now.
func newIterator(x starlark.Iterable) *Iterator {
	var seq starlark.Indexable
	switch x := x.(type) {
	case *Iterator:
		return x
	case starlark.Indexable:
		seq = x
	case *starlark.Dict, *starlark.Set:
		seq = starlark.Tuple(elementsOf(x))
	default:
		inner := x.Iterate()
		return &Iterator{func() (v starlark.Value, ok bool) {
			ok = inner.Next(&v)
			return v, ok
		}}
	}
	i := 0
	return &Iterator{func() (starlark.Value, bool) {
		if i >= seq.Len() {
			i = math.MaxInt // it has ended, whatever is added
			return nil, false
		}
		i++
		return seq.Index(i - 1), true
	}}
}

// IterableTable is the functions of iterables.
var IterableTable = []Builtin{
	overIterable("all", "True if every element of x is true.", "all([1, 0]) # False", "x: an iterable"),
	overIterable("any", "True if some element of x is true.", "any([1, 0]) # True", "x: an iterable"),
	row("enumerate", "A list of pairs of index and element.", `enumerate("ab", start=1) # [(1, "a"), (2, "b")]`,
		func(thread *starlark.Thread, b *Builtin, args starlark.Tuple, kwargs []starlark.Tuple) (starlark.Value, error) {
			v, err := b.Bind(args, kwargs)
			if err != nil {
				return nil, err
			}
			from := starlark.Tuple{v[0]}
			if v[1] != nil {
				from = append(from, Plain(v[1]))
			}
			if from, err = withCharacters(from); err != nil {
				return nil, err
			}
			return universe("enumerate").CallInternal(thread, from, nil)
		}, "x: an iterable", "start=0: the first index").asking(func(b *Builtin, args starlark.Tuple) error {
		return askForElements(b, args[:min(1, len(args))], 3*elementBytes+headerBytes)
	}),
	row("filter", "A list of the elements for which function is true; with None, of the true elements.",
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
			return newIterator(x), nil
		}, "x: an iterable"),
	row("map",
		"A list of what function returns for the elements; of several iterables it is given one of each, up to the end of the shortest.",
		"map(lambda x, y: x * y, [1, 2], [3, 4]) # [3, 8]", map_, "function: a function of an element of each iterable",
		"*args: iterables"),
	row("next", "The next element of an iterator; default if there is none, an error if there is no default.",
		"next(iter([]), 0) # 0", next, "it: an iterator", "default=None: instead of an error"),
	overIterable("reversed", "A list of the elements, last first.", "reversed([1, 2]) # [2, 1]", "x: an iterable").asking(asksForList(elementBytes)),
	overIterable("sorted", "A sorted list of the elements.", `sorted("bca") # ["a", "b", "c"]`, "x: an iterable", "*:",
		"key=None: function of an element by which to compare", "reverse=False: largest first").asking(asksForList(2 * elementBytes)),
	overIterable("zip", "A list of tuples of the first elements, the second, ..., up to the end of the shortest.",
		`zip([1, 2], "ab") # [(1, "a"), (2, "b")]`, "*args: iterables").asking(func(b *Builtin, args starlark.Tuple) error {
		return askForElements(b, args, int64(1+len(args))*elementBytes+headerBytes)
	}),
}

// askForElements asks for a list of as many elements, of so many bytes each, as the shortest iterable has.
func askForElements(b *Builtin, iterables starlark.Tuple, bytes int64) error {
	n := max(0, shortest(iterables...))
	for _, x := range iterables {
		if x, ok := x.(starlark.Iterable); ok {
			bytes += bytesOfElements(x) - elementBytes
		}
	}
	return askElements(b.Name, "list", n, bytes)
}

// lengthOf is how many elements an iterable has, or a string characters at most; -1 if nobody knows.
func lengthOf(x starlark.Value) int {
	switch x := x.(type) {
	case starlark.String:
		return len(x)
	case starlark.Bytes:
		return len(x)
	case starlark.Sequence:
		return x.Len()
	}
	return -1
}

// shortest is the length of the shortest iterable that has one, -1 if none has.
func shortest(iterables ...starlark.Value) int {
	n := -1
	for _, x := range iterables {
		if l := lengthOf(x); l >= 0 && (n < 0 || l < n) {
			n = l
		}
	}
	return n
}

// overIterable is the row of a function of Starlark's whose arguments by position may be strings too.
func overIterable(name, doc, example string, params ...string) Builtin {
	return row(name, doc, example,
		func(thread *starlark.Thread, b *Builtin, args starlark.Tuple, kwargs []starlark.Tuple) (starlark.Value, error) {
			if err := CheckLen(name, args...); err != nil {
				return nil, err
			}
			args, err := withCharacters(args)
			if err != nil {
				return nil, err
			}
			if name == "sorted" {
				kwargs = plainKey(args, kwargs)
			}
			return universe(name).CallInternal(thread, args, kwargs)
		}, params...)
}

// plainKey gives sorted a key by which Starlark can compare, where elements or their keys may be Typed.
func plainKey(args starlark.Tuple, kwargs []starlark.Tuple) []starlark.Tuple {
	var key starlark.Value
	rest := kwargs[:0:0]
	for _, kv := range kwargs {
		if kv[0] == starlark.String("key") {
			key = kv[1]
		} else {
			rest = append(rest, starlark.Tuple{kv[0], Plain(kv[1])})
		}
	}
	own, called := key.(starlark.Callable)
	switch {
	case key != nil && key != starlark.None && !called:
		return kwargs // Starlark says what is wrong
	case !called && (len(args) == 0 || !anyTyped(args[0])):
		return rest
	}
	return append(rest, starlark.Tuple{starlark.String("key"), starlark.NewBuiltin("$key",
		func(thread *starlark.Thread, _ *starlark.Builtin, args starlark.Tuple, kwargs []starlark.Tuple) (starlark.Value, error) {
			if !called {
				return PlainDeep(args[0]), nil
			}
			k, err := starlark.Call(thread, own, args, kwargs)
			if err != nil {
				return nil, err
			}
			return PlainDeep(k), nil
		})})
}

// anyTyped looks through the elements of an iterable.
func anyTyped(v starlark.Value) bool {
	switch x := v.(type) {
	case starlark.Indexable:
		for i := range x.Len() {
			if holdsTyped(x.Index(i), maxNesting) {
				return true
			}
		}
		return false
	case *starlark.Dict, *starlark.Set: // have plain keys
		return false
	}
	return true
}

// maxElements is how many elements a function takes one by one. A range may have more than there is memory for, and until they are
// counted nothing can interrupt.
const maxElements = 1 << 27

// CheckLen refuses to go through the elements of iterables, up to the end of the shortest, if they are too many.
func CheckLen(name string, iterables ...starlark.Value) error {
	if n := shortest(iterables...); n > maxElements {
		return fmt.Errorf("%s: got %d elements, want at most %d; np.arange makes arrays, and a for loop can be interrupted", name, n,
			maxElements)
	}
	return nil
}

// universe is a function of Starlark's.
func universe(name string) *starlark.Builtin { return starlark.Universe[name].(*starlark.Builtin) }

// withCharacters returns args with strings and bytes as tuples of what they are made of.
func withCharacters(args starlark.Tuple) (starlark.Tuple, error) {
	out := args
	for i, a := range args {
		switch a.(type) {
		case starlark.String, starlark.Bytes:
			if &out[0] == &args[0] {
				out = slices.Clone(args)
			}
			x, err := Iterable(a)
			if err != nil {
				return nil, err
			}
			out[i] = x
		}
	}
	return out, nil
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
	var kept []starlark.Value
	for e := range starlark.Elements(x) {
		truth := e
		if v[0] != starlark.None {
			if truth, err = starlark.Call(thread, v[0], starlark.Tuple{e}, nil); err != nil {
				return nil, err
			}
		}
		if truth.Truth() {
			kept = append(kept, e)
		}
	}
	return starlark.NewList(kept), nil
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
	its := make([]starlark.Iterator, len(from))
	for i, a := range from {
		x, err := Iterable(a)
		if err != nil {
			return nil, fmt.Errorf("map: %w", err)
		}
		its[i] = x.Iterate()
		defer its[i].Done()
	}
	var out []starlark.Value
	for {
		each := make(starlark.Tuple, len(its))
		for i, it := range its {
			if !it.Next(&each[i]) {
				return starlark.NewList(out), nil
			}
		}
		y, err := starlark.Call(thread, v[0], each, nil)
		if err != nil {
			return nil, err
		}
		out = append(out, y)
	}
}

var errEnded = errors.New("next: the iterator has ended; next(it, default) returns default then")

func next(_ *starlark.Thread, b *Builtin, args starlark.Tuple, kwargs []starlark.Tuple) (starlark.Value, error) {
	v, err := b.Bind(args, kwargs)
	if err != nil {
		return nil, err
	}
	if it, ok := v[0].(Nexter); ok {
		x, ok, err := it.NextValue()
		switch {
		case err != nil || ok:
			return x, err
		case v[1] != nil:
			return v[1], nil
		}
		return nil, errEnded
	}
	it, ok := v[0].(*Iterator)
	if !ok {
		return nil, fmt.Errorf("next: got %s, want an iterator: it = iter(x)", v[0].Type())
	}
	if x, ok := it.next(); ok {
		return x, nil
	}
	if v[1] == nil {
		return nil, errEnded
	}
	return v[1], nil
}
