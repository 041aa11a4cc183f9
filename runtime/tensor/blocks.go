package tensor

import (
	"iter"

	"github.com/arignote/arignote/kernels"
)

// Blocks yields the bytes of a's elements in C order, in this machine's byte order, at most most
// bytes at a time, or one element's if that is more. A block is a's own memory where the elements
// lie in C order, and a copy that the next block overwrites where they do not: so an array of any
// size is written without a second one. Nobody may change a block.
func Blocks(a *Dense, most int) iter.Seq[[]byte] {
	return func(yield func([]byte) bool) { (&blocks{most: most, yield: yield}).of(a) }
}

type blocks struct {
	most  int
	yield func([]byte) bool
	room  *Dense // for copies, of most bytes; nil before the first
}

// of yields the bytes of a, and reports whether more are wanted.
func (b *blocks) of(a *Dense) bool {
	size := a.NBytes()
	switch {
	case size == 0:
		return true
	case a.IsContiguous():
		all := Elements[uint8](a.View(kernels.Uint8, []int{size}, []int{1}, a.Offset()))
		for at := 0; at < size; at += b.most {
			if !b.yield(all[at:min(at+b.most, size)]) {
				return false
			}
		}
		return true
	case size <= b.most:
		if b.room == nil {
			b.room = Empty(kernels.Uint8, b.most)
		}
		part := b.room.View(a.DType(), a.Shape(), CStrides(a.Shape(), a.DType().Size()), 0)
		CopyTo(part, a)
		return b.of(part)
	}
	// As many rows at a time as a block holds; of one that is larger, its own.
	shape, strides := a.Shape(), a.Strides()
	rows := max(1, b.most/(size/shape[0]))
	for at := 0; at < shape[0]; at += rows {
		n := min(rows, shape[0]-at)
		part := a.View(a.DType(), append([]int{n}, shape[1:]...), strides, a.Offset()+at*strides[0])
		if n == 1 {
			part = a.View(a.DType(), shape[1:], strides[1:], part.Offset())
		}
		if !b.of(part) {
			return false
		}
	}
	return true
}
