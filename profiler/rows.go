package profiler

import (
	"cmp"
	"slices"
	"strings"

	"github.com/arignote/arignote/profiler/plain"
	"github.com/arignote/arignote/profiler/units"
)

// By says what the rows of a table stand for.
type By uint8

const (
	ByClass By = iota // nodes whose ops have the same class
	ByOp              // nodes with equal ops
	ByApply           // each node by itself
	ByLine            // nodes of the same line of the user's source
	ByShape           // calls of a function whose inputs have the same shapes: see ShapeRows
	ByScope           // nodes of the same named_scope: see Scopes
)

// In reports whether a report that was asked for some tables has this one; asked for none in
// particular, it has them all.
func (by By) In(asked []By) bool { return len(asked) == 0 || slices.Contains(asked, by) }

// A Row is a line of a table: one node or several.
type Row struct {
	Name       string
	Fraction   float64 // of the time of all nodes
	Cumulative float64 // Fraction of this row and those above it
	Time       float64 // nanoseconds
	PerCall    float64 // nanoseconds
	Type       string  // "C ", "Go", "Starlark" or several of them: "C Go"
	Calls      int64   // of all nodes together
	Applies    int     // nodes
	Ops        int     // different ones among the nodes' ops
	Left       LeftOut // of a steady profile
	// Work of all calls together; Known if it was counted for every call.
	Known        bool
	Flops, Bytes float64
	// Under the machine's roof, where it and the work of all nodes are known: the nanoseconds that
	// all calls would take there, and what the most expensive node would still wait for.
	Best  float64
	Limit string

	// Of a row that stands for one node:
	ID       int    // unique within the profile
	Function string // its function, if the profile has several
	Node     *Node

	key      string  // what its nodes have in common
	limiting float64 // the time of the node that Limit is of
	unbound  bool    // the roof, or the work of some node, is unknown
}

// Rows computes a table, worst first: by time, then by calls and nodes. Nodes that never ran are
// left out. It must not be called while recorders run; take a Clone. There are no rows ByShape
// and ByScope.
func (s *Stats) Rows(by By) []Row {
	if s == nil || by == ByShape || by == ByScope {
		return nil
	}
	var rows []Row
	group := make(map[string]int)
	type opOfRow struct {
		row int
		op  string
	}
	counted := make(map[opOfRow]bool)
	var total float64
	base := 0 // of the ids, which continue from function to function
	for _, f := range s.Functions {
		for _, n := range f.Nodes {
			if n.Calls == 0 {
				continue
			}
			total += n.Time
			key, name := n.key(by)
			i, ok := group[key]
			if by == ByApply || !ok {
				i = len(rows)
				group[key] = i
				rows = append(rows, Row{Name: name, Known: true, key: key})
			}
			rows[i].include(n)
			op, _ := n.key(ByOp)
			if at := (opOfRow{i, op}); !counted[at] {
				counted[at] = true
				rows[i].Ops++
			}
			rows[i].bound(s, n)
			if by == ByApply {
				rows[i].ID, rows[i].Node = base+n.ID, n
				if len(s.Functions) > 1 {
					rows[i].Function = f.Title()
				}
			}
		}
		base += len(f.Nodes)
	}
	slices.SortFunc(rows, func(a, b Row) int {
		return cmp.Or(cmp.Compare(b.Time, a.Time), cmp.Compare(b.ID, a.ID), cmp.Compare(b.Calls, a.Calls),
			cmp.Compare(b.Applies, a.Applies), strings.Compare(a.Name, b.Name))
	})
	return shared(rows, total)
}

// shared fills in what part of the total each row is, and what a call took.
func shared(rows []Row, total float64) []Row {
	var sum float64
	for i := range rows {
		r := &rows[i]
		sum += r.Time
		r.Fraction, r.Cumulative = units.Ratio(r.Time, total), units.Ratio(sum, total)
		r.PerCall = units.Ratio(r.Time, float64(r.Calls))
	}
	return rows
}

// FunctionRows computes the table of the functions, in their order: their calls and the time of
// these. Those of one title share a row.
func (s *Stats) FunctionRows() []Row {
	if s == nil {
		return nil
	}
	var rows []Row
	var total float64
	for _, f := range s.Functions {
		i := slices.IndexFunc(rows, func(r Row) bool { return r.key == f.Title() })
		if i < 0 {
			i = len(rows)
			rows = append(rows, Row{Name: f.Title(), key: f.Title()})
		}
		rows[i].Calls += f.Calls
		rows[i].Time += f.CallTime
		total += f.CallTime
	}
	return shared(rows, total)
}

// key says to which row a node belongs.
func (n *Node) key(by By) (key, name string) {
	switch by {
	case ByClass:
		return n.Class, n.Class
	case ByOp:
		// Two ops may share a label and still differ in their parameters.
		return n.Op + "\x00" + n.Key, n.Op
	case ByLine:
		if place := n.Origin.Place(); place != "" {
			return place, place
		}
		return "", "(no line)"
	}
	return "", n.Text
}

func (r *Row) include(n *Node) {
	r.Time += n.Time
	r.Left.add(n, 1, n.over)
	r.Calls += n.Calls
	r.Applies++
	r.Type = mixType(r.Type, n.Impl)
	r.Known = r.Known && n.Counted == n.Calls
	r.Flops += n.Flops
	r.Bytes += n.BytesRead + n.BytesWritten
}

// bound adds what a node that was included would take at the roof. The limit is that of the most
// expensive node so far. A node that is known to do nothing, such as one that makes a view, is no
// reason to know nothing of the others.
func (r *Row) bound(s *Stats, n *Node) {
	b, ok := s.Bound(n)
	idle := n.Counted == n.Calls && n.Flops+n.BytesRead+n.BytesWritten == 0
	if r.unbound = r.unbound || !ok && !idle; r.unbound {
		r.Best, r.Limit = 0, ""
		return
	}
	if !ok {
		return
	}
	r.Best += b.Best * float64(n.Calls)
	if n.Time >= r.limiting {
		r.Limit, r.limiting = b.Limit, n.Time
	}
}

// RowOf is the row of one node of s, or of a function that a node of s runs, by itself: what it has
// of a table is unknown.
func (s *Stats) RowOf(n *Node) Row {
	r := Row{Name: n.Text, ID: n.ID, Node: n, Known: true}
	r.include(n)
	r.bound(s, n)
	r.PerCall = units.Ratio(r.Time, float64(r.Calls))
	return r
}

// mixType adds an implementation to a type column.
func mixType(have, impl string) string {
	words := append(strings.Fields(have), strings.Fields(impl)...)
	slices.Sort(words)
	t := strings.Join(slices.Compact(words), " ")
	if len(t) == 1 {
		t += " " // the column is two wide
	}
	return t
}

// Share is the part of the node time that a Row's type had.
type Share struct {
	Impl     string
	Fraction float64
}

// Shares says how much of the time of the nodes each implementation took, the first one first in
// the alphabet.
func (s *Stats) Shares() []Share {
	var shares []Share
	var total float64
	if s == nil {
		return nil
	}
	for _, f := range s.Functions {
		for _, n := range f.Nodes {
			if n.Calls == 0 {
				continue
			}
			total += n.Time
			i := slices.IndexFunc(shares, func(x Share) bool { return x.Impl == n.Impl })
			if i < 0 {
				i = len(shares)
				shares = append(shares, Share{Impl: n.Impl})
			}
			shares[i].Fraction += n.Time
		}
	}
	for i := range shares {
		shares[i].Fraction = units.Ratio(shares[i].Fraction, total)
	}
	slices.SortFunc(shares, func(a, b Share) int { return strings.Compare(a.Impl, b.Impl) })
	return shares
}

// GFlops a second, 0 if unknown.
func (r Row) GFlops() float64 {
	if !r.Known {
		return 0
	}
	return units.Ratio(r.Flops, r.Time)
}

// GBytes a second, 0 if unknown.
func (r Row) GBytes() float64 {
	if !r.Known {
		return 0
	}
	return units.Ratio(r.Bytes, r.Time)
}

// Roof is the part of what the machine can do that the row's nodes did; 0 if unknown.
func (r Row) Roof() float64 { return units.Ratio(r.Best, r.Time) }

// InnerRows are those of the functions that n, a node of s, runs. Their fractions are of the time
// of all nodes of s, and their times fit into that of n, as in Samples.
func (s *Stats) InnerRows(by By, n *Node) []Row {
	inner := &Stats{Functions: n.Inner, Machine: s.Machine}
	rows := inner.Rows(by)
	part, whole := inner.Total(), s.Total()
	inside, fit := part.ThunkTime(), 1.0
	if inside > n.Time {
		fit = n.Time / inside
	}
	share := fit * units.Ratio(inside, whole.ThunkTime())
	for i := range rows {
		r := &rows[i]
		r.Time, r.PerCall = fit*r.Time, fit*r.PerCall
		r.Fraction, r.Cumulative = share*r.Fraction, share*r.Cumulative
	}
	return rows
}

// Plain is what the row's node does, or its nodes: "sigmoid", "fused: sqr, -, *".
func (r Row) Plain() string {
	if r.Node != nil {
		return r.Node.Plain()
	}
	if op, key, ok := strings.Cut(r.key, "\x00"); ok {
		return cmp.Or(plain.Op(key), units.OneLine(op))
	}
	return units.OneLine(r.Name)
}

// LeftOut says what the time of a row of a steady profile does not have, "" if it is little.
func (r Row) LeftOut() string { return r.Left.Of(r.Calls, r.Time, r.Fraction) }

// Remaining adds up the rows that are not shown.
func Remaining(rows []Row, shown int) (left int, sum Row) {
	if shown >= len(rows) {
		return 0, Row{}
	}
	for _, r := range rows[shown:] {
		sum.Time += r.Time
		sum.Fraction += r.Fraction
	}
	return len(rows) - shown, sum
}
