package np

import (
	"cmp"
	"slices"

	"github.com/arignote/arignote/kernels"
	"github.com/arignote/arignote/runtime/tensor"
	"github.com/arignote/arignote/starlib/functions"
	"go.starlark.net/starlark"
)

// setTable is the functions that take arrays for sets of their elements.
var setTable = []functions.Function{
	function("np.unique", "The different elements in ascending order, and on request where they are: then a tuple.",
		"unique([3, 1, 3]) # array([1, 3])", unique),
	function("np.isin", "Whether each element is one of test_elements.",
		"isin([1, 2, 3], [2, 5]) # array([False,  True, False])", func(e *eval, a *struct {
			Element      functions.Operand `arg:"element: an array"`
			TestElements functions.Operand `arg:"test_elements: an array"`
			AssumeUnique bool              `arg:"assume_unique=False: accepted; it makes no difference"`
			Invert       bool              `arg:"invert=False: whether it is none of them"`
		}) starlark.Value {
			return e.value(e.among(a.Element.D, a.TestElements.D, a.Invert))
		}),
	function("np.in1d", "Whether each element, taken as a vector, is one of ar2.",
		"in1d([1, 2, 3], [2, 5]) # array([False,  True, False])", func(e *eval, a *struct {
			Ar1          *tensor.Dense `arg:"ar1: an array"`
			Ar2          *tensor.Dense `arg:"ar2: an array"`
			AssumeUnique bool          `arg:"assume_unique=False: accepted; it makes no difference"`
			Invert       bool          `arg:"invert=False: whether it is none of them"`
		}) starlark.Value {
			return e.value(e.among(e.flat(a.Ar1), a.Ar2, a.Invert))
		}),
	function("np.union1d", "The different elements of both arrays, in ascending order.",
		"union1d([1, 2], [3, 2]) # array([1, 2, 3])", func(e *eval, a *struct {
			Ar1 *tensor.Dense `arg:"ar1: an array"`
			Ar2 *tensor.Dense `arg:"ar2: an array"`
		}) starlark.Value {
			return e.value(e.uniqueOf(e.concatenate(0, e.flat(a.Ar1), e.flat(a.Ar2))))
		}),
	function("np.intersect1d", "The different elements that both arrays have, in ascending order.",
		"intersect1d([3, 1, 2], [2, 3]) # array([2, 3])", func(e *eval, a *struct {
			Ar1           *tensor.Dense `arg:"ar1: an array"`
			Ar2           *tensor.Dense `arg:"ar2: an array"`
			AssumeUnique  bool          `arg:"assume_unique=False: accepted; it makes no difference"`
			ReturnIndices bool          `arg:"return_indices=False: also the first position of each in both: then a tuple"`
		}) starlark.Value {
			x, b := e.flat(a.Ar1), e.flat(a.Ar2)
			common := e.uniqueOf(e.filter(x, e.among(x, b, false)))
			if !a.ReturnIndices {
				return e.value(e.filter(common, constant(kernels.Bool, common.Shape(), 1)).AsType(kernels.Promote(x.DType(), b.DType())))
			}
			return e.tuple(common, e.firstOf(common, x), e.firstOf(common, b))
		}),
	function("np.setdiff1d", "The different elements of the first array that the second has not, in ascending order.",
		"setdiff1d([3, 1, 2], [2]) # array([1, 3])", func(e *eval, a *struct {
			Ar1          *tensor.Dense `arg:"ar1: an array"`
			Ar2          *tensor.Dense `arg:"ar2: an array"`
			AssumeUnique bool          `arg:"assume_unique=False: whether to keep order and repetition of the first"`
		}) starlark.Value {
			x := e.flat(a.Ar1)
			if !a.AssumeUnique {
				x = e.uniqueOf(x)
			}
			return e.value(e.filter(x, e.among(x, a.Ar2, true)))
		}),
	function("np.setxor1d", "The different elements that only one of the arrays has, in ascending order.",
		"setxor1d([3, 1, 2], [2, 5]) # array([1, 3, 5])", func(e *eval, a *struct {
			Ar1          *tensor.Dense `arg:"ar1: an array"`
			Ar2          *tensor.Dense `arg:"ar2: an array"`
			AssumeUnique bool          `arg:"assume_unique=False: accepted; it makes no difference"`
		}) starlark.Value {
			x, b := e.flat(a.Ar1), e.flat(a.Ar2)
			return e.value(e.uniqueOf(e.concatenate(0, e.filter(x, e.among(x, b, true)), e.filter(b, e.among(b, x, true)))))
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

func unique(e *eval, a *uniqueArgs) starlark.Value {
	if !a.EqualNan {
		e.failFor("equal_nan", "got False: nan counts as one element")
	}
	if e.failed() {
		return nil
	}
	var u *tensor.Uniques
	var err error
	if a.Axis != nil {
		u = e.uniqueParts(a.Ar.D, e.axisOf(*a.Axis, a.Ar.D.Rank()))
	} else {
		u, err = tensor.Unique(e.flat(a.Ar.D))
	}
	if keep(e, u, err, nil); e.failed() {
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
		return e.value(results[0])
	}
	return e.tuple(results...)
}

// uniqueParts is np.unique along an axis: parts are in the order of their first elements that differ.
func (e *eval) uniqueParts(a *tensor.Dense, axis int) *tensor.Uniques {
	if e.failed() {
		return nil
	}
	n := a.Dim(axis)
	rows := e.permute(a, append([]int{axis}, without(a.Rank(), []int{axis})...))
	var compare func(i, j int) int
	if width := max(a.Size()/max(n, 1), 0); a.DType().IsFloat() {
		compare = rowOrder(rows.Floats(), width)
	} else if a.DType() == kernels.Uint64 {
		compare = rowOrder(tensor.Elements[uint64](rows.Copy()), width)
	} else {
		compare = rowOrder(rows.Ints(), width)
	}
	order := countTo(n)
	slices.SortStableFunc(order, compare)
	var first []int
	var counts []int64
	inverse := make([]int64, n)
	for k, i := range order {
		if k == 0 || compare(order[k-1], i) != 0 {
			first, counts = append(first, i), append(counts, 0)
		}
		counts[len(counts)-1]++
		inverse[i] = int64(len(first) - 1)
	}
	at := make([]int64, len(first))
	for k, i := range first {
		at[k] = int64(i)
	}
	return &tensor.Uniques{Values: e.gather(a, axis, first), First: tensor.From(at, len(at)),
		Inverse: tensor.From(inverse, n), Counts: tensor.From(counts, len(counts))}
}

// rowOrder compares rows of a width in their elements from the first on.
func rowOrder[E cmp.Ordered](data []E, width int) func(i, j int) int {
	return func(i, j int) int { return slices.Compare(data[i*width:(i+1)*width], data[j*width:(j+1)*width]) }
}

// uniqueOf is np.unique of a vector.
func (e *eval) uniqueOf(a *tensor.Dense) *tensor.Dense {
	if e.failed() {
		return meaningless()
	}
	u, err := tensor.Unique(a)
	if keep(e, u, err, nil); e.failed() {
		return meaningless()
	}
	return u.Values
}

// among reports which elements of a are among those of b.
func (e *eval) among(a, b *tensor.Dense, invert bool) *tensor.Dense {
	if e.failed() {
		return tensor.New(kernels.Bool, 0)
	}
	to := kernels.Promote(a.DType(), b.DType())
	z := tensor.New(kernels.Bool, a.Shape()...)
	bits := tensor.Elements[uint8](z)
	mark := func(i int, there bool) {
		if there != invert {
			bits[i] = 1
		}
	}
	if to.IsFloat() { // nan is among none: a map does not find it
		set := map[float64]bool{}
		for _, x := range b.AsType(to).Floats() {
			set[x] = true
		}
		for i, x := range a.AsType(to).Floats() {
			mark(i, set[x])
		}
		return z
	}
	set := map[int64]bool{} // of uint64, the bits
	for _, x := range b.AsType(to).Ints() {
		set[x] = true
	}
	for i, x := range a.AsType(to).Ints() {
		mark(i, set[x])
	}
	return z
}

// filter returns the elements of a vector where a mask is true.
func (e *eval) filter(a, mask *tensor.Dense) *tensor.Dense {
	if e.failed() {
		return meaningless()
	}
	var at []int
	for _, i := range nonZero(mask)[0].Ints() {
		at = append(at, int(i))
	}
	return e.gather(a, 0, at)
}

// firstOf returns the first position in a of each element of common, which all are there.
func (e *eval) firstOf(common, a *tensor.Dense) *tensor.Dense {
	if e.failed() {
		return meaningless()
	}
	u, err := tensor.Unique(a)
	if keep(e, u, err, nil); e.failed() {
		return meaningless()
	}
	at := e.got(tensor.SearchSorted(u.Values, common, false, nil))
	if e.failed() {
		return meaningless()
	}
	return e.got(tensor.Take(u.First, at, 0, tensor.Raise))
}
