package np

import (
	"math"
	"strings"

	"github.com/arignote/arignote/kernels"
	"github.com/arignote/arignote/runtime/tensor"
	"github.com/arignote/arignote/starlib/value"
	"go.starlark.net/starlark"
)

// A dual is a function of np whose first parameter is an array, and the method of arrays that has the parameters after it. fn gets
// the
// array and the index of the parameter after it.
type dual struct {
	name, doc, example string
	fn                 func(e *eval, a *tensor.Dense, i int) starlark.Value
	params             []string
}

// row makes the function for prefix "np.", and the method for "ndarray.".
func (d dual) row(prefix string) value.Builtin {
	params, example := d.params, d.example
	if prefix == "np." {
		params = append([]string{arrayParam}, params...)
	} else if !strings.HasPrefix(example, "np.array(") {
		example = methodExample(example, d.name)
	}
	return evalRow(prefix, d.name, d.doc, example, func(e *eval) starlark.Value {
		a, i, err := e.operand()
		if a = e.got(a, err); e.failed() {
			return nil
		}
		return d.fn(e, a, i)
	}, params...)
}

func dualRows(prefix string) []value.Builtin {
	rows := make([]value.Builtin, len(duals))
	for i, d := range duals {
		rows[i] = d.row(prefix)
	}
	return rows
}

const flatAxis = "axis=None: the axis; all elements as a vector if not given"

var duals = []dual{
	{"argsort", "The positions that sort the elements along axis, nan last; equal elements as they come.",
		"np.argsort([3, 1, 2]) # array([1, 2, 0])", func(e *eval, a *tensor.Dense, i int) starlark.Value {
			a, axis := e.sortAxis(a, i)
			return e.array1(tensor.ArgSort(a, axis))
		}, sortParams},
	{"argpartition",
		"Positions that put the elements kth where sorting puts them, and the smaller ones before: those of a whole sort.",
		"np.argpartition([3, 1, 2], 0) # array([1, 2, 0])", func(e *eval, a *tensor.Dense, i int) starlark.Value {
			kth := e.ints(i)
			a, axis := e.sortAxis(a, i+1)
			return e.array1(tensor.ArgPartition(a, kth, axis))
		}, append([]string{"kth: a position or several"}, sortParams...)},
	{"searchsorted", "Where in the ascending vector the values belong: before equal elements, or after them.",
		"np.searchsorted([1, 3, 5], [3, 4]) # array([1, 2])", func(e *eval, a *tensor.Dense, i int) starlark.Value {
			values, right := e.array(i), e.text(i+1, "left", "left", "right") == "right"
			var sorter *tensor.Dense
			if e.given(i + 2) {
				sorter = e.array(i + 2)
			}
			if e.failed() {
				return nil
			}
			return e.value(e.got(tensor.SearchSorted(a, values, right, sorter)))
		}, []string{"v: values", "side=\"left\": left for before equal elements, right for after them",
			"sorter=None: the positions that sort the vector, if it is not sorted"}},
	{"cumsum", "The sums of the first elements along axis, of one more each time.", "np.cumsum([1, 2, 3]) # array([1, 3, 6])",
		scan("sum"), scanParams},
	{"cumprod", "The products of the first elements along axis, of one more each time.", "np.cumprod([1, 2, 3]) # array([1, 2, 6])",
		scan("prod"), scanParams},
	{"repeat", "Each element along axis repeated.", "np.repeat([1, 2], 2) # array([1, 1, 2, 2])",
		func(e *eval, a *tensor.Dense, i int) starlark.Value {
			counts := e.array(i)
			a, axis := e.lanesOr(a, i+1)
			if e.failed() {
				return nil
			}
			return e.array1(tensor.Repeat(a, counts, axis))
		}, []string{"repeats: how often, for all elements or for each", flatAxis}},
	{"take", "The elements at positions along axis.", "np.take([5, 6, 7], [2, 0]) # array([7, 5])",
		func(e *eval, a *tensor.Dense, i int) starlark.Value {
			indices := e.array(i)
			a, axis := e.lanesOr(a, i+1)
			mode := e.bounds(i + 2)
			if indices.DType().IsFloat() && indices.Size() == 0 {
				indices = indices.AsType(kernels.Int64)
			}
			if e.failed() {
				return nil
			}
			return e.value(e.got(tensor.Take(a, indices, axis, mode)))
		}, []string{"indices: a position or an array of them", flatAxis,
			"mode=\"raise\": what to do out of bounds: raise, wrap or clip"}},
	{"put", "Sets the elements at positions in C order to values, one after the other and from the first again.",
		"np.array([1, 2]).put([0], [5])", func(e *eval, a *tensor.Dense, i int) starlark.Value {
			e.put(a, e.array(i), e.array(i+1), e.bounds(i+2))
			return starlark.None
		}, []string{"ind: a position or several", "v: values", "mode=\"raise\": what to do out of bounds: raise, wrap or clip"}},
}

var sortParams = []string{"axis=-1: the axis; None for all elements as a vector",
	"kind=None: accepted: sorting is always stable"}

var scanParams = []string{flatAxis, "dtype=None: the type to compute in; int64 or uint64 for integers and bools"}

// array1 returns a new array, even of no dimensions.
func (e *eval) array1(d *tensor.Dense, err error) starlark.Value {
	if d = e.got(d, err); e.failed() {
		return nil
	}
	return NewArray(e.session, d)
}

// sortAxis reads the axis to sort along, and the kind after it.
func (e *eval) sortAxis(a *tensor.Dense, i int) (*tensor.Dense, int) {
	e.sortKind(i + 1)
	if e.v[i] == starlark.None {
		return e.flat(a), 0
	}
	return a, e.axis(i, -1, a.Rank())
}

// flatOr reads an axis; without one, the array is taken as a vector.
func (e *eval) flatOr(a *tensor.Dense, i int) (*tensor.Dense, int) {
	if !e.given(i) {
		return e.flat(a), 0
	}
	return a, e.axis(i, 0, a.Rank())
}

// lanesOr is flatOr where a number counts as an array with an axis.
func (e *eval) lanesOr(a *tensor.Dense, i int) (*tensor.Dense, int) {
	if a.Rank() == 0 {
		a = e.flat(a)
	}
	return e.flatOr(a, i)
}

// sortKind reads a way of sorting, which is checked only: there is one for all.
func (e *eval) sortKind(i int) {
	e.text(i, "stable", "quicksort", "heapsort", "mergesort", "stable", "introselect")
}

func (e *eval) bounds(i int) tensor.Bounds {
	return map[string]tensor.Bounds{"raise": tensor.Raise, "wrap": tensor.Wrap, "clip": tensor.Clip}[e.text(i, "raise", "raise",
		"wrap",
		"clip")]
}

func scan(op string) func(e *eval, a *tensor.Dense, i int) starlark.Value {
	return func(e *eval, a *tensor.Dense, i int) starlark.Value {
		a, axis := e.lanesOr(a, i)
		d := e.dtype(i+1, countingType(a.DType()))
		if e.failed() {
			return nil
		}
		return e.array1(tensor.Scan(op, a, axis, d))
	}
}

// countingType is the type that sums of d have.
func countingType(d kernels.DType) kernels.DType {
	switch {
	case d.IsFloat():
		return d
	case d.IsSigned() || d.IsBool():
		return kernels.Int64
	}
	return kernels.Uint64
}

// put writes to the array that is argument 0, or the receiver.
func (e *eval) put(a, at, values *tensor.Dense, mode tensor.Bounds) {
	target, ok := e.Receiver().(*Array)
	if !ok {
		if target, ok = e.v[0].(*Array); !ok {
			e.err = e.wrong(0, "ndarray")
		}
	}
	if e.failed() {
		return
	}
	e.got(a, target.writable())
	if at.DType().IsFloat() {
		e.fail("got positions of %v, want integers", at.DType())
	}
	n, positions := a.Size(), at.Ints()
	if values.Size() == 0 && len(positions) > 0 {
		e.fail("got no values, want at least one")
	}
	values = e.flat(values.AsType(a.DType()))
	z := e.flat(a.Copy())
	for k, p := range positions {
		i := int(p)
		switch {
		case i >= 0 && i < n:
		case mode == tensor.Clip && n > 0:
			i = min(max(i, 0), n-1)
		case mode == tensor.Wrap && n > 0:
			i = modulo(i, n)
		case i < 0 && i >= -n && mode == tensor.Raise:
			i += n
		default:
			e.fail("position %d is out of bounds for %d elements", i, n)
		}
		if e.failed() {
			return
		}
		from := k % values.Size()
		tensor.CopyTo(e.part(z, 0, i, i+1), e.part(values, 0, from, from+1))
	}
	if !e.failed() {
		tensor.CopyTo(a, e.reshape(z, a.Shape()...))
	}
}

// orderTable is what sorts and searches, besides the duals.
var orderTable = []value.Builtin{
	npRow("sort", "A copy with the elements in ascending order along axis, nan last.", "np.sort([3, 1, 2]) # array([1, 2, 3])",
		func(e *eval) *tensor.Dense {
			a, axis := e.sortAxis(e.array(0), 1)
			if e.failed() {
				return nil
			}
			return e.got(tensor.Sort(a, axis))
		}, append([]string{arrayParam}, sortParams...)...),
	npRow("msort", "A copy with the elements in ascending order along axis 0.", "np.msort([3, 1, 2]) # array([1, 2, 3])",
		func(e *eval) *tensor.Dense { return e.got(tensor.Sort(e.array(0), 0)) }, arrayParam),
	npRow("partition", "A copy with the elements kth where sorting puts them, and the smaller ones before: sorted.",
		"np.partition([3, 1, 2], 1) # array([1, 2, 3])", func(e *eval) *tensor.Dense {
			kth := e.ints(1)
			a, axis := e.sortAxis(e.array(0), 2)
			if e.failed() {
				return nil
			}
			if a.Size() == 0 {
				return a.Copy()
			}
			return e.got(tensor.Partition(a, kth, axis))
		}, append([]string{arrayParam, "kth: a position or several"}, sortParams...)...),
	npRow("lexsort", "The positions that sort by the last of several keys, and where that is equal by the one before.",
		"np.lexsort([[2, 1, 1], [0, 0, 1]]) # array([1, 0, 2])", func(e *eval) *tensor.Dense {
			keys := e.arrays(0)
			axis := e.axis(1, -1, keys[0].Rank())
			if e.failed() {
				return nil
			}
			return e.got(tensor.LexSort(keys, axis))
		}, "keys: a list of arrays of one shape", "axis=-1: the axis"),
	evalRow("np.", "nonzero", "The indices of the elements that are not 0, along each axis, as a tuple.",
		"np.nonzero([0, 5, 7]) # (array([1, 2]),)", func(e *eval) starlark.Value { return e.positions(e.array(0)) }, arrayParam),
	npRow("argwhere", "The indices of the elements that are not 0, each a row.", "np.argwhere([0, 5, 7]) # array([[1],\n       [2]])",
		func(e *eval) *tensor.Dense { return e.got(tensor.ArgWhere(e.array(0))) }, arrayParam),
	npRow("flatnonzero", "The positions, in C order, of the elements that are not 0.", "np.flatnonzero([0, 5, 7]) # array([1, 2])",
		func(e *eval) *tensor.Dense {
			a := e.flat(e.array(0))
			if e.failed() {
				return nil
			}
			return nonZero(a)[0]
		}, arrayParam),
	npRow("count_nonzero", "How many elements along axis are not 0.", "np.count_nonzero([0, 5, 7]) # 2", func(e *eval) *tensor.Dense {
		a := e.array(0)
		axes := e.axes(1, a.Rank())
		z := e.reduce("sum", a.AsType(kernels.Bool), axes)
		if e.bool(3, false) && !e.failed() {
			return e.permute(z, restored(axes, a.Rank()))
		}
		return z
	}, arrayParam, "axis=None: the axis or axes; all of them if not given", "*:", "keepdims=False: keep the axes with length 1"),
	npRow("digitize", "The number of the bin that each element lies in: bins[i-1] <= x < bins[i].",
		"np.digitize([0.5, 1, 9], [0, 1, 2]) # array([1, 2, 3])", func(e *eval) *tensor.Dense {
			x, bins, right := e.array(0), e.array(1), e.bool(2, false)
			if e.failed() {
				return nil
			}
			return e.got(tensor.Digitize(x, bins, right))
		}, "x: an array", "bins: the edges, in order", "right=False: whether bins have their right edge instead of the left"),
	npRow("bincount", "How often each integer from 0 on occurs.", "np.bincount([1, 3, 1]) # array([0, 2, 0, 1])",
		func(e *eval) *tensor.Dense {
			x, weights, least := e.vector(0), e.arrayOr(1, nil), e.int(2, 0)
			if e.failed() {
				return nil
			}
			if x.Size() == 0 {
				x = x.AsType(kernels.Int64)
			}
			return e.got(tensor.BinCount(x, weights, least))
		}, "x: a vector of integers that are not negative", "weights=None: what each element adds, instead of 1",
		"minlength=0: the least length of the result"),
	npRow("interp", "The values at x of the lines between points (xp, fp), where xp ascends.",
		"np.interp(2.5, [1, 2, 3], [3, 2, 0]) # 1.0", func(e *eval) *tensor.Dense {
			x, xp, fp := e.array(0), e.array(1), e.array(2)
			ends := [2]*float64{}
			for k := range ends {
				if e.given(3 + k) {
					f := e.float(3+k, 0)
					ends[k] = &f
				}
			}
			if e.given(5) {
				x, xp, fp = e.periodic(x, xp, fp, math.Abs(e.float(5, 1)))
				ends = [2]*float64{}
			}
			if e.failed() {
				return nil
			}
			return e.got(tensor.Interp(x, xp, fp, ends[0], ends[1]))
		}, "x: where", "xp: the points' x, ascending", "fp: the points' y",
		"left=None: the value before the first point, its y if not given",
		"right=None: the value after the last point, its y if not given",
		"period=None: after which x repeats; xp need not ascend then"),
	nanScanRow("nancumsum", "sums", "sum", 0), nanScanRow("nancumprod", "products", "prod", 1),
}

// periodic returns what interpolates with a period: points sorted within one, with the last before the first and the first after
// the last.
func (e *eval) periodic(x, xp, fp *tensor.Dense, period float64) (_, _, _ *tensor.Dense) {
	if period == 0 {
		e.failAt(5, "got 0, want another number")
	}
	if xp.Rank() != 1 || fp.Rank() != 1 || xp.Size() != fp.Size() || xp.Size() == 0 {
		e.fail("got points of shapes %s, want two vectors of one length", shapesOf([]*tensor.Dense{xp, fp}))
	}
	x, xp = e.do("remainder", asReal(x), period), e.do("remainder", asReal(xp), period)
	if e.failed() {
		return x, xp, fp
	}
	order := e.got(tensor.ArgSort(xp, 0))
	n := xp.Size()
	xp, fp = e.got(tensor.Take(xp, order, 0, tensor.Raise)), e.got(tensor.Take(asReal(fp), order, 0, tensor.Raise))
	last, first := e.part(xp, 0, n-1, n), e.part(xp, 0, 0, 1)
	xp = e.concatenate(0, e.do("subtract", last, period), xp, e.do("add", first, period))
	return x, xp, e.concatenate(0, e.part(fp, 0, n-1, n), fp, e.part(fp, 0, 0, 1))
}

func nanScanRow(name, what, op string, neutral float64) value.Builtin {
	return evalRow("np.", name, "The cumulative "+what+" of the elements along axis, nan left out.",
		"np."+name+"([2, np.nan, 3]) # array("+map[string]string{"sum": "[2., 2., 5.]", "prod": "[2., 2., 6.]"}[op]+")",
		func(e *eval) starlark.Value {
			a := e.array(0)
			if a.DType().IsFloat() {
				a = e.do("where", e.do("isnan", a), tensor.Scalar(a.DType(), neutral), a)
			}
			if e.failed() {
				return nil
			}
			return scan(op)(e, a, 1)
		}, append([]string{arrayParam}, scanParams...)...)
}

// inPlaceMethods are the methods that sort the array itself.
var inPlaceMethods = []value.Builtin{
	evalRow("ndarray.", "sort", "Puts the elements in ascending order along axis, nan last.", "np.array([3, 1, 2]).sort()",
		func(e *eval) starlark.Value {
			a := e.self()
			axis := e.axis(0, -1, a.d.Rank())
			e.sortKind(1)
			if e.got(a.d, a.writable()); !e.failed() {
				e.got(a.d, a.d.Sort(axis))
			}
			return starlark.None
		}, "axis=-1: the axis", "kind=None: accepted: sorting is always stable"),
	evalRow("ndarray.", "partition", "Puts the elements kth where sorting puts them, and the smaller ones before: sorts.",
		"np.array([3, 1, 2]).partition(1)", func(e *eval) starlark.Value {
			a := e.self()
			kth, axis := e.ints(0), e.axis(1, -1, a.d.Rank())
			if e.got(a.d, a.writable()); !e.failed() {
				if z := e.got(tensor.Partition(a.d, kth, axis)); !e.failed() {
					tensor.CopyTo(a.d, z)
				}
			}
			return starlark.None
		}, "kth: a position or several", "axis=-1: the axis"),
}
