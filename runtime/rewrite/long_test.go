package rewrite

import (
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/arignote/arignote/kernels"
	"github.com/arignote/arignote/runtime/graph"
	"github.com/arignote/arignote/runtime/op"
)

// TestOutlook: what is known of a sum before it is looked at as a whole is what a walk over it
// finds, up to factors of 0 and a product that stands alone.
func TestOutlook(t *testing.T) {
	b := &graph.Builder{}
	worthwhile, hopeless := 0, 0
	for seed := range uint64(2000) {
		rng := rand.New(rand.NewPCG(seed, 3))
		typ := graph.TypeOf(kernels.Float64, graph.Unknown, graph.Unknown)
		x, y := graph.NewInput("x", typ, nil), graph.NewInput("y", typ, nil)
		k := graph.NewInput("k", graph.TypeOf(kernels.Float64, 1, 1), nil)
		half := graph.NewInput("f", graph.TypeOf(kernels.Float32, graph.Unknown, graph.Unknown), nil)
		all := []*graph.Variable{x, y, b.Apply(op.Dot{}, x, y), b.Apply(op.Dot{}, y, x), b.Apply(op.Dot{}, x, x)}
		pick := func() *graph.Variable {
			if rng.IntN(3) > 0 {
				return all[max(len(all)-1-rng.IntN(3), 0)]
			}
			return all[rng.IntN(len(all))]
		}
		for range 1 + rng.IntN(12) {
			var v *graph.Variable
			switch rng.IntN(12) {
			case 0:
				v = b.Apply(op.Neg, pick())
			case 1:
				v = b.Apply(op.Mul, k, pick())
			case 2:
				v = b.Apply(op.TrueDiv, pick(), k)
			case 3:
				v = b.Apply(op.Mul, pick(), pick())
			case 4:
				v = b.Apply(op.Exp, pick())
			case 5:
				v = b.Apply(op.Dot{}, x, pick())
			case 6, 7:
				v = b.Apply(op.Sub, pick(), pick())
			case 8:
				v = b.Apply(op.Add, pick(), half)
			default:
				v = b.Apply(op.Add, pick(), pick())
			}
			all = append(all, v)
		}
		fg := &graph.FunctionGraph{Inputs: []*graph.Variable{x, y, k, half}, Outputs: []*graph.Variable{all[len(all)-1]}}
		clients, known := fg.Clients(), make(outlooks)
		for _, node := range fg.Toposort() {
			if !isLinear(node) {
				continue
			}
			known.add(node, clients)
			s := &linear{root: node, clients: clients}
			s.add(node.Outputs[0], factor{number: 1})
			got, want := known[node].promises(), s.worthwhile()
			exempt := len(s.addends) == 1 || slices.ContainsFunc(s.addends, func(a *addend) bool { n, ok := a.number(); return ok && n == 0 })
			if got != want && !exempt {
				t.Fatalf("seed %d: %v: a glance says %v and the walk %v of\n%s", seed, node, got, want, fg)
			}
			if want {
				if !got {
					t.Fatalf("seed %d: %v: nothing is expected of a sum of products in\n%s", seed, node, fg)
				}
				worthwhile++
			} else {
				hopeless++
			}
		}
	}
	if worthwhile < 300 || hopeless < 300 {
		t.Errorf("%d sums of products and %d others: the graphs are too simple to test anything", worthwhile, hopeless)
	}
}

// TestLengthsDeep: the length of what thousands of layers make is that of the first one's operand,
// in one round.
func TestLengthsDeep(t *testing.T) {
	b := &graph.Builder{}
	typ := graph.TypeOf(kernels.Float64, graph.Unknown, graph.Unknown)
	x, w := graph.NewInput("x", typ, nil), graph.NewInput("w", typ, nil)
	fg := &graph.FunctionGraph{Inputs: []*graph.Variable{x, w}}
	h := x
	for i := range 5000 {
		if h = b.Apply(op.Tanh, b.Apply(op.Dot{}, h, w)); i%1000 == 999 {
			for axis := range 2 {
				fg.Outputs = append(fg.Outputs, b.Apply(op.ShapeI{Axis: axis}, h))
			}
		}
	}
	p := &PassProfile{}
	res, err := FixedPoint(fg, Rules(), p)
	if err != nil || p.Warning != "" || p.Rounds > 2 {
		t.Fatalf("got %d rounds, warning %q, %v", p.Rounds, p.Warning, err)
	}
	for i, v := range res.Outputs {
		if want := []*graph.Variable{x, w}[i%2]; v.Op() != graph.Op(op.ShapeI{Axis: i % 2}) || v.Owner.Inputs[0] != want {
			t.Errorf("length %d is %v, want that of %v", i, v.Owner, want)
		}
	}
}

// TestLongSums: of a sum of thousands of terms that is no sum of products each partial sum is
// looked at once: were each walked over, this would take minutes.
func TestLongSums(t *testing.T) {
	b := &graph.Builder{}
	x := graph.NewInput("x", graph.TypeOf(kernels.Float64, graph.Unknown, graph.Unknown), nil)
	v := b.Apply(op.Exp, x)
	for i := range 20000 {
		if v = b.Apply(op.Add, v, b.Apply(op.Sin, x)); i%4 == 0 {
			v = b.Apply(op.Add, v, b.Apply(op.Dot{}, x, x))
		}
	}
	fg := &graph.FunctionGraph{Inputs: []*graph.Variable{x}, Outputs: []*graph.Variable{v}}
	p := &PassProfile{}
	if _, err := Blas(fg, p); err != nil || p.Changes != 0 {
		t.Errorf("got %d changes, %v", p.Changes, err)
	}
}
