package rewrite

import (
	"math/rand/v2"
	"testing"

	"github.com/arignote/arignote/runtime/graph"
	"github.com/arignote/arignote/runtime/op"
)

// TestFuseComputesNothingTwice counts the elementwise operations of random graphs before and after, and what they read and write.
func TestFuseComputesNothingTwice(t *testing.T) {
	saved, outputs := 0, 0
	for seed := range uint64(1000) {
		rng := rand.New(rand.NewPCG(seed, 8))
		fg, _ := randomGraph(rng, 5+rng.IntN(30))
		fg, err := Merge(fg, &PassProfile{})
		if err != nil {
			t.Fatal(err)
		}
		res, err := Fuse(fg, &PassProfile{})
		if err != nil {
			t.Fatal(err)
		}
		if err := res.Check(); err != nil {
			t.Fatal(err)
		}
		steps, arrays, _ := costs(t, fg)
		fusedSteps, fusedArrays, most := costs(t, res)
		if fusedSteps > steps || fusedArrays > arrays {
			t.Fatalf("seed %d: %d steps and %d arrays became %d and %d\nbefore\n%s\nafter\n%s", seed, steps, arrays, fusedSteps,
				fusedArrays, fg, res)
		}
		saved, outputs = saved+arrays-fusedArrays, max(outputs, most)
	}
	if saved < 1000 || outputs < 3 {
		t.Errorf("%d arrays saved and at most %d results: the graphs are too simple to test anything", saved, outputs)
	}
}

// costs counts the elementwise operations of fg, the arrays that they read and write, and the most results that one node has.
func costs(t *testing.T, fg *graph.FunctionGraph) (steps, arrays, outputs int) {
	t.Helper()
	for _, node := range fg.Toposort() {
		switch o := node.Op.(type) {
		case op.Elemwise:
			steps++
		case op.Composite:
			steps += len(o.Body.Steps())
		case op.Reduce:
			steps++
			if node.Outputs[0].Type.DType != node.Inputs[0].Type.DType {
				steps++ // which converts
			}
		default:
			continue
		}
		arrays += len(node.Outputs)
		outputs = max(outputs, len(node.Outputs))
		seen := make(map[*graph.Variable]bool)
		for _, v := range node.Inputs {
			if !seen[v] && !isSingle(v.Type) {
				seen[v] = true
				arrays++
			}
		}
	}
	return steps, arrays, outputs
}

// TestFuseDeep: a long chain of joins takes no long time, and neither do many readers of one array.
func TestFuseDeep(t *testing.T) {
	b := &graph.Builder{}
	typ, err := graph.ParseType("float64[?,?]")
	if err != nil {
		t.Fatal(err)
	}
	x := graph.NewInput("x", typ, nil)
	fg := &graph.FunctionGraph{Inputs: []*graph.Variable{x}}
	v := x
	for range 2000 {
		h := b.Apply(op.Tanh, v)
		v = b.Apply(op.Add, b.Apply(op.Dot{}, h, x), b.Apply(op.Sqr, h))
		fg.Outputs = append(fg.Outputs, b.Apply(op.Neg, x))
	}
	fg.Outputs = append(fg.Outputs, v)
	var p PassProfile
	res, err := Fuse(fg, &p)
	if err != nil {
		t.Fatal(err)
	}
	if n := len(res.Toposort()); p.Changes == 0 || n >= len(fg.Toposort()) {
		t.Errorf("got %d groups and %d nodes", p.Changes, n)
	}
}
