package tensor

import (
	"fmt"
	"slices"

	"github.com/arignote/arignote/kernels"
)

// Copy returns a C-contiguous array of its own memory.
func (a *Dense) Copy() *Dense { return a.AsType(a.dtype) }

// AsType returns a C-contiguous copy with the elements converted: floats truncate to
// integers, and anything but zero is true.
func (a *Dense) AsType(dtype kernels.DType) *Dense {
	z := Empty(dtype, a.shape...)
	CopyTo(z, a)
	return z
}

// CopyTo writes the elements of src, converted to dst's type, into dst. src broadcasts to dst's
// shape along axes of length 1; it panics if the shapes do not fit.
func CopyTo(dst, src *Dense) {
	if dst.Size() == 0 {
		return
	}
	if dst.dtype == src.dtype && slices.Equal(dst.shape, src.shape) && dst.IsContiguous() && src.IsContiguous() {
		copy(dst.buf.data[dst.offset:dst.offset+dst.NBytes()], src.buf.data[src.offset:])
		return
	}
	from, ok := src.BroadcastTo(dst.shape)
	if !ok {
		panic(fmt.Sprintf("BUG: copy of shape %v into %v", src.shape, dst.shape))
	}
	if SharesMemory(dst, src) && (dst.dtype != src.dtype || dst.offset != src.offset || !slices.Equal(dst.strides, from.strides)) {
		from, _ = src.Copy().BroadcastTo(dst.shape)
	}
	if dst.dtype == src.dtype {
		run, _ := kernels.GoSet.Copy(dst.dtype.Size())
		run(dst.shape, dst.Operand(), from.Operand(), nil)
		return
	}
	instr := kernels.Instr{
		LoopKey: kernels.LoopKey{Op: "cast", In: src.dtype, Out: dst.dtype},
		Args:    []int{0},
		Go:      kernels.Cast[src.dtype][dst.dtype],
	}
	run, ok := kernels.GoSet.Elemwise(&kernels.Program{
		Inputs: []kernels.DType{src.dtype}, Instrs: []kernels.Instr{instr}, Outputs: []kernels.Output{{Reg: 1}},
	})
	if !ok {
		panic("BUG: the Go kernels have no cast")
	}
	run(dst.shape, []kernels.Operand{dst.Operand()}, []kernels.Operand{from.Operand()}, nil)
}

// Fill sets every element to v, converted.
func (a *Dense) Fill(v float64) { CopyTo(a, From([]float64{v})) }

// Equal reports whether two arrays have the same type, shape and elements; NaN equals NaN.
func Equal(a, b *Dense) bool {
	if a.dtype != b.dtype || !slices.Equal(a.shape, b.shape) {
		return false
	}
	if a.dtype.IsFloat() {
		return slices.EqualFunc(a.Floats(), b.Floats(), func(x, y float64) bool { return x == y || x != x && y != y })
	}
	return slices.Equal(a.Ints(), b.Ints())
}
