package exec_test

import (
	"errors"
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/arignote/arignote/kernels"
	"github.com/arignote/arignote/runtime/exec"
	"github.com/arignote/arignote/runtime/graph"
	"github.com/arignote/arignote/runtime/op"
	"github.com/arignote/arignote/runtime/tensor"
)

// linkers are those to test; "c" falls back to Go kernels where C ones were not built.
var linkers = []string{"go", "c|go"}

func sets(t testing.TB, linker string) kernels.Sets {
	t.Helper()
	s, err := exec.Sets(linker)
	if err != nil {
		t.Fatal(err)
	}
	return s
}

func parse(t testing.TB, src string) *graph.FunctionGraph {
	t.Helper()
	fg, err := graph.Parse("test", src, op.Lookup)
	if err != nil {
		t.Fatalf("%v\n%s", err, src)
	}
	return fg
}

func link(t testing.TB, fg *graph.FunctionGraph, opts exec.Options) *exec.Program {
	t.Helper()
	if err := fg.Check(); err != nil {
		t.Fatalf("%v\n%s", err, fg)
	}
	if opts.Sets == nil {
		opts.Sets = sets(t, "go")
	}
	p, err := exec.Link(fg, opts, nil)
	if err != nil {
		t.Fatal(err)
	}
	return p
}

// A probe is an op of these tests: the identity, but for what do does.
type probe struct {
	name string
	do   *func(c *op.Call) error
}

func newProbe(name string, do func(c *op.Call) error) probe { return probe{name, &do} }

func (p probe) Name() string { return p.name + "{x=1}" }

func (p probe) Infer(in []*graph.Variable) ([]graph.Type, error) {
	return []graph.Type{in[0].Type}, nil
}

func (p probe) Link(*graph.Apply, kernels.Sets) (op.Thunk, string, error) {
	return func(c *op.Call, in, out []*tensor.Dense) error {
		out[0] = in[0].Copy()
		return (*p.do)(c)
	}, "Go", nil
}

// forgetful is an op of these tests whose thunk leaves out its result.
type forgetful struct{ probe }

func (f forgetful) Link(*graph.Apply, kernels.Sets) (op.Thunk, string, error) {
	return func(*op.Call, []*tensor.Dense, []*tensor.Dense) error { return nil }, "Go", nil
}

// watcher is a Tracer whose clock goes on by 1 whenever it is read.
type watcher struct {
	clock   int64
	nodes   []int
	ns      []int64
	results map[*graph.Variable]*tensor.Dense // copies
	buffers map[*tensor.Buffer]bool           // that nodes wrote to
	ended   []error
	program *exec.Program
}

func (w *watcher) Now() int64 { w.clock++; return w.clock }

func (w *watcher) Inner(int, int) exec.Tracer { return nil }

func (w *watcher) Skips(bool) bool { return false }

func (w *watcher) Splits() bool { return false }
func (w *watcher) Every() bool  { return false }

func (w *watcher) Run(t *exec.Trace, err error) {
	w.ended = append(w.ended, err)
	last := t.Start
	for i, end := range t.Ends {
		w.nodes, w.ns = append(w.nodes, i), append(w.ns, end-last)
		last = end
		node := w.program.Nodes[i].Apply
		for k, v := range node.Outputs {
			a := t.Arrays[i][len(node.Inputs)+k]
			w.results[v] = a.Copy()
			w.buffers[a.Buffer()] = true
		}
	}
}

func watch(p *exec.Program) *watcher {
	return &watcher{program: p, results: map[*graph.Variable]*tensor.Dense{}, buffers: map[*tensor.Buffer]bool{}}
}

const small = `func f(x float64[?], y float64[?]; w float64[?])
	a = add x y
	b = mul a w
	c = sum{axes=0} b
	return c, a
`

func TestRun(t *testing.T) {
	for _, linker := range linkers {
		fg := parse(t, small)
		fg.SharedVariables()[0].Shared.Set(tensor.From([]float64{10, 100}, 2))
		var built []*graph.Apply
		p, err := exec.Link(fg, exec.Options{Sets: sets(t, linker)}, func(a *graph.Apply) { built = append(built, a) })
		if err != nil {
			t.Fatal(err)
		}
		if !slices.Equal(built, fg.Toposort()) {
			t.Errorf("linker %s: told of %d nodes, want all in order", linker, len(built))
		}
		for i, n := range p.Nodes {
			if n.Apply != built[i] || n.Impl != "C" && n.Impl != "Go" || linker == "go" && n.Impl != "Go" {
				t.Errorf("linker %s: node %d is %s by %q", linker, i, n.Apply.Op.Name(), n.Impl)
			}
		}
		out, err := p.Run([]*tensor.Dense{tensor.From([]float64{1, 2}, 2), tensor.From([]float64{3, 4}, 2)}, nil, nil)
		if err != nil || out[0].Item() != 640.0 || !slices.Equal(out[1].Floats(), []float64{4, 6}) {
			t.Errorf("linker %s: got %v, %v", linker, out, err)
		}
	}
}

// TestTracer: it is told of every node once, in order, and the results are the same.
func TestTracer(t *testing.T) {
	fg := parse(t, small)
	fg.SharedVariables()[0].Shared.Set(tensor.From([]float64{10, 100}, 2))
	p := link(t, fg, exec.Options{})
	in := []*tensor.Dense{tensor.From([]float64{1, 2}, 2), tensor.From([]float64{3, 4}, 2)}
	plain, err := p.Run(in, nil, nil)
	if err != nil {
		t.Fatal(err)
	}
	w := watch(p)
	traced, err := p.Run(in, nil, w)
	if err != nil {
		t.Fatal(err)
	}
	for i := range plain {
		if !tensor.Equal(plain[i], traced[i]) || !tensor.Equal(traced[i], w.results[fg.Outputs[i]]) {
			t.Errorf("output %d: got %v traced, %v told, want %v", i, traced[i].Floats(), w.results[fg.Outputs[i]].Floats(),
				plain[i].Floats())
		}
	}
	if !slices.Equal(w.nodes, []int{0, 1, 2}) || slices.ContainsFunc(w.ns, func(ns int64) bool { return ns <= 0 }) {
		t.Errorf("told of nodes %v, which took %v", w.nodes, w.ns)
	}
	if len(w.ended) != 1 || w.ended[0] != nil {
		t.Errorf("told of the ends %v, want one without error", w.ended)
	}
	// A clash is told as the end of the run, and not as a node.
	w = watch(p)
	_, err = p.Run([]*tensor.Dense{in[0], tensor.New(kernels.Float64, 3)}, nil, w)
	if err == nil || len(w.ended) != 1 || w.ended[0] != err || len(w.nodes) != 0 {
		t.Errorf("got error %v, ends %v, nodes %v", err, w.ended, w.nodes)
	}
}

// TestErrors: they name the operation, its place and its operands with their shapes.
func TestErrors(t *testing.T) {
	at := func(line int) *graph.Origin { return graph.At(graph.Pos{File: "net.star", Line: line, Col: 7}) }
	matrix := graph.AnyShape(kernels.Float64, 2)
	x, y := graph.NewInput("x", matrix, at(1)), graph.NewInput("y", matrix, at(2))
	b := &graph.Builder{Origin: at(3)}
	a23, a45 := tensor.New(kernels.Float64, 2, 3), tensor.New(kernels.Float64, 4, 5)
	int64s := func(n int64) *graph.Variable { return b.Constant(tensor.IntScalar(kernels.Int64, n)) }
	both := "\n    net.star:1:7: x is float64[?,?] and has shape (2, 3)\n    net.star:2:7: y is float64[?,?] and has shape (4, 5)"
	for _, c := range []struct {
		out  *graph.Variable
		want string
	}{
		{b.Apply(op.Dot{}, x, y),
			"dot: shapes (2, 3) and (4, 5) do not fit: axis 1 of the first is 3 and axis 0 of the second is 4" + both},
		{b.Apply(op.Add, x, y), "add: shapes (2, 3) and (4, 5) do not fit: axis 0 is 2 and 4" + both},
		{b.Apply(op.Subtensor{Index: "7"}, x),
			"subtensor: index 7 is out of bounds for axis 0 of length 2\n    net.star:1:7: x is float64[?,?] and has shape (2, 3)"},
		{b.Apply(newProbe("probe", func(*op.Call) error { return errors.New("no good") }), y),
			"probe: no good\n    net.star:2:7: y is float64[?,?] and has shape (4, 5)"},
		{b.Apply(newProbe("probe", func(*op.Call) error { panic("oh") }), y),
			"probe: BUG: panic while it ran: oh\n    net.star:2:7: y is float64[?,?] and has shape (4, 5)"},
		{b.Apply(newProbe("probe", func(*op.Call) error { var none []int; _ = none[len(none)]; return nil }), y),
			"probe: BUG: panic while it ran: runtime error: index out of range"},
		// What was not known to have length 1 when the gradient was made must not broadcast.
		{b.Apply(op.Alloc{}, x, int64s(7), int64s(3)),
			"alloc: shape (2, 3) does not fit into (7, 3): axis 0 is 2, want 7\n    net.star:1:7: x is"},
		{b.Apply(op.Alloc{}, b.Apply(op.Subtensor{Index: ":1"}, x), int64s(7), int64s(3)),
			"alloc: shape (1, 3) does not fit into (7, 3): axis 0 is 1, want 7; an axis broadcasts only where its length is known to be 1"},
		{b.Apply(op.IncSubtensor{Index: ":"}, y, b.Apply(op.Subtensor{Index: ": :1"}, y)),
			"inc_subtensor: shape (4, 1) does not fit into (4, 5): axis 1 is 1, want 5; an axis broadcasts only"},
		{b.Apply(op.Alloc{}, b.Number(kernels.Float64, 0), int64s(1<<40), int64s(1<<40)),
			"alloc: an array of shape (1099511627776, 1099511627776) takes 9.67e+24 bytes, which is more than there can be"},
		{b.Apply(op.Alloc{}, b.Number(kernels.Float64, 0), b.Apply(op.Neg, b.Apply(op.ShapeI{}, x))),
			"alloc: length of axis 0: got -2, want at least 0"},
		// A result that a bug left out is not that of the node before.
		{b.Apply(forgetful{probe{name: "forgetful"}}, b.Apply(op.Neg, x)),
			"forgetful: BUG: a result is missing\n    net.star:3:7: the result of neg is float64[?,?] and has shape (2, 3)"},
	} {
		fg := &graph.FunctionGraph{Inputs: []*graph.Variable{x, y}, Outputs: []*graph.Variable{c.out}}
		p := link(t, fg, exec.Options{})
		for _, tracer := range []exec.Tracer{nil, watch(p)} {
			_, err := p.Run([]*tensor.Dense{a23, a45}, nil, tracer)
			var e *graph.Error
			if !errors.As(err, &e) || e.Pos != (graph.Pos{File: "net.star", Line: 3, Col: 7}) || !strings.HasPrefix(e.Error(),
				c.want) {
				t.Errorf("got error %v, want %q at net.star:3:7", err, c.want)
			}
		}
		// The program runs again after an error.
		if _, err := p.Run([]*tensor.Dense{a23, a45}, nil, nil); err == nil {
			t.Error("the same run succeeded")
		}
	}
}

// noKernel is an operation that cannot be linked.
type noKernel struct{ op.DeepCopy }

func (noKernel) Link(*graph.Apply, kernels.Sets) (op.Thunk, string, error) {
	return nil, "", errors.New("there is no kernel")
}

// TestLinkErrors: an op that cannot be linked is an error at its place.
func TestLinkErrors(t *testing.T) {
	x := graph.NewInput("x", graph.TypeOf(kernels.Bool, 3), nil)
	b := &graph.Builder{Origin: graph.At(graph.Pos{File: "net.star", Line: 3, Col: 7})}
	z := b.Apply(noKernel{}, x)
	_, err := exec.Link(&graph.FunctionGraph{Inputs: []*graph.Variable{x}, Outputs: []*graph.Variable{z}},
		exec.Options{Sets: sets(t, "go")}, nil)
	var e *graph.Error
	if !errors.As(err, &e) || e.Pos.Line != 3 || err.Error() != "deep_copy: there is no kernel" {
		t.Errorf("got error %v", err)
	}
}

// TestUpdates: shared variables change together, after everything succeeded.
func TestUpdates(t *testing.T) {
	fail := false
	check := newProbe("check", func(*op.Call) error {
		if fail {
			return errors.New("failed")
		}
		return nil
	})
	v := graph.NewShared("v", graph.TypeOf(kernels.Float64), tensor.Scalar(kernels.Float64, 1), nil)
	w := graph.NewShared("w", graph.TypeOf(kernels.Float64), tensor.Scalar(kernels.Float64, 10), nil)
	b := &graph.Builder{}
	fg := &graph.FunctionGraph{
		Outputs: []*graph.Variable{b.Apply(op.Mul, v, w)},
		Updates: []graph.Update{
			{Shared: v, Value: b.Apply(op.Add, v, w)},
			{Shared: w, Value: b.Apply(check, b.Apply(op.Sub, v, w))}, // from the old v
		},
	}
	p := link(t, fg, exec.Options{})
	state := func() string { return fmt.Sprint(v.Shared.Get().Item(), w.Shared.Get().Item()) }
	for _, want := range []string{"11 -9", "2 20", "22 -18"} {
		if _, err := p.Run(nil, nil, nil); err != nil || state() != want {
			t.Fatalf("got %s, %v; want %s", state(), err, want)
		}
		old := state()
		fail = true
		if _, err := p.Run(nil, nil, nil); err == nil || state() != old {
			t.Errorf("after an error (%v): got %s, want %s", err, state(), old)
		}
		stop := uint32(1)
		if _, err := p.Run(nil, &stop, nil); !errors.Is(err, op.ErrStopped) || state() != old {
			t.Errorf("after a stop (%v): got %s, want %s", err, state(), old)
		}
		fail = false
	}
}

// TestSets: the linkers by name.
func TestSets(t *testing.T) {
	if s := sets(t, "go"); len(s) != 1 || s[0].Name() != "Go" {
		t.Errorf("linker go: got %v", s)
	}
	if s := sets(t, "c|go"); s[len(s)-1].Name() != "Go" {
		t.Errorf("linker c|go: got %v, want the Go kernels last", s)
	}
	_, err := exec.Sets("vm")
	if err == nil || err.Error() != `unknown linker "vm" (want c|go, c, go or c&go)` {
		t.Errorf("got error %v", err)
	}
	native := len(sets(t, "c|go")) > 1
	if _, err := exec.Sets("c"); native != (err == nil) || err != nil && !strings.Contains(err.Error(), "use linker go") {
		t.Errorf("linker c with native kernels %v: got error %v", native, err)
	}
}
