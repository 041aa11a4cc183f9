package np

import (
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
		"axis=None: not in Arignote", "*:", "equal_nan=True: False is not in Arignote: all nan are one"),
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
	a := e.flat(e.array(0))
	if e.given(4) {
		e.failAt(4, "np.unique along an axis is not in Arignote yet")
	}
	if !e.bool(6, true) {
		e.failAt(6, "got False: nan counts as one element")
	}
	if e.failed() {
		return nil
	}
	u, err := tensor.Unique(a)
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
