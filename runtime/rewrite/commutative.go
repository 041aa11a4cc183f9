package rewrite

import (
	"slices"

	"github.com/arignote/arignote/runtime/graph"
	"github.com/arignote/arignote/runtime/op"
)

var (
	_ = goRule("local_constant_first", groupCanonicalize, constantFirst, elementwise).needing(ofConstants).onlyOf(obeying(op.Commutative))
	_ = goRule("local_idempotent", groupCanonicalize, idempotent, elementwise).onlyOf(obeying(op.Idempotent))
	_ = goRule("local_upcast_elemwise_constant_inputs", groupCanonicalize, convertConstants, elementwise).needing(ofConstants)
	_ = goRule("local_identity", groupUseless, identity, op.Identity)
	_ = goRule("local_zero_grad", groupUseless, identity, op.ZeroGrad{})
	_ = goRule("local_undefined_grad", groupUseless, identity, op.UndefinedGrad{})
	_ = goRule("local_disconnected_grad", groupUseless, identity, op.DisconnectedGrad{})
	_ = goRule("local_grad_clip", groupUseless, identity, typeOf[op.GradClip](), typeOf[op.GradScale]())
	_ = goRule("local_sparse_regular", groupUseless, identity, op.SparseStored{}, typeOf[op.SparseRegular]())
)

// constantFirst: f(x, c) => f(c, x) for commutative f. It is Go because a rule as text matches both
// orders. Of two zeros maximum and its like give the second, so that maximum(x, 0) has no -0 and
// stays as it is.
func constantFirst(c *Context, node *graph.Apply) *graph.Variable {
	in := node.Inputs
	if !obeys(node.Op, op.Commutative) || len(in) != 2 || in[0].IsConstant() || !in[1].IsConstant() {
		return nil
	}
	if obeys(node.Op, op.Idempotent) && node.Outputs[0].Type.DType.IsFloat() && slices.Contains(in[1].Data.Floats(), 0) {
		return nil
	}
	return c.Apply(node.Op, in[1], in[0])
}

// idempotent: f(x, x) => x for maximum, minimum, and, or.
func idempotent(c *Context, node *graph.Apply) *graph.Variable {
	in := node.Inputs
	if !obeys(node.Op, op.Idempotent) || len(in) != 2 || !c.same(in[0], in[1]) {
		return nil
	}
	return c.conform(node, in[0], nil)
}

// convertConstants: a constant that the operation would convert for every element is converted
// once.
func convertConstants(c *Context, node *graph.Apply) *graph.Variable {
	e := node.Op.(op.Elemwise)
	d := node.Outputs[0].Type.DType
	if row := e.Row(); len(node.Inputs) < 2 || row.Laws == 0 && e != op.Sub && e != op.TrueDiv && e != op.Pow && e != op.Switch ||
		e == op.Eq || e == op.Neq {
		return nil // of the others it is not known here what they compute in
	}
	var in []*graph.Variable
	for i, v := range node.Inputs {
		if v.IsConstant() && v.Type.DType != d && (e != op.Switch || i > 0) && v.Data.NBytes() <= maxFolded {
			if in == nil {
				in = slices.Clone(node.Inputs)
			}
			in[i] = graph.NewConstant(v.Data.AsType(d), v.Origin)
		}
	}
	if in == nil {
		return nil
	}
	return c.conform(node, c.Apply(e, in...), node.Inputs)
}

// identity: the operation of this name gives its operand.
func identity(c *Context, node *graph.Apply) *graph.Variable { return node.Inputs[0] }

// obeying are the elementwise operations that obey a law.
func obeying(law op.Law) func(op.Elemwise) bool {
	return func(e op.Elemwise) bool { return e.Row().Laws&law != 0 }
}

func obeys(o graph.Op, law op.Law) bool {
	e, ok := o.(op.Elemwise)
	return ok && e.Row().Laws&law != 0
}
