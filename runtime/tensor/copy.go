package tensor

import (
	"fmt"
	"slices"
	"sync"
	"unsafe"

	"github.com/arignote/arignote/kernels"
	"github.com/arignote/arignote/runtime/memory"
)

// Copy returns a C-contiguous array of its own memory.
func (a *Dense) Copy() *Dense { return a.AsType(a.dtype) }

// AsType returns a C-contiguous copy with the elements converted: floats truncate to
// integers, and anything but zero is true.
func (a *Dense) AsType(dtype kernels.DType) *Dense {
	z := Empty(dtype, a.shape...)
	CopyTo(z, a)
	z.isCopyOf(a)
	return z
}

// isCopyOf tells a ledger of memory that z is a copy of a, and why there has to be one.
func (z *Dense) isCopyOf(a *Dense) {
	if z.IsSmall() || z.Size() == 0 {
		return
	}
	memory.Copied(unsafe.SliceData(z.buf.data), func() string {
		switch {
		case z.dtype != a.dtype:
			return a.dtype.String() + " to " + z.dtype.String()
		case slices.Contains(a.strides, 0) && a.Size() > 1:
			return "broadcast"
		case len(a.shape) > 1 && a.Transpose().IsContiguous() && !a.IsContiguous():
			return "transposed"
		case !a.IsContiguous():
			return "not contiguous"
		}
		return "copy"
	})
}

// IsComputedOf tells a ledger of memory that z, which is new, is the result of an operation: it
// could lie in an operand of its type and shape that is all of its memory. Operands may be nil.
func (z *Dense) IsComputedOf(operands []*Dense) {
	if z.IsSmall() {
		return
	}
	memory.Computed(unsafe.SliceData(z.buf.data), func(i int) bool {
		if i >= len(operands) || operands[i] == nil {
			return false
		}
		a := operands[i]
		return a.dtype == z.dtype && slices.Equal(a.shape, z.shape) && a.offset == 0 && a.NBytes() == len(a.buf.data)
	})
}

// Copy is a.Copy, and asks as it goes on.
func (p *Poll) Copy(a *Dense) *Dense { return p.AsType(a, a.dtype) }

// AsType is a.AsType, and asks as it goes on.
func (p *Poll) AsType(a *Dense, dtype kernels.DType) *Dense {
	z := Empty(dtype, a.shape...)
	p.CopyTo(z, a)
	z.isCopyOf(a)
	return z
}

// Fill is a.Fill, and asks as it goes on.
func (p *Poll) Fill(a *Dense, v float64) { p.CopyTo(a, From([]float64{v})) }

// CopyTo is CopyTo, and asks as it goes on.
func (p *Poll) CopyTo(dst, src *Dense) {
	if !copyTo(dst, src, p.Stop) {
		panic(ErrStopped)
	}
}

// As is a itself if it has the type, and a.AsType(dtype) otherwise.
func (a *Dense) As(dtype kernels.DType) *Dense {
	if a.dtype == dtype {
		return a
	}
	return a.AsType(dtype)
}

// CopyTo writes the elements of src, converted to dst's type, into dst. src broadcasts to dst's
// shape along axes of length 1; it panics if the shapes do not fit.
func CopyTo(dst, src *Dense) { copyTo(dst, src, nil) }

// copyTo is CopyTo, and reports whether it was not stopped.
func copyTo(dst, src *Dense, stop kernels.Stop) bool {
	if dst.Size() == 0 {
		return true
	}
	if dst.dtype == src.dtype && slices.Equal(dst.shape, src.shape) && dst.IsContiguous() && src.IsContiguous() {
		to, from := dst.buf.data[dst.offset:dst.offset+dst.NBytes()], src.buf.data[src.offset:]
		return inBlocks(len(to), stop, func(first, end int) { copy(to[first:end], from[first:]) })
	}
	from := src
	if !slices.Equal(dst.shape, src.shape) {
		var ok bool
		if from, ok = src.BroadcastTo(dst.shape); !ok {
			panic(fmt.Sprintf("BUG: copy of shape %v into %v", src.shape, dst.shape))
		}
	}
	if SharesMemory(dst, src) && (dst.dtype != src.dtype || dst.offset != src.offset || !slices.Equal(dst.strides, from.strides)) {
		from, _ = src.Copy().BroadcastTo(dst.shape)
	}
	if dst.dtype == src.dtype {
		run, _ := Movement.Copy(dst.dtype.Size())
		return run(dst.shape, dst.Operand(), from.Operand(), stop)
	}
	pool := &converters[src.dtype][dst.dtype]
	c, ok := pool.Get().(*converter)
	if !ok {
		c = newConverter(src.dtype, dst.dtype)
	}
	c.out[0], c.in[0] = dst.Operand(), from.Operand()
	done := c.run(dst.shape, c.out[:], c.in[:], stop)
	c.out[0], c.in[0] = kernels.Operand{}, kernels.Operand{} // what is kept must not hold the caller's memory
	pool.Put(c)
	return done
}

// Movement is the set whose kernels copy and convert elements. The room that chooses sets,
// runtime/exec, sets it when the program starts.
var Movement = kernels.GoSet

// A converter is a linked cast with what a call of it needs. One goroutine at a time has it.
type converter struct {
	run     kernels.ElemwiseFunc
	out, in [1]kernels.Operand
}

// converters are those from one type to another that do not run now.
var converters [kernels.NumDTypes][kernels.NumDTypes]sync.Pool

func newConverter(from, to kernels.DType) *converter {
	instr := kernels.Instr{LoopKey: kernels.LoopKey{Op: "cast", In: from, Out: to}, Args: []int{0}, Go: kernels.Cast[from][to]}
	run, ok := Movement.Elemwise(&kernels.Program{Inputs: []kernels.DType{from}, Instrs: []kernels.Instr{instr}, Outputs: []kernels.Output{{Reg: 1}}})
	if !ok {
		panic(fmt.Sprintf("BUG: no kernel casts %v to %v", from, to))
	}
	return &converter{run: run}
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
