package symbolic

import (
	"maps"
	"slices"

	"go.starlark.net/starlark"
)

// ownAttrs are attributes that a program gives to a variable or a compiled function, as
// x._keras_shape = (None, 3). They live as long as it does, and stand behind its own.
type ownAttrs map[string]starlark.Value

// set assigns to an attribute.
func (o *ownAttrs) set(name string, v starlark.Value) {
	if *o == nil {
		*o = make(ownAttrs)
	}
	(*o)[name] = v
}

// after is attr's answer, which is asked first, or the program's own attribute.
func (o ownAttrs) after(name string, attr func(name string) (starlark.Value, error)) (starlark.Value, error) {
	v, err := attr(name)
	if err != nil || v == nil {
		if mine, ok := o[name]; ok {
			return mine, nil
		}
	}
	return v, err
}

// names are those of the attributes, behind others.
func (o ownAttrs) names(others []string) []string {
	if len(o) == 0 {
		return others
	}
	return slices.Concat(others, slices.Sorted(maps.Keys(o)))
}

// own are the attributes that the program gave to x.
func (x Symbol) own() ownAttrs {
	if t, ok := x.V.Tag().(*Tag); ok {
		return t.own
	}
	return nil
}
