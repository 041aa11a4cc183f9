package text

import (
	"cmp"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"github.com/arignote/arignote/profiler"
	"github.com/arignote/arignote/profiler/columns"
	"github.com/arignote/arignote/profiler/units"
)

// lines is the price of each line of the user's source, file by file if there are several, the most
// expensive first.
func (p *printer) lines() {
	rows := p.stats.Lines(p.opts.Inclusive)
	if !slices.ContainsFunc(rows, func(r profiler.LineRow) bool { return r.Line > 0 }) {
		p.line("Lines: no node knows the line of the source that made it")
		p.line("")
		return
	}
	files := p.files()
	shown := rows[:min(p.opts.NLines, len(rows))]
	c := newLineSheet(shown, "")
	t := table{title: "Lines", columns: append(c.columns(), column{name: "source", left: true})}
	t.columns[c.at("line")].left = true
	if p.opts.Inclusive {
		t.title = "Lines, each with what it called"
	}
	several := len(files) > 1
	for _, f := range files {
		if several && slices.ContainsFunc(shown, func(r profiler.LineRow) bool { return r.File == f.name }) {
			t.row(plainName(f.title()), lineCells(c, columns.Line{LineRow: profiler.LineRow{Fraction: f.fraction, Time: f.time}}, "")...)
		}
		for _, r := range shown {
			if r.File == f.name {
				row := t.row(sourceName(r.Source), lineCells(c, columns.Line{LineRow: r}, place(r.File, r.Line, maxText+8))...)
				row.note(r.LeftOut())
				if p.opts.Paths {
					p.paths(row, r)
				}
			}
		}
	}
	if left := len(rows) - len(shown); left > 0 && !p.opts.Inclusive {
		var time, fraction float64
		for _, r := range rows[len(shown):] {
			time += r.Time
			fraction += r.Fraction
		}
		t.more = "... " + units.Plural(int64(left), "more line") + ": " + percent(fraction) + " %, " + duration(time)
	} else if left > 0 {
		t.more = "... " + units.Plural(int64(left), "more line")
	}
	p.table(t)
}

// paths are lines under a line of the source that was reached by several calls: what it took by
// each, and the text of the call by which they differ.
func (p *printer) paths(row *tableRow, r profiler.LineRow) {
	if len(r.Paths) < 2 {
		return
	}
	shown := r.Paths[:min(p.opts.NLines, len(r.Paths))]
	for _, x := range shown {
		f := r.Forks(x)
		s := fmt.Sprintf("%5s %% %9s  %s", percent(x.Fraction), short(x.Time), x)
		if source := strings.TrimSpace(p.stats.SourceLine(f.File, f.Line)); source != "" && f != x.Frames[len(x.Frames)-1] {
			s += "   " + source
		}
		row.note(s)
	}
	if left := len(r.Paths) - len(shown); left > 0 {
		row.note("... " + units.Plural(int64(left), "more path"))
	}
}

// A fileLines has the lines of a file that cost something.
type fileLines struct {
	name     string
	rows     []profiler.LineRow
	time     float64
	fraction float64
}

func (f fileLines) title() string {
	if f.name == "" {
		return "(no file)"
	}
	return f.name
}

// files groups the lines; the most expensive file comes first, and those last of which lines only
// call others.
func (p *printer) files() []fileLines {
	var files []fileLines
	for _, r := range append(p.stats.Lines(false), onlyFiles(p.stats.Lines(true))...) {
		i := slices.IndexFunc(files, func(f fileLines) bool { return f.name == r.File })
		if i < 0 {
			i = len(files)
			files = append(files, fileLines{name: r.File})
		}
		f := &files[i]
		if r.Time > 0 {
			f.rows = append(f.rows, r)
		}
		f.time += r.Time
		f.fraction += r.Fraction
	}
	slices.SortStableFunc(files, func(a, b fileLines) int { return cmp.Compare(b.time, a.time) })
	return files
}

func onlyFiles(rows []profiler.LineRow) []profiler.LineRow {
	var files []profiler.LineRow
	for _, r := range rows {
		files = append(files, profiler.LineRow{File: r.File})
	}
	return files
}

// newLineSheet writes what is known of lines, but for one column.
func newLineSheet(rows []profiler.LineRow, without string) sheet[columns.Line] {
	all := make([]columns.Line, len(rows))
	roles := false // some line has a gradient or an update
	for i, r := range rows {
		all[i] = columns.Line{LineRow: r}
		roles = roles || r.ByRole[1] > 0 || r.ByRole[2] > 0
	}
	list := slices.DeleteFunc(columns.In(columns.Lines, columns.Text, "* line function"),
		func(c columns.Column[columns.Line]) bool { return c.Name == without })
	c := newSheet(list, all)
	for _, role := range profiler.Roles {
		c.write[role] = func(r columns.Line, v columns.Value) string {
			if !roles || v.Number <= 0 {
				return ""
			}
			return whole(v.Number / r.Time)
		}
	}
	c.write["flops"] = func(r columns.Line, v columns.Value) string {
		if !r.Known {
			return ""
		}
		return prefixed(v.Number)
	}
	c.write["function"] = func(r columns.Line, _ columns.Value) string { return inside(r.LineRow) }
	return c
}

// lineCells are the cells of a line. Of one that took no time only its place is known and, perhaps,
// what it called.
func lineCells(c sheet[columns.Line], r columns.Line, place string) []string {
	cells := c.cells(r)
	if r.Time == 0 {
		called := cells[c.at("inclusive")]
		clear(cells)
		cells[c.at("inclusive")] = called
	}
	cells[c.at("line")] = place
	return cells
}

// place writes file:line. Of a path that is too long the end is kept: the file's name matters.
func place(file string, line, width int) string {
	if line <= 0 {
		return "(no line)"
	}
	n := ":" + strconv.Itoa(line)
	return units.Tail(units.OneLine(file), max(width-len(n), 1)) + n
}

// inside is the user's function around a line; nothing at top level.
func inside(r profiler.LineRow) string {
	if r.Func == "<toplevel>" {
		return ""
	}
	return units.Middle(units.OneLine(r.Func), 24)
}

// sourceName is the text of a line, whose end may be cut.
func sourceName(source string) func(int) string {
	source = units.OneLine(strings.TrimSpace(source))
	return func(width int) string { return units.Short(source, width) }
}

// listings are the whole sources, with the price of each line by itself and, if there are calls,
// with what it called.
func (p *printer) listings() {
	type at struct {
		file string
		line int
	}
	with := make(map[at]float64)
	for _, r := range p.stats.Lines(true) {
		with[at{r.File, r.Line}] = r.Time
	}
	var own, all float64
	files := p.files()
	for _, f := range files {
		own += f.time
	}
	for _, ns := range with {
		all += ns
	}
	calls := all > own*(1+1e-9)
	for _, f := range files {
		source, ok := p.stats.Sources[f.name]
		if f.name == "" {
			continue
		}
		title := "Listing of " + units.Tail(units.OneLine(f.name),
			p.opts.LineWidth/2) + ": " + duration(f.time) + ", " + units.Share(f.fraction)
		if !ok {
			p.line("%s, but the profile does not have its text", units.Plain(title))
			p.line("")
			continue
		}
		byLine := make(map[int]profiler.LineRow)
		for _, r := range f.rows {
			byLine[r.Line] = r
		}
		c := newLineSheet(f.rows, "function")
		t := table{title: title, columns: append(c.columns(), column{name: "source", left: true}), listing: true}
		number := 0
		for text := range strings.Lines(source) {
			number++
			ns := with[at{f.name, number}]
			if !calls {
				ns = 0
			}
			text = units.OneLine(strings.ReplaceAll(strings.TrimRight(text, "\r\n"), "\t", "    "))
			t.row(func(width int) string { return units.Short(text, width) }, lineCells(c, columns.Line{LineRow: byLine[number], Inclusive: ns}, strconv.Itoa(number))...).
				note(byLine[number].LeftOut())
		}
		p.table(t)
	}
}
