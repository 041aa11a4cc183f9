package starlib

import (
	"context"
	"io"
	"log/slog"
	"time"

	"github.com/arignote/arignote/profiler"
	"github.com/arignote/arignote/starlib/assist"
	"github.com/arignote/arignote/starlib/config"
	"github.com/arignote/arignote/starlib/display"
	"github.com/arignote/arignote/starlib/fleet"
	"github.com/arignote/arignote/starlib/profile"
	"github.com/arignote/arignote/starlib/pylib/lib"
	"github.com/arignote/arignote/starlib/saving"
	"github.com/arignote/arignote/starlib/session"
	"github.com/arignote/arignote/starlib/symbolic"
	"go.starlark.net/starlark"
)

// What front ends need of package session.
type (
	Cell     = session.Cell
	Error    = session.Error
	Mark     = session.Mark
	Match    = assist.Match
	Output   = session.Output
	Terminal = session.Terminal
)

// The marks of Error.Painted.
const (
	MarkFailure = session.MarkFailure
	MarkPlace   = session.MarkPlace
)

// Options configures a session.
type Options struct {
	Config      *config.Config      // nil: the built-in values
	Predeclared starlark.StringDict // names besides the standard ones; they win over those
	Dir         string              // where load() of a cell looks; "" is the working directory
	Log         *slog.Logger        // nil: nothing is logged
	Threads     int                 // of kernels, where config.threads is 0; 0: one for each core
	// Bound is told what the flags threads and memory_limit allow the kernels and the memory, at
	// first and whenever they change. It is a function of the program, since both are the process's
	// and not a session's; nil: the flags bound nothing.
	Bound func(threads int, memory int64)
	// Live is for how long a profiled cell runs before its profile is shown while it runs, and is
	// shown anew four times in that time; 0: not before it ends. Displays then come from another
	// goroutine than the cell's.
	Live time.Duration
	// Machine says what the machine can do with so many threads, for the roofs of profiles. It may
	// measure that if it may wait; else the machine has no roof where that is not known yet. nil:
	// no profile has one.
	Machine func(ctx context.Context, threads int, wait bool) (*profiler.Machine, error)
	// Usage reads what the processors have done, for the wall and CPU time of profiles; nil: they
	// have none.
	Usage func() profiler.Usage
	// Process is asked for the processors' time of cells, and for the counters and threads of their
	// traces, which have none of what it does not say.
	Process profiler.Process
	// Worker is the command that starts a worker for Cluster(), without its flags; nil: Cluster()
	// starts none.
	Worker []string
}

// A Session is a session.Session with all that the other rooms do for it, and what they tell front
// ends of it.
type Session struct {
	*session.Session
	assist   *assist.Session
	profiles *profile.Session
}

// NewSession returns a session in which only the predeclared names exist.
func NewSession(opts Options) *Session {
	s := &Session{}
	s.Session = session.New(session.Options{Config: opts.Config, Predeclared: opts.Predeclared, Dir: opts.Dir, Log: opts.Log,
		Threads: opts.Threads, Bound: opts.Bound}, session.Rooms{
		Names: names, Modules: modules, Library: lib.Files,
		Read: func(in *session.Session, cell *session.Cell) (session.Plan, error) {
			if name, detail, ok := assist.Question(cell.Code); ok {
				return session.Plan{Instead: func() error { s.assist.Page(name, detail); return nil }}, nil
			}
			return s.assist.Magics().Read(in, cell)
		},
		Bundle:  display.Bundle,
		Explain: func(_ *session.Session, e *session.Error) string { return s.assist.Explain(e) },
	})
	symbolic.In(s.Session).SaveBy(saving.Function)
	fleet.StartWorkersBy(s.Session, opts.Worker)
	s.profiles = profile.New(s.Session, profile.Options{Live: opts.Live, Machine: opts.Machine, Usage: opts.Usage, Process: opts.Process})
	s.assist = assist.New(s.Session, contents())
	return s
}

// SessionOf returns the session a thread belongs to.
func SessionOf(thread *starlark.Thread) *session.Session { return session.Of(thread) }

// Complete returns what may stand in place of code points start to end of code: see
// assist.Session.Complete.
func (s *Session) Complete(code string, cursor int) (start, end int, matches []Match) {
	return s.assist.Complete(code, cursor)
}

// Inspect returns documentation for what is at the cursor: see assist.Session.Inspect.
func (s *Session) Inspect(code string, cursor, detail int) map[string]any {
	return s.assist.Inspect(code, cursor, detail)
}

// IsComplete says whether a front end that has no cells should run code now: see
// assist.Session.IsComplete.
func (s *Session) IsComplete(code string) (status, indent string) { return s.assist.IsComplete(code) }

// Sample begins to find where the time of a script goes: see profile.Session.Sample.
func (s *Session) Sample(name string, full bool) { s.profiles.Sample(name, full) }

// Count begins to count the work of all compiled functions: see profile.Session.Count.
func (s *Session) Count() *profiler.Stats { return s.profiles.Count() }

// PrintProfiles writes what flags ask for when a program ends: see profile.Session.PrintProfiles.
func (s *Session) PrintProfiles(stdout, stderr io.Writer) error {
	return s.profiles.PrintProfiles(stdout, stderr)
}
