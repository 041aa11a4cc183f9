package np

import (
	"github.com/arignote/arignote/runtime/array"
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
		KeywordOnly
		keepDimsArg
	}
)

// quantileTable is the functions of sorted elements.
var quantileTable = []functions.Function{
	function("np.median", "The middle element along axis, or the mean of the two; nan if one is.",
		"median([3, 1, 2, 9]) # 2.5", median(false)),
	function("np.nanmedian", "The middle element along axis of what is not nan.", "nanmedian([3, 1, np.nan]) # 2.0", median(true)),
	function("np.percentile", "The values below which percentages of the elements along axis lie.",
		"percentile([1, 2, 3, 4], [25, 50]) # array([1.75, 2.5 ])", percentile(false)),
	function("np.quantile", "The values below which fractions of the elements along axis lie.",
		"quantile([1, 2, 3, 4], 0.5) # 2.5", quantile(false)),
	function("np.nanpercentile", "The values below which percentages of the elements along axis lie that are not nan.",
		"nanpercentile([1, 3, np.nan], 50) # 2.0", percentile(true)),
	function("np.nanquantile", "The values below which fractions of the elements along axis lie that are not nan.",
		"nanquantile([1, 3, np.nan], 0.5) # 2.0", quantile(true)),
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
