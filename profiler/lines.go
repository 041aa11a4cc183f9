package profiler

import (
	"cmp"
	"slices"
	"strings"

	"github.com/arignote/arignote/profiler/units"
	"github.com/arignote/arignote/runtime/graph"
)

// A LineRow is the price of one line of the user's source: of all nodes that it made, of their
// gradients, and of the updates that it asked for, through fusion and whatever functions the line
// was reached by.
type LineRow struct {
	File   string
	Line   int    // 0: nodes that no line made
	Source string // the line's text, if the profile has the source
	Func   string // the user's function around it; "<toplevel>" outside of any

	Time         float64             // nanoseconds
	ByRole       [len(Roles)]float64 // Time by role
	Fraction     float64             // of the time of all nodes
	Flops, Bytes float64             // of the nodes that were counted
	Known        bool                // all calls of all nodes were
	Allocated    float64             // bytes
	Calls        int64               // of the nodes that the line had a part in
	Spread       Spread              // of what it takes of a call of its functions: that of its parts, as if all were slow at once
	Left         LeftOut             // of a steady profile
	Nodes        []*Node             // these nodes, that with most of the line's time first
	Ops          []string            // what the line computed, each once, in the order of the nodes
	Paths        []Path              // how it was reached, the dearest first; nil with inclusive

	counted *counted // until all samples are included
	runs    int64    // of its functions
}

// counted is what the samples of a line have in common.
type counted struct {
	nodes map[*Node]int // where it stands in Nodes
	took  []float64     // of Time, what each of these did
	ops   map[string]bool
	tops  map[*Function]bool
	paths map[pathKey]int // where it stands in Paths
}

// Lines is the price of each line, the most expensive first. With inclusive, a line also has what
// the functions that it called made, so that lines do not add up to the whole. It must not be
// called while recorders run; take a Clone.
func (s *Stats) Lines(inclusive bool) []LineRow {
	type place struct {
		file string
		line int
	}
	at := make(map[place]int)
	var rows []LineRow
	var total float64
	for x := range s.Samples() {
		total += x.Time
		frames := x.Origin.Frames
		if !inclusive && len(frames) > 1 {
			frames = frames[len(frames)-1:]
		}
		if len(frames) == 0 {
			frames = []graph.Frame{{}}
		}
		seen := make(map[place]bool, len(frames)) // a recursive function passes its line several times
		for _, f := range frames {
			p := place{f.File, f.Line}
			if seen[p] {
				continue
			}
			seen[p] = true
			i, ok := at[p]
			if !ok {
				i = len(rows)
				at[p] = i
				rows = append(rows, LineRow{File: f.File, Line: f.Line, Func: f.Func, Known: true,
					Source: s.SourceLine(f.File, f.Line), counted: &counted{nodes: make(map[*Node]int), ops: make(map[string]bool), tops: make(map[*Function]bool), paths: make(map[pathKey]int)}})
			}
			rows[i].include(x)
			if !inclusive {
				rows[i].includePath(x)
			}
		}
	}
	for i := range rows {
		rows[i].Fraction = units.Ratio(rows[i].Time, total)
		rows[i].Spread = Spread{}.plus(rows[i].Spread, units.Ratio(1, float64(rows[i].runs)))
		rows[i].sortPaths(total)
		rows[i].sortNodes()
	}
	slices.SortFunc(rows, func(a, b LineRow) int {
		return cmp.Or(cmp.Compare(b.Time, a.Time), strings.Compare(a.File, b.File), cmp.Compare(a.Line, b.Line))
	})
	return rows
}

// sortNodes ends the counting of r: the dearest node comes first.
func (r *LineRow) sortNodes() {
	type part struct {
		node *Node
		took float64
	}
	parts := make([]part, len(r.Nodes))
	for i, n := range r.Nodes {
		parts[i] = part{n, r.counted.took[i]}
	}
	slices.SortStableFunc(parts, func(a, b part) int { return cmp.Compare(b.took, a.took) })
	for i, p := range parts {
		r.Nodes[i] = p.node
	}
	r.counted = nil
}

func (r *LineRow) include(x Sample) {
	r.Time += x.Time
	r.ByRole[max(slices.Index(Roles[:], x.Origin.Role), 0)] += x.Time
	r.Flops += x.Flops
	r.Bytes += x.BytesRead + x.BytesWritten
	r.Allocated += x.Allocated
	r.Known = r.Known && x.Node.Counted == x.Node.Calls
	r.Spread = r.Spread.plus(x.Node.Spread(), x.Share*float64(x.Calls))
	r.Left.add(x.Node, x.Share, x.Over)
	c := r.counted
	if !c.tops[x.Top] {
		c.tops[x.Top] = true
		r.runs += x.Top.Runs
	}
	i, ok := c.nodes[x.Node]
	if !ok {
		i = len(r.Nodes)
		c.nodes[x.Node] = i
		r.Nodes, c.took = append(r.Nodes, x.Node), append(c.took, 0)
		r.Calls += x.Calls
	}
	c.took[i] += x.Time
	if x.Op != "" && !c.ops[x.Op] {
		c.ops[x.Op] = true
		r.Ops = append(r.Ops, x.Op)
	}
}

// LeftOut says what the time of a line of a steady profile does not have, "" if it is little.
func (r LineRow) LeftOut() string { return r.Left.Of(r.Calls, r.Time, r.Fraction) }

// FirstCode is the first line from that one on that is neither empty nor a comment.
func (s *Stats) FirstCode(file string, line int) string {
	for last := line + 50; line < last; line++ {
		if text := strings.TrimSpace(s.SourceLine(file, line)); text != "" && !strings.HasPrefix(text, "#") && !strings.HasPrefix(text, "%") {
			return text
		}
	}
	return ""
}

// SourceLine is the text of a line without its line end; empty if the source is not known.
func (s *Stats) SourceLine(file string, line int) string {
	text, ok := s.Sources[file]
	if !ok || line <= 0 {
		return ""
	}
	for l := range strings.Lines(text) {
		if line--; line == 0 {
			return strings.TrimRight(l, "\r\n")
		}
	}
	return ""
}
