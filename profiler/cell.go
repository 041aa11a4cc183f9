package profiler

import (
	"cmp"
	"fmt"
	"maps"
	"slices"
	"strings"
	"time"
)

// A Cell says where the wall time of a notebook's cell went, to the millisecond: time that was charged to nothing is the rest.
type Cell struct {
	Name  string        `json:"name"` // "In[3]", or the file
	Wall  time.Duration `json:"wall_ns"`
	Spots []Spot        `json:"spots,omitempty"`
	Line  int           `json:"line,omitempty"`  // of a script's cell: its first
	Cells []Cell        `json:"cells,omitempty"` // of a script: its cells, in their order
}

// Sampled reports whether it is known where the time went: of a short cell only the wall time is. c may be nil.
func (c *Cell) Sampled() bool { return c != nil && len(c.Spots) > 0 }

// A Spot is what one line spent in one thing, without what that called in turn.
type Spot struct {
	Kind Kind          `json:"kind"`
	Name string        `json:"name,omitempty"` // of the function; "" of Starlark itself
	File string        `json:"file,omitempty"`
	Line int           `json:"line,omitempty"` // 0: none
	Time time.Duration `json:"ns"`
}

// A Kind is what a cell's time is spent in.
type Kind string

// The kinds, in the order in which they are shown.
const (
	CompiledFunctions Kind = "compiled functions"
	Compiling         Kind = "compiling"
	Numpy             Kind = "np"
	OtherFunctions    Kind = "other functions"
	Starlark          Kind = "Starlark"
	Rest              Kind = "the rest" // output, and what no line of the cell is to blame for
)

var kinds = []Kind{CompiledFunctions, Compiling, Numpy, OtherFunctions, Starlark, Rest}

// A CellPart is the time of a kind. Dearest is its function that took most, "" of Starlark.
type CellPart struct {
	Kind    Kind
	Time    time.Duration
	Dearest string
}

// Parts lists the kinds that took some time; they add up to the wall time.
func (c *Cell) Parts() []CellPart {
	times := make(map[Kind]time.Duration)
	names := make(map[Kind]map[string]time.Duration)
	rest := c.Wall
	for _, s := range c.Spots {
		times[s.Kind] += s.Time
		rest -= s.Time
		if names[s.Kind] == nil {
			names[s.Kind] = make(map[string]time.Duration)
		}
		names[s.Kind][s.Name] += s.Time
	}
	times[Rest] += max(rest, 0)
	var parts []CellPart
	for _, k := range kinds {
		if times[k] > 0 {
			list := slices.Sorted(maps.Keys(names[k]))
			slices.SortStableFunc(list, func(a, b string) int { return cmp.Compare(names[k][b], names[k][a]) })
			p := CellPart{Kind: k, Time: times[k]}
			if len(list) > 0 {
				p.Dearest = list[0]
			}
			parts = append(parts, p)
		}
	}
	return parts
}

// A CellLine is a line of a cell, and what it spent its time in, the dearest first.
type CellLine struct {
	File string
	Line int
	Time time.Duration
	In   []Spot
}

// What names the two things that the line spent most of its time in: functions by name, or Starlark.
func (l *CellLine) What() string {
	var names []string
	for _, s := range l.In {
		name := s.Name
		if name == "" {
			name = string(s.Kind)
		}
		if !slices.Contains(names, name) {
			names = append(names, name)
		}
	}
	if len(names) > 2 {
		names = append(names[:2], "...")
	}
	return strings.Join(names, ", ")
}

// Lines lists the lines, the dearest first.
func (c *Cell) Lines() []CellLine {
	at := make(map[[2]any]int)
	var lines []CellLine
	for _, s := range c.Spots {
		if s.Line == 0 {
			continue
		}
		key := [2]any{s.File, s.Line}
		i, ok := at[key]
		if !ok {
			i = len(lines)
			at[key] = i
			lines = append(lines, CellLine{File: s.File, Line: s.Line})
		}
		lines[i].Time += s.Time
		lines[i].In = append(lines[i].In, s)
	}
	for i := range lines {
		slices.SortStableFunc(lines[i].In, func(a, b Spot) int { return cmp.Or(cmp.Compare(b.Time, a.Time), cmp.Compare(a.Name, b.Name)) })
	}
	slices.SortStableFunc(lines, func(a, b CellLine) int {
		return cmp.Or(cmp.Compare(b.Time, a.Time), cmp.Compare(a.File, b.File), a.Line-b.Line)
	})
	return lines
}

// Share is the part of the wall time that d is.
func (c *Cell) Share(d time.Duration) float64 {
	if c.Wall <= 0 {
		return 0
	}
	return float64(d) / float64(c.Wall)
}

func (c *Cell) check() error {
	if c == nil {
		return nil
	}
	for _, s := range c.Spots {
		if s.Time < 0 || s.Line < 0 || !slices.Contains(kinds, s.Kind) {
			return fmt.Errorf("got %q of %v at line %d of a cell", s.Kind, s.Time, s.Line)
		}
	}
	if c.Wall < 0 || c.Line < 0 {
		return fmt.Errorf("got a cell of %v at line %d", c.Wall, c.Line)
	}
	for i := range c.Cells {
		if err := c.Cells[i].check(); err != nil {
			return err
		}
	}
	return nil
}

// SetCell notes where the time of the cell went in which the functions were called.
func (s *Stats) SetCell(c *Cell) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.Cell = c
}
