package profiler

import (
	"cmp"
	"path"
	"slices"
	"strconv"
	"strings"

	"github.com/arignote/arignote/profiler/units"
	"github.com/arignote/arignote/runtime/graph"
)

// A Path is what a line of the user's took where it was reached by the same calls, in the same
// scope. The paths of a line add up to it.
type Path struct {
	Frames   []graph.Frame // outermost first; the last is the line itself
	Scope    string        // "" outside of any
	Time     float64       // nanoseconds
	ByRole   [len(Roles)]float64
	Fraction float64 // of the time of all nodes
}

// pathKey tells paths apart whose frames are the same memory, as those of one operation are.
type pathKey struct {
	first *graph.Frame
	depth int
	scope string
}

// includePath adds x to the path that it came by.
func (r *LineRow) includePath(x Sample) {
	frames := x.Origin.Frames
	key := pathKey{depth: len(frames), scope: x.Scope}
	if len(frames) > 0 {
		key.first = &frames[0]
	}
	i, ok := r.counted.paths[key]
	if !ok {
		i = slices.IndexFunc(r.Paths, func(p Path) bool { return p.Scope == x.Scope && slices.EqualFunc(p.Frames, frames, sameLine) })
		if i < 0 {
			i = len(r.Paths)
			r.Paths = append(r.Paths, Path{Frames: frames, Scope: x.Scope})
		}
		r.counted.paths[key] = i
	}
	p := &r.Paths[i]
	p.Time += x.Time
	p.ByRole[max(slices.Index(Roles[:], x.Origin.Role), 0)] += x.Time
}

// sameLine leaves the column aside: two operations of a line were reached by the same calls.
func sameLine(f, g graph.Frame) bool { return f.File == g.File && f.Line == g.Line && f.Func == g.Func }

func (r *LineRow) sortPaths(total float64) {
	for i := range r.Paths {
		r.Paths[i].Fraction = units.Ratio(r.Paths[i].Time, total)
	}
	slices.SortStableFunc(r.Paths, func(a, b Path) int { return cmp.Compare(b.Time, a.Time) })
}

// String is the scope and the calls: "encoder: In[1]:20 -> layer:7 -> dense:3". A file is named
// where it is another one than before.
func (p Path) String() string {
	var calls []string
	file := ""
	for _, f := range p.Frames {
		var words []string
		if f.File != file || strings.HasPrefix(f.Func, "<") || f.Func == "" {
			words = append(words, path.Base(f.File))
			file = f.File
		}
		if f.Func != "" && !strings.HasPrefix(f.Func, "<") {
			words = append(words, f.Func)
		}
		calls = append(calls, units.OneLine(strings.Join(words, " ")+":"+strconv.Itoa(f.Line)))
	}
	s := strings.Join(calls, " -> ")
	if p.Scope != "" {
		s = strings.TrimSuffix(units.OneLine(p.Scope)+": "+s, ": ")
	}
	return s
}

// Forks is the line by which p differs from the other paths of r: the first call that they have not
// in common, or the call of the line's function.
func (r LineRow) Forks(p Path) graph.Frame {
	at := 0
	for at < len(p.Frames)-1 && !slices.ContainsFunc(r.Paths, func(q Path) bool {
		return at >= len(q.Frames) || !sameLine(q.Frames[at], p.Frames[at])
	}) {
		at++
	}
	if at == len(p.Frames) {
		return graph.Frame{}
	}
	return p.Frames[at]
}
