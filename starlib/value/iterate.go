package value

import (
	"fmt"
	"math"
	"slices"

	"github.com/arignote/arignote/runtime/tensor"
	"github.com/arignote/arignote/starlib/slot"
	"go.starlark.net/starlark"
	"go.starlark.net/syntax"
)

// Functions of iterables. Starlark's strings are not iterable; here they give their characters, as
// Python's do.

// Iterable returns v as what can be iterated over: a string is its characters.
func Iterable(v starlark.Value) (starlark.Iterable, error) {
	switch x := v.(type) {
	case starlark.String:
		if err := askElements("characters", "tuple", len(x), characterBytes); err != nil {
			return nil, err
		}
		return charactersOf(x), nil
	case starlark.Iterable:
		if p, ok := x.(PartlyIterable); ok {
			return x, p.CheckIterate()
		}
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

// A PartlyIterable is of a type of which some values have no elements to go through, or none that
// are known: symbolic variables have those of an axis whose length is known. Iterate stops the
// statement with the error of CheckIterate.
type PartlyIterable interface {
	starlark.Iterable
	CheckIterate() error
}

// Elements returns v if it has elements to go through.
func Elements(v starlark.Value) (starlark.Iterable, bool) {
	if p, ok := v.(PartlyIterable); ok && p.CheckIterate() != nil {
		return nil, false
	}
	x, ok := v.(starlark.Iterable)
	return x, ok
}

// A Stream is what an iterator gives.
type Stream struct {
	// Next returns the next element, or that there is no more, or why there is none.
	Next func() (v starlark.Value, ok bool, err error)
	// Fail makes the running statement fail, where Starlark goes through the elements and gives no
	// way to return an error.
	Fail func(err error)
	// Endless is what made an iterator that has no end; "" if it may have one.
	Endless string
}

// An Iterator is what iter returns: the elements that have not been taken yet. To iterate over it
// takes them.
type Iterator struct{ from Stream }

var (
	_ starlark.Iterable  = (*Iterator)(nil)
	_ Nexter             = (*Iterator)(nil)
	_ starlark.HasBinary = (*Iterator)(nil)
)

// NewIterator is the iterator over a stream.
func NewIterator(from Stream) *Iterator { return &Iterator{from} }

// NewLazy is the iterator that a function returns which computes elements when they are asked for,
// on the thread that asks. Once the cell is to end so does the iterator, whoever goes through its
// elements. endless is the function's name if there is no end, else "".
func NewLazy(thread *starlark.Thread, endless string, next func(thread *starlark.Thread) (v starlark.Value, ok bool, err error)) *Iterator {
	host := HostOf(thread)
	stop := host.Stop()
	return NewIterator(Stream{Fail: host.Fail, Endless: endless, Next: func() (starlark.Value, bool, error) {
		if tensor.Stopped(stop) {
			return nil, false, tensor.ErrStopped
		}
		return next(host.Current())
	}})
}

// Search is x in xs for an iterator xs, of which the elements up to x are taken; nil for other
// operators.
func Search(xs starlark.Iterable, op syntax.Token, x starlark.Value, side starlark.Side) (starlark.Value, error) {
	if op != syntax.IN || side != starlark.Right {
		return nil, nil
	}
	it := xs.Iterate()
	defer it.Done()
	for e := starlark.Value(nil); it.Next(&e); {
		same, err := Compare(syntax.EQL, PlainDeep(e), PlainDeep(x))
		if err != nil || bool(same.Truth()) {
			return starlark.True, err
		}
	}
	return starlark.False, nil
}

func (it *Iterator) String() string             { return "<iterator>" }
func (it *Iterator) Type() string               { return "iterator" }
func (it *Iterator) Freeze()                    {}
func (it *Iterator) Truth() starlark.Bool       { return true }
func (it *Iterator) Hash() (uint32, error)      { return 0, fmt.Errorf("unhashable type: iterator") }
func (it *Iterator) Iterate() starlark.Iterator { return it }
func (it *Iterator) Done()                      {}

// Endless is what made it if it has no end, "" of others.
func (it *Iterator) Endless() string { return it.from.Endless }

// Binary is x in it.
func (it *Iterator) Binary(op syntax.Token, x starlark.Value, side starlark.Side) (starlark.Value, error) {
	return Search(it, op, x, side)
}

// NextValue takes the next element.
func (it *Iterator) NextValue() (v starlark.Value, ok bool, err error) { return it.from.Next() }

// Next takes the next element; what fails ends the running statement.
func (it *Iterator) Next(p *starlark.Value) bool {
	v, ok, err := it.from.Next()
	if err != nil {
		it.from.Fail(err)
		return false
	}
	if ok {
		*p = v
	}
	return ok
}

// IteratorOf iterates over x. Sequences may change meanwhile, as in Python; of dicts and sets the
// elements are those of now. What x makes of errors is its own: see Stream.
func IteratorOf(x starlark.Iterable) *Iterator {
	var seq starlark.Indexable
	switch x := x.(type) {
	case *Iterator:
		return x
	case starlark.Indexable:
		seq = x
	case *slot.Dict, *slot.Set:
		seq = starlark.Tuple(elementsOf(x))
	default:
		inner := x.Iterate()
		return NewIterator(Stream{Next: func() (v starlark.Value, ok bool, err error) {
			ok = inner.Next(&v)
			return v, ok, nil
		}})
	}
	i := 0
	return NewIterator(Stream{Next: func() (starlark.Value, bool, error) {
		if i >= seq.Len() {
			i = math.MaxInt // it has ended, whatever is added
			return nil, false, nil
		}
		i++
		return seq.Index(i - 1), true, nil
	}})
}

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
			if _, isInstance := x.(Instance); isLazy(x) && !isInstance {
				return x, nil
			}
			return IteratorOf(x), nil
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

// lengthOf is how many elements an iterable has, or a string characters at most; -1 if nobody
// knows.
func lengthOf(x starlark.Value) int {
	switch x := x.(type) {
	case starlark.String:
		return len(x)
	case starlark.Bytes:
		return len(x)
	case Instance:
		if x.Held() == nil {
			return -1 // only going through them tells: __len__ is the user's
		}
		return lengthOf(x.Held())
	case starlark.Sequence:
		return x.Len()
	}
	return -1
}

// An unmeasured iterable is gone through, and not asked for its length before: CPython passes over
// what __len__ raises there.
type unmeasured struct{ starlark.Iterable }

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

// anyTyped looks through the elements of an iterable.
func anyTyped(thread *starlark.Thread, v starlark.Value) bool {
	switch x := v.(type) {
	case *characterView:
		return false
	case starlark.Indexable:
		if x.Type() == "range" { // of ints
			return false
		}
		poll := PollOf(thread)
		for i := range x.Len() {
			poll.Ask(PerElement)
			if holdsTyped(x.Index(i), maxNesting) {
				return true
			}
		}
		return false
	case *slot.Dict, *slot.Set: // have plain keys
		return false
	}
	return true
}

// maxElements is how many elements a function takes one by one. A range may have more than there is
// memory for, and until they are counted nothing can interrupt.
const maxElements = 1 << 27

// CheckLen refuses to go through the elements of iterables, up to the end of the shortest, if they
// are too many or have no end.
func CheckLen(name string, iterables ...starlark.Value) error {
	if err := checkEnd(name, iterables...); err != nil {
		return err
	}
	return checkCount(name, iterables...)
}

// CheckEnd refuses an iterable that has no end, in an error that does not name the function.
func CheckEnd(xs starlark.Iterable) error { return checkEnd("", xs) }

// checkEnd refuses iterables none of which has an end. The name may be "" where others say it.
func checkEnd(name string, iterables ...starlark.Value) error {
	made := ""
	for _, x := range iterables {
		it, ok := x.(interface{ Endless() string })
		if !ok || it.Endless() == "" {
			return nil
		}
		made = it.Endless()
	}
	if made == "" {
		return nil
	}
	return endless{name, made}
}

// An endless error is that a function would take elements for ever: more than there is memory for,
// or to no result.
type endless struct{ function, made string }

func (e endless) Error() string {
	msg := fmt.Sprintf("got %s, whose elements have no end; itertools.islice(x, n) gives the first n, and a for loop can be left by break", e.made)
	if e.function != "" {
		msg = e.function + ": " + msg
	}
	return msg
}

// ErrorName is what users know the error as.
func (e endless) ErrorName() string { return "MemoryError" }

// checkCount refuses to go through the elements of iterables, up to the end of the shortest, if
// they are too many.
func checkCount(name string, iterables ...starlark.Value) error {
	if n := shortest(iterables...); n > maxElements {
		return fmt.Errorf("%s: got %d elements, want at most %d; np.arange makes arrays, and a for loop can be interrupted", name, n,
			maxElements)
	}
	return nil
}

// universe is a function of Starlark's.
func universe(name string) *starlark.Builtin { return starlark.Universe[name].(*starlark.Builtin) }

// ofStarlark calls a builtin of Starlark's. A list, dict or set that it makes becomes one of ours.
func ofStarlark(b *starlark.Builtin, thread *starlark.Thread, args starlark.Tuple, kwargs []starlark.Tuple) (
	starlark.Value, error) {
	v, err := b.CallInternal(thread, args, kwargs)
	if err != nil {
		return nil, err
	}
	if list, ok := v.(*starlark.List); ok {
		return listHeard(thread, list), nil
	}
	return slot.FromStarlark(v)
}

// withCharacters returns args with strings and bytes as sequences of what they are made of, and
// instances without their lengths.
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
		case Instance:
			if x, ok := a.(starlark.Iterable); ok && lengthOf(a) < 0 {
				if &out[0] == &args[0] {
					out = slices.Clone(args)
				}
				if _, err := Iterable(a); err != nil {
					return nil, err
				}
				out[i] = unmeasured{x}
			}
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
		}), nil
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

// isLazy says whether what is made of the elements of x is made when it is asked for: the elements
// of an iterator may have no end, and be different ones by then.
func isLazy(x starlark.Value) bool {
	_, ok := x.(Nexter)
	return ok
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
	}), nil
}

func endlessIf(is bool, name string) string {
	if is {
		return name
	}
	return ""
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
	next, endless, err := each("map", from, false)
	if err != nil {
		return nil, err
	}
	apply := func(thread *starlark.Thread) (starlark.Value, bool, error) {
		args, ok, err := next()
		if err != nil || !ok {
			return nil, false, err
		}
		y, err := Call(thread, v[0], args, nil)
		return y, err == nil, err
	}
	if slices.ContainsFunc(from, isLazy) {
		return NewLazy(thread, endlessIf(endless, "map"), apply), nil
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
