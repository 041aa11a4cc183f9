package starlib

import (
	"context"
	"errors"
	"fmt"
	"path"
	"slices"
	"strings"
	"sync"

	"github.com/arignote/arignote/profiler"
	"github.com/arignote/arignote/profiler/export"
	"github.com/arignote/arignote/runtime/compile"
	"github.com/arignote/arignote/runtime/exec"
)

// A cellProfile profiles every function that a %%profile cell, or profile(), calls, also those that were compiled before.
type cellProfile struct {
	outer     *cellProfile // that goes on meanwhile
	s         *Session
	into      *ProfileStats                    // what all functions go into; nil: each has a profile of its own
	pattern   string                           // of the names of functions
	options   profiler.Options                 // of each profile
	recorders map[*Function]*profiler.Recorder // nil for what the pattern leaves out
	once      string                           // why the cell cannot run again; "" if it can
	live      *liveProfile

	mu    sync.Mutex // a live profile reads while the cell runs
	stats []*profiler.Stats
}

func newCellProfile(s *Session, outer *cellProfile, into *ProfileStats) *cellProfile {
	return &cellProfile{s: s, outer: outer, into: into, pattern: "*", recorders: make(map[*Function]*profiler.Recorder)}
}

// beginCell starts the profile of a %%profile cell.
func (s *Session) beginCell(cell *Cell, out Output) {
	if cell.Magic.Name != "profile" {
		return
	}
	c := newCellProfile(s, s.profiling.cell, nil)
	c.pattern = cell.Magic.Option("functions")
	c.options.Warmup = cell.Magic.count("warmup")
	s.profiling.cell = c
	if view := s.viewOf(cell); s.live > 0 && view.show != "none" && view.show != "text" {
		c.live = startLive(c, view, cell.title(), s.live, out)
	}
}

// viewOf is how the profile of a cell is shown.
func (s *Session) viewOf(cell *Cell) profileView {
	view := s.view()
	for _, v := range []*profiler.View{&view.text, &view.panel, &view.files} {
		if err := cell.Magic.addTo(v); err != nil {
			s.log.Error("a flag was not checked", "error", err)
		}
	}
	return view
}

// title is what the profile of the cell is called.
func (c *Cell) title() string {
	if name := c.Magic.Option("name"); name != "" {
		return name
	}
	return c.Name
}

// endCell keeps, exports and shows what the cell's functions did.
func (s *Session) endCell(ctx context.Context, cell *Cell, out Output) error {
	c := s.profiling.cell
	if c == nil || cell.Magic.Name != "profile" {
		return nil
	}
	s.profiling.cell = c.outer
	id := c.live.end()
	if len(c.stats) == 0 {
		named := ""
		if c.pattern != "*" {
			named = " whose name matches " + c.pattern
		}
		out.Stream("stderr", "%%profile: the cell called no compiled function"+named+"\n")
		return nil
	}
	for _, stats := range c.stats {
		(&ProfileStats{s: s, stats: stats}).measure(ctx)
	}
	if name := cell.Magic.Option("name"); name != "" && len(c.stats) == 1 {
		c.stats[0].Name = name // for the text too; the table of functions has the function's own
	}
	view := s.viewOf(cell)
	s.keepProfile(cell, c.stats, view.files)
	if view.show != "none" {
		out.Display(view.bundle(c.stats, cell.title()), nil, id, id != "")
	}
	for _, flag := range []string{"export", "trace"} {
		for file := range strings.SplitSeq(cell.Magic.Option(flag), ",") {
			if file == "" {
				continue
			}
			if err := export.Write(s.Path(file), c.stats, view.files); err != nil {
				return err
			}
		}
	}
	return nil
}

// joined is one profile of the functions of all.
func joined(all []*profiler.Stats, name string) *profiler.Stats {
	if len(all) == 1 {
		return all[0]
	}
	sum := profiler.Sum(all...)
	sum.Name = name
	return sum
}

// repeatCell runs the cell again, as often as the flag repeat says.
func (s *Session) repeatCell(ctx context.Context, cell *Cell, text string) error {
	if cell.Magic.Name != "profile" {
		return nil
	}
	defer func(out Output) { s.out = out }(s.out)
	s.out = discard{} // what the cell shows, it has shown
	for range cell.Magic.count("repeat") - 1 {
		if why := s.profiling.cell.once; why != "" {
			return s.newError(ctx, &staticError{"ProfileError", cell.Magic.pos(cell.Name),
				"%%profile: repeat: " + why + ", so that another run would not be the same; the cell has run once. " +
					"Put what is to be repeated into profile(lambda: ..., repeat=" + cell.Magic.Option("repeat") + ")"})
		}
		if _, _, err := cell.Magic.run()(s, ctx, cell, text); err != nil {
			return err
		}
	}
	return nil
}

// changes notes why the code that is profiled cannot run again: what it does to the thing of that name.
func (c *cellProfile) changes(does, name string) {
	for ; c != nil; c = c.outer {
		if c.once == "" {
			c.once = does + " " + name
		}
	}
}

// compiled notes what compiling a function took.
func (s *Session) compiled(f *compile.Function, verbose bool) {
	s.profiling.rewrite += f.Timing.Rewrite
	s.profiling.link += f.Timing.Link
	s.profiling.cell.changes("the cell compiles", f.Name)
	if verbose {
		s.verbosePasses(f)
	}
}

// recorderOf is the recorder of f.
func (c *cellProfile) recorderOf(f *Function) *profiler.Recorder {
	r, ok := c.recorders[f]
	if ok {
		return r
	}
	if len(f.compiled.Graph.Updates) > 0 {
		c.changes(f.Name()+" updates", inputName(f.compiled.Graph.Updates[0].Shared, 0))
	}
	if match, _ := path.Match(c.pattern, f.compiled.Name); match || c.pattern == "*" {
		p := c.into
		if p == nil {
			opts := c.options
			opts.Name = f.compiled.Name
			p = c.s.newProfile(opts)
			c.mu.Lock()
			c.stats = append(c.stats, p.stats)
			c.mu.Unlock()
		}
		r = p.add(f.compiled, f.keepAll)
		f.lastCell = r
	}
	c.recorders[f] = r
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
	all := slices.Clip(f.watch)
	for c := f.s.profiling.cell; c != nil; c = c.outer {
		if r := c.recorderOf(f); r != nil {
			all = append(all, r)
		}
	}
	return all
}

// maxKept is how many profiles of cells are kept that nobody saved.
const maxKept = 20

// A keptProfile is the profile of a cell that is over.
type keptProfile struct {
	cell  string // "In[3]", or a file and line
	name  string // that it was saved under; "" if it was not
	title string
	stats []*profiler.Stats // snapshots
	files profiler.View     // what its exports show
}

func (k *keptProfile) label() string {
	if k.name != "" {
		return k.name
	}
	return k.cell
}

// keepProfile keeps the profile of a cell, and forgets the oldest that has no name. A name that is saved again is the new one's.
func (s *Session) keepProfile(cell *Cell, all []*profiler.Stats, files profiler.View) {
	k := keptProfile{cell: cell.Name, name: cell.Magic.Option("save"), title: cell.title(), files: files}
	if !strings.HasPrefix(cell.Name, "In[") {
		k.cell = fmt.Sprintf("%s:%d", cell.Name, cell.Magic.Line)
	}
	for _, stats := range all {
		k.stats = append(k.stats, stats.Clone())
	}
	unnamed, oldest := 0, -1
	kept := s.profiling.kept[:0]
	for _, old := range s.profiling.kept {
		if k.name != "" && old.name == k.name {
			continue
		}
		kept = append(kept, old)
		if old.name == "" {
			unnamed++
			if oldest < 0 {
				oldest = len(kept) - 1
			}
		}
	}
	if k.name == "" && unnamed >= maxKept {
		kept = append(kept[:oldest], kept[oldest+1:]...)
	}
	s.profiling.kept = append(kept, k)
}

// keptProfile finds a profile by its name or its cell; of several of a cell, the last.
func (s *Session) keptProfile(name string) (*keptProfile, error) {
	if len(s.profiling.kept) == 0 {
		return nil, errors.New("no cell was profiled yet: write %%profile on the first line of one")
	}
	if name == "last" {
		return &s.profiling.kept[len(s.profiling.kept)-1], nil
	}
	for i := len(s.profiling.kept) - 1; i >= 0; i-- {
		if k := &s.profiling.kept[i]; k.name == name || k.cell == name || k.title == name {
			return k, nil
		}
	}
	return nil, fmt.Errorf("no profile is called %s%s", name, hintOf(name, s.keptNames()))
}
