package tensor

import (
	"fmt"
	"slices"

	"github.com/arignote/arignote/kernels"
)

// A scanner replaces each element of the contiguous [n, inner] at z but those of the first row by what it gives with the one above,
// from the top. Where inner is 1 that one stays in a register: reading it back from memory takes three times as long.
type scanner func(z *Dense, offset, n, inner int)

// scanned views the elements [n, inner] at an offset, in elements, of a contiguous array.
func scanned[T integer | float](z *Dense, offset, n, inner int) []T {
	return vec[T](z.Pointer(), offset+n*inner)[offset:]
}

func scanSum[T integer | float](z *Dense, offset, n, inner int) {
	x := scanned[T](z, offset, n, inner)
	if inner == 1 {
		s := x[0]
		for i, v := range x[1:] {
			s = s + v
			x[i+1] = s
		}
		return
	}
	for i := inner; i < len(x); i++ {
		x[i] += x[i-inner]
	}
}

func scanProd[T integer | float](z *Dense, offset, n, inner int) {
	x := scanned[T](z, offset, n, inner)
	if inner == 1 {
		s := x[0]
		for i, v := range x[1:] {
			s = s * v
			x[i+1] = s
		}
		return
	}
	for i := inner; i < len(x); i++ {
		x[i] *= x[i-inner]
	}
}

// scanMax keeps NaN once it has met it.
func scanMax[T integer | float](z *Dense, offset, n, inner int) {
	x := scanned[T](z, offset, n, inner)
	if inner == 1 {
		s := x[0]
		for i, v := range x[1:] {
			s = max(v, s)
			x[i+1] = s
		}
		return
	}
	for i := inner; i < len(x); i++ {
		x[i] = max(x[i], x[i-inner])
	}
}

func scanMin[T integer | float](z *Dense, offset, n, inner int) {
	x := scanned[T](z, offset, n, inner)
	if inner == 1 {
		s := x[0]
		for i, v := range x[1:] {
			s = min(v, s)
			x[i+1] = s
		}
		return
	}
	for i := inner; i < len(x); i++ {
		x[i] = min(x[i], x[i-inner])
	}
}

// Scan returns, in a's shape, the sum, prod, max or min (op) of the elements up to and including each along axis, computed one
// after the other in dtype, to which the elements are converted first. The error is ErrStopped if stop was raised.
func Scan(op string, a *Dense, axis int, dtype kernels.DType, stop kernels.Stop) (*Dense, error) {
	if err := CheckSize(dtype.Size(), a.shape); err != nil {
		return nil, err
	}
	z := a.AsType(dtype)
	if err := z.Scan(op, axis, stop); err != nil {
		return nil, err
	}
	return z, nil
}

// Scan replaces each element of a, which is C-contiguous: see the function Scan.
func (a *Dense) Scan(op string, axis int, stop kernels.Stop) error {
	axis, err := NormalizeAxis(axis, len(a.shape))
	if err != nil {
		return err
	}
	run := loopsOf[a.dtype].scan[op]
	if run == nil {
		return fmt.Errorf("scan: got %q, want sum, prod, max or min", op)
	}
	if a.Size() == 0 {
		return nil
	}
	outer, n, inner := around(a.shape, axis)
	rows := max(1, pollEvery/inner)
	for o := range outer {
		for first := 0; first < max(1, n-1); first += rows { // the first of them is what the one before left
			if stopped(stop) {
				return ErrStopped
			}
			run(a, (o*n+first)*inner, min(rows+1, n-first), inner)
		}
	}
	return nil
}

// around is the number of elements before, along and after an axis.
func around(shape []int, axis int) (outer, n, inner int) {
	return Size(shape[:axis]), shape[axis], Size(shape[axis+1:])
}

// A differ writes to z [n-1, inner] the difference of each row of x [n, inner] and the one above. Both are contiguous and begin at
// an element, to and from, of their arrays.
type differ func(z *Dense, to int, x *Dense, from, n, inner int)

func diff[T integer | float](z *Dense, to int, x *Dense, from, n, inner int) {
	d, e := scanned[T](z, to, n-1, inner), scanned[T](x, from, n, inner)
	for i := range d {
		d[i] = e[i+inner] - e[i]
	}
}

// differs is diff of bools.
func differs(z *Dense, to int, x *Dense, from, n, inner int) {
	d, e := scanned[uint8](z, to, n-1, inner), scanned[uint8](x, from, n, inner)
	for i := range d {
		d[i] = e[i+inner] ^ e[i]
	}
}

// Diff returns the n-th difference along axis, in a's type: each time the axis becomes one shorter. Bools differ where they are
// not equal.
func Diff(a *Dense, n, axis int) (*Dense, error) {
	axis, err := NormalizeAxis(axis, len(a.shape))
	if err != nil {
		return nil, err
	}
	if n < 0 {
		return nil, fmt.Errorf("diff: got order %d, want at least 0", n)
	}
	if err := CheckSize(a.dtype.Size(), a.shape); err != nil {
		return nil, err
	}
	z := a.Copy()
	for range min(n, a.shape[axis]) {
		x := z
		shape := slices.Clone(x.shape)
		shape[axis]--
		z = Empty(x.dtype, shape...)
		if z.Size() == 0 {
			continue
		}
		outer, length, inner := around(x.shape, axis)
		for o := range outer {
			loopsOf[z.dtype].diff(z, o*(length-1)*inner, x, o*length*inner, length, inner)
		}
	}
	return z, nil
}

// BinCount counts how often each integer from 0 occurs in the vector x, int64 [max(max(x)+1, minLength)]; with weights, a vector as
// long, it adds these up instead, in float64.
func BinCount(x, weights *Dense, minLength int) (*Dense, error) {
	if x.Rank() != 1 || !x.dtype.IsInteger() && !x.dtype.IsBool() {
		return nil, fmt.Errorf("bincount: got %v of rank %d, want integers of rank 1", x.dtype, x.Rank())
	}
	if minLength < 0 {
		return nil, fmt.Errorf("bincount: got minlength %d, want at least 0", minLength)
	}
	if weights != nil && !slices.Equal(weights.shape, x.shape) {
		return nil, fmt.Errorf("bincount: got weights of shape %s, want %s", ShapeString(weights.shape), ShapeString(x.shape))
	}
	list, err := indexInts(x, 0, x.Dim(0))
	if err != nil {
		return nil, err
	}
	most := int64(minLength) - 1
	for _, v := range list {
		if v < 0 {
			return nil, fmt.Errorf("bincount: got %d, want no negative number", v)
		}
		most = max(most, v)
	}
	if err := CheckSize(8, []int{int(max(most, 0))}); err != nil {
		return nil, fmt.Errorf("bincount: %w", err)
	}
	n := int(most) + 1
	if weights == nil {
		z := New(kernels.Int64, n)
		counts := Elements[int64](z)
		for _, v := range list {
			counts[v]++
		}
		return z, nil
	}
	w, err := contiguousAs(weights, kernels.Float64)
	if err != nil {
		return nil, err
	}
	z := New(kernels.Float64, n)
	sums := Elements[float64](z)
	for i, v := range Elements[float64](w) {
		sums[list[i]] += v
	}
	return z, nil
}
