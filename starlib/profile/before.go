package profile

import (
	"cmp"
	"math"
	"slices"
	"strings"
	"time"

	"github.com/arignote/arignote/profiler"
	"github.com/arignote/arignote/profiler/compare"
	"github.com/arignote/arignote/starlib/session"
)

// before is what the last profile of the same cell says, compared with all: nil if no cell that was
// profiled is like it.
func (s *Session) before(cell *session.Cell, all []*profiler.Stats) *profiler.Before {
	for i := len(s.profiling.kept) - 1; i >= 0; i-- {
		k := &s.profiling.kept[i]
		if !alike(k.code, cell.Code) || len(k.stats) == 0 || k.stats[0].Cell == nil {
			continue
		}
		b := &profiler.Before{Cell: k.cell, Wall: k.stats[0].Cell.Wall}
		for _, t := range compare.Compare(k.stats, all).Tables {
			if t.Name != compare.LinesThatRan {
				continue
			}
			i := slices.IndexFunc(t.Rows, func(r compare.Row) bool { return r.State != compare.Same })
			if i >= 0 && math.Abs(t.Rows[i].Change) >= float64(time.Millisecond) {
				r := t.Rows[i]
				b.Place, b.Change, b.State = cmp.Or(r.Place.After, r.Place.Before), time.Duration(r.Change), string(r.State)
			}
		}
		return b
	}
	return nil
}

// alike reports whether two texts are of one cell that may have been edited: half of their lines
// are the same. The magics of the cell do not count.
func alike(a, b string) bool {
	x, y := codeLines(a), codeLines(b)
	same := 0
	for _, line := range x {
		if slices.Contains(y, line) {
			same++
		}
	}
	return same > 0 && 2*same >= max(len(x), len(y))
}

// codeLines are the lines of a cell that have code, without their indentation.
func codeLines(code string) (list []string) {
	for line := range strings.Lines(code) {
		line = strings.TrimSpace(line)
		if line != "" && !strings.HasPrefix(line, "#") && !strings.HasPrefix(line, "%") {
			list = append(list, line)
		}
	}
	return list
}
