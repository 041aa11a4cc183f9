package profiler

import (
	"cmp"
	"fmt"
	"path"
	"slices"
	"strconv"
	"strings"

	"github.com/arignote/arignote/profiler/units"
)

// worthALook is the part of the time from which on First speaks of something.
const worthALook = 0.2

// First says what to look at first, the dearest first: where the time went, and what was measured of why. At most three sentences.
func (s *Stats) First() []string {
	type finding struct {
		share float64
		text  string
	}
	var all []finding
	note := func(share float64, format string, args ...any) {
		if share >= worthALook {
			all = append(all, finding{share, fmt.Sprintf(format, args...)})
		}
	}
	functions := 1.0 // the part of the wall time that compiled functions have
	if c := s.Cell; c.Sampled() {
		functions = 0
		for _, p := range c.Parts() {
			share, took := c.Share(p.Time), units.Share(c.Share(p.Time))+" of the wall time"
			switch p.Kind {
			case CompiledFunctions:
				functions = share
			case Compiling:
				note(share, "compiling takes %s: once for each function(), however often it is called; optimizer=fast_compile takes less", took)
			case Starlark:
				note(share, "Starlark itself takes %s%s: loops over numbers belong into np or into a compiled function", took, c.mostly(p))
			case Numpy, OtherFunctions:
				note(share, "%s takes %s%s", cmp.Or(p.Dearest, string(p.Kind)), took, c.mostly(p))
			}
		}
	}
	t := s.Total()
	nodes := t.ThunkTime()
	if lines := s.Lines(false); len(lines) > 0 && lines[0].Line > 0 && nodes > 0 {
		l := lines[0]
		about := ""
		if len(l.Nodes) > 0 {
			n := l.Nodes[0]
			about = ", its dearest node is " + units.Short(units.OneLine(n.Op), 60)
			if b, ok := s.Bound(n); ok && b.Limit != "overhead" {
				about += fmt.Sprintf(" at %.0f%s%% of the roof (%s)", units.Percent(b.Fraction), units.NBSP, b.Limit)
			} else if ok {
				about += ", which has so little to do that its overhead is what it takes"
			}
		}
		note(functions*l.Fraction*units.Ratio(nodes, t.CallTime), "%s takes %s of the time of the nodes%s: %s", placeOf(l.File, l.Line), units.Share(l.Fraction), about,
			units.Short(units.OneLine(strings.TrimSpace(l.Source)), 80))
	}
	if around := 1 - units.Ratio(nodes, t.CallTime); t.Calls > 1 && nodes > 0 {
		note(functions*around, "calls take longer than what they compute: arguments, results and the loop over the nodes are %s of them; more in one call is cheaper",
			units.Share(around))
	}
	for _, share := range s.Shares() {
		if share.Impl != "C" && functions*share.Fraction >= worthALook {
			rows := slices.DeleteFunc(s.Rows(ByOp), func(r Row) bool { return strings.TrimSpace(r.Type) != share.Impl })
			if len(rows) > 0 {
				note(functions*share.Fraction, "%s of the time of the nodes ran in %s, not in C: most of it %s", units.Share(share.Fraction), share.Impl, units.Short(units.OneLine(rows[0].Name), 60))
			}
		}
	}
	slices.SortStableFunc(all, func(a, b finding) int { return cmp.Compare(b.share, a.share) })
	var list []string
	for _, f := range all[:min(len(all), 3)] {
		list = append(list, f.text)
	}
	return list
}

// mostly is the line that has most of a part, ", most of it at net.star:12".
func (c *Cell) mostly(p CellPart) string {
	for _, l := range c.Lines() {
		if i := slices.IndexFunc(l.In, func(s Spot) bool { return s.Kind == p.Kind && s.Name == p.Dearest }); i >= 0 && l.In[i].Time*2 > p.Time {
			return ", most of it at " + placeOf(l.File, l.Line)
		}
	}
	return ""
}

func placeOf(file string, line int) string {
	return units.Tail(units.OneLine(path.Base(file)), 60) + ":" + strconv.Itoa(line)
}
