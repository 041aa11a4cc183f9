package op

import "github.com/arignote/arignote/kernels"

// Typing says which element type an operation computes in, given the operands' common one.
type Typing uint8

const (
	Anything   Typing = iota + 1 // the common type
	Numbers                      // the same, and int8 for bool
	NoBool                       // the same; bools are refused
	Floats                       // a float: float32 for bool and for integers of at most 16 bits, else float64
	Doubles                      // a float: float64 for bool and integers
	FloatsBack                   // the same, and the result is converted to the common type
	Float64s                     // float64
	Bits                         // bool or an integer; floats are refused
	Integers                     // an integer, int8 for bool; floats are refused
	Truths                       // bool
)

// typings are, for each Typing, what becomes of bool, of integers of at most 16 bits, of wider ones
// and of floats. Invalid: they stay.
var typings = [...]struct {
	toBool, toNarrow, toWide, toFloat kernels.DType
	refusesBool, refusesFloat         string // the way out, or what is wanted
}{
	Anything:   {},
	Numbers:    {toBool: kernels.Int8},
	NoBool:     {refusesBool: `not defined for bool; use np.logical_xor or np.logical_not, or x.astype("int64")`},
	Floats:     {toBool: kernels.Float32, toNarrow: kernels.Float32, toWide: kernels.Float64},
	Doubles:    {toBool: kernels.Float64, toNarrow: kernels.Float64, toWide: kernels.Float64},
	FloatsBack: {toBool: kernels.Float64, toNarrow: kernels.Float64, toWide: kernels.Float64},
	Float64s:   {toBool: kernels.Float64, toNarrow: kernels.Float64, toWide: kernels.Float64, toFloat: kernels.Float64},
	Bits:       {refusesFloat: "want bool or an integer"},
	Integers:   {toBool: kernels.Int8, refusesFloat: "want an integer"},
	Truths:     {toBool: kernels.Bool, toNarrow: kernels.Bool, toWide: kernels.Bool, toFloat: kernels.Bool},
}

// Of applies t to the common type d. refused says why there is no such type.
func (t Typing) Of(d kernels.DType) (to kernels.DType, refused string) {
	row := &typings[t]
	switch {
	case d.IsBool():
		to, refused = row.toBool, row.refusesBool
	case d.IsFloat():
		to, refused = row.toFloat, row.refusesFloat
	case d.Size() <= 2:
		to = row.toNarrow
	default:
		to = row.toWide
	}
	if to == kernels.Invalid {
		to = d
	}
	return to, refused
}
