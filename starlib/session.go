package starlib

import (
	"context"
	"log/slog"
	"time"

	"github.com/arignote/arignote/profiler"
	"github.com/arignote/arignote/starlib/config"
	"github.com/arignote/arignote/starlib/session"
	"go.starlark.net/starlark"
)

// What front ends need of package session.
type (
	Cell       = session.Cell
	Error      = session.Error
	Mark       = session.Mark
	Output     = session.Output
	ScriptCell = session.ScriptCell
	Terminal   = session.Terminal
)

// The marks of Error.Painted.
const (
	MarkFailure = session.MarkFailure
	MarkPlace   = session.MarkPlace
)

// SplitScript splits a file into its cells: see session.SplitScript.
func SplitScript(text string) []ScriptCell { return session.SplitScript(text) }

// Options configures a session.
type Options struct {
	Config      *config.Config      // nil: the built-in values
	Predeclared starlark.StringDict // names besides the standard ones; they win over those
	Dir         string              // where load() of a cell looks; "" is the working directory
	Log         *slog.Logger        // nil: nothing is logged
	Threads     int                 // of kernels, where config.threads is 0; 0: one for each core
	// Bound is told what the flags threads and memory_limit allow the kernels and the memory, at first and whenever they change. It is
	// a function of the program, since both are the process's and not a session's; nil: the flags bound nothing.
	Bound func(threads int, memory int64)
	// Live is for how long a profiled cell runs before its profile is shown while it runs, and is shown anew four times in that time;
	// 0: not before it ends. Displays then come from another goroutine than the cell's.
	Live time.Duration
	// Machine measures what the machine can do with so many threads, at first, for the roofs of profiles; nil: they have none.
	Machine func(ctx context.Context, threads int) (*profiler.Machine, error)
}

// A Session is a session.Session with all that the other rooms know to do with it.
type Session struct {
	*session.Session
	contents Contents
}

type sessionKey struct{}

// of is the session that a room knows as s.
func of(s *session.Session) *Session {
	return s.Local(sessionKey{}, func() any { return &Session{Session: s} }).(*Session)
}

// SessionOf returns the session a thread belongs to.
func SessionOf(thread *starlark.Thread) *Session { return of(session.Of(thread)) }
