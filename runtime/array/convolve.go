package array

import (
	"fmt"
	"slices"

	"github.com/arignote/arignote/kernels"
	"github.com/arignote/arignote/runtime/tensor"
)

// Modes are how many of the sums Convolve and Correlate return: as many as the longer vector has
// elements, those to which the whole shorter vector adds, or all.
var Modes = []string{"full", "same", "valid"}

// Convolve is the discrete convolution of two vectors.
func Convolve(c Calculator, a, v *tensor.Dense, mode string) (*tensor.Dense, error) {
	return slide(c, a, v, mode, true)
}

// Correlate is the cross-correlation of two vectors: sums of a[n + k] * v[n].
func Correlate(c Calculator, a, v *tensor.Dense, mode string) (*tensor.Dense, error) {
	return slide(c, a, v, mode, false)
}

// slide computes sums of products of a vector and another at every offset; that is turned round for
// a convolution. Sum i, of all n+k-1, is of a[i-k+1+j] * v[j], where a is the longer vector: the
// product of v and a matrix whose rows are the windows of a, with zeros around it. The matrix is a
// view: each of its rows begins an element after the one before.
func slide(c Calculator, a, v *tensor.Dense, mode string, turned bool) (*tensor.Dense, error) {
	if a.Rank() != 1 || v.Rank() != 1 || a.Size() == 0 || v.Size() == 0 {
		return nil, fmt.Errorf("got shapes %s, want two vectors with elements", tensor.ShapesOf(a, v))
	}
	d := kernels.Promote(a.DType(), v.DType())
	in := d
	if !d.IsFloat() { // the low bits are those of any integer type, and bools are counted
		in = kernels.Int64
	}
	swapped := v.Size() > a.Size()
	if swapped {
		a, v = v, a
	}
	if turned {
		v, swapped = reversed(v.As(in)), false // a convolution has no first and second
	} else {
		v = v.AsType(in)
	}
	n, k := a.Size(), v.Size()
	first, end := 0, n+k-1
	switch mode {
	case "valid":
		first, end = k-1, n
	case "same":
		first = (k - 1) / 2
		end = first + n
	}
	if d.IsFloat() && k <= fewWeights {
		z, err := weighted(c, a.As(d), v, first, end)
		if err == nil && swapped {
			z = reversed(z)
		}
		return z, err
	}
	if err := c.stopped(); err != nil {
		return nil, err
	}
	before := k - 1 - first
	padded := tensor.Empty(in, before+end)
	defer padded.Release()
	Along(padded, 0, 0, before).Fill(0)
	CopyPart(padded, 0, before, a)
	Along(padded, 0, before+n, before+end).Fill(0)
	if err := c.stopped(); err != nil {
		return nil, err
	}
	most := endRows(v)
	var parts []*tensor.Dense
	for lo := first; lo < end; {
		hi := min(end, lo+max(64, productsAtOnce/k))
		switch {
		case k <= most:
		case lo < k-1:
			hi = min(hi, lo+most, k-1)
		case lo < n:
			hi = min(hi, n)
		default:
			hi = min(hi, lo+most)
		}
		from, to := max(0, k-hi), min(k, n+k-1-lo) // the elements of v that meet any of a in these rows
		size := in.Size()
		windows := padded.View(in, []int{hi - lo, to - from}, []int{size, size}, padded.Offset()+(lo-first+from)*size)
		z, err := overWindows(c, windows, Along(v, 0, from, to))
		if err != nil {
			return nil, err
		}
		parts, lo = append(parts, z), hi
	}
	z := parts[0]
	if len(parts) > 1 {
		var err error
		if z, err = Concatenate(parts, 0, nil); err != nil {
			return nil, err
		}
		for _, part := range parts {
			part.Release()
		}
	}
	if swapped {
		z = reversed(z)
	}
	if in != d {
		z = z.AsType(d)
	}
	return z, nil
}

// overWindows is the product of a matrix, whose rows begin an element after one another, and a
// vector. No vector unit multiplies int64s.
func overWindows(c Calculator, windows, v *tensor.Dense) (*tensor.Dense, error) {
	d := v.DType()
	if d.IsFloat() {
		return c.Dot(windows, v)
	}
	rows, n := windows.Dim(0), windows.Dim(0)+windows.Dim(1)-1
	z, line := tensor.New(d, rows), windows.View(d, []int{n}, []int{d.Size()}, windows.Offset())
	sums, a := tensor.Elements[int64](z), tensor.Elements[int64](line)
	weights := tensor.Elements[int64](v)
	for first := 0; first < len(sums); first += sumsAtOnce {
		of := sums[first:min(len(sums), first+sumsAtOnce)]
		for at := 0; at < len(weights); at += weightsAtOnce {
			if err := c.stopped(); err != nil {
				return nil, err
			}
			addProducts(of, a[first+at:], weights[at:min(len(weights), at+weightsAtOnce)])
		}
	}
	return z, c.stopped()
}

// sumsAtOnce is how many sums and elements are in the fastest cache.
const sumsAtOnce = 1 << 10

// weightsAtOnce is how many products are added to so many sums between two looks at a Stop.
const weightsAtOnce = 1 << 14

// addProducts adds four products at once to each sum.
func addProducts(z, a, v []int64) {
	for ; len(v) >= 4; a, v = a[4:], v[4:] {
		x0, x1, x2 := a[0], a[1], a[2]
		y0, y1, y2, y3 := v[0], v[1], v[2], v[3]
		for i, x3 := range a[3:][:len(z)] {
			z[i] += x0*y0 + x1*y1 + x2*y2 + x3*y3
			x0, x1, x2 = x1, x2, x3
		}
	}
	for j, y := range v {
		for i, x := range a[j:][:len(z)] {
			z[i] += x * y
		}
	}
}

// productsAtOnce bounds the rows of one product of slide, since where no kernel reads a matrix
// whose rows overlap they are copied.
const productsAtOnce = 1 << 20

// endRows is how many rows at an end of all sums, where windows are not whole, are computed at
// once. They share their elements of v, the more of which meet zeros around a the more rows there
// are. An infinite element and nan must not meet any, since the product would be nan.
func endRows(v *tensor.Dense) int {
	if v.DType().IsFloat() && slices.ContainsFunc(v.Floats(), func(x float64) bool { return x-x != 0 }) {
		return 1
	}
	return max(64, v.Size()/8)
}

// reversed is a copy of a vector from its last element to its first.
func reversed(v *tensor.Dense) *tensor.Dense {
	return must(tensor.Flip(v, tensor.AllAxes(1))).Copy()
}
