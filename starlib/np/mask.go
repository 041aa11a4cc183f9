package np

import (
	"fmt"

	"github.com/arignote/arignote/kernels"
	"github.com/arignote/arignote/runtime/op"
	"github.com/arignote/arignote/runtime/tensor"
	"go.starlark.net/starlark"
)

// What reductions do of elements that do not count, and of none.

// masked replaces what does not count by what changes nothing.
func (c *reduceCall) masked(kind op.Reduction, x *tensor.Dense) (*tensor.Dense, error) {
	if c.where == nil {
		return x, nil
	}
	replacement := operand{weak: starlark.MakeInt(neutral(kind))}
	if _, defined := kind.Identity(); !defined {
		if c.initial == nil {
			return nil, fmt.Errorf("got where without initial: there may be no element that counts; use initial=")
		}
		replacement = *c.initial
	}
	if x.DType().IsBool() {
		x = x.AsType(kernels.Int64)
	}
	return ufuncs["where"].apply(c.session, []operand{{d: c.where}, {d: x}, replacement})
}

// onlyInitial is the extreme of no elements.
func (c *reduceCall) onlyInitial(x *tensor.Dense) (*tensor.Dense, error) {
	zeros := tensor.New(x.DType(), withoutAxes(x.Shape(), c.axes)...)
	return ufuncs["add"].apply(c.session, []operand{{d: zeros}, *c.initial})
}

// size is the number of elements that become one.
func (c *reduceCall) size() int {
	n := 1
	for _, axis := range c.axes.List() {
		n *= c.x.Dim(axis)
	}
	return n
}

// count is the number of elements that count, of the float type d: for each result if there is a mask.
func (c *reduceCall) count(d kernels.DType) (*tensor.Dense, error) {
	if c.where == nil {
		return tensor.Scalar(d, float64(c.size())), nil
	}
	n, err := runOp(c.session, op.Reduce{Kind: op.Sum, Axes: c.axes}, c.where.AsType(kernels.Int64))
	if err != nil {
		return nil, err
	}
	return n.AsType(d), nil
}
