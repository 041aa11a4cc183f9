package compile_test

import (
	"math/rand/v2"
	"testing"

	"github.com/arignote/arignote/kernels"
	"github.com/arignote/arignote/runtime/compile"
	"github.com/arignote/arignote/runtime/grad"
	"github.com/arignote/arignote/runtime/graph"
	"github.com/arignote/arignote/runtime/op"
	"github.com/arignote/arignote/runtime/tensor"
)

// mlp is one step of gradient descent for a perceptron of three layers with tanh, softmax and the cross entropy with one-hot
// targets; the parameters are shared.
func mlp(tb testing.TB, d kernels.DType, sizes ...int) compile.Spec {
	tb.Helper()
	r := rand.New(rand.NewPCG(7, 7))
	do := func(o graph.Op, in ...V) V { return b.Apply(o, in...) }
	x, y := graph.NewInput("x", graph.AnyShape(d, 2), nil), graph.NewInput("y", graph.AnyShape(d, 2), nil)
	h := x
	var params []V
	for i, n := range sizes[1:] {
		values := make([]float64, sizes[i]*n)
		for k := range values {
			values[k] = 0.1 * r.NormFloat64()
		}
		w := graph.NewShared("W", graph.AnyShape(d, 2), tensor.From(values, sizes[i], n).AsType(d), nil)
		c := graph.NewShared("c", graph.AnyShape(d, 1), tensor.New(d, n), nil)
		params = append(params, w, c)
		if h = do(op.Add, do(op.Dot{}, h, w), c); i < len(sizes)-2 {
			h = do(op.Tanh, h)
		}
	}
	p := do(op.Softmax{}, h)
	cost := op.Mean(b, do(op.Neg, do(op.Reduce{Axes: tensor.AxesOf(1)}, do(op.Mul, y, do(op.Log, p)))), tensor.AxesOf(0))
	g, err := grad.Grad(b, cost, params, grad.Options{})
	if err != nil {
		tb.Fatal(err)
	}
	spec := compile.Spec{Name: "step", Inputs: []V{x, y}, Outputs: []V{cost}}
	for i, v := range params {
		spec.Updates = append(spec.Updates, graph.Update{Shared: v, Value: do(op.Sub, v, do(op.Mul, b.Number(d, 0.1), g[i]))})
	}
	return spec
}

// BenchmarkCompileMLP is what function() costs for a step of learning.
func BenchmarkCompileMLP(b *testing.B) {
	spec := mlp(b, kernels.Float64, 784, 512, 512, 10)
	spec.Mode = compile.Mode{Linker: "c|go", Optimizer: "fast_run"}
	b.ReportAllocs()
	for b.Loop() {
		_, err := compile.Compile(spec)
		if err != nil {
			b.Fatal(err)
		}
	}
}
