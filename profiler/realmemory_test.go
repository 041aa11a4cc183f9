package profiler_test

import (
	"fmt"
	"reflect"
	"slices"
	"strings"
	"testing"

	"github.com/arignote/arignote/kernels"
	"github.com/arignote/arignote/profiler"
	"github.com/arignote/arignote/profiler/profilertest"
	"github.com/arignote/arignote/runtime/exec"
	"github.com/arignote/arignote/runtime/graph"
	"github.com/arignote/arignote/runtime/op"
	"github.com/arignote/arignote/runtime/tensor"
)

const mb = 1 << 20 // bytes that are whole blocks

// calls runs a program several times with memory.
func calls(t *testing.T, src string, keepAll bool, inputs []*tensor.Dense, runs int) *profiler.Stats {
	t.Helper()
	fg, err := graph.Parse("test.graph", src, op.Lookup)
	if err != nil {
		t.Fatal(err)
	}
	p, err := exec.Link(fg, exec.Options{Sets: kernels.Sets{kernels.GoSet}, KeepAll: keepAll}, nil)
	if err != nil {
		t.Fatal(err)
	}
	s := profiler.NewStats(profiler.Options{Memory: true, Clock: profilertest.Still()})
	r := s.Add(profiler.FunctionInfo{Name: "f", Program: p, KeepAll: keepAll})
	for range runs {
		_, err := p.Run(inputs, nil, r.Tracer())
		r.Call(0, err)
	}
	return s.Clone()
}

// TestRealAndReplay: what was really taken is what the replay says where each value has a home of
// its own, and else as much more as the comment says.
func TestRealAndReplay(t *testing.T) {
	for _, c := range []struct {
		name, src string
		keepAll   bool
		peak      int64 // megabytes, of the replay
		more      int64 // that were really taken
	}{
		{"one value", "v1 = exp x\n return v1", false, 1, 0},
		{"kept", "v1 = exp x\n v2 = exp v1\n v3 = exp v2\n v4 = exp v3\n return v4", true, 4, 0},
		{"results", "v1 = exp x\n v2 = exp v1\n return v1, v2", false, 2, 0},
		{"inplace", "v1 = exp x\n v2 = inplace{in=0,op=exp} v1\n return v2", false, 1, 0},
		{"views", "v1 = dimshuffle{pattern=x 0} x\n v2 = dimshuffle{pattern=1 0} v1\n v3 = exp v2\n return v3", false, 1, 0},
		// Two homes take turns, and are kept while the result, the caller's, is made.
		{"homes are kept", "v1 = exp x\n v2 = exp v1\n v3 = exp v2\n return v3", false, 2, 1},
		// A matrix and a vector have homes of their own, though they need not live at the same
		// time.
		{"homes have classes", "v1 = exp x\n v2 = dimshuffle{pattern=x 0} v1\n v3 = exp v2\n v4 = exp v3\n v5 = dimshuffle{pattern=1} v4\n v6 = exp v5\n return v6",
			false, 2, 2},
		// What the graph says is a view has to be a copy.
		{"a view that is a copy", "v1 = subtensor{index=::-1} x\n v2 = reshape{rank=1} v1 int64[1](-1)\n v3 = exp v2\n return v3", false, 1, 1},
	} {
		s := calls(t, "func f(x float64[?])\n "+c.src, c.keepAll, profilertest.Vectors(1, mb/8), 3)
		use, ok := s.MemoryUse()
		if real := use.Real - use.Workspace; !ok || use.Peak != c.peak*mb || real < (c.peak+c.more)*mb-use.Workspace || real > (c.peak+c.more)*mb {
			t.Errorf("%s: got a peak of %d, really %d and %d for kernels, want %d MB and %d MB more", c.name, use.Peak, real, use.Workspace,
				c.peak, c.more)
		}
	}
}

// TestMemoryApart: inputs, shared variables, constants, results and the memory of kernels are
// counted apart.
func TestMemoryApart(t *testing.T) {
	fg, err := graph.Parse("test.graph", "func f(x float64[?,?], unused float64[?]; w float64[?,?])\n v1 = dimshuffle{pattern=1 0} x\n"+
		" v2 = dot v1 w\n v3 = softmax v1\n v4 = mul v3 float64[1,1](2.0)\n return v2, v4", op.Lookup)
	if err != nil {
		t.Fatal(err)
	}
	fg.SharedVariables()[0].Shared.Set(tensor.New(kernels.Float64, 200, 30))
	p, err := exec.Link(fg, exec.Options{Sets: kernels.Sets{kernels.GoSet}}, nil)
	if err != nil {
		t.Fatal(err)
	}
	s := profiler.NewStats(profiler.Options{Memory: true, Clock: profilertest.Still()})
	r := s.Add(profiler.FunctionInfo{Name: "f", Program: p})
	if _, err := p.Run([]*tensor.Dense{tensor.New(kernels.Float64, 200, 100), tensor.New(kernels.Float64, 7)}, nil, r.Tracer()); err != nil {
		t.Fatal(err)
	}
	s = s.Clone()
	use, ok := s.MemoryUse()
	if !ok || use.Inputs != 200*100*8 || use.Shared != 200*30*8 || use.Constants != 8 {
		t.Errorf("got %+v", use)
	}
	results := int64(tensor.New(kernels.Float64, 100, 30).Buffer().Footprint() + tensor.New(kernels.Float64, 100, 200).Buffer().Footprint())
	if use.Results != results || use.Workspace < 100*200*8 || use.Real < use.Results+use.Workspace {
		t.Errorf("got %+v, want results of %d bytes and a copy among the workspaces", use, results)
	}
	for _, n := range s.Functions[0].Nodes {
		if isCopy := strings.HasPrefix(n.Text, "Softmax"); isCopy != (n.Workspace >= 100*200*8) {
			t.Errorf("%s: got a workspace of %d bytes", n.Text, n.Workspace)
		}
	}
	data, err := s.MarshalJSON()
	if err != nil {
		t.Fatal(err)
	}
	var back profiler.Stats
	if err := back.UnmarshalJSON(data); err != nil {
		t.Fatal(err)
	}
	if again, _ := back.MemoryUse(); !reflect.DeepEqual(again, use) {
		t.Errorf("read back: got %+v, want %+v", again, use)
	}
}

// TestAllocated: a node's new memory is counted in every call, of which the first makes homes.
func TestAllocated(t *testing.T) {
	s := calls(t, "func f(x float64[?])\n v1 = exp x\n v2 = exp v1\n return v2", false, profilertest.Vectors(1, mb/8), 5)
	var got []float64
	for _, n := range s.Functions[0].Nodes {
		got = append(got, n.Allocated/mb)
	}
	if !slices.Equal(got, []float64{1, 5}) {
		t.Errorf("got %v MB, want 1 and 5", got)
	}
}

// TestMemoryOfFailedCalls: a call that fails leaves nothing in the account.
func TestMemoryOfFailedCalls(t *testing.T) {
	p := profilertest.Linked(t, "func f(x float64[?], y float64[?])\n v1 = exp x\n v2 = exp v1\n v3 = add v2 y\n return v1, v3")
	s := profiler.NewStats(profiler.Options{Memory: true, Clock: profilertest.Still()})
	r := s.Add(profiler.FunctionInfo{Name: "f", Program: p})
	run := func(n int) {
		_, err := p.Run([]*tensor.Dense{tensor.New(kernels.Float64, mb/8), tensor.New(kernels.Float64, n)}, nil, r.Tracer())
		r.Call(0, err)
	}
	run(3)
	if f := s.Clone().Functions[0]; f.Real != nil || f.Nodes[0].Allocated != 0 || f.Failed != 1 {
		t.Errorf("after a failed call: got %+v, %+v", f.Real, f.Nodes[0])
	}
	run(mb / 8)
	first := *s.Clone().Functions[0].Real
	for range 3 {
		run(3)
	}
	run(mb / 8)
	if got := *s.Clone().Functions[0].Real; got.Peak-got.Workspace != first.Peak-first.Workspace || got.Results != 2*mb {
		t.Errorf("after failed calls: got %+v, before %+v", got, first)
	}
}

// TestMemoryRunsTheSame: with memory, each node has the implementation that it has without, and the
// same kernels.
func TestMemoryRunsTheSame(t *testing.T) {
	sets, err := exec.Sets("c|go")
	if err != nil {
		t.Fatal(err)
	}
	var got [2][]string
	for i, memory := range []bool{false, true} {
		fg, err := graph.Parse("test.graph", profilertest.LogReg, op.Lookup)
		if err != nil {
			t.Fatal(err)
		}
		p, err := exec.Link(fg, exec.Options{Sets: sets}, nil)
		if err != nil {
			t.Fatal(err)
		}
		s := profiler.NewStats(profiler.Options{Memory: memory})
		s.Add(profiler.FunctionInfo{Program: p})
		for _, n := range s.Clone().Functions[0].Nodes {
			got[i] = append(got[i], n.Key+" "+n.Impl)
		}
	}
	if !slices.Equal(got[0], got[1]) {
		t.Errorf("got %v with memory, %v without", got[1], got[0])
	}
}

// TestTimeline follows a call whose peak is in the middle.
func TestTimeline(t *testing.T) {
	src := `func f(x float64[?])
	v1 = exp x                   # net.star:3:1
	v2 = dimshuffle{pattern=x 0} v1 # net.star:4:1
	v3 = exp v2                  # net.star:5:1
	v4 = sum{axes=0 1} v3        # net.star:6:1
	v5 = inplace{in=0,op=exp} v4 # net.star:6:9
	return v5`
	for _, c := range []struct {
		keepAll       bool
		during, after []int64
		peak          int
	}{
		{false, []int64{1000, 1000, 2000, 1008, 8}, []int64{1000, 1000, 1000, 8, 8}, 2},
		{true, []int64{1000, 1000, 2000, 2008, 2008}, []int64{1000, 1000, 2000, 2008, 2008}, 3},
	} {
		s := calls(t, src, c.keepAll, profilertest.Vectors(1, 125), 1)
		f := s.Functions[0]
		tl, ok := f.Timeline()
		if !ok || !slices.Equal(tl.During, c.during) || !slices.Equal(tl.After, c.after) || tl.PeakNode != c.peak || tl.Peak != c.during[c.peak] {
			t.Errorf("KeepAll %v: got %+v, want %v and %v", c.keepAll, tl, c.during, c.after)
		}
		use, _ := f.MemoryUse()
		if use.Peak != tl.Peak {
			t.Errorf("KeepAll %v: a timeline with a peak of %d, memory use with one of %d", c.keepAll, tl.Peak, use.Peak)
		}
		var live int64
		for _, v := range tl.AtPeak {
			live += v.Bytes
		}
		if live != tl.Peak || tl.AtPeak[0].Node != f.Nodes[0] || tl.AtPeak[1].Node != f.Nodes[2] {
			t.Errorf("KeepAll %v: at the peak got %+v", c.keepAll, tl.AtPeak)
		}
		if c.keepAll {
			continue
		}
		var got []string
		for _, l := range s.MemoryLines() {
			got = append(got, fmt.Sprintf("%s:%d %d %d %.0f%%", l.File, l.Line, l.Created, l.AtPeak, 100*l.Share))
		}
		if want := []string{"net.star:3 1000 1000 50%", "net.star:5 1000 1000 50%", "net.star:6 8 0 0%"}; !slices.Equal(got, want) {
			t.Errorf("lines: got %q, want %q", got, want)
		}
	}
	if _, ok := profilertest.Seed004(t).Functions[0].Timeline(); ok {
		t.Error("a profile without operands has a timeline")
	}
}
