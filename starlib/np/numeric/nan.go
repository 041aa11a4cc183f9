package numeric

import (
	"math"

	"github.com/arignote/arignote/kernels"
	"github.com/arignote/arignote/runtime/formula"
	"github.com/arignote/arignote/runtime/graph"
	"github.com/arignote/arignote/runtime/op"
	"github.com/arignote/arignote/runtime/tensor"
	"github.com/arignote/arignote/starlib/functions"
	"github.com/arignote/arignote/starlib/np"
	"go.starlark.net/starlark"
)

// Arguments of reductions that leave nan out.
type (
	nanExtremeArgs struct {
		np.ReduceArg
		np.KeywordOnly
		np.KeepDimsArg
	}
	nanMeanArgs struct {
		np.ReduceArg
		np.ReduceTypeArg
		np.KeywordOnly
		np.KeepDimsArg
	}
	nanVarianceArgs struct {
		np.ReduceArg
		np.ReduceTypeArg
		np.KeywordOnly
		np.DdofArg
		np.KeepDimsArg
	}
)

// nanTable is the reductions that leave nan out. They are those of reductionTable, of what counts
// or of what changes nothing.
var nanTable = []functions.Function{
	np.Function("np.nansum T.nansum", "The sum along axis, nan counted as 0.", "nansum([1, np.nan, 2]) # 3.0", nanFold("sum"),
		nanFolds(formula.NaNFold(op.Sum), same)),
	np.Function("np.nanprod T.nanprod", "The product along axis, nan counted as 1.", "nanprod([2, np.nan, 3]) # 6.0", nanFold("prod"),
		nanFolds(formula.NaNFold(op.Prod), same)),
	np.Function("np.nanmean T.nanmean", "The mean along axis of what is not nan.", "nanmean([1, np.nan, 2]) # 1.5", nanFold("mean"),
		nanFolds(formula.NaNMean, np.FloatType)),
	np.Function("np.nanvar T.nanvar", "The variance along axis of what is not nan.", "nanvar([1, np.nan, 3]) # 1.0", nanVariance("var"),
		nanVariances(formula.NaNVariance)),
	np.Function("np.nanstd T.nanstd", "The standard deviation along axis of what is not nan.", "nanstd([1, np.nan, 3]) # 1.0", nanVariance("std"),
		nanVariances(formula.NaNStd)),
	np.Function("np.nanmax T.nanmax", "The largest element along axis that is not nan; nan if all are.", "nanmax([1, np.nan, 3]) # 3.0",
		func(e *np.Eval, a *nanExtremeArgs) starlark.Value {
			return withoutNaN(e, &a.ReduceArg, a.KeepDimsArg, &np.ReduceCall{}, nanExtreme("max", math.Inf(-1)))
		}, nanExtremes(op.Max)),
	np.Function("np.nanmin T.nanmin", "The smallest element along axis that is not nan; nan if all are.", "nanmin([1, np.nan, 3]) # 1.0",
		func(e *np.Eval, a *nanExtremeArgs) starlark.Value {
			return withoutNaN(e, &a.ReduceArg, a.KeepDimsArg, &np.ReduceCall{}, nanExtreme("min", math.Inf(1)))
		}, nanExtremes(op.Min)),
	nanArgRow("nanargmax", "largest", false), nanArgRow("nanargmin", "smallest", true),
}

func same(d kernels.DType) kernels.DType { return d }

// nanFolds is a symbolic half that computes in a type made of the one that is asked for.
func nanFolds(reduce formula.Reducer, in func(kernels.DType) kernels.DType) functions.Half[nanMeanArgs] {
	return functions.Builds(func(g *functions.Graph, a *nanMeanArgs) (functions.V, error) {
		z, err := a.Built(g, in(a.DType), a.KeepDimsArg, reduce)
		if err != nil {
			return nil, err
		}
		return formula.Cast(g.Builder, z, a.DType), nil
	})
}

func nanVariances(of formula.Spreading) functions.Half[nanVarianceArgs] {
	return functions.Builds(func(g *functions.Graph, a *nanVarianceArgs) (functions.V, error) {
		return a.Built(g, np.FloatType(a.DType), a.KeepDimsArg, func(b *graph.Builder, x functions.V, axes tensor.Axes) functions.V {
			return of(b, x, axes, a.Ddof)
		})
	})
}

func nanExtremes(kind op.Reduction) functions.Half[nanExtremeArgs] {
	return functions.Builds(func(g *functions.Graph, a *nanExtremeArgs) (functions.V, error) {
		return a.Built(g, kernels.Invalid, a.KeepDimsArg, formula.NaNExtreme(kind))
	})
}

func nanFold(name string) func(e *np.Eval, a *nanMeanArgs) starlark.Value {
	return func(e *np.Eval, a *nanMeanArgs) starlark.Value {
		return withoutNaN(e, &a.ReduceArg, a.KeepDimsArg, &np.ReduceCall{Dtype: a.DType}, func(e *np.Eval, r *np.ReduceCall) *tensor.Dense {
			return e.Got(np.Reductions[name](r))
		})
	}
}

func nanVariance(name string) func(e *np.Eval, a *nanVarianceArgs) starlark.Value {
	return func(e *np.Eval, a *nanVarianceArgs) starlark.Value {
		return withoutNaN(e, &a.ReduceArg, a.KeepDimsArg, &np.ReduceCall{Dtype: a.DType, Ddof: a.Ddof}, nanSpread(name))
	}
}

// withoutNaN runs a reduction of what is not nan.
func withoutNaN(e *np.Eval, a *np.ReduceArg, keep np.KeepDimsArg, r *np.ReduceCall, run func(e *np.Eval, r *np.ReduceCall) *tensor.Dense) starlark.Value {
	x := a.A.D
	r.Session, r.X, r.Axes = e.Session, x, e.AxisSet(a.Axis, x.Rank())
	if x.DType().IsFloat() {
		r.Where = e.Do("logical_not", e.Do("isnan", x))
	}
	if e.Failed() {
		return nil
	}
	z := run(e, r)
	if keep.KeepDims {
		z = e.Permute(z, op.Restore(r.Axes, x.Rank()))
	}
	return e.Result(z)
}

// nanSpread is nan where ddof leaves no element to divide by.
func nanSpread(name string) func(e *np.Eval, r *np.ReduceCall) *tensor.Dense {
	return func(e *np.Eval, r *np.ReduceCall) *tensor.Dense {
		where, ddof := r.Where, r.Ddof
		z := e.Got(np.Reductions[name](r))
		if where == nil || e.Failed() {
			return z
		}
		n := e.Reduce("sum", where, r.Axes)
		return e.Do("where", e.Do("greater", n, ddof), z, tensor.Scalar(z.DType(), math.NaN()))
	}
}

func nanExtreme(name string, first float64) func(e *np.Eval, r *np.ReduceCall) *tensor.Dense {
	return func(e *np.Eval, r *np.ReduceCall) *tensor.Dense {
		where := r.Where
		if where == nil || r.Size() == 0 {
			r.Where = nil
			return e.Got(np.Reductions[name](r))
		}
		r.Initial = &np.Operand{Weak: starlark.Float(first)}
		z := e.Got(np.Reductions[name](r))
		return e.Do("where", e.Reduce("any", where, r.Axes), z, tensor.Scalar(z.DType(), math.NaN()))
	}
}

func nanArgRow(name, what string, least bool) functions.Function {
	return np.Function("np."+name+" T."+name, "The position along axis of the "+what+" element that is not nan.",
		name+"([np.nan, 2, 2]) # 1", func(e *np.Eval, a *np.ArgExtremeArgs) starlark.Value {
			axes, x, axis := e.LinesOf(a.A.D, a.Axis)
			if e.Failed() {
				return nil
			}
			if x.DType().IsFloat() {
				bad := e.Do("isnan", x)
				if np.HasBool(e.Reduce("all", bad, tensor.AxesOf(axis)), 1) {
					e.Fail("got a slice of nan alone")
					return nil
				}
				worst := math.Inf(-1)
				if least {
					worst = math.Inf(1)
				}
				x = e.Do("where", bad, tensor.Scalar(x.DType(), worst), x)
			}
			z := e.Got(np.RunOp(e.Session, op.Argmax{Axis: axis, Min: least}, x))
			if a.KeepDims && !e.Failed() {
				z = e.Permute(z, op.Restore(axes, a.A.D.Rank()))
			}
			return e.Result(z)
		}, functions.Builds(func(g *functions.Graph, a *np.ArgExtremeArgs) (functions.V, error) {
			axes, err := a.Axis.Dropped(a.A.V.Type.Rank())
			if err != nil {
				return nil, err
			}
			return formula.NaNAt(g.Builder, a.A.V, axes, least, a.KeepDims), nil
		}))
}
