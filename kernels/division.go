package kernels

import (
	"math"
	"unsafe"
)

// Division and power as Python has them.

func divSigned[T signedInt](n int, dst unsafe.Pointer, src *[MaxArgs]unsafe.Pointer) {
	z, x, y := two[T, T](n, dst, src)
	for i := range z {
		a, b := x[i], y[i]
		if b == 0 {
			z[i] = 0
			continue
		}
		q := a / b // the smallest integer by -1 wraps (Go specification)
		if r := a % b; r != 0 && (r < 0) != (b < 0) {
			q--
		}
		z[i] = q
	}
}

func divUnsigned[T unsignedInt](n int, dst unsafe.Pointer, src *[MaxArgs]unsafe.Pointer) {
	z, x, y := two[T, T](n, dst, src)
	for i := range z {
		if y[i] == 0 {
			z[i] = 0
		} else {
			z[i] = x[i] / y[i]
		}
	}
}

func mod[T integer](n int, dst unsafe.Pointer, src *[MaxArgs]unsafe.Pointer) {
	z, x, y := two[T, T](n, dst, src)
	for i := range z {
		a, b := x[i], y[i]
		if b == 0 {
			z[i] = 0
			continue
		}
		r := a % b
		if r != 0 && (r < 0) != (b < 0) {
			r += b
		}
		z[i] = r
	}
}

// rest is C's remainder.
func rest[T integer](n int, dst unsafe.Pointer, src *[MaxArgs]unsafe.Pointer) {
	z, x, y := two[T, T](n, dst, src)
	for i := range z {
		if y[i] == 0 {
			z[i] = 0
		} else {
			z[i] = x[i] % y[i]
		}
	}
}

func gcd[T integer](n int, dst unsafe.Pointer, src *[MaxArgs]unsafe.Pointer) {
	z, x, y := two[T, T](n, dst, src)
	for i := range z {
		z[i] = T(divisor(magnitude(x[i]), magnitude(y[i])))
	}
}

func lcm[T integer](n int, dst unsafe.Pointer, src *[MaxArgs]unsafe.Pointer) {
	z, x, y := two[T, T](n, dst, src)
	for i := range z {
		a, b := magnitude(x[i]), magnitude(y[i])
		z[i] = 0
		if a != 0 && b != 0 {
			z[i] = T(a / divisor(a, b) * b)
		}
	}
}

// magnitude is |x|, which T may not hold.
func magnitude[T integer](x T) uint64 {
	if x < 0 {
		return -uint64(x)
	}
	return uint64(x)
}

// divisor is the greatest common divisor.
func divisor(x, y uint64) uint64 {
	for y != 0 {
		x, y = y, x%y
	}
	return x
}

func pow[T integer](n int, dst unsafe.Pointer, src *[MaxArgs]unsafe.Pointer) {
	z, x, y := two[T, T](n, dst, src)
	for i := range z {
		z[i] = intPow(x[i], y[i])
	}
}

// intPow multiplies by squares; of a negative power only those of 1 and -1 differ from 0.
func intPow[T integer](x, y T) T {
	if y < 0 {
		switch {
		case x == 1 || x+1 == 0 && y&1 == 0:
			return 1
		case x+1 == 0:
			return x
		}
		return 0
	}
	z := T(1)
	for ; y > 0; y >>= 1 {
		if y&1 != 0 {
			z *= x
		}
		x *= x
	}
	return z
}

// floorDivide is numpy.floor_divide: the quotient less the remainder's share, which is nearly
// whole, rounded to a whole number.
func floorDivide(x, y float64) float64 {
	if y == 0 {
		return x / y
	}
	r := math.Mod(x, y)
	q := (x - r) / y
	if r != 0 && (r < 0) != (y < 0) {
		q--
	}
	if q == 0 {
		return math.Copysign(0, x/y)
	}
	f := math.Floor(q)
	if q-f > 0.5 {
		f++
	}
	return f
}

// remainder is numpy.remainder; a zero has the sign of y.
func remainder(x, y float64) float64 {
	r := math.Mod(x, y)
	switch {
	case r == 0 && y != 0:
		return math.Copysign(0, y)
	case r != 0 && (r < 0) != (y < 0):
		return r + y
	}
	return r
}
