package assist

import (
	"github.com/arignote/arignote/starlib/session"
	"go.starlark.net/starlark"
)

// A Session is a session as this package knows it.
type Session struct {
	*session.Session
	contents Contents
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

// SessionOf is the session that a thread belongs to.
func SessionOf(thread *starlark.Thread) *Session { return In(session.Of(thread)) }
