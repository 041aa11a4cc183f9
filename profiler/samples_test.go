package profiler_test

import (
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"testing"
	"time"

	"github.com/arignote/arignote/profiler"
	"github.com/arignote/arignote/profiler/profilertest"
	"github.com/arignote/arignote/runtime/graph"
)

// near reports whether two sums of the same numbers agree.
func near(a, b float64) bool { return math.Abs(a-b) <= 1e-9*max(a, b, 1) }

// TestSamples: samples are what nodes took, by node and in all, however loops nest and whatever
// their clocks said. Work is shared as time is.
func TestSamples(t *testing.T) {
	for seed := range uint64(200) {
		s := profilertest.Random(rand.New(rand.NewPCG(seed, 1)))
		total := s.Total()
		var sum float64
		flops := make(map[*profiler.Node]float64)
		tops := make(map[*profiler.Node]float64) // by outermost node
		for x := range s.Samples() {
			sum += x.Time
			flops[x.Node] += x.Flops
			top := x.Node
			if len(x.Outer) > 0 {
				top = x.Outer[0]
			}
			tops[top] += x.Time
			if x.Time < 0 || x.Calls != x.Node.Calls {
				t.Errorf("seed %d: got sample %+v", seed, x)
			}
		}
		if !near(sum, total.ThunkTime()) {
			t.Errorf("seed %d: samples take %v ns, nodes %v", seed, sum, total.ThunkTime())
		}
		for _, n := range total.Nodes {
			if n.Calls > 0 && !near(tops[n], n.Time) {
				t.Errorf("seed %d: samples of node %d and what is inside take %v ns, want %v", seed, n.ID, tops[n], n.Time)
			}
			own := n.Flops // the work of what is inside is counted there
			for _, f := range n.Inner {
				for _, m := range f.Nodes {
					own = max(own-m.Flops, 0)
				}
			}
			if n.Calls > 0 && !near(flops[n], own) {
				t.Errorf("seed %d: samples of node %d make %v flops, want %v", seed, n.ID, flops[n], own)
			}
		}
		for range s.Samples() {
			break // who stops early must not be called again
		}
	}
}

// TestLinesAddUp: by themselves lines add up to the time of all nodes, and with what they called
// none has less, nor more than all.
func TestLinesAddUp(t *testing.T) {
	type place struct {
		file string
		line int
	}
	for seed := range uint64(200) {
		s := profilertest.Random(rand.New(rand.NewPCG(seed, 2)))
		total := s.Total()
		var sum, fractions float64
		own := make(map[place]float64)
		for _, r := range s.Lines(false) {
			sum += r.Time
			fractions += r.Fraction
			own[place{r.File, r.Line}] = r.Time
			var roles float64
			for _, ns := range r.ByRole {
				roles += ns
			}
			if !near(roles, r.Time) {
				t.Errorf("seed %d: roles of %s:%d take %v ns, want %v", seed, r.File, r.Line, roles, r.Time)
			}
		}
		if !near(sum, total.ThunkTime()) || sum > 0 && !near(fractions, 1) {
			t.Errorf("seed %d: lines take %v ns and %v of the time, nodes take %v ns", seed, sum, fractions, total.ThunkTime())
		}
		for _, r := range s.Lines(true) {
			p := place{r.File, r.Line}
			if r.Time < own[p] && !near(r.Time, own[p]) {
				t.Errorf("seed %d: %s:%d takes %v ns with what it calls, %v without", seed, r.File, r.Line, r.Time, own[p])
			}
			if r.Time > sum && !near(r.Time, sum) {
				t.Errorf("seed %d: %s:%d takes %v ns with what it calls, all nodes %v", seed, r.File, r.Line, r.Time, sum)
			}
			delete(own, p)
		}
		if len(own) > 0 {
			t.Errorf("seed %d: lines %v are missing with what they call", seed, own)
		}
	}
}

// one is a profile of one node with the given origin and parts.
func one(ns float64, o profiler.Origin, parts ...profiler.Part) *profiler.Stats {
	return &profiler.Stats{Functions: []*profiler.Function{{Calls: 1, Nodes: []*profiler.Node{{Op: "f", Calls: 1, Time: ns,
		Origin: o, Parts: parts,
		Out: []int{0}}}}}}
}

// TestRecursion: a line that is on the stack several times counts once.
func TestRecursion(t *testing.T) {
	f := func(line int) graph.Frame { return graph.Frame{File: "r.star", Line: line, Func: "r"} }
	s := one(100, profiler.Origin{Role: "forward", Frames: []graph.Frame{f(9), f(2), f(2), f(2), f(3)}})
	got := make(map[int]float64)
	for _, r := range s.Lines(true) {
		got[r.Line] += r.Time
	}
	if len(got) != 3 || got[9] != 100 || got[2] != 100 || got[3] != 100 {
		t.Errorf("got %v, want 100 ns for each of the lines 2, 3 and 9", got)
	}
	if rows := s.Lines(false); len(rows) != 1 || rows[0].Line != 3 || rows[0].Func != "r" {
		t.Errorf("by themselves: got %+v, want line 3", rows)
	}
}

// TestRoles: the gradient and the update that a line asked for are part of its price, told apart.
func TestRoles(t *testing.T) {
	at := func(role string) profiler.Origin {
		return profiler.Origin{Role: role, Frames: []graph.Frame{{File: "f.star", Line: 2}}}
	}
	s := one(100, at("forward"), profiler.Part{Origin: at("forward"), Op: "mul", Share: 0.5},
		profiler.Part{Origin: at("gradient"), Op: "mul", Share: 0.3},
		profiler.Part{Origin: at("update"), Op: "sub", Share: 0.125}, profiler.Part{Origin: profiler.Origin{}, Op: "cast",
			Share: 0.075})
	s.Sources = map[string]string{"f.star": "x = 1\r\ny = x * x\r\n"}
	rows := s.Lines(false)
	if len(rows) != 2 || rows[0].ByRole != [3]float64{50, 30, 12.5} || rows[0].Source != "y = x * x" || rows[0].Calls != 1 {
		t.Errorf("got %+v, want one line with 50, 30 and 12.5 ns", rows)
	}
	if got := rows[0].Ops; len(got) != 2 || got[0] != "mul" || got[1] != "sub" {
		t.Errorf("got ops %v, want mul and sub", got)
	}
	if rows[1].Line != 0 || !near(rows[1].Time, 7.5) {
		t.Errorf("got %+v, want 7.5 ns of no line", rows[1])
	}
}

// TestInnerCountsOnce: what is inside of a loop is not counted again as the loop's own.
func TestInnerCountsOnce(t *testing.T) {
	s := profilertest.Nested()
	loop := s.Functions[0].Nodes[1]
	step := loop.Inner[0].Nodes[0]
	var own, inside float64
	for x := range s.Samples() {
		switch x.Node {
		case loop:
			own += x.Time
		case step:
			inside += x.Time
			if len(x.Outer) != 1 || x.Outer[0] != loop {
				t.Errorf("got outer nodes %v, want the loop", x.Outer)
			}
		}
	}
	if !near(own, loop.Time-step.Time) || !near(inside, step.Time) {
		t.Errorf("got %v ns in the loop and %v inside, want %v and %v", own, inside, loop.Time-step.Time, step.Time)
	}
	var fraction float64
	for _, r := range s.InnerRows(profiler.ByApply, loop) {
		fraction += r.Fraction
	}
	total := s.Total()
	if want := step.Time / total.ThunkTime(); !near(fraction, want) {
		t.Errorf("rows inside are %v of the time, want %v", fraction, want)
	}
	step.Time = 3 * loop.Time // as clocks may say
	own, inside = 0, 0
	for x := range s.Samples() {
		if x.Node == loop {
			own += x.Time
		} else if x.Node == step {
			inside += x.Time
		}
	}
	if own != 0 || !near(inside, loop.Time) {
		t.Errorf("got %v ns in the loop and %v inside, want 0 and %v", own, inside, loop.Time)
	}
}

// TestRoofOfRows: a row stands under the roof as its nodes do, and does not if one of them is not
// known.
func TestRoofOfRows(t *testing.T) {
	s := profilertest.Nested()
	for _, r := range s.Rows(profiler.ByApply) {
		b, ok := s.Bound(r.Node)
		if ok != (r.Best > 0) || ok && (!near(r.Roof(), b.Fraction) || r.Limit != b.Limit) {
			t.Errorf("%s: got %v %q, want %v %q", r.Name, r.Roof(), r.Limit, b.Fraction, b.Limit)
		}
	}
	elemwise := func() profiler.Row {
		rows := s.Rows(profiler.ByClass)
		return rows[slices.IndexFunc(rows, func(r profiler.Row) bool { return r.Name == "tensor.elemwise.Elemwise" })]
	}
	n := s.Functions[0].Nodes[4]
	n.Flops, n.BytesRead, n.BytesWritten = 0, 0, 0 // as of a view
	if elemwise().Best == 0 {
		t.Error("got no roof for a class with a node that does nothing")
	}
	n.Counted = 0
	if r := elemwise(); r.Best != 0 || r.Limit != "" {
		t.Errorf("got %v of the roof for a class with a node whose work is unknown", r.Roof())
	}
}

// wide is a profile of n nodes, all of one line.
func wide(n int) *profiler.Stats {
	o := profiler.Origin{Role: "forward", Frames: []graph.Frame{{File: "f.star", Line: 1}}}
	f := &profiler.Function{Calls: 1}
	for i := range n {
		f.Nodes = append(f.Nodes, &profiler.Node{ID: i, Op: fmt.Sprint("op", i), Calls: 1, Time: 1, Origin: o})
	}
	return &profiler.Stats{Functions: []*profiler.Function{f}}
}

// TestLineOfManyNodes: the price of a line takes time in proportion to its nodes. The best tries
// count, and there are more of them as long as a busy machine makes many nodes look slow: time in
// proportion to the square would be 400 times as long in each.
func TestLineOfManyNodes(t *testing.T) {
	price := func(s *profiler.Stats, n int) time.Duration {
		begin := time.Now()
		if rows := s.Lines(false); len(rows) != 1 || len(rows[0].Nodes) != n || rows[0].Calls != int64(n) {
			t.Fatalf("got %d rows of %d nodes, want one of %d", len(rows), len(rows[0].Nodes), n)
		}
		return time.Since(begin)
	}
	const small, large = 3_000, 60_000
	few, many, s, l := time.Hour, time.Hour, wide(small), wide(large)
	for range 20 {
		few, many = min(few, price(s, small)), min(many, price(l, large))
		if many <= 130*few {
			return
		}
	}
	t.Errorf("%v for %d nodes, %v for %d: %.0f times as long for 20 times as many, want about 20", few, small, many, large, float64(many)/float64(few))
}

func BenchmarkLines(b *testing.B) {
	for _, n := range []int{600, 6_000, 60_000} {
		b.Run(fmt.Sprint(n), func(b *testing.B) {
			for s := wide(n); b.Loop(); {
				s.Lines(false)
			}
			b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(b.N)/float64(n), "ns/node")
		})
	}
}
