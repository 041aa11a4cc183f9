package compile_test

import (
	"errors"
	"testing"

	"github.com/arignote/arignote/kernels"
	"github.com/arignote/arignote/runtime/compile"
	"github.com/arignote/arignote/runtime/grad"
	"github.com/arignote/arignote/runtime/graph"
	"github.com/arignote/arignote/runtime/op"
	"github.com/arignote/arignote/runtime/tensor"
)

// chain is a graph of n steps y = tanh(y) + x with its gradient.
func chain(t testing.TB, n int) compile.Spec {
	t.Helper()
	b := &graph.Builder{}
	x := graph.NewInput("x", graph.AnyShape(kernels.Float64, 1), nil)
	y := x
	for range n {
		y = b.Apply(op.Add, b.Apply(op.Tanh, y), x)
	}
	g, err := grad.Grad(b, b.Apply(op.Reduce{Axes: tensor.AxesOf(0)}, y), []*graph.Variable{x}, grad.Options{})
	if err != nil {
		t.Fatal(err)
	}
	return compile.Spec{Inputs: []*graph.Variable{x}, Outputs: g, Mode: compile.Mode{Linker: "c|go", Optimizer: "fast_run"}}
}

// TestInterrupted: a compilation ends with the error that Interrupted returns, whenever that is,
// and whoever handles errors of rules is not asked.
func TestInterrupted(t *testing.T) {
	spec := chain(t, 20)
	spec.OnRuleError = func(err error) error { t.Errorf("told of %v", err); return nil }
	calls, last := 0, 0
	spec.Interrupted = func() error { calls++; return nil }
	if _, err := compile.Compile(spec); err != nil {
		t.Fatal(err)
	}
	if last = calls; last < 500 {
		t.Errorf("asked %d times, want once for each node in each pass", last)
	}
	stop := errors.New("stop")
	for at := 1; at <= last; at += 1 + last/200 {
		calls = 0
		spec.Interrupted = func() error {
			if calls++; calls >= at {
				return stop
			}
			return nil
		}
		if f, err := compile.Compile(spec); err != stop || f != nil || calls > at+1 {
			t.Fatalf("interrupted at the %d. question of %d: got %v after %d", at, last, err, calls)
		}
	}
}

// TestGradInterrupted: so does a gradient.
func TestGradInterrupted(t *testing.T) {
	b := &graph.Builder{}
	x := graph.NewInput("x", graph.AnyShape(kernels.Float64, 0), nil)
	y := x
	for range 20 {
		y = b.Apply(op.Tanh, y)
	}
	stop := errors.New("stop")
	for at := 1; at <= 20; at++ {
		calls := 0
		g, err := grad.Grad(b, y, []*graph.Variable{x}, grad.Options{Interrupted: func() error {
			if calls++; calls >= at {
				return stop
			}
			return nil
		}})
		if err != stop || g != nil || calls != at {
			t.Fatalf("interrupted at the %d. question: got %v after %d", at, err, calls)
		}
	}
}
