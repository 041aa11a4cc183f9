package lock

import (
	"cmp"
	"math"
	"path"
	"slices"
	"strconv"
	"strings"

	"github.com/arignote/arignote/profiler"
	"github.com/arignote/arignote/profiler/units"
	"github.com/arignote/arignote/runtime/graph"
)

// A Lock is what a program computes.
type Lock struct {
	Program   string   // the name of its file; "" of a profile, which does not know it
	Flags     []string // of the compiler, those that differ from their defaults, as name=value
	Functions []Function
	Times     *Times // nil: not measured
}

// A Function is the functions of one name.
type Function struct {
	Name   string
	Counts Counts            // of all its lines
	Lines  []Line            // as they stand in their files
	at     map[[2]string]int // where a line stands in Lines
}

// A Line is a line of the user's source that made nodes of a function; all with the same text
// together.
type Line struct {
	File   string // its name without folders
	Text   string // "" if no line is known
	Counts Counts
	Ops    []Op   // of its nodes, by name
	Place  string // file:line of the first; not part of the file
	at     int
	ops    map[string]int // where an op stands in Ops
}

// An Op says how many nodes have it.
type Op struct {
	Name  string
	Nodes int64
}

// Counts are numbers by their name.
type Counts map[string]int64

// A count is a row of the table of what is counted.
type count struct {
	name string
	unit []units.Unit // nil: it is a plain number
	line bool         // lines have it too
	most bool         // functions do not add up: the largest is that of all
}

var counts = []count{
	{name: "functions"},
	{name: "calls"},
	{name: "nodes", line: true},
	{name: "fusions", line: true},
	{name: "flops", line: true},
	{name: "bytes", unit: units.Bytes, line: true},
	{name: "allocated", unit: units.Bytes, line: true},
	{name: "peak", unit: units.Bytes, most: true},
}

// add adds the numbers of other functions or lines.
func (c Counts) add(d Counts) {
	for _, row := range counts {
		v, ok := d[row.name]
		switch {
		case !ok:
		case row.most:
			c[row.name] = max(c[row.name], v)
		default:
			c[row.name] += v
		}
	}
}

// Of is the lock of a program with these profiles, each call of which is in one of them.
func Of(program string, all ...*profiler.Stats) *Lock {
	l := &Lock{Program: program}
	at := make(map[string]int)
	for _, s := range profiler.Once(all...) {
		for _, flag := range s.Flags {
			if !beside(flag) && !slices.Contains(l.Flags, flag) {
				l.Flags = append(l.Flags, oneLine(flag))
			}
		}
		for _, f := range s.Functions {
			name := oneLine(f.Title())
			i, ok := at[name]
			if !ok {
				i = len(l.Functions)
				at[name] = i
				l.Functions = append(l.Functions, Function{Name: name, Counts: Counts{}, at: make(map[[2]string]int)})
			}
			l.Functions[i].add(s, f)
		}
	}
	slices.Sort(l.Flags)
	slices.SortFunc(l.Functions, func(a, b Function) int { return strings.Compare(a.Name, b.Name) })
	for i := range l.Functions {
		l.Functions[i].sort()
	}
	return l
}

// beside reports whether a flag is of the machine, or of what is shown.
func beside(flag string) bool {
	name, _, _ := strings.Cut(flag, "=")
	return name == "threads" || name == "memory_limit" || strings.HasPrefix(name, "profil")
}

// oneLine is a text as it stands in the file.
func oneLine(s string) string { return strings.Join(strings.Fields(units.OneLine(s)), " ") }

func (f *Function) add(s *profiler.Stats, g *profiler.Function) {
	f.Counts.add(Counts{"functions": 1, "calls": g.Calls + g.Failed + g.Ignored})
	if use, ok := g.MemoryUse(); ok {
		f.Counts.add(Counts{"peak": use.Peak})
	}
	f.addNodes(s, g)
}

// addNodes adds the nodes of a function, and those of the functions that they run.
func (f *Function) addNodes(s *profiler.Stats, g *profiler.Function) {
	for _, n := range g.Nodes {
		inside := [3]float64{}
		for _, inner := range n.Inner {
			f.addNodes(s, inner)
			for _, m := range inner.Nodes {
				inside[0], inside[1], inside[2] = inside[0]+m.Flops, inside[1]+m.BytesRead, inside[2]+m.BytesWritten
			}
		}
		own := func(all float64, i int) float64 { return max(all-inside[i], 0) }
		c := Counts{"nodes": 1, "fusions": 0, "flops": whole(own(n.Flops, 0)), "bytes": whole(own(n.BytesRead, 1) + own(n.BytesWritten, 2)), "allocated": whole(n.Allocated)}
		if len(n.Parts) > 0 {
			c["fusions"] = 1
		}
		f.Counts.add(c)
		f.line(s, n.Origin.Frame()).add(n, c)
	}
}

// whole is a number of a profile as an integer, which it is up to rounding.
func whole(v float64) int64 {
	if !(v < math.MaxInt64) {
		return math.MaxInt64
	}
	return int64(math.Round(v))
}

// line is the row of a line of the source.
func (f *Function) line(s *profiler.Stats, at graph.Frame) *Line {
	x := Line{Counts: Counts{}, ops: make(map[string]int)}
	if at.Line > 0 {
		x.File, x.at = oneLine(path.Base(at.File)), at.Line
		x.Text = cmp.Or(oneLine(s.SourceLine(at.File, at.Line)), placeOf(x.File, at.Line))
		x.Place = placeOf(x.File, at.Line)
	}
	i, ok := f.at[x.key()]
	if !ok {
		i = len(f.Lines)
		f.at[x.key()] = i
		f.Lines = append(f.Lines, x)
	}
	if l := &f.Lines[i]; x.at < l.at {
		l.at, l.Place = x.at, x.Place
	}
	return &f.Lines[i]
}

func (l *Line) key() [2]string { return [2]string{l.File, l.Text} }

func (l *Line) add(n *profiler.Node, c Counts) {
	l.Counts.add(c)
	name := oneLine(n.Op)
	i, ok := l.ops[name]
	if !ok {
		i = len(l.Ops)
		l.ops[name] = i
		l.Ops = append(l.Ops, Op{Name: name})
	}
	l.Ops[i].Nodes++
}

func (f *Function) sort() {
	slices.SortStableFunc(f.Lines, func(a, b Line) int {
		return cmp.Or(strings.Compare(a.File, b.File), a.at-b.at, strings.Compare(a.Text, b.Text))
	})
	for _, l := range f.Lines {
		slices.SortFunc(l.Ops, func(a, b Op) int { return strings.Compare(a.Name, b.Name) })
	}
}

// Total adds up the functions.
func (l *Lock) Total() Counts {
	c := Counts{}
	for _, f := range l.Functions {
		c.add(f.Counts)
	}
	return c
}

func placeOf(file string, line int) string { return file + ":" + strconv.Itoa(line) }
