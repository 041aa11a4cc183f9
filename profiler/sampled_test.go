package profiler_test

import (
	"errors"
	"math"
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/arignote/arignote/kernels"
	"github.com/arignote/arignote/profiler"
	"github.com/arignote/arignote/profiler/profilertest"
	"github.com/arignote/arignote/profiler/units"
	"github.com/arignote/arignote/runtime/exec"
	"github.com/arignote/arignote/runtime/tensor"
)

// A script plays calls on a clock whose readings take time, as a program would: of three nodes,
// some of which last longer in some calls.
type script struct {
	now    int64
	stats  *profiler.Stats
	r      *profiler.Recorder
	traced int
	chosen bool // the recorder chooses the calls that it measures
	arrays [][]*tensor.Dense
	shapes int64
}

const readingCost = 20

func newScript(t *testing.T) *script {
	s := new(script)
	s.stats = profiler.NewStats(profiler.Options{Clock: profiler.NewClock(func() int64 {
		s.now += readingCost
		return s.now
	})})
	s.r = s.stats.Add(profiler.FunctionInfo{Program: profilertest.Program(t, profilertest.ThreeNodes, "C")})
	return s
}

// call plays one whose nodes take so long, with 100 ns before them, 50 after, and 200 beside the
// run.
func (s *script) call(changed bool, nodes ...int64) {
	measured := true
	if s.chosen {
		measured, _ = profiler.Begin(s.recorders())
	}
	var start int64
	if measured {
		start = s.r.Now()
	}
	s.now += 200
	traced := !s.r.Skips(changed)
	trace := &exec.Trace{Weight: 1, Arrays: s.arrays}
	if changed {
		s.shapes++
	}
	trace.Shapes = s.shapes
	mark := func(at *int64) {
		if traced {
			*at = s.r.Now()
		}
	}
	mark(&trace.Enter)
	s.now += 100
	mark(&trace.Start)
	for _, ns := range nodes {
		s.now += ns
		if traced {
			trace.Ends = append(trace.Ends, s.r.Now())
		}
	}
	s.now += 50
	mark(&trace.Leave)
	if traced {
		s.traced++
		s.now += 70 // of bookkeeping
		s.r.Run(trace, nil)
	}
	if s.chosen {
		profiler.End(s.recorders(), measured, start, nil)
	} else {
		s.r.Call(s.r.Now()-start, nil)
	}
}

func (s *script) recorders() []*profiler.Recorder { return []*profiler.Recorder{s.r} }

func about(got, want, relative float64) bool { return math.Abs(got-want) <= relative*want }

// TestSampledCalls: of short calls few are traced, and the sums are those of all.
func TestSampledCalls(t *testing.T) {
	s := newScript(t)
	const calls = 20_000
	var wall float64
	for range calls {
		s.call(false, 100, 600, 300)
		wall += 200 + 100 + 1000 + 50
	}
	f := s.stats.Clone().Functions[0]
	if s.traced < 100 || s.traced > calls/8 { // 190 of 1350 ns are tracing
		t.Errorf("%d of %d calls were traced", s.traced, calls)
	}
	if f.Calls != calls || f.Runs != calls || f.Untraced != int64(calls-s.traced) {
		t.Errorf("got %d calls, %d runs, %d untraced of %d", f.Calls, f.Runs, f.Untraced, calls-s.traced)
	}
	if !about(f.CallTime, wall, 0.001) || !about(f.RunTime, wall*1150/1350, 0.001) {
		t.Errorf("got calls %g, runs %g, want %g, %g", f.CallTime, f.RunTime, wall, wall*1150/1350)
	}
	for i, ns := range []float64{100, 600, 300} {
		if n := f.Nodes[i]; n.Calls != calls || !about(n.Time, calls*ns, 0.001) || n.Slow != 0 {
			t.Errorf("node %d: got %d calls, %g ns, %d slow, want %g", i, n.Calls, n.Time, n.Slow, calls*ns)
		}
	}
	profilertest.RoundTrip(t, s.stats.Clone())
}

// TestSampledDrift: where nodes take longer from some call on, the profile follows.
func TestSampledDrift(t *testing.T) {
	s := newScript(t)
	want := make([]float64, 3)
	for i := range 40_000 {
		nodes := []int64{100, 600, 300}
		if i >= 20_000 {
			nodes = []int64{1000, 600, 300}
		}
		s.call(false, nodes...)
		for k, ns := range nodes {
			want[k] += float64(ns)
		}
	}
	f := s.stats.Clone().Functions[0]
	for i, n := range f.Nodes {
		if !about(n.Time, want[i], 0.01) {
			t.Errorf("node %d: got %g ns, want %g", i, n.Time, want[i])
		}
	}
}

// TestSampledInterruption: who interrupts a call that is not traced is nobody's node.
func TestSampledInterruption(t *testing.T) {
	s := newScript(t)
	for i := range 10_000 {
		if i%1000 == 500 {
			s.call(false, 100, 5_000_600, 300)
		} else {
			s.call(false, 100, 600, 300)
		}
	}
	f := s.stats.Steady().Functions[0]
	for i, ns := range []float64{100, 600, 300} {
		if n := f.Nodes[i]; !about(n.Time, 10_000*ns, 0.02) {
			t.Errorf("node %d: got %g ns, want %g", i, n.Time, 10_000*ns)
		}
	}
	if f = s.stats.Clone().Functions[0]; !about(f.CallTime, 10_000*1350+10*5e6, 0.001) {
		t.Errorf("got %g ns in calls", f.CallTime)
	}
}

// TestSampledChange: runs that begin with other arrays than the ones before are traced, also of
// calls that were not to be measured.
func TestSampledChange(t *testing.T) {
	for _, chosen := range []bool{false, true} {
		s := newScript(t)
		s.chosen = chosen
		for range 1000 {
			s.call(false, 100, 600, 300)
		}
		before := s.traced
		for range 1000 {
			s.call(true, 200, 700, 400)
		}
		f := s.stats.Clone().Functions[0]
		if s.traced != before+1000 || f.Calls != 2000 || f.Runs != 2000 || !about(f.CallTime, 1000*(1350+1650), 0.01) {
			t.Errorf("chosen %t: %d of 1000 calls were traced; got %d calls, %d runs, %g ns", chosen, s.traced-before, f.Calls, f.Runs, f.CallTime)
		}
	}
}

// TestUnmeasuredCalls: of very short calls some are measured, and the sums are near those of all,
// though calls take different times.
func TestUnmeasuredCalls(t *testing.T) {
	s := newScript(t)
	s.chosen = true
	random := rand.New(rand.NewPCG(1, 2))
	const calls = 100_000
	var wall float64
	var first int64
	for i := range calls {
		first = 100
		if i%7 == 3 {
			first = 100 + random.Int64N(1000)
		}
		s.call(false, first, 600, 300)
		wall += 350 + float64(first+900)
	}
	f := s.stats.Clone().Functions[0]
	if f.Calls != calls || f.Runs != calls || f.Unmeasured < calls/2 || f.Unmeasured > calls*49/50 {
		t.Errorf("got %d calls, %d runs, %d not measured", f.Calls, f.Runs, f.Unmeasured)
	}
	if !about(f.CallTime, wall, 0.01) {
		t.Errorf("got %g ns, want %g", f.CallTime, wall)
	}
	var counted int64
	for _, n := range f.CallHist {
		counted += int64(n)
	}
	if counted != calls {
		t.Errorf("the histogram has %d calls", counted)
	}
	if got, want := f.Traced(), units.Grouped(f.Calls-f.Unmeasured)+" measured"; !strings.HasSuffix(got, want) {
		t.Errorf("got %q, want %q at the end", got, want)
	}
	profilertest.RoundTrip(t, s.stats.Clone())

	s.stats.Reset()
	s.call(false, 700, 100, 100)
	if f := s.stats.Clone().Functions[0]; f.Calls != 1 || f.Unmeasured != 0 || f.Traced() != "" {
		t.Errorf("after a reset: %d calls, %d not measured, %q", f.Calls, f.Unmeasured, f.Traced())
	}
}

// TestUnmeasuredInterruption: a measured call that was interrupted does not stand for the ones
// before it.
func TestUnmeasuredInterruption(t *testing.T) {
	s := newScript(t)
	s.chosen = true
	const calls = 20_000
	for i := range calls {
		if i%100 == 50 {
			s.call(false, 100, 5_000_600, 300)
		} else {
			s.call(false, 100, 600, 300)
		}
	}
	f := s.stats.Clone().Functions[0]
	if most := float64(calls*1350 + calls/100*5_000_000); f.CallTime > most {
		t.Errorf("got %g ns in calls, which took %g", f.CallTime, most)
	}
	if f = s.stats.Steady().Functions[0]; !about(f.CallTime, calls*1350, 0.02) {
		t.Errorf("got %g ns without interruptions, want %d", f.CallTime, calls*1350)
	}
}

// TestUnmeasuredScalars: a function of scalars has no tracer in calls that are not measured, and
// its counts are right.
func TestUnmeasuredScalars(t *testing.T) {
	stats := profiler.NewStats(profiler.Options{})
	p := profilertest.Linked(t, "func f(v0 float64)\n\tv1 = add v0 v0\n\treturn v1")
	all := []*profiler.Recorder{stats.Add(profiler.FunctionInfo{Program: p})}
	in := []*tensor.Dense{tensor.Scalar(kernels.Float64, 1)}
	const calls = 20_000
	without := 0
	for range calls {
		measured, traced := profiler.Begin(all)
		var tracer exec.Tracer
		if traced {
			tracer = all[0].Tracer()
		} else {
			without++
		}
		start := all[0].Now()
		_, err := p.Run(in, nil, tracer)
		profiler.End(all, measured, start, err)
	}
	f := stats.Clone().Functions[0]
	n := f.Nodes[0]
	if f.Calls != calls || f.Runs != calls || n.Calls != calls || n.Flops != calls || f.Unmeasured == 0 || int64(without) < f.Unmeasured || f.Untraced == f.Runs {
		t.Errorf("got %d calls, %d runs, %d of the node, %g flops; %d not measured, %d without a tracer, %d not traced", f.Calls, f.Runs, n.Calls, n.Flops, f.Unmeasured, without, f.Untraced)
	}
}

// TestUnmeasuredFailure: calls that fail are counted, measured or not.
func TestUnmeasuredFailure(t *testing.T) {
	s := newScript(t)
	s.chosen = true
	for range 2000 {
		s.call(false, 100, 600, 300)
	}
	for range 50 {
		measured, _ := profiler.Begin(s.recorders())
		profiler.End(s.recorders(), measured, s.now, errors.New("no"))
	}
	if f := s.stats.Clone().Functions[0]; f.Calls != 2000 || f.Failed != 50 {
		t.Errorf("got %d calls, %d failed", f.Calls, f.Failed)
	}
}

// TestSampledReset: after a reset the first calls are traced again, and nothing of those before is
// left.
func TestSampledReset(t *testing.T) {
	s := newScript(t)
	for range 3 {
		for range 5000 {
			s.call(false, 100, 600, 300)
		}
		before := s.traced
		s.stats.Reset()
		s.call(false, 700, 100, 100)
		if f := s.stats.Clone().Functions[0]; s.traced != before+1 || f.Runs != 1 || f.Untraced != 0 || f.Nodes[0].Time != 700 {
			t.Errorf("got %d runs, %d untraced, %g ns", f.Runs, f.Untraced, f.Nodes[0].Time)
		}
	}
}

// TestSampledWork: what nodes compute is counted for every call, also where the lengths of arrays
// change between calls.
func TestSampledWork(t *testing.T) {
	stats := profiler.NewStats(profiler.Options{})
	p := profilertest.Linked(t, "func f(v0 float64[?])\n\tv1 = add v0 v0\n\treturn v1")
	r := stats.Add(profiler.FunctionInfo{Program: p})
	var elements, calls float64
	for _, n := range []int{10, 200, 10, 3000} {
		in := []*tensor.Dense{tensor.New(kernels.Float64, n)}
		for range 3000 {
			measured, traced := profiler.Begin([]*profiler.Recorder{r})
			start := r.Now()
			if !traced {
				t.Fatal("a call whose shapes may be new has no tracer")
			}
			_, err := p.Run(in, nil, r.Tracer())
			if err != nil {
				t.Fatal(err)
			}
			profiler.End([]*profiler.Recorder{r}, measured, start, err)
			elements += float64(n)
			calls++
		}
	}
	f := stats.Clone().Functions[0]
	if n := f.Nodes[0]; n.Flops != elements || float64(n.Calls) != calls || float64(n.Counted) != calls {
		t.Errorf("got %g flops of %d calls, %d counted, want %g of %g", n.Flops, n.Calls, n.Counted, elements, calls)
	}
	if f.Untraced == 0 || f.Untraced == f.Runs || f.Unmeasured == 0 {
		t.Errorf("%d of %d runs were not traced, %d not measured", f.Untraced, f.Runs, f.Unmeasured)
	}
}
