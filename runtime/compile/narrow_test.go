package compile_test

import (
	"testing"

	"github.com/arignote/arignote/kernels"
	"github.com/arignote/arignote/runtime/compile"
	"github.com/arignote/arignote/runtime/graph"
	"github.com/arignote/arignote/runtime/op"
	"github.com/arignote/arignote/runtime/tensor"
)

// TestNarrow compiles random graphs in float32: no result is float64, all are what float64 gives up
// to rounding, and types that are no floats stay.
func TestNarrow(t *testing.T) {
	compared, loose := 0, 0
	for seed := range uint64(40) {
		g := newGenerator(byChance(7000 + seed))
		g.smooth = seed%2 == 0
		vars, args := g.inputs()
		g.grow(2 + int(seed%12))
		spec := compile.Spec{Inputs: vars, Check: true}
		for _, e := range g.pool[max(0, len(g.pool)-3):] {
			spec.Outputs = append(spec.Outputs, e.v)
		}
		plain := problem{spec: spec, args: args}
		want, _, err := plain.call(reference, args)
		if err != nil {
			t.Fatalf("seed %d: %v", seed, err)
		}
		slack := plain.sensitivity(t, want, 1e-7)
		spec.Narrow = func(v *graph.Variable) *graph.Variable { t.Fatalf("got the shared variable %v", v); return v }
		short := make([]*tensor.Dense, len(args))
		for i, a := range args {
			if short[i] = a; a.DType() == kernels.Float64 {
				short[i] = a.AsType(kernels.Float32)
			}
		}
		got, _, err := problem{spec: spec, args: short}.call(compile.Mode{Linker: "c|go", Optimizer: "fast_run"}, short)
		if err != nil {
			t.Fatalf("seed %d: %v", seed, err)
		}
		for i := range want {
			from, to := want[i].DType(), got[i].DType()
			if from == kernels.Float64 && to != kernels.Float32 || from != kernels.Float64 && to != from {
				t.Errorf("seed %d: %v became %v", seed, from, to)
			}
			n, bad, diff := difference(got[i].AsType(from), want[i], slack[i], 2e-4, false)
			if diff != "" {
				t.Errorf("seed %d: result %d: %s\nof\n%s", seed, i, diff, &graph.FunctionGraph{Inputs: vars, Outputs: spec.Outputs})
			}
			compared, loose = compared+n, loose+bad
		}
	}
	if t.Logf("%d elements compared, %d too sensitive", compared, loose); compared < 1000 || loose > compared/5 {
		t.Errorf("%d elements compared, %d too sensitive", compared, loose)
	}
}

// TestNarrowShared: shared variables, what casts say and draws become float32; integers stay.
func TestNarrowShared(t *testing.T) {
	b := new(graph.Builder)
	vector := graph.TypeOf(kernels.Float64, graph.Unknown)
	w := graph.NewShared("w", vector, tensor.From([]float64{1, 2}, 2), nil)
	n := graph.NewShared("n", graph.TypeOf(kernels.Int64, graph.Unknown), tensor.From([]int64{3, 4}, 2), nil)
	cast := b.Apply(op.Cast(kernels.Float64), n)
	spec := compile.Spec{Outputs: []*graph.Variable{b.Apply(op.Mul, w, cast), b.Apply(op.Add, n, n)},
		Updates: []graph.Update{{Shared: w, Value: b.Apply(op.Add, w, cast)}}, Mode: compile.Mode{Linker: "c|go", Optimizer: "fast_run"}}
	short := graph.NewShared("w", graph.TypeOf(kernels.Float32, graph.Unknown), tensor.From([]float32{1, 2}, 2), nil)
	spec.Narrow = func(v *graph.Variable) *graph.Variable {
		if v != w {
			t.Errorf("got %v", v)
		}
		return short
	}
	f, err := compile.Compile(spec)
	if err != nil {
		t.Fatal(err)
	}
	for _, node := range f.Graph.Toposort() {
		for _, v := range node.Outputs {
			if v.Type.DType == kernels.Float64 {
				t.Errorf("%v is float64 in\n%v", v, f.Graph)
			}
		}
	}
	out, err := f.Run(nil, nil, nil)
	if err != nil {
		t.Fatal(err)
	}
	if a, c := out[0], out[1]; a.DType() != kernels.Float32 || a.Values()[1] != 8 || c.DType() != kernels.Int64 || c.Ints()[1] != 8 {
		t.Errorf("got %v and %v", a, c)
	}
	if v := short.Shared.Get().Values(); v[0] != 4 || v[1] != 6 || w.Shared.Get().Values()[0] != 1 {
		t.Errorf("got %v for %v", v, w.Shared.Get())
	}
}
