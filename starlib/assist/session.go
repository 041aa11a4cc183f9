package assist

import (
	"github.com/arignote/arignote/starlib/session"
	"github.com/arignote/arignote/starlib/vm"
	"go.starlark.net/starlark"
)

// A Session is a session as this package knows it.
type Session struct {
	*session.Session
	contents Contents
	seen     *vm.Globals // known while a cell runs; nil: those of the session
}

type sessionKey struct{}

// New begins to assist the users of a session.
func New(s *session.Session, contents Contents) *Session {
	a := In(s)
	a.contents = contents
	return a
}

// In is what this package knows of a session.
func In(s *session.Session) *Session {
	return s.Local(sessionKey{}, func() any { return &Session{Session: s} }).(*Session)
}

// Globals are the variables that are known.
func (s *Session) Globals() *vm.Globals {
	if s.seen != nil {
		return s.seen
	}
	return s.Session.Globals()
}

// meanwhile knows the values that do not change while a cell runs. names are those from before
// the cell.
func (s *Session) meanwhile() (known *Session, names []string) {
	names, values := s.Seen()
	return &Session{Session: s.Session, contents: s.contents, seen: values}, names
}

// SessionOf is the session that a thread belongs to.
func SessionOf(thread *starlark.Thread) *Session { return In(session.Of(thread)) }
