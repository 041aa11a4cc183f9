package magic

import (
	"context"
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/arignote/arignote/starlib/session"
	"github.com/arignote/arignote/starlib/value"
	"go.starlark.net/starlark"
)

// lprun is %lprun and %%lprun.
var lprun = Row{Name: "lprun", Params: []value.Param{
	{Name: "-f NAMES", Default: "all that run", Doc: "the functions to show, with commas between them"},
	{Name: "statement", Doc: "what to run; the names that it assigns stay"}},
	Doc: "Runs a statement, or the cell, and prints for each line of its functions how often it ran, which is exact, and how long: " +
		"that is found by looking each millisecond which lines are running, with what they call.",
	Example: "%lprun -f f f(x)", Code: true, Assigns: true, Line: magicLprun, Cell: lprunCell}

// magicLprun is %lprun.
func magicLprun(c *Call) (starlark.Value, error) {
	prog, err := c.Program()
	if err != nil {
		return nil, err
	}
	shows, err := c.shows(c.S)
	if err != nil {
		return nil, err
	}
	l := startLines(c.S)
	c.S.Cell().AtEnd(func() { l.ends() }) // also if it panics
	v, err := c.S.RunPart(prog, c.thread)
	c.Print(l.report(c.S, shows, false))
	return v, err
}

// lprunCell is %%lprun. The cell's own lines are shown too, unless functions are named.
func lprunCell(m Line) session.CellFunc {
	return func(s *session.Session, ctx context.Context, cell *session.Cell, text string) (data, metadata map[string]any, err error) {
		if m.Rest != "" {
			return nil, nil, s.NewError(ctx, session.ErrorAt("SyntaxError", cell.Magic.Pos(cell.Name),
				"%%lprun: got "+m.Rest+", want nothing after it: the cell is what follows on the next lines"))
		}
		l := startLines(s)
		s.Cell().AtEnd(func() { l.ends() }) // also if it panics
		data, metadata, err = s.RunCode(ctx, cell, text)
		shows, wrong := m.shows(s) // the cell may have made them
		if wrong != nil && err == nil {
			err = s.NewError(ctx, session.ErrorAt("NameError", cell.Magic.Pos(cell.Name), wrong.Error()))
		}
		if report := l.report(s, shows, true); wrong == nil {
			s.Print("stdout", report)
		}
		return data, metadata, err
	}
}

// shows are the functions to show, nil for all.
func (m Line) shows(s *session.Session) (defs []value.Def, err error) {
	names, ok := m.options["-f"]
	if !ok {
		return nil, nil
	}
	for name := range strings.SplitSeq(names, ",") {
		path := strings.Split(name, ".")
		v, ok := s.Lookup(path[0])
		for _, attr := range path[1:] {
			if ok {
				v, err = value.Attr(v, attr)
				ok = err == nil
			}
		}
		if !ok {
			return nil, fmt.Errorf("%%lprun: -f: name '%s' is not defined", name)
		}
		if b, isBound := v.(value.BoundMethod); isBound {
			v, _ = b.Bound()
		}
		f, isDef := v.(value.Def)
		if !isDef {
			return nil, fmt.Errorf("%%lprun: -f: got %s %s, want a function of a def", v.Type(), name)
		}
		defs = append(defs, f)
	}
	return defs, nil
}

// lineRun is lines that are being counted and timed.
type lineRun struct {
	end     func() []session.LineHits
	sampler *value.Sampler // nil: another one is at work
	began   time.Time
}

func startLines(s *session.Session) *lineRun {
	l := &lineRun{end: s.WatchLines(), began: time.Now()}
	if l.sampler = value.Sample(s, s.Current); l.sampler != nil {
		l.sampler.ByLines()
	}
	return l
}

// ends ends the run, once.
func (l *lineRun) ends() (hits []session.LineHits, times map[value.Line]time.Duration, wall time.Duration) {
	if l.end == nil {
		return nil, nil, 0
	}
	if l.sampler != nil {
		l.sampler.Cut("", "")
		l.sampler.End()
		times = l.sampler.Lines()
	}
	wall = time.Since(l.began)
	hits = l.end()
	l.end = nil
	return hits, times, wall
}

// A lineTable is the lines of one function.
type lineTable struct {
	file     string
	function string
	first    int
	hits     map[int]int64
}

// CountLines counts and times the lines of the session until report is called, which shows those of
// some functions as %lprun does.
func CountLines(s *session.Session) (report func(shows []value.Def) string) {
	l := startLines(s)
	return func(shows []value.Def) string {
		text := l.report(s, shows, false)
		_, text, _ = strings.Cut(text, "\n") // the wall time is of more than these
		return strings.TrimPrefix(text, "\n")
	}
}

// report ends the run and shows its lines as line_profiler does: also those outside functions, if
// topLevel says so.
func (l *lineRun) report(s *session.Session, shows []value.Def, topLevel bool) string {
	hits, times, wall := l.ends()
	var b strings.Builder
	fmt.Fprintf(&b, "Wall time: %s\n", showTime(wall.Seconds()))
	if l.sampler == nil {
		b.WriteString("Time is not known: something else is being profiled.\n")
	}
	ran := false
	for _, t := range tablesOf(hits, shows) {
		if t.function == outside && !topLevel {
			continue
		}
		t.write(&b, s.Source(t.file), times)
		ran = true
	}
	if !ran {
		b.WriteString("No line of a def has run.\n")
	}
	return b.String()
}

// tablesOf are the functions that have run, or those that are shown.
func tablesOf(rows []session.LineHits, shows []value.Def) []*lineTable {
	type key struct {
		file, function string
		first          int
	}
	tables := map[key]*lineTable{}
	var order []*lineTable
	for _, r := range rows {
		isShown := slices.ContainsFunc(shows, func(f value.Def) bool {
			p := f.Position()
			return p.Filename() == r.File && int(p.Line) == r.First && f.Name() == r.Function
		})
		if shows != nil && !isShown || session.Hidden(r.Function) {
			continue
		}
		k := key{r.File, r.Function, r.First}
		if tables[k] == nil {
			tables[k] = &lineTable{r.File, r.Function, r.First, map[int]int64{}}
			order = append(order, tables[k])
		}
		tables[k].hits[r.Line] += r.Hits
	}
	return slices.DeleteFunc(order, func(t *lineTable) bool {
		for _, n := range t.hits {
			if n > 0 {
				return false
			}
		}
		return shows == nil
	})
}

// write shows a function: its lines with a time, and how often they ran.
func (t *lineTable) write(b *strings.Builder, source session.Source, times map[value.Line]time.Duration) {
	lines := make([]int, 0, len(t.hits))
	total := time.Duration(0)
	for n := range t.hits {
		lines = append(lines, n)
		total += times[value.Line{File: t.file, Line: n}]
	}
	slices.Sort(lines)
	first, last := lines[0], lines[len(lines)-1]
	if t.function != outside {
		first = t.first
	}
	fmt.Fprintf(b, "\nTotal time: %s\nFile: %s\nFunction: %s at line %d\n\n", showTime(total.Seconds()), t.file, t.function, first)
	const layout = "%6s %9s %10s %10s %8s  %s"
	b.WriteString(fmt.Sprintf(layout, "Line #", "Hits", "Time", "Per Hit", "% Time", "Line Contents") + "\n" + strings.Repeat("=", 62) + "\n")
	for n := first; n <= last; n++ {
		text, _ := source.Get(n)
		hits, spent, each, share := "", "", "", ""
		if k, ok := t.hits[n]; ok && k > 0 {
			hits = thousands(int(k))
			if d := times[value.Line{File: t.file, Line: n}]; d > 0 {
				spent, each = showTime(d.Seconds()), showTime(d.Seconds()/float64(k))
				share = fmt.Sprintf("%.1f", 100*d.Seconds()/total.Seconds())
			}
		}
		b.WriteString(strings.TrimRight(fmt.Sprintf(layout, fmt.Sprint(n), hits, spent, each, share, text), " ") + "\n")
	}
}

// outside is the name of what stands outside functions.
const outside = "<toplevel>"
