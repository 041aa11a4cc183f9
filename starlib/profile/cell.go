package profile

import (
	"cmp"
	"context"
	"fmt"
	"path"
	"slices"
	"strconv"
	"strings"
	"sync"
	"time"

	"github.com/arignote/arignote/profiler"
	"github.com/arignote/arignote/profiler/export"
	"github.com/arignote/arignote/profiler/units"
	"github.com/arignote/arignote/runtime/compile"
	"github.com/arignote/arignote/runtime/graph"
	"github.com/arignote/arignote/starlib/session"
	"github.com/arignote/arignote/starlib/symbolic"
	"github.com/arignote/arignote/starlib/value"
	"go.starlark.net/starlark"
)

// A cellProfile profiles every function that a %%profile cell, or profile(), calls, also those that
// were compiled before.
type cellProfile struct {
	outer     *cellProfile // that goes on meanwhile
	s         *Session
	into      *ProfileStats                             // that of all functions; nil: each has its own
	pattern   string                                    // of the names of functions
	options   profiler.Options                          // of each profile
	recorders map[*symbolic.Function]*profiler.Recorder // nil for what the pattern leaves out
	once      string                                    // why the cell cannot run again; "" if it can
	spent     *profiler.Cell                            // where its time went; nil if unknown
	live      *liveProfile

	mu    sync.Mutex // a live profile reads while the cell runs
	stats []*profiler.Stats
}

func newCellProfile(s *Session, outer *cellProfile, into *ProfileStats) *cellProfile {
	return &cellProfile{s: s, outer: outer, into: into, pattern: "*", recorders: make(map[*symbolic.Function]*profiler.Recorder)}
}

// runProfiled runs a %%profile cell, and keeps, exports and shows what its functions did.
func runProfiled(in *session.Session, ctx context.Context, cell *session.Cell, text string) (data, metadata map[string]any, err error) {
	s := In(in)
	err = s.profiled(ctx, cell, func() (err error) {
		if data, metadata, err = s.RunCode(ctx, cell, text); err == nil {
			err = s.repeatCell(ctx, cell, text)
		}
		return err
	})
	return data, metadata, err
}

// profiled runs a cell or a part of it as the flags of its magic say; it keeps, exports and shows
// the profiles of its functions.
func (s *Session) profiled(ctx context.Context, cell *session.Cell, run func() error) (err error) {
	p, outer := &s.profiling, s.profiling.cell
	defer func() { p.cell = outer }()
	c := s.beginCell(cell)
	p.cell = c
	count := s.countsLines(cell)
	var memory *memoryRun
	if s.Config().Bool("profile_memory") {
		memory = s.bookMemory()
	}
	sampler, began := value.Sample(s.Session.Session, s.Current), time.Now()
	watch := s.watchCell(sampler)
	if _, asked := triedFor(cell.Magic.Option("what_if")); asked {
		defer s.RememberAll()()
	}
	err = run()
	if script := value.SamplerOf(s.Session.Session); sampler == nil && script != nil {
		script.Cut("", "")
		defer script.Cut("rest", "") // what is shown is no time of the cell's lines
	}
	name := nameOf(cell, cell.Magic.Line)
	if c.spent = (&profiler.Cell{Name: name, Wall: time.Since(began)}); sampler != nil {
		c.spent = watch.end(name, sampler)
	}
	c.spent.Hits, c.spent.Memory = count(), memory.end()
	cell.Ended(err)
	p.cell = outer
	s.Guard("profile", func() {
		if perr := s.endCell(ctx, cell, c); perr != nil && err == nil {
			err = s.NewError(ctx, session.ErrorAt("ProfileError", cell.Magic.Pos(cell.Name), "%%profile: "+perr.Error()))
		}
	})
	return err
}

// countsLines counts how often lines run, if the cell asks for it, until what it returns is called.
func (s *Session) countsLines(cell *session.Cell) (end func() []profiler.LineHits) {
	if asked, _ := strconv.ParseBool(cell.Magic.Option("hits")); !asked {
		return func() []profiler.LineHits { return nil }
	}
	stop := s.WatchLines()
	s.Cell().AtEnd(func() { stop() }) // also if it panics
	return func() []profiler.LineHits {
		list := []profiler.LineHits{}
		for _, h := range stop() {
			if h.Hits > 0 && !session.Hidden(h.Function) {
				list = append(list, profiler.LineHits{File: h.File, Line: h.Line, Hits: h.Hits})
			}
		}
		return list
	}
}

// beginCell makes the profile of a %%profile cell.
func (s *Session) beginCell(cell *session.Cell) *cellProfile {
	c := newCellProfile(s, s.profiling.cell, nil)
	c.pattern = cell.Magic.Option("functions")
	c.options.Warmup = countOf(cell.Magic, "warmup")
	if view := s.viewOf(cell.Magic); s.profiling.options.Live > 0 && view.show != "none" && view.show != "text" {
		c.live = startLive(c, view, titleOf(cell), s.profiling.options.Live, s.Output())
	}
	return c
}

// viewOf is how a profile is shown by the flags of a magic.
func (s *Session) viewOf(m session.Magic) profileView {
	view := s.view()
	for _, v := range []*profiler.View{&view.text, &view.panel, &view.files} {
		if err := addTo(v, m); err != nil {
			s.Log().Error("a flag was not checked", "error", err)
		}
	}
	if full, _ := strconv.ParseBool(m.Option("full")); full || asksForRows(m) {
		view.text.Brief = false
	}
	return view
}

// asksForRows reports whether a flag of the cell says which rows or columns it wants.
func asksForRows(m session.Magic) bool {
	return slices.ContainsFunc(profiler.ViewFlags, func(f profiler.ViewFlag) bool {
		value, ok := m.Options[f.Name]
		return ok && value != f.Default
	})
}

// titleOf is the title of the cell's profile.
func titleOf(c *session.Cell) string {
	if name := c.Magic.Option("name"); name != "" {
		return name
	}
	return c.Name
}

// noFunction says that no compiled function was called, where the profile does not show it by what
// it has instead.
func noFunction(cell *session.Cell, c *cellProfile) string {
	magic := "%" + cell.Magic.Name
	if cell.Magic.Name == "profile" {
		magic = "%%profile"
	}
	switch {
	case c.pattern != "*":
		return magic + ": the cell called no compiled function whose name matches " + c.pattern
	case c.spent.Known():
		return ""
	}
	none := magic + ": the cell called no compiled function"
	if c.spent != nil {
		none += ", and in " + strings.ReplaceAll(units.Human(units.Times, float64(c.spent.Wall)), units.NBSP, " ") + " no sample was taken: %timeit repeats what is short"
	}
	return none
}

// endCell keeps, exports and shows what the cell's functions did.
func (s *Session) endCell(ctx context.Context, cell *session.Cell, c *cellProfile) error {
	out := s.Output()
	id := c.live.end()
	if len(c.stats) == 0 {
		if none := noFunction(cell, c); none != "" {
			s.Print("stderr", none+"\n")
		}
		if !c.spent.Known() && cell.Magic.Option("export")+cell.Magic.Option("trace") == "" {
			return nil
		}
		c.stats = append(c.stats, s.newProfile(profiler.Options{Name: titleOf(cell)}).stats)
	}
	if c.spent != nil {
		c.spent.Measure(c.stats)
		c.stats[0].SetCell(c.spent)
		for _, stats := range c.stats {
			stats.CalledBy(c.spent)
		}
		s.addCellSources(c.stats[0], c.spent)
	}
	for _, stats := range c.stats {
		(&ProfileStats{s: s, stats: stats}).measure(ctx, false)
	}
	if name := cell.Magic.Option("name"); name != "" && len(c.stats) == 1 {
		c.stats[0].Name = name // for the text too; the table of functions has the function's own
	}
	if c.spent != nil {
		c.spent.Before = s.before(cell, c.stats)
	}
	view := s.viewOf(cell.Magic)
	s.keepProfile(cell, c.stats, view.files)
	if view.show != "none" {
		out.Display(view.bundle(c.stats, titleOf(cell)), nil, id, id != "")
	}
	for _, flag := range []string{"export", "trace"} {
		for file := range strings.SplitSeq(cell.Magic.Option(flag), ",") {
			if file == "" {
				continue
			}
			if err := export.Write(s.Files(), s.Path(file), c.stats, view.files); err != nil {
				return err
			}
		}
	}
	if budget, asked := triedFor(cell.Magic.Option("what_if")); asked && cell.Err == nil {
		s.tryAdvice(ctx, c, budget)
	}
	return nil
}

// shortest is from how long on it is said where a cell's time went: of what is shorter the sampler
// has seen too little.
const shortest = 20 * time.Millisecond

// cellOf ends a sampler, and says where the cell's time went, and the processors' if that was
// measured; of a short one, only how long it was.
func cellOf(name string, sampler *value.Sampler, cpu map[value.Spot]time.Duration) *profiler.Cell {
	sampler.Cut("rest", "")
	wall, spots := sampler.End()
	c := &profiler.Cell{Name: name, Wall: wall}
	if wall < shortest {
		return c
	}
	c.Spots = spotsOf(spots, cpu)
	return c
}

// spotsOf are the spots of a sampler, the dearest first.
func spotsOf(spots, cpu map[value.Spot]time.Duration) (list []profiler.Spot) {
	for s, d := range spots {
		list = append(list, profiler.Spot{Kind: kindOf(s), Name: s.Name, File: s.File, Line: s.Line, Func: s.Func, Time: d, CPU: cpu[s], Outer: framesOf(s.Outer)})
	}
	slices.SortFunc(list, func(a, b profiler.Spot) int {
		return cmp.Or(cmp.Compare(b.Time, a.Time), cmp.Compare(a.File, b.File), a.Line-b.Line, cmp.Compare(a.Name, b.Name),
			slices.CompareFunc(a.Outer, b.Outer, func(a, b graph.Frame) int { return cmp.Or(cmp.Compare(a.File, b.File), a.Line-b.Line) }))
	})
	return list
}

// kindOf tells by the name of a function what its time is spent in.
func kindOf(s value.Spot) profiler.Kind {
	module, name, _ := strings.Cut(s.Name, ".")
	switch {
	case s.Kind == "compiled":
		return profiler.CompiledFunctions
	case s.Kind == value.NumpySpot:
		return profiler.Numpy
	case s.Kind == "rest":
		return profiler.Rest
	case s.Name == "":
		return profiler.Starlark
	case slices.Contains(compiling, s.Name) || slices.Contains(compiling, name):
		return profiler.Compiling
	case slices.Contains(numpyTypes, module):
		return profiler.Numpy
	}
	return profiler.OtherFunctions
}

// numpyTypes are np, and the types of values whose methods are its.
var numpyTypes = []string{"np", "ndarray", "numpy", "RandomState", "Generator"}

// compiling are the functions that build and compile graphs for long.
var compiling = []string{"function", "grad", "scan", "jacobian", "hessian", "Rop", "Lop"}

// addCellSources gives the profile the text of the cell, whose lines have prices.
func (s *Session) addCellSources(stats *profiler.Stats, c *profiler.Cell) {
	if c.Memory != nil {
		for _, l := range c.Memory.Lines {
			if text, ok := s.Source(l.File).Text(); ok && l.Line > 0 {
				stats.AddSource(l.File, text)
			}
		}
	}
	for _, h := range c.Hits {
		if text, ok := s.Source(h.File).Text(); ok {
			stats.AddSource(h.File, text)
		}
	}
	for _, spot := range c.Spots {
		for _, f := range append(slices.Clip(spot.Outer), spot.Frame()) {
			if text, ok := s.Source(f.File).Text(); ok && f.Line > 0 {
				stats.AddSource(f.File, text)
			}
		}
	}
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
func (s *Session) repeatCell(ctx context.Context, cell *session.Cell, text string) error {
	defer s.Silence()() // what the cell shows, it has shown
	for range countOf(cell.Magic, "repeat") - 1 {
		if why := s.profiling.cell.once; why != "" {
			return s.NewError(ctx, session.ErrorAt("ProfileError", cell.Magic.Pos(cell.Name),
				"%%profile: repeat: "+why+", so that another run would not be the same; the cell has run once. "+
					"Put what is to be repeated into profile(lambda: ..., repeat="+cell.Magic.Option("repeat")+")"))
		}
		if _, _, err := s.RunCode(ctx, cell, text); err != nil {
			return err
		}
	}
	return nil
}

// changes notes why the code that is profiled cannot run again: what it does to the thing of that
// name.
func (c *cellProfile) changes(does, name string) {
	for ; c != nil; c = c.outer {
		if c.once == "" {
			c.once = does + " " + name
		}
	}
}

// watching is what package symbolic tells of a session's functions.
type watching struct{ s *Session }

var _ symbolic.Watcher = watching{}

func (w watching) Mode(name string, mode compile.Mode) symbolic.WatchedMode {
	if m := w.s.namedProfileMode(name, mode); m != nil {
		return m
	}
	return nil
}

func (w watching) Asked(profile starlark.Value, name string, watched bool) (symbolic.Watch, error) {
	p, err := w.s.profileFor(profile, name)
	if err != nil {
		return nil, err
	}
	if !watched {
		w.s.warnUnprofiled(p, profile)
	}
	if p == nil {
		return nil, nil
	}
	return p, nil
}

// Compiled notes what compiling a function took.
func (w watching) Compiled(f *compile.Function) {
	p := &w.s.profiling
	p.rewrite += f.Timing.Rewrite
	p.link += f.Timing.Link
	p.cell.changes("the cell compiles", f.Name)
	p.counting.add(f)
}

func (w watching) Differentiated(d time.Duration) { w.s.profiling.gradTime.Add(int64(d)) }
func (w watching) Changed(does, name string)      { w.s.profiling.cell.changes(does, name) }

// recorderOf is the recorder of f.
func (c *cellProfile) recorderOf(f *symbolic.Function) *profiler.Recorder {
	r, ok := c.recorders[f]
	if ok {
		return r
	}
	if len(f.Compiled.Graph.Updates) > 0 {
		c.changes(f.Name()+" updates", symbolic.InputName(f.Compiled.Graph.Updates[0].Shared, 0))
	}
	if match, _ := path.Match(c.pattern, f.Compiled.Name); match || c.pattern == "*" {
		p := c.into
		if p == nil {
			opts := c.options
			opts.Name = f.Compiled.Name
			p = c.s.newProfile(opts)
			c.mu.Lock()
			c.stats = append(c.stats, p.stats)
			c.mu.Unlock()
		}
		r = p.add(f.Compiled)
		f.LastCell = r
	}
	c.recorders[f] = r
	return r
}

func (w watching) Counts(f *symbolic.Function) *profiler.Calls { return w.s.profiling.countedCalls(f) }

func (w watching) Recorders(f *symbolic.Function) []*profiler.Recorder {
	all := slices.Clip(f.Watch)
	if r := w.s.ofFlag(f); r != nil {
		all = append(all, r)
	}
	if r := w.s.profiling.counting.add(f.Compiled); r != nil {
		all = append(all, r)
	}
	for c := w.s.profiling.cell; c != nil; c = c.outer {
		if r := c.recorderOf(f); r != nil {
			all = append(all, r)
		}
	}
	return all
}

// maxKept bounds the profiles of cells that are kept without a name.
const maxKept = 20

// A keptProfile is the profile of a cell that is over.
type keptProfile struct {
	cell  string // "In[3]", or a file and line
	code  string // of the cell
	name  string // that it was saved under; "" if it was not
	title string
	stats []*profiler.Stats // snapshots
	files profiler.View     // what its exports show

	repeat int   // how often the cell ran
	failed bool  // it ended with an error
	seen   int64 // profiling.seen then
}

func (k *keptProfile) label() string {
	if k.name != "" {
		return k.name
	}
	return k.cell
}

// nameOf is the name of a cell: of a file's, the file and line.
func nameOf(cell *session.Cell, line int) string {
	if strings.HasPrefix(cell.Name, "In[") {
		return cell.Name
	}
	return fmt.Sprintf("%s:%d", cell.Name, line)
}

// keepProfile keeps the profile of a cell, and forgets the oldest that has no name. A name that is
// saved again is the new one's.
func (s *Session) keepProfile(cell *session.Cell, all []*profiler.Stats, files profiler.View) {
	k := keptProfile{cell: nameOf(cell, cell.Magic.Line), code: cell.Code, name: cell.Magic.Option("save"), title: titleOf(cell), files: files,
		repeat: countOf(cell.Magic, "repeat"), failed: cell.Err != nil}
	s.profiling.seen++
	k.seen = s.profiling.seen
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
	if g := s.profiling.glancing; g != nil {
		g.kept = true
	}
}

// keptProfile finds a profile by its name or its cell, of several of a cell the last; or the last
// of all, or that of the slowest cell. One that was asked for goes before one that was glanced at.
func (s *Session) keptProfile(name string) (*keptProfile, error) {
	p := &s.profiling
	if len(p.kept)+len(p.glanced) == 0 {
		return nil, p.none()
	}
	if name == "last" {
		return s.newest(), nil
	}
	for i := len(p.kept) - 1; i >= 0; i-- {
		if k := &p.kept[i]; k.name == name || k.cell == name || k.title == name {
			return k, nil
		}
	}
	for i := len(p.glanced) - 1; i >= 0; i-- {
		if g := &p.glanced[i]; g.cell.Name == name {
			return s.keptOf(g), nil
		}
	}
	if k := s.slowest(); name == "slow" && k != nil { // a user may have saved one under that name
		return k, nil
	}
	return nil, fmt.Errorf("no profile is called %s%s", name, hintOf(name, s.keptNames()))
}
