package tensor

import (
	"fmt"
	"slices"

	"github.com/arignote/arignote/kernels"
)

// A searcher writes to z where each of values belongs in sorted: before the elements equal to it
// or, of the right side, after them. It returns false if stop was raised.
type searcher func(z []int64, sorted, values *Dense, right bool, stop kernels.Stop) bool

// search has NaN after everything else. Neighbours of values often belong near each other, so the
// bounds of the last search are used again.
func search[T integer | float](z []int64, sorted, values *Dense, right bool, stop kernels.Stop) bool {
	list := vec[T](sorted.Pointer(), sorted.Size())
	less := func(a, b T) bool { return a < b || b != b && a == a }
	var last T
	lo, hi := 0, len(list)
	for i, v := range vec[T](values.Pointer(), values.Size()) {
		if i%searchedBetween == 0 && kernels.Stopped(stop) {
			return false
		}
		switch {
		case i == 0:
		case less(last, v):
			hi = len(list)
		default:
			lo, hi = 0, min(hi+1, len(list))
		}
		last = v
		for lo < hi {
			mid := int(uint(lo+hi) / 2)
			if less(list[mid], v) || right && !less(v, list[mid]) {
				lo = mid + 1
			} else {
				hi = mid
			}
		}
		z[i] = int64(lo)
	}
	return true
}

// searchedBetween is how many values are searched for between two looks at a Stop: each may take as
// many cache misses as the vector has halves.
const searchedBetween = pollEvery / 16

// SearchSorted returns where each of values belongs in the ascending vector sorted, as int64 in the
// shape of values: before the elements equal to it or, with right, after them. sorter, unless nil,
// are the positions that sort the vector. Different types are compared as the type that holds both.
// The error is ErrStopped if stop is raised.
func SearchSorted(sorted, values *Dense, right bool, sorter *Dense, stop kernels.Stop) (*Dense, error) {
	if sorted.Rank() != 1 {
		return nil, fmt.Errorf("searchsorted: got a sorted array of rank %d, want 1", sorted.Rank())
	}
	if sorter != nil {
		if !slices.Equal(sorter.shape, sorted.shape) {
			return nil, fmt.Errorf("searchsorted: got a sorter of shape %s, want %s",
				ShapeString(sorter.shape), ShapeString(sorted.shape))
		}
		var err error
		if sorted, err = Take(sorted, sorter, 0, Raise, stop); err != nil {
			return nil, fmt.Errorf("searchsorted: sorter: %w", err)
		}
	}
	if err := CheckSize(8, values.shape); err != nil {
		return nil, err
	}
	dtype := kernels.Promote(sorted.dtype, values.dtype)
	x, err := contiguousAs(sorted, dtype)
	if err != nil {
		return nil, err
	}
	v, err := contiguousAs(values, dtype)
	if err != nil {
		return nil, err
	}
	z := Empty(kernels.Int64, values.shape...)
	return z, SearchSortedTo(z, x, v, right, stop)
}

// SearchSortedTo is SearchSorted into z, which is int64 in the shape of values. All are
// C-contiguous, and sorted and values of one type.
func SearchSortedTo(z, sorted, values *Dense, right bool, stop kernels.Stop) error {
	if z.Size() > 0 && !loopsOf[sorted.dtype].search(Elements[int64](z), sorted, values, right, stop) {
		return ErrStopped
	}
	return nil
}

// contiguousAs returns a, or a contiguous copy of another type.
func contiguousAs(a *Dense, dtype kernels.DType) (*Dense, error) {
	if a.dtype == dtype && a.IsContiguous() {
		return a, nil
	}
	if err := CheckSize(dtype.Size(), a.shape); err != nil {
		return nil, err
	}
	return a.AsType(dtype), nil
}

// Digitize returns the number of the bin, int64 in the shape of x, that each element lies in:
// bins[i-1] <= x < bins[i] or, with right, bins[i-1] < x <= bins[i]. Of bins that descend it is
// bins[i-1] > x >= bins[i] or, with right, bins[i-1] >= x > bins[i]. The error is ErrStopped if
// stop is raised.
func Digitize(x, bins *Dense, right bool, stop kernels.Stop) (*Dense, error) {
	if bins.Rank() != 1 {
		return nil, fmt.Errorf("digitize: got bins of rank %d, want 1", bins.Rank())
	}
	edges, err := contiguousAs(bins, kernels.Float64)
	if err != nil {
		return nil, err
	}
	list := Elements[float64](edges)
	if slices.IsSorted(list) {
		return SearchSorted(bins, x, !right, nil, stop)
	}
	down := func(a, b float64) int {
		switch {
		case a > b:
			return -1
		case a < b:
			return 1
		}
		return 0
	}
	if !slices.IsSortedFunc(list, down) {
		return nil, fmt.Errorf("digitize: bins must be monotonically increasing or decreasing")
	}
	up, err := Flip(bins, AllAxes(1))
	if err != nil {
		return nil, err
	}
	z, err := SearchSorted(up, x, !right, nil, stop)
	if err != nil {
		return nil, err
	}
	n := int64(len(list))
	for i, v := range Elements[int64](z) {
		*at[int64](z.Pointer(), 8*i) = n - v
	}
	return z, nil
}

// Interp interpolates linearly between the points (xp[i], fp[i]), where xp ascends; before and
// after them it is left and right, or the first and last fp where these are nil. The result is
// float64 in the shape of x. The error is ErrStopped if stop is raised.
func Interp(x, xp, fp *Dense, left, right *float64, stop kernels.Stop) (*Dense, error) {
	if xp.Rank() != 1 || fp.Rank() != 1 || xp.Dim(0) != fp.Dim(0) || xp.Dim(0) == 0 {
		return nil, fmt.Errorf("interp: got xp of shape %s and fp of shape %s, want vectors of one length from 1",
			ShapeString(xp.shape), ShapeString(fp.shape))
	}
	for _, a := range []**Dense{&x, &xp, &fp} {
		var err error
		if *a, err = contiguousAs(*a, kernels.Float64); err != nil {
			return nil, err
		}
	}
	points, values := Elements[float64](xp), Elements[float64](fp)
	n := len(points)
	before, after := values[0], values[n-1]
	if left != nil {
		before = *left
	}
	if right != nil {
		after = *right
	}
	z := Empty(kernels.Float64, x.shape...)
	out := Elements[float64](z)
	j, of, slope := 0, -1, 0.0 // slope is that of the line after point of
	for i, v := range Elements[float64](x) {
		if i%searchedBetween == 0 && kernels.Stopped(stop) {
			return nil, ErrStopped
		}
		switch {
		case v != v:
			out[i] = v
			continue
		case !(points[0] <= v):
			out[i] = before
			continue
		case v > points[n-1]:
			out[i] = after
			continue
		}
		j = lastUpTo(points, v, j)
		if j == n-1 || points[j] == v { // exact, whatever the slope
			out[i] = values[j]
			continue
		}
		if j != of {
			of, slope = j, (values[j+1]-values[j])/(points[j+1]-points[j])
		}
		out[i] = between(v, slope, points[j], points[j+1], values[j], values[j+1])
	}
	return z, nil
}

// lastUpTo is the last of points, which ascend, that is not above v; the first one is not. It is
// looked for at guess and the next two first: neighbours often lie near each other.
func lastUpTo(points []float64, v float64, guess int) int {
	low, high := 0, len(points) // points[low] <= v, and nothing from high on
	if points[guess] <= v {
		for low = guess; low < guess+3; low++ {
			if low+1 == len(points) || !(points[low+1] <= v) {
				return low
			}
		}
	} else if high = guess; points[guess-1] <= v {
		return guess - 1
	}
	for high-low > 1 {
		mid := int(uint(low+high) / 2)
		if points[mid] <= v {
			low = mid
		} else {
			high = mid
		}
	}
	return low
}

// between is the line of a slope through (x0, y0) and (x1, y1) at x, from whichever end gives a
// number.
func between(x, slope, x0, x1, y0, y1 float64) float64 {
	y := float64(slope*(x-x0)) + y0
	if y != y {
		if y = float64(slope*(x-x1)) + y1; y != y && y0 == y1 {
			y = y0
		}
	}
	return y
}
