package panel

import (
	"cmp"
	"fmt"
	"html/template"
	"slices"
	"strconv"
	"strings"

	"github.com/arignote/arignote/profiler"
	"github.com/arignote/arignote/profiler/columns"
	"github.com/arignote/arignote/profiler/units"
)

// roleColours are those of profiler.Roles.
var roleColours = [len(profiler.Roles)]string{blue, orange, green}

// lines is the user's source with the price of each line, the most expensive file first.
func (v *view) lines() (fold, bool) {
	priced := v.priced
	if !v.opts.Shows(profiler.ByLine) || len(priced) == 0 || len(priced) == 1 && priced[0].Line == 0 {
		return fold{}, false
	}
	l := lineView{view: v, most: priced[0].Fraction, calls: make(map[spot]profiler.LineRow), runs: make(map[spot]profiler.CellLine)}
	var roles [len(profiler.Roles)]float64
	var files []string // by their most expensive line
	var total float64
	for _, r := range priced {
		for i, ns := range r.ByRole {
			roles[i] += ns
			l.split = l.split || i > 0 && ns > 0
			total += ns
		}
		l.longest = max(l.longest, r.Time)
		if !slices.Contains(files, r.File) {
			files = append(files, r.File)
		}
	}
	for _, r := range v.within {
		l.calls[spot{r.File, r.Line}] = r
	}
	if v.Cell.Sampled() {
		for _, r := range v.Cell.Lines() {
			if slices.ContainsFunc(r.In, func(s profiler.Spot) bool { return s.Kind == profiler.CompiledFunctions }) {
				l.runs[spot{r.File, r.Line}] = r
				if !slices.Contains(files, r.File) {
					files = append(files, r.File)
				}
			}
		}
	}
	rows := make([]columns.Line, len(priced))
	for i, r := range priced {
		rows[i].LineRow = r
	}
	l.sheet = newSheet(slices.DeleteFunc(columns.In(columns.Lines, columns.Panel, "line *"),
		func(c columns.Column[columns.Line]) bool { return c.Name == "roles" && !l.split }), rows)
	// The cell's own text comes first.
	slices.SortStableFunc(files, func(a, b string) int { return cmp.Compare(own(b, v.opts.Title), own(a, v.opts.Title)) })
	f := fold{Title: "Lines", Open: true}
	if top := priced[0]; top.Line > 0 {
		f.Facts = fmt.Sprintf("that define what compiled functions compute: %s takes %s", place(top.File, top.Line, v.width), units.Share(top.Fraction))
	}
	for i, ns := range roles {
		if !l.split {
			break
		}
		f.Legend = append(f.Legend, key{profiler.Roles[i], units.Share(units.Ratio(ns, total)), template.CSS(roleColours[i])})
	}
	most := v.rows(v.opts.NApply)
	for _, file := range files[:min(most, len(files))] {
		var rows []profiler.LineRow
		for _, r := range priced {
			if r.File == file {
				rows = append(rows, r)
			}
		}
		f.Tables = append(f.Tables, l.file(file, rows))
	}
	f.Caption = more(len(files) - most)
	return f, true
}

func own(file, title string) int {
	if file == title {
		return 1
	}
	return 0
}

// lineView is what the tables of all files share.
type lineView struct {
	*view
	sheet         sheet[columns.Line]
	most, longest float64                    // of a line
	split         bool                       // that there is more than the forward pass
	calls         map[spot]profiler.LineRow  // lines with what the functions that they call made
	runs          map[spot]profiler.CellLine // lines of the cell that call compiled functions
}

// A spot is a line of a file.
type spot struct {
	file string
	line int
}

// file is the source of one file; without it, its lines by time.
func (l *lineView) file(name string, priced []profiler.LineRow) table {
	t := table{Title: units.Short(units.OneLine(name), l.width), Wide: true,
		Columns: append(l.sheet.columns(), column{Name: "source", Text: true, Width: 60})}
	t.Columns[l.sheet.at("fraction")].Bar = true
	if name == "" {
		t.Title = "no line of yours"
	}
	at := make(map[int]profiler.LineRow)
	for _, r := range priced {
		at[r.Line] = r
	}
	text := strings.Split(strings.TrimRight(l.Sources[name], "\r\n"), "\n")
	if l.Sources[name] == "" {
		most := min(len(priced), l.source+l.more)
		for _, r := range priced[:most] {
			t.Rows = append(t.Rows, l.row(r, strings.Join(r.Ops, " ")))
		}
		ns, fraction := 0.0, 0.0
		for _, r := range priced[most:] {
			ns, fraction = ns+r.Time, fraction+r.Fraction
		}
		t.More = rest(len(priced)-most, "line", ns, fraction)
		return t
	}
	// A line that is not in the text, since the file has changed, has its row all the same.
	show := l.shown(name, len(text), priced)
	gap := 0
	fold := func() {
		if gap > 0 {
			t.Rows = append(t.Rows, l.row(profiler.LineRow{}, "⋮ "+units.Plural(int64(gap), "line")))
		}
		gap = 0
	}
	for i, line := range text {
		if !show[i+1] {
			gap++
			continue
		}
		fold()
		r, ok := at[i+1]
		if !ok {
			r = profiler.LineRow{File: name, Line: i + 1}
		}
		t.Rows = append(t.Rows, l.row(r, strings.TrimRight(line, "\r")))
	}
	fold()
	left, ns, fraction := 0, 0.0, 0.0
	for _, r := range priced {
		switch {
		case r.Line == 0 || r.Line > len(text):
			t.Rows = append(t.Rows, l.row(r, strings.Join(r.Ops, " ")))
		case !show[r.Line]:
			left, ns, fraction = left+1, ns+r.Time, fraction+r.Fraction
		}
	}
	t.More = rest(left, "line", ns, fraction)
	return t
}

// foldedLines is how many lines without a price are folded, if no fewer follow each other.
const foldedLines = 3

// shown says which of n lines are shown: those with a price or that call such, the most expensive
// first, and what stands between two of them if it is short.
func (l *lineView) shown(name string, n int, priced []profiler.LineRow) map[int]bool {
	show := make(map[int]bool)
	for _, r := range priced {
		if r.Line > 0 && len(show) < l.source+l.more || l.whole {
			show[r.Line] = true
		}
	}
	for i := range n {
		_, calls := l.calls[spot{name, i + 1}]
		_, runs := l.runs[spot{name, i + 1}]
		show[i+1] = show[i+1] || l.whole || (calls || runs) && len(show) < 2*l.source
	}
	last := 0
	for i := 1; i <= n+1; i++ {
		if i <= n && !show[i] {
			continue
		}
		if i-last-1 < foldedLines {
			for j := last + 1; j < i; j++ {
				show[j] = true
			}
		}
		last = i
	}
	return show
}

func (l *lineView) row(r profiler.LineRow, source string) []cell {
	cells := l.sheet.cells(columns.Line{LineRow: r})
	number := num("")
	if r.Line > 0 {
		number.Value = strconv.Itoa(r.Line)
	}
	src := cell{Value: units.Short(strings.ReplaceAll(source, "\t", "    "), min(l.width, 300)), Text: true, Source: true}
	if r.Time == 0 {
		clear(cells)
		l.sheet.set(cells, "line", func(cell) cell { return number })
		// The price of what it calls, where it has none of its own.
		if in, ok := l.calls[spot{r.File, r.Line}]; ok && in.Time > 0 {
			called := l.sheet.cells(columns.Line{LineRow: in})
			l.sheet.set(cells, "fraction", func(cell) cell {
				c := bar(in.Fraction, segment{grey, units.Ratio(in.Time, l.longest)})
				c.Value, c.Title = "calls"+units.NBSP+c.Value, "what the functions that it calls made"
				return c
			})
			l.sheet.set(cells, "time", func(cell) cell { return called[l.sheet.at("time")] })
		} else if run, ok := l.runs[spot{r.File, r.Line}]; ok {
			share := l.Cell.Share(run.Time)
			l.sheet.set(cells, "fraction", func(cell) cell {
				c := bar(share, segment{grey, share})
				c.Value, c.Title = "runs"+units.NBSP+c.Value, "of the wall time of the cell: "+run.What()+", and all else that the line did"
				return c
			})
			l.sheet.set(cells, "time", func(cell) cell {
				return num(units.Digits(float64(run.Time) / l.sheet.units[l.sheet.at("time")].Size))
			})
		}
		cells = append(cells, src)
		for i := range cells {
			if cells[i].Value != "" {
				cells[i].Style = template.CSS(strings.TrimPrefix(string(cells[i].Style)+";opacity:.55", ";"))
			}
		}
		return cells
	}
	var segments []segment
	var roles []string
	for i, ns := range r.ByRole {
		segments = append(segments, segment{roleColours[i], units.Ratio(ns, l.longest)})
		if ns > 0 {
			roles = append(roles, profiler.Roles[i]+" "+units.Human(units.Times, ns))
		}
	}
	price := bar(r.Fraction, segments...)
	price.Title = strings.Join(roles, ", ")
	price.Strong = r.Fraction == l.most
	src.Suffix = r.LeftOut()
	src.Opens = l.paths(r)
	src.Strong = price.Strong
	src.Title = units.Short(units.OneLine(fmt.Sprintf("%s: %s in %s", r.Func, strings.Join(r.Ops, " "), units.Plural(int64(len(r.Nodes)), "node"))), l.width)
	l.sheet.set(cells, "line", func(cell) cell { return number })
	l.sheet.set(cells, "fraction", func(cell) cell { return price })
	return append(cells, src)
}

// paths are the calls by which a line was reached, and what it took by each; nil of one that always
// was by the same.
func (l *lineView) paths(r profiler.LineRow) *opens {
	if len(r.Paths) < 2 {
		return nil
	}
	shown := r.Paths[:min(l.rows(l.opts.NLines), len(r.Paths))]
	calls := make([]string, len(shown))
	widest := 0
	for i, p := range shown {
		calls[i] = units.Short(p.String(), min(l.width, 100))
		widest = max(widest, units.Width(calls[i]))
	}
	var text strings.Builder
	for i, p := range shown {
		fmt.Fprintf(&text, "%5s %% %9s  %s", oneDecimal(units.Percent(p.Fraction)), units.Human(units.Times, p.Time), calls[i])
		f := r.Forks(p)
		if source := strings.TrimSpace(units.OneLine(l.SourceLine(f.File, f.Line))); source != "" && f != p.Frames[len(p.Frames)-1] {
			text.WriteString(strings.Repeat(" ", widest-units.Width(calls[i])) + "  " + units.Short(source, min(l.width, 80)))
		}
		text.WriteString("\n")
	}
	if left := more(len(r.Paths) - len(shown)); left != "" {
		text.WriteString(left + "\n")
	}
	return &opens{"by " + strconv.Itoa(len(r.Paths)) + " call paths", text.String()}
}
