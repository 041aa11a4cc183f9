package profile

import (
	"fmt"
	"io"
	"path"
	"strings"
	"time"

	"github.com/arignote/arignote/profiler"
	"github.com/arignote/arignote/profiler/text"
	"github.com/arignote/arignote/starlib/value"
)

// Sample begins to find where the time of a script goes, which PrintProfiles writes before all
// else: arignote run --profile. The report is about 25 lines, unless full asks for all tables.
func (s *Session) Sample(name string, full bool) {
	s.profiling.full = full
	s.profiling.script, s.profiling.sampler = name, value.Sample(s.Session.Session, s.Current)
	s.profiling.watch = s.watchCell(s.profiling.sampler)
}

// A scriptCell is a cell of a script that is sampled.
type scriptCell struct {
	began time.Time
	spots map[value.Spot]time.Duration // that were charged before it
}

// beginScriptCell notes that a cell of the script begins.
func (s *Session) beginScriptCell() {
	p := &s.profiling
	p.sampler.Cut("rest", "")
	p.scriptCell = scriptCell{time.Now(), p.sampler.Spots()}
}

// endScriptCell notes where the time of a cell of the script went.
func (s *Session) endScriptCell(line int) {
	p := &s.profiling
	p.sampler.Cut("", "")
	spent := p.sampler.Spots()
	for spot, d := range p.scriptCell.spots {
		if spent[spot] -= d; spent[spot] <= 0 {
			delete(spent, spot)
		}
	}
	c := profiler.Cell{Name: p.script, Line: line, Wall: time.Since(p.scriptCell.began)}
	c.Spots = spotsOf(spent, nil)
	p.scriptCells = append(p.scriptCells, c)
}

// endScript is where the time of the script went; nil if nobody asked.
func (s *Session) endScript() *profiler.Cell {
	p := &s.profiling
	if p.sampler == nil {
		return nil
	}
	defer func() { p.sampler = nil }()
	c := p.watch.end(p.script, p.sampler)
	if len(p.scriptCells) > 1 {
		c.Cells = p.scriptCells
	}
	var all []*profiler.Stats
	for _, f := range p.atExit {
		all = append(all, f.stats)
	}
	c.Measure(all)
	return c
}

// PrintProfiles writes what flags ask for when a program ends, as Theano does: with profile the
// profiles, one a function, and their sum; with print_global_stats the times of all functions; and
// the summary of the mode PROFILE_MODE, if functions compiled with it ran. A file is opened once
// for all.
func (s *Session) PrintProfiles(stdout, stderr io.Writer) (err error) {
	spent := s.endScript()
	profiles := s.Config().Bool("profile") && len(s.profiling.atExit) > 0
	global := s.Config().Bool("print_global_stats")
	mode := s.profiling.mode.ran()
	if !profiles && !global && !mode && spent == nil {
		return nil
	}
	var w io.Writer
	switch dest := s.Config().String("profiling.destination"); dest {
	case "stderr":
		w = stderr
	case "stdout":
		w = stdout
	default:
		f, cerr := s.Files().Create(dest)
		if cerr != nil {
			return fmt.Errorf("profiling.destination: %w", cerr)
		}
		defer func() {
			if cerr := f.Close(); err == nil {
				err = cerr
			}
		}()
		w = f
	}
	brief := spent != nil && !s.profiling.full && s.layout(text.Aesara) == text.Arignote && !s.Config().Bool("profile_memory") && !s.Config().Bool("profile_optimizer")
	switch {
	case brief:
		if err := s.printBriefly(w, spent); err != nil {
			return err
		}
	case spent != nil:
		stats := s.newProfile(profiler.Options{Name: spent.Name}).stats
		stats.SetCell(spent)
		s.addCellSources(stats, spent)
		opts := s.textOptions(text.Aesara)
		opts.Layout = text.Arignote
		if err := text.Write(w, stats, opts); err != nil {
			return err
		}
	}
	if profiles {
		all := make([]*profiler.Stats, len(s.profiling.atExit))
		for i, p := range s.profiling.atExit {
			if p.s.layout(text.Aesara) == text.Arignote { // the others show no roof
				p.measure(s.Context(), true)
			}
			p.findLowestPeak()
			all[i] = p.stats
		}
		opts := s.textOptions(text.Aesara)
		opts.AtExit = true
		if brief {
			all = nil
		}
		if err := text.WriteAll(w, all, opts); err != nil {
			return err
		}
		for _, p := range s.profiling.atExit {
			if _, err := io.WriteString(w, p.debugprint()); err != nil {
				return err
			}
		}
	}
	if mode {
		if err := s.profiling.mode.writeAtExit(w); err != nil {
			return err
		}
	}
	if global {
		return s.printGlobal(w)
	}
	return nil
}

// printBriefly writes about 25 lines of the script and all its functions together.
func (s *Session) printBriefly(w io.Writer, spent *profiler.Cell) error {
	script := s.newProfile(profiler.Options{Name: spent.Name})
	script.stats.SetCell(spent)
	s.addCellSources(script.stats, spent)
	all := []*profiler.Stats{script.stats}
	for _, p := range s.profiling.atExit {
		p.measure(s.Context(), true)
		all = append(all, p.stats)
	}
	opts := s.textOptions(text.Aesara)
	opts.Brief, opts.Whole, opts.Title = true, "--full; other layouts: --flags profiling.layout=aesara", path.Base(spent.Name)
	return text.WriteAll(w, all, opts)
}

// printGlobal writes the times of all functions, in the words of Theano.
func (s *Session) printGlobal(w io.Writer) error {
	var called float64
	for _, p := range s.profiling.atExit {
		t := p.stats.Clone().Total()
		called += t.CallTime
	}
	line := strings.Repeat("=", 50)
	_, err := fmt.Fprintf(w,
		"%s\nGlobal stats: Time elapsed since Arignote import = %6.3fs, Time spent in Arignote functions = %6.3fs, "+
			"Time spent compiling Arignote functions: optimization = %6.3fs, linker = %6.3fs\n%s\n", line, time.Since(started).Seconds(),
		called/1e9, s.profiling.rewrite.Seconds(), s.profiling.link.Seconds(), line)
	return err
}
