package kernels

import "unsafe"

type signedInt interface {
	int8 | int16 | int32 | int64
}

type unsignedInt interface {
	uint8 | uint16 | uint32 | uint64
}

type integer interface{ signedInt | unsignedInt }

type float interface{ float32 | float64 }

// number is every element type with arithmetic. Bool is not one; where its bytes 0 and 1
// behave like numbers (comparison, maximum) its loops are those of uint8.
type number interface{ integer | float }

// vec views n elements at p.
func vec[T number](p unsafe.Pointer, n int) []T { return unsafe.Slice((*T)(p), n) }

// one and two view the operands of a loop; x and y have the length of z, which the compiler can
// see.
func one[Z, X number](n int, dst unsafe.Pointer, src *[MaxArgs]unsafe.Pointer) (z []Z, x []X) {
	z = vec[Z](dst, n)
	return z, vec[X](src[0], n)[:len(z)]
}

func two[Z, X number](n int, dst unsafe.Pointer, src *[MaxArgs]unsafe.Pointer) (z []Z, x, y []X) {
	z = vec[Z](dst, n)
	return z, vec[X](src[0], n)[:len(z)], vec[X](src[1], n)[:len(z)]
}

// truth is the byte of a Bool.
func truth(b bool) uint8 {
	if b {
		return 1
	}
	return 0
}

// integers, floats and numbers make a table from one instance of a generic loop per type. (Go
// cannot pass a generic function uninstantiated, and a callback per element costs three times the
// loop.)
func integers(i8, i16, i32, i64, u8, u16, u32, u64 Loop) Loops {
	return Loops{Int8: i8, Int16: i16, Int32: i32, Int64: i64, Uint8: u8, Uint16: u16, Uint32: u32, Uint64: u64}
}

func numbers(i8, i16, i32, i64, u8, u16, u32, u64, f32, f64 Loop) Loops {
	t := integers(i8, i16, i32, i64, u8, u16, u32, u64)
	t[Float32], t[Float64] = f32, f64
	return t
}

func floats(f32, f64 Loop) Loops { return Loops{Float32: f32, Float64: f64} }

// withBool adds the loop of Bool.
func (t Loops) withBool(b Loop) Loops {
	t[Bool] = b
	return t
}

// withFloats adds the loops of the floating types.
func (t Loops) withFloats(f32, f64 Loop) Loops {
	t[Float32], t[Float64] = f32, f64
	return t
}

// bySize makes the table of an operation that only moves elements.
func bySize(b1, b2, b4, b8 Loop) Loops {
	return numbers(b1, b2, b4, b8, b1, b2, b4, b8, b4, b8).withBool(b1)
}
