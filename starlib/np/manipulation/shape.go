package manipulation

import (
	"errors"
	"fmt"
	"slices"

	"github.com/arignote/arignote/kernels"
	"github.com/arignote/arignote/runtime/array"
	"github.com/arignote/arignote/runtime/formula"
	"github.com/arignote/arignote/runtime/op"
	"github.com/arignote/arignote/runtime/tensor"
	"github.com/arignote/arignote/starlib/functions"
	"github.com/arignote/arignote/starlib/np"
	"go.starlark.net/starlark"
)

// squeezeArgs are the arguments of np.squeeze and a.squeeze.
type squeezeArgs struct {
	np.ArrayArg
	Axis functions.Axes `arg:"axis=None: an axis or several"`
}

// ravelArgs are the arguments of np.ravel.
type ravelArgs struct {
	np.ArrayArg
	np.LayoutArg
}

// expandArgs are the arguments of np.expand_dims.
type expandArgs struct {
	np.ArrayArg
	Axis []int `arg:"axis: where the new axis is to be, or several"`
}

// roundArgs are the arguments of np.round.
type roundArgs struct {
	np.ArrayArg
	Decimals int `arg:"decimals=0: digits after the point; negative to round whole digits"`
	np.OutArg
}

// transposeArgs are the arguments of np.transpose.
type transposeArgs struct {
	np.ArrayArg
	Axes []int `arg:"axes=None: a tuple of all axes"`
}

// clipArgs are the arguments of np.clip.
type clipArgs struct {
	np.ArrayArg
	Min functions.Operand `arg:"a_min|min=None: the least value; an array or number"`
	Max functions.Operand `arg:"a_max|max=None: the greatest value"`
	np.OutArg
}

var errNoLimits = errors.New("got no limits, want a_min or a_max")

// shapeTable is the functions that look at or change shapes, and a few of elements that
// are not rows of op.Rows.
var shapeTable = []functions.Function{
	// T.reshape, a row of its own, takes ndim where NumPy takes order.
	np.Function("np.reshape", "The elements in another shape: a view where that can be. One length may be -1.",
		"reshape([1, 2, 3, 4], (2, 2)) # array([[1, 2],\n       [3, 4]])", func(e *np.Eval, a *struct {
			np.ArrayArg
			Newshape functions.Lengths `arg:"newshape: an int or a tuple of ints"`
			np.LayoutArg
		}) starlark.Value {
			return e.ViewOf(a.A.Value, e.Got(reshapeIn(a.A.D, a.Newshape.N, a.Order.Fortran(a.A.D))))
		}),
	np.Function("np.ravel T.ravel", "The elements as a vector: of an array a view where that can be.",
		"ravel([[1, 2], [3, 4]]) # array([1, 2, 3, 4])", func(e *np.Eval, a *ravelArgs) starlark.Value {
			return e.ViewOf(a.A.Value, e.Got(raveled(a.A.D, a.Order)))
		}, functions.Builds(func(g *functions.Graph, a *ravelArgs) (functions.V, error) {
			return formula.Ravel(g.Builder, a.A.V), nil
		})),
	np.Function("np.transpose T.transpose", "A view with the axes in another order, reversed if none is given.",
		"transpose([[1, 2], [3, 4]]) # array([[1, 3],\n       [2, 4]])", func(e *np.Eval, a *transposeArgs) starlark.Value {
			return e.ViewOf(a.A.Value, e.Got(transposed(a.A.D, a.Axes)))
		}, functions.Builds(func(g *functions.Graph, a *transposeArgs) (functions.V, error) {
			return formula.ReorderAxes(g.Builder, a.A.V, a.Axes)
		})),
	np.Function("np.squeeze T.squeeze",
		"Without axes of length 1: the given ones, or all; all that are known to have it of a variable. Of an array a view.",
		"squeeze([[[1, 2]]]) # array([1, 2])", squeezed, functions.Builds(func(g *functions.Graph, a *squeezeArgs) (functions.V, error) {
			axes, err := a.Axis.Dropped(a.A.V.Type.Rank())
			if err != nil {
				return nil, err
			}
			return formula.Squeeze(g.Builder, a.A.V, axes, a.Axis.Given), nil
		})),
	np.View("np.expand_dims T.expand_dims", "New axes of length 1: of an array a view.",
		"expand_dims([1, 2], 1) # array([[1],\n       [2]])", func(a *expandArgs) functions.Operand { return a.A },
		func(m *formula.Algebra, a *expandArgs) (formula.Array, error) {
			return formula.ExpandDims(m, a.A.Array(), a.Axis)
		}, (*np.Eval).ViewOf),
	np.Function("np.shape T.shape", "The lengths of the axes: a tuple of an array's, an int64 vector of a variable's.", "shape([[1, 2]])[1] # 2",
		func(e *np.Eval, a *np.ArrayArg) starlark.Value { return np.IntTuple(a.A.D.Shape()) },
		functions.Builds(func(g *functions.Graph, a *np.ArrayArg) (functions.V, error) {
			return op.AskedShape(g.Builder, a.A.V), nil
		})),
	np.Function("np.ndim", "The number of axes.", "ndim([[1, 2]]) # 2", func(e *np.Eval, a *np.ArrayArg) starlark.Value {
		return starlark.MakeInt(a.A.D.Rank())
	}),
	np.Function("np.size", "The number of elements, or the length of an axis.", "size([[1, 2]]) # 2",
		func(e *np.Eval, a *struct {
			np.ArrayArg
			Axis *int `arg:"axis=None: the axis; all elements if not given"`
		}) starlark.Value {
			if a.Axis == nil {
				return starlark.MakeInt(a.A.D.Size())
			}
			axis := e.AxisOf(*a.Axis, a.A.D.Rank())
			if e.Failed() {
				return nil
			}
			return starlark.MakeInt(a.A.D.Dim(axis))
		}),
	np.Function("np.copy", "A copy of an array.", "copy([1, 2]) # array([1, 2])", func(e *np.Eval, a *struct {
		np.ArrayArg
		np.MemoryArg
	}) starlark.Value {
		return np.NewArray(e.Session, e.CopyIn(a.A.D, a.Order.Fortran(a.A.D)))
	}),
	np.Function("np.clip T.clip", "The elements limited to a range.", "clip([1, 5, 9], 2, 6) # array([2, 5, 6])",
		func(e *np.Eval, a *clipArgs) starlark.Value {
			return clipped(e, a.A.Value, a.Min.Value, a.Max.Value, a.Out)
		},
		functions.Builds(func(g *functions.Graph, a *clipArgs) (functions.V, error) {
			z := a.A.V
			if !a.Min.Given() && !a.Max.Given() {
				return nil, errNoLimits
			}
			if a.Min.Given() {
				z = g.Apply(op.Maximum, z, a.Min.V)
			}
			if a.Max.Given() {
				z = g.Apply(op.Minimum, z, a.Max.V)
			}
			return z, nil
		})),
	np.Function("np.round ndarray.round", "The elements rounded to decimals digits after the point, halves to the even digit.",
		"round([0.125, 2.5], 2) # array([0.12, 2.5 ])", round),
	np.Function("np.around np.round_", "The elements rounded to decimals digits after the point, halves to the even digit.",
		"around(2.5) # 2.0", round),
	np.Function("np.isfinite T.isfinite", "Whether x is a number and not infinite.", "isfinite([1.0, np.inf]) # array([ True, False])",
		func(e *np.Eval, a *np.ElementArg) starlark.Value {
			x := a.X.D
			if !x.DType().IsFloat() {
				return e.Result(e.Constant(kernels.Bool, x.Shape(), 1))
			}
			return e.Result(e.Got(array.IsFinite(e.Calculator(), x)))
		}, functions.Builds(func(g *functions.Graph, a *np.ElementArg) (functions.V, error) {
			return formula.IsFinite(g.Builder, a.X.V), nil
		})),
}

func transposed(a *tensor.Dense, order []int) (*tensor.Dense, error) {
	if order == nil {
		return a.Transpose(), nil
	}
	var seen tensor.Axes
	for i, axis := range order {
		n, err := tensor.NormalizeAxis(axis, a.Rank())
		if err != nil {
			return nil, err
		}
		order[i] = n
		seen = seen.With(tensor.AxesOf(n))
	}
	if len(order) != a.Rank() || seen != tensor.AllAxes(a.Rank()) {
		return nil, fmt.Errorf("axes %s are not each of the %d axes once", tensor.ShapeString(order), a.Rank())
	}
	return a.DimShuffle(order)
}

// squeezed drops the given axes, or those of length 1.
func squeezed(e *np.Eval, a *squeezeArgs) starlark.Value {
	axes, err := a.Axis.Dropped(a.A.D.Rank())
	if np.Keep(e, axes, err, tensor.Axes{}); e.Failed() {
		return nil
	}
	var pattern []int
	for axis, n := range a.A.D.Shape() {
		if !axes.Has(axis) || !a.Axis.Given && n != 1 {
			pattern = append(pattern, axis)
		}
	}
	return e.Itself(a.A.Value, e.Permute(a.A.D, pattern))
}

// clipped limits a by low and high, of which one may be missing.
func clipped(e *np.Eval, a, low, high, out starlark.Value) starlark.Value {
	if low == nil && high == nil {
		e.Fail("%w", errNoLimits)
		return nil
	}
	for _, limit := range []struct {
		name string
		by   starlark.Value
	}{{"maximum", low}, {"minimum", high}} {
		if limit.by != nil && !e.Failed() {
			a = e.Elementwise(limit.name, a, limit.by)
		}
	}
	if out == nil || e.Failed() {
		return a
	}
	return e.Out(out, e.Dense(a), nil)
}

func round(e *np.Eval, a *roundArgs) starlark.Value {
	return e.Result(e.Compute(func(c array.Calculator) (*tensor.Dense, error) { return array.Rounded(c, a.A.D, a.Decimals) }))
}

// reshapeIn is reshape with the elements read and written in C or in F order.
func reshapeIn(a *tensor.Dense, shape []int, fortran bool) (*tensor.Dense, error) {
	return arrangedIn(a, shape, fortran, (*tensor.Dense).Regrouped)
}

// arrangedIn is a in another shape, which arrange makes in C order.
func arrangedIn(a *tensor.Dense, shape []int, fortran bool, arrange func(a *tensor.Dense, shape ...int) (*tensor.Dense, error)) (*tensor.Dense, error) {
	if fortran {
		a, shape = a.Transpose(), slices.Clone(shape)
		slices.Reverse(shape)
	}
	z, err := arrange(a, shape...)
	if err == nil {
		err = np.CheckShape(z.Shape())
	}
	if err != nil {
		return nil, err
	}
	if fortran {
		z = z.Transpose()
	}
	return z, nil
}

// raveled is the elements as a vector in an order; K is that of memory.
func raveled(a *tensor.Dense, o np.Order) (*tensor.Dense, error) {
	if o == 'K' {
		axes := np.CountTo(a.Rank())
		width := func(axis int) int { return max(a.Strides()[axis], -a.Strides()[axis]) }
		slices.SortStableFunc(axes, func(i, j int) int { return width(j) - width(i) })
		byWidth, err := a.DimShuffle(axes)
		if err != nil {
			return nil, err
		}
		a = byWidth
	}
	return arrangedIn(a, []int{a.Size()}, o.Fortran(a), (*tensor.Dense).Reshape)
}
