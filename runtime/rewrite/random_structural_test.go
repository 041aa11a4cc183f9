package rewrite

import (
	"math/rand/v2"
	"sync"
	"testing"

	"github.com/arignote/arignote/runtime/graph"
	"github.com/arignote/arignote/runtime/op"
	"github.com/arignote/arignote/runtime/op/optest"
	"github.com/arignote/arignote/runtime/tensor"
)

// structuralCases are those of the structural operations that graphs are made of before they are
// rewritten. Operations whose results jump are left out: nothing is known here of how exact their
// operands are.
var structuralCases = sync.OnceValue(func() [][]optest.Case {
	var all [][]optest.Case
	for _, o := range op.Structurals() {
		if o.Traits()&(op.Late|op.Jumps) == 0 {
			all = append(all, optest.Cases(o))
		}
	}
	return all
})

// randomStructural applies the operation of a case to the values that the case gives and to what
// pick gives; nil if they do not fit.
func randomStructural(rng *rand.Rand, b *graph.Builder, pick func() *graph.Variable) *graph.Variable {
	list := structuralCases()[rng.IntN(len(structuralCases()))]
	c := list[rng.IntN(len(list))]
	in := make([]*graph.Variable, len(c.In))
	for i, o := range c.In {
		if o.Value != nil {
			in[i] = b.Constant(o.Value)
			continue
		}
		for range 5 {
			if in[i] = pick(); in[i].Type.Rank() == o.Type.Rank() {
				break
			}
		}
		if o.Type.Rank() > 2 && in[i].Type.Rank() != o.Type.Rank() { // of images there are none but constants
			in[i] = b.Constant(o.Sample(rng, o.Type.Dims()...))
		}
	}
	out, err := b.Make(c.Op, in...)
	if err != nil {
		return nil
	}
	v := out[0]
	if rank := v.Type.Rank(); rank > 2 { // rules are about matrices
		if !v.Type.DType.IsFloat() {
			return nil
		}
		v = b.Apply(op.Reduce{Kind: op.Sum, Axes: tensor.AllAxes(rank - 2)}, v)
	}
	return v
}

// TestRandomGraphsDraw: every operation comes up in random graphs, or nothing would be known of how
// it is rewritten.
func TestRandomGraphsDraw(t *testing.T) {
	var names []string
	for e := range op.Rows {
		names = append(names, graph.BaseName(e))
	}
	for _, list := range structuralCases() {
		names = append(names, graph.BaseName(list[0].Op))
	}
	missing := make(map[string]bool)
	for _, name := range names {
		missing[name] = true
	}
	const most = 12000
	for seed := uint64(0); seed < most && len(missing) > 0; seed++ {
		rng := rand.New(rand.NewPCG(seed, 7))
		fg, _ := randomGraph(rng, 3+rng.IntN(15))
		for _, node := range fg.Toposort() {
			delete(missing, graph.BaseName(node.Op))
		}
	}
	for _, name := range names {
		t.Run(name, func(t *testing.T) {
			if missing[name] {
				t.Errorf("never came up in %d graphs", most)
			}
		})
	}
}
