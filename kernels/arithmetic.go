package kernels

import (
	"math"
	"unsafe"
)

func add[T number](n int, dst unsafe.Pointer, src *[MaxArgs]unsafe.Pointer) {
	z, x, y := two[T, T](n, dst, src)
	for i := range z {
		z[i] = x[i] + y[i]
	}
}

func sub[T number](n int, dst unsafe.Pointer, src *[MaxArgs]unsafe.Pointer) {
	z, x, y := two[T, T](n, dst, src)
	for i := range z {
		z[i] = x[i] - y[i]
	}
}

func mul[T number](n int, dst unsafe.Pointer, src *[MaxArgs]unsafe.Pointer) {
	z, x, y := two[T, T](n, dst, src)
	for i := range z {
		z[i] = x[i] * y[i]
	}
}

func div[T float](n int, dst unsafe.Pointer, src *[MaxArgs]unsafe.Pointer) {
	z, x, y := two[T, T](n, dst, src)
	for i := range z {
		z[i] = x[i] / y[i]
	}
}

func reciprocal[T float](n int, dst unsafe.Pointer, src *[MaxArgs]unsafe.Pointer) {
	z, x := one[T, T](n, dst, src)
	for i := range z {
		z[i] = 1 / x[i]
	}
}

func neg[T number](n int, dst unsafe.Pointer, src *[MaxArgs]unsafe.Pointer) {
	z, x := one[T, T](n, dst, src)
	for i := range z {
		z[i] = -x[i]
	}
}

func absFloat[T float](n int, dst unsafe.Pointer, src *[MaxArgs]unsafe.Pointer) {
	z, x := one[T, T](n, dst, src)
	for i := range z {
		z[i] = T(math.Abs(float64(x[i])))
	}
}

func absInt[T signedInt](n int, dst unsafe.Pointer, src *[MaxArgs]unsafe.Pointer) {
	z, x := one[T, T](n, dst, src)
	for i := range z {
		z[i] = x[i]
		if x[i] < 0 {
			z[i] = -x[i]
		}
	}
}

func sgn[T number](n int, dst unsafe.Pointer, src *[MaxArgs]unsafe.Pointer) {
	z, x := one[T, T](n, dst, src)
	for i, v := range x {
		switch {
		case v > 0:
			z[i] = 1
		case v < 0:
			var zero T
			z[i] = zero - 1
		case v == 0:
			z[i] = 0
		default:
			z[i] = v
		}
	}
}

func sqr[T number](n int, dst unsafe.Pointer, src *[MaxArgs]unsafe.Pointer) {
	z, x := one[T, T](n, dst, src)
	for i := range z {
		z[i] = x[i] * x[i]
	}
}

func maximum[T number](n int, dst unsafe.Pointer, src *[MaxArgs]unsafe.Pointer) {
	z, x, y := two[T, T](n, dst, src)
	for i := range z {
		if a := x[i]; a > y[i] || isNaN(a) {
			z[i] = a
		} else {
			z[i] = y[i]
		}
	}
}

func minimum[T number](n int, dst unsafe.Pointer, src *[MaxArgs]unsafe.Pointer) {
	z, x, y := two[T, T](n, dst, src)
	for i := range z {
		if a := x[i]; a < y[i] || isNaN(a) {
			z[i] = a
		} else {
			z[i] = y[i]
		}
	}
}

func fmax[T number](n int, dst unsafe.Pointer, src *[MaxArgs]unsafe.Pointer) {
	z, x, y := two[T, T](n, dst, src)
	for i := range z {
		if b := y[i]; x[i] > b || isNaN(b) {
			z[i] = x[i]
		} else {
			z[i] = b
		}
	}
}

func fmin[T number](n int, dst unsafe.Pointer, src *[MaxArgs]unsafe.Pointer) {
	z, x, y := two[T, T](n, dst, src)
	for i := range z {
		if b := y[i]; x[i] < b || isNaN(b) {
			z[i] = x[i]
		} else {
			z[i] = b
		}
	}
}

func heaviside(x, y float64) float64 {
	switch {
	case x > 0:
		return 1
	case x < 0:
		return 0
	case x == 0:
		return y
	}
	return x
}

// isNaN is x != x; never for an integer.
func isNaN[T number](x T) bool { return x != x }
