package graph_test

import (
	"sync"
	"testing"

	"github.com/arignote/arignote/runtime/graph"
	"github.com/arignote/arignote/runtime/op"
)

// TestClientsOfSharedGraph: goroutines may ask for the uses of a graph's variables at the same
// time, one for their number while another is the first to ask for a list. It fails with -race.
func TestClientsOfSharedGraph(t *testing.T) {
	fg, err := graph.Parse("t", `func f(x float64[?], n int64)
	v1 = neg x
	v2 = mul v1 x
	v3 = add n 1
	return v2, v3
`, op.Lookup)
	if err != nil {
		t.Fatal(err)
	}
	for range 50 {
		c := fg.Named("again").Clients()
		var all sync.WaitGroup
		for _, ask := range []func(v *graph.Variable) int{c.Count, func(v *graph.Variable) int { return len(c.Get(v)) }} {
			all.Go(func() {
				for _, node := range fg.Toposort() {
					for _, v := range node.Inputs {
						if ask(v) == 0 {
							t.Errorf("%v has no uses, but %s takes it", v, node.Op.Name())
						}
					}
				}
			})
		}
		all.Wait()
	}
}
