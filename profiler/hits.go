package profiler

import (
	"fmt"
	"time"
)

// LineHits is how often a line began to run, which is exact.
type LineHits struct {
	File string `json:"file"`
	Line int    `json:"line"`
	Hits int64  `json:"hits"`
}

// PerHit is the time of a run of the line, 0 if its runs were not counted.
func (l *CellLine) PerHit() time.Duration {
	if l.Hits == 0 {
		return 0
	}
	return l.Time / time.Duration(l.Hits)
}

// withHits adds the runs that were counted to lines, and the lines that took too little time to be
// seen, in the order of their files.
func (c *Cell) withHits(lines []CellLine) []CellLine {
	if len(c.Hits) == 0 {
		return lines
	}
	type key struct {
		file string
		line int
	}
	at := make(map[key]int)
	for i, l := range lines {
		at[key{l.File, l.Line}] = i
	}
	for _, h := range c.Hits {
		i, ok := at[key{h.File, h.Line}]
		if !ok {
			i = len(lines)
			at[key{h.File, h.Line}] = i
			lines = append(lines, CellLine{File: h.File, Line: h.Line})
		}
		lines[i].Hits += h.Hits
	}
	return lines
}

// check reports what no count of hits can be.
func (h LineHits) check() error {
	if h.Hits < 0 || h.Line <= 0 {
		return fmt.Errorf("got %d hits at line %d of a cell", h.Hits, h.Line)
	}
	return nil
}
