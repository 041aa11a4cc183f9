package tensor

import (
	"fmt"
	"math"
	"strings"
	"unsafe"

	"github.com/arignote/arignote/kernels"
)

// MaxRank is the largest number of axes of an array.
const MaxRank = 8

// Dense is an n-dimensional array. Its description never changes; its elements may.
type Dense struct {
	dtype   kernels.DType
	shape   []int
	strides []int // bytes
	offset  int   // bytes
	buf     *Buffer
}

// Number is the set of Go types that elements have; bool is stored as uint8 and is handled apart.
type Number interface {
	~int8 | ~int16 | ~int32 | ~int64 | ~uint8 | ~uint16 | ~uint32 | ~uint64 | ~float32 | ~float64
}

// From returns an array that holds a copy of values, in C order. bool elements come from FromBools.
func From[T Number](values []T, shape ...int) *Dense {
	if Size(shape) != len(values) {
		panic(fmt.Sprintf("BUG: %d values for shape %v", len(values), shape))
	}
	a := New(dtypeOf[T](), shape...)
	copy(Elements[T](a), values)
	return a
}

// FromBools is From for bool.
func FromBools(values []bool, shape ...int) *Dense {
	a := New(kernels.Bool, shape...)
	for i, v := range values {
		if v {
			a.buf.data[i] = 1
		}
	}
	return a
}

// Scalar returns a 0-d array of the given type; v is converted as Go converts numbers.
func Scalar(dtype kernels.DType, v float64) *Dense {
	if dtype == kernels.Float64 {
		a := Empty(dtype)
		*(*float64)(a.Pointer()) = v
		return a
	}
	return From([]float64{v}).AsType(dtype)
}

// IntScalar is Scalar without a detour through floating point.
func IntScalar(dtype kernels.DType, v int64) *Dense {
	if dtype == kernels.Int64 {
		a := Empty(dtype)
		*(*int64)(a.Pointer()) = v
		return a
	}
	return From([]int64{v}).AsType(dtype)
}

func dtypeOf[T Number]() kernels.DType {
	var zero T
	switch any(zero).(type) {
	case int8:
		return kernels.Int8
	case int16:
		return kernels.Int16
	case int32:
		return kernels.Int32
	case int64:
		return kernels.Int64
	case uint8:
		return kernels.Uint8
	case uint16:
		return kernels.Uint16
	case uint32:
		return kernels.Uint32
	case uint64:
		return kernels.Uint64
	case float32:
		return kernels.Float32
	case float64:
		return kernels.Float64
	}
	panic(fmt.Sprintf("BUG: no dtype for %T", zero))
}

// Size is the number of elements of a shape.
func Size(shape []int) int {
	n := 1
	for _, d := range shape {
		n *= d
	}
	return n
}

// CStrides are the strides, in bytes, of a C-contiguous array.
func CStrides(shape []int, itemsize int) []int {
	strides := make([]int, len(shape))
	setCStrides(strides, shape, itemsize)
	return strides
}

func setCStrides(strides, shape []int, itemsize int) {
	step := itemsize
	for i := len(shape) - 1; i >= 0; i-- {
		strides[i] = step
		step *= max(shape[i], 1)
	}
}

// DType is the element type.
func (a *Dense) DType() kernels.DType { return a.dtype }

// Rank is the number of axes.
func (a *Dense) Rank() int { return len(a.shape) }

// Dim is the length of axis i.
func (a *Dense) Dim(i int) int { return a.shape[i] }

// Shape must not be changed by the caller.
func (a *Dense) Shape() []int { return a.shape }

// Strides, in bytes, must not be changed by the caller.
func (a *Dense) Strides() []int { return a.strides }

// Offset of the first element in the buffer, in bytes.
func (a *Dense) Offset() int { return a.offset }

// Size is the number of elements.
func (a *Dense) Size() int { return Size(a.shape) }

// NBytes is the number of bytes of the elements, whether or not they share memory.
func (a *Dense) NBytes() int { return a.Size() * a.dtype.Size() }

// Buffer is the memory behind the array.
func (a *Dense) Buffer() *Buffer { return a.buf }

// Pointer to the first element; nil for an array without elements.
func (a *Dense) Pointer() unsafe.Pointer {
	if a.Size() == 0 {
		return nil
	}
	return unsafe.Pointer(&a.buf.data[a.offset])
}

// Operand describes the array to a kernel.
func (a *Dense) Operand() kernels.Operand {
	return kernels.Operand{Data: a.Pointer(), Strides: a.strides}
}

// IsContiguous reports whether the elements lie in C order without gaps. Strides of axes of
// length 1 do not matter.
func (a *Dense) IsContiguous() bool {
	if a.Size() == 0 {
		return true
	}
	step := a.dtype.Size()
	for i := len(a.shape) - 1; i >= 0; i-- {
		if a.shape[i] != 1 && a.strides[i] != step {
			return false
		}
		step *= a.shape[i]
	}
	return true
}

// isFortran is IsContiguous for the reverse order of axes.
func (a *Dense) isFortran() bool {
	step := a.dtype.Size()
	for i, n := range a.shape {
		if n != 1 && a.strides[i] != step {
			return a.Size() == 0
		}
		step *= n
	}
	return true
}

// SharesMemory reports whether two arrays have the same Buffer.
func SharesMemory(a, b *Dense) bool { return a.buf == b.buf }

// Elements views a C-contiguous array as a slice.
func Elements[T Number](a *Dense) []T {
	if want := dtypeOf[T](); a.dtype != want && (a.dtype != kernels.Bool || want != kernels.Uint8) {
		panic(fmt.Sprintf("BUG: %v array read as %v", a.dtype, want))
	}
	if !a.IsContiguous() {
		panic("BUG: strided array read as a slice")
	}
	if a.Size() == 0 {
		return nil
	}
	return unsafe.Slice((*T)(a.Pointer()), a.Size())
}

// Floats returns the elements in C order, converted to float64.
func (a *Dense) Floats() []float64 {
	if !a.isBrief() {
		return Elements[float64](a.AsType(kernels.Float64))
	}
	list := make([]float64, a.Size())
	for i := range list {
		switch bits := a.Bits(i * a.dtype.Size()); {
		case a.dtype.IsFloat():
			list[i] = math.Float64frombits(bits)
		case a.dtype == kernels.Uint64:
			list[i] = float64(bits)
		default:
			list[i] = float64(int64(bits))
		}
	}
	return list
}

// isBrief reports whether elements are read one by one sooner than a converted array is described:
// of shapes and numbers in graphs.
func (a *Dense) isBrief() bool {
	const few = 8
	n := a.Size()
	return n > 0 && n <= few && a.IsContiguous()
}

// Values is Floats for those who only read: the slice may be the array's own memory.
func (a *Dense) Values() []float64 {
	if a.dtype == kernels.Float64 && a.IsContiguous() {
		return Elements[float64](a)
	}
	return a.Floats()
}

// Ints returns the elements in C order, converted to int64.
func (a *Dense) Ints() []int64 {
	if a.dtype.IsFloat() || !a.isBrief() {
		return Elements[int64](a.AsType(kernels.Int64))
	}
	list := make([]int64, a.Size())
	for i := range list {
		list[i] = int64(a.Bits(i * a.dtype.Size()))
	}
	return list
}

// Item returns the only element: a bool, int64, uint64 or float64.
func (a *Dense) Item() any {
	if a.Size() != 1 {
		panic(fmt.Sprintf("BUG: item of an array of %d elements", a.Size()))
	}
	switch {
	case a.dtype.IsBool():
		return Elements[uint8](a.flat())[0] != 0
	case a.dtype.IsFloat():
		return a.Floats()[0]
	case a.dtype == kernels.Uint64:
		return Elements[uint64](a.flat())[0]
	}
	return a.Ints()[0]
}

func (a *Dense) flat() *Dense {
	if a.IsContiguous() {
		return a
	}
	return a.Copy()
}

// ShapeString writes a shape as Python does: (), (3,), (2, 3).
func ShapeString(shape []int) string {
	parts := make([]string, len(shape))
	for i, d := range shape {
		parts[i] = fmt.Sprint(d)
	}
	if len(parts) == 1 {
		return "(" + parts[0] + ",)"
	}
	return "(" + strings.Join(parts, ", ") + ")"
}
