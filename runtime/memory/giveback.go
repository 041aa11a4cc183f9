package memory

import (
	"runtime/debug"
	"runtime/metrics"
)

// A program that works uses its memory again: what is idle waits, and Go's heap keeps what it has
// had. One that waits for its user keeps from others what it does not need, and nothing would take
// it away: collections come with allocations. To give memory back takes some milliseconds, and to
// get it again a page fault for each page, so it is for pauses.

// worthGivingBack is how much a heap must have, or be able to give, for a collection to be worth
// its time.
const (
	worthGivingBack = 32 << 20
	minHeap         = 2 * worthGivingBack
)

// GiveBack collects what is dead, lets all idle blocks go, and returns what is free to the system,
// if that may be much. It is for a program that has nothing to do.
func GiveBack() {
	if heapBytes("/memory/classes/heap/objects:bytes")+heapBytes("/memory/classes/heap/free:bytes") < minHeap {
		return
	}
	Collect()
	dropIdle()
	// Collected are the idle blocks now, and what their arrays and other finalizers kept.
	debug.FreeOSMemory()
	if Idle() > worthGivingBack { // finalizers that came late
		dropIdle()
		debug.FreeOSMemory()
	}
}

// heapBytes is one of Go's metrics.
func heapBytes(name string) int64 {
	sample := [...]metrics.Sample{{Name: name}}
	metrics.Read(sample[:])
	return int64(sample[0].Value.Uint64())
}
