package graph_test

import (
	"testing"

	"github.com/arignote/arignote/runtime/graph"
	"github.com/arignote/arignote/runtime/tensor"
)

// TestChanges: a container counts what replaces its value, and nothing else.
func TestChanges(t *testing.T) {
	a := tensor.From([]float64{1, 2}, 2)
	c := graph.NewContainer(a)
	for i, do := range []func(){
		func() { c.Set(a) }, func() { c.Give(a) }, func() { c.Swap(a) },
		func() {
			_ = c.Overwrite(a, func(x *tensor.Dense) (*tensor.Dense, error) { return x, nil }, func(*tensor.Dense, *graph.Undo) error { return nil })
		},
	} {
		before := c.Changes()
		c.Get()
		c.Value()
		if c.Changes() != before {
			t.Errorf("%d: reading counts", i)
		}
		if do(); c.Changes() == before {
			t.Errorf("%d: a change does not count", i)
		}
	}
}
