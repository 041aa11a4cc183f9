package np

import (
	"math/bits"
	"slices"
	"strconv"
	"strings"

	"github.com/arignote/arignote/kernels"
	"github.com/arignote/arignote/runtime/tensor"
	"github.com/arignote/arignote/starlib/value"
	"go.starlark.net/starlark"
)

const bitOrder = "bitorder=\"big\": big if the first bit counts 128, little if it counts 1"

// bitsTable is the functions between bits and bytes.
var bitsTable = []value.Builtin{
	npRow("packbits", "Bytes of the bits along axis, 8 each: what is not 0 is a 1. Zeros fill the last one.",
		"np.packbits([1, 0, 1]) # array([160], dtype=uint8)", func(e *eval) *tensor.Dense {
			a, axis := e.flatOr(e.array(0), 1)
			order := e.text(2, "big", "big", "little")
			if a.DType().IsFloat() {
				e.failAt(0, "got %v, want bools or integers", a.DType())
			}
			if e.failed() {
				return nil
			}
			n := a.Dim(axis)
			shape := slices.Clone(a.Shape())
			shape[axis] = (n + 7) / 8
			z := tensor.New(kernels.Uint8, shape...)
			for i := range n {
				place := i / 8
				bit := e.do("multiply", e.part(a, axis, i, i+1).AsType(kernels.Bool).AsType(kernels.Uint8), bitValue(i, order))
				to := e.part(z, axis, place, place+1)
				if bit = e.do("add", to, bit); e.failed() {
					return nil
				}
				tensor.CopyTo(to, bit)
			}
			return z
		}, arrayParam, flatAxis, bitOrder),
	evalRow("np.", "binary_repr",
		"The binary digits of an integer as text; those of a negative one are of two's complement if width is given.",
		"np.binary_repr(5, width=8) # \"00000101\"", binaryRepr, "num: an integer",
		"width=None: the least number of digits; of a negative integer, how many there are"),
	evalRow("np.", "base_repr", "The digits of an integer to a base, as text.", "np.base_repr(255, 16) # \"FF\"",
		func(e *eval) starlark.Value {
			n, base, padding := e.int(0, 0), e.int(1, 2), e.count(2, 0)
			if base < 2 || base > 36 {
				e.failAt(1, "got %d, want 2 to 36", base)
			}
			if e.failed() {
				return nil
			}
			digits := strings.Repeat("0", padding) + strings.ToUpper(strconv.FormatUint(magnitude(int64(n)), base))
			if n == 0 && padding > 0 {
				digits = digits[1:]
			}
			if n < 0 {
				digits = "-" + digits
			}
			return starlark.String(digits)
		}, "number: an integer", "base=2: the base, 2 to 36", "padding=0: how many zeros go in front"),
	npRow("unpackbits", "The bits of bytes along axis, 8 of each.",
		"np.unpackbits(np.array([5], dtype=\"uint8\")) # array([0, 0, 0, 0, 0, 1, 0, 1], dtype=uint8)", func(e *eval) *tensor.Dense {
			a, axis := e.flatOr(e.array(0), 1)
			if a.DType() != kernels.Uint8 {
				e.failAt(0, "got %v, want uint8", a.DType())
			}
			order := e.text(3, "big", "big", "little")
			if e.failed() {
				return nil
			}
			shape := slices.Clone(a.Shape())
			n := 8 * shape[axis]
			count := e.int(2, n)
			if count < 0 {
				count = max(n+count, 0)
			}
			shape[axis] = count
			if err := checkShape(shape); err != nil {
				return e.got(nil, err)
			}
			z := tensor.New(kernels.Uint8, shape...)
			for i := 0; i < min(count, n) && !e.failed(); i++ {
				set := e.do("not_equal", e.do("bitwise_and", e.part(a, axis, i/8, i/8+1), bitValue(i, order)), 0)
				tensor.CopyTo(e.part(z, axis, i, i+1), set)
			}
			return z
		}, "a: an array of uint8", flatAxis, "count=None: how many bits; as many as there are if not given, less if negative", bitOrder),
}

// bitValue is what bit i of a sequence counts in its byte.
func bitValue(i int, order string) int {
	if order == "little" {
		return 1 << (i % 8)
	}
	return 128 >> (i % 8)
}

func binaryRepr(e *eval) starlark.Value {
	n, width := e.int(0, 0), e.count(1, 0)
	if e.failed() {
		return nil
	}
	digits := strconv.FormatInt(int64(n), 2)
	if n < 0 && e.given(1) {
		if width = max(width, bits.Len64(magnitude(int64(n))-1)+1); width < 64 {
			digits = strconv.FormatUint(uint64(n)&(1<<width-1), 2)
		} else {
			digits = strings.Repeat("1", width-64) + strconv.FormatUint(uint64(n), 2)
		}
	}
	return starlark.String(strings.Repeat("0", max(0, width-len(digits))) + digits)
}

// magnitude is |x|, which int64 may not hold.
func magnitude(x int64) uint64 {
	if x < 0 {
		return -uint64(x)
	}
	return uint64(x)
}
