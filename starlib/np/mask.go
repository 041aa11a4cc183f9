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
func (c *ReduceCall) masked(kind op.Reduction, x *tensor.Dense) (*tensor.Dense, error) {
	if c.Where == nil {
		return x, nil
	}
	replacement := Operand{Weak: starlark.MakeInt(Neutral(kind))}
	if _, defined := kind.Identity(); !defined {
		if c.Initial == nil {
			return nil, fmt.Errorf("got where without initial: there may be no element that counts; use initial=")
		}
		replacement = *c.Initial
	}
	if x.DType().IsBool() {
		x = x.AsType(kernels.Int64)
	}
	return ufuncs["where"].apply(c.Session, []Operand{{d: c.Where}, {d: x}, replacement})
}

// onlyInitial is the extreme of no elements.
func (c *ReduceCall) onlyInitial(x *tensor.Dense) (*tensor.Dense, error) {
	zeros := tensor.New(x.DType(), withoutAxes(x.Shape(), c.Axes)...)
	return ufuncs["add"].apply(c.Session, []Operand{{d: zeros}, *c.Initial})
}

// Size is the number of elements that become one.
func (c *ReduceCall) Size() int {
	n := 1
	for _, axis := range c.Axes.List() {
		n *= c.X.Dim(axis)
	}
	return n
}

// count is the number of elements that count, of the float type d: for each result if there is a
// mask.
func (c *ReduceCall) count(d kernels.DType) (*tensor.Dense, error) {
	if c.Where == nil {
		return tensor.Scalar(d, float64(c.Size())), nil
	}
	n, err := RunOp(c.Session, op.Reduce{Kind: op.Sum, Axes: c.Axes}, c.Where.AsType(kernels.Int64))
	if err != nil {
		return nil, err
	}
	return n.AsType(d), nil
}

// HasBool reports whether an array of bools has an element that is v.
func HasBool(d *tensor.Dense, v uint8) bool {
	for _, x := range tensor.Elements[uint8](d.AsType(kernels.Bool)) {
		if x == v {
			return true
		}
	}
	return false
}
