package numeric

import (
	"errors"

	"github.com/arignote/arignote/kernels"
	"github.com/arignote/arignote/runtime/array"
	"github.com/arignote/arignote/runtime/formula"
	"github.com/arignote/arignote/runtime/tensor"
	"github.com/arignote/arignote/starlib/functions"
	"github.com/arignote/arignote/starlib/np"
	"go.starlark.net/starlark"
)

// isinArgs are the arguments of np.isin, and in1dArgs those of np.in1d.
type isinArgs struct {
	Element      functions.Operand `arg:"element: an array"`
	TestElements functions.Operand `arg:"test_elements: an array"`
	AssumeUnique bool              `arg:"assume_unique=False: accepted; it makes no difference"`
	Invert       bool              `arg:"invert=False: whether it is none of them"`
}

type in1dArgs struct {
	Ar1          functions.Operand `arg:"ar1: an array"`
	Ar2          functions.Operand `arg:"ar2: an array"`
	AssumeUnique bool              `arg:"assume_unique=False: accepted; it makes no difference"`
	Invert       bool              `arg:"invert=False: whether it is none of them"`
}

// setTable is the functions that take arrays for sets of their elements.
var setTable = []functions.Function{
	np.Function("np.unique T.unique", "The different elements in ascending order, and on request where they are: then a tuple, a list in T.",
		"unique([3, 1, 3]) # array([1, 3])", unique, functions.BuildsParts(uniqueVariables)),
	np.Function("np.isin T.isin", "Whether each element is one of test_elements.",
		"isin([1, 2, 3], [2, 5]) # array([False,  True, False])", func(e *np.Eval, a *isinArgs) starlark.Value {
			return e.Result(array.In(a.Element.D, a.TestElements.D, a.Invert, np.StopOf(e.Session)))
		}, functions.Builds(func(g *functions.Graph, a *isinArgs) (functions.V, error) {
			return formula.In(g.Builder, a.Element.V, a.TestElements.V, a.Invert), nil
		})),
	np.Function("np.in1d T.in1d", "Whether each element, taken as a vector, is one of ar2.",
		"in1d([1, 2, 3], [2, 5]) # array([False,  True, False])", func(e *np.Eval, a *in1dArgs) starlark.Value {
			return e.Result(array.In(e.Flat(a.Ar1.D), a.Ar2.D, a.Invert, np.StopOf(e.Session)))
		}, functions.Builds(func(g *functions.Graph, a *in1dArgs) (functions.V, error) {
			return formula.In(g.Builder, formula.Ravel(g.Builder, a.Ar1.V), a.Ar2.V, a.Invert), nil
		})),
	np.Function("np.union1d", "The different elements of both arrays, in ascending order.",
		"union1d([1, 2], [3, 2]) # array([1, 2, 3])", func(e *np.Eval, a *struct {
			Ar1 *tensor.Dense `arg:"ar1: an array"`
			Ar2 *tensor.Dense `arg:"ar2: an array"`
		}) starlark.Value {
			return e.Result(e.OfSets(array.Calculator.Union, a.Ar1, a.Ar2))
		}),
	np.Function("np.intersect1d", "The different elements that both arrays have, in ascending order.",
		"intersect1d([3, 1, 2], [2, 3]) # array([2, 3])", func(e *np.Eval, a *struct {
			Ar1           *tensor.Dense `arg:"ar1: an array"`
			Ar2           *tensor.Dense `arg:"ar2: an array"`
			AssumeUnique  bool          `arg:"assume_unique=False: accepted; it makes no difference"`
			ReturnIndices bool          `arg:"return_indices=False: also the first position of each in both: then a tuple"`
		}) starlark.Value {
			common := e.OfSets(array.Calculator.Intersect, a.Ar1, a.Ar2)
			if !a.ReturnIndices {
				return e.Result(common.AsType(kernels.Promote(a.Ar1.DType(), a.Ar2.DType())))
			}
			return tuple(e, common, e.OfSets(array.Calculator.FirstOf, common, a.Ar1), e.OfSets(array.Calculator.FirstOf, common, a.Ar2))
		}),
	np.Function("np.setdiff1d", "The different elements of the first array that the second has not, in ascending order.",
		"setdiff1d([3, 1, 2], [2]) # array([1, 3])", func(e *np.Eval, a *struct {
			Ar1          *tensor.Dense `arg:"ar1: an array"`
			Ar2          *tensor.Dense `arg:"ar2: an array"`
			AssumeUnique bool          `arg:"assume_unique=False: whether to keep order and repetition of the first"`
		}) starlark.Value {
			if a.AssumeUnique {
				return e.Result(e.Filter(a.Ar1, array.In(a.Ar1, a.Ar2, true, np.StopOf(e.Session))))
			}
			return e.Result(e.OfSets(array.Calculator.Difference, a.Ar1, a.Ar2))
		}),
	np.Function("np.setxor1d", "The different elements that only one of the arrays has, in ascending order.",
		"setxor1d([3, 1, 2], [2, 5]) # array([1, 3, 5])", func(e *np.Eval, a *struct {
			Ar1          *tensor.Dense `arg:"ar1: an array"`
			Ar2          *tensor.Dense `arg:"ar2: an array"`
			AssumeUnique bool          `arg:"assume_unique=False: accepted; it makes no difference"`
		}) starlark.Value {
			return e.Result(e.OfSets(array.Calculator.SymmetricDifference, a.Ar1, a.Ar2))
		}),
}

// uniqueArgs are the arguments of np.unique.
type uniqueArgs struct {
	Ar            functions.Operand `arg:"ar: an array"`
	ReturnIndex   bool              `arg:"return_index=False: also the first position of each"`
	ReturnInverse bool              `arg:"return_inverse=False: also which of them each element is"`
	ReturnCounts  bool              `arg:"return_counts=False: also how often each is there"`
	Axis          *int              `arg:"axis=None: an axis whose parts are the elements; numbers if not given"`
	_             struct{}          `arg:"*:"`
	EqualNan      bool              `arg:"equal_nan=True: False is not in Arignote: all nan are one"`
}

// uniqueVariables is the symbolic half of unique.
func uniqueVariables(g *functions.Graph, a *uniqueArgs) ([]functions.V, error) {
	if !a.EqualNan {
		return nil, errors.New("for parameter equal_nan: got False: nan counts as one element")
	}
	values, first, inverse, counts, err := formula.Unique(g.Builder, a.Ar.V, a.Axis)
	if err != nil {
		return nil, err
	}
	results := []functions.V{values}
	for v, wanted := range []bool{a.ReturnIndex, a.ReturnInverse, a.ReturnCounts} {
		if wanted {
			results = append(results, []functions.V{first, inverse, counts}[v])
		}
	}
	return results, nil
}

func unique(e *np.Eval, a *uniqueArgs) starlark.Value {
	if !a.EqualNan {
		e.FailFor("equal_nan", "got False: nan counts as one element")
	}
	if e.Failed() {
		return nil
	}
	var u *tensor.Uniques
	var err error
	switch {
	case a.Axis != nil:
		axis := e.AxisOf(*a.Axis, a.Ar.D.Rank())
		if e.Failed() {
			return nil
		}
		u, err = tensor.UniqueAlong(a.Ar.D, axis, np.StopOf(e.Session))
	case a.ReturnIndex || a.ReturnInverse:
		u, err = tensor.Unique(e.Flat(a.Ar.D), np.StopOf(e.Session))
	default:
		u, err = tensor.Distinct(e.Flat(a.Ar.D), np.StopOf(e.Session))
	}
	if np.Keep(e, u, err, nil); e.Failed() {
		return nil
	}
	results := []*tensor.Dense{u.Values}
	for _, part := range []struct {
		wanted bool
		d      *tensor.Dense
	}{{a.ReturnIndex, u.First}, {a.ReturnInverse, u.Inverse}, {a.ReturnCounts, u.Counts}} {
		if part.wanted {
			results = append(results, part.d)
		}
	}
	if len(results) == 1 {
		return e.Result(results[0])
	}
	return tuple(e, results...)
}
