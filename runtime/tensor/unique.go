package tensor

import (
	"cmp"
	"slices"
	"unsafe"

	"github.com/arignote/arignote/kernels"
)

// Uniques are the different elements of an array in ascending order, NaN last and once.
type Uniques struct {
	Values  *Dense // [n]
	First   *Dense // int64 [n]: where, in C order, each value comes first
	Inverse *Dense // int64 [size]: which value each element has, in C order
	Counts  *Dense // int64 [n]: how many elements have the value
}

// Unique finds the different elements of an array of any rank. Elements that compare equal count as one, and so does NaN. The error is
// ErrStopped if stop is raised.
func Unique(a *Dense, stop kernels.Stop) (*Uniques, error) {
	size := a.Size()
	if err := CheckSize(48, []int{size}); err != nil { // keys twice, and what is returned
		return nil, err
	}
	flat := a.flat()
	keys := make([]keyed, 2*size)
	keys, tmp := keys[:size], keys[size:]
	if size > 0 {
		if !encodeEqual(a.dtype).keyed(keys, flat.Pointer(), a.dtype.Size(), stop) || !sortKeys(keys, tmp, stop) {
			return nil, ErrStopped
		}
	}
	var first, counts []int64
	inverse := make([]int64, size)
	for i, k := range keys {
		if i%pollEvery == 0 && kernels.Stopped(stop) {
			return nil, ErrStopped
		}
		if i == 0 || k.key != keys[i-1].key {
			first, counts = append(first, k.at), append(counts, 0)
		}
		counts[len(counts)-1]++
		inverse[k.at] = int64(len(counts) - 1)
	}
	n := len(first)
	u := &Uniques{First: From(first, n), Inverse: From(inverse, size), Counts: From(counts, n)}
	var err error
	u.Values, err = takeRows(flat.view([]int{size}, []int{a.dtype.Size()}, flat.offset), first, 0)
	return u, err
}

// Distinct is Unique without First and Inverse: it sorts the elements alone, in a small part of the time.
func Distinct(a *Dense, stop kernels.Stop) (*Uniques, error) {
	size := a.Size()
	if err := CheckSize(2*a.dtype.Size()+16, []int{size}); err != nil { // a sorted copy, room for another, and what is returned
		return nil, err
	}
	if a = a.flat(); len(a.shape) != 1 {
		a = a.view([]int{size}, []int{a.dtype.Size()}, a.offset)
	}
	sorted, room := Empty(a.dtype, size), Empty(a.dtype, size)
	defer sorted.Release()
	defer room.Release()
	run, _ := Movement.Sort(kernels.SortKey{In: a.dtype})
	if err := a.sortInto(sorted, run, room, stop); err != nil {
		return nil, err
	}
	first, ok := loopsOf[a.dtype].runs(sorted.Pointer(), size, stop)
	if !ok {
		return nil, ErrStopped
	}
	counts := make([]int64, len(first))
	for i, at := range first {
		end := int64(size)
		if i+1 < len(first) {
			end = first[i+1]
		}
		counts[i] = end - at
	}
	values, err := Take(sorted, From(first, len(first)), 0, Raise, stop)
	if err != nil {
		return nil, err
	}
	return &Uniques{Values: values, Counts: From(counts, len(counts))}, nil
}

// A runner returns where runs of equal elements begin in n sorted ones; NaN is one run. ok is false if stop is raised.
type runner func(p unsafe.Pointer, n int, stop kernels.Stop) (first []int64, ok bool)

func runs[T integer | float](p unsafe.Pointer, n int, stop kernels.Stop) (first []int64, ok bool) {
	all := vec[T](p, n)
	for i, x := range all {
		if i%pollEvery == 0 && kernels.Stopped(stop) {
			return nil, false
		}
		if i == 0 || x != all[i-1] && (x == x || all[i-1] == all[i-1]) {
			first = append(first, int64(i))
		}
	}
	return first, true
}

// UniqueAlong finds the different parts of an array along an axis, in the order of their first elements that differ. Elements that compare equal count as
// one, and so does NaN. The values lie along that axis. The error is ErrStopped if stop is raised.
func UniqueAlong(a *Dense, axis int, stop kernels.Stop) (*Uniques, error) {
	axis, err := NormalizeAxis(axis, a.Rank())
	if err != nil {
		return nil, err
	}
	if a.Rank() == 1 {
		return Unique(a, stop)
	}
	n := a.Dim(axis)
	order := []int{axis}
	for i := range a.Rank() {
		if i != axis {
			order = append(order, i)
		}
	}
	rows, err := a.DimShuffle(order)
	if err != nil {
		return nil, err
	}
	var compare func(i, j int) int
	if width := a.Size() / max(n, 1); a.DType().IsFloat() {
		compare = rowOrder(rows.Floats(), width)
	} else if a.DType() == kernels.Uint64 {
		compare = rowOrder(Elements[uint64](rows.Copy()), width)
	} else {
		compare = rowOrder(rows.Ints(), width)
	}
	places := make([]int, n)
	for i := range places {
		places[i] = i
	}
	// A sort cannot be left. When it is to stop all parts are equal, and it soon ends.
	compared, ended := 0, false
	slices.SortStableFunc(places, func(i, j int) int {
		if compared++; compared%pollEvery == 1 {
			ended = kernels.Stopped(stop)
		}
		if ended {
			return 0
		}
		return compare(i, j)
	})
	if ended || kernels.Stopped(stop) {
		return nil, ErrStopped
	}
	var first, counts []int64
	inverse := make([]int64, n)
	for k, i := range places {
		if k == 0 || compare(places[k-1], i) != 0 {
			first, counts = append(first, int64(i)), append(counts, 0)
		}
		counts[len(counts)-1]++
		inverse[i] = int64(len(first) - 1)
	}
	u := &Uniques{First: From(first, len(first)), Inverse: From(inverse, n), Counts: From(counts, len(counts))}
	u.Values, err = Take(a, u.First, axis, Raise, nil)
	return u, err
}

// rowOrder compares rows of a width in their elements from the first on; nan comes last.
func rowOrder[E cmp.Ordered](data []E, width int) func(i, j int) int {
	compare := func(x, y E) int {
		if x != x || y != y {
			return cmp.Compare(y, x) // for cmp it comes first
		}
		return cmp.Compare(x, y)
	}
	return func(i, j int) int {
		return slices.CompareFunc(data[i*width:(i+1)*width], data[j*width:(j+1)*width], compare)
	}
}
