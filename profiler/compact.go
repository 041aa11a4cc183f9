package profiler

import (
	"slices"

	"github.com/arignote/arignote/runtime/history"
)

// Compact returns a snapshot for those who keep many profiles, as notebooks do: without the times
// of single runs, and without the rules that were tried and did not apply, whose time is part of
// their pass. These are most of what a profile weighs as JSON.
func (s *Stats) Compact() *Stats {
	c := s.Clone()
	c.Cell = c.Cell.compact()
	for _, f := range c.Functions {
		f.Trace = nil
		passes := slices.Clone(f.Rewrites) // shared with s
		for i := range passes {
			var fired []history.Rule
			for _, r := range passes[i].Rules {
				if r.Fired > 0 {
					fired = append(fired, r)
				}
			}
			passes[i].Rules = fired
		}
		f.Rewrites = passes
	}
	return c
}
