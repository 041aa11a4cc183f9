package value

import (
	"iter"
	"slices"

	"github.com/arignote/arignote/runtime/tensor"
	"go.starlark.net/starlark"
)

// PollOf is how a loop asks whether the running cell is to end: see tensor.Poll. thread may be nil.
func PollOf(thread *starlark.Thread) tensor.Poll { return pollIn(HostOf(thread)) }

// pollIn is PollOf for a host, which may be nil.
func pollIn(host Host) tensor.Poll {
	if host == nil {
		return tensor.Poll{}
	}
	return tensor.Poll{Stop: host.Stop()}
}

// Stopped reports whether the running cell of a host is to end.
func Stopped(host Host) bool { return tensor.Stopped(host.Stop()) }

// Heard goes through a list as range does, and asks at each element, of which a value is made or
// compared.
func Heard[T any](thread *starlark.Thread, list []T) iter.Seq2[int, T] {
	return func(yield func(int, T) bool) {
		poll := PollOf(thread)
		for i, x := range list {
			poll.Ask(PerElement)
			if !yield(i, x) {
				return
			}
		}
	}
}

// besideFrom is how many bytes a text or a number has that upstream's functions, or Go's, are
// given beside the call: they do not ask.
const besideFrom = 4 << 20

// Beside calls f, which reads texts and numbers alone and takes some nanoseconds for each of n
// bytes. An interrupt leaves a long one behind: it ends by itself.
func Beside(thread *starlark.Thread, n int, f func() (starlark.Value, error)) (v starlark.Value, err error) {
	host := HostOf(thread)
	if host == nil || n < besideFrom {
		return f()
	}
	var z starlark.Value
	err = tensor.Beside(host.Stop(), func() (err error) {
		z, err = f()
		return err
	})
	if err != nil {
		return nil, err
	}
	return z, nil
}

// TextBytes is the length of a string or bytes, 0 of others.
func TextBytes(v starlark.Value) int {
	switch v := v.(type) {
	case starlark.String:
		return len(v)
	case starlark.Bytes:
		return len(v)
	}
	return 0
}

// areTexts reports whether values are texts, numbers and None, which nobody can change.
func areTexts(values starlark.Tuple) bool {
	for _, v := range values {
		switch v.(type) {
		case starlark.String, starlark.Bytes, starlark.Int, starlark.Bool, starlark.NoneType:
		default:
			return false
		}
	}
	return true
}

// heardFrom is how many elements a sequence has that upstream's functions are given as it is: they
// do not ask.
const heardFrom = 1 << 14

// PerElement is the work of an element for which a value is made, or looked up, in elements that
// are moved.
const PerElement = 16

// heard returns args with iterables of many elements, or of nobody knows how many, as such that
// ask while they are gone through. Of dicts, which functions look into, nothing is taken that
// takes long.
func heard(thread *starlark.Thread, args starlark.Tuple) starlark.Tuple {
	return heardIn(HostOf(thread), args)
}

// heardIn is heard for a host, which may be nil.
func heardIn(host Host, args starlark.Tuple) starlark.Tuple {
	out := args
	for i, a := range args {
		x, ok := a.(starlark.Iterable)
		n := lengthOf(a)
		if _, isDict := a.(starlark.IterableMapping); !ok || isDict || n >= 0 && n < heardFrom {
			continue
		}
		if &out[0] == &args[0] {
			out = slices.Clone(args)
		}
		if h := (listened{x, host}); n < 0 {
			out[i] = h
		} else {
			out[i] = listenedSequence{h, n}
		}
	}
	return out
}

// A listened is an iterable whose iterators ask, and a listenedSequence one of known length.
type listened struct {
	starlark.Iterable
	host Host
}

type listenedSequence struct {
	listened
	n int
}

func (l listenedSequence) Len() int { return l.n }

// Iterate asks at each element.
func (l listened) Iterate() starlark.Iterator {
	return &listener{l.Iterable.Iterate(), pollIn(l.host)}
}

type listener struct {
	starlark.Iterator
	poll tensor.Poll
}

func (l *listener) Next(p *starlark.Value) bool {
	l.poll.Ask(PerElement)
	return l.Iterator.Next(p)
}

// shortText is up to how many bytes text is looked through at once, without a look at whether the
// program is to end.
const shortText = 4096
