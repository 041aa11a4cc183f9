package complexes

import (
	"fmt"
	"slices"

	"github.com/arignote/arignote/kernels"
	"github.com/arignote/arignote/runtime/array"
	"github.com/arignote/arignote/runtime/tensor"
	"github.com/arignote/arignote/starlib/np"
	"github.com/arignote/arignote/starlib/slot"
	"github.com/arignote/arignote/starlib/value"
	"go.starlark.net/starlark"
)

// An operand is numbers, real or complex, that meet others.
type operand struct {
	d      *tensor.Dense
	isReal bool // d is the numbers themselves and no pairs
	array  bool // an array, which decides the type of a result; numbers beside it do not
	number bool // a number of the language's, as exact as the widest type
}

// operandOf reads arrays, numbers, and lists of them.
func operandOf(v starlark.Value) (operand, error) { return operandIn(v, 0) }

// operandIn is operandOf of an element of lists that nest depth deep.
func operandIn(v starlark.Value, depth int) (operand, error) {
	switch v := v.(type) {
	case *Array:
		return operand{d: v.pairs.D, array: true}, nil
	case Scalar:
		return operand{d: pairsOf(v.part, nil, []complex128{v.z})}, nil
	case value.Complex:
		return operand{d: pairsOf(kernels.Float64, nil, []complex128{complex128(v)}), number: true}, nil
	case *np.Array:
		return operand{d: v.D, isReal: true, array: true}, nil
	case np.Scalar:
		return operand{d: v.Dense(), isReal: true}, nil
	}
	d, err := np.ToDense(v)
	if err == nil {
		return operand{d: d, isReal: true, array: d.Rank() > 0, number: d.Rank() == 0}, nil
	}
	if depth > tensor.MaxRank { // a list that holds itself
		return operand{}, err
	}
	d, err = ofList(v, depth, err)
	return operand{d: d, array: true}, err
}

// ofList is pairs of nested lists; refused is what np says of them.
func ofList(v starlark.Value, depth int, refused error) (*tensor.Dense, error) {
	seq, ok := value.Indexed(v)
	if !ok || seq.Len() == 0 {
		return nil, refused
	}
	flat := make([]complex128, seq.Len())
	isFlat := true
	part := kernels.Float32 // of np's numbers among them, the widest
	for i := range flat {
		switch x := seq.Index(i).(type) {
		case Scalar:
			flat[i], part = x.z, kernels.Promote(part, x.part)
		default:
			z, ok := value.AsComplex(value.Plain(x))
			isFlat = isFlat && ok
			flat[i], part = z, kernels.Float64
		}
		if !isFlat {
			break
		}
	}
	if isFlat {
		return pairsOf(part, []int{len(flat)}, flat), nil
	}
	var rows []operand
	for i := range seq.Len() {
		x, err := operandIn(seq.Index(i), depth+1)
		if err != nil {
			return nil, err
		}
		if i > 0 && !slices.Equal(x.shape(), rows[0].shape()) {
			return nil, fmt.Errorf("ragged: [%d]: got shape %s, want %s like the others", i, tensor.ShapeString(x.shape()), tensor.ShapeString(rows[0].shape()))
		}
		rows = append(rows, x)
	}
	if err := checkRank(len(rows[0].shape()) + 1); err != nil {
		return nil, err
	}
	part = kernels.Float32
	for _, x := range rows {
		part = kernels.Promote(part, x.d.DType())
	}
	z := empty(part, append([]int{len(rows)}, rows[0].shape()...))
	for i, x := range rows {
		at := i
		row, err := z.Subscript(tensor.Index{At: &at})
		if err != nil {
			return nil, err
		}
		tensor.CopyTo(row, x.as(part))
	}
	return z, nil
}

// shape is that of the numbers.
func (x operand) shape() []int {
	if x.isReal {
		return x.d.Shape()
	}
	return x.d.Shape()[:x.d.Rank()-1]
}

// as is x as pairs of a type; it may be the operand's own memory.
func (x operand) as(part kernels.DType) *tensor.Dense {
	if x.isReal {
		z := tensor.New(part, append(slices.Clone(x.d.Shape()), 2)...)
		tensor.CopyTo(array.Part(z, 0), x.d)
		return z
	}
	return x.d.As(part)
}

// real is the real parts.
func (x operand) real() *tensor.Dense {
	if x.isReal {
		return x.d
	}
	return array.Part(x.d, 0)
}

// imag is the imaginary parts.
func (x operand) imag() *tensor.Dense {
	if x.isReal {
		return tensor.New(x.d.DType(), x.d.Shape()...)
	}
	return array.Part(x.d, 1)
}

// partType is the type of the parts of a result of operands: that of the arrays of floats among
// them, or else of all, of which the language's own numbers are as wide as there are.
func partType(list ...operand) kernels.DType {
	part, arrays := kernels.Float32, false // of floats: beside others, numbers count
	for _, x := range list {
		if x.array {
			part, arrays = kernels.Promote(part, x.d.DType()), arrays || x.d.DType().IsFloat()
		}
	}
	for _, x := range list {
		switch {
		case arrays:
		case x.number && !x.isReal || x.number && !slices.ContainsFunc(list, func(x operand) bool { return x.array }):
			part = kernels.Float64
		case x.number:
		default:
			part = kernels.Promote(part, x.d.DType())
		}
	}
	return part
}

// typeName is the name of the element type of what np's functions of real numbers do not know, ""
// of anything else: of a list, that of the first such number.
func typeName(v starlark.Value) string { return typeNameIn(v, 4) }

func typeNameIn(v starlark.Value, depth int) string {
	switch v := v.(type) {
	case *Array:
		return Type(v.part()).Name()
	case Scalar:
		return v.Type()
	case value.ComplexNumber:
		return "complex128"
	case Type:
		return v.Name()
	case *slot.List:
		if depth > 0 {
			for i := range v.Len() {
				if name := typeNameIn(v.Index(i), depth-1); name != "" {
					return name
				}
			}
		}
	case starlark.Tuple:
		if depth > 0 {
			for _, x := range v {
				if name := typeNameIn(x, depth-1); name != "" {
					return name
				}
			}
		}
	case starlark.String:
		if t, ok := typeOfName(string(v)); ok && len(v) > 1 {
			return t.Name()
		}
	case starlark.Callable:
		if v.Name() == "complex" {
			return "complex128"
		}
	}
	return ""
}

// isComplex reports whether v is a complex number or an array of such.
func isComplex(v starlark.Value) bool {
	switch v.(type) {
	case *Array, value.ComplexNumber:
		return true
	}
	return false
}
