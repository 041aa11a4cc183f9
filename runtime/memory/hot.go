package memory

import (
	"runtime"
	"slices"
	"sync"
	"unsafe"
)

// What a program knows to be dead need not wait for the collector: Release takes it back at once,
// and the next Get of its size gives out what was released last, which is still in the caches of
// the processor. Blocks that wait here keep their finalizers, since setting one takes longer than
// clearing a page.

// hottest is how many blocks wait, and hottestBytes how much memory they have at most.
const (
	hottest      = 8
	hottestBytes = 64 << 20
)

// Release takes back memory that Get gave, to which nobody refers any more.
func Release(b []byte) {
	size := class(len(b))
	heap.Lock()
	defer heap.Unlock()
	whole := unsafe.Slice(unsafe.SliceData(b), size)
	if size > hottestBytes/2 {
		heap.dismiss(whole)
		return
	}
	in(whole)
	heap.used -= int64(size)
	heap.idle += int64(size)
	heap.hot = append(heap.hot, whole)
	heap.hotBytes += size
	for len(heap.hot) > hottest || heap.hotBytes > hottestBytes {
		heap.cool()
	}
}

// dismiss puts a block in use among the idle ones. Its finalizer must not do so again.
func (h *blocks) dismiss(b []byte) {
	runtime.SetFinalizer(unsafe.SliceData(b), nil)
	h.put(b)
}

// cool puts the block that waits longest among the idle ones.
func (h *blocks) cool() {
	b := h.hot[0]
	h.hot = slices.Delete(h.hot, 0, 1)
	h.hotBytes -= len(b)
	h.idle -= int64(len(b))
	h.used += int64(len(b))
	h.dismiss(b)
}

// takeHot returns the block of a size that was released last, nil if none waits or the limit does
// not allow it.
func (h *blocks) takeHot(size int) []byte {
	if len(h.hot) == 0 || !h.allows(size) {
		return nil
	}
	b := takeLast(&h.hot, size)
	if b != nil {
		h.hotBytes -= size
		h.idle -= int64(size)
		h.used += int64(size)
		h.peak = max(h.peak, h.used)
	}
	return b
}

// takeLast takes the last of so many bytes out of a list, nil if there is none.
func takeLast(list *[][]byte, size int) []byte {
	for i := len(*list) - 1; i >= 0; i-- {
		if b := (*list)[i]; len(b) == size {
			*list = slices.Delete(*list, i, i+1)
			return b
		}
	}
	return nil
}

// Memory of Small bytes and less is Go's own; what is released of it waits here.
var small struct {
	sync.Mutex
	free [][]byte // the last one at the end
}

// maxSmall is how many of them wait.
const maxSmall = 16

// minSmall is what is worth to wait: less is made anew as quickly, until it is collected.
const minSmall = 1 << 7

// ReleaseSmall takes back memory of Small bytes and less to which nobody refers any more.
func ReleaseSmall(b []byte) {
	if len(b) < minSmall {
		return
	}
	small.Lock() // a defer would take as long as what it is for
	if len(small.free) == maxSmall {
		small.free = slices.Delete(small.free, 0, 1)
	}
	small.free = append(small.free, b)
	small.Unlock()
}

// TakeSmall returns n bytes that were released, nil if there are none. Their values are undefined.
func TakeSmall(n int) []byte {
	if n < minSmall {
		return nil
	}
	small.Lock()
	b := takeLast(&small.free, n)
	small.Unlock()
	return b
}
