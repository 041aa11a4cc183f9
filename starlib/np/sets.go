package np

import (
	"cmp"
	"slices"

	"github.com/arignote/arignote/kernels"
	"github.com/arignote/arignote/runtime/tensor"
	"github.com/arignote/arignote/starlib/value"
	"go.starlark.net/starlark"
)

// setTable is the functions that take arrays for sets of their elements.
var setTable = []value.Builtin{
	evalRow("np.", "unique", "The different elements in ascending order, and on request where they are: then a tuple.",
		"np.unique([3, 1, 3]) # array([1, 3])", unique, "ar: an array", "return_index=False: also the first position of each",
		"return_inverse=False: also which of them each element is", "return_counts=False: also how often each is there",
		"axis=None: an axis whose parts are the elements; numbers if not given", "*:",
		"equal_nan=True: False is not in Arignote: all nan are one"),
	npRow("isin", "Whether each element is one of test_elements.", "np.isin([1, 2, 3], [2, 5]) # array([False,  True, False])",
		func(e *eval) *tensor.Dense { return e.among(e.array(0), e.array(1), e.bool(3, false)) }, "element: an array",
		"test_elements: an array", "assume_unique=False: accepted; it makes no difference", "invert=False: whether it is none of them"),
	npRow("in1d", "Whether each element, taken as a vector, is one of ar2.",
		"np.in1d([1, 2, 3], [2, 5]) # array([False,  True, False])",
		func(e *eval) *tensor.Dense { return e.among(e.flat(e.array(0)), e.array(1), e.bool(3, false)) }, "ar1: an array",
		"ar2: an array", "assume_unique=False: accepted; it makes no difference", "invert=False: whether it is none of them"),
	npRow("union1d", "The different elements of both arrays, in ascending order.", "np.union1d([1, 2], [3, 2]) # array([1, 2, 3])",
		func(e *eval) *tensor.Dense {
			return e.uniqueOf(e.concatenate(0, e.flat(e.array(0)), e.flat(e.array(1))))
		}, "ar1: an array", "ar2: an array"),
	evalRow("np.", "intersect1d", "The different elements that both arrays have, in ascending order.",
		"np.intersect1d([3, 1, 2], [2, 3]) # array([2, 3])", func(e *eval) starlark.Value {
			a, b := e.flat(e.array(0)), e.flat(e.array(1))
			common := e.uniqueOf(e.filter(a, e.among(a, b, false)))
			if !e.bool(3, false) {
				return e.value(e.filter(common, constant(kernels.Bool, common.Shape(), 1)).AsType(kernels.Promote(a.DType(), b.DType())))
			}
			return e.tuple(common, e.firstOf(common, a), e.firstOf(common, b))
		}, "ar1: an array", "ar2: an array", "assume_unique=False: accepted; it makes no difference",
		"return_indices=False: also the first position of each in both: then a tuple"),
	npRow("setdiff1d", "The different elements of the first array that the second has not, in ascending order.",
		"np.setdiff1d([3, 1, 2], [2]) # array([1, 3])", func(e *eval) *tensor.Dense {
			a := e.flat(e.array(0))
			if !e.bool(2, false) {
				a = e.uniqueOf(a)
			}
			return e.filter(a, e.among(a, e.array(1), true))
		}, "ar1: an array", "ar2: an array", "assume_unique=False: whether to keep order and repetition of the first"),
	npRow("setxor1d", "The different elements that only one of the arrays has, in ascending order.",
		"np.setxor1d([3, 1, 2], [2, 5]) # array([1, 3, 5])", func(e *eval) *tensor.Dense {
			a, b := e.flat(e.array(0)), e.flat(e.array(1))
			return e.uniqueOf(e.concatenate(0, e.filter(a, e.among(a, b, true)), e.filter(b, e.among(b, a, true))))
		}, "ar1: an array", "ar2: an array", "assume_unique=False: accepted; it makes no difference"),
}

func unique(e *eval) starlark.Value {
	a := e.array(0)
	if !e.bool(6, true) {
		e.failAt(6, "got False: nan counts as one element")
	}
	if e.failed() {
		return nil
	}
	var u *tensor.Uniques
	var err error
	if e.given(4) {
		u = e.uniqueParts(a, e.axis(4, 0, a.Rank()))
	} else {
		u, err = tensor.Unique(e.flat(a))
	}
	if keep(e, u, err, nil); e.failed() {
		return nil
	}
	results := []*tensor.Dense{u.Values}
	for i, d := range []*tensor.Dense{u.First, u.Inverse, u.Counts} {
		if e.bool(1+i, false) {
			results = append(results, d)
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
