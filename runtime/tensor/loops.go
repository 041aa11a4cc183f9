package tensor

import (
	"unsafe"

	"github.com/arignote/arignote/kernels"
)

type integer interface {
	int8 | int16 | int32 | int64 | uint8 | uint16 | uint32 | uint64
}

type float interface{ float32 | float64 }

// loops are what selections, orders and scans need to know of one element type.
type loops struct {
	get, set, add mover
	encode        encoder
	decode        decoder
	search        searcher
	scan          map[string]scanner
	repeat        repeater
	runs          runner
	zeros         func(p unsafe.Pointer, n int, before unsafe.Pointer, stride int, stop kernels.Stop) bool // orderZeros, of floats
}

// loopsOf is the one table by element type: a new loop is a new field, and a line in fill.
var loopsOf = [kernels.NumDTypes]loops{
	kernels.Bool:    boolLoops(),
	kernels.Int8:    integerLoops[int8](1 << 7),
	kernels.Int16:   integerLoops[int16](1 << 15),
	kernels.Int32:   integerLoops[int32](1 << 31),
	kernels.Int64:   integerLoops[int64](1 << 63),
	kernels.Uint8:   integerLoops[uint8](0),
	kernels.Uint16:  integerLoops[uint16](0),
	kernels.Uint32:  integerLoops[uint32](0),
	kernels.Uint64:  integerLoops[uint64](0),
	kernels.Float32: floatLoops[float32](),
	kernels.Float64: floatLoops[float64](),
}

func numberLoops[T integer | float]() loops {
	return loops{
		get: get[T], set: set[T], add: add[T],
		search: search[T],
		scan: map[string]scanner{
			"sum": scanSum[T], "prod": scanProd[T], "max": scanMax[T], "min": scanMin[T],
		},
		repeat: repeat[T],
		runs:   runs[T],
	}
}

// integerLoops needs the bias that makes the smallest integer 0.
func integerLoops[T integer](bias uint64) loops {
	t := numberLoops[T]()
	t.encode, t.decode = encodeInteger[T](bias), decodeInteger[T](bias)
	return t
}

func floatLoops[T float]() loops {
	t := numberLoops[T]()
	t.encode, t.decode = encodeFloat[T], decodeFloat[T]
	t.zeros = orderZeros[T]
	return t
}

// boolLoops are those of uint8, with NumPy's arithmetic of bools: a sum is "or", a product "and".
func boolLoops() loops {
	t := integerLoops[uint8](0)
	t.add = or
	t.scan = map[string]scanner{"sum": scanMax[uint8], "prod": scanMin[uint8], "max": scanMax[uint8], "min": scanMin[uint8]}
	return t
}

// at reads or writes the element at p, offset bytes further.
func at[T integer | float, I int | int64](p unsafe.Pointer, offset I) *T {
	return (*T)(unsafe.Add(p, offset))
}

// vec views n elements at p.
func vec[T integer | float](p unsafe.Pointer, n int) []T { return unsafe.Slice((*T)(p), n) }
