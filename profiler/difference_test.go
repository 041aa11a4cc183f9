package profiler_test

import (
	"math"
	"slices"
	"testing"

	"github.com/arignote/arignote/profiler"
	"github.com/arignote/arignote/profiler/profilertest"
)

// TestDifference: rows add up to the difference of the whole, change sign with the order, and are 0
// of equal profiles.
func TestDifference(t *testing.T) {
	a, b := profilertest.Training(t, true), profilertest.Seed004(t)
	d, back, same := a.Minus(b), b.Minus(a), a.Minus(profilertest.Training(t, true))
	x, y := d.ThunkTimes()
	if x == 0 || y == 0 {
		t.Fatalf("got %g and %g ns in nodes, want some", x, y)
	}
	for _, by := range []profiler.By{profiler.ByClass, profiler.ByOp, profiler.ByLine} {
		negative := make(map[string]profiler.Row)
		for _, r := range back.Rows(by) {
			negative[r.Name] = r
		}
		var sum, fractions float64
		var calls int64
		last := math.Inf(1)
		for _, r := range d.Rows(by) {
			sum += r.Time
			fractions += r.Fraction
			calls += r.Calls
			n, ok := negative[r.Name]
			if !ok || n.Time != -r.Time || n.Calls != -r.Calls || n.Applies != -r.Applies || n.PerCall != -r.PerCall || n.Type != r.Type {
				t.Errorf("by %d: %s: got %+v one way and %+v the other", by, r.Name, r, n)
			}
			if math.Abs(r.Time) > last || math.Abs(r.Fraction) > 1 {
				t.Errorf("by %d: %s: got %g ns and the fraction %g after %g ns", by, r.Name, r.Time, r.Fraction, last)
			}
			last = math.Abs(r.Time)
		}
		if math.Abs(sum-(x-y)) > 1e-6*x || math.Abs(fractions-(x-y)/max(x, y)) > 1e-9 || calls != 3*8-3 {
			t.Errorf("by %d: rows add up to %g ns, %g and %d calls; want %g, %g and %d", by, sum,
				fractions, calls, x-y, (x-y)/max(x, y), 3*8-3)
		}
		for _, r := range same.Rows(by) {
			if r.Time != 0 || r.Calls != 0 || r.Fraction != 0 || r.Ops != 0 {
				t.Errorf("by %d: %s: a profile less itself: got %+v, want 0", by, r.Name, r)
			}
		}
	}
	if rows := d.Rows(profiler.ByApply); rows != nil {
		t.Errorf("by Apply node: got %v, want nothing", rows)
	}
	functions := d.FunctionRows()
	i := slices.IndexFunc(functions, func(r profiler.Row) bool { return r.Name == "train" })
	if len(functions) != 2 || i < 0 || functions[i].Calls != 3 || functions[1-i].Calls != -1 {
		t.Errorf("functions: got %+v, want train with 3 calls and the other with -1", functions)
	}
	if total := d.Total(); total.Calls != 2 || total.Compile.Total != a.Functions[0].Compile.Total-b.Functions[0].Compile.Total {
		t.Errorf("total: got %+v", total)
	}
}

// TestRowOps: a row counts the different ops of its nodes.
func TestRowOps(t *testing.T) {
	s := profilertest.Seed004(t)
	if rows := s.Rows(profiler.ByClass); len(rows) != 1 || rows[0].Ops != 2 || rows[0].Applies != 3 {
		t.Errorf("got %+v, want one class of 2 ops in 3 nodes", rows)
	}
	for _, r := range append(s.Rows(profiler.ByOp), s.Rows(profiler.ByApply)...) {
		if r.Ops != 1 {
			t.Errorf("%s: got %d ops, want 1", r.Name, r.Ops)
		}
	}
}
