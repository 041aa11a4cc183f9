package profile

import (
	"github.com/arignote/arignote/profiler"
	"github.com/arignote/arignote/runtime/compile"
)

// A counting counts the work of all functions of a session, called or not.
type counting struct {
	p         *ProfileStats
	recorders map[*compile.Function]*profiler.Recorder
}

// Count begins to count what the functions that are compiled from now on do, call by call. The
// profile is to be read when the program has ended.
func (s *Session) Count() *profiler.Stats {
	// The flags of profiles leave out calls and nodes: they are not for counts.
	p := &ProfileStats{s: s, stats: profiler.NewStats(profiler.Options{Every: true, Flags: s.flagsInForce()})}
	s.profiling.counting = &counting{p: p, recorders: make(map[*compile.Function]*profiler.Recorder)}
	return s.profiling.counting.p.stats
}

// add is the recorder of f; nil if the session does not count.
func (c *counting) add(f *compile.Function) *profiler.Recorder {
	if c == nil {
		return nil
	}
	r, ok := c.recorders[f]
	if !ok {
		r = c.p.add(f)
		c.recorders[f] = r
	}
	return r
}
