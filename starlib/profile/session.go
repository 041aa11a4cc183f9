package profile

import (
	"context"
	"fmt"
	"sync/atomic"
	"time"

	"github.com/arignote/arignote/profiler"
	"github.com/arignote/arignote/runtime/compile"
	"github.com/arignote/arignote/runtime/graph"
	"github.com/arignote/arignote/starlib/config"
	"github.com/arignote/arignote/starlib/session"
	"github.com/arignote/arignote/starlib/symbolic"
	"github.com/arignote/arignote/starlib/value"
	"go.starlark.net/starlark"
)

// started is when the program began, as reports tell it.
var started = time.Now()

// profiling is what a session knows of profiles.
type profiling struct {
	gradTime      atomic.Int64  // nanoseconds in all calls of grad()
	rewrite, link time.Duration // of all functions

	atExit []*ProfileStats // printed at the end if a flag asks for it, oldest first
	mode   *ProfileMode    // "PROFILE_MODE"; nil until it is named
	cell   *cellProfile    // what profiles the running code, innermost; nil: nothing
	kept   []keptProfile   // of cells, oldest first
	warned bool            // that a flag does nothing without a profile

	costs     []cellCost // of the session's cells, unless profiling.always is off
	lostCosts int        // cells that are not among them any more
	inUse     int64      // bytes of large arrays as the running cell began

	always   bool      // profiling.always, as the running cell began
	glancing *glancing // at the running cell; nil if it is not glanced at
	glanced  []glancedCell
	seen     int64     // cells that ran, or were kept
	short    shortCell // the last cell that was too short

	script string // that sampler samples
	full   bool   // what is printed at the end has all tables
	// The cell of the script that runs, and those that ran.
	scriptCell  scriptCell
	scriptCells []profiler.Cell

	flagged *cellProfile   // profiles what functions of the flag profile do in the running cell; nil: none was called
	sampler *value.Sampler // nil: not counted where its time goes
	watch   *cellWatch     // of sampler

	counting  *counting // nil: the session does not count
	decorated decoratedLines

	options Options
}

// A Session is a session as this package knows it.
type Session struct {
	*symbolic.Session
	profiling profiling
}

type sessionKey struct{}

// New begins to watch the functions of a session.
func New(s *session.Session, opts Options) *Session {
	p := In(s)
	p.profiling.options = opts
	p.WatchBy(watching{p})
	s.Before, s.After = p.begin, p.end
	return p
}

// In is what this package knows of a session.
func In(s *session.Session) *Session {
	return s.Local(sessionKey{}, func() any { return &Session{Session: symbolic.In(s)} }).(*Session)
}

// SessionOf is the session that a thread belongs to.
func SessionOf(thread *starlark.Thread) *Session { return In(session.Of(thread)) }

// Options says what profiles need that is the program's.
type Options struct {
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
}

// traceEvents is for how many nodes of each function the first runs are kept one by one, for a
// trace.
const traceEvents = 1 << 14

// newProfile makes a profile that obeys the flags in force.
func (s *Session) newProfile(opts profiler.Options) *ProfileStats {
	opts.Memory = opts.Memory || s.Config().Bool("profile_memory")
	opts.Split = opts.Split || s.Config().String("profiling.split") == "measured"
	opts.NoNodes = opts.NoNodes || !s.Config().Bool("profiling.time_thunks")
	opts.IgnoreFirstCall = opts.IgnoreFirstCall || s.Config().Bool("profiling.ignore_first_call")
	opts.Flags, opts.Events, opts.Usage = s.flagsInForce(), traceEvents, s.profiling.options.Usage
	opts.Globals = func() profiler.Globals {
		return profiler.Globals{Grad: time.Duration(s.profiling.gradTime.Load()), Since: time.Since(started)}
	}
	return &ProfileStats{s: s, stats: profiler.NewStats(opts)}
}

// flagsInForce are those that differ from their defaults, as they are written: name=value. That
// something is profiled is known.
func (s *Session) flagsInForce() []string {
	var flags []string
	for _, r := range s.Config().Flags() {
		if r.Value != r.Default && r.Name != "profile" {
			text := fmt.Sprint(r.Value)
			if r.Kind == config.Bool {
				text = config.Show(r.Value)
			}
			flags = append(flags, r.Name+"="+text)
		}
	}
	return flags
}

// measure adds what the flags ask for and takes a while, so that it is left until somebody looks:
// the lowest peaks of memory, and what the machine can do, which takes more than a second the first
// time on a machine: wait says whether that may be.
func (p *ProfileStats) measure(ctx context.Context, wait bool) {
	p.stats.Meter()
	known := p.stats.Machine != nil && p.stats.Machine.Roof != nil
	if s := p.s; s.profiling.options.Machine != nil && !p.read && !known && s.Config().Bool("profiling.roofline") {
		m, err := s.profiling.options.Machine(ctx, s.Threads(), wait)
		if err != nil && ctx.Err() == nil { // a profile without roofs is a profile
			s.Log().Warn("profile without roofs", "error", err)
		}
		p.stats.SetMachine(m)
	}
	p.findLowestPeak()
}

// findLowestPeak does what the flag profiling.min_peak_memory asks for.
func (p *ProfileStats) findLowestPeak() {
	if p.s.Config().Bool("profiling.min_peak_memory") {
		p.stats.LowestPeak(time.Second)
	}
}

// snapshot is what rows and views are made of.
func (p *ProfileStats) snapshot() *profiler.Stats {
	p.measure(p.s.Context(), false)
	return p.stats.Clone()
}

// Begin begins to profile f, whose profile this becomes.
func (p *ProfileStats) Begin(f *symbolic.Function) {
	f.Stats = p
	f.Watch = append(f.Watch, p.add(f.Compiled))
}

// add begins to profile f.
func (p *ProfileStats) add(f *compile.Function) *profiler.Recorder {
	p.addSources(f)
	if p.s.Config().Bool("profiling.debugprint") { // as text: a profile does not keep a graph and its constants alive
		p.graphs = append(p.graphs, "Graph of "+f.Name+"\n------------\n"+f.Graph.String()+"\n")
	}
	return p.stats.Add(profiler.FunctionInfo{
		Name: f.Name, ID: f.ID, Program: f.Program, KeepAll: f.KeepAll, Rewrites: f.Rewrites, Compile: f.Timing,
	})
}

// warnUnprofiled says, once, that a flag asks for details of profiles that nobody makes.
func (s *Session) warnUnprofiled(p *ProfileStats, asked starlark.Value) {
	if p != nil || asked == starlark.False || s.profiling.cell != nil || s.profiling.warned {
		return
	}
	for _, flag := range []string{"profile_memory", "profile_optimizer"} {
		if s.Config().Bool(flag) {
			s.profiling.warned = true
			s.Warn(flag + " is on and does nothing, since no function is profiled: set the flag profile too")
			return
		}
	}
}

// addSources gives the profile the texts of the cells and files that f was written in.
func (p *ProfileStats) addSources(f *compile.Function) {
	seen := make(map[string]bool)
	see := func(o *graph.Origin) {
		if o == nil {
			return
		}
		for _, frame := range o.Frames {
			if !seen[frame.File] {
				seen[frame.File] = true
				if text, ok := p.s.Source(frame.File).Text(); ok {
					p.stats.AddSource(frame.File, text)
				}
			}
		}
	}
	for _, n := range f.Graph.Toposort() {
		see(n.Origin())
		if o := n.Origin(); o != nil {
			for _, part := range o.Parts {
				see(part.Origin)
			}
		}
	}
}

// registerProfile makes a profile that is printed at exit, if the profile flag is on then. What a
// %%profile cell makes is shown with the cell.
func (s *Session) registerProfile(opts profiler.Options) *ProfileStats {
	p := s.newProfile(opts)
	if s.profiling.cell == nil {
		s.profiling.atExit = append(s.profiling.atExit, p)
	}
	return p
}

// profileFor reads the profile argument of function(); nil means no profile.
func (s *Session) profileFor(v starlark.Value, name string) (*ProfileStats, error) {
	switch v := v.(type) {
	case nil, starlark.NoneType:
		if !s.Config().Bool("profile") && !s.Config().Bool("print_global_stats") {
			return nil, nil
		}
		p := s.registerProfile(profiler.Options{Name: name})
		p.flagged = s.Config().Bool("profile") && s.profiling.cell == nil
		return p, nil
	case starlark.Bool:
		if !v {
			return nil, nil
		}
		return s.registerProfile(profiler.Options{Name: name}), nil
	case starlark.String:
		return s.registerProfile(profiler.Options{Name: string(v)}), nil
	case *ProfileStats:
		if v.read {
			return nil, fmt.Errorf("profile: got the profile %s, which was read from a file: make a new one with ProfileStats()",
				v.stats.Title())
		}
		return v, nil
	}
	return nil, fmt.Errorf("profile: got %s, want True, False, a name or a ProfileStats", v.Type())
}
