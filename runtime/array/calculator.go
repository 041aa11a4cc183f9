package array

import (
	"errors"
	"fmt"
	"math"
	"slices"
	"strings"

	"github.com/arignote/arignote/kernels"
	"github.com/arignote/arignote/runtime/op"
	"github.com/arignote/arignote/runtime/tensor"
)

// A Calculator computes operations with NumPy's types of results. Raising Stop, which may be nil,
// ends it with op.ErrStopped.
type Calculator struct {
	Evaluator *op.Evaluator
	Stop      kernels.Stop
	Made      *Made         // if it is not nil, what is computed is noted there
	To        *tensor.Dense // if it is not nil, what products are computed into, where it is of their type and shape and lies apart from the operands
}

// Made is arrays with memory of their own that were computed one from another, most of them on the
// way to a result.
type Made struct {
	list  []*tensor.Dense
	bytes int
}

// maxNoted is how many bytes Made keeps from the collector, which finds what a long loop leaves
// behind before the loop ends.
const maxNoted = 64 << 20

// maxKept is how many an empty Made has room for.
const maxKept = 16

// Note adds z, unless it may be a view of one that it was computed from.
func (m *Made) Note(z *tensor.Dense, from ...*tensor.Dense) {
	if m.bytes+z.NBytes() > maxNoted || slices.ContainsFunc(from, func(x *tensor.Dense) bool { return x.Buffer() == z.Buffer() }) {
		return
	}
	m.list = append(m.list, z)
	m.bytes += z.NBytes()
}

// None reports whether nothing was noted.
func (m *Made) None() bool { return len(m.list) == 0 }

// Release gives back the memory of all but the result, which may be nil, and of what it is a view
// of. Nobody else may refer to them.
func (m *Made) Release(result *tensor.Dense) {
	for _, z := range m.list {
		if b := z.Buffer(); b != nil && (result == nil || b != result.Buffer()) { // nil if the function has given it back
			z.Recycle()
		}
	}
}

// Forget leaves what was noted to the collector, if it was not given back.
func (m *Made) Forget() {
	clear(m.list)
	m.list, m.bytes = m.list[:0], 0
	if cap(m.list) > maxKept {
		m.list = nil
	}
}

// made notes what was computed.
func (c Calculator) made(z *tensor.Dense, err error, from ...*tensor.Dense) (*tensor.Dense, error) {
	if err == nil && c.Made != nil {
		c.Made.Note(z, from...)
	}
	return z, err
}

// stopped is the error of a computation that is to end.
func (c Calculator) stopped() error {
	if kernels.Stopped(c.Stop) {
		return op.ErrStopped
	}
	return nil
}

// Elementwise applies e to operands, which broadcast: arrays, and Go's ints and float64s. Such a
// number takes the type of the arrays it meets, unless its kind is higher.
func (c Calculator) Elementwise(e op.Elemwise, operands ...any) (*tensor.Dense, error) {
	row, kernel := e.Row(), e.Kernel()
	typing := row.NumPy
	if typing == 0 {
		typing = row.Takes
	}
	common := commonType(operands[row.From:])
	d, refused := typing.Of(common)
	switch {
	case strings.HasPrefix(refused, "want"):
		return nil, fmt.Errorf("got %v, %s", common, refused)
	case refused != "":
		return nil, errors.New(refused)
	}
	in := make([]*tensor.Dense, len(operands))
	for i, x := range operands {
		to := kernel.Operand(i, d)
		switch x := x.(type) {
		case *tensor.Dense:
			in[i] = x
		case int:
			in[i] = tensor.IntScalar(to, int64(x))
		case float64:
			in[i] = tensor.Scalar(to, x)
		}
	}
	if err := checkCommon(in); err != nil {
		return nil, err
	}
	z, err := c.Evaluator.Elementwise(e, d, c.Stop, in...)
	z, err = c.made(z, err, in...)
	if err == nil && typing == op.FloatsBack && z.DType() != common {
		return c.made(z.AsType(common), nil, z)
	}
	return z, err
}

// few is a number of elements for which there is memory.
const few = 1 << 20

// checkCommon returns why no array can have the common shape of others, if so.
func checkCommon(in []*tensor.Dense) error {
	most := 1.0
	for _, x := range in {
		most *= float64(x.Size())
	}
	if most <= few {
		return nil
	}
	shape, err := tensor.CommonShape(in...)
	if err != nil {
		return err
	}
	return checkShape(shape)
}

// commonType is the type of operands together.
func commonType(operands []any) kernels.DType {
	d := kernels.Bool
	for _, x := range operands {
		if x, ok := x.(*tensor.Dense); ok {
			d = kernels.Promote(d, x.DType())
		}
	}
	for _, x := range operands {
		switch x.(type) {
		case float64:
			if !d.IsFloat() {
				d = kernels.Float64
			}
		case int:
			if d.IsBool() {
				d = kernels.Int64
			}
		}
	}
	return d
}

// Dot is the product of vectors and matrices. A sum of products of bools is the disjunction of
// their conjunctions.
func (c Calculator) Dot(x, y *tensor.Dense) (*tensor.Dense, error) {
	if x.Rank() == 2 && y.Rank() == 2 {
		if err := checkShape([]int{x.Dim(0), y.Dim(1)}); err != nil {
			return nil, err
		}
	}
	bools := x.DType().IsBool() && y.DType().IsBool()
	if bools { // wide enough to count in
		x, y = x.AsType(kernels.Int64), y.AsType(kernels.Int64)
	}
	return c.product(op.Dot{}, bools, x, y)
}

// product is the products of x and y, as bools if they stand for such.
func (c Calculator) product(o op.Linker, bools bool, x, y *tensor.Dense) (*tensor.Dense, error) {
	if bools {
		z, err := c.Evaluator.Eval1(o, c.Stop, x, y)
		if err != nil {
			return nil, err
		}
		return c.made(z.AsType(kernels.Bool), nil, x, y)
	}
	z, err := c.Evaluator.Eval1Into(c.apart(x, y), o, c.Stop, x, y)
	if z == c.To {
		return z, err
	}
	return c.made(z, err, x, y)
}

// apart is To, nil if it shares memory with an operand.
func (c Calculator) apart(operands ...*tensor.Dense) *tensor.Dense {
	if c.To != nil && slices.ContainsFunc(operands, func(x *tensor.Dense) bool { return tensor.SharesMemory(c.To, x) }) {
		return nil
	}
	return c.To
}

// Sum adds up along axes, which the result lacks. The sum of bools is their disjunction.
func (c Calculator) Sum(x *tensor.Dense, axes tensor.Axes) (*tensor.Dense, error) {
	kind := op.Sum
	if x.DType().IsBool() {
		kind = op.Any
	}
	return c.Reduce(kind, x, axes)
}

// Reduce combines the elements along axes, which the result lacks; float32 in float32, as NumPy
// does.
func (c Calculator) Reduce(kind op.Reduction, x *tensor.Dense, axes tensor.Axes) (*tensor.Dense, error) {
	z, err := c.Evaluator.Eval1(op.Reduce{Kind: kind, Axes: axes, Narrow: true}, c.Stop, x)
	return c.made(z, err, x)
}

// A fusedOf names a function that is fused, in a type.
type fusedOf struct {
	name string
	d    kernels.DType
}

// IsFinite reports which floats are numbers and not infinite: those whose difference with
// themselves is not nan.
func IsFinite(c Calculator, x *tensor.Dense) (*tensor.Dense, error) {
	d := x.DType()
	return c.Evaluator.FusedOf(fusedOf{"is finite", d}, func() op.Fuser {
		f := op.NewFuser([]kernels.DType{d})
		zero := f.Add(op.Sub, d, 0, 0)
		f.Add(op.Eq, d, zero, zero)
		return f
	}).Run(x.Shape(), c.Stop, []*tensor.Dense{x})
}

// SquaredDistance is the squares of the differences of floats and others of their type, which
// broadcast to their shape.
func SquaredDistance(c Calculator, x, y *tensor.Dense) (*tensor.Dense, error) {
	d := x.DType()
	return c.Evaluator.FusedOf(fusedOf{"squared distance", d}, func() op.Fuser {
		f := op.NewFuser([]kernels.DType{d, d})
		distance := f.Add(op.Sub, d, 0, 1)
		f.Add(op.Sqr, d, distance)
		return f
	}).Run(x.Shape(), c.Stop, []*tensor.Dense{x, y})
}

// Rounded is x rounded to a number of decimal digits after the point, or to whole digits if it is
// negative, halves to the even one. As NumPy does, it scales, rounds to whole numbers and scales
// back.
func Rounded(c Calculator, x *tensor.Dense, decimals int) (*tensor.Dense, error) {
	d := x.DType()
	switch {
	case !d.IsFloat() && decimals >= 0:
		return x.Copy(), nil
	case decimals == 0:
		return c.Elementwise(op.Round, x)
	case !d.IsFloat():
		z, err := Rounded(c, x.AsType(kernels.Float64), decimals)
		if err != nil {
			return nil, err
		}
		return z.AsType(d), nil
	}
	name, up, down := "rounded to digits", op.Mul, op.TrueDiv
	if decimals < 0 {
		name, up, down = "rounded to whole digits", down, up
	}
	z, err := c.Evaluator.FusedOf(fusedOf{name, d}, func() op.Fuser {
		f := op.NewFuser([]kernels.DType{d, d})
		f.Add(down, d, f.Add(op.Round, d, f.Add(up, d, 0, 1)), 1)
		return f
	}).Run(x.Shape(), c.Stop, []*tensor.Dense{x, tensor.Scalar(d, math.Pow10(max(decimals, -decimals)))})
	return c.made(z, err, x)
}

// AsReal gives the elements a float type: float64 for integers and bools.
func AsReal(d *tensor.Dense) *tensor.Dense {
	if d.DType().IsFloat() {
		return d
	}
	return d.AsType(kernels.Float64)
}
