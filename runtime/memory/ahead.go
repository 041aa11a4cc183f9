package memory

import (
	"runtime"
	"runtime/debug"
	"runtime/metrics"
	"strings"
	"unsafe"
)

// To touch a page for the first time takes a fifth of a microsecond, and in a virtual machine up to
// twenty: longer than a small program computes with what it puts there. A huge page takes as long
// as ten small ones, and has five hundred. So Go's heap, which grows by as little as it needs, is
// grown ahead, in regions that ask for huge pages. What nobody touches of them is address space
// only.

// A region is a multiple of minRegion, and no more than a part of what the process may have.
const (
	minRegion  = 64 << 20
	regionPart = 16
)

// growAhead sees to it that what may be allocated until the next collection lies in such regions.
func (p *pacer) growAhead() {
	if !hasHugePages {
		return
	}
	sample := [...]metrics.Sample{{Name: "/memory/classes/heap/free:bytes"}, {Name: "/memory/classes/heap/released:bytes"}, {Name: "/gc/heap/goal:bytes"}, {Name: "/gc/heap/live:bytes"}}
	metrics.Read(sample[:])
	value := func(i int) int64 { return int64(sample[i].Value.Uint64()) }
	need := value(2) - value(3)
	if value(0)+value(1) >= need || !p.growing.TryLock() {
		return
	}
	defer p.growing.Unlock()
	size := (need + minRegion - 1) / minRegion * minRegion
	if may := Available(); may.Bytes > 0 && size > may.Bytes/regionPart {
		return
	}
	p.Lock()
	debug.SetGCPercent(-1) // a collection that such an allocation calls for would take it to be alive
	adviseHuge(uncleared(int(size)))
	debug.SetGCPercent(int(p.current))
	p.Unlock()
	runtime.GC() // frees it
}

// uncleared is make([]byte, n) whose bytes are undefined: of what the heap gives, all would be
// cleared, and touched, if some was used before.
func uncleared(n int) []byte {
	var b strings.Builder
	b.Grow(n)
	b.WriteByte(0) // an empty string may be anywhere
	return unsafe.Slice(unsafe.StringData(b.String()), n)
}
