package profiler_test

import (
	"math/rand/v2"
	"testing"

	"github.com/arignote/arignote/profiler"
	"github.com/arignote/arignote/profiler/profilertest"
)

// TestFit: in what views show, whatever runs inside of a node takes no more than the node, on any
// depth, and the samples still add up to all nodes.
func TestFit(t *testing.T) {
	const rounding = 1 + 1e-9
	nested := 0
	for seed := range uint64(500) {
		s := profilertest.Random(rand.New(rand.NewPCG(seed, 9)))
		fitted := s.Clone()
		fitted.Fit()
		for name, s := range map[string]*profiler.Stats{"steady": s.Steady(), "fitted": fitted} {
			var walk func(f *profiler.Function)
			walk = func(f *profiler.Function) {
				for _, n := range f.Nodes {
					runs := 0.0
					for _, inner := range n.Inner {
						nested++
						runs += inner.RunTime
						if inside := inner.ThunkTime(); inside > inner.RunTime*rounding {
							t.Errorf("seed %d, %s: nodes of %g ns in runs of %g", seed, name, inside, inner.RunTime)
						}
						walk(inner)
					}
					if len(n.Inner) > 0 && runs > n.Time*rounding {
						t.Errorf("seed %d, %s: runs of %g ns in a node of %g", seed, name, runs, n.Time)
					}
				}
			}
			want, got := 0.0, 0.0
			for _, f := range s.Functions {
				walk(f)
				for _, n := range f.Nodes {
					if n.Calls > 0 {
						want += n.Time
					}
				}
			}
			for x := range s.Samples() {
				got += x.Time
			}
			if got > want*rounding || got < want/rounding {
				t.Errorf("seed %d, %s: samples of %g ns, want %g", seed, name, got, want)
			}
		}
	}
	if nested < 100 {
		t.Errorf("got %d functions that nodes run: too few", nested)
	}
}
