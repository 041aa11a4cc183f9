package safetensors

import (
	"encoding/binary"
	"fmt"
	"math"
	"strings"

	"github.com/arignote/arignote/kernels"
	"github.com/arignote/arignote/runtime/tensor"
)

// format is an element type of the format.
type format struct {
	name  string
	size  int // in bytes
	dtype kernels.DType
	// widen makes a float32 of an element, where no array has elements of the format; else nil.
	widen func(bits uint16) float32
}

// formats are the element types that can be read. Those that need no widening are written too.
var formats = []format{
	{"F64", 8, kernels.Float64, nil},
	{"F32", 4, kernels.Float32, nil},
	{"I64", 8, kernels.Int64, nil},
	{"I32", 4, kernels.Int32, nil},
	{"I16", 2, kernels.Int16, nil},
	{"I8", 1, kernels.Int8, nil},
	{"U64", 8, kernels.Uint64, nil},
	{"U32", 4, kernels.Uint32, nil},
	{"U16", 2, kernels.Uint16, nil},
	{"U8", 1, kernels.Uint8, nil},
	{"BOOL", 1, kernels.Bool, nil},
	{"F16", 2, kernels.Float32, widenHalf},
	{"BF16", 2, kernels.Float32, func(b uint16) float32 { return math.Float32frombits(uint32(b) << 16) }},
}

func formatNamed(name string) (format, error) {
	var names []string
	for _, f := range formats {
		if f.name == name {
			return f, nil
		}
		names = append(names, f.name)
	}
	return format{}, fmt.Errorf("got dtype %q, want one of %s", name, strings.Join(names, " "))
}

// formatOf is the format in which elements of a type are written.
func formatOf(d kernels.DType) (format, error) {
	for _, f := range formats {
		if f.dtype == d && f.widen == nil {
			return f, nil
		}
	}
	return format{}, fmt.Errorf("got dtype %v, which the format has not", d)
}

// widenHalf is the value of a float16: 1 bit of sign, 5 of exponent with bias 15, 10 of fraction.
func widenHalf(b uint16) float32 {
	sign, exponent, fraction := uint32(b>>15)<<31, uint32(b>>10)&31, uint32(b)&0x3ff
	switch exponent {
	case 0: // subnormal: fraction / 2^24, exact in float32
		v := math.Float32bits(float32(fraction) * 0x1p-24)
		return math.Float32frombits(sign | v)
	case 31:
		return math.Float32frombits(sign | 0xff<<23 | fraction<<13)
	}
	return math.Float32frombits(sign | (exponent+127-15)<<23 | fraction<<13)
}

// memory views the elements of a C-contiguous array as bytes.
func memory(d *tensor.Dense) []byte {
	if d.Size() == 0 {
		return nil
	}
	return tensor.Elements[uint8](d.View(kernels.Uint8, []int{d.NBytes()}, []int{1}, d.Offset()))
}

// bigEndian says that elements have to be turned round between memory and file.
var bigEndian = binary.NativeEndian.Uint16([]byte{0, 1}) == 1

// swap turns round the bytes of each element.
func swap(data []byte, size int) {
	for ; len(data) > 0; data = data[size:] {
		for i := range size / 2 {
			data[i], data[size-1-i] = data[size-1-i], data[i]
		}
	}
}
