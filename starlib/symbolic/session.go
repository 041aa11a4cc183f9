package symbolic

import (
	"github.com/arignote/arignote/starlib/session"
	"go.starlark.net/starlark"
)

// A Session is a session as this package knows it.
type Session struct {
	*session.Session
	watching Watcher
	modes    *starlark.Dict // theano.compile.mode.predefined_modes
	making   making
	rules    []sessionRule // of the user's, in the order of their registration
}

type sessionKey struct{}

// In is what this package knows of a session.
func In(s *session.Session) *Session {
	return s.Local(sessionKey{}, func() any { return &Session{Session: s, watching: unwatched{}, modes: fixedModes()} }).(*Session)
}

// SessionOf is the session that a thread belongs to.
func SessionOf(thread *starlark.Thread) *Session { return In(session.Of(thread)) }

// WatchBy tells w from now on what the session's symbols do.
func (s *Session) WatchBy(w Watcher) { s.watching = w }
