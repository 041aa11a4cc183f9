package value

import (
	"fmt"
	"strings"

	"github.com/arignote/arignote/starlib/slot"
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

// MemberOfBase returns a method of the class that stands for a Base, theano.Op.__init__. Package
// object sets it when the program starts.
var MemberOfBase = func(b *Builtin, name string) (starlark.Value, bool) { return nil, false }

// MemberOfType returns a member of the class that stands for a type function as a base of classes,
// dict.__getitem__. Package object sets it when the program starts.
var MemberOfType = func(typ, name string) (starlark.Value, bool) { return nil, false }

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

// A Nexter is an iterator of its own: next(x) asks it. ok is false at the end.
type Nexter interface {
	starlark.Value
	NextValue() (v starlark.Value, ok bool, err error)
}

// A Stopper may say by what error next fails at its end.
type Stopper interface{ Stopped() error }

// callable reports whether a value can be called.
func callable(v starlark.Value) bool {
	if i, ok := v.(Instance); ok {
		return i.CanCall()
	}
	_, ok := v.(starlark.Callable)
	return ok
}

// pythonName is the name of a function, of which Python writes that of a lambda otherwise.
func pythonName(name string) string {
	if name == "lambda" {
		return "<lambda>"
	}
	return name
}

// dunders are the attributes that every value, or every function, has.
var dunders = map[string]func(x starlark.Value) (starlark.Value, bool){
	"__call__": func(x starlark.Value) (starlark.Value, bool) {
		_, ok := x.(starlark.Callable)
		return x, ok
	},
	"__name__": func(x starlark.Value) (starlark.Value, bool) {
		switch x := x.(type) {
		case starlark.Callable:
			name := x.Name()
			return starlark.String(pythonName(name[strings.LastIndexByte(name, '.')+1:])), true
		case starlark.String: // what type returns
			if name, ok := typeNames[string(x)]; ok {
				return starlark.String(name), true
			}
		}
		return nil, false
	},
	"__qualname__": func(x starlark.Value) (starlark.Value, bool) {
		if fn, ok := x.(Def); ok {
			parts := strings.Split(fn.Name(), ".")
			for i, part := range parts {
				parts[i] = pythonName(part)
			}
			return starlark.String(strings.Join(parts, ".")), true
		}
		return nil, false
	},
	"__wrapped__": func(starlark.Value) (starlark.Value, bool) { return nil, false }, // what functools.wraps has given a function
	"__dict__": func(x starlark.Value) (starlark.Value, bool) {
		fn, ok := x.(Def)
		if !ok {
			return nil, false
		}
		d := slot.NewDict(0)
		attrs := fn.Attrs()
		attrs.mu.Lock()
		defer attrs.mu.Unlock()
		for _, name := range attrs.values.Keys() {
			if !renamed[name] {
				d.SetKey(starlark.String(name), attrs.values[name])
			}
		}
		return d, true
	},
	"__doc__": func(x starlark.Value) (starlark.Value, bool) {
		switch x := x.(type) {
		case Def:
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
