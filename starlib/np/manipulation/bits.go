package manipulation

import (
	"math/bits"
	"slices"
	"strconv"
	"strings"

	"github.com/arignote/arignote/kernels"
	"github.com/arignote/arignote/runtime/tensor"
	"github.com/arignote/arignote/starlib/functions"
	"github.com/arignote/arignote/starlib/np"
	"go.starlark.net/starlark"
)

// bitsTable is the functions between bits and bytes.
var bitsTable = []functions.Function{
	np.Function("np.packbits", "Bytes of the bits along axis, 8 each: what is not 0 is a 1. Zeros fill the last one.",
		"packbits([1, 0, 1]) # array([160], dtype=uint8)", func(e *np.Eval, a *struct {
			np.ArrayArg
			np.FlatAxisArg
			Bitorder string `arg:"bitorder=\"big\": big if the first bit counts 128, little if it counts 1"`
		}) starlark.Value {
			x, axis := flatOr(e, a.A.D, a.Axis)
			order := e.Word("bitorder", a.Bitorder, "big", "little")
			if x.DType().IsFloat() {
				e.FailFor("a", "got %v, want bools or integers", x.DType())
			}
			if e.Failed() {
				return nil
			}
			n := x.Dim(axis)
			shape := slices.Clone(x.Shape())
			shape[axis] = (n + 7) / 8
			z := tensor.New(kernels.Uint8, shape...)
			for i, poll := 0, e.Poll(); i < n; i++ {
				poll.Ask(3*np.PerFunction + z.Size()/max(1, n))
				place := i / 8
				bit := e.Do("multiply", e.Part(x, axis, i, i+1).AsType(kernels.Bool).AsType(kernels.Uint8), bitValue(i, order))
				to := e.Part(z, axis, place, place+1)
				if bit = e.Do("add", to, bit); e.Failed() {
					return nil
				}
				tensor.CopyTo(to, bit)
			}
			return e.Result(z)
		}),
	np.Function("np.binary_repr", "The binary digits of an integer as text; those of a negative one are of two's complement if width is given.",
		"binary_repr(5, width=8) # \"00000101\"", binaryRepr),
	np.Function("np.base_repr", "The digits of an integer to a base, as text.",
		"base_repr(255, 16) # \"FF\"", func(e *np.Eval, a *struct {
			Number  int      `arg:"number: an integer"`
			Base    int      `arg:"base=2: the base, 2 to 36"`
			Padding np.Count `arg:"padding=0: how many zeros go in front"`
		}) starlark.Value {
			padding := int(a.Padding)
			if a.Base < 2 || a.Base > 36 {
				e.FailFor("base", "got %d, want 2 to 36", a.Base)
			}
			if e.Failed() {
				return nil
			}
			digits := strings.Repeat("0", padding) + strings.ToUpper(strconv.FormatUint(magnitude(int64(a.Number)), a.Base))
			if a.Number == 0 && padding > 0 {
				digits = digits[1:]
			}
			if a.Number < 0 {
				digits = "-" + digits
			}
			return starlark.String(digits)
		}),
	np.Function("np.unpackbits", "The bits of bytes along axis, 8 of each.",
		"unpackbits(np.array([5], dtype=\"uint8\")) # array([0, 0, 0, 0, 0, 1, 0, 1], dtype=uint8)", func(e *np.Eval, a *struct {
			A *tensor.Dense `arg:"a: an array of uint8"`
			np.FlatAxisArg
			Count    *int   `arg:"count=None: how many bits; as many as there are if not given, less if negative"`
			Bitorder string `arg:"bitorder=\"big\": big if the first bit counts 128, little if it counts 1"`
		}) starlark.Value {
			x, axis := flatOr(e, a.A, a.Axis)
			if x.DType() != kernels.Uint8 {
				e.FailFor("a", "got %v, want uint8", x.DType())
			}
			order := e.Word("bitorder", a.Bitorder, "big", "little")
			if e.Failed() {
				return nil
			}
			shape := slices.Clone(x.Shape())
			n := 8 * shape[axis]
			count := np.OrElse(a.Count, n)
			if count < 0 {
				count = max(n+count, 0)
			}
			shape[axis] = count
			if err := np.CheckShape(shape); err != nil {
				return e.Result(e.Got(nil, err))
			}
			z := tensor.New(kernels.Uint8, shape...)
			for i, poll := 0, e.Poll(); i < min(count, n) && !e.Failed(); i++ {
				poll.Ask(3 * np.PerFunction)
				set := e.Do("not_equal", e.Do("bitwise_and", e.Part(x, axis, i/8, i/8+1), bitValue(i, order)), 0)
				tensor.CopyTo(e.Part(z, axis, i, i+1), set)
			}
			return e.Result(z)
		}),
}

// bitValue is what bit i of a sequence counts in its byte.
func bitValue(i int, order string) int {
	if order == "little" {
		return 1 << (i % 8)
	}
	return 128 >> (i % 8)
}

// binaryReprArgs are the arguments of np.binary_repr.
type binaryReprArgs struct {
	Num   int       `arg:"num: an integer"`
	Width *np.Count `arg:"width=None: the least number of digits; of a negative integer, how many there are"`
}

func binaryRepr(e *np.Eval, a *binaryReprArgs) starlark.Value {
	width := int(np.OrElse(a.Width, 0))
	digits := strconv.FormatInt(int64(a.Num), 2)
	if a.Num < 0 && a.Width != nil {
		if width = max(width, bits.Len64(magnitude(int64(a.Num))-1)+1); width < 64 {
			digits = strconv.FormatUint(uint64(a.Num)&(1<<width-1), 2)
		} else {
			digits = strings.Repeat("1", width-64) + strconv.FormatUint(uint64(a.Num), 2)
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
