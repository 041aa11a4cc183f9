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

// Unique finds the different elements of an array of any rank. Elements that compare equal count as
// one, and so does NaN. The error is ErrStopped if stop is raised.
func Unique(a *Dense, stop kernels.Stop) (*Uniques, error) {
	size := a.Size()
	if err := CheckSize(48, []int{size}); err != nil { // keys twice, and what is returned
		return nil, err
	}
	flat := a.flat()
	both, memory := scratch[keyed](2 * size)
	defer memory.Release()
	keys, tmp := both[:size], both[size:]
	if size > 0 {
		if !encodeEqual(a.dtype).keyed(keys, flat.Pointer(), a.dtype.Size(), stop) || !sortKeys(keys, tmp, stop) {
			return nil, ErrStopped
		}
	}
	n := 0
	if !inBlocks(size, stop, func(begin, end int) {
		for i := begin; i < end; i++ {
			if i == 0 || keys[i].key != keys[i-1].key {
				n++
			}
		}
	}) {
		return nil, ErrStopped
	}
	u := &Uniques{First: Empty(kernels.Int64, n), Inverse: Empty(kernels.Int64, size),
		Counts: Empty(kernels.Int64, n)}
	first, counts := Elements[int64](u.First), Elements[int64](u.Counts)
	inverse := Elements[int64](u.Inverse)
	at := -1
	if !inBlocks(size, stop, func(begin, end int) {
		for i, k := range keys[begin:end] {
			if i += begin; i == 0 || k.key != keys[i-1].key {
				at++
				first[at], counts[at] = k.at, 0
			}
			counts[at]++
			inverse[k.at] = int64(at)
		}
	}) {
		return nil, ErrStopped
	}
	var err error
	line := flat.view([]int{size}, []int{a.dtype.Size()}, flat.offset)
	u.Values, err = Take(line, u.First, 0, Raise, stop)
	return u, err
}

// Distinct is Unique without First and Inverse: it sorts the elements alone, in a small part of the
// time.
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

// A runner returns where runs of equal elements begin in n sorted ones; NaN is one run. ok is false
// if stop is raised.
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

// UniqueAlong finds the different parts of an array along an axis, in the order of their first
// elements that differ. Elements that compare equal count as one, and so does NaN. The values lie
// along that axis. The error is ErrStopped if stop is raised.
func UniqueAlong(a *Dense, axis int, stop kernels.Stop) (u *Uniques, err error) {
	defer caught(&err)
	poll := Poll{Stop: stop}
	if axis, err = NormalizeAxis(axis, a.Rank()); err != nil {
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
	width := a.Size() / max(n, 1)
	var inRows func(i, j int) int
	if a.DType().IsFloat() {
		inRows = rowOrder(rows.Floats(), width)
	} else if a.DType() == kernels.Uint64 {
		inRows = rowOrder(Elements[uint64](rows.Copy()), width)
	} else {
		inRows = rowOrder(rows.Ints(), width)
	}
	compare := func(i, j int) int {
		poll.Ask(width)
		return inRows(i, j)
	}
	places := make([]int, n)
	for i := range places {
		places[i] = i
	}
	slices.SortStableFunc(places, compare)
	var first, counts []int64
	inverse := make([]int64, n)
	for k, i := range places {
		if k == 0 || compare(places[k-1], i) != 0 {
			first, counts = append(first, int64(i)), append(counts, 0)
		}
		counts[len(counts)-1]++
		inverse[i] = int64(len(first) - 1)
	}
	u = &Uniques{First: From(first, len(first)), Inverse: From(inverse, n), Counts: From(counts, len(counts))}
	u.Values, err = Take(a, u.First, axis, Raise, stop)
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
