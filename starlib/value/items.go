package value

import (
	"github.com/arignote/arignote/starlib/slot"
	"go.starlark.net/starlark"
)

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
	return xs
}
