package compile_test

import (
	"context"
	"maps"
	"math"
	"math/rand/v2"
	"testing"

	"gonum.org/v1/gonum/mat"

	"github.com/arignote/arignote/kernels"
	"github.com/arignote/arignote/runtime/compile"
	"github.com/arignote/arignote/runtime/grad"
	"github.com/arignote/arignote/runtime/graph"
	"github.com/arignote/arignote/runtime/op"
	"github.com/arignote/arignote/runtime/tensor"
)

// The logistic regression of Theano's tutorial, on made up data.
const (
	examples = 400
	features = 784
	rate     = 0.1
	decay    = 0.01
)

// logregData is the same whenever it is called.
func logregData() (x, y, w []float64) {
	r := rand.New(rand.NewPCG(400, 784))
	x, y, w = make([]float64, examples*features), make([]float64, examples), make([]float64, features)
	for i := range x {
		x[i] = r.NormFloat64()
	}
	for i := range y {
		y[i] = float64(r.IntN(2))
	}
	for i := range w {
		w[i] = 0.01 * r.NormFloat64() // small, so that 1 - p is not 0 where nothing stabilizes it
	}
	return x, y, w
}

// logregOracle trains with gonum and returns the cost before each step.
func logregOracle(steps int) []float64 {
	data, labels, start := logregData()
	x, w, bias := mat.NewDense(examples, features, data), mat.NewVecDense(features, start), 0.0
	z, gradient, delta := mat.NewVecDense(examples, nil), mat.NewVecDense(features, nil), mat.NewVecDense(examples, nil)
	costs := make([]float64, steps)
	for step := range costs {
		z.MulVec(x, w)
		entropy, sum := 0.0, 0.0
		for i, y := range labels {
			p := 1 / (1 + math.Exp(-z.AtVec(i)-bias))
			entropy += -y*math.Log(p) - (1-y)*math.Log(1-p)
			delta.SetVec(i, (p-y)/examples)
			sum += (p - y) / examples
		}
		costs[step] = entropy/examples + decay*mat.Dot(w, w)
		gradient.MulVec(x.T(), delta)
		gradient.AddScaledVec(gradient, 2*decay, w)
		w.AddScaledVec(w, -rate, gradient)
		bias -= rate * sum
	}
	return costs
}

// logreg is the same as a function of x and y; w and bias are shared.
func logreg(t *testing.T, mode compile.Mode) *compile.Function {
	t.Helper()
	_, _, start := logregData()
	x := graph.NewInput("x", graph.AnyShape(kernels.Float64, 2), nil)
	y := graph.NewInput("y", graph.AnyShape(kernels.Float64, 1), nil)
	w := graph.NewShared("w", graph.AnyShape(kernels.Float64, 1), tensor.From(start, features), nil)
	bias := graph.NewShared("b", graph.TypeOf(kernels.Float64), tensor.Scalar(kernels.Float64, 0), nil)
	n := func(v float64) V { return b.Number(kernels.Float64, v) }
	do := func(o graph.Op, in ...V) V { return b.Apply(o, in...) }
	p := do(op.TrueDiv, n(1), do(op.Add, n(1), do(op.Exp, do(op.Sub, do(op.Neg, do(op.Dot{}, x, w)), bias))))
	entropy := do(op.Sub, do(op.Mul, do(op.Neg, y), do(op.Log, p)),
		do(op.Mul, do(op.Sub, n(1), y), do(op.Log, do(op.Sub, n(1), p))))
	cost := do(op.Add, op.Mean(b, entropy, tensor.AxesOf(0)), do(op.Mul, n(decay), do(op.Reduce{Axes: tensor.AxesOf(0)}, do(op.Sqr, w))))
	g, err := grad.Grad(b, cost, []V{w, bias}, grad.Options{})
	if err != nil {
		t.Fatal(err)
	}
	return compiled(t,
		compile.Spec{Name: "train", Mode: mode, Inputs: []V{x, y}, Outputs: []V{do(op.Gt, p, n(0.5)), cost},
			Updates: []graph.Update{
				{Shared: w, Value: do(op.Sub, w, do(op.Mul, n(rate), g[0]))},
				{Shared: bias, Value: do(op.Sub, bias, do(op.Mul, n(rate), g[1]))},
			}})
}

// TestLogisticRegression trains in each mode; the costs are those of the oracle.
func TestLogisticRegression(t *testing.T) {
	const steps = 100
	want := logregOracle(steps)
	if want[steps-1] > want[0]/2 || math.IsNaN(want[0]) {
		t.Fatalf("the oracle does not learn: %v, then %v", want[0], want[steps-1])
	}
	data, labels, _ := logregData()
	x, y := tensor.From(data, examples, features), tensor.From(labels, examples)
	for _, mode := range []compile.Mode{reference, {Linker: "go", Optimizer: "fast_run"}, {Linker: "c|go", Optimizer: "fast_run"}} {
		f := logreg(t, mode)
		for step := range want {
			out, err := f.Call(context.Background(), []*tensor.Dense{x, y}, nil)
			if err != nil {
				t.Fatal(err)
			}
			if got := out[1].Item().(float64); !(math.Abs(got-want[step]) <= 1e-10*want[step]) {
				t.Fatalf("%s, %s: cost of step %d: got %v, want %v", mode.Optimizer, mode.Linker, step, got, want[step])
			}
			if out[0].DType() != kernels.Bool || out[0].Size() != examples {
				t.Fatalf("got predictions of type %v", graph.TypeOfValue(out[0]))
			}
		}
	}
}

// TestLogisticRegressionGraph: two products, which take in the bias and the update of w, and one
// pass over the examples between.
func TestLogisticRegressionGraph(t *testing.T) {
	f := logreg(t, compile.Mode{Linker: "go", Optimizer: "fast_run"})
	want := map[string]int{
		"Gemv{no_inplace}": 2,
		// Of each example the prediction and the derivative, and the sums of the cross entropies
		// and of the derivatives.
		"Elemwise{Composite{((t0 = sigmoid(i0)) > i1), " +
			"sum(((i2 * softplus((t2 = (-i0)))) + ((t5 = (i3 - i2)) * softplus(i0))), axis=[0]), " +
			"(t15 = ((((-i2) / i4) * sigmoid(t2)) - ((i5 * t5) * t0))), sum(t15, axis=[0])}}[(2, 0)]": 1,
		"Elemwise{Composite{sum(sqr(i0), axis=[0])}}": 1, "Elemwise{Composite{((i0 / i1) + (i2 * i3))}}[(0, 0)]": 1,
		"Elemwise{Composite{(i0 - (i1 * i2))}}[(0, 2)]": 1,
		"Shape_i{0}": 1, "Elemwise{Cast{float64}}": 1, "Elemwise{true_div,no_inplace}": 1,
	}
	if got := labels(f); !maps.Equal(got, want) {
		t.Errorf("got %v\nwant %v\n%s", got, want, f.Graph)
	}
}
