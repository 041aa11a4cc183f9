package kernels

import "unsafe"

// Comparisons of all types, false before true. The result is Bool.
var (
	// Eq is x == y.
	Eq = numbers(
		eq[int8], eq[int16], eq[int32], eq[int64],
		eq[uint8], eq[uint16], eq[uint32], eq[uint64],
		eq[float32], eq[float64]).withBool(eq[uint8])
	// Neq is x != y.
	Neq = numbers(
		neq[int8], neq[int16], neq[int32], neq[int64],
		neq[uint8], neq[uint16], neq[uint32], neq[uint64],
		neq[float32], neq[float64]).withBool(neq[uint8])
	// Lt is x < y.
	Lt = numbers(
		lt[int8], lt[int16], lt[int32], lt[int64],
		lt[uint8], lt[uint16], lt[uint32], lt[uint64],
		lt[float32], lt[float64]).withBool(lt[uint8])
	// Le is x <= y.
	Le = numbers(
		le[int8], le[int16], le[int32], le[int64],
		le[uint8], le[uint16], le[uint32], le[uint64],
		le[float32], le[float64]).withBool(le[uint8])
	// Gt is x > y.
	Gt = numbers(
		gt[int8], gt[int16], gt[int32], gt[int64],
		gt[uint8], gt[uint16], gt[uint32], gt[uint64],
		gt[float32], gt[float64]).withBool(gt[uint8])
	// Ge is x >= y.
	Ge = numbers(
		ge[int8], ge[int16], ge[int32], ge[int64],
		ge[uint8], ge[uint16], ge[uint32], ge[uint64],
		ge[float32], ge[float64]).withBool(ge[uint8])
)

// Logic of Bools, and bitwise logic of integers.
var (
	// And is x & y.
	And = integers(
		and[int8], and[int16], and[int32], and[int64],
		and[uint8], and[uint16], and[uint32], and[uint64]).withBool(and[uint8])
	// Or is x | y.
	Or = integers(
		or[int8], or[int16], or[int32], or[int64],
		or[uint8], or[uint16], or[uint32], or[uint64]).withBool(or[uint8])
	// Xor is x ^ y.
	Xor = integers(
		xor[int8], xor[int16], xor[int32], xor[int64],
		xor[uint8], xor[uint16], xor[uint32], xor[uint64]).withBool(xor[uint8])
	// Invert is ^x, and not x of a Bool.
	Invert = integers(
		invert[int8], invert[int16], invert[int32], invert[int64],
		invert[uint8], invert[uint16], invert[uint32], invert[uint64]).withBool(not)
)

// Operations that move elements without looking at them.
var (
	// Switch is x if the condition holds, else y; its operands are condition, x, y.
	Switch = bySize(choose[uint8], choose[uint16], choose[uint32], choose[uint64])
	// Identity is x.
	Identity = bySize(identity[uint8], identity[uint16], identity[uint32], identity[uint64])
	// Second is y.
	Second = bySize(second[uint8], second[uint16], second[uint32], second[uint64])
)

func eq[T number](n int, dst unsafe.Pointer, src *[MaxArgs]unsafe.Pointer) {
	z, x, y := two[uint8, T](n, dst, src)
	for i := range z {
		z[i] = truth(x[i] == y[i])
	}
}

func neq[T number](n int, dst unsafe.Pointer, src *[MaxArgs]unsafe.Pointer) {
	z, x, y := two[uint8, T](n, dst, src)
	for i := range z {
		z[i] = truth(x[i] != y[i])
	}
}

func lt[T number](n int, dst unsafe.Pointer, src *[MaxArgs]unsafe.Pointer) {
	z, x, y := two[uint8, T](n, dst, src)
	for i := range z {
		z[i] = truth(x[i] < y[i])
	}
}

func le[T number](n int, dst unsafe.Pointer, src *[MaxArgs]unsafe.Pointer) {
	z, x, y := two[uint8, T](n, dst, src)
	for i := range z {
		z[i] = truth(x[i] <= y[i])
	}
}

func gt[T number](n int, dst unsafe.Pointer, src *[MaxArgs]unsafe.Pointer) {
	z, x, y := two[uint8, T](n, dst, src)
	for i := range z {
		z[i] = truth(x[i] > y[i])
	}
}

func ge[T number](n int, dst unsafe.Pointer, src *[MaxArgs]unsafe.Pointer) {
	z, x, y := two[uint8, T](n, dst, src)
	for i := range z {
		z[i] = truth(x[i] >= y[i])
	}
}

func and[T integer](n int, dst unsafe.Pointer, src *[MaxArgs]unsafe.Pointer) {
	z, x, y := two[T, T](n, dst, src)
	for i := range z {
		z[i] = x[i] & y[i]
	}
}

func or[T integer](n int, dst unsafe.Pointer, src *[MaxArgs]unsafe.Pointer) {
	z, x, y := two[T, T](n, dst, src)
	for i := range z {
		z[i] = x[i] | y[i]
	}
}

func xor[T integer](n int, dst unsafe.Pointer, src *[MaxArgs]unsafe.Pointer) {
	z, x, y := two[T, T](n, dst, src)
	for i := range z {
		z[i] = x[i] ^ y[i]
	}
}

func invert[T integer](n int, dst unsafe.Pointer, src *[MaxArgs]unsafe.Pointer) {
	z, x := one[T, T](n, dst, src)
	for i := range z {
		z[i] = ^x[i]
	}
}

func not(n int, dst unsafe.Pointer, src *[MaxArgs]unsafe.Pointer) {
	z, x := one[uint8, uint8](n, dst, src)
	for i := range z {
		z[i] = x[i] ^ 1
	}
}

func choose[T number](n int, dst unsafe.Pointer, src *[MaxArgs]unsafe.Pointer) {
	z, c := one[T, uint8](n, dst, src)
	x, y := vec[T](src[1], n)[:len(z)], vec[T](src[2], n)[:len(z)]
	for i := range z {
		if c[i] != 0 {
			z[i] = x[i]
		} else {
			z[i] = y[i]
		}
	}
}

func identity[T number](n int, dst unsafe.Pointer, src *[MaxArgs]unsafe.Pointer) {
	copy(vec[T](dst, n), vec[T](src[0], n))
}

func second[T number](n int, dst unsafe.Pointer, src *[MaxArgs]unsafe.Pointer) {
	copy(vec[T](dst, n), vec[T](src[1], n))
}
