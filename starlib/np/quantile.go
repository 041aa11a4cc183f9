package np

import (
	"slices"

	"github.com/arignote/arignote/kernels"
	"github.com/arignote/arignote/runtime/array"
	"github.com/arignote/arignote/runtime/formula"
	"github.com/arignote/arignote/runtime/op"
	"github.com/arignote/arignote/runtime/tensor"
	"github.com/arignote/arignote/starlib/functions"
	"go.starlark.net/starlark"
)

// Parameters of functions of sorted elements.
type (
	quantileAxisArg struct {
		Axis functions.Axes `arg:"axis=None: the axis or axes; all of them if not given"`
	}
	quantileEnd struct {
		quantileAxisArg
		outArg
		KeywordOnly
		Method string `arg:"method=\"linear\": how a value between two elements is chosen: linear, lower, higher, midpoint, nearest, or one of the methods of Hyndman and Fan by its name in NumPy"`
		keepDimsArg
	}
	percentileArgs struct {
		arrayArg
		Q functions.Operand `arg:"q: percentages from 0 to 100: a number or an array, whose axes come first in the result"`
		quantileEnd
	}
	quantileArgs struct {
		arrayArg
		Q functions.Operand `arg:"q: fractions from 0 to 1: a number or an array, whose axes come first in the result"`
		quantileEnd
	}
	medianArgs struct {
		arrayArg
		quantileAxisArg
		outArg
		KeywordOnly
		keepDimsArg
	}
)

// quantileTable is the functions of sorted elements.
var quantileTable = []functions.Function{
	function("np.median T.median", "The middle element along axis, or the mean of the two; nan if one is.",
		"median([3, 1, 2, 9]) # 2.5", median(false), medians(false)),
	function("np.nanmedian T.nanmedian", "The middle element along axis of what is not nan.", "nanmedian([3, 1, np.nan]) # 2.0", median(true), medians(true)),
	function("np.percentile T.percentile", "The values below which percentages of the elements along axis lie.",
		"percentile([1, 2, 3, 4], [25, 50]) # array([1.75, 2.5 ])", percentile(false), percentiles(false)),
	function("np.quantile T.quantile", "The values below which fractions of the elements along axis lie.",
		"quantile([1, 2, 3, 4], 0.5) # 2.5", quantile(false), quantiles(false)),
	function("np.nanpercentile T.nanpercentile", "The values below which percentages of the elements along axis lie that are not nan.",
		"nanpercentile([1, 3, np.nan], 50) # 2.0", percentile(true), percentiles(true)),
	function("np.nanquantile T.nanquantile", "The values below which fractions of the elements along axis lie that are not nan.",
		"nanquantile([1, 3, np.nan], 0.5) # 2.0", quantile(true), quantiles(true)),
}

func percentile(nan bool) func(e *eval, a *percentileArgs) starlark.Value {
	return func(e *eval, a *percentileArgs) starlark.Value {
		return e.quantile(a.A.D, e.do("divide", array.AsReal(a.Q.D), 100.0), &a.quantileEnd, nan)
	}
}

func quantile(nan bool) func(e *eval, a *quantileArgs) starlark.Value {
	return func(e *eval, a *quantileArgs) starlark.Value { return e.quantile(a.A.D, a.Q.D, &a.quantileEnd, nan) }
}

func (e *eval) quantile(a, q *tensor.Dense, end *quantileEnd, nan bool) starlark.Value {
	lanes := array.Lanes{Axes: e.axisSet(end.Axis, a.Rank()), Keep: end.KeepDims, SkipNaN: nan}
	return e.value(e.compute(func(c array.Calculator) (*tensor.Dense, error) { return array.Quantile(c, a, q, end.Method, lanes) }))
}

func median(nan bool) func(e *eval, a *medianArgs) starlark.Value {
	return func(e *eval, a *medianArgs) starlark.Value {
		lanes := array.Lanes{Axes: e.axisSet(a.Axis, a.A.D.Rank()), Keep: a.KeepDims, SkipNaN: nan}
		z := e.compute(func(c array.Calculator) (*tensor.Dense, error) { return array.Median(c, a.A.D, lanes) })
		if a.KeepDims {
			return e.array1(z, nil)
		}
		return e.value(z)
	}
}

// lanesOf are the lanes of a variable.
func (a *quantileAxisArg) lanesOf(x functions.V, keep keepDimsArg, nan bool) (formula.Lanes, error) {
	axes, err := a.Axis.Of(x.Type.Rank())
	return formula.Lanes{Axes: axes, Keep: keep.KeepDims, SkipNaN: nan}, err
}

func medians(nan bool) functions.Half[medianArgs] {
	return functions.Builds(func(g *functions.Graph, a *medianArgs) (functions.V, error) {
		lanes, err := a.lanesOf(a.A.V, a.keepDimsArg, nan)
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
	if d, err := ToDense(q.Value); err == nil {
		return g.Constant(d)
	}
	return q.V
}

func (a *quantileEnd) build(g *functions.Graph, x, q functions.V, nan bool) (functions.V, error) {
	lanes, err := a.lanesOf(x, a.keepDimsArg, nan)
	if err != nil {
		return nil, err
	}
	return formula.Quantile(g.Builder, x, q, a.Method, lanes)
}
