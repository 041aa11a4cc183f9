package profiler_test

import (
	"errors"
	"math"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/arignote/arignote/profiler"
	"github.com/arignote/arignote/runtime/exec"
	"github.com/arignote/arignote/runtime/tensor"
)

// TestRun profiles the executor itself.
func TestRun(t *testing.T) {
	p := linked(t, threeNodes)
	s := profiler.NewStats(profiler.Options{Name: "real", Memory: true})
	r := s.Add(profiler.FunctionInfo{Name: "f", Program: p})
	const calls = 20
	for range calls {
		start := s.Now()
		out, err := p.Run(vectors(3, 1000), nil, r.Tracer())
		r.Call(s.Now()-start, err)
		if err != nil || len(out) != 1 {
			t.Fatalf("got %v, %v", out, err)
		}
	}
	f := s.Clone().Functions[0]
	if f.Calls != calls || f.Runs != calls {
		t.Errorf("got %d calls and %d runs, want %d", f.Calls, f.Runs, calls)
	}
	if thunks := f.ThunkTime(); !(thunks > 0 && thunks <= f.RunTime && f.RunTime <= f.CallTime) {
		t.Errorf("got thunks %g ns in runs %g ns in calls %g ns, want each to contain the one before", thunks, f.RunTime,
			f.CallTime)
	}
	for _, n := range f.Nodes {
		if n.Calls != calls || !(n.Min > 0 && n.Min <= n.Median() && n.Median() <= n.Max) || n.Impl != "Go" {
			t.Errorf("%s: got %d calls, min %g, median %g, max %g, %q", n.Text, n.Calls, n.Min, n.Median(), n.Max, n.Impl)
		}
		if flops, ok := n.FlopsPerCall(); !ok || flops != 1000 {
			t.Errorf("%s: got %g flops a call, want 1000", n.Text, flops)
		}
	}
	if b, _ := f.Nodes[0].BytesPerCall(); b != 3*8000 {
		t.Errorf("add(x, y): got %g bytes a call, want 24000", b)
	}
	if b, _ := f.Nodes[2].BytesPerCall(); b != 2*8000+8 {
		t.Errorf("mul(2.0, v): got %g bytes a call, want 16008", b)
	}
	checkText(t, s, text(t, s, profiler.TextOptions{}))
	roundTrip(t, s)
}

// TestFailedCall is D13: what a failed call ran must not turn up in later calls.
func TestFailedCall(t *testing.T) {
	s := profiler.NewStats(profiler.Options{Clock: still(), Memory: true})
	p := linked(t, threeNodes)
	r := s.Add(profiler.FunctionInfo{Name: "f", Program: p})
	clash := append(vectors(2, 3), vectors(1, 4)...) // the second node fails
	_, err := p.Run(clash, nil, r.Tracer())
	if err == nil {
		t.Fatal("got no error from shapes that clash")
	}
	r.Call(700, err)
	f := s.Functions[0]
	if f.Calls != 0 || f.Failed != 1 || f.FailedTime != 700 || f.ThunkTime() != 0 || f.RunTime != 0 || f.Nodes[0].Outputs != nil {
		t.Errorf("after a failed call: got %+v", f)
	}
	play2 := func(ns int64) {
		v := vectors(3, 3)
		for i := range 3 {
			r.Node(i, ns, v[:2], v[2:])
		}
		r.Run(3*ns, nil)
		r.Call(4*ns, nil)
	}
	play2(100)
	if got := f.Nodes[0].Time; got != 100 {
		t.Errorf("the first good call: got %g ns, want 100", got)
	}
	if f.Calls != 1 || f.CallTime != 400 {
		t.Errorf("got %d calls of %g ns, want 1 of 400", f.Calls, f.CallTime)
	}
	// An error before the run, such as a wrong argument.
	r.Call(50, errors.New("got 2 arguments, want 3"))
	if f.Calls != 1 || f.Failed != 2 || f.FailedTime != 750 {
		t.Errorf("got %d calls and %d failed ones of %g ns, want 1 and 2 of 750", f.Calls, f.Failed, f.FailedTime)
	}
	if got := text(t, s, profiler.TextOptions{}); !strings.Contains(got, "Time in 2 failed calls") {
		t.Errorf("the text does not count the failed calls:\n%s", got)
	}
}

// TestStaleTimes: a run that fails after some nodes ran leaves nothing behind for the next one.
func TestStaleTimes(t *testing.T) {
	s := profiler.NewStats(profiler.Options{Clock: still()})
	r := s.Add(profiler.FunctionInfo{Program: program(t, threeNodes, "C")})
	r.Node(0, 1000, nil, nil)
	r.Run(1000, errors.New("no"))
	r.Call(1000, errors.New("no"))
	play(r, 30, 40, 10, 10, 10)
	if got := s.Functions[0].Nodes[0]; got.Time != 10 || got.Calls != 1 || got.Max != 10 {
		t.Errorf("got %g ns in %d calls, at most %g; want 10 in 1", got.Time, got.Calls, got.Max)
	}
}

// TestLazyNode is D14: a node that runs twice in a run is one call.
func TestLazyNode(t *testing.T) {
	s := profiler.NewStats(profiler.Options{Clock: still()})
	r := s.Add(profiler.FunctionInfo{Program: program(t, threeNodes, "C")})
	r.Node(1, 5, nil, nil)
	r.Node(1, 7, nil, nil)
	r.Run(20, nil)
	r.Call(30, nil)
	n := s.Functions[0].Nodes[1]
	if n.Calls != 1 || n.Time != 12 {
		t.Errorf("got %d calls and %g ns, want 1 and 12", n.Calls, n.Time)
	}
	if rows := s.Rows(profiler.ByApply); len(rows) != 1 {
		t.Errorf("got %d rows, want 1: nodes that did not run are left out", len(rows))
	}
}

func TestIgnoreFirstCall(t *testing.T) {
	s := profiler.NewStats(profiler.Options{Clock: still(), IgnoreFirstCall: true})
	r := s.Add(profiler.FunctionInfo{Program: program(t, threeNodes, "C")})
	r.Call(5, errors.New("no"))
	play(r, 3000, 4000, 1000, 1000, 1000)
	play(r, 30, 40, 10, 10, 10)
	f := s.Functions[0]
	if f.Calls != 1 || f.CallTime != 40 || f.RunTime != 30 || f.ThunkTime() != 30 || f.Ignored != 1 || f.Failed != 1 || f.Nodes[0].Max != 10 {
		t.Errorf("got %+v", f)
	}
	r.Reset()
	play(r, 30, 40, 10, 10, 10)
	if f.Calls != 1 {
		t.Errorf("after Reset: got %d calls, want 1: the function is warm already", f.Calls)
	}
}

func TestReset(t *testing.T) {
	s := training(t, true)
	compile := s.Functions[0].Compile
	s.Reset()
	f := s.Functions[0]
	if f.Calls != 0 || f.ThunkTime() != 0 || f.Nodes[0].Outputs != nil || f.Compile.Total != compile.Total || f.Nodes[2].Thunk == 0 {
		t.Errorf("got %+v, want no calls and the times of compiling", f)
	}
	roundTrip(t, s)
}

// TestClockCost is D5: nanoseconds, net of the clock, and more than 0 for what ran.
func TestClockCost(t *testing.T) {
	var now int64
	c := profiler.NewClock(func() int64 { now += 30; return now })
	if got := c.Cost(); got != 30 {
		t.Fatalf("cost of a clock that takes 30 ns: got %g", got)
	}
	s := profiler.NewStats(profiler.Options{Clock: c})
	r := s.Add(profiler.FunctionInfo{Program: program(t, threeNodes, "C")})
	play(r, 400, 600, 130, 30, 20)
	f := s.Functions[0]
	if got := []float64{f.Nodes[0].Time, f.Nodes[1].Time,
		f.Nodes[2].Time}; got[0] != 100 || got[1] != profiler.MinNodeTime || got[2] != profiler.MinNodeTime {
		t.Errorf("got nodes of %v ns, want 100 and two of the least time", got)
	}
	// Seven of the readings lie in the run, nine in the call.
	if f.RunTime != 400-7*30 || f.CallTime != 600-9*30 {
		t.Errorf("got a run of %g ns in a call of %g ns, want 190 and 330", f.RunTime, f.CallTime)
	}
	if got := s.HTML(profiler.HTMLOptions{}); !strings.Contains(got, "Times are net of the clock, 30.0") {
		t.Errorf("the panel does not state the clock's cost:\n%s", got)
	}
	roundTrip(t, s)
}

func TestProcessClock(t *testing.T) {
	cost := profiler.NewStats(profiler.Options{}).ClockCost
	if !(cost > 0 && cost < 10_000) {
		t.Errorf("got a clock cost of %g ns", cost)
	}
	s := profiler.NewStats(profiler.Options{})
	if a, b := s.Now(), s.Now(); b < a {
		t.Errorf("the clock went from %d to %d", a, b)
	}
}

// TestConcurrent renders a profile while two functions run; go test -race looks on.
func TestConcurrent(t *testing.T) {
	s := profiler.NewStats(profiler.Options{Memory: true})
	var wg sync.WaitGroup
	for range 2 {
		p := linked(t, threeNodes)
		r := s.Add(profiler.FunctionInfo{Name: "f", Program: p})
		wg.Go(func() {
			for i := range 200 {
				start := s.Now()
				_, err := p.Run(vectors(3, 1+i%3), nil, r.Tracer())
				r.Call(s.Now()-start, err)
			}
		})
	}
	for range 20 {
		checkText(t, s.Clone(), text(t, s, profiler.TextOptions{}))
		s.HTML(profiler.HTMLOptions{})
		if _, err := s.MarshalJSON(); err != nil {
			t.Error(err)
		}
	}
	wg.Wait()
	if got := s.Total().Calls; got != 400 {
		t.Errorf("got %d calls, want 400", got)
	}
	roundTrip(t, s)
}

// TestChangingShapes: flops are counted call by call, and the operands are those of the last one.
func TestChangingShapes(t *testing.T) {
	p := linked(t, threeNodes)
	s := profiler.NewStats(profiler.Options{Clock: still(), Memory: true})
	r := s.Add(profiler.FunctionInfo{Program: p})
	for _, n := range []int{100, 300, 300, 200} {
		if _, err := p.Run(vectors(3, n), nil, r.Tracer()); err != nil {
			t.Fatal(err)
		}
		r.Call(0, nil)
	}
	n := s.Functions[0].Nodes[0]
	if n.Flops != 900 || n.Outputs[0].Shape[0] != 200 {
		t.Errorf("got %g flops and last shape %v, want 900 and (200,)", n.Flops, n.Outputs[0].Shape)
	}
}

// TestStaticWork: with all lengths known beforehand, work is counted without the memory profile.
func TestStaticWork(t *testing.T) {
	s := profiler.NewStats(profiler.Options{Clock: still()})
	r := s.Add(profiler.FunctionInfo{Program: program(t,
		"func f(x float32[20,30], y float32[30,40])\n\tv1 = dot x y\n\tv2 = dimshuffle{pattern=1 0} v1\n\treturn v2", "C")})
	play(r, 2000, 3000, 1000, 10)
	n := s.Functions[0].Nodes
	if flops, ok := n[0].FlopsPerCall(); !ok || flops < 47_000 || flops > 48_000 {
		t.Errorf("dot: got %g flops, want 48000 or little less", flops)
	}
	if b, _ := n[0].BytesPerCall(); b != 4*(600+1200+800) {
		t.Errorf("dot: got %g bytes, want %d", b, 4*2600)
	}
	if b, ok := n[1].BytesPerCall(); !ok || b != 0 {
		t.Errorf("a view: got %g bytes, want 0", b)
	}
	row := s.Rows(profiler.ByApply)[0]
	if g := row.GFlops(); math.Abs(g-row.Flops/1000) > 1e-12 {
		t.Errorf("got %g Gflop/s", g)
	}
	if n[0].Outputs != nil {
		t.Error("operands were recorded without being asked for")
	}
}

// BenchmarkTracer measures what profiling adds to a node: the tracer's part and, for each, two readings of the clock.
func BenchmarkTracer(b *testing.B) {
	for _, memory := range []bool{false, true} {
		name := "times"
		if memory {
			name = "memory"
		}
		b.Run(name, func(b *testing.B) {
			const nodes = 100
			src := "func f(x float64[?])\n\tv1 = exp x\n"
			for i := range nodes - 1 {
				src += "\tv" + itoa(i+2) + " = add v" + itoa(i+1) + " x\n"
			}
			src += "\treturn v" + itoa(nodes)
			p := program(b, src, "C")
			s := profiler.NewStats(profiler.Options{Memory: memory})
			r := s.Add(profiler.FunctionInfo{Program: p})
			var tracer exec.Tracer = r.Tracer()
			in, out := vectors(2, 10), vectors(1, 10)
			one := []*tensor.Dense{in[0]}
			b.ResetTimer()
			start := time.Now()
			for range b.N {
				for i := range nodes {
					ops := in
					if i == 0 {
						ops = one
					}
					t := tracer.Now()
					tracer.Node(i, tracer.Now()-t, ops, out)
				}
				tracer.Run(1, nil)
			}
			perNode := float64(time.Since(start).Nanoseconds()) / float64(b.N) / nodes
			b.ReportMetric(perNode, "ns/node")
			b.ReportMetric(perNode-2*s.ClockCost, "ns/node-without-clock")
			b.ReportMetric(s.ClockCost, "ns/clock")
		})
	}
}
