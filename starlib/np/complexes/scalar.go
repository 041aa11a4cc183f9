package complexes

import (
	"math"

	"github.com/arignote/arignote/kernels"
	"github.com/arignote/arignote/kernels/complexes"
	"github.com/arignote/arignote/runtime/array"
	"github.com/arignote/arignote/runtime/tensor"
	"github.com/arignote/arignote/starlib/np"
	"github.com/arignote/arignote/starlib/value"
	"go.starlark.net/starlark"
	"go.starlark.net/syntax"
)

// A Scalar is a complex number with an element type: an element of an array, the result of a
// reduction, what np.complex64(1j) returns.
type Scalar struct {
	z    complex128
	part kernels.DType
}

var (
	_ value.ComplexNumber = Scalar{}
	_ value.Typed         = Scalar{}
	_ value.Tabled        = Scalar{}
	_ value.Numeric       = Scalar{}
	_ value.Absolute      = Scalar{}
	_ value.Documenter    = Scalar{}
	_ value.Formatter     = Scalar{}
	_ starlark.HasBinary  = Scalar{}
	_ starlark.HasUnary   = Scalar{}
	_ starlark.Comparable = Scalar{}
	_ starlark.Mapping    = Scalar{} // x[()]
)

// scalarOf reads the only number of pairs.
func scalarOf(d *tensor.Dense) Scalar { return Scalar{values(d)[0], d.DType()} }

func (x Scalar) array(host value.Host) *Array {
	return newArray(host, pairsOf(x.part, nil, []complex128{x.z}))
}

func (x Scalar) Type() string            { return Type(x.part).Name() }
func (x Scalar) Freeze()                 {}
func (x Scalar) Truth() starlark.Bool    { return x.z != 0 }
func (x Scalar) Complex() complex128     { return x.z }
func (x Scalar) Plain() starlark.Value   { return value.Complex(x.z) }
func (x Scalar) KeyHash() (int64, error) { return value.HashComplex(x.z), nil }
func (x Scalar) Hash() (uint32, error)   { return value.Complex(x.z).Hash() }

// FormatSpec is that of the language's own number.
func (x Scalar) FormatSpec(spec string) (string, error) { return value.Complex(x.z).FormatSpec(spec) }

// String writes as many digits as the type needs.
func (x Scalar) String() string {
	bits := 8 * x.part.Size()
	re, im := array.FormatComplexFloat(real(x.z), bits), array.FormatComplexFloat(imag(x.z), bits)
	if real(x.z) == 0 && !math.Signbit(real(x.z)) {
		return im + "j"
	}
	if im[0] != '-' {
		im = "+" + im
	}
	return "(" + re + im + "j)"
}

// Doc is what x? shows.
func (x Scalar) Doc() string {
	return "A number of the type " + x.Type() + ". .item() is Starlark's own; it has the attributes of arrays."
}

// Get is x[()].
func (x Scalar) Get(k starlark.Value) (starlark.Value, bool, error) { return x.array(nil).Get(k) }

// Abs is abs(x).
func (x Scalar) Abs() (starlark.Value, error) { return realScalar(x.part, complexes.Abs(x.z)), nil }

// realScalar is a number of np's.
func realScalar(part kernels.DType, x float64) starlark.Value {
	return np.FromDense(tensor.Scalar(part, x))
}

// CallNumeric answers pow and its like.
func (x Scalar) CallNumeric(thread *starlark.Thread, name string, args starlark.Tuple, kwargs []starlark.Tuple) (starlark.Value, error) {
	return callNumeric(thread, x, name, args, kwargs)
}

// CompareBy compares x with numbers; arrays do it themselves.
func (x Scalar) CompareBy(op syntax.Token, y starlark.Value, side starlark.Side) (starlark.Value, error) {
	switch y.(type) {
	case *Array, *np.Array:
		return nil, nil
	}
	if _, err := operandOf(y); err != nil {
		return nil, nil
	}
	if side == starlark.Right {
		return operator(nil, comparisons[op], y, x)
	}
	return operator(nil, comparisons[op], x, y)
}

// CompareSameType is for what Starlark compares by itself.
func (x Scalar) CompareSameType(op syntax.Token, y starlark.Value, _ int) (bool, error) {
	z, err := x.CompareBy(op, y, starlark.Left)
	return z != nil && bool(z.Truth()), err
}

// Binary computes x op y, or y op x.
func (x Scalar) Binary(op syntax.Token, y starlark.Value, side starlark.Side) (starlark.Value, error) {
	name := operators[op]
	if _, isArray := y.(*Array); name == "" || isArray {
		return nil, nil
	}
	if _, err := operandOf(y); err != nil {
		return nil, nil
	}
	if side == starlark.Right {
		return operator(nil, name, y, x)
	}
	return operator(nil, name, x, y)
}

// Unary computes -x and +x.
func (x Scalar) Unary(op syntax.Token) (starlark.Value, error) {
	switch op {
	case syntax.MINUS:
		return Scalar{-x.z, x.part}, nil
	case syntax.PLUS:
		return x, nil
	}
	return nil, nil
}

func (x Scalar) Table() *value.Methods { return methods() }
func (x Scalar) AttrNames() []string   { return methods().Names() }

func (x Scalar) Attr(name string) (starlark.Value, error) {
	if methods().Rows[name] != nil {
		return methods().Attr(x, name)
	}
	v, err := x.array(nil).Attr(name)
	if err != nil {
		return nil, err
	}
	return withoutAxes(v), nil
}

// withoutAxes is an array that has no axes as a number.
func withoutAxes(v starlark.Value) starlark.Value {
	switch a := v.(type) {
	case *np.Array:
		if a.D.Rank() == 0 {
			return np.FromDense(a.D)
		}
	case *Array:
		return fromPairs(a.host, a.pairs.D)
	}
	return v
}
