package pylib

import (
	"slices"

	"github.com/arignote/arignote/starlib/session"
	"github.com/arignote/arignote/starlib/slot"
	"github.com/arignote/arignote/starlib/value"
	"go.starlark.net/starlark"
)

// Modules are the modules of a session by the names under which they are imported: os.path is an
// attribute of os.
func Modules(s *session.Session) starlark.StringDict {
	return s.Local(modulesKey{}, func() any {
		out := starlark.StringDict{"sys": sysModule(s), "logging": loggingModule(s), "six": sixModule(s), "os": osModule(s)}
		for _, m := range []*value.Module{timeitModule, warningsModule, gzipModule, pickleModule, collectionsModule, itertoolsModule, functoolsModule,
			copyModule, randomModule, argparseModule, csvModule} {
			out[m.Name()] = m
		}
		out["cPickle"] = pickleModule
		return out
	}).(starlark.StringDict)
}

type modulesKey struct{}

// Types are the tables of the values that the modules make.
var Types = []*value.Methods{FileMethods, streamMethods, environMethods, counterMethods, defaultDictMethods, dequeMethods, namedTupleMethods,
	partialMethods, randomMethods,
	parserMethods, groupMethods, namespaceMethods, loggerMethods, handlerMethods, formatterMethods, csvReaderMethods, csvWriterMethods, csvDictMethods, csvDictWriterMethods, catcherMethods}

// module is a module of functions, whose examples begin with its import.
func module(name, doc string, table []value.Builtin, members ...value.Member) *value.Module {
	return value.NewModule(name, doc, append(value.Builtins(importing(name, table)), members...)...)
}

// importing puts the import before the examples of a table.
func importing(name string, table []value.Builtin) []value.Builtin {
	table = slices.Clone(table)
	for i := range table {
		table[i].Example = "import " + name + "; " + table[i].Example
	}
	return table
}

// constant is a member with its example.
func constant(module, name string, v starlark.Value, doc string) value.Member {
	return value.Member{Name: name, Value: v, Doc: doc, Example: "import " + module + "; " + module + "." + name + " # " + value.Repr(v)}
}

// exceptions are members for the classes that errors of a module have.
func exceptions(module string, names ...string) []value.Member {
	out := make([]value.Member, len(names))
	for i, name := range names {
		class := session.ExceptionClass(name)
		out[i] = constant(module, name, class, class.(value.Documenter).Doc())
	}
	return out
}

// class is what the values of the modules have in common. They are mutable, compared by identity,
// and true.
type class = value.Identity

// method is the row of a method of *T, with its arguments in an A.
func method[T starlark.Value, A any](name, doc, example string, fn func(thread *starlark.Thread, x T, a *A) (starlark.Value, error)) value.Builtin {
	return value.MethodOf(name, doc, example, fn)
}

type none struct{}

// elements are those of an iterable, of text its characters.
func elements(thread *starlark.Thread, v starlark.Value) ([]starlark.Value, error) {
	it, err := value.Iterable(v)
	if err != nil {
		return nil, err
	}
	if err := value.CheckEnd(it); err != nil {
		return nil, err
	}
	return value.ElementsHeard(thread, it), nil
}

// list is a list of texts.
func list(texts []string) *slot.List {
	items := make([]starlark.Value, len(texts))
	for i, t := range texts {
		items[i] = starlark.String(t)
	}
	return slot.NewList(items)
}

func failure(kind, format string, args ...any) error { return value.Failure(kind, format, args...) }
