package profiler_test

import (
	"errors"
	"fmt"
	"math"
	"testing"

	"github.com/arignote/arignote/kernels"
	"github.com/arignote/arignote/profiler"
	"github.com/arignote/arignote/profiler/profilertest"
	"github.com/arignote/arignote/profiler/text"
	"github.com/arignote/arignote/runtime/exec"
	"github.com/arignote/arignote/runtime/graph"
	"github.com/arignote/arignote/runtime/op"
	"github.com/arignote/arignote/runtime/tensor"
)

// repeat is an op of these tests that runs its graph so many times, as its second operand says,
// each time on the same operand.
type repeat struct {
	body  *graph.FunctionGraph
	whole bool // it says that it ran them all at once
}

var _ op.InnerLinker = repeat{}

func (r repeat) Name() string { return "repeat" }
func (r repeat) Infer(in []*graph.Variable) ([]graph.Type, error) {
	return []graph.Type{in[0].Type}, nil
}
func (r repeat) Inner() []graph.InnerGraph { return []graph.InnerGraph{{Name: "again", Graph: r.body}} }
func (r repeat) Link(node *graph.Apply, sets kernels.Sets) (op.Thunk, string, error) {
	return r.LinkInner(node, sets, op.LinkGraph)
}

func (r repeat) LinkInner(_ *graph.Apply, sets kernels.Sets, link op.GraphLinker) (op.Thunk, string, error) {
	step, err := link(r.body, sets)
	if err != nil {
		return nil, "", err
	}
	return func(c *op.Call, in, out []*tensor.Dense) error {
		out[0] = c.Alloc(0, in[0].DType(), in[0].Shape())
		call := op.Call{Alloc: func(int, kernels.DType, []int) *tensor.Dense { return out[0] }, Scratch: c.Scratch, Stop: c.Stop}
		n := int64(in[1].Ints()[0])
		if r.whole {
			c.Ran(0, n, in[:1], out, nil)
			return nil
		}
		for i := range n {
			if err := step(&call, in, out[:1]); err != nil {
				return fmt.Errorf("run %d: %w", i, err)
			}
		}
		if n == 13 {
			return errors.New("thirteen")
		}
		return nil
	}, "Go", nil
}

// repeated is a program with a loop of which a step is body.
func repeated(t *testing.T, body *graph.FunctionGraph, whole bool) *exec.Program {
	t.Helper()
	x := graph.NewInput("x", graph.TypeOf(kernels.Float64, graph.Unknown), nil)
	n := graph.NewInput("n", graph.TypeOf(kernels.Int64), nil)
	b := &graph.Builder{}
	out, err := b.Make(repeat{body, whole}, x, n)
	if err != nil {
		t.Fatal(err)
	}
	sets, err := exec.Sets("go")
	if err != nil {
		t.Fatal(err)
	}
	p, err := exec.Link(&graph.FunctionGraph{Inputs: []*graph.Variable{x, n}, Outputs: out}, exec.Options{Sets: sets}, nil)
	if err != nil {
		t.Fatal(err)
	}
	return p
}

func body(t *testing.T, src string) *graph.FunctionGraph {
	t.Helper()
	fg, err := graph.Parse("test", src, op.Lookup)
	if err != nil {
		t.Fatal(err)
	}
	return fg
}

func count(n int) *tensor.Dense { return tensor.IntScalar(kernels.Int64, int64(n)) }

// takes is the identity, and lasts as long as the test says.
type takes struct{ do *func() }

func (o takes) Name() string { return fmt.Sprintf("takes%p", o.do) }
func (o takes) Infer(in []*graph.Variable) ([]graph.Type, error) {
	return []graph.Type{in[0].Type}, nil
}
func (o takes) Cost(in, out []graph.Array) graph.Cost {
	return graph.Once(float64(in[0].Shape[0]), in, out)
}
func (o takes) Link(*graph.Apply, kernels.Sets) (op.Thunk, string, error) {
	return func(c *op.Call, in, out []*tensor.Dense) error {
		(*o.do)()
		out[0] = c.Alloc(0, in[0].DType(), in[0].Shape())
		return nil
	}, "Go", nil
}

// A timed body has two nodes: how long they last, and how long they did.
type timed struct {
	clock  int64
	read   int64 // what reading the clock takes
	nanos  func(step int) (a, b int64)
	steps  int
	took   [2]int64
	graph  *graph.FunctionGraph
	reader *profiler.Clock
}

func newTimed(t *testing.T, read int64, nanos func(step int) (a, b int64)) *timed {
	m := &timed{read: read, nanos: nanos}
	first := func() {
		a, _ := m.nanos(m.steps)
		m.clock += a
		m.took[0] += a
	}
	second := func() {
		_, b := m.nanos(m.steps)
		m.steps++
		m.clock += b
		m.took[1] += b
	}
	x := graph.NewInput("x", graph.TypeOf(kernels.Float64, graph.Unknown), nil)
	b := &graph.Builder{}
	y, err := b.Make(takes{&first}, x)
	if err != nil {
		t.Fatal(err)
	}
	z, err := b.Make(takes{&second}, y...)
	if err != nil {
		t.Fatal(err)
	}
	m.graph = &graph.FunctionGraph{Inputs: []*graph.Variable{x}, Outputs: z}
	m.reader = profiler.NewClock(func() int64 { m.clock += m.read; return m.clock })
	return m
}

// profiled calls a loop over the body for each number of steps, and returns the profile.
func (m *timed) profiled(t *testing.T, s *profiler.Stats, p *exec.Program, steps ...int) *profiler.Function {
	t.Helper()
	r := s.Add(profiler.FunctionInfo{Name: "f", Program: p})
	for _, n := range steps {
		start := s.Now()
		_, err := p.Run([]*tensor.Dense{profilertest.Vectors(1, 7)[0], count(n)}, nil, r.Tracer())
		r.Call(s.Now()-start, err)
		if failed := n == 13; failed != (err != nil) {
			t.Fatalf("%d steps: got error %v", n, err)
		}
	}
	profilertest.RoundTrip(t, s)
	return s.Clone().Functions[len(s.Functions)-1]
}

func within(t *testing.T, what string, got, want, part float64) {
	t.Helper()
	if math.Abs(got-want) > part*want {
		t.Errorf("%s: got %g, want %g within %g %%", what, got, want, 100*part)
	}
}

// TestSampledSteps: steps that are short are not all measured; what is shown is what all of them
// took.
func TestSampledSteps(t *testing.T) {
	for _, c := range []struct {
		name  string
		part  float64 // how far the sum may be off
		nanos func(step int) (a, b int64)
	}{
		{"even", 0.001, func(int) (int64, int64) { return 100, 300 }},
		{"cycle of 25", 0.15, func(i int) (int64, int64) { return 50 + 1000*int64(min(i%25, 1)^1), 300 }},
		{"the second half is slow", 0.05, func(i int) (int64, int64) { return 100 + 900*int64(i/10000), 300 }},
	} {
		t.Run(c.name, func(t *testing.T) {
			m := newTimed(t, 20, c.nanos)
			s := profiler.NewStats(profiler.Options{Clock: m.reader})
			began := m.clock // the clock's cost is known
			f := m.profiled(t, s, repeated(t, m.graph, false), 20000)
			loop := f.Nodes[0]
			inner := loop.Inner[0]
			if inner.Runs != 20000 || inner.Name != "again" || loop.Calls != 1 {
				t.Fatalf("got %d runs of %s in %d calls, want 20000 of again in 1", inner.Runs, inner.Name, loop.Calls)
			}
			if took := float64(m.took[0] + m.took[1]); float64(m.clock-began)-took > 0.03*took {
				t.Errorf("measuring took %g ns of %g, want at most 3 %%", float64(m.clock-began)-took, took)
			}
			for i, n := range inner.Nodes {
				within(t, n.Text, n.Time, float64(m.took[i]), c.part)
				if n.Calls != 20000 || n.Counted != 20000 || math.Abs(n.Flops-7*20000) > 1 {
					t.Errorf("node %d: got %d calls, %d counted, %g flops; want 20000, and 7 flops each", i, n.Calls, n.Counted, n.Flops)
				}
			}
			// What is inside and what is left of the node's time is the node's time, which
			// measuring is no part of.
			within(t, "the loop", loop.Time, float64(m.took[0]+m.took[1]), 0.002)
			var sum float64
			for x := range s.Clone().Samples() {
				sum += x.Time
			}
			within(t, "the sum of samples", sum, loop.Time, 1e-9)
			profilertest.CheckText(t, s, must(text.Of(s, text.Options{})))
		})
	}
}

// TestLongSteps: a step that takes long is measured each time.
func TestLongSteps(t *testing.T) {
	m := newTimed(t, 20, func(i int) (int64, int64) { return 10_000 + 100*int64(i%7), 3000 * int64(i%2) })
	f := m.profiled(t, profiler.NewStats(profiler.Options{Clock: m.reader}), repeated(t, m.graph, false), 150, 150)
	for i, n := range f.Nodes[0].Inner[0].Nodes {
		within(t, n.Text, n.Time, float64(m.took[i]), 0.0005)
	}
}

// TestFailedLoop: a call that fails after some steps leaves nothing in the step's profile.
func TestFailedLoop(t *testing.T) {
	even := func(int) (int64, int64) { return 40, 60 }
	m := newTimed(t, 0, even)
	s := profiler.NewStats(profiler.Options{Clock: m.reader})
	f := m.profiled(t, s, repeated(t, m.graph, false), 13)
	if inner := f.Nodes[0].Inner[0]; inner.Runs != 0 || inner.Nodes[0].Calls != 0 || inner.Nodes[0].Outputs != nil || inner.RunTime != 0 {
		t.Errorf("after a failed call: got %+v", inner)
	}
	f = m.profiled(t, s, repeated(t, m.graph, false), 5, 13, 5, 13)
	inner := f.Nodes[0].Inner[0]
	if inner.Runs != 10 || inner.Nodes[0].Time != 400 || inner.Nodes[1].Time != 600 || inner.RunTime != 1000 || f.Nodes[0].Time != 1000 {
		t.Errorf("got %d runs of %g and %g ns, want 10 of 400 and 600: %+v", inner.Runs, inner.Nodes[0].Time, inner.Nodes[1].Time, inner)
	}
}

// TestResetLoop: after a reset, and in a second profile, the steps of a short loop are measured
// although the function has run before.
func TestResetLoop(t *testing.T) {
	m := newTimed(t, 20, func(int) (int64, int64) { return 40, 60 })
	p := repeated(t, m.graph, false)
	s := profiler.NewStats(profiler.Options{Clock: m.reader})
	m.profiled(t, s, p, 1000)
	s.Reset()
	if inner := s.Clone().Functions[0].Nodes[0].Inner[0]; inner.Runs != 0 || inner.Nodes[0].Time != 0 {
		t.Errorf("after a reset: got %+v", inner)
	}
	again := profiler.NewStats(profiler.Options{Clock: m.reader})
	inner := m.profiled(t, again, p, 3).Nodes[0].Inner[0]
	if inner.Runs != 3 || inner.Nodes[0].Time != 120 || inner.Nodes[1].Time != 180 {
		t.Errorf("got %d runs of %g and %g ns, want 3 of 120 and 180", inner.Runs, inner.Nodes[0].Time, inner.Nodes[1].Time)
	}
}

// TestNestedLoops: the steps of a loop in a loop.
func TestNestedLoops(t *testing.T) {
	m := newTimed(t, 20, func(int) (int64, int64) { return 100, 200 })
	x, n := graph.NewInput("x", graph.TypeOf(kernels.Float64, graph.Unknown), nil), graph.NewConstant(count(9), nil)
	b := &graph.Builder{}
	y, err := b.Make(repeat{body: m.graph}, x, n)
	if err != nil {
		t.Fatal(err)
	}
	outer := &graph.FunctionGraph{Inputs: []*graph.Variable{x}, Outputs: y}
	s := profiler.NewStats(profiler.Options{Clock: m.reader})
	f := m.profiled(t, s, repeated(t, outer, false), 500, 13, 300)
	middle := f.Nodes[0].Inner[0]
	inner := middle.Nodes[0].Inner[0]
	if middle.Runs != 800 || inner.Runs != 7200 || middle.Nodes[0].Calls != 800 || inner.Nodes[1].Calls != 7200 {
		t.Errorf("got %d and %d runs, want 800 and 7200", middle.Runs, inner.Runs)
	}
	within(t, "the outer loop", f.Nodes[0].Time, 7200*300, 0.01)
	within(t, "the inner loop", middle.Nodes[0].Time, 7200*300, 0.02)
	within(t, "a node", inner.Nodes[0].Time, 7200*100, 0.001)
	within(t, "the other node", inner.Nodes[1].Time, 7200*200, 0.001)
}

// TestWholeLoop: a loop that is run as one has its time shared among the nodes of its step.
func TestWholeLoop(t *testing.T) {
	for _, c := range []struct {
		src   string
		flops float64 // a run; 0 where what lies between nodes is not known
	}{
		{"func(x float64[?])\n a = add x x\n return a", 7},
		{"func(x float64[?])\n a = add x x\n b = mul a x\n return b", 0},
	} {
		clock := int64(0)
		s := profiler.NewStats(profiler.Options{Clock: profiler.NewClock(func() int64 { clock += 1000; return clock })})
		m := &timed{}
		f := m.profiled(t, s, repeated(t, body(t, c.src), true), 100, 100)
		loop := f.Nodes[0]
		inner := loop.Inner[0]
		var sum float64
		for _, n := range inner.Nodes {
			sum += n.Time
			if n.Calls != 200 || n.Flops != 200*c.flops {
				t.Errorf("got %d calls and %g flops, want 200 and %g", n.Calls, n.Flops, 200*c.flops)
			}
		}
		within(t, "the nodes", sum, loop.Time, 1e-9)
		if inner.Runs != 200 {
			t.Errorf("got %d runs, want 200", inner.Runs)
		}
	}
}

// TestLoopMemory: while a loop runs, what its step makes for itself lives beside what the loop
// makes; results of the step are rows of the loop's.
func TestLoopMemory(t *testing.T) {
	p := repeated(t, body(t, "func(x float64[?])\n a = exp x\n b = sin a\n c = add a b\n return c"), false)
	s := profiler.NewStats(profiler.Options{Memory: true})
	m := &timed{}
	f := m.profiled(t, s, p, 5)
	use, ok := f.MemoryUse()
	const size = 7 * 8
	if !ok || use.Peak != 3*size { // a and b, and the loop's result, of which c is
		t.Errorf("got a peak of %d, want %d", use.Peak, 3*size)
	}
	if o := f.LowestPeak(1e9); o == nil || o.Peak != 3*size || o.Bound != 3*size {
		t.Errorf("got %+v as the order with the lowest peak, want %d", o, 3*size)
	}
	if tl, ok := f.Timeline(); !ok || tl.During[0] != 3*size || tl.After[0] != size || len(tl.AtPeak) != 3 {
		t.Errorf("got a timeline of %+v", tl)
	}
}

// TestInterruptedStep: that the machine did something else during a step that was measured is not
// taken for what others do.
func TestInterruptedStep(t *testing.T) {
	rest := 0
	m := newTimed(t, 20, func(i int) (int64, int64) {
		if rest++; rest%997 == 0 {
			return 1_000_000, 300
		}
		return 100, 300
	})
	f := m.profiled(t, profiler.NewStats(profiler.Options{Clock: m.reader}), repeated(t, m.graph, false), 20000)
	n := f.Nodes[0].Inner[0].Nodes[0]
	if n.Time > float64(m.took[0]) {
		t.Errorf("got %g ns, want at most the %d that it took with all interruptions", n.Time, m.took[0])
	}
}
