package rewrite

import (
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/arignote/arignote/runtime/graph"
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
