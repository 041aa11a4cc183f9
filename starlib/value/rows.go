package value

import "go.starlark.net/starlark"

// How rows of functions and methods are written. Parameters are "name=default: documentation".

type builtinFunc = func(*starlark.Thread, *Builtin, starlark.Tuple, []starlark.Tuple) (starlark.Value, error)

// row is the row of a function.
func row(name, doc, example string, fn builtinFunc, params ...string) Builtin {
	b := Builtin{Name: name, Doc: doc, Example: example, Fn: fn}
	for _, p := range params {
		b.Params = append(b.Params, ParseParam(p))
	}
	return b
}

// theirs is the row of a method that the type has of itself.
func theirs(name, doc, example string, params ...string) Builtin {
	return row(name, doc, example, nil, params...)
}

// Parameters that several methods have.
const (
	startParam = "start=None: where to begin"
	endParam   = "end=None: where to end"
	cutset     = "cutset=None: the characters to take away; white space if None"
	sepParam   = "sep=None: text between parts; white space if None"
	maxParam   = "maxsplit=-1: how often at most; -1 is always"
)

// ours is the row of a method that is given its arguments bound to parameters.
func ours(name, doc, example string, fn func(*Builtin, []starlark.Value) (starlark.Value, error), params ...string) Builtin {
	return asking(name, doc, example, func(_ *starlark.Thread, b *Builtin, v []starlark.Value) (starlark.Value, error) { return fn(b, v) },
		params...)
}

// asking is ours for what asks whether the cell is to end.
func asking(name, doc, example string, fn func(*starlark.Thread, *Builtin, []starlark.Value) (starlark.Value, error), params ...string) Builtin {
	return row(name, doc, example,
		func(thread *starlark.Thread, b *Builtin, args starlark.Tuple, kwargs []starlark.Tuple) (starlark.Value, error) {
			v, err := b.Bind(args, kwargs)
			if err != nil {
				return nil, err
			}
			return fn(thread, b, v)
		}, params...)
}
