package profiler_test

import (
	"errors"
	"fmt"
	"math"
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/arignote/arignote/kernels"
	"github.com/arignote/arignote/profiler"
	"github.com/arignote/arignote/profiler/export"
	"github.com/arignote/arignote/profiler/panel"
	"github.com/arignote/arignote/profiler/profilertest"
	"github.com/arignote/arignote/profiler/text"
	"github.com/arignote/arignote/profiler/units"
	"github.com/arignote/arignote/runtime/tensor"
)

// A shaped function has two nodes of one argument, whose length is n in a call.
type shaped struct {
	stats *profiler.Stats
	r     *profiler.Recorder
	seen  int64
}

func newShaped(t *testing.T, name string) *shaped {
	t.Helper()
	s := &shaped{stats: profiler.NewStats(profiler.Options{Clock: profilertest.Still()})}
	s.r = s.stats.Add(profiler.FunctionInfo{Name: name,
		Program: profilertest.Program(t, "func f(x float64[?])\n\tv1 = tanh x\n\tv2 = exp v1\n\treturn v2", "C")})
	return s
}

// call plays one whose nodes take so long, with 100 ns beside them in the run and 200 beside that.
func (s *shaped) call(n int, a, b int64, err error) {
	s.seen++
	run := profilertest.Trace(a, b)
	x, y, z := tensor.New(kernels.Float64, n), tensor.New(kernels.Float64, n), tensor.New(kernels.Float64, n)
	run.Shapes, run.Arrays = s.seen, [][]*tensor.Dense{{x, y}, {y, z}}
	run.Enter, run.Leave = run.Start-40, run.Ends[1]+60
	s.r.Run(run, err)
	s.r.Call(a+b+300, err)
}

// TestBimodalCalls: large calls are the program's own, though they are few and take a hundred times
// as long as the others and more than their work explains. Only calls that took longer than others
// of the same shapes are left out.
func TestBimodalCalls(t *testing.T) {
	play := func(small, large int64) *profiler.Stats { // what one call of each takes more
		s := newShaped(t, "f")
		for i := range 300 {
			n, ns := 20, int64(1000)
			if i%30 == 1 {
				n, ns = 300, 400_000
			}
			switch i {
			case 100:
				ns += small
			case 151:
				ns += large
			}
			s.call(n, ns, 2*ns, nil)
		}
		return s.stats
	}
	const node = 290*1000 + 10*400_000
	const calls = 3*node + 300*300
	for _, c := range []struct {
		name         string
		small, large int64
		slow         int64
	}{{"nothing", 0, 0, 0}, {"a small call", 300_000, 0, 1}, {"a large call", 0, 90_000_000, 1}, {"both", 300_000, 90_000_000, 2}} {
		s := play(c.small, c.large)
		measured, steady := s.Clone().Functions[0], s.Steady().Functions[0]
		if !near(measured.CallTime, float64(calls+3*(c.small+c.large))) || !near(steady.CallTime, calls) {
			t.Errorf("%s: got %v ns measured, %v steady, want %v and %v", c.name, measured.CallTime, steady.CallTime, calls+3*(c.small+c.large), calls)
		}
		for i, n := range steady.Nodes {
			if n.Slow != c.slow || !near(n.Time, float64(node*(i+1))) {
				t.Errorf("%s: node %d: got %v ns and %d slow calls, want %v and %d", c.name, i, n.Time, n.Slow, node*(i+1), c.slow)
			}
		}
		rows := s.Steady().ShapeRows()
		if len(rows) != 2 || rows[0].Name != "(300,)" || rows[0].Calls != 10 || !near(rows[0].Time, 10*(3*400_000+300)) ||
			rows[1].Name != "(20,)" || rows[1].Calls != 290 || !near(rows[1].PerCall, 3300) {
			t.Errorf("%s: got rows %+v", c.name, rows)
		}
		if over := rows[0].Over + rows[1].Over; math.Abs(over-3*float64(c.small+c.large)) > 1 {
			t.Errorf("%s: got %v ns left out of the rows, want %v", c.name, over, 3*(c.small+c.large))
		}
		shown(t, s, rows)
		profilertest.RoundTrip(t, s)
		if sum := profiler.Sum(s, newShaped(t, "g").stats).Steady().ShapeRows(); len(sum) != 2 || sum[0] != rows[0] || sum[1] != rows[1] {
			t.Errorf("%s: a sum has %+v, want %+v", c.name, sum, rows)
		}
	}
}

// shown checks that text, panel, page and CSV have the rows, and the classic layouts do not.
func shown(t *testing.T, s *profiler.Stats, rows []profiler.ShapeRow) {
	t.Helper()
	own, classic := must(text.Of(s, text.Options{Layout: text.Arignote})), must(text.Of(s, text.Options{}))
	profilertest.CheckText(t, s, own)
	profilertest.CheckText(t, s, classic)
	table := profilertest.Parse(own).Section("Shapes")
	if table == nil || len(table.Rows) != len(rows) || strings.Contains(classic, "(300,)") {
		t.Fatalf("got no table of %d shapes, or one in the classic layout, in\n%s\n%s", len(rows), own, classic)
	}
	var csv strings.Builder
	if err := export.CSV(&csv, []*profiler.Stats{s}, profiler.View{By: []profiler.By{profiler.ByShape}}); err != nil {
		t.Fatal(err)
	}
	lines := strings.Split(csv.String(), "\n")
	page := panel.HTML([]*profiler.Stats{s}, panel.Options{})
	for i, r := range rows {
		got := table.Rows[i]
		if got.Name != r.Name || got.Calls != r.Calls || !about(got.Time, r.Time*1e-9, 0.01) || !about(got.Percent, 100*r.Fraction, 0.01) {
			t.Errorf("text: got %+v, want %+v", got, r)
		}
		if line := lines[i+1]; !strings.HasSuffix(line, `,f,"`+r.Name+`"`) || !strings.Contains(line, fmt.Sprintf(",%d,", r.Calls)) {
			t.Errorf("CSV: got %s, want %+v", line, r)
		}
		if !strings.Contains(page, ">"+units.Human(units.Times, r.PerCall)+"</td>") || !strings.Contains(page, `monospace"><div align="left">`+r.Name+"</div>") {
			t.Errorf("panel: want %+v in\n%s", r, page)
		}
	}
	for name, other := range map[string]string{"text": must(text.Of(s, text.Options{Layout: text.Arignote, By: []profiler.By{profiler.ByOp}})),
		"panel": panel.HTML([]*profiler.Stats{s}, panel.Options{By: []profiler.By{profiler.ByOp}})} {
		if strings.Contains(other, "Shapes") {
			t.Errorf("%s: got the shapes of a view by op", name)
		}
	}
}

// parts checks that what the shapes of a function have adds up to what it has.
func parts(t *testing.T, f *profiler.Function) {
	t.Helper()
	if len(f.Shapes) == 0 {
		return
	}
	var calls, runs, slow int64
	var time, beside float64
	for _, s := range f.Shapes {
		calls, runs, time, slow = calls+s.Calls, runs+s.Runs, time+s.Time, slow+s.Slow
		beside += s.Outside + s.Loop
	}
	if calls != f.Calls || runs != f.Runs || slow != f.Slow || !near(time, f.CallTime) || !near(beside, f.CallTime-f.ThunkTime()) {
		t.Errorf("shapes have %d calls, %d runs, %d slow, %v ns, %v beside nodes, want %d, %d, %d, %v, %v",
			calls, runs, slow, time, beside, f.Calls, f.Runs, f.Slow, f.CallTime, f.CallTime-f.ThunkTime())
	}
	for i, n := range f.Nodes {
		var calls, slow int64
		var time, slowTime float64
		for _, s := range f.Shapes {
			m := s.Nodes[i]
			calls, time, slow, slowTime = calls+m.Calls, time+m.Time, slow+m.Slow, slowTime+m.SlowTime
		}
		if calls != n.Calls || slow != n.Slow || !near(time, n.Time) || !near(slowTime, n.SlowTime) {
			t.Errorf("node %d: shapes have %d calls, %v ns, of them %d slow and %v ns, want %d, %v, %d, %v", i, calls, time, slow, slowTime, n.Calls, n.Time, n.Slow, n.SlowTime)
		}
		for _, inner := range n.Inner {
			parts(t, inner)
		}
	}
}

// slowShapes makes calls of each of f's shapes slow, and f have as many.
func slowShapes(rnd *rand.Rand, f *profiler.Function) {
	if f.Shapes == nil {
		return
	}
	f.Slow, f.SlowTime = 0, 0
	for _, n := range f.Nodes {
		n.Slow, n.SlowTime = 0, 0
	}
	for k := range f.Shapes {
		s := &f.Shapes[k]
		s.Slow, s.SlowTime = rnd.Int64N(s.Calls+1), rnd.Float64()*s.Outside
		s.LoopSlow, s.LoopSlowTime = rnd.Int64N(s.Runs+1), rnd.Float64()*s.Loop
		f.Slow, f.SlowTime = f.Slow+s.Slow, f.SlowTime+s.SlowTime
		for i := range s.Nodes {
			n := &s.Nodes[i]
			n.Slow, n.SlowTime = rnd.Int64N(n.Calls+1), rnd.Float64()*n.Time
			f.Nodes[i].Slow, f.Nodes[i].SlowTime = f.Nodes[i].Slow+n.Slow, f.Nodes[i].SlowTime+n.SlowTime
		}
	}
}

// TestShapesAddUp: whatever the order of the shapes, however many, and whichever calls fail, what
// was measured is what a recorder without groups had, and groups divide it, steady or not.
func TestShapesAddUp(t *testing.T) {
	for seed := range uint64(100) {
		rnd := rand.New(rand.NewPCG(seed, 5))
		s := newShaped(t, "f")
		lengths := 1 + rnd.IntN(12)
		var want [2]struct{ sum, least, most float64 }
		var calls int64
		byLength := make(map[int]int64)
		for range rnd.IntN(400) {
			n := 1 + rnd.IntN(lengths)
			if rnd.IntN(200) == 0 {
				s.r.Reset()
				clear(byLength)
				calls, want = 0, [2]struct{ sum, least, most float64 }{}
			}
			ns := [2]int64{1 + rnd.Int64N(100)*int64(n), 1 + int64(1000*rnd.ExpFloat64())}
			var err error
			if rnd.IntN(20) == 0 {
				err = errors.New("no")
			}
			if rnd.IntN(50) == 0 {
				ns[rnd.IntN(2)] += 1_000_000
			}
			if s.call(n, ns[0], ns[1], err); err != nil {
				continue
			}
			calls++
			byLength[n]++
			for i := range want {
				w := &want[i]
				if v := float64(ns[i]); calls == 1 {
					w.sum, w.least, w.most = v, v, v
				} else {
					w.sum, w.least, w.most = w.sum+v, min(w.least, v), max(w.most, v)
				}
			}
		}
		f := s.stats.Clone().Functions[0]
		if f.Calls != calls || len(f.Shapes) > 8 || len(f.Shapes) != min(len(byLength), 8) && len(byLength) > 1 || len(byLength) == 1 && f.Shapes != nil {
			t.Errorf("seed %d: got %d calls of %d shapes, want %d of %d", seed, f.Calls, len(f.Shapes), calls, len(byLength))
		}
		for _, sh := range f.Shapes {
			if sh.Inputs != nil && sh.Calls != byLength[sh.Inputs[0].Shape[0]] {
				t.Errorf("seed %d: got %d calls of %v, want %d", seed, sh.Calls, sh.Inputs, byLength[sh.Inputs[0].Shape[0]])
			}
		}
		for i, n := range f.Nodes {
			if w := want[i]; n.Calls != calls || !near(n.Time, w.sum) || n.Min != w.least || n.Max != w.most {
				t.Errorf("seed %d: node %d: got %d calls, %v ns from %v to %v, want %d, %+v", seed, i, n.Calls, n.Time, n.Min, n.Max, calls, w)
			}
		}
		parts(t, f)
		steady := s.stats.Steady().Functions[0]
		parts(t, steady)
		if steady.CallTime > f.CallTime*(1+1e-9) || calls > 0 && steady.CallTime < float64(calls)*300 {
			t.Errorf("seed %d: got %v ns steady, %v measured", seed, steady.CallTime, f.CallTime)
		}
		profilertest.RoundTrip(t, s.stats)
	}
}

// TestSampledShapes: of short calls few are traced or measured, and each counts for those that had
// its shapes.
func TestSampledShapes(t *testing.T) {
	s := newScript(t)
	s.chosen = true
	const calls = 30_000
	large := 0
	for i := range calls {
		n, ns := 20, int64(10)
		if i%500 == 7 || i%500 == 8 {
			n, ns = 300, 1000
			large++
		}
		changed := i%500 == 7 || i%500 == 9 || i == 0
		v := tensor.New(kernels.Float64, n)
		s.arrays = [][]*tensor.Dense{{v, v, v}, {v, v, v}, {v, v, v}}
		s.call(changed, ns, 6*ns, 3*ns)
	}
	f := s.stats.Clone().Functions[0]
	if s.traced == calls {
		t.Fatalf("all %d calls were traced, or the test says nothing", calls)
	}
	if len(f.Shapes) != 2 || f.Shapes[1].Calls != int64(large) || f.Shapes[0].Calls != int64(calls-large) {
		t.Fatalf("got %d of %d calls in %+v, want %d large", f.Calls, calls, f.Shapes, large)
	}
	parts(t, f)
	for k, want := range []float64{float64(calls-large) * 450, float64(large) * 10_350} {
		if got := f.Shapes[k].Time; !about(got, want, 0.05) {
			t.Errorf("shapes %d: got %v ns, want %v", k, got, want)
		}
	}
	if steady := s.stats.Steady().Functions[0]; !about(steady.CallTime, f.CallTime, 0.01) {
		t.Errorf("got %v ns steady of %v, want all", steady.CallTime, f.CallTime)
	}
}

// TestShapesOfSteps: the steps of a loop are grouped as calls are, and those of a loop that fails
// leave nothing.
func TestShapesOfSteps(t *testing.T) {
	m := newTimed(t, 0, func(int) (a, b int64) { return 2000, 3000 })
	s := profiler.NewStats(profiler.Options{Clock: m.reader})
	p := repeated(t, m.graph, false)
	r := s.Add(profiler.FunctionInfo{Name: "loop", Program: p})
	call := func(length, steps int) {
		_, err := p.Run([]*tensor.Dense{tensor.New(kernels.Float64, length), count(steps)}, nil, r.Tracer())
		r.Call(0, err)
	}
	for i := range 5 {
		call(3, 10)
		call(30+i, 13) // fails
		call(4, 20)
		call(3, 13)    // fails
		call(50+i, 13) // fails
	}
	call(6, 2)
	inner := s.Clone().Functions[0].Nodes[0].Inner[0]
	parts(t, s.Clone().Functions[0])
	if len(inner.Shapes) != 3 || inner.Shapes[0].Runs != 50 || inner.Shapes[1].Runs != 100 || inner.Shapes[2].Inputs == nil ||
		!near(inner.Shapes[0].Nodes[0].Time, 50*2000) || inner.Runs != 152 {
		t.Errorf("got %d runs in %+v, want 50, 100 and 2", inner.Runs, inner.Shapes)
	}
	profilertest.RoundTrip(t, s)
}

// TestBadShapes: what does not fit the function is refused.
func TestBadShapes(t *testing.T) {
	s := newShaped(t, "f")
	for i := range 10 {
		s.call(1+i%2, 1000, 1000, nil)
	}
	for name, spoil := range map[string]func(sh *profiler.Shapes){
		"a node is missing": func(sh *profiler.Shapes) { sh.Nodes = sh.Nodes[:1] },
		"negative calls":    func(sh *profiler.Shapes) { sh.Calls = -1 },
		"negative time":     func(sh *profiler.Shapes) { sh.Nodes[1].Time = -1 },
		"too many slow":     func(sh *profiler.Shapes) { sh.Nodes[0].Slow = 99 },
		"negative length":   func(sh *profiler.Shapes) { sh.Inputs[0].Shape = []int{-1} },
	} {
		c := s.stats.Clone()
		spoil(&c.Functions[0].Shapes[1])
		data, err := c.MarshalJSON()
		if err != nil {
			t.Fatal(err)
		}
		if _, err := profiler.ReadJSON(strings.NewReader(string(data))); err == nil || !strings.Contains(err.Error(), "shapes 1") {
			t.Errorf("%s: got error %v, want one of shapes 1", name, err)
		}
	}
}
