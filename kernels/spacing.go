package kernels

import (
	"math"
	"unsafe"
)

// The neighbours of a number are those of its own type: of a float32, not those of the float64.

// next is the number after x in the direction of y, and y where both are equal: that decides
// between the zeros.
func next[T float](x, y T) T {
	if x == y {
		return y
	}
	if z, ok := any(x).(float32); ok {
		return T(math.Nextafter32(z, float32(y)))
	}
	return T(math.Nextafter(float64(x), float64(y)))
}

func nextafter[T float](n int, dst unsafe.Pointer, src *[MaxArgs]unsafe.Pointer) {
	z, x, y := two[T, T](n, dst, src)
	for i := range z {
		z[i] = next(x[i], y[i])
	}
}

func spacing[T float](n int, dst unsafe.Pointer, src *[MaxArgs]unsafe.Pointer) {
	z, x := one[T, T](n, dst, src)
	for i, v := range x {
		if v == 0 { // also -0
			z[i] = next(0, T(1))
		} else {
			z[i] = next(v, T(math.Copysign(math.Inf(1), float64(v)))) - v // NaN of an infinity
		}
	}
}
