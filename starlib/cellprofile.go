package starlib

import (
	"slices"

	"github.com/arignote/arignote/profiler"
	"github.com/arignote/arignote/runtime/exec"
)

// A cellProfile profiles every function that a %%profile cell calls, also those that were compiled before.
type cellProfile struct {
	functions []*Function // in the order of their first calls
	recorders map[*Function]*profiler.Recorder
	profiles  []*ProfileStats
}

// beginCell starts the profile of a %%profile cell.
func (s *Session) beginCell(cell *Cell) {
	s.profiling.cell = nil
	if cell.Magic.Name == "profile" {
		s.profiling.cell = &cellProfile{recorders: make(map[*Function]*profiler.Recorder)}
	}
}

// endCell shows what the cell's functions did.
func (s *Session) endCell(cell *Cell, out Output) {
	c := s.profiling.cell
	s.profiling.cell = nil
	if c == nil || s.config.String("profiling.html") == "none" {
		return
	}
	if len(c.functions) == 0 {
		out.Stream("stderr", "%%profile: the cell called no compiled function\n")
		return
	}
	all := make([]*profiler.Stats, len(c.profiles))
	for i, p := range c.profiles {
		all[i] = p.stats
	}
	title := cell.Magic.Option("name")
	if title == "" {
		title = cell.Name
	}
	out.Display(bundleProfiles(all, s, title), nil, "", false)
}

// recorderOf is the recorder of f in the running cell.
func (s *Session) recorderOf(f *Function) *profiler.Recorder {
	c := s.profiling.cell
	if c == nil {
		return nil
	}
	r, ok := c.recorders[f]
	if !ok {
		p := s.newProfile(f.compiled.Name)
		r = p.add(f.compiled, f.keepAll)
		c.functions, c.recorders[f] = append(c.functions, f), r
		c.profiles = append(c.profiles, p)
		f.lastCell = r
	}
	return r
}

// tee is the tracer of a function that is profiled twice: for itself and for its cell.
type tee struct{ a, b exec.Tracer }

func (t tee) Now() int64 { return t.a.Now() }
func (t tee) Run(trace *exec.Trace, err error) {
	t.a.Run(trace, err)
	t.b.Run(trace, err)
}

// tracer combines the recorders of a call.
func tracer(recorders []*profiler.Recorder) exec.Tracer {
	var all exec.Tracer
	for _, r := range recorders {
		switch t := r.Tracer(); {
		case t == nil:
		case all == nil:
			all = t
		default:
			all = tee{all, t}
		}
	}
	return all
}

// recorders are those that watch a call of f; most calls have none.
func (f *Function) recorders() []*profiler.Recorder {
	if cell := f.s.recorderOf(f); cell != nil {
		return append(slices.Clip(f.watch), cell)
	}
	return f.watch
}
