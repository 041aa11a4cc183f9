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
// profiled is like it. A run that failed, or of another number of repetitions, is no measure.
func (s *Session) before(cell *session.Cell, all []*profiler.Stats) *profiler.Before {
	if cell.Err != nil {
		return nil
	}
	var k, half *keptProfile
	for i := len(s.profiling.kept) - 1; i >= 0 && k == nil; i-- {
		old := &s.profiling.kept[i]
		if old.failed || old.repeat != countOf(cell.Magic, "repeat") || len(old.stats) == 0 || old.stats[0].Cell == nil {
			continue
		}
		switch like := likeness(old.code, cell.Code); {
		case like > 0.5: // the last edit
			k = old
		case like == 0.5 && half == nil:
			half = old
		}
	}
	if k = cmp.Or(k, half); k == nil {
		return nil
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

// likeness is the part of the lines of two texts that both have, each once: of one cell that may
// have been edited, half at least. The magics of the cell do not count.
func likeness(a, b string) float64 {
	x, y := codeLines(a), codeLines(b)
	most, same := max(len(x), len(y), 1), 0
	for _, line := range x {
		if i := slices.Index(y, line); i >= 0 {
			y = slices.Delete(y, i, i+1)
			same++
		}
	}
	return float64(same) / float64(most)
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
