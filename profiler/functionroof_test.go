package profiler_test

import (
	"math"
	"testing"

	"github.com/arignote/arignote/profiler"
	"github.com/arignote/arignote/profiler/profilertest"
)

// TestFunctionRoof: the roof of exp and its like is what their kernels take, on as many threads as
// the machine's roof is worth, and not the peak of multiply-adds.
func TestFunctionRoof(t *testing.T) {
	for _, c := range []struct {
		length string
		best   float64 // nanoseconds
	}{
		{"1000", 2_000},   // of one thread: 1000 times 2 ns
		{"20000", 20_000}, // divided by two
	} {
		s := profiler.NewStats(profiler.Options{Clock: profilertest.Still()})
		r := s.Add(profiler.FunctionInfo{Program: profilertest.Program(t, "func f(x float64["+c.length+"])\n v1 = exp x\n return v1", "C")})
		profilertest.Play(r, int64(4*c.best), int64(4*c.best))
		n := s.Functions[0].Nodes[0]
		flops := func() float64 { n := s.Clone().Functions[0].Nodes[0]; return n.Flops / float64(n.Counted) }()
		elements := map[string]float64{"1000": 1000, "20000": 20000}[c.length]
		n.Functions, n.FunctionNS = 1, 2*elements/flops
		all := roof()
		all.Flops64 *= 2
		s.SetMachine(&profiler.Machine{Roof: all, Serial: roof(), Threads: 2})
		s = s.Clone()
		if b, ok := s.Bound(s.Functions[0].Nodes[0]); !ok || math.Abs(b.Best-c.best) > 1e-6*c.best || b.Limit != "compute" || math.Abs(b.Fraction-0.25) > 1e-6 {
			t.Errorf("%s elements: got %+v, %v, want %g ns", c.length, b, ok, c.best)
		}
	}
}
