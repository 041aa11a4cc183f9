package tensor

import (
	"math"
	"unsafe"

	"github.com/arignote/arignote/kernels"
)

// Bits returns the element that lies offset bytes behind the first: a float as the bits of its
// float64, an integer extended to 64 bits, a bool as 0 or 1. It makes no view, and so takes a tenth
// of the time where a loop reads elements one by one.
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

// Up to so many bytes, copies of what is filled already take less time than to call a kernel, and
// so do so many elements that are apart, one by one.
const (
	filledByDoubling = 1 << 12
	filledOneByOne   = 100
)

// FillBits gives all elements one value, whose bits are given as for SetBits.
func (a *Dense) FillBits(bits uint64) {
	n := a.NBytes()
	switch {
	case n == 0:
	case a.IsContiguous() && n <= filledByDoubling:
		a.SetBits(0, bits)
		all := a.buf.data[a.offset : a.offset+n]
		for done := a.dtype.Size(); done < n; done *= 2 {
			copy(all[done:], all[:done])
		}
	case len(a.shape) == 1 && a.shape[0] <= filledOneByOne:
		for i := range a.shape[0] {
			a.SetBits(i*a.strides[0], bits)
		}
	default:
		one := Empty(a.dtype)
		one.SetBits(0, bits)
		CopyTo(a, one)
		one.Recycle()
	}
}
