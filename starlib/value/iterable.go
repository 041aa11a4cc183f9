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

// Starlark's strings are not iterable; here they give their characters, as Python's do.

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
		return byteView(x), nil
	}
	return nil, fmt.Errorf("got %s, want an iterable such as a list", v.Type())
}

// A byteView is bytes as the sequence of ints that they are.
type byteView string

var _ starlark.Indexable = byteView("")

func (v byteView) String() string             { return starlark.Bytes(v).String() }
func (v byteView) Type() string               { return "bytes" }
func (v byteView) Freeze()                    {}
func (v byteView) Truth() starlark.Bool       { return v != "" }
func (v byteView) Hash() (uint32, error)      { return starlark.Bytes(v).Hash() }
func (v byteView) Len() int                   { return len(v) }
func (v byteView) Index(i int) starlark.Value { return starlark.MakeInt(int(v[i])) }
func (v byteView) Iterate() starlark.Iterator { return &byteIterator{v} }

type byteIterator struct{ rest byteView }

func (it *byteIterator) Next(p *starlark.Value) bool {
	if it.rest == "" {
		return false
	}
	*p, it.rest = it.rest.Index(0), it.rest[1:]
	return true
}

func (it *byteIterator) Done() {}

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

// Indexed returns v if it is a list, a tuple, a range or the like, or an instance with __len__ and
// __getitem__. Text and bytes are none: they are made of text and bytes without an end.
func Indexed(v starlark.Value) (starlark.Indexable, bool) {
	switch v.(type) {
	case starlark.String, starlark.Bytes:
		return nil, false
	}
	x, ok := v.(starlark.Indexable)
	return x, ok && x.Len() >= 0
}

// An unmeasured iterable is gone through, and not asked for its length before: CPython passes over
// what __len__ raises there.
type unmeasured struct{ starlark.Iterable }

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

// isLazy says whether what is made of the elements of x is made when it is asked for: the elements
// of an iterator may have no end, and be different ones by then.
func isLazy(x starlark.Value) bool {
	_, ok := x.(Nexter)
	return ok
}

// A Watched value gives a loop the elements of another value, and is told how the loop goes.
type Watched interface {
	starlark.Iterable
	// Watched returns nil if the loop is to go through the value itself; watch may be nil.
	Watched() (over starlark.Value, watch Watch)
}

// A Watch is told of the rounds of a loop before each begins, the one that finds no element too,
// and of its end.
type Watch interface {
	Round()
	End()
}

// A Stream is what an iterator gives.
type Stream struct {
	// Next returns the next element, or that there is no more, or why there is none.
	Next func() (v starlark.Value, ok bool, err error)
	// Fail makes the running statement fail, where Starlark goes through the elements and gives no
	// way to return an error.
	Fail func(err error)
	// Done, if set, is called after the last element that is read, perhaps before the end.
	Done func()
	// Left, if set, is called when a loop ends, perhaps before the end of the iterator, which may go
	// on later.
	Left func()
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

func (it *Iterator) String() string { return "<iterator>" }

func (it *Iterator) Type() string { return "iterator" }

func (it *Iterator) Freeze() {}

func (it *Iterator) Truth() starlark.Bool { return true }

func (it *Iterator) Hash() (uint32, error) { return 0, fmt.Errorf("unhashable type: iterator") }

func (it *Iterator) Iterate() starlark.Iterator { return it }

// Done is the end of a loop.
func (it *Iterator) Done() {
	if it.from.Left != nil {
		it.from.Left()
	}
}

// leaving has the end of a loop over it be that of loops over others, of which it is made.
func (it *Iterator) leaving(others ...*Iterator) *Iterator {
	for _, x := range others {
		if x.from.Left != nil {
			it.from.Left = func() {
				for _, x := range others {
					x.Done()
				}
			}
			break
		}
	}
	return it
}

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
		var left func()
		if w, ok := inner.(Watch); ok {
			left = w.End
		}
		return NewIterator(Stream{Done: inner.Done, Left: left, Next: func() (v starlark.Value, ok bool, err error) {
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

func endlessIf(is bool, name string) string {
	if is {
		return name
	}
	return ""
}
