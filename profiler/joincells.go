package profiler

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"github.com/arignote/arignote/runtime/graph"
	"github.com/arignote/arignote/runtime/history"
)

// joinCells is a cell that has the time, the memory and the hits of all, which ran one after the
// other: those of a notebook, as the cells of a script. One is itself; nil if there are none.
func joinCells(all []*Cell) *Cell {
	if len(all) < 2 {
		return append(all, nil)[0]
	}
	sum := &Cell{ID: history.NewID()}
	var names []string
	hits := make(map[graph.Frame]int)
	for _, c := range all {
		names = append(names, c.Name)
		sum.Wall += c.Wall
		sum.Glances += c.Glances
		sum.Spots = append(sum.Spots, c.spots()...)
		if len(c.Cells) > 0 {
			sum.Cells = append(sum.Cells, c.Cells...)
		} else {
			sum.Cells = append(sum.Cells, Cell{Name: c.Name, Line: c.Line, Wall: c.Wall, Spots: c.Spots})
		}
		for _, h := range c.Hits {
			line := graph.Frame{File: h.File, Line: h.Line}
			i, ok := hits[line]
			if !ok {
				hits[line] = len(sum.Hits)
				sum.Hits = append(sum.Hits, h)
			} else {
				sum.Hits[i].Hits += h.Hits
			}
		}
		sum.Memory = sum.Memory.with(c.Memory)
	}
	if slices.ContainsFunc(all, func(c *Cell) bool { return c.Glances == 0 && c.Sampled() }) {
		sum.Glances = 0
	}
	sum.Spots = mergeSpots(sum.Spots)
	const most = 3
	if sum.Name = strings.Join(slices.Compact(names[:min(most, len(names))]), ", "); len(names) > most {
		sum.Name += ", ..."
	}
	return sum
}

// mergeSpots makes one of those that differ in nothing but their time.
func mergeSpots(spots []Spot) (list []Spot) {
	type place struct {
		kind  Kind
		name  string
		at    graph.Frame
		outer string
	}
	at := make(map[place]int)
	for _, s := range spots {
		key := place{s.Kind, s.Name, s.Frame(), fmt.Sprintf("%#v", s.Outer)}
		i, ok := at[key]
		if !ok {
			at[key] = len(list)
			list = append(list, s)
			continue
		}
		list[i].Time += s.Time
		list[i].CPU += s.CPU
	}
	slices.SortStableFunc(list, func(a, b Spot) int { return cmp.Compare(b.Time, a.Time) })
	return list
}

// with is m and the memory of a cell that ran after it: of each line what it allocated in both, and
// of the peaks the higher one.
func (m *CellMemory) with(later *CellMemory) *CellMemory {
	if m == nil || later == nil {
		return cmp.Or(m, later)
	}
	sum := &CellMemory{Peak: max(m.Peak, later.Peak), Lines: slices.Clone(m.Lines), Names: slices.Clone(later.Names)}
	lines := make(map[graph.Frame]int)
	ofPeak := func(of *CellMemory, bytes int64) int64 {
		if of.Peak < sum.Peak {
			return 0
		}
		return bytes
	}
	for i := range sum.Lines {
		l := &sum.Lines[i]
		l.AtPeak, l.Copies = ofPeak(m, l.AtPeak), slices.Clone(l.Copies)
		lines[graph.Frame{File: l.File, Line: l.Line}] = i
	}
	for _, l := range later.Lines {
		l.AtPeak = ofPeak(later, l.AtPeak)
		if m.Peak == later.Peak { // the first of them
			l.AtPeak = 0
		}
		i, ok := lines[graph.Frame{File: l.File, Line: l.Line}]
		if !ok {
			l.Copies = slices.Clone(l.Copies)
			sum.Lines = append(sum.Lines, l)
			continue
		}
		o := &sum.Lines[i]
		o.Allocated, o.Blocks, o.Kept, o.AtPeak = o.Allocated+l.Allocated, o.Blocks+l.Blocks, o.Kept+l.Kept, o.AtPeak+l.AtPeak
		for _, c := range l.Copies {
			o.copied(c)
		}
		if o.Asked = o.Asked || l.Asked; o.InPlace != l.InPlace { // other code, or other arrays
			o.InPlace = ""
		}
	}
	names := make(map[string]bool, len(later.Names))
	for _, n := range later.Names {
		names[n.Name] = true
	}
	for _, n := range m.Names {
		if !names[n.Name] {
			sum.Names = append(sum.Names, n)
		}
	}
	sum.Sort()
	return sum
}

// copied adds copies to those that were made for the same reason.
func (l *LineMemory) copied(c CopyMemory) {
	for i := range l.Copies {
		if o := &l.Copies[i]; o.Why == c.Why {
			o.Bytes, o.Blocks = o.Bytes+c.Bytes, o.Blocks+c.Blocks
			return
		}
	}
	l.Copies = append(l.Copies, c)
}
