package kernels

import "unsafe"

// Cast converts elements: Cast[from][to]. Between integers it wraps. A float becomes an integer by
// truncation; one out of range gives the nearest end of the range and NaN gives 0, in every
// implementation. Bool is x != 0, so NaN is true; a Bool counts as 0 or 1.
var Cast = [NumDTypes][NumDTypes]Loop{
	Bool:    castInteger[uint8]().withBool(identity[uint8]),
	Int8:    castInteger[int8](),
	Int16:   castInteger[int16](),
	Int32:   castInteger[int32](),
	Int64:   castInteger[int64](),
	Uint8:   castInteger[uint8](),
	Uint16:  castInteger[uint16](),
	Uint32:  castInteger[uint32](),
	Uint64:  castInteger[uint64](),
	Float32: castFloat[float32](),
	Float64: castFloat[float64](),
}

func castInteger[X integer]() Loops {
	return numbers(
		convert[int8, X], convert[int16, X], convert[int32, X], convert[int64, X],
		convert[uint8, X], convert[uint16, X], convert[uint32, X], convert[uint64, X],
		convert[float32, X], convert[float64, X]).withBool(nonzero[X])
}

func castFloat[X float]() Loops {
	return numbers(
		truncate[int8, X](7, true), truncate[int16, X](15, true), truncate[int32, X](31, true), truncate[int64, X](63, true),
		truncate[uint8, X](8, false), truncate[uint16, X](16, false), truncate[uint32, X](32, false), truncate[uint64, X](64, false),
		convert[float32, X], convert[float64, X]).withBool(nonzero[X])
}

func convert[Z, X number](n int, dst unsafe.Pointer, src *[MaxArgs]unsafe.Pointer) {
	z, x := one[Z, X](n, dst, src)
	for i := range z {
		z[i] = Z(x[i])
	}
}

func nonzero[X number](n int, dst unsafe.Pointer, src *[MaxArgs]unsafe.Pointer) {
	z, x := one[uint8, X](n, dst, src)
	for i := range z {
		z[i] = truth(x[i] != 0)
	}
}

// truncate converts to integers below 2**bits, and from -2**bits if they have a sign. Both ends
// are exact in float32; comparing before converting is what makes the result defined.
func truncate[Z integer, X float](bits int, signed bool) Loop {
	end := X(uint64(1)<<(bits-1)) * 2
	first, last := Z(0), ^Z(0)
	begin := X(0)
	if signed {
		begin = -end
		first = Z(1)
		for range bits {
			first *= 2
		}
		last = first - 1
	}
	return func(n int, dst unsafe.Pointer, src *[MaxArgs]unsafe.Pointer) {
		z, x := one[Z, X](n, dst, src)
		for i, v := range x {
			switch {
			case v != v:
				z[i] = 0
			case v <= begin:
				z[i] = first
			case v >= end:
				z[i] = last
			default:
				z[i] = Z(v)
			}
		}
	}
}
