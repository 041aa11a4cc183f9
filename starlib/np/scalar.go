package np

import (
	"fmt"
	"math"

	"github.com/arignote/arignote/kernels"
	"github.com/arignote/arignote/runtime/array"
	"github.com/arignote/arignote/runtime/tensor"
	"github.com/arignote/arignote/starlib/slot"
	"github.com/arignote/arignote/starlib/value"
	"go.starlark.net/starlark"
	"go.starlark.net/syntax"
)

// A Scalar is a number with an element type: an element of an array, the result of a reduction or
// of a compiled function, what np.float32(0.1) returns. It prints and computes as NumPy 1.24's
// scalars do: integers wrap, and a division by zero is inf or nan.
//
// Starlark's own numbers are other values. Whatever of the language needs one of them, such as an
// index or a key of a dict, takes a scalar for the number that Plain returns.
type Scalar struct {
	dtype kernels.DType
	bits  uint64 // of a float64, also for float32; an integer's, sign-extended to 64; 0 or 1
}

var (
	_ value.Tabled        = Scalar{}
	_ starlark.Mapping    = Scalar{} // x[()]
	_ value.Typed         = Scalar{}
	_ value.Scalar        = Scalar{}
	_ value.Comparer      = Scalar{}
	_ value.Numeric       = Scalar{}
	_ value.Documenter    = Scalar{}
	_ starlark.HasBinary  = Scalar{}
	_ starlark.HasUnary   = Scalar{}
	_ starlark.Comparable = Scalar{}
)

// True and False are made once: comparisons in loops give nothing else.
var trueScalar, falseScalar starlark.Value = Scalar{kernels.Bool, 1}, Scalar{kernels.Bool, 0}

func boolScalar(b bool) starlark.Value {
	if b {
		return trueScalar
	}
	return falseScalar
}

func floatScalar(d kernels.DType, x float64) Scalar {
	if d == kernels.Float32 {
		x = float64(float32(x))
	}
	return Scalar{d, math.Float64bits(x)}
}

// intScalar returns x as an integer of a type, in which it wraps.
func intScalar(d kernels.DType, x uint64) Scalar {
	unused := 64 - 8*d.Size()
	if d.IsSigned() {
		return Scalar{d, uint64(int64(x<<unused) >> unused)}
	}
	return Scalar{d, x << unused >> unused}
}

// scalarAt reads the element of d that lies offset bytes behind its first.
func scalarAt(d *tensor.Dense, offset int) Scalar { return Scalar{d.DType(), d.Bits(offset)} }

// elementAt is scalarAt as a value.
func elementAt(d *tensor.Dense, offset int) starlark.Value {
	s := scalarAt(d, offset)
	if s.dtype == kernels.Bool {
		return boolScalar(s.bits != 0)
	}
	return s
}

// Number returns the only element of d as a number of Starlark's own.
func Number(d *tensor.Dense) starlark.Value { return scalarAt(d, 0).Plain() }

// scalarOfNumber returns a number of Starlark as NumPy takes it: an int as an int64, or a uint64 if
// that is too small.
func scalarOfNumber(v starlark.Value) (Scalar, bool) {
	switch v := v.(type) {
	case Scalar:
		return v, true
	case starlark.Float:
		return Scalar{kernels.Float64, math.Float64bits(float64(v))}, true
	case starlark.Int:
		if n, ok := v.Int64(); ok {
			return Scalar{kernels.Int64, uint64(n)}, true
		}
		if n, ok := v.Uint64(); ok {
			return Scalar{kernels.Uint64, n}, true
		}
	case starlark.Bool:
		return Scalar{kernels.Bool, uint64(truth(v))}, true
	}
	return Scalar{}, false
}

// Double is the number as a slot holds a float64.
func (x Scalar) Double() (float64, bool) {
	return math.Float64frombits(x.bits), x.dtype == kernels.Float64
}

func init() {
	slot.Hooks.Double = func(f float64) starlark.Value {
		return Scalar{kernels.Float64, math.Float64bits(f)}
	}
}

// DType is the element type.
func (x Scalar) DType() kernels.DType { return x.dtype }

// Dense returns the number as an array without dimensions.
func (x Scalar) Dense() *tensor.Dense {
	if x.dtype.IsFloat() {
		return tensor.Scalar(x.dtype, x.float())
	}
	return tensor.IntScalar(x.dtype, int64(x.bits))
}

func (x Scalar) array(s value.Host) *Array { return NewArray(s, x.Dense()) }

// Plain returns the number as one of Starlark's own.
func (x Scalar) Plain() starlark.Value {
	switch {
	case x.dtype.IsFloat():
		return starlark.Float(math.Float64frombits(x.bits))
	case x.dtype == kernels.Bool:
		return starlark.Bool(x.bits != 0)
	case x.dtype == kernels.Uint64:
		return starlark.MakeUint64(x.bits)
	}
	return starlark.MakeInt64(int64(x.bits))
}

// Scalar is Plain: what int, float and formats take it for.
func (x Scalar) Scalar() starlark.Value { return x.Plain() }

// bitsAs are the bits of an element of the type d that holds exactly this number, or, of a float,
// as exactly as d does.
func (x Scalar) bitsAs(d kernels.DType) (uint64, bool) {
	switch {
	case x.dtype.IsFloat():
		return x.bits, d.IsFloat()
	case d.IsFloat():
		f := x.float()
		return math.Float64bits(f), math.Abs(f) < 1<<24 // which a float32 holds
	case x.dtype.IsBool() || d.IsBool():
		return x.bits, x.dtype == d || x.dtype.IsBool() && !d.IsBool()
	}
	low, high := IntegerRange(d)
	return x.bits, x.within(low, high)
}

// float is the number as a float64.
func (x Scalar) float() float64 {
	switch {
	case x.dtype.IsFloat():
		return math.Float64frombits(x.bits)
	case x.dtype == kernels.Uint64:
		return float64(x.bits)
	}
	return float64(int64(x.bits))
}

func (x Scalar) String() string { return array.FormatNumber(x.Dense()) }
func (x Scalar) Freeze()        {}
func (x Scalar) Truth() starlark.Bool {
	return starlark.Bool(x.bits<<1 != 0 || x.bits != 0 && !x.dtype.IsFloat())
} // -0.0 is false

// Type is the name of NumPy's type.
func (x Scalar) Type() string { return scalarType(x.dtype) }

func scalarType(d kernels.DType) string {
	if d.IsBool() {
		return "bool_"
	}
	return d.String()
}

func init() {
	for d := range kernels.NumDTypes {
		value.NameTypes(scalarType(kernels.DType(d)))
	}
}

// Hash is that of the number of Starlark's that it equals.
func (x Scalar) Hash() (uint32, error) { return x.Plain().Hash() }

// Doc is what x? shows.
func (x Scalar) Doc() string {
	return fmt.Sprintf("A number of the type %v. .item() is Starlark's own; it has the attributes of arrays.", x.dtype)
}

// CompareBy compares in the type that both have in common.
func (x Scalar) CompareBy(op syntax.Token, y starlark.Value, side starlark.Side) (starlark.Value, error) {
	other, ok := scalarOfNumber(y)
	if !ok {
		switch y := y.(type) {
		case starlark.Int:
			p := ordered(x.operand(), y, side)
			yes, err := value.Compare(op, p[0], p[1])
			if err != nil {
				return nil, err
			}
			return boolScalar(bool(yes.Truth())), nil
		case *slot.List, starlark.Tuple:
			return x.array(nil).CompareBy(op, y, side)
		}
		return overloadedOperator(nil, comparisons[op], x, y, side)
	}
	if side == starlark.Right {
		x, other = other, x
	}
	return boolScalar(compareScalars(op, x, other)), nil
}

// operand is Plain for operators, which do not take bools: True is 1.
func (x Scalar) operand() starlark.Value {
	if x.dtype.IsBool() {
		return starlark.MakeInt64(int64(x.bits))
	}
	return x.Plain()
}

func ordered(x, y starlark.Value, side starlark.Side) [2]starlark.Value {
	if side == starlark.Right {
		return [2]starlark.Value{y, x}
	}
	return [2]starlark.Value{x, y}
}

func compareScalars(op syntax.Token, x, y Scalar) bool {
	switch d := kernels.Promote(x.dtype, y.dtype); {
	case d.IsFloat():
		return compared(op, x.float(), y.float())
	case d.IsSigned():
		return compared(op, int64(x.bits), int64(y.bits))
	}
	return compared(op, x.bits, y.bits)
}

func compared[E int64 | uint64 | float64](op syntax.Token, x, y E) bool {
	switch op {
	case syntax.EQL:
		return x == y
	case syntax.NEQ:
		return x != y
	case syntax.LT:
		return x < y
	case syntax.LE:
		return x <= y
	case syntax.GT:
		return x > y
	}
	return x >= y
}

// CompareSameType is for what Starlark compares by itself: sorted, and containers.
func (x Scalar) CompareSameType(op syntax.Token, y starlark.Value, _ int) (bool, error) {
	other, ok := y.(Scalar)
	if !ok {
		return op == syntax.NEQ, nil
	}
	return compareScalars(op, x, other), nil
}

// Binary computes x op y, or y op x. Arrays and symbols do it themselves.
func (x Scalar) Binary(op syntax.Token, y starlark.Value, side starlark.Side) (starlark.Value, error) {
	other, ok := scalarOfNumber(y)
	if !ok {
		return x.withOther(op, y, side)
	}
	l, r := x, other
	if side == starlark.Right {
		l, r = other, x
	}
	if z, ok := fastBinary(op, l, r); ok {
		return z, nil
	}
	name := arrayOperators[op]
	if name == "" {
		return nil, nil
	}
	z, err := ufuncs[name].call(nil, []starlark.Value{l, r})
	if err != nil {
		return nil, fmt.Errorf("%s: %w", op, err)
	}
	return z, nil
}

// withOther is Binary for operands that are no number of 64 bits.
func (x Scalar) withOther(op syntax.Token, y starlark.Value, side starlark.Side) (starlark.Value, error) {
	switch y := y.(type) {
	case starlark.Int: // a large one: what comes out is Starlark's, as it is Python's in NumPy
		p := ordered(x.operand(), y, side)
		return starlark.Binary(op, p[0], p[1])
	case starlark.String, starlark.Bytes:
		if op == syntax.STAR && x.dtype.IsInteger() {
			return starlark.Binary(op, value.Factor(y), x.Plain())
		}
	case *slot.List, starlark.Tuple:
		if op == syntax.STAR && x.dtype.IsInteger() { // repetition
			return starlark.Binary(op, value.Factor(y), x.Plain())
		}
		if op == syntax.STAR && x.dtype.IsFloat() {
			return nil, fmt.Errorf("*: got %v, want an integer, by which a %s is repeated; np.array(x) * y multiplies its elements", x.dtype, y.Type())
		}
		return x.array(nil).operate(operators[op], op, y, side, nil)
	}
	if y.Type() == "range" {
		return x.array(nil).operate(operators[op], op, y, side, nil)
	}
	if name := arrayOperators[op]; name != "" {
		return overloadedOperator(nil, name, x, y, side)
	}
	return nil, nil
}

// fastBinary computes what loops are made of without kernels, with their results.
func fastBinary(op syntax.Token, x, y Scalar) (Scalar, bool) {
	d := kernels.Promote(x.dtype, y.dtype)
	if op == syntax.SLASH && !d.IsFloat() {
		d = kernels.Float64
	}
	switch {
	case d.IsFloat():
		switch a, b := x.float(), y.float(); op {
		case syntax.PLUS:
			return floatScalar(d, a+b), true
		case syntax.MINUS:
			return floatScalar(d, a-b), true
		case syntax.STAR:
			return floatScalar(d, a*b), true
		case syntax.SLASH:
			return floatScalar(d, a/b), true
		}
	case d.IsInteger():
		switch op {
		case syntax.PLUS:
			return intScalar(d, x.bits+y.bits), true
		case syntax.MINUS:
			return intScalar(d, x.bits-y.bits), true
		case syntax.STAR:
			return intScalar(d, x.bits*y.bits), true
		case syntax.AMP:
			return Scalar{d, x.bits & y.bits}, true
		case syntax.PIPE:
			return Scalar{d, x.bits | y.bits}, true
		case syntax.CIRCUMFLEX:
			return Scalar{d, x.bits ^ y.bits}, true
		case syntax.SLASHSLASH, syntax.PERCENT:
			return divided(op, d, x.bits, y.bits), true
		}
	}
	return Scalar{}, false
}

// divided is x // y and x % y of integers: rounded down, and 0 for y = 0.
func divided(op syntax.Token, d kernels.DType, x, y uint64) Scalar {
	if y == 0 {
		return Scalar{d, 0}
	}
	quo, rem := x/max(y, 1), x%max(y, 1)
	if d.IsSigned() {
		a, b := int64(x), int64(y)
		q, r := a/b, a%b
		if r != 0 && (r < 0) != (b < 0) {
			q, r = q-1, r+b
		}
		quo, rem = uint64(q), uint64(r)
	}
	if op == syntax.PERCENT {
		return intScalar(d, rem)
	}
	return intScalar(d, quo)
}

// Unary computes -x, ~x and +x.
func (x Scalar) Unary(op syntax.Token) (starlark.Value, error) {
	switch {
	case op == syntax.MINUS && x.dtype.IsFloat():
		return floatScalar(x.dtype, -x.float()), nil
	case op == syntax.PLUS:
		return x, nil
	}
	return x.array(nil).Unary(op)
}
