package tensor

import (
	"unsafe"

	"github.com/arignote/arignote/kernels"
)

// places are the elements of a selection, in its C order, as offsets in bytes: all sums of one of
// outer, one of index and one of inner, each the first of block elements that follow each other.
type places struct {
	outer, index, inner []int64
	block               int
}

// newPlaces puts index between the axes before and after lead of an array. If there are few inner
// places, those of index become the inner ones: one call of a mover treats all inner places.
func newPlaces(shape, strides []int, lead int, index []int64, itemsize int) places {
	block, end := 1, len(shape)
	for end > lead && (shape[end-1] == 1 || strides[end-1] == block*itemsize) {
		block *= shape[end-1]
		end--
	}
	p := places{
		outer: offsets(shape[:lead], strides[:lead]),
		index: index,
		inner: offsets(shape[lead:end], strides[lead:end]),
		block: block,
	}
	if len(p.inner) == 1 {
		p.outer, p.index, p.inner = []int64{0}, p.outer, p.index
	}
	return p
}

// offsets lists where the elements of an array lie, in C order.
func offsets(shape, strides []int) []int64 {
	size := Size(shape)
	list := make([]int64, size)
	if size == 0 {
		return list
	}
	have := 1
	for axis, n := range shape {
		for k := have - 1; k >= 0; k-- { // from the end: what is read is not yet overwritten
			o := list[k]
			for i := range n {
				list[k*n+i] = o + int64(i*strides[axis])
			}
		}
		have *= n
	}
	return list
}

// movedAtOnce is how many elements are moved before an interrupt is looked for.
const movedAtOnce = 1 << 16

// each applies f to the elements at p and the contiguous values, until stop is raised.
func (s *places) each(f mover, p, values unsafe.Pointer, itemsize int, stop kernels.Stop) error {
	step, k := len(s.inner)*s.block*itemsize, 0
	often := max(movedAtOnce/max(len(s.inner)*s.block, 1), 1)
	for _, o := range s.outer {
		for _, j := range s.index {
			if k%often == 0 && kernels.Stopped(stop) {
				return ErrStopped
			}
			f(unsafe.Add(p, o+j), s.inner, s.block, unsafe.Add(values, k*step))
			k++
		}
	}
	return nil
}

// A mover moves blocks of elements between p plus each of the offsets and the contiguous values.
type mover func(p unsafe.Pointer, offsets []int64, block int, values unsafe.Pointer)

func get[T integer | float](p unsafe.Pointer, offsets []int64, block int, values unsafe.Pointer) {
	z := vec[T](values, len(offsets)*block)
	if block == 1 {
		for i, o := range offsets {
			z[i] = *at[T](p, o)
		}
		return
	}
	for i, o := range offsets {
		copy(z[i*block:(i+1)*block], vec[T](unsafe.Add(p, o), block))
	}
}

func set[T integer | float](p unsafe.Pointer, offsets []int64, block int, values unsafe.Pointer) {
	x := vec[T](values, len(offsets)*block)
	if block == 1 {
		for i, o := range offsets {
			*at[T](p, o) = x[i]
		}
		return
	}
	for i, o := range offsets {
		copy(vec[T](unsafe.Add(p, o), block), x[i*block:])
	}
}

func add[T integer | float](p unsafe.Pointer, offsets []int64, block int, values unsafe.Pointer) {
	x := vec[T](values, len(offsets)*block)
	if block == 1 {
		for i, o := range offsets {
			*at[T](p, o) += x[i]
		}
		return
	}
	for i, o := range offsets {
		z := vec[T](unsafe.Add(p, o), block)
		for k, v := range x[i*block : (i+1)*block] {
			z[k] += v
		}
	}
}

// or is add of bools.
func or(p unsafe.Pointer, offsets []int64, block int, values unsafe.Pointer) {
	x := vec[uint8](values, len(offsets)*block)
	for i, o := range offsets {
		z := vec[uint8](unsafe.Add(p, o), block)
		for k, v := range x[i*block : (i+1)*block] {
			z[k] |= v
		}
	}
}
