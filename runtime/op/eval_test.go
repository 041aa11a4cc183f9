package op_test

import (
	"math"
	"math/rand/v2"
	"testing"

	"github.com/arignote/arignote/kernels"
	"github.com/arignote/arignote/runtime/graph"
	"github.com/arignote/arignote/runtime/op"
	"github.com/arignote/arignote/runtime/tensor"
)

// eval computes v from the values of free variables with the reference kernels.
func eval(t *testing.T, v *graph.Variable, values map[*graph.Variable]*tensor.Dense) *tensor.Dense {
	t.Helper()
	got, err := tryEval(v, values)
	if err != nil {
		t.Fatal(err)
	}
	return got
}

func tryEval(v *graph.Variable, values map[*graph.Variable]*tensor.Dense) (*tensor.Dense, error) {
	known := make(map[*graph.Variable]*tensor.Dense)
	get := func(v *graph.Variable) *tensor.Dense {
		if v.Data != nil {
			return v.Data
		}
		if a, ok := values[v]; ok {
			return a
		}
		return known[v]
	}
	call := &op.Call{Alloc: func(_ int, d kernels.DType, shape []int) *tensor.Dense {
		a := tensor.New(d, shape...)
		if d.IsFloat() {
			a.Fill(math.NaN()) // whoever does not write every element is found out
		}
		return a
	}}
	needs := graph.FindNeeds([]*graph.Variable{v})
	for _, node := range needs.Order {
		if !op.Holds(needs.Of(node), get) {
			continue
		}
		thunk, _, err := node.Op.(op.Linker).Link(node, kernels.Sets{kernels.GoSet})
		if err != nil {
			return nil, err
		}
		in, out := make([]*tensor.Dense, len(node.Inputs)), make([]*tensor.Dense, len(node.Outputs))
		for i, u := range node.Inputs {
			in[i] = get(u)
		}
		if err := thunk(call, in, out); err != nil {
			return nil, err
		}
		for i, u := range node.Outputs {
			if !u.Type.AcceptsShape(out[i].Shape()) || u.Type.DType != out[i].DType() {
				return nil,
					&graph.Error{Op: node.Op.Name(),
						Msg: "Infer said " + u.Type.String() + ", got " + graph.TypeOfValue(out[i]).String()}
			}
			known[u] = out[i]
		}
	}
	return get(v), nil
}

// sample fills an array of type d with values from [lo, hi]; integers are rounded and are not 0.
func sample(r *rand.Rand, d kernels.DType, lo, hi float64, shape ...int) *tensor.Dense {
	values := make([]float64, tensor.Size(shape))
	for i := range values {
		values[i] = lo + (hi-lo)*r.Float64()
		if d.IsInteger() {
			values[i] = math.Round(values[i])
			if !d.IsSigned() {
				values[i] = math.Abs(values[i])
			}
			if values[i] == 0 {
				values[i] = 1
			}
		}
		if d.IsBool() {
			values[i] = float64(r.IntN(2))
		}
	}
	return tensor.From(values, shape...).AsType(d)
}
