package value

import (
	"github.com/arignote/arignote/starlib/slot"
	"go.starlark.net/starlark"
)

// withTypes returns a sequence in which the names of types stand beside their functions: type(x)
// in (list, tuple) looks for a name.
func withTypes[S starlark.Indexable](xs S) starlark.Value {
	for i := range xs.Len() {
		if isTypeFunction(xs.Index(i)) {
			var all starlark.Tuple
			for x := range starlark.Elements(any(xs).(starlark.Iterable)) {
				if all = append(all, x); isTypeFunction(x) {
					all = append(all, starlark.String(x.(Callable).Types[0]))
				}
			}
			return all
		}
	}
	return xs
}

func isTypeFunction(x starlark.Value) bool {
	c, ok := x.(Callable)
	return ok && c.Types != nil
}

// Items is a list or tuple for what looks for a value in it: with scalars as their numbers, and
// asking where that takes long. Dicts and sets have keys that are plain already.
func Items(v starlark.Value) starlark.Value {
	switch v := v.(type) {
	case *slot.List:
		return itemsOf(v)
	case starlark.Tuple:
		return itemsOf(v)
	}
	return v
}

func itemsOf(xs starlark.Indexable) starlark.Value {
	v := withTypes(xs)
	xs = v.(starlark.Indexable)
	if xs.Len() >= heardFrom {
		return sought{Indexable: xs}
	}
	for i := range xs.Len() {
		switch xs.Index(i).(type) {
		case starlark.String, starlark.Int, starlark.Float:
		case Typed, starlark.Bool, starlark.Indexable, *slot.Dict, *Object:
			return sought{Indexable: xs}
		}
	}
	return v
}
