package compile_test

import (
	"context"
	"fmt"
	"math"
	"testing"

	"github.com/arignote/arignote/kernels"
	"github.com/arignote/arignote/runtime/compile"
	"github.com/arignote/arignote/runtime/formula"
	"github.com/arignote/arignote/runtime/grad"
	"github.com/arignote/arignote/runtime/graph"
	"github.com/arignote/arignote/runtime/op"
	"github.com/arignote/arignote/runtime/tensor"
)

func logistic(x float64) float64 { return 1 / (1 + math.Exp(-x)) }

// saturated are costs of a logistic function, whose gradients as written have factors that are 0/0
// where it is 0 or 1, and their derivatives.
var saturated = []struct {
	name          string
	cost          func(x, t V) V
	first, second func(x, t float64) float64
}{
	{"log(1-s)", func(x, t V) V { return b.Apply(op.Log, b.Apply(op.Sub, b.Like(x, 1), b.Apply(op.Sigmoid, x))) },
		func(x, t float64) float64 { return -logistic(x) }, func(x, t float64) float64 { return -logistic(x) * logistic(-x) }},
	{"log(s)", func(x, t V) V { return b.Apply(op.Log, b.Apply(op.Sigmoid, x)) },
		func(x, t float64) float64 { return logistic(-x) }, func(x, t float64) float64 { return -logistic(x) * logistic(-x) }},
	{"log(1-s)/2", func(x, t V) V {
		return b.Apply(op.Mul, b.Like(x, .5), b.Apply(op.Log, b.Apply(op.Sub, b.Like(x, 1), b.Apply(op.Sigmoid, x))))
	}, func(x, t float64) float64 { return -logistic(x) / 2 }, func(x, t float64) float64 { return -logistic(x) * logistic(-x) / 2 }},
	{"-t*log(s)", func(x, t V) V { return b.Apply(op.Neg, b.Apply(op.Mul, t, b.Apply(op.Log, b.Apply(op.Sigmoid, x)))) },
		func(x, t float64) float64 { return -t * logistic(-x) }, func(x, t float64) float64 { return t * logistic(x) * logistic(-x) }},
	{"cross entropy", func(x, t V) V { return crossEntropy(b.Apply(op.Sigmoid, x), t) },
		func(x, t float64) float64 { return logistic(x) - t }, func(x, t float64) float64 { return logistic(x) * logistic(-x) }},
	{"cross entropy as division", func(x, t V) V {
		return crossEntropy(b.Apply(op.TrueDiv, b.Like(x, 1), b.Apply(op.Add, b.Like(x, 1), b.Apply(op.Exp, b.Apply(op.Neg, x)))), t)
	}, func(x, t float64) float64 { return logistic(x) - t }, nil},
	{"cross entropy and square", func(x, t V) V {
		s := b.Apply(op.Sigmoid, x)
		return b.Apply(op.Add, crossEntropy(s, t), b.Apply(op.Mul, b.Like(x, .5), b.Apply(op.Sqr, s)))
	}, func(x, t float64) float64 { s := logistic(x); return s - t + s*s*logistic(-x) }, nil},
	{"log of a square", func(x, t V) V { return b.Apply(op.Log, b.Apply(op.Sqr, b.Apply(op.Sigmoid, x))) },
		func(x, t float64) float64 { return 2 * logistic(-x) }, nil},
	{"log odds", func(x, t V) V {
		s := b.Apply(op.Sigmoid, x)
		return b.Apply(op.Log, b.Apply(op.TrueDiv, s, b.Apply(op.Sub, b.Like(x, 1), s)))
	}, func(x, t float64) float64 { return 1 }, nil},
	{"log(s-1) of the negative", func(x, t V) V {
		return b.Apply(op.Log, b.Apply(op.Neg, b.Apply(op.Sub, b.Apply(op.Sigmoid, x), b.Like(x, 1))))
	}, func(x, t float64) float64 { return -logistic(x) }, nil},
}

func crossEntropy(s, t V) V {
	one := b.Like(s, 1)
	return b.Apply(op.Neg, b.Apply(op.Add, b.Apply(op.Mul, t, b.Apply(op.Log, s)), b.Apply(op.Mul, b.Apply(op.Sub, one, t), b.Apply(op.Log, b.Apply(op.Sub, one, s)))))
}

// TestGradientsOfSaturation: in sums, means, with weights, and in the steps of a loop they are what
// they are in exact arithmetic, and so are theirs.
func TestGradientsOfSaturation(t *testing.T) {
	at := []float64{-800, -90, -40, -17, -1, 0, 1, 17, 36, 40, 90, 800}
	targets := []float64{1, 0, 1, 0, .3, 1, 0, .7, 1, 0, 1, 0}
	weights := []float64{1, 2, 3, .5, 1, 2, 3, .5, 1, 2, 3, .5}
	for _, d := range []kernels.DType{kernels.Float64, kernels.Float32} {
		tol := map[kernels.DType]float64{kernels.Float64: 1e-12, kernels.Float32: 1e-5}[d]
		for _, c := range saturated {
			for _, how := range []string{"sum", "mean", "weighted", "scan", "second"} {
				if how == "second" && c.second == nil {
					continue
				}
				name := fmt.Sprintf("%s/%s/%v", c.name, how, d)
				x, y, w := graph.NewInput("x", graph.AnyShape(d, 1), nil), graph.NewInput("t", graph.AnyShape(d, 1), nil), graph.NewInput("w", graph.AnyShape(d, 1), nil)
				var cost V
				want := make([]float64, len(at))
				for i := range want {
					if want[i] = c.first(at[i], targets[i]); how == "second" {
						want[i] = c.second(at[i], targets[i])
					}
				}
				switch how {
				case "sum", "second":
					cost = b.Apply(op.Reduce{Axes: tensor.AxesOf(0)}, c.cost(x, y))
				case "mean":
					cost = op.Mean(b, c.cost(x, y), tensor.AxesOf(0))
					for i := range want {
						want[i] /= float64(len(want))
					}
				case "weighted":
					cost = op.Mean(b, b.Apply(op.Mul, w, c.cost(x, y)), tensor.AxesOf(0))
					for i := range want {
						want[i] *= weights[i] / float64(len(want))
					}
				case "scan":
					u, v := graph.NewInput("u", graph.AnyShape(d, 0), nil), graph.NewInput("v", graph.AnyShape(d, 0), nil)
					s := &formula.Scan{Rows: []formula.ScanSequence{{At: u, All: x}, {At: v, All: y}}, Results: []formula.ScanResult{{Value: c.cost(u, v)}}}
					out, _, err := s.Apply(b)
					if err != nil {
						t.Fatal(err)
					}
					cost = b.Apply(op.Reduce{Axes: tensor.AxesOf(0)}, out[0])
				}
				g, err := grad.Grad(b, cost, []V{x}, grad.Options{})
				if err == nil && how == "second" {
					g, err = grad.Grad(b, b.Apply(op.Reduce{Axes: tensor.AxesOf(0)}, g[0]), []V{x}, grad.Options{})
				}
				if err != nil {
					t.Fatal(name, err)
				}
				f := compiled(t, compile.Spec{Inputs: []V{x, y, w}, Outputs: g, Mode: compile.Mode{Linker: "c|go", Optimizer: "fast_run"}})
				n := len(at)
				got := call(t, f, tensor.From(at, n).AsType(d), tensor.From(targets, n).AsType(d), tensor.From(weights, n).AsType(d))[0].Floats()
				for i, v := range want {
					if !(math.Abs(got[i]-v) <= tol*(1+math.Abs(v))) {
						t.Errorf("%s: at %v with target %v: got %v, want %v\n%s", name, at[i], targets[i], got[i], v, f.Graph)
						break
					}
				}
				// Lengths that do not fit stay an error, and no elements stay none.
				none := tensor.New(d, 0)
				if got := call(t, f, none, none, none)[0]; got.Size() != 0 {
					t.Errorf("%s: got %v of no elements", name, got)
				}
				if c.name == "cross entropy" && how == "sum" {
					short := tensor.New(d, 2)
					if out, err := f.Call(context.Background(), []*tensor.Dense{tensor.From(at, n).AsType(d), short, short}, nil); err == nil {
						t.Errorf("%s: got %v of 12 and 2 elements, want an error", name, out)
					}
				}
			}
		}
	}
}

// TestCancelled: factors above and below the line go wherever they stand, and what is not exact is
// off in fast_run_stable.
func TestCancelled(t *testing.T) {
	typ := graph.AnyShape(kernels.Float64, 1)
	x, y, z := graph.NewInput("x", typ, nil), graph.NewInput("y", typ, nil), graph.NewInput("z", typ, nil)
	do := func(o graph.Op, in ...V) V { return b.Apply(o, in...) }
	c := func(v float64) V { return b.Like(x, v) }
	mul, div := func(u, v V) V { return do(op.Mul, u, v) }, func(u, v V) V { return do(op.TrueDiv, u, v) }
	for _, test := range []struct {
		name string
		v    V
		want float64 // at x = 3, y = 0, z = 5
	}{
		{"x*y/y", div(mul(x, y), y), 3},
		{"(x/y)*(z*y)", mul(div(x, y), mul(z, y)), 15},
		{"x*y*z/(y*z)", div(mul(mul(x, y), z), mul(z, y)), 3},
		{"-(x*y)/(2*y)", div(do(op.Neg, mul(x, y)), mul(c(2), y)), -1.5},
		{"(2*x)*y/(4*y)", div(mul(mul(c(2), x), y), mul(c(4), y)), 1.5},
		{"y/(y*x)", div(y, mul(y, x)), 1. / 3},
		{"y/y", div(y, y), 1},
		{"-y/y", div(do(op.Neg, y), y), -1},
		{"sqr(y)*x/(y*y)", div(mul(do(op.Sqr, y), x), mul(y, y)), 3},
		{"y**3*x/y**2", div(mul(do(op.Pow, y, c(3)), x), do(op.Pow, y, c(2))), 0},
		{"x*y*y**-1", mul(mul(x, y), do(op.Pow, y, c(-1))), 3},
		{"x*(1/y)*y", mul(mul(x, do(op.Reciprocal, y)), y), 3},
		{"x*(y-0*z)/(0*z-y)", div(mul(x, do(op.Sub, y, do(op.Tanh, y))), do(op.Sub, do(op.Tanh, y), y)), -3},
		{"(x/y+z)*y", mul(do(op.Add, div(x, y), z), y), 3},
		{"(z-x/y)*(y*z)", mul(do(op.Sub, z, div(x, y)), mul(y, z)), -15},
		{"x/(y/(y*z))", div(x, div(y, mul(y, z))), 15},
	} {
		f := compiled(t, compile.Spec{Inputs: []V{x, y, z}, Outputs: []V{test.v}, Mode: compile.Mode{Linker: "c|go", Optimizer: "fast_run"}})
		args := []*tensor.Dense{tensor.From([]float64{3}, 1), tensor.From([]float64{0}, 1), tensor.From([]float64{5}, 1)}
		if got := call(t, f, args...)[0].Floats()[0]; math.Abs(got-test.want) > 1e-12 || got != got {
			t.Errorf("%s: got %v, want %v\n%s", test.name, got, test.want, f.Graph)
		}
		if out, err := f.Call(context.Background(), []*tensor.Dense{args[0], tensor.New(kernels.Float64, 3), tensor.New(kernels.Float64, 2)}, nil); err == nil && test.name != "y/y" && test.name != "-y/y" {
			t.Errorf("%s: got %v of 1, 3 and 2 elements, want an error", test.name, out[0])
		}
		f = compiled(t, compile.Spec{Inputs: []V{x, y, z}, Outputs: []V{test.v}, Mode: compile.Mode{Linker: "c|go", Optimizer: "fast_run_stable"}})
		if got := call(t, f, args...)[0].Floats()[0]; got == got && test.name != "y**3*x/y**2" {
			t.Errorf("fast_run_stable: %s: got %v, want nan as written\n%s", test.name, got, f.Graph)
		}
	}
}
