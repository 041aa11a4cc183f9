package profiler_test

import (
	"math"
	"testing"

	"github.com/arignote/arignote/profiler"
	"github.com/arignote/arignote/profiler/profilertest"
)

// roof is round: 10 and 20 Gflop/s, levels of 1 kB, 1 MB and more at 100, 50 and 10 GB/s, 100 ns a
// node.
func roof() *profiler.Roof {
	return &profiler.Roof{Flops64: 10e9, Flops32: 20e9, Overhead: 100, Levels: []profiler.MemoryLevel{
		{Name: "L1", Size: 1e3, Bandwidth: 100e9}, {Name: "L2", Size: 1e6, Bandwidth: 50e9}, {Name: "DRAM", Bandwidth: 10e9}}}
}

// TestBound: of one thread, by hand.
func TestBound(t *testing.T) {
	for _, c := range []struct {
		graph string
		ns    int64
		best  float64
		limit string
		share float64
	}{
		{"x float64[100,100], y float64[100,100])\n v1 = dot x y", 400_000, 200_000, "compute", 0.5},  // 2e6 flops
		{"x float32[100,100], y float32[100,100])\n v1 = dot x y", 400_000, 100_000, "compute", 0.25}, // at twice the peak
		{"x float64[30000], y float64[30000])\n v1 = add x y", 28_800, 14_400, "memory (L2)", 0.5},    // 720 kB
		{"x float32[100000], y float32[100000])\n v1 = add x y", 240_000, 120_000, "memory (DRAM)", 0.5},
		// Two arrays of 400 kB, of which one is written too: 1.2 MB are moved and 0.8 lie in the
		// cache.
		{"x float64[50000], y float64[50000])\n v1 = inplace{in=0,op=add} x y", 30_000, 24_000, "memory (L2)", 0.8},
		{"x float64[3000], y float64[3000])\n v1 = exp x", 3_000, 6_000, "compute", 2}, // shown as it is
		{"x float64[3], y float64[3])\n v1 = add x y", 400, 100, "overhead", 0.25},
		{"x float64[3], y float64[3])\n v1 = add x y", 40, 40, "overhead", 1},
		{"x int64[3000], y int8[3000])\n v1 = add x y", 1_020, 1_020, "memory (L2)", 1}, // 51 kB
	} {
		s := profiler.NewStats(profiler.Options{Clock: profilertest.Still()})
		r := s.Add(profiler.FunctionInfo{Program: profilertest.Program(t, "func f("+c.graph+"\n return v1", "C")})
		profilertest.Play(r, c.ns, c.ns)
		if _, ok := s.Clone().Bound(s.Clone().Functions[0].Nodes[0]); ok {
			t.Errorf("%s: got a bound without a roof", c.graph)
		}
		s.SetMachine(&profiler.Machine{Roof: roof()})
		s = s.Clone()
		b, ok := s.Bound(s.Functions[0].Nodes[0])
		if !ok || math.Abs(b.Best-c.best) > 1e-6*c.best || b.Limit != c.limit || math.Abs(b.Fraction-c.share) > 1e-6 {
			t.Errorf("%s: got %+v, %v, want %g ns by %s, a fraction of %g", c.graph, b, ok, c.best, c.limit, c.share)
		}
	}
}

// TestPredict: what a node takes at the roof is known before it runs, where its lengths are.
func TestPredict(t *testing.T) {
	for _, c := range []struct {
		graph              string
		best, flops, bytes float64
		limit              string
		known, roofless    bool
	}{
		{graph: "x float64[100,100], y float64[100,100])\n v1 = dot x y", best: 200_000, flops: 2e6, bytes: 240_000, limit: "compute", known: true},
		{graph: "x float64[30000], y float64[30000])\n v1 = add x y", best: 14_400, flops: 30_000, bytes: 720_000, limit: "memory (L2)", known: true},
		{graph: "x float64[3], y float64[3])\n v1 = add x y", best: 100, flops: 3, bytes: 72, limit: "overhead", known: true},
		{graph: "x float64[3], y float64[3])\n v1 = add x y", flops: 3, bytes: 72, known: true, roofless: true},
		{graph: "x float64[?], y float64[?])\n v1 = add x y"},
	} {
		m := &profiler.Machine{Roof: roof()}
		if c.roofless {
			m.Roof = nil
		}
		p, ok := m.Predict(&profilertest.Program(t, "func f("+c.graph+"\n return v1", "C").Nodes[0])
		if ok != c.known || math.Abs(p.Best-c.best) > 1e-6*c.best || p.Flops != c.flops || p.Bytes != c.bytes || p.Limit != c.limit {
			t.Errorf("%s: got %+v, %v, want %g ns by %q, %g flops, %g bytes", c.graph, p, ok, c.best, c.limit, c.flops, c.bytes)
		}
	}
}

// TestBoundThreads: work of less than ten microseconds stands under the roof of one thread.
func TestBoundThreads(t *testing.T) {
	for n, want := range map[string]float64{"4000": 8_000, "10000": 5_000} {
		s := profiler.NewStats(profiler.Options{Clock: profilertest.Still()})
		g := "func f(x float64[" + n + "])\n v1 = exp x\n return v1"
		profilertest.Play(s.Add(profiler.FunctionInfo{Program: profilertest.Program(t, g, "C")}), 20_000, 20_000)
		all := roof()
		all.Flops64 *= 4
		s.SetMachine(&profiler.Machine{Roof: all, Serial: roof(), Threads: 4})
		s = s.Clone()
		if b, ok := s.Bound(s.Functions[0].Nodes[0]); !ok || math.Abs(b.Best-want) > 1e-6 || b.Limit != "compute" {
			t.Errorf("%s elements: got %+v, %v, want %g ns", n, b, ok, want)
		}
	}
}

// TestUnbound: a view has no roof, nor has what never ran or has unknown shapes.
func TestUnbound(t *testing.T) {
	for _, g := range []string{"x float64[2,3])\n v1 = dimshuffle{pattern=1 0} x", "x float64[?])\n v1 = exp x"} {
		s := profiler.NewStats(profiler.Options{Clock: profilertest.Still()})
		r := s.Add(profiler.FunctionInfo{Program: profilertest.Program(t, "func f("+g+"\n return v1", "C")})
		s.SetMachine(&profiler.Machine{Roof: roof()})
		for range 2 {
			c := s.Clone()
			if b, ok := c.Bound(c.Functions[0].Nodes[0]); ok {
				t.Errorf("%s: got %+v", g, b)
			}
			profilertest.Play(r, 100, 100)
		}
	}
	const want = "10 Gflop/s in float64, 20 in float32; L1 100 GB/s, L2 50 GB/s, DRAM 10 GB/s; 100 ns a node"
	if got := roof().String(); got != want {
		t.Errorf("got %q, want %q", got, want)
	}
}
