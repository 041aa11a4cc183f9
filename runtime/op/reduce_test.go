package op_test

import (
	"slices"
	"testing"

	"github.com/arignote/arignote/kernels"
	"github.com/arignote/arignote/runtime/graph"
	"github.com/arignote/arignote/runtime/op"
	"github.com/arignote/arignote/runtime/op/optest"
	"github.com/arignote/arignote/runtime/tensor"
)

// Reductions and copies of views are those of their elements in C order, whatever the order of
// memory.
func TestReductionsOfViews(t *testing.T) {
	base := tensor.New(kernels.Int8, 2, 3, 4)
	for i, e := 0, tensor.Elements[int8](base); i < len(e); i++ {
		e[i] = int8(i * 7 % 23)
	}
	b := &graph.Builder{}
	for _, order := range [][]int{{0, 1, 2}, {0, 2, 1}, {1, 0, 2}, {1, 2, 0}, {2, 0, 1}, {2, 1, 0}} {
		view, err := base.DimShuffle(order)
		if err != nil {
			t.Fatal(err)
		}
		step := 2
		every, err := view.Subscript(tensor.Index{Step: &step})
		if err != nil {
			t.Fatal(err)
		}
		for _, x := range []*tensor.Dense{view, every} {
			v := graph.NewInput("x", graph.AnyShape(kernels.Int8, 3), nil)
			of := func(o graph.Op, x *tensor.Dense) *tensor.Dense {
				return eval(t, b.Apply(o, v), map[*graph.Variable]*tensor.Dense{v: x})
			}
			ops := []graph.Op{op.DeepCopy{}, op.Argmax{Axis: 0}, op.Argmax{Axis: 1}, op.Argmax{Axis: 2, Min: true}}
			for _, axes := range optest.AxesOf(3) {
				ops = append(ops, op.Reduce{Kind: op.Sum, Axes: axes}, op.Reduce{Kind: op.Max, Axes: axes})
			}
			for _, o := range ops {
				if got, want := of(o, x), of(o, x.Copy()); !tensor.Equal(got, want) {
					t.Errorf("%s of axes %v: got %v, want %v", o.Name(), order, got.Ints(), want.Ints())
				}
			}
		}
	}
}

// Axes apart from each other, in arrays of any order of memory, with lengths of 1 and steps, are
// reduced one group after the other, or as they are gathered; against a loop.
func TestReductionsOfAxesApart(t *testing.T) {
	b := &graph.Builder{}
	for _, d := range []kernels.DType{kernels.Int8, kernels.Int64, kernels.Float64} {
		for _, shape := range [][]int{{3, 2, 4, 5}, {1, 3, 1, 2}, {4, 1, 1, 3}, {2, 1, 3, 0}, {2, 3, 70, 41}} {
			numbers := tensor.New(kernels.Int8, shape...)
			for i, e := 0, tensor.Elements[int8](numbers); i < len(e); i++ {
				e[i] = int8(i * 37 % 101)
			}
			base := numbers.AsType(d)
			for _, order := range [][]int{{0, 1, 2, 3}, {3, 2, 1, 0}, {0, 2, 1, 3}, {2, 0, 3, 1}} {
				for _, steps := range [][4]int{{1, 1, 1, 1}, {1, 1, 1, 2}, {1, 2, 1, 1}, {1, 1, -1, 1}, {2, 1, 3, -2}} {
					x, err := base.DimShuffle(order)
					if err != nil {
						t.Fatal(err)
					}
					index := make([]tensor.Index, 4)
					for axis := range index {
						index[axis].Step = &steps[axis]
					}
					if x, err = x.Subscript(index...); err != nil {
						t.Fatal(err)
					}
					v := graph.NewInput("x", graph.AnyShape(d, 4), nil)
					for _, axes := range optest.AxesOf(4) {
						got := eval(t, b.Apply(op.Reduce{Kind: op.Sum, Axes: axes}, v), map[*graph.Variable]*tensor.Dense{v: x})
						if want := sumsByLoop(x, axes); !slices.Equal(got.AsType(kernels.Int64).Ints(), want) {
							t.Errorf("sum of %v as %v by %v over %v: got %v, want %v", shape, order, steps, axes, got, want)
						}
					}
				}
			}
		}
	}
}

// sumsByLoop adds the elements of x along axes one after the other.
func sumsByLoop(x *tensor.Dense, axes tensor.Axes) []int64 {
	size := 1
	for axis, d := range x.Shape() {
		if !axes.Has(axis) {
			size *= d
		}
	}
	sums := make([]int64, size)
	for i, e := range x.AsType(kernels.Int64).Ints() {
		at, step := 0, 1
		for axis := x.Rank() - 1; axis >= 0; axis-- {
			d := x.Dim(axis)
			if !axes.Has(axis) {
				at, step = at+i%d*step, step*d
			}
			i /= d
		}
		sums[at] += e
	}
	return sums
}
