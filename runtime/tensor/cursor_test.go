package tensor_test

import (
	"slices"
	"testing"

	"github.com/arignote/arignote/kernels"
	"github.com/arignote/arignote/runtime/tensor"
)

// TestCursor: a cursor's rows are those of Row, of any array, and walking over them allocates
// nothing.
func TestCursor(t *testing.T) {
	x := tensor.From([]float64{0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11}, 4, 3)
	backwards, err := x.Subscript(tensor.Index{Step: new(-1)}, tensor.Index{Start: new(1)})
	if err != nil {
		t.Fatal(err)
	}
	var c tensor.Cursor
	for _, a := range []*tensor.Dense{x, backwards, x.Transpose(), x.Row(2), tensor.New(kernels.Int8, 2, 0)} {
		c.Over(a)
		for i := range a.Dim(0) {
			got, want := c.At(i), a.Row(i)
			if !slices.Equal(got.Shape(), want.Shape()) || !slices.Equal(got.Floats(), want.Floats()) {
				t.Errorf("row %d of %v: got %v, want %v", i, a.Floats(), got.Floats(), want.Floats())
			}
		}
	}
	c.Over(x)
	if n := testing.AllocsPerRun(10, func() { c.At(3) }); n != 0 {
		t.Errorf("a row allocates %v times", n)
	}
}

// TestViewIsDescribedAnew: what a View returns is what the methods of the array return, in one
// place.
func TestViewIsDescribedAnew(t *testing.T) {
	x := tensor.From([]float64{0, 1, 2, 3, 4, 5}, 2, 3)
	var v tensor.View
	turned, err := v.DimShuffle(x, []int{1, tensor.NewAxis, 0})
	if err != nil || !slices.Equal(turned.Shape(), []int{3, 1, 2}) || !slices.Equal(turned.Floats(), []float64{0, 3, 1, 4, 2, 5}) {
		t.Errorf("got %v, %v", turned, err)
	}
	index := []tensor.Index{{At: new(1)}, {Start: new(1)}}
	part, err := v.Subscript(x, index...)
	if err != nil || part != turned || !slices.Equal(part.Floats(), []float64{4, 5}) {
		t.Errorf("got %v, %v", part, err)
	}
	if n := testing.AllocsPerRun(10, func() {
		if _, err := v.Subscript(x, index...); err != nil {
			t.Fatal(err)
		}
	}); n != 0 {
		t.Errorf("a view allocates %v times", n)
	}
}
