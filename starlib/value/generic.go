package value

import (
	"slices"
	"strings"

	"go.starlark.net/starlark"
)

// A generic is a type of the language's with the types of what it holds in brackets, list[int]: for
// annotations. It checks nothing, and calling it is calling the type.
type generic struct {
	Identity
	of   Callable
	args starlark.Tuple
}

var _ starlark.Callable = (*generic)(nil)

// subscripted are the types that take brackets.
var subscripted = []string{"list", "dict", "set", "tuple", "type"}

// Get is t[k] of a type.
func (c Callable) Get(k starlark.Value) (starlark.Value, bool, error) {
	if !slices.Contains(subscripted, c.Builtin.Name) {
		return nil, false, Failure("TypeError", "'%s' object is not subscriptable: %s is called with parentheses", c.Type(), c.Builtin.Name)
	}
	args, ok := k.(starlark.Tuple)
	if !ok {
		args = starlark.Tuple{k}
	}
	return &generic{"GenericAlias", c, args}, true, nil
}

func (g *generic) Name() string { return g.of.Builtin.Name }

// String is the type with what is in its brackets.
func (g *generic) String() string {
	parts := make([]string, len(g.args))
	for i, a := range g.args {
		if b := AsBuiltin(a); b != nil {
			parts[i] = b.Name
		} else if a == Ellipsis {
			parts[i] = "..."
		} else {
			parts[i] = Repr(a)
		}
	}
	return g.Name() + "[" + strings.Join(parts, ", ") + "]"
}

// CallInternal calls the type.
func (g *generic) CallInternal(thread *starlark.Thread, args starlark.Tuple, kwargs []starlark.Tuple) (starlark.Value, error) {
	return Call(thread, g.of, args, kwargs)
}

// Attr is g.__origin__ and g.__args__.
func (g *generic) Attr(name string) (starlark.Value, error) {
	switch name {
	case "__origin__":
		return g.of, nil
	case "__args__":
		return g.args, nil
	}
	return nil, nil
}

// AttrNames are these.
func (g *generic) AttrNames() []string { return []string{"__args__", "__origin__"} }
