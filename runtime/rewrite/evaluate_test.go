package rewrite

import (
	"fmt"
	"math"
	"testing"

	"github.com/arignote/arignote/kernels"
	_ "github.com/arignote/arignote/runtime/exec" // links the bodies of loops
	"github.com/arignote/arignote/runtime/graph"
	"github.com/arignote/arignote/runtime/op"
	"github.com/arignote/arignote/runtime/tensor"
)

// evaluate computes variables node by node with the Go kernels, given the values of the inputs.
func evaluate(vars []*graph.Variable, inputs map[*graph.Variable]*tensor.Dense) ([]*tensor.Dense, error) {
	return evaluateWith(vars, inputs, func(_ *graph.Apply, _ []*tensor.Dense, out *tensor.Dense) *tensor.Dense { return out })
}

// evaluateWith lets change what each node computes.
func evaluateWith(vars []*graph.Variable, inputs map[*graph.Variable]*tensor.Dense,
	change func(node *graph.Apply, in []*tensor.Dense, out *tensor.Dense) *tensor.Dense) ([]*tensor.Dense, error) {
	values := make(map[*graph.Variable]*tensor.Dense)
	get := func(v *graph.Variable) *tensor.Dense {
		switch {
		case v.Data != nil:
			return v.Data
		case values[v] != nil:
			return values[v]
		}
		return inputs[v]
	}
	call := &op.Call{Alloc: func(_ int, d kernels.DType, shape []int) *tensor.Dense { return tensor.New(d, shape...) }}
	for _, node := range graph.Toposort(vars) {
		thunk, _, err := node.Op.(op.Linker).Link(node, kernels.Sets{kernels.GoSet})
		if err != nil {
			return nil, err
		}
		in, out := make([]*tensor.Dense, len(node.Inputs)), make([]*tensor.Dense, len(node.Outputs))
		for i, v := range node.Inputs {
			if in[i] = get(v); in[i] == nil {
				return nil, fmt.Errorf("no value for %s", graph.Describe(v))
			}
		}
		if err := thunk(call, in, out); err != nil {
			return nil, fmt.Errorf("%s: %w", node.Op.Name(), err)
		}
		for i, v := range node.Outputs {
			if !v.Type.AcceptsShape(out[i].Shape()) || v.Type.DType != out[i].DType() {
				return nil, fmt.Errorf("%s: got a value of type %v, want %v", node.Op.Name(), graph.TypeOfValue(out[i]), v.Type)
			}
			values[v] = change(node, in, out[i])
		}
	}
	res := make([]*tensor.Dense, len(vars))
	for i, v := range vars {
		res[i] = get(v)
	}
	return res, nil
}

// tolerance is the relative error that rewriting may cause: a few ulps of the narrowest float type
// that takes part.
func tolerance(vars ...*graph.Variable) float64 {
	tol := 1e-11
	check := func(v *graph.Variable) {
		if v.Type.DType == kernels.Float32 {
			tol = 1e-4
		}
	}
	for _, v := range vars {
		check(v)
	}
	for _, node := range graph.Toposort(vars) {
		for _, v := range node.Inputs {
			check(v)
		}
	}
	return tol
}

// difference describes the first element in which two arrays differ, "" if there is none.
func difference(got, want *tensor.Dense, tol float64) string {
	if got.DType() != want.DType() || fmt.Sprint(got.Shape()) != fmt.Sprint(want.Shape()) {
		return fmt.Sprintf("got %v%v, want %v%v", got.DType(), got.Shape(), want.DType(), want.Shape())
	}
	x, y := got.Floats(), want.Floats()
	for i := range x {
		if !closeTo(x[i], y[i], tol) {
			return fmt.Sprintf("element %d: got %v, want %v", i, x[i], y[i])
		}
	}
	return ""
}

func closeTo(x, y, tol float64) bool {
	if x == y || math.IsNaN(x) && math.IsNaN(y) {
		return true
	}
	return math.Abs(x-y) <= tol*(1+math.Abs(y))
}

func mustParse(t testing.TB, src string) *graph.FunctionGraph {
	t.Helper()
	fg, err := graph.Parse("test", src, op.Lookup)
	if err != nil {
		t.Fatalf("%v:%v\n%s", err.(*graph.Error).Pos, err, src)
	}
	return fg
}

func TestDifferenceIsFound(t *testing.T) {
	a, b := tensor.From([]float64{1, 2}, 2), tensor.From([]float64{1, 2.001}, 2)
	if difference(a, b, 1e-11) == "" || difference(a, a.AsType(kernels.Float32), 1) == "" || difference(a, b, 1e-2) != "" {
		t.Error("the comparison of the other tests does not compare")
	}
}
