package compile_test

import (
	"context"
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/arignote/arignote/kernels"
	"github.com/arignote/arignote/long"
	"github.com/arignote/arignote/runtime/compile"
	"github.com/arignote/arignote/runtime/grad"
	"github.com/arignote/arignote/runtime/graph"
	"github.com/arignote/arignote/runtime/op"
	"github.com/arignote/arignote/runtime/rewrite"
	"github.com/arignote/arignote/runtime/tensor"
)

// reference is the mode without rewrites and with the Go kernels alone.
var reference = compile.Mode{Linker: "go", Optimizer: "None"}

// variants must compute what the reference computes. Rewrites that are tagged unstable may turn nan
// into a number; without them nan stays nan. Without those that are stabilizing too, all values are
// as written.
var variants = []struct {
	name string
	mode compile.Mode
	nans bool
	wild bool // inf, the signs of zeros, and what overflows too
}{
	{"fast_compile, go", compile.Mode{Linker: "go", Optimizer: "fast_compile"}, false, false},
	{"fast_run, c|go", compile.Mode{Linker: "c|go", Optimizer: "fast_run"}, false, false},
	{"fast_run_stable, c|go", compile.Mode{Linker: "c|go", Optimizer: "fast_run_stable"}, true, false},
	{"exact, c|go", compile.Mode{Linker: "c|go", Optimizer: "fast_run_stable", Exclude: []string{"stabilize", rewrite.Stabilizing}}, true, true},
	{"None, c|go", compile.Mode{Linker: "c|go", Optimizer: "None"}, true, true},
}

// byChance chooses at random.
func byChance(seed uint64) func(int) int { return rand.New(rand.NewPCG(seed, 11)).IntN }

// byBytes chooses by the bytes of a fuzzer; where they end, all choices are 0.
func byBytes(data []byte) func(int) int {
	return func(n int) int {
		k := 0
		for size := 1; size < n; size <<= 8 {
			if len(data) == 0 {
				return 0
			}
			k, data = k<<8|int(data[0]), data[1:]
		}
		return k % n
	}
}

// newProblem makes a function with outputs and, sometimes, an update of a shared variable.
func newProblem(choose func(int) int, nodes int) problem {
	g := newGenerator(choose)
	g.nans, g.wild = choose(3) == 0, choose(4) == 0
	vars, args := g.inputs()
	t := graph.AnyShape(kernels.Float64, 2)
	value := g.sample(rand.New(rand.NewPCG(1, 1)), t)
	w := graph.NewShared("w", t, value, nil)
	g.pool = append(g.pool, &entry{w, value, true})
	first := len(g.pool)
	g.grow(nodes)
	p := problem{spec: compile.Spec{Inputs: vars, Check: true}, args: args, wild: g.wild}
	for range 1 + choose(3) {
		p.spec.Outputs = append(p.spec.Outputs, g.pool[len(g.pool)-1-choose(min(4, len(g.pool)))].v)
	}
	for _, e := range slices.Backward(g.pool[first:]) {
		if t.Accepts(e.v.Type) {
			p.spec.Updates = []graph.Update{{Shared: w, Value: e.v}}
			break
		}
	}
	return p
}

// newGradientProblem makes a function of a smooth scalar and its gradients with respect to all
// inputs.
func newGradientProblem(t *testing.T, choose func(int) int, nodes int) problem {
	g := newGenerator(choose)
	g.smooth = true
	vars, args := g.inputs()
	g.grow(nodes)
	cost, grads := g.gradients(vars)
	return problem{spec: compile.Spec{Inputs: vars, Outputs: append([]*graph.Variable{cost}, grads...), Check: true}, args: args}
}

// gradients are those of a scalar that is made of the last entries.
func (g *generator) gradients(vars []*graph.Variable) (cost *graph.Variable, grads []*graph.Variable) {
	cost = g.b.Number(kernels.Float64, 0)
	for _, e := range g.pool[max(0, len(g.pool)-3):] {
		sum := g.b.Apply(op.Reduce{Kind: op.Sum, Axes: tensor.AllAxes(e.v.Type.Rank())}, e.v)
		cost = g.b.Apply(op.Add, cost, sum)
	}
	grads, err := grad.Grad(g.b, cost, vars, grad.Options{Disconnected: func(*graph.Variable) error { return nil }})
	if err != nil {
		panic(fmt.Sprintf("%v\n%s", err, &graph.FunctionGraph{Inputs: vars, Outputs: []*graph.Variable{cost}}))
	}
	return cost, grads
}

// call compiles and calls a problem's function. The results are its outputs, then the new values of
// shared variables, whose old values come back.
func (p problem) call(mode compile.Mode, args []*tensor.Dense) (results []*tensor.Dense, text string, err error) {
	p.spec.Mode = mode
	f, err := compile.Compile(p.spec)
	if err != nil {
		return nil, "", err
	}
	old := make([]*tensor.Dense, len(p.spec.Updates))
	for i, u := range p.spec.Updates {
		old[i] = u.Shared.Shared.Get()
	}
	results, err = f.Call(context.Background(), args, nil)
	for i, u := range p.spec.Updates {
		results = append(results, u.Shared.Shared.Get())
		u.Shared.Shared.Set(old[i])
	}
	return results, f.Graph.String(), err
}

// narrow reports whether float32 takes part.
func (p problem) narrow() bool {
	fg := graph.FunctionGraph{Outputs: p.spec.Outputs, Updates: p.spec.Updates}
	for _, node := range fg.Toposort() {
		for _, v := range append(slices.Clone(node.Inputs), node.Outputs...) {
			if v.Type.DType == kernels.Float32 {
				return true
			}
		}
	}
	return false
}

// check compares all variants with the reference. It returns how many elements it compared and how
// many depend on rounding too much to be compared.
func (p problem) check(t *testing.T, label string) (compared, loose int) {
	t.Helper()
	tol, noise := 1e-9, 1e-13
	if p.narrow() {
		tol, noise = 1e-4, 1e-7
	}
	want, before, err := p.call(reference, p.args)
	if err != nil {
		t.Fatalf("%s: %v\n%s", label, err, before)
	}
	slack := p.sensitivity(t, want, noise)
	for _, c := range variants {
		if p.wild && !c.wild {
			continue
		}
		got, after, err := p.call(c.mode, p.args)
		if err != nil {
			t.Fatalf("%s: %s: %v\nbefore\n%s\nafter\n%s", label, c.name, err, before, after)
		}
		for i := range want {
			n, bad, diff := difference(got[i], want[i], slack[i], tol, c.nans)
			if diff != "" {
				t.Fatalf("%s: %s: result %d: %s\nbefore\n%s\nafter\n%s\narguments %s", label, c.name, i, diff, before, after,
					arguments(p))
			}
			compared, loose = compared+n, loose+bad
		}
	}
	return compared, loose
}

func arguments(p problem) string {
	s := ""
	for i, a := range p.args {
		s += fmt.Sprintf("\n%s %v %v", p.spec.Inputs[i].Name, a.Shape(), a.Floats())
	}
	return s
}

// sensitivity is how far each element of the results moves when the arguments do, by relative
// noise.
func (p problem) sensitivity(t *testing.T, want []*tensor.Dense, noise float64) [][]float64 {
	t.Helper()
	slack := make([][]float64, len(want))
	for i, a := range want {
		slack[i] = make([]float64, a.Size())
	}
	r := rand.New(rand.NewPCG(3, 3))
	for range 3 {
		args := make([]*tensor.Dense, len(p.args))
		for i, a := range p.args {
			args[i] = a
			if a.DType().IsFloat() {
				values := a.Floats()
				for k := range values {
					values[k] *= 1 + noise*(2*r.Float64()-1)
				}
				args[i] = tensor.From(values, a.Shape()...).AsType(a.DType())
			}
		}
		moved, _, err := p.call(reference, args)
		if err != nil {
			t.Fatal(err)
		}
		for i, a := range moved {
			for k, v := range a.Floats() {
				if e := want[i].Floats()[k]; v != e { // inf is where it was
					slack[i][k] = max(slack[i][k], math.Abs(v-e)) // nan stays
				}
			}
		}
	}
	return slack
}

// difference describes the first element that differs, and counts those compared and those that are
// too loose to be.
func difference(got, want *tensor.Dense, slack []float64, tol float64, nans bool) (compared, loose int, diff string) {
	if got.DType() != want.DType() || !slices.Equal(got.Shape(), want.Shape()) {
		return 0, 0, fmt.Sprintf("got %v %v, want %v %v", got.DType(), got.Shape(), want.DType(), want.Shape())
	}
	if !got.DType().IsFloat() {
		if !tensor.Equal(got, want) {
			return 0, 0, fmt.Sprintf("got %v, want %v", got.Ints(), want.Ints())
		}
		return got.Size(), 0, ""
	}
	x, y := got.Floats(), want.Floats()
	for k := range x {
		allowed := tol*(1+math.Abs(y[k])) + 100*slack[k]
		switch {
		case y[k] != y[k] && !nans:
			loose++
			continue
		case y[k] != y[k] && x[k] != x[k], math.IsInf(y[k], 0) && y[k] == x[k]:
		case math.IsInf(y[k], 0) && slack[k] == 0:
			return 0, 0, fmt.Sprintf("element %d: got %v, want %v", k, x[k], y[k])
		case !(allowed < 1e-3*(1+math.Abs(y[k]))) && y[k] == y[k]:
			loose++
			continue
		case !(math.Abs(x[k]-y[k]) <= allowed):
			return 0, 0, fmt.Sprintf("element %d: got %v, want %v within %v", k, x[k], y[k], allowed)
		}
		compared++
	}
	return compared, loose, ""
}

// TestNoDiff: rewriting and the kernels in C change nothing.
func TestNoDiff(t *testing.T) {
	seeds := uint64(400)
	if testing.Short() || long.Race {
		seeds = 60
	}
	// Graphs count alike: two of them may have as many elements as all others.
	compared, sensitive := 0, 0.0
	for seed := range seeds {
		n, loose := newProblem(byChance(seed), 4+int(seed%30)).check(t, fmt.Sprintf("seed %d", seed))
		compared += n
		sensitive += float64(loose) / float64(max(n+loose, 1))
	}
	t.Logf("%d elements compared, %.1f of %d graphs too sensitive", compared, sensitive, seeds)
	if sensitive > float64(seeds)/20 || compared == 0 {
		t.Errorf("%.1f of %d graphs are too sensitive, %d elements were compared: the test does not test", sensitive, seeds, compared)
	}
}

// TestNoDiffGradients is TestNoDiff for gradients.
func TestNoDiffGradients(t *testing.T) {
	seeds := uint64(200)
	if testing.Short() || long.Race {
		seeds = 30
	}
	compared, loose := 0, 0
	for seed := range seeds {
		n, bad := newGradientProblem(t, byChance(seed), 3+int(seed%12)).check(t, fmt.Sprintf("gradient seed %d", seed))
		compared, loose = compared+n, loose+bad
	}
	t.Logf("%d elements compared, %d too sensitive", compared, loose)
	if loose > compared/10 {
		t.Errorf("%d elements are too sensitive, of %d: the test does not test", loose, compared+loose)
	}
}

// TestNoDiffFindsDifferences: the comparison must be able to fail.
func TestNoDiffFindsDifferences(t *testing.T) {
	a := tensor.From([]float64{1, 2, math.NaN()}, 3)
	for name, b := range map[string]*tensor.Dense{
		"an element": tensor.From([]float64{1, 2.0001, math.NaN()}, 3), "a number for nan": tensor.From([]float64{1, 2, 3}, 3),
		"nan for a number": tensor.From([]float64{math.NaN(), 2, math.NaN()}, 3),
		"inf":              tensor.From([]float64{math.Inf(1), 2, math.NaN()}, 3),
		"the type":         a.AsType(kernels.Float32), "the shape": tensor.From([]float64{1, 2}, 2),
	} {
		if _, _, diff := difference(b, a, make([]float64, 3), 1e-9, true); diff == "" {
			t.Errorf("%s: no difference", name)
		}
	}
	if _, _, diff := difference(a.Copy(), a, make([]float64, 3), 1e-9, true); diff != "" {
		t.Errorf("a copy differs: %s", diff)
	}
	if _, _, diff := difference(tensor.From([]int64{1}), tensor.From([]int64{2}), nil, 1e-9, true); diff == "" {
		t.Error("integers do not differ")
	}
}

// FuzzNoDiff lets the fuzzer choose the graphs.
func FuzzNoDiff(f *testing.F) {
	for seed := range uint64(8) {
		r := rand.New(rand.NewPCG(seed, 12))
		data := make([]byte, 40+40*seed)
		for i := range data {
			data[i] = byte(r.Uint32())
		}
		f.Add(data, seed%2 == 0)
	}
	f.Fuzz(func(t *testing.T, data []byte, gradients bool) {
		if len(data) > 2000 {
			return // deep graphs take long and find no more
		}
		nodes := 1 + len(data)/8
		if gradients {
			newGradientProblem(t, byBytes(data), min(nodes, 15)).check(t, "fuzz")
		} else {
			newProblem(byBytes(data), min(nodes, 60)).check(t, "fuzz")
		}
	})
}
