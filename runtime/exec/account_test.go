package exec_test

import (
	"errors"
	"math/rand/v2"
	"runtime"
	"slices"
	"sync/atomic"
	"testing"

	"github.com/arignote/arignote/kernels"
	"github.com/arignote/arignote/runtime/exec"
	"github.com/arignote/arignote/runtime/graph"
	"github.com/arignote/arignote/runtime/memory"
	"github.com/arignote/arignote/runtime/op"
	"github.com/arignote/arignote/runtime/tensor"
)

// meter is a Tracer that keeps what the last run says of memory.
type meter struct {
	clock  int64
	trace  exec.Trace
	allocs []exec.Alloc
}

func (m *meter) Now() int64 { m.clock++; return m.clock }

func (m *meter) Inner(int, int) exec.Tracer { return nil }

func (m *meter) Skips(bool) bool { return false }

func (m *meter) Splits() bool { return false }
func (m *meter) Every() bool  { return false }

func (m *meter) Run(t *exec.Trace, err error) {
	m.trace, m.allocs = *t, slices.Clone(t.Allocs)
	m.trace.Scratch = slices.Clone(t.Scratch)
}

// bytes is how much each node allocated.
func (m *meter) bytes(nodes int) []int64 {
	list := make([]int64, nodes)
	for _, a := range m.allocs {
		list[a.Node] += a.Bytes
	}
	return list
}

const mb = 1 << 20

// TestAccount: what runs of known arrays take.
func TestAccount(t *testing.T) {
	const n = mb / 8 // elements of a vector of a megabyte
	for _, c := range []struct {
		name, src string
		keepAll   bool
		first     []int64 // megabytes that each node allocates in the first run
		later     []int64 // and in those after it
		held      int64   // megabytes
		peak      int64
		peakNode  int
	}{
		{"a chain", "a = exp x\n b = exp a\n c = exp b\n d = exp c\n return d", false,
			[]int64{1, 1, 0, 1}, []int64{0, 0, 0, 1}, 2, 3, 3},
		{"kept", "a = exp x\n b = exp a\n c = exp b\n d = exp c\n return d", true,
			[]int64{1, 1, 1, 1}, []int64{0, 0, 0, 1}, 3, 4, 3},
		{"inplace", "a = exp x\n b = inplace{in=0,op=exp} a\n c = inplace{in=0,op=exp} b\n return c", false,
			[]int64{1, 0, 0}, []int64{1, 0, 0}, 0, 1, 0},
		{"views", "a = dimshuffle{pattern=x 0} x\n b = exp a\n c = dimshuffle{pattern=1 0} b\n return c", false,
			[]int64{0, 1, 0}, []int64{0, 1, 0}, 0, 1, 1},
		{"nothing but views", "a = dimshuffle{pattern=x 0} x\n return a", false, []int64{0}, []int64{0}, 0, 0, 0},
		{"a view that has to copy", "a = subtensor{index=::-1} x\n b = reshape{rank=1} a int64[1](-1)\n return b", false,
			[]int64{0, 1}, []int64{0, 1}, 0, 1, 1},
		{"two results", "a = exp x\n b = exp a\n return a, b", false, []int64{1, 1}, []int64{1, 1}, 0, 2, 1},
	} {
		p := link(t, parse(t, "func f(x float64[?])\n "+c.src+"\n"), exec.Options{KeepAll: c.keepAll})
		in := []*tensor.Dense{tensor.New(kernels.Float64, n)}
		m := &meter{}
		for run, want := range [][]int64{c.first, c.later, c.later} {
			if _, err := p.Run(in, nil, m); err != nil {
				t.Fatal(err)
			}
			got := m.bytes(len(p.Nodes))
			for i := range want {
				if got[i] != want[i]*mb {
					t.Errorf("%s, run %d, node %d: got %d bytes, want %d MB", c.name, run, i, got[i], want[i])
				}
			}
			kept := p.Memory().Kept // as many threads as came have kept some, at any node
			if tr := m.trace; tr.Held != c.held*mb+kept || tr.Peak < c.peak*mb || tr.Peak > c.peak*mb+kept || tr.PeakNode < c.peakNode {
				t.Errorf("%s, run %d: got %d bytes held, %d at the peak at node %d, want %d MB, %d MB, %d and %d bytes that kernels keep",
					c.name, run, tr.Held, tr.Peak, tr.PeakNode, c.held, c.peak, c.peakNode, kept)
			}
			if got := p.Memory(); got.Held != m.trace.Held || got.Peak < m.trace.Peak {
				t.Errorf("%s, run %d: got %+v, the trace has %d and %d", c.name, run, got, m.trace.Held, m.trace.Peak)
			}
		}
	}
}

// TestAccountIsTheHeap: what a program says it holds is what the allocator gave out and did not get
// back, whatever the lengths of the runs, whichever fail, and whatever becomes of the results.
func TestAccountIsTheHeap(t *testing.T) {
	matrix := graph.AnyShape(kernels.Float64, 2)
	x := graph.NewInput("x", matrix, nil)
	w := graph.NewShared("w", matrix, tensor.New(kernels.Float64, 100, 100), nil)
	b := &graph.Builder{}
	fail := false
	broken := newProbe("broken", func(*op.Call) error {
		if fail {
			return errors.New("as asked")
		}
		return nil
	})
	a := b.Apply(op.Dot{}, x, w)
	c := b.Apply(op.Softmax{}, a)
	d := b.Apply(op.Dot{}, c, b.Apply(op.Softmax{}, w))
	e := b.Apply(broken, b.Apply(op.Reduce{Kind: op.Sum, Axes: tensor.AllAxes(2)}, d))
	fg := &graph.FunctionGraph{Inputs: []*graph.Variable{x}, Outputs: []*graph.Variable{c, b.Apply(op.Dot{}, d, w), e},
		Updates: []graph.Update{{Shared: w, Value: b.Apply(op.Softmax{}, w)}}}
	p := link(t, fg, exec.Options{})
	r := rand.New(rand.NewPCG(5, 5))
	memory.Collect()
	before, _ := memory.InUse()
	given := 0
	for run := range 25 {
		fail = r.IntN(4) == 0
		func() {
			rows := 50 + r.IntN(3)*100
			out, err := p.Run([]*tensor.Dense{tensor.New(kernels.Float64, rows, 100)}, nil, nil)
			if (err != nil) != fail {
				t.Fatal(err)
			}
			if err == nil && r.IntN(2) == 0 {
				p.Recycle(out)
				given++
			}
		}()
		for range 3 { // finalizers are not all in the first round
			memory.Collect()
		}
		now, _ := memory.InUse()
		if m := p.Memory(); m.Held-m.Kept < now-before || m.Held-m.Kept > now-before+1<<10 { // of scalars the heap knows nothing
			t.Fatalf("run %d: got %d bytes held, the heap has %d more than before", run, m.Held-m.Kept, now-before)
		}
	}
	if given < 3 {
		t.Error("no results came back: the test does not test")
	}
	runtime.KeepAlive(fg)
}

// TestScratch: the memory of kernels is counted at their node while they run, and afterwards what
// they keep.
func TestScratch(t *testing.T) {
	for _, c := range []struct {
		src   string
		least int64 // bytes, with Go kernels
		keeps bool
	}{
		{"a = dimshuffle{pattern=1 0} x\n b = softmax a\n return b", 300 * 200 * 8, false},     // a copy in rows
		{"a = subtensor{index=::-1 ::-1} x\n b = dot a y\n return b", 200 * 300 * 8, false},    // the Go product turns an operand
		{"a = cast_int32 x\n b = dot a y\n return b", 200 * 300 * 8, false},                    // one type for both
		{"a = dimshuffle{pattern=1 0} x\n b = exp a\n c = add b y\n return c", 1 << 10, true},  // blocks
		{"a = subtensor{index=::2} x\n b = argmax{axis=1} a\n return b", 100 * 300 * 8, false}, // a copy in rows
		{"a = subtensor{index=::2} x\n b = sum{axes=0 1} a\n return b", 1 << 10, true},         // blocks
		{"a = inc_subtensor{index=0,set=true} x 1\n return a", 8, false},                       // a number of the right type
	} {
		for _, linker := range linkers {
			p := link(t, parse(t, "func f(x float64[?,?], y float64[?,?])\n "+c.src+"\n"), exec.Options{Sets: sets(t, linker)})
			m := &meter{}
			in := []*tensor.Dense{tensor.New(kernels.Float64, 200, 300), tensor.New(kernels.Float64, 300, 200)}
			for range 2 {
				if _, err := p.Run(in, nil, m); err != nil {
					t.Fatal(err)
				}
			}
			if got := slices.Max(m.trace.Scratch); linker == "go" && got < c.least {
				t.Errorf("%s: got scratch %v, want %d bytes at least", c.src, m.trace.Scratch, c.least)
			}
			if kept := p.Memory().Kept; linker == "go" && c.keeps != (kept >= c.least) {
				t.Errorf("%s: kernels keep %d bytes", c.src, kept)
			}
			for i, s := range m.trace.Scratch {
				if s != p.Scratch(i) || s > m.trace.Peak {
					t.Errorf("%s: node %d: got %d, %d", c.src, i, s, p.Scratch(i))
				}
			}
		}
	}
}

// TestPackedOperands: the C product packs its operands, in memory that it gives back.
func TestPackedOperands(t *testing.T) {
	s := sets(t, "c|go")
	if s[0].Name() != "C" {
		t.Skip("no C kernels: built without cgo")
	}
	p := link(t, parse(t, "func f(x float64[?,?])\n a = dot x x\n return a\n"), exec.Options{Sets: s})
	if _, err := p.Run([]*tensor.Dense{tensor.New(kernels.Float64, 400, 400)}, nil, nil); err != nil {
		t.Fatal(err)
	}
	if got, m := p.Scratch(0), p.Memory(); got < 400*400*8 || m.Peak < got+400*400*8 || m.Held != 0 {
		t.Errorf("got %d bytes of scratch, %+v", got, m)
	}
}

// TestAccountNested: the memory of a program that is a step of another is the other's.
func TestAccountNested(t *testing.T) {
	inner := link(t, parse(t, "func step(x float64[?])\n a = exp x\n b = neg a\n c = exp b\n d = neg c\n return d\n"), exec.Options{})
	thunk := inner.Thunk()
	var now atomic.Int64
	call := &op.Call{
		Alloc:   func(_ int, d kernels.DType, shape []int) *tensor.Dense { return tensor.Empty(d, shape...) },
		Scratch: func(bytes int) { now.Add(int64(bytes)) },
	}
	in, out := []*tensor.Dense{tensor.New(kernels.Float64, mb/8)}, make([]*tensor.Dense, 1)
	for range 3 {
		if err := thunk(call, in, out); err != nil {
			t.Fatal(err)
		}
		if m := inner.Memory(); now.Load() != m.Held || m.Held-m.Kept != 2*mb {
			t.Errorf("the outer program was told of %d bytes, the inner says %+v, want 2 MB and what kernels keep", now.Load(), m)
		}
	}
}

// TestAccountOfUpdates: a shared variable that is updated has two buffers, of which the program
// counts the one that is not its value.
func TestAccountOfUpdates(t *testing.T) {
	vector := graph.AnyShape(kernels.Float64, 1)
	w := graph.NewShared("w", vector, tensor.New(kernels.Float64, mb/8), nil)
	b := &graph.Builder{}
	fg := &graph.FunctionGraph{Updates: []graph.Update{{Shared: w, Value: b.Apply(op.Exp, w)}}}
	p := link(t, fg, exec.Options{})
	m := &meter{}
	for run := range 5 {
		if _, err := p.Run(nil, nil, m); err != nil {
			t.Fatal(err)
		}
		if got := p.Memory(); run > 1 && (got.Held-got.Kept != mb || got.Peak-got.Kept != mb || len(m.allocs) != 0) {
			t.Errorf("run %d: got %+v and new memory %v, want 1 MB and none", run, got, m.allocs)
		}
	}
}
