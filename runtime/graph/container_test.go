package graph_test

import (
	"errors"
	"testing"

	"github.com/arignote/arignote/kernels"
	"github.com/arignote/arignote/runtime/graph"
	"github.com/arignote/arignote/runtime/tensor"
)

// TestOverwrite: a value that somebody may hold is copied, which may fail, and one that was only
// copied is written to; a run that fails leaves what was there, and who asks meanwhile sees that.
func TestOverwrite(t *testing.T) {
	c := graph.NewContainer(tensor.New(kernels.Float64, 3))
	first := func() float64 { return c.Copy(new(tensor.Poll)).Floats()[0] }
	duplicates := 0
	duplicate := func(x *tensor.Dense) (*tensor.Dense, error) {
		duplicates++
		return x.Copy(), nil
	}
	put := func(v float64) func(x *tensor.Dense, undo *graph.Undo) error {
		return func(x *tensor.Dense, undo *graph.Undo) error {
			old := tensor.Elements[float64](x)[0]
			*undo = func(x *tensor.Dense) { tensor.Elements[float64](x)[0] = old }
			tensor.Elements[float64](x)[0] = v
			return nil
		}
	}
	stopped := errors.New("stopped")
	held := c.Get()
	err := c.Overwrite(c.Value(), func(*tensor.Dense) (*tensor.Dense, error) { return nil, stopped }, put(9))
	if err != stopped || c.Value() != held || first() != 0 {
		t.Errorf("a copy that was stopped: got %v and %v", err, first())
	}
	c.Revert()
	if err := c.Overwrite(c.Value(), duplicate, put(1)); err != nil || duplicates != 1 || held.Floats()[0] != 0 {
		t.Errorf("a held value: %v, %d copies, the holder has %v", err, duplicates, held.Floats())
	}
	if first() != 0 || c.Get().Floats()[0] != 0 {
		t.Error("during a run the new value is seen")
	}
	if err := c.Overwrite(c.Value(), duplicate, put(2)); err != nil || duplicates != 1 {
		t.Errorf("a second time: %v, %d copies", err, duplicates)
	}
	c.Revert()
	if first() != 0 {
		t.Errorf("after a run that failed: got %v", first())
	}
	if err := c.Overwrite(c.Value(), duplicate, put(3)); err != nil || duplicates != 1 {
		t.Errorf("after copies alone: %v, %d copies, want none more", err, duplicates)
	}
	if _, mine := c.Swap(c.Value()); !mine || first() != 3 {
		t.Errorf("after a run that ended well: mine %t, %v", mine, first())
	}
}
