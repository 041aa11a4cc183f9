package tensor

import (
	"fmt"
	"slices"

	"github.com/arignote/arignote/kernels"
)

// A scanner computes lines of [n, inner] elements that follow each other: each row of z but the
// first, which is given, is what the row above gives with x's. z and x are contiguous, of one type,
// and may be the same; offset, in elements, is where the lines begin in both. Where inner is 1 the
// row above stays in a register: reading it back from memory takes three times as long.
type scanner func(z, x *Dense, offset, lines, n, inner int)

// scanned views n elements of a contiguous array from an offset on, in elements.
func scanned[T integer | float](z *Dense, offset, n int) []T {
	return vec[T](z.Pointer(), offset+n)[offset:]
}

// scannedTogether is how many lines of single elements a scan of sums or products takes at a time.
// An addition waits for the one before it, but not for those of other lines.
const scannedTogether = 4

func scanSum[T integer | float](to, from *Dense, offset, lines, n, inner int) {
	z, x := scanned[T](to, offset, lines*n*inner), scanned[T](from, offset, lines*n*inner)
	switch {
	case inner > 1:
		for ; lines > 0; lines-- {
			for i := inner; i < n*inner; i++ {
				z[i] = x[i] + z[i-inner]
			}
			z, x = z[n*inner:], x[n*inner:]
		}
	case lines == scannedTogether:
		z0, z1, z2, z3 := z[:n], z[n:2*n], z[2*n:3*n], z[3*n:4*n]
		x0, x1, x2, x3 := x[:n], x[n:2*n], x[2*n:3*n], x[3*n:4*n]
		s0, s1, s2, s3 := z0[0], z1[0], z2[0], z3[0]
		for i := 1; i < n; i++ {
			s0, s1, s2, s3 = s0+x0[i], s1+x1[i], s2+x2[i], s3+x3[i]
			z0[i], z1[i], z2[i], z3[i] = s0, s1, s2, s3
		}
	default:
		for ; lines > 0; lines-- {
			s := z[0]
			for i := 1; i < n; i++ {
				s += x[i]
				z[i] = s
			}
			z, x = z[n:], x[n:]
		}
	}
}

func scanProd[T integer | float](to, from *Dense, offset, lines, n, inner int) {
	z, x := scanned[T](to, offset, lines*n*inner), scanned[T](from, offset, lines*n*inner)
	switch {
	case inner > 1:
		for ; lines > 0; lines-- {
			for i := inner; i < n*inner; i++ {
				z[i] = x[i] * z[i-inner]
			}
			z, x = z[n*inner:], x[n*inner:]
		}
	case lines == scannedTogether:
		z0, z1, z2, z3 := z[:n], z[n:2*n], z[2*n:3*n], z[3*n:4*n]
		x0, x1, x2, x3 := x[:n], x[n:2*n], x[2*n:3*n], x[3*n:4*n]
		s0, s1, s2, s3 := z0[0], z1[0], z2[0], z3[0]
		for i := 1; i < n; i++ {
			s0, s1, s2, s3 = s0*x0[i], s1*x1[i], s2*x2[i], s3*x3[i]
			z0[i], z1[i], z2[i], z3[i] = s0, s1, s2, s3
		}
	default:
		for ; lines > 0; lines-- {
			s := z[0]
			for i := 1; i < n; i++ {
				s *= x[i]
				z[i] = s
			}
			z, x = z[n:], x[n:]
		}
	}
}

// scanMax keeps NaN once it has met it.
func scanMax[T integer | float](to, from *Dense, offset, lines, n, inner int) {
	z, x := scanned[T](to, offset, lines*n*inner), scanned[T](from, offset, lines*n*inner)
	for ; lines > 0; lines-- {
		for i := inner; i < n*inner; i++ {
			z[i] = max(x[i], z[i-inner])
		}
		z, x = z[n*inner:], x[n*inner:]
	}
}

func scanMin[T integer | float](to, from *Dense, offset, lines, n, inner int) {
	z, x := scanned[T](to, offset, lines*n*inner), scanned[T](from, offset, lines*n*inner)
	for ; lines > 0; lines-- {
		for i := inner; i < n*inner; i++ {
			z[i] = min(x[i], z[i-inner])
		}
		z, x = z[n*inner:], x[n*inner:]
	}
}

// Scan returns, in a's shape, the sum, prod, max or min (op) of the elements up to and including
// each along axis, computed one after the other in dtype, to which the elements are converted
// first. The error is ErrStopped if stop was raised.
func Scan(op string, a *Dense, axis int, dtype kernels.DType, stop kernels.Stop) (*Dense, error) {
	if err := CheckSize(dtype.Size(), a.shape); err != nil {
		return nil, err
	}
	z := Empty(dtype, a.shape...)
	return z, ScanTo(z, op, a, axis, stop)
}

// ScanTo is Scan into z, which is C-contiguous, in a's shape and may be a: its type is the one that
// is computed in.
func ScanTo(z *Dense, op string, a *Dense, axis int, stop kernels.Stop) error {
	axis, err := NormalizeAxis(axis, len(a.shape))
	if err != nil {
		return err
	}
	run := loopsOf[z.dtype].scan[op]
	if run == nil {
		return fmt.Errorf("scan: got %q, want sum, prod, max or min", op)
	}
	if z.Size() == 0 {
		return nil
	}
	if a.dtype != z.dtype || !a.IsContiguous() {
		CopyTo(z, a)
		a = z
	} else if z != a {
		first := slices.Clone(a.shape)
		first[axis] = 1
		CopyTo(z.view(first, z.strides, z.offset), a.view(first, a.strides, a.offset))
	}
	outer, n, inner := around(z.shape, axis)
	if line := n * inner; line <= pollEvery {
		lines := scannedTogether * max(1, pollEvery/(scannedTogether*line))
		if inner == 1 {
			lines = scannedTogether
		}
		for o := 0; o < outer; o += lines {
			if kernels.Stopped(stop) {
				return ErrStopped
			}
			run(z, a, o*line, min(lines, outer-o), n, inner)
		}
		return nil
	}
	rows := max(1, pollEvery/inner)
	for o := range outer {
		for first := 0; first < max(1, n-1); first += rows { // the first of them is what the one before left
			if kernels.Stopped(stop) {
				return ErrStopped
			}
			run(z, a, (o*n+first)*inner, 1, min(rows+1, n-first), inner)
		}
	}
	return nil
}

// around is the number of elements before, along and after an axis.
func around(shape []int, axis int) (outer, n, inner int) {
	return Size(shape[:axis]), shape[axis], Size(shape[axis+1:])
}

// BinCount counts how often each integer from 0 occurs in the vector x, int64 [max(max(x)+1,
// minLength)]; with weights, a vector as long, it adds these up instead, in float64.
func BinCount(x, weights *Dense, minLength int, stop kernels.Stop) (*Dense, error) {
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
	most, poll := int64(minLength)-1, Poll{Stop: stop}
	for _, v := range list {
		poll.Ask(1)
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
			poll.Ask(2)
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
