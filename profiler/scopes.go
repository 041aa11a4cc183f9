package profiler

import (
	"cmp"
	"slices"
	"strings"

	"github.com/arignote/arignote/profiler/units"
	"github.com/arignote/arignote/runtime/graph"
)

// A ScopeRow is the price of what was made in a named_scope.
type ScopeRow struct {
	Scope string // the whole name, "encoder/dense"; "" of what was made outside of any
	Name  string // its last part
	Depth int    // how many scopes lie around it

	Own      float64 // nanoseconds beside the scopes in it; those of all rows add up
	Time     float64 // of all that was made in it
	ByRole   [len(Roles)]float64
	Fraction float64 // Time of the time of all nodes

	// Of all that was made in it, as Time is.
	Nodes        int   // that it has a part in
	Calls        int64 // of these
	Known        bool  // all of their calls were counted
	Flops, Bytes float64
	Allocated    float64
	Left         LeftOut // of a steady profile

	counted map[*Node]bool
}

// maxScopes is how deep names are taken apart: what is deeper is a part of its scope's name.
const maxScopes = 32

// NoScope is what views call the row of nodes that were made outside of any scope.
const NoScope = "(no scope)"

// Title is the name of the row's scope.
func (r ScopeRow) Title() string { return cmp.Or(r.Scope, NoScope) }

// LeftOut says what the time of a row of a steady profile does not have, "" if it is little.
func (r ScopeRow) LeftOut() string { return r.Left.Of(r.Calls, r.Time, r.Fraction) }

// Scopes is the price of each scope, a scope before those in it, and the dearest first of those
// that lie in the same. There are none if no node was made in one. It must not be called while
// recorders run; take a Clone.
func (s *Stats) Scopes() []ScopeRow {
	root := &scopeTree{}
	any := false
	for x := range s.Samples() {
		any = any || x.Scope != ""
		at := root
		at.row.include(x)
		scope := ""
		for _, name := range ScopeNames(x.Scope) {
			scope = graph.JoinScopes(scope, name)
			at = at.within(scope, name)
			at.row.include(x)
		}
		if at == root {
			at = at.within("", NoScope)
			at.row.include(x)
		}
		at.row.Own += x.Time
	}
	if !any {
		return nil
	}
	return root.rows(nil, root.row.Time, -1)
}

// ScopeNames are the names of scopes that lie in each other, outermost first.
func ScopeNames(scope string) []string {
	if scope == "" {
		return nil
	}
	return strings.SplitN(scope, graph.ScopeSeparator, maxScopes)
}

// A scopeTree is a scope and those in it.
type scopeTree struct {
	row    ScopeRow
	scopes []*scopeTree
	at     map[string]*scopeTree // by name
}

func (t *scopeTree) within(scope, name string) *scopeTree {
	in, ok := t.at[scope]
	if !ok {
		in = &scopeTree{row: ScopeRow{Scope: scope, Name: name}}
		if t.at == nil {
			t.at = make(map[string]*scopeTree)
		}
		t.at[scope], t.scopes = in, append(t.scopes, in)
	}
	return in
}

// rows adds the rows below t.
func (t *scopeTree) rows(list []ScopeRow, total float64, depth int) []ScopeRow {
	if depth >= 0 {
		r := t.row
		r.Depth, r.Fraction, r.Nodes, r.counted = depth, units.Ratio(r.Time, total), len(r.counted), nil
		list = append(list, r)
	}
	slices.SortStableFunc(t.scopes, func(a, b *scopeTree) int {
		return cmp.Or(cmp.Compare(b.row.Time, a.row.Time), strings.Compare(a.row.Scope, b.row.Scope))
	})
	for _, in := range t.scopes {
		list = in.rows(list, total, depth+1)
	}
	return list
}

func (r *ScopeRow) include(x Sample) {
	if r.counted == nil {
		r.counted, r.Known = make(map[*Node]bool), true
	}
	if !r.counted[x.Node] {
		r.counted[x.Node] = true
		r.Calls += x.Calls
	}
	r.Time += x.Time
	r.ByRole[max(slices.Index(Roles[:], x.Origin.Role), 0)] += x.Time
	r.Known = r.Known && x.Node.Counted == x.Node.Calls
	r.Flops += x.Flops
	r.Bytes += x.BytesRead + x.BytesWritten
	r.Allocated += x.Allocated
	r.Left.add(x.Node, x.Share, x.Over)
}

// Scopes are those that n has parts of, by itself.
func (n *Node) Scopes() []string {
	var list []string
	for p := range n.Shares() {
		if s := p.Origin.Scope; s != "" && !slices.Contains(list, s) {
			list = append(list, s)
		}
	}
	return list
}
