package symbolic

import (
	"time"
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
	Observing Observer
	making    making
	saving    func(s *Session, path, values starlark.Value) error
	Drawn     map[*graph.Variable]graph.Pos // states that the user gave, and where they were first drawn from

	Ops     *slot.Dict    // definitions of operations, by the instances of classes that they are
	Writing *graph.Origin // what the user's functions write now is of it; nil for where they stand

	remembering *remembering // nil: functions remember small inputs only

	scope      openScope                         // what nodes that are made now belong to
	shownGraph weak.Pointer[graph.FunctionGraph] // the compiled graph that the user looked at last
}

type sessionKey struct{}

// In is what this package knows of a session.
func In(s *session.Session) *Session {
	return s.Local(sessionKey{}, func() any { return &Session{Session: s, Observing: unobserved{}} }).(*Session)
}

// SessionOf is the session that a thread belongs to.
func SessionOf(thread *starlark.Thread) *Session { return In(session.Of(thread)) }

// SaveBy makes f.save(path) do what save does.
func (s *Session) SaveBy(save func(s *Session, path, values starlark.Value) error) { s.saving = save }

// Poll is how a loop asks whether the running cell is to end.
func (s *Session) Poll() *tensor.Poll { return &tensor.Poll{Stop: s.Stop()} }

// NewSymbol is a variable that was read from a file.
func (s *Session) NewSymbol(v *graph.Variable) Symbol { return Symbol{s, v} }

// An Observer is told what the variables of a session do.
type Observer interface {
	// Differentiated is told how long a call of grad() took.
	Differentiated(d time.Duration)
	// Changed is told that code does what cannot be done twice to the thing of that name.
	Changed(does, name string)
}

// unobserved is the Observer of a session that has none.
type unobserved struct{}

func (unobserved) Differentiated(time.Duration) {}
func (unobserved) Changed(does, name string)    {}
