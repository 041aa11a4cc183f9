package op_test

import (
	"math/rand/v2"
	"testing"

	"github.com/arignote/arignote/kernels"
	"github.com/arignote/arignote/runtime/graph"
	"github.com/arignote/arignote/runtime/op"
	"github.com/arignote/arignote/runtime/op/optest"
	"github.com/arignote/arignote/runtime/tensor"
)

// TestRequires: an operation fails for lengths exactly where something that it requires does not
// hold. Each axis of each operand of each case gets other lengths, alone.
func TestRequires(t *testing.T) {
	failed := 0
	for _, o := range op.Structurals() {
		t.Run(graph.BaseName(o), func(t *testing.T) {
			r := rand.New(rand.NewPCG(21, 22))
			for _, c := range optest.Cases(o) {
				failed += requires(t, r, c)
			}
		})
	}
	if failed < 100 {
		t.Errorf("only %d lengths made an operation fail: the test does not test", failed)
	}
}

// requires tries a case and counts how often it failed.
func requires(t *testing.T, r *rand.Rand, c optest.Case) (failed int) {
	t.Helper()
	for i, o := range c.In {
		for axis := range o.Type.Rank() {
			if o.Value != nil && o.Value.Size() > 0 && o.Value.Rank() > 0 {
				continue // its elements say what is to be done
			}
			for _, n := range []int{0, 1, 2, 3, 4, 5} {
				if o.Type.Broadcasts(axis) {
					continue
				}
				x := newTrial(r, c, 0, 0)
				shape := x.values[i].Shape()
				shape = append([]int(nil), shape...)
				shape[axis] = n
				x.values[i] = o.Sample(r, shape...)
				if x.requires(t, r) {
					failed++
				}
			}
		}
	}
	return failed
}

// requires compares what the operation requires with whether it fails, which it reports.
func (x *trial) requires(t *testing.T, r *rand.Rand) bool {
	t.Helper()
	in := make([]*graph.Variable, len(x.values))
	known := make(map[*graph.Variable]*tensor.Dense)
	for i, o := range x.In {
		dims := o.Type.Dims()
		for axis := range dims {
			if dims[axis] != 1 {
				dims[axis] = graph.Unknown
			}
		}
		in[i] = graph.NewInput("", graph.TypeOf(o.Type.DType, dims...), nil)
		if known[in[i]] = x.values[i]; o.Value != nil && o.Value.Rank() > 0 {
			in[i] = graph.NewConstant(o.Value, nil)
		}
	}
	outs, err := (&graph.Builder{}).Make(x.Op, in...)
	if err != nil {
		return false // another rank
	}
	node := outs[0].Owner
	values := make([]*tensor.Dense, len(node.Inputs))
	for i, v := range node.Inputs {
		values[i] = computed(t, known, v)
	}
	_, failed := x.run(node, values, kernels.Sets{kernels.GoSet})
	broken := ""
	if q, ok := node.Op.(op.Requirer); ok {
		for _, q := range q.Requires(&graph.Builder{}, node) {
			a, b := computed(t, known, q.A), computed(t, known, q.B)
			if a == nil || b == nil || a.Ints()[0] != b.Ints()[0] && !(q.AtMost && a.Ints()[0] < b.Ints()[0]) {
				broken = "a requirement does not hold"
			}
		}
	}
	if (failed != nil) != (broken != "") {
		t.Errorf("%s of %s: %v, and %q", x.Op.Name(), x.text(), failed, broken)
	}
	return failed != nil
}

// computed is the value of v, nil if there is none for these lengths.
func computed(t *testing.T, known map[*graph.Variable]*tensor.Dense, v *graph.Variable) *tensor.Dense {
	t.Helper()
	switch {
	case v.Data != nil:
		return v.Data
	case known[v] != nil:
		return known[v]
	}
	in, out := make([]*tensor.Dense, len(v.Owner.Inputs)), make([]*tensor.Dense, len(v.Owner.Outputs))
	for i, u := range v.Owner.Inputs {
		if in[i] = computed(t, known, u); in[i] == nil {
			return nil
		}
	}
	thunk, _, err := v.Owner.Op.(op.Linker).Link(v.Owner, kernels.Sets{kernels.GoSet})
	if err != nil {
		t.Fatal(err)
	}
	call := &op.Call{Alloc: func(_ int, d kernels.DType, shape []int) *tensor.Dense { return tensor.New(d, shape...) }}
	if err := thunk(call, in, out); err != nil {
		return nil
	}
	return out[v.Index]
}
