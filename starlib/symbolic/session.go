package symbolic

import (
	"weak"

	"github.com/arignote/arignote/runtime/graph"
	"github.com/arignote/arignote/runtime/tensor"
	"github.com/arignote/arignote/starlib/session"
	"github.com/arignote/arignote/starlib/slot"
	"go.starlark.net/starlark"
)

// A Session is a session as this package knows it.
type Session struct {
	*session.Session
	Watching Watcher
	modes    *slot.Dict // theano.compile.mode.predefined_modes
	making   making
	rules    []sessionRule // of the user's, in the order of their registration
	saving   func(s *Session, path, values starlark.Value) error
	Drawn    map[*graph.Variable]graph.Pos // states that the user gave, and where they were first drawn from

	Ops     *slot.Dict    // definitions of operations, by the instances of classes that they are
	Writing *graph.Origin // what the user's functions write now is of it; nil for where they stand

	shownGraph weak.Pointer[graph.FunctionGraph] // the compiled graph that the user looked at last
}

type sessionKey struct{}

// In is what this package knows of a session.
func In(s *session.Session) *Session {
	return s.Local(sessionKey{}, func() any { return &Session{Session: s, Watching: unwatched{}, modes: fixedModes()} }).(*Session)
}

// SessionOf is the session that a thread belongs to.
func SessionOf(thread *starlark.Thread) *Session { return In(session.Of(thread)) }

// SaveBy makes f.save(path) do what save does.
func (s *Session) SaveBy(save func(s *Session, path, values starlark.Value) error) { s.saving = save }

// Poll is how a loop asks whether the running cell is to end.
func (s *Session) Poll() *tensor.Poll { return &tensor.Poll{Stop: s.Stop()} }

// NewSymbol is a variable that was read from a file.
func (s *Session) NewSymbol(v *graph.Variable) Symbol { return Symbol{s, v} }

// WatchBy tells w from now on what the session's symbols do.
func (s *Session) WatchBy(w Watcher) { s.Watching = w }
