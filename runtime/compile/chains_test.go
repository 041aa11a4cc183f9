package compile_test

import (
	"context"
	"errors"
	"math"
	"math/rand/v2"
	"testing"

	"github.com/arignote/arignote/kernels"
	"github.com/arignote/arignote/long"
	"github.com/arignote/arignote/runtime/compile"
	"github.com/arignote/arignote/runtime/debugmode"
	"github.com/arignote/arignote/runtime/grad"
	"github.com/arignote/arignote/runtime/graph"
	"github.com/arignote/arignote/runtime/op"
	"github.com/arignote/arignote/runtime/rewrite"
	"github.com/arignote/arignote/runtime/tensor"
)

// longChain is a random chain of 200 and more products, sums, quotients and powers with constants
// far from 1, and its gradient.
func longChain(r *rand.Rand) trial {
	d := []kernels.DType{kernels.Float64, kernels.Float32}[r.IntN(2)]
	v := graph.AnyShape(d, 1)
	x, y := graph.NewInput("x", v, nil), graph.NewInput("y", v, nil)
	far := []float64{.5, 3, 12, 40}[r.IntN(4)]
	if d == kernels.Float32 {
		far = min(far, 6)
	}
	do := func(o graph.Op, in ...V) V { return b.Apply(o, in...) }
	a, size := x, 0.0 // the exponent, about
	constant := func() V {
		e := far * (2*r.Float64() - 1)
		if size*e > 0 && math.Abs(size+e) > 1.5*far {
			e = -e
		}
		size += e
		return b.Like(x, math.Pow(10, e))
	}
	kinds := r.Perm(8)[:2+r.IntN(3)]
	for range 200 + r.IntN(100) {
		switch kinds[r.IntN(len(kinds))] {
		case 0:
			a = do(op.Mul, a, constant())
		case 1:
			a = do(op.Mul, do(op.Mul, a, y), constant())
		case 2:
			a, size = do(op.Tanh, do(op.Mul, a, constant())), 0
		case 3:
			a = do(op.TrueDiv, a, b.Like(x, math.Pow(10, r.Float64()-.5)))
		case 4:
			a, size = do(op.Sub, do(op.Tanh, do(op.Mul, a, b.Like(x, 1000))), b.Like(x, .995)), 0
		case 5:
			a, size = do(op.Sqr, do(op.Sin, do(op.Mul, a, constant()))), 0
		case 6:
			a, size = do(op.Log, do(op.Add, b.Like(x, 1.5), do(op.Sqr, do(op.Tanh, a)))), 0
		default:
			a = do(op.TrueDiv, do(op.Mul, constant(), a), do(op.Exp, do(op.Mul, b.Like(x, .1), y)))
		}
	}
	g, err := grad.Grad(b, do(op.Reduce{Axes: tensor.AxesOf(0)}, a), []V{x}, grad.Options{})
	if err != nil {
		panic(err)
	}
	n := 4
	values := func(scale float64) *tensor.Dense {
		list := make([]float64, n)
		for i := range list {
			list[i] = scale * (.5 + r.Float64())
		}
		return tensor.From(list, n).AsType(d)
	}
	fg := &graph.FunctionGraph{Inputs: []V{x, y}, Outputs: []V{a, g[0]}}
	return trial{fg: fg, from: map[V]*tensor.Dense{x: values([]float64{.004, 1}[r.IntN(2)]), y: values(1)}, family: moderate}
}

// TestLongChains: rewriting loses nothing of long chains with constants far from 1.
func TestLongChains(t *testing.T) {
	n := 60
	if testing.Short() || long.Race {
		n = 10
	}
	modes := []variant{{"fast_run", compile.Mode{Linker: "c|go", Optimizer: "fast_run"}}, {"fast_run_stable", compile.Mode{Linker: "c|go", Optimizer: "fast_run_stable"}}}
	compared := 0
	for seed := range uint64(n) {
		x := longChain(rand.New(rand.NewPCG(seed, 7)))
		want := x.verdict()
		for i := range 2 {
			for _, e := range want.Value(i).Floats() {
				if a := math.Abs(e); a > 0 && a < math.Inf(1) {
					compared++
				}
			}
		}
		if m, wrong, _ := x.check(modes); wrong != "" {
			t.Errorf("seed %d, %s: %s", seed, m.name, wrong)
		}
	}
	if compared < 2*n {
		t.Errorf("only %d numbers were compared", compared)
	}
}

// tanhChain is 150 steps whose derivative is a product of 150 numbers near 0.2, each with a
// constant of 1000.
func tanhChain(t *testing.T, steps int) (x, g V) {
	t.Helper()
	x = graph.NewInput("x", graph.AnyShape(kernels.Float64, 0), nil)
	a := x
	for range steps {
		a = b.Apply(op.Sub, b.Apply(op.Tanh, b.Apply(op.Mul, a, b.Like(x, 1000))), b.Like(x, .995))
	}
	list, err := grad.Grad(b, a, []V{x}, grad.Options{})
	if err != nil {
		t.Fatal(err)
	}
	return x, list[0]
}

// TestChainOfConstants: the constants of a long product are not gathered to where they, or what is
// left, overflow or underflow; DebugMode finds a rule that does.
func TestChainOfConstants(t *testing.T) {
	x, g := tanhChain(t, 150)
	at := tensor.Scalar(kernels.Float64, .0038)
	want := 1.0
	for v, i := .0038, 0; i < 150; i++ {
		s := math.Tanh(v * 1000)
		want, v = want*(1-s*s)*1000, s-.995
	}
	for _, optimizer := range []string{"fast_run", "fast_compile", "fast_run_stable", "None"} {
		f := compiled(t, compile.Spec{Inputs: []V{x}, Outputs: []V{g}, Mode: compile.Mode{Linker: "c|go", Optimizer: optimizer}})
		if got := call(t, f, at)[0].Floats()[0]; !(math.Abs(got-want) <= 1e-9*want) || want == 0 {
			t.Errorf("%s: got %v, want %v", optimizer, got, want)
		}
	}
	gathers, err := rewrite.ParseRule("gathers: (c * x) * y => c * (x * y) if constant(c) && scalar(c) && !constant(x) && !constant(y) && samedtype(c, x, y) && covers(x)\n"+
		"gathers: c * (d * x) => c * d * x if constant(c, d) && samedtype(c, d, x) && covers(x)", "In[1]:1")
	if err != nil {
		t.Fatal(err)
	}
	o := debugmode.Default()
	o.Patience, o.CheckFinite = 1, false
	for i, rules := range [][]*rewrite.Rule{nil, gathers} {
		var add []compile.Registered
		for _, r := range rules {
			r.Group, r.Tags = "canonicalize", []string{rewrite.Unstable}
			add = append(add, compile.Registered{Rules: []*rewrite.Rule{r}})
		}
		x, g := tanhChain(t, 110)
		f, err := compile.Compile(compile.Spec{Inputs: []V{x}, Outputs: []V{g}, Rules: add, Mode: compile.Mode{Linker: "c|go", Optimizer: "fast_run", Debug: &o}})
		if err != nil {
			t.Fatal(err)
		}
		_, err = f.Call(context.Background(), []*tensor.Dense{at}, nil)
		var found *debugmode.Error
		if errors.As(err, &found) != (i == 1) || i == 0 && err != nil {
			t.Errorf("with %d more rules: got %v", len(rules), err)
		}
	}
}
