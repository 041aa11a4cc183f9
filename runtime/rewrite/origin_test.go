package rewrite

import (
	"math"
	"math/rand/v2"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/arignote/arignote/kernels"
	"github.com/arignote/arignote/runtime/graph"
	"github.com/arignote/arignote/runtime/op"
)

// linesOf counts the lines that the nodes of fg, or their parts, are from. It checks that each
// node's parts are whole.
func linesOf(t *testing.T, seed uint64, fg *graph.FunctionGraph) map[int]bool {
	lines := make(map[int]bool)
	for _, node := range fg.Toposort() {
		o := node.Origin()
		if o == nil {
			t.Fatalf("seed %d: %v has no origin\n%s", seed, node, fg)
		}
		lines[o.Pos().Line] = true
		var total kernels.Costs
		for _, p := range o.Parts {
			if slices.ContainsFunc(p.Work[:], func(w float64) bool { return !(w > 0) || math.IsInf(w, 0) }) || p.Op == "" || p.Origin == nil || len(p.Origin.Parts) > 0 {
				t.Fatalf("seed %d: %v has the part %+v\n%s", seed, node, p, fg)
			}
			lines[p.Origin.Pos().Line] = true
			total = total.Plus(1, p.Work)
		}
		for i := range total {
			sum := 0.0
			for _, p := range o.Parts {
				sum += p.Work[i] / total[i]
			}
			if len(o.Parts) > 0 && math.Abs(sum-1) > 1e-9 {
				t.Fatalf("seed %d: the shares of %v on %s add up to %g", seed, node, kernels.CostISAs[i], sum)
			}
		}
	}
	return lines
}

// placed gives each node of fg a line of its own.
func placed(fg *graph.FunctionGraph) (lines int) {
	for _, node := range fg.Toposort() {
		lines++
		for _, v := range node.Outputs {
			v.Origin = graph.At(graph.Pos{File: "r", Line: lines, Col: 1})
		}
	}
	return lines
}

// TestNoLineIsLost: whatever becomes one node, each line that computes something has a share in
// what is left.
func TestNoLineIsLost(t *testing.T) {
	for seed := range uint64(400) {
		rng := rand.New(rand.NewPCG(seed, 5))
		fg, _ := randomGraph(rng, 3+rng.IntN(30))
		placed(fg)
		computes := make(map[int]bool) // a view computes nothing
		for _, node := range fg.Toposort() {
			if len(graph.Views(node.Op)) == 0 {
				computes[node.Origin().Pos().Line] = true
			}
		}
		for _, pass := range []func(*graph.FunctionGraph, *PassProfile) (*graph.FunctionGraph, error){
			Merge, Blas, Fuse, Merge, InplaceBlas, InplaceIncrements, Inplace} {
			var err error
			if fg, err = pass(fg, &PassProfile{}); err != nil {
				t.Fatal(err)
			}
		}
		lines := linesOf(t, seed, fg)
		for line := range computes {
			if !lines[line] {
				t.Fatalf("seed %d: line %d is lost\n%s", seed, line, fg)
			}
		}
	}
}

// Rules may leave nothing of a line; what they make has lines of the graph, and whole parts.
func TestRulesKeepParts(t *testing.T) {
	for seed := range uint64(200) {
		rng := rand.New(rand.NewPCG(seed, 6))
		fg, values := randomGraph(rng, 3+rng.IntN(30))
		n := placed(fg)
		res, _, err := allPasses(fg, func(*Rule) bool { return true }, true)
		if err != nil {
			if _, clash := evaluate(fg.Outputs, values); clash != nil {
				continue // rewriting was first to tell
			}
			t.Fatal(err)
		}
		for line := range linesOf(t, seed, res) {
			if line < 1 || line > n {
				t.Fatalf("seed %d: got line %d of %d", seed, line, n)
			}
		}
	}
}

// TestStepsOfParts: each part of a fused node says which step of the body it is, also where a fused
// node is fused again, in which steps that were there before are not made twice, and where what is
// reduced is no step of its own.
func TestStepsOfParts(t *testing.T) {
	for _, test := range []struct{ src, body, steps string }{
		{"func(x float64[?])\n\tv1 = exp x\t# a:1:1\n\tv2 = sqr v1\t# a:2:1\n\treturn v2\n", "t0=exp(i0);t1=sqr(t0);t1", "exp 1, sqr 2"},
		{"func(x float64[?])\n\tv1 = exp x\t# a:1:1\n\tv2 = sum{axes=0} v1\t# a:2:1\n\treturn v2\n", "t0=exp(i0);t1=sum{axes=0}(t0);t1", "exp 1, sum{axes=0} 2"},
		{"func(x float64[?], y float64[?])\n\tv1 = exp x\t# a:1:1\n\tv2 = exp x\t# a:2:1\n\tv3 = mul v2 y\t# a:3:1\n\tv4 = add v1 v3\t# a:4:1\n\treturn v4\n",
			"t0=exp(i0);t1=mul(t0,i1);t2=add(t0,t1);t2", "exp 1, exp 1, mul 2, add 3"},
	} {
		fg := fused(t, mustParse(t, test.src))
		body, steps := stepsOf(fg)
		if body != test.body || steps != test.steps {
			t.Errorf("got %s with %s, want %s with %s", body, steps, test.body, test.steps)
		}
	}
	// A node that was fused, of which the first step stands in the other already.
	x, y := graph.NewInput("x", graph.TypeOf(kernels.Float64, graph.Unknown), nil), graph.NewInput("y", graph.TypeOf(kernels.Float64, graph.Unknown), nil)
	b := graph.Builder{Origin: graph.At(graph.Pos{File: "a", Line: 9})}
	e := b.Apply(op.Exp, x)
	inner := fused(t, &graph.FunctionGraph{Inputs: []*graph.Variable{x, y}, Outputs: []*graph.Variable{b.Apply(op.Mul, b.Apply(op.Tanh, b.Apply(op.Exp, x)), y)}})
	outer := fused(t, &graph.FunctionGraph{Inputs: inner.Inputs, Outputs: []*graph.Variable{b.Apply(op.Sub, e, inner.Outputs[0])}})
	if body, steps := stepsOf(outer); body != "t0=exp(i0);t1=tanh(t0);t2=mul(t1,i1);t3=sub(t0,t2);t3" || steps != "exp 1, tanh 2, mul 3, sub 4" {
		t.Errorf("got %s with %s", body, steps)
	}
}

func fused(t *testing.T, fg *graph.FunctionGraph) *graph.FunctionGraph {
	t.Helper()
	fg, err := Fuse(fg, &PassProfile{})
	if err != nil {
		t.Fatal(err)
	}
	return fg
}

// stepsOf is the body of the node that computes the first output, and the steps of its parts.
func stepsOf(fg *graph.FunctionGraph) (body, steps string) {
	node := fg.Outputs[0].Owner
	var list []string
	for _, p := range node.Origin().Parts {
		list = append(list, p.Op+" "+strconv.Itoa(p.Step))
	}
	c, _ := node.Op.(op.Composite)
	return c.Body.String(), strings.Join(list, ", ")
}
