package rewrite

import (
	"slices"
	"strings"

	"github.com/arignote/arignote/kernels"
	"github.com/arignote/arignote/runtime/graph"
	"github.com/arignote/arignote/runtime/op"
	"github.com/arignote/arignote/runtime/tensor"
)

var (
	_ = goRule("local_crossentropy_softmax_1hot", groupStabilize, crossentropyAt, typeOf[op.AdvancedSubtensor]())
	_ = goRule("local_crossentropy_softmax_1hot_grad", groupStabilize, crossentropyGrad, op.Sub)
	_ = goRule("local_crossentropy_selected_grad", groupStabilize, crossentropyGradAt, op.Mul).needingOne(ofOthers | kinOf(op.Exp))
	_ = goRule("local_crossentropy_with_grad", groupSpecialize, valueWithGrad, op.LogSoftmaxAt{})
	_ = goRule("local_grad_with_crossentropy", groupSpecialize, gradWithValue, op.LogSoftmaxAtGrad{})
	_ = goRule("local_crossentropy_with_softmax", groupSpecialize, softmaxWithValue, op.Softmax{})
)

// crossentropyAt: logsoftmax(x)[arange(n), labels], minus the cross-entropy, without storing
// logsoftmax(x). Where others read the logarithms they are computed anyway; that exp(logsoftmax(x))
// is read is none of that, since it is softmax(x).
func crossentropyAt(c *Context, node *graph.Apply) *graph.Variable {
	logs := node.Inputs[0]
	if logs.Op() != graph.Op(op.Softmax{Log: true}) {
		return nil
	}
	x := logs.Owner.Inputs[0]
	labels := c.labels(x, node.Op.(op.AdvancedSubtensor).Index, node.Inputs[1:])
	if labels == nil {
		return nil
	}
	for _, r := range c.Clients(logs) {
		if r.Node == nil || r.Node.Op != node.Op && r.Node.Op != graph.Op(op.Exp) {
			c.decline("rule.multi_client", func() string { return at(logs) + " is read by others too: " + c.others(logs) })
			return nil
		}
	}
	c.origin = absorb(node, logs.Owner)
	return c.fit(node, c.try(op.LogSoftmaxAt{}, x, labels))
}

// crossentropyGrad: t - sum(t)*softmax(x), the sum along the last axis, where t is g at labels and
// 0 elsewhere, in one pass over x.
func crossentropyGrad(c *Context, node *graph.Apply) *graph.Variable {
	t := node.Inputs[0]
	x, total := softmaxFactor(node.Inputs[1])
	if x == nil || !isTotal(total, t) {
		return nil
	}
	return c.gradAt(node, x, t, func(g *graph.Variable) *graph.Variable { return g })
}

// crossentropyGradAt: (t - sum(t*p))*p, where p is softmax(x) and t is g/p[labels] at labels and 0
// elsewhere: what log(softmax(x)[arange(n), labels]) has for a gradient is 0/0 where p is 0.
func crossentropyGradAt(c *Context, node *graph.Apply) *graph.Variable {
	x, sub := softmaxFactor(node.Outputs[0])
	if x == nil || sub.Op() != graph.Op(op.Sub) {
		return nil
	}
	t := sub.Owner.Inputs[0]
	scaled := func(v *graph.Variable) bool {
		y, rest := softmaxFactor(v)
		return y == x && rest == t
	}
	if total := restored(sub.Owner.Inputs[1]); total == nil || !scaled(total) {
		return nil
	}
	return c.gradAt(node, x, t, func(g *graph.Variable) *graph.Variable {
		if g.Op() != graph.Op(op.TrueDiv) {
			return nil
		}
		p := g.Owner.Inputs[1]
		switch o := p.Op().(type) {
		case op.AdvancedSubtensor:
			if isSoftmax(p.Owner.Inputs[0]) != x || t.Op() != graph.Op(o.Into(false)) || !slices.Equal(p.Owner.Inputs[1:], t.Owner.Inputs[2:]) {
				return nil
			}
		default:
			return nil
		}
		return g.Owner.Inputs[0]
	})
}

// gradAt makes the gradient by x of the cross-entropy, if t is what of makes g of at labels and 0
// elsewhere.
func (c *Context) gradAt(node *graph.Apply, x, t *graph.Variable, of func(*graph.Variable) *graph.Variable) *graph.Variable {
	inc, ok := t.Op().(op.AdvancedIncSubtensor)
	if !ok || inc.Set || !c.isZeros(t.Owner.Inputs[0]) {
		return nil
	}
	labels := c.labels(x, inc.Index, t.Owner.Inputs[2:])
	if labels == nil {
		return nil
	}
	g := of(t.Owner.Inputs[1])
	if g == nil {
		return nil
	}
	if o := g.Op(); (o == graph.Op(op.Alloc{}) || o == graph.Op(op.Second)) && g.Type.Rank() == labels.Type.Rank() {
		value := g.Owner.Inputs[0]
		if o == graph.Op(op.Second) {
			value = g.Owner.Inputs[1]
		}
		if isSingle(value.Type) {
			g = value
		}
	}
	if lead := labels.Type.Rank() - g.Type.Rank(); lead > 0 {
		axes := make([]int, labels.Type.Rank())
		for i := range axes {
			if axes[i] = i - lead; i < lead {
				axes[i] = tensor.NewAxis
			}
		}
		g = c.Apply(op.NewDimShuffle(axes), g)
	}
	if !isSingle(g.Type) && !samePattern(g.Type, labels.Type) {
		return nil
	}
	return c.fit(node, c.try(op.LogSoftmaxAtGrad{}, x, labels, g))
}

// labels are those of subscripts arange(n), labels of x, each of whose rows they take one element
// of; nil if they are anything else. The positions of rows broadcast with the labels, so that they
// are as many.
func (c *Context) labels(x *graph.Variable, index op.Subscripts, operands []*graph.Variable) *graph.Variable {
	rank := x.Type.Rank()
	if rank < 2 || len(operands) != rank || strings.Trim(string(index), "v ") != "" {
		return nil
	}
	labels := operands[rank-1]
	if d := labels.Type.DType; labels.Type.Rank() != rank-1 || !d.IsInteger() || d == kernels.Uint64 {
		return nil
	}
	for axis, rows := range operands[:rank-1] {
		order := make([]int, rank-1)
		for i := range order {
			order[i] = tensor.NewAxis
		}
		if order[axis] = 0; rank > 2 {
			if rows.Op() != graph.Op(op.NewDimShuffle(order)) {
				return nil
			}
			rows = rows.Owner.Inputs[0]
		}
		n := c.counted(rows)
		if n == nil || labels.Type.Broadcasts(axis) != rows.Type.Broadcasts(0) || rank > 2 && !c.equal(n, c.Length(x, axis)) {
			return nil
		}
	}
	return c.Cast(labels, kernels.Int64)
}

// counted is n if v is 0, 1, ..., n-1, and otherwise nil.
func (c *Context) counted(v *graph.Variable) *graph.Variable {
	if v.Op() == graph.Op(op.ARange{}) {
		in := v.Owner.Inputs
		start, ok1 := c.scalar(in[0])
		step, ok2 := c.scalar(in[2])
		if ok1 && ok2 && start == 0 && step == 1 && v.Type.DType.IsInteger() {
			return in[1]
		}
		return nil
	}
	if !v.IsConstant() || v.Type.Rank() != 1 || !v.Type.DType.IsInteger() || v.Type.DType.IsBool() {
		return nil
	}
	for i, n := range v.Data.Ints() {
		if n != int64(i) {
			return nil
		}
	}
	return c.Length(v, 0)
}

// equal reports whether two numbers are the same computation.
func (c *Context) equal(u, v *graph.Variable) bool {
	return c.same(u, v) || u.Owner != nil && v.Owner != nil && equalNodes(u.Owner, v.Owner)
}

// isSoftmax is x if v is softmax(x), perhaps as exp(logsoftmax(x)).
func isSoftmax(v *graph.Variable) *graph.Variable {
	if v.Op() == graph.Op(op.Exp) {
		if v = v.Owner.Inputs[0]; v.Op() == graph.Op(op.Softmax{Log: true}) {
			return v.Owner.Inputs[0]
		}
		return nil
	}
	if v.Op() == graph.Op(op.Softmax{}) {
		return v.Owner.Inputs[0]
	}
	return nil
}

// softmaxFactor takes softmax(x)*rest apart.
func softmaxFactor(v *graph.Variable) (x, rest *graph.Variable) {
	if v.Op() != graph.Op(op.Mul) {
		return nil, nil
	}
	for i, p := range v.Owner.Inputs {
		if x := isSoftmax(p); x != nil {
			return x, v.Owner.Inputs[1-i]
		}
	}
	return nil, nil
}

// restored is what v is the sum of along the last axis, if it has that axis again.
func restored(v *graph.Variable) *graph.Variable {
	rank := v.Type.Rank()
	if rank == 0 || v.Op() != graph.Op(op.NewDimShuffle(op.Restore(tensor.AxesOf(rank-1), rank))) {
		return nil
	}
	if sum := v.Owner.Inputs[0]; sum.Op() == graph.Op(op.Reduce{Kind: op.Sum, Axes: tensor.AxesOf(rank - 1)}) {
		return sum.Owner.Inputs[0]
	}
	return nil
}

func isTotal(v, of *graph.Variable) bool { return v != nil && restored(v) == of }

// valueWithGrad: a cross-entropy whose gradient is computed too comes out of the same pass over x,
// unless the gradient depends on it.
func valueWithGrad(c *Context, node *graph.Apply) *graph.Variable {
	for _, r := range c.Clients(node.Inputs[0]) {
		if _, ok := opOf[op.LogSoftmaxAtGrad](r); ok && r.Node.Inputs[1] == node.Inputs[1] && !needs(r.Node.Inputs[2], node) {
			return c.output(1, op.LogSoftmaxAtGrad{Value: true}, r.Node.Inputs...)
		}
		if r.Node != nil && r.Node.Op == graph.Op(op.Softmax{}) {
			return c.output(0, op.LogSoftmaxAt{Softmax: true}, node.Inputs...)
		}
	}
	return nil
}

// gradWithValue is the other half of it.
func gradWithValue(c *Context, node *graph.Apply) *graph.Variable {
	for _, r := range c.Clients(node.Inputs[0]) {
		if o, ok := opOf[op.LogSoftmaxAt](r); ok && !o.Softmax && r.Node.Inputs[1] == node.Inputs[1] && !needs(node.Inputs[2], r.Node) {
			return c.output(0, op.LogSoftmaxAtGrad{Value: true}, node.Inputs...)
		}
	}
	return nil
}

// softmaxWithValue: softmax(x) comes out of the pass over x that computes its cross-entropy.
func softmaxWithValue(c *Context, node *graph.Apply) *graph.Variable {
	for _, r := range c.Clients(node.Inputs[0]) {
		if _, ok := opOf[op.LogSoftmaxAt](r); ok {
			return c.output(1, op.LogSoftmaxAt{Softmax: true}, r.Node.Inputs...)
		}
	}
	return nil
}

// opOf is the op of the node that reads, if it is a T.
func opOf[T graph.Op](r graph.Client) (o T, ok bool) {
	if r.Node != nil {
		o, ok = r.Node.Op.(T)
	}
	return o, ok
}

// output is result i of an op with several.
func (c *Context) output(i int, o graph.Op, in ...*graph.Variable) *graph.Variable {
	node, err := graph.NewApply(o, in, c.origin)
	if err != nil {
		return nil
	}
	c.fixed.counted(node.Outputs...)
	return node.Outputs[i]
}

// needs reports whether v is computed from the result of node; of much that v is computed from it
// is not known, and may be.
func needs(v *graph.Variable, node *graph.Apply) bool {
	const most = 1 << 10
	seen := make(map[*graph.Apply]bool)
	for stack := []*graph.Variable{v}; len(stack) > 0; {
		u := stack[len(stack)-1].Owner
		stack = stack[:len(stack)-1]
		switch {
		case u == nil || seen[u]:
		case u == node || len(seen) == most:
			return true
		default:
			seen[u] = true
			stack = append(stack, u.Inputs...)
		}
	}
	return false
}
