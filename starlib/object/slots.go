package object

import (
	"strings"
	"unicode"

	"github.com/arignote/arignote/starlib/value"
	"go.starlark.net/starlark"
)

// takeSlots reads the __slots__ of a class whose body has ended. Instances have no other attributes
// than those, and those of the bases, unless a base has no __slots__, or one of them is __dict__.
func (c *Class) takeSlots() error {
	v := c.members.get("__slots__")
	if v == nil {
		return nil
	}
	names, err := slotNames(v)
	if err != nil {
		return err
	}
	only, open := map[string]bool{}, c.keeps || c.holds != ""
	for _, name := range names {
		switch {
		case name == "__dict__":
			open = true
		case name == "__weakref__":
		case c.members.get(name) != nil:
			return valueError("'%s' in __slots__ conflicts with class variable", name)
		default:
			only[c.private(name)] = true
		}
	}
	for _, b := range c.bases {
		if b.only == nil && b != Object {
			open = true
		}
		for name := range b.only {
			only[name] = true
		}
	}
	if !open {
		c.only = only
	}
	return nil
}

// slotNames are the names that a __slots__ is: a text, or texts.
func slotNames(v starlark.Value) (names []string, err error) {
	if name, ok := v.(starlark.String); ok {
		v = starlark.Tuple{name}
	}
	xs, err := value.Iterable(v)
	if err != nil {
		return nil, err
	}
	for x := range starlark.Elements(xs) {
		name, ok := x.(starlark.String)
		if !ok {
			return nil, typeError("__slots__ items must be strings, not '%s'", typeName(x))
		}
		if !isIdentifier(string(name)) {
			return nil, typeError("__slots__ must be identifiers")
		}
		names = append(names, string(name))
	}
	return names, nil
}

func isIdentifier(name string) bool {
	for i, c := range name {
		if c != '_' && !unicode.IsLetter(c) && (i == 0 || !unicode.IsDigit(c)) {
			return false
		}
	}
	return name != ""
}

// private is the name under which methods of the class have a name: __x is _C__x.
func (c *Class) private(name string) string {
	class := strings.TrimLeft(c.short(), "_")
	if !strings.HasPrefix(name, "__") || strings.HasSuffix(name, "__") || class == "" {
		return name
	}
	return "_" + class + name
}

// takes reports whether an instance may have an attribute of its own under a name.
func (c *Class) takes(name string) bool { return c.only == nil || c.only[name] }

// refuses is the error of an attribute that an instance of a class with __slots__ may not have.
func (i *Instance) refuses(name string) error {
	if member, _ := i.class.find(name); member != nil {
		return attributeError("'%s' object attribute '%s' is read-only", i.class.short(), name)
	}
	return noAttr("'"+i.class.short()+"' object", name, i.ownNames())
}
