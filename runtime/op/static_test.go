package op_test

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/arignote/arignote/kernels"
	"github.com/arignote/arignote/runtime/graph"
	"github.com/arignote/arignote/runtime/op"
	"github.com/arignote/arignote/runtime/op/optest"
	"github.com/arignote/arignote/runtime/tensor"
)

// forgets are the operations whose results are less known than they could be, each with the reason.
var forgets = map[string]string{
	"from_graph":  "an axis of length 1 of which its graph does not know does not broadcast there, and is not known of the result either",
	"scan":        "results of steps have the types of the body, so that rewriting the body never makes them less known than they were",
	"unbroadcast": "that is what it is for",
}

// TestStaticLengths walks all operations: where all lengths of the operands are known, and the
// values of those that decide, the type of a result knows each of its lengths that the operation
// computes of lengths, and they are those of the result. Of a length that is known only to the
// result (Length is nil) nothing may be said that running does not give.
func TestStaticLengths(t *testing.T) {
	for _, o := range op.Structurals() {
		t.Run(graph.BaseName(o), func(t *testing.T) {
			r := rand.New(rand.NewPCG(3, 4))
			for _, c := range optest.Cases(o) {
				checkStatic(t, newTrial(r, c, 0, 0))
				for _, n := range newTrial(r, c, 0, 0).lengths() {
					for _, m := range []int{0, 1, 5} {
						checkStatic(t, newTrial(r, c, n, m))
					}
				}
			}
		})
	}
}

func checkStatic(t *testing.T, x *trial) {
	t.Helper()
	outs, err := (&graph.Builder{}).Make(x.Op, x.vars(false, true)...)
	if err != nil {
		return
	}
	node := outs[0].Owner
	got, err := x.run(node, x.coerced(t, node), kernels.Sets{kernels.GoSet})
	if err != nil {
		return
	}
	for i, v := range outs {
		for axis := range v.Type.Rank() {
			n, want := v.Type.Dim(axis), got[i].Dim(axis)
			known := x.Op.Length(&graph.Builder{}, v, axis) != nil
			_, forgiven := forgets[graph.BaseName(x.Op)]
			if n != want && (n != graph.Unknown || known && !forgiven && determined(node, v, axis)) {
				t.Errorf("%s of %s: result %d: the type is %v, want %d on axis %d", x.Op.Name(), x.text(), i, v.Type, want, axis)
			}
		}
		lying(t, x, node, i, v.Type, got)
	}
}

// determined reports whether the length of an axis follows from lengths and constants.
func determined(node *graph.Apply, v *graph.Variable, axis int) bool {
	n := node.Op.(op.Measurer).Length(&graph.Builder{}, v, axis)
	for _, root := range slices.Collect((&graph.FunctionGraph{Outputs: []*graph.Variable{n}}).Roots()) {
		if root.IsInput() && !measured(n, root) {
			return false
		}
	}
	return true
}

// measured reports whether n reads no element of root, only its lengths.
func measured(n, root *graph.Variable) bool {
	if n == root {
		return false
	}
	if n.Owner == nil {
		return true
	}
	if _, ok := n.Op().(op.ShapeI); ok {
		return true
	}
	return !slices.ContainsFunc(n.Owner.Inputs, func(in *graph.Variable) bool { return !measured(in, root) })
}

// lying checks that a wrong length is found: SpecifyShape with another length than the result's
// fails, when the graph is made or when it runs.
func lying(t *testing.T, x *trial, node *graph.Apply, i int, known graph.Type, got []*tensor.Dense) {
	t.Helper()
	for axis := range known.Rank() {
		dims := got[i].Shape()
		wrong := slices.Clone(dims)
		wrong[axis]++
		s := op.SpecifyShape{Dims: op.DimsOf(graph.TypeOf(known.DType, wrong...))}
		for _, v := range []*graph.Variable{node.Outputs[i], graph.NewInput("z", graph.AnyShape(known.DType, known.Rank()), nil)} {
			out, err := (&graph.Builder{}).Make(s, v)
			if err != nil {
				continue
			}
			thunk, _, err := s.Link(out[0].Owner, kernels.Sets{kernels.GoSet})
			if err == nil {
				err = thunk(&op.Call{}, []*tensor.Dense{got[i]}, make([]*tensor.Dense, 1))
			}
			if err == nil {
				t.Errorf("%s: %s: a length of %d for %d on axis %d was taken", x.Op.Name(), fmt.Sprint(known), wrong[axis], dims[axis], axis)
			}
		}
	}
}
