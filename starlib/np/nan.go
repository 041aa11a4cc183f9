package np

import (
	"math"

	"github.com/arignote/arignote/kernels"
	"github.com/arignote/arignote/runtime/formula"
	"github.com/arignote/arignote/runtime/graph"
	"github.com/arignote/arignote/runtime/op"
	"github.com/arignote/arignote/runtime/tensor"
	"github.com/arignote/arignote/starlib/functions"
	"go.starlark.net/starlark"
)

// Arguments of reductions that leave nan out.
type (
	nanExtremeArgs struct {
		reduceArg
		KeywordOnly
		keepDimsArg
	}
	nanMeanArgs struct {
		reduceArg
		reduceTypeArg
		KeywordOnly
		keepDimsArg
	}
	nanVarianceArgs struct {
		reduceArg
		reduceTypeArg
		KeywordOnly
		ddofArg
		keepDimsArg
	}
)

// nanTable is the reductions that leave nan out. They are those of reductionTable, of what counts or of what changes nothing.
var nanTable = []functions.Function{
	function("np.nansum T.nansum", "The sum along axis, nan counted as 0.", "nansum([1, np.nan, 2]) # 3.0", nanFold("sum"),
		nanFolds(formula.NaNFold(op.Sum), same)),
	function("np.nanprod T.nanprod", "The product along axis, nan counted as 1.", "nanprod([2, np.nan, 3]) # 6.0", nanFold("prod"),
		nanFolds(formula.NaNFold(op.Prod), same)),
	function("np.nanmean T.nanmean", "The mean along axis of what is not nan.", "nanmean([1, np.nan, 2]) # 1.5", nanFold("mean"),
		nanFolds(formula.NaNMean, floatType)),
	function("np.nanvar T.nanvar", "The variance along axis of what is not nan.", "nanvar([1, np.nan, 3]) # 1.0", nanVariance("var"),
		nanVariances(formula.NaNVariance)),
	function("np.nanstd T.nanstd", "The standard deviation along axis of what is not nan.", "nanstd([1, np.nan, 3]) # 1.0", nanVariance("std"),
		nanVariances(formula.NaNStd)),
	function("np.nanmax T.nanmax", "The largest element along axis that is not nan; nan if all are.", "nanmax([1, np.nan, 3]) # 3.0",
		func(e *eval, a *nanExtremeArgs) starlark.Value {
			return e.withoutNaN(&a.reduceArg, a.keepDimsArg, &reduceCall{}, nanExtreme("max", math.Inf(-1)))
		}, nanExtremes(op.Max)),
	function("np.nanmin T.nanmin", "The smallest element along axis that is not nan; nan if all are.", "nanmin([1, np.nan, 3]) # 1.0",
		func(e *eval, a *nanExtremeArgs) starlark.Value {
			return e.withoutNaN(&a.reduceArg, a.keepDimsArg, &reduceCall{}, nanExtreme("min", math.Inf(1)))
		}, nanExtremes(op.Min)),
	nanArgRow("nanargmax", "largest", false), nanArgRow("nanargmin", "smallest", true),
}

func same(d kernels.DType) kernels.DType { return d }

// nanFolds is a symbolic half that computes in a type made of the one that is asked for.
func nanFolds(reduce formula.Reducer, in func(kernels.DType) kernels.DType) functions.Half[nanMeanArgs] {
	return functions.Builds(func(g *functions.Graph, a *nanMeanArgs) (functions.V, error) {
		z, err := a.built(g, in(a.DType), a.keepDimsArg, reduce)
		if err != nil {
			return nil, err
		}
		return formula.Cast(g.Builder, z, a.DType), nil
	})
}

func nanVariances(of formula.Spreading) functions.Half[nanVarianceArgs] {
	return functions.Builds(func(g *functions.Graph, a *nanVarianceArgs) (functions.V, error) {
		return a.built(g, floatType(a.DType), a.keepDimsArg, func(b *graph.Builder, x functions.V, axes tensor.Axes) functions.V {
			return of(b, x, axes, a.Ddof)
		})
	})
}

func nanExtremes(kind op.Reduction) functions.Half[nanExtremeArgs] {
	return functions.Builds(func(g *functions.Graph, a *nanExtremeArgs) (functions.V, error) {
		return a.built(g, kernels.Invalid, a.keepDimsArg, formula.NaNExtreme(kind))
	})
}

func nanFold(name string) func(e *eval, a *nanMeanArgs) starlark.Value {
	return func(e *eval, a *nanMeanArgs) starlark.Value {
		return e.withoutNaN(&a.reduceArg, a.keepDimsArg, &reduceCall{dtype: a.DType}, func(e *eval, r *reduceCall) *tensor.Dense {
			return e.got(reductions[name](r))
		})
	}
}

func nanVariance(name string) func(e *eval, a *nanVarianceArgs) starlark.Value {
	return func(e *eval, a *nanVarianceArgs) starlark.Value {
		return e.withoutNaN(&a.reduceArg, a.keepDimsArg, &reduceCall{dtype: a.DType, ddof: a.Ddof}, nanSpread(name))
	}
}

// withoutNaN runs a reduction of what is not nan.
func (e *eval) withoutNaN(a *reduceArg, keep keepDimsArg, r *reduceCall, run func(e *eval, r *reduceCall) *tensor.Dense) starlark.Value {
	x := a.A.D
	r.session, r.x, r.axes = e.session, x, e.axisSet(a.Axis, x.Rank())
	if x.DType().IsFloat() {
		r.where = e.do("logical_not", e.do("isnan", x))
	}
	if e.failed() {
		return nil
	}
	z := run(e, r)
	if keep.KeepDims {
		z = e.permute(z, op.Restore(r.axes, x.Rank()))
	}
	return e.value(z)
}

// nanSpread is nan where ddof leaves no element to divide by.
func nanSpread(name string) func(e *eval, r *reduceCall) *tensor.Dense {
	return func(e *eval, r *reduceCall) *tensor.Dense {
		where, ddof := r.where, r.ddof
		z := e.got(reductions[name](r))
		if where == nil || e.failed() {
			return z
		}
		n := e.reduce("sum", where, r.axes)
		return e.do("where", e.do("greater", n, ddof), z, tensor.Scalar(z.DType(), math.NaN()))
	}
}

func nanExtreme(name string, first float64) func(e *eval, r *reduceCall) *tensor.Dense {
	return func(e *eval, r *reduceCall) *tensor.Dense {
		where := r.where
		if where == nil || r.size() == 0 {
			r.where = nil
			return e.got(reductions[name](r))
		}
		r.initial = &operand{weak: starlark.Float(first)}
		z := e.got(reductions[name](r))
		return e.do("where", e.reduce("any", where, r.axes), z, tensor.Scalar(z.DType(), math.NaN()))
	}
}

func nanArgRow(name, what string, least bool) functions.Function {
	return function("np."+name+" T."+name, "The position along axis of the "+what+" element that is not nan.",
		name+"([np.nan, 2, 2]) # 1", func(e *eval, a *argExtremeArgs) starlark.Value {
			axes, x, axis := e.linesOf(a.A.D, a.Axis)
			if e.failed() {
				return nil
			}
			if x.DType().IsFloat() {
				bad := e.do("isnan", x)
				if slicesHas(e.reduce("all", bad, tensor.AxesOf(axis)), 1) {
					e.fail("got a slice of nan alone")
					return nil
				}
				worst := math.Inf(-1)
				if least {
					worst = math.Inf(1)
				}
				x = e.do("where", bad, tensor.Scalar(x.DType(), worst), x)
			}
			z := e.got(runOp(e.session, op.Argmax{Axis: axis, Min: least}, x))
			if a.KeepDims && !e.failed() {
				z = e.permute(z, op.Restore(axes, a.A.D.Rank()))
			}
			return e.value(z)
		}, functions.Builds(func(g *functions.Graph, a *argExtremeArgs) (functions.V, error) {
			axes, err := a.Axis.Dropped(a.A.V.Type.Rank())
			if err != nil {
				return nil, err
			}
			return formula.NaNAt(g.Builder, a.A.V, axes, least, a.KeepDims), nil
		}))
}

// slicesHas reports whether an array of bools has an element that is v.
func slicesHas(d *tensor.Dense, v uint8) bool {
	for _, x := range tensor.Elements[uint8](d.AsType(kernels.Bool)) {
		if x == v {
			return true
		}
	}
	return false
}
