package symbolic

import (
	"fmt"

	"github.com/arignote/arignote/starlib/slot"
	"go.starlark.net/starlark"
)

// Arguments that may be left out, and what stands for nothing.

// Absent reports whether an argument was not given.
func Absent(v starlark.Value) bool { return v == nil || v == starlark.None }

// OptionalString reads a string, "" where there is none; what is the name in its error.
func OptionalString(what string, v starlark.Value) (string, error) {
	if v == nil || v == starlark.None {
		return "", nil
	}
	text, ok := starlark.AsString(v)
	if !ok {
		return "", fmt.Errorf("%s: got %s, want string", what, v.Type())
	}
	return text, nil
}

// orNone is x, or None for nil.
func orNone(x starlark.Value) starlark.Value {
	if x == nil {
		return starlark.None
	}
	return x
}

// NameOrNone is a name, or None for none.
func NameOrNone(name string) starlark.Value {
	if name == "" {
		return starlark.None
	}
	return starlark.String(name)
}

// Pairs reads a dict, or a list of pairs.
func Pairs(v starlark.Value) ([]starlark.Tuple, error) {
	switch v := v.(type) {
	case nil, starlark.NoneType:
		return nil, nil
	case *slot.Dict:
		return v.Items(), nil
	case starlark.Indexable:
		var list []starlark.Tuple
		for i := range v.Len() {
			pair, ok := v.Index(i).(starlark.Indexable)
			if !ok || pair.Len() != 2 {
				return nil, fmt.Errorf("item %d: got %s, want a pair", i, v.Index(i).Type())
			}
			list = append(list, starlark.Tuple{pair.Index(0), pair.Index(1)})
		}
		return list, nil
	}
	return nil, fmt.Errorf("got %s, want a list of pairs or a dict", v.Type())
}
