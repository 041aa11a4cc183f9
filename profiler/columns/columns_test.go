package columns_test

import (
	"math"
	"strings"
	"testing"

	"github.com/arignote/arignote/profiler"
	"github.com/arignote/arignote/profiler/columns"
	"github.com/arignote/arignote/profiler/profilertest"
)

var views = map[string]columns.View{"text": columns.Text, "panel": columns.Panel, "page": columns.Page, "CSV": columns.CSV,
	"list": columns.List, "field": columns.Field}

// check asks of a table what every view relies on, and evaluates it on rows.
func check[T any](t *testing.T, table string, all []columns.Column[T], rows []T) {
	t.Helper()
	if len(rows) == 0 {
		t.Fatalf("%s: no rows", table)
	}
	for name, view := range views {
		seen := make(map[string]bool)
		for _, c := range columns.In(all, view, "") {
			if seen[c.Name] {
				t.Errorf("%s: two columns %s in %s", table, c.Name, name)
			}
			seen[c.Name] = true
			if view == columns.Field && (c.Doc == "" || c.Want == "") {
				t.Errorf("%s: the field %s has no documentation or no example", table, c.Name)
			}
		}
	}
	for _, c := range all {
		if c.In&columns.List != 0 && c.In&columns.Field == 0 {
			t.Errorf("%s: %s stands in lists and is no field of their rows", table, c.Name)
		}
		if c.Name == "" || strings.ContainsAny(c.Name, " -/") {
			t.Errorf("%s: got the name %q, want one that is a name in Starlark", table, c.Name)
		}
		for _, r := range rows {
			v := c.Of(r)
			switch {
			case math.IsNaN(v.Number) || math.IsInf(v.Number, 0):
				t.Errorf("%s: %s: got %v", table, c.Name, v.Number)
			case c.Unit.IsNumber() && c.Unit != columns.Shares && (v.Word != "" || v.Words != nil):
				t.Errorf("%s: %s is a number, got %+v", table, c.Name, v)
			case !c.Unit.IsNumber() && c.Unit != columns.Bar && v.Number != 0:
				t.Errorf("%s: %s is a text, got %+v", table, c.Name, v)
			}
		}
	}
}

// TestTables walks all columns of all tables, on a profile and on rows of nothing.
func TestTables(t *testing.T) {
	for _, s := range []*profiler.Stats{profilertest.Training(t, true).Clone(), profilertest.Training(t, false).Clone(),
		profilertest.Nested().Clone()} {
		check(t, "classes", columns.Classes, append(s.Rows(profiler.ByClass), profiler.Row{}))
		check(t, "ops", columns.Ops, append(s.Rows(profiler.ByOp), profiler.Row{}))
		check(t, "nodes", columns.Nodes, append(s.Rows(profiler.ByApply), profiler.Row{}))
		lines := []columns.Line{{}}
		for _, r := range s.Lines(true) {
			lines = append(lines, columns.Line{LineRow: r, Inclusive: r.Time})
		}
		check(t, "lines", columns.Lines, lines)
		check(t, "shapes", columns.Shapes, append(s.ShapeRows(), profiler.ShapeRow{}))
		var samples []columns.Sample
		s.SetCell(&profiler.Cell{Name: "In[1]", Wall: 1e12, Spots: []profiler.Spot{{Kind: profiler.Numpy, Name: "np.exp", File: "In[1]", Line: 3, Time: 1e6, CPU: 1e6},
			{Kind: profiler.Starlark, File: "In[1]", Line: 1, Time: 1e6}}})
		for _, x := range profiler.Stacks(s) {
			row := profiler.Row{}
			if x.Sample != nil {
				row = x.Of.RowOf(x.Sample.Node)
			}
			samples = append(samples, columns.Sample{Stack: x, Row: row})
		}
		check(t, "samples", columns.Samples, samples)
	}
}

// TestRowOf: a node by itself is what it is in the table of nodes.
func TestRowOf(t *testing.T) {
	s := profilertest.Training(t, true).Clone()
	for _, r := range s.Rows(profiler.ByApply) {
		got := s.RowOf(r.Node)
		for _, c := range columns.Nodes {
			switch c.Name {
			case "fraction", "bar", "cumulative": // of a table
				continue
			}
			if a, b := c.Of(got), c.Of(r); a.Number != b.Number || a.Word != b.Word || a.Known != b.Known {
				t.Errorf("%s of %s: got %+v, want %+v", c.Name, r.Name, a, b)
			}
		}
	}
}

// TestIn: the named columns come first and last, the others between them in the order of the table.
func TestIn(t *testing.T) {
	var all []columns.Column[int]
	for _, name := range strings.Fields("a b c d e") {
		all = append(all, columns.Column[int]{Name: name, In: columns.Text})
	}
	all[3].In = columns.Panel
	for _, tt := range []struct{ order, want string }{
		{"", "a b c e"}, {"*", "a b c e"}, {"c", "c a b e"}, {"e b *", "e b a c"}, {"* a", "b c e a"}, {"c * b a", "c e b a"},
		{"d nothing * d", "a b c e"},
	} {
		var got []string
		for _, c := range columns.In(all, columns.Text, tt.order) {
			got = append(got, c.Name)
		}
		if got := strings.Join(got, " "); got != tt.want {
			t.Errorf("%q: got %s, want %s", tt.order, got, tt.want)
		}
	}
}
