package profile

import (
	"errors"
	"fmt"
	"slices"
	"time"

	"github.com/arignote/arignote/profiler"
	"github.com/arignote/arignote/profiler/units"
	"github.com/arignote/arignote/starlib/session"
	"github.com/arignote/arignote/starlib/symbolic"
	"github.com/arignote/arignote/starlib/value"
	"go.starlark.net/starlark"
)

// Cells without %%profile are glanced at (value.Glance), and the calls of the functions
// that they call are counted (profiler.Calls), so that %profile last can show afterwards where
// their time went.

// maxGlanced is how many cells are kept, beside the slowest: each has some hundred spots at most.
const maxGlanced = 20

// minGlances is from how many glances on something is said of a cell.
const minGlances = 4

// maxCalled bounds the functions of a cell whose calls are told: others are among its spots.
const maxCalled = 200

// A glancing is what is noted while a cell runs.
type glancing struct {
	number  int64
	sampler *value.Sampler
	called  []*symbolic.Function
	kept    bool // it was asked for a profile meanwhile
}

// A glancedCell is a cell that is over. It has no function, whose memory it would keep.
type glancedCell struct {
	cell      profiler.Cell
	functions []*profiler.Function
	seen      int64
}

// A shortCell is one that was too short to be glanced at.
type shortCell struct {
	name string
	wall time.Duration
	seen int64
}

// beginGlancing begins to glance at a cell, unless a flag says no, or the whole script is sampled.
func (s *Session) beginGlancing() {
	p := &s.profiling
	p.always, p.glancing = s.Config().Bool("profiling.always"), nil
	if p.seen++; p.always && p.sampler == nil {
		p.glancing = &glancing{number: p.seen, sampler: value.Glance(s.Session.Session, s.Current)}
	}
}

// countedCalls are the calls of f so far, which the coming one adds to; nil: it is not counted.
func (p *profiling) countedCalls(f *symbolic.Function) *profiler.Calls {
	g := p.glancing
	switch {
	case g == nil && !p.always:
		return nil
	case g == nil || f.Calls != nil && f.Calls.Cell == g.number:
		return f.Calls
	case f.Calls == nil:
		f.Calls = profiler.NewCalls()
	}
	f.Calls.Enter(g.number)
	if len(g.called) < maxCalled {
		g.called = append(g.called, f)
	}
	return f.Calls
}

// endGlancing notes where the time of the cell went, if that is known and it has no %%profile.
func (s *Session) endGlancing(cell *session.Cell) {
	p := &s.profiling
	g := p.glancing
	if p.glancing = nil; g == nil {
		return
	}
	wall, spots, count := g.sampler.EndGlances()
	if g.kept || len(codeLines(cell.Code)) == 0 {
		return
	}
	p.seen++
	if wall < shortest || count < minGlances {
		p.short = shortCell{nameOf(cell, cell.Line), wall, p.seen}
		return
	}
	c := glancedCell{seen: p.seen, cell: profiler.Cell{Name: nameOf(cell, cell.Line), Wall: wall, Spots: spotsOf(spots, nil), Glances: count}}
	if cell.Err != nil {
		c.cell.Failed = errorNameOf(cell.Err)
	}
	for _, f := range g.called {
		c.functions = append(c.functions, f.Calls.OfCell(f.Compiled.Name, f.Compiled.ID))
	}
	c.cell.Measure([]*profiler.Stats{{Functions: c.functions}})
	p.keepGlanced(c)
}

// errorNameOf is the class of the error that ended a cell.
func errorNameOf(err error) string {
	var e *session.Error
	if errors.As(err, &e) {
		return e.Name()
	}
	return "error"
}

// keepGlanced keeps a cell, and forgets the oldest but the slowest.
func (p *profiling) keepGlanced(c glancedCell) {
	p.glanced = append(p.glanced, c)
	if len(p.glanced) <= maxGlanced+1 {
		return
	}
	oldest := 0
	if slices.IndexFunc(p.glanced[1:], func(g glancedCell) bool { return g.cell.Wall > p.glanced[0].cell.Wall }) < 0 {
		oldest = 1
	}
	p.glanced = slices.Delete(p.glanced, oldest, oldest+1)
}

// keptOf is a cell that was glanced at as a profile that is kept.
func (s *Session) keptOf(g *glancedCell) *keptProfile {
	cell := g.cell
	stats := s.newProfile(profiler.Options{Name: cell.Name, NoNodes: true}).stats
	stats.Functions, stats.Counted = g.functions, true
	stats.SetCell(&cell)
	s.addCellSources(stats, &cell)
	return &keptProfile{cell: cell.Name, title: cell.Name, stats: []*profiler.Stats{stats}, files: s.exportView(), repeat: 1, failed: cell.Failed != "", seen: g.seen}
}

// newest is the profile of the cell that ended last, but for those that were too short to have one.
func (s *Session) newest() *keptProfile {
	p := &s.profiling
	var k *keptProfile
	if n := len(p.kept); n > 0 {
		k = &p.kept[n-1]
	}
	if n := len(p.glanced); n > 0 && (k == nil || p.glanced[n-1].seen > k.seen) {
		k = s.keptOf(&p.glanced[n-1])
	}
	if p.short.seen > k.seen {
		s.Print("stderr", fmt.Sprintf("%s took %s, which is too short to glance at: this is %s. %%%%profile on the first line of a cell profiles any.\n",
			p.short.name, units.Plain(units.Human(units.Times, float64(p.short.wall))), k.cell))
	}
	return k
}

// slowest is the profile of the cell that took longest; nil if there is none.
func (s *Session) slowest() *keptProfile {
	p := &s.profiling
	var k *keptProfile
	var wall time.Duration
	for i := range p.kept {
		if c := p.kept[i].stats[0].Cell; c != nil && c.Wall > wall {
			k, wall = &p.kept[i], c.Wall
		}
	}
	for i := range p.glanced {
		if c := &p.glanced[i].cell; c.Wall > wall {
			k, wall = s.keptOf(&p.glanced[i]), c.Wall
		}
	}
	return k
}

// none says why there is no profile.
func (p *profiling) none() error {
	if p.short.name != "" {
		return errors.New("no cell was profiled yet, and none took long enough to be glanced at, some 40 ms: write %%profile on the first line of one")
	}
	return errors.New("no cell was profiled yet: write %%profile on the first line of one")
}

// Counted is f.profile of a function that was compiled without a profile.
func (w watching) Counted(f *symbolic.Function) starlark.Value {
	p, ok := f.Counted.(*ProfileStats)
	if !ok {
		p = w.s.newProfile(profiler.Options{Name: f.Compiled.Name, NoNodes: true})
		p.add(f.Compiled)
		p.stats.Count(f.Calls)
		f.Counted = p
	}
	return p
}
