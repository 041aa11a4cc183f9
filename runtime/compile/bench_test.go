package compile_test

import (
	"context"
	"testing"

	"github.com/arignote/arignote/kernels"
	"github.com/arignote/arignote/runtime/compile"
	"github.com/arignote/arignote/runtime/graph"
	"github.com/arignote/arignote/runtime/op"
	"github.com/arignote/arignote/runtime/tensor"
)

// BenchmarkCall is what a call costs from Go, by the number of elements: x + y, and (x + y + z) * 2
// as three nodes. The results are given back.
func BenchmarkCall(b *testing.B) {
	for _, c := range []struct {
		name string
		dims []int
		n    []int
	}{{"scalar", nil, nil}, {"n=10", []int{graph.Unknown}, []int{10}}, {"n=1000", []int{graph.Unknown}, []int{1000}}} {
		x := graph.NewInput("x", graph.TypeOf(kernels.Float64, c.dims...), nil)
		y := graph.NewInput("y", graph.TypeOf(kernels.Float64, c.dims...), nil)
		build := &graph.Builder{}
		sum := build.Apply(op.Add, x, y)
		three := build.Apply(op.Mul, build.Apply(op.Add, sum, y), build.Like(x, 2))
		for name, out := range map[string]*graph.Variable{"add": sum, "three": three} {
			b.Run(name+"/"+c.name, func(b *testing.B) {
				f, err := compile.Compile(compile.Spec{Inputs: []*graph.Variable{x, y}, Outputs: []*graph.Variable{out},
					Mode: compile.Mode{Linker: "c|go", Optimizer: "fast_run", Exclude: []string{"fusion", "inplace"}}})
				if err != nil {
					b.Fatal(err)
				}
				args := []*tensor.Dense{tensor.New(kernels.Float64, c.n...), tensor.New(kernels.Float64, c.n...)}
				b.ReportAllocs()
				for b.Loop() {
					out, err := f.Call(context.Background(), args, nil)
					if err != nil {
						b.Fatal(err)
					}
					f.Recycle(out)
				}
			})
		}
	}
}
