package rewrite

import (
	"slices"

	"github.com/arignote/arignote/runtime/graph"
	"github.com/arignote/arignote/runtime/op"
)

var _ = goRule("local_log_of_moved", groupStabilize, logOfMoved,
	op.Log, op.Log1p, op.Log2, op.Log10)

// logOfMoved: log(softmax(x)[i]) => logsoftmax(x)[i], which is not -inf where the probability
// underflows, and so for whatever moves elements, one such operation after the other, and for each
// operation whose logarithm a rule knows: log(sigmoid(x).T) => (-softplus(-x)).T. An operation on
// one array is done after its elements are moved, which may leave some out. A constant factor, and
// the sign in log1p(-x), stay outside. Others may read what is moved: they keep it.
func logOfMoved(c *Context, node *graph.Apply) *graph.Variable {
	v := node.Inputs[0]
	outside := func(v *graph.Variable) *graph.Variable { return v }
	switch v.Op() {
	case graph.Op(op.Neg):
		v = v.Owner.Inputs[0]
		outside = func(v *graph.Variable) *graph.Variable { return c.Apply(op.Neg, v) }
	case graph.Op(op.Mul):
		for i, u := range v.Owner.Inputs {
			if x, ok := c.scalar(u); ok {
				v = v.Owner.Inputs[1-i]
				outside = func(v *graph.Variable) *graph.Variable {
					return c.Apply(op.Mul, c.Like(v, x), v)
				}
				break
			}
		}
	}
	var path []*graph.Apply
	for ; moves(v); v = v.Owner.Inputs[0] {
		path = append(path, v.Owner)
	}
	if len(path) == 0 || v.Owner == nil || v.Type.DType != node.Outputs[0].Type.DType {
		return nil
	}
	moved := func(v *graph.Variable) *graph.Variable {
		for _, n := range slices.Backward(path) {
			v = c.applyFor(n, n.Op, append([]*graph.Variable{v}, n.Inputs[1:]...)...)
		}
		return v
	}
	log := func(v *graph.Variable) *graph.Variable { return c.Apply(node.Op, outside(v)) }
	stable := log(v)
	if stable.Op() == node.Op {
		return nil
	}
	in := v.Owner.Inputs
	if _, ok := v.Op().(op.Elemwise); ok && len(in) == 1 && in[0].Type.DType == v.Type.DType {
		return c.fit(node, log(c.applyFor(v.Owner, v.Owner.Op, moved(in[0]))))
	}
	return c.fit(node, moved(stable))
}

// moves reports whether all that is done to compute v is to move elements of one array.
func moves(v *graph.Variable) bool {
	o, ok := v.Op().(op.Structural)
	if !ok || o.Traits() != op.Moves || len(v.Owner.Inputs) == 0 || len(v.Owner.Outputs) != 1 {
		return false
	}
	alike := func(u *graph.Variable) bool { return u.Type.DType == v.Type.DType }
	return alike(v.Owner.Inputs[0]) && !slices.ContainsFunc(v.Owner.Inputs[1:], alike)
}
