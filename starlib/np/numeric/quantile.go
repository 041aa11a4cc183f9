package numeric

import (
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

// Parameters of functions of sorted elements.
type (
	quantileAxisArg struct {
		Axis functions.Axes `arg:"axis=None: the axis or axes; all of them if not given"`
	}
	quantileEnd struct {
		quantileAxisArg
		np.OutArg
		np.KeywordOnly
		Method string `arg:"method=\"linear\": how a value between two elements is chosen: linear, lower, higher, midpoint, nearest, or one of the methods of Hyndman and Fan by its name in NumPy"`
		np.KeepDimsArg
	}
	percentileArgs struct {
		np.ArrayArg
		Q functions.Operand `arg:"q: percentages from 0 to 100: a number or an array, whose axes come first in the result"`
		quantileEnd
	}
	quantileArgs struct {
		np.ArrayArg
		Q functions.Operand `arg:"q: fractions from 0 to 1: a number or an array, whose axes come first in the result"`
		quantileEnd
	}
	medianArgs struct {
		np.ArrayArg
		quantileAxisArg
		np.OutArg
		np.KeywordOnly
		np.KeepDimsArg
	}
)

// quantileTable is the functions of sorted elements.
var quantileTable = []functions.Function{
	np.Function("np.median T.median", "The middle element along axis, or the mean of the two; nan if one is.",
		"median([3, 1, 2, 9]) # 2.5", median(false), medians(false)),
	np.Function("np.nanmedian T.nanmedian", "The middle element along axis of what is not nan.", "nanmedian([3, 1, np.nan]) # 2.0", median(true), medians(true)),
	np.Function("np.percentile T.percentile", "The values below which percentages of the elements along axis lie.",
		"percentile([1, 2, 3, 4], [25, 50]) # array([1.75, 2.5 ])", percentile(false), percentiles(false)),
	np.Function("np.quantile T.quantile", "The values below which fractions of the elements along axis lie.",
		"quantile([1, 2, 3, 4], 0.5) # 2.5", quantile(false), quantiles(false)),
	np.Function("np.nanpercentile T.nanpercentile", "The values below which percentages of the elements along axis lie that are not nan.",
		"nanpercentile([1, 3, np.nan], 50) # 2.0", percentile(true), percentiles(true)),
	np.Function("np.nanquantile T.nanquantile", "The values below which fractions of the elements along axis lie that are not nan.",
		"nanquantile([1, 3, np.nan], 0.5) # 2.0", quantile(true), quantiles(true)),
}

func percentile(nan bool) func(e *np.Eval, a *percentileArgs) starlark.Value {
	return func(e *np.Eval, a *percentileArgs) starlark.Value {
		return quantileOf(e, a.A.D, e.Do("divide", array.AsReal(a.Q.D), 100.0), &a.quantileEnd, nan)
	}
}

func quantile(nan bool) func(e *np.Eval, a *quantileArgs) starlark.Value {
	return func(e *np.Eval, a *quantileArgs) starlark.Value {
		return quantileOf(e, a.A.D, a.Q.D, &a.quantileEnd, nan)
	}
}

func quantileOf(e *np.Eval, a, q *tensor.Dense, end *quantileEnd, nan bool) starlark.Value {
	lanes := array.Lanes{Axes: e.AxisSet(end.Axis, a.Rank()), Keep: end.KeepDims, SkipNaN: nan}
	return e.Result(e.Compute(func(c array.Calculator) (*tensor.Dense, error) { return array.Quantile(c, a, q, end.Method, lanes) }))
}

func median(nan bool) func(e *np.Eval, a *medianArgs) starlark.Value {
	return func(e *np.Eval, a *medianArgs) starlark.Value {
		lanes := array.Lanes{Axes: e.AxisSet(a.Axis, a.A.D.Rank()), Keep: a.KeepDims, SkipNaN: nan}
		z := e.Compute(func(c array.Calculator) (*tensor.Dense, error) { return array.Median(c, a.A.D, lanes) })
		if a.KeepDims {
			return e.Array1(z, nil)
		}
		return e.Result(z)
	}
}

// lanesOf are the lanes of a variable.
func (a *quantileAxisArg) lanesOf(x functions.V, keep np.KeepDimsArg, nan bool) (formula.Lanes, error) {
	axes, err := a.Axis.Of(x.Type.Rank())
	return formula.Lanes{Axes: axes, Keep: keep.KeepDims, SkipNaN: nan}, err
}

func medians(nan bool) functions.Half[medianArgs] {
	return functions.Builds(func(g *functions.Graph, a *medianArgs) (functions.V, error) {
		lanes, err := a.lanesOf(a.A.V, a.KeepDimsArg, nan)
		if err != nil {
			return nil, err
		}
		return formula.Median(g.Builder, a.A.V, lanes), nil
	})
}

func quantiles(nan bool) functions.Half[quantileArgs] {
	return functions.Builds(func(g *functions.Graph, a *quantileArgs) (functions.V, error) {
		return a.build(g, a.A.V, fractions(g, a.Q), nan)
	})
}

func percentiles(nan bool) functions.Half[percentileArgs] {
	return functions.Builds(func(g *functions.Graph, a *percentileArgs) (functions.V, error) {
		q := formula.Cast(g.Builder, fractions(g, a.Q), kernels.Float64)
		if q.IsConstant() {
			list := slices.Clone(q.Data.Floats())
			for i := range list {
				list[i] /= 100
			}
			q = g.Constant(tensor.From(list, q.Data.Shape()...))
		} else {
			q = g.Apply(op.TrueDiv, q, g.Like(q, 100))
		}
		return a.build(g, a.A.V, q, nan)
	})
}

// fractions is q as it was written: 0.3 stays what it is beside a float32.
func fractions(g *functions.Graph, q functions.Operand) functions.V {
	if d, err := np.ToDense(q.Value); err == nil {
		return g.Constant(d)
	}
	return q.V
}

func (a *quantileEnd) build(g *functions.Graph, x, q functions.V, nan bool) (functions.V, error) {
	lanes, err := a.lanesOf(x, a.KeepDimsArg, nan)
	if err != nil {
		return nil, err
	}
	return formula.Quantile(g.Builder, x, q, a.Method, lanes)
}
