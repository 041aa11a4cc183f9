package roofline_test

import (
	"context"
	"fmt"
	"math"
	"testing"
	"time"

	"github.com/arignote/arignote/kernels"
	"github.com/arignote/arignote/kernels/native"
	"github.com/arignote/arignote/kernels/parallel"
	"github.com/arignote/arignote/profiler"
	"github.com/arignote/arignote/profiler/roofline"
	"github.com/arignote/arignote/runtime/compile"
	"github.com/arignote/arignote/runtime/graph"
	"github.com/arignote/arignote/runtime/op"
	"github.com/arignote/arignote/runtime/tensor"
)

// A task is a function with one node that counts, and its work by hand.
type task struct {
	name         string
	f            *compile.Function
	args         []*tensor.Dense
	flops, bytes float64
}

// compiled makes a task of y.
func compiled(t testing.TB, name string, in []*graph.Variable, y *graph.Variable, flops, bytes float64) task {
	t.Helper()
	f, err := compile.Compile(compile.Spec{Name: name, Inputs: in, Outputs: []*graph.Variable{y},
		Mode: compile.Mode{Linker: "c|go", Optimizer: "fast_run"}})
	if err != nil {
		t.Fatal(err)
	}
	var args []*tensor.Dense
	for _, v := range in {
		a := tensor.New(v.Type.DType, v.Type.Dims()...)
		tensor.CopyTo(a, tensor.Scalar(v.Type.DType, 0.5).AsType(v.Type.DType))
		args = append(args, a)
	}
	return task{name, f, args, flops, bytes}
}

func product(t testing.TB, d kernels.DType, n int) task {
	var b graph.Builder
	x, y := graph.NewInput("x", graph.TypeOf(d, n, n), nil), graph.NewInput("y", graph.TypeOf(d, n, n), nil)
	k, size := float64(n), float64(d.Size())
	return compiled(t, fmt.Sprintf("dot/%v/%d", d, n), []*graph.Variable{x, y}, b.Apply(op.Dot{}, x, y), 2*k*k*k, 3*k*k*size)
}

// triad is 2*(x+y)+z: four arrays and a number.
func triad(t testing.TB, d kernels.DType, n int) task {
	var b graph.Builder
	var in []*graph.Variable
	for _, name := range []string{"x", "y", "z"} {
		in = append(in, graph.NewInput(name, graph.TypeOf(d, n), nil))
	}
	two := b.Apply(op.NewDimShuffle([]int{tensor.NewAxis}), b.Number(d, 2))
	y := b.Apply(op.Add, b.Apply(op.Mul, two, b.Apply(op.Add, in[0], in[1])), in[2])
	return compiled(t, fmt.Sprintf("triad/%v/%d", d, n), in, y, 3*float64(n), float64((4*n+1)*d.Size()))
}

// profiled calls the function and returns the row of its most expensive node, and what a stopwatch
// says of the same calls, in nanoseconds.
func (k task) profiled(t testing.TB, calls int, m *profiler.Machine) (s *profiler.Stats, row profiler.Row, stopwatch float64) {
	t.Helper()
	s = profiler.NewStats(profiler.Options{Name: k.name})
	r := s.Add(profiler.FunctionInfo{Name: k.name, Program: k.f.Program})
	s.SetMachine(m)
	for range calls {
		ticks, begin := s.Now(), time.Now()
		_, err := k.f.Call(context.Background(), k.args, r.Tracer())
		stopwatch += float64(time.Since(begin).Nanoseconds())
		if r.Call(s.Now()-ticks, err); err != nil {
			t.Fatal(err)
		}
	}
	s = s.Clone()
	return s, s.Rows(profiler.ByApply)[0], stopwatch
}

// TestStopwatch: the rates of a profile are those that a stopwatch around the same calls gives, to
// 5 %. Whoever takes the processor away between the two clocks disturbs one try, not five.
func TestStopwatch(t *testing.T) {
	sizes, long := []int{512, 1024}, 10_000_000
	if set, err := native.Best(); err != nil || set == nil { // Go's are slow
		sizes, long = []int{256}, 1_000_000
	}
	var tasks []task
	for _, d := range []kernels.DType{kernels.Float32, kernels.Float64} {
		for _, n := range sizes {
			tasks = append(tasks, product(t, d, n))
		}
	}
	tasks = append(tasks, triad(t, kernels.Float32, long))
	for _, k := range tasks {
		best := math.Inf(1)
		for try := 0; try < 5 && best > 0.05; try++ {
			const calls = 2
			_, row, stopwatch := k.profiled(t, calls, nil)
			if !row.Known || row.Flops != calls*k.flops || row.Bytes != calls*k.bytes {
				t.Fatalf("%s: got %v flops and %v bytes, known: %v; want %v and %v", k.name, row.Flops, row.Bytes, row.Known, calls*k.flops,
					calls*k.bytes)
			}
			flops, bytes := calls*k.flops/stopwatch, calls*k.bytes/stopwatch
			best = min(best, max(math.Abs(row.GFlops()/flops-1), math.Abs(row.GBytes()/bytes-1)))
			t.Logf("%s: %.2f Gflop/s, stopwatch %.2f; %.2f GB/s, stopwatch %.2f", k.name, row.GFlops(), flops, row.GBytes(), bytes)
		}
		if best > 0.05 {
			t.Errorf("%s: the profile and a stopwatch differ by %.1f %%", k.name, 100*best)
		}
	}
}

// BenchmarkRoof says which part of the roof products and sums reach.
func BenchmarkRoof(b *testing.B) {
	m, err := roofline.New("").Machine(context.Background(), parallel.Threads())
	if err != nil {
		b.Fatal(err)
	}
	b.Logf("%s, %s\none thread: %v\n%d threads: %v", m.CPU, m.ISA, m.Serial, m.Threads, m.Roof)
	var tasks []task
	for _, d := range []kernels.DType{kernels.Float32, kernels.Float64} {
		tasks = append(tasks, product(b, d, 512), product(b, d, 1024), triad(b, d, 1_000), triad(b, d, 100_000), triad(b, d, 10_000_000))
	}
	for _, k := range tasks {
		b.Run(k.name, func(b *testing.B) {
			s, row, _ := k.profiled(b, b.N, m)
			bound, ok := s.Bound(row.Node)
			if !ok {
				b.Fatal("no roof")
			}
			b.ReportMetric(row.GFlops(), "Gflop/s")
			b.ReportMetric(row.GBytes(), "GB/s")
			b.ReportMetric(100*bound.Best/row.Node.Min, "%roof")
			b.Log(bound.Limit)
		})
	}
}
