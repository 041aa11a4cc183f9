package slot

import "go.starlark.net/starlark"

// FromStarlark is a list, dict or set of Starlark's, as its builtins return them, as one of this
// package with the same elements; other values are themselves.
func FromStarlark(v starlark.Value) (starlark.Value, error) {
	switch v := v.(type) {
	case *starlark.List:
		return listFrom(v), nil
	case *starlark.Dict:
		return dictFrom(v)
	case *starlark.Set:
		return setFrom(v)
	}
	return v, nil
}

// listFrom is a list as a List, also one of Starlark's, as its builtins return; nil of others.
func listFrom(v starlark.Value) *List {
	switch v := v.(type) {
	case *List:
		return v
	case *starlark.List:
		l := new(List)
		if l.Extend(v) == nil {
			return l
		}
	}
	return nil
}

// dictFrom is a dict as a Dict, also one of Starlark's; nil of others.
func dictFrom(v starlark.Value) (*Dict, error) {
	switch v := v.(type) {
	case *Dict:
		return v, nil
	case *starlark.Dict:
		d := NewDict(v.Len())
		return d, d.UpdateFrom(v)
	}
	return nil, nil
}

// setFrom is a set as a Set, also one of Starlark's; nil of others.
func setFrom(v starlark.Value) (*Set, error) {
	switch v := v.(type) {
	case *Set:
		return v, nil
	case *starlark.Set:
		return setOf(v.Iterate())
	}
	return nil, nil
}
