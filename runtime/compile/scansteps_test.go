package compile_test

import (
	"errors"
	"fmt"
	"sync/atomic"
	"testing"
	"time"

	"github.com/arignote/arignote/kernels"
	"github.com/arignote/arignote/long"
	"github.com/arignote/arignote/runtime/compile"
	"github.com/arignote/arignote/runtime/exec"
	"github.com/arignote/arignote/runtime/formula"
	"github.com/arignote/arignote/runtime/graph"
	"github.com/arignote/arignote/runtime/op"
	"github.com/arignote/arignote/runtime/tensor"
)

// stepLoop is a loop over rows of x, with a vector or a number h that it begins with and w, whose
// steps do what its name says. It is compiled for all values of h, and for the last one.
type stepLoop struct {
	name string
	rank int // of h
	step func(b *graph.Builder, x, h, w *graph.Variable) (value, until *graph.Variable)
}

var stepLoops = []stepLoop{
	{"number", 0, func(b *graph.Builder, x, h, w *graph.Variable) (*graph.Variable, *graph.Variable) {
		return b.Apply(op.Tanh, b.Apply(op.Add, b.Apply(op.Mul, h, w), x)), nil
	}},
	{"elementwise", 1, func(b *graph.Builder, x, h, w *graph.Variable) (*graph.Variable, *graph.Variable) {
		return b.Apply(op.Tanh, b.Apply(op.Add, b.Apply(op.Mul, h, w), x)), nil
	}},
	{"until", 0, func(b *graph.Builder, x, h, w *graph.Variable) (*graph.Variable, *graph.Variable) {
		v := b.Apply(op.Add, b.Apply(op.Mul, h, w), x)
		return v, b.Apply(op.Gt, v, b.Number(kernels.Float64, 1e300))
	}},
	{"reduction", 1, func(b *graph.Builder, x, h, w *graph.Variable) (*graph.Variable, *graph.Variable) {
		total := b.Apply(op.Reduce{Kind: op.Sum, Axes: tensor.AllAxes(1)}, b.Apply(op.Mul, h, w))
		return b.Apply(op.Tanh, b.Apply(op.Add, b.Apply(op.NewDimShuffle([]int{tensor.NewAxis}), total), x)), nil
	}},
	{"product", 1, func(b *graph.Builder, x, h, w *graph.Variable) (*graph.Variable, *graph.Variable) {
		return b.Apply(op.Tanh, b.Apply(op.Add, b.Apply(op.Mul, h, b.Apply(op.Dot{}, h, w)), x)), nil
	}},
	{"views", 1, func(b *graph.Builder, x, h, w *graph.Variable) (*graph.Variable, *graph.Variable) {
		return b.Apply(op.Tanh, b.Apply(op.Add, b.Apply(op.Subtensor{Index: "::-1"}, h), b.Apply(op.Mul, x, w))), nil
	}},
}

func (l stepLoop) compile(t *testing.T, last bool, sets kernels.Sets) func(stop kernels.Stop, steps, width int) error {
	t.Helper()
	b := &graph.Builder{}
	x := graph.NewInput("x", graph.AnyShape(kernels.Float64, l.rank+1), nil)
	h, w := graph.NewInput("h", graph.AnyShape(kernels.Float64, l.rank), nil), graph.NewInput("w", graph.AnyShape(kernels.Float64, l.rank), nil)
	row, before := graph.NewInput("", h.Type, nil), graph.NewInput("", h.Type, nil)
	value, until := l.step(b, row, before, w)
	spec := &formula.Scan{Rows: []formula.ScanSequence{{At: row, All: x}}, Until: until,
		Results: []formula.ScanResult{{Value: value, Initial: h, Taps: []int{-1}, At: []*graph.Variable{before}}}}
	out, _, err := spec.Apply(b)
	if err != nil {
		t.Fatal(err)
	}
	if last {
		out[0] = b.Apply(op.Subtensor{Index: "-1"}, out[0])
	}
	f, err := compile.Compile(compile.Spec{Inputs: []*graph.Variable{x, h, w}, Outputs: out, Mode: compile.Mode{Optimizer: "fast_run"}, Kernels: sets})
	if err != nil {
		t.Fatal(err)
	}
	args := make(map[[2]int][]*tensor.Dense)
	return func(stop kernels.Stop, steps, width int) error {
		key := [2]int{steps, width}
		if args[key] == nil {
			shape := []int{steps, width}[:l.rank+1]
			args[key] = []*tensor.Dense{tensor.New(kernels.Float64, shape...), tensor.New(kernels.Float64, shape[1:]...), tensor.New(kernels.Float64, shape[1:]...)}
		}
		res, err := f.Run(stop, args[key], nil)
		if err == nil {
			f.Recycle(res)
		}
		return err
	}
}

func eachLinker(t *testing.T, do func(t *testing.T, sets kernels.Sets)) {
	for _, linker := range []string{"go", "c|go"} {
		sets, err := exec.Sets(linker)
		if err != nil {
			t.Fatal(err)
		}
		t.Run(linker, func(t *testing.T) { do(t, sets) })
	}
}

// TestScanStepsAllocateNothing: a loop of many steps allocates what one of few does.
func TestScanStepsAllocateNothing(t *testing.T) {
	if long.Race {
		t.Skip("the race detector allocates")
	}
	eachLinker(t, func(t *testing.T, sets kernels.Sets) {
		for _, l := range stepLoops {
			for _, last := range []bool{false, true} {
				run := l.compile(t, last, sets)
				count := func(steps int) float64 {
					return testing.AllocsPerRun(5, func() {
						if err := run(nil, steps, 3); err != nil {
							t.Fatal(err)
						}
					})
				}
				count(100)
				if few, many := count(10), count(1000); many > few {
					t.Errorf("%s, last %t: 1000 steps allocate %v times, 10 steps %v times", l.name, last, many, few)
				}
			}
		}
	})
}

// TestScanRunsOnce: what is asked of the lengths of a loop that a condition ends does not run it a
// second time.
func TestScanRunsOnce(t *testing.T) {
	b := &graph.Builder{}
	n, x := graph.NewInput("n", graph.TypeOf(kernels.Int64), nil), graph.NewInput("", graph.TypeOf(kernels.Float64), nil)
	value := b.Apply(op.Mul, x, b.Number(kernels.Float64, 2))
	out, _, err := (&formula.Scan{Steps: n, Until: b.Apply(op.Gt, value, b.Number(kernels.Float64, 100)),
		Results: []formula.ScanResult{{Value: value, Initial: b.Number(kernels.Float64, 1), Taps: []int{-1}, At: []*graph.Variable{x}}}}).Apply(b)
	if err != nil {
		t.Fatal(err)
	}
	f, err := compile.Compile(compile.Spec{Inputs: []*graph.Variable{n}, Outputs: []*graph.Variable{b.Apply(op.Subtensor{Index: "-1"}, out[0])},
		Mode: compile.Mode{Optimizer: "fast_run"}, Kernels: kernels.Sets{kernels.GoSet}})
	if err != nil {
		t.Fatal(err)
	}
	loops := 0
	for _, node := range f.Program.Nodes {
		if s, ok := node.Apply.Op.(op.Scan); ok {
			loops++
			if s.States[0].Kept {
				t.Error("all values are kept for the last")
			}
		}
	}
	if loops != 1 {
		t.Errorf("got %d loops, want 1", loops)
	}
	if got, err := f.Run(nil, []*tensor.Dense{tensor.IntScalar(kernels.Int64, 50)}, nil); err != nil || got[0].Item() != 128.0 {
		t.Errorf("got %v, %v, want 128", got, err)
	}
	if got, err := f.Run(nil, []*tensor.Dense{tensor.IntScalar(kernels.Int64, 0)}, nil); err == nil {
		t.Errorf("of no steps: got %v, want an error", got)
	}
}

// countingLoop is one of n steps of s = s*0.5 + 1 of which the last value is read.
func countingLoop(t *testing.T, sets kernels.Sets) *compile.Function {
	t.Helper()
	b := &graph.Builder{}
	n, s := graph.NewInput("n", graph.TypeOf(kernels.Int64), nil), graph.NewInput("s", graph.TypeOf(kernels.Float64), nil)
	before := graph.NewInput("", s.Type, nil)
	value := b.Apply(op.Add, b.Apply(op.Mul, before, b.Number(kernels.Float64, 0.5)), b.Number(kernels.Float64, 1))
	out, _, err := (&formula.Scan{Steps: n, Results: []formula.ScanResult{{Value: value, Initial: s, Taps: []int{-1}, At: []*graph.Variable{before}}}}).Apply(b)
	if err != nil {
		t.Fatal(err)
	}
	f, err := compile.Compile(compile.Spec{Inputs: []*graph.Variable{n, s}, Outputs: []*graph.Variable{b.Apply(op.Subtensor{Index: "-1"}, out[0])},
		Mode: compile.Mode{Optimizer: "fast_run"}, Kernels: sets})
	if err != nil {
		t.Fatal(err)
	}
	return f
}

// TestScanOfEndlessStepsStops: a loop of which the last value is read takes no memory a step, and
// hears an interrupt in the middle of them.
func TestScanOfEndlessStepsStops(t *testing.T) {
	eachLinker(t, func(t *testing.T, sets kernels.Sets) {
		f := countingLoop(t, sets)
		var stop uint32
		timer := time.AfterFunc(20*time.Millisecond, func() { atomic.StoreUint32(&stop, 1) })
		defer timer.Stop()
		_, err := f.Run(&stop, []*tensor.Dense{tensor.IntScalar(kernels.Int64, 1<<50), tensor.Scalar(kernels.Float64, 0)}, nil)
		if !errors.Is(err, op.ErrStopped) {
			t.Fatalf("got %v, want %v", err, op.ErrStopped)
		}
		out, err := f.Run(nil, []*tensor.Dense{tensor.IntScalar(kernels.Int64, 3), tensor.Scalar(kernels.Float64, 0)}, nil)
		if err != nil || out[0].Item() != 1.75 {
			t.Errorf("after the interrupt: got %v, %v; want 1.75", out, err)
		}
		if m := f.Program.Memory(); m.Peak > 1<<16 {
			t.Errorf("the loop had %d bytes", m.Peak)
		}
	})
}

// TestScanProgramsKeepStates: the loops whose steps one kernel does end where the others do.
func TestScanProgramsKeepStates(t *testing.T) {
	eachLinker(t, func(t *testing.T, sets kernels.Sets) {
		f := countingLoop(t, sets)
		for n, s := 0, 0.25; n < 6; n++ {
			if n == 0 {
				continue // no value is the last
			}
			s = s*0.5 + 1
			out, err := f.Run(nil, []*tensor.Dense{tensor.IntScalar(kernels.Int64, int64(n)), tensor.Scalar(kernels.Float64, 0.25)}, nil)
			if err != nil || out[0].Item() != s {
				t.Errorf("%d steps: got %v, %v; want %v", n, out, err, s)
			}
		}
	})
}

// The steps of loops, in nanoseconds: go test ./runtime/compile -bench ScanSteps.
func BenchmarkScanSteps(b *testing.B) {
	sets, err := exec.Sets("c|go")
	if err != nil {
		b.Fatal(err)
	}
	for _, l := range stepLoops {
		for _, width := range []int{1, 10, 100, 1000} {
			if l.rank == 0 && width > 1 {
				continue
			}
			b.Run(fmt.Sprintf("%s/%d", l.name, width), func(b *testing.B) {
				t := new(testing.T)
				run := l.compile(t, true, sets)
				const steps = 1000
				for i := 0; i < b.N; i += steps {
					if err := run(nil, steps, width); err != nil {
						b.Fatal(err)
					}
				}
			})
		}
	}
}
