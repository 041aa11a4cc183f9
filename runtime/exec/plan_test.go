package exec_test

import (
	"math"
	"runtime"
	"slices"
	"strings"
	"testing"

	"github.com/arignote/arignote/kernels"
	"github.com/arignote/arignote/runtime/exec"
	"github.com/arignote/arignote/runtime/graph"
	"github.com/arignote/arignote/runtime/memory"
	"github.com/arignote/arignote/runtime/op"
	"github.com/arignote/arignote/runtime/tensor"
)

// TestUpdatesTakeTurns: the new value of a shared variable goes where the value before the last
// was, unless somebody has that.
func TestUpdatesTakeTurns(t *testing.T) {
	vector := graph.AnyShape(kernels.Float64, 1)
	w := graph.NewShared("w", vector, tensor.From([]float64{1, 2, 3}, 3), nil)
	b := &graph.Builder{}
	fg := &graph.FunctionGraph{Updates: []graph.Update{{Shared: w, Value: b.Apply(op.Add, w, b.Number(kernels.Float64, 1))}}}
	p := link(t, fg, exec.Options{})
	buffers := make(map[*tensor.Buffer]int)
	step := func() {
		t.Helper()
		if _, err := p.Run(nil, nil, nil); err != nil {
			t.Fatal(err)
		}
		buffers[w.Shared.Value().Buffer()]++
	}
	for range 10 {
		step()
	}
	if len(buffers) != 2 {
		t.Errorf("10 steps used %d buffers, want 2", len(buffers))
	}
	held := w.Shared.Get() // as get_value(borrow=True)
	for range 5 {
		step()
	}
	if got := held.Floats(); !slices.Equal(got, []float64{11, 12, 13}) {
		t.Errorf("a value that was handed out changed to %v", got)
	}
	if got := w.Shared.Get().Floats(); !slices.Equal(got, []float64{16, 17, 18}) {
		t.Errorf("after 15 steps: got %v", got)
	}
	mine := tensor.From([]float64{0, 0, 0}, 3)
	w.Shared.Set(mine)
	for range 5 {
		step()
	}
	if got := mine.Floats(); !slices.Equal(got, []float64{0, 0, 0}) {
		t.Errorf("a value that was set changed to %v", got)
	}
}

// TestHomesFollowLengths: the same program runs on arrays of any lengths, one after the other.
func TestHomesFollowLengths(t *testing.T) {
	fg := parse(t, `func f(x float64[?], y float64[?,?])
	a = exp x
	b = neg a
	c = sum{axes=0} y
	d = exp c
	e = add b d
	g = neg e
	return g
`)
	p := link(t, fg, exec.Options{})
	for _, n := range []int{3, 5, 5, 70000, 2, 0, 9, 70000} {
		x, y := tensor.New(kernels.Float64, n), tensor.New(kernels.Float64, 4, n)
		y.Fill(0.25)
		out, err := p.Run([]*tensor.Dense{x, y}, nil, nil)
		if err != nil {
			t.Fatal(err)
		}
		for _, v := range out[0].Floats() {
			if want := 1 - math.E; math.Abs(v-want) > 1e-14 {
				t.Fatalf("n = %d: got %v, want %v", n, v, want)
			}
		}
		if out[0].Size() != n {
			t.Errorf("got %d elements, want %d", out[0].Size(), n)
		}
	}
}

// TestHomesAreKept: matrices of very different sizes that take turns in one buffer slot do not
// chase each other out of it.
func TestHomesAreKept(t *testing.T) {
	p := link(t, parse(t, `func f(x float64[?,?], w float64[?,?], v float64[?,?])
	a = dot x w
	b = neg a
	c = dot b v
	d = neg c
	e = dot d w
	g = neg e
	h = dot g v
	i = neg h
	return i
`), exec.Options{})
	in := []*tensor.Dense{tensor.New(kernels.Float64, 20, 300), tensor.New(kernels.Float64, 300, 5), tensor.New(kernels.Float64, 5, 300)}
	w := watch(p)
	for range 2 { // the second run finds every buffer slot large enough
		if _, err := p.Run(in, nil, w); err != nil {
			t.Fatal(err)
		}
	}
	before := len(w.buffers)
	for range 5 {
		if _, err := p.Run(in, nil, w); err != nil {
			t.Fatal(err)
		}
	}
	if got := len(w.buffers) - before; got != 5 { // the results
		t.Errorf("5 runs used %d new buffers, want 5", got)
	}
}

// TestRecycle: what comes back is where the next run of the same lengths writes; a view never is.
func TestRecycle(t *testing.T) {
	p := link(t, parse(t, `func f(x float64[?,?])
	a = exp x
	b = neg x
	c = dimshuffle{pattern=1 0} b
	return a, c
`), exec.Options{})
	run := func(n int) []*tensor.Dense {
		t.Helper()
		out, err := p.Run([]*tensor.Dense{tensor.New(kernels.Float64, n, n)}, nil, nil)
		if err != nil || !slices.Equal(out[0].Shape(), []int{n, n}) || out[0].Floats()[0] != 1 || out[1].Floats()[0] != 0 {
			t.Fatalf("got %v, %v", out, err)
		}
		return out
	}
	first := run(3)
	p.Recycle(first)
	second := run(3)
	if second[0] != first[0] || tensor.SharesMemory(second[1], first[1]) {
		t.Error("want the first result in its old memory, and the view in new memory")
	}
	if third := run(3); tensor.SharesMemory(third[0], second[0]) {
		t.Error("a result that did not come back was overwritten")
	}
	p.Recycle(run(4))
	run(3)
	p.Recycle([]*tensor.Dense{nil, nil})
	run(3)
}

// TestNested: a program as a step of another gives the same values, and the run allocates nothing
// for it.
func TestNested(t *testing.T) {
	inner := link(t, parse(t, `func step(h float64[?], x float64[?])
	a = mul h x
	b = add a x
	c = neg b
	d = dimshuffle{pattern=0} c
	return c, a
`), exec.Options{})
	thunk := inner.Thunk()
	out := make([]*tensor.Dense, 2)
	var buffers [2]*tensor.Dense
	allocated := 0
	call := &op.Call{Alloc: func(i int, d kernels.DType, shape []int) *tensor.Dense {
		if buffers[i] == nil {
			allocated++
			buffers[i] = tensor.Empty(d, shape...)
		}
		return buffers[i]
	}}
	in := []*tensor.Dense{tensor.From([]float64{1, 2}, 2), tensor.From([]float64{10, 20}, 2)}
	run := func() {
		if err := thunk(call, in, out); err != nil {
			t.Fatal(err)
		}
	}
	run()
	if got := slices.Concat(out[0].Floats(), out[1].Floats()); !slices.Equal(got, []float64{-20, -60, 10, 40}) {
		t.Errorf("got %v", got)
	}
	if out[0] != buffers[0] || out[1] != buffers[1] || allocated != 2 {
		t.Errorf("the results are not where the outer program wanted them (%d allocations)", allocated)
	}
	if n := testing.AllocsPerRun(100, run); n > 1 { // the view
		t.Errorf("a nested run allocates %v times", n)
	}
	// Its errors are those of its nodes.
	in[1] = tensor.New(kernels.Float64, 3)
	if err := thunk(call, in, out); err == nil || !strings.HasPrefix(err.Error(), "mul: shapes (2,) and (3,) do not fit") {
		t.Errorf("got error %v", err)
	}
}

// TestMemoryLimit: the error names the node and the bytes, and the next run is as if nothing had
// happened.
func TestMemoryLimit(t *testing.T) {
	memory.Collect()
	now, _ := memory.InUse()
	memory.SetLimit(now + 3<<20)
	defer memory.SetLimit(0)
	x := graph.NewInput("x", graph.AnyShape(kernels.Float64, 1), graph.At(graph.Pos{File: "net.star", Line: 1, Col: 7}))
	b := &graph.Builder{Origin: graph.At(graph.Pos{File: "net.star", Line: 3, Col: 7})}
	fg := &graph.FunctionGraph{Inputs: []*graph.Variable{x}, Outputs: []*graph.Variable{b.Apply(op.Exp, b.Apply(op.Neg, x))}}
	p := link(t, fg, exec.Options{})
	small := tensor.New(kernels.Float64, 100000)
	large := tensor.New(kernels.Float64, 250000) // 2 MB, of which three would have to fit
	_, err := p.Run([]*tensor.Dense{large}, nil, nil)
	const want = "neg: an array of shape (250000,) and type float64 needs 2097152 bytes of memory, which with the "
	if err == nil || !strings.HasPrefix(err.Error(), want) || !strings.Contains(err.Error(), "net.star:1:7: x is float64[?] and has shape (250000,)") {
		t.Errorf("got error %v, want %s", err, want)
	}
	large = nil
	if out, err := p.Run([]*tensor.Dense{small}, nil, nil); err != nil || out[0].Floats()[99999] != 1 {
		t.Errorf("after the error: got %v", err)
	}
}

// TestFlatMemory: calls by the hundred thousand leave nothing behind.
func TestFlatMemory(t *testing.T) {
	fg := parse(t, small)
	fg.SharedVariables()[0].Shared.Set(tensor.From([]float64{10, 100}, 2))
	p := link(t, fg, exec.Options{})
	in := []*tensor.Dense{tensor.From([]float64{1, 2}, 2), tensor.From([]float64{3, 4}, 2)}
	live := func() uint64 {
		runtime.GC()
		var m runtime.MemStats
		runtime.ReadMemStats(&m)
		return m.HeapAlloc
	}
	calls := func(n int) {
		for range n {
			if _, err := p.Run(in, nil, nil); err != nil {
				t.Fatal(err)
			}
		}
	}
	calls(1000)
	before := live()
	calls(100_000)
	if after := live(); after > before+1<<20 {
		t.Errorf("the heap grew from %d to %d bytes", before, after)
	}
}
