package profiler

import (
	"math"
	"slices"
	"strings"

	"github.com/arignote/arignote/runtime/graph"
)

// A Stack is the finest that profiles know of where wall time went: what one of the user's lines
// spent in one thing, by the calls that led there. Of a node's part it is a Sample, or the share of
// one that a call of its function has; what a call took beside its nodes, np, Starlark and the rest
// are stacks too. Those of a cell add up to its wall time, those of functions that no cell called
// to the time of their calls. Files for other programs are made of stacks.
type Stack struct {
	Of      *Stats        // steady; of its cell or its function
	Kind    Kind          // what the time was spent in
	Name    string        // of the function, a compiled one or not; "" of Starlark and of the rest
	Callers []graph.Frame // the lines of the user's that ran, outermost first
	Sample  *Sample       // nil: no node's part
	Beside  string        // of a compiled function's time that is no node's: what it is
	Time    float64       // nanoseconds
	CPU     float64       // nanoseconds of the processors; 0 of all stacks: not measured
	Share   float64       // of what else the sample counts
	Calls   int64         // of the node
	Memory  *LineMemory   // of the arrays of a line, whatever ran there; see MemoryStacks

	texts [2]*texts // of the profile and of its cell's
}

// Stacks are those of profiles: of each cell with the functions that it called, then of functions
// that no cell called. In a file from before functions named their cell, those of a profile with a
// cell and of the profiles after it are that cell's.
func Stacks(all ...*Stats) []Stack {
	var groups []*called
	loose := new(called) // functions that no cell called
	byID, own := make(map[string]*called), make(map[*Stats]*called)
	textsOf := make(map[*Stats]*texts)
	named := false
	var steady []*Stats
	for _, s := range all {
		if s == nil {
			continue
		}
		s = s.Steady()
		steady = append(steady, s)
		textsOf[s] = &texts{of: s.Sources, lines: make(map[string][]string)}
		named = named || slices.ContainsFunc(s.Functions, func(f *Function) bool { return f.Cell != "" })
		if s.Cell != nil {
			g := &called{cell: s.Cell, of: s}
			groups, byID[s.Cell.ID], own[s] = append(groups, g), g, g
		}
	}
	last := loose
	for _, s := range steady {
		if s.Cell != nil && !named {
			last = own[s]
		}
		for _, f := range s.Functions {
			g := last
			if of, ok := byID[f.Cell]; ok && f.Cell != "" {
				g = of
			}
			g.add(s, f)
		}
	}
	var list []Stack
	for _, g := range append(groups, loose) {
		for _, x := range g.stacks() {
			x.texts = [...]*texts{textsOf[x.Of], textsOf[g.of]}
			list = append(list, x)
		}
	}
	return list
}

// MemoryStacks are the lines of cells whose memory was booked, with the bytes of the arrays that
// they allocated: as the allocator counts them, in compiled functions and beside them. They have no
// time, and no calls around them.
func MemoryStacks(all ...*Stats) (list []Stack) {
	for _, s := range Once(all...) {
		if s.Cell == nil || s.Cell.Memory == nil {
			continue
		}
		of := &texts{of: s.Sources, lines: make(map[string][]string)}
		for i := range s.Cell.Memory.Lines {
			l := &s.Cell.Memory.Lines[i]
			x := Stack{Of: s, Kind: Rest, Memory: l, texts: [2]*texts{of}}
			if l.Line > 0 {
				x.Callers = []graph.Frame{{File: l.File, Line: l.Line}}
			}
			list = append(list, x)
		}
	}
	return list
}

// Arrays are the bytes of arrays that a line allocated, 0 of what took time.
func (x *Stack) Arrays() int64 {
	if x.Memory == nil {
		return 0
	}
	return x.Memory.Allocated
}

// A called is a cell and the functions that it called, those of one name together.
type called struct {
	cell      *Cell
	of        *Stats
	functions []*calledFunction
}

func (c *called) add(s *Stats, f *Function) {
	i := slices.IndexFunc(c.functions, func(g *calledFunction) bool { return g.f[0].Title() == f.Title() })
	if i < 0 {
		i = len(c.functions)
		c.functions = append(c.functions, new(calledFunction))
	}
	g := c.functions[i]
	g.of, g.f = append(g.of, s), append(g.f, f)
}

// A calledFunction is the functions of one name, and the lines that called them.
type calledFunction struct {
	of    []*Stats
	f     []*Function
	sites []Spot
}

// stacks are those of the cell, or of functions that no cell called.
func (c *called) stacks() []Stack {
	at := make(map[string]*calledFunction)
	for _, f := range c.functions {
		at[f.f[0].Title()] = f
	}
	var list []Stack
	left := math.Inf(1) // for functions that no tick met
	if c.cell != nil {
		left = float64(c.cell.Wall)
		for _, spot := range c.cell.spots() {
			left -= float64(spot.Time)
			if f, ok := at[spot.Name]; ok && spot.Kind == CompiledFunctions {
				f.sites = append(f.sites, spot)
			} else if spot.Time > 0 {
				list = append(list, spot.stack(c.of))
			}
		}
	}
	var unmet float64
	for _, f := range c.functions {
		if f.sites == nil {
			unmet += f.callTime()
		}
	}
	fit := 1.0
	if unmet > left {
		fit = max(left, 0) / unmet
	}
	for _, f := range c.functions {
		list = append(list, f.stacks(fit)...)
	}
	if c.cell != nil {
		if rest := left - fit*unmet; rest > 0 {
			list = append(list, Stack{Of: c.of, Kind: Rest, Time: rest})
		}
	}
	return list
}

// stack is that of a spot that is no function with a profile.
func (s Spot) stack(of *Stats) Stack {
	return Stack{Of: of, Kind: s.Kind, Name: s.Name, Callers: s.callers(), Time: float64(s.Time), CPU: float64(s.CPU)}
}

// callers are the lines of the user's that ran, outermost first.
func (s Spot) callers() []graph.Frame {
	if s.Line == 0 {
		return nil
	}
	return append(slices.Clip(s.Outer), s.Frame())
}

func (c *calledFunction) callTime() (ns float64) {
	for _, f := range c.f {
		ns += f.CallTime
	}
	return ns
}

// stacks are those of the nodes, and of the time that each site took beside them. A function
// without a site took the time of its calls, times fit.
func (c *calledFunction) stacks(fit float64) []Stack {
	var nodes, whole float64
	for _, f := range c.f {
		nodes += f.ThunkTime()
	}
	sites := c.sites
	type site struct {
		callers   []graph.Frame
		time, cpu float64
	}
	var from []site
	for _, s := range sites {
		from = append(from, site{s.callers(), float64(s.Time), float64(s.CPU)})
		whole += float64(s.Time)
	}
	if sites == nil {
		whole = fit * c.callTime()
		from = []site{{time: whole}}
	}
	scale := 1.0
	if nodes > whole {
		scale = whole / nodes
	}
	var list []Stack
	before := 0.0 // the part of the calls that sites before had
	for _, s := range from {
		part := 1 / float64(len(from))
		if whole > 0 {
			part = s.time / whole
		}
		perNS := 0.0
		if s.time > 0 {
			perNS = s.cpu / s.time
		}
		inNodes := 0.0
		for i, f := range c.f {
			for x := range (&Stats{Functions: []*Function{f}}).Samples() {
				ns := scale * part * x.Time
				inNodes += ns
				list = append(list, Stack{Of: c.of[i], Kind: CompiledFunctions, Name: f.Title(), Callers: s.callers, Sample: &x, Time: ns, CPU: perNS * ns,
					Share: part, Calls: portion(x.Calls, before, before+part)})
			}
		}
		before += part
		beside := s.time - inNodes
		around := min(beside, part*(c.callTime()-nodes))
		for _, x := range []struct {
			name string
			ns   float64
		}{{besideNodes, around}, {leftOut, beside - around}} {
			if x.ns > 1e-9*s.time {
				list = append(list, Stack{Of: c.of[0], Kind: CompiledFunctions, Name: c.f[0].Title(), Beside: x.name, Callers: s.callers, Time: x.ns, CPU: perNS * x.ns})
			}
		}
	}
	return list
}

// What a compiled function's time is that is no node's.
const (
	besideNodes = "arguments, results, loop over the nodes"
	leftOut     = "left out: calls that took much longer than the others, or failed"
)

// portion is how many of n lie between two fractions of them, so that portions add up to n.
func portion(n int64, from, to float64) int64 {
	return int64(math.Round(to*float64(n))) - int64(math.Round(from*float64(n)))
}

// Bytes are those of new memory.
func (s *Stack) Bytes() float64 {
	if s.Sample == nil {
		return 0
	}
	return s.Share * s.Sample.Allocated
}

// Line is the user's line that the time is of: that which made the node or, of all else, the
// innermost that ran. It has none if that is not known.
func (s *Stack) Line() graph.Frame {
	if s.Sample != nil {
		return s.Sample.Origin.Frame()
	}
	if len(s.Callers) == 0 {
		return graph.Frame{}
	}
	return s.Callers[len(s.Callers)-1]
}

// Source is the text of a line, without its end: of the stack's profile or, where that does not
// have the file, of the profile with its cell; "" if neither knows it.
func (s *Stack) Source(f graph.Frame) string {
	for _, t := range s.texts {
		if lines, ok := t.file(f.File); ok && 0 < f.Line && f.Line <= len(lines) {
			return lines[f.Line-1]
		} else if ok {
			break
		}
	}
	return ""
}

// texts are those of a profile, each divided into lines when it is first asked for: a profile has
// as many stacks as lines, or more.
type texts struct {
	of    map[string]string
	lines map[string][]string
}

func (t *texts) file(name string) (lines []string, ok bool) {
	if t == nil {
		return nil, false
	}
	if lines, ok = t.lines[name]; ok {
		return lines, true
	}
	text, ok := t.of[name]
	if !ok {
		return nil, false
	}
	for l := range strings.Lines(text) {
		lines = append(lines, strings.TrimRight(l, "\r\n"))
	}
	t.lines[name] = lines
	return lines, true
}
