package value

import (
	"github.com/arignote/arignote/starlib/slot"
	"go.starlark.net/starlark"
)

// Calls of functions and methods of go.starlark.net's.

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

// callOwner calls the method that the receiver's own type has, with NumPy's scalars among indexes
// and keys as numbers.
func callOwner(thread *starlark.Thread, b *Builtin, args starlark.Tuple, kwargs []starlark.Tuple) (starlark.Value, error) {
	n := len(args)
	if first, ok := kept[b.Name]; ok {
		n = min(n, first)
	}
	taken := Plain(args[:n]).(starlark.Tuple)
	return b.callOwn(thread, append(taken[:n:n], args[n:]...), kwargs)
}

// callThrough calls such a method that goes through the elements of its arguments, and asks at
// each. callOwner's get what they are given: a key or an element may be an iterable too.
func callThrough(thread *starlark.Thread, b *Builtin, args starlark.Tuple, kwargs []starlark.Tuple) (starlark.Value, error) {
	return b.callOwn(thread, heard(thread, args), kwargs)
}

func (b *Builtin) callOwn(thread *starlark.Thread, args starlark.Tuple, kwargs []starlark.Tuple) (starlark.Value, error) {
	m, err := b.recv.(starlark.HasAttrs).Attr(b.Name)
	if err != nil {
		return nil, err
	}
	return ofStarlark(m.(*starlark.Builtin), thread, args, kwargs)
}

// kept are the methods of which the argument at a place, and those after it, are values that a
// container keeps, or that are returned: they are what they are. The others are indexes, keys,
// texts, and iterables.
var kept = map[string]int{"append": 0, "insert": 1, "setdefault": 1, "get": 1, "pop": 1}
