package onnx

import (
	"github.com/arignote/arignote/kernels"
	"github.com/arignote/arignote/runtime/formula"
	"github.com/arignote/arignote/runtime/op"
	"github.com/arignote/arignote/runtime/tensor"
)

var _ = add(
	Operator{Name: "NegativeLogLikelihoodLoss", Since: []int{12, 13, 22}, Least: 2, Most: 3, Attrs: "ignore_index:int reduction:string=mean", Doc: "minus the log-probability of the labels, of axis 1", build: func(c *call) []V {
		return []V{c.likelihood(c.x(0))}
	}},
	Operator{Name: "SoftmaxCrossEntropyLoss", Since: []int{12, 13}, Least: 2, Most: 3, Attrs: "ignore_index:int reduction:string=mean", Doc: "minus the logarithm of the softmax of the labels, of axis 1", build: func(c *call) []V {
		p := got(formula.Softmax(c.b, c.x(0), new(1), true))
		return []V{c.likelihood(p), p}
	}},
)

// likelihood is the loss of log-probabilities p: [N, C, ...] for the labels, input 1: [N, ...],
// with a weight for each class, input 2.
func (c *call) likelihood(p V) V {
	labels := c.cast(c.x(1), kernels.Int64)
	counts := V(nil) // whether an element counts; nil if all do
	if c.hasAttr("ignore_index") {
		counts = c.do(op.Neq, labels, c.int("ignore_index"))
		labels = c.do(op.Switch, counts, labels, c.num(0))
	}
	rank := p.Rank()
	at := c.permute(labels, op.Restore(tensor.AxesOf(1), rank)...)
	loss := c.do(op.Neg, formula.At(c.b, got(formula.TakeAlongAxis(c.b, p, at, new(1))), 1, 0))
	weight := V(nil)
	if c.has(2) {
		weight = c.take(c.x(2), labels, 0)
	}
	if counts != nil {
		if weight == nil {
			weight = c.cast(counts, p.DType())
		} else {
			weight = c.do(op.Switch, counts, weight, c.zero(p))
		}
	}
	if weight != nil {
		loss = c.do(op.Mul, loss, weight)
	}
	everything := tensor.AllAxes(rank - 1)
	switch c.text("reduction") {
	case "none":
		return loss
	case "sum":
		return c.reduce(op.Sum, loss, everything, false)
	case "mean":
		if weight == nil {
			return op.Mean(c.b, loss, everything)
		}
		return c.do(op.TrueDiv, c.reduce(op.Sum, loss, everything, false), c.reduce(op.Sum, weight, everything, false))
	}
	c.fail("attribute reduction: got %q, want none, mean or sum", c.text("reduction"))
	return nil
}
