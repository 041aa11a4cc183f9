package display

import (
	"fmt"

	"github.com/arignote/arignote/starlib/value"
	"go.starlark.net/starlark"
)

// class is what the values of the package have in common: they are compared by identity, and true.
type class struct{ typ string }

func (c class) Type() string          { return c.typ }
func (c class) Freeze()               {}
func (c class) Truth() starlark.Bool  { return true }
func (c class) Hash() (uint32, error) { return 0, fmt.Errorf("unhashable type: %s", c.typ) }
func (c class) String() string        { return "<" + c.typ + ">" }

func method[T starlark.Value, A any](name, doc, example string, fn func(thread *starlark.Thread, x T, a *A) (starlark.Value, error)) value.Builtin {
	return value.MethodOf(name, doc, example, fn)
}

// A kindError is an error with the name of one of Python's.
type kindError struct{ kind, msg string }

func (e *kindError) Error() string     { return e.msg }
func (e *kindError) ErrorName() string { return e.kind }

func failure(kind, format string, args ...any) error {
	return &kindError{kind, fmt.Sprintf(format, args...)}
}

// orNone is v, None for nil.
func orNone(v starlark.Value) starlark.Value {
	if v == nil {
		return starlark.None
	}
	return v
}
