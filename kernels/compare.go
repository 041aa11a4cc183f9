package kernels

import "unsafe"

// Comparisons, logic of bits, and operations that only move elements.

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

func shiftLeft[T integer](n int, dst unsafe.Pointer, src *[MaxArgs]unsafe.Pointer) {
	z, x, y := two[T, T](n, dst, src)
	for i := range z {
		z[i] = x[i] << uint64(y[i]) // a negative number is a huge one, and shifts all bits out
	}
}

func shiftRight[T integer](n int, dst unsafe.Pointer, src *[MaxArgs]unsafe.Pointer) {
	z, x, y := two[T, T](n, dst, src)
	for i := range z {
		z[i] = x[i] >> uint64(y[i])
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
