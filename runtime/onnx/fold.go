package onnx

import (
	"sync"

	"github.com/arignote/arignote/kernels"
	"github.com/arignote/arignote/runtime/exec"
	"github.com/arignote/arignote/runtime/formula"
	"github.com/arignote/arignote/runtime/graph"
	"github.com/arignote/arignote/runtime/op"
	"github.com/arignote/arignote/runtime/tensor"
)

// V is a symbolic variable.
type V = *graph.Variable

// maxFolded is how many elements a result may have that is computed when a model is loaded. Larger
// ones are left to the compiled function, which has the memory counted.
const maxFolded = 1 << 16

// evaluator computes operations of constants.
var evaluator = sync.OnceValues(func() (*op.Evaluator, error) {
	sets, err := exec.Sets("c|go")
	return op.NewEvaluator(sets), err
})

// newBuilder is a builder that computes operations of constants at once, so that what decides
// shapes is known.
func newBuilder(origin *graph.Origin) *graph.Builder {
	b := &graph.Builder{Origin: origin}
	b.Evaluate = func(o graph.Op, in []V) ([]V, error) {
		node, err := graph.NewApply(o, in, b.Origin)
		if err != nil {
			return nil, err
		}
		if !foldable(node) {
			return node.Outputs, nil
		}
		ev, err := evaluator()
		if err != nil {
			return nil, err
		}
		values := make([]*tensor.Dense, len(in))
		for i, v := range in {
			values[i] = v.Data
		}
		results, err := ev.Eval(o, nil, values...)
		if err != nil {
			return nil, err
		}
		out := make([]V, len(results))
		for i, r := range results {
			if !r.IsContiguous() {
				r = r.Copy()
			}
			out[i] = b.Constant(r)
		}
		return out, nil
	}
	return b
}

// foldable reports whether a node can be computed when the model is loaded: its operands are
// constants, and its results are few.
func foldable(node *graph.Apply) bool {
	size := 0
	for _, v := range node.Inputs {
		if !v.IsConstant() {
			return false
		}
		size += v.Data.Size()
	}
	if op.ActsOf(node.Op) || size > maxFolded {
		return false
	}
	for _, v := range node.Outputs {
		n := 1
		for axis := range v.Type.Rank() {
			if d := v.Dim(axis); d != graph.Unknown {
				n *= max(d, 1)
			} else {
				switch node.Op.(type) {
				case op.ARange, op.Alloc, op.Repeat: // as long as an operand says
					return false
				}
			}
			if n > maxFolded {
				return false
			}
		}
	}
	return true
}

// elements are the scalars that v is made of, an int64 scalar or a vector of a known, small length.
// Lengths that are known stay known when shapes are computed with. ok is false for other variables.
func elements(b *graph.Builder, v V) (list []V, ok bool) {
	switch {
	case v.DType() != kernels.Int64 || v.Rank() > 1:
		return nil, false
	case v.Rank() == 0:
		return []V{v}, true
	case v.Dim(0) == graph.Unknown || v.Dim(0) > 4*tensor.MaxRank:
		return nil, false
	case v.Op() == graph.Op(op.MakeVector{}):
		return v.Owner.Inputs, true
	}
	for i := range v.Dim(0) {
		list = append(list, formula.At(b, v, 0, i))
	}
	return list, true
}

// vector is the int64 vector of scalars.
func vector(b *graph.Builder, list []V) V {
	if len(list) == 0 {
		return b.Constant(tensor.New(kernels.Int64, 0))
	}
	return b.Apply(op.MakeVector{}, list...)
}

// known reports whether v is a vector of which some elements are known and others are not, on which
// shape arithmetic works element by element.
func known(v V) bool {
	return v != nil && v.Op() == graph.Op(op.MakeVector{}) && v.DType() == kernels.Int64
}

// partly reports whether an operator is to be computed by elements: an operand is a shape of which
// not all is known, and all are small.
func partly(in []V) bool {
	any := false
	for _, v := range in {
		if v == nil || v.Rank() > 1 || v.Rank() == 1 && (v.Dim(0) == graph.Unknown || v.Dim(0) > 4*tensor.MaxRank) {
			return false
		}
		any = any || known(v)
	}
	return any
}
