package compile_test

import (
	"fmt"
	"testing"

	"github.com/arignote/arignote/kernels"
	"github.com/arignote/arignote/runtime/compile"
	"github.com/arignote/arignote/runtime/graph"
	"github.com/arignote/arignote/runtime/op"
	"github.com/arignote/arignote/runtime/tensor"
)

// BenchmarkLoop is what the executor takes for a node without a branch in the program: a chain of
// scalars that are not fused.
func BenchmarkLoop(b *testing.B) {
	const nodes = 100
	x := graph.NewInput("x", graph.TypeOf(kernels.Float64), nil)
	y, build := x, &graph.Builder{}
	for range nodes {
		y = build.Apply(op.Neg, y)
	}
	f, err := compile.Compile(compile.Spec{Inputs: []*graph.Variable{x}, Outputs: []*graph.Variable{y}, Mode: compile.Mode{Linker: "c|go", Optimizer: "None"}})
	if err != nil {
		b.Fatal(err)
	}
	args := []*tensor.Dense{tensor.Scalar(kernels.Float64, 1)}
	for b.Loop() {
		if _, err := f.Run(nil, args, nil); err != nil {
			b.Fatal(err)
		}
	}
	b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(b.N)/nodes, "ns/node")
}

// BenchmarkIfElse sets a choice between two branches beside a switch, which computes both:
// expensive and cheap ones.
func BenchmarkIfElse(b *testing.B) {
	for _, n := range []int{1, 100, 10000, 1000000} {
		x, c := graph.NewInput("x", graph.AnyShape(kernels.Float64, 1), nil), graph.NewInput("c", graph.TypeOf(kernels.Bool), nil)
		build := &graph.Builder{}
		then, els := build.Apply(op.Exp, x), build.Apply(op.Log, x)
		for name, y := range map[string]*graph.Variable{
			"ifelse": build.Apply(op.IfElse{N: 1}, c, then, els),
			"switch": build.Apply(op.Switch, build.Apply(op.NewDimShuffle([]int{tensor.NewAxis}), c), then, els),
		} {
			f, err := compile.Compile(compile.Spec{Inputs: []*graph.Variable{c, x}, Outputs: []*graph.Variable{y}, Mode: compile.Mode{Linker: "c|go", Optimizer: "fast_run"}})
			if err != nil {
				b.Fatal(err)
			}
			v := tensor.New(kernels.Float64, n)
			v.Fill(2)
			args := []*tensor.Dense{tensor.FromBools([]bool{true}), v}
			b.Run(fmt.Sprint(name, "/", n), func(b *testing.B) {
				var out []*tensor.Dense
				for b.Loop() {
					if out, err = f.Run(nil, args, nil); err != nil {
						b.Fatal(err)
					}
					f.Recycle(out)
				}
			})
		}
	}
}
