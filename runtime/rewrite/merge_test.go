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

// TestCensus: what Merge knows from pass to pass leaves the same graphs as what it finds anew each
// time, of which no two nodes or constants are equal.
func TestCensus(t *testing.T) {
	n := 400
	if testing.Short() {
		n = 100
	}
	var groups []*Index
	for i := range groupOrder {
		later := func(r *Rule) bool { return slices.Index(groupOrder, r.Group) > i }
		groups = append(groups, NewIndex(slices.DeleteFunc(slices.Clone(Rules()), later)))
	}
	for seed := range uint64(n) {
		rng := rand.New(rand.NewPCG(seed, 13))
		first, _ := randomGraph(rng, 3+rng.IntN(25))
		kept, anew := first, first
		census := NewCensus()
		for round := range 2 * len(groups) {
			merges := round == 0 || rng.IntN(4) == 0
			pass := func(fg *graph.FunctionGraph, c *Census) (*graph.FunctionGraph, error) {
				var err error
				if merges {
					fg, err = Merge(fg, &PassProfile{Census: c})
				}
				if err != nil {
					return nil, err
				}
				return groups[round/2].FixedPoint(fg, &PassProfile{Census: c})
			}
			var err1, err2 error
			kept, err1 = pass(kept, census)
			if anew, err2 = pass(anew, nil); (err1 == nil) != (err2 == nil) {
				t.Fatalf("seed %d, round %d: got %v, want %v", seed, round, err1, err2)
			}
			if err1 != nil { // by now more is known of lengths, and they do not fit
				break
			}
			if got, want := kept.String(), anew.String(); got != want {
				t.Fatalf("seed %d, round %d: got\n%s\nwant\n%s", seed, round, got, want)
			}
			p := &PassProfile{}
			if _, err := Merge(kept, p); err != nil || p.Changes > 0 {
				t.Fatalf("seed %d, round %d: %d are equal, %v, in\n%s", seed, round, p.Changes, err, kept)
			}
		}
	}
}

// TestMergeKeepsTheOrder: Merge finds the order of what it leaves without sorting it.
func TestMergeKeepsTheOrder(t *testing.T) {
	merged := 0
	for seed := range uint64(3000) {
		rng := rand.New(rand.NewPCG(seed, 17))
		b := &graph.Builder{}
		x := graph.NewInput("x", graph.AnyShape(kernels.Float64, 1), nil)
		all := []*graph.Variable{x, b.Like(x, 2), b.Like(x, 2)}
		pick := func() *graph.Variable { return all[max(0, len(all)-1-rng.IntN(6))] }
		for range 5 + rng.IntN(40) {
			switch rng.IntN(4) {
			case 0:
				all = append(all, b.Apply(op.Tanh, pick()))
			case 1:
				all = append(all, b.Apply(op.Add, pick(), all[rng.IntN(3)]))
			case 2:
				c := b.Apply(op.Gt, b.Apply(op.Reduce{Kind: op.Sum, Axes: tensor.AxesOf(0)}, pick()), b.Number(kernels.Float64, 0))
				out, err := b.Make(op.IfElse{N: 2}, c, pick(), pick(), pick(), pick())
				if err != nil {
					t.Fatal(err)
				}
				all = append(all, out...)
			default:
				all = append(all, b.Apply(op.Mul, pick(), pick()))
			}
		}
		fg := &graph.FunctionGraph{Inputs: []*graph.Variable{x}, Outputs: []*graph.Variable{pick(), pick(), pick()}}
		p := &PassProfile{}
		res, err := Merge(fg, p)
		if err != nil {
			t.Fatal(err)
		}
		merged += p.Changes
		if got, want := res.Toposort(), graph.Toposort(res.Results()); !slices.Equal(got, want) {
			t.Fatalf("seed %d: got %v, want %v, of\n%s", seed, got, want, fg)
		}
	}
	if merged < 3000 {
		t.Errorf("%d nodes were merged: too few to tell", merged)
	}
}
