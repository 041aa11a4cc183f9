package exec_test

import (
	"math/rand/v2"
	"runtime"
	"slices"
	"strings"
	"testing"
	"weak"

	"github.com/arignote/arignote/kernels"
	"github.com/arignote/arignote/runtime/exec"
	"github.com/arignote/arignote/runtime/graph"
	"github.com/arignote/arignote/runtime/op"
	"github.com/arignote/arignote/runtime/tensor"
)

// TestRoots: views and what overwrites share the memory of their operand.
func TestRoots(t *testing.T) {
	fg := parse(t, `func f(x float64[?,?])
	a = exp x
	b = dimshuffle{pattern=1 0} a
	c = subtensor{index=0} b
	d = neg c
	e = inplace{in=0,op=exp} d
	g = reshape{rank=1} x int64[1](-1)
	h = dimshuffle{pattern=x 0} e
	i = deep_copy g
	return h, i
`)
	storage := exec.FindStorage(fg)
	got := make(map[string]string)
	for _, node := range fg.Toposort() {
		for _, v := range append(node.Inputs, node.Outputs...) {
			if v.Name != "" {
				got[v.Name] = storage.Root(v).Name
			}
		}
	}
	for v, want := range map[string]string{"x": "x", "a": "a", "b": "a", "c": "a", "d": "d", "e": "d", "g": "x", "h": "d",
		"i": "i"} {
		if got[v] != want {
			t.Errorf("the root of %s: got %s, want %s", v, got[v], want)
		}
	}
}

// chain is exp(neg(exp(neg(...x)))), n nodes.
func chain(n int, bytes int) (*graph.FunctionGraph, []*tensor.Dense) {
	x := graph.NewInput("x", graph.AnyShape(kernels.Float64, 1), nil)
	b := &graph.Builder{}
	y := x
	for i := range n {
		y = b.Apply([]op.Elemwise{op.Neg, op.Exp}[i%2], y)
	}
	return &graph.FunctionGraph{Inputs: []*graph.Variable{x}, Outputs: []*graph.Variable{y}},
		[]*tensor.Dense{tensor.New(kernels.Float64, bytes/8)}
}

// TestIntermediatesAreFreed counts the buffers that a long chain writes to.
func TestIntermediatesAreFreed(t *testing.T) {
	const n = 40
	for _, c := range []struct {
		keep  bool
		first int // buffers of the first run
		later int // new buffers of the second
	}{
		{false, 3, 1}, // the operand and the result of a step, and the last result, which is the caller's
		{true, n, 1},  // each has its own, which it has again in the next run
	} {
		fg, in := chain(n, 800)
		p := link(t, fg, exec.Options{KeepAll: c.keep})
		w := watch(p)
		if _, err := p.Run(in, nil, w); err != nil {
			t.Fatal(err)
		}
		if len(w.buffers) != c.first {
			t.Errorf("KeepAll %v: %d buffers in the first run, want %d", c.keep, len(w.buffers), c.first)
		}
		if _, err := p.Run(in, nil, w); err != nil {
			t.Fatal(err)
		}
		if got := len(w.buffers) - c.first; got != c.later {
			t.Errorf("KeepAll %v: %d new buffers in the second run, want %d", c.keep, got, c.later)
		}
	}
}

// TestViewsKeepMemory: a buffer is not reused while a view of it is still read.
func TestViewsKeepMemory(t *testing.T) {
	fg := parse(t, `func f(x float64[?])
	a = exp x
	b = dimshuffle{pattern=x 0} a
	c = neg x
	d = neg c
	e = neg d
	g = sum{axes=0} b
	h = add g e
	return h
`)
	p := link(t, fg, exec.Options{})
	out, err := p.Run([]*tensor.Dense{tensor.New(kernels.Float64, 4)}, nil, nil)
	if err != nil || !slices.Equal(out[0].Floats(), []float64{1, 1, 1, 1}) {
		t.Errorf("got %v, %v", out[0].Floats(), err)
	}
}

// TestNothingIsRetained: after a run, the program holds neither arguments nor results.
func TestNothingIsRetained(t *testing.T) {
	for _, linker := range linkers {
		for name, src := range map[string]string{
			"elementwise": "func f(x float64[?,?])\n\ta = exp x\n\treturn a\n",
			"inplace":     "func f(x float64[?,?])\n\ta = exp x\n\tb = inplace{in=0,op=neg} a\n\treturn b\n",
			"reduction":   "func f(x float64[?,?])\n\ta = sum{axes=0} x\n\treturn a\n",
			"product":     "func f(x float64[?,?])\n\ta = dot x x\n\treturn a\n",
			"softmax":     "func f(x float64[?,?])\n\ta = softmax x\n\treturn a\n",
			"copy":        "func f(x float64[?,?])\n\ta = deep_copy x\n\treturn a\n",
			"increment":   "func f(x float64[?,?])\n\ta = inc_subtensor{index=0} x 1.0\n\treturn a\n",
		} {
			p := link(t, parse(t, src), exec.Options{Sets: sets(t, linker)})
			pointers := func() (list []weak.Pointer[byte]) {
				x := tensor.New(kernels.Float64, 64, 64)
				out, err := p.Run([]*tensor.Dense{x}, nil, nil)
				if err != nil {
					t.Fatal(err)
				}
				for _, a := range append(out, x) {
					list = append(list, weak.Make((*byte)(a.Pointer())))
				}
				return list
			}()
			runtime.GC()
			for i, w := range pointers {
				if w.Value() != nil {
					t.Errorf("linker %s, %s: array %d of %d is still held", linker, name, i, len(pointers))
				}
			}
			runtime.KeepAlive(p)
		}
	}
}

// TestIdleMemoryGoes: memory that a run did not need is not kept for the next.
func TestIdleMemoryGoes(t *testing.T) {
	fg, _ := chain(4, 8)
	p := link(t, fg, exec.Options{})
	var held []weak.Pointer[byte]
	func() {
		w := watch(p)
		if _, err := p.Run([]*tensor.Dense{tensor.New(kernels.Float64, 4096)}, nil, w); err != nil {
			t.Fatal(err)
		}
		for b := range w.buffers {
			held = append(held, weak.Make((*byte)(tensor.Over(b, kernels.Uint8, b.Len()).Pointer())))
		}
	}()
	for range 2 {
		if _, err := p.Run([]*tensor.Dense{tensor.New(kernels.Float64, 8)}, nil, nil); err != nil {
			t.Fatal(err)
		}
	}
	runtime.GC()
	if slices.ContainsFunc(held, func(w weak.Pointer[byte]) bool { return w.Value() != nil }) {
		t.Error("the memory of a large run is held after small ones")
	}
	runtime.KeepAlive(p)
}

// TestPoolOnRandomGraphs: memory that anything alive still uses is not handed out again. Wherever
// it is, a result differs from the reference, or something that no run may touch has changed after
// the next.
func TestPoolOnRandomGraphs(t *testing.T) {
	reused := 0
	for seed := range uint64(300) {
		r := rand.New(rand.NewPCG(seed, 7))
		fg := randomGraph(r)
		if seed%2 == 0 {
			fg = overwrite(t, fg)
		}
		p := link(t, fg, exec.Options{Sets: sets(t, linkers[seed/2%2]), KeepAll: seed%5 == 0})
		shared := fg.SharedVariables()
		w := watch(p)
		var held, copies []*tensor.Dense // what must not change any more
		for range 3 {
			in := make([]*tensor.Dense, len(fg.Inputs))
			for i := range in {
				in[i] = randomArray(r)
			}
			values := make(map[*graph.Variable]*tensor.Dense)
			for i, v := range fg.Inputs {
				values[v] = in[i]
			}
			want := reference(t, fg, values)
			out, err := p.Run(in, nil, w)
			if err != nil {
				t.Fatalf("seed %d: %v\n%s", seed, err, fg)
			}
			for i := range out {
				if !tensor.Equal(out[i], want[i]) {
					t.Fatalf("seed %d, output %d: got %v, want %v\n%s", seed, i, out[i].Floats(), want[i].Floats(), fg)
				}
			}
			kept := slices.Clone(out)
			for i, a := range kept { // some go back, and are not looked at any more
				alone := !slices.ContainsFunc(slices.Delete(slices.Clone(kept), i, i+1), func(b *tensor.Dense) bool {
					return b != nil && tensor.SharesMemory(a, b)
				})
				if alone && r.IntN(3) == 0 {
					kept[i] = nil
				} else {
					out[i] = nil
				}
			}
			p.Recycle(out)
			for _, a := range append(in, kept...) {
				if a != nil {
					held, copies = append(held, a), append(copies, a.Copy())
				}
			}
			for _, v := range shared {
				held, copies = append(held, v.Shared.Get()), append(copies, v.Shared.Get().Copy())
			}
			for i := range held {
				if !tensor.Equal(held[i], copies[i]) {
					t.Fatalf("seed %d: a run changed the memory of array %d: got %v, want %v\n%s", seed, i, held[i].Floats(),
						copies[i].Floats(), fg)
				}
			}
		}
		reused += 3*len(p.Nodes) - len(w.buffers)
	}
	if reused < 1000 {
		t.Errorf("only %d buffers were reused: the test does not test", reused)
	}
}

// randomArray is 3 x 3, so that everything fits everything and buffers are of one size.
func randomArray(r *rand.Rand) *tensor.Dense {
	values := make([]float64, 9)
	for i := range values {
		values[i] = float64(r.IntN(9) - 4)
	}
	return tensor.From(values, 3, 3)
}

// randomGraph makes 3 x 3 matrices from 3 x 3 matrices; integers stay integers, so that all kernels
// agree to the bit.
func randomGraph(r *rand.Rand) *graph.FunctionGraph {
	fg := &graph.FunctionGraph{}
	matrix := graph.AnyShape(kernels.Float64, 2)
	b := &graph.Builder{}
	for range 2 {
		fg.Inputs = append(fg.Inputs, graph.NewInput("", matrix, nil))
	}
	pool := append(slices.Clone(fg.Inputs), b.Constant(randomArray(r)), graph.NewShared("", matrix, randomArray(r), nil))
	pick := func() *graph.Variable { return pool[len(pool)-1-min(r.IntN(len(pool)), r.IntN(len(pool)))] }
	clip := func(v *graph.Variable) *graph.Variable {
		return b.Apply(op.Minimum, b.Apply(op.Maximum, v, b.Number(kernels.Float64, -9)), b.Number(kernels.Float64, 9))
	}
	for range 5 + r.IntN(25) {
		x := pick()
		switch r.IntN(8) {
		case 0:
			x = b.Apply(op.NewDimShuffle([]int{1, 0}), x)
		case 1:
			x = b.Apply(op.Subtensor{Index: []op.Subscripts{"::-1", ": ::-1", "::-1 ::-1", ":"}[r.IntN(4)]}, x)
		case 2:
			x = b.Apply(op.Reshape{Rank: 2}, x, b.Constant(tensor.From([]int64{3, -1}, 2)))
		case 3:
			x = clip(b.Apply(op.Dot{}, x, pick()))
		case 4:
			row := b.Apply(op.Reduce{Kind: op.Max, Axes: tensor.AxesOf(r.IntN(2))}, x)
			x = b.Apply(op.Add, x, row)
		case 5:
			x = b.Apply(op.IncSubtensor{Index: "1", Set: r.IntN(2) == 0}, x, b.Apply(op.Subtensor{Index: "0"}, pick()))
		default:
			x = b.Apply([]op.Elemwise{op.Add, op.Sub, op.Maximum, op.Minimum}[r.IntN(4)], x, pick())
		}
		pool = append(pool, clip(x))
		if r.IntN(3) > 0 {
			pool[len(pool)-1] = x // unclipped: views of views
		}
	}
	for range 1 + r.IntN(4) {
		fg.Outputs = append(fg.Outputs, pick())
	}
	return fg
}

// overwrite lets elementwise nodes overwrite what nobody else needs.
func overwrite(t *testing.T, fg *graph.FunctionGraph) *graph.FunctionGraph {
	t.Helper()
	clients := fg.Clients()
	res, err := fg.Transform(func(node *graph.Apply, in []*graph.Variable) ([]*graph.Variable, error) {
		o := node.Op
		if p, ok := o.(op.Elemwise); ok {
			for i, v := range node.Inputs {
				if v.Owner != nil && len(graph.Views(v.Owner.Op)) == 0 && len(clients.Get(v)) == 1 && op.CanOverwrite(node, 0, i) {
					o = op.NewInplace(p, i)
					break
				}
			}
		}
		n, err := graph.NewApply(o, in, nil)
		if err != nil {
			return nil, err
		}
		return n.Outputs, nil
	})
	if err != nil {
		t.Fatal(err)
	}
	return res
}

// reference evaluates fg with new memory for everything; nodes that overwrite do so on a copy.
func reference(t *testing.T, fg *graph.FunctionGraph, values map[*graph.Variable]*tensor.Dense) []*tensor.Dense {
	t.Helper()
	get := func(v *graph.Variable) *tensor.Dense {
		switch {
		case v.Data != nil:
			return v.Data
		case v.Shared != nil:
			return v.Shared.Get()
		}
		return values[v]
	}
	call := &op.Call{Alloc: func(_ int, d kernels.DType, shape []int) *tensor.Dense { return tensor.New(d, shape...) }}
	for _, node := range fg.Toposort() {
		thunk, _, err := node.Op.(op.Linker).Link(node, kernels.Sets{kernels.GoSet})
		if err != nil {
			t.Fatal(err)
		}
		in, out := make([]*tensor.Dense, len(node.Inputs)), make([]*tensor.Dense, len(node.Outputs))
		for i, v := range node.Inputs {
			in[i] = get(v).Copy()
		}
		if err := thunk(call, in, out); err != nil {
			t.Fatal(err)
		}
		for i, v := range node.Outputs {
			values[v] = out[i]
		}
	}
	var results []*tensor.Dense
	for _, v := range fg.Results() {
		results = append(results, get(v).Copy())
	}
	return results
}

// TestOverwriteIsUsed: the random graphs have nodes that overwrite.
func TestOverwriteIsUsed(t *testing.T) {
	fg := overwrite(t, randomGraph(rand.New(rand.NewPCG(2, 7))))
	if !strings.Contains(fg.String(), "inplace{") {
		t.Errorf("no node overwrites:\n%s", fg)
	}
}

// TestResultsAreCompact: a result that views a small part of a large array does not keep the array.
func TestResultsAreCompact(t *testing.T) {
	fg := parse(t, "func f(x float64[?,?])\n\ta = softmax x\n\tb = subtensor{index=:1} a\n\treturn b\n")
	p := link(t, fg, exec.Options{})
	out, err := p.Run([]*tensor.Dense{tensor.New(kernels.Float64, 1000, 10)}, nil, nil)
	if err != nil {
		t.Fatal(err)
	}
	if got, want := out[0].Buffer().Len(), out[0].NBytes(); got != want {
		t.Errorf("a result of %d bytes keeps %d", want, got)
	}
}
