package profiler

import (
	"cmp"
	"errors"
	"fmt"
	"math"
	"slices"
	"strings"
	"time"

	"github.com/arignote/arignote/profiler/units"
	"github.com/arignote/arignote/runtime/graph"
	"github.com/arignote/arignote/runtime/history"
)

// A Cell says where the wall time of a notebook's cell went, to the millisecond: time that was
// charged to nothing is the rest.
type Cell struct {
	Name   string        `json:"name"`         // "In[3]", or the file
	ID     string        `json:"id,omitempty"` // of this run of it
	Wall   time.Duration `json:"wall_ns"`
	Spots  []Spot        `json:"spots,omitempty"`
	Memory *CellMemory   `json:"memory,omitempty"` // of its arrays; nil: not asked for
	Hits   []LineHits    `json:"hits,omitempty"`   // by file and line; nil: not counted
	Line   int           `json:"line,omitempty"`   // of a script's cell: its first
	Cells  []Cell        `json:"cells,omitempty"`  // of a script: its cells, in their order
	Before *Before       `json:"before,omitempty"` // nil: the cell was not profiled before
	Trace  *CellTrace    `json:"trace,omitempty"`  // what ran when; nil if it was not noted
	Tries  *Tries        `json:"tries,omitempty"`  // changes that were measured; nil: not asked for
	// Glances is how often a cell without %%profile was looked at; 0: it has one.
	Glances int64  `json:"glances,omitempty"`
	Failed  string `json:"failed,omitempty"` // the class of the error that ended such a cell
}

// Sampled reports whether it is known where the time went: of a short cell only the wall time is. c
// may be nil.
func (c *Cell) Sampled() bool { return c != nil && len(c.Spots) > 0 }

// Glanced says how a cell without %%profile was sampled, and how it ended if it failed; "" of
// others. c may be nil.
func (c *Cell) Glanced() string {
	if c == nil || c.Glances == 0 {
		return ""
	}
	points := math.Ceil(100 / math.Sqrt(float64(c.Glances))) // two standard deviations of a half
	text := fmt.Sprintf("nobody asked for a profile: sampled by %s, so that shares are right to %.0f points; %%%%profile on its first line samples each millisecond",
		units.Plural(c.Glances, "glance"), points)
	if c.Failed != "" {
		text += ". It ended with " + c.Failed
	}
	return text
}

// Known reports whether more than the wall time is known. c may be nil.
func (c *Cell) Known() bool { return c.Sampled() || c != nil && (c.Memory != nil || c.Hits != nil) }

// A Spot is what one line spent in one thing, without what that called in turn.
type Spot struct {
	Kind Kind          `json:"kind"`
	Name string        `json:"name,omitempty"` // of the function; "" of Starlark itself
	File string        `json:"file,omitempty"`
	Line int           `json:"line,omitempty"` // 0: none
	Func string        `json:"func,omitempty"` // around the line; "<toplevel>" outside of any
	Time time.Duration `json:"ns"`
	// CPU is what all threads of the program had meanwhile; 0 of all spots: not measured.
	CPU time.Duration `json:"cpu_ns,omitempty"`
	// Outer are the calls of the user's around the line, outermost first. A line that has called
	// itself stands once.
	Outer []graph.Frame `json:"outer,omitempty"`
}

// Frame is the line and its function.
func (s Spot) Frame() graph.Frame { return graph.Frame{File: s.File, Line: s.Line, Func: s.Func} }

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

// A CellRow is what the wall time of a cell was spent in: a function of a kind, Starlark itself, or
// the rest. The rows of a cell add up to its wall time.
type CellRow struct {
	Kind Kind
	Name string // of the function; "" of Starlark and of the rest
	Time time.Duration
	// The line that had more than half of it; 0 if none had.
	File string
	Line int
}

// Title is the function's name, or the kind of what has none.
func (r CellRow) Title() string { return cmp.Or(r.Name, string(r.Kind)) }

// Rows lists what the wall time was spent in, the dearest first.
func (c *Cell) Rows() []CellRow {
	type key struct {
		kind Kind
		name string
	}
	at := make(map[key]int)
	var rows []CellRow
	var spots [][]Spot // of each row
	rest := c.Wall
	add := func(s Spot) {
		rest -= s.Time
		i, ok := at[key{s.Kind, s.Name}]
		if !ok {
			i = len(rows)
			at[key{s.Kind, s.Name}] = i
			rows, spots = append(rows, CellRow{Kind: s.Kind, Name: s.Name}), append(spots, nil)
		}
		rows[i].Time += s.Time
		spots[i] = append(spots[i], s)
	}
	for _, s := range c.spots() {
		add(s)
	}
	if rest > 0 {
		add(Spot{Kind: Rest, Time: rest})
	}
	for i := range rows {
		for _, l := range linesOf(spots[i]) {
			if 2*l.Time > rows[i].Time {
				rows[i].File, rows[i].Line = l.File, l.Line
			}
		}
	}
	rows = slices.DeleteFunc(rows, func(r CellRow) bool { return r.Time <= 0 })
	slices.SortStableFunc(rows, func(a, b CellRow) int {
		return cmp.Or(cmp.Compare(b.Time, a.Time), slices.Index(kinds, a.Kind)-slices.Index(kinds, b.Kind), cmp.Compare(a.Name, b.Name))
	})
	return rows
}

// spots are those of c, which together take no longer than the cell: clocks that are read apart may
// say so.
func (c *Cell) spots() []Spot {
	var sum time.Duration
	for _, s := range c.Spots {
		sum += s.Time
	}
	if sum <= c.Wall {
		return c.Spots
	}
	return scaled(c.Spots, func(Spot) float64 { return float64(c.Wall) / float64(sum) })
}

// scaled are spots whose times are multiplied. They add up to what they would without rounding, so
// that no nanosecond of the cell is left over.
func scaled(spots []Spot, by func(Spot) float64) []Spot {
	list := slices.Clone(spots)
	exact, given := 0.0, time.Duration(0)
	for i := range list {
		exact += by(list[i]) * float64(list[i].Time)
		list[i].Time = time.Duration(math.Round(exact)) - given
		given += list[i].Time
	}
	return list
}

// A CellPart is the time of a kind: that of its rows, the dearest first.
type CellPart struct {
	Kind Kind
	Time time.Duration
	Rows []CellRow
}

// Parts lists the kinds that took some time; they add up to the wall time.
func (c *Cell) Parts() []CellPart {
	var parts []CellPart
	rows := c.Rows()
	for _, k := range kinds {
		p := CellPart{Kind: k}
		for _, r := range rows {
			if r.Kind == k {
				p.Time += r.Time
				p.Rows = append(p.Rows, r)
			}
		}
		if p.Time > 0 {
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
	Hits int64 // how often it began to run; 0: not counted
}

// What names the two things that the line spent most of its time in: functions by name, or
// Starlark.
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
func (c *Cell) Lines() []CellLine { return c.withHits(linesOf(c.spots())) }

// linesOf are the lines of spots, the dearest first.
func linesOf(spots []Spot) []CellLine {
	at := make(map[[2]any]int)
	var lines []CellLine
	for _, s := range spots {
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
		lines[i].include(s)
	}
	for i := range lines {
		slices.SortStableFunc(lines[i].In, func(a, b Spot) int { return cmp.Or(cmp.Compare(b.Time, a.Time), cmp.Compare(a.Name, b.Name)) })
	}
	slices.SortStableFunc(lines, func(a, b CellLine) int {
		return cmp.Or(cmp.Compare(b.Time, a.Time), cmp.Compare(a.File, b.File), a.Line-b.Line)
	})
	return lines
}

// include adds s, which may have been reached by other calls than what l has.
func (l *CellLine) include(s Spot) {
	same := func(o Spot) bool { return o.Kind == s.Kind && o.Name == s.Name }
	if i := slices.IndexFunc(l.In, same); i >= 0 {
		l.In[i].Time, l.In[i].CPU, l.In[i].Outer = l.In[i].Time+s.Time, l.In[i].CPU+s.CPU, nil
		return
	}
	l.In = append(l.In, s)
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
		if min(s.Time, s.CPU) < 0 || s.Line < 0 || !slices.Contains(kinds, s.Kind) {
			return fmt.Errorf("got %q of %v at line %d of a cell", s.Kind, s.Time, s.Line)
		}
	}
	if err := errors.Join(c.Memory.check(), c.Before.check()); err != nil {
		return err
	}
	for _, h := range c.Hits {
		if err := h.check(); err != nil {
			return err
		}
	}
	if min(int64(c.Wall), c.Glances) < 0 || c.Line < 0 {
		return fmt.Errorf("got a cell of %v at line %d", c.Wall, c.Line)
	}
	if err := c.Trace.check(); err != nil {
		return err
	}
	for i := range c.Cells {
		if err := c.Cells[i].check(); err != nil {
			return err
		}
	}
	return nil
}

// CalledBy notes that the calls of s were made by a cell, which another profile may have.
func (s *Stats) CalledBy(c *Cell) {
	s.mu.Lock()
	defer s.mu.Unlock()
	for _, f := range s.Functions {
		f.Cell = c.ID
	}
}

// SetCell notes where the time of the cell went in which the functions were called.
func (s *Stats) SetCell(c *Cell) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if c != nil && c.ID == "" {
		c.ID = history.NewID()
	}
	s.Cell = c
}
