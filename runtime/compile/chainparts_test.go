package compile_test

import (
	"math"
	"math/rand/v2"
	"slices"
	"strconv"
	"testing"

	"github.com/arignote/arignote/kernels"
	"github.com/arignote/arignote/long"
	"github.com/arignote/arignote/runtime/compile"
	"github.com/arignote/arignote/runtime/grad"
	"github.com/arignote/arignote/runtime/graph"
	"github.com/arignote/arignote/runtime/op"
	"github.com/arignote/arignote/runtime/tensor"
)

// A partsMaker makes a chain of steps that take parts of the one before, and of x, of a length that
// the types do not say.
type partsMaker struct {
	*rand.Rand
	growing
}

func (p *partsMaker) part(v V) V {
	words := []string{"1:", ":-1", "1:-1", "::-1", ":", "1::1", "0:", "i:", ":9"}
	word := words[p.IntN(len(words))]
	if word == "i:" {
		return p.do(op.Subtensor{Index: "i:"}, v, p.b.Number(kernels.Int64, float64(p.IntN(2))))
	}
	return p.do(op.Subtensor{Index: op.Subscripts(word)}, v)
}

// element is one of v, for all of an array.
func (p *partsMaker) element(v V) V {
	return p.spread(p.do(op.Subtensor{Index: op.Subscripts(strconv.Itoa(p.IntN(5) - 1))}, v))
}

func (p *partsMaker) step(a V) V {
	switch p.IntN(8) {
	case 0:
		return p.do(op.Tanh, p.part(a))
	case 1:
		return p.do(op.Mul, p.do(op.Tanh, p.part(a)), p.c(p.Float64()+.5))
	case 2:
		return p.do(op.Mul, a, p.element(p.x))
	case 3:
		return p.do(op.Add, p.do(op.Sin, a), p.element(a))
	case 4:
		side := func() V { return p.do(op.Subtensor{Index: []op.Subscripts{"1:", ":-1"}[p.IntN(2)]}, a) }
		return p.do(op.Sub, side(), p.do(op.Mul, side(), p.element(p.x)))
	case 5:
		u := p.do(op.NewDimShuffle([]int{1, 0}), p.do(op.Reshape{Rank: 2}, a, p.shape(1, -1)))
		return p.do(op.Reshape{Rank: 1}, p.do(op.Tanh, u), p.shape(-1))
	case 6:
		yes := p.do(op.Gt, p.do(op.Subtensor{Index: "0"}, p.x), p.b.Number(kernels.Float64, 0))
		return p.do(op.IfElse{N: 1}, yes, p.do(op.Tanh, a), p.do(op.Neg, a))
	}
	y := p.do(op.Mul, p.element(p.x), p.do(op.Subtensor{Index: "1:"}, a))
	return p.do(op.IncSubtensor{Index: "1:", Set: p.IntN(2) == 0}, a, y)
}

// TestPartsOfChains: chains of parts, elements, increments and shapes have the values, gradients
// and errors that they have without rewrites, at lengths that do and that do not suffice.
func TestPartsOfChains(t *testing.T) {
	programs := 150
	if testing.Short() || long.Race {
		programs = 30
	}
	failed := 0
	for seed := range uint64(programs) {
		p := &partsMaker{Rand: rand.New(rand.NewPCG(seed, 18))}
		p.b, p.x = &graph.Builder{}, graph.NewInput("x", graph.AnyShape(kernels.Float64, 1), nil)
		a := p.x
		for range 2 + p.IntN(14) {
			a = p.step(a)
		}
		ds, err := grad.Grad(p.b, p.do(all, a), []V{p.x}, grad.Options{})
		if err != nil {
			t.Fatal(err)
		}
		outputs := []V{a, ds[0]}
		written := &graph.FunctionGraph{Inputs: []V{p.x}, Outputs: outputs}
		var fs []*compile.Function
		for _, optimizer := range []string{"None", "fast_run"} {
			mode := compile.Mode{Linker: "c|go", Optimizer: optimizer}
			f, err := compile.Compile(compile.Spec{Inputs: []V{p.x}, Outputs: outputs, Mode: mode})
			if err != nil {
				t.Fatal(err)
			}
			for _, r := range f.Rewrites {
				if r.Warning != "" {
					t.Errorf("seed %d: %s: %s", seed, r.Name, r.Warning)
				}
			}
			fs = append(fs, f)
		}
		for _, n := range []int{0, 1, 3, 6, 40} {
			x := tensor.New(kernels.Float64, n)
			for i := range x.Floats() {
				tensor.Elements[float64](x)[i] = p.NormFloat64()
			}
			want, err1 := fs[0].Call(t.Context(), []*tensor.Dense{x}, nil)
			got, err2 := fs[1].Call(t.Context(), []*tensor.Dense{x}, nil)
			if (err1 == nil) != (err2 == nil) {
				t.Errorf("seed %d, %d elements: got error %v, want %v of\n%v", seed, n, err2, err1, written)
				continue
			}
			if err1 != nil {
				failed++
				continue
			}
			for i := range want {
				near := func(a, b float64) bool {
					return a == b || a != a && b != b || math.Abs(a-b) <= 1e-9*max(1, math.Abs(a), math.Abs(b))
				}
				same := slices.EqualFunc(got[i].Floats(), want[i].Floats(), near)
				if !same || !slices.Equal(got[i].Shape(), want[i].Shape()) {
					t.Errorf("seed %d, %d elements: got result %d %v, want %v of\n%v", seed, n, i, got[i], want[i], written)
				}
			}
		}
	}
	if failed == 0 {
		t.Error("no length was too short")
	}
}
