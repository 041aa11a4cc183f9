package tensor

import (
	"fmt"
	"slices"
	"sync"
	"sync/atomic"
	"unsafe"

	"github.com/arignote/arignote/kernels"
	"github.com/arignote/arignote/runtime/memory"
)

// Alignment of every Buffer's first byte: a cache line, and the widest vector register. Buffers
// that are smaller than this may lie anywhere.
const Alignment = memory.Alignment

// A Buffer is memory that arrays share. It is freed when nothing refers to it any more. One of more
// than memory.Small bytes comes from package memory, which counts it.
type Buffer struct {
	data   []byte // starts at an aligned address
	claims atomic.Int32
}

// held is a number of claims with which memory is not released. It is not counted further, so that
// no number of views is too large.
const pinned = 2

// Claim notes that a value of the language refers to the memory.
func (b *Buffer) Claim() {
	if b.claims.Load() < pinned {
		b.claims.Add(1)
	}
}

// Pin notes that somebody else may: the memory is not released.
func (b *Buffer) Pin() {
	if b.claims.Load() < pinned {
		b.claims.Store(pinned)
	}
}

// Claims is what Unpin takes.
func (b *Buffer) Claims() int32 { return b.claims.Load() }

// Unpin undoes the claims since there were so many, which those who made them have forgotten.
func (b *Buffer) Unpin(claims int32) { b.claims.Store(claims) }

// IsUnique reports whether a is all of its memory, in C order or the reverse, and no more than one
// value refers to that.
func (a *Dense) IsUnique() bool {
	return a.buf.claims.Load() < pinned && a.offset == 0 && a.NBytes() == len(a.buf.data) && (a.IsContiguous() || a.isFortran())
}

// IsSmall reports whether package memory does not count the memory of a.
func (a *Dense) IsSmall() bool { return len(a.buf.data) <= memory.Small }

// Release gives the memory of a back, if it is IsUnique and nobody refers to the value any more.
// Then a has no elements that may be looked at: an attempt panics.
func (a *Dense) Release() {
	if !a.IsUnique() {
		return
	}
	b := a.buf
	data := b.data
	if Poison {
		poison(data)
	}
	b.data, a.buf = nil, nil
	switch n := len(data); {
	case n > memory.Small:
		memory.Release(data)
	default:
		memory.ReleaseSmall(data)
	}
}

// pooled is what the claims of a buffer are that Empty may give out again.
const pooled = -1

// Recycle is Release by whoever knows that nobody refers to a itself either: Empty may return it
// again, with its memory.
func (a *Dense) Recycle() {
	switch {
	case !a.IsSmall() || !a.IsContiguous():
		a.Release()
	case a.IsUnique() && a.buf.claims.Load() != pooled:
		if Poison { // a itself has no memory any more: who still refers to it panics
			again, buf := *a, &Buffer{data: a.buf.data}
			poison(buf.data)
			a.buf.data, a.buf, again.buf = nil, nil, buf
			a = &again
		}
		a.buf.claims.Store(pooled)
		putFree(a)
	}
}

func poison(data []byte) {
	for i := range data {
		data[i] = 0xa5
	}
}

// freeList are small arrays that were recycled, whole, the last one last: to make another takes
// longer than to compute its elements.
var freeList struct {
	some atomic.Bool // to know without the lock that there are none
	sync.Mutex
	list []*Dense
}

// maxFree is how many of them wait.
const maxFree = 8

// putFree adds an array, instead of the first if there are too many.
func putFree(a *Dense) {
	var first *Dense
	freeList.Lock()
	if len(freeList.list) == maxFree {
		first = freeList.list[0]
		freeList.list = slices.Delete(freeList.list, 0, 1)
	}
	freeList.list = append(freeList.list, a)
	freeList.some.Store(true)
	freeList.Unlock()
	if first != nil {
		first.Release()
	}
}

// takeFree returns one of a type and shape, the last that was put there, nil if there is none. It
// is nobody's.
func takeFree(dtype kernels.DType, shape []int) *Dense {
	if !freeList.some.Load() {
		return nil
	}
	freeList.Lock()
	defer freeList.Unlock()
	for i := len(freeList.list) - 1; i >= 0; i-- {
		if a := freeList.list[i]; a.dtype == dtype && slices.Equal(a.shape, shape) {
			freeList.list = slices.Delete(freeList.list, i, i+1)
			a.buf.claims.Store(0)
			return a
		}
	}
	return nil
}

// Poison is for tests, in which whoever still refers to an array that was given back is to be
// found: its memory is overwritten, and no array is given out again as it was, only its memory
// under a new description. The old one has no elements, and to look at them panics. Without Poison
// it may show those of another array.
var Poison bool

// EmptyBuffer allocates n undefined bytes. It panics with a *SizeError where there is not as much
// memory.
func EmptyBuffer(n int) *Buffer {
	b := new(Buffer)
	if err := b.allocate(n); err != nil {
		panic(&SizeError{err.Error(), true, err})
	}
	return b
}

func (b *Buffer) allocate(n int) error {
	if n <= Alignment {
		b.data = make([]byte, n)
		return nil
	}
	if n <= memory.Small {
		if b.data = memory.TakeSmall(n); b.data != nil {
			return nil
		}
		raw := make([]byte, n+Alignment)
		skip := -int(uintptr(unsafe.Pointer(unsafe.SliceData(raw)))) & (Alignment - 1)
		b.data = raw[skip : skip+n : skip+n]
		return nil
	}
	data, err := memory.Get(n)
	b.data = data
	return err
}

// Len is the number of bytes of the buffer.
func (b *Buffer) Len() int { return len(b.data) }

// IsIn reports whether l has seen the memory begin, which is more than memory.Small bytes.
func (b *Buffer) IsIn(l *memory.Ledger) bool {
	_, ok := l.Owner(unsafe.SliceData(b.data))
	return ok
}

// Footprint is the number of bytes that the buffer takes, up to an eighth more than it has.
func (b *Buffer) Footprint() int { return memory.BlockSize(len(b.data)) }

// owned is an array with the description of its memory, in one allocation. The memory itself is
// apart: C may be given an address only in memory without pointers of Go.
type owned struct {
	array  Dense
	buffer Buffer
	dims   [2 * ownedRank]int
}

const ownedRank = 3

// Empty returns a C-contiguous array whose elements are undefined. It panics with a *SizeError
// where there is not as much memory.
func Empty(dtype kernels.DType, shape ...int) *Dense {
	n := Size(shape) * dtype.Size()
	if n <= memory.Small {
		if a := takeFree(dtype, shape); a != nil {
			return a
		}
	}
	o := new(owned)
	if err := o.buffer.allocate(n); err != nil {
		panic(&SizeError{fmt.Sprintf("an array of shape %s and type %v %v", ShapeString(shape), dtype, err), true, err})
	}
	if len(shape) > ownedRank {
		return Over(&o.buffer, dtype, shape...)
	}
	return o.array.describe(&o.buffer, dtype, shape, o.dims[:])
}

// New returns a zeroed C-contiguous array.
func New(dtype kernels.DType, shape ...int) *Dense {
	a := Empty(dtype, shape...)
	clear(a.buf.data)
	return a
}

// Over returns a C-contiguous array at the start of buf, which must be large enough.
func Over(buf *Buffer, dtype kernels.DType, shape ...int) *Dense {
	return new(Dense).describe(buf, dtype, shape, make([]int, 2*len(shape))) // one allocation for both lists
}

// describe fills in a C-contiguous array; dims is memory for its shape and strides.
func (a *Dense) describe(buf *Buffer, dtype kernels.DType, shape, dims []int) *Dense {
	if len(shape) > MaxRank {
		panic(fmt.Sprintf("BUG: tensor of rank %d, the most is %d", len(shape), MaxRank))
	}
	n := len(shape)
	a.dtype, a.buf = dtype, buf
	a.shape, a.strides = dims[:n:n], dims[n:2*n:2*n]
	copy(a.shape, shape)
	setCStrides(a.strides, shape, dtype.Size())
	return a
}
