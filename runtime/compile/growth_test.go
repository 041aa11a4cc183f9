package compile_test

import (
	"math"
	"math/rand/v2"
	"runtime"
	"runtime/debug"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/arignote/arignote/kernels"
	"github.com/arignote/arignote/long"
	"github.com/arignote/arignote/runtime/compile"
	"github.com/arignote/arignote/runtime/formula"
	"github.com/arignote/arignote/runtime/grad"
	"github.com/arignote/arignote/runtime/graph"
	"github.com/arignote/arignote/runtime/op"
	"github.com/arignote/arignote/runtime/tensor"
)

// A growing program is a chain of steps, each of which computes a value of the one before.
type growing struct {
	b          *graph.Builder
	x, y, z, m V
	k          V   // positions
	extra      []V // more results
}

func (g *growing) do(o graph.Op, in ...V) V { return g.b.Apply(o, in...) }
func (g *growing) c(v float64) V            { return g.b.Like(g.x, v) }
func (g *growing) step(i int) V             { return g.c(float64(i) + 1.5) }
func (g *growing) spread(a V) V             { return g.do(op.NewDimShuffle([]int{tensor.NewAxis}), a) }
func (g *growing) square(a V) V             { return g.do(op.Reshape{Rank: 2}, a, g.shape(3, -1)) }
func (g *growing) step2(i int) V {
	return g.do(op.NewDimShuffle([]int{tensor.NewAxis, tensor.NewAxis}), g.b.Number(g.x.Type.DType, float64(i)+1.5))
}
func (g *growing) shape(dims ...int64) V { return g.b.Constant(tensor.From(dims, len(dims))) }

var all = op.Reduce{Kind: op.Sum, Axes: tensor.AxesOf(0)}

// bodies are what a step may compute.
var bodies = []struct {
	name string
	body func(g *growing, a V, i int) V
}{
	{"tanh", func(g *growing, a V, i int) V { return g.do(op.Tanh, a) }},
	{"tanh(a*c)", func(g *growing, a V, i int) V { return g.do(op.Tanh, g.do(op.Mul, a, g.step(i))) }},
	{"tanh(a/c)", func(g *growing, a V, i int) V { return g.do(op.Tanh, g.do(op.TrueDiv, a, g.step(i))) }},
	{"sin(a*c)", func(g *growing, a V, i int) V { return g.do(op.Sin, g.do(op.Mul, a, g.step(i))) }},
	{"sigmoid(2a)", func(g *growing, a V, i int) V { return g.do(op.Sigmoid, g.do(op.Mul, g.c(2), a)) }},
	{"(a/2)**2+1", func(g *growing, a V, i int) V {
		return g.do(op.Add, g.do(op.Pow, g.do(op.Mul, a, g.c(.5)), g.c(2)), g.c(1))
	}},
	{"a**c", func(g *growing, a V, i int) V { return g.do(op.Pow, a, g.c(1.5+1/float64(i+1))) }},
	{"tanh(a*y)", func(g *growing, a V, i int) V { return g.do(op.Tanh, g.do(op.Mul, a, g.y)) }},
	{"a*y*c", func(g *growing, a V, i int) V { return g.do(op.Mul, g.do(op.Mul, a, g.y), g.step(i)) }},
	{"a*exp(c*y)", func(g *growing, a V, i int) V { return g.do(op.Mul, a, g.do(op.Exp, g.do(op.Mul, g.step(i), g.y))) }},
	{"c*a*exp(c*x)", func(g *growing, a V, i int) V {
		return g.do(op.Mul, g.step(i), g.do(op.Mul, a, g.do(op.Exp, g.do(op.Mul, g.step(i), g.x))))
	}},
	{"a/exp(c*y)", func(g *growing, a V, i int) V { return g.do(op.TrueDiv, a, g.do(op.Exp, g.do(op.Mul, g.step(i), g.y))) }},
	{"y/(a*c)", func(g *growing, a V, i int) V { return g.do(op.TrueDiv, g.y, g.do(op.Mul, a, g.step(i))) }},
	{"-a*y", func(g *growing, a V, i int) V { return g.do(op.Mul, g.do(op.Neg, a), g.y) }},
	{"a+c*exp(y)", func(g *growing, a V, i int) V { return g.do(op.Add, a, g.do(op.Mul, g.step(i), g.do(op.Exp, g.y))) }},
	{"c-a", func(g *growing, a V, i int) V { return g.do(op.Sub, g.step(i), a) }},
	{"a+y-c", func(g *growing, a V, i int) V { return g.do(op.Sub, g.do(op.Add, a, g.y), g.step(i)) }},
	{"a+y*z", func(g *growing, a V, i int) V { return g.do(op.Mul, g.do(op.Add, a, g.y), g.z) }},
	{"horner", func(g *growing, a V, i int) V { return g.do(op.Add, g.do(op.Mul, a, g.x), g.step(i)) }},
	{"a+a*c", func(g *growing, a V, i int) V { return g.do(op.Add, g.do(op.Mul, a, g.step(i)), g.do(op.Tanh, a)) }},
	{"sqrt(a*a+c)", func(g *growing, a V, i int) V { return g.do(op.Sqrt, g.do(op.Add, g.do(op.Mul, a, a), g.step(i))) }},
	{"softplus", func(g *growing, a V, i int) V { return g.do(op.Log, g.do(op.Add, g.c(1), g.do(op.Exp, a))) }},
	{"log(1-sigmoid)", func(g *growing, a V, i int) V {
		return g.do(op.Log, g.do(op.Sub, g.c(1), g.do(op.Sigmoid, a)))
	}},
	{"exp(-a)/c", func(g *growing, a V, i int) V { return g.do(op.TrueDiv, g.do(op.Exp, g.do(op.Neg, a)), g.step(i)) }},
	{"max(a,y)*c", func(g *growing, a V, i int) V { return g.do(op.Mul, g.do(op.Maximum, a, g.y), g.step(i)) }},
	{"where", func(g *growing, a V, i int) V {
		return g.do(op.Switch, g.do(op.Gt, a, g.c(0)), g.do(op.Mul, a, g.step(i)), g.do(op.Neg, a))
	}},
	{"a-mean", func(g *growing, a V, i int) V { return g.do(op.Sub, a, op.Mean(g.b, a, tensor.AxesOf(0))) }},
	{"a*sum(a)", func(g *growing, a V, i int) V {
		return g.do(op.Mul, a, g.do(op.NewDimShuffle([]int{tensor.NewAxis}), g.do(all, a)))
	}},
	{"softmax(c*a)", func(g *growing, a V, i int) V { return g.do(op.Softmax{}, g.do(op.Mul, a, g.step(i))) }},
	{"tanh(dot)*c", func(g *growing, a V, i int) V { return g.do(op.Mul, g.do(op.Tanh, g.do(op.Dot{}, g.m, a)), g.step(i)) }},
	{"dot(m,a)*c", func(g *growing, a V, i int) V { return g.do(op.Mul, g.do(op.Dot{}, g.m, a), g.step(i)) }},
	{"join", func(g *growing, a V, i int) V {
		return g.do(op.Mul, g.step(i), g.do(op.Join{}, g.do(op.Subtensor{Index: "1:"}, a), g.do(op.Subtensor{Index: ":1"}, g.y)))
	}},
	{"inc", func(g *growing, a V, i int) V {
		return g.do(op.IncSubtensor{Index: ":2"}, a, g.do(op.Mul, g.step(i), g.do(op.Subtensor{Index: ":2"}, g.y)))
	}},
	{"set", func(g *growing, a V, i int) V {
		return g.do(op.Tanh, g.do(op.IncSubtensor{Index: "1:", Set: true}, a, g.do(op.Mul, g.step(i), g.do(op.Subtensor{Index: ":-1"}, a))))
	}},
	{"a[::-1]*c", func(g *growing, a V, i int) V { return g.do(op.Mul, g.do(op.Subtensor{Index: "::-1"}, a), g.step(i)) }},
	{"tanh(a[1:])*c", func(g *growing, a V, i int) V {
		return g.do(op.Mul, g.do(op.Tanh, g.do(op.Subtensor{Index: "1:"}, a)), g.step(i))
	}},
	{"tanh(a[:-1]*y[0])", func(g *growing, a V, i int) V {
		return g.do(op.Tanh, g.do(op.Mul, g.do(op.Subtensor{Index: ":-1"}, a), g.spread(g.do(op.Subtensor{Index: "0"}, g.y))))
	}},
	{"tanh(a[::2])*c", func(g *growing, a V, i int) V {
		part := op.Subtensor{Index: "1:"}
		if i < 16 { // an axis is not longer
			part.Index = "::2"
		}
		return g.do(op.Mul, g.do(op.Tanh, g.do(part, a)), g.step(i))
	}},
	{"a[1:]+a[:-1]", func(g *growing, a V, i int) V {
		return g.do(op.Mul, g.do(op.Add, g.do(op.Subtensor{Index: "1:"}, a), g.do(op.Subtensor{Index: ":-1"}, a)), g.step(i))
	}},
	{"tanh(a[::-1])*a", func(g *growing, a V, i int) V {
		return g.do(op.Mul, g.do(op.Tanh, g.do(op.Subtensor{Index: "::-1"}, a)), a)
	}},
	{"tanh(a*a[0])", func(g *growing, a V, i int) V {
		return g.do(op.Tanh, g.do(op.Mul, a, g.spread(g.do(op.Subtensor{Index: "0"}, a))))
	}},
	{"a*x[i]", func(g *growing, a V, i int) V {
		return g.do(op.Tanh, g.do(op.Mul, a, g.spread(g.do(op.Subtensor{Index: op.Subscripts(strconv.Itoa(i))}, g.x))))
	}},
	{"tanh(a+x[i:])", func(g *growing, a V, i int) V {
		return g.do(op.Tanh, g.do(op.Add, g.do(op.Subtensor{Index: "1:"}, a), g.do(op.Subtensor{Index: op.Subscripts(strconv.Itoa(i+1) + ":")}, g.x)))
	}},
	{"take(tanh(a),k)*c", func(g *growing, a V, i int) V {
		return g.do(op.Mul, g.do(op.Take{}, g.do(op.Tanh, a), g.k), g.step(i))
	}},
	{"sum(a column)*y", func(g *growing, a V, i int) V {
		u := g.do(op.Mul, g.do(op.NewDimShuffle([]int{0, tensor.NewAxis}), a), g.do(op.NewDimShuffle([]int{tensor.NewAxis, 0}), g.y))
		return g.do(op.Tanh, g.do(op.Reduce{Kind: op.Sum, Axes: tensor.AxesOf(0)}, u))
	}},
	{"tanh(m.T)*c", func(g *growing, a V, i int) V {
		u := g.do(op.NewDimShuffle([]int{1, 0}), g.do(op.Mul, g.square(a), g.step2(i)))
		return g.do(op.Reshape{Rank: 1}, g.do(op.Tanh, u), g.shape(-1))
	}},
	{"reshape(a)*c", func(g *growing, a V, i int) V {
		return g.do(op.Reshape{Rank: 1}, g.do(op.Mul, g.square(a), g.step2(i)), g.shape(-1))
	}},
	{"join halves", func(g *growing, a V, i int) V {
		return g.do(op.Tanh, g.do(op.Join{}, g.do(op.Subtensor{Index: "3:"}, a), g.do(op.Mul, g.do(op.Subtensor{Index: ":3"}, a), g.step(i))))
	}},
	{"switch", func(g *growing, a V, i int) V {
		return g.do(op.Switch, g.do(op.Gt, g.y, g.step(i)), g.do(op.Tanh, a), a)
	}},
	{"ifelse", func(g *growing, a V, i int) V {
		return g.do(op.IfElse{N: 1}, g.do(op.Gt, g.do(all, g.y), g.b.Number(g.x.Type.DType, float64(i))), g.do(op.Tanh, a), g.do(op.Mul, a, g.step(i)))
	}},
	{"scan", func(g *growing, a V, i int) V {
		if i%8 > 0 {
			return g.do(op.Tanh, g.do(op.Mul, a, g.step(i)))
		}
		at := graph.NewInput("", graph.AnyShape(a.Type.DType, 1), nil)
		spec := &formula.Scan{Steps: g.b.Constant(tensor.IntScalar(kernels.Int64, 3)),
			Results: []formula.ScanResult{{Value: g.do(op.Tanh, g.do(op.Mul, at, g.step(i))), Initial: a, Taps: []int{-1}, At: []V{at}}}}
		out, _, err := spec.Apply(g.b)
		if err != nil {
			panic(err)
		}
		return g.do(op.Subtensor{Index: "-1"}, out[0])
	}},
	{"outputs", func(g *growing, a V, i int) V {
		v := g.do(op.Tanh, g.do(op.Mul, a, g.step(i)))
		g.extra = append(g.extra, g.do(op.Exp, v))
		return v
	}},
	{"readers", func(g *growing, a V, i int) V {
		return g.do(op.Add, a, g.do(op.Tanh, g.do(op.Mul, g.do(op.Exp, g.x), g.step(i))))
	}},
	{"powers", func(g *growing, a V, i int) V {
		return g.do(op.Mul, a, g.do(op.Pow, g.do(op.Add, g.x, g.step(i)), g.c(3)))
	}},
	{"product/itself", func(g *growing, a V, i int) V {
		u := g.do(op.Add, g.do(op.Sqr, g.x), g.step(i))
		return g.do(op.TrueDiv, g.do(op.Mul, a, u), g.do(op.Exp, u))
	}},
}

// program makes n steps of a body, with the gradient of their sum's if derive.
func program(d kernels.DType, body func(*growing, V, int) V, n int, derive, within bool) (compile.Spec, error) {
	b := &graph.Builder{}
	v := graph.AnyShape(d, 1)
	g := &growing{b: b, x: graph.NewInput("x", v, nil), y: graph.NewInput("y", v, nil), z: graph.NewInput("z", v, nil), m: graph.NewInput("m", graph.AnyShape(d, 2), nil), k: graph.NewInput("k", graph.AnyShape(kernels.Int64, 1), nil)}
	spec := compile.Spec{Inputs: []V{g.x, g.y, g.z, g.m, g.k}, Mode: compile.Mode{Linker: "c|go", Optimizer: "fast_run"}}
	a := g.x
	if within {
		a = graph.NewInput("", v, nil)
	}
	at := a
	for i := range n {
		a = body(g, a, i)
	}
	if within {
		s := &formula.Scan{Steps: b.Constant(tensor.IntScalar(kernels.Int64, 3)), Results: []formula.ScanResult{{Value: a, Initial: g.x, Taps: []int{-1}, At: []V{at}}}}
		out, _, err := s.Apply(b)
		if err != nil {
			return spec, err
		}
		a, g.extra = g.do(op.Subtensor{Index: "-1"}, out[0]), nil
	}
	spec.Outputs = append([]V{a}, g.extra...)
	if derive {
		cost := g.do(all, a)
		for _, e := range g.extra {
			cost = g.do(op.Add, cost, g.do(all, e))
		}
		ds, err := grad.Grad(b, cost, []V{g.x}, grad.Options{})
		if err != nil {
			return spec, err
		}
		spec.Outputs = append(spec.Outputs, ds...)
	}
	return spec, nil
}

// work is what compiling spec takes, counted: allocations, the nodes that rules are tried on, and
// those that are walked over to say what was dropped.
func work(tb testing.TB, name string, spec compile.Spec) (counts [3]float64) {
	tb.Helper()
	var before, after runtime.MemStats
	runtime.ReadMemStats(&before)
	f, err := compile.Compile(spec)
	if err != nil {
		tb.Fatal(err)
	}
	runtime.ReadMemStats(&after)
	counts[0] = float64(after.Mallocs - before.Mallocs)
	for _, p := range f.Rewrites {
		if p.Warning != "" {
			tb.Errorf("%s: pass %s: %s", name, p.Name, p.Warning)
		}
		counts[1] += float64(p.Before * max(p.Rounds, 1))
		counts[2] += float64(p.Before)
		for _, r := range p.Rules {
			counts[1] += float64(r.Tried)
			counts[2] += float64(r.Removed)
		}
	}
	return counts
}

// mixed is a body that is another one at each step, and its name.
func mixed(r *rand.Rand) (string, func(g *growing, a V, i int) V) {
	kinds := r.Perm(len(bodies))[:2+r.IntN(3)]
	var names []string
	for _, k := range kinds {
		names = append(names, bodies[k].name)
	}
	return strings.Join(names, ", "), func(g *growing, a V, i int) V { return bodies[kinds[i%len(kinds)]].body(g, a, i) }
}

// TestGrowth: from 96 steps on, where rounds that find nothing are no longer a part that counts,
// compiling n steps of any kind, with the gradient and within a loop too, is work of n, not of its
// square: what is counted of 4n steps is four times that of n, or less.
// Of value, gradient and loop each program has one in its turn.
func TestGrowth(t *testing.T) {
	const n, most = 96, 1.15
	programs := bodies
	for seed := range uint64(8) {
		name, body := mixed(rand.New(rand.NewPCG(seed, 33)))
		programs = append(programs[:len(programs):len(programs)], struct {
			name string
			body func(g *growing, a V, i int) V
		}{name, body})
	}
	if long.Race {
		t.Skip("counts are the same under the race detector")
	}
	for k, p := range programs {
		d := []kernels.DType{kernels.Float64, kernels.Float32}[k%2]
		for h, how := range []struct {
			name           string
			derive, within bool
		}{{"value", false, false}, {"gradient", true, false}, {"gradient of a loop", true, true}} {
			if !long.Turn(k+h, 3) {
				continue
			}
			var counts [2][3]float64
			for i := range counts {
				spec, err := program(d, p.body, n<<i, how.derive, how.within)
				if err != nil {
					t.Fatal(p.name, err)
				}
				counts[i] = work(t, how.name+" of "+p.name, spec)
			}
			for i, what := range []string{"allocations", "tries of rules", "nodes dropped"} {
				if e := math.Log2(counts[1][i] / counts[0][i]); e > most {
					t.Errorf("%s of %s: %v and %v %s at %d and %d steps grow as n^%.2f, want at most n^%.2f", how.name, p.name,
						counts[0][i], counts[1][i], what, n, 2*n, e, most)
				}
			}
		}
	}
}

// TestMixedStepsSettle: steps of two kinds in turn take as many rounds as there are rules that wait
// for each other, however many steps there are.
func TestMixedStepsSettle(t *testing.T) {
	named := make(map[string]func(*growing, V, int) V)
	for _, p := range bodies {
		named[p.name] = p.body
	}
	for _, kinds := range [][2]string{{"a[::-1]*c", "a-mean"}, {"a[::-1]*c", "a*sum(a)"}, {"max(a,y)*c", "a[1:]+a[:-1]"}} {
		for first := range kinds {
			body := func(g *growing, a V, i int) V { return named[kinds[(first+i)%2]](g, a, i) }
			var rounds [2]int
			for i, n := range []int{12, 60} {
				spec, err := program(kernels.Float64, body, n, true, false)
				if err != nil {
					t.Fatal(kinds, err)
				}
				f, err := compile.Compile(spec)
				if err != nil {
					t.Fatal(kinds, err)
				}
				for _, p := range f.Rewrites {
					if rounds[i] = max(rounds[i], p.Rounds); p.Warning != "" {
						t.Errorf("%v, %d steps: pass %s: %s", kinds, n, p.Name, p.Warning)
					}
				}
			}
			if rounds[1] > rounds[0]+1 {
				t.Errorf("%v: %d rounds for 12 steps and %d for 60", kinds, rounds[0], rounds[1])
			}
		}
	}
}

// BenchmarkGrowth is what compiling the gradient of 3,000 steps of each kind takes, and its growth
// from 750.
func BenchmarkGrowth(b *testing.B) {
	const n = 3000
	defer debug.SetGCPercent(debug.SetGCPercent(400)) // as the program has it
	for _, p := range bodies {
		b.Run(p.name, func(b *testing.B) {
			took := func(n int) time.Duration {
				spec, err := program(kernels.Float64, p.body, n, true, false)
				if err != nil {
					b.Fatal(err)
				}
				start := time.Now()
				if _, err := compile.Compile(spec); err != nil {
					b.Fatal(err)
				}
				return time.Since(start)
			}
			least := [2]time.Duration{math.MaxInt64, math.MaxInt64}
			for b.Loop() {
				least[0], least[1] = min(least[0], took(n/4)), min(least[1], took(n))
			}
			b.ReportMetric(float64(least[1].Milliseconds()), "ms")
			b.ReportMetric(math.Log2(float64(least[1])/float64(least[0]))/2, "exponent")
			b.ReportMetric(0, "ns/op")
		})
	}
}
