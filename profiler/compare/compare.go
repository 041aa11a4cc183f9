package compare

import (
	"cmp"
	"math"
	"slices"
	"strings"

	"github.com/arignote/arignote/profiler"
)

// A Comparison is what changed from some profiles to others. Times are nanoseconds.
type Comparison struct {
	Before  string  `json:"before"` // titles
	After   string  `json:"after"`
	Wall    Pair    `json:"wall_ns"` // of the cell, or of the calls without one
	Compile Pair    `json:"compile_ns"`
	Bytes   Pair    `json:"bytes"` // of new memory that nodes made
	Tables  []Table `json:"tables"`
	// Speedup is how many times as fast it is, as many calls of each function compared.
	Speedup Speedup `json:"speedup"`
}

// A Pair is a number of the profiles before and of those after.
type Pair struct {
	Before float64 `json:"before"`
	After  float64 `json:"after"`
}

// A Speedup is a ratio of times, which lies between Lo and Hi in 19 of 20 runs, as far as the times
// of calls tell. It is 0 where there is no time.
type Speedup struct {
	Ratio float64 `json:"ratio"`
	Lo    float64 `json:"lo"`
	Hi    float64 `json:"hi"`
}

// Moved says of lines, file:line, where they were before, as far as that is known.
func (c *Comparison) Moved() map[string]string {
	moved := make(map[string]string)
	for _, t := range c.Tables {
		for _, r := range t.Rows {
			if (t.Name == LinesThatRan || t.Name == LinesOfGraphs) && r.Place.Before != "" && r.Place.After != "" {
				moved[r.Place.After] = r.Place.Before
			}
		}
	}
	return moved
}

// Change is how much more it is after.
func (p Pair) Change() float64 { return p.After - p.Before }

// A Table is rows of one kind, those that changed most first.
type Table struct {
	Name string `json:"name"`
	Rows []Row  `json:"rows"`
}

// A Row is a line, a function or a node.
type Row struct {
	Name  string `json:"name"`           // of a line its text
	Old   string `json:"old,omitempty"`  // its text before, of a line that was edited
	Place Places `json:"place,omitzero"` // file:line
	Time  Pair   `json:"ns"`             // all of it
	Calls Calls  `json:"calls,omitzero"` // of a function or node
	State State  `json:"state"`          // what the change is
	// Change is how much more time it took: where the numbers of calls differ, than as many calls
	// took before. By chance it differs up to Margin, in 19 of 20 runs, as far as the times of the
	// calls of each profile tell: another run on a machine that does other things may differ more.
	Change float64 `json:"change_ns"`
	Margin float64 `json:"margin_ns"`
}

// Places are where a row was and is; "" of one that is new or gone.
type Places struct {
	Before string `json:"before,omitempty"`
	After  string `json:"after,omitempty"`
}

// Calls are how often a function or node ran.
type Calls struct {
	Before int64 `json:"before"`
	After  int64 `json:"after"`
}

// A State says what happened to a row.
type State string

// The states.
const (
	New    State = "new"
	Gone   State = "gone"
	Faster State = "faster"
	Slower State = "slower"
	Same   State = "same" // or as good as
)

// The names of tables, in their order.
const (
	LinesThatRan  = "lines that ran"
	SpentIn       = "what it was spent in"
	LinesOfGraphs = "lines that made nodes"
	Scopes        = "scopes, each without those in it"
	Nodes         = "nodes"
)

// Compare compares profiles, of which each list is of one cell or one program.
func Compare(before, after []*profiler.Stats) *Comparison {
	a, b := measure(before), measure(after)
	c := &Comparison{Before: a.title, After: b.title, Wall: Pair{a.wall, b.wall}, Compile: Pair{a.compile, b.compile}, Bytes: Pair{a.bytes, b.bytes}}
	c.Speedup = speedup(a, b)
	// Of a cell that was too short to be sampled no line is known, which does not mean that they
	// are gone.
	unknown := (a.cell || b.cell) && (len(a.tables[LinesThatRan]) == 0 || len(b.tables[LinesThatRan]) == 0)
	for _, name := range []string{LinesThatRan, SpentIn, LinesOfGraphs, Scopes, Nodes} {
		if unknown && (name == LinesThatRan || name == SpentIn) {
			continue
		}
		t := Table{Name: name, Rows: match(a.tables[name], b.tables[name])}
		slices.SortStableFunc(t.Rows, func(x, y Row) int {
			return cmp.Or(cmp.Compare(math.Abs(y.Change), math.Abs(x.Change)), strings.Compare(x.Name, y.Name))
		})
		if len(t.Rows) > 0 {
			c.Tables = append(c.Tables, t)
		}
	}
	return c
}

func speedup(a, b *measured) Speedup {
	var before, after, margin float64 // margin: its square
	for _, r := range match(a.tables[SpentIn], b.tables[SpentIn]) {
		before, after = before+r.Time.After-r.Change, after+r.Time.After
	}
	if before <= 0 || after <= 0 {
		return Speedup{}
	}
	for _, m := range []*measured{a, b} {
		for _, x := range m.tables[SpentIn] {
			part := x.margin() / m.wall
			margin += part * part
		}
	}
	ratio, by := before/after, math.Exp(math.Sqrt(margin))
	return Speedup{ratio, ratio / by, ratio * by}
}

// match makes rows of the items of both profiles: at first of those that are alike, then of lines
// that resemble each other.
func match(before, after []*item) []Row {
	var rows []Row
	old := make(map[key]*item)
	for _, x := range before {
		old[x.key] = x
	}
	var fresh []*item
	for _, y := range after {
		if x, ok := old[y.key]; ok {
			delete(old, y.key)
			rows = append(rows, rowOf(x, y))
		} else {
			fresh = append(fresh, y)
		}
	}
	edited := edits(fresh)
	for _, x := range before {
		if old[x.key] == x {
			rows = append(rows, rowOf(x, edited.take(x)))
		}
	}
	for _, y := range fresh {
		if !edited.taken[y] {
			rows = append(rows, rowOf(nil, y))
		}
	}
	return rows
}

// rowOf is the row of what was x and is y; nil is what there was not.
func rowOf(x, y *item) Row {
	if x == nil {
		return Row{Name: y.name, Place: Places{After: y.place}, Time: Pair{After: y.ns}, Calls: Calls{After: y.calls}, State: New, Change: y.ns, Margin: y.margin()}
	}
	if y == nil {
		return Row{Name: x.name, Place: Places{Before: x.place}, Time: Pair{Before: x.ns}, Calls: Calls{Before: x.calls}, State: Gone, Change: -x.ns, Margin: x.margin()}
	}
	r := Row{Name: y.name, Place: Places{x.place, y.place}, Time: Pair{x.ns, y.ns}, Calls: Calls{x.calls, y.calls}, State: Same}
	if x.name != y.name {
		r.Old = x.name
	}
	scale := 1.0
	if x.calls > 0 && y.calls > 0 {
		scale = float64(y.calls) / float64(x.calls)
	}
	r.Change = y.ns - scale*x.ns
	r.Margin = max(math.Hypot(scale*x.margin(), y.margin()), profiler.MinChange*max(scale*x.ns, y.ns))
	switch {
	case r.Change > r.Margin:
		r.State = Slower
	case r.Change < -r.Margin:
		r.State = Faster
	}
	return r
}
