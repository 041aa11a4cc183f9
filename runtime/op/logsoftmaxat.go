package op

import (
	"fmt"
	"slices"
	"unsafe"

	"github.com/arignote/arignote/kernels"
	"github.com/arignote/arignote/runtime/graph"
	"github.com/arignote/arignote/runtime/tensor"
)

// LogSoftmaxAt is, of log(softmax(x)) along the last axis, the elements at integer labels: minus
// the cross-entropy. Its operands are x: [n, ..., k] and labels: [m, ...], for the first m <= n of
// x; it gives [m, ...] and, with Softmax, softmax(x) too. Negative labels count from k. It reads x
// once, and never stores what is not asked for.
type LogSoftmaxAt struct{ Softmax bool }

// LogSoftmaxAtGrad is the gradient of sum(g*LogSoftmaxAt(x, labels)) by x, g*(onehot(labels) -
// softmax(x)): of x: [n, ..., k], labels: [m, ...] and g, which has the shape of labels or a single
// element. With Value it gives LogSoftmaxAt(x, labels) too, in the same pass over x.
type LogSoftmaxAtGrad struct{ Value bool }

var _ = register(LogSoftmaxAt{}, LogSoftmaxAtGrad{})

func (o LogSoftmaxAt) Name() string      { return nameOf("logsoftmax_at", o) }
func (o LogSoftmaxAtGrad) Name() string  { return nameOf("logsoftmax_at_grad", o) }
func (LogSoftmaxAt) Label() string       { return "CrossentropySoftmax1Hot" }
func (LogSoftmaxAtGrad) Label() string   { return "CrossentropySoftmax1HotGrad" }
func (o LogSoftmaxAt) Class() string     { return "tensor.nnet.nnet." + o.Label() }
func (o LogSoftmaxAtGrad) Class() string { return "tensor.nnet.nnet." + o.Label() }
func (LogSoftmaxAt) Traits() Traits      { return Late }
func (LogSoftmaxAtGrad) Traits() Traits  { return Late }

// Coerce makes int64 of labels of another integer type.
func (LogSoftmaxAt) Coerce(b *graph.Builder, in []*graph.Variable) ([]*graph.Variable, error) {
	return positionsLast(b, in), nil
}

func (o LogSoftmaxAt) Infer(in []*graph.Variable) ([]graph.Type, error) {
	if err := arity(in, 2); err != nil {
		return nil, err
	}
	x, logp, err := labelled(in)
	if o.Softmax {
		return []graph.Type{logp, x}, err
	}
	return []graph.Type{logp}, err
}

func (o LogSoftmaxAtGrad) Infer(in []*graph.Variable) ([]graph.Type, error) {
	if err := arity(in, 3); err != nil {
		return nil, err
	}
	x, logp, err := labelled(in)
	if err != nil {
		return nil, err
	}
	g := in[2].Type
	if g.DType != x.DType || g.Rank() != logp.Rank() {
		return nil, fmt.Errorf("got a gradient %v, want %v or a single element", g, logp)
	}
	for axis := range g.Rank() {
		if !isOne(g) && clash(g.Dim(axis), logp.Dim(axis)) {
			return nil, fmt.Errorf("got a gradient %v, want %v or a single element", g, logp)
		}
	}
	if o.Value {
		return []graph.Type{x, logp}, nil
	}
	return []graph.Type{x}, nil
}

// labelled checks x and labels, and types what is left of x at the labels.
func labelled(in []V) (x, logp graph.Type, err error) {
	x, labels := in[0].Type, in[1].Type
	if x.Rank() < 2 || !x.DType.IsFloat() {
		return x, x, fmt.Errorf("got %v, want floats of at least 2 dimensions", x)
	}
	if labels.DType != kernels.Int64 || labels.Rank() != x.Rank()-1 {
		return x, x, fmt.Errorf("labels: got %v, want integers of %d dimensions", labels, x.Rank()-1)
	}
	for axis := range labels.Rank() {
		have, want := labels.Dim(axis), x.Dim(axis)
		if clash(have, want) && (axis > 0 || have > want) {
			return x, x, tensor.ShapeErrorf("labels of shape %s do not fit %s: axis %d is %d and %d", staticShape(labels), staticShape(x), axis, have, want)
		}
	}
	return x, graph.TypeOf(x.DType, labels.Dims()...), nil
}

// clash reports that two lengths are known and differ.
func clash(a, b int) bool { return a != b && a != graph.Unknown && b != graph.Unknown }

// isOne reports whether all axes are known to have length 1.
func isOne(t graph.Type) bool {
	return !slices.ContainsFunc(t.Dims(), func(n int) bool { return n != 1 })
}

func (o LogSoftmaxAt) Link(node *graph.Apply, sets kernels.Sets) (Thunk, string, error) {
	run, impl, err := linkLabelled(node, sets)
	return func(c *Call, in, out []*tensor.Dense) error {
		out[0] = c.Alloc(0, node.Outputs[0].Type.DType, in[1].Shape())
		if !o.Softmax {
			return run(c, in, out[0], nil)
		}
		out[1] = c.Alloc(1, node.Outputs[1].Type.DType, in[0].Shape())
		return run(c, in, out[0], out[1])
	}, impl, err
}

func (o LogSoftmaxAtGrad) Link(node *graph.Apply, sets kernels.Sets) (Thunk, string, error) {
	run, impl, err := linkLabelled(node, sets)
	d := node.Outputs[0].Type.DType
	return func(c *Call, in, out []*tensor.Dense) error {
		out[0] = c.Alloc(0, d, in[0].Shape())
		if o.Value {
			out[1] = c.Alloc(1, d, in[1].Shape())
			return run(c, in, out[1], out[0])
		}
		return run(c, in, c.temporary(tensor.Empty(d, in[1].Shape()...)), out[0])
	}, impl, err
}

// linkLabelled makes what fills logp and, unless it is nil, z: with softmax(x), or with the
// gradient if the node has three operands.
func linkLabelled(node *graph.Apply, sets kernels.Sets) (func(c *Call, in []*tensor.Dense, logp, z *tensor.Dense) error, string, error) {
	d := node.Inputs[0].Type.DType
	run, impl, ok := sets.LogSoftmaxAt(d)
	if !ok {
		return nil, "", fmt.Errorf("BUG: no kernel for %s of %v", node.Op.Name(), d)
	}
	copy, _, err := linkCopy(d, sets)
	return func(c *Call, in []*tensor.Dense, logp, z *tensor.Dense) error {
		if err := checkLabelled(node, in); err != nil {
			return err
		}
		x, err := copy.contiguous(c, in[0])
		if err != nil {
			return err
		}
		last := x.Rank() - 1
		rows, cols, size := tensor.Size(x.Shape()[:last]), x.Dim(last), d.Size()
		labels, err := labelsOf(c, in[1], last, cols)
		if err != nil || rows*cols == 0 {
			return err
		}
		var out kernels.LogSoftmaxOut
		if z != nil {
			out.To = z.Pointer()
		}
		if len(in) > 2 {
			g, err := copy.contiguous(c, in[2])
			if err != nil {
				return err
			}
			if out.By = g.Pointer(); !isOne(node.Inputs[2].Type) {
				out.Step = size
			}
		}
		n := len(labels)
		if n > 0 {
			if _, done := run(n, cols, logp.Pointer(), x.Pointer(), labels, out, c.Stop); !done {
				return ErrStopped
			}
		}
		if n == rows || z == nil {
			return nil
		}
		// What has no label has no part in the gradient, but for nan.
		if out.Step = 0; out.By != nil {
			out.By = tensor.Scalar(d, 0).Pointer()
		}
		rest := c.temporary(tensor.Empty(d, rows-n))
		c.holds(8 * (rows - n))
		if _, done := run(rows-n, cols, rest.Pointer(), unsafe.Add(x.Pointer(), n*cols*size), make([]int64, rows-n), out.From(n, cols*size), c.Stop); !done {
			return ErrStopped
		}
		return nil
	}, impl, err
}

// checkLabelled compares the shapes of the operands.
func checkLabelled(node *graph.Apply, in []*tensor.Dense) error {
	x, labels := in[0].Shape(), in[1].Shape()
	for axis, n := range labels {
		switch {
		case axis > 0 && n != x[axis]:
			return tensor.ShapeErrorf("labels of shape %s do not fit %s: axis %d is %d and %d", tensor.ShapeString(labels), tensor.ShapeString(x), axis, n, x[axis])
		case n > x[axis]:
			return outOfBounds(int64(x[axis]), axis, x[axis])
		}
	}
	if len(in) > 2 && !isOne(node.Inputs[2].Type) && !slices.Equal(in[2].Shape(), labels) {
		return fmt.Errorf("got a gradient of shape %s for labels of shape %s", tensor.ShapeString(in[2].Shape()), tensor.ShapeString(labels))
	}
	return nil
}

// labelsOf reads labels, and counts negative ones from the end of the axis, which has n elements.
func labelsOf(c *Call, a *tensor.Dense, axis, n int) ([]int64, error) {
	labels := positions(c, a)
	if kernels.BadLabel(labels, n) < 0 {
		return labels, nil
	}
	if bad := outside(labels, n); bad >= 0 {
		return nil, outOfBounds(labels[bad], axis, n)
	}
	c.holds(8 * len(labels))
	labels = slices.Clone(labels)
	for i, at := range labels {
		if at < 0 {
			labels[i] = at + int64(n)
		}
	}
	return labels, nil
}

// Cost is that of a softmax, and of a logarithm for each label.
func (o LogSoftmaxAt) Cost(in, out []graph.Array) graph.Cost {
	each := 3 + Exp.flops()
	if o.Softmax {
		each++
	}
	return graph.Once(each*in[0].Elements()+(2+Log.flops())*in[1].Elements(), in, out)
}

// Cost is that of LogSoftmaxAt with Softmax, and of two operations more for each element.
func (LogSoftmaxAtGrad) Cost(in, out []graph.Array) graph.Cost {
	return graph.Once((6+Exp.flops())*in[0].Elements()+(2+Log.flops())*in[1].Elements(), in, out)
}

func (LogSoftmaxAt) Length(m Maker, v V, axis int) V     { return labelledLength(m, v, 0, axis) }
func (LogSoftmaxAtGrad) Length(m Maker, v V, axis int) V { return labelledLength(m, v, 1, axis) }

// labelledLength: output logp is as long as the labels, the other as x.
func labelledLength(m Maker, v V, logp, axis int) V {
	node := v.Owner
	if logp < len(node.Outputs) && node.Outputs[logp] == v {
		return length(m, node.Inputs[1], axis)
	}
	return length(m, node.Inputs[0], axis)
}

func (LogSoftmaxAt) Requires(m Maker, node *graph.Apply) []Requirement {
	return labelledRequires(m, node).list
}

func (LogSoftmaxAtGrad) Requires(m Maker, node *graph.Apply) []Requirement {
	r := labelledRequires(m, node)
	if g := node.Inputs[2]; !isOne(g.Type) {
		for axis := range g.Type.Rank() {
			r.equal(r.length(node.Inputs[1], axis), r.length(g, axis), axis)
		}
	}
	return r.list
}

func labelledRequires(m Maker, node *graph.Apply) requirements {
	r := requirements{m: m}
	x, labels := node.Inputs[0], node.Inputs[1]
	r.taken(x, labels, x.Type.Rank()-1)
	for axis := range labels.Type.Rank() {
		if axis == 0 {
			r.atMost(r.length(labels, axis), r.length(x, axis), axis)
		} else {
			r.equal(r.length(x, axis), r.length(labels, axis), axis)
		}
	}
	return r
}

func (LogSoftmaxAt) Cases() []Case {
	one, two := LogSoftmaxAt{}, LogSoftmaxAt{Softmax: true}
	return slices.Concat(
		cases("floats[3,4] int64[3](0 3 -1)", one, two),
		cases("floats[3,4] int64[2](1 0)", one, two),
		cases("floats[2,3,4] int64[2,3](0 1 2 3 -4 0)", one, two),
		cases("floats[2,0] int64[0]()", one, two),
		cases("floats[0,4] int32[0]()", one),
		cases("floats[5,40] int64[5](39 0 7 7 -2)", one, two),
	)
}

func (LogSoftmaxAtGrad) Cases() []Case {
	one, two := LogSoftmaxAtGrad{}, LogSoftmaxAtGrad{Value: true}
	return slices.Concat(
		cases("floats[3,4] int64[3](0 3 -1) floats[3]", one, two),
		cases("floats[3,4] int64[2](1 0) floats[1]", one, two),
		cases("floats[2,3,4] int64[2,3](0 1 2 3 -4 0) floats[2,3]", one, two),
		cases("floats[2,0] int64[0]() floats[1]", one, two),
		cases("floats[5,40] int64[5](39 0 7 7 -2) floats[5]", one, two),
	)
}
