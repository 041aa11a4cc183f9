package manipulation

import (
	"cmp"
	"fmt"
	"math"

	"github.com/arignote/arignote/kernels"
	"github.com/arignote/arignote/runtime/array"
	"github.com/arignote/arignote/runtime/formula"
	"github.com/arignote/arignote/runtime/graph"
	"github.com/arignote/arignote/runtime/op"
	"github.com/arignote/arignote/runtime/tensor"
	"github.com/arignote/arignote/starlib/functions"
	"github.com/arignote/arignote/starlib/np"
	"github.com/arignote/arignote/starlib/value"
	"go.starlark.net/starlark"
)

// sortArgs are parameters of functions that sort.
type sortArgs struct {
	Axis   *int           `arg:"axis=-1: the axis; None for all elements as a vector"`
	Kind   string         `arg:"kind=None: accepted: sorting is always stable"`
	Order  starlark.Value `arg:"order=None: accepted: there are no fields to order by"`
	Stable starlark.Value `arg:"stable=None: accepted: sorting is always stable"`
}

// partitionArgs are the arguments of np.partition.
type partitionArgs struct {
	np.ArrayArg
	Kth []int `arg:"kth: a position or several"`
	sortArgs
}

// scanArgs are the arguments of np.cumsum and its like.
type scanArgs struct {
	np.ArrayArg
	np.FlatAxisArg
	DType kernels.DType `arg:"dtype=None: the type to compute in; int64 or uint64 for integers and bools"`
	np.OutArg
}

// repeatArgs are the arguments of np.repeat.
type repeatArgs struct {
	np.ArrayArg
	Repeats functions.Integers `arg:"repeats: how often, for all elements or for each"`
	np.FlatAxisArg
}

// boundsArg says what happens out of bounds.
type boundsArg struct {
	Mode string `arg:"mode=\"raise\": what to do out of bounds: raise, wrap or clip"`
}

// orderTable is what sorts, searches and picks elements.
var orderTable = []functions.Function{
	np.Function("np.argsort ndarray.argsort T.argsort", "The positions that sort the elements along axis, nan last; equal elements as they come.",
		"argsort([3, 1, 2]) # array([1, 2, 0])", func(e *np.Eval, a *sortedArgs) starlark.Value {
			x, axis := sortAxis(e, a.A.D, &a.sortArgs)
			if e.Failed() {
				return nil
			}
			return e.Array1(np.RunOp(e.Session, op.ArgSort{Axis: axis}, x))
		}, sorts(formula.ArgSort)),
	np.Function("np.argpartition ndarray.argpartition T.argpartition",
		"Positions that put the elements kth where sorting puts them, the smaller ones before and the larger ones after, in no order.",
		"argpartition([3, 1, 2], 0) # array([1, 2, 0])", func(e *np.Eval, a *partitionArgs) starlark.Value {
			x, axis := sortAxis(e, a.A.D, &a.sortArgs)
			return e.Array1(tensor.ArgPartition(x, a.Kth, axis, np.StopOf(e.Session)))
		}, partitions(formula.ArgSort)),
	np.Function("np.searchsorted ndarray.searchsorted T.searchsorted",
		"Where in the ascending vector the values belong: before equal elements, or after them.",
		"searchsorted([1, 3, 5], [3, 4]) # array([1, 2])", func(e *np.Eval, a *searchArgs) starlark.Value {
			right := e.Word("side", a.Side, "left", "right") == "right"
			if e.Failed() {
				return nil
			}
			return e.Result(e.Got(tensor.SearchSorted(a.A.D, a.V.D, right, a.Sorter.D, np.StopOf(e.Session))))
		}, functions.Builds(func(g *functions.Graph, a *searchArgs) (functions.V, error) {
			return formula.SearchSorted(g.Builder, a.A.V, a.V.V, a.Sorter.V, a.Side)
		})),
	np.Function("np.cumsum ndarray.cumsum T.cumsum", "The sums of the first elements along axis, of one more each time.",
		"cumsum([1, 2, 3]) # array([1, 3, 6])", scan(op.Sum), cumulates(op.Sum)),
	np.Function("np.cumprod ndarray.cumprod T.cumprod", "The products of the first elements along axis, of one more each time.",
		"cumprod([1, 2, 3]) # array([1, 2, 6])", scan(op.Prod), cumulates(op.Prod)),
	np.Function("np.repeat ndarray.repeat T.repeat", "Each element along axis repeated.", "repeat([1, 2], 2) # array([1, 1, 2, 2])",
		func(e *np.Eval, a *repeatArgs) starlark.Value {
			x, axis := lanesOr(e, a.A.D, a.Axis)
			if e.Failed() {
				return nil
			}
			return e.Array1(tensor.Repeat(x, a.Repeats.D, axis, np.StopOf(e.Session)))
		}, functions.Builds(func(g *functions.Graph, a *repeatArgs) (functions.V, error) {
			return formula.Repeat(g.Builder, a.A.V, a.Repeats.V, a.Axis)
		})),
	np.Function("np.take ndarray.take T.take", "The elements at positions along axis.", "take([5, 6, 7], [2, 0]) # array([7, 5])",
		func(e *np.Eval, a *takeArgs) starlark.Value {
			indices := a.Indices.D
			if indices.DType().IsFloat() && indices.Size() == 0 {
				indices = indices.AsType(kernels.Int64)
			}
			x, axis := lanesOr(e, a.A.D, a.Axis)
			mode := bounds(e, a.Mode)
			if e.Failed() {
				return nil
			}
			z, err := tensor.Take(x, indices, axis, mode, np.StopOf(e.Session))
			return e.Result(e.Got(e.Noted(z, err, x), err))
		}, functions.Builds(func(g *functions.Graph, a *takeArgs) (functions.V, error) {
			return formula.Take(g.Builder, a.A.V, a.Indices.V, a.Axis, a.Mode)
		})),
	np.Function("np.put ndarray.put",
		"Sets the elements at positions in C order to values, one after the other and from the first again.",
		"np.array([1, 2]).put([0], [5])", put),
	np.Function("np.sort T.sort", "A copy with the elements in ascending order along axis, nan last.",
		"sort([3, 1, 2]) # array([1, 2, 3])", func(e *np.Eval, a *sortedArgs) starlark.Value {
			x, axis := sortAxis(e, a.A.D, &a.sortArgs)
			if e.Failed() {
				return nil
			}
			return e.Result(e.Got(np.RunOp(e.Session, op.Sort{Axis: axis}, x)))
		}, sorts(formula.Sort)),
	np.Function("np.msort", "A copy with the elements in ascending order along axis 0.",
		"msort([3, 1, 2]) # array([1, 2, 3])", func(e *np.Eval, a *np.ArrayArg) starlark.Value {
			if _, err := tensor.NormalizeAxis(0, a.A.D.Rank()); err != nil {
				return e.Result(e.Got(nil, err))
			}
			return e.Result(e.Got(np.RunOp(e.Session, op.Sort{Axis: 0}, a.A.D)))
		}),
	np.Function("np.partition T.partition", "A copy with the elements kth where sorting puts them, the smaller ones before and the larger ones after, in no order.",
		"partition([3, 1, 2], 1) # array([1, 2, 3])", func(e *np.Eval, a *partitionArgs) starlark.Value {
			x, axis := sortAxis(e, a.A.D, &a.sortArgs)
			if e.Failed() {
				return nil
			}
			if x.Size() == 0 {
				return e.Result(x.Copy())
			}
			return e.Result(e.Got(tensor.Partition(x, a.Kth, axis, np.StopOf(e.Session))))
		}, partitions(formula.Sort)),
	np.Function("np.lexsort", "The positions that sort by the last of several keys, and where that is equal by the one before.",
		"lexsort([[2, 1, 1], [0, 0, 1]]) # array([1, 0, 2])", func(e *np.Eval, a *struct {
			Keys []functions.Operand `arg:"keys: a list of arrays of one shape"`
			Axis int                 `arg:"axis=-1: the axis"`
		}) starlark.Value {
			keys := np.DensesOf(a.Keys)
			axis := e.AxisOf(a.Axis, keys[0].Rank())
			if e.Failed() {
				return nil
			}
			return e.Result(e.Got(tensor.LexSort(keys, axis, np.StopOf(e.Session))))
		}),
	np.Function("np.nonzero ndarray.nonzero T.nonzero", "The indices of the elements that are not 0, along each axis, as a tuple.",
		"nonzero([0, 5, 7]) # (array([1, 2]),)", func(e *np.Eval, a *nonzeroArgs) starlark.Value { return e.Positions(a.A.D) },
		functions.BuildsTuple(func(g *functions.Graph, a *nonzeroArgs) ([]functions.V, error) {
			list, err := formula.NonZero(g.Builder, a.A.V)
			if err != nil || !a.Matrix {
				return list, err
			}
			matrix, err := formula.Stack(g.Builder, 0, list)
			return []functions.V{matrix}, err
		})),
	np.Function("np.argwhere T.argwhere", "The indices of the elements that are not 0, each a row.",
		"argwhere([0, 5, 7]) # array([[1],\n       [2]])", func(e *np.Eval, a *np.ArrayArg) starlark.Value {
			poll := e.Poll()
			return e.Result(e.Got(poll.ArgWhere(a.A.D, nil)))
		},
		functions.Builds(func(g *functions.Graph, a *np.ArrayArg) (functions.V, error) {
			return g.Apply(op.ArgWhere{}, a.A.V), nil
		})),
	np.Function("np.flatnonzero T.flatnonzero", "The positions, in C order, of the elements that are not 0.",
		"flatnonzero([0, 5, 7]) # array([1, 2])", func(e *np.Eval, a *np.ArrayArg) starlark.Value {
			x := e.Flat(a.A.D)
			if e.Failed() {
				return nil
			}
			return e.Result(e.NonZero(x)[0])
		}, functions.Builds(func(g *functions.Graph, a *np.ArrayArg) (functions.V, error) {
			return formula.FlatNonZero(g.Builder, a.A.V), nil
		})),
	np.Function("np.count_nonzero T.count_nonzero", "How many elements along axis are not 0.",
		"count_nonzero([0, 5, 7]) # 2", func(e *np.Eval, a *countNonzeroArgs) starlark.Value {
			axes := e.AxisSet(a.Axis, a.A.D.Rank())
			z := e.Reduce("sum", a.A.D.As(kernels.Bool), axes)
			if a.KeepDims && !e.Failed() {
				return e.Result(e.Permute(z, restored(axes, a.A.D.Rank())))
			}
			return e.Result(z)
		}, functions.Builds(func(g *functions.Graph, a *countNonzeroArgs) (functions.V, error) {
			return a.Built(g, kernels.Invalid, a.KeepDimsArg, func(b *graph.Builder, x functions.V, axes tensor.Axes) functions.V {
				return formula.Reduce(op.Sum)(b, formula.Truth(b, x), axes)
			})
		})),
	np.Function("np.digitize T.digitize", "The number of the bin that each element lies in: bins[i-1] <= x < bins[i].",
		"digitize([0.5, 1, 9], [0, 1, 2]) # array([1, 2, 3])", func(e *np.Eval, a *digitizeArgs) starlark.Value {
			return e.Result(e.Got(tensor.Digitize(a.X.D, a.Bins.D, a.Right, np.StopOf(e.Session))))
		}, functions.Builds(func(g *functions.Graph, a *digitizeArgs) (functions.V, error) {
			return formula.Digitize(g.Builder, a.X.V, a.Bins.V, a.Right)
		})),
	np.Function("np.bincount T.bincount", "How often each integer from 0 on occurs.",
		"bincount([1, 3, 1]) # array([0, 2, 0, 1])", func(e *np.Eval, a *countArgs) starlark.Value {
			x := e.AsVector("x", a.X.D)
			if e.Failed() {
				return nil
			}
			if x.Size() == 0 {
				x = x.AsType(kernels.Int64)
			}
			return e.Result(e.Got(tensor.BinCount(x, a.Weights.D, a.Minlength, np.StopOf(e.Session))))
		}, functions.Builds(func(g *functions.Graph, a *countArgs) (functions.V, error) {
			return formula.BinCount(g.Builder, a.X.V, a.Weights.V, a.Minlength)
		})),
	np.Function("np.interp T.interp", "The values at x of the lines between points (xp, fp), where xp ascends.",
		"interp(2.5, [1, 2, 3], [3, 2, 0]) # 1.0", func(e *np.Eval, a *interpArgs) starlark.Value {
			if a.Period != nil {
				a.X.D, a.Xp.D, a.Fp.D = periodic(e, a.X.D, a.Xp.D, a.Fp.D, math.Abs(*a.Period))
				a.Left, a.Right = nil, nil
			}
			if e.Failed() {
				return nil
			}
			return e.Result(e.Got(tensor.Interp(a.X.D, a.Xp.D, a.Fp.D, a.Left, a.Right, np.StopOf(e.Session))))
		}, functions.Builds(func(g *functions.Graph, a *interpArgs) (functions.V, error) {
			end := func(x *float64) functions.V {
				if x == nil {
					return nil
				}
				return g.Number(kernels.Float64, *x)
			}
			return formula.Interp(g.Builder, a.X.V, a.Xp.V, a.Fp.V, end(a.Left), end(a.Right))
		})),
	nanScanRow("nancumsum", "sums", "[2., 2., 5.]", op.Sum), nanScanRow("nancumprod", "products", "[2., 2., 6.]", op.Prod),
}

// sortedArgs are the arguments of np.sort and np.argsort.
type sortedArgs struct {
	np.ArrayArg
	sortArgs
}

// searchArgs are the arguments of np.searchsorted.
type searchArgs struct {
	np.ArrayArg
	V      functions.Operand `arg:"v: values"`
	Side   string            `arg:"side=\"left\": left for before equal elements, right for after them"`
	Sorter functions.Operand `arg:"sorter=None: the positions that sort the vector, if it is not sorted"`
}

// takeArgs are the arguments of np.take.
type takeArgs struct {
	np.ArrayArg
	Indices functions.Integers `arg:"indices: a position or an array of them"`
	np.FlatAxisArg
	boundsArg
	np.KeywordOnly
	np.OutArg
}

// countNonzeroArgs are the arguments of np.count_nonzero.
type countNonzeroArgs struct {
	np.ReduceArg
	np.KeywordOnly
	np.KeepDimsArg
}

// digitizeArgs are the arguments of np.digitize.
type digitizeArgs struct {
	X     functions.Operand `arg:"x: an array"`
	Bins  functions.Operand `arg:"bins: the edges, in order"`
	Right bool              `arg:"right=False: whether bins have their right edge instead of the left"`
}

// interpArgs are the arguments of np.interp.
type interpArgs struct {
	X      functions.Operand `arg:"x: where"`
	Xp     functions.Operand `arg:"xp: the points' x, ascending"`
	Fp     functions.Operand `arg:"fp: the points' y"`
	Left   *float64          `arg:"left=None: the value before the first point, its y if not given"`
	Right  *float64          `arg:"right=None: the value after the last point, its y if not given"`
	Period *float64          `arg:"period=None: after which x repeats; xp need not ascend then" eager:"take T.mod of x, and repeat the points"`
}

// nonzeroArgs are the arguments of np.nonzero.
type nonzeroArgs struct {
	np.ArrayArg
	Matrix bool `arg:"return_matrix=False: whether to give the indices as the rows of a matrix" symbolic:"np.stack makes a matrix of the tuple"`
}

// One reports whether the result is no tuple.
func (a *nonzeroArgs) One() bool { return a.Matrix }

// countArgs are the arguments of np.bincount.
type countArgs struct {
	X         functions.Operand `arg:"x: a vector of integers that are not negative"`
	Weights   functions.Operand `arg:"weights=None: what each element adds, instead of 1"`
	Minlength int               `arg:"minlength=0: the least length of the result"`
	Checked   starlark.Value    `arg:"assert_nonneg=False: accepted: a negative integer is an error in any case"`
}

// sortAxis is the axis to sort along; without one, the array is taken as a vector.
func sortAxis(e *np.Eval, x *tensor.Dense, a *sortArgs) (*tensor.Dense, int) {
	sortKind(e, a.Kind)
	return flatOr(e, x, a.Axis)
}

// flatOr is the axis of an array; without one, the array is taken as a vector.
func flatOr(e *np.Eval, x *tensor.Dense, axis *int) (*tensor.Dense, int) {
	if axis == nil {
		return e.Flat(x), 0
	}
	return x, e.AxisOf(*axis, x.Rank())
}

// lanesOr is flatOr where a number counts as an array with an axis.
func lanesOr(e *np.Eval, x *tensor.Dense, axis *int) (*tensor.Dense, int) {
	if x.Rank() == 0 {
		x = e.Flat(x)
	}
	return flatOr(e, x, axis)
}

// sortKind reads a way of sorting, which is checked only: there is one for all.
func sortKind(e *np.Eval, kind string) { np.Keep(e, kind, checkSortKind(kind), kind) }

func checkSortKind(kind string) error {
	if kind == "" {
		return nil
	}
	return np.OneOf("kind", kind, "quicksort", "heapsort", "mergesort", "stable", "introselect")
}

// sorts is the symbolic half of np.sort and np.argsort.
func sorts(build func(b *graph.Builder, x functions.V, axis *int) (functions.V, error)) functions.Half[sortedArgs] {
	return functions.Builds(func(g *functions.Graph, a *sortedArgs) (functions.V, error) {
		if err := checkSortKind(a.Kind); err != nil {
			return nil, err
		}
		return build(g.Builder, a.A.V, a.Axis)
	})
}

// partitions is the symbolic half of np.partition and np.argpartition, which sort.
func partitions(build func(b *graph.Builder, x functions.V, axis *int) (functions.V, error)) functions.Half[partitionArgs] {
	return functions.Builds(func(g *functions.Graph, a *partitionArgs) (functions.V, error) {
		if err := checkSortKind(a.Kind); err != nil {
			return nil, err
		}
		z, err := build(g.Builder, a.A.V, a.Axis)
		if err != nil || a.Axis == nil {
			return z, err
		}
		axis, err := tensor.NormalizeAxis(*a.Axis, z.Type.Rank())
		for _, k := range a.Kth {
			if n := z.Type.Dim(axis); err == nil && n != graph.Unknown && (k < -n || k >= n) {
				err = fmt.Errorf("kth=%d is out of bounds for axis %d with size %d", k, axis, n)
			}
		}
		return z, err
	})
}

// cumulates is the symbolic half of np.cumsum and np.cumprod.
func cumulates(kind op.Reduction) functions.Half[scanArgs] {
	return functions.Builds(func(g *functions.Graph, a *scanArgs) (functions.V, error) {
		z, err := formula.Cumulate(g.Builder, formula.Cast(g.Builder, a.A.V, a.DType), kind, a.Axis)
		if err != nil {
			return nil, err
		}
		return formula.Cast(g.Builder, z, a.DType), nil
	})
}

func bounds(e *np.Eval, mode string) tensor.Bounds {
	return map[string]tensor.Bounds{"raise": tensor.Raise, "wrap": tensor.Wrap, "clip": tensor.Clip}[e.Word("mode", mode, "raise",
		"wrap", "clip")]
}

func scan(kind op.Reduction) func(e *np.Eval, a *scanArgs) starlark.Value {
	return func(e *np.Eval, a *scanArgs) starlark.Value {
		x, axis := lanesOr(e, a.A.D, a.Axis)
		if e.Failed() {
			return nil
		}
		z, err := tensor.Scan(kind.String(), x, axis, cmp.Or(a.DType, kind.Result(x.DType())), np.StopOf(e.Session))
		return e.Array1(e.Noted(z, err, x), err)
	}
}

type putArgs struct {
	np.ArrayArg
	Ind *tensor.Dense `arg:"ind: a position or several"`
	V   *tensor.Dense `arg:"v: values"`
	boundsArg
}

func put(e *np.Eval, args *putArgs) starlark.Value {
	target, mode := e.Target("a", args.A.Value), bounds(e, args.Mode)
	a, at, values := target.D, args.Ind, args.V
	if e.Failed() {
		return nil
	}
	if at.DType().IsFloat() {
		e.Fail("got positions of %v, want integers", at.DType())
	}
	n, positions := a.Size(), at.Ints()
	if values.Size() == 0 && len(positions) > 0 {
		e.Fail("got no values, want at least one")
	}
	values = e.Flat(values.As(a.DType()))
	z, poll := e.Flat(a.Copy()), e.Poll()
	for k, p := range positions {
		poll.Ask(np.PerFunction)
		i := int(p)
		switch {
		case i >= 0 && i < n:
		case mode == tensor.Clip && n > 0:
			i = min(max(i, 0), n-1)
		case mode == tensor.Wrap && n > 0:
			i = np.Modulo(i, n)
		case i < 0 && i >= -n && mode == tensor.Raise:
			i += n
		default:
			e.Fail("position %d is out of bounds for %d elements", i, n)
		}
		if e.Failed() {
			return nil
		}
		from := k % values.Size()
		tensor.CopyTo(e.Part(z, 0, i, i+1), e.Part(values, 0, from, from+1))
	}
	if !e.Failed() {
		tensor.CopyTo(a, e.Reshape(z, a.Shape()...))
	}
	return starlark.None
}

// periodic returns what interpolates with a period: points sorted within one, with the last before
// the first and the first after the last.
func periodic(e *np.Eval, x, xp, fp *tensor.Dense, period float64) (_, _, _ *tensor.Dense) {
	if period == 0 {
		e.FailFor("period", "got 0, want another number")
	}
	if xp.Rank() != 1 || fp.Rank() != 1 || xp.Size() != fp.Size() || xp.Size() == 0 {
		e.Fail("got points of shapes %s, want two vectors of one length", tensor.ShapesOf(xp, fp))
	}
	x, xp = e.Do("remainder", array.AsReal(x), period), e.Do("remainder", array.AsReal(xp), period)
	if e.Failed() {
		return x, xp, fp
	}
	order := e.Got(tensor.ArgSort(xp, 0))
	n := xp.Size()
	xp, fp = e.Got(tensor.Take(xp, order, 0, tensor.Raise, np.StopOf(e.Session))), e.Got(tensor.Take(array.AsReal(fp), order, 0, tensor.Raise, np.StopOf(e.Session)))
	last, first := e.Part(xp, 0, n-1, n), e.Part(xp, 0, 0, 1)
	xp = e.Concatenate(0, e.Do("subtract", last, period), xp, e.Do("add", first, period))
	return x, xp, e.Concatenate(0, e.Part(fp, 0, n-1, n), fp, e.Part(fp, 0, 0, 1))
}

// nanScanRow is the scan of a kind where nan counts as what changes nothing.
func nanScanRow(name, what, result string, kind op.Reduction) functions.Function {
	return np.Function("np."+name+" T."+name, "The cumulative "+what+" of the elements along axis, nan left out.",
		name+"([2, np.nan, 3]) # array("+result+")",
		func(e *np.Eval, a *scanArgs) starlark.Value {
			if x := a.A.D; x.DType().IsFloat() {
				a.A.D = e.Do("where", e.Do("isnan", x), tensor.Scalar(x.DType(), float64(np.Neutral(kind))), x)
			}
			return scan(kind)(e, a)
		}, functions.Builds(func(g *functions.Graph, a *scanArgs) (functions.V, error) {
			z, err := formula.NaNCumulate(g.Builder, formula.Cast(g.Builder, a.A.V, a.DType), kind, a.Axis)
			if err != nil {
				return nil, err
			}
			return formula.Cast(g.Builder, z, a.DType), nil
		}))
}

// inPlaceMethods are the methods that sort the array itself.
var inPlaceMethods = []value.Builtin{
	np.ArrayMethod("sort", "Puts the elements in ascending order along axis, nan last.", "np.array([3, 1, 2]).sort()",
		func(e *np.Eval, self *np.Array, a *struct {
			Axis int    `arg:"axis=-1: the axis"`
			Kind string `arg:"kind=None: accepted: sorting is always stable"`
		}) starlark.Value {
			axis := e.AxisOf(a.Axis, self.D.Rank())
			sortKind(e, a.Kind)
			if e.Got(self.D, self.Writable()); !e.Failed() {
				e.Got(self.D, self.D.Sort(axis, np.StopOf(e.Session)))
			}
			return starlark.None
		}),
	np.ArrayMethod("partition", "Puts the elements kth where sorting puts them, and the smaller ones before: sorts.",
		"np.array([3, 1, 2]).partition(1)", func(e *np.Eval, self *np.Array, a *struct {
			Kth  []int `arg:"kth: a position or several"`
			Axis int   `arg:"axis=-1: the axis"`
		}) starlark.Value {
			axis := e.AxisOf(a.Axis, self.D.Rank())
			if e.Got(self.D, self.Writable()); !e.Failed() {
				if z := e.Got(tensor.Partition(self.D, a.Kth, axis, np.StopOf(e.Session))); !e.Failed() {
					tensor.CopyTo(self.D, z)
				}
			}
			return starlark.None
		}),
}
