package compile_test

import (
	"testing"

	"github.com/arignote/arignote/kernels"
	"github.com/arignote/arignote/runtime/compile"
	"github.com/arignote/arignote/runtime/grad"
	"github.com/arignote/arignote/runtime/graph"
	"github.com/arignote/arignote/runtime/op"
)

// TestGradTime: a function knows the calls of grad() whose nodes it has, and those only.
func TestGradTime(t *testing.T) {
	b := &graph.Builder{Origin: graph.At(graph.Pos{File: "a", Line: 1})}
	x := graph.NewInput("x", graph.TypeOf(kernels.Float64), nil)
	cost := b.Apply(op.Exp, b.Apply(op.Sqr, x))
	derive := func(line int, cost *graph.Variable) *graph.Variable {
		at := &graph.Builder{Origin: graph.At(graph.Pos{File: "a", Line: line})}
		g, err := grad.Grad(at, cost, []*graph.Variable{x}, grad.Options{})
		if err != nil {
			t.Fatal(err)
		}
		return g[0]
	}
	first := derive(2, cost)
	second := derive(3, first)
	derive(4, second) // not used
	for _, test := range []struct {
		out   *graph.Variable
		lines []int
	}{{cost, nil}, {first, []int{2}}, {second, []int{2, 3}}} {
		f, err := compile.Compile(compile.Spec{Inputs: []*graph.Variable{x}, Outputs: []*graph.Variable{cost, test.out},
			Mode: compile.Mode{Linker: "c|go", Optimizer: "fast_run"}})
		if err != nil {
			t.Fatal(err)
		}
		lines := make(map[int]bool)
		for _, g := range f.Timing.Grads {
			lines[g.Pos.Line] = true
			if g.Time <= 0 || g.Nodes < 2 {
				t.Errorf("got %+v", g)
			}
		}
		if len(lines) != len(test.lines) || len(f.Timing.Grads) != len(test.lines) {
			t.Errorf("got calls at lines %v, want %v", lines, test.lines)
		}
		for _, line := range test.lines {
			if !lines[line] {
				t.Errorf("got calls at lines %v, want %v", lines, test.lines)
			}
		}
		tm := &f.Timing
		if (tm.Grad() > 0) != (len(test.lines) > 0) || tm.Build <= 0 || tm.Rewrite <= 0 || tm.Link <= 0 ||
			tm.Build+tm.Rewrite+tm.Link > tm.Total || tm.Check+tm.Kernels > tm.Rewrite {
			t.Errorf("got %+v", tm)
		}
	}
}
