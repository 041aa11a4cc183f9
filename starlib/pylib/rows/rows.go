// Package rows is how the modules of package pylib and the rooms below it write their tables:
// functions with examples that begin with the import, constants, exceptions, types. It has no
// module itself.
package rows

import (
	"slices"
	"strings"
	"sync"

	"github.com/arignote/arignote/starlib/session"
	"github.com/arignote/arignote/starlib/slot"
	"github.com/arignote/arignote/starlib/value"
	"go.starlark.net/starlark"
)

// None is no arguments.
type None struct{}

// Functions are the members for a table of functions, whose examples begin with the import of their
// module.
func Functions(module string, table []value.Builtin) []value.Member {
	return value.Builtins(Importing(module, table))
}

// Importing puts the import before the examples of a table.
func Importing(module string, table []value.Builtin) []value.Builtin {
	table = slices.Clone(table)
	for i := range table {
		table[i].Example = "import " + module + "; " + table[i].Example
	}
	return table
}

// Constant is a member with its example.
func Constant(module, name string, v starlark.Value, doc string) value.Member {
	return value.Member{Name: name, Value: v, Doc: doc, Example: "import " + module + "; " + module + "." + name + " # " + value.Repr(v)}
}

// Exceptions are members for the classes that errors of a module have, whose names may begin with
// the module's.
func Exceptions(module string, names ...string) []value.Member {
	out := make([]value.Member, len(names))
	for i, name := range names {
		class := session.ExceptionClass(name)
		out[i] = Constant(module, strings.TrimPrefix(name, module+"."), class, class.(value.Documenter).Doc())
	}
	return out
}

// Elements are those of an iterable, of text its characters.
func Elements(thread *starlark.Thread, v starlark.Value) ([]starlark.Value, error) {
	it, err := value.Iterable(v)
	if err != nil {
		return nil, err
	}
	if err := value.CheckEnd(it); err != nil {
		return nil, err
	}
	return value.ElementsHeard(thread, it), nil
}

// Texts is a list of texts.
func Texts(texts []string) *slot.List {
	items := make([]starlark.Value, len(texts))
	for i, t := range texts {
		items[i] = starlark.String(t)
	}
	return slot.NewList(items)
}

// Lazily announces a type, and makes its table when it is asked for first: a program that has
// no use for the module does not wait for it.
func Lazily(typ string, rows func() []value.Builtin, fields ...value.Field) func() *value.Methods {
	value.NameTypes(typ)
	return sync.OnceValue(func() *value.Methods { return value.NewMethods(typ, rows()).With(fields...) })
}
