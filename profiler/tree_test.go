package profiler_test

import (
	"math"
	"testing"

	"github.com/arignote/arignote/profiler"
	"github.com/arignote/arignote/profiler/profilertest"
)

// TestTree: every level of the tree has the rows of the flat table, and a branch is the sum of
// those within it.
func TestTree(t *testing.T) {
	s := profilertest.Training(t, true).Clone()
	flat := func(by profiler.By) map[string]profiler.Row {
		rows := make(map[string]profiler.Row)
		for _, r := range s.Rows(by) {
			rows[r.Name] = r
		}
		return rows
	}
	equal := func(got profiler.Branch, want profiler.Row) {
		t.Helper()
		if got.Calls != want.Calls || got.Applies != want.Applies || got.Type != want.Type || got.Known != want.Known || got.Limit != want.Limit || math.Abs(got.Best-want.Best) > 1e-6 ||
			math.Abs(got.Time-want.Time) > 1e-6 || math.Abs(got.Fraction-want.Fraction) > 1e-9 || math.Abs(got.PerCall-want.PerCall) > 1e-6 {
			t.Errorf("%s: got %+v, want %+v", got.Name, got.Row, want)
		}
	}
	classes, ops, applies := flat(profiler.ByClass), flat(profiler.ByOp), 0
	tree := s.Tree(profiler.ByClass, profiler.ByOp)
	if len(tree) != len(classes) {
		t.Errorf("got %d classes, want %d", len(tree), len(classes))
	}
	for i, class := range tree {
		if i > 0 && class.Time > tree[i-1].Time {
			t.Errorf("%s comes after %s, which took less time", class.Name, tree[i-1].Name)
		}
		equal(class, classes[class.Name])
		var time, impl float64
		for _, v := range class.Impls {
			impl += v
		}
		for _, op := range class.Branches {
			equal(op, ops[op.Name])
			time += op.Time
			for _, a := range op.Branches {
				applies++
				if a.Node == nil || a.Branches != nil {
					t.Errorf("%s is not an Apply node", a.Name)
				}
			}
		}
		last := class.Branches[len(class.Branches)-1]
		if math.Abs(time-class.Time) > 1e-6 || math.Abs(impl-class.Time) > 1e-6 || math.Abs(last.Cumulative-class.Fraction) > 1e-9 {
			t.Errorf("%s: got %g ns, its ops %g, by implementation %g", class.Name, class.Time, time, impl)
		}
	}
	if want := len(s.Rows(profiler.ByApply)); applies != want {
		t.Errorf("got %d Apply nodes, want %d", applies, want)
	}
}
