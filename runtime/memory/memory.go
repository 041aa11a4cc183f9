// Package memory gives large arrays their memory, uses it again, counts it and bounds it.
//
//	Get        a block of memory, which comes back when nobody refers to it
//	Release    gives one back before the collector finds that
//	InUse      what is in use now and was at most
//	SetLimit   bounds what is in use
//	Grow       asks whether the rest of Go's heap may grow; Watch, whether it has grown too much
//	Pace       how much garbage there may be before it is collected, and the heap grown ahead for it
//	Keep       books blocks to accounts, as lines of a program
//	GiveBack   returns to the system what a program that waits does not need
//	Available  how much memory this process may have, and by what
//
// A block is an object of Go's heap, so that whatever points into it keeps it alive. When the
// collector finds that nothing does, a finalizer puts it among the idle blocks instead of letting
// it die: a program that makes an array of the same size in every step neither clears memory nor
// faults pages. Blocks begin at a page, are not zeroed, and ask for huge pages from a megabyte.
//
// Blocks that are used again do not count as allocation with the collector, which would not run
// because of them. So Get runs it when so much was given out that idle blocks may well be found.
package memory

import (
	"fmt"
	"math/bits"
	"runtime"
	"runtime/metrics"
	"slices"
	"sync"
	"time"
	"unsafe"
)

// Alignment of every block's first byte: a cache line, and the widest vector register.
const Alignment = 64

// Small is the size in bytes up to which arrays are better made anew: finalizers cost more.
const Small = 32 << 10

const page = 8 << 10

// When to collect: if this much was given out since the last time, but no sooner than pause times
// the length of the last collection after it. Blocks are given out meanwhile; only if it was very
// much, and no block is idle, Get waits.
const (
	worthCollecting = 24 << 20
	tooMuch         = 128 << 20
	pause           = 5
)

// worthCounting is for how large a block values are counted, instead of taking them to be what they
// were when somebody last did.
const worthCounting = 1 << 20

// maxCollections is how often memory is collected before it is refused: on a busy machine
// finalizers may run later than Collect waits.
const maxCollections = 4

// keptIdle is how much idle memory is kept whatever is in use.
const keptIdle = 64 << 20

// LimitError is why Get gave no memory. All are bytes; InUse is what arrays and values take.
type LimitError struct{ Want, InUse, Limit int64 }

func (e *LimitError) Error() string {
	if add(e.Want, e.InUse) <= e.Limit {
		return fmt.Sprintf("needs %d bytes of memory, which with the %d bytes in use leaves lists and dicts no room to grow (config.memory_limit is %d)",
			e.Want, e.InUse, e.Limit)
	}
	return fmt.Sprintf("needs %d bytes of memory, which with the %d bytes in use is more than the limit of %d bytes (config.memory_limit)",
		e.Want, e.InUse, e.Limit)
}

// ErrorName is what users know the error as.
func (e *LimitError) ErrorName() string { return "MemoryError" }

var heap blocks

type blocks struct {
	sync.Mutex
	free              map[int][][]byte // idle blocks by size
	idle              int64            // bytes, hot ones among them
	hot               [][]byte         // idle blocks that were released, the last one at the end: see hot.go
	hotBytes          int
	used, peak, limit int64 // bytes; limit 0 is none
	given             int64 // bytes since the last collection
	collecting        bool  // on a goroutine of its own
	collected         time.Time
	lasted            time.Duration
}

// InUse is the number of bytes in blocks that are not idle, now and at most so far. What is garbage
// is in use until the collector finds it; Collect lets it.
func InUse() (now, peak int64) {
	heap.Lock()
	defer heap.Unlock()
	return heap.used, heap.peak
}

// Idle is the number of bytes in blocks that nobody uses and that are kept for arrays to come.
func Idle() int64 {
	heap.Lock()
	defer heap.Unlock()
	return heap.idle
}

// SetLimit bounds the bytes in use, and those of values besides: see values.go. 0 is no bound. What
// is in use already stays.
func SetLimit(bytes int64) {
	setLimit(bytes)
	heap.Lock()
	defer heap.Unlock()
	heap.limit = bytes
}

// Get returns n bytes, more than Small, whose values are undefined. The error is a *LimitError.
func Get(n int) ([]byte, error) {
	size := class(n)
	books, account := booking()
	heap.Lock()
	if b := heap.takeHot(size); b != nil {
		books.out(b, account)
		heap.Unlock()
		return b[:n:n], nil
	}
	if size >= worthCounting && heap.limit > 0 {
		heap.Unlock()
		count()
		heap.Lock()
	}
	b, err := take(size)
	switch {
	case err != nil || b == nil && heap.given >= tooMuch:
		for range maxCollections {
			heap.Unlock()
			Collect()
			heap.Lock()
			if b, err = take(size); err == nil {
				break
			}
		}
	case isWorthCollecting():
		heap.collecting = true
		go Collect()
	}
	if err != nil {
		heap.Unlock()
		return nil, err
	}
	heap.used += int64(size)
	heap.given += int64(size)
	heap.peak = max(heap.peak, heap.used)
	if b != nil {
		books.out(b, account)
	}
	heap.Unlock()
	if b == nil {
		b = uncleared(size)
		adviseHuge(b)
		if books != nil {
			heap.Lock()
			books.out(b, account)
			heap.Unlock()
		}
	}
	runtime.SetFinalizer(&b[0], func(p *byte) { put(unsafe.Slice(p, size)) }) // were it to refer to b, it would keep it alive
	return b[:n:n], nil
}

// BlockSize is what n bytes take: those that come from Get, whole pages.
func BlockSize(n int) int {
	if n <= Small {
		return n
	}
	return class(n)
}

// put takes a block back.
func put(b []byte) {
	heap.Lock()
	defer heap.Unlock()
	heap.put(b)
}

// put is put for who has the lock.
func (h *blocks) put(b []byte) {
	size := int64(len(b))
	in(b)
	h.used -= size
	if h.free == nil {
		h.free = make(map[int][][]byte)
	}
	h.free[len(b)] = append(h.free[len(b)], b)
	h.idle += size
	trim(max(keptIdle, h.used))
}

// trim lets idle blocks go, which then die at the next collection, until they are no more than most
// bytes.
func trim(most int64) {
	for len(heap.hot) > 0 && heap.idle > most {
		heap.cool()
	}
	for size, list := range heap.free {
		n := 0
		for ; n < len(list) && heap.idle > most; n++ {
			heap.idle -= int64(size)
		}
		if heap.free[size] = slices.Delete(list, 0, n); n == len(list) {
			delete(heap.free, size)
		}
	}
}

// dropIdle lets all idle blocks go.
func dropIdle() {
	heap.Lock()
	defer heap.Unlock()
	trim(0)
}

// allows tells whether the limit allows one more block of a size in use, given what values were
// when somebody last counted.
func (h *blocks) allows(size int) bool {
	used, held := h.used+int64(size), values.bytes.Load()
	return h.limit == 0 || used <= h.limit && held <= mayHold(h.limit, used)
}

// take returns an idle block of a size, or nil; an error if the limit allows none.
func take(size int) ([]byte, error) {
	if heap.limit > 0 {
		held := values.bytes.Load()
		if !heap.allows(size) {
			return nil, &LimitError{int64(size), heap.used + held, heap.limit}
		}
		if over := heap.used + int64(size) + heap.idle + held - heap.limit; over > 0 {
			trim(max(0, heap.idle-over))
		}
	}
	list := heap.free[size]
	if len(list) == 0 {
		return nil, nil
	}
	b := list[len(list)-1]
	list[len(list)-1] = nil
	heap.free[size] = list[:len(list)-1]
	heap.idle -= int64(size)
	return b, nil
}

// class rounds a size up to whole pages, and by an eighth at most, so that a block fits sizes that
// are nearly its own.
func class(n int) int {
	step := max(page, 1<<bits.Len(uint(n-1))>>4)
	return (n + step - 1) / step * step
}

// finalizers is how many there have been, "queued" by collections or "executed".
func finalizers(which string) uint64 {
	sample := []metrics.Sample{{Name: "/gc/finalizers/" + which + ":finalizers"}}
	metrics.Read(sample)
	return sample[0].Value.Uint64()
}

func isWorthCollecting() bool {
	return heap.given >= worthCollecting && !heap.collecting && time.Since(heap.collected) > pause*heap.lasted
}

// maxFinalizing is how long a collection waits for finalizers: they take a millisecond, where
// others keep the cores busy many.
const maxFinalizing = time.Second

// Collect runs the garbage collector and waits until the blocks of dead arrays are back.
func Collect() {
	start := time.Now()
	runtime.GC()
	for queued := finalizers("queued"); finalizers("executed") < queued && time.Since(start) < maxFinalizing; {
		time.Sleep(50 * time.Microsecond)
	}
	count()
	heap.Lock()
	defer heap.Unlock()
	heap.given = 0
	heap.collecting = false
	heap.collected = time.Now()
	heap.lasted = heap.collected.Sub(start)
}
