package rewrite

import (
	"slices"

	"github.com/arignote/arignote/runtime/graph"
	"github.com/arignote/arignote/runtime/op"
	"github.com/arignote/arignote/runtime/tensor"
)

var (
	_ = goRule("local_useless_dimshuffle", groupUseless, uselessDimShuffle, typeOf[op.DimShuffle]())
	_ = goRule("local_dimshuffle_dimshuffle", groupUseless, dimShuffleTwice, typeOf[op.DimShuffle]()).needing(ofDimShuffles)
	_ = goRule("local_dimshuffle_lift", groupCanonicalize, liftDimShuffle, typeOf[op.DimShuffle]())
	_ = goRule("local_lift_transpose_through_dot", groupCanonicalize, liftTranspose, typeOf[op.DimShuffle]()).needing(ofDots)
	_ = goRule("local_dimshuffle_make_vector", groupUseless, dimShuffleMakeVector, typeOf[op.DimShuffle]()).needing(ofMakeVectors)
	_ = goRule("local_dimshuffle_alloc", groupCanonicalize, dimShuffleAlloc, typeOf[op.DimShuffle]()).needing(ofAllocs)
)

// pattern lists the axes of a DimShuffle, which Infer has accepted.
func pattern(o graph.Op) []int {
	axes, err := o.(op.DimShuffle).Pattern.Axes()
	if err != nil {
		panic("BUG: " + err.Error())
	}
	return axes
}

// uselessDimShuffle: every axis stays where it is.
func uselessDimShuffle(c *Context, node *graph.Apply) *graph.Variable {
	x := node.Inputs[0]
	if node.Outputs[0].Type.Rank() != x.Type.Rank() {
		return nil
	}
	for i, a := range pattern(node.Op) {
		if i != a {
			return nil
		}
	}
	return x
}

// dimShuffleTwice: one permutation instead of two.
func dimShuffleTwice(c *Context, node *graph.Apply) *graph.Variable {
	x := node.Inputs[0]
	if _, ok := x.Op().(op.DimShuffle); !ok {
		return nil
	}
	inner := pattern(x.Owner.Op)
	axes := pattern(node.Op)
	for i, a := range axes {
		if a != tensor.NewAxis {
			axes[i] = inner[a]
		}
	}
	return c.Apply(op.NewDimShuffle(axes), x.Owner.Inputs[0])
}

// liftDimShuffle: dimshuffle(f(x, y)) => f(dimshuffle(x), dimshuffle(y)), which lets f fuse with
// what comes after it. Axes that change places stay below: f reads its operands in the order they
// have in memory.
func liftDimShuffle(c *Context, node *graph.Apply) *graph.Variable {
	x := node.Inputs[0]
	if _, ok := x.Op().(op.Elemwise); !ok || c.shared(x) {
		return nil
	}
	axes := pattern(node.Op)
	last := -1
	for _, a := range axes {
		if a == tensor.NewAxis {
			continue
		}
		if a < last {
			return nil
		}
		last = a
	}
	in := make([]*graph.Variable, len(x.Owner.Inputs))
	for i, v := range x.Owner.Inputs {
		in[i] = c.Apply(node.Op, v)
	}
	return c.applyFor(x.Owner, x.Owner.Op, in...)
}

// dimShuffleMakeVector: dimshuffle(make_vector(v)) => dimshuffle(v), where the only axis is
// dropped: x.shape[0] of a vector.
func dimShuffleMakeVector(c *Context, node *graph.Apply) *graph.Variable {
	x := node.Inputs[0]
	axes := pattern(node.Op)
	if x.Op() != graph.Op(op.MakeVector{}) || slices.ContainsFunc(axes, func(a int) bool { return a != tensor.NewAxis }) {
		return nil
	}
	return c.fit(node, c.Apply(node.Op, x.Owner.Inputs[0]))
}

// dimShuffleAlloc: dimshuffle(alloc(v, n)) => alloc(dimshuffle(v), 1, n).
func dimShuffleAlloc(c *Context, node *graph.Apply) *graph.Variable {
	x := node.Inputs[0]
	if x.Op() != graph.Op(op.Alloc{}) || c.reused(x) {
		return nil
	}
	axes := pattern(node.Op)
	in := []*graph.Variable{c.Apply(node.Op, x.Owner.Inputs[0])}
	for i, a := range axes {
		if a == tensor.NewAxis {
			in = append(in, c.Length(node.Outputs[0], i))
		} else {
			in = append(in, x.Owner.Inputs[1+a])
		}
	}
	return c.fit(node, c.applyFor(x.Owner, op.Alloc{}, in...))
}

// liftTranspose: transpose(dot(x, y)) => dot(transpose(y), transpose(x)), whose operands a product
// reads in any order. What is left of it, the gradient of W in dot(x, transpose(W)) for one, may
// then take in what is done with it.
func liftTranspose(c *Context, node *graph.Apply) *graph.Variable {
	z := node.Inputs[0]
	turn := op.NewDimShuffle([]int{1, 0})
	if node.Op != graph.Op(turn) || z.Op() != graph.Op(op.Dot{}) || c.reused(z) {
		return nil
	}
	x, y := z.Owner.Inputs[0], z.Owner.Inputs[1]
	if x.Type.Rank() != 2 || y.Type.Rank() != 2 {
		return nil
	}
	return c.fit(node, c.applyFor(z.Owner, op.Dot{}, c.Apply(turn, y), c.Apply(turn, x)))
}
