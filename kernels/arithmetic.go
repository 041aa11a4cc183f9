package kernels

import (
	"math"
	"unsafe"
)

// Arithmetic. Integers wrap.
var (
	// Add is x + y.
	Add = numbers(
		add[int8], add[int16], add[int32], add[int64],
		add[uint8], add[uint16], add[uint32], add[uint64],
		add[float32], add[float64])
	// Sub is x - y.
	Sub = numbers(
		sub[int8], sub[int16], sub[int32], sub[int64],
		sub[uint8], sub[uint16], sub[uint32], sub[uint64],
		sub[float32], sub[float64])
	// Mul is x * y.
	Mul = numbers(
		mul[int8], mul[int16], mul[int32], mul[int64],
		mul[uint8], mul[uint16], mul[uint32], mul[uint64],
		mul[float32], mul[float64])
	// TrueDiv is x / y.
	TrueDiv = floats(div[float32], div[float64])
	// Reciprocal is 1 / x.
	Reciprocal = floats(reciprocal[float32], reciprocal[float64])
	// Neg is -x; of an unsigned integer, 0 - x.
	Neg = numbers(
		neg[int8], neg[int16], neg[int32], neg[int64],
		neg[uint8], neg[uint16], neg[uint32], neg[uint64],
		neg[float32], neg[float64])
	// Abs is |x|; the smallest signed integer stays what it is.
	Abs = integers(
		absInt[int8], absInt[int16], absInt[int32], absInt[int64],
		identity[uint8], identity[uint16], identity[uint32], identity[uint64]).
		withFloats(absFloat[float32], absFloat[float64])
	// Sgn is -1, 0 or 1 by the sign of x, NaN for NaN, and 0 for both zeros.
	Sgn = numbers(
		sgn[int8], sgn[int16], sgn[int32], sgn[int64],
		sgn[uint8], sgn[uint16], sgn[uint32], sgn[uint64],
		sgn[float32], sgn[float64])
	// Sqr is x * x.
	Sqr = numbers(
		sqr[int8], sqr[int16], sqr[int32], sqr[int64],
		sqr[uint8], sqr[uint16], sqr[uint32], sqr[uint64],
		sqr[float32], sqr[float64])
	// Maximum is the larger operand, NaN if either is NaN, y if they are equal; of Bools, their disjunction.
	Maximum = numbers(
		maximum[int8], maximum[int16], maximum[int32], maximum[int64],
		maximum[uint8], maximum[uint16], maximum[uint32], maximum[uint64],
		maximum[float32], maximum[float64]).
		withBool(maximum[uint8])
	// Minimum is the smaller operand, NaN if either is NaN, y if they are equal; of Bools, their conjunction.
	Minimum = numbers(
		minimum[int8], minimum[int16], minimum[int32], minimum[int64],
		minimum[uint8], minimum[uint16], minimum[uint32], minimum[uint64],
		minimum[float32], minimum[float64]).
		withBool(minimum[uint8])
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

// isNaN is x != x; never for an integer.
func isNaN[T number](x T) bool { return x != x }
