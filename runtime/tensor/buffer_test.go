package tensor

import (
	"sync"
	"testing"

	"github.com/arignote/arignote/kernels"
)

// TestRecycle: Empty gives out small arrays again that were recycled, for their types and shapes
// only, each once, and none that others have memory of.
func TestRecycle(t *testing.T) {
	a := Empty(kernels.Int32, 7, 3)
	a.Recycle()
	a.Recycle() // again, which is nothing
	for _, other := range []*Dense{Empty(kernels.Float32, 7, 3), Empty(kernels.Int32, 3, 7), Empty(kernels.Int32, 21), Empty(kernels.Int32, 7, 3, 1)} {
		if other == a {
			t.Errorf("got the array for type %v and shape %v", other.DType(), other.Shape())
		}
	}
	b := Empty(kernels.Int32, 7, 3)
	if b != a || !b.IsUnique() || b.Buffer().Claims() != 0 || Empty(kernels.Int32, 7, 3) == a {
		t.Errorf("got %p, want once %p, as new", b, a)
	}
	for name, hold := range map[string]func(a *Dense){
		"claimed by two": func(a *Dense) { a.Buffer().Claim(); a.Buffer().Claim() },
		"held":           func(a *Dense) { a.Buffer().Pin() },
	} {
		a := Empty(kernels.Int32, 7, 3)
		hold(a)
		if a.Recycle(); Empty(kernels.Int32, 7, 3) == a {
			t.Errorf("%s, and yet given out again", name)
		}
	}
	scalar := Empty(kernels.Float64)
	if scalar.Recycle(); Empty(kernels.Float64) != scalar {
		t.Error("an array without axes is made anew")
	}
}

// TestRecycleMany: the last ones wait, and the memory of those before is given back.
func TestRecycleMany(t *testing.T) {
	var all []*Dense
	for range maxFree + 3 {
		all = append(all, Empty(kernels.Int16, 100))
	}
	for _, a := range all {
		a.Recycle()
	}
	for i, a := range all {
		if gone := a.Buffer() == nil; gone != (i < 3) {
			t.Errorf("array %d of %d: given back: %v", i, len(all), gone)
		}
	}
	for i := range maxFree {
		if want := all[len(all)-1-i]; Empty(kernels.Int16, 100) != want {
			t.Errorf("%d: not the last one", i)
		}
	}
}

// TestRecycleTogether: no array is given to two goroutines.
func TestRecycleTogether(t *testing.T) {
	var wait sync.WaitGroup
	for id := range 4 {
		wait.Go(func() {
			for range 2000 {
				a := Empty(kernels.Int64, 5)
				values := Elements[int64](a)
				for i := range values {
					values[i] = int64(id)
				}
				for _, v := range values {
					if v != int64(id) {
						t.Error("somebody else has written to the array")
						return
					}
				}
				a.Recycle()
			}
		})
	}
	wait.Wait()
}
