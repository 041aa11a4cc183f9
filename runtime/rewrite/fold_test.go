package rewrite

import (
	"errors"
	"math"
	"testing"

	"github.com/arignote/arignote/kernels"
	"github.com/arignote/arignote/runtime/graph"
	"github.com/arignote/arignote/runtime/op"
	"github.com/arignote/arignote/runtime/tensor"
)

func numeral(d kernels.DType, v float64) *graph.Variable {
	return graph.NewConstant(tensor.Scalar(d, v), nil)
}

func parsed(t *testing.T, text string) *graph.FunctionGraph {
	t.Helper()
	fg, err := graph.Parse("test", text, op.Lookup)
	if err != nil {
		t.Fatal(err)
	}
	return fg
}

func applied(t *testing.T, o graph.Op, in ...*graph.Variable) *graph.Apply {
	t.Helper()
	node, err := graph.NewApply(o, in, nil)
	if err != nil {
		t.Fatal(err)
	}
	return node
}

// sines is a loop that takes a sine n times.
func sines(t *testing.T, n *graph.Variable, of *graph.Variable, kept bool) *graph.Apply {
	body := parsed(t, "func(p float64)\n q = sin p\n return q")
	return applied(t, op.NewScan(&op.Loop{Body: body, States: []op.State{{Taps: []int{-1}, Kept: kept}}}), n, of)
}

// A node whose operands are constants is computed within its budget, and else left for the run: how
// much it does is found however it is written.
func TestFoldingBudget(t *testing.T) {
	half := numeral(kernels.Float64, 0.5)
	steps := func(n float64) *graph.Variable { return numeral(kernels.Int64, n) }
	zeros := func(shape ...int) *graph.Variable {
		return graph.NewConstant(tensor.New(kernels.Float64, shape...), nil)
	}
	// A loop in a graph in a node, whose steps nobody knows before it runs.
	inside := func(n float64) *graph.Apply {
		count, of := graph.NewInput("n", graph.AnyShape(kernels.Int64, 0), nil), graph.NewInput("x", graph.AnyShape(kernels.Float64, 0), nil)
		body := &graph.FunctionGraph{Inputs: []*graph.Variable{count, of}, Outputs: sines(t, count, of, false).Outputs}
		return applied(t, op.NewFromGraph(&op.Enclosed{Body: body}), steps(n), half)
	}
	ten := 0.5
	for range 10 {
		ten = math.Sin(ten)
	}
	for _, test := range []struct {
		name string
		node *graph.Apply
		want float64 // nan: it is left
	}{
		{"ten steps", sines(t, steps(10), half, false), ten},
		{"2e9 steps", sines(t, steps(2e9), half, false), math.NaN()},
		{"2e9 steps that are kept", sines(t, steps(2e9), zeros(1), true), math.NaN()},
		{"a loop inside", inside(10), ten},
		{"2e9 steps inside", inside(2e9), math.NaN()},
		{"a product", applied(t, op.Dot{}, zeros(1, 100), zeros(100, 1)), 0},
		{"a long product", applied(t, op.Dot{}, zeros(1, 1<<25), zeros(1<<25, 1)), math.NaN()},
		{"a small range", applied(t, op.ARange{}, steps(0), steps(9), steps(1)), 0},
		{"a range of 8 GB", applied(t, op.ARange{}, steps(0), steps(1e9), steps(1)), math.NaN()},
		{"a determinant", applied(t, op.Det{}, zeros(8, 8)), 0},
		{"a large determinant", applied(t, op.Det{}, zeros(2000, 2000)), math.NaN()},
	} {
		got := math.NaN()
		if a := Evaluate(test.node); a != nil {
			got = a.Floats()[0]
		}
		if math.Abs(got-test.want) > 1e-15 || math.IsNaN(got) != math.IsNaN(test.want) {
			t.Errorf("%s: got %v, want %v", test.name, got, test.want)
		}
	}
}

// What is folded is decided by counting, so that it is the same in every run, and ends when it is
// interrupted.
func TestFoldingIsCountedAndInterrupted(t *testing.T) {
	node := sines(t, numeral(kernels.Int64, 2e9), numeral(kernels.Float64, 0.5), false)
	count := func(stop int) (asked int) {
		f := &folding{left: maxFoldedWork, interrupted: func() error {
			if asked++; asked == stop {
				return errors.New("stop")
			}
			return nil
		}}
		if evaluateWithin(node, f) != nil {
			t.Error("2e9 steps were folded")
		}
		return asked
	}
	all := count(0)
	if again := count(0); again != all || all < 1000 || all > maxFoldedWork/minWork {
		t.Errorf("folding is given up after %d nodes, and then after %d", all, again)
	}
	for _, at := range []int{1, 2, all / 2, all} {
		if asked := count(at); asked != at {
			t.Errorf("interrupted at node %d: it went on to %d", at, asked)
		}
	}
}
