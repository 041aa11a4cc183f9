package profile

import (
	"cmp"
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/arignote/arignote/profiler/units"
	"github.com/arignote/arignote/runtime/memory"
	"github.com/arignote/arignote/starlib/magic"
	"github.com/arignote/arignote/starlib/session"
)

// A cellCost is what all runs of a cell with the same text took.
type cellCost struct {
	cell   string // of its last run
	first  string // its first line of code
	code   string
	runs   int
	failed int // of them
	time   time.Duration
	kept   int64 // more bytes in use by large arrays after the runs than before
}

// maxCosts bounds the cells of a session that are told apart: what would be one more takes the
// place of the one that took the least time. With their texts, up to maxCode bytes each, they take
// some 2 MB at most.
const (
	maxCosts = 1000
	maxCode  = 2000
)

// addCost notes that a cell ran, unless it has no code but magics.
func (s *Session) addCost(cell *session.Cell) {
	lines := codeLines(cell.Code)
	if len(lines) == 0 {
		return
	}
	p := &s.profiling
	now, _ := memory.InUse()
	code := strings.Clone(cell.Code[:min(len(cell.Code), maxCode)])
	i := slices.IndexFunc(p.costs, func(c cellCost) bool { return c.code == code })
	switch {
	case i >= 0:
	case len(p.costs) < maxCosts:
		i = len(p.costs)
		p.costs = append(p.costs, cellCost{})
	default:
		for j := range p.costs {
			if i < 0 || p.costs[j].time < p.costs[i].time {
				i = j
			}
		}
		p.costs[i] = cellCost{}
		p.lostCosts++
	}
	c := &p.costs[i]
	c.cell, c.code, c.first = cell.Name, code, strings.Clone(units.Short(lines[0], 60))
	c.runs++
	if cell.Err != nil {
		c.failed++
	}
	c.time += cell.Elapsed
	c.kept += now - p.inUse
}

// showCosts ranks the cells of the session by their time.
func showCosts(c *magic.Call, _ []string, _ session.Magic) error {
	p := &In(c.S).profiling
	if len(p.costs) == 0 {
		c.Print("No cell has run since profiling.always is on.\n")
		return nil
	}
	list := slices.Clone(p.costs)
	slices.SortStableFunc(list, func(a, b cellCost) int { return cmp.Compare(b.time, a.time) })
	var sum time.Duration
	for _, k := range list {
		sum += k.time
	}
	rows := [][]string{{"Cell", "Runs", "Failed", "Time", "Share", "Kept", "Begins with"}}
	for _, k := range list[:min(len(list), 20)] {
		rows = append(rows, []string{k.cell, units.Grouped(int64(k.runs)), units.Grouped(int64(k.failed)),
			units.Human(units.Times, float64(k.time)), fmt.Sprintf("%.1f%%", 100*float64(k.time)/float64(max(sum, 1))),
			fmt.Sprintf("%.1f MB", float64(k.kept)/1e6), k.first})
	}
	c.Print(strings.ReplaceAll(magic.Columns(rows), units.NBSP, " "))
	if n := len(list) - 20; n > 0 {
		c.Print(fmt.Sprintf("and %d cells that took less\n", n))
	}
	if p.lostCosts > 0 {
		c.Print(fmt.Sprintf("without %d short ones, which are forgotten: shares are of what is known\n", p.lostCosts))
	}
	return nil
}
