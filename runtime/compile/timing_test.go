package compile_test

import (
	"fmt"
	"testing"

	"github.com/arignote/arignote/kernels"
	"github.com/arignote/arignote/runtime/compile"
	"github.com/arignote/arignote/runtime/grad"
	"github.com/arignote/arignote/runtime/graph"
	"github.com/arignote/arignote/runtime/op"
	"github.com/arignote/arignote/runtime/tensor"
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
		lines := make(map[string]bool)
		for _, g := range f.Timing.Grads {
			lines[g.Place] = true
			if g.Time <= 0 || g.Nodes < 2 {
				t.Errorf("got %+v", g)
			}
		}
		if len(lines) != len(test.lines) || len(f.Timing.Grads) != len(test.lines) {
			t.Errorf("got calls at lines %v, want %v", lines, test.lines)
		}
		for _, line := range test.lines {
			if !lines[fmt.Sprintf("a:%d:0", line)] {
				t.Errorf("got calls at lines %v, want %v", lines, test.lines)
			}
		}
		tm := &f.Timing
		if (tm.Grad() > 0) != (len(test.lines) > 0) || tm.Build <= 0 || tm.Rewrite <= 0 || tm.Link <= 0 ||
			tm.Build+tm.Rewrite+tm.Link > tm.Total || tm.Validate+tm.Kernels > tm.Rewrite {
			t.Errorf("got %+v", tm)
		}
	}
}

// Parts keep their roles: a fused node may compute a value, its gradient and an update.
func TestRoles(t *testing.T) {
	b := &graph.Builder{Origin: graph.At(graph.Pos{File: "a", Line: 1})}
	x := graph.NewInput("x", graph.TypeOf(kernels.Float64, graph.Unknown), nil)
	cost := b.Apply(op.Reduce{Kind: op.Sum, Axes: tensor.AxesOf(0)}, b.Apply(op.Exp, b.Apply(op.Tanh, x)))
	g, err := grad.Grad(b, cost, []*graph.Variable{x}, grad.Options{})
	if err != nil {
		t.Fatal(err)
	}
	f, err := compile.Compile(compile.Spec{Inputs: []*graph.Variable{x}, Outputs: []*graph.Variable{cost, g[0]},
		Mode: compile.Mode{Linker: "c|go", Optimizer: "fast_run"}})
	if err != nil {
		t.Fatal(err)
	}
	ops := make(map[graph.Role]map[string]bool)
	for _, node := range f.Graph.Toposort() {
		for _, p := range node.Origin().Parts {
			if ops[p.Origin.Role] == nil {
				ops[p.Origin.Role] = make(map[string]bool)
			}
			ops[p.Origin.Role][p.Op] = true
		}
	}
	if forward := ops[graph.RoleForward]; !forward["tanh"] || !forward["exp"] || forward["mul"] || !ops[graph.RoleGradient]["mul"] {
		t.Errorf("got %v", ops)
	}
}
