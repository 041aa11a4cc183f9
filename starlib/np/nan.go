package np

import (
	"math"

	"github.com/arignote/arignote/kernels"
	"github.com/arignote/arignote/runtime/op"
	"github.com/arignote/arignote/runtime/tensor"
	"github.com/arignote/arignote/starlib/value"
	"go.starlark.net/starlark"
)

// nanTable is the reductions that leave nan out. They are those of reductionTable, of what counts or of what changes nothing.
func nanTable() []value.Builtin {
	var table []value.Builtin
	add := func(name, doc, example string, dtype, ddof bool, fn func(e *eval, r *reduceCall) *tensor.Dense) {
		params := []string{arrayParam, "axis=None: the axis or axes to reduce; all of them if not given"}
		if dtype {
			params = append(params, "dtype=None: the type to compute in")
		}
		params = append(params, "*:")
		if ddof {
			params = append(params, "ddof=0: what is taken off the number of elements before dividing by it")
		}
		params = append(params, "keepdims=False: keep the reduced axes with length 1")
		table = append(table, npRow(name, doc, example, func(e *eval) *tensor.Dense {
			x, i := e.array(0), 2
			r := &reduceCall{session: e.session, x: x, axes: e.axes(1, x.Rank())}
			if dtype {
				r.dtype = e.dtype(i, kernels.Invalid)
				i++
			}
			i++
			if ddof {
				r.ddof = e.float(i, 0)
				i++
			}
			if x.DType().IsFloat() {
				r.where = e.do("logical_not", e.do("isnan", x))
			}
			if e.failed() {
				return nil
			}
			z := fn(e, r)
			if e.bool(i, false) {
				z = e.permute(z, op.Restore(r.axes, x.Rank()))
			}
			return z
		}, params...))
	}
	named := func(name string) func(e *eval, r *reduceCall) *tensor.Dense {
		return func(e *eval, r *reduceCall) *tensor.Dense { return e.got(reductionsByName()[name].run(r)) }
	}
	add("nansum", "The sum along axis, nan counted as 0.", "np.nansum([1, np.nan, 2]) # 3.0", true, false, named("sum"))
	add("nanprod", "The product along axis, nan counted as 1.", "np.nanprod([2, np.nan, 3]) # 6.0", true, false, named("prod"))
	add("nanmean", "The mean along axis of what is not nan.", "np.nanmean([1, np.nan, 2]) # 1.5", true, false, named("mean"))
	add("nanvar", "The variance along axis of what is not nan.", "np.nanvar([1, np.nan, 3]) # 1.0", true, true, nanSpread("var"))
	add("nanstd", "The standard deviation along axis of what is not nan.", "np.nanstd([1, np.nan, 3]) # 1.0", true, true,
		nanSpread("std"))
	add("nanmax", "The largest element along axis that is not nan; nan if all are.", "np.nanmax([1, np.nan, 3]) # 3.0", false, false,
		nanExtreme("max", "fmax"))
	add("nanmin", "The smallest element along axis that is not nan; nan if all are.", "np.nanmin([1, np.nan, 3]) # 1.0", false, false,
		nanExtreme("min", "fmin"))
	return append(table, nanArgRow("nanargmax", "largest", false), nanArgRow("nanargmin", "smallest", true))
}

// nanSpread is nan where ddof leaves no element to divide by.
func nanSpread(name string) func(e *eval, r *reduceCall) *tensor.Dense {
	return func(e *eval, r *reduceCall) *tensor.Dense {
		where, ddof := r.where, r.ddof
		z := e.got(reductionsByName()[name].run(r))
		if where == nil || e.failed() {
			return z
		}
		n := e.reduce("sum", where, r.axes)
		return e.do("where", e.do("greater", n, ddof), z, tensor.Scalar(z.DType(), math.NaN()))
	}
}

func nanExtreme(name, initial string) func(e *eval, r *reduceCall) *tensor.Dense {
	return func(e *eval, r *reduceCall) *tensor.Dense {
		where := r.where
		if where == nil || r.size() == 0 {
			r.where = nil
			return e.got(reductionsByName()[name].run(r))
		}
		first := math.Inf(-1)
		if initial == "fmin" {
			first = math.Inf(1)
		}
		r.initial = &operand{weak: starlark.Float(first)}
		z := e.got(reductionsByName()[name].run(r))
		return e.do("where", e.reduce("any", where, r.axes), z, tensor.Scalar(z.DType(), math.NaN()))
	}
}

func nanArgRow(name, what string, least bool) value.Builtin {
	return npRow(name, "The position along axis of the "+what+" element that is not nan.",
		"np."+name+"([np.nan, 2, 2]) # 1", func(e *eval) *tensor.Dense {
			x := e.array(0)
			axis := 0
			if !e.given(1) {
				x = e.flat(x)
			} else {
				axis = e.axis(1, 0, x.Rank())
			}
			keepDims := e.bool(3, false)
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
			z, err := runOp(e.session, op.Argmax{Axis: axis, Min: least}, x)
			z = e.got(z, err)
			if keepDims && !e.failed() {
				z = e.permute(z, withNewAxis(z.Rank(), axis))
			}
			return z
		}, arrayParam, "axis=None: the axis; a position among all elements if not given", "*:",
		"keepdims=False: keep the reduced axis with length 1")
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
