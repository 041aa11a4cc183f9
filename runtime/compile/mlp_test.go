package compile_test

import (
	"context"
	"maps"
	"math"
	"math/rand/v2"
	"testing"

	"github.com/arignote/arignote/kernels"
	"github.com/arignote/arignote/runtime/compile"
	"github.com/arignote/arignote/runtime/grad"
	"github.com/arignote/arignote/runtime/graph"
	"github.com/arignote/arignote/runtime/op"
	"github.com/arignote/arignote/runtime/tensor"
)

// mlp is one step of gradient descent for a perceptron of three layers with tanh, softmax and the
// cross entropy with one-hot targets; the parameters are shared.
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

// labels counts the nodes of a compiled graph by what the profile calls them; views are left out.
func labels(f *compile.Function) map[string]int {
	count := make(map[string]int)
	for _, node := range f.Graph.Toposort() {
		if len(graph.Views(node.Op)) == 0 {
			count[graph.Label(node.Op)]++
		}
	}
	return count
}

// TestMLPGraph: a step is products that take in biases and updates, one node for the cost and its
// derivative, one for each tanh and for its derivative, with the bias's, and little else.
func TestMLPGraph(t *testing.T) {
	spec := mlp(t, kernels.Float64, 784, 512, 512, 10)
	spec.Mode = compile.Mode{Linker: "go", Optimizer: "fast_run"}
	f := compiled(t, spec)
	want := map[string]int{
		"Gemm{no_inplace}": 6, "dot": 2, "LogSoftmax": 1, "Elemwise{Tanh}[(0, 0)]": 2,
		"Elemwise{Composite{sum((i0 * i1), axis=[0, 1]), ((i2 * i0) - (i3 * exp(i1)))}}[(1, 1)]": 1,
		"Elemwise{Composite{(t2 = (i0 * (i1 - sqr(i2)))), sum(t2, axis=[0])}}[(0, 0)]":           2,
		"Sum{axis=[0]}": 1, "Elemwise{Composite{(i0 - (i1 * i2))}}[(0, 2)]": 3,
		// The length of the batch, minus its reciprocal, the factor of the sums of the targets, and
		// the cost.
		"Shape_i{0}": 1, "Elemwise{Cast{float64}}": 1, "Elemwise{true_div,no_inplace}": 1, "Sum{axis=[1]}": 1,
		"Elemwise{mul,no_inplace}": 1, "Elemwise{Composite{((-i0) / i1)}}[(0, 0)]": 1,
	}
	if got := labels(f); !maps.Equal(got, want) {
		t.Errorf("got %v\nwant %v\n%s", got, want, f.Graph)
	}
}

// TestMLP learns in each mode, where softmax underflows too, and gets the costs of the mode without
// rewrites.
func TestMLP(t *testing.T) {
	const batch = 9
	for _, d := range []kernels.DType{kernels.Float64, kernels.Float32} {
		r := rand.New(rand.NewPCG(5, 5))
		values, targets := make([]float64, batch*7), make([]float64, batch*4)
		for i := range values {
			values[i] = r.NormFloat64()
		}
		for i := range batch {
			targets[4*i+r.IntN(4)] = 1
		}
		args := []*tensor.Dense{tensor.From(values, batch, 7).AsType(d), tensor.From(targets, batch, 4).AsType(d)}
		tol := map[kernels.DType]float64{kernels.Float64: 1e-12, kernels.Float32: 1e-4}[d]
		var want []float64
		fast := compile.Mode{Linker: "c|go", Optimizer: "fast_run"}
		for _, mode := range []compile.Mode{reference, {Linker: "go", Optimizer: "fast_run"}, fast, fast.Excluding("blas")} {
			spec := mlp(t, d, 7, 6, 5, 4)
			spec.Mode = mode
			f := compiled(t, spec)
			for step := range 10 {
				out, err := f.Call(context.Background(), args, nil)
				if err != nil {
					t.Fatal(err)
				}
				cost := out[0].Floats()[0]
				if len(want) == step {
					want = append(want, cost)
				}
				if !(math.Abs(cost-want[step]) <= tol) {
					t.Fatalf("%v, %s, %s: cost of step %d: got %v, want %v", d, mode.Optimizer, mode.Linker, step, cost, want[step])
				}
			}
		}
		if !(want[9] < want[0]) {
			t.Errorf("the reference does not learn: %v", want)
		}
	}
}

// TestCrossEntropyOfExtremes: where the softmax or the sigmoid is 0 or 1 the gradient is what it
// should be, not 0/0.
func TestCrossEntropyOfExtremes(t *testing.T) {
	do := func(o graph.Op, in ...V) V { return b.Apply(o, in...) }
	one := b.Number(kernels.Float64, 1)
	vector := graph.AnyShape(kernels.Float64, 1)
	z, y := graph.NewInput("z", vector, nil), graph.NewInput("y", vector, nil)
	logistic := do(op.TrueDiv, one, do(op.Add, one, do(op.Exp, do(op.Neg, z))))
	extremes, labels, derivative := []float64{1000, 1000, -1000, -1000, 0}, []float64{1, 0, 1, 0, 1}, []float64{0, 1, -1, 0, -0.5}
	softmax := func(z V) V { return do(op.Neg, do(op.Mul, y, do(op.Log, do(op.Softmax{}, z)))) }
	binary := func(p V) V {
		return do(op.Neg, do(op.Add, do(op.Mul, y, do(op.Log, p)), do(op.Mul, do(op.Sub, one, y), do(op.Log, do(op.Sub, one, p)))))
	}
	for name, c := range map[string]struct {
		cost         V
		z, y, wanted []float64
	}{
		"softmax":  {softmax(z), []float64{1000, 0, -1000}, []float64{0, 1, 0}, []float64{1, -1, 0}},
		"sigmoid":  {binary(do(op.Sigmoid, z)), extremes, labels, derivative},
		"logistic": {binary(logistic), extremes, labels, derivative},
	} {
		g, err := grad.Grad(b, do(op.Reduce{Axes: tensor.AxesOf(0)}, c.cost), []V{z}, grad.Options{})
		if err != nil {
			t.Fatal(err)
		}
		f := compiled(t, compile.Spec{Inputs: []V{z, y}, Outputs: g, Mode: compile.Mode{Linker: "go", Optimizer: "fast_run"}})
		got := call(t, f, tensor.From(c.z, len(c.z)), tensor.From(c.y, len(c.y)))[0].Floats()
		for i, want := range c.wanted {
			if !(math.Abs(got[i]-want) <= 1e-12) {
				t.Errorf("%s: gradient at %v with target %v: got %v, want %v\n%s", name, c.z[i], c.y[i], got[i], want, f.Graph)
			}
		}
	}
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
