package profile

import (
	"time"

	"github.com/arignote/arignote/profiler"
	"github.com/arignote/arignote/runtime/memory"
	"github.com/arignote/arignote/starlib/session"
	"github.com/arignote/arignote/starlib/symbolic"
)

// begin is called before each cell: a script whose time is sampled wants that of each of its cells.
func (s *Session) begin(*session.Cell) {
	s.profiling.inUse, _ = memory.InUse()
	s.beginGlancing()
	if s.profiling.sampler != nil {
		s.beginScriptCell()
	}
}

// end is called after each cell. What functions did that flags ask to profile is shown with the
// cell, as %%profile shows it.
func (s *Session) end(cell *session.Cell, out session.Output) {
	p := &s.profiling
	s.endGlancing(cell)
	if s.Config().Bool("profiling.always") {
		s.addCost(cell)
	}
	if p.sampler != nil {
		s.endScriptCell(cell.Line)
	}
	c := p.flagged
	if p.flagged = nil; c == nil {
		return
	}
	wall := time.Since(cell.Started)
	for _, stats := range c.stats {
		(&ProfileStats{s: s, stats: stats}).measure(s.Context(), false)
	}
	if len(c.stats) > 0 {
		c.stats[0].SetCell(&profiler.Cell{Name: cell.Name, Wall: wall})
		view := s.view()
		s.keepProfile(cell, c.stats, view.files)
		if view.show != "none" {
			out.Display(view.bundle(c.stats, titleOf(cell)), nil, "", false)
		}
	}
}

// ofFlag is the recorder of a function that a flag asks to profile, for the profile that is shown
// with the cell of a notebook; nil of others, and where there are no cells to look at.
func (s *Session) ofFlag(f *symbolic.Function) *profiler.Recorder {
	if s.profiling.options.Live <= 0 || s.profiling.cell != nil {
		return nil
	}
	p, ok := f.Stats.(*ProfileStats)
	if !ok || !p.flagged {
		return nil
	}
	if s.profiling.flagged == nil {
		s.profiling.flagged = newCellProfile(s, nil, nil)
	}
	return s.profiling.flagged.recorderOf(f)
}
