package compile_test

import (
	"fmt"
	"slices"
	"testing"

	"github.com/arignote/arignote/kernels"
	"github.com/arignote/arignote/long"
	"github.com/arignote/arignote/runtime/compile"
	"github.com/arignote/arignote/runtime/formula"
	"github.com/arignote/arignote/runtime/grad"
	"github.com/arignote/arignote/runtime/graph"
	"github.com/arignote/arignote/runtime/op"
	"github.com/arignote/arignote/runtime/rewrite"
	"github.com/arignote/arignote/runtime/tensor"
)

// TestFromGraphs compares random graphs with the operations that are made of them: values,
// gradients, gradients of gradients and changes in a direction, as one node and inlined, and one
// inside of another.
func TestFromGraphs(t *testing.T) {
	seeds := uint64(25)
	if testing.Short() || long.Race {
		seeds = 8
	}
	compared, loose := 0, 0
	for seed := range seeds {
		choose := byChance(1000 + seed)
		g := newGenerator(choose)
		g.smooth = true
		vars, args := g.inputs()
		g.grow(2 + int(seed%10))
		var outputs []*graph.Variable
		for _, e := range slices.Backward(g.pool) {
			if e.v.Type.DType.IsFloat() && len(outputs) < 3 {
				outputs = append(outputs, e.v)
			}
		}
		all, err := derivatives(vars, outputs)
		if err != nil { // an operation with a parameter that has no gradient
			continue
		}
		plain := problem{spec: compile.Spec{Inputs: vars, Outputs: all, Check: true}, args: args}
		want, _, err := plain.call(reference, args)
		if err != nil {
			t.Fatalf("seed %d: %v", seed, err)
		}
		tol, noise := 1e-8, 1e-13
		if plain.narrow() {
			tol, noise = 1e-4, 1e-7
		}
		slack := plain.sensitivity(t, want, noise)
		for _, inline := range []bool{false, true} {
			nested := apply(t, formula.FromGraph{Inputs: vars, Outputs: outputs, Inline: inline}, vars)
			twice := apply(t, formula.FromGraph{Inputs: vars, Outputs: nested, Label: "outer"}, vars)
			for k, made := range [][]*graph.Variable{nested, twice} {
				all, err := derivatives(vars, made)
				if err != nil {
					t.Fatalf("seed %d: %v", seed, err)
				}
				p := problem{spec: compile.Spec{Inputs: vars, Outputs: all, Check: true}, args: args}
				for _, c := range variants[:3] {
					label := fmt.Sprintf("seed %d, inline %t, depth %d, %s", seed, inline, k+1, c.name)
					got, after, err := p.call(c.mode, args)
					if err != nil {
						t.Fatalf("%s: %v", label, err)
					}
					for i := range want {
						n, bad, diff := difference(got[i], want[i], slack[i], tol, false)
						if diff != "" {
							t.Fatalf("%s: result %d: %s\nof\n%s\nafter\n%s\narguments %s", label, i, diff, &graph.FunctionGraph{Inputs: vars, Outputs: outputs}, after, arguments(p))
						}
						compared, loose = compared+n, loose+bad
					}
				}
			}
		}
	}
	t.Logf("%d elements compared, %d too sensitive", compared, loose)
	if loose > compared/5 {
		t.Errorf("%d elements are too sensitive, of %d: the test does not test", loose, compared+loose)
	}
}

// apply makes an operation of a graph, and applies it.
func apply(t *testing.T, spec formula.FromGraph, in []*graph.Variable) []*graph.Variable {
	t.Helper()
	o, stays, err := spec.Make()
	if err != nil {
		t.Fatal(err)
	}
	out, err := (&graph.Builder{}).Make(o, slices.Concat(in, stays)...)
	if err != nil {
		t.Fatal(err)
	}
	return out
}

// derivatives are outputs, and then gradients of a scalar that is made of them, those of the sum of
// these, and how outputs change.
func derivatives(vars, outputs []*graph.Variable) ([]*graph.Variable, error) {
	b := &graph.Builder{}
	sum := func(list []*graph.Variable) *graph.Variable {
		total := b.Number(kernels.Float64, 0)
		for _, v := range list {
			total = b.Apply(op.Add, total, b.Apply(op.Reduce{Kind: op.Sum, Axes: tensor.AllAxes(v.Type.Rank())}, v))
		}
		return total
	}
	zeros := grad.Options{Disconnected: func(*graph.Variable) error { return nil }}
	first, err := grad.Grad(b, sum(outputs), vars, zeros)
	if err != nil {
		return nil, err
	}
	second, err := grad.Grad(b, sum(first), vars, zeros)
	if err != nil {
		return nil, err
	}
	changes, err := grad.Rop(b, outputs, vars, vars, zeros)
	return slices.Concat(outputs, first, second, changes), err
}

// TestFromGraphGoes: what is inlined leaves no node, what nobody reads is not computed, and a body
// is rewritten by the passes of the function.
func TestFromGraphGoes(t *testing.T) {
	x := graph.NewInput("x", graph.AnyShape(kernels.Float64, 1), nil)
	b := &graph.Builder{}
	outputs := []*graph.Variable{b.Apply(op.Log, b.Apply(op.Add, b.Like(x, 1), x)), b.Apply(op.Exp, x)}
	for inline, want := range map[bool]string{
		true:  "func(x float64[?])\n\tv1 = log1p x\n\treturn v1\n",
		false: "func(x float64[?])\n\tv1 = from_graph{inline=false,label=\"f\",body=\"func(x float64\\x5b?\\x5d)\\n\\tv1 = log1p x\\n\\treturn v1\\n\"} x\n\treturn v1\n",
	} {
		out := apply(t, formula.FromGraph{Inputs: []*graph.Variable{x}, Outputs: outputs, Inline: inline, Label: "f"}, []*graph.Variable{x})
		f, err := compile.Compile(compile.Spec{Inputs: []*graph.Variable{x}, Outputs: out[:1], Check: true, Mode: compile.Mode{Linker: "c|go", Optimizer: "fast_run"}})
		if err != nil {
			t.Fatal(err)
		}
		if got := f.Graph.String(); got != want {
			t.Errorf("inline %t: got\n%s\nwant\n%s", inline, got, want)
		}
	}
	if f, _ := compile.Compile(compile.Spec{Inputs: []*graph.Variable{x}, Outputs: apply(t, formula.FromGraph{Inputs: []*graph.Variable{x}, Outputs: outputs, Inline: true}, []*graph.Variable{x}),
		Mode: reference}); !rewrite.HasFromGraph(f.Graph) {
		t.Error("without rewrites the operation is gone")
	}
}

// TestFromGraphsWithTables: operations whose graphs differ in large constants alone, which texts
// abbreviate, are not one.
func TestFromGraphsWithTables(t *testing.T) {
	x := graph.NewInput("x", graph.TypeOf(kernels.Float64, 100), nil)
	at := func(value float64) op.FromGraph {
		table := tensor.New(kernels.Float64, 100)
		table.Fill(value)
		v := graph.NewInput("v", x.Type, nil)
		b := &graph.Builder{}
		return op.NewFromGraph(&op.Enclosed{Body: &graph.FunctionGraph{Inputs: []*graph.Variable{v}, Outputs: []*graph.Variable{b.Apply(op.Mul, v, b.Constant(table))}}})
	}
	b := &graph.Builder{}
	two, three := at(2), at(3)
	if two == three {
		t.Fatal("they are one")
	}
	f, err := compile.Compile(compile.Spec{Inputs: []*graph.Variable{x}, Outputs: []*graph.Variable{b.Apply(two, x), b.Apply(three, x)}, Check: true, Mode: compile.Mode{Linker: "c|go", Optimizer: "fast_run"}})
	if err != nil {
		t.Fatal(err)
	}
	ones := tensor.New(kernels.Float64, 100)
	ones.Fill(1)
	out, err := f.Call(t.Context(), []*tensor.Dense{ones}, nil)
	if err != nil || out[0].Floats()[0] != 2 || out[1].Floats()[0] != 3 {
		t.Errorf("got %v and %v, %v, want 2 and 3", out[0].Floats()[0], out[1].Floats()[0], err)
	}
}
