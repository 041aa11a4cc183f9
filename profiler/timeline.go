package profiler

import (
	"cmp"
	"slices"
	"strings"

	"github.com/arignote/arignote/runtime/graph"
)

// A Timeline is how much memory the values of a call take while its nodes run, one after the other,
// by a replay of the shapes of the last call.
type Timeline struct {
	Function *Function
	During   []int64 // by node: bytes while it runs, its results included
	After    []int64 // by node: bytes when what nobody needs any more is free
	Peak     int64
	PeakNode int         // the first node during which it is Peak
	AtPeak   []LiveValue // what lives then, the largest first
}

// A LiveValue is memory that lives at a peak, and what made it.
type LiveValue struct {
	Node   *Node
	Output int
	Bytes  int64
	Kept   bool // it is a result, or has one in it, and lives until the end
}

// Timeline replays the last call; not ok if its shapes were not recorded.
func (f *Function) Timeline() (t Timeline, ok bool) {
	if !f.recorded() {
		return Timeline{}, false
	}
	return f.timeline(nil), true
}

func (f *Function) timeline(order []int) Timeline {
	t := Timeline{Function: f}
	s := f.storage(true)
	if order == nil {
		order = s.executed()
	}
	if f.KeepAll {
		for i := range s.blocks {
			s.blocks[i].kept = true
		}
	}
	w := s.walk(false, nil)
	for at, i := range order {
		peak := w.step(i)
		if peak > t.Peak || at == 0 {
			t.Peak, t.PeakNode = peak, i
		}
		t.During, t.After = append(t.During, peak), append(t.After, w.live)
	}
	if len(order) == 0 {
		return t
	}
	t.AtPeak = append(f.alive(s, order, t.PeakNode), f.Nodes[t.PeakNode].aliveInside()...)
	slices.SortStableFunc(t.AtPeak, func(a, b LiveValue) int { return cmp.Compare(b.Bytes, a.Bytes) })
	return t
}

// aliveInside lists what lives at the peak of the functions that n runs.
func (n *Node) aliveInside() (list []LiveValue) {
	var most int64
	for _, f := range n.Inner {
		s := f.stepStorage(true)
		if s == nil {
			continue
		}
		order, at := s.executed(), -1
		var peak int64
		w := s.walk(false, nil)
		for _, i := range order {
			if now := w.step(i); at < 0 || now > peak {
				peak, at = now, i
			}
		}
		if peak > most {
			most = peak
			list = append(f.alive(s, order, at), f.Nodes[at].aliveInside()...)
		}
	}
	return list
}

// alive lists what lives while a node runs.
func (f *Function) alive(s *storage, order []int, node int) []LiveValue {
	at := make([]int, len(order)) // of each node, when it runs
	for when, i := range order {
		at[i] = when
	}
	var list []LiveValue
	for _, b := range s.blocks {
		last := slices.MaxFunc(b.users, func(i, j int) int { return at[i] - at[j] })
		if at[b.users[0]] > at[node] || !b.kept && at[last] < at[node] || b.size == 0 {
			continue
		}
		n := f.Nodes[b.users[0]]
		list = append(list, LiveValue{Node: n, Output: slices.Index(n.Out, b.variable), Bytes: b.size, Kept: b.kept})
	}
	slices.SortStableFunc(list, func(a, b LiveValue) int { return cmp.Compare(b.Bytes, a.Bytes) })
	return list
}

// A MemoryLine is the memory of one line of the user's source.
type MemoryLine struct {
	File    string
	Line    int     // 0: nodes that no line made
	Source  string  // the line's text, if the profile has the source
	Created int64   // bytes of values that a call makes, each counted once, as of all steps of a loop; views and what overwrites make none
	AtPeak  int64   // part of them that lives at the function's peak
	Share   float64 // AtPeak of the bytes that live at the peak
	// New is what was really allocated, in all calls together, and Workspace the most that kernels
	// of one of its nodes had.
	New       float64
	Workspace int64
	Nodes     []*Node // that have to do with memory
}

// MemoryLines is the memory of each line, what lives at the peak first. Of several functions, each
// has a peak of its own; Share is of them all together. It must not be called while recorders run;
// take a Clone.
func (s *Stats) MemoryLines() []MemoryLine {
	if s == nil {
		return nil
	}
	at := make(map[graph.Pos]int)
	var rows []MemoryLine
	row := func(n *Node) *MemoryLine {
		f := n.Origin.Frame()
		place := graph.Pos{File: f.File, Line: f.Line}
		i, ok := at[place]
		if !ok {
			i = len(rows)
			at[place] = i
			rows = append(rows, MemoryLine{File: f.File, Line: f.Line, Source: s.SourceLine(f.File, f.Line)})
		}
		return &rows[i]
	}
	var peaks int64
	for _, f := range s.Functions {
		t, ok := f.Timeline()
		if !ok {
			continue
		}
		peaks = addBytes(peaks, t.Peak)
		for _, v := range t.AtPeak {
			r := row(v.Node)
			r.AtPeak = addBytes(r.AtPeak, v.Bytes)
		}
		var add func(f *Function)
		add = func(f *Function) {
			for _, n := range f.Nodes {
				for _, inner := range n.Inner {
					add(inner)
				}
				created := n.Created()
				if created == 0 && n.Allocated == 0 && n.Workspace == 0 {
					continue
				}
				r := row(n)
				r.Created = addBytes(r.Created, created)
				r.New += n.Allocated
				r.Workspace = max(r.Workspace, n.Workspace)
				r.Nodes = append(r.Nodes, n)
			}
		}
		add(f)
	}
	for i := range rows {
		if peaks > 0 {
			rows[i].Share = float64(rows[i].AtPeak) / float64(peaks)
		}
	}
	slices.SortFunc(rows, func(a, b MemoryLine) int {
		return cmp.Or(cmp.Compare(b.AtPeak, a.AtPeak), cmp.Compare(b.Created, a.Created), strings.Compare(a.File, b.File),
			cmp.Compare(a.Line, b.Line))
	})
	return rows
}

// Created is the bytes of n's outputs that have memory of their own.
func (n *Node) Created() int64 {
	var sum int64
	for k, o := range n.Outputs {
		if _, code := n.aliasOf(k); code == 'c' {
			sum = addBytes(sum, min(o.Bytes(), 1<<62))
		}
	}
	return sum
}
