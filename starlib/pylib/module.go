package pylib

import (
	"github.com/arignote/arignote/starlib/pylib/lib"
	"github.com/arignote/arignote/starlib/pylib/rows"
	"github.com/arignote/arignote/starlib/session"
	"github.com/arignote/arignote/starlib/value"
	"go.starlark.net/starlark"
)

// Extended is a module of a session with what a file of the library adds to it.
func Extended(s *session.Session, m *value.Module) *value.Module {
	more := lib.More[m.Name()]
	m = m.Copy()
	for _, name := range more.Names {
		m.Part(name, func() (starlark.Value, error) {
			from, err := s.Import(more.File)
			if err != nil {
				return nil, err
			}
			return value.Attr(from, name)
		})
	}
	return m
}

// module is a module of functions, whose examples begin with its import.
func module(name, doc string, table []value.Builtin, members ...value.Member) *value.Module {
	return value.NewModule(name, doc, append(rows.Functions(name, table), members...)...)
}

// class is what the values of the modules have in common. They are mutable, compared by identity,
// and true.
type class = value.Identity

// method is the row of a method of *T, with its arguments in an A.
func method[T starlark.Value, A any](name, doc, example string, fn func(thread *starlark.Thread, x T, a *A) (starlark.Value, error)) value.Builtin {
	return value.MethodOf(name, doc, example, fn)
}

type none = rows.None

// What the tables of this package write often.
var (
	importing  = rows.Importing
	constant   = rows.Constant
	exceptions = rows.Exceptions
	elements   = rows.Elements
	list       = rows.Texts
)

func failure(kind, format string, args ...any) error { return value.Failure(kind, format, args...) }
