package numeric

import (
	"fmt"
	"slices"

	"github.com/arignote/arignote/runtime/array"
	"github.com/arignote/arignote/runtime/formula"
	"github.com/arignote/arignote/runtime/tensor"
	"github.com/arignote/arignote/starlib/functions"
	"github.com/arignote/arignote/starlib/np"
	"github.com/arignote/arignote/starlib/np/linalg"
	"github.com/arignote/arignote/starlib/np/manipulation"
	"github.com/arignote/arignote/starlib/slot"
	"github.com/arignote/arignote/starlib/value"
	"go.starlark.net/starlark"
)

// productsTable is the products of arrays besides those of linear.go.
var productsTable = []functions.Function{
	linalg.Product[linalg.PairArgs]("np.vdot T.vdot", "The inner product of the elements of two arrays, as vectors.", "vdot([[1, 2], [3, 4]], [[1, 1], [1, 1]]) # 10",
		formula.VDot, (*np.Eval).Result),
	np.Formula("np.tensordot T.tensordot",
		"The sums of products over axes of a and of b: over as many of the last of a and first of b, or over those given.",
		"tensordot([[1, 2], [3, 4]], [[1, 1], [1, 0]], 1) # array([[3, 1],\n       [7, 3]])", func(m *formula.Algebra, a *tensordotArgs) (formula.Array, error) {
			x, y := a.A.Array(), a.B.Array()
			left, right, err := SummedAxes(a.Axes, x.Rank(), y.Rank())
			if err != nil {
				return nil, err
			}
			return formula.TensorDot(m, x, y, left, right)
		}, np.AsArray),
	np.Formula("np.cross T.cross", "The cross product of vectors of 3 elements, or of 2: then the component that stands on their plane.",
		"cross([1, 0, 0], [0, 1, 0]) # array([0, 0, 1])", func(m *formula.Algebra, a *crossArgs) (formula.Array, error) {
			i, j, k := a.axes()
			return formula.Cross(m, a.A.Array(), a.B.Array(), i, j, k)
		}, np.AsArray),
	np.Function("np.trace T.trace T.nlinalg.trace", "The sum along a diagonal of two axes.", "trace([[1, 2], [3, 4]]) # 5", manipulation.Traced, functions.Builds(manipulation.TracedVariable)),
	np.Function("np.convolve T.convolve T.signal.convolve1d", "The discrete convolution of two vectors.",
		"convolve([1, 2, 3], [0, 1, 0.5]) # array([0. , 1. , 2.5, 4. , 1.5])", func(e *np.Eval, x *convolveArgs) starlark.Value {
			a, v := e.LeadTo(x.A.D, 1), e.LeadTo(x.V.D, 1)
			return e.Result(slide(e, a, v, e.Word("mode", x.Mode, array.Modes...), true))
		}, functions.Builds(func(g *functions.Graph, a *convolveArgs) (functions.V, error) {
			return formula.Convolved(g.Builder, a.A.V, a.V.V, a.Mode, true)
		})),
	np.Function("np.correlate T.correlate", "The cross-correlation of two vectors: sums of a[n + k] * v[n].",
		"correlate([1, 2, 3], [0, 1, 0.5]) # array([3.5])", func(e *np.Eval, x *correlateArgs) starlark.Value {
			a, v := e.LeadTo(x.A.D, 1), e.LeadTo(x.V.D, 1)
			return e.Result(slide(e, a, v, e.Word("mode", x.Mode, array.Modes...), false))
		}, functions.Builds(func(g *functions.Graph, a *correlateArgs) (functions.V, error) {
			return formula.Convolved(g.Builder, a.A.V, a.V.V, a.Mode, false)
		})),
	np.Formula("np.einsum T.einsum",
		"Sums of products, as subscripts say: \"ij,jk->ik\" is the product of matrices. Axes of one letter go together; those that "+
			"are not after -> are summed over.", "einsum(\"ij,j->i\", [[1, 2], [3, 4]], [1, 10]) # array([21, 43])", einsum, (*np.Eval).Result),
}

// crossArgs are the arguments of np.cross.
type crossArgs struct {
	A     functions.Operand `arg:"a: vectors"`
	B     functions.Operand `arg:"b: vectors"`
	AxisA int               `arg:"axisa=-1: the axis of a that its vectors lie along"`
	AxisB int               `arg:"axisb=-1: that of b"`
	AxisC int               `arg:"axisc=-1: that of the result"`
	Axis  *int              `arg:"axis=None: all three"`
}

// axes are those of a, of b and of the result.
func (a *crossArgs) axes() (i, j, k int) {
	if a.Axis != nil {
		return *a.Axis, *a.Axis, *a.Axis
	}
	return a.AxisA, a.AxisB, a.AxisC
}

// convolveArgs are the arguments of np.convolve, and correlateArgs those of np.correlate.
type convolveArgs struct {
	A    functions.Operand `arg:"a|in1: a vector"`
	V    functions.Operand `arg:"v|in2: a vector"`
	Mode string            `arg:"mode=\"full\": full for all sums, same for as many as the longer has, valid for complete ones"`
}

type correlateArgs struct {
	A    functions.Operand `arg:"a: a vector"`
	V    functions.Operand `arg:"v: a vector"`
	Mode string            `arg:"mode=\"valid\": full for all sums, same for as many as the longer has, valid for complete ones"`
}

// tensordotArgs are the arguments of np.tensordot.
type tensordotArgs struct {
	linalg.PairArgs
	Axes starlark.Value `arg:"axes=2: how many axes, or a pair of lists of axes of a and of b"`
}

// einsumArgs are the arguments of np.einsum.
type einsumArgs struct {
	Subscripts starlark.Value      `arg:"subscripts: letters for the axes of each operand, and of the result"`
	Operands   []functions.Operand `arg:"*operands: arrays"`
	np.OutArg
	Optimize starlark.Value `arg:"optimize=False: accepted; arrays are multiplied from the left, variables in the order that a plan finds"`
}

// read reads the subscripts.
func (a *einsumArgs) read() (array.Subscripts, error) {
	text, ok := starlark.AsString(a.Subscripts)
	if !ok {
		return array.Subscripts{}, fmt.Errorf("for parameter subscripts: got %s, want a string such as \"ij,jk->ik\"; lists of axes are not in Arignote",
			a.Subscripts.Type())
	}
	return array.ReadSubscripts(text, len(a.Operands))
}

func einsum(m *formula.Algebra, a *einsumArgs) (formula.Array, error) {
	s, err := a.read()
	if err != nil {
		return nil, err
	}
	if !m.Symbolic() {
		if err := np.NumbersLike(a.Operands); err != nil {
			return nil, err
		}
	}
	list := functions.Arrays(a.Operands)
	ranks := make([]int, len(list))
	for i, x := range list {
		ranks[i] = x.Rank()
	}
	letters, result, err := s.Letters(ranks)
	if err != nil {
		return nil, err
	}
	z, err := formula.Einsum(m, list, letters, result)
	if d, ok := z.(*tensor.Dense); ok && (!d.IsContiguous() || slices.ContainsFunc(a.Operands, func(x functions.Operand) bool { return tensor.SharesMemory(d, x.D) })) {
		return d.Copy(), nil // users get memory of its own, in C order
	}
	return z, err
}

// SummedAxes reads how many axes, or which, of two arrays products are summed over.
func SummedAxes(axes starlark.Value, rankA, rankB int) (overA, overB []int, err error) {
	n, ok := 2, true
	if axes != nil {
		n, ok = np.AsInt(axes)
	}
	if !ok {
		pair, ok := axes.(starlark.Indexable)
		if rows, isArray := axes.(*np.Array); isArray { // an array is the list of its rows
			pair, ok = slot.NewList(slices.Collect(starlark.Elements(rows))), true
		}
		if !ok || pair.Len() != 2 {
			return nil, nil, fmt.Errorf("for parameter axes: got %s, want an int or a pair of axes or lists of them", value.Repr(axes))
		}
		if overA, err = axesOf(pair.Index(0), rankA); err == nil {
			overB, err = axesOf(pair.Index(1), rankB)
		}
		return overA, overB, err
	}
	if n < 0 || n > min(rankA, rankB) {
		return nil, nil, fmt.Errorf("for parameter axes: got %d, want 0 to %d", n, min(rankA, rankB))
	}
	return np.CountTo(rankA)[rankA-n:], np.CountTo(n), nil
}

// axesOf reads an axis or several from a value.
func axesOf(v starlark.Value, rank int) ([]int, error) {
	list, err := np.IntsOf(v)
	for i, axis := range list {
		if list[i], err = tensor.NormalizeAxis(axis, rank); err != nil {
			return nil, err
		}
	}
	return list, err
}

// slide is the convolution of two vectors, or if v is not turned round their correlation.
func slide(e *np.Eval, a, v *tensor.Dense, mode string, turned bool) *tensor.Dense {
	switch {
	case e.Failed():
		return nil
	case turned:
		return e.Got(array.Convolve(e.Calculator(), a, v, mode))
	}
	return e.Got(array.Correlate(e.Calculator(), a, v, mode))
}

// without returns the axes that are not in a list.
func without(rank int, list []int) []int { return array.Without(rank, list) }

func dimsOf(a *tensor.Dense, axes []int) []int { return array.Lengths(a, axes) }
