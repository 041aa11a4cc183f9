package profiler_test

import (
	"errors"
	"math"
	"runtime"
	"slices"
	"strconv"
	"strings"
	"sync"
	"testing"
	"time"
	"weak"

	"github.com/arignote/arignote/kernels"
	"github.com/arignote/arignote/profiler"
	"github.com/arignote/arignote/profiler/panel"
	"github.com/arignote/arignote/profiler/profilertest"
	"github.com/arignote/arignote/profiler/text"
	"github.com/arignote/arignote/runtime/exec"
	"github.com/arignote/arignote/runtime/tensor"
)

// TestRun profiles the executor itself.
func TestRun(t *testing.T) {
	p := profilertest.Linked(t, profilertest.ThreeNodes)
	s := profiler.NewStats(profiler.Options{Name: "real", Memory: true})
	r := s.Add(profiler.FunctionInfo{Name: "f", Program: p})
	const calls = 20
	began := time.Now()
	for range calls {
		start := s.Now()
		out, err := p.Run(profilertest.Vectors(3, 1000), nil, r.Tracer())
		r.Call(s.Now()-start, err)
		if err != nil || len(out) != 1 {
			t.Fatalf("got %v, %v", out, err)
		}
	}
	elapsed := float64(time.Since(began))
	f := s.Clone().Functions[0]
	if f.CallTime > 1.01*elapsed {
		t.Errorf("got calls of %g ns, want at most the %g ns that went by", f.CallTime, elapsed)
	}
	if f.Calls != calls || f.Runs != calls {
		t.Errorf("got %d calls and %d runs, want %d", f.Calls, f.Runs, calls)
	}
	const rounding = 1 + 1e-9
	if thunks := f.ThunkTime(); !(thunks > 0 && thunks <= f.RunTime*rounding && f.RunTime <= f.CallTime*rounding) {
		t.Errorf("got thunks %g ns in runs %g ns in calls %g ns, want each to contain the one before", thunks, f.RunTime,
			f.CallTime)
	}
	for _, n := range f.Nodes {
		if at := n.Spread(); n.Calls != calls || !(n.Min > 0 && n.Min <= at.P10 && at.P10 <= at.Median && at.Median <= at.P90 && at.P90 <= n.Max) || n.Impl != "Go" {
			t.Errorf("%s: got %d calls, min %g, %+v, max %g, %q", n.Text, n.Calls, n.Min, at, n.Max, n.Impl)
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
	profilertest.CheckText(t, s, must(text.Of(s, text.Options{})))
	profilertest.RoundTrip(t, s)
}

// TestFailedCall is D13: what a failed call ran must not turn up in later calls.
func TestFailedCall(t *testing.T) {
	s := profiler.NewStats(profiler.Options{Clock: profilertest.Still(), Memory: true})
	p := profilertest.Linked(t, profilertest.ThreeNodes)
	r := s.Add(profiler.FunctionInfo{Name: "f", Program: p})
	clash := append(profilertest.Vectors(2, 3), profilertest.Vectors(1, 4)...) // the second node fails
	_, err := p.Run(clash, nil, r.Tracer())
	if err == nil {
		t.Fatal("got no error from shapes that clash")
	}
	r.Call(700, err)
	f := s.Clone().Functions[0]
	if f.Calls != 0 || f.Failed != 1 || f.FailedTime != 700 || f.ThunkTime() != 0 || f.RunTime != 0 || f.Nodes[0].Outputs != nil {
		t.Errorf("after a failed call: got %+v", f)
	}
	v := profilertest.Vectors(3, 3)
	run := profilertest.Trace(100, 100, 100)
	run.Arrays = [][]*tensor.Dense{v, v, v}
	r.Run(run, nil)
	r.Call(400, nil)
	f = s.Clone().Functions[0]
	if got := f.Nodes[0].Time; got != 100 {
		t.Errorf("the first good call: got %g ns, want 100", got)
	}
	if f.Calls != 1 || f.CallTime != 400 {
		t.Errorf("got %d calls of %g ns, want 1 of 400", f.Calls, f.CallTime)
	}
	// An error before the run, such as a wrong argument.
	r.Call(50, errors.New("got 2 arguments, want 3"))
	f = s.Clone().Functions[0]
	if f.Calls != 1 || f.Failed != 2 || f.FailedTime != 750 {
		t.Errorf("got %d calls and %d failed ones of %g ns, want 1 and 2 of 750", f.Calls, f.Failed, f.FailedTime)
	}
	if got := must(text.Of(s, text.Options{})); !strings.Contains(got, "Time in 2 failed calls") {
		t.Errorf("the text does not count the failed calls:\n%s", got)
	}
}

// TestStaleTimes: a run that fails after some nodes ran leaves nothing behind for the next one.
func TestStaleTimes(t *testing.T) {
	s := profiler.NewStats(profiler.Options{Clock: profilertest.Still()})
	r := s.Add(profiler.FunctionInfo{Program: profilertest.Program(t, profilertest.ThreeNodes, "C")})
	r.Run(profilertest.Trace(1000), errors.New("no"))
	r.Call(1000, errors.New("no"))
	profilertest.Play(r, 40, 10, 10, 10)
	if got := s.Clone().Functions[0].Nodes[0]; got.Time != 10 || got.Calls != 1 || got.Max != 10 {
		t.Errorf("got %g ns in %d calls, at most %g; want 10 in 1", got.Time, got.Calls, got.Max)
	}
}

// TestSharedNode is D14: a node whose result several nodes read runs once in a run, and is one call
// of it.
func TestSharedNode(t *testing.T) {
	p := profilertest.Linked(t, "func f(x float64[?])\n v1 = exp x\n v2 = add v1 v1\n v3 = mul v2 v1\n return v3, v1")
	s := profiler.NewStats(profiler.Options{Memory: true})
	r := s.Add(profiler.FunctionInfo{Program: p})
	if _, err := p.Run(profilertest.Vectors(1, 3), nil, r.Tracer()); err != nil {
		t.Fatal(err)
	}
	for _, n := range s.Clone().Functions[0].Nodes {
		if n.Calls != 1 || len(n.Inputs) != len(n.In) || n.Outputs[0].Shape[0] != 3 {
			t.Errorf("%s: got %+v, want one call with operands of 3 elements", n.Text, n)
		}
	}
}

func TestIgnoreFirstCall(t *testing.T) {
	s := profiler.NewStats(profiler.Options{Clock: profilertest.Still(), IgnoreFirstCall: true})
	r := s.Add(profiler.FunctionInfo{Program: profilertest.Program(t, profilertest.ThreeNodes, "C")})
	r.Call(5, errors.New("no"))
	profilertest.Play(r, 4000, 1000, 1000, 1000)
	profilertest.Play(r, 40, 10, 10, 10)
	f := s.Clone().Functions[0]
	if f.Calls != 1 || f.CallTime != 40 || f.RunTime != 30 || f.ThunkTime() != 30 || f.Ignored != 1 || f.Failed != 1 || f.Nodes[0].Max != 10 {
		t.Errorf("got %+v", f)
	}
	r.Reset()
	profilertest.Play(r, 40, 10, 10, 10)
	f = s.Clone().Functions[0]
	if f.Calls != 1 || f.Nodes[0].Time != 10 || f.Nodes[0].Calls != 1 {
		t.Errorf("after Reset: got %d calls, want 1: the function is warm already", f.Calls)
	}
}

// TestWarmup leaves out as many calls as it is told; those that fail do not count.
func TestWarmup(t *testing.T) {
	s := profiler.NewStats(profiler.Options{Clock: profilertest.Still(), Warmup: 3, IgnoreFirstCall: true})
	r := s.Add(profiler.FunctionInfo{Program: profilertest.Program(t, profilertest.ThreeNodes, "C")})
	for i := range 5 {
		if got := s.Clone().Functions[0].Calls; got != int64(max(i-3, 0)) {
			t.Errorf("after %d calls: got %d counted", i, got)
		}
		r.Call(5, errors.New("no"))
		profilertest.Play(r, 40, 10, 10, 10)
	}
	f := s.Clone().Functions[0]
	if f.Calls != 2 || f.Ignored != 3 || f.Failed != 5 || f.CallTime != 80 || f.Nodes[0].Calls != 2 || f.FirstCall != 40 {
		t.Errorf("got %+v", f)
	}
	profilertest.RoundTrip(t, s)
}

func TestReset(t *testing.T) {
	s := profilertest.Training(t, true)
	compile := s.Functions[0].Compile
	s.Reset()
	f := s.Clone().Functions[0]
	if f.Calls != 0 || f.ThunkTime() != 0 || f.Nodes[0].Outputs != nil || f.Compile.Total != compile.Total || f.Nodes[2].Thunk == 0 {
		t.Errorf("got %+v, want no calls and the times of compiling", f)
	}
	profilertest.RoundTrip(t, s)
}

// TestClockCost is D5: nanoseconds, net of the clock, and more than 0 for what ran.
func TestClockCost(t *testing.T) {
	var now int64
	c := profiler.NewClock(func() int64 { now += 30; return now })
	if got := c.Cost(); got != 30 {
		t.Fatalf("cost of a clock that takes 30 ns: got %g", got)
	}
	s := profiler.NewStats(profiler.Options{Clock: c})
	r := s.Add(profiler.FunctionInfo{Program: profilertest.Program(t, profilertest.ThreeNodes, "C")})
	profilertest.Play(r, 600, 130, 30, 20)
	f := s.Clone().Functions[0]
	if got := []float64{f.Nodes[0].Time, f.Nodes[1].Time,
		f.Nodes[2].Time}; got[0] != 100 || got[1] != profiler.MinNodeTime || got[2] != profiler.MinNodeTime {
		t.Errorf("got nodes of %v ns, want 100 and two of the least time", got)
	}
	// The run is its nodes. Four of the readings belong to it, and one to the call.
	if f.RunTime != f.ThunkTime() || f.CallTime != 600-5*30 {
		t.Errorf("got a run of %g ns in a call of %g ns, want %g and 450", f.RunTime, f.CallTime, f.ThunkTime())
	}
	if got := panel.HTML([]*profiler.Stats{s}, panel.Options{}); !strings.Contains(got, "Times are net of the clock, 30.0") {
		t.Errorf("the panel does not state the clock's cost:\n%s", got)
	}
	profilertest.RoundTrip(t, s)
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
	// What a call takes is said in nanoseconds, whatever the clock counts.
	r := s.Add(profiler.FunctionInfo{Name: "f"})
	outer := time.Now()
	start := s.Now()
	inner := time.Now()
	time.Sleep(5 * time.Millisecond)
	least := time.Since(inner)
	r.Call(s.Now()-start, nil)
	most := time.Since(outer)
	if got := s.Clone().Functions[0].CallTime; got < 0.99*float64(least) || got > 1.01*float64(most) {
		t.Errorf("got a call of %g ns, want between %d and %d", got, least, most)
	}
}

// TestConcurrent renders a profile while two functions run; go test -race looks on.
func TestConcurrent(t *testing.T) {
	s := profiler.NewStats(profiler.Options{Memory: true})
	var wg sync.WaitGroup
	for range 2 {
		p := profilertest.Linked(t, profilertest.ThreeNodes)
		r := s.Add(profiler.FunctionInfo{Name: "f", Program: p})
		wg.Go(func() {
			for i := range 200 {
				start := s.Now()
				_, err := p.Run(profilertest.Vectors(3, 1+i%3), nil, r.Tracer())
				r.Call(s.Now()-start, err)
			}
		})
	}
	for range 20 {
		must(text.Of(s, text.Options{}))
		c := s.Clone()
		profilertest.CheckText(t, c, must(text.Of(c, text.Options{})))
		panel.HTML([]*profiler.Stats{s}, panel.Options{})
		if _, err := s.MarshalJSON(); err != nil {
			t.Error(err)
		}
	}
	wg.Wait()
	if got := s.Total().Calls; got != 400 {
		t.Errorf("got %d calls, want 400", got)
	}
	profilertest.RoundTrip(t, s)
}

// TestChangingShapes: flops are counted call by call, and the operands are those of the last one.
func TestChangingShapes(t *testing.T) {
	p := profilertest.Linked(t, profilertest.ThreeNodes)
	s := profiler.NewStats(profiler.Options{Clock: profilertest.Still(), Memory: true})
	r := s.Add(profiler.FunctionInfo{Program: p})
	check := func(n *profiler.Node, flops float64, shape int) {
		t.Helper()
		if n.Flops != flops || n.Counted != n.Calls || n.Inputs[1].Shape[0] != shape || n.Outputs[0].Shape[0] != shape {
			t.Errorf("got %g flops in %d of %d calls and last shapes %v and %v, want %g in all and (%d,)", n.Flops, n.Counted, n.Calls,
				n.Inputs[1].Shape, n.Outputs[0].Shape, flops, shape)
		}
	}
	run := func(lengths ...int) *profiler.Node {
		t.Helper()
		for _, n := range lengths {
			if _, err := p.Run(profilertest.Vectors(3, n), nil, r.Tracer()); err != nil {
				t.Fatal(err)
			}
			r.Call(0, nil)
		}
		return s.Clone().Functions[0].Nodes[0]
	}
	first := run(100, 300, 300, 200)
	check(first, 900, 200)
	check(run(50), 950, 50)
	check(first, 900, 200)
	r.Reset()
	check(run(50, 50), 100, 50)
}

// TestChangingLayouts: an operand is described as it was in the last run, also if all that changed
// is how it lies in its memory.
func TestChangingLayouts(t *testing.T) {
	p := profilertest.Linked(t, "func f(x float64[?,?])\n v1 = exp x\n return v1")
	s := profiler.NewStats(profiler.Options{Memory: true})
	r := s.Add(profiler.FunctionInfo{Program: p})
	all := tensor.New(kernels.Float64, 8, 4)
	base := all.View(kernels.Float64, []int{4, 4}, all.Strides(), 0)
	for _, a := range []*tensor.Dense{base, base.Transpose(), base, all.View(kernels.Float64, []int{4, 4}, all.Strides(), 32)} {
		if _, err := p.Run([]*tensor.Dense{a}, nil, r.Tracer()); err != nil {
			t.Fatal(err)
		}
		got := s.Clone().Functions[0].Nodes[0].Inputs[0]
		if !slices.Equal(got.Strides, a.Strides()) || got.Offset != a.Offset() {
			t.Errorf("got strides %v and offset %d, want %v and %d", got.Strides, got.Offset, a.Strides(), a.Offset())
		}
	}
}

// TestKeepsNoArrays: a profile of memory describes the arrays of the last run and does not keep
// them.
func TestKeepsNoArrays(t *testing.T) {
	p := profilertest.Linked(t, profilertest.ThreeNodes)
	r := profiler.NewStats(profiler.Options{Memory: true}).Add(profiler.FunctionInfo{Program: p})
	var held []weak.Pointer[tensor.Dense]
	func() {
		in := profilertest.Vectors(3, 5)
		out, err := p.Run(in, nil, r.Tracer())
		if err != nil {
			t.Fatal(err)
		}
		for _, a := range append(in, out...) {
			held = append(held, weak.Make(a))
		}
	}()
	runtime.GC()
	for i, w := range held {
		if w.Value() != nil {
			t.Errorf("array %d is still there", i)
		}
	}
	runtime.KeepAlive(r)
	runtime.KeepAlive(p)
}

// TestStaticWork: with all lengths known beforehand, work is counted without the memory profile.
func TestStaticWork(t *testing.T) {
	s := profiler.NewStats(profiler.Options{Clock: profilertest.Still()})
	r := s.Add(profiler.FunctionInfo{Program: profilertest.Program(t,
		"func f(x float32[20,30], y float32[30,40])\n\tv1 = dot x y\n\tv2 = dimshuffle{pattern=1 0} v1\n\treturn v2", "C")})
	profilertest.Play(r, 3000, 1000, 10)
	s = s.Clone()
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

// BenchmarkProfileCost measures what profiling adds to a node: the same program of tiny nodes runs
// in turn without a profile, with one, and with one of memory too. What is reported is the median
// of the rounds.
func BenchmarkProfileCost(b *testing.B) {
	const nodes, runs = 20, 25
	src := "func f(x float64)\n\tv1 = add x x\n"
	for i := range nodes - 1 {
		src += "\tv" + strconv.Itoa(i+2) + " = add v" + strconv.Itoa(i+1) + " x\n"
	}
	src += "\treturn v" + strconv.Itoa(nodes)
	ways := []struct {
		name  string
		stats *profiler.Stats
	}{
		{"plain-ns/node", nil},
		{"profile-ns/node", profiler.NewStats(profiler.Options{})},
		{"memory-ns/node", profiler.NewStats(profiler.Options{Memory: true})},
	}
	var programs []*exec.Program
	var tracers []exec.Tracer
	for _, w := range ways {
		p := profilertest.Linked(b, src)
		programs, tracers = append(programs, p), append(tracers, w.stats.Add(profiler.FunctionInfo{Program: p}).Tracer())
	}
	in := []*tensor.Dense{tensor.Scalar(kernels.Float64, 1)}
	times := make([][]float64, len(ways)) // of the rounds: of the first way, and what the others take more
	for b.Loop() {
		var plain float64
		for i, p := range programs {
			start := time.Now()
			for range runs {
				if _, err := p.Run(in, nil, tracers[i]); err != nil {
					b.Fatal(err)
				}
			}
			ns := float64(time.Since(start).Nanoseconds()) / runs / nodes
			times[i] = append(times[i], ns-plain)
			if i == 0 {
				plain = ns
			}
		}
	}
	for i, w := range ways {
		slices.Sort(times[i])
		b.ReportMetric(times[i][len(times[i])/2], w.name)
	}
	b.ReportMetric(ways[1].stats.ClockCost, "ns/reading")
}

// TestCallMedian: the median of the calls is that of those that count.
func TestCallMedian(t *testing.T) {
	s := profiler.NewStats(profiler.Options{Clock: profilertest.Still(), IgnoreFirstCall: true})
	r := s.Add(profiler.FunctionInfo{Program: profilertest.Program(t, profilertest.ThreeNodes, "C")})
	if got := s.Clone().Functions[0].Spread().Median; got != 0 {
		t.Errorf("without calls: got %v, want 0", got)
	}
	for _, ns := range []int64{1e9, 1000, 900, 40_000, 1100, 1050} {
		profilertest.Play(r, ns, 1, 1, 1)
	}
	r.Call(1e9, errors.New("no"))
	f := s.Clone().Functions[0]
	if got := f.Spread().Median; got < 0.94*1050 || got > 1.06*1050 || f.Calls != 5 {
		t.Errorf("got %v ns of %d calls, want 1050 of 5", got, f.Calls)
	}
	profilertest.RoundTrip(t, s)
	r.Reset()
	if got := s.Clone().Functions[0].Spread().Median; got != 0 {
		t.Errorf("after a reset: got %v, want 0", got)
	}
}

// TestSumsNest: a run is the sum of its nodes, added up in another order; rounding must not make
// the part more than the whole.
func TestSumsNest(t *testing.T) {
	s := profiler.NewStats(profiler.Options{Clock: profilertest.Still()})
	r := s.Add(profiler.FunctionInfo{Program: profilertest.Program(t, profilertest.ThreeNodes, "C")})
	for i := range int64(1000) {
		profilertest.Play(r, 0, i*i%3, i%2, i%5) // what took 0 ns counts a tenth, which is not a binary fraction
		if f := s.Clone().Functions[0]; !(f.ThunkTime() <= f.RunTime && f.RunTime <= f.CallTime) {
			t.Fatalf("after %d calls: nodes %v ns, runs %v ns, calls %v ns", i+1, f.ThunkTime(), f.RunTime, f.CallTime)
		}
	}
}

// must is what a view returned, which does not fail here.
func must(s string, err error) string {
	if err != nil {
		panic(err)
	}
	return s
}

// TestTotalRounding: sums of several functions are rounded in another order than those of all
// nodes; a part still takes no more than the whole.
func TestTotalRounding(t *testing.T) {
	s := &profiler.Stats{}
	for i := range 50 {
		f := &profiler.Function{Calls: 1, Runs: 1}
		for j := range 7 {
			f.Nodes = append(f.Nodes, &profiler.Node{Calls: 1, Time: 0.1 * float64(1+j)})
		}
		f.RunTime = f.ThunkTime()
		f.CallTime = f.RunTime
		s.Functions = append(s.Functions, f)
		if total := s.Total(); total.ThunkTime() > total.RunTime || total.RunTime > total.CallTime {
			t.Fatalf("%d functions: got %g ns in nodes, %g in runs and %g in calls", i+1, total.ThunkTime(), total.RunTime, total.CallTime)
		}
	}
}
