package session

import (
	"errors"
	"strings"

	"github.com/arignote/arignote/starlib/object"
	"github.com/arignote/arignote/starlib/slot"
	"github.com/arignote/arignote/starlib/value"
	"go.starlark.net/starlark"
)

// What packages above do with a cell from inside of it.

// Redirect has what the running cell shows go to another output until back is called.
func (s *Session) Redirect(out Output) (back func()) {
	outer := s.out
	s.out = out
	return func() { s.out = outer }
}

// Silence discards output until loud is called.
func (s *Session) Silence() (loud func()) { return s.Redirect(Discard{}) }

// Assign gives a global variable a value, as the cell would.
func (s *Session) Assign(name string, v starlark.Value) {
	value.Pin(v)
	s.running.env.Assign(name, v)
}

// Variables are those that cells have assigned, as they are now.
func (s *Session) Variables() *slot.Dict { return environment{s, s.env}.dict() }

// RunHere runs a cell where a line of the running one says so, and returns its last value, nil if
// it has none. file is what errors call the cell.
func (s *Session) RunHere(file, code string) (starlark.Value, error) {
	defer func(shown starlark.Value) { s.displayed = shown }(s.displayed)
	s.displayed = nil
	count := 0
	if s.cell != nil {
		count = s.cell.Count
	}
	_, _, err := s.run(s.ctx, &Cell{Name: file, Count: count, Code: code, Line: 1, asValue: true}, nil)
	if inner := (*Error)(nil); errors.As(err, &inner) {
		return nil, insideError{inner.cause}
	}
	return s.displayed, err
}

// A Screen is where a front end shows outputs.
type Screen uint8

const (
	ScreenPage Screen = iota // a page, on which a display can be replaced
	ScreenLine               // a terminal, whose last line can be overwritten
	ScreenFile               // a file or another program
)

// Screen says what the running cell is shown on. An Output that is no page has a method Screen.
func (s *Session) Screen() Screen {
	if o, ok := s.out.(interface{ Screen() Screen }); ok {
		return o.Screen()
	}
	return ScreenPage
}

// NextInput gives the front end the text of the next cell, or with replace another text for this
// one. Where there are no cells the text is printed.
func (s *Session) NextInput(text string, replace bool) {
	if o, ok := s.out.(interface{ NextInput(string, bool) }); ok {
		o.NextInput(text, replace)
		return
	}
	s.out.Stream("stdout", strings.TrimSuffix(text, "\n")+"\n")
}

// Failure is an error of a class of Python's.
func Failure(class, msg string) error { return object.NewError(object.ClassNamed(class), msg) }
