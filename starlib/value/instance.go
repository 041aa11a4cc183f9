package value

import (
	"fmt"

	"go.starlark.net/starlark"
)

// An Instance is a value of a class of the user's: it has the methods of all interfaces, and tells
// which mean something.
type Instance interface {
	starlark.Container // which is asked for "x in the instance" before its __getitem__ would be
	// Class is what type(x) returns.
	Class() starlark.Value
	// Held is the dict or list that an instance of a class which derives from these holds, nil of
	// others.
	Held() starlark.Value
	// Special calls one of the class's special methods; nil if it has none.
	Special(name string, args ...starlark.Value) (starlark.Value, error)
	// HasMethod says whether the class has a special method.
	HasMethod(name string) bool
	// CanCall says whether it can be called.
	CanCall() bool
}

// Held returns the dict or list that an instance holds, and other values as they are.
func Held(x starlark.Value) starlark.Value {
	if i, ok := x.(Instance); ok && i.Held() != nil {
		return i.Held()
	}
	return x
}

// A Base is what classes of the user's may derive from that is not written in their language. Its
// methods are those that a class has which does not write them itself.
type Base struct{ Methods []BaseMethod }

// A BaseMethod is a method of a Base. Docs of users are those of the function that has the Base.
type BaseMethod struct {
	Name string
	Fn   func(thread *starlark.Thread, self Instance, args starlark.Tuple, kwargs []starlark.Tuple) (starlark.Value, error)
}

// Deriving is an instance that may be of a class which derives from a Base.
type Deriving interface {
	Instance
	DerivesFrom(b *Base) bool
}

// special calls a special method of x; nil if x is no instance, or its class has no such method.
func special(x starlark.Value, name string, args ...starlark.Value) (starlark.Value, error) {
	if i, ok := x.(Instance); ok {
		return i.Special(name, args...)
	}
	return nil, nil
}

// AsReal is the number that an instance is to functions of numbers, by its __float__ or __index__;
// nil of anything else.
func AsReal(x starlark.Value) (starlark.Value, error) {
	return converted("float", starlark.Tuple{x}, "__float__", "__index__")
}

// Index returns the integer that __index__ gives where x is an instance whose class has it, 1 or 0
// for a bool, and x if it is anything else.
func Index(x starlark.Value) (starlark.Value, error) {
	if b, ok := x.(starlark.Bool); ok {
		return wholeOf(b), nil
	}
	v, err := special(x, "__index__")
	switch {
	case err != nil:
		return nil, err
	case v == nil:
		return x, nil
	}
	if _, ok := v.(starlark.Int); !ok {
		return nil, fmt.Errorf("__index__: got %s, want an int: what __index__ of %s returns", v.Type(), x.Type())
	}
	return v, nil
}

// ClassOf is a class, for isinstance.
type ClassOf interface {
	Documenter
	HasInstance(x starlark.Value) bool
}

// callable reports whether a value can be called.
func callable(v starlark.Value) bool {
	if i, ok := v.(Instance); ok {
		return i.CanCall()
	}
	_, ok := v.(starlark.Callable)
	return ok
}

// converted is what the first of the special methods that an instance has makes of it; nil if there
// is none.
func converted(typ string, args starlark.Tuple, methods ...string) (starlark.Value, error) {
	if len(args) == 0 {
		return nil, nil
	}
	for _, name := range methods {
		v, err := special(args[0], name)
		if err != nil {
			return nil, err
		}
		if v == nil {
			continue
		}
		if is := v.Type(); is != typ && name != "__index__" {
			return nil, fmt.Errorf("%s returned non-%s (type %s): got %s, want %s", name, typ, is, is, typ)
		}
		return v, nil
	}
	return nil, nil
}

// TypeOf is the class of an instance, and the function or the name of the type of anything else.
func TypeOf(x starlark.Value) starlark.Value {
	if i, ok := x.(Instance); ok {
		return i.Class()
	}
	if c, ok := x.(Classed); ok {
		return c.Class()
	}
	typ := x.Type()
	if c, ok := x.(Callable); ok && (c.Types != nil || c.isTypeItself()) {
		typ = "type"
	}
	if t := namedTypes[typ]; t != nil {
		return t
	}
	return NamedType(typ)
}

// A Classed value has a class of its own, which type(x) and x.__class__ return: a value with
// __name__.
type Classed interface {
	starlark.Value
	Class() starlark.Value
}
