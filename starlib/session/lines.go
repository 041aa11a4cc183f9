package session

import (
	"cmp"
	"slices"
	"weak"

	"github.com/arignote/arignote/starlib/code"
)

// A LineHits is how often a line of a program has begun to run.
type LineHits struct {
	File     string
	Line     int
	Function string // whose line it is; "<toplevel>" outside functions
	First    int    // the line of that function's def
	Hits     int64
}

// lines are the programs of a session, whose lines may be watched.
type lines struct {
	programs []weak.Pointer[code.Program]
	watched  []*code.Program // nil: none are
	watchers int
}

// add notes a new program.
func (l *lines) add(p *code.Program) {
	if len(l.programs) == cap(l.programs) {
		l.programs = slices.DeleteFunc(l.programs, func(w weak.Pointer[code.Program]) bool { return w.Value() == nil })
	}
	l.programs = append(l.programs, weak.Make(p))
	if l.watchers > 0 {
		p.Main.Watch()
		l.watched = append(l.watched, p)
	}
}

// WatchLines has the machine count lines, of all programs of the session. end ends that, and
// returns what has run since, by files and lines; a line that has not run has a row too. When it is
// called again it returns nothing.
func (s *Session) WatchLines() (end func() []LineHits) {
	l := &s.lines
	if l.watchers++; l.watchers == 1 {
		for _, w := range l.programs {
			if p := w.Value(); p != nil {
				p.Main.Watch()
				l.watched = append(l.watched, p)
			}
		}
	}
	before := l.hits()
	ended := false
	return func() []LineHits {
		if ended {
			return nil
		}
		ended = true
		hits := l.hits()
		for line, n := range before {
			hits[line] -= n
		}
		if l.watchers--; l.watchers == 0 {
			for _, p := range l.watched {
				p.Main.Unwatch()
			}
			l.watched = nil
		}
		return rowsOf(hits)
	}
}

// hits is what was counted, in rows that have no Hits.
func (l *lines) hits() map[LineHits]int64 {
	hits := map[LineHits]int64{}
	var add func(f *code.Func)
	add = func(f *code.Func) {
		for i, n := range f.Hits {
			m := f.Marks[i]
			hits[LineHits{f.Pos.Filename(), int(m.Line), f.Name, int(f.Pos.Line), 0}] += n * int64(m.Adds)
		}
		for _, inner := range f.Funcs {
			add(inner)
		}
	}
	for _, p := range l.watched {
		add(p.Main)
	}
	return hits
}

func rowsOf(hits map[LineHits]int64) []LineHits {
	rows := make([]LineHits, 0, len(hits))
	for row, n := range hits {
		row.Hits = n
		rows = append(rows, row)
	}
	slices.SortFunc(rows, func(a, b LineHits) int {
		return cmp.Or(cmp.Compare(a.File, b.File), a.Line-b.Line, a.First-b.First, cmp.Compare(a.Function, b.Function))
	})
	return rows
}
