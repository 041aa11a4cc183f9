package value

import (
	"go.starlark.net/starlark"
)

// An Instance is a value of a class of the user's: it has the methods of all interfaces, and tells which mean something.
type Instance interface {
	starlark.Container // which is asked for "x in the instance" before its __getitem__ would be
	// Class is what type(x) returns.
	Class() starlark.Value
	// CanCall says whether it can be called.
	CanCall() bool
}

// ClassOf is a class, for isinstance.
type ClassOf interface {
	Documenter
	HasInstance(x starlark.Value) bool
}

// A Nexter is an iterator of its own: next(x) asks it. ok is false at the end.
type Nexter interface {
	starlark.Value
	NextValue() (v starlark.Value, ok bool, err error)
}

// callable reports whether a value can be called.
func callable(v starlark.Value) bool {
	if i, ok := v.(Instance); ok {
		return i.CanCall()
	}
	_, ok := v.(starlark.Callable)
	return ok
}

// dunders are the attributes that every value, or every function, has.
var dunders = map[string]func(x starlark.Value) (starlark.Value, bool){
	"__name__": func(x starlark.Value) (starlark.Value, bool) {
		c, ok := x.(starlark.Callable)
		if !ok {
			return nil, false
		}
		return starlark.String(c.Name()), true
	},
	"__doc__": func(x starlark.Value) (starlark.Value, bool) {
		switch x := x.(type) {
		case *starlark.Function:
			if x.Doc() != "" {
				return starlark.String(x.Doc()), true
			}
			return starlark.None, true
		case Callable:
			return starlark.String(x.Doc), true
		}
		return nil, false
	},
}

// dunder returns such an attribute.
func dunder(x starlark.Value, name string) (starlark.Value, bool) {
	f := dunders[name]
	if f == nil {
		return nil, false
	}
	return f(x)
}
