package value

import (
	"fmt"

	"go.starlark.net/starlark"
)

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
