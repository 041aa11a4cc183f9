package op_test

import (
	"fmt"
	"testing"

	"github.com/arignote/arignote/kernels"
	"github.com/arignote/arignote/runtime/graph"
	"github.com/arignote/arignote/runtime/op"
	"github.com/arignote/arignote/runtime/tensor"
)

// Reductions and copies of views are those of their elements in C order, whatever the order of memory.
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
			for axes := range tensor.AllAxes(3) + 1 {
				ops = append(ops, op.Reduce{Kind: op.Sum, Axes: axes}, op.Reduce{Kind: op.Max, Axes: axes})
			}
			for _, o := range ops {
				if got, want := of(o, x), of(o, x.Copy()); !tensor.Equal(got, want) {
					t.Errorf("%s of axes %v: got %v, want %v", o.Name(), order, got.Ints(), want.Ints())
				}
			}
			// A reduction over all axes, against a loop.
			sum := int64(0)
			for _, e := range x.Ints() {
				sum += e
			}
			if got := of(op.Reduce{Kind: op.Sum, Axes: tensor.AllAxes(3)}, x).Item(); fmt.Sprint(got) != fmt.Sprint(sum) {
				t.Errorf("sum of axes %v: got %v, want %v", order, got, sum)
			}
		}
	}
}
