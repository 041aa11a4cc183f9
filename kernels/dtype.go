package kernels

import "fmt"

// DType is the type of an array's elements.
type DType uint8

const (
	Invalid DType = iota
	Bool          // one byte, 0 or 1
	Int8
	Int16
	Int32
	Int64
	Uint8
	Uint16
	Uint32
	Uint64
	Float32
	Float64

	// NumDTypes bounds tables indexed by DType.
	NumDTypes = iota
)

type class uint8

const (
	boolean class = iota + 1
	signed
	unsigned
	floating
)

var dtypes = [NumDTypes]struct {
	name  string
	size  int
	class class
}{
	Bool:    {"bool", 1, boolean},
	Int8:    {"int8", 1, signed},
	Int16:   {"int16", 2, signed},
	Int32:   {"int32", 4, signed},
	Int64:   {"int64", 8, signed},
	Uint8:   {"uint8", 1, unsigned},
	Uint16:  {"uint16", 2, unsigned},
	Uint32:  {"uint32", 4, unsigned},
	Uint64:  {"uint64", 8, unsigned},
	Float32: {"float32", 4, floating},
	Float64: {"float64", 8, floating},
}

// DTypes lists the element types in order of definition.
func DTypes() []DType {
	all := make([]DType, 0, NumDTypes-1)
	for d := Bool; d < NumDTypes; d++ {
		all = append(all, d)
	}
	return all
}

// ParseDType finds an element type by its NumPy name.
func ParseDType(name string) (DType, error) {
	for d, row := range dtypes {
		if row.name == name && name != "" {
			return DType(d), nil
		}
	}
	return Invalid, fmt.Errorf("unknown dtype %q (want bool, int8, int16, int32, int64, uint8, uint16, uint32, uint64, float32 or float64)", name)
}

// String returns the NumPy name.
func (d DType) String() string {
	if d == Invalid || d >= NumDTypes {
		return fmt.Sprintf("dtype(%d)", uint8(d))
	}
	return dtypes[d].name
}

// Size is the number of bytes of an element.
func (d DType) Size() int { return dtypes[d].size }

func (d DType) IsBool() bool    { return dtypes[d].class == boolean }
func (d DType) IsFloat() bool   { return dtypes[d].class == floating }
func (d DType) IsSigned() bool  { return dtypes[d].class == signed }
func (d DType) IsInteger() bool { return d.IsSigned() || dtypes[d].class == unsigned }

// Promote returns the smallest type that holds both: NumPy's promote_types.
// int64 with uint64, and an integer of more than 16 bits with float32, give float64.
func Promote(a, b DType) DType {
	switch {
	case a == b:
		return a
	case a.IsBool():
		return b
	case b.IsBool():
		return a
	case a.IsFloat() || b.IsFloat():
		if a.IsFloat() && b.IsFloat() {
			return Float64
		}
		if b.IsFloat() {
			a, b = b, a
		}
		if a == Float32 && b.Size() <= 2 {
			return Float32
		}
		return Float64
	case a.IsSigned() == b.IsSigned():
		if a.Size() >= b.Size() {
			return a
		}
		return b
	}
	if !a.IsSigned() {
		a, b = b, a
	}
	if a.Size() > b.Size() {
		return a
	}
	// The signed type must be wider than the unsigned one.
	switch b {
	case Uint8:
		return Int16
	case Uint16:
		return Int32
	case Uint32:
		return Int64
	}
	return Float64
}
