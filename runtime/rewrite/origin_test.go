package rewrite

import (
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/arignote/arignote/kernels"
	"github.com/arignote/arignote/runtime/graph"
)

// linesOf counts the lines that the nodes of fg, or their parts, are from. It checks that each node's parts are whole.
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

// TestNoLineIsLost: whatever becomes one node, each line that computes something has a share in what is left.
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
