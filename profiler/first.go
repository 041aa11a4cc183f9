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

// A Finding is a sentence of First. All that it says of times and shares stands in rows, or in the
// sums of rows by kind and by implementation.
type Finding struct {
	Text  string
	share float64 // of the wall time
}

// finder collects the findings of a profile.
type finder struct {
	*Stats
	shown int // of the rows of each table
	all   []Finding
	nodes []Row // by Apply node, that are shown
}

func (f *finder) note(share float64, format string, args ...any) {
	if share >= worthALook {
		f.all = append(f.all, Finding{fmt.Sprintf(format, args...), share})
	}
}

// First says what to look at first, the dearest first: where the time went, and what was measured
// of why. At most three sentences, about the first rows of each table only, of which a view shows
// so many, and at least one; and about nodes only if it shows rows of nodes.
func (s *Stats) First(shown int, nodes bool) []Finding {
	f := finder{Stats: s, shown: shown}
	if nodes {
		f.nodes = firstOf(s.Rows(ByApply), shown)
	}
	functions := 1.0 // the part of the wall time that compiled functions have
	if s.Cell.Sampled() {
		functions = f.cell(s.Cell)
	}
	f.calls(functions)
	slices.SortStableFunc(f.all, func(a, b Finding) int { return cmp.Compare(b.share, a.share) })
	return f.all[:min(len(f.all), 3)]
}

func firstOf[T any](rows []T, n int) []T { return rows[:min(len(rows), max(n, 1))] }

// cell speaks of what the wall time was spent in, and returns the part that compiled functions
// have.
func (f *finder) cell(c *Cell) (functions float64) {
	shown := firstOf(c.Rows(), f.shown)
	for _, p := range c.Parts() {
		share, named := c.Share(p.Time), false
		took := units.Share(share) + " of the wall time"
		switch p.Kind {
		case CompiledFunctions:
			functions = share
		case Compiling:
			f.note(share,
				"compiling takes %s: once for each function(), however often it is called; "+
					"optimizer=fast_compile takes less", took)
		case Starlark:
			most := "" // stands in a row
			if slices.Contains(shown, p.Rows[0]) {
				most = p.Rows[0].mostly()
			}
			f.note(share,
				"Starlark itself takes %s%s: loops over numbers belong into np or into a "+
					"compiled function", took, most)
		case Numpy, OtherFunctions:
			for _, r := range p.Rows {
				if of := c.Share(r.Time); of >= worthALook && slices.Contains(shown, r) {
					named = true
					f.note(of, "%s takes %s of the wall time%s",
						units.Short(units.OneLine(r.Title()), 60), units.Share(of), r.mostly())
				}
			}
			if dear := p.Rows[0]; !named && slices.Contains(shown, dear) {
				f.note(share, "%s %s %s, the dearest of %s %s %s%s", p.Kind, takes[p.Kind], took,
					units.Plural(int64(len(p.Rows)), "function"),
					units.Short(units.OneLine(dear.Title()), 60), units.Share(c.Share(dear.Time)), dear.mostly())
			} else if !named {
				f.note(share, "%s %s %s", p.Kind, takes[p.Kind], took)
			}
		}
	}
	return functions
}

var takes = map[Kind]string{Numpy: "takes", OtherFunctions: "take"}

// calls speaks of compiled functions, which have that part of the wall time.
func (f *finder) calls(functions float64) {
	t := f.Total()
	nodes := t.ThunkTime()
	if nodes == 0 {
		return
	}
	inside := units.Ratio(nodes, t.CallTime) // the part of the calls that their nodes have
	if lines := f.Lines(false); len(lines) > 0 && lines[0].Line > 0 {
		l := lines[0]
		f.note(functions*l.Fraction*inside, "%s takes %s of the time of the nodes%s: %s",
			placeOf(l.File, l.Line), units.Share(l.Fraction), f.dearest(l),
			units.Short(units.OneLine(strings.TrimSpace(l.Source)), 80))
	}
	if t.Calls > 1 {
		f.note(functions*(1-inside),
			"calls take longer than what they compute: of their time the nodes have %s, and "+
				"arguments, results and the loop over the nodes the rest; "+
				"more in one call is cheaper", units.Share(inside))
	}
	for _, share := range f.Shares() {
		if share.Impl == "C" {
			continue
		}
		about := ""
		i := slices.IndexFunc(f.nodes, func(r Row) bool { return r.Node.Impl == share.Impl })
		if i >= 0 {
			about = ": the dearest of it is " + f.nodes[i].Node.Plain()
		}
		f.note(functions*inside*share.Fraction, "%s of the time of the nodes ran in %s, not in C%s",
			units.Share(share.Fraction), share.Impl, about)
	}
}

// dearest says which node took most of a line's time, if it has a row that is shown, and else
// nothing.
func (f *finder) dearest(l LineRow) (about string) {
	i := slices.IndexFunc(f.nodes, func(r Row) bool { return r.Node == l.Nodes[0] })
	if i < 0 {
		return ""
	}
	r := f.nodes[i]
	about = ", its dearest node is " + r.Node.Plain()
	switch {
	case r.Best == 0:
	case r.Limit == "overhead":
		about += ", which has so little to do that its overhead is what it takes"
	default:
		about += fmt.Sprintf(" at %s of the roof (%s)", units.Share(r.Roof()), r.Limit)
	}
	return about
}

// mostly is the line that has most of a row, ", most of it at net.star:12".
func (r CellRow) mostly() string {
	if r.Line == 0 {
		return ""
	}
	return ", most of it at " + placeOf(r.File, r.Line)
}

func placeOf(file string, line int) string {
	return units.Tail(units.OneLine(path.Base(file)), 60) + ":" + strconv.Itoa(line)
}
