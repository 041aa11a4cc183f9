package rewrite

import (
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/arignote/arignote/kernels"
	"github.com/arignote/arignote/runtime/graph"
	"github.com/arignote/arignote/runtime/op"
	"github.com/arignote/arignote/runtime/tensor"
)

// TestFuseComputesNothingTwice counts the elementwise operations of random graphs before and after,
// and what they read and write.
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

// costs counts the elementwise operations of fg, the arrays that they read and write, and the most
// results that one node has.
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

// TestFuseOrder: what is fused first does not depend on the order of a Go map, so that DebugMode's
// patience finds nothing.
func TestFuseOrder(t *testing.T) {
	b := &graph.Builder{}
	var inputs, sums []*graph.Variable
	for range 12 {
		x := graph.NewInput("", graph.TypeOf(kernels.Float64, graph.Unknown), nil)
		inputs = append(inputs, x)
		column := b.Apply(op.NewDimShuffle([]int{0, tensor.NewAxis}), b.Apply(op.Exp, b.Apply(op.Neg, x)))
		sums = append(sums, column)
	}
	total := b.Apply(op.Neg, b.Apply(op.NewDimShuffle([]int{0, tensor.NewAxis}), inputs[0]))
	for _, v := range sums {
		total = b.Apply(op.Mul, total, v)
	}
	fg := &graph.FunctionGraph{Inputs: inputs, Outputs: []*graph.Variable{total}}
	var first []*graph.Variable
	for i := range 20 {
		var made []*graph.Variable
		if _, err := Fuse(fg, &PassProfile{OnRewrite: func(r Replacement) { made = append(made, r.Old) }}); err != nil {
			t.Fatal(err)
		}
		if i == 0 {
			first = made
		} else if !slices.Equal(made, first) {
			t.Fatal("fused in another order than before")
		}
	}
}
