package profiler_test

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/arignote/arignote/profiler"
	"github.com/arignote/arignote/profiler/export"
	"github.com/arignote/arignote/profiler/panel"
	"github.com/arignote/arignote/profiler/profilertest"
	"github.com/arignote/arignote/profiler/text"
	"github.com/arignote/arignote/runtime/tensor"
)

// played is a profile of three nodes on three lines, whose calls take what times says of each call;
// a call takes outside more than its nodes.
func played(t *testing.T, calls int, times func(call int) (nodes [3]int64, outside int64)) *profiler.Stats {
	t.Helper()
	s := profiler.NewStats(profiler.Options{Name: "train", Clock: profilertest.Still()})
	p := profilertest.Program(t, `func f(x float64[?])
	v1 = tanh x                     # net.star:5:9
	v2 = exp v1                     # net.star:6:9
	v3 = mul float64[1](2.0) v2     # net.star:7:9
	return v3`, "C")
	r := s.Add(profiler.FunctionInfo{Name: "train", Program: p})
	for call := range calls {
		nodes, outside := times(call)
		profilertest.Play(r, nodes[0]+nodes[1]+nodes[2]+outside, nodes[:]...)
	}
	return s
}

// order is what a profile calls its lines, the most expensive first.
func order(s *profiler.Stats) (lines []int) {
	for _, r := range s.Lines(false) {
		lines = append(lines, r.Line)
	}
	return lines
}

// TestInterruption: 108 ms of one call of 2,000 change neither the order of the lines nor their
// times, and the row says what was left out. What was measured is in the classic layouts, and in
// what is kept.
func TestInterruption(t *testing.T) {
	const calls = 2000
	steady := func(call int) ([3]int64, int64) { return [3]int64{20_000, 9_000, 300}, 700 }
	clean := played(t, calls, steady).Steady()
	s := played(t, calls, func(call int) ([3]int64, int64) {
		nodes, outside := steady(call)
		switch call {
		case 1234:
			nodes[2] += 108_000_000
		case 1500:
			outside += 50_000_000
		}
		return nodes, outside
	})
	if got := order(s.Clone()); got[0] != 7 {
		t.Fatalf("as measured: got lines %v, want line 7 first, or the test says nothing", got)
	}
	got := s.Steady()
	if a, b := order(got), order(clean); !slices.Equal(a, b) || !slices.Equal(a, []int{5, 6, 7}) {
		t.Errorf("got lines %v, without the interruption %v, want 5, 6, 7", a, b)
	}
	f, want := got.Functions[0], clean.Functions[0]
	if !near(f.CallTime, want.CallTime) || !near(f.RunTime, want.RunTime) || f.Calls != calls {
		t.Errorf("got %v ns in %d calls and %v in runs, want %v and %v", f.CallTime, f.Calls, f.RunTime, want.CallTime, want.RunTime)
	}
	for i, n := range f.Nodes {
		if !near(n.Time, want.Nodes[i].Time) {
			t.Errorf("node %d: got %v ns, want %v", i, n.Time, want.Nodes[i].Time)
		}
	}
	if again := got.Steady(); again.Functions[0].CallTime != f.CallTime {
		t.Errorf("steady twice: got %v ns, want %v", again.Functions[0].CallTime, f.CallTime)
	}
	const note = "1 of 2\u202f000 calls took 108 ms: left out"
	own, err := text.Of(s, text.Options{Layout: text.Arignote})
	if err != nil {
		t.Fatal(err)
	}
	for name, page := range map[string]string{"text": own, "panel": panel.HTML([]*profiler.Stats{s}, panel.Options{})} {
		plain := strings.NewReplacer("\u202f", " ", "\u00a0", " ").Replace(page)
		if want := strings.NewReplacer("\u202f", " ").Replace(note); strings.Count(plain, want) < 3 {
			t.Errorf("%s: want rows of a line, an op and a node that say %q, got\n%s", name, want, plain)
		}
	}
	brief := must(text.Of(s, text.Options{Layout: text.Arignote, Brief: true}))
	for head, want := range map[string]string{own: "time      218 ms, without what is left out 60.0 ms = ", brief: "calls     2000 in 218 ms, without what is left out 60.0 ms = "} {
		if !strings.Contains(head, "left out  158 ms of 218 ms measured (72.5 %)") || !strings.Contains(head, want) {
			t.Errorf("want a head that says what was left out and %q, got\n%s", want, head)
		}
	}
	classic, err := text.Of(s, text.Options{})
	if err != nil {
		t.Fatal(err)
	}
	if !strings.Contains(classic, "Time in 2000 calls to Function.__call__: 2.180000e-01s") {
		t.Errorf("want what was measured in the classic layout, got\n%s", classic)
	}
	profilertest.RoundTrip(t, s)
	profilertest.CheckText(t, s, classic)
	profilertest.CheckText(t, s, own)
	var csv strings.Builder
	if err := export.CSV(&csv, []*profiler.Stats{s}, profiler.View{By: []profiler.By{profiler.ByApply}}); err != nil {
		t.Fatal(err)
	}
	if row := strings.Split(csv.String(), "\n")[3]; !strings.Contains(row, ",600000,") || !strings.Contains(row, "1.08e+08") {
		t.Errorf("CSV: got %s, want 600000 ns of which 108 ms were left out", row)
	}
}

// TestSlowCalls: what counts as an interruption, and what is the program's own.
func TestSlowCalls(t *testing.T) {
	const ns = 10_000
	for _, c := range []struct {
		name string
		time func(call int) int64
		slow int64
	}{
		{"equal", func(int) int64 { return ns }, 0},
		{"a fifth are interrupted", func(call int) int64 { return ns + 4_000_000*int64(1-min(call%5, 1)) }, 20},
		{"a third take long", func(call int) int64 { return ns + 4_000_000*int64(1-min(call%3, 1)) }, 0},
		{"twice as long is no interruption", func(call int) int64 { return ns + ns*int64(1-min(call%10, 1)) }, 0},
		{"thrice as long is one", func(call int) int64 { return ns + 2*ns*int64(1-min(call%10, 1)) }, 10},
		{"the first is cold", func(call int) int64 { return ns + 90_000*int64(1-min(call, 1)) }, 1},
		{"the clock's own noise", func(call int) int64 { return 2 + 900*int64(1-min(call%10, 1)) }, 0},
	} {
		s := played(t, 100, func(call int) ([3]int64, int64) { return [3]int64{c.time(call), ns, ns}, 0 }).Clone()
		if n := s.Functions[0].Nodes[0]; n.Slow != c.slow {
			t.Errorf("%s: got %d slow calls that took %v ns, want %d", c.name, n.Slow, n.SlowTime, c.slow)
		}
	}
	if n := played(t, 3, func(call int) ([3]int64, int64) { return [3]int64{ns, ns, ns << (10 * call)}, 0 }).Clone().Functions[0].Nodes[2]; n.Slow != 0 {
		t.Errorf("got %d slow calls of three, want none: nobody knows which is usual", n.Slow)
	}
}

// TestLongOperands: a call that has more to do takes longer. That is no interruption, however
// seldom; what takes longer still is.
func TestLongOperands(t *testing.T) {
	s := profiler.NewStats(profiler.Options{Clock: profilertest.Still()})
	p := profilertest.Program(t, "func f(x float64[?])\n\tv1 = tanh x\n\treturn v1", "C")
	r := s.Add(profiler.FunctionInfo{Program: p})
	for call := range 100 {
		n, ns := 100, int64(10_000)
		if call%20 == 7 { // the validation, once in an epoch
			n, ns = 100_000, 10_000_000
		}
		if call == 50 {
			ns = 100_000_000
		}
		x := profilertest.Vectors(2, n)
		run := profilertest.Trace(ns)
		run.Shapes, run.Arrays = int64(call), [][]*tensor.Dense{x}
		r.Run(run, nil)
		r.Call(ns, nil)
	}
	if n := s.Clone().Functions[0].Nodes[0]; n.Slow != 1 || n.SlowTime != 100_000_000 {
		t.Errorf("got %d slow calls that took %v ns, want the one of 100 ms", n.Slow, n.SlowTime)
	}
	r.Reset() // what was seen before does not excuse what comes
	for call := range 100 {
		x := profilertest.Vectors(2, 100)
		run := profilertest.Trace(10_000 + 10_000_000*int64(1-min(call%20, 1)))
		run.Arrays = [][]*tensor.Dense{x}
		r.Run(run, nil)
		r.Call(20_000_000, nil)
	}
	if n := s.Clone().Functions[0].Nodes[0]; n.Slow != 5 {
		t.Errorf("after a reset: got %d slow calls, want 5", n.Slow)
	}
}

// TestSteadyNests: without slow calls parts take no more than the whole, lines add up to nodes, and
// nothing is negative, whatever the profile.
func TestSteadyNests(t *testing.T) {
	for seed := range uint64(200) {
		rnd := rand.New(rand.NewPCG(seed, 3))
		s := profilertest.Random(rnd)
		for _, f := range s.Functions {
			f.Slow, f.SlowTime = 1, rnd.Float64()*(f.CallTime-f.RunTime)
			for _, n := range f.Nodes {
				n.Slow, n.SlowTime = rnd.Int64N(n.Calls+1), rnd.Float64()*n.Time
			}
			slowShapes(rnd, f)
			parts(t, f)
		}
		for _, f := range s.Steady().Functions {
			parts(t, f)
		}
		got, measured := s.Steady().Total(), s.Total()
		if got.CallTime > measured.CallTime*(1+1e-9) || got.RunTime > got.CallTime || got.ThunkTime() > got.RunTime || got.ThunkTime() < 0 {
			t.Errorf("seed %d: got %v ns in calls, %v in runs, %v in nodes, measured %v", seed, got.CallTime, got.RunTime, got.ThunkTime(), measured.CallTime)
		}
		var sum float64
		for _, r := range s.Steady().Lines(false) {
			sum += r.Time
			if at := r.Spread; at.P10 > at.Median || at.Median > at.P90 {
				t.Errorf("seed %d: line %d: got %+v", seed, r.Line, at)
			}
		}
		if !near(sum, got.ThunkTime()) {
			t.Errorf("seed %d: lines take %v ns, want %v", seed, sum, got.ThunkTime())
		}
	}
}

// TestSpread: half of the calls take the median, nine of ten p90, to 6 %; and a line takes what its
// parts take in a call.
func TestSpread(t *testing.T) {
	s := played(t, 1000, func(call int) ([3]int64, int64) { return [3]int64{10_000 + int64(call), 20_000, 5_000}, 0 }).Clone()
	for i, want := range []profiler.Spread{{P10: 10_100, Median: 10_500, P90: 10_900}, {P10: 20_000, Median: 20_000, P90: 20_000}} {
		got := s.Functions[0].Nodes[i].Spread()
		for _, c := range [][2]float64{{got.P10, want.P10}, {got.Median, want.Median}, {got.P90, want.P90}} {
			if c[0] < 0.94*c[1] || c[0] > 1.06*c[1] {
				t.Errorf("node %d: got %+v, want %+v", i, got, want)
			}
		}
		if line := s.Lines(false)[1-i].Spread; fmt.Sprintf("%.3f", line.P90) != fmt.Sprintf("%.3f", got.P90) {
			t.Errorf("its line: got %+v, want %+v", line, got)
		}
	}
}

// TestUsage: the processors are read from the first call to the last, not while nobody calls, and a
// busy machine is told.
func TestUsage(t *testing.T) {
	var now time.Duration // of the wall
	busy := 0.9           // of the second processor, by others
	var capacity, idle time.Duration
	pass := func(d time.Duration) {
		now += d
		capacity += 2 * d
		idle += time.Duration((1 - busy) * float64(d))
	}
	read := 0
	s := profiler.NewStats(profiler.Options{Name: "train", Clock: profiler.NewClock(func() int64 { return int64(now) }), Usage: func() profiler.Usage {
		read++
		return profiler.Usage{Wall: now, CPU: now, Capacity: capacity, Idle: idle}
	}})
	r := s.Add(profiler.FunctionInfo{Name: "train", Program: profilertest.Program(t, profilertest.ThreeNodes, "C")})
	if s.Clone().Usage != nil {
		t.Error("got a usage before the first call")
	}
	pass(time.Hour) // until somebody calls
	for range 1000 {
		tracer := r.Tracer()
		start := r.Now()
		pass(time.Millisecond)
		tracer.Run(profilertest.Trace(300_000, 300_000, 300_000), nil)
		r.Call(r.Now()-start, nil)
	}
	got := s.Clone().Usage
	pass(time.Hour) // until somebody looks
	if later := s.Clone().Usage; got == nil || *later != *got {
		t.Fatalf("got %+v and after an hour %+v, want the same", got, later)
	}
	if got.Wall != time.Second || got.CPU != time.Second || got.Others() < 890*time.Millisecond || got.Others() > 910*time.Millisecond || read > 15 {
		t.Errorf("got %+v, others %v, after %d readings, want a second of wall and CPU time and 900 ms of others in a dozen readings", *got, got.Others(), read)
	}
	own, err := text.Of(s, text.Options{Layout: text.Arignote})
	if err != nil {
		t.Fatal(err)
	}
	own = strings.Join(strings.Fields(own), " ")
	for _, want := range []string{"wall 1.00 s from the first call to the last, of which this program had 1.00 s of CPU",
		"the machine was busy: other programs took 45 % of the processors"} {
		if !strings.Contains(own, want) {
			t.Errorf("want %q in the text, got\n%s", want, own)
		}
	}
	if h := panel.HTML([]*profiler.Stats{s}, panel.Options{}); !strings.Contains(h, "The machine was busy: other programs took 45 % of the processors.") {
		t.Error("the panel does not say that the machine was busy")
	}
	profilertest.RoundTrip(t, s)
	s.Reset()
	if s.Clone().Usage != nil {
		t.Error("got a usage after a reset")
	}
	if u := (profiler.Usage{CPU: time.Second}); u.Busy() != "" || u.Others() != 0 {
		t.Error("got a busy machine where the system says nothing")
	}
}

// TestRunTime: a run takes what was measured around its nodes, the fetching of inputs and results
// included, less the readings of the clock; an interruption there is left out too.
func TestRunTime(t *testing.T) {
	var now, cost int64 = 0, 10
	s := profiler.NewStats(profiler.Options{Clock: profiler.NewClock(func() int64 { now += cost; return now })})
	r := s.Add(profiler.FunctionInfo{Program: profilertest.Program(t, profilertest.ThreeNodes, "C")})
	const calls = 100
	for call := range calls {
		run := profilertest.Trace(1010, 2010, 3010) // each with a reading
		run.Enter, run.Leave = run.Start-210, run.Ends[2]+310
		if call == 50 {
			run.Leave += 1_000_000
		}
		r.Run(run, nil)
		r.Call(run.Leave-run.Enter+400, nil)
	}
	f := s.Clone().Functions[0]
	// Between Enter and Leave: 6000 of nodes, 500 around them, and a reading at each of five ends
	// of what lies between.
	if want := calls*6500.0 + 1_000_000; !near(f.RunTime, want) || !near(f.ThunkTime(), calls*6000) {
		t.Errorf("got %v ns in runs and %v in nodes, want %v and %v", f.RunTime, f.ThunkTime(), want, calls*6000)
	}
	if f = s.Steady().Functions[0]; !near(f.RunTime, calls*6500) {
		t.Errorf("steady: got %v ns in runs, want %v", f.RunTime, calls*6500)
	}
	profilertest.RoundTrip(t, s)
}
