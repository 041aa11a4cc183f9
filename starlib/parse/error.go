package parse

import (
	"fmt"

	"go.starlark.net/syntax"
)

// An Error is why a text is not a program.
type Error struct {
	// Pos is where upstream's parser reports the same mistake: at the start of a token that begins
	// no expression, at the end of one where another token was expected.
	Pos syntax.Position
	// Start is the start of the token at fault: the place for a caret.
	Start syntax.Position
	Msg   string
	Hint  string // what to write instead, or ""
	// Incomplete says that more text could mend it: a bracket, a string or the header of a block is
	// open.
	Incomplete bool
	// Modern is the line in Python 3, if it is Python 2's; or "".
	Modern string
	// Names are those in a statement that All went past: what it may have bound.
	Names  []string
	offset int32 // of Start
}

func (e *Error) Error() string {
	if e.Hint != "" {
		return e.Msg + " (" + e.Hint + ")"
	}
	return e.Msg
}

// errorAt makes the error of the text between two places.
func errorAt(file *string, pos, start Place, format string, args ...any) *Error {
	msg := format
	if len(args) > 0 {
		msg = fmt.Sprintf(format, args...)
	}
	return &Error{Pos: position(file, pos), Start: position(file, start), Msg: msg, offset: start.Offset}
}

func position(file *string, p Place) syntax.Position { return syntax.MakePosition(file, p.Line, p.Col) }
