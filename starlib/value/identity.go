package value

import (
	"fmt"

	"go.starlark.net/starlark"
)

// Identity is the name of a type, embedded in values that are mutable, true and compared by
// identity.
type Identity string

func (t Identity) Type() string          { return string(t) }
func (t Identity) Freeze()               {}
func (t Identity) Truth() starlark.Bool  { return true }
func (t Identity) Hash() (uint32, error) { return 0, fmt.Errorf("unhashable type: %s", string(t)) }
func (t Identity) String() string        { return "<" + string(t) + ">" }

// A KindError is an error with the name of one of Python's.
type KindError struct{ Kind, Msg string }

func (e *KindError) Error() string     { return e.Msg }
func (e *KindError) ErrorName() string { return e.Kind }

// Failure is a KindError.
func Failure(kind, format string, args ...any) error {
	return &KindError{kind, fmt.Sprintf(format, args...)}
}
