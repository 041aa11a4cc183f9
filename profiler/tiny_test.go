package profiler_test

import (
	"math"
	"testing"

	"github.com/arignote/arignote/profiler"
	"github.com/arignote/arignote/profiler/profilertest"
	"github.com/arignote/arignote/runtime/tensor"
)

// TestTinyNodes is D5 on the clock of the process: nodes far below a microsecond have times, and
// shares that come out again. The shares are of the shortest times: of their sums a single
// interruption is most.
func TestTinyNodes(t *testing.T) {
	p := profilertest.Linked(t, profilertest.ThreeNodes)
	var args []*tensor.Dense
	for range 3 {
		args = append(args, tensor.From([]float64{1}, 1))
	}
	shares := func() (list [3]float64) {
		s := profiler.NewStats(profiler.Options{})
		r := s.Add(profiler.FunctionInfo{Program: p})
		for range 3000 {
			start := s.Now()
			_, err := p.Run(args, nil, r.Tracer())
			if r.Call(s.Now()-start, err); err != nil {
				t.Fatal(err)
			}
		}
		f := s.Clone().Functions[0]
		for i, n := range f.Nodes {
			if n.Calls != 3000 || n.Min < profiler.MinNodeTime || n.Time < 3000*profiler.MinNodeTime {
				t.Fatalf("node %d took %g ns in %d calls, at least %g", i, n.Time, n.Calls, n.Min)
			}
			list[i] = n.Min / (f.Nodes[0].Min + f.Nodes[1].Min + f.Nodes[2].Min)
		}
		return list
	}
	shares() // warm
	differ := math.Inf(1)
	for try := 0; try < 10 && differ > 0.05; try++ {
		a, b := shares(), shares()
		differ = 0
		for i := range a {
			differ = max(differ, math.Abs(a[i]-b[i]))
		}
		t.Logf("%.3f, then %.3f", a, b)
	}
	if differ > 0.05 {
		t.Errorf("shares of the time differ by %.1f %% from one profile to the next", 100*differ)
	}
}
