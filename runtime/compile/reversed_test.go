package compile_test

import (
	"math"
	"slices"
	"testing"

	"github.com/arignote/arignote/kernels"
	"github.com/arignote/arignote/runtime/compile"
	"github.com/arignote/arignote/runtime/graph"
	"github.com/arignote/arignote/runtime/op"
	"github.com/arignote/arignote/runtime/tensor"
)

// TestReversedIncrement: what is put into all of an array, or added to it, in another order is that
// value in another order, whatever of it broadcasts.
func TestReversedIncrement(t *testing.T) {
	count := func(n ...int) *tensor.Dense {
		size := 1
		for _, k := range n {
			size *= k
		}
		list := make([]float64, size)
		for i := range list {
			list[i] = float64(i*i + 1)
		}
		return tensor.From(list, n...)
	}
	const u = graph.Unknown
	for _, index := range []op.Subscripts{"::-1", ": ::-1", "::-1 ::-1", "::-1 :", ": :", "::-1 0:3",
		"::-1 1:", "1 ::-1"} {
		for _, set := range []bool{false, true} {
			for _, of := range []struct {
				x, y   []int // what is known
				n      []int
				length []int // of y
			}{
				{[]int{u, u}, []int{u, u}, []int{2, 3}, []int{2, 3}},
				{[]int{2, 3}, []int{2, 3}, []int{2, 3}, []int{2, 3}},
				{[]int{u, 3}, []int{u, u}, []int{2, 3}, []int{2, 3}},
				{[]int{u, u}, []int{u}, []int{2, 3}, []int{3}},
				{[]int{u, 3}, []int{1, u}, []int{2, 3}, []int{1, 3}},
				{[]int{u, u}, []int{u, 1}, []int{2, 3}, []int{2, 1}},
				{[]int{u, u}, nil, []int{2, 3}, nil},
				{[]int{u, u}, []int{u, u}, []int{0, 3}, []int{0, 3}},
				{[]int{u, u}, []int{u, u}, []int{2, 2}, []int{3, 3}},
			} {
				x, y := graph.NewInput("x", graph.TypeOf(kernels.Float64, of.x...), nil),
					graph.NewInput("y", graph.TypeOf(kernels.Float64, of.y...), nil)
				node, err := graph.NewApply(op.IncSubtensor{Index: index, Set: set}, []V{x, y}, nil)
				if err != nil {
					continue
				}
				var results [2]*tensor.Dense
				for i, optimizer := range []string{"None", "fast_run"} {
					f := compiled(t, compile.Spec{
						Inputs: []V{x, y}, Outputs: []V{node.Outputs[0]},
						Mode: compile.Mode{Linker: "c|go", Optimizer: optimizer}})
					out, err := f.Call(t.Context(), []*tensor.Dense{count(of.n...), count(of.length...)}, nil)
					if err == nil {
						results[i] = out[0]
					}
				}
				switch want, got := results[0], results[1]; {
				case (want == nil) != (got == nil):
					t.Errorf("x[%s] of %v with %v, set: %v: got %v, want %v", index, of.n, of.length, set, got, want)
				case want != nil &&
					(!slices.Equal(got.Shape(), want.Shape()) ||
						!slices.EqualFunc(got.Floats(), want.Floats(),
							func(x, y float64) bool {
								return math.Float64bits(x) == math.Float64bits(y)
							})):
					t.Errorf("x[%s] of %v with %v, set: %v: got %v, want %v", index, of.n,
						of.length, set, got.Floats(), want.Floats())
				}
			}
		}
	}
}
