package array

import (
	"fmt"
	"slices"

	"github.com/arignote/arignote/kernels"
	"github.com/arignote/arignote/runtime/tensor"
)

// Modes are how many of the sums Convolve and Correlate return: as many as the longer vector has elements, those to which the whole
// shorter vector adds, or all.
var Modes = []string{"full", "same", "valid"}

// Convolve is the discrete convolution of two vectors.
func Convolve(a, v *tensor.Dense, mode string) (*tensor.Dense, error) { return slide(a, v, mode, true) }

// Correlate is the cross-correlation of two vectors: sums of a[n + k] * v[n].
func Correlate(a, v *tensor.Dense, mode string) (*tensor.Dense, error) {
	return slide(a, v, mode, false)
}

// slide computes sums of products of a vector and another at every offset; that is turned round for a convolution.
func slide(a, v *tensor.Dense, mode string, turned bool) (*tensor.Dense, error) {
	if a.Rank() != 1 || v.Rank() != 1 || a.Size() == 0 || v.Size() == 0 {
		return nil, fmt.Errorf("got shapes %s, want two vectors with elements", tensor.ShapesOf(a, v))
	}
	d := kernels.Promote(a.DType(), v.DType())
	if d.IsFloat() {
		return slideOver(a.Floats(), v.Floats(), mode, turned).AsType(d), nil
	}
	return slideOver(a.Ints(), v.Ints(), mode, turned).AsType(d), nil
}

func slideOver[E int64 | float64](a, v []E, mode string, turned bool) *tensor.Dense {
	swapped := len(v) > len(a)
	if swapped {
		a, v = v, a
	}
	if turned {
		v, swapped = slices.Clone(v), false // a convolution has no first and second
		slices.Reverse(v)
	}
	n, k := len(a), len(v)
	z := make([]E, n+k-1) // sums of a[i+j-k+1] * v[j], with zeros around a
	for i := range z {
		var sum E
		for j := max(0, k-1-i); j < min(k, n+k-1-i); j++ {
			sum += E(a[i+j-k+1] * v[j])
		}
		z[i] = sum
	}
	if swapped {
		slices.Reverse(z)
	}
	switch {
	case mode == "valid":
		z = z[k-1 : n]
	case mode == "same" && swapped: // counted from the other end
		z = z[k/2 : k/2+n]
	case mode == "same":
		z = z[(k-1)/2 : (k-1)/2+n]
	}
	return tensor.From(z, len(z))
}
