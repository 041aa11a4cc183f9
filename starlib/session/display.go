package session

import (
	"github.com/arignote/arignote/starlib/value"
	"github.com/arignote/arignote/starlib/visible"
	"go.starlark.net/starlark"
)

// MaxShown is how many bytes of a value's text are shown at most. print shows all.
const MaxShown = 1 << 20

// bundle returns what a front end shows for v: see Rooms.Bundle.
func (s *Session) bundle(thread *starlark.Thread, v starlark.Value) (data, metadata map[string]any, err error) {
	if v == nil {
		v = starlark.None
	}
	if s.rooms.Bundle == nil {
		return map[string]any{"text/plain": visible.Text(value.ReprShort(v, MaxShown))}, nil, nil
	}
	return s.rooms.Bundle(thread, v)
}

// Caught is the error that a thread has met; the thread may go on.
func (s *Session) Caught(thread *starlark.Thread, err error) *Error {
	return s.NewError(s.ctx, s.unfail(thread, err))
}

// TakeFailure returns the error of Fail that no statement has met yet, nil if there is none, and
// lets the thread go on.
func (s *Session) TakeFailure(thread *starlark.Thread) error {
	failure := s.failure
	if failure != nil {
		s.failure = nil
		value.Uncancel(thread)
	}
	return failure
}
